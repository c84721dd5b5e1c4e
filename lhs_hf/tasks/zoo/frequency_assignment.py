"""Frequency assignment: transmitters get frequencies from a short list; near ones disturb each other where close."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class FrequencyAssignment(SimpleTask):
    """Solution: for each transmitter the place of its frequency in the list.

    Two linked transmitters whose frequencies are d apart cost their weight times (separation - d), if that is positive.
    """

    name = "frequency_assignment"
    title = "Frequency assignment, least interference"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the frequency of `transmitter`, one of `available` (ascending); transmitters are dealt with in "
        "ascending order. `assigned` maps the earlier ones to their frequencies, `interference[t]` is a dictionary "
        "from each neighbour of t to the weight between them. Two neighbours whose frequencies are d apart, with d "
        "below `separation`, cost their weight times (`separation` - d); the sum is to be as small as possible."
    )
    template = '''\
def choose_frequency(transmitter, available, assigned, interference, separation):
    """The frequency that is used least so far."""
    used = list(assigned.values())
    return min(available, key=used.count)
'''
    alternatives = "available"
    splits = make_splits(
        search={"count": 16, "transmitters": 36, "frequencies": 8, "separation": 4, "calls": 36},
        test={"count": 32, "transmitters": 36, "frequencies": 8, "separation": 4, "calls": 36},
        holdout={"count": 32, "transmitters": 50, "frequencies": 10, "separation": 5, "calls": 50},
    )
    probe_parameters = {"transmitters": 16, "frequencies": 9, "separation": 4}  # noqa: RUF012

    def draw(self, random, transmitters, frequencies, separation):
        """Points in a square, linked where near, weights 1 to 20 by distance: int64 (n, n), symmetric; frequencies."""
        points = random.rand(transmitters, 2)
        apart = np.hypot(*(points[:, None] - points[None, :]).transpose(2, 0, 1))
        weights = np.triu(np.rint(20 * np.maximum(0.0, 1 - apart / 0.4)).astype(np.int64), 1)
        listed = np.cumsum(random.choice([1, 1, 2, 3], frequencies)) + 9
        return {"weights": weights + weights.T, "frequencies": listed, "separation": separation}

    def construct(self, program, instance):
        """One call a transmitter; the program sees lists and dictionaries of Python ints."""
        weights, frequencies = instance["weights"], instance["frequencies"].tolist()
        near = {t: {int(u): int(weights[t, u]) for u in np.flatnonzero(weights[t])} for t in range(len(weights))}
        assigned = {}
        for transmitter in range(len(weights)):
            links = {t: dict(each) for t, each in near.items()}
            assigned[transmitter] = self.ask(
                program, transmitter, list(frequencies), dict(assigned), links, instance["separation"]
            )
        return [frequencies.index(frequency) for frequency in assigned.values()]

    def objective(self, instance, solution):
        """Total interference."""
        weights, frequencies = instance["weights"], instance["frequencies"]
        chosen = frequencies[check_ids(solution, len(weights), len(frequencies))]
        missing = np.maximum(0, instance["separation"] - np.abs(chosen[:, None] - chosen[None, :]))
        return float(np.triu(weights * missing, 1).sum())

    def probe_features(self, choices, arguments):
        """Cost with the neighbours so far, how many disturb, uses so far, uses among neighbours, others near, place."""
        assigned, separation = arguments["assigned"], arguments["separation"]
        links = arguments["interference"][arguments["transmitter"]]
        rows = []
        for place, frequency in enumerate(choices):
            missing = {t: max(0, separation - abs(frequency - other)) for t, other in assigned.items()}
            cost = sum(weight * missing.get(t, 0) for t, weight in links.items())
            disturb = sum(missing.get(t, 0) > 0 for t in links)
            uses = list(assigned.values()).count(frequency)
            near = sum(max(0, separation - abs(frequency - other)) for other in choices)
            rows.append((cost, disturb, uses, sum(missing.values()), near, place))
        return np.array(rows, dtype=float)


TASK = FrequencyAssignment()
