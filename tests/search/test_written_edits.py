"""The edit that a model writes: proposals follow their generator, targets lie in the ball and upwards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.configuration_editor import LHSEditorConfig
from lhs_hf.models.modeling_editor import LHSEditor
from lhs_hf.models.program_editor import ProgramEditor
from lhs_hf.programs import check_signature, parse, program_hash
from lhs_hf.search.components import load_components
from lhs_hf.search.edits import Parent
from lhs_hf.search.edits.written import Editing, WrittenSettings
from lhs_hf.tasks import get_task

KNAPSACK = get_task("knapsack_construct")


@pytest.fixture(scope="module")
def parent() -> Parent:
    row = min(load_corpus(KNAPSACK.name, "validation"), key=lambda row: row.tokens or 9999)
    return Parent.of(row.program, row.family, row.score)


@pytest.fixture(scope="module")
def editing() -> Editing:
    components = load_components("lhs-tiny", KNAPSACK)
    torch.manual_seed(0)
    small = LHSEditorConfig(
        hidden_size=32, num_attention_heads=2, num_encoder_layers=1, encoder_intermediate_size=32, pointer_size=16
    )
    editor = LHSEditor(small)
    # Weights at random hardly ever come to an end.
    with torch.no_grad():
        editor.token_bias[-1] = 6.0
        editor.finish_head.bias.fill_(4.0)
    with Evaluator(KNAPSACK) as evaluator:
        yield Editing(
            ProgramEditor(editor, components.decoder.tokenizer), components, evaluator, WrittenSettings(targets=16)
        )


def test_a_proposal_is_a_program_and_follows_its_generator(editing, parent):
    proposals = [editing.propose(parent, [], KNAPSACK, np.random.default_rng(seed)) for seed in range(4)]
    again = [editing.propose(parent, [], KNAPSACK, np.random.default_rng(seed)) for seed in range(4)]
    assert proposals == again
    written = [proposal for proposal in proposals if proposal is not None]
    assert written
    for proposal in written:
        check_signature(parse(proposal.source), KNAPSACK.function_name, len(KNAPSACK.arguments))
        assert program_hash(proposal.source) != parent.hash
        assert (proposal.operator, proposal.parents, proposal.family) == ("editor", (parent.hash,), parent.family)
        assert all(" -> " in change for change in proposal.changes)


def test_targets_are_better_and_near(editing, parent):
    components = editing._components
    point = editing.point(parent.source, KNAPSACK)
    climbed = editing.targets(point, torch.Generator().manual_seed(0))
    editing._components = replace(components, fitted=False)
    drawn = editing.targets(point, torch.Generator().manual_seed(0))
    editing._components = components
    for targets in (climbed, drawn):
        assert targets.shape == (16, 128)
        assert float((targets - point).norm(dim=-1).max()) <= 6.0 + 1e-4
    with torch.no_grad():
        assert components.score(climbed).mean() > components.score(drawn).mean()


def test_an_unreadable_parent_has_no_children(editing):
    source = (
        f"def {KNAPSACK.function_name}({', '.join(KNAPSACK.arguments)}):\n    import os.path as way\n    return way\n"
    )
    parent = Parent(source, "0" * 64, "none", 0.0)
    assert editing.propose(parent, [], KNAPSACK, np.random.default_rng(0)) is None
