"""A search and a training in a tracker of experiments: only where it is asked for, and on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lhs_hf.errors import CallError
from lhs_hf.search.watcher import Watcher
from lhs_hf.trackers import check_tracker, reporting_to, reports_to

SEARCH = """
import json, sys
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task
from pathlib import Path

name = sys.argv[1]
settings = SearchSettings.from_preset("latent", budget=3, population=3, guidance=False, max_new_tokens=64)
run_search(get_task("knapsack_construct"), settings, workers=1, output=Path("run"), report_to=name)
print(json.dumps([each for each in ("trackio", "tensorboard", "wandb", "gradio") if each in sys.modules]))
"""

TRAIN = """
import torch
from pathlib import Path
from lhs_hf.trackers import reporting_to
from lhs_hf.training.flow_config import FlowTrainingConfig
from lhs_hf.training.flow_trainer import train_flow

latents = torch.randn(80, 8, generator=torch.Generator().manual_seed(0))
settings = FlowTrainingConfig(steps=4, evaluate_every=2, batch_size=16)
with reporting_to("trackio"):
    train_flow(latents[:60], latents[60:], settings, Path("flow"), progress=False)
"""

READ = """
import json, sqlite3, sys
from pathlib import Path
[path] = Path(sys.argv[1]).glob("lhs_hf*.db")
rows = sqlite3.connect(path).execute("SELECT metrics FROM metrics ORDER BY id").fetchall()
print(json.dumps([json.loads(row[0]) for row in rows]))
"""


def python(code: str, folder: Path, *arguments: str) -> str:
    environment = {
        **os.environ,
        "LHS_HF_CACHE": str(folder / "cache"),
        "TRACKIO_DIR": str(folder / "trackio"),
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def metrics(folder: Path) -> list[dict[str, float]]:
    return json.loads(python(READ, folder, str(folder / "trackio")))


def test_trackers_that_are_missing_or_unknown_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    check_tracker("none")
    with pytest.raises(CallError, match="tensorboard"):
        check_tracker("tensorbored")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CallError, match=r"pip install 'lhs-hf\[trackio\]'"):
        check_tracker("trackio")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    with reporting_to("wandb"):
        assert reports_to() == "wandb"
    assert reports_to() == "none"


def test_watchers_stand_beside_one_another() -> None:
    told: list[object] = []
    own = Watcher(on_stage=lambda what: told.append(("own", what)), on_split=lambda *split: told.append(split))
    both = own.beside(Watcher(on_stage=lambda what: told.append(("other", what)), stop=lambda: True))
    assert both.on_stage is not None
    assert both.on_split is not None
    assert both.stop is not None
    both.on_stage("holdout")
    both.on_split("holdout", {"found": 1.0})
    assert told == [("other", "holdout"), ("own", "holdout"), ("holdout", {"found": 1.0})]
    assert both.stop()
    assert both.listener is None
    assert Watcher().beside(Watcher()).stop is None


@pytest.mark.slow
def test_nothing_of_a_tracker_is_imported_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert json.loads(python(SEARCH, tmp_path, "none")) == []


@pytest.mark.slow
def test_a_search_is_reported_to_trackio_on_this_machine(tmp_path: Path) -> None:
    pytest.importorskip("trackio", reason="trackio is not installed (pip install 'lhs-hf[trackio]')")
    *_, last = python(SEARCH, tmp_path, "trackio").splitlines()
    assert "trackio" in json.loads(last)
    rows = metrics(tmp_path)
    best = [row["best"] for row in rows if "best" in row]
    assert best == sorted(best)
    spent = [row["spent"] for row in rows if "spent" in row]
    assert len(spent) == 4
    assert spent == sorted(spent)
    assert (spent[0], spent[-1]) == (0, 3)
    assert any(0 <= row.get("valid_rate", -1) <= 1 for row in rows)
    assert any("holdout/found" in row for row in rows)


@pytest.mark.slow
def test_a_search_is_reported_to_tensorboard_in_its_folder(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="tensorboard is not installed")
    python(SEARCH, tmp_path, "tensorboard")
    assert list((tmp_path / "run" / "tensorboard").glob("events.out.tfevents.*"))


@pytest.mark.slow
def test_a_training_is_reported_to_trackio_on_this_machine(tmp_path: Path) -> None:
    pytest.importorskip("trackio", reason="trackio is not installed (pip install 'lhs-hf[trackio]')")
    python(TRAIN, tmp_path)
    assert any("loss" in name for row in metrics(tmp_path) for name in row)
