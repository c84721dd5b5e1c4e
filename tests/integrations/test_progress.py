"""What a search from Python shows on standard error: one bar, the result, and nothing of its libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hub_server import HubServer
from model_damage import TASK, save_tiny_model

pytestmark = pytest.mark.integration

SEARCH = """
from transformers import pipeline
import lhs_hf

search = pipeline("latent-heuristic-search", device="cpu")
seen, stages, splits = [], [], []
settings = {"preset": "latent", "budget": 2, "guidance": False, "workers": 1, "max_new_tokens": 8}
best = search("knapsack_construct", progress=True, listener=seen.append, on_stage=stages.append,
              on_split=lambda split, row: splits.append((split, row["found"])), **settings)
assert sum(candidate.decoded for candidate in seen) == best["decoder_calls"] == 2
assert "private holdout" in stages
assert dict(splits) == best["found"]
"""

EXPORT = """
import sys, json
from pathlib import Path
from transformers import pipeline
from lhs_hf.integrations.adapters import export_adapter
from lhs_hf.search.stored import open_run

revision, task = sys.argv[1:]
search = pipeline("latent-heuristic-search", model="some/one", device="cpu", progress=False, revision=revision or None)
search(task, preset="latent", budget=2, guidance=False, workers=1, max_new_tokens=8, output="run")
made = export_adapter("run")
written = json.loads(Path(made.folder, "adapter_config.json").read_text())
print(json.dumps([open_run("run").identity["model"], made.decoder, made.subfolder, made.revision,
                  written["base_model_name_or_path"], written["revision"]]))
"""


def python(code: str, folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LHS_HF_CACHE": str(folder / "cache"), "OMP_NUM_THREADS": "1", **variables}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def test_a_search_shows_one_bar_and_no_loading(tmp_path: Path) -> None:
    shown = python(SEARCH, tmp_path).stderr
    assert "Loading weights" not in shown
    assert "No model was supplied" not in shown
    bars = shown.replace("\r", "\n").strip().splitlines()
    *drawn, last = [line for line in bars if line]
    assert all(line.startswith("knapsack_construct:") for line in drawn), shown
    assert "2/2" in drawn[-1]
    assert "best 234.25, evaluating the splits: " in drawn[-1]
    assert any("round 1: decoding" in line for line in drawn)
    assert last.startswith("Result: ")


def test_no_bar_is_shown_without_a_terminal_or_where_bars_are_disabled(tmp_path: Path) -> None:
    assert python(SEARCH.replace("progress=True, ", ""), tmp_path).stderr == ""
    quiet = "from huggingface_hub.utils import disable_progress_bars; disable_progress_bars()\n"
    assert python(quiet + SEARCH, tmp_path).stderr == ""


@pytest.mark.parametrize("revision", [pytest.param("", marks=pytest.mark.slow), "v1"])
def test_a_search_with_a_model_of_the_hub_is_exported_with_its_decoder(tmp_path: Path, revision: str) -> None:
    model = save_tiny_model(tmp_path / "model")
    with HubServer() as hub:
        repository = hub.add("some/one", model)
        repository.tags["v1"] = repository.branches["main"]
        done = python(EXPORT, tmp_path, revision, TASK, **hub.environment(tmp_path / "home"))
    name = f"some/one@{revision}" if revision else "some/one"
    expected = [name, "some/one", "decoder", revision or None, "some/one", revision or None]
    assert json.loads(done.stdout.splitlines()[-1]) == expected
