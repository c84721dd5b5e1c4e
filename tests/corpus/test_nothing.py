"""Alternatives that are nothing, yes and no as alternatives, lengths as keys, links with weights, entries at bases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.derived import derived_vocabulary
from lhs_hf.corpus.augmentation.nothing import things
from lhs_hf.programs import load_function
from lhs_hf.search.edits import NewRule, Parent
from lhs_hf.search.edits.rollout import study
from lhs_hf.tasks import IllegalAnswer, Task, get_task
from lhs_hf.tasks.listing import listing
from lhs_hf.tasks.roles import roles
from lhs_hf.tasks.simple import SimpleTask, make_splits

RULES = 24


class Picking(SimpleTask):
    """Jobs are done for their gain less the hours that have passed; nothing is always among the alternatives."""

    name = "picking"
    sense = "max"
    problem_class = "scheduling"
    description = "Choose a job, or nothing, which ends the work."
    template = "def choose(options, hours, gains, clock):\n    return options[0]\n"
    alternatives = "options"
    splits = make_splits(search={"count": 2, "size": 8})
    nothing: int | None = -1

    def draw(self, random, size):
        return {"hours": random.randint(1, 9, size).tolist(), "gains": random.randint(1, 60, size).tolist()}

    def construct(self, program, instance):
        left, clock, done = list(range(len(instance["hours"]))), 0, []
        while left:
            job = self.ask(program, [*left, self.nothing], list(instance["hours"]), list(instance["gains"]), clock)
            if job is None or job == -1:
                break
            left.remove(job)
            done.append(job)
            clock += instance["hours"][job]
        return done

    def objective(self, instance, solution):
        ends = np.cumsum([instance["hours"][job] for job in solution])
        return float(sum(instance["gains"][job] - end for job, end in zip(solution, ends)))


class PickingNone(Picking):
    name = "picking_none"
    nothing = None


class Offers(SimpleTask):
    """Offers are taken or not; all that is taken must fit into a room."""

    name = "offers"
    sense = "max"
    problem_class = "packing"
    description = "Take the offer or not."
    template = "def takes(size, price, room):\n    return True\n"
    splits = make_splits(search={"count": 2, "size": 20})

    def alternatives(self, size, price, room):
        return [False, True]

    def draw(self, random, size):
        return np.column_stack([random.randint(1, 9, size), random.randint(1, 60, size)])

    def construct(self, program, instance):
        room, taken = 40, []
        for size, price in instance.tolist():
            answer = size <= room and self.ask(program, size, price, room)
            room -= size * answer
            taken.append(int(answer))
        return taken

    def objective(self, instance, solution):
        return float((instance[:, 1] * solution).sum())


def rules_of(task: Task) -> list[str]:
    parent = Parent.of(task.template, "reference", 0.0)
    proposals = [NewRule().propose(parent, [], task, np.random.default_rng(seed)) for seed in range(RULES)]
    return [proposal.source for proposal in proposals if proposal is not None]


def solutions(task: Task, source: str) -> list[np.ndarray]:
    """What a rule of the project's own comes to, in this process."""
    program = load_function(source, task.function_name, len(task.arguments))
    return [task.rollout(program, instance) for instance in task.instances("search")]


def objective(task: Task, source: str) -> float:
    pairs = zip(task.instances("search"), solutions(task, source))
    return float(np.mean([task.objective(instance, solution) for instance, solution in pairs]))


@pytest.mark.parametrize(("task", "test"), [(Picking(), "{x} >= 0"), (PickingNone(), "{x} is not None")])
def test_what_is_said_of_jobs_is_not_read_of_nothing(task, test) -> None:
    terms = derived_vocabulary(task).terms
    assert terms[0] == f"(1 if {test} else 0)"
    assert all(f" if {test} else " in term for term in terms)
    assert any(term.startswith(f"({{gains}}[{{x}}] if {test} else ") for term in terms)
    programs = rules_of(task)
    assert len(programs) > RULES / 2
    assert len({objective(task, program) for program in programs}) > 3
    lengths = {len(solution) for program in programs for solution in solutions(task, program)}
    assert max(lengths) == len(task.draw(np.random.RandomState(0), 8)["hours"]) > min(lengths)


def test_directions_are_things() -> None:
    class Steps(Picking):
        name = "steps"

        def construct(self, program, instance):
            for hours, gain in itertools.islice(zip(instance["hours"], instance["gains"]), 3):
                self.ask(program, [-1, 0, 1], [hours, gain, 3], [gain, 2, 1], hours)
            return []

    assert not any(" if {x} >= 0 else " in term for term in derived_vocabulary(Steps()).terms)


def test_a_direction_beside_none_is_a_thing() -> None:
    class Moves(PickingNone):
        name = "moves"

        def construct(self, program, instance):
            for clock in range(3):
                self.ask(program, [-1, 0, 1, None], list(instance["hours"]), list(instance["gains"]), clock)
            return []

    values = {option["x"] for each in things(roles(Moves()), ()).known.situations for option in each.options}
    assert values == {-1, 0, 1}


def test_yes_and_no_are_alternatives_that_programs_answer_with() -> None:
    task = Offers()
    assert listing(task) == "range(2)"
    for answer, taken in ((True, True), (np.bool_(False), False), (1, True), (np.int64(0), False)):
        assert task.position([False, True], answer) == taken
    for answer in (2, 1.0, None, "yes"):
        with pytest.raises(IllegalAnswer, match="True or False"):
            task.position([False, True], answer)
    with pytest.raises(IllegalAnswer):
        task.position([0, 1], True)
    assert objective(task, "def takes(size, price, room):\n    return price > 4 * size\n") > 0


def test_rules_of_yes_and_no_speak_of_the_offer() -> None:
    task = Offers()
    terms = derived_vocabulary(task).terms
    assert terms[0] == "(1 if {x} else 0)"
    assert all(" if {x} else " in term for term in terms)
    assert any("{price} / max(1e-09, {size})" in term for term in terms)
    programs = rules_of(task)
    assert len({objective(task, program) for program in programs}) > 3


def test_machines_zero_and_one_are_no_yes_and_no() -> None:
    class TwoMachines(Offers):
        name = "two_machines"
        template = "def machine(hours, loads):\n    return 0\n"

        def alternatives(self, hours, loads):
            return [0, 1]

        def construct(self, program, instance):
            loads, machines = [0, 0], []
            for hours in instance[:, 1].tolist():
                machines.append(self.ask(program, hours, list(loads)))
                loads[machines[-1]] += hours
            return machines

    assert "{loads}[{x}]" in derived_vocabulary(TwoMachines()).terms


def test_links_in_lists_with_weights_are_read_from_one_end_to_the_other() -> None:
    terms = derived_vocabulary(get_task("steiner_tree")).terms
    assert terms[0] == "sum(w for k, w in {pipes}[{part_1}] if k == {part_0})"


def test_a_table_is_read_from_the_base_of_an_alternative_to_a_place() -> None:
    assert "{minutes}[{base_of}[{x}]][{scene}]" in derived_vocabulary(get_task("ambulance_dispatch")).terms


def test_lengths_that_are_keys_are_amounts_and_ids_are_not() -> None:
    assert "max(0, {part_1} - {part_0})" in derived_vocabulary(get_task("cutting_stock")).terms
    assert not any(term.endswith("- {x})") for term in derived_vocabulary(get_task("vertex_cover")).terms)


def test_what_a_list_of_ids_comes_to_beside_a_single_thing() -> None:
    terms = derived_vocabulary(get_task("call_admission")).terms
    for text in ("sum({circuits}[k] for k in {request}", "max((len({busy}[k]) for k in {request}"):
        assert any(text in term for term in terms)


@pytest.mark.parametrize("make", [np.array, tuple, set, dict.fromkeys, str])
def test_things_of_any_kind_beside_none(make) -> None:
    class Bundles(PickingNone):
        name = "bundles"

        def construct(self, program, instance):
            bundles = [make([job, job + 1]) for job in range(len(instance["hours"]) - 1)]
            for clock in range(3):
                self.ask(program, [*bundles, None], list(instance["hours"]), list(instance["gains"]), clock)
            return []

    task = Bundles()
    assert len(task.probes[0].calls[0][0]) == 8
    assert all(" if {x} is not None else " in term for term in derived_vocabulary(task).terms[1:])


def test_nothing_costs_nothing_where_programs_play_on() -> None:
    known = study(get_task("job_rejection"))
    assert known is not None
    assert known.model is not None
    assert "max(clock, (jobs[x][0] if x >= 0 else 0)) + ((jobs[x][1] if x >= 0 else 0))" in {
        update.text for update in known.dynamics.updates
    }
    assert known.cost.explained > 0.99


def test_what_leads_somewhere_is_no_amount() -> None:
    measured = {term.text for term in derived_vocabulary(get_task("ambulance_dispatch")).measured}
    joined = [term for term in derived_vocabulary(get_task("ambulance_dispatch")).terms if term not in measured]
    assert "{base_of}[{x}]" in measured
    assert not any("{base_of}[{x}] " in term or term.endswith("{base_of}[{x}])") for term in joined)
