"""Programs that descend from one another by edits, with what they do on the probes: where edits are learned from.

Needs neither torch nor transformers, so that worker processes start fast.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..corpus.augmentation import transform_names
from ..corpus.dataset import CorpusRow
from ..evaluation import Evaluator
from ..evaluation.behaviour import FEATURE_WIDTH, PROBE_COUNT
from ..programs import canonical, program_hash
from ..search.edits import Crossover, Edit, Parent, edits
from ..tasks.base import Task

OPERATORS = {
    "transform": 0.47,
    "transforms": 0.15,
    "literals": 0.17,
    "same_value": 0.03,
    "sizes": 0.04,
    "graft": 0.12,
    "choose_by": 0.02,
}
"""How often each edit makes the next program."""

MOST_ERRORS = 0.05
FRESH_SHARE = 0.5
"""How often the parent is a program of the corpus; else it is any program that has been made so far."""

DEEPEST = 3
"""Edits between a program and the corpus, at most."""

_SCHEMA = pa.schema(
    [
        ("task", pa.string()),
        ("program", pa.string()),
        ("family", pa.string()),
        ("operator", pa.string()),
        ("parent", pa.int32()),
        ("score", pa.float64()),
        ("decisions", pa.list_(pa.int16())),
        ("behaviour", pa.list_(pa.float32())),
    ]
)


@dataclass(frozen=True, eq=False)
class EditedProgram:
    """A program in canonical form and where it comes from.

    `parent` is the number of the program that it was made of, in the same file, -1 for one of the corpus (`operator`
    "corpus"). `score` is that on the `search` split, NaN where it is not known. `decisions` int64 (64,) and `behaviour`
    float32 (64, 8) are as in the corpus.
    """

    task: str
    program: str
    family: str
    operator: str
    parent: int
    score: float
    decisions: np.ndarray
    behaviour: np.ndarray


def collect_programs(task: Task, rows: Sequence[CorpusRow], count: int, seed: int, path: Path) -> int:
    """Put the rows and `count` distinct programs that edits make of them into a Parquet file; returns how many.

    Give rows of one split only: crossovers take their partners from them too. Programs that fail on more than
    `MOST_ERRORS` of the probes are left out. Does nothing if the file is complete; the same arguments give the same
    file.
    """
    if path.is_file():
        return int(pq.read_metadata(path).num_rows)
    generator = np.random.default_rng(seed)
    records = [_of_corpus(row) for row in rows]
    parents = [Parent.of(row.program, row.family, row.score) for row in rows]
    depths = [0] * len(rows)
    known = {parent.hash for parent in parents}
    # The other crossovers write the whole of a second program, which is no edit.
    graft = Crossover({name: float(name == "graft_score") for name in transform_names()["crossover"]})
    operators: dict[str, Edit] = {**edits(), "graft": graft}
    pool, total = list(parents), len(rows) + count
    with Evaluator(task) as evaluator:
        while len(records) < total:
            number = _draw_parent(len(rows), depths, generator)
            edit = operators[str(generator.choice(list(OPERATORS), p=list(OPERATORS.values())))]
            record = _child(edit, parents[number], pool, evaluator, known, generator)
            if record is None:
                continue
            records.append({**record, "parent": number})
            child = Parent.of(str(record["program"]), str(record["family"]), 0.0)
            parents.append(child)
            depths.append(depths[number] + 1)
            known.add(child.hash)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    pq.write_table(pa.Table.from_pylist(records, schema=_SCHEMA), temporary, compression="zstd")
    os.replace(temporary, path)
    return len(records)


def _draw_parent(fresh: int, depths: Sequence[int], generator: np.random.Generator) -> int:
    while generator.random() >= FRESH_SHARE:
        number = int(generator.integers(len(depths)))
        if depths[number] < DEEPEST:
            return number
    return int(generator.integers(fresh))


def _child(
    edit: Edit,
    parent: Parent,
    pool: Sequence[Parent],
    evaluator: Evaluator,
    known: set[str],
    generator: np.random.Generator,
) -> dict[str, object] | None:
    """A new program that runs; None if this draw makes none."""
    proposal = edit.propose(parent, pool, evaluator.task, generator)
    if proposal is None or program_hash(proposal.source) in known:
        return None
    behaviour = evaluator.probe(proposal.source)
    if behaviour is None or behaviour.error_rate > MOST_ERRORS:
        return None
    return {
        "task": evaluator.task.name,
        "program": canonical(proposal.source),
        "family": proposal.family,
        "operator": edit.name,
        "score": float("nan"),
        "decisions": behaviour.decisions.tolist(),
        "behaviour": behaviour.features.ravel().tolist(),
    }


def _of_corpus(row: CorpusRow) -> dict[str, object]:
    return {
        "task": row.task,
        "program": row.canonical,
        "family": row.family,
        "operator": "corpus",
        "parent": -1,
        "score": row.score,
        "decisions": row.decisions.tolist(),
        "behaviour": row.behaviour.ravel().tolist(),
    }


def read_programs(path: Path) -> list[EditedProgram]:
    """The programs of a file that `collect_programs` wrote, in order."""
    shape = (PROBE_COUNT, FEATURE_WIDTH)
    programs = []
    for record in pq.read_table(path).to_pylist():
        record["decisions"] = np.asarray(record["decisions"], dtype=np.int64)
        record["behaviour"] = np.asarray(record["behaviour"], dtype=np.float32).reshape(shape)
        programs.append(EditedProgram(**record))
    return programs
