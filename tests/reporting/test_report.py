"""The report of a run: found beside reference as a picture, and what it says where there is none."""

from __future__ import annotations

import pytest
from search_doubles import Parts

from lhs_hf.cli import main
from lhs_hf.evaluation import Evaluator, SandboxError
from lhs_hf.reporting.run_report import report_run, typical_instance
from lhs_hf.search.database import Candidate
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "run"
    task = get_task("knapsack_construct")
    run_search(task, SearchSettings.from_preset("latent", budget=6), components=Parts(), output=folder, workers=1)
    return folder


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
    assert [path.name for path in written] == ["report.md", "convergence.png"]


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
