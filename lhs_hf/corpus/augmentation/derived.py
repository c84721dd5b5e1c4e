"""The words of a task that nobody wrote any for: what can be computed about its alternatives on its probe states.

Terms are written by the shape of the arguments and kept where they run: one that raises, is no number or is the same
for all alternatives says nothing, and of terms that say the same the first stays. A person's task needs no more than
its probe states for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from .vocabulary import Vocabulary

STATES = 24
"""Probe states that terms are tried on, ..."""
CHOICES = 10
"""... and alternatives of each."""
MOST_TERMS = 48

_LEAST_DEFINED = 0.9
_LEAST_TELLING = 0.15
_DIGITS = 6
_MOST_JOINED = 4
_NARROW = 4
_FUNCTIONS = (abs, len, max, min, set, sum, zip)
_SCOPE = {"__builtins__": {function.__name__: function for function in _FUNCTIONS}}


@dataclass(frozen=True)
class Situation:
    """One decision: the arguments of each alternative's call by name, and under "x" the alternative itself."""

    options: tuple[Mapping[str, Any], ...]


def derived_vocabulary(task: Any) -> Vocabulary:
    """The words of a task with probe states; an empty vocabulary where its alternatives are not known.

    `task`: a `SimpleTask`, whose alternatives are listed, or any object without them.
    """
    answers = getattr(task, "answers", None)
    if answers not in ("choice", "scores", "priority"):
        return Vocabulary()
    try:
        situations = list(_situations(task, answers))
    except Exception:  # a person's own code; check-task names what is wrong with it
        return Vocabulary()
    if not situations:
        return Vocabulary()
    words = _Words(task, answers, situations)
    return Vocabulary(
        terms=words.terms(),
        phases=words.phases(),
        exchangeable=words.exchangeable(),
        fields=words.fields,
        scores=answers != "choice",
    )


def _situations(task: Any, answers: str) -> Iterator[Situation]:
    for state in task.probes[:STATES]:
        if answers == "priority":
            yield Situation(tuple(dict(zip(task.arguments, call)) for call in state.calls[:CHOICES]))
            continue
        arguments = dict(zip(task.arguments, state.calls[0]))
        choices = task.choices(*state.calls[0])
        # The last ones differ most from the first where they are listed in order.
        places = np.unique(np.linspace(0, len(choices) - 1, CHOICES).astype(int)) if len(choices) > CHOICES else None
        listed = choices if places is None else [choices[place] for place in places]
        yield Situation(tuple({**arguments, "x": choice} for choice in listed))


class _Words:
    """Terms, phases and kinds of one task, from situations of it."""

    def __init__(self, task: Any, answers: str, situations: Sequence[Situation]) -> None:
        self._arguments = tuple(task.arguments)
        self._situations = situations
        self._example = [situation.options[0] for situation in situations]
        alternatives = [option.get("x") for situation in situations for option in situation.options]
        widths = {len(each) for each in alternatives if isinstance(each, (tuple, list))}
        plain = all(isinstance(each, tuple) and all(_is_number(part) for part in each) for each in alternatives)
        self.fields = tuple(f"part_{place}" for place in range(widths.pop())) if plain and len(widths) == 1 else ()
        self._about_option = answers != "priority"
        self._names = [*self._arguments, *(["x"] if self._about_option else []), *self.fields]
        self._kinds: dict[str, str] = {}
        self._ids: dict[str, bool] = {}

    # -- values ------------------------------------------------------------------------------------------------------

    def _evaluated(self, template: str) -> list[list[Any]] | None:
        """The values of an expression, a list a situation; None if it fails too often."""
        function = self._compiled(template)
        rows, failed, total = [], 0, 0
        for situation in self._situations:
            row = []
            for option in situation.options:
                total += 1
                try:
                    row.append(function(option))
                except Exception:
                    row.append(None)
                    failed += 1
            rows.append(row)
        return rows if failed <= (1 - _LEAST_DEFINED) * total else None

    def _compiled(self, template: str) -> Callable[[Mapping[str, Any]], Any]:
        code = compile(template.format(**{name: name for name in self._names}), "<term>", "eval")

        def function(option: Mapping[str, Any]) -> Any:
            parts = {name: option["x"][place] for place, name in enumerate(self.fields)}
            return eval(code, {**_SCOPE, **option, **parts})  # noqa: S307  (the expression is written here)

        return function

    def _numbers(self, template: str) -> np.ndarray | None:
        """The values of a term, float64 (situations, alternatives), NaN where there is none; None if it is no term.

        A term is a finite number nearly everywhere.
        """
        rows = self._evaluated(template)
        if rows is None or not all(value is None or _is_number(value) for row in rows for value in row):
            return None
        values = np.full((len(rows), CHOICES), np.nan)
        for place, row in enumerate(rows):
            values[place, : len(row)] = [np.nan if value is None else float(value) for value in row]
        if np.isinf(values).any() or np.isfinite(values).sum() < _LEAST_DEFINED * sum(map(len, rows)):
            return None
        return values

    # -- terms -------------------------------------------------------------------------------------------------------

    def terms(self) -> tuple[str, ...]:
        """Templates of numbers that tell alternatives apart, simple ones first."""
        known: set[bytes] = set()
        base: list[str] = []
        for template in self._templates():
            if len(base) < MOST_TERMS and self._is_new(template, known):
                base.append(template)
        joined = [template for template in self._joined(base) if self._is_new(template, known)]
        return (*base, *joined[: max(0, MOST_TERMS - len(base))])

    def _is_new(self, template: str, known: set[bytes]) -> bool:
        values = self._numbers(template)
        if values is None:
            return False
        spread = np.nanmax(values, axis=1) - np.nanmin(values, axis=1)
        if (spread > 0).mean() < _LEAST_TELLING:
            return False
        # Terms that differ by what all alternatives share, by a factor or a sign say the same.
        shape = np.nan_to_num((values - np.nanmean(values, axis=1, keepdims=True)) / np.nanstd(values))
        first = shape.ravel()[np.flatnonzero(np.abs(shape.ravel()) > 1e-9)[0]]
        key = (np.round(shape * np.sign(first), _DIGITS) + 0.0).tobytes()
        if key in known:
            return False
        known.add(key)
        return True

    def _templates(self) -> Iterator[str]:
        """Everything that may be a term, by the kinds of arguments; what is none fails when it is tried."""
        if not self._about_option:
            yield from self._of_priority()
            return
        keys = [f"{{{name}}}" for name in self.fields] or ["{x}"]
        numbers, ids = [key for key in keys if not self._is_id(key)], [key for key in keys if self._is_id(key)]
        yield from numbers
        places = [f"{{{name}}}" for name in self._of("scalar") if self._is_id(f"{{{name}}}")]
        lists = [f"{{{name}}}" for name in self._of("ids")]
        vectors = [f"{{{name}}}" for name in (*self._of("vector"), *self._of("mapping"))]
        tables = [f"{{{name}}}" for name in self._of("table")]
        links = [f"{{{name}}}" for name in self._of("links")]
        for name, key in product(vectors, ids):
            yield f"{name}[{key}]"
        for name, key, place in product(tables, ids, places):
            yield f"{name}[{place}][{key}]"
            yield f"{name}[{key}][{place}]"
        for name, key in product(self._few_rows(), ids):
            yield from (f"{{{name}}}[{row}][{key}]" for row in (0, 1))
            yield f"({{{name}}}[0][{key}] - {{{name}}}[1][{key}])"
            yield f"min({{{name}}}[0][{key}], {{{name}}}[1][{key}])"
        for name, (one, two) in product(tables, permutations(ids, 2)):
            yield f"{name}[{one}][{two}]"
        for name, key in product(tables, ids):
            yield from (f"{name}[{key}][{place}]" for place in self._columns(name[1:-1]))
            yield from (f"{function}({name}[{key}])" for function in ("sum", "max", "min"))
        for name, key, others in product(tables, ids, lists):
            yield f"sum({name}[{key}][k] for k in {others})"
            yield f"min(({name}[{key}][k] for k in {others} if k != {key}), default=0)"
            yield f"max({name}[{key}][k] for k in {others})"
            yield f"sum({name}[k][{key}] for k in {others})"
        for name, key, other in product(tables, ids, vectors):
            yield f"sum(a * b for a, b in zip({name}[{key}], {other}))"
            yield f"max(a + b for a, b in zip({name}[{key}], {other}))"
            yield f"sum(a for a, b in zip({name}[{key}], {other}) if b >= 0)"
        for name, key in product(links, ids):
            yield f"len({name}[{key}])"
            yield from (f"len(set({name}[{key}]) & set({others}))" for others in lists)
            yield from (f"sum({other}[k] for k in {name}[{key}])" for other in vectors)
            yield from (f"max(({other}[k] for k in {name}[{key}]), default=0)" for other in vectors)
            yield from (f"sum(len({other}[k]) for k in {name}[{key}])" for other in links)
        if not self.fields:
            yield from ("len({x})", "sum({x})", "max({x})", "min({x})", "{x}[0]", "{x}[-1]")
            yield from (f"len(set({{x}}) & set({others}))" for others in lists)
            yield from (f"sum({name}[k] for k in {{x}})" for name in vectors)
            yield from (f"sum(1 for other in {{{name}}} if set(other) & set({{x}}))" for name in self._of("other"))
        yield from ids

    def _of_priority(self) -> Iterator[str]:
        names = [f"{{{name}}}" for name in self._arguments]
        yield from names
        for name in names:
            yield from (f"{function}({name})" for function in ("len", "sum", "max", "min"))
            yield from (f"{name}[{place}]" for place in ("0", "1", "-1"))
        for one, two in permutations(names, 2):
            yield f"{one}[{two}]"
            yield f"len(set({one}) & set({two}))"

    def _joined(self, base: Sequence[str]) -> Iterator[str]:
        """Ratios, products and distances of two numbers, and distances of one to what all alternatives share."""
        shared = [f"{{{name}}}" for name in self._of("scalar")]
        first = [each for each in base if "for k in" not in each and not self._is_id(each)][:_MOST_JOINED]
        for term, other in product(first, shared):
            if other != term and not self._is_id(other):
                yield f"abs({other} - {term})"
                yield f"max(0, {term} - {other})"
                yield f"{term} / max(1e-09, {other})"
        for one, two in permutations(first, 2):
            yield f"{one} / max(1e-09, {two})"
        for one, two in combinations(first, 2):
            yield f"{one} * {two}"
            yield f"abs({one} - {two})"

    # -- kinds -------------------------------------------------------------------------------------------------------

    def _of(self, kind: str) -> list[str]:
        return [name for name in self._arguments if self._kind(name) == kind]

    def _kind(self, name: str) -> str:
        """What an argument is on all probe states; "other" where that differs.

        "scalar", "ids" (different whole numbers that entries of other arguments have), "vector" and "mapping" (of
        numbers), "table" (rows of numbers), "links" (a list of ids for each id).
        """
        if name not in self._kinds:
            kinds = {_kind(option[name]) for option in self._example}
            # Among lists of numbers an empty one says nothing, and few ids may look like numbers or the reverse.
            kinds -= {"empty"} if len(kinds) > 1 else set()
            kinds -= {"table"} if "links" in kinds else set()
            kind = kinds.pop() if len(kinds) == 1 else "other"
            if kind == "vector" and all(_distinct(option[name]) for option in self._example):
                kind = "ids" if self._indexes(name) else kind
            self._kinds[name] = kind
        return self._kinds[name]

    def _columns(self, name: str) -> tuple[int, ...]:
        """Places in the rows of a table: all of narrow rows, the ends of others that are not square."""
        shapes = {np.shape(rows) for rows in (_listed(option[name]) for option in self._example)}
        widths = {shape[1] for shape in shapes if len(shape) == 2}
        if len(widths) == 1 and max(widths) <= _NARROW:
            return tuple(range(max(widths)))
        return () if all(len(set(shape)) == 1 for shape in shapes) else (0, -1)

    def _few_rows(self) -> list[str]:
        """Tables of two or three rows: of sides, of machines, of best and worst."""
        return [name for name in self._of("table") if all(2 <= len(option[name]) <= 3 for option in self._example)]

    def _indexes(self, name: str) -> bool:
        """Whether all entries of a list are places or keys of one other argument."""
        for other in self._arguments:
            if other != name and all(
                all(_has(option[other], value) for value in option[name]) for option in self._example
            ):
                return True
        return False

    def _is_id(self, key: str) -> bool:
        """Whether an expression is a whole number that is a place or key of one argument for all alternatives."""
        if key not in self._ids:
            rows = self._evaluated(key)
            known = False
            for name in self._arguments:
                if rows is None or key == f"{{{name}}}" or known:
                    continue
                known = all(
                    value is not None and _has(option[name], value)
                    for option, row in zip(self._example, rows)
                    for value in row
                )
            self._ids[key] = known
        return self._ids[key]

    # -- what else ---------------------------------------------------------------------------------------------------

    def phases(self) -> tuple[str, ...]:
        """Conditions on what all alternatives share that hold on some probe states and not on others."""
        options = []
        for name in self._arguments:
            kind = self._kind(name)
            if self._varies(name):
                continue
            if kind == "scalar":
                levels = np.quantile([float(option[name]) for option in self._example], (0.25, 0.5, 0.75))
                options += [f"{{{name}}} > {_short(level)}" for level in levels]
            elif kind != "other":
                middle = float(np.median([len(option[name]) for option in self._example]))
                options += [f"len({{{name}}}) > {_short(middle)}", f"len({{{name}}}) % 2 == 0"]
                options += [
                    f"2 * len({{{name}}}) > len({{{other}}})"
                    for other in self._arguments
                    if other != name and self._kind(other) not in ("scalar", "other")
                ]
        return tuple(dict.fromkeys(each for each in options if self._splits(each)))

    def _splits(self, condition: str) -> bool:
        rows = self._evaluated(condition)
        truths = [bool(row[0]) for row in rows] if rows is not None else []
        return bool(truths) and 0.05 < float(np.mean(truths)) < 0.95

    def exchangeable(self) -> tuple[tuple[str, ...], ...]:
        """Arguments of one kind and size: ids, vectors of one length, matrices of one shape."""
        groups: dict[Any, list[str]] = {}
        for name in self._arguments:
            groups.setdefault(self._shapes(name), []).append(name)
        return tuple(tuple(names) for shape, names in groups.items() if shape is not None and len(names) > 1)

    def _shapes(self, name: str) -> Any:
        kind = self._kind(name)
        if kind == "scalar":
            return ("id" if self._is_id(f"{{{name}}}") else "number",)
        return (kind, *(np.shape(option[name]) for option in self._example)) if kind in ("vector", "table") else None

    def _varies(self, name: str) -> bool:
        """Whether an argument differs from alternative to alternative, as that of a priority may."""
        if self._about_option:
            return False
        return any(
            repr(option[name]) != repr(situation.options[0][name])
            for situation in self._situations
            for option in situation.options
        )


def _kind(value: Any) -> str:
    if _is_number(value):
        return "scalar"
    if isinstance(value, Mapping):
        kind = _rows(_listed(value))
        return "mapping" if kind == "vector" else kind
    return _rows(list(value)) if isinstance(value, (list, tuple, np.ndarray)) else "other"


def _listed(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, Mapping) else list(value)


def _rows(entries: Sequence[Any]) -> str:
    """What a list of these entries is."""
    if not entries:
        return "empty"
    if all(map(_is_number, entries)):
        return "vector"
    if not all(isinstance(each, (list, tuple, set, frozenset, np.ndarray)) for each in entries):
        return "other"
    rows = [list(each) for each in entries]
    if not all(_is_number(value) for row in rows for value in row):
        return "other"
    ragged = len({len(row) for row in rows}) > 1 or any(isinstance(each, (set, frozenset)) for each in entries)
    return "links" if ragged and all(_distinct(row) for row in rows) else "table"


def _distinct(values: Any) -> bool:
    values = list(values)
    return all(map(_is_whole, values)) and len(set(values)) == len(values)


def _has(container: Any, key: Any) -> bool:
    if isinstance(container, Mapping):
        return key in container
    return isinstance(container, (list, tuple, np.ndarray)) and _is_whole(key) and 0 <= key < len(container)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.bool_, np.integer, np.floating))


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
