"""Dynamic bin packing: items arrive, stay for a known time and leave; bins that hold anything are paid by the hour."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class DepartingItems(SimpleTask):
    """Solution: the bin of each item in order of arrival. An item with arrival a and stay s is there in [a, a + s).

    Bins are never full for good: room comes back when items leave. An empty bin is closed and costs nothing.
    """

    name = "departing_items"
    title = "Bin packing with departures, by priorities of bins"
    sense = "min"
    problem_class = "packing"
    description = (
        "Return the priority of putting an item of the given `size`, which leaves after `stay` hours, into a bin with "
        "`room` left before. `sizes_inside` and `hours_left` are tuples: the sizes of the items in this bin and when "
        "each of them leaves; both are empty for a bin that has to be opened. The item goes into the bin of the "
        "highest priority. Every bin costs one an hour while it holds an item; the total is to be as small as possible."
    )
    template = '''\
def priority(size, stay, room, sizes_inside, hours_left):
    """The fullest bin that can still hold it."""
    return -room
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "items": 90, "capacity": 100, "longest": 100, "calls": 700},
        test={"count": 32, "items": 90, "capacity": 100, "longest": 100, "calls": 700},
        holdout={"count": 32, "items": 120, "capacity": 80, "longest": 150, "calls": 1200},
    )
    probe_parameters = {"items": 160, "capacity": 60, "longest": 300}  # noqa: RUF012

    def draw(self, random, items, capacity, longest):
        """One arrival an hour or none; one stay in four is long: arrivals, stays, sizes int64 (items,), capacity."""
        arrivals = np.cumsum(random.randint(0, 2, items))
        short, long = random.randint(1, longest // 10, items), random.randint(longest // 2, longest + 1, items)
        stays = np.where(random.rand(items) < 0.25, long, short)
        return {
            "arrivals": arrivals,
            "stays": stays,
            "sizes": random.randint(capacity // 20, 2 * capacity // 5, items),
            "capacity": capacity,
        }

    def construct(self, program, instance):
        """One decision an item, one call for each open bin with room and one for a new bin."""
        capacity, inside, bin_of = instance["capacity"], [], []
        items = zip(*(instance[key].tolist() for key in ("arrivals", "stays", "sizes")))
        for now, stay, size in items:
            inside = [[each for each in held if each[1] > now] for held in inside]
            calls, numbers = [], []
            for number, held in [*enumerate(inside), (len(inside), [])]:
                room = capacity - sum(other for other, _ in held)
                if size <= room and (held or number == len(inside)):
                    sizes_inside = tuple(other for other, _ in held)
                    calls.append((size, stay, room, sizes_inside, tuple(end - now for _, end in held)))
                    numbers.append(number)
            chosen = numbers[self.ask_each(program, calls)]
            if chosen == len(inside):
                inside.append([])
            inside[chosen].append((size, now + stay))
            bin_of.append(chosen)
        return bin_of

    def objective(self, instance, solution):
        """Hours of all bins together. Raises `Infeasible` if a bin holds more than its capacity at some time."""
        arrivals, stays, sizes = (instance[key] for key in ("arrivals", "stays", "sizes"))
        bin_of = np.array(check_ids(solution, len(arrivals), len(arrivals)))
        hours = np.arange(int((arrivals + stays).max()))
        present = (arrivals[:, None] <= hours) & (hours < (arrivals + stays)[:, None])
        total = 0
        for number in np.unique(bin_of):
            there = present[bin_of == number]
            load = (there * sizes[bin_of == number, None]).sum(axis=0)
            if load.max() > instance["capacity"]:
                raise Infeasible(f"bin {number} holds {load.max()} in hour {load.argmax()}: {instance['capacity']} fit")
            total += int(there.any(axis=0).sum())
        return float(total)

    def probe_features(self, choices, arguments):
        """Room after, when the bin empties, hours it has to stay longer, distance of the ends, items inside."""
        rows = []
        for size, stay, room, _, hours_left in choices:
            end = max(hours_left, default=0)
            near = min((abs(stay - each) for each in hours_left), default=stay)
            rows.append((room - size, end, max(0, stay - end), abs(stay - end), near, len(hours_left)))
        return np.array(rows, dtype=float)


TASK = DepartingItems()
