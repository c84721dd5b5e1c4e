"""One question, asked in the ways in which people write it down: the words and what rollouts teach are the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lhs_hf.corpus.augmentation.derived import derived_vocabulary
from lhs_hf.corpus.augmentation.facets import with_facets
from lhs_hf.programs import load_function
from lhs_hf.search.edits import NewRule, Parent
from lhs_hf.search.edits.rollout.model import task_model
from lhs_hf.tasks.roles import roles
from lhs_hf.tasks.simple import SimpleTask, make_splits


class Tour(SimpleTask):
    """A round trip; `shown` says what a program gets to see of the places."""

    sense = "min"
    problem_class = "routing"
    description = "Return where to go next."
    alternatives = "left"
    splits = make_splits(search={"count": 3, "size": 9})
    probe_parameters = {"size": 8}  # noqa: RUF012

    def draw(self, random, size):
        return {"points": random.randint(0, 100, (size, 2)).astype(float)}

    def shown(self, here: int, left: list[int], points: list[Any]) -> tuple[Any, ...]:
        raise NotImplementedError

    def place(self, answer: Any, points: list[Any]) -> int:
        return int(answer)

    def construct(self, program, instance):
        points, here, order = instance["points"].tolist(), 0, [0]
        left = list(range(1, len(points)))
        while left:
            here = self.place(self.ask(program, *self.shown(here, left, points)), points) if len(left) > 1 else left[0]
            left.remove(here)
            order.append(here)
        return order

    def objective(self, instance, solution):
        points = instance["points"][np.asarray(solution, dtype=int)]
        return float(np.sqrt(((points - np.roll(points, -1, axis=0)) ** 2).sum(axis=1)).sum())

    def probe_features(self, choices, arguments):
        return np.arange(len(choices), dtype=float)[:, None]


def way(points: list[Any], one: int, two: int) -> float:
    return float(np.hypot(points[one][0] - points[two][0], points[one][1] - points[two][1]))


class Nested(Tour):
    name = "nested"
    template = "def go(here, home, left, roads):\n    return left[0]\n"

    def shown(self, here, left, points):
        places = range(len(points))
        roads = {one: {two: way(points, one, two) for two in places if two != one} for one in places}
        return here, 0, list(left), roads


class ByPairs(Tour):
    name = "by_pairs"
    template = "def go(here, home, left, roads):\n    return left[0]\n"

    def shown(self, here, left, points):
        places = range(len(points))
        return here, 0, list(left), {(a, b): way(points, a, b) for a in places for b in places if a != b}


class OneWay(Tour):
    """Each road stands once, from the lower place to the higher one."""

    name = "one_way"
    template = "def go(here, home, left, roads):\n    return left[0]\n"

    def shown(self, here, left, points):
        places = range(len(points))
        return here, 0, list(left), {(a, b): way(points, a, b) for a in places for b in places if a < b}


class Names(Tour):
    name = "names"
    template = "def go(here, home, left, roads):\n    return left[0]\n"

    def shown(self, here, left, points):
        places = range(len(points))
        roads = {f"p{a}": {f"p{b}": way(points, a, b) for b in places} for a in places}
        return f"p{here}", "p0", [f"p{each}" for each in left], roads

    def place(self, answer, points):
        return int(answer[1:])


class Coordinates(Tour):
    name = "coordinates"
    template = "def go(here, home, left, places):\n    return left[0]\n"

    def shown(self, here, left, points):
        return here, 0, list(left), [tuple(each) for each in points]


class Records(Tour):
    name = "records"
    template = "def go(here, home, left, places):\n    return left[0]\n"

    def shown(self, here, left, points):
        return here, 0, list(left), {place: {"x": x, "y": y} for place, (x, y) in enumerate(points)}


class Rows(Tour):
    """Rows of a name and two numbers."""

    name = "rows"
    template = "def go(here, home, left, places):\n    return left[0]\n"

    def shown(self, here, left, points):
        return here, 0, list(left), [(f"p{place}", x, y) for place, (x, y) in enumerate(points)]


class RecordsToChoose(Tour):
    name = "records_to_choose"
    template = "def go(here, left):\n    return left[0]\n"

    def shown(self, here, left, points):
        records = [{"name": f"p{place}", "x": x, "y": y} for place, (x, y) in enumerate(points)]
        return records[here], [records[each] for each in left]

    def place(self, answer, points):
        return int(answer["name"][1:])


class PointsToChoose(Tour):
    name = "points_to_choose"
    template = "def go(here, left):\n    return left[0]\n"

    def shown(self, here, left, points):
        return tuple(points[here]), [tuple(points[each]) for each in left]

    def place(self, answer, points):
        return [tuple(each) for each in points].index(tuple(answer))


class PointsInside(RecordsToChoose):
    """Records that hold their point, beside a point."""

    name = "points_inside"

    def shown(self, here, left, points):
        records = [{"name": f"p{place}", "at": tuple(each), "load": each[0]} for place, each in enumerate(points)]
        return tuple(points[here]), [records[each] for each in left]


class PointsBeside(PointsInside):
    """The same beside a record."""

    name = "points_beside"

    def shown(self, here, left, points):
        here, records = super().shown(here, left, points)
        return {"at": list(here), "load": 3}, records


class PointsByKey(Tour):
    """Records by name, one of whose points is of no interest, beside a record."""

    name = "points_by_key"
    template = "def go(truck, left):\n    return next(iter(left))\n"

    def shown(self, here, left, points):
        ends = {f"p{each}": {"end": tuple(points[each - 1]), "at": tuple(points[each])} for each in left}
        return {"at": tuple(points[here]), "fuel": len(left)}, ends

    def place(self, answer, points):
        return int(answer[1:])


class PointsInTuples(Tour):
    """Tuples of a point and more than that."""

    name = "points_in_tuples"
    template = "def go(here, left):\n    return left[0]\n"

    def shown(self, here, left, points):
        return tuple(points[here]), [(f"p{each}", tuple(points[each]), points[each][0]) for each in left]

    def place(self, answer, points):
        return int(answer[0][1:])


class PointsByName(PointsInside):
    """Points whose numbers have names, as they come out of JSON."""

    name = "points_by_name"

    def shown(self, here, left, points):
        named = [{"lat": one, "lon": two} for one, two in points]
        records = [{"name": f"p{place}", "at": each, "load": each["lat"]} for place, each in enumerate(named)]
        return named[here], [records[each] for each in left]


class PointsByNameAndKey(PointsByKey):
    name = "points_by_name_and_key"

    def shown(self, here, left, points):
        named = [{"lat": one, "lon": two} for one, two in points]
        stops = {f"p{each}": {"at": named[each], "load": points[each][0]} for each in left}
        return {"at": named[here], "fuel": len(left)}, stops


class PointsInColumns(PointsByKey):
    """Numbers of two points in each record, told from others by what they are called, beside a point."""

    name = "points_in_columns"

    def shown(self, here, left, points):
        names = ("load", "from_x", "from_y", "to_x", "to_y")
        stops = {f"p{each}": dict(zip(names, (each, *points[each - 1], *points[each]))) for each in left}
        return tuple(points[here]), stops


class OneState(Tour):
    """All that is known in one dictionary, which a method reads the alternatives from."""

    name = "one_state"
    template = 'def go(state):\n    return state["left"][0]\n'

    def alternatives(self, state):
        return state["left"]

    def shown(self, here, left, points):
        places = {f"p{place}": {"x": x, "y": y} for place, (x, y) in enumerate(points)}
        return ({"here": f"p{here}", "home": "p0", "left": [f"p{each}" for each in left], "places": places},)

    def place(self, answer, points):
        return int(answer[1:])


class Rated(Tour):
    name = "rated"
    template = "def rate(stop, here, roads):\n    return 0.0\n"
    answers = "priority"
    alternatives = None

    def construct(self, program, instance):
        points, here, order = instance["points"].tolist(), 0, [0]
        roads = [[way(points, a, b) for b in range(len(points))] for a in range(len(points))]
        left = list(range(1, len(points)))
        while left:
            place = self.ask_each(program, [(each, here, roads) for each in left]) if len(left) > 1 else 0
            here = left.pop(place)
            order.append(here)
        return order


class RatedRecords(Rated):
    name = "rated_records"
    template = "def rate(stop, here):\n    return 0.0\n"

    def construct(self, program, instance):
        records = [{"x": x, "y": y} for x, y in instance["points"].tolist()]
        here, order, left = 0, [0], list(range(1, len(records)))
        while left:
            place = self.ask_each(program, [(records[each], records[here]) for each in left]) if len(left) > 1 else 0
            here = left.pop(place)
            order.append(here)
        return order


@dataclass(frozen=True)
class Stop:
    """A place as an object."""

    number: int
    x: float
    y: float


class Objects(Tour):
    name = "objects"
    template = "def go(here, left):\n    return left[0]\n"

    def shown(self, here, left, points):
        stops = [Stop(number, *point) for number, point in enumerate(points)]
        return stops[here], [stops[each] for each in left]

    def place(self, answer, points):
        return answer.number


class RowsToChoose(Tour):
    """Lists of a few numbers, as they come out of JSON."""

    name = "rows_to_choose"
    template = "def go(here, left):\n    return left[0]\n"

    def shown(self, here, left, points):
        return here, [[each, way(points, here, each), points[each][0]] for each in left]

    def place(self, answer, points):
        return int(answer[0])


class Keys(Tour):
    """The alternatives are the keys of a dictionary of records."""

    name = "keys"
    template = "def go(here, left):\n    return next(iter(left))\n"

    def shown(self, here, left, points):
        return here, {place: {"way": way(points, here, place), "x": points[place][0]} for place in left}


class Neighbors(Tour):
    """For each place a list of the others with the ways there."""

    name = "neighbors"
    template = "def go(here, left, roads):\n    return left[0]\n"

    def shown(self, here, left, points):
        places = range(len(points))
        return here, list(left), {a: [(b, way(points, a, b)) for b in places if b != a] for a in places}


class RatedObjects(Rated):
    name = "rated_objects"
    template = "def rate(stop, here):\n    return 0.0\n"

    def construct(self, program, instance):
        stops = [Stop(number, *point) for number, point in enumerate(instance["points"].tolist())]
        return [self.ask_each(program, [(stop, stops[here]) for stop in stops[1:]]) for here in range(3)]


class RatedPoints(Rated):
    """Records that are rated one by one, with points whose numbers have names."""

    name = "rated_points"
    template = "def rate(stop, truck):\n    return 0.0\n"

    def construct(self, program, instance):
        points = [{"lat": one, "lon": two} for one, two in instance["points"].tolist()]
        stops = [{"loc": each, "load": 3 * number % 7} for number, each in enumerate(points)]
        return [
            self.ask_each(program, [(stop, {"at": points[here], "fuel": here}) for stop in stops[1:]])
            for here in range(3)
        ]


POINTS = "abs(complex({0}[{1}] - {2}[{1}], {0}[{3}] - {2}[{3}]))"
FORMS = {
    Nested: "{roads}[{here}][{x}]",
    ByPairs: "{roads}[{here}, {x}]",
    OneWay: "{roads}.get(({here}, {x}), 0)",
    Names: "{roads}[{here}][{x}]",
    Coordinates: "abs(complex(*{places}[{x}]) - complex(*{places}[{here}]))",
    Records: POINTS.format("{places}[{x}]", '"x"', "{places}[{here}]", '"y"'),
    Rows: POINTS.format("{places}[{x}]", "1", "{places}[{here}]", "2"),
    RecordsToChoose: 'abs(complex({part_1} - {here}["x"], {part_2} - {here}["y"]))',
    PointsToChoose: "abs(complex(*{x}) - complex(*{here}))",
    PointsInside: 'abs(complex(*{x}["at"]) - complex(*{here}))',
    PointsBeside: 'abs(complex(*{x}["at"]) - complex(*{here}["at"]))',
    PointsByKey: 'abs(complex(*{left}[{x}]["at"]) - complex(*{truck}["at"]))',
    PointsInTuples: "abs(complex(*{x}[1]) - complex(*{here}))",
    PointsByName: 'abs(complex({x}["at"]["lat"], {x}["at"]["lon"]) - complex({here}["lat"], {here}["lon"]))',
    PointsByNameAndKey: 'abs(complex({left}[{x}]["at"]["lat"], {left}[{x}]["at"]["lon"])'
    ' - complex({truck}["at"]["lat"], {truck}["at"]["lon"]))',
    PointsInColumns: 'abs(complex({left}[{x}]["to_x"], {left}[{x}]["to_y"]) - complex(*{truck}))',
    OneState: POINTS.format('{state}["places"][{x}]', '"x"', '{state}["places"][{state}["here"]]', '"y"'),
    Objects: "abs(complex({part_1} - {here}.x, {part_2} - {here}.y))",
    RowsToChoose: "{part_1}",
    Keys: '{left}[{x}]["way"]',
    Neighbors: "sum(w for k, w in {roads}[{here}] if k == {x})",
    Rated: "{roads}[{stop}][{here}]",
    RatedObjects: "abs(complex({stop}.x - {here}.x, {stop}.y - {here}.y))",
    RatedPoints: 'abs(complex({stop}["loc"]["lat"], {stop}["loc"]["lon"])'
    ' - complex({truck}["at"]["lat"], {truck}["at"]["lon"]))',
    RatedRecords: POINTS.format("{stop}", '"x"', "{here}", '"y"'),
}


def test_pairs_that_have_the_lesser_end_first_are_read_in_order() -> None:
    assert "{roads}[min({here}, {x}), max({here}, {x})]" in derived_vocabulary(OneWay()).terms[:6]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_way_to_a_place_is_a_word_however_it_is_written_down(form) -> None:
    terms = derived_vocabulary(form()).terms
    assert FORMS[form] in terms[:24]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_new_rules_run_however_a_task_is_written_down(form) -> None:
    task = form()
    parent = Parent.of(task.template, "reference", 0.0)
    proposals = [NewRule().propose(parent, [], task, np.random.default_rng(seed)) for seed in range(12)]
    sources = {proposal.source for proposal in proposals if proposal is not None}
    assert len(sources) > 6
    calls = [call for state in task.probes for call in state.calls]
    runs = [runs_on(load_function(source, task.function_name, len(task.arguments)), calls) for source in sources]
    # A division by what happens to be nothing may fail now and then.
    assert np.mean(runs) > 0.8


def runs_on(program: Any, calls: list[tuple[Any, ...]]) -> bool:
    try:
        return all(program(*call) is not None for call in calls)
    except ZeroDivisionError:
        return False


@pytest.mark.parametrize("form", [Nested, ByPairs, Names, Coordinates, Records, Rows, OneState])
def test_the_length_of_a_tour_is_learned_however_it_is_written_down(form) -> None:
    model = task_model(form())
    assert model is not None
    assert model.cost.explained == pytest.approx(1.0)
    assert sorted(part.when for part in model.cost.parts) == ["final", "step"]


class Shop(SimpleTask):
    """Jobs whose steps need one machine after the other; a step is found by how many are done."""

    name = "shop"
    sense = "min"
    problem_class = "scheduling"
    description = "Return the job whose next step begins."
    template = "def pick(open_jobs, steps, done, job_free, free):\n    return open_jobs[0]\n"
    alternatives = "open_jobs"
    splits = make_splits(search={"count": 3, "jobs": 6, "machines": 3})

    def draw(self, random, jobs, machines):
        return [
            [(int(machine), int(random.randint(1, 20))) for machine in random.permutation(machines)]
            for _ in range(jobs)
        ]

    def construct(self, program, instance):
        done, job_free, free, order = [0] * len(instance), [0] * len(instance), [0] * len(instance[0]), []
        while open_jobs := [job for job, steps in enumerate(instance) if done[job] < len(steps)]:
            shown = list(open_jobs), [list(steps) for steps in instance], list(done), list(job_free), list(free)
            job = self.ask(program, *shown) if len(open_jobs) > 1 else open_jobs[0]
            machine, hours = instance[job][done[job]]
            job_free[job] = free[machine] = max(free[machine], job_free[job]) + hours
            done[job] += 1
            order.append(job)
        return order

    def objective(self, instance, solution):
        done, job_free, free = [0] * len(instance), [0] * len(instance), [0] * len(instance[0])
        for job in np.asarray(solution, dtype=int).tolist():
            machine, hours = instance[job][done[job]]
            job_free[job] = free[machine] = max(free[machine], job_free[job]) + hours
            done[job] += 1
        return float(max(free))

    def probe_features(self, choices, arguments):
        return np.arange(len(choices), dtype=float)[:, None]


@pytest.mark.integration
def test_what_two_steps_lead_to_is_a_word_and_is_learned() -> None:
    terms = derived_vocabulary(Shop()).terms
    step = "{steps}[{x}][{done}[{x}]]"
    for expected in (
        f"{step}[0]",
        f"{step}[1]",
        f"{{free}}[{step}[0]]",
        "sum(k[1] for k in {steps}[{x}][{done}[{x}]:])",
    ):
        assert expected in terms, expected
    model = task_model(Shop())
    assert model is not None
    updates = {each.argument: each.text for each in model.dynamics.updates}
    assert set(updates) == {"open_jobs", "done", "job_free", "free"}
    one = {"steps": [[(0, 5), (1, 2)], [(1, 3), (0, 4)]], "done": [0, 1], "job_free": [0, 3], "free": [6, 3], "x": 1}
    expected = {"free": [10, 3], "job_free": [0, 10], "done": [0, 2], "open_jobs": [0]}
    for name, value in expected.items():
        assert eval(updates[name], {**one, "open_jobs": [0, 1]}) == value, name


def test_a_dictionary_by_names_that_come_elsewhere_is_no_record() -> None:
    known = with_facets(roles(Names()))
    assert not known.spellings
    facets = with_facets(roles(OneState()))
    assert {'state["here"]', 'state["places"]', 'state["places"][]["x"]'} <= set(facets.spellings)
    assert not any('"p1"' in name for name in facets.spellings)
    assert facets.at('state["places"][]["x"]', "k") == '{state}["places"][k]["x"]'


def test_fields_with_braces_in_their_names_are_left_alone() -> None:
    class Braces(RatedRecords):
        name = "braces"

        def construct(self, program, instance):
            rows = [({"{x}": each, "y": 2}, {"y": each}) for each in range(4)]
            return [self.ask_each(program, rows)]

    terms = derived_vocabulary(Braces()).terms
    assert all("{x}" not in term for term in terms)


PLAIN = st.one_of(
    st.integers(-3, 12), st.floats(-5, 5), st.sampled_from(["a", "b", "job 1", ""]), st.booleans(), st.none()
)
KEYS = st.one_of(
    st.integers(0, 6), st.sampled_from(["a", "b", "hours", "{x}", 'q"']), st.tuples(*2 * [st.integers(0, 3)])
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
        st.frozensets(st.integers(0, 5), max_size=4),
        st.lists(st.integers(0, 9), min_size=1, max_size=5).map(np.array),
        st.builds(Stop, st.integers(0, 3), st.floats(0, 1), st.floats(0, 1)),
    ),
    max_leaves=12,
)


@pytest.mark.integration
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.lists(VALUES, min_size=2, max_size=2), min_size=3, max_size=6), st.lists(VALUES, min_size=2, max_size=4)
)
def test_whatever_is_handed_over_has_words_or_none(shown, choices) -> None:
    class Anything(Tour):
        name = "anything"
        template = "def g(choices, first, second):\n    return choices[0]\n"
        alternatives = "choices"

        def construct(self, program, instance):
            for first, second in shown:
                self.ask(program, list(choices), first, second)
            return [0]

    task = Anything()
    terms = derived_vocabulary(task).terms
    assert len(set(terms)) == len(terms)
    assert task_model(task) is None or task_model(task).options


class Truck:
    """Not a dataclass, and without a dictionary of its attributes."""

    __slots__ = ("heavy", "load", "name", "x", "y")

    def __init__(self, name: str, x: float, y: float) -> None:
        self.name, self.x, self.y, self.heavy, self.load = name, x, y, x > 50, 3 * y + 1


class ObjectsWithSlots(RecordsToChoose):
    name = "objects_with_slots"

    def shown(self, here, left, points):
        trucks = [Truck(f"p{place}", *each) for place, each in enumerate(points)]
        return trucks[here], [trucks[each] for each in left]

    def place(self, answer, points):
        return int(answer.name[1:])


class FlagsBeside(RecordsToChoose):
    name = "flags_beside"

    def shown(self, here, left, points):
        records = [
            {"name": f"p{n}", "heavy": x > 50, "x": x, "load": 3 * y + 1, "y": y} for n, (x, y) in enumerate(points)
        ]
        return records[here], [records[each] for each in left]


@pytest.mark.parametrize("kind", [ObjectsWithSlots, FlagsBeside])
def test_coordinates_are_known_by_name_and_stay_among_themselves(kind: type[Tour]) -> None:
    words = derived_vocabulary(kind())
    terms = [each.format(here="here", left="left", x="x", **words.parts("x")) for each in words.terms]
    access = ".{}" if kind is ObjectsWithSlots else '["{}"]'
    fields = {name: "x" + access.format(name) for name in ("x", "y", "load", "heavy")}
    beside = {name: "here" + access.format(name) for name in fields}
    assert f"abs(complex({fields['x']} - {beside['x']}, {fields['y']} - {beside['y']}))" in terms
    assert not [each for each in terms if each.startswith("abs(complex") and fields["heavy"] in each]
    # One coordinate, and how much there is of something, are no sizes of one kind.
    assert f"{fields['x']} / max(1e-09, {fields['load']})" not in terms
    assert not [each for each in terms if each.startswith((f"max({fields['x']},", f"min({fields['x']},"))]


class Phrases(SimpleTask):
    """Texts that are keys of what is counted."""

    name = "phrases"
    sense = "max"
    problem_class = "covering"
    description = "Return the phrase to keep."
    template = "def keep(counts):\n    return max(counts, key=counts.get)\n"
    splits = make_splits(search={"count": 3, "size": 9})

    def alternatives(self, counts):
        return list(counts)

    def draw(self, random, size):
        return {"ab" * (place % 7 + 1) + chr(99 + place): int(random.randint(1, 9)) for place in range(size)}

    def construct(self, program, instance):
        return [list(instance).index(self.ask(program, dict(instance)))]

    def objective(self, instance, solution):
        text = list(instance)[int(solution[0])]
        return float(len(text) * instance[text])


def test_how_long_a_phrase_is_that_is_a_key_is_a_word() -> None:
    assert "len({x})" in derived_vocabulary(Phrases()).terms
