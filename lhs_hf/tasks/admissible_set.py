"""Admissible sets: a priority over words decides, greedily, how large a symmetric admissible set A(n, w) grows.

A word is a sequence of n / 3 symbols, each a triple of digits 0..2 up to rotation; a chosen word stands for all vectors
its rotations give. `AdmissibleSet.objective` states the greedy rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, percentiles

TRIPLES = ((0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 2), (0, 2, 1), (1, 1, 1), (2, 2, 2))
_WEIGHTS = np.array([sum(digit != 0 for digit in triple) for triple in TRIPLES])
_ROTATIONS = np.array([len({triple[i:] + triple[:i] for i in range(3)}) for triple in TRIPLES])

_TEMPLATE = '''\
def priority(el, n, w):
    """Indifferent: all words are equal, so the greedy takes them in lexicographic order."""
    return 0.0
'''

_PROBE_SPACES = ((15, 7), (15, 9), (12, 6), (15, 11), (12, 8), (9, 5))
_PROBE_WORDS = 12


class AdmissibleSetSize(NamedTuple):
    """The length n of the vectors and their weight w, the number of non-zero digits."""

    n: int
    w: int


class AdmissibleSet(Task):
    """Score every word; the greedy set is compared with the upper bound: objective = size - C(n, w), at most 0.

    A solution holds the score of each word in lexicographic order, float64; NaN and infinities are allowed.
    """

    name = "admissible_set"
    title = "Admissible set"
    sense = "max"
    problem_class = "covering"
    function_name = "priority"
    arguments = ("el", "n", "w")
    description = (
        "Return a number, the priority of adding the vector `el`, a tuple of `n` digits 0, 1 or 2 of which `w` are not "
        "0, to an admissible set; vectors are added greedily from the largest priority down as long as they fit."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 1, 2024, 2432, {"n": 15, "w": 10}),
        "test": Split("test", 1, 2024, 2432, {"n": 15, "w": 10}, alias_of="search"),
        "holdout": Split("holdout", 1, 2025, 448, {"n": 12, "w": 7}),
    }
    practice = Split("practice", 1, 7001, 448, {"n": 9, "w": 6})
    time_limit_s = 60.0
    bounds: Mapping[str, float] = {"search": 0.0, "test": 0.0, "holdout": 0.0}
    bound_kind = "optimum"
    solution_dtype = "float64"
    probe_feature_names = (
        "ones",
        "twos_in_first_half",
        "position_sum",
        "digit_position_sum",
        "zero_triples",
        "expanded_size",
        "equal_neighbours",
        "lexicographic_rank",
    )

    def generate(self, split: Split) -> Iterator[AdmissibleSetSize]:
        """The one instance of a split; nothing is random."""
        yield AdmissibleSetSize(split.parameters["n"], split.parameters["w"])

    def rollout(self, program: Program, instance: AdmissibleSetSize) -> np.ndarray:
        """Score each word once, in lexicographic order. Returns float64 (words,)."""
        n, w = instance
        return np.array([_score(program(vector, n, w)) for vector in vectors(n, w)], dtype=np.float64)

    def objective(self, instance: AdmissibleSetSize, solution: np.ndarray) -> float:
        """Size of the greedy set minus C(n, w). Raises `Infeasible` unless there is one score for each word.

        The greedy takes the live word x of the highest score (the first on ties; NaN is highest) and drops each live
        word y whose symbol weights are all at least, or all at most, those of x, and each y that is bad with x and an
        earlier pick in every position (`bad_triples`). A word counts as many vectors as its rotations give.
        """
        greedy = _greedy_tables(*instance)
        if solution.shape != (greedy.count,):
            raise Infeasible(f"expected {greedy.count} scores, one a word, got an array of shape {solution.shape}")
        return float(greedy.size(solution) - comb(*instance))

    def max_solution_length(self, instance: AdmissibleSetSize) -> int:
        """One score for each word."""
        return len(words(*instance))

    def probe_states(self, generator: np.random.Generator, count: int) -> list[ProbeState]:
        """Choices among 12 words of a space (n, w) that is no instance; one call a word."""
        states = []
        for number in range(count):
            n, w = _PROBE_SPACES[number % len(_PROBE_SPACES)]
            symbols, candidates = words(n, w), vectors(n, w)
            if number % 2:  # neighbours in lexicographic order: they differ in few positions
                start = int(generator.integers(len(symbols) - 3 * _PROBE_WORDS))
                rows = start + np.sort(generator.choice(3 * _PROBE_WORDS, _PROBE_WORDS, replace=False))
            else:
                rows = np.sort(generator.choice(len(symbols), _PROBE_WORDS, replace=False))
            calls = tuple((candidates[row], n, w) for row in rows.tolist())
            states.append(ProbeState(calls, percentiles(_word_features(symbols[rows]))))
        return states

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The word of the highest score, the first on ties."""
        return int(np.argmax([_score(answer) for answer in answers]))


def _score(answer: Any) -> float:
    """A priority as a float. Raises `IllegalAnswer` for anything but a bool, int or float scalar."""
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer[()]
    if not isinstance(answer, (int, float, np.bool_, np.integer, np.floating)):
        raise IllegalAnswer(f"expected a number, got {type(answer).__name__}")
    try:
        return float(answer)
    except OverflowError:
        raise IllegalAnswer("the priority is too large for a float") from None


@cache
def words(n: int, w: int) -> np.ndarray:
    """All words of length n / 3 and weight w, lexicographic: symbols 0..6, int64 (words, n / 3), read-only."""
    length = n // 3
    every = np.indices((len(TRIPLES),) * length).reshape(length, -1).T
    result = np.ascontiguousarray(every[_WEIGHTS[every].sum(axis=1) == w])
    result.setflags(write=False)
    return result


@cache
def vectors(n: int, w: int) -> tuple[tuple[int, ...], ...]:
    """The words as the program sees them: tuples of n digits, the triples of the symbols joined."""
    return tuple(map(tuple, np.array(TRIPLES)[words(n, w)].reshape(-1, n).tolist()))


def greedy_words(n: int, w: int, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The words the greedy takes, in order, for scores float64 (words,).

    Returns their vectors, int64 (chosen, n), and how many vectors each stands for, int64 (chosen,).
    """
    chosen = words(n, w)[_greedy_tables(n, w).chosen(scores)]
    return np.array(TRIPLES)[chosen].reshape(-1, n), np.prod(_ROTATIONS[chosen], axis=1)


@cache
def bad_triples() -> np.ndarray:
    """Which three symbols are bad, bool (7, 7, 7), symmetric, read-only.

    They are if some rotations of their triples leave no column that is, as a multiset, {0,1,2}, {0,0,1} or {0,0,2}.
    """
    saving = {(0, 1, 2), (0, 0, 1), (0, 0, 2)}
    rotations = [[triple[i:] + triple[:i] for i in range(3)] for triple in TRIPLES]
    bad = np.zeros((len(TRIPLES),) * 3, dtype=bool)
    for symbols in product(range(len(TRIPLES)), repeat=3):
        bad[symbols] = any(
            all(tuple(sorted(column)) not in saving for column in zip(*rotated))
            for rotated in product(*(rotations[symbol] for symbol in symbols))
        )
    bad.setflags(write=False)
    return bad


class _Greedy:
    """Compatibility tables of one word space: sets of words as bit masks, one a position and symbol (or pair)."""

    def __init__(self, symbols: np.ndarray) -> None:
        self.count, self._length = symbols.shape
        self._symbols = symbols
        self._sizes = np.prod(_ROTATIONS[symbols], axis=1).tolist()
        weights = _WEIGHTS[symbols].T  # (length, words)
        # masks[position, symbol]: the words whose weight there is at least, or at most, that of the symbol
        self._heavier = _pack(weights[:, None, :] >= _WEIGHTS[None, :, None])
        self._lighter = _pack(weights[:, None, :] <= _WEIGHTS[None, :, None])
        # masks[position, symbol, symbol]: the words that are bad there together with the two symbols
        self._bad = _pack(np.moveaxis(bad_triples()[:, :, symbols], 3, 0))

    def size(self, scores: np.ndarray) -> int:
        """Number of vectors in the greedy set. `scores`: float64 (words,)."""
        return sum(self._sizes[row] for row in self.chosen(scores))

    def chosen(self, scores: np.ndarray) -> list[int]:
        """Indices of the words in the greedy set, in the order of choice. `scores`: float64 (words,)."""
        # Scores are fixed, so the greedy visits words in one order and skips those that are dead by then.
        missing = np.isnan(scores)
        order = np.concatenate((np.flatnonzero(missing), np.argsort(-scores, kind="stable")[: (~missing).sum()]))
        positions = np.arange(self._length)
        alive = np.ones(self.count, dtype=bool)
        picks = np.empty((self.count, self._length), dtype=np.int64)
        rows: list[int] = []
        for row in order.tolist():
            if not alive[row]:
                continue
            word = self._symbols[row]
            dropped = np.bitwise_and.reduce(self._heavier[positions, word])
            dropped |= np.bitwise_and.reduce(self._lighter[positions, word])
            bad = np.bitwise_and.reduce(self._bad[positions, picks[: len(rows)], word], axis=1)
            dropped |= np.bitwise_or.reduce(bad, axis=0)
            alive &= ~np.unpackbits(dropped, count=self.count).view(bool)
            picks[len(rows)] = word
            rows.append(row)
        return rows


@cache
def _greedy_tables(n: int, w: int) -> _Greedy:
    return _Greedy(words(n, w))


def _pack(masks: np.ndarray) -> np.ndarray:
    """Boolean masks over words as bytes of 8, uint8 (..., words / 8 rounded up)."""
    return np.packbits(masks, axis=-1)


def _word_features(symbols: np.ndarray) -> np.ndarray:
    """Raw probe features, float64 (words, 8), in the order of `probe_feature_names`."""
    digits = np.array(TRIPLES)[symbols].reshape(len(symbols), -1)
    index = np.arange(digits.shape[1])
    return np.stack(
        [
            (digits == 1).sum(axis=1),
            (digits[:, : digits.shape[1] // 2] == 2).sum(axis=1),
            ((digits != 0) * index).sum(axis=1),
            (digits * index).sum(axis=1),
            (symbols == 0).sum(axis=1),
            np.prod(_ROTATIONS[symbols], axis=1),
            (digits[:, 1:] == digits[:, :-1]).sum(axis=1),
            np.arange(len(symbols)),
        ],
        axis=1,
    ).astype(np.float64)


TASK = AdmissibleSet()
