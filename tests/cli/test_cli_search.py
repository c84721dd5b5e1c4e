"""`lhs-hf search`, `report` and `doctor` with the model that ships."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lhs_hf.cli import main
from lhs_hf.evaluation import LEVELS
from lhs_hf.search.database import RunDatabase

ENVIRONMENT = {**os.environ, "HF_HUB_OFFLINE": "1"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """What the best of the corpus comes to on every split is measured once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch, cache):
    monkeypatch.setenv("LHS_HF_CACHE", str(cache))
    monkeypatch.chdir(tmp_path)


QUICK = "admissible_set"
"""Its splits take a second to evaluate, those of the knapsack task six."""


def _search(capsys, *arguments: str, task: str = "knapsack_construct") -> tuple[int, dict]:
    status = main(["search", task, "--json", *arguments])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.integration
def test_a_search_prints_one_object_and_leaves_a_run_that_reports(capsys, tmp_path) -> None:
    status, result = _search(capsys, "--preset", "latent", "--budget", "12", "--output", "run")
    assert status == 0
    expected = {
        "task", "objective", "score", "program", "reference_objective", "best_in_corpus", "success_rate",
        "candidates", "decoder_calls", "tokens", "test", "output",
    }  # fmt: skip
    assert expected <= result.keys()
    assert result["decoder_calls"] == result["candidates"] == 12
    assert result["reference_objective"] == 234.25
    assert result["objective"] >= 234.25
    assert result["best_in_corpus"] > 234.25
    assert set(result["test"]) == {"test-uncorrelated", "test-weakly", "test-strongly", "holdout"}
    assert len(result["history"]) == 12
    assert (tmp_path / "run" / "best.py").read_text() == result["program"]
    assert main(["report", "run"]) == 0
    text = capsys.readouterr().out
    assert "best in corpus" in text
    assert "| holdout |" in text
    assert "- area under the convergence curve: 0." in text
    assert "- surrogate at the decoded points: Spearman " in text
    assert (tmp_path / "run" / "report.md").exists()
    figure = (tmp_path / "run" / "convergence.png").read_bytes()
    assert figure.startswith(b"\x89PNG")


@pytest.mark.integration
def test_the_found_program_scores_what_the_search_said(capsys, tmp_path) -> None:
    _, result = _search(capsys, "--budget", "12", "--output", "run")
    for split, objective in {"search": result["objective"], **result["test"]}.items():
        assert main(["evaluate", "knapsack_construct", "run/best.py", "--split", split, "--json", "--no-cache"]) == 0
        assert json.loads(capsys.readouterr().out)["objective"] == objective


def test_one_seed_one_result(capsys) -> None:
    _, first = _search(capsys, "--budget", "6", "--seed", "4", "--output", "a", task="set_cover_construct")
    _, second = _search(capsys, "--budget", "6", "--seed", "4", "--output", "b", task="set_cover_construct")
    different = {"output", "runtime_s", "runtime", "private_holdout", "conclusion"}
    assert {k: v for k, v in first.items() if k not in different} == {
        k: v for k, v in second.items() if k not in different
    }


@pytest.mark.integration
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--space", "latent"], marks=pytest.mark.slow),
        pytest.param(["--optimizer", "interpolation"], marks=pytest.mark.slow),
        ["--preset", "paper"],
    ],
)
def test_ablations_run(capsys, options) -> None:
    status, result = _search(capsys, "--budget", "12", *options, task=QUICK)
    assert (status, result["decoder_calls"]) == (0, 12)


@pytest.mark.integration
def test_a_search_from_the_corpus_starts_where_the_corpus_ends(capsys) -> None:
    status, result = _search(capsys, "--preset", "latent", "--budget", "6", "--init", "corpus")
    assert (status, result["decoder_calls"]) == (0, 6)
    assert result["objective"] > result["reference_objective"]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "nowhere"], "tsp_construct"),
        (["search", "tsp_construct", "--preset", "quick"], "default, fast, latent, paper"),
        (["search", "tsp_construct", "--optimizer", "adam"], "gradient"),
        (["search", "tsp_construct", "--method", "eoh2"], "lhs"),
        (["search", "tsp_construct", "--model", "nowhere"], "lhs-tiny"),
        (["search", "tsp_construct", "--model", "."], "config.json"),
        (["search", "tsp_construct", "--budget", "0"], "at least 1"),
        (["search", "tsp_construct", "--resume"], "no run to resume"),
        (["search", "tsp_construct", "--resume", "--output", "nowhere"], "no run to resume"),
        (["report", "nowhere"], "run.sqlite"),
        (["train", "flow", "--task", "nowhere"], "tsp_construct"),
        (["train", "flow", "--corpus", "nowhere"], "no such corpus"),
        (["train", "flow", "--preset", "huge"], "lhs-tiny, text-only, smoke"),
        (["corpus", "stats", "--corpus", "nowhere"], "corpus build"),
        (["corpus", "score", "tsp_construct", "nowhere.py"], "no such file"),
    ],
)
def test_wrong_calls_say_what_exists_in_one_line(capsys, arguments, message) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.integration
def test_a_run_is_never_overwritten_by_mistake(capsys) -> None:
    _search(capsys, "--budget", "2", "--output", "run", task=QUICK)
    assert main(["search", QUICK, "--budget", "2", "--output", "run"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main(["search", QUICK, "--budget", "2", "--seed", "9", "--output", "run", "--resume"]) == 2
    assert "seed=0" in capsys.readouterr().err


@pytest.mark.integration
def test_default_run_folders_do_not_collide(capsys) -> None:
    first = _search(capsys, "--budget", "2", task=QUICK)[1]["output"]
    second = _search(capsys, "--budget", "2", task=QUICK)[1]["output"]
    assert first != second
    assert Path(first).is_dir()
    assert Path(second).is_dir()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory) -> dict:
    """The result of a search that nothing interrupts."""
    from transformers import pipeline

    folder = tmp_path_factory.mktemp("uninterrupted") / "run"
    return pipeline("latent-heuristic-search")(QUICK, preset="latent", budget=14, output=folder)


@pytest.mark.integration
@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL])
def test_an_interrupted_search_keeps_candidates_and_resumes_to_the_budget(
    capsys, tmp_path, number, uninterrupted
) -> None:
    command = [
        sys.executable, "-m", "lhs_hf", "search", QUICK, "--preset", "latent", "--budget", "14",
        "--output", "run", "--json",
    ]  # fmt: skip
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    database = tmp_path / "run" / "run.sqlite"
    deadline = time.monotonic() + 300
    kept = 0
    while kept < 5 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
        if database.exists():
            kept = sum(candidate.decoded for candidate in RunDatabase(database))
    process.send_signal(number)
    assert process.wait(timeout=120) == (1 if number == signal.SIGINT else -signal.SIGKILL)
    stored = {c.id: (c.program, c.objective) for c in RunDatabase(database) if c.decoded and c.ok}
    assert 5 <= sum(candidate.decoded for candidate in RunDatabase(database)) < 14
    status, result = _search(capsys, "--budget", "14", "--output", "run", "--resume", task=QUICK)
    assert (status, result["decoder_calls"]) == (0, 14)
    final = {c.id: (c.program, c.objective) for c in RunDatabase(database)}
    assert stored.items() <= final.items()
    assert (result["program"], result["history"]) == (uninterrupted["program"], uninterrupted["history"])


@pytest.mark.integration
def test_doctor_names_the_isolation_level(capsys) -> None:
    assert main(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["isolation"] in LEVELS
    assert facts["evaluation"] == "ok"
    assert main(["doctor"]) == 0
    assert LEVELS[facts["isolation"]] in capsys.readouterr().out
