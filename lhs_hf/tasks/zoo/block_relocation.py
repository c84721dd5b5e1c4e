"""Block relocation: retrieve containers from stacks in a given order; what lies above must be moved elsewhere."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, make_splits


class BlockRelocation(SimpleTask):
    """Solution: the stack to which each moved block goes, in the order of the moves.

    Blocks are retrieved in the order of their numbers. The topmost block above the next one is moved until that one is
    free; retrieving itself costs nothing.
    """

    name = "block_relocation"
    title = "Block relocation in a container yard"
    sense = "min"
    problem_class = "packing"
    description = (
        "Return the stack that `block` is put on, one of `open_stacks` (an array, ascending: all but its own "
        "stack `source` and full ones). Blocks leave the yard in the order of their numbers, `wanted` is the next; "
        "`block` lies on top of its stack. `stacks` is a list of lists of block numbers from bottom to top, at most "
        "`height` each. The total number of moves is to be small."
    )
    template = '''\
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """The first stack with room."""
    return open_stacks[0]
'''
    alternatives = "open_stacks"
    splits = make_splits(
        search={"count": 24, "stacks": 6, "filled": 5, "calls": 30},
        test={"count": 48, "stacks": 6, "filled": 5, "calls": 30},
        holdout={"count": 48, "stacks": 8, "filled": 5, "calls": 40},
    )
    probe_parameters = {"stacks": 9, "filled": 6}  # noqa: RUF012
    probe_feature_names = ("blocks", "earliest", "good", "earliest_minus_block", "room", "top", "bad_pairs", "stack")

    def draw(self, random, stacks, filled):
        """Every stack holds `filled` blocks, in any order; int64 (stacks, filled), bottom first; two more fit on it."""
        return {"layout": random.permutation(stacks * filled).reshape(stacks, filled), "height": filled + 2}

    def construct(self, program, instance):
        """One call a move with a choice; the program sees an array of open stacks, and lists of Python numbers."""
        solution = []
        for stacks, source, wanted in _course(instance, solution):
            places = _open(stacks, source, instance["height"])
            place = places[0]
            if len(places) > 1:
                copies = [list(stack) for stack in stacks]
                place = self.ask(
                    program, copies, np.array(places), source, stacks[source][-1], wanted, instance["height"]
                )
            solution.append(place)
        return solution

    def objective(self, instance, solution):
        """Number of moves. Raises `Infeasible` for a wrong stack and for too few or too many moves."""
        moves, made = solution.tolist(), 0
        for stacks, source, _ in _course(instance, moves):
            if made == len(moves):
                raise Infeasible(f"{made} moves are not enough")
            if moves[made] not in _open(stacks, source, instance["height"]):
                raise Infeasible(f"move {made} puts a block on stack {moves[made]}, which is full, its own or none")
            made += 1
        if made < len(moves):
            raise Infeasible(f"{len(moves)} moves are given, {made} retrieve everything")
        return float(made)

    def probe_features(self, choices, arguments):
        """Height and earliest block of each stack, and what `block` would mean there."""
        stacks, block, height = arguments["stacks"], arguments["block"], arguments["height"]
        rows = []
        for place in choices:
            stack = stacks[place]
            low = min(stack, default=10**3)
            bad = sum(any(under < over for under in stack[:level]) for level, over in enumerate(stack))
            top = stack[-1] if stack else 10**3
            rows.append((len(stack), low, low > block, abs(low - block), height - len(stack), top, bad, place))
        return np.array(rows, dtype=float)


def _course(instance, moves):
    """Each move that has to be made: the stacks, the source, the block wanted. Carried out by the next of `moves`."""
    stacks = instance["layout"].tolist()
    made = 0
    for wanted in range(instance["layout"].size):
        source = next(place for place, stack in enumerate(stacks) if wanted in stack)
        while stacks[source][-1] != wanted:
            yield stacks, source, wanted
            stacks[moves[made]].append(stacks[source].pop())
            made += 1
        stacks[source].pop()


def _open(stacks, source, height):
    return [place for place, stack in enumerate(stacks) if place != source and len(stack) < height]


TASK = BlockRelocation()
