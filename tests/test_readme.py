"""The README says what was measured: its generated parts come from results/, its commands exist."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from lhs_hf.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _script():
    spec = importlib.util.spec_from_file_location(
        "readme_results", ROOT / "scripts" / "benchmarks" / "readme_results.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_parts_are_those_of_the_results() -> None:
    script = _script()
    assert script.render(README) == README
    assert set(re.findall(r"<!-- (\w+):start -->", README)) == set(script.sections())


def test_every_command_of_the_readme_exists(capsys) -> None:
    names = r"search|tasks|evaluate|report|doctor|export-adapter|train all|corpus \w+|push \w+"
    commands = set(re.findall(rf"lhs-hf ({names})", README))
    assert {"search", "evaluate", "export-adapter", "train all"} <= commands
    for command in commands:
        assert main([*command.split(), "--help"]) == 0
    assert "Usage" in capsys.readouterr().out


def test_linked_files_exist() -> None:
    links = [link for link in re.findall(r"\]\(([^)#:]+)\)", README) if not link.startswith("http")]
    assert links
    for link in links:
        assert (ROOT / link).exists(), link
