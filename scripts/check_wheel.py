"""Check that a wheel is whole: every file of the package as in the checkout, weights, corpus and cards among them.

    python scripts/check_wheel.py dist/lhs_hf-0.1.0-py3-none-any.whl --version 0.1.0

Prints what is missing, differs or should not be there; exit status 1 if anything is.
"""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
NEEDED = {
    "weights": r"pretrained/lhs-tiny/(encoder/|decoder/|editor/)?model\.safetensors",
    "a surrogate for each of the ten tasks": r"pretrained/lhs-tiny/surrogates/\w+/model\.safetensors",
    "the corpus of each of the ten tasks": r"corpus/data/\w+/[\w.-]+\.parquet",
    "the programs of the zoo": r"corpus/data/zoo/\w+/[\w.-]+\.parquet",
    "the card of the corpus": r"corpus/data/README\.md",
    "objectives of the references": r"corpus/data/references\.json",
    "the template of a task": r"tasks/task_template\.txt",
    "the skill for agents": r"integrations/skill/SKILL\.md",
    "the mark of a typed package": r"py\.typed",
}
"""What nothing runs without, by patterns of paths in the package: a wheel of a damaged checkout has to be seen, too."""

LEAST = {
    "weights": 4,
    "a surrogate for each of the ten tasks": 10,
    "the corpus of each of the ten tasks": 10,
    "the programs of the zoo": 62,
}
LEFT_OUT = re.compile(r"(^|/)__pycache__/|\.py[co]$|^corpus/data/figures/|^corpus/data/(zoo/)?\.build\.sqlite")
"""What pyproject.toml and .gitignore keep out of it."""


def problems(wheel: Path, package: Path, version: str | None = None) -> Iterator[str]:
    """What is wrong with a wheel of a package's folder."""
    with zipfile.ZipFile(wheel) as archive:
        entries = {PurePosixPath(each.filename): each.CRC for each in archive.infolist() if not each.is_dir()}
        inside = {
            path.relative_to(package.name).as_posix(): crc
            for path, crc in entries.items()
            if path.parts[0] == package.name
        }
    expected = {path.relative_to(package).as_posix(): path for path in package.rglob("*") if path.is_file()}
    expected = {name: path for name, path in expected.items() if not LEFT_OUT.search(name)}
    for name in sorted(expected.keys() - inside.keys()):
        yield f"missing: {name}"
    for name in sorted(inside.keys() - expected.keys()):
        yield f"not in the checkout: {name}"
    for name in sorted(inside.keys() & expected.keys()):
        if zlib.crc32(expected[name].read_bytes()) != inside[name]:
            yield f"differs from the checkout: {name}"
    for what, pattern in NEEDED.items():
        count = sum(re.fullmatch(pattern, name) is not None for name in inside)
        if count < LEAST.get(what, 1):
            yield f"{what}: {count} files, expected at least {LEAST.get(what, 1)}"
    licences = [path for path in entries if path.name == "LICENSE"]
    if not licences:
        yield "missing: the licence"
    built = wheel.name.split("-")[1]
    if version is not None and built != version:
        yield f"the wheel is of version {built}, expected {version}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--version", help="the version that it has to be of")
    options = parser.parse_args()
    found = list(problems(options.wheel, ROOT / "lhs_hf", options.version))
    print("\n".join(found) or f"{options.wheel.name} is whole: {options.wheel.stat().st_size / 2**20:.1f} MiB")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
