"""What a node is sent before any program: versions, the task by name and digest, limits. And the check on arrival."""

from __future__ import annotations

import hashlib
import inspect
import os
import tempfile
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from ... import __version__
from ...errors import CallError
from ...tasks import UnknownTask, get_task
from ...tasks.base import Task
from ..cache import default_cache_path
from ..sandbox.limits import Limits

_PACKAGE = Path(__file__).resolve().parents[2]
# What decides about a result, beside the task.
_DECIDING = ("evaluation", "tasks", "programs.py", "reach.py", "allowed.py")


class Refused(CallError):
    """A node can not serve an order; the message says what it has and what was expected."""


def order_of(task: Task, limits: Limits, without: tuple[str, ...], allow_development: bool) -> dict[str, Any]:
    """Plain data, which a node with another version of this package can read as well.

    Raises `CallError` if the file of the task has changed since it was loaded.
    """
    content = None
    if task.origin is not None:
        content = Path(task.origin).read_bytes()
        if hashlib.sha256(content).hexdigest() != task.digest:
            raise CallError(f"{task.origin} has changed since it was loaded; start again")
    return {
        "version": __version__,
        "sources": sources_digest(),
        "task": task.name,
        "digest": task_digest(task),
        "file": None if task.origin is None else Path(task.origin).name,
        "content": content,
        "limits": asdict(limits),
        "without": without,
        "allow_development": allow_development,
    }


def task_digest(task: Task) -> str:
    """SHA-256 of the file that defines a task."""
    return task.digest or hashlib.sha256(Path(inspect.getfile(type(task))).read_bytes()).hexdigest()


@cache
def sources_digest() -> str:
    """SHA-256 of the sources of this package that decide about a result."""
    digest = hashlib.sha256()
    for name in _DECIDING:
        place = _PACKAGE / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def received_task(order: dict[str, Any]) -> Task:
    """The task of an order, on the node that got it. Raises `Refused` for another version of it or of the package."""
    if order["version"] != __version__:
        raise Refused(f"has lhs_hf {__version__}, expected {order['version']}")
    name, content = order["task"], order["content"]
    if content is not None and hashlib.sha256(content).hexdigest() != order["digest"]:
        raise Refused(f"received another file of the task {name} than was sent")
    try:
        task = get_task(name if content is None else str(_kept(order["file"], content, order["digest"])))
    except UnknownTask:
        raise Refused(f"has no task {name}") from None
    if task_digest(task) != order["digest"]:
        raise Refused(f"has another version of the task {name}")
    if order["sources"] != sources_digest():
        raise Refused(f"has lhs_hf {__version__} with other sources")
    return task


def _kept(file: str, content: bytes, digest: str) -> Path:
    """The file of a task in the cache of this machine, under its digest. Raises `Refused` if it can not be written."""
    folder = default_cache_path().parent / "tasks" / digest
    path = folder / file
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # What is there may have been damaged or cut; several workers of this node may be here at once.
        if not path.is_file() or path.read_bytes() != content:
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as written:
                written.write(content)
            os.replace(written.name, path)
    except OSError as problem:
        raise Refused(f"can not keep the file of the task: {problem}") from None
    return path
