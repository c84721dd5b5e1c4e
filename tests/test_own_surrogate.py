"""Only the surrogate is trained: from a person's own programs, for the model that ships, and used by a search."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import torch

from lhs_hf import LHSSurrogate
from lhs_hf.cli import main
from lhs_hf.constants import embedded_model
from lhs_hf.errors import CallError
from lhs_hf.search.components import load_components
from lhs_hf.tasks import get_task

RULE = """def select_next_job(waiting_jobs, now, lengths, weights):
    best = None
    best_value = 1e18
    for job in waiting_jobs:
        value = {a} * lengths[job] - {b} * weights[job]
        if value < best_value:
            best = job
            best_value = value
    return best
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A task file and a corpus of 30 scored programs of it."""
    folder = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LHS_HF_CACHE", str(folder / "cache"))
        patch.chdir(folder)
        assert main(["init-task", "my_jobs"]) == 0
        lines = [json.dumps({"program": RULE.format(a=n % 6 - 2, b=n // 6 + 0.5)}) for n in range(30)]
        lines += [lines[0], json.dumps({"program": "def select_next_job(a, b, c, d):\n    return None\n"})]
        (folder / "programs.jsonl").write_text("\n".join(lines))
        assert main(["corpus", "score", "my_jobs.py", "programs.jsonl", "--output", "mine", "--workers", "1"]) == 0
    return folder


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def test_a_surrogate_is_trained_and_nothing_else_changes(place, monkeypatch, capsys) -> None:
    monkeypatch.chdir(place)
    before = _digest(embedded_model())
    assert main(["train", "surrogate", "my_jobs.py", "--corpus", "mine", "--output", "trained"]) == 0
    assert "--surrogate trained" in capsys.readouterr().out
    assert _digest(embedded_model()) == before
    report = json.loads((place / "trained" / "surrogate_report.json").read_text())
    assert (report["train"] + report["validation"], report["validation"]) == (30, 6)
    task = get_task("my_jobs.py")
    components = load_components("lhs-tiny", task, surrogate="trained")
    assert components.fitted
    points = torch.randn(4, 128, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        assert torch.equal(components.score(points), LHSSurrogate.from_pretrained("trained").eval()(points).score)
    with pytest.raises(CallError, match="tsp_construct"):
        load_components("lhs-tiny", get_task("tsp_construct"), surrogate="trained")
    with pytest.raises(CallError, match="space"):
        load_components("lhs-tiny", task, "latent", surrogate="trained")


def test_wrong_calls_are_named(place, monkeypatch, capsys) -> None:
    monkeypatch.chdir(place)
    assert main(["train", "surrogate", "my_jobs.py"]) == 2
    assert "corpus score my_jobs.py" in capsys.readouterr().err
    assert main(["train", "surrogate", "my_jobs.py", "--corpus", "nowhere"]) == 2
    assert main(["train", "surrogate", "my_jobs.py", "--corpus", "mine", "--preset", "smoke"]) == 2
    (place / "bad.jsonl").write_text('{"text": 1}\n')
    assert main(["corpus", "score", "my_jobs.py", "bad.jsonl"]) == 2
    assert "line 1" in capsys.readouterr().err


def test_without_a_surrogate_one_is_fitted_to_what_is_found(place, monkeypatch) -> None:
    monkeypatch.chdir(place)
    task = get_task("my_jobs.py")
    components = load_components("lhs-tiny", task)
    assert not components.fitted
    points = torch.randn(12, 128, generator=torch.Generator().manual_seed(0))
    scores = points[:, 0].double().numpy()
    learned = components.refit(points, scores, task, seed=0)
    assert learned.fitted
    with torch.no_grad():
        better, worse = learned.score(points[scores.argmax()][None]), learned.score(points[scores.argmin()][None])
    assert float(better) > float(worse)
    assert not components.refit(points, 0 * scores, task, seed=0).fitted


@pytest.mark.slow
def test_from_init_task_to_a_better_program(place, monkeypatch, capsys) -> None:
    monkeypatch.chdir(place)
    capsys.readouterr()
    assert main(["search", "my_jobs.py", "--budget", "60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["objective"] < found["reference_objective"]
    assert found["success_rate"] >= 0.3
