"""The blocks of README and docs run, one after the other, with just what the page told its reader to install."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import PAGES, ROOT, Block, Reader, blocks, extras_of, hidden

RUN = [
    page
    for page in PAGES
    if any(block.language in ("python", "bash") and block.not_run is None for block in blocks(page))
]
WRITES_HERE = (ROOT / "CONTRIBUTING.md",)
"""Pages for people who change this checkout: their blocks are what `.ci/run` does."""


def test_only_what_is_installed_can_be_imported(tmp_path) -> None:
    reader = Reader(tmp_path)
    looks = "import sys\ntry:\n    import pytest\nexcept ImportError:\n    sys.exit(7)\n"
    asks = "from importlib import metadata\nprint(metadata.version('numpy'))\nmetadata.version('pytest')\n"
    assert reader.run(Block("python", "import numpy, yaml, lhs_hf\n", None)).returncode == 0
    assert reader.run(Block("python", looks, None)).returncode == 7
    assert "PackageNotFoundError" in reader.run(Block("python", asks, None)).stderr
    assert reader.run(Block("bash", 'pip install ".[test]"\n', None)).returncode == 0
    assert reader.run(Block("python", looks, None)).returncode == 0
    assert reader.run(Block("python", asks, None)).returncode == 0
    assert all("peft" in names for names in hidden([]))
    assert not any("peft" in names for names in hidden(["adapters"]))
    assert extras_of('pip install ".[space,adapters]" && x\npip install "lhs-hf[llm]"\n') == {
        "space",
        "adapters",
        "llm",
    }


def test_a_block_that_fails_is_seen(tmp_path) -> None:
    assert Reader(tmp_path).run(Block("bash", "false\ntrue\n", None)).returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in RUN if page not in WRITES_HERE], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    for number, block in enumerate(blocks(page), 1):
        if block.language not in ("python", "bash") or block.not_run is not None:
            continue
        done = reader.run(block)
        assert done.returncode == 0, f"block {number}:\n{block.text}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
