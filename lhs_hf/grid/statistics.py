"""What a grid says: gains paired by seed, with intervals, tests that are corrected for their number, and profiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from .cell import CellResult
from .plan import SPLIT
from .store import Grid


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval (Student's t), and the two-sided p-value of its being 0.

    `low`, `high` and `p` are None of fewer than two values, and of values that are all the same.
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Interval:
        """Of at least one value."""
        mean, count = float(np.mean(values)), len(values)
        if count < 2 or np.ptp(values) == 0:
            return cls(mean, None, None, None, count)
        test = stats.ttest_1samp(values, 0.0)
        low, high = test.confidence_interval()
        return cls(mean, float(low), float(high), float(test.pvalue), count)


@dataclass(frozen=True)
class Comparison:
    """A method against another one on a task, or on all of them (`task` empty).

    `gain` is in percent of the other's objective, positive is better; None where no pair has one: one of the two fails,
    or the other's objective is 0. Such pairs count among wins and losses. `p` is of the paired t-test on a task, of
    Wilcoxon's signed-rank test over all tasks, where they have the highest ranks; `p_corrected` is Holm's, for all
    comparisons of its kind. `better` counts the tasks with a gain above 0, and more wins than losses where a pair has
    none.
    """

    method: str
    other: str
    task: str
    gain: Interval | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_corrected: float | None = None
    better: int | None = None


def gain(ours: CellResult, theirs: CellResult, split: str = SPLIT) -> float | None:
    """How much better one program is on a split, in percent of the other's mean; None where one fails, or that is 0."""
    own, other = ours.objective(split), theirs.objective(split)
    if own is None or other is None or not other:
        return 0.0 if own is not None and own == other else None
    return 100.0 * ours.alpha * (own - other) / abs(other) + 0.0


def paired(grid: Grid, method: str, other: str, task: str) -> list[tuple[CellResult, CellResult]]:
    """Cells of equal seeds; that of a method without seeds stands beside each of the other's."""
    ours, theirs = grid.of(method, task), grid.of(other, task)
    if ours and theirs and method in grid.unseeded:
        return [(ours[0], each) for each in theirs]
    if ours and theirs and other in grid.unseeded:
        return [(each, theirs[0]) for each in ours]
    first, second = ({each.seed: each for each in cells} for cells in (ours, theirs))
    return [(first[seed], second[seed]) for seed in sorted(first.keys() & second.keys())]


def _counts(pairs: Iterable[tuple[CellResult, CellResult]], split: str) -> tuple[int, int, int]:
    wins = ties = losses = 0
    for ours, theirs in pairs:
        own, other = ours.objective(split), theirs.objective(split)
        if own == other:
            ties += 1
        elif own is not None and (other is None or ours.alpha * (own - other) > 0):
            wins += 1
        else:
            losses += 1
    return wins, ties, losses


def compared(grid: Grid, method: str, split: str = SPLIT) -> tuple[list[Comparison], list[Comparison]]:
    """A method against every other one: task by task, and over all tasks together."""
    by_task, together = [], []
    for other in grid.methods:
        if other == method:
            continue
        rows, gains, ranked, better, counts = [], [], [], 0, np.zeros(3, dtype=int)
        for task in grid.tasks:
            pairs = paired(grid, method, other, task)
            if not pairs:
                continue
            values = [each for each in (gain(*pair, split) for pair in pairs) if each is not None]
            interval = Interval.of(values) if values else None
            won = _counts(pairs, split)
            rows.append(Comparison(method, other, task, interval, *won, interval.p if interval else None))
            gains += values
            ranked += _ranked(pairs, split)
            better += interval is not None and interval.mean > 0 and (len(values) == len(pairs) or won[0] > won[2])
            counts += won
        if rows:
            # What has no percentage has won or lost by more than any that has.
            most = 2.0 * max((abs(each) for each in ranked if np.isfinite(each)), default=0.0) + 1.0
            p = float(stats.wilcoxon(np.clip(ranked, -most, most)).pvalue) if np.any(ranked) else None
            overall = Interval.of(gains) if gains else None
            wins, ties, losses = (int(each) for each in counts)
            together.append(Comparison(method, other, "", overall, wins, ties, losses, p, better=better))
            by_task += rows
    return corrected(by_task), corrected(together)


def _ranked(pairs: Sequence[tuple[CellResult, CellResult]], split: str) -> list[float]:
    """The gains of pairs; infinite ones where one of the two fails or the other's objective is 0."""
    ranked = []
    for pair in pairs:
        value, (wins, _, losses) = gain(*pair, split), _counts([pair], split)
        ranked.append(value if value is not None else np.inf if wins else -np.inf if losses else 0.0)
    return ranked


def corrected(rows: Sequence[Comparison]) -> list[Comparison]:
    """The same with p-values corrected for how many there are."""
    values = holm([row.p for row in rows])
    return [replace(row, p_corrected=value) for row, value in zip(rows, values)]


def holm(values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected by Holm's step-down method; None stays None and is no test."""
    tests = sorted((value, place) for place, value in enumerate(values) if value is not None)
    result: list[float | None] = [None] * len(values)
    worst = 0.0
    for rank, (value, place) in enumerate(tests):
        worst = max(worst, min(1.0, value * (len(tests) - rank)))
        result[place] = worst
    return result


def distances(grid: Grid, split: str = SPLIT) -> dict[str, list[float]]:
    """By method, how far each of its programs is behind the best that any method has for that task, in percent.

    Infinity for a program that fails. What a performance profile shows (Dolan and Moré, 2002), with differences in
    percent in place of ratios: objectives may be 0 or negative.
    """
    result: dict[str, list[float]] = {method: [] for method in grid.methods}
    for task in grid.tasks:
        cells = [each for each in grid.cells if each.task == task]
        scores = [each.alpha * value for each in cells if (value := each.objective(split)) is not None]
        if not scores:
            continue
        best = max(scores)
        for each in cells:
            value = each.objective(split)
            behind = float("inf") if value is None else 100.0 * (best - each.alpha * value) / (abs(best) or 1.0)
            result[each.method].append(behind)
    return result


def curve(cells: Sequence[CellResult], steps: Sequence[int]) -> np.ndarray:
    """Incumbents' objectives on `holdout` after so many instance runs: float64 (cells, steps), NaN before the first."""
    table = np.full((len(cells), len(steps)), np.nan)
    for row, cell in enumerate(cells):
        for runs, _, value in cell.curve:
            if value is not None:
                table[row, [at for at, step in enumerate(steps) if step >= runs]] = value
    return table
