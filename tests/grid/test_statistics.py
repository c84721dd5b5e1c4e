"""What a comparison says: known values, and what has to hold for any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lhs_hf.errors import CallError
from lhs_hf.grid.cell import CellResult, Spent
from lhs_hf.grid.statistics import Interval, compared, curve, distances, gain, holm
from lhs_hf.grid.store import DATABASE_NAME, Grid, GridDatabase
from lhs_hf.reporting.grid_report import report_grid


def cell(method: str, seed: int, value: float | None, task: str = "t", sense: str = "min", **changes) -> CellResult:
    objectives = {} if value is None else {"holdout": [value - 1, value + 1]}
    failures = {"holdout": "error: no"} if value is None else {}
    parts = {"spent": Spent(32, 1.0, 0, 0, 1.0), "runtime_s": {}, "curve": [], **changes}
    return CellResult(
        method,
        task,
        seed,
        sense,
        "pass",
        parts["spent"],
        objectives,
        failures,
        parts["runtime_s"],
        parts["runtime_s"],
        parts["curve"],
        "new",
    )


def grid_of(*cells: CellResult, methods: tuple[str, ...] = ("a", "b")) -> Grid:
    return Grid("folder", {"methods": list(methods), "tasks": ["t"]}, list(cells))


def test_a_gain_is_in_percent_of_the_others_objective_and_positive_is_better() -> None:
    assert gain(cell("a", 0, 9.0), cell("b", 0, 10.0), "holdout") == pytest.approx(10.0)
    assert gain(cell("a", 0, 9.0, sense="max"), cell("b", 0, 10.0, sense="max"), "holdout") == pytest.approx(-10.0)
    assert gain(cell("a", 0, -9.0), cell("b", 0, -10.0), "holdout") == pytest.approx(-10.0)
    assert gain(cell("a", 0, None), cell("b", 0, 10.0), "holdout") is None
    assert gain(cell("a", 0, 0.0), cell("b", 0, 0.0), "holdout") == 0.0
    assert gain(cell("a", 0, 1.0), cell("b", 0, 0.0), "holdout") is None


def test_methods_are_paired_by_seed_and_failures_count() -> None:
    ours = [cell("a", seed, value) for seed, value in enumerate([9.0, 10.0, 12.0, None])]
    theirs = [cell("b", seed, value) for seed, value in enumerate([10.0, 10.0, 10.0, 10.0])]
    (row,), (together,) = compared(grid_of(*ours, *theirs), "a")
    assert (row.wins, row.ties, row.losses) == (1, 1, 2)
    assert row.gain.mean == pytest.approx((10 + 0 - 20) / 3)
    assert row.p == pytest.approx(stats.ttest_1samp([10.0, 0.0, -20.0], 0).pvalue)
    assert together.better == 0
    assert together.p == pytest.approx(stats.wilcoxon([10.0, 0.0, -20.0, -99.0]).pvalue)


def test_what_loses_to_an_objective_of_0_is_no_better_however_little_is_known_in_percent() -> None:
    ours = [cell("a", seed, value, sense="max") for seed, value in enumerate([-5.0, -12.0, -12.0, -3.0])]
    theirs = [cell("b", seed, value, sense="max") for seed, value in enumerate([-10.0, 0.0, 0.0, -3.0])]
    (row,), (together,) = compared(grid_of(*ours, *theirs), "a")
    assert row.gain.mean == pytest.approx(25.0)
    assert (row.wins, row.ties, row.losses) == (1, 1, 2)
    assert together.better == 0
    assert together.p == pytest.approx(stats.wilcoxon([50.0, -99.0, -99.0, 0.0]).pvalue)


def test_one_without_seeds_stands_beside_every_seed_of_the_other() -> None:
    ours = [cell("a", seed, 9.0 + seed) for seed in range(3)]
    grid = replace(grid_of(*ours, cell("b", 0, 10.0)), about={"methods": ["a", "b"], "unseeded": ["b"]})
    (row,), _ = compared(grid, "a")
    (back,), _ = compared(grid, "b")
    assert (row.wins, row.ties, row.losses) == (1, 1, 1) == (back.losses, back.ties, back.wins)
    # Seeds that only one of the two has are left out.
    (row,), _ = compared(grid_of(*ours, cell("b", 0, 10.0)), "a")
    assert (row.wins, row.ties, row.losses) == (1, 0, 0)
    (row,), _ = compared(grid_of(*ours, cell("b", 1, 11.0), cell("b", 2, 12.0)), "a")
    assert (row.wins, row.ties, row.losses) == (2, 0, 0)


def test_holm_is_the_textbooks() -> None:
    assert holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]
    assert holm([]) == []


@settings(max_examples=50)
@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=8))
def test_a_corrected_value_is_never_smaller_and_the_order_stays(values) -> None:
    result = holm(values)
    for before, after in zip(values, result):
        assert (before is None) == (after is None)
        assert before is None or before <= after <= 1
    known = sorted((before, after) for before, after in zip(values, result) if before is not None)
    assert [after for _, after in known] == sorted(after for _, after in known)


@settings(max_examples=50)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=8))
def test_an_interval_holds_its_mean(values) -> None:
    interval = Interval.of(values)
    assert interval.count == len(values)
    if interval.low is not None:
        assert interval.low <= interval.mean <= interval.high
        assert (interval.p < 0.05) == (interval.low > 0 or interval.high < 0) or abs(interval.p - 0.05) < 1e-6


def test_distances_are_to_the_best_of_any_method() -> None:
    cells = [cell("a", 0, 10.0), cell("a", 1, 11.0), cell("b", 0, None), cell("b", 1, 12.0)]
    found = distances(grid_of(*cells))
    assert found["a"] == [0.0, pytest.approx(10.0)]
    assert found["b"] == [np.inf, pytest.approx(20.0)]


def test_a_curve_steps_at_its_incumbents() -> None:
    cells = [
        cell("a", 0, 1.0, curve=[(0, 0, 5.0), (10, 0, None), (20, 0, 3.0)]),
        cell("a", 1, 1.0, curve=[(15, 0, 4.0)]),
    ]
    table = curve(cells, [0, 10, 15, 20, 30])
    assert table[0].tolist() == [5, 5, 5, 3, 3]
    assert np.isnan(table[1, :2]).all()
    assert table[1, 2:].tolist() == [4, 4, 4]


def stored(folder, *cells: CellResult, **about) -> None:
    folder.mkdir(exist_ok=True)
    with GridDatabase(folder / DATABASE_NAME) as database:
        database.begin({"budget": 3, "equal": "evaluations", **about}, {}, {"methods": ["a", "b"], "tasks": ["t"]})
        for each in cells:
            database.add(each)


def test_a_report_marks_the_best_and_names_failures(tmp_path) -> None:
    stored(tmp_path, *(cell("a", seed, 9.0 + seed) for seed in range(2)), cell("b", 0, None), cell("b", 1, 8.0))
    text, files = report_grid(tmp_path)
    assert "| a | **9.5 ± 0.71** |" in text
    assert "| b | fails (1 of 2) |" in text
    assert {path.name for path in files} == {"report.md", "table.md", "grid.json", "profile.png"}


def test_names_in_somebody_elses_grid_lead_nowhere(tmp_path) -> None:
    name = "../../evil|`x`"
    both = [cell("a", 0, 1.0, task=name, curve=[(3, 0, 1.0)]), cell("<b>", 0, 2.0, task=name, curve=[(3, 0, 1.0)])]
    stored(tmp_path / "grid", *both)
    text, files = report_grid(tmp_path / "grid")
    assert all(path.resolve().parent == (tmp_path / "grid").resolve() for path in files)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grid"]
    assert "<b>" not in text.replace(r"\<b>", "")


def test_a_folder_without_a_comparison_is_refused(tmp_path) -> None:
    with pytest.raises(CallError, match="holds no comparison"):
        report_grid(tmp_path)
    stored(tmp_path)
    with pytest.raises(CallError, match="no finished cell"):
        report_grid(tmp_path)
    (tmp_path / DATABASE_NAME).write_bytes(b"SQLite format 3\0 and then nothing")
    with pytest.raises(CallError):
        report_grid(tmp_path)
