"""What a model's author can not make happen: code that runs, files read elsewhere, memory for made-up sizes."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hub_server import HubServer
from model_damage import TASK, save_tiny_model
from safetensors.torch import load_file, save_file
from text_models import save_model, save_pair

from lhs_hf import LHSFlow, LHSModel, LHSSurrogate
from lhs_hf.cli import main
from lhs_hf.errors import CallError
from lhs_hf.hub.publishing import push_models
from lhs_hf.models.decoder import load_decoder
from lhs_hf.models.encoder import load_encoder
from lhs_hf.opening.encoders import OWN_MODULE, module_types
from lhs_hf.opening.models import part_location
from lhs_hf.search.components import load_components
from lhs_hf.tasks import get_task

ROOT = Path(__file__).parents[2]
EVIL = "import pathlib\npathlib.Path({canary!r}).write_text('ran')\n"
EVIL_CLASS = (
    "import torch\nclass Evil(torch.nn.Module):\n    @classmethod\n    def load(cls, *_, **__):\n        return cls()\n"
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pair")
    save_pair(made)
    return save_model(made)


@pytest.fixture
def model(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny, tmp_path / "model"))


@pytest.fixture
def text_model(pair: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pair, tmp_path / "pair"))


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def opening(folder: Path) -> None:
    load_components(str(folder), get_task(TASK))


def refused(folder: Path, *words: str, how: Callable[[Path], Any] = opening) -> None:
    """Opening ends in one line that holds these words."""
    with pytest.raises(CallError) as caught:
        how(folder)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message, message


# -- code


def make_evil(folder: Path, canary: Path) -> None:
    """Code in every place of a model where a library may look for some, each of it writing a canary."""
    code = EVIL.format(canary=str(canary)) + EVIL_CLASS
    for place in ("", "encoder/", "decoder/"):
        for name in ("lhs_hf", "evil", "modeling_evil"):
            (folder / f"{place}{name}.py").write_text(code)
    (folder / "encoder" / "modules.json").write_text(
        json.dumps([{"idx": 0, "name": "0", "path": "", "type": "lhs_hf.Evil"}])
    )
    places = {"AutoConfig": "evil.Evil", "AutoModel": "evil.Evil", "AutoModelForCausalLM": "evil.Evil"}
    change(folder / "decoder" / "config.json", auto_map=places, model_type="evil")
    change(folder / "decoder" / "tokenizer_config.json", auto_map={"AutoTokenizer": ["evil.Evil", None]})


OPEN = """
import json, sys
from lhs_hf.errors import CallError
import lhs_hf
from transformers import AutoModel, pipeline
from lhs_hf.models.encoder import load_encoder
from lhs_hf.models.decoder import load_decoder
from lhs_hf.cli import main
import contextlib, io

name, task = sys.argv[1:]
answers = {}


def command(*arguments):
    err = io.StringIO()
    with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
        status = main(["search", task, "--budget", "1", "--output", "run", *arguments])
    lines = [line for line in err.getvalue().splitlines() if line.startswith("error: ")]
    if status != 2 or len(lines) != 1:
        raise RuntimeError(err.getvalue())
    raise CallError(lines[0])


ways = {
    "pipeline": lambda: pipeline("latent-heuristic-search", model=name)(task, budget=1),
    "load_encoder": lambda: load_encoder(name, subfolder="encoder"),
    "encoder by name": lambda: load_encoder(name + "-encoder"),
    "decoder by name": lambda: load_decoder(name + "-decoder"),
    "LHSModel": lambda: lhs_hf.LHSModel.from_pretrained(name),
    "AutoModel": lambda: AutoModel.from_pretrained(name),
    "search --model": lambda: command("--model", name),
    "search --encoder": lambda: command("--encoder", name + "-encoder"),
    "search --decoder": lambda: command("--decoder", name + "-decoder"),
}
for way, opened in ways.items():
    try:
        opened()
        answers[way] = "opened"
    except CallError as error:
        answers[way] = str(error)
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with HubServer() as server:
        yield server


@pytest.mark.integration
def test_no_code_of_a_repository_runs_however_it_is_opened(hub: HubServer, model: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    make_evil(model, canary)
    hub.add("else/where", model)
    hub.add("else/where-encoder", model / "encoder")
    hub.add("else/where-decoder", model / "decoder")
    environment = {**os.environ, **hub.environment(tmp_path / "home"), "LHS_HF_CACHE": str(tmp_path / "cache")}
    # The working directory is that of a person who fetched the repository by hand, and is where Python looks first.
    done = subprocess.run(
        [sys.executable, "-c", OPEN, "else/where", TASK],
        capture_output=True,
        text=True,
        cwd=model,
        env={**environment, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"},
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = json.loads(done.stdout.splitlines()[-1])
    # Flow and mapper alone are read there, and nothing is wrong with them.
    assert {way for way, answer in answers.items() if answer == "opened"} == {"LHSModel", "AutoModel"}
    for way, answer in answers.items():
        assert "\n" not in answer
        if answer != "opened":
            assert ("lhs_hf.Evil" in answer) == ("decoder" not in way), (way, answer)
            assert "auto_map" in answer or "decoder" not in way, (way, answer)
    assert not canary.exists()
    assert not [line for line in hub.requests if line.endswith(".py") and not line.startswith("HEAD")]
    assert not list((tmp_path / "home").rglob("*.py"))
    assert "wish to run" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "kind",
    [
        *("lhs_hf.Evil", "lhs_hf.models.encoder.Evil", "lhs_hf.models.encoder.ProgramEncoderModule.Evil"),
        *("evil.Evil", "os.system", "sentence_transformers.base.modules.router.Router", "", None, 3, ["x"]),
        *("sentence_transformers.SentenceTransformer", "sentence_transformers.models.WordEmbeddings"),
    ],
)
def test_only_known_module_types_are_loaded(model: Path, tmp_path: Path, monkeypatch, kind: Any) -> None:
    make_evil(model, tmp_path / "canary")
    (model / "encoder" / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": kind}]))
    monkeypatch.syspath_prepend(str(model))
    refused(model, "modules.json", "module type", OWN_MODULE)
    assert not (tmp_path / "canary").exists()


def test_what_is_written_today_is_known() -> None:
    from sentence_transformers.sentence_transformer import modules
    from sentence_transformers.util import fullname

    for name in ("Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "Dropout", "WeightedLayerPooling"):
        assert fullname(getattr(modules, name)) in module_types()
        assert f"sentence_transformers.models.{name}" in module_types()
    assert OWN_MODULE in module_types()


@pytest.mark.parametrize(
    ("file", "values", "word"),
    [
        ("decoder/config.json", {"auto_map": {"AutoModelForCausalLM": "evil.Evil"}}, "auto_map"),
        ("decoder/config.json", {"quantization_config": {"quant_method": "fp8"}}, "quantization_config"),
        ("decoder/config.json", {"attn_implementation": "evil/kernel"}, "attn_implementation"),
        ("decoder/config.json", {"_attn_implementation": "evil/kernel"}, "_attn_implementation"),
        ("decoder/config.json", {"text_config": {"auto_map": {"AutoModel": "evil.Evil"}}}, "auto_map"),
        ("decoder/config.json", {"transformers_weights": "../x.safetensors"}, "transformers_weights"),
        ("decoder/tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["evil.Evil", None]}}, "auto_map"),
        ("encoder/tokenizer_config.json", {"auto_map": {"AutoProcessor": "evil.Evil"}}, "auto_map"),
        ("encoder/config.json", {"auto_map": {"AutoModel": "evil.Evil"}}, "auto_map"),
        ("encoder/sentence_bert_config.json", {"model_args": {"trust_remote_code": True}}, "trust_remote_code"),
        ("encoder/sentence_bert_config.json", {"model_args": {"weights_only": False}}, "sentence_bert_config"),
        ("encoder/sentence_bert_config.json", {"tokenizer_name_or_path": "../x"}, "tokenizer_name_or_path"),
        ("encoder/config_sentence_transformers.json", {"model_type": "SparseEncoder"}, "model_type"),
        ("encoder/config_sentence_transformers.json", {"similarity_fn_name": "os.system"}, "similarity_fn_name"),
    ],
)
def test_configurations_that_ask_for_code_are_refused(text_model: Path, file: str, values: dict, word: str) -> None:
    change(text_model / file, **values)
    refused(text_model, word)


def test_a_layer_names_no_function_as_its_activation(text_model: Path) -> None:
    modules = json.loads((text_model / "encoder" / "modules.json").read_text())
    dense = {"idx": 3, "name": "3", "path": "3_Dense", "type": "sentence_transformers.models.Dense"}
    (text_model / "encoder" / "modules.json").write_text(json.dumps([*modules, dense]))
    folder = text_model / "encoder" / "3_Dense"
    folder.mkdir()
    config = {"in_features": 32, "out_features": 32, "bias": True}
    save_file({"linear.weight": torch.eye(32), "linear.bias": torch.zeros(32)}, folder / "model.safetensors")
    for name in ("os.system", "torch.hub.load", "torch.nn.Module", ["x"]):
        (folder / "config.json").write_text(json.dumps({**config, "activation_function": name}))
        refused(text_model, "activation_function")
    (folder / "config.json").write_text(json.dumps({**config, "out_features": 10**5, "activation_function": None}))
    refused(text_model, "3_Dense", "describes")
    name = "torch.nn.modules.linear.Identity"
    (folder / "config.json").write_text(json.dumps({**config, "activation_function": name}))
    opening(text_model)


def test_custom_code_is_refused_and_nobody_is_asked(model: Path, tmp_path: Path, monkeypatch) -> None:
    make_evil(model, tmp_path / "canary")
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked on the terminal"))
    refused(model / "decoder", "auto_map", "trust_remote_code=True", how=lambda folder: load_decoder(str(folder)))
    assert main(["search", TASK, "--decoder", str(model / "decoder"), "--output", str(tmp_path / "run")]) == 2
    assert not (tmp_path / "canary").exists()


def test_code_runs_for_a_caller_who_trusts_it(model: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    make_evil(model, canary)
    load_encoder(str(model / "encoder"), trust_remote_code=True)
    assert canary.read_text() == "ran"
    canary.unlink()
    # The class is no configuration, which only shows after its module has run.
    with pytest.raises(CallError):
        load_decoder(str(model / "decoder"), trust_remote_code=True)
    assert canary.read_text() == "ran"
    from transformers import pipeline

    trusting = pipeline("latent-heuristic-search", model=str(model), trust_remote_code=True)
    assert trusting.model.trust_remote_code
    assert not pipeline("latent-heuristic-search", model=str(model)).model.trust_remote_code


@pytest.mark.integration
def test_every_call_that_loads_says_whether_code_is_trusted() -> None:
    """transformers asks on the terminal, and sentence-transformers has had other defaults, where nothing is said."""
    silent = []
    for path in sorted((ROOT / "lhs_hf").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
                continue
            last = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if last not in ("from_pretrained", "from_config", "SentenceTransformer", "pipeline"):
                continue
            name = ast.unparse(node.func)
            # This package's own classes bring no code; `LoadableModel.from_pretrained` says so once for all.
            # Tables of weights and settings of sampling bring none either.
            own = name.startswith(("LHS", "cls.config_class.", "torch.nn.Embedding.", "GenerationConfig."))
            said = any(keyword.arg in ("trust_remote_code", None) for keyword in node.keywords)
            if not own and not said:
                silent.append(f"{path.name}:{node.lineno} {name}")
    assert silent == []


# -- names


@pytest.mark.parametrize(
    "name",
    [
        *("../elsewhere", "../../elsewhere", "encoder/../../elsewhere", "/etc", "~/model", "C:\\model", "..\\x"),
        *("file:///etc", "https://example.org/model", "a/b/c", "nothing-here", "-a/b", "../..", "", " ", "a\0b"),
        *(None, 3, ["encoder"], {"a": 1}),
    ],
)
def test_a_model_names_parts_inside_it_or_on_the_hub(model: Path, name: Any) -> None:
    shutil.copytree(model / "encoder", model.parent / "elsewhere")
    for part in ("encoder", "decoder"):
        change(model / "config.json", encoder="encoder", decoder="decoder")
        change(model / "config.json", **{part: name})
        refused(model)


def test_parts_of_the_hub_and_nested_folders_stay_possible(model: Path) -> None:
    assert part_location(model, "Qwen/Qwen3-4B", "v1") == ("Qwen/Qwen3-4B", "v1")
    assert part_location(model, "Qwen/Qwen3-4B@v2", "v1") == ("Qwen/Qwen3-4B", "v2")
    (model / "parts").mkdir()
    (model / "encoder").rename(model / "parts" / "encoder")
    change(model / "config.json", encoder="parts/encoder")
    opening(model)


@pytest.mark.parametrize("name", ["encoder", "encoder/vocab.json", "decoder/model.safetensors", f"surrogates/{TASK}"])
def test_links_that_leave_the_folder_are_refused(model: Path, tmp_path: Path, name: str) -> None:
    (model / name).rename(tmp_path / "outside")
    (model / name).symlink_to(tmp_path / "outside")
    refused(model, "link")
    with pytest.raises(CallError, match="link"):
        push_models(model, "a/b")


@pytest.mark.parametrize(("place", "path"), [("", ".."), ("", "/tmp"), ("1_Pooling", "../../decoder"), ("", 3)])
def test_modules_lie_inside_the_encoder(text_model: Path, place: str, path: Any) -> None:
    modules = json.loads((text_model / "encoder" / "modules.json").read_text())
    entry = next(each for each in modules if each["path"] == place)
    entry["path"] = path
    (text_model / "encoder" / "modules.json").write_text(json.dumps(modules))
    refused(text_model)


def test_pickles_and_adapters_are_no_parts(model: Path, text_model: Path) -> None:
    for folder in (model / "decoder", text_model / "decoder", text_model / "encoder"):
        (folder / "model.safetensors").rename(folder / "kept")
        (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
        refused(folder.parent, "pickle", "safetensors")
        (folder / "kept").rename(folder / "model.safetensors")
        (folder / "pytorch_model.bin").unlink()
    (text_model / "decoder" / "adapter_config.json").write_text('{"base_model_name_or_path": "../x"}')
    refused(text_model, "adapter_config.json")


# -- sizes

LOADERS: dict[str, Callable[[Path], Any]] = {
    "encoder": lambda root: load_encoder(str(root / "encoder")),
    "decoder": lambda root: load_decoder(str(root / "decoder")),
    "surrogates": lambda root: LHSSurrogate.from_pretrained(root / "surrogates" / TASK),
}
HUGE = [10**5, 10**7, 10**9, 10**12, 2**63, -1, 0, 0.5, "7", {"a": 1}, [1], None, float("nan"), float("inf"), True]
SIZED = {
    "decoder/config.json": ("hidden_size", "num_hidden_layers", "vocab_size", "head_dim"),
    "encoder/program_encoder_config.json": ("hidden_size", "num_layers", "vocab_size", "num_probes", "max_seq_length"),
    f"surrogates/{TASK}/config.json": ("hidden_size", "num_hidden_layers", "latent_size"),
}


@pytest.mark.parametrize(("file", "field"), [(file, field) for file, fields in SIZED.items() for field in fields])
def test_sizes_are_checked_before_anything_is_allocated(tiny: Path, model: Path, file: str, field: str) -> None:
    import resource

    load = LOADERS[file.partition("/")[0]]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for value in HUGE:
        shutil.copy(tiny / file, model / file)
        change(model / file, **{field: value})
        refused(model, how=load)
    # Where a bound or the weights decide, the line says what is wrong with what.
    shutil.copy(tiny / file, model / file)
    change(model / file, **{field: 10**12})
    refused(model, field, "1000000000000", how=load)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**20  # kilobytes


@pytest.mark.parametrize("part", ["flow_config", "mapper_config"])
def test_nested_sizes_are_checked_too(tiny: Path, model: Path, part: str) -> None:
    values = json.loads((tiny / "config.json").read_text())
    for field in ("hidden_size", "latent_size"):
        for value in HUGE:
            change(model / "config.json", **{part: {**values[part], field: value}})
            refused(model)
    for value in ("x", [1], 3):
        change(model / "config.json", **{part: value})
        refused(model, part)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 10**5, '{"a":' * 10**5, '{"a": 1, "a": 2}', '"\\ud800"'])
def test_files_that_are_no_json_are_one_line(tiny: Path, model: Path, text: str) -> None:
    for name in ("config.json", "encoder/modules.json", "decoder/config.json", "encoder/vocab.json"):
        shutil.copy(tiny / name, model / name)
        (model / name).write_text(text)
        refused(model)
        shutil.copy(tiny / name, model / name)


# -- weights


@pytest.mark.parametrize(
    ("file", "load"),
    [
        ("model.safetensors", LHSModel.from_pretrained),
        ("model.safetensors", LHSFlow.from_pretrained),
        (f"surrogates/{TASK}/model.safetensors", lambda root: LHSSurrogate.from_pretrained(root / "surrogates" / TASK)),
        ("encoder/model.safetensors", lambda root: load_encoder(str(root / "encoder"))),
        ("decoder/model.safetensors", lambda root: load_decoder(str(root / "decoder"))),
    ],
)
def test_weights_are_whole_of_the_right_shapes_and_finite(model: Path, file: str, load: Callable[[Path], Any]) -> None:
    tensors = load_file(model / file)
    name = next(name for name, tensor in tensors.items() if tensor.is_floating_point() and tensor.ndim == 2)

    def saved(changed: dict[str, torch.Tensor]) -> None:
        save_file({key: tensor.contiguous() for key, tensor in changed.items()}, model / file, {"format": "pt"})

    for number in (float("nan"), float("inf"), -float("inf")):
        wrong = tensors[name].clone()
        wrong[-1, -1] = number
        saved({**tensors, name: wrong})
        refused(model, "not finite", how=load)
    saved({key: tensor for key, tensor in tensors.items() if key != name})
    refused(model, how=load)
    saved({**tensors, name: tensors[name][:, :-1]})
    refused(model, how=load)
    os.truncate(model / file, 100)
    refused(model, "broken", how=load)
    saved(tensors)
    load(model)


# -- vocabularies


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name:abs", "name:__nothing__"),
        ("name:best", "name:a b"),
        ("name:best", "name:for"),
        ("name:best", 3),
        ("name:best", "name:abs"),
        ("name:best", "name:" + 1000 * "x"),
        ("import math", None),
        ("import:import math", "import:import math; import os"),
        ("import:import math", "import:(lambda: 0)()"),
        ("const:0.5", "const:open('x')"),
        ("const:0.5", "const:("),
        ("whole:float('inf')", "whole:1"),
        ("slot:0", "slot:x"),
        ("BinOp:Add", "BinOp:Plus"),
    ],
)
def test_vocabularies_hold_actions_only(model: Path, old: str, new: Any) -> None:
    for part in ("encoder", "decoder"):
        path = model / part / "vocab.json"
        before = path.read_text()
        document = json.loads(before)
        tokens = [new if token == old else token for token in document["tokens"]]
        document["tokens"] = {"a": 1} if old not in document["tokens"] else tokens
        path.write_text(json.dumps(document))
        refused(model, "vocab.json")
        path.write_text(before)
