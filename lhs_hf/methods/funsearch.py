"""FunSearch (Romera-Paredes et al., 2024): islands of programs, clustered by what they score; prompts of code alone.

`variant="llm4ad"` is the algorithm as LLM4AD runs it, `"original"` as DeepMind published it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .. import programs
from .language_method import Individual, LanguageMethod, Steps, block
from .prompts import CODE, about

_NOISE = 1e-6


@dataclass(frozen=True)
class FunSearchSettings:
    """The published parameters.

    `functions`: programs shown in a prompt. `samples`: replies to a prompt. `temperature` of the choice of clusters
    falls to 0 over `period` programs of an island. `reset_every`: calls after which the worse half of the islands is
    emptied; None for never (four hours in print, more than 100 calls take).
    """

    islands: int = 10
    functions: int = 2
    samples: int = 4
    temperature: float = 0.1
    period: int = 30_000
    reset_every: int | None = None
    variant: str = "llm4ad"


class Island:
    """Programs by cluster: those of equal signature, which is what they score on each instance, or in the mean."""

    def __init__(self) -> None:
        self.clusters: dict[Any, list[Individual]] = {}
        self.registered = 0

    def add(self, individual: Individual, signature: Any) -> None:
        """One more program."""
        self.clusters.setdefault(signature, []).append(individual)
        self.registered += 1

    @property
    def best(self) -> Individual:
        """The program with the highest score."""
        return max((each for cluster in self.clusters.values() for each in cluster), key=lambda each: each.score or 0.0)


class FunSearch(LanguageMethod):
    """A uniformly drawn island, clusters by softmax of their scores, short programs of these; several replies each."""

    name: ClassVar[str] = "funsearch"
    settings_type: ClassVar[type] = FunSearchSettings

    def search(self) -> Steps:
        """Islands that all begin with the reference."""
        settings = self.settings
        islands = [Island() for _ in range(settings.islands)]
        if self.reference.score is not None:
            for island in islands:
                island.add(self.reference, self._signature(self.reference))
        reset = self.model.budget.spent
        while True:
            island = islands[int(self.random.integers(len(islands)))]
            shown = self.chosen(island)
            for _ in range(settings.samples):
                reply = self.reply(self._request(shown), "sample")
                (child,) = yield from self.evaluate([self._renamed(reply, len(shown))], "sample", shown)
                if child.score is not None:
                    island.add(child, self._signature(child))
            if settings.reset_every and self.model.budget.spent - reset >= settings.reset_every:
                reset = self.model.budget.spent
                self.restart(islands)

    # -- choices -------------------------------------------------------------------------------------------------------

    def cluster_probabilities(self, island: Island) -> np.ndarray:
        """The chance of each cluster of an island, in the order of `island.clusters`."""
        settings = self.settings
        scores = np.array([self._cluster_score(cluster) for cluster in island.clusters.values()])
        if settings.variant == "llm4ad" and np.abs(scores).max(initial=0.0) > 1:
            scores = scores / np.abs(scores).max()
        age = island.registered % settings.period
        return softmax(scores / (settings.temperature * (1 - age / settings.period)))

    @staticmethod
    def length_probabilities(programs_: Sequence[Individual]) -> np.ndarray:
        """The chance of each program of a cluster: the short ones are likelier."""
        lengths = np.array([float(len(each.source)) for each in programs_])
        return softmax(-(lengths - lengths.min()) / (lengths.max() + _NOISE))

    def chosen(self, island: Island) -> list[Individual]:
        """The programs of the next prompt, worst first: one a drawn cluster, the same cluster perhaps twice."""
        clusters = list(island.clusters.values())
        if not clusters:
            return [self.reference]
        # While there is one cluster one program is shown.
        count = min(self.settings.functions, len(clusters))
        places = self.random.choice(len(clusters), size=count, p=self.cluster_probabilities(island))
        drawn = []
        for place in places:
            cluster = clusters[int(place)]
            drawn.append(cluster[int(self.random.choice(len(cluster), p=self.length_probabilities(cluster)))])
        return sorted(drawn, key=lambda each: each.score or 0.0)

    def restart(self, islands: list[Island]) -> None:
        """Empty the worse half of the islands, and begin each with the best program of one that is left."""
        scores = np.array([island.best.score or 0.0 for island in islands])
        order = np.argsort(scores + self.random.normal(size=len(islands)) * _NOISE)
        half = len(islands) // 2
        for place in order[:half]:
            founder = islands[int(self.random.choice(order[half:]))].best
            islands[int(place)] = Island()
            islands[int(place)].add(founder, self._signature(founder))

    def _signature(self, individual: Individual) -> Any:
        return individual.objectives if self.settings.variant == "original" else individual.score

    def _cluster_score(self, cluster: Sequence[Individual]) -> float:
        if self.settings.variant == "original" and cluster[0].objectives:
            return self.task.alpha * cluster[0].objectives[-1]
        return cluster[0].score or 0.0

    # -- requests ------------------------------------------------------------------------------------------------------

    def _request(self, shown: Sequence[Individual]) -> str:
        """The programs as versions 0, 1, ... of one function, and the header of the next."""
        name = self.task.function_name
        versions = [_named(each.source, name, f"{name}_v{number}") for number, each in enumerate(shown)]
        header = self.task.signature().replace(f"def {name}(", f"def {name}_v{len(shown)}(", 1)
        last = f'{header}\n    """Improved version of `{name}_v{len(shown) - 1}`."""'
        code = block("\n\n".join([*versions, last]))
        # A chat model has to be told what a completion would do by itself.
        return f"{about(self.task)}\n\n{code}\n\nComplete `{name}_v{len(shown)}`. {CODE}"

    def _renamed(self, reply: str, version: int) -> Any:
        """The program of a reply, under the task's name; None where it calls an earlier version, or is no program."""
        name = self.task.function_name
        source = programs.extract(reply)
        try:
            tree = programs.parse(source)
        except programs.ProgramError:
            return None
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if used & {f"{name}_v{number}" for number in range(version)}:
            return None
        return self.program(block(_named(source, f"{name}_v{version}", name)))


def softmax(values: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to the exponentials."""
    weights = np.exp(values - values.max())
    return weights / weights.sum()


def _named(source: str, old: str, new: str) -> str:
    """A program with one of its functions, and all that reads it, under another name; no program stays as it is."""
    try:
        tree = programs.parse(source)
    except programs.ProgramError:
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == old:
            node.name = new
        elif isinstance(node, ast.Name) and node.id == old:
            node.id = new
    return ast.unparse(tree)
