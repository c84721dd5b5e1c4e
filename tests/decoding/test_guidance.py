"""Guidance by execution: programs of a random model run, rows stay independent, forgotten tokens leave no trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from small_decoders import SHAPE, seeded
from transformers import Qwen3Config, Qwen3ForCausalLM

from lhs_hf.corpus.seeds_io import read_seeds
from lhs_hf.decoding.budget import Budget
from lhs_hf.decoding.decoder import LatentDecoder, signature_of
from lhs_hf.decoding.generation import GeneratedProgram, Prompts, Sampling, generate_programs
from lhs_hf.decoding.grammar import ProgramState, Vocabulary, encode
from lhs_hf.decoding.incremental import CachedModel, LeanQwen3, positions
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.configuration_lhs import LHSMapperConfig
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.programs import canonical_tree
from lhs_hf.tasks import get_task

TASK = get_task("tsp_construct")
LIMIT = 60


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(TASK) as made:
        yield made


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> ProgramTokenizer:
    sources = [seed.source for seed in read_seeds(TASK.name)]
    vocabulary = Vocabulary.build([(source, signature_of(TASK)) for source in sources], min_count=2)
    return ProgramTokenizer.from_vocabulary(vocabulary, tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def model(tokenizer: ProgramTokenizer) -> Any:
    torch.manual_seed(0)
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), num_key_value_heads=2, head_dim=16, **SHAPE)).eval()


def sampled(
    model: Any, tokenizer: ProgramTokenizer, evaluator: Evaluator, rows: range, guided: bool, limit: int = LIMIT
) -> list[GeneratedProgram]:
    signature = signature_of(evaluator.task)
    soft = torch.randn(64, 4, 64, generator=torch.Generator().manual_seed(5))[rows.start : rows.stop]
    prompts = Prompts([tokenizer.encode_prompt(TASK.name, signature)] * len(rows), soft)
    batch = (prompts, [signature] * len(rows), seeded(len(rows), rows.start))
    sampling = Sampling(temperature=1.0, max_new_tokens=limit)
    if not guided:
        return generate_programs(model, tokenizer, *batch, sampling)
    with evaluator.stepping(probes=2, limit_s=0.3) as stepper:
        return generate_programs(model, tokenizer, *batch, sampling, guide=stepper)


@pytest.mark.integration
def test_guided_programs_run_where_others_do_not(model: Any, tokenizer: ProgramTokenizer) -> None:
    # A program without a `return` is legal there: even a random model can write one.
    # Room for more than the beginnings that are dropped: a random model finds all of them improbable.
    task, limit = get_task("knapsack_construct"), 3 * LIMIT
    with Evaluator(task) as evaluator:
        plain = sampled(model, tokenizer, evaluator, range(24), guided=False, limit=limit)
        guided = sampled(model, tokenizer, evaluator, range(24), guided=True, limit=limit)
        with evaluator.stepping() as stepper:

            def running(programs: list[GeneratedProgram]) -> int:
                asked = [(stepper.open(), program.source) for program in programs]
                return sum(result.ok for result in stepper.check(asked, {session for session, _ in asked}))

            assert running(plain) == 0
            assert running(guided) >= 3
    assert all(program.finished and len(program.token_ids) <= limit for program in guided)
    assert sum(program.rejections for program in guided) > 24
    for program in guided:
        assert program.sampled >= len(program.token_ids) - 1
        assert tokenizer.decode_program(program.token_ids, signature_of(task)) == program.source
    assert [program.rejections for program in plain] == [0] * 24


@pytest.mark.integration
def test_a_guided_sample_depends_on_its_generator_alone(
    model: Any, tokenizer: ProgramTokenizer, evaluator: Evaluator
) -> None:
    together = sampled(model, tokenizer, evaluator, range(6), guided=True)
    again = sampled(model, tokenizer, evaluator, range(6), guided=True)
    alone = [sampled(model, tokenizer, evaluator, range(row, row + 1), guided=True)[0] for row in range(6)]
    for first, second, third in zip(together, again, alone):
        assert first.source == second.source == third.source
        assert first.token_ids == second.token_ids == third.token_ids


@pytest.mark.parametrize("stepper", [LeanQwen3, CachedModel])
@torch.inference_mode()
def test_forgotten_tokens_leave_no_trace(model: Any, stepper: Any) -> None:
    generator = torch.Generator().manual_seed(1)
    embeddings = torch.randn(3, 5, 64, generator=generator)
    mask = torch.ones(3, 5, dtype=torch.int64)
    mask[2, :2] = 0
    tokens = torch.randint(len(model.get_input_embeddings().weight), (3, 8), generator=generator)
    stepped = LeanQwen3(model, 8) if stepper is LeanQwen3 else stepper(model)
    stepped.start(embeddings, mask)
    for index in range(5):
        logits = stepped.step(tokens[:, index])
    stepped.forget(1, [3, 4])
    stepped.forget(2, [1, 2, 3, 4])
    for index in range(5, 8):
        logits = stepped.step(tokens[:, index])
    for row, gone in ((0, []), (1, [3, 4]), (2, [1, 2, 3, 4])):
        kept = tokens[row, [index for index in range(8) if index not in gone]][None]
        whole = torch.cat([embeddings[row : row + 1], model.get_input_embeddings()(kept)], dim=1)
        seen = torch.cat([mask[row : row + 1], torch.ones_like(kept)], dim=1)
        expected = model(inputs_embeds=whole, attention_mask=seen, position_ids=positions(seen)).logits[0, -1]
        torch.testing.assert_close(logits[row], expected, atol=2e-4, rtol=1e-4)


def test_the_decoder_charges_every_sampled_token(model: Any, tokenizer: ProgramTokenizer, evaluator: Evaluator) -> None:
    mapper = LHSMapper(LHSMapperConfig(latent_size=8, hidden_size=16, output_size=64))
    budget = Budget(3)
    decoder = LatentDecoder(model, tokenizer, mapper, budget=budget)
    with evaluator.stepping(probes=2, limit_s=0.3) as stepper:
        handed = {}
        made = decoder.decode(
            torch.randn(3, 8),
            TASK,
            seeded(3),
            max_new_tokens=LIMIT,
            temperature=1.0,
            guide=stepper,
            on_finished=handed.__setitem__,
        )
        assert stepper.executions > 0
    assert handed == {row: program for row, program in enumerate(made) if program.finished}
    assert budget.left == 0
    assert budget.tokens == sum(max(program.sampled, len(program.token_ids)) for program in made)


def test_the_frontier_stands_in_the_open_block() -> None:
    signature = signature_of(TASK)
    source = read_seeds(TASK.name)[0].source
    vocabulary = Vocabulary.build([(source, signature)])
    actions = encode(canonical_tree(source), signature, vocabulary)
    state = ProgramState(signature, vocabulary)
    shown = []
    for action in actions[:-1]:
        state.advance(action)
        if state.statement_boundaries[-1:] == [len(state.actions)] and not state.complete:
            shown.append(state.partial_source(frontier=True))
    assert all(text.count("...") == 1 for text in shown)
    assert "..." not in state.partial_source()
    indents = [len(line) - len(line.lstrip()) for text in shown for line in text.splitlines() if line.strip() == "..."]
    assert indents == [4, 4, 8, 12, 12, 8, 4]
