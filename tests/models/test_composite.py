"""The one opener: parts of one place, loaded when they are asked for, named when they are missing."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path

import pytest
import torch
from model_damage import TASK, save_tiny_model
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer

import lhs_hf.search.components
from lhs_hf import LHSFlow, LHSMapper, LHSModel
from lhs_hf.errors import CallError
from lhs_hf.integrations.pipeline import LatentHeuristicPipeline
from lhs_hf.models.composite import open_model
from lhs_hf.models.decoder import load_decoder
from lhs_hf.models.encoder import load_encoder
from lhs_hf.models.modeling_surrogate import LHSSurrogate
from lhs_hf.search.components import load_components
from lhs_hf.search.stored import open_run
from lhs_hf.tasks import get_task

SETTINGS = {"preset": "latent", "budget": 2, "guidance": False, "workers": 1, "max_new_tokens": 12, "progress": False}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture
def model(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny, tmp_path / "model"))


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What this process asked of the network, which refuses everything."""
    asked: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        asked.append(arguments)
        raise ConnectionRefusedError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return asked


def change(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_parts_are_loaded_once_and_only_when_they_are_asked_for(model: Path) -> None:
    opened = open_model(str(model))
    shutil.move(model / "encoder", model / "later")
    assert opened.config.decoder == "decoder"
    assert opened.decoder() is opened.decoder()
    assert opened.flow is opened.model.flow
    assert opened.surrogate(get_task(TASK), "latent").config.space == "latent"
    with pytest.raises(CallError, match="no encoder/"):
        opened.encoder()
    shutil.move(model / "later", model / "encoder")
    assert opened.encoder() is load_components(opened, get_task(TASK)).encoder
    assert open_model(opened) is opened


@pytest.mark.parametrize("name", ["decoder", "parts/decoder"])
def test_a_part_that_a_folder_lacks_is_named_and_the_hub_is_not_asked(
    model: Path, requests: list[object], name: str
) -> None:
    (model / "parts").mkdir()
    shutil.rmtree(model / "decoder")
    change(model / "config.json", decoder=name)
    with pytest.raises(CallError, match=rf"^{model} has no {name}/"):
        open_model(str(model)).decoder()
    with pytest.raises(CallError, match=f"has no {name}/"):
        load_components(LHSModel.from_pretrained(model), get_task(TASK))
    assert requests == []


def test_a_model_whose_folder_is_gone_says_so(model: Path, requests: list[object], monkeypatch) -> None:
    monkeypatch.chdir(model.parent.parent)
    loaded = LHSModel.from_pretrained(f"{model.parent.name}/model")
    monkeypatch.chdir(model)
    assert open_model(loaded).encoder() is not None  # the folder is where it was
    shutil.rmtree(model)
    with pytest.raises(CallError, match=f"{model} is gone"):
        open_model(loaded).decoder()
    with pytest.raises(CallError, match="not loaded from a folder"):
        open_model(LHSModel(loaded.config.__class__())).decoder()
    assert requests == []


FLOW, HEAD, NORM = "flow.couplings.0.scale_factor", "projection.bias", "model.norm.weight"
SURROGATE = f"surrogates/{TASK}"
TRUSTED = {"trust_remote_code": True}


@pytest.mark.parametrize(
    ("part", "tensor", "load"),
    [
        (".", "mapper.output_scale", LHSMapper.from_pretrained),
        (".", FLOW, LHSFlow.from_pretrained),
        (".", FLOW, LHSModel.from_pretrained),
        (SURROGATE, "layers.0.bias", lambda model: LHSSurrogate.from_pretrained(model / SURROGATE)),
        ("encoder", HEAD, lambda model: load_encoder(str(model / "encoder"))),
        ("encoder", HEAD, lambda model: load_encoder(str(model / "encoder"), **TRUSTED)),
        ("encoder", HEAD, lambda model: SentenceTransformer(str(model / "encoder"))),
        ("decoder", NORM, lambda model: load_decoder(str(model / "decoder"))),
        ("decoder", NORM, lambda model: load_decoder(str(model / "decoder"), **TRUSTED)),
    ],
)
def test_weights_that_are_not_finite_are_refused_however_they_are_loaded(model: Path, part, tensor, load) -> None:
    file = model / part / "model.safetensors"
    tensors = load_file(file)
    tensors[tensor] = torch.full_like(tensors[tensor], float("nan"))
    save_file(tensors, file, {"format": "pt"})
    with pytest.raises(CallError, match="not finite"):
        load(model)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_flow_stays_in_float32(tiny: Path, tmp_path: Path, dtype: torch.dtype) -> None:
    model = LHSModel.from_pretrained(tiny)
    config = model.config
    config.flow_config.whitening = True
    whitened = LHSModel(config)
    whitened.flow.initialize(torch.randn(64, config.flow_config.latent_size))
    shutil.copytree(tiny, tmp_path / "model")
    whitened.save_pretrained(tmp_path / "model")
    half = LHSModel.from_pretrained(tmp_path / "model", dtype=dtype).eval()
    stored, loaded = whitened.flow.state_dict(), half.flow.state_dict()
    assert all(torch.equal(stored[name], loaded[name]) and stored[name].dtype == loaded[name].dtype for name in stored)
    assert half.mapper.dtype == dtype
    z = torch.randn(3, config.flow_config.latent_size)
    assert half(z).soft_prompt.dtype == half.decode_prior(half(z).u).dtype == dtype
    search = LatentHeuristicPipeline(model=half)
    assert search(TASK, **SETTINGS)["decoder_calls"] == 2


@pytest.mark.integration
def test_a_pipeline_keeps_its_own_parts_when_a_call_brings_others(tiny: Path, tmp_path: Path) -> None:
    search = LatentHeuristicPipeline(model=LHSModel.from_pretrained(tiny))
    first = search(TASK, **SETTINGS)
    own = search.components(TASK).decoder.model
    other = open_model(str(tiny)).decoder()
    name = str(shutil.copytree(tiny / "decoder", tmp_path / "other"))
    for decoder, stored in ((other, "object:Decoder"), (name, name)):
        folder = tmp_path / f"run-{len(stored)}"
        changed = search(TASK, decoder=decoder, output=folder, **SETTINGS)
        assert changed["program"] == first["program"]
        assert open_run(folder).identity["decoder"] == stored
    assert search.components(TASK).decoder.model is own


def test_names_that_moved_say_where_they_are() -> None:
    for name, place in (("load_decoder", load_decoder), ("load_encoder", load_encoder)):
        with pytest.warns(DeprecationWarning, match=f"components.{name} is now lhs_hf.models"):
            assert getattr(lhs_hf.search.components, name) is place
    with pytest.raises(AttributeError):
        _ = lhs_hf.search.components.nothing
