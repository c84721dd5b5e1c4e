"""Knapsack: choose one item at a time under a weight limit (paper, section 5: KSP)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._shared import capture_call, draw_step, only_answer, solution_entries
from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, percentiles

_CAPACITY = 100
_ITEMS = 50
_RANGE = 60
_DELTA = 6
_FAMILIES = ("uncorrelated", "weakly", "strongly")
_END = -1

_TEMPLATE = '''\
def select_next_item(remaining_capacity, remaining_items):
    """Best value per weight among the items that still fit."""
    best = None
    best_ratio = -1.0
    for weight, value, index in remaining_items:
        if weight <= remaining_capacity and value / weight > best_ratio:
            best_ratio = value / weight
            best = (weight, value, index)
    return best
'''

Item = tuple[int, int, int]


@dataclass(frozen=True)
class KnapsackInstance:
    """`items`: (weight, value, index) tuples of Python ints, by index."""

    items: tuple[Item, ...]
    capacity: int = _CAPACITY


def _split(name: str, count: int, seed: int, family: str) -> Split:
    return Split(name, count, seed, count * 12, {"family": family})


class KnapsackConstruct(Task):
    """Solution: indices of the chosen items in order, misfits included, then -1 where the choosing ended.

    Choosing an item that does not fit discards it without a penalty.
    """

    name = "knapsack_construct"
    title = "Knapsack, constructive"
    sense = "max"
    problem_class = "packing"
    function_name = "select_next_item"
    arguments = ("remaining_capacity", "remaining_items")
    description = (
        "Return the item to pack next, one of the tuples (weight, value, index) in remaining_items, or None to stop, "
        "so that the total value of the packed items is as large as possible; an item heavier than "
        "remaining_capacity is discarded when chosen."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": _split("search", 32, 2024, "mixed"),
        "test-uncorrelated": _split("test-uncorrelated", 100, 2024, "uncorrelated"),
        "test-weakly": _split("test-weakly", 100, 2024, "weakly"),
        "test-strongly": _split("test-strongly", 100, 2024, "strongly"),
        "holdout": _split("holdout", 100, 2025, "mixed"),
    }
    practice = _split("practice", 3, 7001, "mixed")
    time_limit_s = 20.0
    bounds: Mapping[str, float] = {
        "search": 239.25,
        "test-uncorrelated": 414.77,
        "test-weakly": 134.96,
        "test-strongly": 169.76,
        "holdout": 241.11,
    }
    bound_kind = "optimum"
    probe_feature_names = (
        "weight",
        "value",
        "value_per_weight",
        "fits",
        "capacity_left_after",
        "value_minus_weight",
        "list_position",
        "is_stop",
    )

    def generate(self, split: Split) -> Iterable[KnapsackInstance]:
        """Weights 1..60; values independent of the weight, near it, or the weight plus 6 (`mixed`: in turn)."""
        random = np.random.RandomState(split.seed)
        for k in range(split.count):
            family = split.parameters["family"]
            family = _FAMILIES[k % 3] if family == "mixed" else family
            weights = random.randint(1, _RANGE + 1, _ITEMS).tolist()
            if family == "uncorrelated":
                values = random.randint(1, _RANGE + 1, _ITEMS).tolist()
            elif family == "weakly":
                values = [int(random.randint(max(1, w - _DELTA), w + _DELTA + 1)) for w in weights]
            else:
                values = [w + _DELTA for w in weights]
            yield KnapsackInstance(tuple(zip(weights, values, range(_ITEMS))))

    def rollout(self, program: Program, instance: KnapsackInstance) -> np.ndarray:
        """Calls while items and capacity remain. The list of remaining items is one live object for all calls."""
        items = instance.items
        remaining = list(items)
        capacity = instance.capacity
        order: list[int] = []
        while remaining and capacity > 0:
            answer = program(capacity, remaining)
            if answer is None:
                break
            index = items[_find(items, answer)][2]
            if index in order:
                raise IllegalAnswer(f"item {index} was chosen before")
            del remaining[_find(remaining, answer)]
            order.append(index)
            if items[index][0] <= capacity:
                capacity -= items[index][0]
        return np.array([*order, _END], dtype=np.int64)

    def objective(self, instance: KnapsackInstance, solution: np.ndarray) -> float:
        """Value of the chosen items that fitted when they were chosen."""
        entries = solution_entries(solution, self.max_solution_length(instance))
        if entries.pop() != _END:
            raise Infeasible(f"the solution does not end with {_END}")
        capacity, value = instance.capacity, 0
        chosen: set[int] = set()
        for index in entries:
            if not 0 <= index < len(instance.items):
                raise Infeasible(f"unknown item {index}; items are 0 to {len(instance.items) - 1}")
            if index in chosen:
                raise Infeasible(f"item {index} is chosen twice")
            chosen.add(index)
            weight, gain, _ = instance.items[index]
            if weight <= capacity:
                capacity -= weight
                value += gain
        return float(value)

    def max_solution_length(self, instance: KnapsackInstance) -> int:
        """Every item, then the end mark."""
        return len(instance.items) + 1

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Partial packings of 8 to 30 items of all families, made greedily, at random or by a mixture."""
        states: list[ProbeState] = []
        while len(states) < count:
            size = int(generator.integers(8, 31))
            weights = generator.integers(1, _RANGE + 1, size)
            noise = generator.integers(-_DELTA, _DELTA + 1, size)
            family = generator.integers(3)
            values = (generator.integers(1, _RANGE + 1, size), np.maximum(1, weights + noise), weights + _DELTA)[family]
            capacity = int(weights.sum() * generator.uniform(0.15, 0.6))
            instance = KnapsackInstance(tuple(zip(weights.tolist(), values.tolist(), range(size))), capacity)
            greedy = generator.choice([0.0, 0.7, 1.0])

            def policy(capacity: int, items: list[Item], greedy: float = greedy) -> Item:
                best = max(items, key=lambda item: (item[0] <= capacity, item[1] / item[0]))
                return best if generator.random() < greedy else items[generator.integers(len(items))]

            call = capture_call(
                self,
                instance,
                policy,
                draw_step(generator, len(states), size // 2),
                lambda capacity, items: sum(item[0] <= capacity for item in items) >= 2,
            )
            if call is not None:
                states.append(self._probe(call))
        return states

    @staticmethod
    def _probe(call: tuple[Any, ...]) -> ProbeState:
        capacity, items = call
        weight, value, _ = np.array([*items, (0, 0, 0)]).T
        stop = np.arange(len(weight)) == len(items)
        columns = [
            weight,
            value,
            np.where(stop, 0.0, value / np.maximum(weight, 1)),
            (weight <= capacity) & ~stop,
            np.where(weight <= capacity, capacity - weight, capacity),
            value - weight,
            np.arange(len(weight)),
            stop,
        ]
        return ProbeState((call,), percentiles(np.column_stack(columns)), tuple(items))

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """Rows are the remaining items in the order of the call; the last row is None, to stop."""
        answer = only_answer(answers)
        return len(state.context) if answer is None else _find(state.context, answer)


def _find(items: Sequence[Item], answer: Any) -> int:
    """Position of the item equal to an answer. Raises `IllegalAnswer`."""
    try:
        return items.index(answer)
    except ValueError:  # also what comparing arrays raises
        raise IllegalAnswer(f"expected a listed (weight, value, index) tuple, got {type(answer).__name__}") from None


TASK = KnapsackConstruct()
