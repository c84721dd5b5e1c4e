"""All that may take part in a comparison, by name, and methods of one's own by path or entry point."""

from __future__ import annotations

import hashlib
from importlib import metadata
from pathlib import Path
from typing import Any

from ..errors import CallError, unknown
from ..methods.tools import MethodFactory
from ..tasks.files import run_file
from .contender import Chosen, Contender, Work
from .controls import CONTROLS
from .searches import SEARCHES
from .told_methods import TOLD, told

ENTRY_POINT_GROUP = "lhs_hf.methods"
FACTORY = "method"
"""What a file of a method defines: called with `Tools`, it returns the method."""

CONTENDERS: dict[str, Contender] = {each.name: each for each in (*SEARCHES, *TOLD, *CONTROLS)}
"""Those of this package, by name."""


def contender(name: str) -> Contender:
    """A contender by its name, the path of a file that defines `method(tools)`, or an entry point of a package.

    A file is run in this process, as a person's own code. Raises `CallError` naming those that exist.
    """
    if name.endswith(".py"):
        return from_file(Path(name))
    if name in CONTENDERS:
        return CONTENDERS[name]
    installed = {entry.name: entry for entry in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    if name in installed:
        return _own(name, installed[name].load(), installed[name].value)
    raise unknown("method", name, (*CONTENDERS, *installed, "the path of a .py file"))


def from_file(path: Path) -> Contender:
    """A method of one's own. Raises `CallError` for a file that is none."""
    file = path.expanduser().resolve()
    if not file.is_file():
        raise CallError(f"no such file of a method: {path}")
    text = file.read_bytes()
    digest = hashlib.sha256(text).hexdigest()
    factory = getattr(run_file(file, text, digest), FACTORY, None)
    if file.stem in CONTENDERS:
        raise CallError(f"{path}: the name {file.stem!r} belongs to a method of this package; call the file otherwise")
    return _own(file.stem, factory, str(path), digest)


def _own(name: str, factory: Any, place: str, digest: str = "") -> Contender:
    if not callable(factory):
        raise CallError(f"{place} defines no function {FACTORY}(tools) that returns a method")
    chosen: MethodFactory = factory

    def run(work: Work) -> Chosen:
        return told(work, chosen)

    about = (getattr(factory, "__doc__", None) or f"a method of one's own ({Path(place).name})").strip()
    return Contender(name, run, about.partition("\n")[0].rstrip("."), digest=digest)
