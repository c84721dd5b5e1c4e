"""Bin covering: fill as many bins as possible up to a level; items come in any order one likes."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class BinCovering(SimpleTask):
    """Solution: the items in the order in which they are packed. A bin is closed once it holds its level or more."""

    name = "bin_covering"
    title = "Bin covering, by priorities of items"
    sense = "max"
    problem_class = "packing"
    description = (
        "Return the priority of putting an item of the given `size` into the open bin, which still needs `missing` to "
        "be full; `left` items are not packed yet, their sizes add up to `total`. The item of the highest priority is "
        "put in. A bin that has its level or more is closed and counts; as many as possible are to be closed."
    )
    template = '''\
def priority(size, missing, left, total):
    """The smallest item."""
    return -size
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "items": 60, "level": 100, "calls": 1800},
        test={"count": 32, "items": 60, "level": 100, "calls": 1800},
        holdout={"count": 32, "items": 90, "level": 120, "calls": 4000},
    )
    probe_parameters = {"items": 14, "level": 60}  # noqa: RUF012

    def draw(self, random, items, level):
        """Sizes from a tenth to seven tenths of the level: sizes int64 (items,), level."""
        return {"sizes": random.randint(level // 10, 7 * level // 10, items), "level": level}

    def construct(self, program, instance):
        """One decision an item, one call for each distinct size that is left; the first item of a size goes in."""
        sizes, level = instance["sizes"].tolist(), instance["level"]
        waiting, order, missing = list(range(len(sizes))), [], level
        while waiting:
            total = sum(sizes[item] for item in waiting)
            first = {sizes[item]: item for item in reversed(waiting)}
            kinds = sorted(first)
            size = kinds[self.ask_each(program, [(size, missing, len(waiting), total) for size in kinds])]
            waiting.remove(first[size])
            order.append(first[size])
            missing = level if size >= missing else missing - size
        return order

    def objective(self, instance, solution):
        """Bins that are full. Raises `Infeasible` unless each item is packed once."""
        closed, missing = 0, instance["level"]
        for item in check_permutation(solution, len(instance["sizes"])):
            missing -= int(instance["sizes"][item])
            if missing <= 0:
                closed, missing = closed + 1, instance["level"]
        return float(closed)

    def probe_features(self, choices, arguments):
        """Size, what is missing afterwards, how much is wasted, size as a share of what is left."""
        return np.array(
            [(size, abs(missing - size), max(0, size - missing), size / total) for size, missing, _, total in choices]
        )


TASK = BinCovering()
