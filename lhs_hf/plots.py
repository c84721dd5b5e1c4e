"""Figures of searches. Matplotlib is imported when a figure is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FOUND = "#0f766e"
REFERENCE = "#64748b"
CORPUS = "#b45309"
BOUND = "#94a3b8"


def convergence_figure(
    path: Path,
    histories: dict[str, Sequence[float]],
    *,
    title: str,
    ylabel: str,
    reference: float | None = None,
    corpus: float | None = None,
    bound: float | None = None,
    bound_kind: str = "bound",
) -> Path:
    """Draw the incumbent objective over decoder calls, with reference, best in corpus and bound as lines.

    `histories` maps a label to one value a decoder call. Returns `path` (its suffix decides the format).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.2), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for index, (label, history) in enumerate(histories.items()):
        calls = range(1, len(history) + 1)
        axes.step(calls, history, where="post", label=label, color=FOUND if index == 0 else None, linewidth=2)
    lines = (
        (reference, "reference", REFERENCE, "--"),
        (corpus, "best in corpus", CORPUS, "-."),
        (bound, bound_kind, BOUND, ":"),
    )
    for value, label, color, style in lines:
        if value is not None:
            axes.axhline(value, label=f"{label} {value:.5g}", color=color, linestyle=style, linewidth=1.3)
    axes.set_xlabel("decoder calls")
    axes.set_ylabel(ylabel)
    axes.set_title(title, loc="left", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4)
    # A fixed creation date keeps the file the same for the same numbers.
    figure.savefig(path, metadata={"Software": None} if path.suffix == ".png" else None)
    return path
