"""What the loop of a search ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..tasks.base import Task
from .database import Candidate


@dataclass(frozen=True)
class Outcome:
    """All candidates, the one that is chosen, and what is known of it from training instances (`SearchResult`)."""

    candidates: Sequence[Candidate]
    best: Candidate
    training: dict[str, Any] | None = None


def no_program(task: Task, reference: Candidate) -> RuntimeError:
    """What ends a search of which no program can be scored."""
    told = f"{reference.status}: {reference.message}"
    return RuntimeError(f"no valid program for {task.name}: even the reference fails ({told})")
