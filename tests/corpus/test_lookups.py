"""Words of what an alternative leads to, and of what is a number on small instances alone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np

from lhs_hf.corpus.augmentation.derived import derived_vocabulary
from lhs_hf.search.edits.inside import insides
from lhs_hf.tasks.simple import SimpleTask, make_splits


class Machines(SimpleTask):
    """Jobs that wait, and numbers by machine, two on small instances: as many as a point has."""

    name = "machines"
    sense = "min"
    problem_class = "scheduling"
    description = "Choose."
    template = "def choose(waiting, jobs, loads):\n    return waiting[0]\n"
    alternatives = "waiting"
    splits = make_splits(search={"count": 2, "size": 12, "machines": 5})
    probe_parameters: Mapping[str, Any] | None = {"size": 8, "machines": 2}

    def draw(self, random, size, machines):
        return {"jobs": random.randint(1, 50, (size, 2)).tolist(), "loads": random.randint(1, 90, machines).tolist()}

    def construct(self, program, instance):
        left, order = list(range(len(instance["jobs"]))), []
        while left:
            loads = [load + len(left) for load in instance["loads"]]
            order.append(self.ask(program, list(left), instance["jobs"], loads))
            left.remove(order[-1])
        return order

    def objective(self, instance, solution):
        return 0.0


def test_what_fails_at_full_size_is_no_word() -> None:
    class AlwaysTwo(Machines):
        name = "always_two"
        splits = make_splits(search={"count": 2, "size": 12, "machines": 2})

    points = "abs(complex(*{jobs}[{x}]) - complex(*{loads}))"
    assert points in derived_vocabulary(AlwaysTwo()).terms
    terms = derived_vocabulary(Machines()).terms
    assert "{jobs}[{x}][0]" in terms
    assert not any("complex(*{loads})" in term for term in terms)


class Scheduled(Machines):
    """The same jobs as a whole solution: two machines on small instances, five on those of the search split."""

    name = "scheduled"
    answers = "solution"
    alternatives = ""
    template = """
def schedule(jobs, loads):
    free, left, order = [0 for load in loads], list(range(len(jobs))), []
    while left:
        now = min(free)
        job = min(left, key=lambda job: jobs[job][0])
        free[free.index(now)] = max(now, jobs[job][0]) + jobs[job][1]
        left.remove(job)
        order.append(job)
    return order
"""

    def construct(self, program, instance):
        return self.ask(program, instance["jobs"], instance["loads"])


def test_what_fails_at_full_size_is_no_word_inside_of_a_solution_either() -> None:
    class AlwaysTwo(Scheduled):
        name = "always_two_scheduled"
        splits = make_splits(search={"count": 2, "size": 12, "machines": 2})

    def words(task: SimpleTask) -> set[str]:
        return {term.text for inside in insides(task) if inside for term in inside.words.measured}

    points = "abs(complex(*{jobs}[{x}]) - complex(*{free}))"
    assert points in words(AlwaysTwo())
    assert "{jobs}[{x}][1]" in words(Scheduled())
    assert not any("complex(*{free})" in text for text in words(Scheduled()))
    [state] = {str(state.calls[0][1]): state for state in Scheduled().full_size_states}.values()
    assert len(state.calls[0][1]) == 5


def test_states_of_full_size_are_of_the_search_split() -> None:
    assert [len(state.calls[0][2]) for state in Machines().full_size_states] == [5, 5]
    assert all(len(state.calls[0][2]) == 2 for state in Machines().probes)

    class OneSize(Machines):
        probe_parameters = None

    assert OneSize().full_size_states == ()


def test_ties_in_a_list_of_dictionaries() -> None:
    class Cabinet(Machines):
        name = "cabinet"
        template = "def choose(waiting, placed, ties):\n    return waiting[0]\n"

        def construct(self, program, instance):
            random, size = np.random.RandomState(len(instance["jobs"]) + instance["jobs"][0][0]), len(instance["jobs"])
            ties = [
                {int(k): int(random.randint(1, 9)) for k in random.choice(size, 3, replace=False)} for _ in range(size)
            ]
            left, order = list(range(size)), []
            while left:
                order.append(self.ask(program, list(left), list(order), ties))
                left.remove(order[-1])
            return order

    terms = derived_vocabulary(Cabinet()).terms
    for expected in ("sum({ties}[{x}].values())", "sum({ties}[{x}].get(k, 0) for k in {placed})"):
        assert expected in terms, expected

    class Records(Cabinet):
        """Records are no ties: their keys are words."""

        name = "records"

        def construct(self, program, instance):
            left = list(range(len(instance["jobs"])))
            records = [{"hours": hours, "weight": weight} for hours, weight in instance["jobs"]]
            while len(left) > 1:
                left.remove(self.ask(program, list(left), [], records))
            return left

    assert not any(".values()" in term for term in derived_vocabulary(Records()).terms)


def test_entries_of_a_table_at_two_things_that_an_alternative_leads_to() -> None:
    class Colours(Machines):
        """What it takes to clean the machine of a job, from the colour in it to that of the job."""

        name = "colours"
        template = "def choose(waiting, colour, machine, inside, cleaning):\n    return waiting[0]\n"
        numbers = count()

        def construct(self, program, instance):
            size, random = len(instance["jobs"]), np.random.RandomState(next(self.numbers))
            colour, machine = random.randint(0, 4, size).tolist(), random.randint(0, 3, size).tolist()
            cleaning = random.randint(1, 30, (4, 4)).tolist()
            left = list(range(size))
            while len(left) > 1:
                inside = random.randint(0, 4, 3).tolist()
                left.remove(self.ask(program, list(left), colour, machine, inside, cleaning))
            return left

    terms = derived_vocabulary(Colours()).terms
    assert "{cleaning}[{inside}[{machine}[{x}]]][{colour}[{x}]]" in terms


def test_the_level_that_a_column_has_reached() -> None:
    class Pit(Machines):
        name = "pit"
        template = "def choose(waiting, depth, value):\n    return waiting[0]\n"

        def construct(self, program, instance):
            size, random = len(instance["jobs"]), np.random.RandomState(instance["jobs"][0][0])
            value, depth, order = random.randint(-20, 40, (4, size)), [0] * size, []
            while any(level < 4 for level in depth):
                left = [column for column in range(size) if depth[column] < 4]
                column = self.ask(program, left, [min(level, 3) for level in depth], value.copy())
                depth[column] += 1
                order.append(column)
            return order

    terms = derived_vocabulary(Pit()).terms
    for expected in ("{value}[{depth}[{x}]][{x}]", "sum(j[{x}] for j in {value}[{depth}[{x}]:])"):
        assert expected in terms, expected


def test_columns_are_no_rows() -> None:
    class Cover(Machines):
        """Sets that are still to be hit, a row each: fewer and fewer, and no row belongs to a column."""

        name = "cover"
        template = "def choose(waiting, prices, member):\n    return waiting[0]\n"

        def construct(self, program, instance):
            size, random = len(instance["jobs"]), np.random.RandomState(instance["jobs"][0][0])
            member, prices, order = random.randint(0, 2, (2 * size, size)), random.randint(1, 9, size), []
            while len(member) > 1:
                order.append(self.ask(program, list(range(size)), prices.copy(), member.copy()))
                member = member[3:]
            return order

    terms = derived_vocabulary(Cover()).terms
    assert "sum(j[{x}] for j in {member})" in terms
    assert not any("{member}[{x}]" in term for term in terms)


def test_the_size_of_an_item_beside_that_of_a_gap() -> None:
    class Gaps(Machines):
        name = "gaps"
        template = "def choose(waiting, item):\n    return waiting[0]\n"

        def construct(self, program, instance):
            random, chosen = np.random.RandomState(instance["jobs"][0][0]), []
            for width, height in instance["jobs"]:
                gaps = [(b, *random.randint(50, 90, 4).tolist()) for b in range(5)]
                chosen.append(self.ask(program, gaps, (width, height))[0])
            return chosen

    words = derived_vocabulary(Gaps())
    assert {"{item}[0]", "{item}[1]"} <= {term.text for term in words.shared}
    assert any("{item}[0]" in term and "{part_3}" in term for term in words.terms)


def test_the_far_end_of_what_leads_on() -> None:
    class Network(Machines):
        """Streets from the corners that are reached to others, which have a worth of their own."""

        name = "network"
        template = "def choose(waiting, streets, reached, worth):\n    return waiting[0]\n"

        def construct(self, program, instance):
            size, random = len(instance["jobs"]), np.random.RandomState(instance["jobs"][0][0])
            streets = [
                {"ends": tuple(random.choice(size, 2, replace=False).tolist()), "price": price}
                for price in random.randint(1, 30, 4 * size).tolist()
            ]
            worth, reached, order = random.randint(1, 9, size).tolist(), {0}, []
            while True:
                left = [s for s, street in enumerate(streets) if sum(end in reached for end in street["ends"]) == 1]
                if not left:
                    return order
                order.append(self.ask(program, left, streets, set(reached), worth))
                reached |= set(streets[order[-1]]["ends"])

    far = 'sum(k for k in {streets}[{x}]["ends"] if k not in {reached})'
    assert f"{{worth}}[{far}]" in derived_vocabulary(Network()).terms

    class Anywhere(Network):
        """Some of the streets have both ends where nobody is."""

        name = "anywhere"

        def construct(self, program, instance):
            def other(left, streets, reached, worth):
                return program(left, streets, {min(reached)} if len(left) % 2 else reached, worth)

            return super().construct(other, instance)

    assert not any("not in {reached}" in term for term in derived_vocabulary(Anywhere()).terms)


def test_columns_of_long_arrays_are_read_at_once() -> None:
    class Long(Machines):
        """A hundred rows on an instance of the search split; `as_list` hands them over as lists."""

        name = "long"
        template = "def choose(waiting, member, prices):\n    return waiting[0]\n"
        splits = make_splits(search={"count": 2, "size": 120, "machines": 2})
        as_list = False

        def construct(self, program, instance):
            size, random = len(instance["jobs"]), np.random.RandomState(instance["jobs"][0][0])
            member, prices, order = random.randint(0, 2, (size, 4)), random.randint(1, 9, 4), []
            while len(order) < 4:
                left = [column for column in range(4) if column not in order]
                rows = member.tolist() if self.as_list else member.copy()
                order.append(self.ask(program, left, rows, prices.copy()))
            return order

    class Lists(Long):
        name = "long_lists"
        as_list = True

    class Short(Long):
        name = "short"
        splits = make_splits(search={"count": 2, "size": 50, "machines": 2})

    by_row = "sum(j[{x}] for j in {member})"
    terms = derived_vocabulary(Long()).terms
    assert "{member}[:, {x}].sum()" in terms
    assert not any("for j in {member}" in term for term in terms)
    assert any("{member}[:, {x}].tolist()" in term for term in terms)
    for other in (Lists(), Short()):
        others = derived_vocabulary(other).terms
        assert by_row in others
        assert not any("[:, {x}]" in term for term in others)
    task = Long()
    [state] = task.full_size_states[:1]
    _, member, prices = state.calls[0]
    for quick, slow in zip(terms, derived_vocabulary(Lists()).terms):
        one, two = (
            eval(text.format(x="2", member="member", prices="prices"), {"member": rows, "prices": prices})
            for text, rows in ((quick, member), (slow, member.tolist()))
        )
        assert one == two, (quick, slow)
