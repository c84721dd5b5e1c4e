"""Search for a hidden object: look into boxes, one after another; a look costs, may overlook it, and walking costs."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

LOOKS = 4
"""Looks for each box, on average, after which the search ends."""


class BoxSearch(SimpleTask):
    """Solution: the boxes in the order of the looks, in all four times as many as there are boxes.

    One walks from box to box, and begins at box 0 without a walk if that is the first.
    """

    name = "box_search"
    title = "Search for a hidden object in boxes"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return a list with one score for each box; the box of the highest score is looked into next. `probability` "
        "says how likely the object is in each box after all vain looks so far, `overlook` how likely a look misses "
        "it there, `look_cost` what a look costs. `walk[i][j]` is the cost of walking from box i to box j, `here` the "
        "box one stands at. The expected cost until the object is found is to be small; there are four times as many "
        "looks as boxes, and failing costs 500."
    )
    template = '''\
def score_boxes(probability, overlook, look_cost, walk, here):
    """The most likely box."""
    return list(probability)
'''
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "boxes": 9, "calls": 36},
        test={"count": 32, "boxes": 9, "calls": 36},
        holdout={"count": 32, "boxes": 13, "calls": 52},
    )
    probe_parameters = {"boxes": 10}  # noqa: RUF012
    probe_feature_names = ("probability", "chance", "look_cost", "walk", "chance_per_cost", "overlook", "mean_walk")

    def draw(self, random, boxes):
        """Prior weights 1 to 100, misses in percent, costs of looks 1 to 15, places in a square of side 20."""
        return {
            "weights": random.randint(1, 101, boxes),
            "miss_percent": random.randint(0, 71, boxes),
            "look_cost": random.randint(1, 16, boxes),
            "places": random.randint(0, 21, (boxes, 2)),
        }

    def construct(self, program, instance):
        """One call a look; the program sees arrays of floats and integers."""
        overlook = instance["miss_percent"] / 100
        walk = _walk(instance)
        left, here, order = instance["weights"] / instance["weights"].sum(), 0, []
        for _ in range(LOOKS * len(overlook)):
            posterior = left / left.sum() if left.sum() > 0 else left.copy()
            here = self.ask(program, posterior, overlook.copy(), instance["look_cost"].copy(), walk.copy(), here)
            left[here] *= overlook[here]
            order.append(here)
        return order

    def alternatives(self, probability, overlook, look_cost, walk, here):
        """All boxes."""
        return range(len(probability))

    def objective(self, instance, solution):
        """Expected cost of looks and walks until the object is found, and 500 times the chance that it never is."""
        boxes = len(instance["weights"])
        misses, walk = instance["miss_percent"].tolist(), _walk(instance).tolist()
        weights = instance["weights"].tolist()
        total = sum(weights)
        left = [weight / total for weight in weights]
        expected, here = 0.0, 0
        for box in check_ids(solution, LOOKS * boxes, boxes):
            expected += sum(left) * (walk[here][box] + int(instance["look_cost"][box]))
            left[box] *= misses[box] / 100
            here = box
        return expected + 500 * sum(left)

    def probe_features(self, choices, arguments):
        """Probability, chance that the look succeeds, costs, chance for each unit of cost, walks from there."""
        chance = arguments["probability"] * (1 - arguments["overlook"])
        look, walk = arguments["look_cost"], arguments["walk"]
        cost = look + walk[arguments["here"]]
        return np.column_stack(
            [
                arguments["probability"],
                chance,
                look,
                walk[arguments["here"]],
                chance / cost,
                arguments["overlook"],
                walk.mean(axis=1),
            ]
        )


def _walk(instance):
    places = instance["places"]
    return np.abs(places[:, None] - places[None, :]).sum(axis=2)


TASK = BoxSearch()
