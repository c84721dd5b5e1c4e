"""Multiple-choice secretary problem: candidates come one by one; some may be hired, nobody is called back."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class SecretaryQueue(SimpleTask):
    """Solution: 1 for each candidate that is hired, 0 for the others. The objective is the sum of hired values.

    Once all places are taken the rest of the queue is sent home without a call.
    """

    name = "secretary_queue"
    title = "Hiring from a queue, online"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return 1 to hire the candidate of the given `value` and 0 to reject; both are final. `seen_values` lists the "
        "values of all candidates before, `places_left` (at least 1) can still be filled, and `candidates_left` are "
        "still to come after this one. Values come in random order from an unknown distribution. The sum of the "
        "values of all that are hired is to be large."
    )
    template = '''\
def decide(value, seen_values, places_left, candidates_left):
    """Reject until the last candidates have to be hired to fill the places."""
    return int(candidates_left < places_left)
'''
    splits = make_splits(
        search={"count": 48, "candidates": 50, "places": 4, "calls": 40},
        test={"count": 96, "candidates": 50, "places": 4, "calls": 40},
        holdout={"count": 96, "candidates": 80, "places": 5, "calls": 65},
    )
    probe_parameters = {"candidates": 24, "places": 5}  # noqa: RUF012
    probe_feature_names = ("hired", "over_mean", "over_best", "over_last", "over_quantile", "over_third", "pressing")

    def draw(self, random, candidates, places):
        """Values 1 to about 1000, uniform, bell-shaped or with a long tail: int64 (candidates,), places."""
        scale = random.uniform(100, 300)
        values = (
            random.uniform(0.0, 3.0, candidates),
            random.normal(2.0, 0.5, candidates),
            random.exponential(1.0, candidates),
        )[random.randint(3)]
        return {"values": np.maximum(1, (scale * values).astype(np.int64)), "places": places}

    def alternatives(self, value, seen_values, places_left, candidates_left):
        """Reject, hire."""
        return [0, 1]

    def construct(self, program, instance):
        """One call a candidate while there are places; the program sees Python ints."""
        values, left, hired = instance["values"].tolist(), instance["places"], []
        for number, value in enumerate(values):
            answer = self.ask(program, value, values[:number], left, len(values) - number - 1) if left else 0
            left -= answer
            hired.append(answer)
        return hired

    def objective(self, instance, solution):
        """Sum of the values hired. Raises `Infeasible` if there are more of them than places."""
        hired = check_ids(solution, len(instance["values"]), 2)
        if sum(hired) > instance["places"]:
            raise Infeasible(f"{sum(hired)} are hired, there are {instance['places']} places")
        return float(sum(value for value, taken in zip(instance["values"].tolist(), hired) if taken))

    def probe_features(self, choices, arguments):
        """What hiring is worth against several thresholds; rejecting has none of it."""
        value, seen = arguments["value"], arguments["seen_values"]
        left, coming = arguments["places_left"], arguments["candidates_left"]
        ranked = sorted(seen, reverse=True) or [value]
        place = min(len(ranked) - 1, len(ranked) * left // (coming + 1))
        hire = (
            1,
            value - sum(ranked) / len(ranked),
            value - ranked[0],
            value - (seen or [value])[-1],
            value - ranked[place],
            value - ranked[min(2, len(ranked) - 1)],
            left - coming,
        )
        return np.array([hire if choice else [0] * len(hire) for choice in choices], dtype=float)


TASK = SecretaryQueue()
