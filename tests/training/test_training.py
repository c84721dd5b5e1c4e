"""Training: exact resumption after a kill, what is learnt, and what is measured about it."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import Qwen3ForCausalLM

from lhs_hf.metrics import average_ranks
from lhs_hf.models.configuration_lhs import LHSFlowConfig, LHSMapperConfig
from lhs_hf.models.encoder import ProgramEncoderModule
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.training.autoencoder_config import AutoencoderTrainingConfig
from lhs_hf.training.autoencoder_model import LHSAutoencoder, tiny_decoder_config
from lhs_hf.training.data import BucketedBatches, ListSource, SeededExamples, choose, pad
from lhs_hf.training.flow_config import FlowTrainingConfig
from lhs_hf.training.flow_trainer import gaussian_bits_per_dimension, train_flow
from lhs_hf.training.optimizer import MuonAdamW
from lhs_hf.training.precision import has_fast_bfloat16
from lhs_hf.training.surrogate_config import SurrogateTrainingConfig
from lhs_hf.training.surrogate_trainer import Scored, better_half_spearman, spearman, train_surrogate
from lhs_hf.training.teacher_forcing import mean_by_program, plain_attention, program_nll
from lhs_hf.training.trainer import LossFunction, Objective, fit, last_complete_checkpoint
from lhs_hf.training.training_config import TrainingConfig

HELPERS = Path(__file__).parents[1] / "helpers"
SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "intermediate_size": 16,
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(HELPERS.parents[1])}
    command = [sys.executable, str(HELPERS / "training_runs.py"), str(tmp_path_factory.mktemp("runs"))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.integration
@pytest.mark.parametrize("part", [pytest.param("flow", marks=pytest.mark.slow), "surrogate", "mapper", "autoencoder"])
def test_killed_training_resumes_to_identical_weights(runs, part):
    whole, killed, resumed, again = runs[part]["codes"]
    assert (whole, killed, resumed, again) == (0, -signal.SIGKILL, 0, 0)
    assert "checkpoint-8" in runs[part]["checkpoints"]
    assert runs[part]["digests"][0] == runs[part]["digests"][1]


def two_moons(count: int, seed: int) -> torch.Tensor:
    """Points on a bent line in the first two of four dimensions: no Gaussian."""
    generator = np.random.default_rng(seed)
    angle = generator.uniform(0, np.pi, count)
    bent = np.stack([np.cos(angle), np.sin(angle)], axis=1) + 0.02 * generator.normal(size=(count, 2))
    return torch.from_numpy(np.concatenate([bent, generator.normal(size=(count, 2))], axis=1)).float()


@pytest.mark.integration
def test_flow_beats_the_gaussian_on_held_out_latents(tmp_path):
    settings = FlowTrainingConfig(steps=300, evaluate_every=50, batch_size=128)
    config = LHSFlowConfig(latent_size=4, hidden_size=32)
    arguments = {"config": config, "progress": False}
    flow, result = train_flow(two_moons(800, 0), two_moons(200, 1), settings, tmp_path, **arguments)
    evaluations = [entry for entry in result.history if "eval_bits" in entry]
    assert result.best_metric == min(entry["eval_bits"] for entry in evaluations)
    assert result.best_metric < evaluations[0]["eval_gaussian_bits"] - 0.1
    assert not flow.training
    log = json.loads((tmp_path / "training_log.json").read_text())
    assert log["settings"]["noise"] == 0.05
    assert not (tmp_path / "checkpoints").exists()
    assert (tmp_path / "config.json").is_file()


def test_gaussian_bits_of_known_distributions():
    z = torch.from_numpy(np.random.default_rng(0).normal(size=(20_000, 3)))
    expected = 0.5 * np.log2(2 * np.pi * np.e)
    assert gaussian_bits_per_dimension(z, z) == pytest.approx(expected, abs=0.01)
    assert gaussian_bits_per_dimension(4 * z, 4 * z) == pytest.approx(expected + 2, abs=0.01)
    noisy = z + 2 * torch.from_numpy(np.random.default_rng(1).normal(size=z.shape))
    assert gaussian_bits_per_dimension(z, noisy, noise=2.0) == pytest.approx(expected + np.log2(5) / 2, abs=0.01)


def test_surrogate_learns_the_order(tmp_path):
    generator = np.random.default_rng(0)
    u = torch.from_numpy(generator.normal(size=(260, 16)))
    scores = -1000 * torch.exp(-u[:, 0] + 0.5 * u[:, 1])
    settings = SurrogateTrainingConfig(steps=150, evaluate_every=25, better_half_weight=2.0)
    data = (Scored(u[:200], scores[:200]), Scored(u[200:], scores[200:]))
    surrogate, result = train_surrogate(*data, settings, tmp_path, task="tsp_construct", progress=False)
    with torch.no_grad():
        predicted = surrogate(u[200:].float()).score
    assert spearman(predicted, scores[200:]) > 0.9
    assert better_half_spearman(predicted, scores[200:]) > 0.7
    assert surrogate.config.task == "tsp_construct"
    assert surrogate.config.score_mean == pytest.approx(float(scores[:200].mean()))
    assert result.best_metric == max(entry.get("eval_selection", -1) for entry in result.history)


def test_surrogate_needs_something_to_rank(tmp_path):
    u = torch.zeros(5, 4)
    with pytest.raises(ValueError, match="all 5 training scores are equal"):
        train_surrogate(Scored(u, torch.ones(5)), Scored(u, torch.ones(5)), output_dir=tmp_path, progress=False)


def test_other_settings_do_not_continue_a_run(tmp_path):
    u = torch.randn(20, 4)
    arguments = (Scored(u, u[:, 0]), Scored(u, u[:, 0]))
    settings = SurrogateTrainingConfig(steps=2, evaluate_every=1)
    train_surrogate(*arguments, settings, tmp_path, progress=False)
    other = SurrogateTrainingConfig(steps=2, evaluate_every=1, temperature=2.0)
    with pytest.raises(ValueError, match=r"temperature 1\.0 -> 2\.0"):
        train_surrogate(*arguments, other, tmp_path, progress=False)
    _, result = train_surrogate(*arguments, other, tmp_path, progress=False, resume=False)
    assert result.last_step == 2


def test_early_stopping_keeps_the_best(tmp_path):
    torch.manual_seed(0)
    u, noise = torch.randn(40, 4), torch.randn(40)
    settings = SurrogateTrainingConfig(steps=400, evaluate_every=5, patience=2)
    other = Scored(torch.randn(30, 4), torch.randn(30))
    _, result = train_surrogate(Scored(u, noise), other, settings, tmp_path, progress=False)
    assert result.last_step == result.best_step + 10


def test_spearman_with_ties():
    assert average_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2.5, 0.0, 2.5, 1.0]
    a = torch.tensor([1.0, 2.0, 3.0, 4.0])
    assert spearman(a, a.exp()) == pytest.approx(1)
    assert spearman(a, -a) == pytest.approx(-1)
    assert spearman(a, torch.ones(4)) == 0


def test_batches_are_bucketed_complete_and_repeatable():
    lengths = np.random.default_rng(0).integers(1, 200, 500)
    source = ListSource(list(lengths), int)
    batches = list(BucketedBatches(source, 10, 120, seed=3))
    assert batches == list(BucketedBatches(source, 10, 120, seed=3))
    assert batches != list(BucketedBatches(source, 10, 120, seed=4))
    first = [index for batch in batches[:50] for _, index in batch]
    assert sorted(first) == list(range(500))
    assert {epoch for batch in batches for epoch, _ in batch} == {0, 1, 2}
    spread = np.mean([np.ptp([lengths[index] for _, index in batch]) for batch in batches])
    assert spread < 20


def test_random_examples_depend_on_seed_epoch_and_index_only():
    class Draws(ListSource):
        def example(self, index, generator):
            return generator.random()

    examples = SeededExamples(Draws([0] * 5), seed=1)
    assert examples[0, 2] == examples[0, 2]
    assert len({examples[0, 2], examples[1, 2], examples[0, 3], SeededExamples(Draws([0] * 5), seed=2)[0, 2]}) == 4


def test_choice_follows_the_weights():
    generator = np.random.default_rng(0)
    counts = np.bincount([choose((0.6, 0.2, 0.2), generator) for _ in range(5000)]) / 5000
    assert np.allclose(counts, (0.6, 0.2, 0.2), atol=0.03)


def test_incomplete_checkpoints_are_passed_over(tmp_path):
    for step, text in ((5, "{}"), (10, "{}"), (15, '{"cut')):
        folder = tmp_path / f"checkpoint-{step}"
        folder.mkdir()
        (folder / "trainer_state.json").write_text(text)
    (tmp_path / "checkpoint-20").mkdir()
    assert last_complete_checkpoint(tmp_path) == tmp_path / "checkpoint-10"
    assert last_complete_checkpoint(tmp_path / "nothing") is None


@pytest.mark.parametrize("change", [{"schedule": "zigzag"}, {"steps": 0}, {"precision": "int4"}])
def test_wrong_settings_are_refused(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        TrainingConfig(**change)


@pytest.mark.parametrize("position", ["after", "before"])
def test_teacher_forcing_is_the_likelihood_of_each_row_alone(position):
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2}
    decoder = Qwen3ForCausalLM(tiny_decoder_config(40, head_dim=8, intermediate_size=16, **sizes)).eval()
    prompts, programs = [[4, 5, 6, 7], [8], [9, 10]], [[11, 12, 13], [14, 15, 16, 17, 18], [19]]
    soft = torch.randn(3, 2, 16)
    names = ("prompt_ids", "prompt_mask", "program_ids", "program_mask")
    batch = dict(zip(names, (*pad(prompts, side="left"), *pad(programs))))
    with torch.no_grad():
        together = program_nll(decoder, soft, batch, position)
        for row, (prompt, program) in enumerate(zip(prompts, programs)):
            embedded = decoder.get_input_embeddings()(torch.tensor([prompt + program]))
            parts = [embedded[:, : len(prompt)], soft[row : row + 1], embedded[:, len(prompt) :]]
            if position == "before":
                parts = [parts[1], parts[0], parts[2]]
            logits = decoder(inputs_embeds=torch.cat(parts, dim=1)).logits[0, len(prompt) + 1 : -1]
            expected = torch.nn.functional.cross_entropy(logits, torch.tensor(program), reduction="none")
            assert torch.allclose(together[row, : len(program)], expected, atol=1e-5)
            assert (together[row, len(program) :] == 0).all()
    means = torch.stack([row[: len(program)].mean() for row, program in zip(together, programs)])
    assert torch.allclose(mean_by_program(together, batch["program_mask"]), means.mean())


def test_plain_attention_is_the_same_likelihood_and_for_a_while_only():
    torch.manual_seed(0)
    decoder = Qwen3ForCausalLM(tiny_decoder_config(30, **SMALL)).eval()
    prompt_ids, prompt_mask = pad([[3, 4, 5], [6]], side="left")
    program_ids, program_mask = pad([[7, 8], [9, 10, 11, 12]])
    batch = {
        "prompt_ids": prompt_ids,
        "prompt_mask": prompt_mask,
        "program_ids": program_ids,
        "program_mask": program_mask,
    }
    soft = torch.randn(2, 3, 16)
    before = decoder.config._attn_implementation
    with torch.no_grad():
        fused = program_nll(decoder, soft, batch)
        with plain_attention(decoder):
            assert decoder.config._attn_implementation == "eager"
            torch.testing.assert_close(program_nll(decoder, soft, batch), fused)
    assert decoder.config._attn_implementation == before


def fit_a_line(loss: LossFunction, settings: TrainingConfig, folder: Path) -> None:
    fit(
        torch.nn.Linear(1, 1),
        ListSource([1.0, 2.0]),
        lambda rows: {"x": torch.tensor(rows)[:, None]},
        settings,
        folder,
        Objective(loss, lambda model: {"loss": 0.0}),
        progress=False,
    )


def test_a_training_does_without_the_attention_of_cudnn(tmp_path: Path) -> None:
    seen = []

    def loss(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        seen.append(torch.backends.cuda.cudnn_sdp_enabled())
        return model(batch["x"]).square().mean()

    settings = TrainingConfig(steps=2, batch_size=2, evaluate_every=2)
    fit_a_line(loss, settings, tmp_path)
    assert seen == [False, False]
    assert torch.backends.cuda.cudnn_sdp_enabled()


def test_a_training_whose_weights_are_no_numbers_ends_at_once(tmp_path: Path) -> None:
    def loss(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        return (model(batch["x"]) * float("nan")).sum()

    settings = TrainingConfig(steps=5000, batch_size=2, evaluate_every=5000)
    with pytest.raises(RuntimeError, match="after step 50 2 weights are not finite, 'weight' among them"):
        fit_a_line(loss, settings, tmp_path)


def test_teacher_forcing_refuses_another_position():
    with pytest.raises(ValueError, match="middle"):
        program_nll(None, torch.zeros(1), {}, "middle")


def test_tiny_decoder_size():
    decoder = Qwen3ForCausalLM(tiny_decoder_config(900))
    count = sum(parameter.numel() for parameter in decoder.parameters())
    assert count == 900 * 256 + 4 * (4 * 256 * 256 + 3 * 256 * 768 + 2 * 256 + 2 * 64) + 256


def test_the_last_weights_are_kept_on_request(tmp_path: Path) -> None:
    latents = torch.randn(64, 8, generator=torch.Generator().manual_seed(0))
    common = {"steps": 12, "evaluate_every": 4, "batch_size": 16, "patience": None, "learning_rate": 0.3}
    best, best_result = train_flow(latents, latents, FlowTrainingConfig(**common), tmp_path / "best", progress=False)
    last, last_result = train_flow(
        latents, latents, FlowTrainingConfig(**common, keep="last"), tmp_path / "last", progress=False
    )
    assert (best_result.best_step, best_result.best_metric) == (last_result.best_step, last_result.best_metric)
    assert best_result.kept_step == best_result.best_step
    assert last_result.kept_step == 12
    same = all(torch.equal(a, b) for a, b in zip(best.state_dict().values(), last.state_dict().values()))
    assert same == (best_result.best_step == 12)


def test_hidden_tokens_are_not_read_but_are_predicted():
    torch.manual_seed(0)
    decoder = Qwen3ForCausalLM(tiny_decoder_config(30, **SMALL)).eval()
    ids = torch.tensor([[4, 5, 6, 7, 8]])
    batch = {
        "prompt_ids": torch.tensor([[1, 2]]),
        "prompt_mask": torch.ones(1, 2, dtype=torch.bool),
        "program_ids": ids,
        "program_mask": torch.ones(1, 5, dtype=torch.bool),
    }
    soft = torch.randn(1, 3, 16)
    hidden = torch.tensor([[False, True, False, False, False]])
    with torch.no_grad():
        shown = program_nll(decoder, soft, batch)
        covered = program_nll(decoder, soft, batch, hidden=hidden)
        other = program_nll(decoder, soft, {**batch, "program_ids": torch.tensor([[4, 9, 6, 7, 8]])}, hidden=hidden)
    torch.testing.assert_close(covered[:, :2], shown[:, :2])
    assert (covered[:, 2:] - shown[:, 2:]).abs().max() > 1e-4
    torch.testing.assert_close(other[:, 2:], covered[:, 2:])
    assert (other[:, 1] - covered[:, 1]).abs() > 1e-4


def _two_examples(**encoder_settings) -> tuple[LHSAutoencoder, dict]:
    """A small model, and a batch of two programs."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_layers": 1, "num_heads": 2, "intermediate_size": 16, "latent_size": 8}
    encoder = ProgramEncoderModule(None, vocab_size=30, **sizes, **encoder_settings)
    mapper = LHSMapper(LHSMapperConfig(latent_size=8, hidden_size=16, token_size=16, output_size=16, num_soft_tokens=2))
    model = LHSAutoencoder(encoder, mapper, Qwen3ForCausalLM(tiny_decoder_config(30, **SMALL)), num_tasks=3)
    ids = torch.tensor([[4, 5, 6], [7, 8, 9]])
    every = torch.ones(2, 3, dtype=torch.bool)
    batch = {
        "encoder_ids": ids,
        "encoder_mask": every,
        "behaviour": torch.rand(2, 64, 8),
        "behaviour_mask": torch.ones(2, dtype=torch.bool),
        "prompt_ids": ids[:, :2],
        "prompt_mask": every[:, :2],
        "program_ids": ids,
        "program_mask": every,
        "task": torch.tensor([0, 2]),
        "quantile": torch.tensor([float("nan")] * 2),
    }
    return model, batch


def test_examples_without_a_score_teach_no_score():
    model, batch = _two_examples()
    last = model.quantile_head[-1].weight
    for quantiles, learned in (([float("nan")] * 2, []), ([0.9, float("nan")], [0]), ([0.1, 0.8], [0, 2])):
        model.zero_grad()
        model.loss(
            {**batch, "quantile": torch.tensor(quantiles)}, AutoencoderTrainingConfig(quantile_weight=1.0)
        ).backward()
        assert last.grad.abs().sum(dim=1).nonzero().flatten().tolist() == learned


def test_a_text_only_encoder_learns_to_tell_behaviour_and_does_not_read_it():
    model, batch = _two_examples(use_behaviour=False, dropout=0.0)
    other = {**batch, "behaviour": torch.rand(2, 64, 8)}
    assert torch.equal(model.embed(batch), model.embed(other))
    settings = AutoencoderTrainingConfig(behaviour_weight=1.0)
    gradients = []
    for each in (batch, other):
        torch.manual_seed(1)
        model.zero_grad()
        model.loss(each, settings).backward()
        gradients.append(model.encoder.projection.weight.grad.clone())
    assert not torch.allclose(*gradients)


class _Network(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(7, 8)
        self.hidden = torch.nn.Linear(8, 6)
        self.head = torch.nn.Linear(6, 7, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.head(torch.tanh(self.hidden(self.table(ids))))


def _muon(model: torch.nn.Module) -> MuonAdamW:
    return MuonAdamW(model, matrix_learning_rate=0.02, learning_rate=0.01, weight_decay=0.1)


def _steps(model: torch.nn.Module, optimizer: torch.optim.Optimizer, count: int) -> None:
    ids = torch.arange(7)
    for _ in range(count):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(ids), ids).backward()
        optimizer.step()


def test_muon_moves_hidden_matrices_by_an_orthogonal_step_and_adamw_the_rest():
    model, plain = _Network(), _Network()
    before = model.hidden.weight.detach().clone()
    _steps(model, _muon(model), 1)
    decayed = [
        {"params": [plain.table.weight, plain.head.weight]},
        {"params": [plain.hidden.bias], "weight_decay": 0.0},
    ]
    _steps(plain, torch.optim.AdamW(decayed, lr=0.01, weight_decay=0.1), 1)
    for name in ("table.weight", "head.weight", "hidden.bias"):
        torch.testing.assert_close(model.get_parameter(name), plain.get_parameter(name))
    moved = model.hidden.weight.detach() - before * (1 - 0.02 * 0.1)
    sizes = torch.linalg.svdvals(moved)
    # All directions of an orthogonalised step are about equally long, and as long as AdamW's would be together.
    assert sizes.max() < 2 * sizes.min()
    assert 0.5 < sizes.max() / (0.02 * 0.2 * 8**0.5) < 1.5


def test_a_reloaded_optimiser_goes_on_as_if_it_had_not_stopped():
    model, other = _Network(), _Network()
    optimizer = _muon(model)
    _steps(model, optimizer, 3)
    state, weights = (
        copy.deepcopy(optimizer.state_dict()),
        {name: value.clone() for name, value in model.state_dict().items()},
    )
    _steps(model, optimizer, 2)
    other.load_state_dict(weights)
    again = _muon(other)
    again.load_state_dict(state)
    _steps(other, again, 2)
    for name, value in model.state_dict().items():
        assert torch.equal(value, other.state_dict()[name]), name


def test_muon_moves_as_far_in_full_precision_as_in_bfloat16(monkeypatch):
    moves = {}
    for fast in (True, False):
        monkeypatch.setattr("lhs_hf.training.optimizer.has_fast_bfloat16", lambda device, fast=fast: fast)
        model = _Network()
        optimizer = _muon(model)
        _steps(model, optimizer, 5)
        moves[fast] = model.hidden.weight.detach() - _Network().hidden.weight.detach()
        assert set(optimizer.state[model.hidden.weight]) == {"momentum_buffer"}
    # Seven digits of one are rounded to three of the other.
    torch.testing.assert_close(moves[True], moves[False], rtol=0, atol=0.05 * float(moves[True].abs().max()))
    assert not torch.equal(moves[True], moves[False])


@pytest.mark.parametrize(("capability", "fast"), [("AVX2", False), ("DEFAULT", False), ("AVX512", True)])
def test_processors_without_matrix_units_for_it_keep_float32(monkeypatch, capability, fast):
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    assert has_fast_bfloat16("cpu") is fast
    assert has_fast_bfloat16("cuda")


def test_muon_needs_a_hidden_matrix():
    with pytest.raises(ValueError, match="no linear layer outside its heads"):
        MuonAdamW(torch.nn.Embedding(3, 2), matrix_learning_rate=0.1, learning_rate=0.1)
