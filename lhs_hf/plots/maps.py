"""Maps of a model's latent space: where the programs of each task lie among all others, and each task by score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..errors import CallError
from .latent import fit_plane
from .theme import Theme, get_theme, new_figure, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 5


def plot_task_maps(
    latents: Mapping[str, np.ndarray], *, theme: str | Theme = "light", width: int = 1400, transparent: bool = False
) -> Figure:
    """Latents (n, d) of all tasks in the one plane in which they spread most; each panel brings out one task.

    Raises `CallError` without a task, and for fewer than two latents altogether.
    """
    chosen = get_theme(theme)
    figure, panels = _panels(latents, chosen, width, transparent)
    plane = fit_plane(np.concatenate(list(latents.values())))
    x, y = plane.project(np.concatenate(list(latents.values()))).T
    for index, (axes, (task, points)) in enumerate(zip(panels, latents.items())):
        axes.scatter(x, y, color=chosen.faint, s=5, linewidths=0, rasterized=True)
        own_x, own_y = plane.project(points).T
        colour = chosen.cycle[index % len(chosen.cycle)]
        axes.scatter(own_x, own_y, color=colour, s=8, linewidths=0, rasterized=True)
        axes.set_title(task, loc="left", fontsize=9, color=chosen.text)
    shares = "first two principal components of all tasks: {:.0%} and {:.0%} of the variance".format(*plane.shares)
    figure.supxlabel(shares, fontsize=9, color=chosen.muted)
    return figure


def plot_score_maps(
    latents: Mapping[str, np.ndarray],
    scores: Mapping[str, np.ndarray],
    *,
    theme: str | Theme = "light",
    width: int = 1400,
    transparent: bool = False,
) -> Figure:
    """Latents (n, d) of each task in a panel and a plane of its own, coloured by score.

    `scores` (n,): higher is better; colour shows the share of the task's programs that score lower. Raises `CallError`
    for arrays that do not fit together, and without a task.
    """
    for task, points in latents.items():
        if task not in scores or np.shape(scores[task]) != np.shape(points)[:1]:
            raise CallError(f"expected one score for each of {len(points)} latents of {task}")
    chosen = get_theme(theme)
    figure, panels = _panels(latents, chosen, width, transparent)
    colours = chosen.colormap()
    for axes, (task, points) in zip(panels, latents.items()):
        plane = fit_plane(points)
        values = np.asarray(scores[task], dtype=np.float64)
        # The best are drawn last: a crowd does not hide them.
        order = np.argsort(values, kind="stable")
        level = 100 * np.searchsorted(values[order], values[order]) / len(values)
        x, y = plane.project(np.asarray(points)[order]).T
        marks = axes.scatter(x, y, c=level, cmap=colours, vmin=0, vmax=100, s=8, linewidths=0, rasterized=True)
        axes.set_title(f"{task} ({sum(plane.shares):.0%})", loc="left", fontsize=9, color=chosen.text)
    bar = figure.colorbar(marks, ax=panels, fraction=0.02, pad=0.01)
    bar.outline.set_visible(False)  # type: ignore[operator]
    bar.ax.tick_params(colors=chosen.muted, labelsize=8, length=2)
    bar.set_label("score: percentile among the task's programs", color=chosen.muted, size=8.5)
    return figure


def _panels(
    latents: Mapping[str, np.ndarray], theme: Theme, width: int, transparent: bool
) -> tuple[Figure, list[Axes]]:
    """An empty square panel for each task."""
    if not latents:
        raise CallError("there is no task to draw a map of")
    columns = min(_COLUMNS, len(latents))
    rows = math.ceil(len(latents) / columns)
    figure = new_figure(width, rows * width / columns + 30, theme, transparent)
    panels = [figure.add_subplot(rows, columns, place + 1) for place in range(len(latents))]
    for axes in panels:
        axes.set_aspect("equal", adjustable="datalim")
        style(axes, theme, frame=False)
    return figure, panels
