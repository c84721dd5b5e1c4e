"""Pictures of assignments: facilities to locations, customers to facilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Theme, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable


def draw_qap(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """The assignment matrix: a mark for each facility in the column of its location.

    Rows are facilities, the busiest on top, columns locations, the most central on the left: where busy facilities are
    at central locations, marks lie on the diagonal. Colour and size show what a facility adds to the objective.
    """
    from matplotlib.colors import Normalize

    flow, distance = instance
    size = len(flow)
    row_of, column_of = np.argsort(np.argsort(-flow.sum(axis=1))), np.argsort(np.argsort(distance.sum(axis=1)))
    costs = (flow * distance[np.ix_(solution, solution)]).sum(axis=1)
    axes.plot((-0.5, size - 0.5), (-0.5, size - 0.5), color=theme.bound, linewidth=1, linestyle=":", zorder=1)
    axes.vlines(np.arange(size), -0.5, size - 0.5, color=theme.faint, linewidth=0.4, zorder=0)
    axes.hlines(np.arange(size), -0.5, size - 0.5, color=theme.faint, linewidth=0.4, zorder=0)
    # A scale of the instance, not of this solution, so that the colours of two solutions mean the same.
    usual = flow.sum() / size * distance.sum() / (size * (size - 1))
    span = Normalize(0.8 * usual, 1.2 * usual, clip=True)
    sizes = 12 + 38 * np.asarray(span(costs))
    marks = axes.scatter(
        column_of[solution], row_of, c=costs, s=sizes, marker="s", cmap=theme.colormap(), norm=span, zorder=2
    )
    axes.set(xlim=(-0.8, size - 0.2), ylim=(size - 0.2, -0.8), xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel("locations, most central first", labelpad=4)
    axes.set_ylabel("facilities, busiest first", labelpad=4)
    style(axes, theme)
    _scale(axes, marks, theme, "cost of facility", extend="both")


def draw_cflp(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """A column a facility: its capacity as an outline, in it a block a customer, as high as its demand.

    Colour shows the cost of the assignment; facilities are sorted by capacity, unused ones stay empty.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    customers, facilities = solution[0::2], solution[1::2]
    order = np.argsort(-instance.capacities, kind="stable")
    colours = ScalarMappable(Normalize(instance.costs.min(), np.percentile(instance.costs, 25)), theme.colormap())
    axes.bar(
        np.arange(len(order)), instance.capacities[order], 0.86, color=theme.faint, edgecolor="none", label="capacity"
    )
    for column, facility in enumerate(order.tolist()):
        own = customers[facilities == facility]
        tops = np.cumsum(instance.demands[own])
        axes.bar(
            np.full(len(own), column),
            instance.demands[own],
            0.86,
            tops - instance.demands[own],
            color=colours.to_rgba(instance.costs[facility, own]),
            edgecolor=theme.background,
            linewidth=0.7,
        )
    axes.set(xlim=(-0.7, len(order) - 0.3), ylim=(0, instance.capacities.max() * 1.03), xticks=[])
    used = len(np.unique(facilities))
    axes.set_xlabel(f"facilities by capacity, {used} of {len(order)} in use", labelpad=4)
    axes.set_ylabel("demand served", labelpad=2)
    style(axes, theme)
    _scale(axes, colours, theme, "cost of assignment", extend="max")


def _scale(axes: Axes, colours: ScalarMappable, theme: Theme, label: str, extend: str = "neither") -> None:
    """A colour bar beside the axes."""
    bar = axes.figure.colorbar(colours, ax=axes, fraction=0.035, pad=0.02, extend=extend)
    bar.outline.set_visible(False)  # type: ignore[operator]
    bar.ax.tick_params(colors=theme.muted, labelsize=8, length=2)
    bar.set_label(label, color=theme.muted, size=8.5)
