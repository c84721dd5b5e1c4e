"""Pictures of packed knapsacks and bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Theme, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLOSE_UP = 24


def packed_items(instance: Any, solution: np.ndarray) -> list[int]:
    """Indices of the knapsack's items that fitted when they were chosen, in that order."""
    room, packed = instance.capacity, []
    for index in solution[:-1].tolist():
        if instance.items[index][0] <= room:
            room -= instance.items[index][0]
            packed.append(index)
    return packed


def draw_knapsack(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """Above, the knapsack: a block an item, as wide as its weight, of the area of its value, densest first.

    Below, all items by weight and value, the packed ones filled.
    """
    style(axes, theme, frame=False)
    above, below = axes.inset_axes((0.1, 0.6, 0.88, 0.38)), axes.inset_axes((0.1, 0.11, 0.88, 0.36))
    weights, values, _ = np.array(instance.items, dtype=float).T
    packed = sorted(packed_items(instance, solution), key=lambda index: -values[index] / weights[index])
    left = 0.0
    for position, index in enumerate(packed):
        density = values[index] / weights[index]
        tone = theme.cycle[position % len(theme.cycle)]
        above.bar(left, density, weights[index], align="edge", color=tone, edgecolor=theme.background, linewidth=1)
        left += weights[index]
    top = max((values[index] / weights[index] for index in packed), default=1.0) * 1.12
    if left < instance.capacity:
        above.axvspan(left, instance.capacity, facecolor="none", edgecolor=theme.muted, hatch="////", linewidth=0)
    above.axvline(instance.capacity, color=theme.text, linewidth=1.6)
    above.set(xlim=(0, instance.capacity * 1.01), ylim=(0, top))
    above.set_xlabel(f"weight: {left:.0f} of {instance.capacity} used (area = value)", labelpad=2)
    above.set_ylabel("value per weight", labelpad=2)
    style(above, theme)
    others = np.setdiff1d(np.arange(len(weights)), packed)
    below.scatter(weights[others], values[others], s=16, facecolors="none", edgecolors=theme.muted, label="left")
    tones = [theme.cycle[position % len(theme.cycle)] for position in range(len(packed))]
    below.scatter(weights[packed], values[packed], s=30, color=tones, edgecolors=theme.text, linewidths=0.5)
    # Items at most as dense as the least dense that was packed lie under this line.
    below.axline((0, 0), slope=least_density(weights, values, packed), color=theme.bound, linewidth=1, linestyle=":")
    below.set(xlim=(0, weights.max() * 1.06), ylim=(0, values.max() * 1.12))
    below.set_xlabel("weight of item (filled = packed)", labelpad=2)
    below.set_ylabel("value", labelpad=2)
    style(below, theme)


def least_density(weights: np.ndarray, values: np.ndarray, packed: list[int]) -> float:
    """The least value per weight among the packed items; 0 if there is none."""
    return float(min((values[index] / weights[index] for index in packed), default=0.0))


def bin_contents(instance: np.ndarray, solution: np.ndarray) -> list[list[int]]:
    """Item sizes in each used bin, in order of arrival; bins in the order in which they were opened."""
    contents: dict[int, list[int]] = {}
    for size, place in zip(instance.tolist(), solution.tolist()):
        contents.setdefault(place, []).append(size)
    return list(contents.values())


def draw_bins(axes: Axes, instance: np.ndarray, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """Above, how full the bins are, fullest first, and the room that is lost; below, some of them with their items."""
    from ..tasks.online_bin_packing import CAPACITY

    style(axes, theme, frame=False)
    above, below = axes.inset_axes((0.1, 0.6, 0.88, 0.38)), axes.inset_axes((0.1, 0.11, 0.88, 0.36))
    contents = bin_contents(instance, solution)
    loads = np.sort([sum(items) for items in contents])[::-1]
    edges = np.arange(len(loads) + 1)
    above.stairs(loads, edges, fill=True, color=colour, label="filled")
    above.stairs(np.full(len(loads), CAPACITY), edges, baseline=loads, fill=True, color=theme.bad, label="lost")
    above.set(xlim=(0, len(loads)), ylim=(0, CAPACITY * 1.03))
    room = len(loads) * CAPACITY - int(instance.sum())
    above.set_xlabel(f"{len(loads)} bins, fullest first: {room / (len(loads) * CAPACITY):.2%} lost", labelpad=2)
    above.set_ylabel("filled", labelpad=2)
    style(above, theme)
    shown = np.unique(np.linspace(0, len(contents) - 1, CLOSE_UP).round().astype(int))
    for column, index in enumerate(shown.tolist()):
        base = 0
        for layer, size in enumerate(contents[index]):
            tone = theme.cycle[layer % len(theme.cycle)]
            below.bar(column, size, 0.84, base, color=tone, edgecolor=theme.background, linewidth=0.8)
            base += size
    below.axhline(CAPACITY, color=theme.text, linewidth=1)
    below.set(xlim=(-0.6, len(shown) - 0.4), ylim=(0, CAPACITY * 1.05))
    below.set_xticks([0, len(shown) - 1], ["1", str(len(contents))])
    below.set_xlabel(f"{len(shown)} of the bins in order of opening", labelpad=2)
    below.set_ylabel("filled", labelpad=2)
    style(below, theme)
