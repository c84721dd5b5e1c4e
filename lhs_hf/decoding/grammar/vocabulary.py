"""The action vocabulary of the program grammar: node kinds, names, literals and fused shapes, one id each.

A token is a text `kind:payload` (`BinOp:Add`, `name:distance`, `call:np.argmin/1`, `const:0.5`). The grammar reads
kind and payload; a language model sees the id only. A vocabulary is a plain list of tokens, so its JSON form is short
and its ids are stable.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...errors import CallError
from ...opening.files import read_json
from ...programs import canonical_tree
from .tokens import BASE_CONSTANTS, BASE_IMPORTS, BASE_NAMES, BUILTINS, CHARACTERS, SPECIAL, STRUCTURE, action_cost

_WORD = re.compile(r"[A-Za-z]{2,12}")
MOST_TOKENS = 2**16
LONGEST_TOKEN = 256
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_FIXED_TOKENS = frozenset((*SPECIAL, *STRUCTURE, "<general>"))
_PROMPT_TOKEN = re.compile(r"<(task|class):[\w.-]{1,100}>")
# The payload of each learnt kind; its first group holds the identifiers in it.
_PAYLOADS = {
    "name": rf"({_NAME})",
    "Attribute": rf"({_NAME})",
    "kw": rf"({_NAME})",
    "dotted": rf"({_NAME}(?:\.{_NAME})+)",
    "call": rf"({_NAME}(?:\.{_NAME})*)/[0-6]k?",
    "method": rf"({_NAME})/[0-6]k?",
    "slot": r"()[0-9]{1,4}",
    "piece": r"()(?:[A-Za-z0-9_]{1,32}|[ -~])",
}
_FUSED = ("dotted", "call", "whole")
CALL_KINDS = frozenset({"Call", "call", "method"})


@dataclass(frozen=True)
class Signature:
    """What a program has to define: one top-level function and its positional arguments."""

    function_name: str
    arguments: tuple[str, ...]


class VocabularySizes(NamedTuple):
    """The most tokens of each learnt kind that `Vocabulary.build` admits."""

    names: int = 520
    pieces: int = 120
    attributes: int = 80
    keywords: int = 24
    constants: int = 110
    dotted: int = 50
    calls: int = 130
    methods: int = 60
    imports: int = 24
    slots: int = 48


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
        counts = _Counts()
        for source, signature in programs:
            counts.add(canonical_tree(source), signature)

        def learnt(kind: str, most: int, fixed: Iterable[str] = ()) -> list[str]:
            chosen = dict.fromkeys(fixed)
            ranked = sorted(counts.table[kind].items(), key=lambda entry: (-entry[1], entry[0]))
            chosen.update(dict.fromkeys([text for text, count in ranked if count >= min_count][:most]))
            return [f"{kind}:{text}" for text in chosen]

        imports = learnt("import", limits.imports, BASE_IMPORTS)
        bound = [name for token in imports for name in bound_by_import(token.partition(":")[2])]
        names = learnt("name", limits.names, (*BUILTINS, *BASE_NAMES, *bound))
        known = {name.partition(":")[2] for name in names}
        for name, count in counts.table["name"].items():
            if name not in known:
                counts.table["piece"].update({word.lower(): count for word in _WORD.findall(name)})
        fused = [*learnt("call", limits.calls), *learnt("dotted", limits.dotted)]
        fused = [token for token in fused if root_of(token.partition(":")[2]) in known]
        tokens = [
            *SPECIAL,
            "<general>",
            *(f"<task:{name}>" for name in dict.fromkeys(task_names)),
            *(f"<class:{name}>" for name in dict.fromkeys(class_names)),
            *STRUCTURE,
            *learnt("const", limits.constants, BASE_CONSTANTS),
            *imports,
            *names,
            *(f"slot:{index}" for index in range(limits.slots)),
            *learnt("piece", limits.pieces, CHARACTERS),
            *learnt("Attribute", limits.attributes),
            *learnt("kw", limits.keywords),
            *learnt("method", limits.methods),
            "whole:float('inf')",
            "whole:float('-inf')",
            *fused,
        ]
        return cls(dict.fromkeys(tokens))


def well_formed(token: str) -> bool:
    """Whether the grammar can read a token: a fixed one, or a learnt one with a payload of its kind."""
    if token in _FIXED_TOKENS:
        return True
    if token.startswith("<"):
        return _PROMPT_TOKEN.fullmatch(token) is not None
    kind, _, payload = token.partition(":")
    pattern = _PAYLOADS.get(kind)
    if pattern is not None:
        found = re.fullmatch(pattern, payload)
        return found is not None and not any(map(keyword.iskeyword, re.findall(_NAME, found[1])))
    if kind not in ("const", "import", "whole"):
        return False
    try:
        [node] = ast.parse(payload).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if kind == "import":
        return isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and _plain_import(node))
    if not isinstance(node, ast.Expr):
        return False
    if kind == "const":
        return constant_text(node.value) is not None
    return isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)


def bound_by_import(source: str) -> list[str]:
    """The names an import statement binds."""
    node = ast.parse(source).body[0]
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    return [alias.asname or alias.name.partition(".")[0] for alias in node.names]


def root_of(payload: str) -> str:
    """The name at the root of a fused payload: `np` of `np.linalg.norm/1`, `float` of `float('inf')`."""
    return re.split(r"[./(]", payload, maxsplit=1)[0]


def dotted_chain(node: ast.AST) -> str | None:
    """`np.linalg.norm` for a chain of attributes on a name, `len` for a name, None for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def call_shape(node: ast.Call) -> str:
    """`2` for two positional arguments, `2k` with keywords besides."""
    return f"{len(node.args)}{'k' if node.keywords else ''}"


def constant_text(node: ast.AST) -> str | None:
    """The payload of a literal, a minus sign included (`-1`); None for anything else."""
    if isinstance(node, ast.Constant):
        return ast.unparse(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = node.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            return "-" + ast.unparse(inner)
    return None


def _plain_import(node: ast.ImportFrom) -> bool:
    return not node.level and node.module != "__future__" and all(alias.name != "*" for alias in node.names)


class _Counts:
    """How often each candidate token of the learnt kinds occurs."""

    def __init__(self) -> None:
        kinds = ("name", "const", "import", "piece", "Attribute", "kw", "method", "call", "dotted")
        self.table: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}

    def add(self, tree: ast.Module, signature: Signature) -> None:
        table = self.table
        table["name"].update([signature.function_name, *signature.arguments])
        imported = {
            alias.asname or alias.name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        callees: set[int] = set()
        for node in ast.walk(tree):  # breadth first: a call comes before its callee, a long chain before its parts
            if isinstance(node, ast.Name):
                table["name"][node.id] += 1
            elif isinstance(node, ast.arg):
                table["name"][node.arg] += 1
            elif isinstance(node, ast.FunctionDef):
                table["name"][node.name] += 1
            elif isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and _plain_import(node)):
                table["import"][ast.unparse(node)] += 1
            elif isinstance(node, ast.keyword) and node.arg:
                table["kw"][node.arg] += 1
            elif isinstance(node, ast.Call):
                self._add_call(node, imported, callees)
            elif isinstance(node, ast.Attribute) and id(node) not in callees:
                chain = dotted_chain(node)
                if chain and root_of(chain) in imported:
                    table["dotted"][chain] += 1
                else:
                    table["Attribute"][node.attr] += 1
            elif isinstance(node, (ast.Constant, ast.UnaryOp)):
                text = constant_text(node)
                if text is not None and len(text) <= 24 and not text.startswith(("b'", 'b"')):
                    table["const"][text] += 1

    def _add_call(self, node: ast.Call, imported: set[str], callees: set[int]) -> None:
        chain = dotted_chain(node.func)
        if len(node.args) > 6:
            return
        if chain and ("." not in chain or root_of(chain) in imported):
            self.table["call"][f"{chain}/{call_shape(node)}"] += 1
            callees.add(id(node.func))
        elif isinstance(node.func, ast.Attribute):
            self.table["method"][f"{node.func.attr}/{call_shape(node)}"] += 1
            callees.add(id(node.func))
