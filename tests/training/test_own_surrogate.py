"""Only the surrogate is trained: from a person's own programs, for the model that ships, and used by a search."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from lhs_hf import LHSSurrogate
from lhs_hf.cli import main
from lhs_hf.constants import embedded_model
from lhs_hf.errors import CallError
from lhs_hf.search.components import load_components
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration

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
    trained = _digest(place / "trained")
    for change, told in (
        (["--seed", "1"], "seed 0, not 1"),
        (["--space", "latent"], "settings.space prior, not latent"),
    ):
        again = ["train", "surrogate", "my_jobs.py", "--corpus", "mine", "--output", "trained", *change]
        assert main(again) == 2
        error = capsys.readouterr().err
        assert "trained was begun with" in error
        assert told in error
    assert _digest(place / "trained") == trained
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


def test_programs_that_the_encoder_has_no_words_for_are_left_out(place, monkeypatch, capsys) -> None:
    monkeypatch.chdir(place)
    unread = RULE.replace("    best = None", "    text = bin(len(waiting_jobs))\n    best = None").format(a=1, b=1.0)
    plain = [json.dumps({"program": RULE.format(a=n % 6 - 2, b=n // 6 + 0.5)}) for n in range(30)]
    Path("some.jsonl").write_text("\n".join([*plain, json.dumps({"program": unread})]))
    assert main(["corpus", "score", "my_jobs.py", "some.jsonl", "--output", "some", "--workers", "1"]) == 0
    assert main(["train", "surrogate", "my_jobs.py", "--corpus", "some", "--output", "of-some"]) == 0
    assert "left out: 1," in capsys.readouterr().out
    report = json.loads(Path("of-some/surrogate_report.json").read_text())
    assert (report["train"] + report["validation"], report["unreadable"]) == (30, 1)

    lines = [json.dumps({"program": unread.replace("1.0", f"{n}.0")}) for n in range(30)]
    Path("none.jsonl").write_text("\n".join(lines))
    assert main(["corpus", "score", "my_jobs.py", "none.jsonl", "--output", "none", "--workers", "1"]) == 0
    assert main(["train", "surrogate", "my_jobs.py", "--corpus", "none", "--output", "of-none"]) == 2
    assert "0 training and 0 validation programs" in capsys.readouterr().err


def test_an_encoder_that_lies_elsewhere_is_named_by_hand(place, monkeypatch, capsys) -> None:
    """A pair trained from folders of this machine names them: a model may not choose what is read, a person may."""
    monkeypatch.chdir(place)
    shutil.copytree(embedded_model(), "pair")
    config = json.loads(Path("pair/config.json").read_text())
    Path("pair/config.json").write_text(json.dumps({**config, "encoder": str(embedded_model() / "encoder")}))
    command = ["train", "surrogate", "my_jobs.py", "--corpus", "mine", "--model", "pair", "--output", "of-pair"]
    assert main(command) == 2
    assert "--encoder" in capsys.readouterr().err
    assert main([*command, "--encoder", str(embedded_model() / "encoder")]) == 0
    assert LHSSurrogate.from_pretrained("of-pair").config.task == "my_jobs"


def test_wrong_calls_are_named(place, monkeypatch, capsys) -> None:
    monkeypatch.chdir(place)
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
def test_the_tutorial_ends_with_a_better_program_in_ten_minutes(tmp_path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "own_task.md").read_text(encoding="utf-8")
    tutorial = page.split("<!-- tutorial:begin -->")[1].split("<!-- tutorial:end -->")[0]
    # The commands of the interpreter that runs the tests, and nothing that an earlier run remembers.
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": scripts, "LHS_HF_CACHE": str(tmp_path / "cache")}
    started = time.monotonic()
    printed = []
    for language, block in re.findall(r"```(bash|python)\n(.*?)```", tutorial, flags=re.DOTALL):
        lines = [block] if language == "python" else block.strip().splitlines()
        for line in lines:
            json_too = " --json" if " search " in line else ""
            command = [sys.executable, "-c", line] if language == "python" else ["bash", "-c", line + json_too]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            printed.append(done.stdout)
    seconds = time.monotonic() - started
    found = json.loads(printed[-1])
    print(f"{seconds:.0f} s, {found['success_rate']:.0%} valid, {found['reference_objective']} -> {found['objective']}")
    assert found["objective"] < found["reference_objective"]
    assert found["success_rate"] >= 0.3
    assert (tmp_path / "trained" / "model.safetensors").is_file()
    assert seconds < 600


@pytest.mark.slow
def test_a_search_without_programs_learns_as_it_goes(place, monkeypatch, capsys) -> None:
    monkeypatch.chdir(place)
    capsys.readouterr()
    assert main(["search", "my_jobs.py", "--budget", "60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["objective"] < found["reference_objective"]
    assert found["success_rate"] >= 0.3
