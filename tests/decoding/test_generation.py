"""The sampling loop: legal programs, the model's own distribution, rows that do not disturb each other."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from program_samples import SIGNATURE, SUPPORTED, undefined_names
from small_decoders import SHAPE, seeded
from transformers import LlamaConfig, LlamaForCausalLM, LogitsProcessorList, Qwen3Config, Qwen3ForCausalLM

from lhs_hf.decoding.generation import (
    GeneratedProgram,
    GrammarLogitsProcessor,
    Prompts,
    Sampling,
    generate_programs,
    sample,
)
from lhs_hf.decoding.grammar import Signature, Vocabulary
from lhs_hf.decoding.incremental import CachedModel, LeanQwen3, incremental, positions
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.programs import canonical, check_signature

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
OTHER = Signature("rank", ("unheard_of_item", "bins"))


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> ProgramTokenizer:
    vocabulary = Vocabulary.build([(source, SIGNATURE) for source in SUPPORTED.values()], min_count=2)
    return ProgramTokenizer.from_vocabulary(vocabulary, tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def model(tokenizer: ProgramTokenizer) -> Any:
    torch.manual_seed(0)
    config = Qwen3Config(vocab_size=len(tokenizer), num_key_value_heads=2, head_dim=16, **SHAPE)
    made = Qwen3ForCausalLM(config).eval()
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            if "norm" in name:  # otherwise all ones, which would hide a wrong norm
                parameter.add_(0.3 * torch.randn_like(parameter))
            elif "embed" in name:
                parameter.mul_(20)
    return made


def prompts(tokenizer: ProgramTokenizer, signatures: list[Signature]) -> list[list[int]]:
    return [tokenizer.encode_prompt(None, signature) for signature in signatures]


@pytest.mark.parametrize("limit", [4, 9, 30, 120])
def test_every_sampled_program_is_legal(model: Any, tokenizer: ProgramTokenizer, limit: int) -> None:
    signatures = [SIGNATURE, OTHER] * 16
    soft = torch.randn(32, 4, 64, generator=torch.Generator().manual_seed(limit))
    made = generate_programs(
        model,
        tokenizer,
        Prompts(prompts(tokenizer, signatures), soft),
        signatures,
        seeded(32),
        Sampling(max_new_tokens=limit),
    )
    for program, signature in zip(made, signatures):
        assert program.finished
        assert len(program.token_ids) <= limit
        compile(program.source, "program", "exec")
        check_signature(ast.parse(program.source), signature.function_name, len(signature.arguments))
        assert undefined_names(program.source) == set()
        assert program.source == canonical(program.source)
        assert tokenizer.decode_program(program.token_ids, signature) == program.source
    assert len({program.source for program in made}) > (20 if limit > 9 else 1)


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("stepper", [LeanQwen3, CachedModel])
@torch.inference_mode()
def test_steps_give_the_logits_of_a_full_forward_pass(model: Any, stepper: Any, uneven: bool) -> None:
    generator = torch.Generator().manual_seed(1)
    embeddings = torch.randn(4, 7, 64, generator=generator)
    mask = torch.ones(4, 7, dtype=torch.int64)
    if uneven:
        mask[1, :3] = 0
        mask[3, :1] = 0
    tokens = torch.randint(len(model.get_input_embeddings().weight), (4, 6), generator=generator)
    stepped = LeanQwen3(model, 6) if stepper is LeanQwen3 else stepper(model)
    logits = [stepped.start(embeddings, mask)]
    logits += [stepped.step(tokens[:, index]) for index in range(3)]
    rows = torch.tensor([1, 3])
    stepped.keep(rows)
    logits += [stepped.step(tokens[rows, index]) for index in range(3, 6)]
    whole = torch.cat([embeddings, model.get_input_embeddings()(tokens)], dim=1)
    whole_mask = torch.cat([mask, torch.ones_like(tokens)], dim=1)
    expected = model(inputs_embeds=whole, attention_mask=whole_mask, position_ids=positions(whole_mask)).logits
    for index, got in enumerate(logits):
        want = expected[:, 6 + index] if index < 4 else expected[rows, 6 + index]
        torch.testing.assert_close(got, want, atol=2e-4, rtol=1e-4)


def test_the_lean_step_is_used_for_small_qwen3_models_only(model: Any) -> None:
    assert isinstance(incremental(model, 4), LeanQwen3)
    llama = LlamaForCausalLM(LlamaConfig(vocab_size=50, **SHAPE))
    assert isinstance(incremental(llama, 4), CachedModel)


@pytest.mark.parametrize("position", ["after", "before"])
def test_the_log_probability_is_that_of_the_masked_model(
    model: Any, tokenizer: ProgramTokenizer, position: str
) -> None:
    signatures = [SIGNATURE, OTHER]
    ids = prompts(tokenizer, signatures)
    soft = torch.randn(2, 3, 64, generator=torch.Generator().manual_seed(5))
    made = generate_programs(
        model,
        tokenizer,
        Prompts(ids, soft, position),
        signatures,
        seeded(2),
        Sampling(max_new_tokens=60),
    )
    embed = model.get_input_embeddings()
    for row, program in enumerate(made):
        prompt, written = embed(torch.tensor(ids[row])), embed(torch.tensor(program.token_ids))
        parts = [prompt, soft[row]] if position == "after" else [soft[row], prompt]
        prefix = torch.cat(parts)
        with torch.inference_mode():
            logits = model(inputs_embeds=torch.cat([prefix, written])[None]).logits[0, len(prefix) - 1 :].double()
        state = tokenizer.program_state(signatures[row], 60)
        expected = 0.0
        for step, token in enumerate(program.token_ids):
            masked = logits[step].masked_fill(~torch.from_numpy(state.allowed()), -torch.inf)
            expected += float(masked.log_softmax(-1)[token])
            state.advance(token)
        assert program.log_probability == pytest.approx(expected, abs=1e-2)


def test_a_sample_does_not_depend_on_the_rows_beside_it(model: Any, tokenizer: ProgramTokenizer) -> None:
    signatures = [SIGNATURE, OTHER, SIGNATURE, SIGNATURE, OTHER]
    soft = torch.randn(5, 4, 64, generator=torch.Generator().manual_seed(3))
    ids = prompts(tokenizer, signatures)
    sampling = Sampling(max_new_tokens=80)
    together = generate_programs(model, tokenizer, Prompts(ids, soft), signatures, seeded(5), sampling)
    for row in range(5):
        alone = generate_programs(
            model,
            tokenizer,
            Prompts(ids[row : row + 1], soft[row : row + 1]),
            signatures[row : row + 1],
            seeded(1, start=row),
            sampling,
        )
        assert alone[0].source == together[row].source


def test_a_program_is_handed_over_when_it_is_written(model: Any, tokenizer: ProgramTokenizer) -> None:
    signatures = [SIGNATURE, OTHER] * 4
    soft = torch.randn(8, 4, 64, generator=torch.Generator().manual_seed(3))
    handed: list[tuple[int, GeneratedProgram]] = []
    made = generate_programs(
        model,
        tokenizer,
        Prompts(prompts(tokenizer, signatures), soft),
        signatures,
        seeded(8),
        Sampling(max_new_tokens=80),
        on_finished=lambda row, program: handed.append((row, program)),
    )
    assert dict(handed) == dict(enumerate(made))
    lengths = [len(program.token_ids) for _, program in handed]
    assert lengths == sorted(lengths)
    assert len(handed) == 8


def test_temperature_zero_is_deterministic_and_likely(model: Any, tokenizer: ProgramTokenizer) -> None:
    arguments = (model, tokenizer, Prompts(prompts(tokenizer, [SIGNATURE]), torch.zeros(1, 2, 64)), [SIGNATURE])
    sampling = Sampling(temperature=0, max_new_tokens=20)
    greedy = [generate_programs(*arguments, seeded(1, start), sampling)[0] for start in (0, 9)]
    assert greedy[0] == greedy[1]


def test_generate_with_the_logits_processor_follows_the_same_masks(model: Any, tokenizer: ProgramTokenizer) -> None:
    signatures = [SIGNATURE, OTHER]
    ids = prompts(tokenizer, signatures)
    length = max(map(len, ids))
    batch = torch.tensor([[tokenizer.pad_token_id] * (length - len(row)) + row for row in ids])
    mask = (batch != tokenizer.pad_token_id).long()
    torch.manual_seed(2)
    generated = model.generate(
        batch,
        attention_mask=mask,
        do_sample=True,
        max_new_tokens=50,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        logits_processor=LogitsProcessorList(
            [GrammarLogitsProcessor(tokenizer, signatures, prompt_length=length, max_new_tokens=50)]
        ),
    )
    for row, signature in zip(generated[:, length:].tolist(), signatures):
        assert tokenizer.eos_token_id in row
        source = tokenizer.decode_program(row, signature)
        check_signature(ast.parse(source), signature.function_name, len(signature.arguments))


def test_the_logits_processor_allows_exactly_the_grammar(tokenizer: ProgramTokenizer) -> None:
    signatures = [SIGNATURE, SIGNATURE]
    programs = [tokenizer.encode_program(SUPPORTED[name], SIGNATURE) for name in ("loops", "exceptions")]
    processor = GrammarLogitsProcessor(tokenizer, signatures)
    states = [tokenizer.program_state(SIGNATURE) for _ in programs]
    for step in range(min(map(len, programs))):
        sequences = torch.tensor([program[:step] for program in programs], dtype=torch.int64).view(2, step)
        scores = processor(sequences, torch.zeros(2, len(tokenizer) + 3))
        for row, state in enumerate(states):
            assert (torch.isfinite(scores[row, :-3]).numpy() == state.allowed()).all()
            assert not torch.isfinite(scores[row, -3:]).any()
            state.advance(programs[row][step])
    swapped = torch.tensor([programs[1][:5], programs[0][:5]])
    assert torch.isfinite(processor(swapped, torch.zeros(2, len(tokenizer)))[0, programs[1][5]])
    with pytest.raises(ValueError, match="3 sequences"):
        processor(torch.zeros(3, 1, dtype=torch.int64), torch.zeros(3, len(tokenizer)))


def test_nucleus_sampling_follows_the_distribution() -> None:
    probabilities = torch.tensor([0.5, 0.25, 0.15, 0.1])
    draws = (np.arange(2000) + 0.5) / 2000
    logits = probabilities.log().expand(2000, 4)
    tokens, scores = sample(logits, None, draws, 1.0, 0.8)
    assert np.bincount(tokens, minlength=4) / 2000 == pytest.approx([0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0], abs=2e-3)
    assert scores == pytest.approx(probabilities.log().numpy()[tokens], abs=1e-5)
    masks = np.tile([False, True, True, False], (2000, 1))
    tokens, _ = sample(logits, masks, draws, 2.0, 1.0)
    weights = np.sqrt([0.25, 0.15])
    assert np.bincount(tokens, minlength=4)[1:3] / 2000 == pytest.approx(weights / weights.sum(), abs=2e-3)


def test_a_flat_distribution_is_sampled_beyond_the_short_list() -> None:
    tokens, _ = sample(torch.zeros(500, 1000), None, (np.arange(500) + 0.5) / 500, 1.0, 0.9)
    assert len(set(tokens.tolist())) > 400


class _Letters:
    """A stand-in for a text tokenizer: token ids are characters."""

    eos_token_id = 1

    def decode(self, ids: list[int], skip_special_tokens: bool = False) -> str:
        return "".join(chr(96 + token) for token in ids if not (skip_special_tokens and token == 1))


def test_plain_text_is_sampled_until_the_end_token(model: Any) -> None:
    made = generate_programs(
        model,
        _Letters(),
        Prompts([[5, 6], [7]], torch.zeros(2, 1, 64)),
        [SIGNATURE] * 2,
        seeded(2),
        Sampling(max_new_tokens=12, grammar=False),
    )
    for program in made:
        assert len(program.token_ids) == 12 or program.token_ids[-1] == 1
        assert program.finished == (program.token_ids[-1] == 1)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (lambda: (Prompts([[1]]), [SIGNATURE], []), "1 prompts, but 0 generators"),
        (lambda: (Prompts([[1]]), [], seeded(1)), "1 prompts, but 0 signatures"),
        (lambda: (Prompts([[1]], torch.zeros(2, 1, 64)), [SIGNATURE], seeded(1)), "1 prompts, but 2 soft prompts"),
        (lambda: (Prompts([[1]], position="inside"), [SIGNATURE], seeded(1)), "'after' or 'before'"),
        (lambda: (Prompts([[]]), [SIGNATURE], seeded(1)), "nothing to start from"),
        (lambda: (Prompts([[1]]), [SIGNATURE], seeded(1), Sampling(temperature=-1.0)), "temperature"),
        (lambda: (Prompts([[1]]), [SIGNATURE], seeded(1), Sampling(top_p=0.0)), "top_p"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    model: Any, tokenizer: ProgramTokenizer, batch: Callable[[], tuple[Any, ...]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        generate_programs(model, tokenizer, *batch())
