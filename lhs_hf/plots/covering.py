"""Pictures of covers and of admissible sets."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Theme, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def cover_matrix(instance: Any, solution: np.ndarray) -> np.ndarray:
    """int64 (chosen, elements): 2 where a subset is the first to cover an element, 1 where it covers it again.

    Elements are 1 to the largest of any subset, in columns from 0.
    """
    elements = max(max(subset, default=0) for subset in instance)
    covered = np.zeros(elements, dtype=bool)
    matrix = np.zeros((len(solution), elements), dtype=np.int64)
    for row, index in enumerate(solution.tolist()):
        columns = np.array(instance[index], dtype=np.int64) - 1
        matrix[row, columns] = np.where(covered[columns], 1, 2)
        covered[columns] = True
    return matrix


def draw_set_cover(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """A row a chosen subset, a column an element; strong where an element is covered first, faint where again.

    Columns of elements that no subset contains are struck out.
    """
    matrix = cover_matrix(instance, solution)
    rows, elements = matrix.shape
    reachable = np.zeros(elements, dtype=bool)
    for subset in instance:
        reachable[np.array(subset, dtype=np.int64) - 1] = True
    axes.hlines(np.arange(rows), -0.5, elements - 0.5, color=theme.faint, linewidth=1, zorder=0)
    for kind, tone, side, label in ((2, colour, 0.86, "covered first"), (1, theme.bound, 0.44, "covered again")):
        where, columns = np.nonzero(matrix == kind)
        axes.barh(where, side, side, columns - side / 2, color=tone, label=label, zorder=2)
    for column in np.flatnonzero(~reachable).tolist():
        axes.axvspan(column - 0.5, column + 0.5, facecolor="none", edgecolor=theme.bound, hatch="xxx", linewidth=0)
    axes.set(xlim=(-0.7, elements - 0.3), ylim=(rows - 0.4, -0.6))
    axes.set_xticks([0, *range(9, elements, 10)], ["1", *(str(column + 1) for column in range(9, elements, 10))])
    axes.set_yticks(range(rows), [str(row + 1) for row in range(rows)])
    axes.set_xlabel("element (small mark = covered again)", labelpad=2)
    axes.set_ylabel("chosen subset", labelpad=2)
    style(axes, theme)


def draw_admissible_set(axes: Axes, instance: Any, solution: np.ndarray, theme: Theme, colour: str) -> None:
    """A row a chosen word: its digits as cells; beside it, how many vectors of the set it stands for, added up."""
    from matplotlib.colors import ListedColormap

    from ..tasks.admissible_set import greedy_words

    vectors, sizes = greedy_words(instance.n, instance.w, solution)
    bound = comb(instance.n, instance.w)
    rows = len(vectors)
    style(axes, theme, frame=False)
    left, right = axes.inset_axes((0.1, 0.15, 0.5, 0.84)), axes.inset_axes((0.66, 0.15, 0.3, 0.84))
    digits = ListedColormap([theme.faint, theme.cycle[0], theme.cycle[1]])
    left.imshow(
        vectors, cmap=digits, vmin=0, vmax=2, aspect="auto", interpolation="nearest", extent=(0, instance.n, rows, 0)
    )
    for edge in range(3, instance.n, 3):
        left.axvline(edge, color=theme.background, linewidth=1.6)
    left.set_xticks(np.arange(0, instance.n, 3) + 0.5, [str(place + 1) for place in range(0, instance.n, 3)])
    left.set_xlabel("digit (grey 0, blue 1, orange 2)", labelpad=2)
    left.set_ylabel("chosen word", labelpad=2)
    total = np.cumsum(sizes)
    right.stairs(total, np.arange(rows + 1), orientation="horizontal", fill=True, color=colour, label="vectors")
    right.axvline(bound, color=theme.bound, linewidth=1.4, linestyle=":")
    right.set(xlim=(0, bound * 1.04), ylim=(rows, 0), yticks=[])
    right.set_xticks([0, bound], ["0", f"{bound}"])
    right.set_xlabel(f"vectors: {total[-1]}", labelpad=2)
    for part in (left, right):
        style(part, theme)
