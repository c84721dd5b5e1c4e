"""Programs as what an editor reads and writes: tokens whose names do not depend on the order of spelling, and spans.

The grammar numbers names that have no token in the order in which they are spelled, so that one new name would change
all later tokens. A flat program has each name's number from a list of its own, which an edited program goes on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from .grammar import Signature, Vocabulary
from .grammar.payloads import bound_by_import

GAP = 2
"""Spans that are no further apart are one span: two pointers cost more than the tokens in between."""


@dataclass
class FlatProgram:
    """Tokens of a program, `<eos>` last, and the names behind its slots: `slot:k` stands for `names[k]`."""

    tokens: list[int]
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Span:
    """What stands instead of `parent.tokens[start:stop]`; nothing is removed where both are the same.

    Names that the parent does not have are spelled where they come first.
    """

    start: int
    stop: int
    tokens: tuple[int, ...]


def first_names(signature: Signature, vocabulary: Vocabulary) -> list[str]:
    """The names of a signature that have no token, in the order of their slots."""
    names = (signature.function_name, *signature.arguments)
    return list(dict.fromkeys(name for name in names if f"name:{name}" not in vocabulary.ids))


def flatten(
    ids: Iterable[int], signature: Signature, vocabulary: Vocabulary, names: Sequence[str] | None = None
) -> FlatProgram:
    """The flat form of a program's token ids; raises `ValueError` if it has more names than there are slots.

    `names`: a list to go on with, of the program that this one is compared with.
    """
    own = first_names(signature, vocabulary)
    table = list(own if names is None else names)
    tokens: list[int] = []
    for token, spelled in _words(ids, vocabulary):
        if spelled is not None:
            own.append(spelled)
        elif vocabulary.kinds[token] == "slot":
            spelled = own[int(vocabulary.payloads[token])]
        if spelled is None:
            tokens.append(token)
            for name in imported_names(token, vocabulary):
                own += [] if name in own else [name]
                table += [] if name in table else [name]
            continue
        if spelled not in table:
            table.append(spelled)
        if len(table) > len(vocabulary.slot_ids):
            raise ValueError(f"more than {len(vocabulary.slot_ids)} names without a token")
        tokens.append(vocabulary.slot_ids[table.index(spelled)])
    return FlatProgram(tokens, table)


def unflatten(program: FlatProgram, signature: Signature, vocabulary: Vocabulary) -> list[int]:
    """Token ids of a flat program, in which names may also be spelled, as the grammar reads them.

    Raises `ValueError` for a slot that stands for no name, or if there are more names than slots.
    """
    table, own = list(program.names), first_names(signature, vocabulary)
    ids: list[int] = []
    for token, name in _words(program.tokens, vocabulary):
        if name is not None:
            known = vocabulary.ids.get(f"name:{name}")
            if known is not None:
                ids.append(known)
                continue
            if name not in table:
                table.append(name)
        elif vocabulary.kinds[token] == "slot":
            number = int(vocabulary.payloads[token])
            if number >= len(table):
                raise ValueError(f"{vocabulary.tokens[token]} stands for no name")
            name = table[number]
        if name is None:
            ids.append(token)
            for bound in imported_names(token, vocabulary):
                own += [] if bound in own else [bound]
                table += [] if bound in table else [bound]
        elif name in own:
            ids.append(vocabulary.slot_ids[own.index(name)])
        else:
            if len(own) == len(vocabulary.slot_ids):
                raise ValueError(f"more than {len(own)} names without a token")
            own.append(name)
            ids += [vocabulary.spell, *vocabulary.spelling(name), vocabulary.end]
    return ids


def imported_names(token: int, vocabulary: Vocabulary) -> list[str]:
    """The names without a token that an import of the vocabulary binds; none for other tokens.

    Raises `ValueError` for the beginning of an import that the vocabulary does not have.
    """
    if vocabulary.kinds[token] in ("Import", "ImportFrom"):
        raise ValueError("an import that has no token of its own can not be edited")
    if vocabulary.kinds[token] != "import":
        return []
    return [name for name in bound_by_import(vocabulary.payloads[token]) if f"name:{name}" not in vocabulary.ids]


def _words(ids: Iterable[int], vocabulary: Vocabulary) -> Iterable[tuple[int, str | None]]:
    """Tokens one by one, each with the name that it spells: `<spell>`, its pieces and `<end>` are one."""
    spelled: list[str] | None = None
    for token in ids:
        if spelled is None:
            if token == vocabulary.spell:
                spelled = []
            else:
                yield token, None
        elif token == vocabulary.end:
            yield vocabulary.spell, "".join(spelled)
            spelled = None
        else:
            spelled.append(vocabulary.payloads[token])
    if spelled is not None:
        raise ValueError("a name is not spelled to its end")


def flat_words(program: FlatProgram, vocabulary: Vocabulary) -> list[str]:
    """What the tokens of a flat program say, whatever the numbers of its names: a slot is "name:" and its name.

    Raises `ValueError` for a slot that stands for no name.
    """
    words = []
    for token, spelled in _words(program.tokens, vocabulary):
        if spelled is None and vocabulary.kinds[token] == "slot":
            number = int(vocabulary.payloads[token])
            if number >= len(program.names):
                raise ValueError(f"{vocabulary.tokens[token]} stands for no name")
            spelled = program.names[number]
        words.append(vocabulary.tokens[token] if spelled is None else f"name:{spelled}")
    return words


def spans_between(parent: FlatProgram, child: FlatProgram, vocabulary: Vocabulary) -> list[Span]:
    """What turns the parent into the child, in order. The child's names go on from the parent's (`flatten`)."""
    matcher = SequenceMatcher(None, parent.tokens, child.tokens, autojunk=False)
    merged: list[list[int]] = []
    for tag, start, stop, first, last in matcher.get_opcodes():
        if tag == "equal":
            continue
        if merged and start - merged[-1][1] <= GAP:
            merged[-1][1], merged[-1][3] = stop, last
        else:
            merged.append([start, stop, first, last])
    imported = {name for token in child.tokens for name in imported_names(token, vocabulary)}
    fresh = list(enumerate(child.names))[len(parent.names) :]
    new = {vocabulary.slot_ids[place]: name for place, name in fresh if name not in imported}
    spans = []
    for start, stop, first, last in merged:
        tokens: list[int] = []
        for token in child.tokens[first:last]:
            name = new.pop(token, None)
            tokens += [token] if name is None else [vocabulary.spell, *vocabulary.spelling(name), vocabulary.end]
        spans.append(Span(start, stop, tuple(tokens)))
    return spans


def apply_spans(parent: FlatProgram, spans: Sequence[Span]) -> FlatProgram:
    """The parent with its spans replaced. Raises `ValueError` for spans that overlap or lie outside of it."""
    tokens: list[int] = []
    position = 0
    for span in spans:
        if not position <= span.start <= span.stop <= len(parent.tokens):
            raise ValueError(f"a span from {span.start} to {span.stop} does not fit behind {position}")
        tokens += parent.tokens[position : span.start]
        tokens += span.tokens
        position = span.stop
    return FlatProgram([*tokens, *parent.tokens[position:]], list(parent.names))
