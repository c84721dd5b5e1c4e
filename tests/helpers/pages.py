"""README and docs as a reader takes them: their code blocks, and an environment with what they say to install."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))

_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)

_HIDING = """
import os, sys
from importlib.machinery import PathFinder

modules = frozenset(os.environ["LHS_HF_TEST_HIDDEN_MODULES"].split())
packages = frozenset(os.environ["LHS_HF_TEST_HIDDEN_PACKAGES"].split())

class Installed(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in modules else super().find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, *context):
        for each in super().find_distributions(*context):
            if each.metadata["Name"].lower().replace("_", "-").replace(".", "-") not in packages:
                yield each

sys.meta_path = [Installed if finder is PathFinder else finder for finder in sys.meta_path]
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `not_run`: why it can not run here, None for one that does."""

    language: str
    text: str
    not_run: str | None


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in its order."""
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(each["language"], each["text"], each["reason"]) for each in found]


def extras_of(text: str) -> set[str]:
    """The extras of this package that the `pip install` lines of a text name."""
    lines = [line for line in text.splitlines() if "pip install" in line]
    found = re.findall(r"(?:\.|lhs-hf)\[([\w,-]+)\]", "\n".join(lines))
    return {extra for names in found for extra in names.split(",")}


def needed_packages(extras: Iterable[str]) -> set[str]:
    """The distributions that this package needs with some extras, and all that these need; itself among them."""
    needed: set[tuple[str, frozenset[str]]] = set()
    open_ends = [("lhs-hf", frozenset(extras))]
    while open_ends:
        name, wanted = open_ends.pop()
        if (name, wanted) in needed:
            continue
        needed.add((name, wanted))
        try:
            requirements = [Requirement(each) for each in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:
            continue
        for each in requirements:
            marker = each.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                open_ends.append((canonicalize_name(each.name), frozenset(each.extras)))
    return {name for name, _ in needed}


def hidden(extras: Iterable[str]) -> tuple[set[str], set[str]]:
    """Modules and distributions that are installed here without being needed with some extras."""
    needed = needed_packages(extras)
    owners = {
        module: {canonicalize_name(each) for each in names}
        for module, names in metadata.packages_distributions().items()
    }
    modules = {module for module, names in owners.items() if not names & needed}
    return modules, {name for names in owners.values() for name in names} - needed


class Reader:
    """Somebody who runs the blocks of one page in an empty folder of a checkout, with what the page says to install."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self._bin, self._site = folder / "bin", folder / "site"
        for each in (self.folder, self._bin, self._site):
            each.mkdir()
        for name in ("examples", "scripts", "notebooks", "results", "spaces"):
            (self.folder / name).symlink_to(ROOT / name)
        (self._site / "sitecustomize.py").write_text(_HIDING)
        for name, command in {
            "lhs-hf": f'exec "{sys.executable}" -m lhs_hf "$@"',
            "python": f'exec "{sys.executable}" "$@"',
            "pip": "exit 0",
        }.items():
            (self._bin / name).write_text(f"#!/bin/sh\n{command}\n")
            (self._bin / name).chmod(0o755)
        self._extras: set[str] = set()
        self._cache = folder / "cache"

    def run(self, block: Block, timeout_s: float = 1800) -> subprocess.CompletedProcess[str]:
        """Run a block as a file of its own; its `pip install` lines say what else there is from now on."""
        self._extras |= extras_of(block.text) if block.language == "bash" else set()
        modules, packages = hidden(self._extras)
        environment = {
            **os.environ,
            "PATH": os.pathsep.join([str(self._bin), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join([str(self._site), str(ROOT)]),
            "LHS_HF_TEST_HIDDEN_MODULES": " ".join(sorted(modules)),
            "LHS_HF_TEST_HIDDEN_PACKAGES": " ".join(sorted(packages)),
            "LHS_HF_CACHE": str(self._cache),
            "HF_HUB_OFFLINE": "1",
        }
        name, command = ("block.py", [sys.executable]) if block.language == "python" else ("block.sh", ["bash", "-eu"])
        (self.folder / name).write_text(block.text, encoding="utf-8")
        return subprocess.run(
            [*command, name],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
