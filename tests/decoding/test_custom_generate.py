"""`model.generate` of transformers with the package's own loop: the same programs, and nothing left out in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from program_samples import SIGNATURE, SUPPORTED
from transformers import LogitsProcessorList, Qwen3Config, Qwen3ForCausalLM

from lhs_hf.decoding.custom_generate import ProgramGeneration
from lhs_hf.decoding.generation import GrammarLogitsProcessor, Prompts, Sampling, generate_programs
from lhs_hf.decoding.grammar import Signature, Vocabulary
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer

SIGNATURES = [SIGNATURE, Signature("rank", ("unheard_of_item", "bins"))] * 4
SAMPLED = {"do_sample": True, "temperature": 0.8, "top_p": 0.95, "top_k": 0, "max_new_tokens": 60}


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> ProgramTokenizer:
    vocabulary = Vocabulary.build([(source, SIGNATURE) for source in SUPPORTED.values()], min_count=2)
    return ProgramTokenizer.from_vocabulary(vocabulary, tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def model(tokenizer: ProgramTokenizer) -> Any:
    torch.manual_seed(0)
    shape = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), num_key_value_heads=2, head_dim=16, **shape)).eval()


@pytest.fixture(scope="module")
def prompts(tokenizer: ProgramTokenizer) -> Prompts:
    soft = torch.randn(8, 4, 64, generator=torch.Generator().manual_seed(5))
    return Prompts([tokenizer.encode_prompt(None, signature) for signature in SIGNATURES], soft)


def seeded(count: int) -> Sequence[torch.Generator]:
    return [torch.Generator().manual_seed(index) for index in range(count)]


def generated(model: Any, tokenizer: Any, prompts: Prompts, **options: Any) -> tuple[torch.Tensor, ProgramGeneration]:
    generation = ProgramGeneration(
        tokenizer, SIGNATURES[: len(prompts)], seeded(len(prompts)), grammar=options.pop("grammar", True)
    )
    embeddings, mask = prompts.embeddings(model)
    return model.generate(
        inputs_embeds=embeddings, attention_mask=mask, custom_generate=generation, **options
    ), generation


@pytest.mark.parametrize(
    ("options", "sampling"),
    [
        (SAMPLED, Sampling(0.8, 0.95, 60)),
        ({**SAMPLED, "temperature": 1.0, "top_p": 1.0}, Sampling(1.0, 1.0, 60)),
        ({"max_new_tokens": 40}, Sampling(temperature=0, max_new_tokens=40)),
        ({**SAMPLED, "grammar": False}, Sampling(0.8, 0.95, 60, grammar=False)),
    ],
)
def test_the_programs_are_those_of_the_own_loop(
    model: Any, tokenizer: ProgramTokenizer, prompts: Prompts, options: dict[str, Any], sampling: Sampling
) -> None:
    programs = generate_programs(model, tokenizer, prompts, SIGNATURES, seeded(8), sampling)
    tokens, generation = generated(model, tokenizer, prompts, **options)
    assert generation.programs == programs
    assert len({program.source for program in programs}) > 1
    assert tokens.shape == (8, max(len(program.token_ids) for program in programs))
    for row, program in zip(tokens.tolist(), programs):
        assert row[: len(program.token_ids)] == program.token_ids
        assert set(row[len(program.token_ids) :]) <= {tokenizer.pad_token_id}
        if sampling.grammar:
            assert tokenizer.decode_program(program.token_ids, SIGNATURES[programs.index(program)])


def test_prompt_ids_stand_before_what_is_written(model: Any, tokenizer: ProgramTokenizer, prompts: Prompts) -> None:
    ids = torch.tensor(prompts.ids[:1])
    programs = generate_programs(
        model, tokenizer, Prompts(ids.tolist()), SIGNATURES[:1], seeded(1), Sampling(0.8, 0.95, 60)
    )
    generation = ProgramGeneration(tokenizer, SIGNATURES[:1], seeded(1))
    tokens = model.generate(ids, custom_generate=generation, **SAMPLED)
    assert tokens.tolist() == [[*prompts.ids[0], *programs[0].token_ids]]
    assert generation.programs == programs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"top_k": 50}, "TopKLogitsWarper; pass top_k=0"),
        ({"repetition_penalty": 1.2}, "RepetitionPenaltyLogitsProcessor"),
        ({"max_time": 5.0}, "MaxTimeCriteria"),
        ({"num_beams": 2}, "not by beam"),
        ({"return_dict_in_generate": True}, "return_dict_in_generate"),
        ({"num_return_sequences": 2}, "16 prompts, but 8 signatures"),
    ],
)
def test_what_the_loop_does_not_do_is_refused(
    model: Any, tokenizer: ProgramTokenizer, prompts: Prompts, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        generated(model, tokenizer, prompts, **{**SAMPLED, **change})


def test_a_second_grammar_is_refused(model: Any, tokenizer: ProgramTokenizer, prompts: Prompts) -> None:
    processors = LogitsProcessorList([GrammarLogitsProcessor(tokenizer, SIGNATURES)])
    with pytest.raises(ValueError, match="GrammarLogitsProcessor"):
        generated(model, tokenizer, prompts, logits_processor=processors, **SAMPLED)
