"""The programs that a search starts from, and the one of the corpus that it is compared with."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from .. import programs
from ..corpus.dataset import corpus_tasks, load_corpus
from ..errors import CallError
from ..program_files import programs_in
from ..tasks.base import Task
from ..tasks.own_names import kept_apart
from .database import Candidate
from .settings import AUTO, INITS, SearchSettings

FAMILIES = 8
"""Families of the corpus that a portfolio starts from."""


@dataclass(frozen=True)
class Start:
    """A program to start from: "reference", "corpus" or "own", its text, and the idea it belongs to."""

    role: str
    source: str
    family: str


def portfolio_starts(task: Task, init: str, families: int = FAMILIES, ordered: bool = True) -> list[Start]:
    """The reference, and with `init="corpus"` the best *training* program of each of the best families.

    With the path of programs all of those that differ. Families are in the order of what their best is worth on fresh
    training instances (`scripts/corpus_starts.py`), or on `search` where that is not known and unless `ordered`.

    "auto" takes the corpus if the task is one of the package's that it holds. A family whose best decides on the probe
    states like one taken before is passed over. Raises `CallError` for a task that the corpus does not hold.
    """
    starts = [Start("reference", task.template, "reference")]
    if init not in (AUTO, *INITS):
        return [*starts, *own_programs(task, Path(init))]
    if init == AUTO:
        init = "corpus" if not task.digest and task.name in corpus_tasks() else "reference"
    if init != "corpus":
        return starts
    try:
        rows = sorted(load_corpus(task.name, "train"), key=lambda row: (-row.score, row.hash))
    except FileNotFoundError as problem:
        raise CallError(f"{problem}; or use --init reference") from None
    known = _measured(task) if ordered else {}
    rows.sort(key=lambda row: known.get(row.hash, math.inf))
    taken: set[str] = set()
    decisions: set[bytes] = set()
    for row in rows:
        if len(starts) > families or row.family in taken:
            continue
        taken.add(row.family)
        if row.decisions.tobytes() not in decisions:
            starts.append(Start("corpus", row.program, row.family))
        decisions.add(row.decisions.tobytes())
    return starts


def _measured(task: Task) -> dict[str, float]:
    """What programs of the corpus are worth on fresh training instances, lower is better, by hash."""
    path = resources.files("lhs_hf.corpus") / "data" / "starts.json"
    programs_ = json.loads(path.read_text("utf-8")).get(task.name, {}).get("programs", {})
    return {identity: -task.alpha * float(each["objective"]) for identity, each in programs_.items()}


def stored_starts(candidates: Iterable[Candidate]) -> list[Start]:
    """What a portfolio that is resumed started from, whatever has become of the files since."""
    return [Start(each.role, each.program, each.family) for each in candidates if each.round == 0]


def starting_candidates(starts: Sequence[Start]) -> list[Candidate]:
    """The candidates that a portfolio begins with, in their order."""
    return [
        Candidate(
            number,
            0,
            start.role,
            start.source,
            program_hash=programs.program_hash(start.source),
            operator=start.role,
            family=start.family,
        )
        for number, start in enumerate(starts)
    ]


def starting_programs(task: Task, settings: SearchSettings) -> list[tuple[str, str]]:
    """(role, source) of the programs a search starts from: the reference, and with `init="corpus"` the best rows.

    The best *training* programs of the corpus are taken, one for each objective: the families of its other splits stay
    unseen.
    """
    starts = [("reference", task.template)]
    if settings.init not in (AUTO, *INITS):
        return [*starts, *((each.role, each.source) for each in own_programs(task, Path(settings.init)))]
    if settings.init == "corpus":
        try:
            rows = load_corpus(task.name, "train")
        except FileNotFoundError as problem:
            raise CallError(f"{problem}; or use --init reference") from None
        rows = sorted(rows, key=lambda row: (-row.score, row.hash))
        seen: set[float] = set()
        for row in rows:
            if row.objective not in seen and len(seen) < settings.pool:
                seen.add(row.objective)
                starts.append(("corpus", row.program))
    return starts


def own_programs(task: Task, path: Path) -> list[Start]:
    """Programs of one's own as starts, each a family: a file, a folder or JSON lines (`programs_in`).

    Those of equal text count once, and the reference not at all. Raises `CallError` for a path without programs and for
    the first that is no program of the task.
    """
    known = {programs.program_hash(task.template)}
    starts = []
    for name, source in programs_in(path):
        try:
            programs.check_signature(programs.parse(source), task.function_name, len(task.arguments))
        except programs.ProgramError as problem:
            raise CallError(f"{name} is no program of {task.name}: {problem}") from None
        if task.digest:
            source = kept_apart(source, task.function_name)[0]
        identity = programs.program_hash(source)
        if identity not in known:
            known.add(identity)
            starts.append(Start("own", source, f"own-{identity[:12]}"))
    if not starts:
        raise CallError(f"{path} has no program of {task.name} besides the reference")
    return starts


def best_corpus_row(task: Task) -> Any:
    """The corpus row with the best score on `search`, all splits of families together; None without a corpus."""
    try:
        rows = load_corpus(task.name)
    except FileNotFoundError:
        return None
    return max(rows, key=lambda row: (row.score, row.hash), default=None)
