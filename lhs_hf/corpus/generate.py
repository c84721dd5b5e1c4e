"""Growing the corpus with a language model: new ideas, or the paper's three kinds of rewriting (appendix B).

What comes back passes the gate every program of the corpus passes: it parses, has the task's function, can be written
by the decoder, is new, runs on `search` and on the probe states. Every reply is stored before the next is asked for.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from .. import programs
from ..decoding.prompts import prompt_text
from ..errors import CallError, unknown
from ..evaluation import Evaluator, Limits
from ..opening.files import parse_json
from ..opening.text import one_line
from ..store import Store, Table
from ..tasks.base import Task
from .dataset import CorpusRow, load_corpus, write_rows
from .gate import LIMIT_S, TokenCounter
from .identity import skeleton
from .llm import LLM, LLMError, Reply

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


class _Replies(Store):
    """Replies in a SQLite file by request number, so that an interrupted run asks for none of them again."""

    kind = "a file of replies"
    tables: ClassVar = {
        "run": Table({"identity": "TEXT NOT NULL"}),
        "replies": Table({"number": "INTEGER PRIMARY KEY", "reply": "TEXT NOT NULL"}),
    }

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        self._identity = json.dumps(identity)
        super().__init__(path)

    def _make(self, connection: sqlite3.Connection) -> None:
        super()._make(connection)
        stored = connection.execute("SELECT identity FROM run").fetchone()
        if stored is None:
            connection.execute("INSERT INTO run VALUES (?)", (self._identity,))
        elif stored[0] != self._identity:
            other = one_line(stored[0])
            raise CallError(f"{self.path.parent} holds another run: {other}; choose another folder, or resume that run")

    def get(self, number: int) -> Reply | None:
        with self._reading():
            row = self._connection.execute("SELECT reply FROM replies WHERE number=?", (number,)).fetchone()
            if row is None:
                return None
            stored = parse_json(row[0], f"{self.name}: reply {number}") if isinstance(row[0], str) else {}
            if not isinstance(stored.get("text"), str) or stored.keys() - {each.name for each in fields(Reply)}:
                raise CallError(f"{self.name}: reply {number} is none of a language model")
            return Reply(**stored)

    def put(self, number: int, reply: Reply) -> None:
        self._connection.execute("INSERT INTO replies VALUES (?, ?)", (number, json.dumps(asdict(reply))))


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
    """

    corpus: Sequence[CorpusRow] | None = None
    count_tokens: TokenCounter | None = None
    workers: int = 1


def generate(
    task: Task,
    llm: LLM,
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

    Raises `CallError` for a wrong call, `LLMError` if the model does not answer; what was answered is kept.
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
    identity = {"task": task.name, "kind": kind, "seed": seed, "llm": llm.name}
    gate = _Gate(task, kind, known, using.count_tokens)
    limits = Limits(wall_s=2 * LIMIT_S, cpu_s=LIMIT_S)
    try:
        with (
            _Replies(output / "replies.sqlite", identity) as replies,
            Evaluator(task, workers=using.workers, limits=limits) as evaluator,
        ):
            for number in range(count):
                generator = np.random.default_rng([seed, number])
                chosen = generator.choice(
                    len(parents), min(_SHOWN if kind == "seed" else 1, len(parents)), replace=False
                )
                shown = [parents[int(index)] for index in chosen]
                reply = replies.get(number)
                if reply is None:
                    text = request_text(task, kind, [row.program for row in shown])
                    reply = llm.reply(text, int(generator.integers(2**31)))
                    replies.put(number, reply)
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


__all__ = ["KINDS", "GenerationReport", "LLMError", "generate", "request_text"]
