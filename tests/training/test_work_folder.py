"""A work folder belongs to one recipe: another one is refused by name, before anything is loaded or written."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from lhs_hf.cli import main
from lhs_hf.errors import CallError
from lhs_hf.training.model_training import ModelTraining
from lhs_hf.training.pair_recipe import pair_recipe
from lhs_hf.training.pair_training import PairTraining
from lhs_hf.training.presets import recipe, resized
from lhs_hf.training.recipe import fingerprint
from lhs_hf.training.work_folder import WorkFolder

TASK = "tsp_construct"
COMMANDS = ("all", "encoder", "decoder", "mapper", "flow", "surrogate")
PAIR = ("--encoder", "a/b", "--decoder", "c/d")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work folder of `train --preset smoke --task tsp_construct`, with one stage that is complete."""
    monkeypatch.chdir(tmp_path)
    folder = WorkFolder("work", fingerprint(recipe("smoke", [TASK])))
    folder.begin()
    (folder / "latents.safetensors").write_bytes(b"latents")
    folder.complete("latents", {"seconds": 1.0})
    return folder.path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--seed", "1"], "work was begun with seed 0, not 1; expected"),
        (["--preset", "text-only"], "work was begun with variants 32, not 3000"),
        (["--variants", "40"], "variants 32, not 40"),
        (["--steps", "30"], "autoencoder.steps 20, not 30"),
        (["--task", "jssp_construct"], "tasks tsp_construct, not tsp_construct, jssp_construct"),
        (["--corpus", "other"], "begun with corpus "),
        ([*PAIR], "kind model, not pair"),
    ],
)
def test_another_recipe_in_the_same_folder_is_refused(
    begun: Path, change: list[str], message: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("other", TASK).mkdir(parents=True)
    Path("other", TASK, "train-00000.parquet").write_bytes(b"")
    for training in (ModelTraining, PairTraining):
        monkeypatch.setattr(training, "run", lambda *_: pytest.fail("a folder of another recipe was run"))
    before = contents(begun)
    preset = [] if "--preset" in change else ["--preset", "smoke"]
    assert main(["train", "all", *preset, "--task", TASK, "--output", "work", *change]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "--output" in error
    assert error.count("\n") == 1
    assert contents(begun) == before


def test_what_changes_no_result_is_no_part_of_a_recipe(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[ModelTraining] = []
    monkeypatch.setattr(ModelTraining, "run", lambda training, stages: ran.append(training))
    command = ["train", "flow", "--preset", "smoke", "--task", TASK, "--output", "work"]
    assert main(command) == main([*command, "--workers", "3"]) == 0
    ModelTraining(recipe("smoke", [TASK]), begun, progress=False, log=lambda line: None)
    assert ran[1].workers == 3


def test_presets_tasks_and_seeds_lie_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folders: list[str] = []

    def run(training: Any, stages: Any) -> None:
        training.folder.begin()
        folders.append(training.folder.path.name)

    monkeypatch.setattr(ModelTraining, "run", run)
    monkeypatch.setattr(PairTraining, "run", run)
    for options in ([], ["--preset", "smoke"], ["--seed", "3"], ["--task", TASK], ["--preset", "text-only"]):
        assert main(["train", "all", *options]) == 0
    assert main(["train", "all", *PAIR]) == main(["train", "flow", *PAIR, "--preset", "smoke"]) == 0
    assert folders == [
        "lhs-tiny", "smoke", "lhs-tiny--seed-3", "lhs-tiny--tsp_construct", "text-only",
        "b--d", "b--d--smoke",
    ]  # fmt: skip


@pytest.mark.parametrize("left", ["stages.json", "pair.json", "flow", "export"])
def test_a_folder_without_its_recipe_is_refused(tmp_path: Path, left: str) -> None:
    (tmp_path / left).mkdir()
    with pytest.raises(CallError, match=rf"holds {left} and no recipe\.json"):
        WorkFolder(tmp_path, {"seed": 0})
    assert [path.name for path in tmp_path.iterdir()] == [left]


def test_a_damaged_recipe_is_told(begun: Path) -> None:
    (begun / "recipe.json").write_text('{"seed"')
    with pytest.raises(CallError, match=r"can not read .*recipe\.json"):
        WorkFolder(begun, {"seed": 0})


def test_nothing_is_written_before_a_training_begins(tmp_path: Path) -> None:
    training = ModelTraining(recipe("smoke", [TASK]), tmp_path / "work", tmp_path)
    assert not training.folder.path.exists()
    with pytest.raises(FileNotFoundError, match=TASK):
        training.run()
    assert not training.folder.path.exists()


def test_a_stage_is_complete_when_it_has_ended_and_its_results_are_there(begun: Path) -> None:
    folder = WorkFolder(begun, json.loads((begun / "recipe.json").read_text()))
    assert folder.is_complete("latents", ["latents.safetensors"])
    assert not folder.is_complete("flow", ["latents.safetensors"])
    assert not folder.is_complete("latents", ["latents.safetensors", "other"])
    assert not folder.is_complete("latents", [])


def test_every_setting_is_part_of_a_recipe() -> None:
    own = fingerprint(recipe("smoke", [TASK]))
    assert own == fingerprint(recipe("smoke", [TASK]))
    assert own != fingerprint(resized(recipe("smoke", [TASK]), steps=21))
    pair = fingerprint(pair_recipe("a/b", "c/d", "smoke", [TASK]))
    assert pair != fingerprint(pair_recipe("a/b", "c/other", "smoke", [TASK]))


def test_with_an_old_torch_training_is_one_line(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lhs_hf.cli.commands.version", lambda name: "2.6.0")
    for name in COMMANDS:
        assert main(["train", name, "--preset", "smoke"]) == 2
        message = capsys.readouterr().err
        assert message == "error: this command needs torch 2.9 or later: pip install 'lhs-hf[train]'\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("flow", "FlowSettings", "flow_config.FlowTrainingConfig"),
        ("mapper", "MapperSettings", "mapper_config.MapperTrainingConfig"),
        ("surrogate", "SurrogateSettings", "surrogate_config.SurrogateTrainingConfig"),
        ("autoencoder", "AutoencoderSettings", "autoencoder_config.AutoencoderTrainingConfig"),
        ("autoencoder", "LHSAutoencoder", "autoencoder_model.LHSAutoencoder"),
        ("loop", "TrainingSettings", "training_config.TrainingConfig"),
        ("recipe", "ModelTraining", "model_training.ModelTraining"),
        ("pair", "pair_recipe", "pair_recipe.pair_recipe"),
        ("surrogate", "refit_surrogate", None),
    ],
)
def test_old_names_say_where_things_are(module: str, old: str, new: str | None) -> None:
    full = f"lhs_hf.training.{new}" if new else "lhs_hf.models.refit.refit_surrogate"
    with pytest.warns(DeprecationWarning, match=f"{module}.{old} is now {full}"):
        value = getattr(importlib.import_module(f"lhs_hf.training.{module}"), old)
    place, _, name = full.rpartition(".")
    assert value is getattr(importlib.import_module(place), name)
