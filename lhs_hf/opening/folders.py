"""Writing into a folder that somebody else may have made: no link in it decides where the bytes go."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import CallError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new, empty file beside `path` to write to; it takes the place of `path` when the block ends without an error.

    A link of that name is replaced and not followed, and the file appears whole or not at all. Raises `CallError` where
    the folder can not be written to.
    """
    temporary = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")
    try:
        # Exclusive: a file or link that is already there is never opened.
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        raise CallError(f"can not write {path}: {error.strerror}") from None
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise CallError(f"can not write {path}: {error.strerror or error}") from error
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def write_text(path: Path, text: str) -> Path:
    """Write a text file as UTF-8, as `replacing` does; what UTF-8 can not hold becomes a question mark."""
    return write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, data: bytes) -> Path:
    """Write a file, as `replacing` does."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return path
