"""How programs may list what they can answer, where no argument does."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lhs_hf.tasks import get_task, task_names, zoo_names
from lhs_hf.tasks.listing import listing
from lhs_hf.tasks.simple import SimpleTask, make_splits


class Lights(SimpleTask):
    """Which of the places that are left to light next; the alternatives are those of a method."""

    name = "lights"
    sense = "min"
    problem_class = "other"
    description = "Light places one after the other; far ways cost more."
    template = 'def light(at, places, ways):\n    """The first that is dark."""\n    return places.index(0)\n'
    splits = make_splits(search={"count": 4, "places": 6}, holdout={"count": 4, "places": 6})

    def draw(self, random: np.random.RandomState, places: int) -> Any:
        return random.random_sample((places, places))

    def alternatives(self, at: int, places: list[int], ways: np.ndarray) -> list[Any]:
        return [place for place in range(len(places)) if not places[place]]

    def construct(self, program: Any, instance: Any) -> list[int]:
        at, places, order = 0, [0] * len(instance), []
        for _ in places:
            at = self.ask(program, at, list(places), instance)
            places[at] = 1
            order.append(at)
        return order

    def objective(self, instance: Any, solution: Any) -> float:
        return float(sum(instance[a][b] for a, b in pairwise(solution)))


class Pairs(Lights):
    """A place, and whether it is lit; the alternatives are pairs, and always the same."""

    name = "pairs"
    template = 'def light(at, places, ways):\n    """The first."""\n    return (0, 1)\n'

    def alternatives(self, at: int, places: list[int], ways: np.ndarray) -> list[Any]:
        return [(place, lit) for place in range(len(places)) for lit in (0, 1)]

    def construct(self, program: Any, instance: Any) -> list[int]:
        return [self.ask(program, 0, [0] * len(instance), instance)[0] for _ in range(3)]


class Hidden(Lights):
    """Which places are left is said nowhere."""

    name = "hidden"
    template = 'def light(at, ways):\n    """The first."""\n    return 1\n'

    def alternatives(self, at: int, ways: np.ndarray) -> list[int]:
        return [place for place in range(len(ways)) if place != at and (at + place) % 2]

    def construct(self, program: Any, instance: Any) -> list[int]:
        return [self.ask(program, at, instance) for at in range(3)]


class Shelves(Lights):
    """The places that have room for an item, of records; a record of records, which lists what is open."""

    name = "shelves"
    template = 'def place(item, shelves):\n    """The last."""\n    return 3\n'

    def alternatives(self, item: dict[str, int], shelves: list[dict[str, int]]) -> list[int]:
        return [place for place, shelf in enumerate(shelves) if shelf["room"] >= item["size"]]

    def construct(self, program: Any, instance: Any) -> list[int]:
        shelves = [{"room": 3 + 2 * place, "items": place} for place in range(4)]
        return [self.ask(program, {"size": size, "age": 1}, shelves) for size in (4, 6, 8)]


class Yard(Lights):
    """All that is known stands in one dictionary."""

    name = "yard"
    template = 'def move(state):\n    """The first."""\n    return state["yard"]["open"][0]\n'

    def alternatives(self, state: dict[str, Any]) -> list[str]:
        return state["yard"]["open"]

    def construct(self, program: Any, instance: Any) -> list[int]:
        wagons, order = ["red", "blue", "green"], []
        while len(wagons) > 1:
            wagon = self.ask(program, {"clock": len(order), "yard": {"open": list(wagons), "tracks": 2}})
            wagons.remove(wagon)
            order.append(len(wagon))
        return order


class Broken(Lights):
    """Its alternatives can not be had."""

    def alternatives(self, *arguments: Any) -> list[Any]:
        raise RuntimeError("no alternatives today")


def test_an_argument_that_lists_the_alternatives_is_the_list() -> None:
    task = get_task("vertex_cover")
    assert listing(task) == task.alternatives


@pytest.mark.parametrize("name", [each for each in zoo_names() if callable(get_task(each).alternatives)])
def test_what_a_list_holds_may_be_answered_in_every_probe_state(name: str) -> None:
    task = get_task(name)
    text = listing(task)
    assert text is not None
    for state in task.probes:
        arguments = dict(zip(task.arguments, state.calls[0]))
        options = eval(f"list({text})", dict(arguments))
        assert options
        assert set(options) <= set(task.choices(*state.calls[0]))


def test_pairs_are_listed_as_products() -> None:
    options = [f"[(one, two) for one in range(len({each})) for two in range(2)]" for each in ("places", "ways")]
    assert listing(Pairs()) in options


def test_what_is_open_or_fits_is_listed_by_its_condition() -> None:
    assert listing(Lights()) == "[k for k in range(len(places)) if not places[k]]"
    assert listing(Shelves()) == '[k for k in range(len(shelves)) if shelves[k]["room"] >= item["size"]]'
    assert listing(Yard()) == 'state["yard"]["open"]'


def test_nothing_is_said_where_nothing_holds() -> None:
    assert listing(Hidden()) is None
    assert listing(Broken()) is None
    assert listing(get_task("bin_covering")) is None
    assert all(listing(get_task(name)) is None for name in task_names())
