"""Programs that play on: what is learned of a task from rollouts, and what is written with it."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lhs_hf.cli import main
from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import check_signature, load_function, parse
from lhs_hf.search.edits import Parent, Rollout, edits
from lhs_hf.search.edits.rollout import task_model
from lhs_hf.search.edits.rollout.writing import played, plays_on, written
from lhs_hf.tasks import get_task, task_names
from lhs_hf.tasks.base import Task
from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, ZOO = ROOT / "examples", ROOT / "lhs_hf" / "tasks" / "zoo"


def objectives(task: Task, text: str, split: str) -> tuple[float, float]:
    """What the reference and another program come to."""
    with Evaluator(task, workers=1) as evaluator:
        rule, program = (evaluator.evaluate(source, split) for source in (task.template, text))
    assert rule.objective is not None
    assert program.objective is not None, program.message
    return rule.objective, program.objective


def costs(name: str) -> set[tuple[float, str, str]]:
    """What a decision of a task is found to cost."""
    model = task_model(get_task(name))
    assert model is not None
    return {(part.weight, part.text, part.when) for part in model.cost.parts}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        # The sum of completion times: what a job takes delays all that are still to come.
        (
            "setup_times",
            {
                (1.0, "len(unfinished) * (processing[x])", "step"),
                (1.0, "len(unfinished) * (setup_matrix[last_job][x])", "step"),
            },
        ),
        ("open_shop", {(1.0, "max(job_free.values())", "after")}),
        ("bottleneck_assignment", {(1.0, "hours[job][x]", "peak")}),
        ("vertex_cover", {(1.0, "weights[x]", "step")}),
        ("parallel_makespan", {(1.0, "max(loads)", "after")}),
        ("three_index_assignment", {(1.0, "cost[x[0], x[1], day]", "step")}),
    ],
)
def test_the_objective_is_found_in_terms_of_the_decisions(name, parts) -> None:
    assert costs(name) == parts


@pytest.mark.integration
@pytest.mark.parametrize(
    ("name", "argument", "text"),
    [
        ("tour_with_windows", "clock", "max(clock + travel[here][x], windows[x][0])"),
        ("open_shop", "job_free", "{**job_free, x[0]: max(job_free[x[0]], machine_free[x[1]]) + durations[x]}"),
        ("maximal_covering", "demand", "{key: value for key, value in demand.items() if key not in reach[x]}"),
        ("linear_arrangement", "placed_links", "placed_links + links[x]"),
        ("parallel_makespan", "loads", "sorted([loads[0] + x, *loads[1:]])"),
        ("weighted_cut", "left", "[*left, x[0]] if x[1] == 0 else left"),
    ],
)
def test_what_a_decision_changes_is_found(name, argument, text) -> None:
    model = task_model(get_task(name))
    assert model is not None
    assert {each.argument: each.text for each in model.dynamics.updates}[argument] == text


@pytest.mark.integration
@pytest.mark.parametrize("name", ["server_moves", "secretary_queue", "repairman", "block_relocation"])
def test_what_comes_from_outside_can_not_be_played(name) -> None:
    """Requests, values and blocks are drawn by the instance; of priorities a program sees one alternative a call."""
    assert task_model(get_task(name)) is None
    assert "rollout" not in edits(task=get_task(name))


PLAYED = ("knapsack_construct", "set_cover_construct")
FOLLOWED = (*PLAYED, "cflp_construct", "qap_construct")


def test_tasks_of_the_paper_that_hide_nothing_have_a_model() -> None:
    assert sorted(name for name in task_names() if task_model(get_task(name)) is not None) == sorted(FOLLOWED)
    assert [name for name in FOLLOWED if Rollout.applies(get_task(name))] == list(PLAYED)


@pytest.mark.parametrize("name", PLAYED)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_a_model_that_is_written_down_says_what_happens(name, seed) -> None:
    task, random, calls = get_task(name), np.random.default_rng(seed), []
    model = task_model(task)
    assert model is not None

    def program(*arguments):
        shown = copy.deepcopy(dict(zip(task.arguments, arguments)))
        options = shown[model.options]
        if not options:
            return None
        shown["x"] = options[random.integers(len(options))]
        calls.append(shown)
        return arguments[task.arguments.index(model.options)][options.index(shown["x"])]

    instance = task.instances("holdout")[seed % 100]
    solution = task.rollout(program, instance)
    for before, later in pairwise(calls):
        assert {each.argument: eval(each.text, dict(before)) for each in model.dynamics.updates} == {
            argument: later[argument] for argument in task.arguments
        }
        assert not eval(model.last, dict(later))
    last = {each.argument: eval(each.text, dict(calls[-1])) for each in model.dynamics.updates}
    assert eval(model.last, dict(last)) or not last[model.options]
    (part,) = model.cost.parts
    assert sum(eval(part.text, dict(before)) for before in calls) == task.objective(instance, solution)


@pytest.mark.parametrize("name", PLAYED)
def test_the_reference_that_is_played_on_comes_near_the_optimum(name) -> None:
    """Less than a third of the way is left, on instances that nothing was chosen on."""
    task = get_task(name)
    model = task_model(task)
    assert model is not None
    text = written(task.template, task, model, 6, 200)
    assert text is not None
    rule, program = objectives(task, text, "holdout")
    assert abs(program - task.bounds["holdout"]) < abs(rule - task.bounds["holdout"]) / 3
    assert (program > rule) == (task.sense == "max")


@pytest.mark.integration
@pytest.mark.parametrize("name", ["setup_times", "weighted_cut", "maximal_covering", "feedback_arcs", "open_shop"])
def test_a_rule_that_is_played_on_is_a_better_program(name) -> None:
    """Of every kind of answer and of alternatives: arrays, pairs, dictionaries, scores, tuples."""
    task = get_task(name)
    model = task_model(task)
    assert model is not None
    text = written(task.template, task, model, 12, 200)
    assert text is not None
    check_signature(parse(text), task.function_name, len(task.arguments))
    assert plays_on(text)
    parts = played(text, task)
    assert parts is not None
    assert (parts.width, parts.depth) == (12, 200)
    assert written(parts.rule, task, model, 12, 200) == text
    rule, program = objectives(task, text, "search")
    sign = 1 if task.sense == "max" else -1
    assert sign * (program - rule) > 0.05 * abs(rule)


@pytest.mark.integration
@pytest.mark.parametrize("name", ["flow_shop", "max_cut", "graph_coloring"])
def test_the_examples_are_played_on(name) -> None:
    """Machines in a row, the better of two sides, the first color that no neighbour has."""
    task = get_task(str(EXAMPLES / f"{name}.py"))
    model = task_model(task)
    assert model is not None
    assert model.cost.explained > 0.999
    text = written(task.template, task, model, 8, 200)
    assert text is not None
    rule, program = objectives(task, text, "search")
    assert (program > rule) == (task.sense == "max")


class OddNames(SimpleTask):
    """Jobs in order, the sum of weighted completion times; arguments have the names that a program would like."""

    name = "odd_names"
    sense = "min"
    problem_class = "scheduling"
    description = "Return the next job, one of `left`, so that the weighted completion times add up to little."
    template = '''\
def rule(left, total, best, tried, value):
    """The first job."""
    return left[0]
'''
    alternatives = "left"
    splits = make_splits(search={"count": 8, "jobs": 12, "calls": 12}, holdout={"count": 8, "jobs": 16, "calls": 16})

    def draw(self, random, jobs):
        return {"times": random.randint(1, 30, jobs), "weights": random.randint(1, 10, jobs)}

    def construct(self, program, instance):
        times, weights = instance["times"].tolist(), instance["weights"].tolist()
        left, now, order = list(range(len(times))), 0, []
        while left:
            job = self.ask(program, list(left), now, list(times), list(weights), len(left))
            left.remove(job)
            now += times[job]
            order.append(job)
        return order

    def objective(self, instance, solution):
        now = total = 0
        for job in check_permutation(solution, len(instance["times"])):
            now += int(instance["times"][job])
            total += now * int(instance["weights"][job])
        return float(total)


class LateJobs(OddNames):
    """Jobs in order on one machine; each costs its weight for every unit that it ends after its due date."""

    name = "late_jobs"
    template = '''\
def next_job(waiting, now, lengths, due, urgency):
    """The job that is due first."""
    return min(waiting, key=lambda job: due[job])
'''
    alternatives = "waiting"

    def draw(self, random, jobs):
        times = random.randint(1, 30, jobs)
        return {
            "times": times,
            "due": random.randint(1, int(times.sum()), jobs),
            "weights": random.randint(1, 10, jobs),
        }

    def construct(self, program, instance):
        lists = [instance[key].tolist() for key in ("times", "due", "weights")]
        waiting, now, order = list(range(len(lists[0]))), 0, []
        while waiting:
            job = self.ask(program, list(waiting), now, *map(list, lists))
            waiting.remove(job)
            now += lists[0][job]
            order.append(job)
        return order

    def objective(self, instance, solution):
        now = total = 0
        for job in check_permutation(solution, len(instance["times"])):
            now += int(instance["times"][job])
            total += int(instance["weights"][job]) * max(0, now - int(instance["due"][job]))
        return float(total)


def test_what_is_late_costs_its_weight() -> None:
    model = task_model(LateJobs())
    assert model is not None
    assert model.cost.explained > 0.999
    (part,) = model.cost.parts
    assert (part.weight, part.text) == (1.0, "(urgency[x]) * max(0, now + lengths[x] - due[x])")


class ClosedTour(OddNames):
    """A tour from place 0 over all places and back; the matrix is a nested list that never changes."""

    name = "closed_tour"
    template = '''\
def next_place(here, left, travel):
    """The first place."""
    return left[0]
'''

    def draw(self, random, jobs):
        places = random.rand(jobs + 1, 2)
        return np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))

    def construct(self, program, instance):
        here, left, tour = 0, list(range(1, len(instance))), []
        while left:
            here = self.ask(program, here, list(left), instance.tolist())
            left.remove(here)
            tour.append(here - 1)
        return tour

    def objective(self, instance, solution):
        tour = [0, *(entry + 1 for entry in check_permutation(solution, len(instance) - 1)), 0]
        return float(sum(instance[one, two] for one, two in pairwise(tour)))


def test_the_way_back_is_part_of_the_cost() -> None:
    model = task_model(ClosedTour())
    assert model is not None
    assert {(part.weight, part.text, part.when) for part in model.cost.parts} == {
        (1.0, "travel[here][x]", "step"),
        (1.0, "travel[here][0]", "after"),
    }


def test_names_of_arguments_say_nothing_and_stand_in_nobodys_way() -> None:
    task = OddNames()
    model = task_model(task)
    assert model is not None
    assert {(each.argument, each.text) for each in model.dynamics.updates} == {
        ("left", "[each for each in left if each != x]"),
        ("total", "total + best[x]"),
        ("value", "value - 1"),
    }
    assert model.cost.explained > 0.999
    text = written(task.template, task, model, 4, 200)
    assert text is not None
    results = [played_through(task, source) for source in (task.template, text)]
    assert results[1] < results[0]


def played_through(task: Task, source: str) -> float:
    """The mean objective of a program in this process."""
    program = load_function(source, task.function_name, len(task.arguments))
    instances = list(task.generate(task.splits["search"]))
    return float(np.mean([task.objective(each, task.rollout(program, each)) for each in instances]))


def test_proposals_follow_from_the_generator_and_run() -> None:
    task = get_task("tour_with_windows")
    parent = Parent.of(task.template, "reference", 0.0)
    first, again = (
        [Rollout().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(12)] for _ in range(2)
    )
    assert first == again
    proposals = [each for each in first if each is not None]
    assert len(proposals) > 8
    assert {each.operator for each in proposals} == {"rollout"}
    with Evaluator(task, workers=1) as evaluator:
        behaviours = evaluator.probe_many([each.source for each in proposals])
    assert all(each is not None and each.error_rate == 0 for each in behaviours)


def test_of_a_program_that_plays_on_the_rule_is_edited() -> None:
    task = get_task("tour_with_windows")
    model = task_model(task)
    assert model is not None
    text = written(task.template, task, model, 4, 20)
    assert text is not None
    parent = Parent.of(text, "reference, played on", 0.0)
    plain = Parent.of(task.template, "reference", -1.0)
    proposals = [Rollout().propose(parent, [parent, plain], task, np.random.default_rng(seed)) for seed in range(30)]
    parts = [played(each.source, task) for each in proposals if each is not None and each.parents == (parent.hash,)]
    assert len(parts) > 5
    for each in parts:
        assert each is not None
        assert (each.width, each.depth) == (4, 20)
        assert each.rule != task.template
        assert not plays_on(each.rule)


def test_a_task_whose_code_fails_has_no_model() -> None:
    class Broken(OddNames):
        name = "broken"

        def construct(self, program, instance):
            raise ZeroDivisionError

    assert task_model(Broken()) is None


NOTHING_TOLD = """
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class Doors(SimpleTask):
    name = "doors"
    sense = "min"
    problem_class = "assignment"
    description = "Doors without a sign."
    template = "def choose(doors):\\n    return doors[0]\\n"
    alternatives = "doors"
    splits = make_splits(search={"count": 2}, holdout={"count": 2})

    def draw(self, random):
        return random.randint(1000, size=3).tolist()

    def construct(self, program, instance):
        return [["l", "m", "r"].index(self.ask(program, ["l", "m", "r"]))]

    def objective(self, instance, solution):
        door, = check_ids(solution, 1, 3)
        return float(instance[door])


TASK = Doors()
"""


@pytest.mark.integration
def test_check_task_says_what_rules_may_be_made_of(capsys, tmp_path) -> None:
    assert main(["check-task", str(EXAMPLES / "flow_shop.py")]) == 0
    assert "a rule may say of a choice x:\n  processing_times[x][0]\n" in capsys.readouterr().out
    assert main(["check-task", "--json", str(ZOO / "open_shop.py")]) == 0
    assert "durations[x]" in json.loads(capsys.readouterr().out)["words"]
    assert main(["check-task", str(ZOO / "bin_covering.py")]) == 0
    shown = capsys.readouterr().out
    assert "a rule may say:\n  size\n" in shown
    assert "they see one alternative a call" in shown
    (tmp_path / "doors.py").write_text(NOTHING_TOLD)
    main(["check-task", str(tmp_path / "doors.py")])
    assert "no number in the arguments tells alternatives apart" in capsys.readouterr().out


@pytest.mark.integration
def test_check_task_says_what_was_learned(capsys) -> None:
    assert main(["check-task", str(EXAMPLES / "flow_shop.py")]) == 0
    shown = capsys.readouterr().out
    assert "remaining_jobs becomes remaining_jobs[remaining_jobs != x]" in shown
    assert "+1 * max(machine_ready) (of what there is at the end)" in shown
    assert main(["check-task", "--json", str(ZOO / "vector_bin_packing.py")]) == 0
    learned = json.loads(capsys.readouterr().out)["learned"]
    assert learned["played"] is False
    assert learned["missing"] == ["fitting"]
    assert main(["check-task", "--json", str(ZOO / "repairman.py")]) == 0
    assert json.loads(capsys.readouterr().out)["learned"] is None
