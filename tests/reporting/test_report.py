"""The report of a run: found beside reference as a picture, and what it says where there is none."""

from __future__ import annotations

import contextlib
import json

import pytest
from search_doubles import Parts

from lhs_hf.cli import main
from lhs_hf.evaluation import Evaluation, Evaluator, SandboxError
from lhs_hf.program_files import programs_in
from lhs_hf.reporting import pareto
from lhs_hf.reporting.pareto import pareto_front
from lhs_hf.reporting.run_report import report_run, typical_instance
from lhs_hf.search.database import Candidate
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

TASK = "knapsack_construct"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "run"
    task = get_task("knapsack_construct")
    run_search(task, SearchSettings.from_preset("latent", budget=6), components=Parts(), output=folder, workers=1)
    return folder


@pytest.mark.integration
def test_a_report_embeds_found_beside_reference(run, capsys) -> None:
    assert main(["report", str(run)]) == 0
    text = capsys.readouterr().out
    assert "## Found beside reference" in text
    assert "](solutions.png)" in text
    assert "![Knapsack, constructive, instance" in text
    assert "![Convergence curve: after 6 decoder calls" in text
    for name in ("solutions.png", "convergence.png"):
        assert (run / name).read_bytes().startswith(b"\x89PNG")


def test_a_report_says_why_it_has_no_picture(run, monkeypatch) -> None:
    def fail(*_, **__):
        raise SandboxError("no process can be had")

    monkeypatch.setattr(Evaluator, "solve", fail)
    text, written = report_run(run)
    assert "No picture of the solutions: no process can be had" in text
    assert "solutions.png" not in text
    assert [path.name for path in written] == ["report.md", "convergence.png", "front.jsonl"]


@pytest.mark.integration
def test_the_front_holds_what_nothing_else_is_better_and_quicker_than(run) -> None:
    text, _ = report_run(run)
    assert "## Objective and runtime" in text
    front = [json.loads(line) for line in (run / "front.jsonl").read_text().splitlines()]
    assert front
    assert [each["seconds"] for each in front] == sorted(each["seconds"] for each in front)
    assert [each["objective"] for each in front] == sorted(each["objective"] for each in front)  # more is better
    with Evaluator(TASK) as evaluator:
        assert [evaluator.evaluate(each["program"]).objective for each in front] == [
            each["objective"] for each in front
        ]
    # It is a file of programs that the next search may begin with.
    assert len(programs_in(run / "front.jsonl")) == len(front)


def test_a_slow_program_that_is_better_and_a_quick_one_that_is_worse_stand_on_the_front() -> None:
    task = get_task(TASK)
    greedy = (
        "def select_next_item(remaining_capacity, remaining_items):\n"
        "    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]\n"
        "    {slow}return max(fitting, key=lambda item: item[1] / item[0], default=None)\n"
    )
    worst = greedy.replace("item[1] / item[0]", "-item[1]")
    wait = "sum(range(20000)); "
    texts = [task.template, greedy.format(slow=wait), worst.format(slow=""), worst.format(slow=wait)]
    with Evaluator(task, workers=1) as evaluator:
        results = [evaluator.evaluate(text) for text in texts]
    candidates = [
        Candidate(at, 0, "search", text, None, status="ok", objective=each.objective, runtime_s=each.runtime_s)
        for at, (text, each) in enumerate(zip(texts, results))
    ]
    numbers = [point.candidate.id for point in pareto_front(task, candidates)]
    assert 3 not in numbers
    best = max(results[:2], key=lambda each: each.objective)
    assert numbers[-1] == results.index(best)


def test_a_program_whose_objective_is_zero_can_stand_on_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    task = get_task(TASK)
    known = {task.template: Evaluation("ok", objective=200.0, runtime_s=1.0)}
    known["nothing"] = Evaluation("ok", objective=0.0, runtime_s=0.1)

    class Known(contextlib.nullcontext):
        def evaluate(self, source: str) -> Evaluation:
            return known[source]

        def __enter__(self) -> Known:
            return self

    monkeypatch.setattr(pareto, "Evaluator", lambda *_, **__: Known())
    candidates = [
        Candidate(at, at, "search", text, status="ok", objective=each.objective, runtime_s=each.runtime_s)
        for at, (text, each) in enumerate(known.items())
    ]
    assert [point.candidate.id for point in pareto_front(task, candidates)] == [1, 0]


@pytest.mark.integration
def test_a_task_whose_solutions_nobody_draws_is_reported_without(tmp_path, capsys) -> None:
    settings = SearchSettings.from_preset(budget=2)
    run_search(get_task("vertex_cover"), settings, output=tmp_path / "run", workers=1)
    assert main(["report", str(tmp_path / "run")]) == 0
    text = capsys.readouterr().out
    assert "none is known for this task" in text
    assert (tmp_path / "run" / "convergence.png").exists()
    assert not (tmp_path / "run" / "solutions.png").exists()


def test_the_instance_drawn_is_the_one_of_the_median_gain() -> None:
    task = get_task("knapsack_construct")
    reference = Candidate(0, 0, "reference", "a", status="ok", score=2.0, objectives=(1.0, 2.0, 3.0))
    better = Candidate(1, 1, "search", "b", status="ok", score=5.0, objectives=(9.0, 2.5, 3.0))
    assert typical_instance(task, [reference, better]) == 1
    assert typical_instance(task, [Candidate(0, 0, "reference", "a")]) == 0
