"""Flat programs and spans: names keep their numbers, what is kept is kept, masks allow what the grammar does."""

from __future__ import annotations

import numpy as np
import pytest

from lhs_hf.corpus.augmentation import augment
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.decoding.decoder import signature_of
from lhs_hf.decoding.flat_state import FlatState
from lhs_hf.decoding.spans import FlatProgram, Span, apply_spans, flatten, spans_between, unflatten
from lhs_hf.models.composite import open_model
from lhs_hf.tasks import get_task

TSP = get_task("tsp_construct")
SIGNATURE = signature_of(TSP)
HEAD = f"def {TSP.function_name}({', '.join(TSP.arguments)}):\n"
BEFORE = HEAD + "    zeppelin = unvisited_nodes[0]\n    return zeppelin\n"
AFTER = HEAD + "    quagga = 2\n    zeppelin = unvisited_nodes[0]\n    return zeppelin\n"


@pytest.fixture(scope="module")
def tokenizer():
    return open_model("lhs-tiny").decoder()[1]


def flat(tokenizer, source: str, names=None) -> FlatProgram:
    return flatten(tokenizer.encode_program(source, SIGNATURE), SIGNATURE, tokenizer.vocabulary, names)


def test_edited_programs_come_back(tokenizer):
    generator, compared = np.random.default_rng(0), 0
    for row in load_corpus("tsp_construct", "validation")[::4]:
        variant = augment(row.program, TSP, "c", generator, steps=1)
        if variant is None:
            continue
        wanted = tokenizer.encode_program(variant.source, SIGNATURE)
        parent = flat(tokenizer, row.program)
        spans = spans_between(parent, flat(tokenizer, variant.source, parent.names), tokenizer.vocabulary)
        assert unflatten(apply_spans(parent, spans), SIGNATURE, tokenizer.vocabulary) == wanted
        compared += 1
    assert compared > 5


def test_a_new_name_leaves_the_others_alone(tokenizer):
    vocabulary = tokenizer.vocabulary
    parent = flat(tokenizer, BEFORE)
    [span] = spans_between(parent, flat(tokenizer, AFTER, parent.names), vocabulary)
    assert span.start == span.stop
    assert vocabulary.spell in span.tokens
    # In the grammar's own order every later name would have another number.
    assert tokenizer.encode_program(AFTER, SIGNATURE)[-4:-1] != tokenizer.encode_program(BEFORE, SIGNATURE)[-4:-1]


def test_spans_out_of_order_are_refused(tokenizer):
    parent = flat(tokenizer, BEFORE)
    with pytest.raises(ValueError, match="does not fit behind 3"):
        apply_spans(parent, [Span(1, 3, ()), Span(2, 4, ())])


def test_flat_masks_allow_every_program(tokenizer):
    for row in load_corpus("tsp_construct", "validation")[::6]:
        program = flat(tokenizer, row.program)
        state = FlatState(SIGNATURE, tokenizer.vocabulary, program.names)
        for token in program.tokens:
            assert state.allowed()[token]
            state.advance(token)
        assert state.finished
        assert state.source() == tokenizer.decode_program(tokenizer.encode_program(row.program, SIGNATURE), SIGNATURE)


def test_a_slot_without_a_name_is_refused(tokenizer):
    state = FlatState(SIGNATURE, tokenizer.vocabulary, [])
    slot = tokenizer.vocabulary.slot_ids[0]
    assert not state.allowed()[slot]
    with pytest.raises(ValueError, match="stands for no name"):
        state.advance(slot)
