"""The edit that a model writes: proposals follow their generator, targets lie in the ball and upwards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.corpus.novelty import NEW_BEHAVIOUR
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.composite import open_model
from lhs_hf.models.configuration_editor import LHSEditorConfig
from lhs_hf.models.modeling_editor import LHSEditor
from lhs_hf.models.program_editor import ProgramEditor
from lhs_hf.programs import check_signature, parse, program_hash
from lhs_hf.search.components import Components, load_components
from lhs_hf.search.edits import Parent
from lhs_hf.search.edits.written import Editing, WrittenSettings
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration

KNAPSACK = get_task("knapsack_construct")


@pytest.fixture(scope="module")
def parent() -> Parent:
    row = min(load_corpus(KNAPSACK.name, "validation"), key=lambda row: row.tokens or 9999)
    return Parent.of(row.program, row.family, row.score)


@pytest.fixture(scope="module")
def writer() -> ProgramEditor:
    torch.manual_seed(0)
    small = LHSEditorConfig(
        hidden_size=32, num_attention_heads=2, num_encoder_layers=1, encoder_intermediate_size=32, pointer_size=16
    )
    editor = LHSEditor(small)
    # Weights at random hardly ever come to an end.
    with torch.no_grad():
        editor.token_bias[-1] = 6.0
        editor.finish_head.bias.fill_(4.0)
    return ProgramEditor(editor, open_model("lhs-tiny").decoder()[1])


@pytest.fixture(scope="module")
def components() -> Components:
    return load_components("lhs-tiny", KNAPSACK)


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(KNAPSACK) as evaluator:
        yield evaluator


@pytest.fixture(scope="module")
def editing(writer, components, evaluator) -> Editing:
    return Editing(writer, components, evaluator, SearchSettings(), WrittenSettings(children=64, rounds=2))


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


def test_a_child_goes_uphill_and_no_other_one_does_more(writer, components, evaluator, parent):
    uphill, anywhere = (
        Editing(writer, components, evaluator, SearchSettings(), WrittenSettings(children=64, rounds=2, choose=choose))
        for choose in ("gradient", "random")
    )
    start = uphill.point(parent.source, KNAPSACK)
    direction = uphill.direction(start, KNAPSACK, torch.Generator(), "gradient")
    with torch.no_grad():
        assert components.score((start + 0.1 * direction)[None]) > components.score(start[None])
    along = {"uphill": [], "anywhere": []}
    for seed in range(3):
        for name, editing in (("uphill", uphill), ("anywhere", anywhere)):
            proposal = editing.propose(parent, [], KNAPSACK, np.random.default_rng(seed))
            if proposal is not None:
                along[name].append(float((editing.point(proposal.source, KNAPSACK) - start) @ direction))
    # Both choose among the same children.
    assert len(along["uphill"]) == len(along["anywhere"]) > 0
    assert all(one >= two for one, two in zip(along["uphill"], along["anywhere"]))


def test_what_is_proposed_decides_as_nothing_that_is_known(components, evaluator, parent):
    editor = components.open_editor()
    assert editor is not None
    editing = Editing(editor, components, evaluator, SearchSettings())
    training = np.stack([row.decisions for row in load_corpus(KNAPSACK.name, "train")])
    known = np.vstack([training, evaluator.probe(parent.source).decisions])
    for seed in range(2):
        proposal = editing.propose(parent, [], KNAPSACK, np.random.default_rng(seed))
        assert proposal is not None
        decisions = evaluator.probe(proposal.source).decisions
        assert (known != decisions).mean(axis=1).min() >= NEW_BEHAVIOUR


def test_an_unreadable_parent_has_no_children(editing):
    source = (
        f"def {KNAPSACK.function_name}({', '.join(KNAPSACK.arguments)}):\n    import os.path as way\n    return way\n"
    )
    parent = Parent(source, "0" * 64, "none", 0.0)
    assert editing.propose(parent, [], KNAPSACK, np.random.default_rng(0)) is None
