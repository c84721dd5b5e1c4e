"""Maps of a model's latent space: the corpus of all tasks by task, and of each task by score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..errors import CallError
from .latent import fit_plane
from .theme import Theme, get_theme, legend_below, new_figure, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS = 5
_MARKERS = "os^DvP"


def plot_task_map(
    latents: Mapping[str, np.ndarray], *, theme: str | Theme = "light", width: int = 960, transparent: bool = False
) -> Figure:
    """Latents (n, d) of each task in the plane in which all together spread most, coloured by task.

    Raises `CallError` for fewer than two latents altogether.
    """
    chosen = get_theme(theme)
    plane = fit_plane(np.concatenate(list(latents.values())) if latents else np.empty((0, 0)))
    figure = new_figure(width, 620, chosen, transparent)
    axes = figure.add_subplot()
    for index, (task, points) in enumerate(latents.items()):
        # Colours are fewer than tasks may be: the marker changes with each turn.
        turn, colour = divmod(index, len(chosen.cycle))
        axes.scatter(
            *plane.project(points).T,
            color=chosen.cycle[colour],
            marker=_MARKERS[turn % len(_MARKERS)],
            s=10,
            alpha=0.75,
            linewidths=0,
            rasterized=True,
            label=task,
        )
    axes.set_xlabel(f"principal component 1 ({plane.shares[0]:.0%})")
    axes.set_ylabel(f"principal component 2 ({plane.shares[1]:.0%})")
    axes.set_aspect("equal", adjustable="datalim")
    style(axes, chosen)
    legend_below(axes, chosen, 2, 4, outside=True)
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
    if not latents:
        raise CallError("there is no task to draw a map of")
    for task, points in latents.items():
        if task not in scores or np.shape(scores[task]) != np.shape(points)[:1]:
            raise CallError(f"expected one score for each of {len(points)} latents of {task}")
    chosen = get_theme(theme)
    columns = min(_COLUMNS, len(latents))
    rows = math.ceil(len(latents) / columns)
    figure = new_figure(width, rows * width / columns + 30, chosen, transparent)
    panels = figure.subplots(rows, columns, squeeze=False)
    colours = chosen.colormap()
    for axes in panels.flat[len(latents) :]:
        axes.set_visible(False)
    for axes, (task, points) in zip(panels.flat, latents.items()):
        plane = fit_plane(points)
        values = np.asarray(scores[task], dtype=np.float64)
        # The best are drawn last: a crowd does not hide them.
        order = np.argsort(values, kind="stable")
        level = 100 * np.searchsorted(values[order], values[order]) / len(values)
        marks = axes.scatter(
            *plane.project(np.asarray(points)[order]).T,
            c=level,
            cmap=colours,
            vmin=0,
            vmax=100,
            s=8,
            linewidths=0,
            rasterized=True,
        )
        axes.set_title(f"{task} ({sum(plane.shares):.0%})", loc="left", fontsize=9, color=chosen.text)
        axes.set_aspect("equal", adjustable="datalim")
        style(axes, chosen, frame=False)
    bar = figure.colorbar(marks, ax=panels, fraction=0.02, pad=0.01)
    bar.outline.set_visible(False)  # type: ignore[operator]
    bar.ax.tick_params(colors=chosen.muted, labelsize=8, length=2)
    bar.set_label("score: percentile among the task's programs", color=chosen.muted, size=8.5)
    return figure
