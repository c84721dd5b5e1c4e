"""Flow, mapper, surrogate, composite and encoder: their mathematics, and that checkpoints give them back exactly."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer

from lhs_hf import (
    LHSConfig,
    LHSFlow,
    LHSFlowConfig,
    LHSMapper,
    LHSMapperConfig,
    LHSModel,
    LHSSurrogate,
    LHSSurrogateConfig,
)
from lhs_hf.models.behaviour_block import BehaviourBlock
from lhs_hf.models.encoder import ProgramEncoderModule, load_encoder
from lhs_hf.models.modeling_surrogate import ranknet_loss
from lhs_hf.models.ngram_block import NgramBlock
from lhs_hf.training.flow_trainer import gaussian_bits_per_dimension

ROOT = Path(__file__).parents[2]


def make_flow(latent_size: int = 128, spread: float = 0.1, whitening: bool = False) -> LHSFlow:
    """A flow away from its identity start."""
    torch.manual_seed(0)
    flow = LHSFlow(LHSFlowConfig(latent_size=latent_size, whitening=whitening))
    flow.initialize(3 * torch.randn(256, latent_size) + 1)
    for parameter in flow.parameters():
        parameter.data.add_(spread * torch.randn_like(parameter))
    return flow.eval()


def make_composite() -> LHSModel:
    torch.manual_seed(1)
    model = LHSModel(LHSConfig(mapper_config={"output_size": 64, "hidden_size": 32}, encoder="enc", decoder="dec"))
    model.flow.load_state_dict(make_flow().state_dict())
    return model.eval()


def parameters(model: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


@pytest.mark.parametrize("whitening", [False, True])
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float32, 1e-4), (torch.float64, 1e-9)])
def test_flow_inverts(dtype, bound, whitening):
    flow = make_flow(whitening=whitening).to(dtype)
    z = (3 * torch.randn(500, 128) + 1).to(dtype)
    with torch.no_grad():
        u = flow(z).u
        assert (flow.inverse(u) - z).abs().max() <= bound
        assert (u - z).abs().max() > 0.5


@pytest.mark.parametrize("whitening", [False, True])
def test_flow_log_det_is_that_of_the_jacobian(whitening):
    flow = make_flow(6, whitening=whitening).double()
    z = torch.randn(3, 6, dtype=torch.float64)
    for row, log_det in zip(z, flow(z).log_det):
        jacobian = torch.autograd.functional.jacobian(lambda x: flow(x[None]).u[0], row)
        assert torch.allclose(torch.linalg.slogdet(jacobian).logabsdet, log_det, atol=1e-10)


def test_flow_density_integrates_to_one():
    flow = make_flow(2).double()
    axis = torch.linspace(-30, 30, 301, dtype=torch.float64)
    grid = torch.cartesian_prod(axis, axis)
    with torch.no_grad():
        mass = flow.log_prob(grid).exp().sum() * (axis[1] - axis[0]) ** 2
    assert float(mass) == pytest.approx(1, abs=0.01)


def test_flow_loss_is_mean_nll_and_bits_per_dimension():
    flow = make_flow()
    z = torch.randn(20, 128)
    with torch.no_grad():
        nll = -flow.log_prob(z).mean()
        assert torch.allclose(flow(z, return_loss=True).loss, nll)
        assert torch.allclose(flow.bits_per_dimension(z), nll / (128 * np.log(2)))
    assert flow(z).loss is None


def test_flow_masks_alternate_and_cover_everything():
    masks = torch.stack([coupling.mask for coupling in make_flow(8).couplings])
    assert masks[0].tolist() == [True, False] * 4
    assert (masks[:-1] ^ masks[1:]).all()


def test_act_norm_initialises_once_from_the_first_training_batch():
    flow = LHSFlow(LHSFlowConfig(latent_size=4)).train()
    assert not flow.norms[0].initialized
    u = flow(5 * torch.randn(512, 4) + 7).u
    assert u.mean(dim=0).abs().max() < 1e-4
    assert (u.std(dim=0) - 1).abs().max() < 0.01
    before = flow.norms[0].bias.clone()
    flow(torch.randn(64, 4) - 50)
    assert torch.equal(flow.norms[0].bias, before)


def test_a_whitened_flow_starts_at_the_gaussian_and_survives_a_reload(tmp_path):
    torch.manual_seed(2)
    z = torch.randn(4000, 6) @ (torch.eye(6) + 0.3 * torch.randn(6, 6)) + 3
    flow = LHSFlow(LHSFlowConfig(latent_size=6, whitening=True)).eval()
    flow.initialize(z)
    with torch.no_grad():
        assert torch.allclose(torch.cov(flow(z).u.T), torch.eye(6), atol=0.02)
        assert float(flow.bits_per_dimension(z)) == pytest.approx(gaussian_bits_per_dimension(z, z), abs=5e-3)
        flow.save_pretrained(tmp_path)
        assert torch.equal(LHSFlow.from_pretrained(tmp_path)(z).u, flow(z).u)


def test_reloaded_flow_does_not_initialise_again(tmp_path):
    make_flow(4).save_pretrained(tmp_path)
    flow = LHSFlow.from_pretrained(tmp_path).train()
    before = flow.norms[0].bias.clone()
    flow(100 * torch.randn(32, 4))
    assert torch.equal(flow.norms[0].bias, before)


def test_parameter_counts():
    assert parameters(LHSMapper(LHSMapperConfig())) == pytest.approx(1.8e6, rel=0.01)
    assert parameters(LHSSurrogate(LHSSurrogateConfig())) == 128 * 256 + 256 + 256 * 256 + 256 + 256 + 1
    assert parameters(LHSFlow(LHSFlowConfig())) == 4 * (2 * 128 + 1 + 2 * 2 * (128 * 128 + 128))
    assert 1.5e6 < parameters(ProgramEncoderModule(list, vocab_size=950)) < 2e6


def test_mapper_shapes_and_norm_matching():
    mapper = LHSMapper(LHSMapperConfig(output_size=48)).eval()
    z = torch.randn(7, 128)
    embeddings = 0.3 * torch.randn(100, 48)
    mapper.match_norm(embeddings, z)
    with torch.no_grad():
        tokens = mapper(z)
    assert tokens.shape == (7, 16, 48)
    assert float(tokens.norm(dim=-1).mean()) == pytest.approx(float(embeddings.norm(dim=-1).mean()), rel=1e-4)
    assert torch.equal(mapper(z, return_dict=True).soft_prompt, mapper(z))


def test_ranknet_loss_ignores_ties_and_follows_the_formula():
    predicted = torch.tensor([1.0, 0.5, -2.0])
    scores = torch.tensor([2.0, 2.0, 1.0])
    expected = -torch.log(torch.sigmoid(2 * torch.tensor([3.0, 2.5]))).mean()
    assert torch.allclose(ranknet_loss(predicted, scores, 2.0), expected)
    assert float(ranknet_loss(predicted, torch.zeros(3))) == 0
    heavy = ranknet_loss(predicted, torch.tensor([3.0, 2.0, 1.0]), weights=torch.tensor([0.0, 1.0, 0.0]))
    assert torch.allclose(heavy, -torch.log(torch.sigmoid(torch.tensor(2.5))))


def test_ascent_on_a_trained_surrogate_raises_the_true_score():
    torch.manual_seed(0)
    direction = torch.nn.functional.normalize(torch.randn(16), dim=0)
    u = torch.randn(400, 16)
    surrogate = LHSSurrogate(LHSSurrogateConfig(latent_size=16, hidden_size=32))
    optimizer = torch.optim.Adam(surrogate.parameters(), 1e-2)
    for _ in range(60):
        optimizer.zero_grad()
        surrogate(u, u @ direction).loss.backward()
        optimizer.step()
    surrogate.eval()
    start = torch.randn(50, 16, requires_grad=True)
    score = surrogate(start).score
    (gradient,) = torch.autograd.grad(score.sum(), start)
    end = start + 0.1 * gradient / gradient.norm(dim=1, keepdim=True)
    assert (surrogate(end).score > score).all()
    assert ((end - start) @ direction > 0).all()


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: LHSFlowConfig(latent_size="128"), "latent_size"),
        (lambda: LHSFlowConfig(num_coupling_layers=0), "num_coupling_layers"),
        (lambda: LHSMapperConfig(num_attention_heads=3), "num_attention_heads"),
        (lambda: LHSSurrogateConfig(space="posterior"), "space"),
        (lambda: LHSConfig(soft_prompt_position="middle"), "soft_prompt_position"),
        (lambda: LHSConfig(flow_config={"latent_size": 64}), "64 and 128"),
    ],
)
def test_wrong_configurations_are_refused_by_name(make, name):
    with pytest.raises(Exception, match=name):
        make()


def test_configuration_round_trip_and_custom_pipelines_dropped(tmp_path):
    config = LHSConfig(mapper_config={"output_size": 99}, decoder="dec", decoder_revision="v1", latent_normalized=True)
    config.save_pretrained(tmp_path)
    assert LHSConfig.from_pretrained(tmp_path).to_dict() == LHSConfig.from_pretrained(tmp_path).to_dict()
    data = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**data, "custom_pipelines": {"x": {}}}))
    again = LHSConfig.from_pretrained(tmp_path)
    assert (again.mapper_config.output_size, again.decoder_revision, again.latent_normalized) == (99, "v1", True)
    assert not hasattr(again, "custom_pipelines")
    assert LHSMapperConfig.from_pretrained(tmp_path).output_size == 99


FRESH = """
import sys, torch
from lhs_hf import LHSFlow, LHSMapper, LHSModel, LHSSurrogate
from transformers import AutoModel
folder = sys.argv[1]
z = torch.load(folder + "/z.pt")
flow, info = LHSFlow.from_pretrained(folder, output_loading_info=True)
assert not info["missing_keys"] and not info["unexpected_keys"], info
mapper, info = LHSMapper.from_pretrained(folder, output_loading_info=True)
assert not info["missing_keys"] and not info["unexpected_keys"], info
model = AutoModel.from_pretrained(folder)
assert type(model) is LHSModel
surrogate = AutoModel.from_pretrained(folder, subfolder="surrogates/tsp_construct")
assert type(surrogate) is LHSSurrogate
with torch.inference_mode():
    torch.save([flow(z).u, mapper(z), model(z).u, model(z).soft_prompt, surrogate(z).score], folder + "/out.pt")
"""


@pytest.mark.integration
def test_checkpoints_give_identical_outputs_in_a_fresh_process(tmp_path):
    model = make_composite()
    model.save_pretrained(tmp_path)
    surrogate = LHSSurrogate(LHSSurrogateConfig(task="tsp_construct", score_mean=-6000.0)).eval()
    surrogate.save_pretrained(tmp_path / "surrogates" / "tsp_construct")
    z = torch.randn(9, 128)
    torch.save(z, tmp_path / "z.pt")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(torch.get_num_threads())}
    subprocess.run([sys.executable, "-c", FRESH, str(tmp_path)], check=True, cwd=ROOT, env=environment)
    loaded, scorer = (
        LHSModel.from_pretrained(tmp_path),
        LHSSurrogate.from_pretrained(tmp_path, subfolder="surrogates/tsp_construct"),
    )
    for before, after in ((model, loaded), (surrogate, scorer)):
        for name, value in before.state_dict().items():
            assert torch.equal(after.state_dict()[name], value), name

    def outputs(composite, score):
        with torch.inference_mode():
            return [composite.flow(z).u, composite.mapper(z), composite(z).u, composite(z).soft_prompt, score(z).score]

    theirs = torch.load(tmp_path / "out.pt")
    # The same bits, with as many threads and with weights that lie in memory alike: both decide the order of sums.
    for here, there, first in zip(outputs(loaded, scorer), theirs, outputs(model, surrogate), strict=True):
        assert torch.equal(here, there)
        torch.testing.assert_close(first, there, rtol=0, atol=1e-5)


def test_parts_load_in_another_dtype(tmp_path):
    make_composite().save_pretrained(tmp_path)
    flow = LHSFlow.from_pretrained(tmp_path, dtype=torch.float64)
    z = torch.randn(20, 128, dtype=torch.float64)
    with torch.no_grad():
        assert (flow.inverse(flow(z).u) - z).abs().max() < 1e-9
    assert flow.couplings[0].mask.dtype == torch.bool
    assert LHSMapper.from_pretrained(tmp_path, dtype="bfloat16").dtype == torch.bfloat16


def test_composite_decodes_prior_vectors():
    model = make_composite()
    z = torch.randn(4, 128)
    with torch.no_grad():
        output = model(z)
        assert torch.allclose(model.decode_prior(output.u), output.soft_prompt, atol=1e-4)


# -- the encoder


def letters(text: str) -> list[int]:
    """A stand-in for the program tokenizer."""
    return [ord(letter) % 90 for letter in text]


def make_encoder(**changes) -> ProgramEncoderModule:
    torch.manual_seed(0)
    return ProgramEncoderModule(letters, vocab_size=90, hidden_size=32, num_layers=2, intermediate_size=64, **changes)


def some_behaviour(seed: int) -> np.ndarray:
    behaviour = np.random.default_rng(seed).random((64, 8)).astype(np.float32)
    behaviour[seed % 64] = np.nan
    return behaviour


ITEMS = [
    {"program": "def f(a): return a", "task": None, "behaviour": some_behaviour(3)},
    {"program": "def f(a, b): return a + b", "task": None, "behaviour": None},
    {"program": "def g(): pass", "behaviour": np.full((64, 8), np.nan)},
]


@pytest.mark.parametrize("ngram_buckets", [0, 64])
@pytest.mark.parametrize("load", [SentenceTransformer, load_encoder])
def test_encoder_saves_and_loads_as_a_sentence_transformer(tmp_path, load, ngram_buckets):
    encoder = make_encoder(ngram_buckets=ngram_buckets)
    model = SentenceTransformer(modules=[encoder], truncate_dim=128, device="cpu")
    latents = model.encode(ITEMS)
    assert latents.shape == (3, 128)
    assert np.isfinite(latents).all()
    model.save(str(tmp_path))
    again = load(str(tmp_path), device="cpu")
    again[0].tokenizer = letters
    assert np.array_equal(again.encode(ITEMS), latents)
    assert again.get_embedding_dimension() == 128


def test_encoder_reads_text_and_behaviour():
    model = SentenceTransformer(modules=[make_encoder()], device="cpu")
    text = model.encode(["def f(a): return a", "def f(b): return b"])
    assert not np.allclose(text[0], text[1])
    same, other = ({"program": "def f(a): return a", "behaviour": some_behaviour(seed)} for seed in (1, 2))
    assert not np.allclose(model.encode(same), model.encode(other))
    assert not np.allclose(model.encode(same), text[0])


def test_text_only_encoder_ignores_behaviour():
    model = SentenceTransformer(modules=[make_encoder(use_behaviour=False)], device="cpu")
    assert np.array_equal(model.encode(ITEMS[0]), model.encode(ITEMS[0]["program"]))


@pytest.mark.parametrize("ngram_buckets", [0, 64])
def test_encoder_does_not_depend_on_padding(ngram_buckets):
    encoder = make_encoder(ngram_buckets=ngram_buckets).eval()
    batch = encoder.preprocess([item["program"] for item in ITEMS])
    alone = encoder.preprocess([ITEMS[2]["program"]])
    with torch.no_grad():
        together = encoder.embed(batch["input_ids"], batch["attention_mask"])[2]
        assert torch.allclose(together, encoder.embed(alone["input_ids"])[0], atol=1e-6)


def test_ngram_block_knows_tokens_and_their_neighbours_but_not_where_they_are():
    torch.manual_seed(0)
    block = NgramBlock(vocab_size=10, buckets=1000, size=8)
    sentence, turned, swapped = ([1, 2, 3, 1], [3, 1, 2, 3], [2, 1, 3, 1])
    found = block(torch.tensor([sentence, turned, swapped]))
    # The middle pairs of the first two are the same; the third has the tokens of the first.
    assert len({tuple(row.tolist()) for row in found.detach().round(decimals=6)}) == 3
    table = block.table.weight
    first, second = 1_000_003, 7_919
    pairs = [table[10 + (a * first + b * second) % 1000] for a, b in itertools.pairwise(sentence)]
    expected = torch.stack([table[each] for each in sentence] + pairs).sum(0) / 7**0.5
    torch.testing.assert_close(found[0], expected)


def test_ngram_block_leaves_grams_out_in_training_only():
    torch.manual_seed(0)
    block = NgramBlock(vocab_size=10, buckets=100, size=8, dropout=0.5)
    ids = torch.randint(1, 10, (1, 40))
    assert not torch.equal(block(ids), block(ids))
    block.eval()
    assert torch.equal(block(ids), block(ids))
    with pytest.raises(ValueError, match="buckets must be at least 1"):
        NgramBlock(vocab_size=10, buckets=0, size=8)


@pytest.mark.parametrize("ngram_buckets", [0, 64])
def test_encoder_gradients_reach_every_parameter(ngram_buckets):
    encoder = make_encoder(ngram_buckets=ngram_buckets)
    features = encoder.preprocess(ITEMS)
    encoder(features)["sentence_embedding"].square().sum().backward()
    assert all(parameter.grad is not None for parameter in encoder.parameters())


def test_encoder_names_what_it_can_not_encode():
    def picky(text: str) -> list[int]:
        raise ValueError("no decorators, please")

    encoder = ProgramEncoderModule(picky, vocab_size=90)
    with pytest.raises(ValueError, match=r"'def strange.*no decorators"):
        encoder.preprocess(["def strange(a): return a"])
    with pytest.raises(ValueError, match=r"shape \(64, 8\)"):
        make_encoder().preprocess([{"program": "x", "behaviour": np.zeros((3, 2))}])


def test_behaviour_block_statistics():
    block = BehaviourBlock()
    behaviour = torch.from_numpy(np.stack([some_behaviour(seed) for seed in range(20)]))
    summary = block.summary(behaviour)
    assert summary.shape == (20, block.size) == (20, 89)
    ok = behaviour[0][~behaviour[0].isnan().any(dim=1)]
    assert torch.allclose(summary[0, :8], ok.mean(dim=0), atol=1e-6)
    assert torch.allclose(summary[0, 8:16], ok.std(dim=0, unbiased=False), atol=1e-6)
    assert float(summary[0, 16]) == pytest.approx(1 / 64)
    assert torch.allclose(block.projection.T @ block.projection, torch.eye(48), atol=1e-5)
    block.fit(behaviour)
    assert block(behaviour).mean(dim=0).abs().max() < 1e-4
    assert block(torch.full((1, 64, 8), torch.nan)).isfinite().all()
