"""Two problems, each in the ways in which people write down what a function gets: records, points, names, ..."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

SPLITS = make_splits(
    search={"count": 16, "size": 30, "calls": 29},
    test={"count": 32, "size": 30, "calls": 29},
    holdout={"count": 32, "size": 40, "calls": 39},
)


class Tour(SimpleTask):
    """A round trip through points of the plane. The objective is its length."""

    sense = "min"
    problem_class = "routing"
    description = "Where to go next; the round trip through all places is to be short."
    template = "def go(here, home, left, roads):\n    return left[0]\n"
    alternatives = "left"
    splits = SPLITS
    probe_parameters = {"size": 9}  # noqa: RUF012

    def draw(self, random, size):
        return np.round(100 * random.rand(size, 2), 1)

    def shown(self, here, left, points, ways):
        """The arguments of a call; `ways` are the distances, float64 (places, places)."""
        return here, 0, list(left), ways.copy()

    def place(self, answer):
        """The place that an answer says."""
        return int(answer)

    def construct(self, program, instance):
        ways = np.sqrt(((instance[:, None] - instance[None]) ** 2).sum(axis=-1)).round(2)
        points, here, order, left = instance.tolist(), 0, [0], list(range(1, len(instance)))
        while left:
            if len(left) > 1:
                here = self.place(self.ask(program, *self.shown(here, left, points, ways)))
            else:
                here = left[0]
            left.remove(here)
            order.append(here)
        return order

    def objective(self, instance, solution):
        order = check_ids(solution, len(instance), len(instance))
        if len(set(order)) < len(order):
            raise Infeasible("a place is visited twice")
        stops = instance[order]
        return float(np.sqrt(((stops - np.roll(stops, -1, axis=0)) ** 2).sum(axis=1)).sum())


class Matrix(Tour):
    name = "tour_matrix"


class Nested(Tour):
    name = "tour_nested"

    def shown(self, here, left, points, ways):
        places = range(len(points))
        return here, 0, list(left), {a: {b: float(ways[a, b]) for b in places if b != a} for a in places}


class Pairs(Tour):
    name = "tour_pairs"

    def shown(self, here, left, points, ways):
        places = range(len(points))
        return here, 0, list(left), {(a, b): float(ways[a, b]) for a in places for b in places if a != b}


class Names(Tour):
    name = "tour_names"

    def shown(self, here, left, points, ways):
        places = range(len(points))
        roads = {f"p{a}": {f"p{b}": float(ways[a, b]) for b in places if b != a} for a in places}
        return f"p{here}", "p0", [f"p{each}" for each in left], roads

    def place(self, answer):
        return int(answer[1:])


class Coordinates(Tour):
    name = "tour_coordinates"
    template = "def go(here, home, left, places):\n    return left[0]\n"

    def shown(self, here, left, points, ways):
        return here, 0, list(left), [tuple(each) for each in points]


class Records(Tour):
    name = "tour_records"
    template = "def go(here, home, left, places):\n    return left[0]\n"

    def shown(self, here, left, points, ways):
        return here, 0, list(left), {place: {"x": x, "y": y} for place, (x, y) in enumerate(points)}


class State(Tour):
    name = "tour_state"
    template = 'def go(state):\n    return state["left"][0]\n'

    def alternatives(self, state):
        return state["left"]

    def shown(self, here, left, points, ways):
        places = {f"p{place}": {"x": x, "y": y} for place, (x, y) in enumerate(points)}
        return ({"here": f"p{here}", "home": "p0", "left": [f"p{each}" for each in left], "places": places},)

    def place(self, answer):
        return int(answer[1:])


class Jobs(SimpleTask):
    """Jobs on one machine. The objective is the weighted tardiness."""

    sense = "min"
    problem_class = "scheduling"
    description = "The job to do next; jobs that end after their due date cost their weight an hour."
    template = "def next_job(now, waiting, hours, due, weight):\n    return waiting[0]\n"
    alternatives = "waiting"
    splits = SPLITS
    probe_parameters = {"size": 9}  # noqa: RUF012

    def draw(self, random, size):
        hours = random.randint(1, 20, size)
        return np.column_stack([hours, random.randint(5, int(0.8 * hours.sum()), size), random.randint(1, 6, size)])

    def shown(self, now, left, jobs):
        """The arguments of a call; `jobs` are rows of hours, due date and weight."""
        return now, list(left), *map(list, zip(*jobs))

    def place(self, answer, left):
        """The job that an answer says."""
        return int(answer)

    def construct(self, program, instance):
        jobs, now, order, left = instance.tolist(), 0, [], list(range(len(instance)))
        while left:
            job = self.place(self.ask(program, *self.shown(now, left, jobs)), left) if len(left) > 1 else left[0]
            left.remove(job)
            order.append(job)
            now += jobs[job][0]
        return order

    def objective(self, instance, solution):
        order = check_ids(solution, len(instance), len(instance))
        if len(set(order)) < len(order):
            raise Infeasible("a job is done twice")
        hours, due, weight = instance[order].T
        return float((np.maximum(0, hours.cumsum() - due) * weight).sum())


class JobVectors(Jobs):
    name = "jobs_vectors"


class JobRecords(Jobs):
    name = "jobs_records"
    template = "def next_job(now, waiting, jobs):\n    return waiting[0]\n"

    def shown(self, now, left, jobs):
        records = {f"j{job}": dict(zip(("hours", "due", "weight"), row)) for job, row in enumerate(jobs)}
        return now, [f"j{each}" for each in left], records

    def place(self, answer, left):
        return int(answer[1:])


@dataclass(frozen=True)
class Job:
    """A job as an object."""

    number: int
    hours: int
    due: int
    weight: int


class JobObjects(Jobs):
    name = "jobs_objects"
    template = "def next_job(now, waiting):\n    return waiting[0]\n"

    def shown(self, now, left, jobs):
        return now, [Job(each, *jobs[each]) for each in left]

    def place(self, answer, left):
        return answer.number


class JobPriorities(Jobs):
    """One record a call."""

    name = "jobs_priorities"
    template = "def rate(job, now):\n    return 0.0\n"
    answers = "priority"
    alternatives = None

    def construct(self, program, instance):
        jobs, now, order, left = instance.tolist(), 0, [], list(range(len(instance)))
        while left:
            calls = [(dict(zip(("hours", "due", "weight"), jobs[each])), now) for each in left]
            order.append(left.pop(self.ask_each(program, calls) if len(left) > 1 else 0))
            now += jobs[order[-1]][0]
        return order


FORMS = (
    Matrix,
    Nested,
    Pairs,
    Names,
    Coordinates,
    Records,
    State,
    JobVectors,
    JobRecords,
    JobObjects,
    JobPriorities,
)
