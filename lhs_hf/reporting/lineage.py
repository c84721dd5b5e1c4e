"""What was changed to get a program: its text beside that of its parent."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from ..programs import ProgramError, program_hash
from ..search.candidates import beyond_memory
from ..search.database import Candidate


@dataclass(frozen=True)
class Change:
    """A program as a unified diff of the one that it was made from, and how."""

    parent: Candidate
    child: Candidate
    diff: str


def unified_diff(before: str, after: str, names: tuple[str, str]) -> str:
    """Two programs as a unified diff that ends in a line break; empty where they are one text."""
    first, second = ([f"{line}\n" for line in text.rstrip().splitlines()] for text in (before, after))
    return "".join(difflib.unified_diff(first, second, *names))


def change_of(candidates: Sequence[Candidate], program: str) -> Change | None:
    """How a program of a run was made from its parent, or for want of one from the reference.

    None for the reference itself, for another program that the search began with, and for one that is not of this run.
    """
    child = _first(candidates, program)
    if child is None or not child.made:
        return None
    parent = candidates[child.parent or 0]
    names = (f"candidate {parent.id}", f"candidate {child.id}")
    return Change(parent, child, unified_diff(parent.program, program, names))


def _first(candidates: Sequence[Candidate], program: str) -> Candidate | None:
    if large := beyond_memory(candidates):
        try:
            return large.first(program_hash(program))
        except ProgramError:
            return None
    return next((each for each in candidates if each.program == program), None)
