"""HSEvo (Dat et al., 2025): ReEvo's generations with two reflections for all pairs, and harmony search of numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import programs
from ..programs import ProgramError
from .language_method import Individual, LanguageMethod, Steps, Written, block
from .prompts import CODE, about
from .reevo import GENERATOR, REFLECTOR, uniform_pairs
from .selection import by_rank

_BLOCKS = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)

PERSONAS = (
    "a cautious engineer",
    "a mathematician who trusts bounds",
    "a dispatcher with twenty years of practice",
    "a physicist who thinks in potentials",
    "an economist who puts a price on everything",
    "a chess player who looks moves ahead",
    "a statistician who knows averages and spreads",
    "a biologist who copies what nature does",
    "a minimalist who deletes what is not needed",
    "an inventor who tries what nobody has tried",
)
"""Who the model is told to be for the first programs, in turn."""


@dataclass(frozen=True)
class HSEvoSettings:
    """`population` is N; a harmony search has `memory` vectors and as many steps, in up to `tries` requests."""

    population: int = 10
    initial: int = 30
    mutation_rate: float = 0.5
    memory: int = 5
    steps: int = 5
    considering: float = 0.7
    adjusting: float = 0.5
    bandwidth: float = 0.2
    tries: int = 3


class HSEvo(LanguageMethod):
    """A generation: two reflections, crossovers, mutations of the best, and its numbers tuned by harmony search."""

    name: ClassVar[str] = "hsevo"
    settings_type: ClassVar[type] = HSEvoSettings

    def search(self) -> Steps:
        """Generation after generation."""
        settings = self.settings
        if self.reference.score is None:
            return
        population = []
        for number in range(settings.initial):
            population.append((yield from self._first(PERSONAS[number % len(PERSONAS)])))
        memory, good, bad = "", "", ""
        tuned: set[str] = set()
        while True:
            before = self.best
            pairs = uniform_pairs([*population, *([before] if before else [])], settings.population, self.random)
            if not pairs:
                return
            analysis, experience = self._flash(pairs)
            memory = self._comprehensive(experience, good, bad)
            population = []
            for worse, better in pairs:
                population.append((yield from self._cross(worse, better, analysis, memory)))
            for _ in range(int(settings.population * settings.mutation_rate)):
                population.append((yield from self._mutate(memory)))
            good, bad = (experience, bad) if self.best is not before else (good, experience)
            untried = [each for each in by_rank(population) if each.hash not in tuned]
            if untried:
                tuned.add(untried[0].hash)
                best = yield from self._harmony(untried[0])
                population += [best] if best is not None else []

    # -- requests ------------------------------------------------------------------------------------------------------

    def _first(self, persona: str) -> Steps:
        system = f"You are {persona}, and an expert in heuristics. You answer with Python code in one fenced block."
        text = f"{about(self.task)}\n\nA plain version:\n\n{block(self.reference.source)}\n\nWrite a better one. {CODE}"
        return (yield from self.child(text, "init", [self.reference], system))

    def _flash(self, pairs: Sequence[tuple[Individual, Individual]]) -> tuple[str, str]:
        """(analysis, experience) of all programs that were selected, best to worst."""
        unique = by_rank(list({each.source: each for pair in pairs for each in pair}.values()))
        shown = "\n\n".join(f"Rank {rank}:\n{block(each.source)}" for rank, each in enumerate(unique, 1))
        text = (
            f"{about(self.task)}\n\nHeuristics from the best to the worst:\n\n{shown}\n\nAnswer in two parts. "
            "Analysis: what sets neighbours in this ranking apart. "
            "Experience: what follows for better heuristics, in fewer than 60 words."
        )
        reply = self.reply(text, "flash", REFLECTOR)
        analysis, _, experience = reply.partition("Experience")
        return analysis.strip(), experience.strip(" :*\n") or reply.strip()

    def _comprehensive(self, experience: str, good: str, bad: str) -> str:
        text = (
            f"{about(self.task)}\n\nExperience now: {experience}\n\nExperience that led to a better heuristic: "
            f"{good or 'none yet'}\n\nExperience that did not: {bad or 'none yet'}\n\n"
            "Write four bullets for the next heuristics, in fewer than 100 words: keep, avoid, try, reason."
        )
        return self.reply(text, "comprehensive", REFLECTOR)

    def _cross(self, worse: Individual, better: Individual, analysis: str, memory: str) -> Steps:
        text = (
            f"{about(self.task)}\n\nA better version:\n\n{block(better.source)}\n\n"
            f"A worse version:\n\n{block(worse.source)}\n\nAnalysis: {analysis}\n\n"
            f"Advice: {memory.strip()}\n\nWrite an improved version. {CODE}"
        )
        return (yield from self.child(text, "cross", [better, worse], GENERATOR))

    def _mutate(self, memory: str) -> Steps:
        best = self.best or self.reference
        text = (
            f"{about(self.task)}\n\nAdvice: {memory.strip()}\n\nThe best version so far:\n\n{block(best.source)}\n\n"
            f"Write a mutated version by the advice. {CODE}"
        )
        return (yield from self.child(text, "mutate", [best], GENERATOR))

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _harmony(self, individual: Individual) -> Steps:
        """The best of the vectors that were tried for a program; None where the model names no ranges for it."""
        settings = self.settings
        lifted = None
        for _ in range(settings.tries):
            text = (
                f"{about(self.task)}\n\n{block(individual.source)}\n\nGive the function default parameters behind its "
                "arguments in place of its constants. Answer with two fenced blocks: the Python code, and a dictionary "
                "of (low, high) by parameter."
            )
            lifted = read_ranges(self.reply(text, "harmony", GENERATOR), self.task.function_name)
            if lifted is not None:
                break
        if lifted is None:
            return None
        source, ranges = lifted
        lows, highs = (np.array([ranges[name][end] for name in ranges]) for end in (0, 1))
        vectors = [lows + self.random.random(len(lows)) * (highs - lows) for _ in range(settings.memory)]
        members = yield from self._measured(source, list(ranges), vectors)
        for _ in range(settings.steps):
            new = lows + self.random.random(len(lows)) * (highs - lows)
            for place in range(len(new)):
                if self.random.random() < settings.considering:
                    new[place] = vectors[int(self.random.integers(len(vectors)))][place]
                    if self.random.random() < settings.adjusting:
                        step = settings.bandwidth * (highs[place] - lows[place]) * self.random.uniform(-1, 1)
                        new[place] = min(highs[place], max(lows[place], new[place] + step))
            (child,) = yield from self._measured(source, list(ranges), [new])
            scores = [float("-inf") if each.score is None else each.score for each in members]
            worst = scores.index(min(scores))
            if child.score is not None and child.score > scores[worst]:
                vectors[worst], members[worst] = new, child
        ranked = by_rank(members)
        return ranked[0] if ranked else None

    def _measured(self, source: str, names: Sequence[str], vectors: Sequence[np.ndarray]) -> Steps:
        values = [dict(zip(names, vector.tolist())) for vector in vectors]
        texts = [with_defaults(source, self.task.function_name, own) for own in values]
        return (yield from self.evaluate([Written(text) for text in texts], "harmony"))


def read_ranges(reply: str, function_name: str) -> tuple[str, dict[str, tuple[float, float]]] | None:
    """A program with parameters and the range of each, from a reply of two blocks; None where they do not fit."""
    blocks = _BLOCKS.findall(reply)
    if len(blocks) < 2:
        return None
    try:
        table = ast.literal_eval(blocks[1].strip().partition("=")[2].strip() or blocks[1].strip())
        ranges = {str(name): (float(low), float(high)) for name, (low, high) in table.items()}
        arguments = programs.find_function(programs.parse(blocks[0]), function_name).args
    except (ValueError, SyntaxError, TypeError, AttributeError, MemoryError, RecursionError, ProgramError):
        return None
    known = {argument.arg for argument in arguments.args[len(arguments.args) - len(arguments.defaults) :]}
    usable = all(np.isfinite(ends).all() and ends[0] <= ends[1] for ends in ranges.values())
    return (blocks[0], ranges) if ranges and usable and ranges.keys() <= known else None


def with_defaults(source: str, function_name: str, values: Mapping[str, float]) -> str:
    """A program whose function has other defaults for some of its parameters."""
    tree = programs.parse(source)
    arguments = programs.find_function(tree, function_name).args
    first = len(arguments.args) - len(arguments.defaults)
    for place, argument in enumerate(arguments.args[first:]):
        if argument.arg in values:
            arguments.defaults[place] = ast.Constant(float(f"{values[argument.arg]:.6g}"))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
