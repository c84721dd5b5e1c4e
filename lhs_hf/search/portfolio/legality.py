"""What a task's own evaluation takes for an answer, learned from the programs that it refused."""

from __future__ import annotations

from ...tasks.signs import BITS

REFUSED = 2.0
"""Failures that speak against a sign, none of them of a sign that a good program has shown, until it is refused."""


class Legality:
    """Counts, for each sign of answers (`tasks.signs`), whether programs that show it are evaluated or fail.

    A failure speaks against all signs of a program that no other program was evaluated with, to equal parts. One
    program that is evaluated clears all of its own for good.
    """

    def __init__(self) -> None:
        self._cleared = 0
        self._against = [0.0] * BITS

    def tell(self, signs: int, evaluated: bool) -> None:
        """What became of a program with these signs."""
        if evaluated:
            self._cleared |= signs
            return
        doubtful = [place for place in range(BITS) if signs & ~self._cleared & 1 << place]
        for place in doubtful:
            self._against[place] += 1.0 / len(doubtful)

    def refuses(self, signs: int) -> bool:
        """Whether a program with these signs is expected to fail."""
        return any(
            signs & ~self._cleared & 1 << place and against >= REFUSED for place, against in enumerate(self._against)
        )
