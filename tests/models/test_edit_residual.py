"""The difference of two sketches through an edit: nothing is left at its end, and the right action is hinted at."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.models.composite import open_model
from lhs_hf.models.configuration_editor import LHSEditorConfig
from lhs_hf.models.edit_residual import PLACE, STOP_PLACE, TOKEN, EditResidual, EditWords, Hints
from lhs_hf.training.editor_data import EditPairs, GroupedEdits, ProgramTables, TokenWords, collate
from lhs_hf.training.editor_programs import EditedProgram

CONFIG = LHSEditorConfig(max_actions=40, max_program_tokens=256, sketch_size=128)


@pytest.fixture(scope="module")
def batch() -> dict[str, torch.Tensor]:
    rows = [row for row in load_corpus("knapsack_construct", "train") if row.tokens and row.tokens < 200][:120]
    programs = [
        EditedProgram(row.task, row.canonical, row.family, "corpus", -1, row.score, row.decisions, row.behaviour)
        for row in rows
    ]
    tokenizer = open_model("lhs-tiny").decoder()[1]
    pairs = EditPairs(programs, np.array([row.score for row in rows]), tokenizer, CONFIG)
    groups = GroupedEdits(list(pairs.related(np.random.default_rng(0), 60, 4)), 4).groups[:20]
    tables = ProgramTables(torch.zeros(len(rows), 128), pairs.sketches(), torch.zeros(128))
    return collate(groups, tables, TokenWords.of(tokenizer.vocabulary, CONFIG.sketch_buckets))


def hints(batch: dict[str, torch.Tensor], told: bool = True) -> Hints:
    words = EditWords(batch["input_ids"], batch["words"], batch["tokens"], batch["written"])
    flags = torch.full(batch["kinds"].shape[:2], told)
    residual = EditResidual(CONFIG.sketch_size, CONFIG.sketch_buckets)
    with torch.no_grad():
        return residual(batch["difference"], flags, flags, words, batch["kinds"], batch["values"])


def test_nothing_is_left_at_the_end_of_the_edit(batch):
    real = (batch["kinds"] >= 0).any(dim=-1)
    assert int(real.sum()) > 15
    left = hints(batch).residual
    assert float(left[:, :, 0].norm(dim=-1)[real].min()) > 1
    assert float(left[:, :, -1].norm(dim=-1)[real].max()) < 1e-3


def test_most_actions_are_what_is_hinted_at(batch):
    found = hints(batch)
    kinds, values = batch["kinds"], batch["values"]
    ranks: dict[int, list[float]] = {PLACE: [], STOP_PLACE: [], TOKEN: []}
    names = {PLACE: found.place, STOP_PLACE: found.stop, TOKEN: found.token}
    for kind, logits in names.items():
        chosen = (kinds == kind) & (values < logits.shape[-1])
        if kind == TOKEN:
            chosen &= (batch["written"] >= 0) | (values == logits.shape[-1] - 1)
        for row, edit, step in chosen.nonzero().tolist():
            each = logits[row, edit, step]
            ranks[kind].append(float((each > each[values[row, edit, step]]).float().sum()))
    # Of about 150 positions and 1,374 tokens the right one is mostly among the first few.
    assert np.median(ranks[PLACE]) <= 5
    assert np.median(ranks[TOKEN]) <= 5


def test_without_a_difference_there_are_no_hints(batch):
    found = hints(batch, told=False)
    for each in (found.place, found.stop, found.token, found.copy, found.residual):
        assert not each.any()
