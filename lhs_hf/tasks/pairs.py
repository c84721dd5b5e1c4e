"""Programs that answer with two things at once: a job and a machine, two places that change, the ends of an edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .answered import Asked, fits, sources
from .base import Program, Task
from .indices import in_every_call, runs
from .records import Field, place_field
from .roles import is_number, is_whole

_MOST = 2048
"""Pairs of a call: programs rate all of them."""

_Call = tuple[Any, ...]

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "": lambda one, two: True,
    "one != two": lambda one, two: one != two,
    "one <= two": lambda one, two: one <= two,
    "one < two": lambda one, two: one < two,
}
"""What holds of pairs whose parts are of one list, as a program writes it; the first one that will do."""
_STRICTER = {"": "one != two", "one != two": "one < two", "one <= two": "one < two"}
"""The pairs that this leaves out have to be legal, above all."""


class Part(NamedTuple):
    """One of the two: an entry of a list, what is in it, or its place.

    Attributes:
        asked: the list, and what of an entry is answered.
        place: whether the place of the entry is answered.
        plain: whether entries are numbers or texts, which pairs hold themselves; of others they hold the places.
    """

    asked: Asked
    place: bool
    plain: bool

    def options(self, call: _Call) -> list[Any]:
        """What pairs hold of the entries in a call."""
        entries = self.asked.entries(call)
        return entries if self.plain and not self.place else list(range(len(entries)))

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place of the entry that an answer stands for; None if it is none."""
        if not self.place:
            return self.asked.position(call, answer)
        return int(answer) if is_whole(answer) and 0 <= answer < len(self.asked.entries(call)) else None

    def answer(self, call: _Call, option: Any) -> Any:
        """What is answered for something that a pair holds."""
        if self.place or self.plain:
            return option
        entry = self.asked.entries(call)[option]
        return entry if self.asked.answered is None else self.asked.answered.read(entry)

    def listed(self, arguments: Sequence[str]) -> str:
        """How a program lists what pairs hold."""
        text = self.asked.text(arguments)
        return text if self.plain and not self.place else f"range(len({text}))"

    def written(self, arguments: Sequence[str], option: str) -> str:
        """How a program writes what it answers for something that a pair holds."""
        if self.place or self.plain:
            return option
        field = self.asked.answered
        return f"{self.asked.text(arguments)}[{option}]{'' if field is None else field.text}"


class Open(NamedTuple):
    """What tells which cells of a board may be answered: some table, or the board itself, is `true` there, or not."""

    argument: int
    true: bool

    def holds(self, call: _Call, row: int, column: int) -> bool:
        """Whether a cell is open in a call."""
        return bool(call[self.argument][row][column]) == self.true

    def text(self, arguments: Sequence[str]) -> str:
        """How a program asks that of the cell in row `one` and column `two`."""
        return f"{'' if self.true else 'not '}{arguments[self.argument]}[one][two]"


class Pairs(NamedTuple):
    """Pairs of which one is chosen; `relation` is a key of `RELATIONS`. `open`: which are, of the cells of a board."""

    parts: tuple[Part, Part]
    relation: str = ""
    open: Open | None = None

    def entries(self, call: _Call) -> list[tuple[Any, Any]]:
        """What is chosen among in a call."""
        return [pair for _, pair in self._related(call)]

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place of the pair that an answer stands for; None if it is none."""
        if not _is_pair(answer):
            return None
        wanted = tuple(part.position(call, each) for part, each in zip(self.parts, answer))
        return next((number for number, (places, _) in enumerate(self._related(call)) if places == wanted), None)

    def answer(self, call: _Call, generator: np.random.Generator, beside: str = "") -> tuple[Any, Any] | None:
        """The answer for any pair of a call, of those that a stricter relation leaves out if there are some."""
        entries = self.entries(call)
        entries = [pair for pair in entries if beside and not RELATIONS[beside](*pair)] or entries
        if not entries:
            return None
        chosen = entries[int(generator.integers(len(entries)))]
        one, two = (part.answer(call, each) for part, each in zip(self.parts, chosen))
        return one, two

    def indexed(self, arguments: Sequence[str]) -> tuple[str, str]:
        """The lists that the two are places in, as a program writes them; "" for one that is an entry itself."""
        one, two = ("" if part.plain and not part.place else part.asked.text(arguments) for part in self.parts)
        return one, two

    def listed(self, arguments: Sequence[str]) -> str:
        """How a program lists them."""
        one, two = (part.listed(arguments) for part in self.parts)
        conditions = [self.relation, "" if self.open is None else self.open.text(arguments)]
        condition = " and ".join(filter(None, conditions))
        return f"[(one, two) for one in {one} for two in {two}{' if ' if condition else ''}{condition}]"

    def written(self, arguments: Sequence[str], chosen: str) -> str:
        """How a program writes its answer, given the text of the chosen pair."""
        one, two = (part.written(arguments, name) for part, name in zip(self.parts, ("one", "two")))
        return chosen if (one, two) == ("one", "two") else f"next(({one}, {two}) for one, two in [{chosen}])"

    def _related(self, call: _Call) -> Iterator[tuple[tuple[int, int], tuple[Any, Any]]]:
        """Where the two are in their lists, and what a pair holds of them."""
        related = RELATIONS[self.relation]
        firsts, seconds = (enumerate(part.options(call)) for part in self.parts)
        for (place, one), (other, two) in product(firsts, seconds):
            if related(one, two) and (self.open is None or self.open.holds(call, place, other)):
                yield (place, other), (one, two)


def pairs_of(calls: Sequence[tuple[_Call, Any]], rollout: Callable[[Program], Any]) -> Pairs | None:
    """What two lists the answers of a template come from in all its calls; None if they are something else.

    `calls`: with their answers. `rollout` scores a program. Any pair has to be a legal answer; of two places in one
    list different ones may be wanted, or the first one first.
    """
    if not calls or not all(_is_pair(answer) for _, answer in calls):
        return None
    first, second = (_part([(call, answer[at]) for call, answer in calls]) for at in (0, 1))
    if first is None or second is None or max(_count((first, second), call) for call, _ in calls) > _MOST:
        return None
    columns = _columns(first, [call for call, _ in calls]) if first.place and second.place else None
    # Where two lists are as long, what is a place in another list is none in the rows of the first.
    seconds = [second] if columns is None else [columns, second] if _same_list(first, second) else [second, columns]
    for pairs in (pairs for each in seconds for pairs in _related(first, each)):
        chosen = all(pairs.position(call, answer) is not None for call, answer in calls)
        if chosen and _are_legal(pairs, rollout):
            return pairs
    if first.place and second.place:
        boards = (Pairs((first, columns or second), "", each) for each in _open(calls))
        return next((board for board in boards if _are_legal(board, rollout)), None)
    return None


def _related(first: Part, second: Part) -> Iterator[Pairs]:
    """Pairs of two parts; those of one list by what may hold of them."""
    relations = RELATIONS if _same_list(first, second) else ("",)
    yield from (Pairs((first, second), relation) for relation in relations)


def _same_list(first: Part, second: Part) -> bool:
    return (first.asked.argument, first.asked.within) == (second.asked.argument, second.asked.within)


def _open(calls: Sequence[tuple[_Call, Any]]) -> Iterator[Open]:
    """Tables that are true at all answers, or at none, and elsewhere not so."""
    for argument in range(len(calls[0][0])):
        try:
            cells = [bool(call[argument][row][column]) for call, (row, column) in calls]
            others = {bool(cell) for call, _ in calls for row in call[argument] for cell in row}
        except (TypeError, ValueError, IndexError, KeyError):
            continue
        if len(set(cells)) == 1 and len(others) == 2:
            yield Open(argument, cells[0])


def answers_pairs(task: Task) -> bool:
    """Whether programs of a task answer with two things at once, as its probe states say."""
    try:
        return isinstance(task.probes[0].context, Pairs)
    except Exception:  # a person's own code; check-task names what is wrong with it
        return False


def _part(calls: Sequence[tuple[_Call, Any]]) -> Part | None:
    example = calls[0][0]
    keys = [Asked(place, Field("", list), None) for place, value in enumerate(example) if isinstance(value, dict)]
    every = [*sources(example), *keys]
    # Numbers that stand in rows may be places by chance, and these are answered more often.
    rows = [asked for asked in every if asked.answered is not None and asked.answered.text[1:-1].isdigit()]
    entries = [Part(asked, False, False) for asked in every if asked not in rows]
    places = [Part(asked, True, False) for asked in every if asked.answered is None]
    whole = all(is_whole(answer) for _, answer in calls)
    for part in (*entries, *(places if whole else ()), *(Part(asked, False, False) for asked in rows)):
        if in_every_call(part, calls) if part.place else fits(part.asked, calls):
            return part._replace(plain=not part.place and _are_plain(part.asked, calls))
    return None


def _are_plain(asked: Asked, calls: Sequence[tuple[_Call, Any]]) -> bool:
    """Whether the entries of a list are numbers or texts."""
    entries = [entry for call, _ in calls for entry in asked.entries(call)]
    return all(is_number(each) or isinstance(each, str) for each in entries)


def _columns(rows: Part, calls: Sequence[_Call]) -> Part | None:
    """The places in the rows of a table that has another number of these; None where a part is of no such table."""
    if rows.asked.within is not None:
        return None
    tables = [rows.asked.entries(call) for call in calls]
    if not all(isinstance(row, (list, tuple, np.ndarray)) for table in tables for row in table):
        return None
    rectangular = all(len({len(row) for row in table}) == 1 for table in tables)  # and no table is empty
    if not rectangular or all(len(table) == len(table[0]) for table in tables):
        return None
    return Part(Asked(rows.asked.argument, place_field(0), None), True, False)


def _are_legal(pairs: Pairs, rollout: Callable[[Program], Any]) -> bool:
    generator = np.random.default_rng(0)

    def anything(*arguments: Any) -> Any:
        return pairs.answer(arguments, generator)

    def rare(*arguments: Any) -> Any:
        return pairs.answer(arguments, generator, _STRICTER.get(pairs.relation, ""))

    def beyond(*arguments: Any) -> Any:
        return tuple(
            len(part.asked.entries(arguments)) if part.place else answer
            for part, answer in zip(pairs.parts, pairs.answer(arguments, generator) or (0, 0))
        )

    if not runs(rare, rollout) or not runs(anything, rollout):
        return False
    return not any(part.place for part in pairs.parts) or not runs(beyond, rollout)


def _count(parts: Sequence[Part], call: _Call) -> int:
    one, two = (len(part.asked.entries(call)) for part in parts)
    return one * two


def _is_pair(answer: Any) -> bool:
    return isinstance(answer, (tuple, list)) and len(answer) == 2
