"""README and docs say what was measured and what exists: generated parts, commands, links, errors."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from pages import PAGES, ROOT, blocks
from written_commands import commands_in, wrong_options

import lhs_hf

README = ROOT / "README.md"
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
every_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "readme_results", ROOT / "scripts" / "benchmarks" / "readme_results.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def generated(script) -> dict[str, str]:
    return script.sections()


def test_the_generated_parts_are_those_of_the_results(script, generated) -> None:
    for page in script.PAGES:
        text = page.read_text(encoding="utf-8")
        for name, inner in re.findall(r"<!-- (\w+):start -->\n(.*?)\n<!-- \1:end -->", text, re.DOTALL):
            assert inner == generated[name], f"{name} in {page.name}: run readme_results.py --render"


def test_each_generated_part_stands_on_one_page(generated) -> None:
    marks = [name for page in PAGES for name in re.findall(r"<!-- (\w+):start -->", page.read_text("utf-8"))]
    assert sorted(marks) == sorted(generated)


def test_the_first_page_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 200


@every_page
def test_every_command_exists_with_its_options(page: Path) -> None:
    for words in commands_in(page.read_text(encoding="utf-8")):
        assert wrong_options(words) == [], " ".join(words)


def test_commands_are_found_and_wrong_ones_named() -> None:
    lines = ["pip install . && lhs-hf search a --budget 3", "lhs-hf -v serch a  # no", "lhs-hf push models --card x"]
    text = "\n".join(["```bash", *lines, "```", ""])
    assert [wrong_options(words) for words in commands_in(text)] == [[], ["serch"], []]
    assert wrong_options(["search", "a", "--budgett", "3", "--init=reference"]) == ["--budgett"]
    assert {"search", "evaluate", "report"} <= {words[0] for words in commands_in(README.read_text(encoding="utf-8"))}


@every_page
def test_linked_files_exist(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    for link in links:
        assert (page.parent / link).exists(), link


@every_page
def test_blocks_are_run_or_say_why_not(page: Path) -> None:
    for block in blocks(page):
        assert block.language in ("python", "bash", "yaml", "text"), block
        assert block.not_run is None or len(block.not_run.split()) > 2, "a reason is a sentence"
        if block.language == "python":
            compile(block.text, page.name, "exec")


@every_page
def test_reasons_stand_above_blocks(page: Path) -> None:
    reasons = page.read_text(encoding="utf-8").count("<!-- not run:")
    assert reasons == sum(block.not_run is not None for block in blocks(page))


def test_every_error_that_is_explained_is_one_of_the_code() -> None:
    """The pieces between the dots stand in the code, on whichever lines."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lhs_hf").rglob("*.py"))
    # Neighbouring literals are one text, and what is filled in is a dot.
    code = re.sub(r"""["']\s*\n\s*f?["']""", "", code)
    rows = re.findall(r"^\| `([^`]+…?[^`]*)` \| .* \| .* \|$", _troubles(), re.MULTILINE)
    assert len(rows) > 60
    for row in rows:
        for piece in filter(None, (part.strip(" ;:,()?") for part in re.split(r"…|'|\"", row))):
            assert piece in code, f"{piece!r} of {row!r}"


def test_every_public_name_has_a_place_in_the_reference() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^::: (\S+)$", text, re.MULTILINE))
    assert "lhs_hf.search.functions.search_function" in described, "what lhs_hf.search(...) calls"
    for name in set(lhs_hf.__all__) - {"search"}:
        value = getattr(lhs_hf, name)
        assert {f"{value.__module__}.{name}", f"lhs_hf.tasks.{name}", value.__module__} & described, name


def _troubles() -> str:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    return text.split("## What becomes of a program")[0]
