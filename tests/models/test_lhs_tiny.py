"""The model that ships: it loads offline, its flow inverts, its surrogates have an uphill, it decodes what parses."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pinned
import pytest
import torch
from transformers import Qwen3ForCausalLM

from lhs_hf import LHSFlow, LHSMapper, LHSModel, LHSSurrogate
from lhs_hf.constants import SURROGATE_FOLDERS, embedded_model
from lhs_hf.corpus.dataset import CorpusRow, load_corpus
from lhs_hf.decoding.decoder import signature_of
from lhs_hf.evaluation.rollout import load
from lhs_hf.models.encoder import load_encoder
from lhs_hf.search.ascent import ascend
from lhs_hf.search.components import load_components
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task, task_names
from lhs_hf.training.autoencoder_model import tiny_decoder_config

ROOT = embedded_model()


@pytest.fixture(scope="module")
def rows() -> list[CorpusRow]:
    """Every fourth program of the corpus, of all tasks."""
    return load_corpus()[::4]


@pytest.fixture(scope="module")
def latents(rows) -> torch.Tensor:
    """z of the rows."""
    encoder = load_encoder(str(ROOT / "encoder"))
    items = [{"program": row.program, "task": row.task, "behaviour": row.behaviour} for row in rows]
    return encoder.encode(items, convert_to_tensor=True, show_progress_bar=False).float()


def test_the_model_stays_small() -> None:
    size = sum(path.stat().st_size for path in ROOT.rglob("*") if path.is_file())
    assert size <= 40 * 2**20
    assert not [path for path in ROOT.rglob("*") if path.suffix in (".bin", ".pt", ".pkl", ".npy")]


@pytest.mark.integration
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.float64, 1e-9)])
def test_the_flow_inverts_over_the_corpus(latents, dtype, tolerance) -> None:
    flow = LHSFlow.from_pretrained(ROOT).eval().to(dtype)
    with torch.no_grad():
        z = latents.to(dtype)
        assert float((flow.inverse(flow(z).u) - z).abs().max()) <= tolerance


@pytest.mark.parametrize("space", ["prior", "latent"])
@pytest.mark.parametrize("task", task_names())
def test_one_small_step_goes_uphill_and_stays_in_the_trust_region(rows, latents, task, space) -> None:
    surrogate = LHSSurrogate.from_pretrained(ROOT / SURROGATE_FOLDERS[space] / task).eval()
    assert (surrogate.config.task, surrogate.config.space) == (task, space)
    points = latents[[index for index, row in enumerate(rows) if row.task == task]]
    scale = torch.full((points.shape[1],), float(surrogate.config.input_scale))
    if space == "prior":
        with torch.no_grad():
            points = LHSFlow.from_pretrained(ROOT).eval()(points).u
        scale = torch.ones(points.shape[1])

    def score(u: torch.Tensor) -> torch.Tensor:
        return surrogate(u).score

    for settings in (SearchSettings(steps=1, radius=0.01), SearchSettings()):
        after = ascend(points, points, score, settings, scale)
        with torch.no_grad():
            gain = score(after) - score(points)
        assert (gain > 0).float().mean() >= 0.99
        assert (gain >= 0).all()
        distance = ((after - points) / scale).norm(dim=-1)
        assert float(distance.max()) <= settings.radius * (1 + 1e-4)


def test_the_paper_step_goes_uphill_too(latents) -> None:
    surrogate = LHSSurrogate.from_pretrained(ROOT / "surrogates" / "tsp_construct").eval()
    with torch.no_grad():
        points = LHSFlow.from_pretrained(ROOT).eval()(latents[:64]).u
    after = ascend(
        points, points, lambda u: surrogate(u).score, SearchSettings.from_preset("paper"), torch.ones(points.shape[1])
    )
    with torch.no_grad():
        assert ((surrogate(after).score - surrogate(points).score) > 0).all()


@pytest.mark.parametrize("name", task_names())
def test_decoded_programs_parse_and_define_the_function(name) -> None:
    task = get_task(name)
    components = load_components("lhs-tiny", task)
    tokenizer = components.decoder.tokenizer
    components.decoder.budget.limit = 6
    points = torch.randn(6, 128, generator=torch.Generator().manual_seed(1))
    generators = [torch.Generator().manual_seed(index) for index in range(6)]
    # Nothing is run while it is written: the temperature of the paper, which has no guidance.
    decoded = components.decode(points, task, generators, SearchSettings.from_preset("paper"))
    assert components.decoder.budget.spent == 6
    for program in decoded:
        ast.parse(program.source)
        assert program.finished
        assert callable(load(task, program.source))
        # A sample may spell out a name that has a token: the text is what has to come back, not the same actions.
        assert tokenizer.decode_program(program.token_ids, signature_of(task)) == program.source
        again = tokenizer.encode_program(program.source, signature_of(task))
        assert tokenizer.decode_program(again, signature_of(task)) == program.source
    assert len({program.source for program in decoded}) > 1


@pytest.mark.integration
def test_fixed_latents_give_the_pinned_programs() -> None:
    assert pinned.decoded() == json.loads(pinned.FILE.read_text())


@pytest.mark.integration
def test_fixed_programs_have_the_pinned_latents_points_and_scores() -> None:
    expected, found = json.loads(pinned.POINTS.read_text()), pinned.encoded()
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        for key, value in values.items():
            # Another processor adds in another order.
            np.testing.assert_allclose(found[name][key], value, rtol=1e-3, atol=1e-3, err_msg=f"{key} of {name}")


def test_parts_load_alone_with_the_weights_of_the_composite() -> None:
    model = LHSModel.from_pretrained(ROOT).eval()
    z = torch.randn(3, 128, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        assert torch.equal(LHSFlow.from_pretrained(ROOT).eval()(z).u, model.flow(z).u)
        assert torch.equal(LHSMapper.from_pretrained(ROOT).eval()(z), model.mapper(z))


def test_the_record_says_how_the_model_was_made() -> None:
    record = json.loads((ROOT / "training.json").read_text())
    assert record["command"].startswith("lhs-hf train")
    assert record["commit"]
    flow = record["flow"]
    assert flow["inverse_error_float32"] <= 1e-4
    assert flow["inverse_error_float64"] <= 1e-9
    assert np.isfinite(flow["test_bits_per_dimension"])
    assert np.isfinite(flow["test_gaussian_bits_per_dimension"])


@pytest.mark.integration
def test_the_pipeline_works_offline_with_an_empty_home(tmp_path) -> None:
    code = (
        "import transformers, lhs_hf\n"
        "result = transformers.pipeline('latent-heuristic-search')('knapsack_construct', budget=4, seed=0)\n"
        "print(result['training']['instance_runs'] <= 4 * 32, result['objective'] >= result['reference_objective'])\n"
    )
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "True True"


@pytest.mark.integration
def test_the_pipeline_and_the_command_line_agree(tmp_path, monkeypatch, capsys) -> None:
    from transformers import pipeline

    from lhs_hf.cli import main

    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    # From the reference, so that no program comes near its time limit, on any machine.
    found = pipeline("latent-heuristic-search")("set_cover_construct", init="reference", budget=6, seed=2)
    words = ["search", "set_cover_construct", "--init", "reference", "--budget", "6", "--seed", "2", "--json"]
    assert main(words) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["program"], printed["history"]) == (found["program"], found["history"])


def test_the_pipeline_refuses_what_it_does_not_know() -> None:
    from transformers import pipeline

    search = pipeline("latent-heuristic-search")
    assert search([]) == []
    with pytest.raises(ValueError, match="did you mean 'budget'"):
        search("tsp_construct", budgett=3)
    with pytest.raises(ValueError, match="tsp_construct"):
        search("nowhere", budget=3)


def test_threads_that_load_at_once_leave_the_output_weights_tied() -> None:
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(lambda _: load_components("lhs-tiny", get_task("tsp_construct")), range(8)))
    made = Qwen3ForCausalLM(tiny_decoder_config(10))
    for model in (made, *(components.decoder.model for components in loaded)):
        assert model.lm_head.weight is model.model.embed_tokens.weight
