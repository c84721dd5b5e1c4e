"""Online bin packing: items arrive one at a time and go into bins of capacity 100; fewer bins used is better."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .base import IllegalAnswer, Infeasible, OnlineTask, ProbeState, Program, Split, percentiles

CAPACITY = 100

_TEMPLATE = '''\
def priority(item, bins):
    """Best fit: prefer the bin that is left with the least room."""
    return item - bins
'''


class OnlineBinPacking(OnlineTask):
    """Place each arriving item into one of `n_items` bins by the largest priority; objective: mean bins used.

    An instance is an int64 array (n_items,) of item sizes in 1..100. A solution holds the bin of each item.
    """

    name = "online_bin_packing"
    title = "Online bin packing"
    sense = "min"
    problem_class = "packing"
    function_name = "priority"
    arguments = ("item", "bins")
    description = (
        "Return one number per entry of `bins`, the array of remaining capacities of all bins that can hold the item "
        "of size `item` (unopened bins of capacity 100 included); the item goes into the bin with the largest number."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 5, 2024, 25_000, {"n_items": 5000}),
        "test-1k": Split("test-1k", 10, 2024, 10_000, {"n_items": 1000}),
        "test-5k": Split("test-5k", 10, 2024, 50_000, {"n_items": 5000}),
        "holdout": Split("holdout", 10, 2025, 50_000, {"n_items": 5000}),
    }
    practice = Split("practice", 2, 7001, 600, {"n_items": 300})
    time_limit_s = 30.0
    bounds: Mapping[str, float] = {"search": 2011.4, "test-1k": 404.0, "test-5k": 2010.1, "holdout": 2013.9}
    bound_kind = "bound"
    probe_feature_names = (
        "remaining_capacity",
        "position",
        "is_unopened",
        "is_exact_fit",
        "bins_with_same_capacity",
        "residual_off_multiple_of_item",
        "residual_distance_to_item",
        "distance_to_mean_capacity",
    )

    def generate(self, split: Split) -> Iterator[np.ndarray]:
        """Item sizes: Weibull(shape 3, scale 45), clipped to [1, 100] and rounded. Yields int64 (n_items,)."""
        random = np.random.RandomState(split.seed)
        for _ in range(split.count):
            sizes = random.weibull(3, split.parameters["n_items"]) * 45
            yield np.round(np.clip(sizes, 1, CAPACITY)).astype(np.int64)

    def public_view(self, instance: np.ndarray) -> int:
        """The number of items, which is also the number of bins."""
        return len(instance)

    def observations(self, instance: np.ndarray) -> Sequence[int]:
        """The item sizes in order of arrival."""
        return instance.tolist()

    def play(self, program: Program, view: int) -> Generator[int, int, None]:
        """Answer each item with the index of its bin; the first of the bins with the largest priority wins.

        Raises `IllegalAnswer` unless the program returns one bool, int or float per listed bin.
        """
        remaining = np.full(view, CAPACITY, dtype=np.int64)
        # Bins from `untouched` on are still empty and hold any item, so only those before it need a comparison.
        untouched = 0
        item = yield 0
        while True:
            roomy = (remaining[:untouched] >= item).nonzero()[0]
            bins = np.concatenate((remaining.take(roomy), remaining[untouched:]))
            choice = _first_largest(program(np.int64(item), bins), len(roomy) + view - untouched)
            index = int(roomy[choice]) if choice < len(roomy) else untouched + choice - len(roomy)
            remaining[index] -= item
            if index >= untouched:
                untouched = index + 1
            item = yield index

    def objective(self, instance: np.ndarray, solution: np.ndarray) -> float:
        """Number of bins that hold an item. Raises `Infeasible` for a bin that does not exist or overflows."""
        count = len(instance)
        if solution.shape != (count,):
            raise Infeasible(f"expected one bin for each of {count} items, got an array of shape {solution.shape}")
        unknown = (solution < 0) | (solution >= count)
        if unknown.any():
            raise Infeasible(f"bin {solution[unknown.argmax()]} does not exist; bins are 0 to {count - 1}")
        # Loads only grow, so every placement was legal exactly if the final loads are.
        loads = np.bincount(solution, weights=instance, minlength=count)
        if loads.max(initial=0) > CAPACITY:
            raise Infeasible(f"bin {loads.argmax()} holds {loads.max():.0f}, more than its capacity {CAPACITY}")
        return float(np.count_nonzero(loads))

    def max_solution_length(self, instance: np.ndarray) -> int:
        """One bin for each item."""
        return len(instance)

    def probe_states(self, generator: np.random.Generator, count: int) -> list[ProbeState]:
        """Partial packings of 12 to 40 items by four placement rules; candidates are the listed bins.

        At least four different capacities are listed, since rules that agree on fewer may differ a lot.
        """
        states: list[ProbeState] = []
        while len(states) < count:
            total = int(generator.integers(12, 41))
            placed = max(3, int(total * (0.25, 0.5, 0.9)[len(states) % 3]))
            sizes = generator.weibull(3, placed + 1) * generator.uniform(15, 45)
            items = np.round(np.clip(sizes, 1, CAPACITY)).astype(np.int64)
            remaining = np.full(total, CAPACITY, dtype=np.int64)
            for item in items[:-1]:
                remaining[_probe_placement(generator, remaining, item, len(states) % 4)] -= item
            item = items[-1]
            bins = remaining[remaining >= item]
            if len(np.unique(bins)) >= 4:
                features = percentiles(_bin_features(item, bins, remaining))
                states.append(ProbeState(calls=((item, bins),), features=features))
        return states

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The listed bin with the largest priority."""
        return _first_largest(answers[0], len(state.features))


def _first_largest(answer: Any, size: int) -> int:
    """Index of the first largest entry (NaN is largest). Raises `IllegalAnswer` unless `answer` is `size` numbers."""
    try:
        values = np.asarray(answer)
    except (TypeError, ValueError) as error:
        raise IllegalAnswer(f"priorities are not an array of numbers: {error}") from None
    if values.dtype.kind not in "fiub":
        raise IllegalAnswer(f"priorities must be bool, int or float, got dtype {values.dtype}")
    if values.size != size:
        raise IllegalAnswer(f"expected {size} priorities, one a bin, got an array of shape {values.shape}")
    return int(values.argmax())


def _probe_placement(generator: np.random.Generator, remaining: np.ndarray, item: np.int64, rule: int) -> int:
    """A bin for an item: by best fit (rule 0) or any opened bin, with new ones opened more often at higher rules."""
    roomy = np.flatnonzero(remaining >= item)
    opened = roomy[remaining[roomy] < CAPACITY]
    if rule == 0:
        return int(roomy[remaining[roomy].argmin()])
    unopened = roomy[remaining[roomy] == CAPACITY]
    if len(unopened) and (not len(opened) or generator.random() < 0.2 * rule):
        return int(unopened[0])
    return int(opened[generator.integers(len(opened))])


def _bin_features(item: np.int64, bins: np.ndarray, remaining: np.ndarray) -> np.ndarray:
    """Raw probe features, float64 (bins, 8), in the order of `probe_feature_names`."""
    residual = bins - item
    off_multiple = np.minimum(residual % item, -residual % item)
    return np.stack(
        [
            bins,
            np.arange(len(bins)),
            bins == CAPACITY,
            residual == 0,
            (bins[:, None] == bins[None, :]).sum(axis=1),
            off_multiple,
            np.abs(residual - item),
            np.abs(bins - remaining.mean()),
        ],
        axis=1,
    ).astype(np.float64)


TASK = OnlineBinPacking()
