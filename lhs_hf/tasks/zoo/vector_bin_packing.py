"""Vector bin packing: items need several resources at once; they are put into bins in a given order, few bins."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class VectorBinPacking(SimpleTask):
    """Solution: the bin of each item. A bin has the capacity 100 in every dimension."""

    name = "vector_bin_packing"
    title = "Vector bin packing, by scores of bins"
    sense = "min"
    problem_class = "packing"
    description = (
        "Return one number for each of `fitting`, the rows of `bins` that can hold `item`, an array with its size in "
        "each dimension; the item goes into the bin with the largest number. `bins` (bins, dimensions) is what is left "
        "in every bin; its last row, always among `fitting`, is an empty bin of capacity 100. `coming` (items, "
        "dimensions) are the items after this one, in order; as few bins as possible are to be used."
    )
    template = '''\
def score_bins(item, bins, fitting, coming):
    """The bin with the most room among those in use."""
    scores = bins[fitting].sum(axis=1)
    scores[-1] = 0
    return scores
'''
    alternatives = "fitting"
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "items": 90, "dimensions": 2, "calls": 90},
        test={"count": 32, "items": 90, "dimensions": 2, "calls": 90},
        holdout={"count": 32, "items": 120, "dimensions": 3, "calls": 120},
    )
    probe_parameters = {"items": 140, "dimensions": 2}  # noqa: RUF012

    def draw(self, random, items, dimensions):
        """Sizes 30 to 70 in one dimension of an item, 2 to 10 in the others: int64 (items, dimensions)."""
        small, large = random.randint(2, 11, (items, dimensions)), random.randint(30, 71, (items, dimensions))
        return np.where(np.arange(dimensions) == random.randint(0, dimensions, (items, 1)), large, small)

    def construct(self, program, sizes):
        """One call an item; the program sees copies of the arrays."""
        bins, bin_of = np.full((1, sizes.shape[1]), 100), []
        for place, item in enumerate(sizes):
            fitting = np.flatnonzero((bins >= item).all(axis=1))
            chosen = self.ask(program, item.copy(), bins.copy(), fitting.copy(), sizes[place + 1 :].copy())
            bins[chosen] -= item
            if chosen == len(bins) - 1:
                bins = np.vstack([bins, np.full((1, len(item)), 100)])
            bin_of.append(int(chosen))
        return bin_of

    def objective(self, sizes, solution):
        """Bins that hold an item. Raises `Infeasible` if one is overfull."""
        bin_of = np.array(check_ids(solution, len(sizes), len(sizes)))
        for number in np.unique(bin_of):
            load = sizes[bin_of == number].sum(axis=0)
            if load.max() > 100:
                raise Infeasible(f"bin {number} holds {load.tolist()}, more than 100")
        return float(len(np.unique(bin_of)))

    def probe_features(self, choices, arguments):
        """What is left in all and in the scarcest dimension, imbalance before and after, dot product, empty or not."""
        item, free = arguments["item"], arguments["bins"][choices]
        after = free - item
        spread = free.max(axis=1) - free.min(axis=1)
        return np.column_stack(
            [
                after.sum(axis=1),
                after.min(axis=1),
                after.max(axis=1) - after.min(axis=1),
                spread,
                free @ item,
                np.arange(len(free)) == len(free) - 1,
                choices,
            ]
        )


TASK = VectorBinPacking()
