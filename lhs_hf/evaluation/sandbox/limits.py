"""Limits of one evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from ...programs import MAX_SOURCE_BYTES
from ...tasks.base import FreshSplit, Task

SHORTEST_PROBING_S = 2.0
SLOWER_PROBING = 100.0
"""What takes so many times as long as the reference on its small states is too slow to be searched."""


@dataclass(frozen=True)
class Limits:
    """What one program may use. Raises `ValueError` unless every limit is positive.

    `wall_s`: seconds for the whole split, None for `patience` times the task's own limit (`Task.time_limit`). `cpu_s`:
    processor seconds for the whole split, None where the wall limit is to end a program first, unless the split counts
    processor time (`FreshSplit.processor_time`; the wall limit is then four times as long). `memory_mb`: MiB of address
    space beyond the interpreter's own. `output_bytes`: bytes a program's process may send in all; solutions and
    decisions count. `source_bytes`: size of the program text in UTF-8. `probe_s`: wall seconds for all probe states at
    most (`probing`).
    """

    wall_s: float | None = None
    patience: float = 1.0
    cpu_s: float | None = None
    memory_mb: int = 2048
    output_bytes: int = 64 * 2**20
    source_bytes: int = MAX_SOURCE_BYTES
    probe_s: float = 10.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value > 0:
                raise ValueError(f"Limits.{name} must be positive, got {value!r}")

    def seconds(self, task: Task, split: str | FreshSplit) -> float:
        """Wall seconds a program may take for a whole split of the task."""
        return self.wall_s or self.patience * task.time_limit(split)

    def probing(self, reference_s: float) -> float:
        """Wall seconds a program may take for the probe states of a task of a person's own.

        `reference_s`: those of the task's reference. Of such tasks every tenth edit may never end.
        """
        return min(self.probe_s, max(SHORTEST_PROBING_S, SLOWER_PROBING * reference_s))
