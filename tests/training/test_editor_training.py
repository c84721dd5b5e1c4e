"""Training of the editor: pairs, hints, a loss that falls, a run that goes on where it was."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from lhs_hf.cli import main
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.errors import CallError
from lhs_hf.models.composite import open_model
from lhs_hf.models.configuration_editor import LHSEditorConfig
from lhs_hf.models.modeling_editor import LHSEditor
from lhs_hf.training.editor_config import EditorTrainingConfig
from lhs_hf.training.editor_data import (
    EditExample,
    EditPairs,
    GroupedEdits,
    ProgramTables,
    TokenWords,
    change_bucket,
    read_edits,
    write_edits,
)
from lhs_hf.training.editor_programs import EditedProgram
from lhs_hf.training.editor_trainer import train_editor
from lhs_hf.training.editor_training import EditorTraining, editor_recipe

CONFIG = LHSEditorConfig(
    hidden_size=32,
    num_attention_heads=2,
    num_encoder_layers=1,
    encoder_intermediate_size=32,
    decoder_intermediate_size=32,
    num_decoder_layers=1,
    pointer_size=16,
    condition_size=32,
    max_actions=32,
    max_program_tokens=128,
)
SETTINGS = EditorTrainingConfig(
    steps=24, evaluate_every=12, batch_size=4, edits=2, precision="float32", matrix_learning_rate=None
)


@pytest.fixture(scope="module")
def programs() -> list[EditedProgram]:
    rows = [row for row in load_corpus("tsp_construct", "train") if row.tokens and row.tokens < 120][:90]
    return [
        EditedProgram(row.task, row.canonical, row.family, "corpus", -1, row.score, row.decisions, row.behaviour)
        for row in rows
    ]


@pytest.fixture(scope="module")
def pairs(programs) -> EditPairs:
    scores = np.array([program.score for program in programs])
    return EditPairs(programs, scores, open_model("lhs-tiny").decoder()[1], CONFIG)


@pytest.fixture(scope="module")
def examples(pairs) -> list[EditExample]:
    return list(pairs.related(np.random.default_rng(0), 90, 3))


@pytest.fixture(scope="module")
def tables(programs, pairs) -> ProgramTables:
    latents = torch.randn(len(programs), 128, generator=torch.Generator().manual_seed(0))
    return ProgramTables(latents, pairs.sketches(), torch.zeros(128))


def test_pairs_stay_in_a_family_and_in_size(programs, examples):
    assert len(examples) > 20
    for example in examples:
        assert programs[example.parent].family == programs[example.child].family
        assert len(example.actions) <= 32
        assert len(example.input_ids) <= 128
        assert example.change > 0  # both scores are known


def test_a_whole_program_is_an_edit_of_nothing(pairs, programs):
    whole = next(pairs.whole(np.random.default_rng(0), 1.0))
    assert whole.parent == -1
    # What stands in its place is the program but for its end.
    place, stop = whole.actions[:2, 1]
    assert place == stop == len(whole.input_ids) - 1


@pytest.mark.parametrize(("before", "after", "bucket"), [(0.5, 0.5, 3), (0.1, 0.9, 5), (0.9, 0.1, 1), (np.nan, 1, 0)])
def test_changes_of_score_have_buckets(before, after, bucket):
    assert change_bucket(before, after) == bucket


def test_edits_are_written_and_read(tmp_path, examples):
    write_edits(examples, tmp_path / "edits.parquet")
    for one, two in zip(examples, read_edits(tmp_path / "edits.parquet"), strict=True):
        assert (one.parent, one.child, one.change, one.task, one.kind) == (
            two.parent, two.child, two.change, two.task, two.kind
        )  # fmt: skip
        assert np.array_equal(one.input_ids, two.input_ids)
        assert np.array_equal(one.actions, two.actions)
        assert all(np.array_equal(getattr(one, name), getattr(two, name)) for name in ("words", "written", "slots"))


def test_groups_draw_from_their_generator(examples):
    source = GroupedEdits(examples, 2)
    sizes = [len(source.example(number, np.random.default_rng(0))) for number in range(len(source))]
    assert max(sizes) == 2
    first, second = (source.example(0, np.random.default_rng(1)) for _ in range(2))
    assert first == second


def trained(examples, tables, folder, stop_after=None) -> tuple[LHSEditor, object]:
    torch.manual_seed(0)
    editor = LHSEditor(CONFIG)
    editor.fit_latents(tables.latents)
    if stop_after is not None:
        calls = iter(range(10**6))
        original = editor.write

        def write(*arguments):
            if next(calls) >= stop_after:
                raise KeyboardInterrupt
            return original(*arguments)

        editor.write = write
    words = TokenWords.of(open_model("lhs-tiny").decoder()[1].vocabulary, CONFIG.sketch_buckets)
    both = {"train": tables, "valid": tables}
    result = train_editor(editor, examples, examples[:8], both, words, SETTINGS, folder, progress=False)
    return editor, result


@pytest.mark.integration
def test_training_learns_and_goes_on_where_it_was(tmp_path, examples, tables):
    editor, result = trained(examples, tables, tmp_path / "one")
    first, last = (row["eval_loss"] for row in result.history if "eval_loss" in row)
    assert last < first
    with pytest.raises(KeyboardInterrupt):
        trained(examples, tables, tmp_path / "two", stop_after=9)
    again, _ = trained(examples, tables, tmp_path / "two")
    for name, value in editor.state_dict().items():
        assert torch.equal(value, again.state_dict()[name]), name


@pytest.mark.slow
def test_all_stages_make_an_editor(tmp_path):
    lines: list[str] = []
    recipe = editor_recipe("smoke", ["knapsack_construct"])
    command = ["train", "editor", "--preset", "smoke", "--task", "knapsack_construct", "--output", str(tmp_path)]
    assert main(command) == 0
    record = json.loads((tmp_path / "export" / "training.json").read_text())
    assert (record["command"], record["seed"]) == ("lhs-hf train editor", 0)
    assert list(record["stages"]) == list(EditorTraining.stages[:-1])
    assert record["editor"]["kept_step"] == record["editor"]["last_step"] == 4
    writer = open_model("lhs-tiny").editor(tmp_path / "export")
    assert writer.editor.latent_whitener.ne(0).sum() > 1000
    EditorTraining(recipe, tmp_path, log=lines.append, progress=False).run()
    assert lines[-5:] == [f"stage {stage}: complete" for stage in EditorTraining.stages]
    with pytest.raises(CallError, match="programs 30, not 31"):
        EditorTraining(replace(recipe, programs=31), tmp_path)
