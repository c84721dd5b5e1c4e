"""What every program of the corpus passes: it is measured once, and there is a reason if it stays out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..evaluation import Behaviour, Evaluation
from ..programs import program_hash
from ..tasks.base import Task
from .dataset import FEATURES, PROBES
from .exclusions import Exclusions
from .workfile import WorkFile

LIMIT_S = 5.0
"""Seconds that a program of the corpus may take on `search`."""


class ProgramEvaluator(Protocol):
    """What measures programs; `lhs_hf.evaluation.Evaluator` is one. Must allow calls from several threads."""

    def evaluate(self, source: str) -> Evaluation:
        """A program on the `search` split."""

    def probe(self, source: str) -> Behaviour | None:
        """A program on the probe states; None if it does not load or end in time."""

    def close(self) -> None:
        """Release what it holds."""


TokenCounter = Callable[[str, Task], int]


def grammar_tokens(programs: Iterable[tuple[str, Task]]) -> TokenCounter:
    """A token counter by the program grammar; its vocabulary comes from `programs` (source, task), say the seeds."""
    from ..decoding.grammar import Signature, Vocabulary, encode
    from ..programs import canonical_tree

    pairs = [(source, Signature(task.function_name, tuple(task.arguments))) for source, task in programs]
    vocabulary = Vocabulary.build(pairs)

    def count(source: str, task: Task) -> int:
        return len(encode(canonical_tree(source), Signature(task.function_name, tuple(task.arguments)), vocabulary))

    return count


@dataclass(frozen=True)
class Candidate:
    """A program that is to become a row: a seed, or a variant of `parents`."""

    source: str
    canonical: str
    hash: str
    family: str
    split: str
    tier: str
    parents: tuple[str, ...]
    transforms: tuple[str, ...]
    parent_objective: float | None


class Gate:
    """Measures programs, each once, and says what is wrong with a candidate."""

    def __init__(
        self,
        task: Task,
        evaluator: ProgramEvaluator,
        work: WorkFile,
        workers: int,
        count_tokens: TokenCounter | None,
        limit_s: float,
        exclusions: Exclusions,
    ) -> None:
        self._task, self._evaluator, self._work = task, evaluator, work
        self._workers, self._count_tokens, self._limit_s = workers, count_tokens, limit_s
        self._exclusions = exclusions
        self.runtimes: dict[str, float] = {}

    def measure(self, sources: Sequence[str]) -> list[Evaluation]:
        """Evaluations in the order of the programs; each is stored before its worker begins another."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._measured, sources))

    def probe(self, sources: Sequence[str]) -> list[Behaviour]:
        """Behaviours in the order of the programs, all decisions -1 for one that does not load or end in time."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._probed, sources))

    def _measured(self, source: str) -> Evaluation:
        key = program_hash(source)
        reason = self._exclusions.reason(key)
        if reason is not None:
            return Evaluation(reason, message="left out when the corpus was first built")
        evaluation = self._work.evaluation(self._task.name, self._task.version, key)
        if evaluation is None:
            evaluation = self._evaluator.evaluate(source)
            if evaluation.status == "sandbox_error":
                raise RuntimeError(f"the evaluation of a program of {self._task.name} failed: {evaluation.message}")
            self._work.put_evaluation(self._task.name, self._task.version, key, evaluation)
        self.runtimes[key] = evaluation.runtime_s
        return evaluation

    def _probed(self, source: str) -> Behaviour:
        key = program_hash(source)
        behaviour = self._work.behaviour(self._task.name, self._task.version, key)
        if behaviour is None:
            behaviour = self._evaluator.probe(source)
            if behaviour is None:
                behaviour = Behaviour(np.full(PROBES, -1), np.full((PROBES, FEATURES), np.nan, dtype=np.float32))
            self._work.put_behaviour(self._task.name, self._task.version, key, behaviour)
        return behaviour

    def tokens(self, source: str) -> int | None:
        """Length in decoder tokens. Raises `ValueError` for a program that the decoder can not write."""
        return None if self._count_tokens is None else self._count_tokens(source, self._task)

    def refusal(self, candidate: Candidate, evaluation: Evaluation) -> str | None:
        """Why an evaluated candidate stays out, or None."""
        if evaluation.status != "ok" or evaluation.objective is None:
            self._exclusions.note(candidate.hash, evaluation.status)
            return evaluation.status
        if evaluation.runtime_s > self._limit_s and not self._exclusions.settled:
            self._exclusions.note(candidate.hash, "slow")
            return "slow"
        parent = candidate.parent_objective if candidate.tier == "a" else None
        if parent is not None and not np.isclose(evaluation.objective, parent, rtol=1e-9, atol=0.0):
            return "changed"
        return None
