"""Printing: JSON alone on stdout, everything else readable, errors in one line on stderr."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from ..opening.text import printable


def error(message: str, status: int) -> int:
    """Print one line on stderr and return `status`."""
    print("error: " + printable(" ".join(message.split())), file=sys.stderr)
    return status


def _plain(value: Any) -> Any:
    """JSON has no NaN or infinity: they become null."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def print_json(value: dict[str, Any] | list[Any]) -> None:
    """Print one JSON value on stdout and nothing else."""
    print(json.dumps(_plain(value), ensure_ascii=False, allow_nan=False))
