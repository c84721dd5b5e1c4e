"""Set cover: pick few subsets of 1..50 that together contain every element any subset contains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, percentiles

Subsets = tuple[tuple[int, ...], ...]

_UNIVERSE = 50

_TEMPLATE = '''\
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Greedy cover: take the subset with the most uncovered elements; stop when none has any."""
    uncovered = set(remaining_elements)
    best_subset = None
    best_gain = 0
    for subset in remaining_subsets:
        gain = len(uncovered.intersection(subset))
        if gain > best_gain:
            best_subset = subset
            best_gain = gain
    return best_subset
'''


class SetCover(Task):
    """Choose subsets until nothing coverable is uncovered; objective: number of subsets chosen.

    An instance is a tuple of 50 subsets, each a tuple of elements of 1..50 in drawing order. Some instances do not
    cover all of 1..50; there the program has to stop by returning None. A solution holds the indices of the chosen
    subsets, in order.
    """

    name = "set_cover_construct"
    title = "Set cover"
    sense = "min"
    problem_class = "covering"
    function_name = "select_next_subset"
    arguments = ("selected_subsets", "remaining_subsets", "remaining_elements")
    description = (
        "Return the next subset to choose, one of the lists in `remaining_subsets`, or None once no remaining subset "
        "contains any of `remaining_elements`, the elements not covered yet (some elements may be in no subset)."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 240, {"subsets": 50}),
        "test": Split("test", 100, 2024, 1500, {"subsets": 50}),
        "holdout": Split("holdout", 100, 2025, 1500, {"subsets": 50}),
    }
    practice = Split("practice", 2, 7001, 30, {"subsets": 50})
    time_limit_s = 30.0
    bounds: Mapping[str, float] = {"search": 12.5, "test": 12.3, "holdout": 12.07}
    bound_kind = "optimum"
    probe_feature_names = (
        "uncovered_elements",
        "size",
        "uncovered_share",
        "covered_elements",
        "rarity_sum",
        "rarest_element",
        "position",
        "is_stop",
    )

    def generate(self, split: Split) -> Iterator[Subsets]:
        """Each subset: a size of 1..8, then that many distinct elements of 1..50, in drawing order."""
        random = np.random.RandomState(split.seed)
        elements = np.arange(1, _UNIVERSE + 1)
        for _ in range(split.count):
            subsets = []
            for _ in range(split.parameters["subsets"]):
                size = random.randint(1, 9)
                subsets.append(tuple(random.choice(elements, size=size, replace=False).tolist()))
            yield tuple(subsets)

    def rollout(self, program: Program, instance: Subsets) -> np.ndarray:
        """Call the program until everything is covered or it answers None. Returns chosen indices, int64 (chosen,).

        `selected_subsets` and `remaining_subsets` are the same lists in every call. Raises `IllegalAnswer` for an
        answer that is no listed list.
        """
        originals = [list(subset) for subset in instance]
        index_of = {id(subset): index for index, subset in enumerate(originals)}
        remaining = originals.copy()
        selected: list[list[int]] = []
        uncovered = set(range(1, _UNIVERSE + 1))
        chosen: list[int] = []
        while uncovered:
            answer = program(selected, remaining, sorted(uncovered))
            if answer is None:
                break
            # Equal lists occur, and a program may edit them: the object says which one is meant, if it is listed.
            first_equal = _first_listed(answer, remaining)
            picked = answer if any(subset is answer for subset in remaining) else first_equal
            if id(picked) not in index_of:
                raise IllegalAnswer("the answer is no subset of the instance that can still be chosen")
            index = index_of.pop(id(picked))
            remaining.remove(first_equal)
            if first_equal is not picked and id(first_equal) in index_of:
                index_of[id(picked)] = index_of.pop(id(first_equal))
            selected.append(answer)
            uncovered.difference_update(instance[index])
            chosen.append(index)
        return np.array(chosen, dtype=np.int64)

    def objective(self, instance: Subsets, solution: np.ndarray) -> float:
        """Number of chosen subsets. Raises `Infeasible` unless they are distinct and cover the union of all."""
        count = len(instance)
        if solution.ndim != 1 or len(solution) > count:
            raise Infeasible(f"expected at most {count} subset indices, got an array of shape {solution.shape}")
        chosen = solution.tolist()
        for index in chosen:
            if not 0 <= index < count:
                raise Infeasible(f"subset {index} does not exist; subsets are 0 to {count - 1}")
        if len(set(chosen)) != len(chosen):
            raise Infeasible("a subset is chosen twice")
        missing = set(chain.from_iterable(instance)).difference(*(instance[index] for index in chosen))
        if missing:
            raise Infeasible(f"{len(missing)} coverable elements are uncovered, {min(missing)} among them")
        return float(len(chosen))

    def max_solution_length(self, instance: Subsets) -> int:
        """Each subset at most once."""
        return len(instance)

    def probe_states(self, generator: np.random.Generator, count: int) -> list[ProbeState]:
        """Partial covers of 10 to 18 elements by 8 to 12 subsets; candidates are the remaining subsets, then None."""
        states: list[ProbeState] = []
        while len(states) < count:
            universe, subset_count = int(generator.integers(10, 19)), int(generator.integers(8, 13))
            remaining = [
                generator.choice(np.arange(1, universe + 1), size=size, replace=False).tolist()
                for size in generator.integers(1, 7, subset_count)
            ]
            uncovered = set(range(1, universe + 1))
            selected: list[list[int]] = []
            for _ in range((0, 1, 2, 4)[len(states) % 4]):
                if len(states) % 3:
                    subset = max(remaining, key=lambda entry: len(uncovered.intersection(entry)))
                else:
                    subset = remaining[generator.integers(len(remaining))]
                remaining.remove(subset)
                selected.append(subset)
                uncovered.difference_update(subset)
            if uncovered:
                features = percentiles(_subset_features(remaining, uncovered))
                call = (selected, remaining, sorted(uncovered))
                states.append(ProbeState((call,), features, [subset.copy() for subset in remaining]))
        return states

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The position of the first list equal to the answer; the last row for None where no list covers any more."""
        if answers[0] is None:
            uncovered = set(state.calls[0][2])
            if any(uncovered.intersection(subset) for subset in state.context):
                raise IllegalAnswer("None is an answer once no remaining subset contains an uncovered element")
            return len(state.context)
        _first_listed(answers[0], state.context)
        return state.context.index(answers[0])


def _first_listed(answer: Any, remaining: Sequence[Any]) -> list[int]:
    """The first entry of `remaining` equal to `answer`. Raises `IllegalAnswer` if there is none."""
    if not isinstance(answer, list):
        raise IllegalAnswer(f"expected a list of remaining_subsets or None, got {type(answer).__name__}")
    for subset in remaining:
        if isinstance(subset, list) and subset == answer:
            return subset
    raise IllegalAnswer("the answer equals no list in remaining_subsets")


def _subset_features(remaining: Sequence[Sequence[int]], uncovered: set[int]) -> np.ndarray:
    """Raw probe features, float64 (remaining + 1, 8), in the order of `probe_feature_names`; the last row is None."""
    frequency = {element: sum(element in subset for subset in remaining) for element in uncovered}
    rows = []
    for position, subset in enumerate(remaining):
        useful = uncovered.intersection(subset)
        rarity = [1 / frequency[element] for element in useful]
        gain, size = len(useful), len(subset)
        rows.append([gain, size, gain / size, size - gain, sum(rarity), max(rarity, default=0), position, 0])
    rows.append([0, 0, 0, 0, 0, 0, len(remaining), 1])
    return np.array(rows, dtype=np.float64)


TASK = SetCover()
