"""Capacitated arc routing: a garbage truck collects along streets of a network and is emptied at a dump."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class ArcRouting(SimpleTask):
    """Solution: 2 s for street s driven from its first to its second crossing, 2 s + 1 the other way, in order.

    The truck begins and ends at the dump; it also goes there, and is emptied, before a street that no longer fits.
    """

    name = "arc_routing"
    title = "Capacitated arc routing, street by street"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the street where garbage is collected next, one of `streets_left`: a list of tuples (start, end) of "
        "crossings, ascending, with each street to be collected once in either direction. `garbage` maps them to "
        "their loads. The truck is at `crossing` and can take `free_space` of `truck_capacity`; before a street with "
        "more it is emptied at the crossing `dump`, where it begins and ends. `shortest_way[a][b]`, a dictionary of "
        "dictionaries, is the distance of two crossings. What it drives without collecting is to be short in total."
    )
    template = '''\
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The street that begins nearest to the truck."""
    return min(streets_left, key=lambda street: shortest_way[crossing][street[0]])
'''
    alternatives = "streets_left"
    splits = make_splits(
        search={"count": 16, "side": 5, "streets": 24, "capacity": 40, "calls": 24},
        test={"count": 32, "side": 5, "streets": 24, "capacity": 40, "calls": 24},
        holdout={"count": 32, "side": 6, "streets": 34, "capacity": 50, "calls": 34},
    )
    probe_parameters = {"side": 3, "streets": 9, "capacity": 20}  # noqa: RUF012
    probe_feature_names = ("way", "garbage", "fits", "end_to_dump", "detour", "onward", "start_to_dump", "space_after")

    def draw(self, random, side, streets, capacity):
        """Edges of a grid with lengths 5 to 30: some, int64 (streets, 2); loads 1 to 10; shortest ways, int64."""
        grid = np.arange(side * side).reshape(side, side)
        across = np.column_stack([grid[:, :-1].ravel(), grid[:, 1:].ravel()])
        edges = np.concatenate([across, np.column_stack([grid[:-1].ravel(), grid[1:].ravel()])])
        ways = np.full((side * side, side * side), 10**6)
        np.fill_diagonal(ways, 0)
        ways[edges[:, 0], edges[:, 1]] = ways[edges[:, 1], edges[:, 0]] = random.randint(5, 31, len(edges))
        for through in range(side * side):
            ways = np.minimum(ways, ways[:, through, None] + ways[None, through])
        collected = edges[random.permutation(len(edges))[:streets]]
        garbage, dump = random.randint(1, 11, streets), int(random.randint(side * side))
        ordered = np.array(sorted(collected.tolist()))
        return {"streets": ordered, "garbage": garbage, "ways": ways, "capacity": capacity, "dump": dump}

    def construct(self, program, instance):
        """One call a street, even for the last, which has two directions; the program sees copies of Python ints."""
        entries, garbage = {}, {}
        for number, ((one, other), load) in enumerate(zip(instance["streets"].tolist(), instance["garbage"].tolist())):
            entries[one, other], entries[other, one] = 2 * number, 2 * number + 1
            garbage[one, other] = garbage[other, one] = load
        ways = [dict(enumerate(row)) for row in instance["ways"].tolist()]
        capacity, dump, left, solution = instance["capacity"], instance["dump"], sorted(entries), []
        crossing, space = dump, capacity
        while left:
            loads, copies = {street: garbage[street] for street in left}, {at: dict(row) for at, row in enumerate(ways)}
            street = self.ask(program, crossing, dump, list(left), loads, space, capacity, copies)
            space = (capacity if garbage[street] > space else space) - garbage[street]
            crossing = street[1]
            left = [other for other in left if other not in (street, street[::-1])]
            solution.append(entries[street])
        return solution

    def objective(self, instance, solution):
        """Distance without collecting. Raises `Infeasible` unless each street is collected once, in one direction."""
        streets, garbage, ways = instance["streets"].tolist(), instance["garbage"].tolist(), instance["ways"]
        dump, space, collected, distance = instance["dump"], instance["capacity"], set(), 0
        here = dump
        for entry in check_ids(solution, len(streets), 2 * len(streets)):
            number, backwards = divmod(entry, 2)
            if number in collected:
                raise Infeasible(f"street {number} is collected twice")
            collected.add(number)
            start, end = streets[number][::-1] if backwards else streets[number]
            if garbage[number] > space:
                distance += ways[here, dump]
                here, space = dump, instance["capacity"]
            space -= garbage[number]
            distance += ways[here, start]
            here = end
        return float(distance + ways[here, dump])

    def probe_features(self, choices, arguments):
        """Way to the street, load, whether it fits, ways to the dump, detour, nearest start after it, space after."""
        ways, here, dump = arguments["shortest_way"], arguments["crossing"], arguments["dump"]
        rows = []
        for start, end in choices:
            load, space = arguments["garbage"][start, end], arguments["free_space"]
            fits = load <= space
            way = ways[here][start] if fits else ways[here][dump] + ways[dump][start]
            home = ways[end][dump]
            onward = min((ways[end][a] for a, b in choices if {a, b} != {start, end}), default=home)
            after = (space if fits else arguments["truck_capacity"]) - load
            rows.append((way, load, fits, home, way + home - ways[here][dump], onward, ways[start][dump], after))
        return np.array(rows, dtype=float)


TASK = ArcRouting()
