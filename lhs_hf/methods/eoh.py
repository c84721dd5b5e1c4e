"""EoH (Liu et al., 2024): ideas in words and their code evolve together, by five kinds of request.

`variant="llm4ad"` is the algorithm as LLM4AD runs it: one call of each kind after the other. `"original"` is that of
the authors' first version: every kind makes a population from the same snapshot before the next begins.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, ClassVar

from .language_method import Individual, LanguageMethod, Steps, block
from .prompts import IDEA_AND_CODE, about
from .selection import drawn, survivors

OPERATORS: dict[str, str] = {
    "i1": "Invent a new heuristic for this problem.",
    "e1": "Here are {count} heuristics, each with its idea.\n\n{shown}\n\nInvent one of a form that is completely "
    "different from all of them.",
    "e2": "Here are {count} heuristics, each with its idea.\n\n{shown}\n\nName for yourself the idea that they share, "
    "and write a heuristic that builds on it in a way that none of them does.",
    "m1": "Here is a heuristic with its idea.\n\n{shown}\n\nWrite a modified form of it.",
    "m2": "Here is a heuristic with its idea.\n\n{shown}\n\nName for yourself the parameters of its scoring, and write "
    "one with other settings of these.",
    "m3": "Here is a heuristic.\n\n{shown}\n\nFind the parts that may fit the known instances too closely, and write a "
    "simpler form that keeps working on others.",
}
"""What each kind of request asks for."""

PARENTS = {"i1": 0, "e1": 2, "e2": 2, "m1": 1, "m2": 1, "m3": 1}


@dataclass(frozen=True)
class EoHSettings:
    """`operators` come in this order; `population` is the paper's N. `seeded`: the reference is a member."""

    population: int = 10
    operators: tuple[str, ...] = ("e1", "e2", "m1", "m2")
    variant: str = "llm4ad"
    seeded: bool = False


class EoH(LanguageMethod):
    """A population of ideas with code; parents by rank, the best of different scores survive."""

    name: ClassVar[str] = "eoh"
    settings_type: ClassVar[type] = EoHSettings

    def search(self) -> Steps:
        """One of the two variants."""
        members = [self.reference] if self.settings.seeded and self.reference.score is not None else []
        yield from (self._original(members) if self.settings.variant == "original" else self._llm4ad(members))

    def _llm4ad(self, population: list[Individual]) -> Steps:
        """i1 until N programs are valid or 2 N evaluated; then the operators in turn, survival whenever N came in."""
        size, waiting = self.settings.population, list(population)
        evaluated = 0
        while len(waiting) < size and evaluated < 2 * size:
            child = yield from self._child("i1", [])
            evaluated += bool(child.source)
            waiting += [child] if self._is_new(child, waiting) else []
        population, waiting, registered = survivors(waiting, size), [], 0
        for operator in cycle(self.settings.operators):
            parents = drawn(population, PARENTS[operator], size, self.random)
            child = yield from self._child(operator, parents)
            registered += bool(child.source)
            waiting += [child] if self._is_new(child, [*population, *waiting]) else []
            if registered >= size:
                population, waiting, registered = survivors([*population, *waiting], size), [], 0

    def _original(self, population: list[Individual]) -> Steps:
        """2 N x i1, N survive; then each operator makes N from one snapshot, and the best survive after each."""
        size = self.settings.population
        for _ in range(2 * size):
            population.append((yield from self._child("i1", [])))
        population = survivors(population, size)
        for operator in cycle(self.settings.operators):
            children = []
            for _ in range(size):
                parents = drawn(population, PARENTS[operator], size, self.random, offset=1)
                children.append((yield from self._child(operator, parents)))
            population = survivors([*population, *children], size)

    def _child(self, operator: str, parents: Sequence[Individual]) -> Generator[Any, Any, Individual]:
        shown = "\n\n".join(f"Idea: {each.idea}\n{block(each.source)}" for each in parents)
        # Where nobody is left to be a parent, a new idea is what can be asked for.
        operator = operator if len(parents) == PARENTS[operator] else "i1"
        request = OPERATORS[operator].format(count=len(parents), shown=shown)
        return (yield from self.child(f"{about(self.task)}\n\n{request} {IDEA_AND_CODE}", operator, parents))

    @staticmethod
    def _is_new(child: Individual, others: Sequence[Individual]) -> bool:
        """Whether a child has a score, and neither text nor score of another."""
        return child.score is not None and all(
            child.source != other.source and child.score != other.score for other in others
        )
