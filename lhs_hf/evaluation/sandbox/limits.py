"""Limits of one evaluation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one program may use.

    `wall_s`: seconds for the whole split, None for the task's own limit. `cpu_s`: processor seconds, None for the wall
    limit plus one. `memory_mb`: MiB of address space beyond the interpreter's. `probe_s`: seconds for all probe states.
    """

    wall_s: float | None = None
    cpu_s: float | None = None
    memory_mb: int = 2048
    probe_s: float = 10.0
