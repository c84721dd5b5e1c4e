"""Scripts that bring their requirements along: metadata that parses, extras that exist, imports that are covered."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

tomllib = pytest.importorskip("tomllib")

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted([*ROOT.glob("scripts/*.py"), *ROOT.glob("scripts/benchmarks/*.py")])
# The pattern of the specification (PEP 723).
BLOCK = re.compile(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
ALONE = ("comparison", "portfolio_parts", "measure_search", "corpus_starts")
"""Those that docs/jobs.md says need no other file."""
MODULES = {"yaml": "pyyaml", "sklearn": "scikit-learn", "PIL": "pillow", "huggingface_hub": "huggingface-hub"}
BROUGHT = {"gradio": ("gradio_client", "httpx"), "matplotlib": ("PIL",)}
"""What comes with a requirement, and is imported by its own name."""


def metadata(path: Path) -> dict[str, Any] | None:
    blocks = [each for each in BLOCK.finditer(path.read_text()) if each["type"] == "script"]
    assert len(blocks) <= 1
    if not blocks:
        return None
    lines = blocks[0]["content"].splitlines(keepends=True)
    return tomllib.loads("".join(line[2:] if line.startswith("# ") else line[1:] for line in lines))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def provided(extras: set[str]) -> set[str]:
    """Names of the distributions that the package brings with some extras."""
    known = project()
    texts = [*known["dependencies"], *(each for extra in extras for each in known["optional-dependencies"][extra])]
    return {Requirement(text).name.lower().replace("_", "-") for text in texts} | {"lhs-hf"}


def imported(path: Path) -> set[str]:
    """Modules that a script imports when it begins, of other distributions and of its own folder."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names


WITH_METADATA = [path for path in SCRIPTS if metadata(path) is not None]


def test_the_long_scripts_have_metadata() -> None:
    names = {path.stem for path in WITH_METADATA}
    assert names >= {*ALONE, "discovery", "islands", "unseen", "true_ascent", "soak_kills", "soak_evaluator"}


@pytest.mark.parametrize("path", WITH_METADATA, ids=lambda path: path.stem)
def test_metadata_is_of_this_package_and_covers_the_imports(path: Path) -> None:
    block = metadata(path)
    assert block is not None
    assert block.keys() == {"requires-python", "dependencies"}
    assert block["requires-python"] == project()["requires-python"]
    [requirement] = map(Requirement, block["dependencies"])
    assert requirement.name == project()["name"]
    assert requirement.extras <= project()["optional-dependencies"].keys()
    there = provided(requirement.extras)
    brought = {module for name in there for module in BROUGHT.get(name, ())}
    own = {each.stem for each in path.parent.iterdir()} | {"lhs_hf"}
    missing = {name for name in imported(path) - own - brought if MODULES.get(name, name).lower() not in there}
    assert not missing
    if path.stem in ALONE:
        assert not imported(path) & (own - {"lhs_hf"})
