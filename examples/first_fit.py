"""A plain function that packs all items, first fit as most people write it, and a search for better ones.

    python examples/first_fit.py

What is found was chosen on INSTANCES; the last line says what it is worth on others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import lhs_hf

CAPACITY = 100
Packing = Callable[[list[int], int], list[list[int]]]

TEMPLATE = """
def pack(sizes, capacity):
    bins, loads = [], []
    for i, size in enumerate(sizes):
        for b in range(len(bins)):
            if loads[b] + size <= capacity:
                bins[b].append(i)
                loads[b] += size
                break
        else:
            bins.append([i])
            loads.append(size)
    return bins
"""


def instances(seed: int, count: int) -> list[list[int]]:
    """Lists of the sizes of 60 items."""
    dice = random.Random(seed)  # noqa: S311
    return [[dice.randint(10, 60) for _ in range(60)] for _ in range(count)]


INSTANCES = instances(0, 16)


def bins_used(pack: Packing, packed: Sequence[list[int]] = INSTANCES) -> float:
    """How many bins of all instances a packing takes, fewer being better, a bin the less the fuller others are."""
    total = 0.0
    for sizes in packed:
        bins = pack(list(sizes), CAPACITY)
        if sorted(item for items in bins for item in items) != list(range(len(sizes))):
            raise ValueError("not every item once")
        loads = [sum(sizes[item] for item in items) for items in bins]
        if max(loads) > CAPACITY:
            raise ValueError("a bin is too full")
        # Where the number of bins is the same, full ones leave more room in the last.
        total += len(bins) - sum((load / CAPACITY) ** 2 for load in loads) / 100
    return total


def main() -> None:
    """Search, and compare what was found with first fit on instances that nothing was chosen on."""
    result = lhs_hf.search(objective=bins_used, template=TEMPLATE, budget=60)
    print(result.program)
    others = instances(1, 50)
    for name, source in (("first fit", TEMPLATE), ("found", result.program)):
        scope: dict[str, Packing] = {}
        exec(source, scope)  # noqa: S102  (a program that the sandbox has run)
        print(f"{name}: {bins_used(scope['pack'], others) / len(others):.2f} bins")


if __name__ == "__main__":
    main()
