"""Growing the corpus with a language model: new ideas, or the paper's three kinds of rewriting (appendix B).

What comes back passes the gate every program of the corpus passes: it parses, has the task's function, can be written
by the decoder, is new, runs on `search` and on the probe states. Every reply is stored before the next is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import programs
from ..decoding.prompts import prompt_text
from ..errors import CallError, unknown
from ..evaluation import Evaluator, Limits
from ..language import Calls, LanguageModel, Reply, Request
from ..language.model import Message
from ..tasks.base import Task
from .dataset import CorpusRow, load_corpus, write_rows
from .gate import LIMIT_S, TokenCounter
from .identity import skeleton

KINDS: dict[str, str] = {
    "seed": "Find an idea that none of the programs below uses. Name it in a docstring of one sentence.",
    "a": "Rewrite the program below so that it makes exactly the same decisions: other names, other constructs "
    "(loops, comprehensions, NumPy), another order of independent statements.",
    "b": "Rewrite the program below with other numbers: constants, weights, thresholds, how many candidates it keeps.",
    "c": "Rewrite the program below so that it decides differently: another tie-break, aggregation, or combination "
    "of terms.",
}
_SHOWN = 4


@dataclass
class GenerationReport:
    """What became of the requests: `accepted`, and the others by reason. `rows` are all accepted programs."""

    asked: int = 0
    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    rows: list[CorpusRow] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"asked": self.asked, "accepted": self.accepted, "refused": dict(sorted(self.refused.items()))}


def request_text(task: Task, kind: str, shown: Sequence[str]) -> str:
    """The message for one request: what to do, the programs it is about, the interface."""
    code = "\n\n".join(f"```python\n{program.strip()}\n```" for program in shown)
    return f"{KINDS[kind]}\n\n{code}\n\n{prompt_text(task, 'task')}"


@dataclass(frozen=True)
class GenerationParts:
    """What else programs are asked for with.

    Attributes:
        corpus: the programs to show, and to be different from; None takes the corpus that ships. Only the training
            families are shown or rewritten, and everything that is made belongs to `train`.
        count_tokens: as for `build_corpus`.
        workers: programs that are measured at the same time.
        temperature, max_tokens: of the sampling, and of the longest answer.
    """

    corpus: Sequence[CorpusRow] | None = None
    count_tokens: TokenCounter | None = None
    workers: int = 1
    temperature: float = 0.8
    max_tokens: int = 1200

    def request(self, text: str, kind: str, seed: int) -> Request:
        """A request of one user message."""
        message: Message = {"role": "user", "content": text}
        return Request((message,), kind, seed, self.temperature, 1.0, self.max_tokens)


def generate(
    task: Task,
    model: LanguageModel,
    kind: str,
    count: int,
    output: Path,
    seed: int = 0,
    progress: Callable[[GenerationReport], None] | None = None,
    **parts: Any,
) -> GenerationReport:
    """Ask `count` times for a program and keep those that pass the gate.

    Args:
        kind: "seed", or the tier of a rewriting: "a", "b", "c".
        output: folder of the run; accepted rows go to `<task>/<split>-00000.parquet` in it, in the corpus' schema.
            An interrupted run goes on there.
        progress: called after each answer.
        parts: see `GenerationParts`.

    Raises `CallError` for a wrong call, `ModelError` if the model does not answer; what was answered is kept.
    """
    if kind not in KINDS:
        raise unknown("kind of request", kind, KINDS)
    if count < 1:
        raise CallError(f"the number of requests must be at least 1, got {count}")
    using = GenerationParts(**parts)
    known = load_corpus(task.name) if using.corpus is None else list(using.corpus)
    parents = [row for row in known if row.split == "train"]
    if not parents:
        raise CallError(f"there is no training program of {task.name} to show to the model")
    report = GenerationReport()
    gate = _Gate(task, kind, known, using.count_tokens)
    limits = Limits(wall_s=2 * LIMIT_S, cpu_s=LIMIT_S)
    try:
        with (
            Calls(output / "calls.sqlite") as calls,
            Evaluator(task, workers=using.workers, limits=limits) as evaluator,
        ):
            for number in range(count):
                generator = np.random.default_rng([seed, number])
                chosen = generator.choice(
                    len(parents), min(_SHOWN if kind == "seed" else 1, len(parents)), replace=False
                )
                shown = [parents[int(index)] for index in chosen]
                text = request_text(task, kind, [row.program for row in shown])
                request = using.request(text, kind, int(generator.integers(2**31)))
                reply = calls.begin(number, request)
                if reply is None:
                    (reply,) = model.replies([request])
                    calls.end({number: reply})
                report.asked += 1
                judged = gate.judge(reply, shown, evaluator)
                if isinstance(judged, str):
                    report.refused[judged] += 1
                else:
                    report.accepted += 1
                    report.rows.append(judged)
                if progress is not None:
                    progress(report)
    finally:
        if report.rows:
            write_rows(report.rows, output / task.name / "train-00000.parquet")
    return report


class _Gate:
    """Turns a reply into a row, or into the reason why there is none."""

    def __init__(self, task: Task, kind: str, known: Sequence[CorpusRow], count_tokens: TokenCounter | None) -> None:
        self._task, self._kind, self._count_tokens = task, kind, count_tokens
        self._hashes = {row.hash for row in known}
        self._ideas = {skeleton(row.program) for row in known if row.tier == "seed"} if kind == "seed" else set()

    def judge(self, reply: Reply, shown: Sequence[CorpusRow], evaluator: Evaluator) -> CorpusRow | str:
        source = programs.extract(reply.text).strip() + "\n"
        try:
            tree = programs.parse(source)
            programs.check_signature(tree, self._task.function_name, len(self._task.arguments))
            key = programs.program_hash(source)
        except programs.ProgramError as error:
            # Cut off in the middle, a program seldom parses; prose never does.
            return "truncated" if reply.truncated else "refusal" if "def " not in reply.text else error.kind
        if key in self._hashes:
            return "duplicate"
        idea = skeleton(source) if self._kind == "seed" else ""
        if idea and idea in self._ideas:
            return "same idea"
        try:
            tokens = self._count_tokens(source, self._task) if self._count_tokens is not None else None
        except ValueError:
            return "unsupported"
        result = evaluator.evaluate(source)
        if not result.ok or result.objective is None or result.score is None:
            return result.status
        if self._kind == "a" and not np.isclose(result.objective, shown[0].objective, rtol=1e-9, atol=0.0):
            return "changed"
        behaviour = evaluator.probe(source)
        if behaviour is None:
            return "probes"
        self._hashes.add(key)
        self._ideas.add(idea)
        rewritten = self._kind != "seed"
        return CorpusRow(
            task=self._task.name,
            program=source,
            canonical=programs.canonical(source),
            hash=key,
            family=shown[0].family if rewritten else f"llm_{key[:12]}",
            split="train",
            tier=self._kind,
            parents=(shown[0].hash,) if rewritten else (),
            transforms=("language_model",),
            objective=result.objective,
            score=result.score,
            objectives=result.objectives,
            tokens=tokens,
            decisions=behaviour.decisions,
            behaviour=behaviour.features,
        )


__all__ = ["KINDS", "GenerationReport", "generate", "request_text"]
