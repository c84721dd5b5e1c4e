"""Pancake sorting: turn over the top of a stack, again and again, until the pancakes lie by size."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, make_splits

# More than the two flips for which a gap can always be closed: an unsorted end never pays.
GAP_PENALTY = 3


class PancakeStacks(SimpleTask):
    """Solution: the flips in order, each the number of pancakes on top that are turned over, 2 or more.

    It ends with a sorted stack, or after twice as many flips as there are pancakes.
    """

    name = "pancake_stacks"
    title = "Pancake sorting by prefix reversals"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return how many pancakes to turn over from the top, one of `prefixes` (a list, 2 to all). `stack` lists the "
        "sizes from top to bottom, each of 1 to the number of pancakes once; the smallest shall end on top. After "
        "`flips_left` more flips it ends in any case, and each pair of neighbours whose sizes differ by more than 1 "
        "(the plate counts as the next larger size) then costs 3. The number of flips is to be small."
    )
    template = '''\
def choose_flip(stack, prefixes, flips_left):
    """Bring the largest misplaced pancake to the top, then down to its place."""
    size = max(size for place, size in enumerate(stack, 1) if size != place)
    place = stack.index(size)
    return size if place == 0 else place + 1
'''
    alternatives = "prefixes"
    splits = make_splits(
        search={"count": 16, "pancakes": 16, "calls": 26},
        test={"count": 32, "pancakes": 16, "calls": 26},
        holdout={"count": 32, "pancakes": 22, "calls": 36},
    )
    probe_parameters = {"pancakes": 11}  # noqa: RUF012
    probe_feature_names = ("prefix", "gaps_after", "cuts_gap", "displacement_after", "new_top", "pancakes_in_place")

    def draw(self, random, pancakes):
        """Sizes from top to bottom, a permutation of 1 to `pancakes`; int64 (pancakes,)."""
        return random.permutation(pancakes).astype(np.int64) + 1

    def construct(self, program, stack):
        """One call a flip; the program sees lists of Python numbers."""
        stack = stack.tolist()
        prefixes = list(range(2, len(stack) + 1))
        flips = []
        while _gaps(stack) and len(flips) < 2 * len(stack):
            prefix = self.ask(program, list(stack), list(prefixes), 2 * len(stack) - len(flips))
            stack = _flipped(stack, prefix)
            flips.append(prefix)
        return flips

    def objective(self, stack, solution):
        """Flips, and 3 for each gap that is left. Raises `Infeasible` for too many or too few flips, or wrong ones."""
        if len(solution) > 2 * len(stack):
            raise Infeasible(f"{len(solution)} flips, at most {2 * len(stack)} are allowed")
        stack = stack.tolist()
        for flip, prefix in enumerate(solution.tolist()):
            if not 2 <= prefix <= len(stack):
                raise Infeasible(f"flip {flip} turns {prefix} pancakes, expected 2 to {len(stack)}")
            stack = _flipped(stack, prefix)
        gaps = _gaps(stack)
        if gaps and len(solution) < 2 * len(stack):
            raise Infeasible(f"the stack is not sorted after {len(solution)} flips, {2 * len(stack)} are allowed")
        return float(len(solution) + GAP_PENALTY * gaps)

    def probe_features(self, choices, arguments):
        """Length of the flip, the stack after it, and whether it cuts at a gap."""
        stack = arguments["stack"]
        rows = []
        for prefix in choices:
            after = _flipped(stack, prefix)
            moved = sum(abs(size - place) for place, size in enumerate(after, 1))
            below = [*stack, len(stack) + 1][prefix]
            in_place = sum(size == place for place, size in enumerate(after, 1))
            rows.append((prefix, _gaps(after), abs(stack[prefix - 1] - below) > 1, moved, after[0], in_place))
        return np.array(rows, dtype=float)


def _flipped(stack, prefix):
    return stack[:prefix][::-1] + stack[prefix:]


def _gaps(stack):
    """Neighbours that differ by more than 1; the plate is one larger than the largest pancake."""
    return sum(abs(upper - lower) > 1 for upper, lower in zip(stack, [*stack[1:], len(stack) + 1]))


TASK = PancakeStacks()
