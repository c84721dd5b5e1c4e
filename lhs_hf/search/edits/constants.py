"""Constants: the live literals of a good program, tuned with CMA-ES in steps that change few of them at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import CallError
from .literals import Literal, Value, replaced, rounded

Evaluate = Callable[[Sequence[str]], Sequence[float | None]]
SIGMA = 0.15
"""First step length: fifteen per cent of a number."""

_SMALL = 5
_MOST_CHANGED = 3
_MOST_REPEATS = 20


@dataclass(frozen=True)
class Tuned:
    """The best program found, its score, and the score of every program that was evaluated (None: it failed)."""

    source: str
    score: float
    scores: Mapping[str, float | None]


class Tuner:
    """CMA-ES over some literals of a program, by `ask` and `tell`; everything follows from its arguments and scores.

    A coordinate is the logarithm of a number relative to its first value, or a whole number's distance from it; the
    search begins at the program as it is. Each sample keeps all but one to three coordinates at the present mean. Whole
    numbers are rounded, and a program that a sample gives again is not asked for again. Scores must be comparable with
    one another: on the same instances.

    Args:
        source: the program.
        literals: numbers and sizes of it (`live_literals`); flags are no constants.
        seed: where all randomness comes from.
        sigma: first step length, in units of a number's own size.

    To resume, make the same tuner again and `tell` it the scores it had been told: `scores` of the earlier one, all at
    once or in parts.

    Raises `CallError` if there is nothing to tune.
    """

    def __init__(self, source: str, literals: Sequence[Literal], seed: int, sigma: float = SIGMA) -> None:
        self._literals = [literal for literal in literals if literal.kind != "flag"]
        if not self._literals:
            raise CallError("there is no number to tune: expected at least one literal that is no flag")
        from cma import CMAEvolutionStrategy

        self.source = source
        self.scores: dict[str, float | None] = {}
        self._stream = np.random.default_rng(seed)
        # The library wants two dimensions at least; one that nothing depends on does no harm.
        self._evolution = CMAEvolutionStrategy(
            np.zeros(max(2, len(self._literals))),
            sigma,
            # Its own stream and no seed: the library would seed numpy's global generator.
            {"randn": lambda *shape: self._stream.standard_normal(shape), "seed": np.nan, "verbose": -9},
        )
        self._points: list[np.ndarray] = []
        self._texts: list[str] = []
        self._seen: set[str] = set()
        self._repeats = 0
        self._sample()

    @property
    def exhausted(self) -> bool:
        """Whether many generations in a row held no new program: the numbers are as fine as they get."""
        return self._repeats >= _MOST_REPEATS

    def ask(self) -> list[str]:
        """The programs of the present generation that have no score yet, each once; [] once it is exhausted."""
        return [text for text in dict.fromkeys(self._texts) if text not in self.scores]

    def tell(self, scores: Mapping[str, float | None]) -> None:
        """Scores of programs, higher is better, None for one that failed; a generation ends when all have theirs.

        Scores of programs that no generation has asked for yet are kept until one does.
        """
        self.scores.update(scores)
        while not self.exhausted and not self.ask():
            losses = [_loss(self.scores[text]) for text in self._texts]
            finite = [loss for loss in losses if math.isfinite(loss)]
            worst = max(finite, default=0.0) + 1.0
            self._evolution.tell(self._points, [loss if math.isfinite(loss) else worst for loss in losses])
            self._sample()

    def best(self) -> tuple[str, float]:
        """The program with the highest score so far and that score; the first of equal ones. -inf without a score."""
        known = [(text, score) for text, score in self.scores.items() if _loss(score) < math.inf]
        text, score = max(known, key=lambda pair: pair[1] or 0.0, default=(self.source, -math.inf))
        return text, float(-math.inf if score is None else score)

    def _sample(self) -> None:
        mean = np.array(self._evolution.mean)
        points = []
        for point in self._evolution.ask():
            count = 1 + int(self._stream.integers(min(_MOST_CHANGED, len(self._literals))))
            moved = self._stream.permutation(len(self._literals))[:count]
            sparse = mean.copy()
            sparse[moved] = np.asarray(point)[moved]
            points.append(sparse)
        self._points = points
        self._texts = [self._program(point) for point in points]
        self._repeats = self._repeats + 1 if self._seen.issuperset(self._texts) else 0
        self._seen.update(self._texts)

    def _program(self, point: np.ndarray) -> str:
        values = {literal: _value(literal, float(x)) for literal, x in zip(self._literals, point)}
        return replaced(self.source, {key: value for key, value in values.items() if value != key.value})


def _loss(score: float | None) -> float:
    return math.inf if score is None or not math.isfinite(score) else -score


def _value(literal: Literal, x: float) -> Value:
    value = literal.value
    if isinstance(value, int):
        # A step of sigma moves a small whole number too.
        return max(1, round(value + x * max(abs(value), _SMALL)))
    x = min(max(x, -20.0), 20.0)
    return rounded(value * math.exp(x)) if value else rounded(x, 2)


def tune(
    source: str,
    literals: Sequence[Literal],
    evaluate: Evaluate,
    budget: int,
    generator: np.random.Generator,
    known: Mapping[str, float | None] | None = None,
) -> Tuned:
    """Tune literals of a program with at most `budget` evaluations, and give the best program back.

    Args:
        source: the program; it is evaluated first, in the same call as the first generation.
        literals: what may change (`live_literals`).
        evaluate: the scores of some programs, higher is better, None or NaN for one that failed. Called with the
            programs of a generation together, so that they can race on common instances.
        budget: evaluations of programs, those of `known` included.
        generator: gives the seed; the same one gives the same programs.
        known: scores of an interrupted run (`Tuned.scores`), which are not asked for again.

    Whether the best is better beyond noise is not judged here.
    """
    tuner = Tuner(source, literals, int(generator.integers(2**31)))
    tuner.tell(known or {})
    while len(tuner.scores) < budget and not tuner.exhausted:
        first = [source] if source not in tuner.scores else []
        texts = list(dict.fromkeys([*first, *tuner.ask()]))[: budget - len(tuner.scores)]
        tuner.tell(dict(zip(texts, evaluate(texts), strict=True)))
    best, score = tuner.best()
    return Tuned(best, score, dict(tuner.scores))
