"""The grammar's ground floor: positions, and what is written out piece by piece (identifiers, strings, numbers)."""

from __future__ import annotations

import ast
import keyword
import string
from collections.abc import Collection, Generator
from typing import NamedTuple, TypeVar

import numpy as np

from .scope import NameTable, Scope
from .vocabulary import Signature, Vocabulary

T = TypeVar("T")
NO_NAMES, READ_NAMES, READ_LEAVES, READ_CALLS = range(4)
LONGEST_NUMBER = 40
PLAIN = string.ascii_letters + string.digits + " _-.,:/"
FORMAT_SPEC = string.ascii_letters + string.digits + " .,<>+-^=%_"
F_STRING_TEXT = "".join(chr(code) for code in range(32, 127) if chr(code) not in '"\\')
_SPARE = 2


class Limits(NamedTuple):
    """How far expressions, blocks and spelled texts may go."""

    depth: int = 60
    name: int = 1000
    string: int = 100_000


SAMPLED = Limits(depth=24, name=40, string=200)


class UnsupportedProgram(ValueError):
    """A program outside the grammar: syntax it does not cover, or a name that may be read before it is assigned."""


class Position(NamedTuple):
    """One choice: `row` is the static mask, `names` says which visible names join it.

    `least` is the least number of actions, this one included, that the choice was reckoned to take when it was
    opened; `extra` is what any answer but `<end>` still needs after it in the list it belongs to; `costs` replaces the
    vocabulary's costs where those do not fit.
    """

    row: np.ndarray
    names: int = NO_NAMES
    least: int = 1
    extra: int = 0
    costs: np.ndarray | None = None


Steps = Generator[tuple[Position, "int | None"], int, T]


class SpellingGrammar:
    """State shared by all rules, and the rules for spelled text.

    A rule is a generator: it yields a position together with the action the wanted tree asks for (None when a model
    decides), receives the action taken, and returns the tree it built.
    """

    def __init__(self, vocabulary: Vocabulary, signature: Signature, limits: Limits) -> None:
        self.limits = limits
        self.vocabulary = vocabulary
        self.signature = signature
        self.names = NameTable(vocabulary)
        for name in (signature.function_name, *signature.arguments):
            self.names.register(name)
        self.scope = Scope("module", self.names, vocabulary)
        self.modules: set[str] = set()
        self.debt = 0
        self.depth = 0
        self.line = 1
        self._end_row = vocabulary.row("<end>")

    def unsupported(self, what: str) -> UnsupportedProgram:
        return UnsupportedProgram(f"line {self.line}: {what}")

    def token(self, text: str) -> int:
        """The id of a token that the wanted tree asks for. Raises `UnsupportedProgram` if there is none."""
        try:
            return self.vocabulary.ids[text]
        except KeyError:
            raise self.unsupported(f"{text.partition(':')[0]} of this form is not supported") from None

    def first_of(self, *texts: str) -> int:
        """The id of the first of `texts` that the vocabulary holds."""
        for text in texts[:-1]:
            index = self.vocabulary.ids.get(text)
            if index is not None:
                return index
        return self.token(texts[-1])

    # -- spelled text

    def _pieces(self, want: str | None) -> list[int] | None:
        return None if want is None else [*self.vocabulary.spelling(want), self.vocabulary.end]

    def identifier(self, want: str | None, forbidden: Collection[str] = (), dotted: bool = False) -> Steps[str]:
        """An identifier that is no keyword and not among `forbidden`; with `dotted`, a module path."""
        vocabulary = self.vocabulary
        wanted = self._pieces(want)
        text, count, spare = "", 0, _SPARE
        while True:
            last = text.rpartition(".")[2]
            legal = last.isidentifier() and not keyword.iskeyword(last)
            legal = legal and text.partition(".")[0] not in forbidden and text not in ("__debug__", "__future__")
            if legal and len(text) >= self.limits.name:
                row = self._end_row
            else:
                row = vocabulary.identifier_row if last else vocabulary.first_letter_row
                if legal:
                    row = row | self._end_row
                    if dotted:
                        row[vocabulary.ids["piece:."]] = True
            if legal:
                least = 1
            elif not text:
                least = 2
            else:
                least, spare = 1 + spare, 0
            token = yield Position(row, NO_NAMES, least, 1), None if wanted is None else wanted[count]
            if token == vocabulary.end:
                self.debt -= spare
                return text
            text += vocabulary.payloads[token]
            count += 1

    def text(self, want: str | None, alphabet: str | None = None, empty: bool = True) -> Steps[str]:
        """A string; with `alphabet`, of these characters only."""
        vocabulary = self.vocabulary
        row = vocabulary.row("piece", "<codepoint>") if alphabet is None else vocabulary.characters_row(alphabet)
        row_or_end = row | self._end_row
        wanted = self._pieces(want)
        text, count = "", 0
        while True:
            if len(text) >= self.limits.string:
                position = Position(self._end_row)
            elif text or empty:
                position = Position(row_or_end, NO_NAMES, 1, 1)
            else:
                position = Position(row, NO_NAMES, 2, 1)
            token = yield position, None if wanted is None else wanted[count]
            count += 1
            if token == vocabulary.end:
                return text
            if vocabulary.kinds[token] == "<codepoint>":
                text += yield from self._codepoint(wanted, count)
                count += 6
            else:
                text += vocabulary.payloads[token]

    def _codepoint(self, wanted: list[int] | None, count: int) -> Steps[str]:
        digits = ""
        for index in range(6):
            rest = 5 - index
            legal = [d for d in string.hexdigits[:16] if _has_scalar(digits + d, rest)]
            row = np.zeros(len(self.vocabulary), dtype=bool)
            row[[self.vocabulary.ids["piece:" + d] for d in legal]] = True
            token = yield Position(row, NO_NAMES, 1), None if wanted is None else wanted[count + index]
            digits += self.vocabulary.payloads[token]
        return chr(int(digits, 16))

    def number(self, want: str | None, is_float: bool) -> Steps[int | float]:
        """A non-negative literal: digits, for a float with a point or an exponent."""
        vocabulary = self.vocabulary
        wanted = self._pieces(want)
        text = ""
        while True:
            row = np.zeros(len(vocabulary), dtype=bool)
            costs = np.zeros(len(vocabulary), dtype=np.int16)
            for character in _number_continuations(text, is_float):
                token = vocabulary.ids["piece:" + character]
                row[token] = True
                costs[token] = _number_rest(text + character, is_float)
            least = _number_rest(text, is_float)
            row[vocabulary.end] = least == 1
            position = Position(row, NO_NAMES, least, 0, costs)
            token = yield position, None if wanted is None else wanted[len(text)]
            if token == vocabulary.end:
                return float(text) if is_float else int(text)
            text += vocabulary.payloads[token]

    # -- names at binding positions

    def binding_row(self, scope: Scope, denied: Collection[str] = ()) -> np.ndarray:
        """A fresh mask of names that may be bound in `scope` now; imported modules keep their names."""
        row = scope.binding_row().copy()
        for name in (*self.modules, *denied):
            token = self.names.token(name)
            if token is not None:
                row[token] = False
        if scope.kind == "module":
            row[self.names.token(self.signature.function_name)] = False
        return row

    def wanted_binding(self, name: str | None) -> int | None:
        if name is None:
            return None
        token = self.names.token(name)
        return self.vocabulary.spell if token is None else token

    def bind_name(self, scope: Scope, want: str | None, denied: Collection[str] = (), extra: int = 0) -> Steps[str]:
        """Choose a name to bind in `scope`, none of `denied`. Binding it is up to the caller."""
        row = self.binding_row(scope, denied)
        token = yield Position(row, NO_NAMES, 1, extra), self.wanted_binding(want)
        return (yield from self.named(token, scope, want, denied))

    def named(self, token: int, scope: Scope, want: str | None, denied: Collection[str] = ()) -> Steps[str]:
        """The name of a binding action, spelled if the action says so."""
        if token != self.vocabulary.spell:
            return self.names.text(token)
        forbidden = {*scope.outer_reads, *self.modules, *denied}
        if scope.kind == "module":
            forbidden.add(self.signature.function_name)
        text = yield from self.identifier(want, forbidden)
        self.names.register(text)
        return text


def _has_scalar(prefix: str, rest: int) -> bool:
    """Whether six hexadecimal digits that start with `prefix` can be a Unicode scalar value."""
    low, high = int(prefix + "0" * rest, 16), int(prefix + "f" * rest, 16)
    return low <= 0xD7FF or (high >= 0xE000 and low <= 0x10FFFF)


def _number_rest(text: str, is_float: bool) -> int:
    """The least number of actions, the end included, that complete a number begun with `text`."""
    if not text:
        return 3 if is_float else 2
    _, mark, exponent = text.partition("e")
    if not is_float or (mark and exponent[-1:].isdigit()) or (not mark and "." in text):
        return 1
    return 2


def _number_continuations(text: str, is_float: bool) -> str:
    """Characters that may follow `text` in a number."""
    _, mark, exponent = text.partition("e")
    if mark:
        return ("0123456789" if len(exponent) < 4 else "") + ("" if exponent else "+-")
    digits = "0123456789" if len(text) < LONGEST_NUMBER else ""
    if not is_float or not text:
        return digits
    return digits + ("e" if "." in text else ".e")


def node_name(node: ast.AST) -> str:
    """What to call a node in an error message."""
    return type(node).__name__
