"""How many programs run at the same time."""

from __future__ import annotations

import os

from ..errors import CallError

MOST_WORKERS = 256
"""Each worker is at least two processes with NumPy in them: beyond this a machine has no memory left for programs."""


def default_workers() -> int:
    """Evaluation workers: one a core this process may use, at most 8."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, min(8, cores))


def checked_workers(workers: int | None, cluster: str | None = None) -> int:
    """The number asked for, None for the default. Raises `CallError` for one that would bring the machine down.

    `cluster`: where programs run (`Evaluator`); there the default is one for each processor that the cluster has now.
    """
    if cluster is not None:
        from .cluster import checked_cluster_workers

        return checked_cluster_workers(workers, cluster)
    if workers is None:
        return default_workers()
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise CallError(
            f"workers must be 1 to {MOST_WORKERS}, got {workers!r}: each one is at least two processes, and more than "
            f"there are cores (here {os.cpu_count()}) are no faster"
        )
    return workers
