"""The paired test of ascent: how often each move finds a program that beats its parent."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import CallError
from .theme import Theme, get_theme, legend_below, new_figure, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Entry = Mapping[str, Any]

MOVE_NAMES = {
    "none": "no step",
    "gradient": "gradient",
    "random": "random direction",
    "random_latent": "random direction in z",
    "against": "against the gradient",
    "nearest_elite": "nearest elite",
    "prior": "sample of the prior",
}

# Moves whose length the radius sets, with their markers, and those that lead to the same point whatever it is.
_MOVING = {"gradient": "o", "random": "s", "random_latent": "D", "against": "v"}
_FIXED = ("none", "nearest_elite", "prior")


def screening_name(size: int) -> str:
    """How a program was chosen among those decoded at one point."""
    return "one program a point" if size == 1 else f"best of {size} by the surrogate"


def plot_ascent(
    entries: Sequence[Entry],
    *,
    title: str = "",
    theme: str | Theme = "light",
    width: int = 960,
    transparent: bool = False,
) -> Figure:
    """Share of programs that beat their parent by radius, with 95 % intervals; one panel a screening size.

    `entries` are those of `scripts/benchmarks/latents/statistics.py`. Moves without a radius stand at the right of each
    panel; the dotted line is that of no step at all. Raises `CallError` without an entry.
    """
    if not entries:
        raise CallError("there is no entry of a paired test to draw")
    chosen = get_theme(theme)
    sizes = sorted({int(entry["screening"]) for entry in entries})
    figure = new_figure(width, 400, chosen, transparent)
    panels = figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0]
    for axes, size in zip(panels, sizes):
        of_size = sorted((e for e in entries if e["screening"] == size), key=lambda entry: float(entry["radius"]))
        _panel(axes, of_size, chosen)
        axes.set_title(screening_name(size), loc="left", fontsize=9.5, color=chosen.text)
    panels[0].set_ylabel("beats its parent (%)")
    for axes in panels:
        style(axes, chosen)
    panels[0].set_ylim(bottom=0)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.5, color=chosen.text)
    legend_below(panels[0], chosen, 2, 5, outside=True)
    return figure


def _panel(axes: Axes, entries: Sequence[Entry], theme: Theme) -> None:
    radii = [float(entry["radius"]) for entry in entries]
    offsets = np.linspace(-0.24, 0.24, len(_MOVING))
    ticks = [f"{radius:g}" for radius in radii]
    for index, (move, marker) in enumerate(_MOVING.items()):
        colour = theme.found if move == "gradient" else theme.cycle[index - 1]
        places = [(place, found) for place, entry in enumerate(entries) if (found := _beats(entry, move)) is not None]
        if not places:  # a series that was not measured has no place in the legend either
            continue
        at = [place + offsets[index] for place, _ in places]
        _marks(axes, at, [found for _, found in places], colour, marker, MOVE_NAMES[move], joined=True)
    axes.axvline(len(radii) - 0.5, color=theme.faint, linewidth=1, zorder=0)
    for move in _FIXED:
        # The same programs whatever the radius: one entry tells all.
        found = next((known for entry in entries if (known := _beats(entry, move)) is not None), None)
        if found is not None:
            _marks(axes, [float(len(ticks))], [found], theme.reference, "o", "", joined=False)
            ticks.append(textwrap.fill(MOVE_NAMES[move], 9))
            if move == "none":
                axes.axhline(100 * found["mean"], color=theme.bound, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_xticks(range(len(ticks)), ticks)
    axes.set_xlim(-0.5, len(ticks) - 0.5)
    axes.set_xlabel("radius (standard deviations)", loc="left")
    axes.grid(axis="y", color=theme.faint)
    axes.set_axisbelow(True)


def _beats(entry: Entry, move: str) -> Mapping[str, Any] | None:
    figures = entry["all"]["moves"].get(move)
    return figures["beats"] if figures is not None and figures["beats"]["mean"] is not None else None


def _marks(
    axes: Axes, at: list[float], found: list[Mapping[str, Any]], colour: str, marker: str, label: str, *, joined: bool
) -> None:
    means, low, high = (100 * np.array([each[name] for each in found]) for name in ("mean", "low", "high"))
    axes.errorbar(
        at,
        means,
        yerr=np.maximum(0.0, [means - low, high - means]),
        color=colour,
        marker=marker,
        markersize=6,
        linestyle="-" if joined and len(at) > 1 else "none",
        linewidth=1.2,
        elinewidth=1.4,
        capsize=2.5,
        label=label or "_nolegend_",
        zorder=4 if marker == "o" else 3,
        # A share of zero is half a mark below the axis.
        clip_on=False,
    )


def ascent_alt_text(entries: Sequence[Entry]) -> str:
    """A sentence for those who do not see the figure of `plot_ascent`."""
    said = []
    for entry in entries:
        shares = [
            f"{MOVE_NAMES.get(move, move)} {100 * found['mean']:.1f}"
            for move in entry["all"]["moves"]
            if (found := _beats(entry, move)) is not None
        ]
        said.append(f"radius {entry['radius']:g}, {screening_name(entry['screening'])}: {', '.join(shares)}")
    return "Per cent of decoded programs that beat their parent: " + "; ".join(said) + "."
