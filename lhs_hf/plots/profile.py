"""Methods side by side: which share of their programs comes near the best, and how their incumbents fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Look, get_theme, heading, legend_below, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_NEAREST, _FARTHEST = 0.01, 100.0
_CURVES = 2


def plot_profile(distances: Mapping[str, Sequence[float]], ax: Axes | None = None, **look: Any) -> Axes:
    """Share of each method's programs that are within so many percent of the best (`grid.statistics.distances`).

    Without `ax` a new figure is made. `look`: `title`, `theme`, `width` and `transparent` of a `Look`.
    """
    looks = Look(**look)
    chosen = get_theme(looks.theme)
    axes = looks.axes(ax, int(min(460, max(320, looks.width * 0.6))))
    grid = np.geomspace(_NEAREST, _FARTHEST, 400)
    for place, (method, values) in enumerate(distances.items()):
        shares = (np.asarray(values, dtype=np.float64)[:, None] <= grid).mean(axis=0)
        axes.step(grid, shares, where="post", label=method, **_line(chosen, place))
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("at most so many percent behind the best of any method")
    axes.set_ylabel("share of programs")
    return _finished(axes, looks, ax)


def plot_incumbents(
    curves: Mapping[str, NDArray[np.float64]], steps: Sequence[int], ax: Axes | None = None, **look: Any
) -> Axes:
    """Objectives of incumbents over instance runs: the mean over seeds and its 95 % interval by method.

    `curves`: method -> float64 (seeds, steps), NaN where there is none yet. `look` as `plot_profile`, and `ylabel`.
    """
    ylabel = look.pop("ylabel", "objective on holdout")
    looks = Look(**look)
    chosen = get_theme(looks.theme)
    axes = looks.axes(ax, int(min(420, max(300, looks.width * 0.6))))
    for place, (method, table) in enumerate(curves.items()):
        known = ~np.isnan(table).any(axis=0)
        if not known.any():
            continue
        line = _line(chosen, place)
        at, values = np.asarray(steps)[known], table[:, known]
        mean = values.mean(axis=0)
        axes.step(at, mean, where="post", label=method, **line)
        if len(values) >= _CURVES:
            reach = 1.96 * values.std(axis=0, ddof=1) / np.sqrt(len(values))
            axes.fill_between(at, mean - reach, mean + reach, step="post", color=line["color"], alpha=0.15, linewidth=0)
    axes.set_xlabel("instance runs")
    axes.set_ylabel(ylabel)
    return _finished(axes, looks, ax)


def _line(theme: Any, place: int) -> dict[str, Any]:
    colours = (theme.found, *theme.cycle)
    styles = ("-", "--", "-.", ":")
    return {
        "color": colours[place % len(colours)],
        "linestyle": styles[place // len(colours) % len(styles)],
        "linewidth": 2.4 if place == 0 else 1.6,
        "zorder": 4 if place == 0 else 3,
    }


def _finished(axes: Axes, looks: Look, ax: Axes | None) -> Axes:
    chosen = get_theme(looks.theme)
    heading(axes, looks.title, chosen)
    axes.grid(axis="y", color=chosen.faint)
    style(axes, chosen)
    legend_below(axes, chosen, 3, 4, outside=ax is None)
    return axes
