"""Graphs as lists of edges: what is known of an end, however they are written down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.derived import derived_vocabulary
from lhs_hf.corpus.augmentation.measuring import SCOPE
from lhs_hf.tasks.roles import is_edges
from lhs_hf.tasks.simple import SimpleTask, make_splits

GRAPH = [(0, 3, 4.0), (3, 1, 2.5), (1, 2, 7.0), (3, 4, 1.0), (5, 1, 3.0), (4, 5, 6.0), (6, 3, 2.0)]
PRIZES = [5, 1, 8, 2, 9, 4, 7]


class Ends(SimpleTask):
    """Takes one node of a graph after the other."""

    name = "ends"
    sense = "max"
    problem_class = "graph"
    description = "Choose a node."
    template = "def choose(left, links, prizes):\n    return left[0]\n"
    alternatives = "left"
    splits = make_splits(search={"count": 2})

    def draw(self, random):
        return random.randint(1, 10**6)

    def links(self) -> Any:
        return [(one, two) for one, two, _ in GRAPH]

    def node(self, number: int) -> Any:
        return number

    def construct(self, program, instance):
        left = [self.node(each) for each in np.random.RandomState(instance).permutation(7).tolist()]
        steps = len(left)
        while left:
            left.remove(self.ask(program, list(left), self.links(), self.prizes()))
        return list(range(steps))

    def prizes(self) -> Any:
        return list(PRIZES)

    def objective(self, instance, solution):
        return 0.0


class Arrays(Ends):
    def links(self) -> Any:
        return np.array(super().links())


class Weighted(Ends):
    def links(self) -> Any:
        return [list(each) for each in GRAPH]


class ByPairs(Ends):
    def links(self) -> Any:
        return {(one, two): weight for one, two, weight in GRAPH}


class Named(Weighted):
    def node(self, number: int) -> Any:
        return "abcdefg"[number]

    def links(self) -> Any:
        return [(self.node(one), self.node(two), weight) for one, two, weight in GRAPH]

    def prizes(self) -> Any:
        return {self.node(number): prize for number, prize in enumerate(PRIZES)}


class OneACall(Weighted):
    """The same, a node rated a call."""

    template = "def rate(node, links, prizes):\n    return 0.0\n"
    answers = "priority"

    def construct(self, program, instance):
        left = list(range(7))
        order = []
        while left:
            order.append(left.pop(self.ask_each(program, [(node, self.links(), self.prizes()) for node in left])))
        return order


FORMS = [Ends, Arrays, Weighted, ByPairs, Named]
KNOWN = {
    "degree": {0: 1, 1: 3, 2: 1, 3: 4, 4: 2, 5: 2, 6: 1},
    "weight": {0: 4.0, 1: 12.5, 2: 7.0, 3: 9.5, 4: 7.0, 5: 9.0, 6: 2.0},
    "prizes": {0: 2, 1: 14, 2: 1, 3: 22, 4: 6, 5: 10, 6: 2},
    "left": {0: 1, 1: 3, 2: 1, 3: 2, 4: 2, 5: 1, 6: 1},
}
LEFT = [0, 1, 2, 3, 5]


def said(task: Any, texts: list[str]) -> list[dict[int, Any]]:
    """What terms come to, by node."""
    values: list[dict[int, Any]] = []
    for text in texts:
        row = {}
        for number in range(7):
            names = {name: name for name in ("left", "links", "prizes")}
            scope = {"left": [task.node(each) for each in LEFT], "links": task.links(), "prizes": task.prizes()}
            scope |= {"option": task.node(number)}
            row[number] = eval(text.format(x="option", **names), {**SCOPE, **scope})
        values.append(row)
    return values


@pytest.mark.parametrize("form", FORMS, ids=lambda each: each.__name__)
def test_what_is_known_of_an_end_of_edges(form: Any) -> None:
    task = form()
    texts = [text for text in derived_vocabulary(task).terms if "links" in text]
    values = said(task, texts)
    assert KNOWN["degree"] in values
    assert KNOWN["prizes"] in values
    assert KNOWN["left"] in values
    assert (KNOWN["weight"] in values) == (form not in (Ends, Arrays))
    # No row of the list belongs to a node.
    assert not any("{links}[{x}]" in text for text in texts)


def test_names_make_no_difference_to_edges() -> None:
    class Other(Weighted):
        template = "def g(a, b, c):\n    return a[0]\n"
        alternatives = "a"

    one, other = derived_vocabulary(Weighted()).terms, derived_vocabulary(Other()).terms
    renamed = [each.replace("{left}", "{a}").replace("{links}", "{b}").replace("{prizes}", "{c}") for each in one]
    assert list(other) == renamed


def test_pairs_of_different_things_are_no_edges() -> None:
    """Hours by job and machine, of which both are numbered from 0."""

    class Shop(Ends):
        template = "def choose(left, hours):\n    return left[0]\n"

        def construct(self, program, instance):
            hours = {(job, machine): (3 * job + machine) % 5 + 1 for job in range(4) for machine in range(4)}
            left = sorted(hours)
            while left:
                left.remove(self.ask(program, list(left), hours))
            return [0]

    terms = derived_vocabulary(Shop()).terms
    assert "sum(v for k, v in {hours}.items() if k[0] == {part_0})" in terms
    assert "sum(v for k, v in {hours}.items() if k[1] == {part_1})" in terms
    assert not any("in k" in term.replace("k, v in", "") for term in terms)


def test_an_end_that_is_shown_alone() -> None:
    terms = derived_vocabulary(OneACall()).terms
    assert "sum(1 for k in {links} if {node} in k[:2])" in terms
    assert "sum({prizes}[(k[0] if k[1] == {node} else k[1])] for k in {links} if {node} in k[:2])" in terms


def test_other_lists_are_no_edges() -> None:
    assert is_edges([(0, 1), (2, 1)])
    assert is_edges({("a", "b"), ("b", "c")})
    for other in (
        [],
        [(0, 0)],
        [(0.5, 1.5)],
        [(0, 1), (0, 1, 2)],
        [(0, "a")],
        [(0, 1, "a")],
        [0, 1],
        ["ab", "cd"],
        {(0, 1): 2},
        [(0, 1, 2, 3, 4)],
        np.zeros((2, 2, 2), dtype=int),
    ):
        assert not is_edges(other)
