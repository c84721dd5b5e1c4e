"""The grammar's masks in the flat tokens that an editor writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .grammar import ProgramState, Signature, Vocabulary
from .spans import first_names, imported_names


class FlatState:
    """A program that is written in flat tokens (`FlatProgram`), one at a time, under the grammar.

    Args:
        signature, vocabulary: of the program.
        names: what slots stand for at the start; names that are spelled are added to `names`.
    """

    def __init__(self, signature: Signature, vocabulary: Vocabulary, names: Sequence[str]) -> None:
        self.names = list(names)
        self.vocabulary = vocabulary
        self._own = first_names(signature, vocabulary)
        self._state = ProgramState(signature, vocabulary)
        self._spelled: list[str] | None = None

    @property
    def finished(self) -> bool:
        """Whether the program is written to its end."""
        return self._state.finished

    def source(self) -> str:
        """The program in canonical form. Raises `ValueError` before it is complete."""
        return self._state.source()

    def allowed(self) -> np.ndarray:
        """Mask of the next flat token, bool (vocabulary,). A name that is new here stands for its spelling."""
        mask = self._state.allowed()
        if self._spelled is not None or self._state.complete:
            return mask
        slots = self.vocabulary.slot_ids
        flat = mask.copy()
        flat[slots] = False
        for place, name in enumerate(self.names):
            flat[slots[place]] = mask[self._real(name)]
        return flat

    def _real(self, name: str) -> int:
        """The grammar's token that a name begins with: its slot, or that it is spelled."""
        return self.vocabulary.slot_ids[self._own.index(name)] if name in self._own else self.vocabulary.spell

    def advance(self, token: int) -> None:
        """Take a flat token. Raises `ValueError` if it is not allowed here."""
        vocabulary = self.vocabulary
        if self._spelled is not None:
            self._state.advance(token)
            if token == vocabulary.end:
                self._add(["".join(self._spelled)])
                self._spelled = None
            else:
                self._spelled.append(vocabulary.payloads[token])
        elif vocabulary.kinds[token] == "slot":
            place = int(vocabulary.payloads[token])
            if place >= len(self.names):
                raise ValueError(f"{vocabulary.tokens[token]} stands for no name")
            name = self.names[place]
            if name in self._own:
                self._state.advance(self._real(name))
                return
            for piece in (vocabulary.spell, *vocabulary.spelling(name), vocabulary.end):
                self._state.advance(piece)
            self._own.append(name)
        else:
            self._state.advance(token)
            if token == vocabulary.spell:
                self._spelled = []
            else:
                self._add(imported_names(token, vocabulary))

    def _add(self, names: Sequence[str]) -> None:
        for name in names:
            if f"name:{name}" in self.vocabulary.ids:
                continue
            for table in (self._own, self.names):
                if name not in table:
                    table.append(name)
