"""Reading the corpus: Parquet files, one a task and split, as plain rows. Needs pyarrow only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import CallError
from ..opening.folders import replacing
from ..opening.text import one_line

if TYPE_CHECKING:
    import pyarrow as pa

DATA_FOLDER = Path(__file__).parent / "data"
SPLITS = ("train", "validation", "test")
PROBES = 64
FEATURES = 8
TEXT_CHARACTERS = 2**18


@dataclass(frozen=True, eq=False)
class CorpusRow:
    """One program and what it does.

    `program` is the text, `canonical` its form without layout, docstrings and annotations, `hash` the identity of
    that form. `family` names the seed it descends from; a family lies in one `split` only. `tier` is "seed", "a"
    (same decisions, other text), "b" (other numbers) or "c" (another algorithm); `parents` are hashes, `transforms`
    names of what was done to the first parent. `objective` and `objectives` (one an instance) are on the `search`
    split of the task, `score` is the objective turned so that higher is better. `tokens` counts grammar actions.
    `decisions` int64 (64,) and `behaviour` float32 (64, 8) are the choices on the task's probe states and their
    natural features, -1 and NaN where the program failed.
    """

    task: str
    program: str
    canonical: str
    hash: str
    family: str
    split: str
    tier: str
    parents: tuple[str, ...]
    transforms: tuple[str, ...]
    objective: float
    score: float
    objectives: tuple[float, ...]
    tokens: int | None
    decisions: np.ndarray
    behaviour: np.ndarray


def corpus_tasks(folder: str | Path = DATA_FOLDER) -> tuple[str, ...]:
    """Names of the tasks that a corpus folder holds, in alphabetical order."""
    return tuple(sorted({path.parent.name for path in Path(folder).glob("*/*-00000.parquet")}))


def load_corpus(task: str | None = None, split: str | None = None, folder: str | Path = DATA_FOLDER) -> list[CorpusRow]:
    """The rows of one task or of all, of one split or of all (train, validation, test), in stored order.

    Raises `ValueError` for an unknown split, `FileNotFoundError` for a task that the folder does not hold, and
    `CallError` for files that are damaged, too large, or of other columns.
    """
    if split is not None and split not in SPLITS:
        raise ValueError(f"the corpus has no split {split!r}; it has: {', '.join(SPLITS)}")
    known = corpus_tasks(folder)
    if not known or (task is not None and task not in known):
        found = f"it holds: {', '.join(known)}" if known else "it holds no corpus; make one with: lhs-hf corpus build"
        raise FileNotFoundError(f"{folder} has no programs of {task or 'any task'}; {found}")
    names = [task] if task is not None else known
    parts = [split] if split is not None else SPLITS
    paths = [Path(folder) / name / f"{part}-00000.parquet" for name in names for part in parts]
    return _read_files([path for path in paths if path.exists()])


def read_rows(path: Path) -> list[CorpusRow]:
    """The rows of one Parquet file. Raises `CallError` for one that is damaged, too large, or no file of a corpus."""
    return _read_files([path])


def _read_files(paths: Sequence[Path]) -> list[CorpusRow]:
    """The rows of some files, in order: those that ship are read here, any other by a process of its own."""
    if all(path.is_relative_to(DATA_FOLDER) for path in paths):
        import pyarrow.parquet as parquet

        batches: Iterable[pa.RecordBatch] = (
            batch for path in paths for batch in parquet.ParquetFile(path).read().to_batches()
        )
    else:
        from ..opening.tables import read_batches

        batches = read_batches(paths, _schema())
    return [_row(record) for batch in batches for record in batch.to_pylist()]


def _row(record: dict) -> CorpusRow:
    problem = _wrong(record)
    if problem is not None:
        raise CallError(
            f"program {one_line(record['hash'], 80)!r} of the corpus of {one_line(record['task'], 80)!r} {problem}"
        )
    record["parents"] = tuple(record["parents"])
    record["transforms"] = tuple(record["transforms"])
    record["objectives"] = tuple(record["objectives"])
    record["decisions"] = np.asarray(record["decisions"], dtype=np.int64)
    record["behaviour"] = np.asarray(record["behaviour"], dtype=np.float32).reshape(-1, FEATURES)
    return CorpusRow(**record)


def _wrong(record: dict) -> str | None:
    """What is wrong with a row of somebody's corpus, None if nothing is."""
    for name, value in record.items():
        if value is None and name != "tokens":
            return f"has no {name}"
        if isinstance(value, str) and len(value) > TEXT_CHARACTERS:
            return f"has a {name} of {len(value)} characters, at most {TEXT_CHARACTERS} are expected"
        if isinstance(value, list) and None in value:
            return f"has an empty place in {name}"
    if record["split"] not in SPLITS:
        return f"belongs to the split {one_line(record['split'], 40)!r}, expected one of {', '.join(SPLITS)}"
    if not all(map(math.isfinite, (record["objective"], record["score"], *record["objectives"]))):
        return "has an objective or score that is no finite number"
    sizes = len(record["decisions"]), len(record["behaviour"])
    if sizes != (PROBES, PROBES * FEATURES):
        return f"has {sizes[0]} decisions and {sizes[1]} features, expected {PROBES} and {PROBES * FEATURES}"
    return None


def _schema() -> pa.Schema:
    """The columns of a corpus file."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    return pa.schema(
        [
            ("task", text),
            ("program", text),
            ("canonical", text),
            ("hash", text),
            ("family", text),
            ("split", text),
            ("tier", text),
            ("parents", texts),
            ("transforms", texts),
            ("objective", pa.float64()),
            ("score", pa.float64()),
            ("objectives", pa.list_(pa.float64())),
            ("tokens", pa.int32()),
            ("decisions", pa.list_(pa.int16())),
            ("behaviour", pa.list_(pa.float32())),
        ]
    )


def write_rows(rows: list[CorpusRow], path: Path) -> None:
    """Write rows as one Parquet file; equal rows give equal bytes. The file appears whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    schema = _schema()
    columns = {name: [_plain(getattr(row, name)) for row in rows] for name in schema.names}
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        parquet.write_table(pa.table(columns, schema=schema), temporary, compression="zstd")


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.ravel().tolist()
    return list(value) if isinstance(value, tuple) else value
