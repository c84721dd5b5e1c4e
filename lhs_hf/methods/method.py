"""What all methods are: they are asked for programs, told what these are worth, saved and restored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..search.edits import Proposal


@dataclass(frozen=True)
class Result:
    """What a proposal is worth: a score, higher is better, None for a program that fails; an objective an instance."""

    proposal: Proposal
    score: float | None
    objectives: tuple[float, ...] = ()


class Method(Protocol):
    """A search method. All its randomness comes from its seed, all it knows from what it was told."""

    def ask(self, count: int = 1) -> list[Proposal]:
        """The programs to evaluate next: about `count` where a method makes any number, none once it is over.

        Those that were asked for and not told are given again.
        """

    def tell(self, results: Sequence[Result]) -> None:
        """What all programs that were asked for are worth, in their order. Raises `CallError` for other programs."""

    def state(self) -> dict[str, Any]:
        """Plain data for JSON, from which `restore` goes on."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where a state was taken. Raises `CallError` for the state of another method or seed."""
