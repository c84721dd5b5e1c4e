"""Each metric gives the value worked out by hand, through `evaluate.load` without a network; reports use the same."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from lhs_hf.errors import CallError
from lhs_hf.metrics import METRICS, best_objective_at_budget, metric_folder, success_rate, true_ascents
from lhs_hf.reporting.run_report import ascent_pairs
from lhs_hf.search.database import Candidate
from lhs_hf.search.result import gap
from lhs_hf.tasks import get_task


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Any:
    cache = tmp_path_factory.mktemp("evaluate")
    loaded = {name: evaluate.load(metric_folder(name), cache_dir=str(cache)) for name in METRICS}
    return loaded.__getitem__


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a metric opened a connection")

    monkeypatch.setattr("socket.socket.connect", refuse)


# What goes in, and what is worked out by hand.
CASES = [
    # 3 of 4 are ok; the screened one was never judged.
    ("success_rate", {"predictions": ["ok", "timeout", "ok", "screened", "ok"]}, 3 / 4),
    ("success_rate", {"predictions": ["screened"]}, 0.0),
    # The first three calls hold 9, failed, 7; the 5 comes too late.
    ("best_objective_at_budget", {"predictions": [9.0, None, 7.0, 5.0], "sense": "min", "budget": 3}, 7.0),
    ("best_objective_at_budget", {"predictions": [9.0, None, 7.0, 5.0], "sense": "min"}, 5.0),
    ("best_objective_at_budget", {"predictions": [9.0, None, 12.0], "sense": "max", "budget": 2}, 9.0),
    ("best_objective_at_budget", {"predictions": [None, 3.0], "sense": "max", "budget": 1}, None),
    # (12 - 10) / 10 = 20 %, (5 - 4) / 4 = 25 %: 22.5 % on average; without an optimum there is no gap.
    (
        "gap_to_optimum",
        {"predictions": [12.0, 5.0, 1.0, None], "references": [10.0, 4.0, 0.0, 3.0], "sense": "min"},
        22.5,
    ),
    # A maximum of -8 that should be -5 is 3 short: 60 %.
    ("gap_to_optimum", {"predictions": [-8.0], "references": [-5.0], "sense": "max"}, 60.0),
    ("gap_to_optimum", {"predictions": [-8.0], "references": [0.0], "sense": "max"}, None),
    # From 10 to 6: 0, 1/4, 1/4, 3/4 of the way; the call without an incumbent counts 0.
    (
        "area_under_convergence",
        {"predictions": [None, 10.0, 9.0, 9.0, 7.0], "reference": 10.0, "optimum": 6.0},
        (0 + 0 + 0.25 + 0.25 + 0.75) / 5,
    ),
    # Maximisation: from 0 to 4 the incumbents 1, 4 are 1/4 and all of the way.
    ("area_under_convergence", {"predictions": [1.0, 4.0], "reference": 0.0, "optimum": 4.0}, 0.625),
    ("area_under_convergence", {"predictions": [1.0], "reference": 2.0, "optimum": 2.0}, None),
    # Ranks 1 2 3 4 and 1 3 2 4: 1 - 6 * (1 + 1) / (4 * 15) = 0.8.
    ("surrogate_spearman", {"predictions": [0.1, 0.2, 0.3, 9.0], "references": [-9.0, -2.0, -3.0, -1.0]}, 0.8),
    # A tie: ranks 0 1.5 1.5 3 against 0 1 2 3 have covariance 4.5 and variances 4.5 and 5.
    ("surrogate_spearman", {"predictions": [1.0, 2.0, 2.0, 5.0], "references": [1.0, 2.0, 3.0, 4.0]}, math.sqrt(0.9)),
    ("surrogate_spearman", {"predictions": [1.0, 1.0], "references": [1.0, 2.0]}, 0.0),
    # Better, equal, worse, better; a failed program or parent is no pair.
    (
        "true_ascent_rate",
        {"predictions": [2.0, 1.0, 0.0, 5.0, None, 7.0], "references": [1.0, 1.0, 1.0, 4.0, 1.0, None]},
        2 / 4,
    ),
    ("true_ascent_rate", {"predictions": [None], "references": [1.0]}, 0.0),
]


@pytest.mark.parametrize(("name", "inputs", "expected"), CASES)
def test_a_metric_gives_the_value_worked_out_by_hand(
    load: Any, name: str, inputs: dict[str, Any], expected: float | None
) -> None:
    result = load(name).compute(**inputs)
    assert result.keys() == {name}
    assert result[name] == (None if expected is None else pytest.approx(expected, rel=1e-12))


def test_every_metric_has_a_case_and_says_what_it_is(load: Any) -> None:
    assert {name for name, _, _ in CASES} == set(METRICS)
    for name in METRICS:
        assert "Returns:" in load(name).inputs_description
        assert len(load(name).description) > 40
        assert [path.name for path in Path(metric_folder(name)).glob("*.py")] == [f"{name}.py"]


def test_wrong_calls_say_what_exists() -> None:
    with pytest.raises(CallError, match=r"unknown metric 'sucess_rate' \(did you mean 'success_rate'\?\)"):
        metric_folder("sucess_rate")
    with pytest.raises(CallError, match=r"unknown sense 'less'.*min, max"):
        best_objective_at_budget([1.0], sense="less")
    with pytest.raises(CallError, match="a budget is a number of decoder calls, got -1"):
        best_objective_at_budget([1.0], sense="min", budget=-1)
    with pytest.raises(CallError, match="2 values on one side, but 1 on the other"):
        true_ascents([1.0, 2.0], [1.0])


def test_what_reports_read_off_candidates() -> None:
    def candidate(number: int, status: str, score: float | None, parent: int | None) -> Candidate:
        return Candidate(id=number, round=1, role="search", program="", status=status, score=score, parent=parent)

    candidates = [
        candidate(0, "ok", -5.0, None),
        candidate(1, "ok", -4.0, 0),
        candidate(2, "exception", None, 0),
        candidate(3, "ok", -6.0, 1),
        candidate(4, "ok", -1.0, 2),
    ]
    assert true_ascents(*ascent_pairs(candidates)) == (1, 2)
    assert success_rate([candidate.status for candidate in candidates]) == 0.8
    assert gap(get_task("tsp_construct"), 6.6, 6.0) == pytest.approx(10.0)
    assert gap(get_task("knapsack_construct"), 90.0, 100.0) == pytest.approx(10.0)
    assert np.isclose(gap(get_task("admissible_set"), -3.0, -2.0), 50.0)


def test_metrics_need_no_search() -> None:
    code = "import sys, lhs_hf.metrics; print([name for name in sys.modules if name.startswith('lhs_hf.')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "lhs_hf.metrics" in loaded
    assert "lhs_hf.search" not in loaded
    assert "lhs_hf.evaluation" not in loaded
