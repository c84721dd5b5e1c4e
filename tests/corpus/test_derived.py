"""The words of tasks that nobody wrote any for follow from the probe states, whatever the arguments are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.derived import derived_vocabulary
from lhs_hf.corpus.augmentation.joining import draw_joined, joined
from lhs_hf.corpus.augmentation.vocabulary import VOCABULARIES, Term, Vocabulary
from lhs_hf.corpus.augmentation.words import vocabulary
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import ChooseBy, Parent
from lhs_hf.tasks import get_task, zoo_names
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.simple import SimpleTask, make_splits


class Visits(SimpleTask):
    """Places to visit: a list of ids, a number for each, a square table, a narrow one, lists of ids, a number."""

    name = "visits"
    sense = "min"
    problem_class = "routing"
    description = "Choose."
    template = "def choose(here, open_places, gains, gaps, spans, nearby, fuel):\n    return open_places[0]\n"
    alternatives = "open_places"
    splits = make_splits(search={"count": 2})

    def draw(self, random):
        return random.randint(1, 10**6)

    def construct(self, program, instance):
        random = np.random.RandomState(instance)
        size, left, here, order = 9, list(range(1, 9)), 0, []
        gaps, spans = random.rand(size, size), np.sort(random.rand(size, 2), axis=1)
        gains = {place: int(gain) for place, gain in enumerate(random.randint(1, 50, size))}
        nearby = {place: random.choice(size, place % 4 + 1, replace=False).tolist() for place in range(size)}
        while left:
            fuel = float(random.rand())
            here = self.ask(program, here, list(left), dict(gains), gaps.copy(), spans.tolist(), nearby, fuel)
            left.remove(here)
            order.append(here)
        return order

    def objective(self, instance, solution):
        return 0.0


class Renamed(Visits):
    """The same under other names."""

    name = "renamed"
    template = "def g(a, b, c, d, e, f, h):\n    return b[0]\n"
    alternatives = "b"


def test_terms_are_numbers_by_the_kind_of_the_arguments() -> None:
    words = derived_vocabulary(Visits())
    for expected in (
        "{gains}[{x}]",
        "{gaps}[{here}][{x}]",
        "{spans}[{x}][0]",
        "{spans}[{x}][1]",
        "sum({gaps}[{x}])",
        "min(({gaps}[{x}][k] for k in {open_places} if k != {x}), default=0)",
        "len({nearby}[{x}])",
        "len(set({nearby}[{x}]) & set({open_places}))",
        "sum({gains}[k] for k in {nearby}[{x}])",
        "abs({fuel} - {gaps}[{here}][{x}])",
        "{x}",
    ):
        assert expected in words.terms, expected
    assert (words.scores, words.fields) == (False, ())
    assert any(phase.startswith("{fuel} > ") for phase in words.phases)
    # An id is no amount: nothing is reckoned with it.
    assert not any(re.search(r"\{x\} [*/-]|[*/-] \{x\}|\{here\} -", term) for term in words.terms)


def test_names_make_no_difference() -> None:
    words, renamed = derived_vocabulary(Visits()), derived_vocabulary(Renamed())
    names = dict(zip(Visits.arguments, Renamed.arguments))
    assert [
        re.sub(r"\{(\w+)\}", lambda match: f"{{{names.get(match[1], match[1])}}}", term) for term in words.terms
    ] == [*renamed.terms]


def test_terms_that_say_the_same_stand_once() -> None:
    class Doubled(Visits):
        name = "doubled"
        template = "def g(open_places, gains, twice, level):\n    return open_places[0]\n"

        def construct(self, program, instance):
            random, left = np.random.RandomState(instance), list(range(8))
            while len(left) > 1:
                gains = random.randint(1, 50, 8)
                left.remove(self.ask(program, list(left), gains, 3 - 2 * gains, np.full(8, 7.0)))
            return left

    assert derived_vocabulary(Doubled()).terms == ("{gains}[{x}]", "{x}")


def test_numbers_beyond_floats_and_an_argument_called_like_the_alternative() -> None:
    class Odd(Visits):
        name = "odd"
        template = "def g(spots, x, huge, wide):\n    return spots[0]\n"
        alternatives = "spots"

        def probe_features(self, choices, arguments):
            return np.array(choices, dtype=float)[:, None]

        def construct(self, program, instance):
            left = list(range(6))
            while len(left) > 1:
                huge, wide = [10**400 + each for each in range(6)], [1e300 * each for each in range(6)]
                left.remove(self.ask(program, list(left), 5, huge, wide))
            return left

    terms = derived_vocabulary(Odd()).terms
    assert "{x}" in terms
    assert not any("huge" in term for term in terms)


def test_tables_that_are_empty_or_ragged_now_and_then() -> None:
    class Ragged(Visits):
        name = "ragged"
        template = "def g(spots, stops, rounds):\n    return spots[0]\n"
        alternatives = "spots"

        def construct(self, program, instance):
            left, stops = list(range(5)), []
            while len(left) > 1:
                rounds = [[3] * (each + 1) for each in range(5)]
                left.remove(self.ask(program, list(left), list(stops), rounds))
                stops.append((len(left), 7))
            return left

    assert "len({rounds}[{x}])" in derived_vocabulary(Ragged()).terms


@pytest.mark.parametrize("name", zoo_names())
def test_every_task_of_the_zoo_has_words_or_none(name) -> None:
    words = derived_vocabulary(get_task(name))
    assert len(set(words.terms)) == len(words.terms)
    assert words.scores == (get_task(name).answers != "choice")


def test_pairs_and_priorities() -> None:
    words = derived_vocabulary(get_task("bin_covering"))
    assert words.scores
    assert {"{size}", "abs({missing} - {size})"} <= set(words.terms)

    class Pairs(Visits):
        name = "pairs"
        template = "def g(pairs, costs):\n    return pairs[0]\n"
        alternatives = "pairs"

        def construct(self, program, instance):
            costs = np.random.RandomState(instance).rand(4, 5)
            return self.ask(program, [(i, j) for i in range(4) for j in range(5)], costs)

    pairs = derived_vocabulary(Pairs())
    assert pairs.fields == ("part_0", "part_1")
    assert {"{costs}[{part_0}][{part_1}]", "sum({costs}[{part_0}])"} <= set(pairs.terms)


def test_numbers_by_pair_and_lists_that_a_part_of_it_chooses() -> None:
    class Sides(Visits):
        name = "sides"
        template = "def g(moves, hours, left, right, ties):\n    return moves[0]\n"
        alternatives = "moves"

        def construct(self, program, instance):
            random = np.random.RandomState(instance)
            ties, items = random.rand(9, 9), random.permutation(9).tolist()
            for placed in (4, 6):
                moves = [(item, side) for item in items[placed:] for side in range(2)]
                hours = {move: float(random.rand()) for move in moves}
                self.ask(program, moves, hours, items[: placed // 2], items[placed // 2 : placed], ties)
            return moves[0]

    terms = derived_vocabulary(Sides()).terms
    assert "{hours}[{x}]" in terms
    side = "sum({ties}[{part_0}][k] for k in {%s})"
    assert f"({side % 'right'} if {{part_1}} else {side % 'left'})" in terms


def test_tables_of_items_in_columns_deep_ones_and_what_was_before() -> None:
    class Items(Visits):
        name = "items"
        template = "def g(items, needs, room, ties, day, cube, past):\n    return items[0]\n"
        alternatives = "items"

        def construct(self, program, instance):
            random, left, past = np.random.RandomState(instance), list(range(7)), []
            needs, cube = random.randint(1, 9, (3, 7)).tolist(), random.rand(7, 7, 7)
            ties = {one: {two: float(random.rand()) for two in range(7) if two != one} for one in range(7)}
            for day in range(7):
                past.append(int(random.randint(7)))
                room = random.randint(5, 20, 3).tolist()
                left.remove(
                    self.ask(program, list(left), needs, room, ties, day, cube, list(past)) if day < 6 else left[0]
                )
            return left

    terms = derived_vocabulary(Items()).terms
    for expected in (
        "sum(j[{x}] for j in {needs})",
        "max(a / max(1e-09, b) for a, b in zip([j[{x}] for j in {needs}], {room}))",
        "sum({ties}[{x}].values())",
        "sum({ties}[{x}].get(k, 0) for k in {items})",
        "sum(1 for k in {past} if k == {x})",
        "max((j for j, k in enumerate({past}) if k == {x}), default=-1)",
    ):
        assert expected in terms, expected
    three = derived_vocabulary(get_task("three_index_assignment")).terms
    assert "{cost}[{part_0}, {part_1}, {day}]" in three
    assert "{cost}[{part_1}, {part_0}, {day}]" not in three
    assert (
        "sum(abs(a - b) for a, b in zip({positions}[{x}], {request}))"
        in derived_vocabulary(get_task("server_moves")).terms
    )


def test_values_of_changing_kinds_and_lists_of_arrays() -> None:
    class Mixed(Visits):
        name = "mixed"
        template = "def g(weight, odd, points):\n    return weight\n"
        answers = "priority"
        alternatives = None

        def construct(self, program, instance):
            random = np.random.RandomState(instance)
            for step in range(6):
                odd = 3 if step % 2 else [step, 2]
                self.ask_each(program, [(float(random.rand()), odd, [random.rand(2) for _ in range(3)]) for _ in "abc"])
            return [0]

    assert "{weight}" in derived_vocabulary(Mixed()).terms


def test_lists_that_may_be_empty_fail_nowhere() -> None:
    terms = derived_vocabulary(get_task("clique_growth")).terms
    assert "max({common_weights}, default=0)" in terms
    assert "({common_weights}[0] if len({common_weights}) else 0)" in terms
    assert "sum({common_weights})" in terms


def test_a_constant_that_would_be_a_place_is_none() -> None:
    """What it costs to be late is 3 everywhere, and there is a third place."""
    words = derived_vocabulary(get_task("tour_with_windows"))
    assert "{travel}[{here}][{x}]" in words.terms
    assert not any("[{late_cost}]" in term for term in words.terms)
    assert "{late_cost}" in {term.text for term in words.shared}


def test_only_what_is_of_about_one_size_is_compared() -> None:
    sizes, shared = {"{way}": 20.0, "{close}": 30.0, "{count}": 0.1}, {"{clock}": 25.0}
    every = set(joined(sizes, shared))
    assert {"max({way}, {close})", "max({close}, {clock} + {way})", "max(0, {way} - {clock})"} <= every
    assert {"{way} / max(1e-09, {count})", "{count} * {way}"} & every
    assert not any(sign in term for term in every for sign in (" + {count}", "- {count}", "({count},"))
    words = Vocabulary(
        measured=tuple(Term(name, size, size / 2) for name, size in sizes.items()),
        shared=tuple(Term(name, size, 0.0) for name, size in shared.items()),
    )
    drawn = {term.text for seed in range(300) if (term := draw_joined(words, np.random.default_rng(seed)))}
    assert drawn <= {*every, *(f"{two} * {one}" for one, two in permutations(sizes, 2))}
    assert len(drawn) > 0.8 * len(every)
    assert draw_joined(Vocabulary(), np.random.default_rng(0)) is None


def test_a_task_without_listed_alternatives_has_no_words() -> None:
    assert derived_vocabulary(get_task("tsp_construct")) == Vocabulary()

    class Broken(Visits):
        name = "broken"

        def choices(self, *arguments):
            raise KeyError("a person's own mistake")

    assert derived_vocabulary(Broken()) == Vocabulary()


def test_words_that_were_written_come_first() -> None:
    assert vocabulary(get_task("tsp_construct")) is VOCABULARIES["tsp_construct"]
    assert vocabulary(get_task("vertex_cover")) == derived_vocabulary(get_task("vertex_cover"))


@pytest.mark.parametrize("name", ["vertex_cover", "bin_covering"])
def test_first_rules_run_on_every_probe_state(name) -> None:
    task = get_task(name)
    parent = Parent.of(task.template, "reference", 0.0)
    if name == "bin_covering":
        parent = Parent.of("def priority(size, missing, left, total):\n    return 0.0\n", "constant", 0.0)
    proposals = [ChooseBy().propose(parent, [], task, np.random.default_rng(seed)) for seed in range(12)]
    sources = {proposal.source for proposal in proposals if proposal is not None}
    assert len(sources) > 4
    with Evaluator(task, workers=1) as evaluator:
        behaviours = evaluator.probe_many(list(sources))
    assert all(behaviour is not None and behaviour.error_rate == 0 for behaviour in behaviours)


def test_how_many_parts_a_record_has_is_no_phase(tmp_path: Path) -> None:
    template = "def choose(crew, places):\n    return min(places, key=lambda place: abs(place - crew['at']))\n"

    def far(program: Callable[..., Any]) -> float:
        crew, left, total = {"at": 3.0, "speed": 2.0}, [1.0, 8.0, 5.0, 2.5, 7.0], 0.0
        while left:
            place = program(dict(crew), list(left))
            left.remove(place)
            total += abs(place - crew["at"]) / crew["speed"]
            crew["at"] = place
        return total

    phases = vocabulary(task_of_function(far, template, tmp_path)).phases
    assert any("len({places})" in each for each in phases)
    assert not any("len({crew})" in each for each in phases)


@pytest.mark.parametrize(("name", "said"), [("F{}", False), ("dock-{}", False), ("{}", False), ("depot {} east", True)])
def test_the_length_of_a_numbered_name_is_no_term(name: str, said: bool, tmp_path: Path) -> None:
    template = "def choose(fires):\n    return min(fires, key=lambda fire: fire['far'])['name']\n"
    fires = [{"name": name.format(number), "far": float(number * 7 % 12)} for number in range(1, 12)]

    def far(program: Callable[..., Any]) -> float:
        left, total = {fire["name"]: fire for fire in fires}, 0.0
        while left:
            total += len(left) * left.pop(program([dict(fire) for fire in left.values()]))["far"]
        return total

    terms = vocabulary(task_of_function(far, template, tmp_path)).terms
    assert "{part_1}" in terms
    assert any("len({part_0})" in term for term in terms) == said, terms
