"""The tokens that a corpus teaches: what its programs use often enough."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ...programs import canonical_tree
from .payloads import bound_by_import, call_shape, constant_text, dotted_chain, plain_import, root_of
from .tokens import BASE_CONSTANTS, BASE_IMPORTS, BASE_NAMES, BUILTINS, CHARACTERS, SPECIAL, STRUCTURE

_WORD = re.compile(r"[A-Za-z]{2,12}")


@dataclass(frozen=True)
class Signature:
    """What a program has to define: one top-level function and its positional arguments."""

    function_name: str
    arguments: tuple[str, ...]

    def written(self, source: str) -> str:
        """What was written for this signature, as its task runs it."""
        return source

    def read(self, source: str) -> str:
        """A program of its task, as one of this signature."""
        return source


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


def corpus_tokens(
    programs: Iterable[tuple[str, Signature]],
    min_count: int,
    task_names: Iterable[str],
    class_names: Iterable[str],
    limits: VocabularySizes,
) -> list[str]:
    """All tokens of a vocabulary for these programs, in the order of their ids; see `Vocabulary.build`."""
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
    return list(dict.fromkeys(tokens))


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
            elif isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and plain_import(node)):
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
