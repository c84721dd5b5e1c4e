"""Files of a folder that somebody else made: names that stay inside it, sizes that are bounded, JSON that is only data.

Whatever is wrong is a `CallError` of one line that names the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeGuard

from ..errors import CallError

JSON_BYTES = 16 * 2**20
JSON_DEPTH = 64


def inside(folder: Path | str, name: str) -> Path:
    """The path of `name` in a folder. Raises `CallError` for a name, or a link, that leads out of the folder.

    The file itself need not exist. `name` may have several parts, separated by "/".
    """
    windows = PureWindowsPath(name)
    if (
        not isinstance(name, str)
        or "\0" in name
        or PurePosixPath(name).is_absolute()
        or windows.drive
        or windows.root
        or ".." in windows.parts
    ):
        raise CallError(
            f"{folder} names the file {name!r:.80}; expected one inside the folder, neither absolute nor with .."
        )
    root = Path(folder)
    path = root / name
    try:
        outside = not path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError) as error:  # a loop of links
        raise CallError(f"{path} can not be followed: {error}") from None
    if outside and not _in_snapshot(root, path):
        raise CallError(f"{path} is a link that leaves the folder; expected a file inside it")
    return path


def _in_snapshot(root: Path, path: Path) -> bool:
    """Whether a file is what the Hub's cache makes of it: a link from models--…/snapshots/… to models--…/blobs/."""
    for parent in (root, *root.absolute().parents):
        if parent.parent.name == "snapshots":
            return path.resolve().parent == (parent.parent.parent / "blobs").resolve()
    return False


def read_bytes(path: Path, most: int) -> bytes:
    """A regular file of at most `most` bytes. Raises `CallError` for one that is missing, larger or no file."""
    try:
        if not path.is_file():
            raise CallError(f"{path} {'is no regular file' if path.exists() else 'does not exist'}")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, CallError):
            raise
        raise CallError(f"{path} can not be read: {error}") from None
    if len(data) > most:
        raise CallError(f"{path} is larger than {most} bytes")
    return data


def read_json(path: Path, kind: type = dict, most: int = JSON_BYTES) -> Any:
    """The JSON value in a file, of type `kind` at its top. Raises `CallError` for anything else.

    Nesting deeper than `JSON_DEPTH`, numbers that are no JSON (NaN, Infinity) and repeated keys are refused.
    """
    return parse_json(read_bytes(path, most), str(path), kind)


def parse_json(text: bytes | str, name: str, kind: type = dict) -> Any:
    """Like `read_json`, from a text that `name` stands for in messages."""
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    except (ValueError, RecursionError, MemoryError) as error:
        raise CallError(f"{name} is no valid JSON: {str(error)[:200]}") from None
    if not isinstance(value, kind):
        raise CallError(f"{name} holds a {type(value).__name__}, expected a {kind.__name__}")
    if _deeper(value, JSON_DEPTH):
        raise CallError(f"{name} is nested more than {JSON_DEPTH} levels deep")
    return value


def is_number(value: object) -> TypeGuard[float]:
    """Whether a JSON value is a number, finite and small enough for a float."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            child
            for each in layer
            if isinstance(each, (dict, list))
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not layer:
            return False
    return True
