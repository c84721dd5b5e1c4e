"""The action vocabulary of the program grammar: node kinds, names, literals and fused shapes, one id each.

A token is a text `kind:payload` (`BinOp:Add`, `name:distance`, `call:np.argmin/1`, `const:0.5`). The grammar reads
kind and payload; a language model sees the id only. A vocabulary is a plain list of tokens, so its JSON form is short
and its ids are stable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np

from ...errors import CallError
from ...opening.files import read_json
from .learnt import Signature, VocabularySizes, corpus_tokens
from .payloads import bound_by_import, root_of, well_formed
from .tokens import BUILTINS, CHARACTERS, SPECIAL, STRUCTURE, action_cost

MOST_TOKENS = 2**16
LONGEST_TOKEN = 256
_FUSED = ("dotted", "call", "whole")
CALL_KINDS = frozenset({"Call", "call", "method"})


class Vocabulary:
    """Tokens and everything the grammar looks up by id: kinds, payloads, costs, mask rows.

    `tokens` fixes the ids. Raises `ValueError` if a token that the grammar can not do without is missing.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = list(tokens)
        self.ids = {token: index for index, token in enumerate(self.tokens)}
        missing = [token for token in (*SPECIAL, *STRUCTURE) if token not in self.ids]
        if missing or len(self.ids) != len(self.tokens):
            problem = f"misses {missing[0]!r}" if missing else "holds a token twice"
            raise ValueError(f"not a program vocabulary: it {problem}; build one with Vocabulary.build")
        parts = [(token, "") if token.startswith("<") else token.partition(":")[::2] for token in self.tokens]
        self.kinds = [kind for kind, _ in parts]
        self.payloads = [payload for _, payload in parts]
        self.costs = np.array([action_cost(kind, payload) for kind, payload in parts], dtype=np.int16)
        self.end = self.ids["<end>"]
        self.eos = self.ids["<eos>"]
        self.spell = self.ids["<spell>"]
        self.slot_ids = [index for index, kind in enumerate(self.kinds) if kind == "slot"]
        self._rows: dict[tuple[str, ...], np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.tokens)

    def row(self, *selectors: str) -> np.ndarray:
        """Mask, bool (vocabulary,): tokens whose kind or whole text is among `selectors`. Shared; do not modify."""
        row = self._rows.get(selectors)
        if row is None:
            wanted = set(selectors)
            chosen = [kind in wanted or token in wanted for kind, token in zip(self.kinds, self.tokens)]
            row = self._rows[selectors] = np.array(chosen, dtype=bool)
        return row

    @cached_property
    def rooted(self) -> Mapping[str, np.ndarray]:
        """For each name that has tokens: the ids usable in an expression while that name is visible."""
        table: dict[str, list[int]] = {}
        for index, (kind, payload) in enumerate(zip(self.kinds, self.payloads)):
            if kind == "name":
                table.setdefault(payload, []).append(index)
            elif kind in _FUSED:
                table.setdefault(root_of(payload), []).append(index)
        return {name: np.array(ids) for name, ids in table.items()}

    @cached_property
    def builtin_row(self) -> np.ndarray:
        """Mask of what an expression may start with when nothing but the builtins is defined."""
        row = np.zeros(len(self), dtype=bool)
        for name in BUILTINS:
            row[self.rooted[name]] = True
        return row

    @cached_property
    def call_row(self) -> np.ndarray:
        """Mask of every token that is a call, whatever its callee."""
        return np.array([kind in CALL_KINDS for kind in self.kinds], dtype=bool)

    @cached_property
    def _imports(self) -> dict[str, list[int]]:
        """For each name bound by an import statement of the vocabulary: the ids of those statements."""
        table: dict[str, list[int]] = {}
        for index, (kind, payload) in enumerate(zip(self.kinds, self.payloads)):
            if kind == "import":
                for name in bound_by_import(payload):
                    table.setdefault(name, []).append(index)
        return table

    def imports_of(self, names: Iterable[str]) -> list[int]:
        """Ids of import statements that bind one of `names`."""
        return [index for name in names if name in self._imports for index in self._imports[name]]

    @cached_property
    def leaf_row(self) -> np.ndarray:
        """Mask of actions that complete at once."""
        return self.costs <= 0

    @cached_property
    def max_cost(self) -> int:
        return int(self.costs.max()) + 16

    @cached_property
    def _pieces(self) -> dict[str, int]:
        return {payload: i for i, (kind, payload) in enumerate(zip(self.kinds, self.payloads)) if kind == "piece"}

    @cached_property
    def _longest_piece(self) -> int:
        return max(map(len, self._pieces))

    @cached_property
    def first_letter_row(self) -> np.ndarray:
        """Mask of pieces an identifier may start with."""
        return np.array([k == "piece" and p.isidentifier() for k, p in zip(self.kinds, self.payloads)])

    @cached_property
    def identifier_row(self) -> np.ndarray:
        """Mask of pieces an identifier may go on with."""
        return np.array([k == "piece" and ("_" + p).isidentifier() for k, p in zip(self.kinds, self.payloads)])

    def characters_row(self, characters: str) -> np.ndarray:
        """Mask of pieces made of `characters` only."""
        key = ("characters", characters)
        if key not in self._rows:
            allowed = set(characters)
            chosen = [k == "piece" and allowed.issuperset(p) for k, p in zip(self.kinds, self.payloads)]
            self._rows[key] = np.array(chosen, dtype=bool)
        return self._rows[key]

    def spelling(self, text: str) -> list[int]:
        """Ids of the pieces of `text`, longest first; others than printable ASCII as `<codepoint>`, 6 digits."""
        ids: list[int] = []
        position = 0
        while position < len(text):
            for length in range(min(self._longest_piece, len(text) - position), 0, -1):
                piece = self._pieces.get(text[position : position + length])
                if piece is not None:
                    ids.append(piece)
                    position += length
                    break
            else:
                ids.append(self.ids["<codepoint>"])
                ids.extend(self._pieces[digit] for digit in f"{ord(text[position]):06x}")
                position += 1
        return ids

    def save(self, path: str | Path) -> None:
        """Write the JSON form."""
        document = {"format": "lhs-program-actions", "version": 1, "tokens": self.tokens}
        Path(path).write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """Read what `save` wrote. Raises `CallError` for another format, and for tokens that the grammar can not read.

        No token is run or imported: what it stands for is only ever written into programs.
        """
        document = read_json(Path(path))
        if document.get("format") != "lhs-program-actions" or document.get("version") != 1:
            raise CallError(f"{path} is not a program vocabulary (expected format lhs-program-actions, version 1)")
        tokens = document.get("tokens")
        if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
            raise CallError(f"{path} is not a program vocabulary: tokens is no list of texts")
        if len(tokens) > MOST_TOKENS or max(map(len, tokens), default=0) > LONGEST_TOKEN:
            raise CallError(
                f"{path} is not a program vocabulary: expected at most {MOST_TOKENS} tokens of at most {LONGEST_TOKEN} "
                "characters"
            )
        for token in tokens:
            if not well_formed(token):
                raise CallError(f"{path} is not a program vocabulary: it holds {token!r:.120}, which is no action")
        present = set(tokens)
        for token in (*(f"name:{name}" for name in BUILTINS), *(f"piece:{letter}" for letter in CHARACTERS)):
            if token not in present:
                raise CallError(f"{path} is not a program vocabulary: it misses {token!r}")
        try:
            return cls(tokens)
        except ValueError as error:
            raise CallError(f"{path} is {error}") from None

    @classmethod
    def build(
        cls,
        programs: Iterable[tuple[str, Signature]],
        min_count: int = 4,
        task_names: Iterable[str] = (),
        class_names: Iterable[str] = (),
        limits: VocabularySizes = VocabularySizes(),  # noqa: B008  (immutable)
    ) -> Vocabulary:
        """The vocabulary of a corpus: what occurs at least `min_count` times, the most frequent first, within `limits`.

        `task_names` and `class_names` get prompt tokens. Raises `ProgramError` for a source that does not parse.
        """
        return cls(corpus_tokens(programs, min_count, task_names, class_names, limits))
