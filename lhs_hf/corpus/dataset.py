"""Reading the corpus: Parquet files, one a task and split, as plain rows. Needs pyarrow only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

DATA_FOLDER = Path(__file__).parent / "data"
SPLITS = ("train", "validation", "test")
PROBES = 64
FEATURES = 8


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

    Raises `ValueError` for an unknown split and `FileNotFoundError` for a task that the folder does not hold.
    """
    if split is not None and split not in SPLITS:
        raise ValueError(f"the corpus has no split {split!r}; it has: {', '.join(SPLITS)}")
    known = corpus_tasks(folder)
    if not known or (task is not None and task not in known):
        found = f"it holds: {', '.join(known)}" if known else "it holds no corpus; make one with: lhs-hf corpus build"
        raise FileNotFoundError(f"{folder} has no programs of {task or 'any task'}; {found}")
    rows: list[CorpusRow] = []
    for name in [task] if task is not None else known:
        for part in [split] if split is not None else SPLITS:
            path = Path(folder) / name / f"{part}-00000.parquet"
            if path.exists():
                rows += read_rows(path)
    return rows


def read_rows(path: Path) -> list[CorpusRow]:
    """The rows of one Parquet file."""
    import pyarrow.parquet as parquet

    return [_row(record) for record in parquet.ParquetFile(path).read().to_pylist()]


def _row(record: dict) -> CorpusRow:
    record["parents"] = tuple(record["parents"])
    record["transforms"] = tuple(record["transforms"])
    record["objectives"] = tuple(record["objectives"])
    record["decisions"] = np.asarray(record["decisions"], dtype=np.int64)
    record["behaviour"] = np.asarray(record["behaviour"], dtype=np.float32).reshape(-1, FEATURES)
    return CorpusRow(**record)


def write_rows(rows: list[CorpusRow], path: Path) -> None:
    """Write rows as one Parquet file; equal rows give equal bytes. The file appears whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    text, texts = pa.string(), pa.list_(pa.string())
    schema = pa.schema(
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
    columns = {name: [_plain(getattr(row, name)) for row in rows] for name in schema.names}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".partial")
    parquet.write_table(pa.table(columns, schema=schema), temporary, compression="zstd")
    temporary.replace(path)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.ravel().tolist()
    return list(value) if isinstance(value, tuple) else value
