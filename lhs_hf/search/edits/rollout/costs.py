"""What a solution costs, decision by decision: terms of a task whose sums over a rollout tell its objective."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Literal, NamedTuple

import numpy as np

from ....tasks.listing import listing
from ....tasks.roles import is_number
from ....tasks.simple import SimpleTask
from .episodes import Episode, Expressions, Step
from .updates import Dynamics, after

MOST_PARTS = 3
EXPLAINED = 0.9
"""The share of the variance between rollouts on one instance that a cost has to explain, on instances not fitted to."""

When = Literal["step", "peak", "final", "after"]

_ENOUGH = 1e-6
_AS_GOOD = 1e-4
_HELD_OUT = 3
_FEWEST = 12
_COMPARED = 16
_OF_STATE = ("{0}", "sum({0})", "max({0})", "len({0})", "sum({0}.values())", "max({0}.values())", "max(map(sum, {0}))")


@dataclass(frozen=True)
class Part:
    """A weight and a term: added up over all decisions ("step"), its largest value over them ("peak"), its value at the
    last decision ("final"), or a number of what is there after it ("after")."""

    weight: float
    text: str
    when: When


@dataclass(frozen=True)
class Cost:
    """A sum of parts: the objective, up to a constant of the instance. `explained`: R^2 on instances not fitted to."""

    parts: tuple[Part, ...]
    explained: float


class _Feature(NamedTuple):
    when: When
    text: str
    values: np.ndarray


def cost(
    task: SimpleTask, played: Sequence[Episode], known: Dynamics, terms: Sequence[str], expressions: Expressions
) -> Cost | None:
    """The cost of a task; None where no few terms tell what a rollout comes to.

    Features (episodes,) are chosen one after the other, each the best beside the others, and their weights by least
    squares. What differs between instances is taken off: alternatives are compared within one.
    """
    played = [_completed(task, each, known, expressions) for each in played if each.steps]
    if len(played) < _FEWEST:
        return None
    instances = np.array([each.instance for each in played])
    target = _centred(np.array([each.objective for each in played]), instances)
    fitted = instances % _HELD_OUT != 0
    if not target[fitted].any() or not target[~fitted].any():
        return None
    features: list[_Feature] = []
    columns: list[np.ndarray] = []
    norms: list[float] = []
    for feature in _features(played, known, terms, expressions):
        column = _centred(feature.values, instances)
        norm = float(np.linalg.norm(column[fitted]))
        if norm > 1e-6 * float(np.abs(feature.values).max()):
            features.append(feature)
            columns.append(column / norm)
            norms.append(norm)
    peaks = [place for place, feature in enumerate(features) if feature.when == "peak"]
    sums = [place for place, feature in enumerate(features) if feature.when != "peak"]
    costs = [_fit(features, columns, norms, [place], target, fitted, 1) for place in peaks]
    if sums:
        costs.append(_fit(features, columns, norms, sums, target, fitted, MOST_PARTS))
    best = max(costs, key=lambda each: each.explained, default=None)
    return best if best is not None and best.explained >= EXPLAINED else None


def _fit(
    features: Sequence[_Feature],
    columns: Sequence[np.ndarray],
    norms: Sequence[float],
    usable: Sequence[int],
    target: np.ndarray,
    fitted: np.ndarray,
    most: int,
) -> Cost:
    """The best cost of up to `most` of the usable features."""
    table = np.column_stack([columns[place] for place in usable])
    lengths = [len(features[place].text) for place in usable]
    goal = target[fitted]
    total = float((goal**2).sum())
    chosen: list[int] = []
    best = Cost((), -np.inf)
    for _ in range(min(most, len(usable))):
        chosen.append(_next(table[fitted], chosen, goal, lengths))
        for place in range(len(chosen) - 1):
            others = chosen[:place] + chosen[place + 1 :]
            chosen[place] = _next(table[fitted], others, goal, lengths)
        weights = np.linalg.lstsq(table[fitted][:, chosen], goal, rcond=None)[0]
        missed = target - table[:, chosen] @ weights
        explained = 1 - float((missed[~fitted] ** 2).sum()) / float((target[~fitted] ** 2).sum())
        if explained > best.explained + 1e-3:
            places = [usable[at] for at in chosen]
            parts = [
                Part(_rounded(float(weight) / norms[place]), features[place].text, features[place].when)
                for weight, place in zip(weights, places)
            ]
            best = Cost(tuple(parts), explained)
        if float((missed[fitted] ** 2).sum()) <= _ENOUGH * total:
            break
    return best


def _next(table: np.ndarray, chosen: Sequence[int], goal: np.ndarray, lengths: Sequence[int]) -> int:
    """The column that explains most of a goal beside the chosen ones; of those as good the shortest text."""
    if chosen:
        base = np.linalg.qr(table[:, list(chosen)])[0]
        table, goal = table - base @ (base.T @ table), goal - base @ (base.T @ goal)
    norms = (table**2).sum(axis=0)
    gains = (table.T @ goal) ** 2 / np.where(norms > 1e-6, norms, np.inf)
    gains[list(chosen)] = -1.0
    good = np.flatnonzero(gains >= gains.max() - _AS_GOOD * float((goal**2).sum()))
    return min(good.tolist(), key=lambda place: (lengths[place], place))


def _rounded(weight: float) -> float:
    near = round(weight)
    return float(near) if near and abs(weight - near) < _AS_GOOD * abs(near) else float(f"{weight:.4g}")


def _centred(values: np.ndarray, instances: np.ndarray) -> np.ndarray:
    result = values.astype(np.float64)
    for each in np.unique(instances):
        result[instances == each] -= result[instances == each].mean()
    return result


def _completed(task: SimpleTask, episode: Episode, known: Dynamics, expressions: Expressions) -> Episode:
    """A rollout with the last decision, which many a task takes itself where one alternative is left."""
    options, names = listing(task), after(episode.steps[-1], known, expressions)
    left = None if names is None or options is None else expressions.value(options, names)
    if names is None or left is None or not hasattr(left, "__len__") or len(left) != 1:
        return episode
    return replace(episode, steps=[*episode.steps, Step(names, next(iter(left)))])


# -- features ----------------------------------------------------------------------------------------------------------


def _features(
    played: Sequence[Episode], known: Dynamics, terms: Sequence[str], expressions: Expressions
) -> Iterator[_Feature]:
    """Everything that a rollout may cost by: of its decisions, then of what is there at the end."""
    steps = [step for each in played for step in each.steps]
    ends = np.cumsum([len(each.steps) for each in played])
    starts = np.concatenate([[0], ends[:-1]])
    bases = _bases(steps, known, terms, expressions)
    for base, values in bases.items():
        for factor, by in _factors(known, steps, expressions).items():
            text = base if not factor else factor if base == "1" else f"{factor} * ({base})"
            yield _Feature("step", text, np.add.reduceat(values * by, starts))
        yield _Feature("final", base, values[ends - 1])
        yield _Feature("peak", base, np.maximum.reduceat(values, starts))
    for text, values in _weighted(bases, _excess(known, steps, terms, expressions), terms).items():
        yield _Feature("step", text, np.add.reduceat(values, starts))
    left = [after(each.steps[-1], known, expressions) for each in played]
    scalars = _scalars(known, steps, expressions)
    places = [*permutations(scalars, 2), *((one, "0") for one in scalars), *(("0", one) for one in scalars)]
    entries = [f"{table}[{one}][{two}]" for table in known.names for one, two in places]
    states = [form.format(name) for name in known.names for form in _OF_STATE]
    for text in [*states, *entries, *_of_chosen(known)]:
        numbers = [None if names is None else expressions.number(text, names) for names in left]
        if None not in numbers:
            yield _Feature("after", text, np.array(numbers, dtype=np.float64))


def _of_chosen(known: Dynamics) -> Iterator[str]:
    """What a list of chosen ids comes to: what they cost themselves, and how near the nearest of them are."""
    for chosen, other in permutations(known.names, 2):
        yield f"sum({other}[k] for k in {chosen})"
        nearest = f"min(row[k] for k in {chosen})"
        yield from (f"{form}({nearest} for row in {other})" for form in ("sum", "max"))
        yield from (
            f"sum(one * {nearest} for one, row in zip({weights}, {other}))"
            for weights in known.names
            if weights not in (chosen, other)
        )


def _bases(
    steps: Sequence[Step], known: Dynamics, terms: Sequence[str], expressions: Expressions
) -> dict[str, np.ndarray]:
    """Numbers of a decision by text, (decisions,): terms, arguments as they become, by how much these exceed terms."""
    bases = {}
    for text in [*terms, *_moved(known, steps, expressions), *_scalars(known, steps, expressions), "1"]:
        values = expressions.numbers(text, steps)
        if values is not None:
            bases[text] = values
    for text in _excess(known, steps, terms, expressions):
        if text not in bases and (values := expressions.numbers(text, steps)) is not None:
            bases[text] = values
    return bases


def _moved(known: Dynamics, steps: Sequence[Step], expressions: Expressions) -> list[str]:
    """What the numbers among the arguments become."""
    return [each.text for each in known.parts if each.argument in _scalars(known, steps, expressions)]


def _excess(known: Dynamics, steps: Sequence[Step], terms: Sequence[str], expressions: Expressions) -> list[str]:
    """By how much these exceed simple terms: what comes too late, or is too much."""
    return [f"max(0, {one} - {two})" for one, two in product(_moved(known, steps, expressions), terms[:_COMPARED])]


def _weighted(bases: Mapping[str, np.ndarray], excess: Sequence[str], terms: Sequence[str]) -> dict[str, np.ndarray]:
    """Excess times a term: what is late costs more of some."""
    pairs = product((text for text in terms[:_COMPARED] if text in bases), (text for text in excess if text in bases))
    return {f"({one}) * {two}": bases[one] * bases[two] for one, two in pairs}


def _factors(known: Dynamics, steps: Sequence[Step], expressions: Expressions) -> dict[str, np.ndarray]:
    """What a term may be multiplied with: nothing, numbers among the arguments, lengths; those that change."""
    first = steps[0].names
    lengths = [f"len({name})" for name in known.names if hasattr(expressions.value(name, first), "__len__")]
    factors = {"": np.ones(len(steps))}
    for text in [*_scalars(known, steps, expressions), *lengths]:
        values = expressions.numbers(text, steps)
        if values is not None and np.ptp(values) > 0:
            factors[text] = values
    return factors


def _scalars(known: Dynamics, steps: Sequence[Step], expressions: Expressions) -> list[str]:
    return [name for name in known.names if is_number(expressions.value(name, steps[0].names))]
