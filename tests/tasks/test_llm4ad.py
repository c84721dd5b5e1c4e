"""A task in the format of LLM4AD is evaluated from its file, in the sandbox."""

from __future__ import annotations

import json

import pytest

from lhs_hf.cli import main
from lhs_hf.evaluation import Evaluator
from lhs_hf.tasks import get_task
from lhs_hf.tasks.check import check_task_file

FILE = '''
import numpy as np
from lhs_hf.tasks.llm4ad import LLM4ADTask


class Packing:
    template_program = """import numpy as np

def priority(item: float, bins: np.ndarray) -> np.ndarray:
    \\"\\"\\"First fit.\\"\\"\\"
    return np.zeros(len(bins))
"""
    task_description = "Rate each bin for an item; it goes into the best."
    timeout_seconds = 5

    def evaluate_program(self, program_str, callable_func):
        assert "def priority" in program_str
        random = np.random.RandomState(1)
        bins = np.full(60, 100.0)
        for item in random.randint(10, 60, 60):
            fits = np.flatnonzero(bins >= item)
            bins[fits[np.argmax(callable_func(item, bins[fits]))]] -= item
        return -float((bins < 100).sum())


TASK = LLM4ADTask("their_packing", Packing(), problem_class="packing")
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "their_packing.py"
    path.write_text(FILE)
    return path


def test_programs_are_scored_and_failures_named(file) -> None:
    with Evaluator(str(file)) as evaluator:
        first_fit = evaluator.evaluate(evaluator.task.template)
        worst = evaluator.evaluate("def priority(item, bins):\n    return bins\n")
        nan = evaluator.evaluate("def priority(item, bins):\n    return 1 / 0\n")
        assert evaluator.probe("def priority(item, bins):\n    return -bins\n").error_rate == 0
    assert first_fit.ok
    assert worst.ok
    assert worst.score < first_fit.score == first_fit.objective
    assert nan.status == "exception"


def test_the_check_passes_and_probes_are_calls_of_the_template(file) -> None:
    assert check_task_file(file) == []
    task = get_task(str(file))
    assert len(task.probes) == 64
    assert task.alpha == 1


@pytest.mark.integration
def test_a_search_runs_from_the_file(file, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    capsys.readouterr()
    assert main(["search", str(file), "--budget", "8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0 < found["decoder_calls"] <= 8
    assert found["objective"] >= found["reference_objective"]
