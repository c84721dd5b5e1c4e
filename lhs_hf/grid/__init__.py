"""Comparisons: any methods on any tasks with one budget, in one sandbox, judged on splits that none was chosen on.

A *cell* is one method on one task with one seed. Cells do not know of each other: they run in any order, in several
processes, and are stored as they end in the SQLite file of a *grid*.

    from lhs_hf.grid.plan import Plan
    from lhs_hf.grid.work import compare

    grid = compare(Plan(methods=("default", "climb"), tasks=("tsp_construct",), seeds=5), "grid")
    print(grid.cells[0].objective("holdout"))
"""
