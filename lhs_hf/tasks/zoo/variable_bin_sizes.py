"""Variable-sized bin packing: bins come in several sizes, each at its price; the bins that are opened cost little."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class VariableBinSizes(SimpleTask):
    """Solution: the bin of each item, then the kind of each bin; bins are numbered 0, 1, ... without gaps."""

    name = "variable_bin_sizes"
    title = "Variable-sized bin packing, constructive"
    sense = "min"
    problem_class = "packing"
    description = (
        "Return where the item of size `item_size` goes, one of `places`: numbers from 0 are open bins, -1, -2, ... "
        "new bins of the first kind, the second kind and so on; all listed ones can hold the item. `room` maps these "
        "and all other bins and kinds to their free space, `price` to what it costs to open them (0 for an open bin). "
        "`later_sizes` are the items after this one, in order; the sum of all prices is to be as small as possible."
    )
    template = '''\
def choose_place(item_size, places, room, price, later_sizes):
    """The first open bin, or else the cheapest new one."""
    return min(places, key=lambda place: price[place])
'''
    alternatives = "places"
    splits = make_splits(
        search={"count": 16, "items": 40, "kinds": 5, "calls": 40},
        test={"count": 32, "items": 40, "kinds": 5, "calls": 40},
        holdout={"count": 32, "items": 60, "kinds": 7, "calls": 60},
    )
    probe_parameters = {"items": 20, "kinds": 5}  # noqa: RUF012

    def draw(self, random, items, kinds):
        """Sizes 4 to 55; bins of 60 to 200, about one a unit of space and 8 for the bin: int64, kinds ascending."""
        capacities = np.sort(random.choice(np.arange(60, 201), kinds, replace=False))
        prices = np.rint(capacities * random.uniform(0.75, 1.15, kinds)).astype(np.int64) + 8
        return {"sizes": random.randint(4, 56, items), "capacities": capacities, "prices": prices}

    def construct(self, program, instance):
        """One call an item, in the given order; the program sees lists and dictionaries of Python ints."""
        sizes, capacities = instance["sizes"].tolist(), instance["capacities"].tolist()
        new = {-1 - kind: size for kind, size in enumerate(capacities)}
        free, kind_of, bin_of = [], [], []
        for number, size in enumerate(sizes):
            room = dict([*enumerate(free), *new.items()])
            places = [place for place, left in room.items() if left >= size]
            price = {place: 0 if place >= 0 else int(instance["prices"][-1 - place]) for place in room}
            place = self.ask(program, size, places, room, price, sizes[number + 1 :])
            if place < 0:
                kind_of.append(-1 - place)
                free.append(new[place])
                place = len(free) - 1
            free[place] -= size
            bin_of.append(place)
        return [*bin_of, *kind_of]

    def objective(self, instance, solution):
        """Total price of the bins. Raises `Infeasible` for a bin that is unused, overfull or without a kind."""
        count, kinds = len(instance["sizes"]), len(instance["capacities"])
        if len(solution) <= count:
            raise Infeasible(f"{len(solution)} entries leave no kind of a bin beside {count} items")
        opened = len(solution) - count
        bin_of = np.array(check_ids(solution[:count], count, opened))
        kind_of = check_ids(solution[count:], opened, kinds)
        for number, kind in enumerate(kind_of):
            load = int(instance["sizes"][bin_of == number].sum())
            if load == 0:
                raise Infeasible(f"bin {number} is empty")
            if load > instance["capacities"][kind]:
                raise Infeasible(f"bin {number} holds {load}, more than {instance['capacities'][kind]}")
        return float(instance["prices"][kind_of].sum())

    def probe_features(self, choices, arguments):
        """Room before and after, price, price a unit, what is left after as a share of the items to come."""
        room, price, size = arguments["room"], arguments["price"], arguments["item_size"]
        later = sum(arguments["later_sizes"])
        return np.array(
            [
                (room[p], price[p], price[p] / room[p], room[p] - size == 0, abs(room[p] - size - later), p)
                for p in choices
            ],
            dtype=float,
        )


TASK = VariableBinSizes()
