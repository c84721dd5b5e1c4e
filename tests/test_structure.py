"""The shape of the package, read from its source: short functions and files, imports that go down and in no ring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx

ROOT = Path(__file__).parent.parent
PACKAGE = "lhs_hf"
MOST_LINES, MOST_PARAMETERS, LONGEST_FILE = 80, 8, 400

OLD_NAMES = {"adapters", "model_report", "pipeline", "publish", "report"}
FLOORS = [
    {"cli", "space", "integrations", "__main__", *OLD_NAMES},
    {"reporting", "plots", "search", "methods", "training", "grid"},
    {"models", "decoding", "corpus", "hub", "language"},
    {"evaluation"},
    {"tasks"},
    {"programs", "program_files"},
    {
        "opening",
        "store",
        "reach",
        "allowed",
        "fields",
        "write_ahead",
        "metrics",
        "threat_model",
        "locks",
        "recent",
        "trackers",
    },
    {"constants", "errors", "_moved"},
]
"""Parts of the package from the top to the bottom: each imports its own floor and those below it."""

APART = {("search", "training"), ("metrics", "search")}
"""Pairs of which the first may not import the second, whatever their floors."""

ARGUED: dict[str, str] = {}
"""Offenders against the sizes, as they are listed below without their numbers, and why they stay: three at most."""


@cache
def modules() -> dict[str, ast.Module]:
    """The package's modules by their dotted names; a package has the name of its folder."""
    trees = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if "seeds" not in parts:
            trees[name] = ast.parse(path.read_text(encoding="utf-8"))
    return trees


def imports(name: str) -> Iterator[tuple[str, bool]]:
    """The package's modules that a module imports, anywhere in it; whether it is for annotations only.

    The package itself is left out: it is the parent of all and loaded before any.
    """
    tree = modules()[name]
    annotations = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    is_package = any(other.startswith(f"{name}.") for other in modules())
    for node in ast.walk(tree):
        targets: list[str] = []
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = name.split(".")[: len(name.split(".")) - node.level + is_package]
                base = ".".join([*up, *([node.module] if node.module else [])])
            inner = [f"{base}.{alias.name}" for alias in node.names]
            targets = [target if target in modules() else base for target in inner]
        for target in targets:
            if target in modules() and target not in (PACKAGE, name):
                yield target, id(node) in annotations


def part(name: str) -> str:
    """The part of the package that a module belongs to."""
    return name.split(".")[1]


def floor(name: str) -> int:
    """How far down a part is; -1 if the table does not have it."""
    return next((level for level, parts in enumerate(FLOORS) if part(name) in parts), -1)


def sizes() -> Iterator[tuple[str, str]]:
    """What is too large, and by how much."""
    for folder in (PACKAGE, "scripts"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "seeds" in path.parts:
                continue
            shown, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            if (lines := len(text.splitlines())) > LONGEST_FILE:
                yield shown, f"{lines} lines"
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    length = (node.end_lineno or node.lineno) - node.lineno + 1
                    if length > MOST_LINES:
                        yield f"{shown} {node.name}", f"{length} lines"
                    if (count := parameters(node.args)) > MOST_PARAMETERS:
                        yield f"{shown} {node.name}", f"{count} parameters"


def parameters(arguments: ast.arguments) -> int:
    """How many a function has, `self` not counted."""
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    several = bool(arguments.vararg) + bool(arguments.kwarg)
    return len(positional) + len(arguments.kwonlyargs) + several - (positional[:1] in (["self"], ["cls"]))


def test_functions_and_files_are_short() -> None:
    large = list(sizes())
    over = [f"{name}: {size}" for name, size in large if name not in ARGUED]
    assert not over, "\n".join(["too large:", *over])
    assert set(ARGUED) <= {name for name, _ in large}, "an exception that is argued for is none any more"
    assert len(ARGUED) <= 3


def test_imports_go_down() -> None:
    homeless = sorted({part(name) for name in modules() if name != PACKAGE and floor(name) < 0})
    assert not homeless, f"no floor is known for {', '.join(homeless)}"
    arrows = {
        f"{name} -> {target}"
        for name in modules()
        if name != PACKAGE
        for target, _ in imports(name)
        if floor(target) < floor(name) or (part(name), part(target)) in APART
    }
    assert not arrows, "\n".join(["imports that go up:", *sorted(arrows)])


def test_no_imports_in_a_ring() -> None:
    graph = networkx.DiGraph(
        (name, target)
        for name in modules()
        if name != PACKAGE
        for target, annotations in imports(name)
        if not annotations
    )
    rings = sorted(sorted(ring) for ring in networkx.strongly_connected_components(graph) if len(ring) > 1)
    assert not rings, "\n".join(["modules that import one another:", *(", ".join(ring) for ring in rings)])
