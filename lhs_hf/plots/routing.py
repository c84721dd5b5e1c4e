"""Pictures of tours and routes, and of the time windows that routes meet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Theme, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = ("-", (0, (4, 1.4)), (0, (1.2, 1.2)), (0, (5, 1.2, 1.2, 1.2)))


def trips_of(route: Sequence[int] | np.ndarray, last_return: bool) -> list[list[int]]:
    """A recorded route (0 is the depot) as trips of node ids, depot at the start and, if driven, at the end.

    Trips without a customer are left out.
    """
    trips: list[list[int]] = [[0]]
    for node in list(route)[1:]:
        trips[-1].append(int(node))
        if node == 0:
            trips.append([0])
    if last_return:
        trips[-1].append(0)
    return [trip for trip in trips if any(trip)]


def draw_tsp(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """One closed line through all cities; the start is a square."""
    points = instance.coordinates[[0, *solution.tolist(), 0]]
    axes.plot(*points.T, color=colour, linewidth=1.6, solid_joinstyle="round", label="tour", zorder=2)
    dots = 18 if len(points) <= 60 else 7
    axes.scatter(
        points[1:-1, 0],
        points[1:-1, 1],
        s=dots,
        color=theme.background,
        edgecolors=theme.text,
        linewidths=0.9,
        zorder=3,
    )
    _depot(axes, points[0], theme, "start")
    _map(axes, theme)


def draw_cvrp(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """One line a trip from the depot, a square, and back; customers grow with their demand."""
    trips = trips_of(solution, last_return=True)
    _trips(axes, instance, trips, theme, 4 + 4.2 * instance.demands)
    _map(axes, theme)


def draw_vrptw(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """The trips on a map; below, one row a trip: windows of its customers as bars, service as dots in them.

    The last trip ends at its last customer, as the objective counts it.
    """
    trips = trips_of(solution, last_return=False)
    style(axes, theme, frame=False)
    above, below = axes.inset_axes((0, 0.45, 1, 0.55)), axes.inset_axes((0.09, 0.075, 0.9, 0.33))
    _trips(above, instance, trips, theme, np.full(len(instance.demands), 20.0))
    _map(above, theme)
    thick = min(7.0, 120 / len(trips))
    for row, (trip, (tone, _)) in enumerate(zip(trips, _looks(theme))):
        time = 0.0
        stays = []
        for before, node in pairwise(trip):
            if node == 0:
                time += instance.distances[before, 0]
                break
            time = max(time + instance.distances[before, node], instance.windows[node, 0])
            stays.append((node, time, time + instance.service[node]))
            time = stays[-1][2]
        below.plot((0, time), (row, row), color=tone, linewidth=0.9, alpha=0.75, zorder=1)
        for node, start, end in stays:
            below.plot(
                instance.windows[node], (row, row), color=tone, linewidth=thick, alpha=0.38, solid_capstyle="butt"
            )
            below.plot((start, end), (row, row), color=tone, linewidth=thick * 0.4, solid_capstyle="butt", zorder=3)
            below.plot(start, row, marker="o", color=theme.text, markersize=min(3.0, thick * 0.7), zorder=4)
    below.set(xlim=(0, instance.windows[0, 1]), ylim=(len(trips) - 0.4, -0.6))
    below.set_xlabel("time: bar = window, dot = start of service", labelpad=2)
    below.set_ylabel("trip", labelpad=2)
    below.set_yticks([0, len(trips) - 1], ["1", str(len(trips))])
    style(below, theme)


def _looks(theme: Theme) -> list[tuple[str, Any]]:
    """(colour, dash pattern) of trips: all colours, then all again with another pattern."""
    return [(colour, line) for line, colour in product(_LINES, theme.cycle)] * 8


def _trips(axes: Axes, instance: Any, trips: Sequence[Sequence[int]], theme: Theme, sizes: np.ndarray) -> None:
    points = instance.coordinates
    for number, (trip, (colour, line)) in enumerate(zip(trips, _looks(theme)), start=1):
        axes.plot(*points[list(trip)].T, color=colour, linestyle=line, linewidth=1.5, label=f"trip {number}", zorder=2)
        inner = [node for node in trip if node]
        axes.scatter(
            points[inner, 0],
            points[inner, 1],
            s=sizes[inner],
            color=colour,
            edgecolors=theme.background,
            linewidths=0.7,
            zorder=3,
        )
    _depot(axes, points[0], theme, "depot")


def _depot(axes: Axes, point: np.ndarray, theme: Theme, name: str) -> None:
    axes.scatter(
        point[0],
        point[1],
        marker="s",
        s=52,
        color=theme.text,
        edgecolors=theme.background,
        linewidths=1.2,
        zorder=4,
        label=name,
    )


def _map(axes: Axes, theme: Theme) -> None:
    style(axes, theme, frame=False)
    axes.set_aspect("equal", adjustable="box")
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
