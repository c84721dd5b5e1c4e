"""The path of a search through the space it searches, in the plane in which the corpus spreads most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import CallError
from .theme import Look, Theme, get_theme, heading, legend_below, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane in a space of d dimensions: `centre`, float64 (d,), and two orthonormal `directions`, float64 (2, d).

    `shares` are the parts of the variance of the fitted points along the two.
    """

    centre: np.ndarray
    directions: np.ndarray
    shares: tuple[float, float]

    def project(self, points: np.ndarray) -> np.ndarray:
        """Coordinates in the plane, float64 (n, 2), of points (n, d). Raises `CallError` for another d."""
        points = np.atleast_2d(np.asarray(points, dtype=np.float64))
        if points.shape[1] != len(self.centre):
            raise CallError(f"points must have {len(self.centre)} dimensions, got {points.shape[1]}")
        return (points - self.centre) @ self.directions.T


def fit_plane(points: np.ndarray) -> Plane:
    """The plane of the first two principal components of points (n, d), n and d at least 2. Raises `CallError`.

    The sign of each direction is fixed by its largest entry, so that the same points give the same picture.
    """
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or min(points.shape) < 2:
        raise CallError(f"a plane needs at least 2 points of at least 2 dimensions, got an array of {points.shape}")
    if not np.isfinite(points).all():
        raise CallError("the points of a plane must be finite")
    centre = points.mean(axis=0)
    _, singular, directions = np.linalg.svd(points - centre, full_matrices=False)
    directions = directions[:2]
    largest = np.abs(directions).argmax(axis=1)
    directions = directions * np.where(directions[[0, 1], largest] < 0, -1.0, 1.0)[:, None]
    total = max(float((singular**2).sum()), np.finfo(float).tiny)
    return Plane(centre, directions, (float(singular[0] ** 2 / total), float(singular[1] ** 2 / total)))


def plot_latent_path(
    corpus: np.ndarray,
    scores: np.ndarray,
    ax: Axes | None = None,
    *,
    path: np.ndarray | None = None,
    children: np.ndarray | None = None,
    child_scores: np.ndarray | None = None,
    plane: Plane | None = None,
    **look: Any,
) -> Axes:
    """Where a search goes among the programs of the corpus.

    Args:
        corpus: points of the corpus, (n, d). `scores`: their scores (n,), higher is better; colour shows the share of
            the corpus that scores lower.
        path: points of the search in order, (steps, d); the last is the current one.
        children: points of decoded programs, (m, d). `child_scores`: (m,), NaN where a program failed; those are
            crosses. None leaves all of them uncoloured.
        plane: from `fit_plane`, to draw again and again in the same one; None fits it to the corpus.
        look: `title`, `theme`, `width` and `transparent` of a `Look`.

    Raises `CallError` for arrays that do not fit together.
    """
    corpus, scores = np.asarray(corpus, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if corpus.ndim != 2 or scores.shape != corpus.shape[:1]:
        raise CallError(f"expected one score for each corpus point, got {scores.shape} for {corpus.shape}")
    looks = Look(**look)
    theme, plane = get_theme(looks.theme), plane or fit_plane(corpus)
    axes = looks.axes(ax, int(min(620, max(340, looks.width * 0.8))))
    marks = _draw_corpus(axes, plane.project(corpus), scores, theme)
    if path is not None and len(path):
        _draw_path(axes, plane.project(path), theme)
    if children is not None and len(children):
        _draw_children(axes, plane.project(children), child_scores, np.sort(scores), theme)
    _draw_scale(axes, marks, theme)
    axes.set_xlabel(f"principal component 1 ({plane.shares[0]:.0%})")
    axes.set_ylabel(f"principal component 2 ({plane.shares[1]:.0%})")
    heading(axes, looks.title, theme)
    axes.set_aspect("equal", adjustable="datalim")
    style(axes, theme)
    legend_below(axes, theme, 3, 5, outside=ax is None)
    return axes


def _draw_corpus(axes: Axes, at: np.ndarray, scores: np.ndarray, theme: Theme) -> PathCollection:
    # The best are drawn last: a crowd does not hide them.
    order = np.argsort(scores, kind="stable")
    x, y = at[order].T
    return axes.scatter(
        x,
        y,
        c=100 * _rank(np.sort(scores), scores[order]),
        cmap=theme.colormap(),
        vmin=0,
        vmax=100,
        s=9,
        alpha=0.75,
        linewidths=0,
        rasterized=True,
        label="corpus",
        zorder=1,
    )


def _draw_path(axes: Axes, at: np.ndarray, theme: Theme) -> None:
    from matplotlib import patheffects

    outline = [patheffects.withStroke(linewidth=4, foreground=theme.background)]
    axes.plot(*at.T, color=theme.text, linewidth=1.6, path_effects=outline, zorder=4, label="path")
    axes.plot(*at[0], "s", color=theme.text, markersize=7, markeredgecolor=theme.background, zorder=5)
    axes.plot(*at[-1], "o", color=theme.bad, markersize=8, markeredgecolor=theme.text, zorder=6, label="current step")


def _draw_children(axes: Axes, at: np.ndarray, scores: np.ndarray | None, ordered: np.ndarray, theme: Theme) -> None:
    diamonds: dict[str, Any] = {"marker": "D", "s": 44, "edgecolors": theme.text, "zorder": 5, "label": "children"}
    if scores is None:
        axes.scatter(at[:, 0], at[:, 1], facecolors="none", **diamonds)
        return
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (len(at),):
        raise CallError(f"expected one score for each of {len(at)} children, got {values.shape}")
    good = np.isfinite(values)
    axes.scatter(at[good, 0], at[good, 1], c=theme.colormap()(_rank(ordered, values[good])), linewidths=1.2, **diamonds)
    axes.scatter(
        at[~good, 0], at[~good, 1], color=theme.bad, marker="x", s=26, linewidths=1.5, zorder=5, label="failed"
    )


def _draw_scale(axes: Axes, marks: PathCollection, theme: Theme) -> None:
    bar = axes.figure.colorbar(marks, ax=axes, fraction=0.04, pad=0.02)
    bar.solids.set_alpha(1.0)  # type: ignore[union-attr]
    bar.outline.set_visible(False)  # type: ignore[operator]
    bar.ax.tick_params(colors=theme.muted, labelsize=8, length=2)
    bar.set_label("score: percentile in the corpus", color=theme.muted, size=8.5)


def latent_path_alt_text(
    scores: np.ndarray, *, path: np.ndarray | None = None, child_scores: np.ndarray | None = None
) -> str:
    """A sentence for those who do not see the plane; the arrays are those of `plot_latent_path`."""
    parts = [f"Map of the searched space: {len(scores)} programs of the corpus, coloured by score"]
    if path is not None and len(path):
        parts.append(f"the path of the search has {len(path)} points")
    if child_scores is not None and len(child_scores):
        values = np.asarray(child_scores, dtype=np.float64)
        good = values[np.isfinite(values)]
        top = good.max(initial=-np.inf)
        best = f", the best scores {top:.6g} ({_rank(np.sort(scores), top):.0%} of the corpus score less)"
        parts.append(f"{len(good)} of {len(values)} decoded children are valid" + (best if len(good) else ""))
    return "; ".join(parts) + "."


def _rank(ordered: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The share of sorted scores that are lower than each value, in [0, 1]."""
    return np.searchsorted(ordered, values) / max(1, len(ordered))
