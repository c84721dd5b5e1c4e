"""Sorting by short reversals: turn round segments of a row, each at a cost, until the row is in order."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, make_splits

# A reversal costs this and its length.
SETUP = 3
# What each pair in the wrong order costs at the end: swapping two neighbours, which can mend it.
PAIR_PENALTY = SETUP + 2


class ReversalSorting(SimpleTask):
    """Solution: start and end of each reversed segment, one after the other, both inclusive.

    It ends with a sorted row, or after twice as many reversals as the row has entries.
    """

    name = "reversal_sorting"
    title = "Sorting by weighted short reversals"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the segment of `row` to reverse next, one of `segments`: pairs (start, end) of places, both inclusive, "
        "from 0, none longer than half the row. `row` is an array with each number from 0 once, to be brought into "
        "ascending order. A reversal costs 3 plus its length, and there are at most twice as many as entries; each "
        "pair that stands in the wrong order at the end costs 5. The total cost is to be small."
    )
    template = '''\
def pick_segment(row, segments):
    """The first two neighbours in the wrong order."""
    for start, end in segments:
        if end == start + 1 and row[start] > row[end]:
            return (start, end)
'''
    alternatives = "segments"
    splits = make_splits(
        search={"count": 16, "entries": 12, "calls": 20},
        test={"count": 32, "entries": 12, "calls": 20},
        holdout={"count": 32, "entries": 16, "calls": 28},
    )
    probe_parameters = {"entries": 8}  # noqa: RUF012
    probe_feature_names = ("start", "length", "inversions_mended", "mended_per_cost", "displacement", "adjacencies")

    def draw(self, random, entries):
        """Numbers from 0 in any order; int64 (entries,)."""
        return random.permutation(entries).astype(np.int64)

    def construct(self, program, row):
        """One call a reversal."""
        solution = []
        while _inversions(row) and len(solution) < 4 * len(row):
            start, end = self.ask(program, row.copy(), _segments(len(row)))
            row = _reversed(row, start, end)
            solution += [start, end]
        return solution

    def objective(self, row, solution):
        """Cost of all reversals and of what is not in order. Raises `Infeasible` for a wrong segment or number."""
        if len(solution) % 2 or len(solution) > 4 * len(row):
            raise Infeasible(f"{len(solution)} entries: expected pairs, at most {2 * len(row)}")
        cost = 0
        allowed = set(_segments(len(row)))
        for start, end in solution.reshape(-1, 2).tolist():
            if (start, end) not in allowed:
                raise Infeasible(f"the segment ({start}, {end}) is not allowed")
            row = _reversed(row, start, end)
            cost += SETUP + end - start + 1
        left = _inversions(row)
        if left and len(solution) < 4 * len(row):
            raise Infeasible(f"the row is not in order after {len(solution) // 2} reversals")
        return float(cost + PAIR_PENALTY * left)

    def probe_features(self, choices, arguments):
        """Place and length of the segment, pairs it puts in order, distances and neighbours after it."""
        row = arguments["row"]
        before = _inversions(row)
        rows = []
        for start, end in choices:
            after = _reversed(row, start, end)
            mended, length = before - _inversions(after), end - start + 1
            moved = np.abs(after - np.arange(len(row))).sum()
            joined = (np.abs(np.diff(after)) == 1).sum()
            rows.append((start, length, mended, mended / (SETUP + length), moved, joined))
        return np.array(rows, dtype=float)


def _segments(entries):
    longest = entries // 2
    return [(start, end) for start in range(entries) for end in range(start + 1, min(start + longest, entries))]


def _reversed(row, start, end):
    after = row.copy()
    after[start : end + 1] = after[start : end + 1][::-1]
    return after


def _inversions(row):
    return int(np.triu(row[:, None] > row[None, :], 1).sum())


TASK = ReversalSorting()
