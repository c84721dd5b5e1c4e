"""Pictures of schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Theme, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def operations(instance: Any, solution: np.ndarray) -> np.ndarray:
    """Start and end of each operation as scheduled: int64 rows (job, machine, start, end), in order of scheduling."""
    jobs, machines = instance.times.shape
    job_free, machine_free = np.zeros(jobs, dtype=np.int64), np.zeros(machines, dtype=np.int64)
    rows = []
    for job, machine in solution.reshape(-1, 2).tolist():
        start = max(job_free[job], machine_free[machine])
        end = start + instance.times[job, machine]
        job_free[job] = machine_free[machine] = end
        rows.append((job, machine, start, end))
    return np.array(rows, dtype=np.int64)


def draw_jssp(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """A Gantt chart: one row a machine, one bar an operation, coloured by job; gaps are idle time."""
    rows = operations(instance, solution)
    jobs, machines = instance.times.shape
    tones = theme.colormap()(np.linspace(0, 1, jobs))
    for machine in range(machines):
        own = rows[rows[:, 1] == machine]
        spans = np.column_stack((own[:, 2], own[:, 3] - own[:, 2]))
        axes.barh(machine, own[:, 3].max(), 0.84, color=theme.faint, zorder=1)
        axes.broken_barh(
            spans.tolist(),
            (machine - 0.42, 0.84),
            facecolors=tones[own[:, 0]],
            edgecolors=theme.background,
            linewidths=0.35,
            zorder=2,
        )
    end = int(rows[:, 3].max())
    axes.axvline(end, color=colour, linewidth=1.8, zorder=3)
    axes.set(xlim=(0, end * 1.02), ylim=(machines - 0.4, -0.6))
    axes.set_yticks(range(machines), [str(machine + 1) for machine in range(machines)])
    busy = instance.times.sum() / (machines * end)
    axes.set_xlabel(f"time (colour = job); machines busy {busy:.0%}", labelpad=2)
    axes.set_ylabel("machine", labelpad=2)
    style(axes, theme)
