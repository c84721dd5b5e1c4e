"""Programs to learn from where a person has none: edits of the reference and programs of like tasks, scored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from .. import programs
from ..corpus.own import ScoredProgram, write_own_corpus
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..evaluation.cache import EvaluationCache
from ..evaluation.workers import checked_workers
from ..methods import Result
from ..methods.hill_climbing import ClimbSettings, HillClimbing
from ..search.edits import Behaviours, NewRule, Parent
from ..search.edits.transfer import transfers
from ..tasks.base import Task

COUNT, SECONDS = 150, 150.0
"""Programs that are made, and how long that may take: what is there by then is taken."""

_BATCH = 8
_ANEW = ("new_rule", "choose_by")


def first_programs(
    evaluator: Evaluator,
    count: int = COUNT,
    seconds: float = SECONDS,
    seed: int = 0,
    on_program: Callable[[int], None] | None = None,
) -> list[ScoredProgram]:
    """Up to `count` programs of the evaluator's task that run, good and bad ones, with what `search` says of them.

    Parents are drawn by rank from all programs so far. A family is what descends from one program that was written
    anew. `on_program` is called with their number as it grows. Raises `CallError` if the reference program fails.
    """
    task = evaluator.task
    ends = time.monotonic() + seconds
    scored: dict[str, ScoredProgram] = {}

    def keep(source: str, evaluation: Evaluation, family: str) -> None:
        if evaluation.ok:
            scored[programs.program_hash(source)] = ScoredProgram(source, evaluation, family)
            if on_program is not None:
                on_program(len(scored))

    behaviours = Behaviours(evaluator, practice=False)
    known = transfers(task, behaviours)
    reference = Parent(task.template, programs.program_hash(task.template), "reference", 0.0)
    starts: list[Parent] = []
    texts = [reference, *known]
    for each, evaluation in zip(texts, evaluator.evaluate_many(parent.source for parent in texts)):
        keep(each.source, evaluation, each.family)
        if evaluation.score is not None:
            starts.append(Parent(each.source, each.hash, each.family, evaluation.score))
        elif each is reference:
            raise CallError(f"the reference program of {task.name} fails: {evaluation.status}: {evaluation.message}")
    first = "new_rule" if NewRule.applies(task) else "choose_by"
    shares = {first: 0.3, "literals": 0.2, "transform": 0.3, "crossover": 0.2}
    climb = HillClimbing(task, starts, ClimbSettings(seed, count, shares), behaviours)
    while len(scored) < count and time.monotonic() < ends:
        proposals = climb.ask(_BATCH)
        if not proposals:
            break
        evaluations = list(evaluator.evaluate_many(proposal.source for proposal in proposals))
        climb.tell([Result(proposal, each.score) for proposal, each in zip(proposals, evaluations)])
        for proposal, evaluation in zip(proposals, evaluations):
            own = programs.program_hash(proposal.source)
            begun = proposal.operator in _ANEW or not proposal.parents
            keep(proposal.source, evaluation, own if begun else _family(scored, proposal.parents, own))
    return list(scored.values())


def first_corpus(
    task: Task,
    folder: Path,
    seed: int = 0,
    cluster: str | None = None,
    on_program: Callable[[int], None] | None = None,
) -> int:
    """Write a corpus of first programs of `task` to `folder`; returns how many there are.

    `cluster`: a Ray cluster that evaluates them, and None for this machine. Raises what `first_programs` and
    `write_own_corpus` raise.
    """
    workers = checked_workers(None, cluster)
    with EvaluationCache() as cache, Evaluator(task, workers=workers, cache=cache, cluster=cluster) as evaluator:
        scored = first_programs(evaluator, seed=seed, on_program=on_program)
        return write_own_corpus(task, scored, evaluator, folder)


def _family(scored: dict[str, ScoredProgram], parents: Iterable[str], own: str) -> str:
    """That of the first parent that is known, else its own."""
    return next((scored[parent].family for parent in parents if parent in scored), own)
