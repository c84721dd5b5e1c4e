"""How a program may list what it can answer: an argument, or an expression over the arguments found on probe states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import CodeType
from typing import Any

import numpy as np

from .records import are_ids, record_fields, record_keys
from .roles import is_number

STATES = 24
"""Probe states that an expression has to hold on."""
_LARGEST = 400
_CONSTANTS = 2
_DEEPEST = 2
_KEPT = "_listing"

_Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class _Source:
    """Values that follow from the arguments: the text of an expression, and what it gives for some arguments.

    `constants`: numbers in the text, which may not hold for instances of another size.
    """

    text: str
    values: Callable[[_Arguments], list[Any]]
    constants: int = 0


def listing(task: Any) -> str | None:
    """An expression for a list of alternatives of a task, over the names of its arguments.

    The argument that lists them, if there is one. Else the expression that gives most of the alternatives, and nothing
    but alternatives, in all probe states: an argument or what lies in a record, its keys or places, numbers up to one,
    pairs of these, with one more value behind them; places and keys by a simple condition. None for a task that says
    nothing of alternatives, and where no expression does.
    """
    if _KEPT not in vars(task):
        vars(task)[_KEPT] = _listing(task)
    known: str | None = vars(task)[_KEPT]
    return known


def _listing(task: Any) -> str | None:
    alternatives = getattr(task, "alternatives", None)
    if getattr(task, "answers", None) not in ("choice", "scores") or not alternatives:
        return None
    known: str | None = getattr(task, "listed", None)
    if known is not None:
        return known
    if isinstance(alternatives, str):
        return alternatives if alternatives in task.arguments else None
    try:
        calls = [state.calls[0] for state in task.probes[:STATES]]
        wanted = [[_plain(each) for each in task.choices(*call)] for call in calls]
        states = _with_fields([dict(zip(task.arguments, call)) for call in calls])
    except Exception:  # a person's own code; check-task names what is wrong with it
        return None
    if not all(wanted) or max(map(len, wanted)) > _LARGEST:
        return None
    best = _best(_sources(list(states[0]), states, wanted), states, wanted)
    return best or _best(_filtered(states, wanted), states, wanted)


def _best(sources: Iterator[_Source], states: Sequence[_Arguments], wanted: Sequence[Sequence[Hashable]]) -> str | None:
    shares = {source: _share(source, states, wanted) for source in sources}
    best = max(shares, key=lambda source: (shares[source], -source.constants, -len(source.text)), default=None)
    return best.text if best is not None and shares[best] > 0 else None


def _with_fields(states: Sequence[_Arguments]) -> list[_Arguments]:
    """The arguments, and what is in those that are records, by how it is read: `state["waiting"]`."""
    names, expanded = list(states[0]), [dict(state) for state in states]
    for _ in range(_DEEPEST):
        fields = []
        for name in names:
            values = [state[name] for state in expanded]
            for field in () if are_ids(record_keys(values), name, expanded) else record_fields(values):
                fields.append(f"{name}{field.text}")
                for state in expanded:
                    state[fields[-1]] = field.read(state[name])
        names = fields
    return [*expanded]


def _share(source: _Source, states: Sequence[_Arguments], wanted: Sequence[Sequence[Hashable]]) -> float:
    """The mean share of the alternatives that a source gives; 0 where it gives none in a state, or something else."""
    shares = []
    for state, alternatives in zip(states, wanted):
        try:
            given = [_plain(each) for each in source.values(state)]
            others = set(given) - set(alternatives)
        except (TypeError, ValueError, KeyError, IndexError):
            return 0.0
        if not given or len(given) > _LARGEST or others:
            return 0.0
        shares.append(len(set(given)) / len(set(alternatives)))
    return float(np.mean(shares))


def _sources(
    names: Sequence[str], states: Sequence[_Arguments], wanted: Sequence[Sequence[Hashable]]
) -> Iterator[_Source]:
    sample = wanted[0][0]
    if isinstance(sample, tuple):
        yield from _simple(names, states[0], wanted)
        if len(sample) == 2:
            firsts, seconds = ([[_part(each, at) for each in own] for own in wanted] for at in (0, 1))
            pairs = product(_simple(names, states[0], firsts), list(_simple(names, states[0], seconds)))
            yield from (_paired(one, two) for one, two in pairs)
        return
    common = set(wanted[0]).intersection(*wanted)
    constants = sorted(each for each in common if isinstance(each, int))[:_CONSTANTS]
    nothing = [None] if None in common else []
    further: list[str | int | None] = [*(name for name in names if _is_number(states[0][name])), *constants, *nothing]
    for source in _simple(names, states[0], wanted):
        yield source
        yield from (_extended(source, each) for each in further)


def _filtered(states: Sequence[_Arguments], wanted: Sequence[Sequence[Hashable]]) -> Iterator[_Source]:
    """Places or keys of an argument by a condition: those that are open, or have room for something."""
    state = states[0]
    numbers = [name for name, value in state.items() if is_number(value)]
    if isinstance(wanted[0][0], tuple):
        return
    for name, value in state.items():
        if not isinstance(value, (list, tuple, dict, np.ndarray)) or not len(value):
            continue
        keys = name if isinstance(value, dict) else f"range(len({name}))"
        row = next(iter(value.values() if isinstance(value, dict) else value))
        readings = [field.text for field in record_fields([row])] or ([""] if is_number(row) or row is None else [])
        for reading in readings:
            own = f"{name}[k]{reading}"
            conditions = [own, f"not {own}", f"{own} is None", f"{own} > 0", f"{own} < 0"]
            conditions += [f"{own} {sign} {each}" for sign in (">=", "<=", "==", "!=") for each in numbers]
            for condition in conditions:
                text = f"[k for k in {keys} if {condition}]"
                yield _Source(text, partial(_evaluated, compile(text, "<listing>", "eval"), tuple(state)))


def _evaluated(code: CodeType, names: Sequence[str], state: _Arguments) -> list[Any]:
    plain = {name: state[name] for name in names if name.isidentifier()}
    return list(eval(code, {"__builtins__": {"range": range, "len": len}, **plain}))  # noqa: S307  (`_filtered` wrote it)


def _part(pair: Hashable, at: int) -> Hashable:
    return pair[at] if isinstance(pair, tuple) and len(pair) == 2 else None


def _simple(names: Sequence[str], state: _Arguments, wanted: Sequence[Sequence[Hashable]]) -> Iterator[_Source]:
    """Lists of single values: arguments, their places, numbers up to an argument, numbers up to a constant."""
    for name in names:
        if isinstance(state[name], (list, tuple, dict, set, np.ndarray, range)):
            yield _Source(name, partial(_entries, name))
            yield _Source(f"range(len({name}))", partial(_places, name))
        elif _is_number(state[name]):
            yield _Source(f"range({name})", partial(_below, name))
    least = min(len(set(each)) for each in wanted)
    if least > 1 and all(isinstance(each, int) for part in wanted for each in part):
        yield _Source(f"range({least})", partial(_below, least), 1)


def _extended(source: _Source, further: str | int | None) -> _Source:
    """The values of a source, and an argument, a constant or None behind them."""

    def values(state: _Arguments) -> list[Any]:
        return [*source.values(state), state[further] if isinstance(further, str) else further]

    return _Source(f"[*{source.text}, {further}]", values, source.constants + isinstance(further, int))


def _paired(one: _Source, two: _Source) -> _Source:
    def values(state: _Arguments) -> list[Any]:
        return list(product(one.values(state), two.values(state)))

    return _Source(f"[(one, two) for one in {one.text} for two in {two.text}]", values, one.constants + two.constants)


def _entries(name: str, state: _Arguments) -> list[Any]:
    return list(state[name])


def _places(name: str, state: _Arguments) -> list[Any]:
    return list(range(len(state[name])))


def _below(end: str | int, state: _Arguments) -> list[Any]:
    count = state[end] if isinstance(end, str) else end
    if count > _LARGEST:
        raise ValueError("too many numbers for a list of alternatives")
    return list(range(count))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _plain(value: Any) -> Hashable:
    """An alternative as plain Python: numbers and tuples of them."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(map(_plain, value))
    if isinstance(value, dict):
        return tuple((key, _plain(each)) for key, each in value.items())
    return int(value) if isinstance(value, float) and value.is_integer() else value
