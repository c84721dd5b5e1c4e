"""Programs as files: one to a file, a folder of them, or JSON lines with the text under "program"."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .errors import CallError
from .programs import MAX_SOURCE_BYTES


def read_program(path: Path) -> str:
    """The text of a program file, or of standard input for "-".

    Raises `CallError` for what is no readable text file of a sensible size.
    """
    if str(path) == "-":
        return _text(sys.stdin.buffer.read(MAX_SOURCE_BYTES + 1), "standard input")
    if not path.exists():
        raise CallError(f"no such file: {path}")
    if not path.is_file():
        raise CallError(f"{path} is not a file; expected a Python program")
    if path.stat().st_size > MAX_SOURCE_BYTES:
        raise CallError(f"{path} has {path.stat().st_size} bytes; a program has at most {MAX_SOURCE_BYTES}")
    try:
        return _text(path.read_bytes(), str(path))
    except OSError as problem:
        raise CallError(f"{path} can not be read: {problem.strerror}") from None


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_SOURCE_BYTES:
        raise CallError(f"{name} has more than {MAX_SOURCE_BYTES} bytes; a program has at most so many")
    try:
        source = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise CallError(f"{name} is not UTF-8 text: byte {problem.start} can not be decoded") from None
    if "\0" in source:
        raise CallError(f"{name} is a binary file; expected a Python program")
    if not source.strip():
        raise CallError(f"{name} is empty; expected a Python program")
    return source


def programs_in(path: Path) -> list[tuple[str, str]]:
    """Names and texts of the programs in a Python file, a folder of them, or a file of JSON lines.

    Raises `CallError` for what is none of these.
    """
    if path.is_dir():
        return [(str(file), read_program(file)) for file in sorted(path.glob("*.py"))]
    if path.suffix != ".jsonl":
        return [(str(path), read_program(path))]
    if not path.is_file():
        raise CallError(f"no such file: {path}")
    found: list[tuple[str, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                found.append((f"{path}:{number}", str(json.loads(line)["program"])))
            except (ValueError, KeyError, TypeError):
                raise CallError(f'{path}, line {number}: expected a JSON object with a text under "program"') from None
    return found
