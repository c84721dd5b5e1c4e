"""The incumbent of a search over its decoder calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .theme import Look, get_theme, heading, legend_below, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAR = 2.5


def plot_convergence(
    histories: Mapping[str, Sequence[float]],
    ax: Axes | None = None,
    *,
    ylabel: str = "objective",
    reference: float | None = None,
    corpus: float | None = None,
    bound: float | None = None,
    bound_kind: str = "bound",
    **look: Any,
) -> Axes:
    """The incumbent objective over decoder calls, with reference, best in corpus and bound as lines.

    `histories` maps a label to one value a decoder call, or whatever a `step` is (NaN where nothing is known); the
    first is the search itself. A bound so far away that the curves would be flat is named and not drawn. Without `ax` a
    new figure is made (`axes.figure`). `look`: `title`, `theme`, `width` and `transparent` of a `Look`, and the name of
    a `step`.
    """
    from matplotlib.ticker import MaxNLocator

    step = look.pop("step", "decoder call")
    looks = Look(**look)
    chosen = get_theme(looks.theme)
    axes = looks.axes(ax, int(min(420, max(300, looks.width * 0.6))))
    known: list[float] = []
    for index, (label, history) in enumerate(histories.items()):
        colour = chosen.found if index == 0 else chosen.cycle[(index - 1) % len(chosen.cycle)]
        calls, levels = _corners(history)
        axes.step(calls, levels, where="post", label=label, color=colour, linewidth=2, zorder=3)
        finite = _finite(history)
        known += [float(finite.min()), float(finite.max())] if len(finite) else []
        if len(finite):
            axes.plot(calls[-1], levels[-1], "o", color=colour, markersize=5, zorder=4)
    lines = ((reference, "reference", chosen.reference, "--"), (corpus, "best in corpus", chosen.corpus, "-."))
    for value, label, colour, line in lines:
        if value is not None:
            axes.axhline(value, label=f"{label} {value:.5g}", color=colour, linestyle=line, linewidth=1.4)
            known.append(value)
    if bound is not None:
        low, high = min(known, default=bound), max(known, default=bound)
        off = max(low - bound, bound - high)
        if known and off > _FAR * max(high - low, 0.02 * abs(high)):
            axes.plot([], [], label=f"{bound_kind} {bound:.5g}, off the scale", color=chosen.bound, linestyle=":")
        else:
            axes.axhline(bound, label=f"{bound_kind} {bound:.5g}", color=chosen.bound, linestyle=":", linewidth=1.6)
            known.append(bound)
    if known:
        # Matplotlib would give a flat curve a tenth of its value as room.
        margin = 0.07 * ((max(known) - min(known)) or abs(known[0]) or 1.0)
        axes.set_ylim(min(known) - margin, max(known) + margin)
    axes.set_xlabel(f"{step}s")
    axes.set_ylabel(ylabel)
    heading(axes, looks.title, chosen)
    axes.grid(axis="y", color=chosen.faint)
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    style(axes, chosen)
    legend_below(axes, chosen, 2, 4, outside=ax is None)
    return axes


def _corners(history: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Steps, from 1, and values where the curve begins, changes and ends: a long one has few of them."""
    levels = np.asarray(history, dtype=np.float64)
    same = np.zeros(len(levels), dtype=bool)
    same[1:-1] = (levels[1:-1] == levels[:-2]) | (np.isnan(levels[1:-1]) & np.isnan(levels[:-2]))
    return np.flatnonzero(~same) + 1, levels[~same]


def _finite(history: Sequence[float]) -> np.ndarray:
    values = np.asarray(history, dtype=np.float64)
    return values[np.isfinite(values)]


def convergence_alt_text(
    history: Sequence[float],
    *,
    reference: float | None = None,
    corpus: float | None = None,
    bound: float | None = None,
    step: str = "decoder call",
) -> str:
    """A sentence for those who do not see the curve of one search."""
    finite = _finite(history)
    if not len(finite):
        return "Convergence curve: no valid program yet."
    best_at = next(call for call, value in enumerate(history, start=1) if value == finite[-1])
    lines = [
        f"{name} {value:.6g}"
        for name, value in (("reference", reference), ("best in corpus", corpus), ("bound", bound))
        if value is not None
    ]
    compared = f"; for comparison: {', '.join(lines)}" if lines else ""
    return (
        f"Convergence curve: after {len(history)} {step}s the best objective is {finite[-1]:.6g}, "
        f"reached at {step.split()[-1]} {best_at}{compared}."
    )


def convergence_figure(
    path: Path, histories: Mapping[str, Sequence[float]], *, title: str, ylabel: str, **options: Any
) -> Path:
    """Save what `plot_convergence` draws with these options. Returns `path` (its suffix decides the format)."""
    return save(plot_convergence(histories, title=title, ylabel=ylabel, **options).figure, path)


def save(figure: object, path: Path) -> Path:
    """Save a figure at twice the dots of its size; the same numbers give the same file. Returns `path`."""
    metadata = {"Software": None} if path.suffix == ".png" else None
    figure.savefig(path, dpi=200, metadata=metadata)  # type: ignore[attr-defined]
    return path
