"""The augmentation stream as training data: fresh variants of training families with what they do on the probes.

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

from ..corpus.augmentation import Variant, stream_variants
from ..corpus.seeds_io import Seed
from ..evaluation import Evaluator
from ..evaluation.behaviour import FEATURE_WIDTH, PROBE_COUNT
from ..programs import canonical, program_hash

MOST_ERRORS = 0.05
TIER_WEIGHTS = (0.25, 0.3, 0.45)
"""How often tiers a, b and c are drawn: variants that decide differently teach more than those that only look so."""

CROSSOVER_SHARE = 0.5
_BATCH = 64


@dataclass(frozen=True)
class StreamedVariant:
    """A variant with its behaviour, (64, 8) float32 with NaN rows for failed probes, and the program it was made of."""

    task: str
    program: str
    parent: str
    family: str
    behaviour: np.ndarray


def collect_variants(task: str, seeds: Sequence[Seed], count: int, seed: int, path: Path) -> int:
    """Stream `count` distinct variants of `seeds` that run on the probes into a Parquet file; returns how many.

    Does nothing if the file is complete. The same arguments give the same file.
    """
    if path.is_file():
        return pq.read_metadata(path).num_rows
    seen = {program_hash(entry.source) for entry in seeds}
    rows: list[dict[str, object]] = []
    stream = stream_variants(
        seeds, np.random.default_rng(seed), tier_weights=TIER_WEIGHTS, crossover_share=CROSSOVER_SHARE
    )
    with Evaluator(task) as evaluator:
        while len(rows) < count:
            batch: list[Variant] = []
            while len(batch) < _BATCH:
                variant = next(stream)
                identity = program_hash(variant.source)
                if identity not in seen:
                    seen.add(identity)
                    batch.append(variant)
            for variant, found in zip(batch, evaluator.probe_many([variant.source for variant in batch])):
                if found is not None and found.error_rate <= MOST_ERRORS and len(rows) < count:
                    rows.append(
                        {
                            "task": task,
                            "program": canonical(variant.source),
                            "parent": canonical(variant.parent_source),
                            "family": variant.family,
                            "behaviour": found.features.ravel().tolist(),
                        }
                    )
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    pq.write_table(pa.Table.from_pylist(rows), temporary)
    os.replace(temporary, path)
    return len(rows)


def read_variants(path: Path) -> list[StreamedVariant]:
    """The variants of a file that `collect_variants` wrote."""
    table = pq.read_table(path).to_pylist()
    shape = (PROBE_COUNT, FEATURE_WIDTH)
    return [
        StreamedVariant(
            row["task"],
            row["program"],
            row["parent"],
            row["family"],
            np.asarray(row["behaviour"], dtype=np.float32).reshape(shape),
        )
        for row in table
    ]
