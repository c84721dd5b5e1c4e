"""The editor: likelihoods that add up, latents that count, edits that parse and leave the rest alone, saving."""

from __future__ import annotations

import ast

import numpy as np
import pytest
import torch
from transformers import AutoModel

from lhs_hf import LHSSurrogate
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.errors import CallError
from lhs_hf.models.composite import open_model
from lhs_hf.models.configuration_editor import LHSEditorConfig
from lhs_hf.models.edit_residual import NOWHERE, PLACE, STOP_PLACE, TOKEN, EditWords
from lhs_hf.models.modeling_editor import EditCondition, LHSEditor
from lhs_hf.models.program_editor import EditSampling, ProgramEditor
from lhs_hf.tasks import get_task

TSP = get_task("tsp_construct")
SMALL = {
    "hidden_size": 32,
    "num_attention_heads": 2,
    "num_encoder_layers": 1,
    "encoder_intermediate_size": 32,
    "decoder_intermediate_size": 32,
    "pointer_size": 16,
}
SHORTEST = min(load_corpus("tsp_construct", "validation"), key=lambda row: row.tokens or 9999)


def small_editor(**changes) -> LHSEditor:
    torch.manual_seed(0)
    return LHSEditor(LHSEditorConfig(**{**SMALL, **changes})).eval()


@pytest.fixture(scope="module")
def tokenizer():
    return open_model("lhs-tiny").decoder()[1]


@pytest.fixture(scope="module")
def writer(tokenizer) -> ProgramEditor:
    editor = small_editor()
    # Short spans and few of them: weights at random hardly ever come to an end.
    with torch.no_grad():
        editor.token_bias[-1] = 6.0
        editor.finish_head.bias.fill_(4.0)
    return ProgramEditor(editor, tokenizer)


def wants(count: int, known: bool = True) -> EditCondition:
    generator = torch.Generator().manual_seed(1)
    latents = torch.randn(count + 1, 128, generator=generator)
    rows = (1, count)
    told = torch.full(rows, known)
    unknown = torch.zeros(rows, dtype=torch.long)
    differences = torch.randn(1, count, 64, generator=generator)
    return EditCondition(latents[:1], latents[None, 1:], told, torch.zeros(rows), unknown, differences, told, told)


def words(ids: torch.Tensor, kinds: torch.Tensor, values: torch.Tensor, tokens: int) -> EditWords:
    """Every token is a word of its own."""
    written = torch.where((kinds == TOKEN) & (values < tokens), values, -1)
    return EditWords(ids, ids, torch.arange(tokens + 1).repeat(len(ids), 1), written)


def test_probabilities_of_one_step_sum_to_one():
    editor = small_editor(vocab_size=20, max_program_tokens=16)
    ids = torch.tensor([[3, 4, 5, 6, 5, 7]])
    mask, memory = torch.ones_like(ids, dtype=torch.bool), None
    with torch.no_grad():
        memory = editor.read(ids, mask)

        def nll(kinds, values, lowest):
            rows = [torch.tensor(each)[None, None] for each in (kinds, values, lowest)]
            before = [row[:, :, :-1] for row in rows[:2]]
            logits = editor.write(memory, mask, words(ids, *before, 20), wants(1), *before)
            return editor.nll(logits, ids, *rows)[0, 0, -1]

        places = [nll([PLACE], [value], [2]) for value in (2, 3, 4, 5, NOWHERE)]
        stops = [nll([PLACE, STOP_PLACE], [3, value], [2, 3]) for value in (3, 4, 5)]
        tokens = [nll([PLACE, STOP_PLACE, TOKEN], [3, 4, value], [2, 3, 0]) for value in range(21)]
    for group in (places, stops, tokens):
        assert float(torch.stack(group).neg().exp().sum()) == pytest.approx(1.0, abs=1e-4)


def test_padding_changes_nothing():
    editor = small_editor(vocab_size=20, max_program_tokens=16)
    ids, longer = torch.tensor([[3, 4, 5]]), torch.tensor([[3, 4, 5, 0, 0]])
    kinds, values = torch.tensor([[[PLACE, STOP_PLACE]]]), torch.tensor([[[1, 2]]])
    results = []
    with torch.no_grad():
        for padded in (ids, longer):
            mask = padded != 0
            before = kinds[..., :-1], values[..., :-1]
            logits = editor.write(editor.read(padded, mask), mask, words(padded, *before, 20), wants(1), *before)
            results.append(editor.nll(logits, padded, kinds, values, torch.ones_like(kinds)))
    torch.testing.assert_close(*results, atol=1e-5, rtol=1e-4)


def test_what_is_written_parses_and_keeps_the_rest(writer):
    read = writer.parent(SHORTEST.program, TSP)
    written = writer.sample(read, wants(24), torch.Generator().manual_seed(0))
    assert written
    for edit in written:
        function = ast.parse(edit.source).body[-1]
        assert function.name == TSP.function_name
        assert 0 < len(edit.spans) < 20
        assert np.isfinite(edit.log_probability)


def test_sampling_follows_its_generator(writer):
    read = writer.parent(SHORTEST.program, TSP)
    same = [writer.sample(read, wants(8), torch.Generator().manual_seed(3)) for _ in range(2)]
    assert same[0] == same[1]
    assert same[0] != writer.sample(read, wants(8), torch.Generator().manual_seed(4))


@pytest.mark.integration
def test_guidance_follows_the_target_more(writer):
    read = writer.parent(SHORTEST.program, TSP)
    plain, guided = (
        writer.sample(read, wants(24), torch.Generator().manual_seed(0), EditSampling(guidance=scale))
        for scale in (1.0, 4.0)
    )
    assert plain != guided


def test_only_a_known_target_counts(writer):
    read = writer.parent(SHORTEST.program, TSP)
    spans = writer.sample(read, wants(24), torch.Generator().manual_seed(0))[0].spans
    known = writer.log_probability(read, spans, wants(3))
    unknown = writer.log_probability(read, spans, wants(3, known=False))
    assert known.std() > 1e-3
    torch.testing.assert_close(unknown, unknown[:1].expand(3), atol=1e-4, rtol=1e-4)


def test_spans_of_a_child_are_found_again(writer):
    read = writer.parent(SHORTEST.program, TSP)
    edit = writer.sample(read, wants(24), torch.Generator().manual_seed(0))[0]
    spans = writer.spans(read, edit.source)
    assert float(writer.log_probability(read, spans, wants(1))[0]) < 0


def test_it_is_saved_and_loaded(tmp_path):
    editor = small_editor(vocab_size=20, max_program_tokens=16)
    editor.fit_latents(torch.randn(300, 128, generator=torch.Generator().manual_seed(0)))
    editor.save_pretrained(tmp_path)
    again = LHSEditor.from_pretrained(tmp_path)
    for name, value in editor.state_dict().items():
        assert torch.equal(value, again.state_dict()[name]), name
    with pytest.raises(CallError, match="expected 'lhs_surrogate'"):
        LHSSurrogate.from_pretrained(tmp_path)


def test_another_tokenizer_is_refused(tokenizer):
    with pytest.raises(CallError, match="the editor knows 20 tokens"):
        ProgramEditor(small_editor(vocab_size=20), tokenizer)


def test_too_long_a_parent_is_refused(tokenizer):
    short = ProgramEditor(small_editor(max_program_tokens=16), tokenizer)
    with pytest.raises(ValueError, match="at most 16 fit"):
        short.parent(SHORTEST.program, TSP)


def test_a_model_without_an_editor_has_none(tmp_path):
    model = open_model("lhs-tiny")
    assert model.editor() is None or isinstance(model.editor(), ProgramEditor)
    small_editor().save_pretrained(tmp_path)
    assert model.editor(tmp_path).editor.config.hidden_size == 32
    assert isinstance(AutoModel.from_pretrained(tmp_path), LHSEditor)
