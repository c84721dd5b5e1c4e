"""Which names a program may read, bind or delete at each point: Python's scoping with definite assignment.

A name is readable when every path to this point has bound it. A function that has read an outer name may no longer
bind it, because binding would turn the earlier read into a read of an unassigned local.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from .vocabulary import Vocabulary


class NameTable:
    """The ids of names in one program: whole tokens, or slots for names that were spelled (in order of spelling)."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._slots: dict[str, int] = {}
        self.texts: list[str] = []
        self.version = 0

    @property
    def free_slots(self) -> int:
        return len(self._vocabulary.slot_ids) - len(self.texts)

    def register(self, text: str) -> None:
        """Give `text` a slot unless it has a token or a slot. Raises `IndexError` when no slot is left."""
        if self.token(text) is None:
            self._slots[text] = self._vocabulary.slot_ids[len(self.texts)]
            self.texts.append(text)
            self.version += 1

    def token(self, text: str) -> int | None:
        """The id that stands for `text` where it is read or bound; None if it would have to be spelled."""
        index = self._vocabulary.ids.get("name:" + text)
        return self._slots.get(text) if index is None else index

    def text(self, token: int) -> str:
        """The name behind a `name` or `slot` id."""
        payload = self._vocabulary.payloads[token]
        return self.texts[int(payload)] if self._vocabulary.kinds[token] == "slot" else payload

    def reading_ids(self, text: str) -> np.ndarray | int | None:
        """Ids that become usable in expressions while `text` is visible."""
        index = self._slots.get(text)
        return self._vocabulary.rooted.get(text) if index is None else index

    def binding_row(self) -> np.ndarray:
        """A fresh mask of everything that can name a new binding."""
        row = self._vocabulary.row("name").copy()
        row[self._vocabulary.slot_ids[: len(self.texts)]] = True
        row[self._vocabulary.spell] = self.free_slots > 0
        return row


class Scope:
    """One module, function or comprehension scope. `kind` is `module`, `function` or `comprehension`."""

    def __init__(self, kind: str, names: NameTable, vocabulary: Vocabulary, parent: Scope | None = None) -> None:
        self.kind = kind
        self.parent = parent
        self.definite: set[str] = set()
        self.bound: set[str] = set()
        self.aliased: set[str] = set()
        self.outer_reads: set[str] = set()
        self.captured: set[str] = set()
        self.protected: frozenset[str] = frozenset()
        self._names = names
        self._vocabulary = vocabulary
        self._reading: np.ndarray | None = None
        self._binding: np.ndarray | None = None
        self._binding_version = -1

    def chain(self) -> Iterator[Scope]:
        """This scope and the ones around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def function(self) -> Scope:
        """The scope an assignment expression binds in: the nearest one that is no comprehension."""
        return next(scope for scope in self.chain() if scope.kind != "comprehension")

    # -- reading

    def reading_row(self) -> np.ndarray:
        """Mask of the ids that read a visible name (fused attributes and calls included). Do not modify."""
        if self._reading is None:
            if self.parent is None:
                row = self._vocabulary.builtin_row.copy()
            else:
                row = self.parent.reading_row().copy()
            for name in self.bound - self.definite:
                self._set(row, name, False)
            for name in self.definite:
                self._set(row, name, True)
            self._reading = row
        return self._reading

    def _set(self, row: np.ndarray, name: str, value: bool) -> None:
        ids = self._names.reading_ids(name)
        if ids is not None:
            row[ids] = value

    def owner(self, name: str) -> Scope | None:
        """The scope a read of `name` resolves to here; None for a builtin. The name has to be visible."""
        for scope in self.chain():
            if name in scope.definite:
                return scope
        return None

    def read(self, name: str) -> None:
        """Note a read of a visible name: the scopes it passes through may not bind it any more."""
        scope: Scope | None = self
        while scope is not None and name not in scope.definite:
            if scope.kind != "module" and name not in scope.aliased and name not in scope.outer_reads:
                scope.outer_reads.add(name)
                scope._binding = None
            scope = scope.parent
        if scope is not None and scope is not self:
            scope.captured.add(name)

    # -- binding

    def binding_row(self) -> np.ndarray:
        """Mask of the ids that may name a binding here, as far as earlier reads go. Do not modify."""
        if self._binding is None or self._binding_version != self._names.version:
            row = self._names.binding_row()
            for name in self.outer_reads:
                token = self._names.token(name)
                if token is not None:
                    row[token] = False
            self._binding, self._binding_version = row, self._names.version
        return self._binding

    def bind(self, name: str) -> None:
        """`name` is assigned from here on."""
        if name in self.aliased:
            return
        self.bound.add(name)
        if name not in self.definite:
            self.definite.add(name)
            if self._reading is not None:
                self._set(self._reading, name, True)

    def claim(self, name: str) -> None:
        """`name` belongs to this scope from here on, though it is not assigned yet."""
        if name not in self.aliased and name not in self.bound:
            self.bound.add(name)
            self._reading = None

    def unbind(self, names: Iterable[str]) -> None:
        """`names` are no longer certain to be assigned."""
        self.definite.difference_update(names)
        self._reading = None

    def alias(self, name: str) -> None:
        """`global` or `nonlocal`: assignments of `name` go to the scope it is visible in."""
        owner = self.owner(name)
        if owner is not None:
            owner.captured.add(name)
        self.aliased.add(name)

    def snapshot(self) -> frozenset[str]:
        return frozenset(self.definite)

    def restore(self, snapshot: frozenset[str]) -> None:
        """Go back to the definitely assigned names of `snapshot`."""
        if self.definite != snapshot:
            self.definite = set(snapshot)
            self._reading = None

    def invalidate(self) -> None:
        """Forget derived masks, after a scope further out has changed."""
        self._reading = None

    def local_names(self) -> list[str]:
        """Names that can be read *and* bound here: the operands of an augmented assignment."""
        return [*self.definite, *self.aliased]

    def deletable_names(self) -> list[str]:
        """Names whose deletion can harm no later read."""
        return [name for name in self.definite if name not in self.protected and name not in self.captured]
