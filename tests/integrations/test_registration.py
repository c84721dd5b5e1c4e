"""`import lhs_hf` is light, and its models are known to transformers whichever package is imported first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lhs_hf
from lhs_hf.constants import DEFAULT_MODEL, embedded_model, resolve_model

ROOT = Path(__file__).parents[2]


def run(code: str) -> str:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_import_is_light():
    code = """
import sys, time
start = time.process_time()
import lhs_hf
seconds = time.process_time() - start
heavy = [name for name in ("torch", "transformers", "sentence_transformers", "scipy", "numpy") if name in sys.modules]
print(seconds < 0.2, heavy, seconds)
"""
    assert run(code).startswith("True []")


@pytest.mark.integration
@pytest.mark.parametrize(
    "imports",
    [
        "import lhs_hf, transformers",
        "from transformers import AutoConfig, AutoModel, AutoTokenizer, pipeline\nimport lhs_hf",
    ],
)
def test_models_and_pipeline_are_registered(imports):
    code = f"""
{imports}
from transformers import AutoConfig, AutoModel
for name in ("lhs", "lhs_flow", "lhs_mapper", "lhs_surrogate"):
    print(type(AutoModel.from_config(AutoConfig.for_model(name))).__name__)
from transformers.pipelines import PIPELINE_REGISTRY
_, task, _ = PIPELINE_REGISTRY.check_task("latent-heuristic-search")
print(task["impl"].__name__, task["default"]["model"][0])
"""
    lines = run(code).splitlines()
    assert lines[:4] == ["LHSModel", "LHSFlow", "LHSMapper", "LHSSurrogate"]
    name, folder = lines[4].split(" ", 1)
    assert name == "LatentHeuristicPipeline"
    assert Path(folder).parts[-3:] == embedded_model().parts[-3:]


def test_every_public_name_can_be_imported():
    for name in lhs_hf.__all__:
        # The search is a package that can be called.
        assert getattr(lhs_hf, name).__name__.removeprefix("lhs_hf.") == name
    assert set(lhs_hf.__all__) <= set(dir(lhs_hf))
    with pytest.raises(AttributeError, match="LHSFlow"):
        lhs_hf.LHSFlaw  # noqa: B018


def test_default_model_resolves_to_the_embedded_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert resolve_model(DEFAULT_MODEL) == resolve_model("lhs-tiny") == str(embedded_model())
    assert resolve_model("somebody/else") == "somebody/else"


@pytest.mark.integration
def test_default_pipeline_needs_no_network(tmp_path):
    code = f"""
from pathlib import Path
from lhs_hf import LHSConfig, LHSModel, constants
constants._EMBEDDED = Path({str(tmp_path)!r})
LHSModel(LHSConfig(mapper_config={{"output_size": 8}})).save_pretrained(constants._EMBEDDED)
from transformers import pipeline
search = pipeline("latent-heuristic-search")
print(type(search).__name__, search.model.config.mapper_config.output_size)
"""
    assert run(code).endswith("LatentHeuristicPipeline 8")
