"""Colours, type sizes and empty figures of a theme, light or dark."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import CallError, unknown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

DPI = 100
NARROWEST, WIDEST = 320, 4000


@dataclass(frozen=True)
class Theme:
    """Colours of a picture. `cycle` tells neighbouring things apart (after Okabe and Ito, safe for colour blindness).

    `found`, `reference`, `corpus` and `bound` stand for these four wherever they appear together; `scale` names a
    colour map for quantities, cut so that neither end vanishes in the background.
    """

    name: str
    background: str
    text: str
    muted: str
    faint: str
    found: str
    reference: str
    corpus: str
    bound: str
    bad: str
    cycle: tuple[str, ...]
    scale: str
    scale_range: tuple[float, float]

    def colormap(self) -> Colormap:
        """The colour map for quantities."""
        import matplotlib
        import numpy as np
        from matplotlib.colors import ListedColormap

        return ListedColormap(matplotlib.colormaps[self.scale](np.linspace(*self.scale_range, 256)))


THEMES: Mapping[str, Theme] = {
    "light": Theme(
        name="light",
        background="#ffffff",
        text="#1e293b",
        muted="#64748b",
        faint="#e2e8f0",
        found="#0f766e",
        reference="#6b7280",
        corpus="#b45309",
        bound="#94a3b8",
        bad="#c2410c",
        cycle=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a57c00", "#56b4e9", "#5b4a9e", "#7a7a7a"),
        scale="viridis_r",
        scale_range=(0.08, 1.0),
    ),
    "dark": Theme(
        name="dark",
        background="#0f172a",
        text="#e2e8f0",
        muted="#94a3b8",
        faint="#273449",
        found="#2dd4bf",
        reference="#a8b3c4",
        corpus="#fbbf24",
        bound="#64748b",
        bad="#fb923c",
        cycle=("#56b4e9", "#f28e3c", "#2fc99b", "#e39bc4", "#f0e442", "#8fa8ff", "#c9a27a", "#b6bfcc"),
        scale="viridis",
        scale_range=(0.3, 1.0),
    ),
}


def get_theme(theme: str | Theme) -> Theme:
    """A theme by name ("light", "dark"), or the one given. Raises `CallError` for an unknown name."""
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise unknown("theme", theme, THEMES)
    return THEMES[theme]


@dataclass(frozen=True)
class Look:
    """How a picture of its own looks: the keywords that all drawing functions share.

    Args:
        title: None leaves it to the drawing function, "" draws none.
        theme: "light", "dark" or a `Theme`.
        width: of a new figure, in pixels.
        transparent: leave the background of a new figure out.
    """

    title: str | None = None
    theme: str | Theme = "light"
    width: int = 720
    transparent: bool = False

    def axes(self, ax: Axes | None, height: float) -> Axes:
        """The axes given, or those of a new figure of this height in pixels."""
        if ax is not None:
            return ax
        return new_figure(self.width, height, get_theme(self.theme), self.transparent).add_subplot()


def new_figure(width: int, height: float, theme: Theme, transparent: bool = False) -> Figure:
    """An empty figure of `width` x `height` pixels at 100 dots an inch; it belongs to no window.

    Raises `CallError` for a width outside 320 to 4000 pixels.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not NARROWEST <= width <= WIDEST:
        raise CallError(f"width must be {NARROWEST} to {WIDEST} pixels, got {width}")
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.07)  # type: ignore[union-attr,call-arg]
    figure.set_facecolor("none" if transparent else theme.background)
    return figure


def style(axes: Axes, theme: Theme, *, frame: bool = True) -> None:
    """Colours, sizes and spines of the theme; with `frame=False` neither ticks nor spines."""
    axes.set_facecolor("none")
    if not frame:
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        return
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(theme.bound)
    axes.tick_params(colors=theme.muted, labelsize=8.5, length=3)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set_color(theme.muted)
        label.set_fontsize(9)


def wrapped(text: str, width: float, size: float) -> str:
    """Text in lines that fit into `width` pixels at `size` points."""
    return "\n".join(textwrap.wrap(text, max(20, int(width / (0.8 * size)))))


def heading(axes: Axes, text: str | None, theme: Theme) -> None:
    """A title at the left of the only axes of a figure, in as many lines as it needs."""
    if text:
        pixels = axes.figure.get_size_inches()[0] * DPI  # type: ignore[union-attr]
        axes.set_title(wrapped(text, 0.86 * pixels, 10.5), loc="left", fontsize=10.5, color=theme.text)


def legend_below(axes: Axes, theme: Theme, narrow: int, wide: int, *, outside: bool) -> None:
    """A frameless legend under the axes in `narrow` or `wide` columns, by the width of the figure.

    `outside`: at the edge of the figure, which has no other axes; else inside the figure's layout under these axes.
    Entries without a mark are left out.
    """
    entries = [entry for entry in zip(*axes.get_legend_handles_labels()) if _has_marks(entry[0])]
    figure = axes.figure
    place: dict[str, Any] = {"loc": "outside lower center"}
    if not outside:
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.18)}
    (figure if outside else axes).legend(
        [handle for handle, _ in entries],
        [label for _, label in entries],
        frameon=False,
        fontsize=8.5,
        labelcolor=theme.text,
        ncols=narrow if figure.get_size_inches()[0] < 6 else wide,  # type: ignore[union-attr]
        handlelength=1.6,
        columnspacing=1.4,
        **place,
    )


def _has_marks(handle: object) -> bool:
    offsets = getattr(handle, "get_offsets", None)
    return offsets is None or len(offsets()) > 0
