"""ReEvo (Ye et al., 2024): crossovers guided by what a model says about a better and a worse program; a long memory.

`variant="original"` is the authors' code, `"llm4ad"` its port: rank selection, survival as in EoH, reflection and
crossover by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .language_method import Individual, LanguageMethod, Steps, block
from .prompts import CODE, about
from .selection import by_rank, drawn, survivors

GENERATOR = (
    "You are an expert in heuristics for optimisation problems. You answer with Python code in one fenced block."
)
REFLECTOR = "You are an expert in heuristics for optimisation problems. You give hints for designing better ones."
_HOTTER = 0.3
_TRIES = 1000
_HINTS = 5


@dataclass(frozen=True)
class ReEvoSettings:
    """`population` is N, `initial` the programs of the first generation; half of N elitist mutations a generation."""

    population: int = 10
    initial: int = 30
    mutation_rate: float = 0.5
    variant: str = "original"


class ReEvo(LanguageMethod):
    """Pairs of different quality, a hint for each, their crossover; the best is mutated by what is remembered."""

    name: ClassVar[str] = "reevo"
    settings_type: ClassVar[type] = ReEvoSettings

    def search(self) -> Steps:
        """One of the two variants. Nothing is asked for where the reference fails."""
        if self.reference.score is None:
            return
        yield from (self._llm4ad() if self.settings.variant == "llm4ad" else self._original())

    def _original(self) -> Steps:
        settings, memory = self.settings, ""
        population = []
        for _ in range(settings.initial):
            population.append((yield from self._first()))
        while True:
            pool = [*population, *([self.best] if self.best else [])]
            pairs = uniform_pairs(pool, settings.population, self.random)
            if not pairs:
                return
            hints = [self._hint(*pair) for pair in pairs]
            population = []
            for (worse, better), hint in zip(pairs, hints):
                population.append((yield from self._cross(worse, better, hint)))
            memory = self._remember(memory, hints)
            for _ in range(int(settings.population * settings.mutation_rate)):
                population.append((yield from self._mutate(memory)))

    def _llm4ad(self) -> Steps:
        size, memory = self.settings.population, ""
        population: list[Individual] = []
        while len(by_rank(population)) < size:
            population.append((yield from self._first()))
        while True:
            hints, children = [], []
            for _ in range(size):
                parents = drawn(population, 2, size, self.random)
                worse, better = sorted(parents, key=lambda each: each.score or 0.0)
                hints.append(self._hint(worse, better))
                children.append((yield from self._cross(worse, better, hints[-1])))
            population = survivors([*population, *children], size)
            memory = self._remember(memory, hints[-_HINTS:])
            mutants = []
            for _ in range(int(size * self.settings.mutation_rate)):
                mutants.append((yield from self._mutate(memory)))
            population = survivors([*population, *mutants], size)

    # -- requests ------------------------------------------------------------------------------------------------------

    def _first(self) -> Steps:
        text = (
            f"{about(self.task)}\n\nA plain version:\n\n{block(self.reference.source)}\n\n"
            f"Write a better version, in a way that is not obvious. {CODE}"
        )
        hotter = self.model.temperature + _HOTTER
        return (yield from self.child(text, "init", [self.reference], GENERATOR, hotter))

    def _hint(self, worse: Individual, better: Individual) -> str:
        text = (
            f"{about(self.task)}\n\nA worse version:\n\n{block(worse.source)}\n\nA better version:\n\n"
            f"{block(better.source)}\n\nWhat makes the second better? Answer with hints for still better versions, in "
            "fewer than 20 words."
        )
        return self.reply(text, "short", REFLECTOR)

    def _cross(self, worse: Individual, better: Individual, hint: str) -> Steps:
        text = (
            f"{about(self.task)}\n\nA worse version:\n\n{block(worse.source)}\n\nA better version:\n\n"
            f"{block(better.source)}\n\nA reflection on the two: {hint.strip()}\n\n"
            f"Write an improved version by it. {CODE}"
        )
        return (yield from self.child(text, "cross", [better, worse], GENERATOR))

    def _remember(self, memory: str, hints: Sequence[str]) -> str:
        said = "\n".join(hint.strip() for hint in hints)
        text = (
            f"{about(self.task)}\n\nWhat was known before: {memory.strip() or 'nothing'}\n\nNew insights:\n\n{said}\n\n"
            "Write constructive hints for better heuristics, from both, in fewer than 50 words."
        )
        return self.reply(text, "long", REFLECTOR)

    def _mutate(self, memory: str) -> Steps:
        best = self.best or self.reference
        text = (
            f"{about(self.task)}\n\nWhat is known: {memory.strip()}\n\nThe best version so far:\n\n"
            f"{block(best.source)}\n\nWrite a mutated version by what is known. {CODE}"
        )
        return (yield from self.child(text, "mutate", [best], GENERATOR))


def uniform_pairs(
    pool: Sequence[Individual], count: int, random: np.random.Generator
) -> list[tuple[Individual, Individual]]:
    """`count` pairs (worse, better) of different scores, drawn uniformly; none where so many are not found."""
    valid = by_rank(pool)
    pairs: list[tuple[Individual, Individual]] = []
    for _ in range(_TRIES):
        if len(pairs) == count or len(valid) < 2:
            break
        one, two = (valid[int(place)] for place in random.choice(len(valid), size=2, replace=False))
        if one.score != two.score:
            worse, better = sorted((one, two), key=lambda each: each.score or 0.0)
            pairs.append((worse, better))
    return pairs if len(pairs) == count else []
