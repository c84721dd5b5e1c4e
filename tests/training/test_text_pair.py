"""A pair of text models, named as the Qwen pair would be, goes through the same search as the model that ships."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from text_models import TASK, WIDTH, save_model, save_pair
from transformers import pipeline

from lhs_hf.cli import main
from lhs_hf.decoding.prompts import FAMILIES, prompt_text
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.components import load_components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task, task_names
from lhs_hf.training.pair_training import PairTraining

BUDGET = {"budget": 5, "population": 3, "seeds": 2, "max_new_tokens": 24}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pair")
    save_pair(made)
    return save_model(made)


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def searched(folder: Path, **arguments: Any) -> dict[str, Any]:
    return pipeline("latent-heuristic-search", model=str(folder))(TASK, **{**BUDGET, **arguments})


@pytest.mark.integration
def test_the_pipeline_searches_with_a_text_pair(folder: Path, tmp_path: Path) -> None:
    result = searched(folder, output="run", seed=1)
    assert result["decoder_calls"] == result["candidates"] == 5
    assert result["objective"] == result["reference_objective"]
    assert result["program"] == get_task(TASK).template
    candidates = RunDatabase(tmp_path / "run" / "run.sqlite").candidates()
    made = [candidate for candidate in candidates if candidate.decoded]
    assert len(made) == 5
    assert sum(candidate.tokens for candidate in made) == result["tokens"] > 0
    assert {candidate.after.shape for candidate in made} == {(WIDTH,)}
    assert not any(candidate.ok for candidate in made)
    assert main(["report", "run"]) == 0
    assert "reference" in (tmp_path / "run" / "report.md").read_text()


@pytest.mark.integration
@pytest.mark.parametrize(
    "change",
    [
        {"guidance": False, "optimizer": "random"},
        pytest.param({"init": "corpus", "budget": 2}, marks=pytest.mark.slow),
    ],
)
def test_settings_hold_for_text_pairs_too(folder: Path, change: dict[str, Any]) -> None:
    assert searched(folder, **change)["decoder_calls"] == change.get("budget", 5)


@pytest.mark.slow
def test_a_fresh_process_finds_the_same_offline(folder: Path, tmp_path: Path) -> None:
    code = (
        "import json, lhs_hf\nfrom transformers import pipeline\n"
        f"search = pipeline('latent-heuristic-search', model={str(folder)!r})\n"
        f"search.save_pretrained({str(tmp_path / 'copy')!r})\n"
        f"again = pipeline('latent-heuristic-search', model={str(tmp_path / 'copy')!r})\n"
        f"print(json.dumps(again({TASK!r}, output='run', **{BUDGET!r})))\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout.splitlines()[-1])
    searched(folder, output="mine")
    stored = [RunDatabase(tmp_path / name / "run.sqlite").candidates() for name in ("run", "mine")]
    for one, other in zip(*stored):
        assert (one.program, one.tokens, one.status) == (other.program, other.tokens, other.status)
    assert theirs["decoder_calls"] == 5


def test_latents_lie_on_the_sphere_on_the_way_in_and_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = get_task(TASK)
    components = load_components(str(folder), task, "latent")
    with Evaluator(task) as evaluator:
        monkeypatch.setattr(evaluator, "probe_many", lambda sources: pytest.fail("a text encoder reads no behaviour"))
        point = components.embed(task.template, task, evaluator)
    assert float(point.norm()) == pytest.approx(1, abs=1e-5)
    seen: list[torch.Tensor] = []
    components.decoder.mapper.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    components.decoder.budget.limit = 2
    generators = [torch.Generator().manual_seed(0), torch.Generator().manual_seed(1)]
    for space in ("latent", "prior"):
        components.space = space
        components.decoder.budget.spent = 0
        components.decode(torch.stack([3 * point, -point + 1]), task, generators, SearchSettings(max_new_tokens=2))
    assert torch.cat(seen).norm(dim=-1).tolist() == pytest.approx([1.0] * 4, abs=1e-5)


def test_the_decoder_keeps_its_own_dtype(folder: Path) -> None:
    components = load_components(str(folder), get_task(TASK))
    assert components.decoder.model.dtype == torch.bfloat16
    assert components.decoder.mapper.dtype == torch.float32


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", task_names())
def test_every_prompt_family_shows_the_signature(name: str, family: str) -> None:
    task = get_task(name)
    text = prompt_text(task, family)
    assert task.signature() in text
    assert task.function_name in task.signature()
    assert (task.description in text) == (family == "task")


def trained(part: str, encoder: Path, decoder: Path, *options: str) -> int:
    named = ["--encoder", str(encoder), "--decoder", str(decoder), "--output", "work"]
    return main(["train", part, *named, "--preset", "smoke", "--task", TASK, *options])


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.integration
def test_a_pair_is_trained_by_name_and_searched_with(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (folder / "encoder", folder / "decoder")
    assert trained("mapper", *names) == 0
    assert not (tmp_path / "work" / "flow").exists()
    mapper = (tmp_path / "work" / "mapper" / "model.safetensors").read_bytes()
    assert trained("all", *names) == 0
    assert (tmp_path / "work" / "mapper" / "model.safetensors").read_bytes() == mapper
    export = tmp_path / "work" / "export"
    config = json.loads((export / "config.json").read_text())
    assert (config["encoder"], config["decoder"], config["latent_normalized"]) == (*map(str, names), True)
    assert not (export / "decoder").exists()
    # A model does not choose which folders of this machine are read: the person does.
    with pytest.raises(CallError, match="named by hand"):
        searched(export, budget=1, space="latent")
    named = dict(zip(("encoder", "decoder"), map(str, names)))
    assert searched(export, budget=1, space="latent", max_new_tokens=4, **named)["decoder_calls"] == 1
    # Interrupted after the mapper and gone on with: the same files.
    (tmp_path / "work").rename(tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(PairTraining, "stage_flow", interrupt)
        assert trained("all", *names) == 1
    assert trained("all", *names) == 0
    for path in (tmp_path / "whole" / "export").rglob("*.safetensors"):
        assert path.read_bytes() == (export / path.relative_to(tmp_path / "whole" / "export")).read_bytes()
    capsys.readouterr()
    assert trained("all", *names, "--seed", "7") == 2
    assert "seed 0, not 7" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "mapper", "--encoder", "a/b"], "go together"),
        (["train", "decoder", "--encoder", "a/b", "--decoder", "c/d"], "mapper"),
        (["train", "all", "--encoder", "a/b", "--decoder", "c/d", "--preset", "huge"], "pair, smoke"),
        (["train", "all", "--encoder", "a/b", "--decoder", "c/d", "--variants", "9"], "--variants"),
        (["train", "all", "--encoder", "a/b", "--decoder", "c/d", "--steps", "9"], "--steps"),
        (["search", TASK, "--device", "cuda:99"], "cuda:99"),
        (["search", TASK, "--device", "toaster"], "toaster"),
    ],
)
def test_wrong_calls_about_pairs_say_what_is_wrong(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
