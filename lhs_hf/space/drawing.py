"""Pictures of a search as SVG: they take their colours from the page's theme and stay sharp at every width."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..search.database import Candidate
from ..tasks.base import Task
from .atlas import Atlas

WIDTH, HEIGHT = 520, 330
LEFT, RIGHT, TOP, BOTTOM = 78, 14, 14, 40
LEVELS = 7
LABEL_GAP = 17.0


def number(value: float | None, digits: int = 5) -> str:
    """A number as the page shows it; an em dash where there is none."""
    return "—" if value is None or not math.isfinite(value) else f"{value:.{digits}g}"


def _axis_number(value: float) -> str:
    """A number that fits in front of the axis."""
    return f"{value / 1e6:.4g}M" if abs(value) >= 1e5 else number(value)


def _open(label: str, extra: str = "") -> str:
    text = html.escape(label, quote=True)
    return f'<svg class="lhs-svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{text}" {extra}>'


def _spread(places: dict[str, float], least: float, most: float) -> dict[str, float]:
    """Label heights moved apart until none covers another, in their order."""
    names = sorted(places, key=lambda name: places[name])
    heights: list[float] = []
    for name in names:
        heights.append(max(places[name], heights[-1] + LABEL_GAP if heights else least))
    for index in range(len(heights) - 1, -1, -1):
        limit = most if index == len(heights) - 1 else heights[index + 1] - LABEL_GAP
        heights[index] = min(heights[index], limit)
    return dict(zip(names, heights))


def curve(
    task: Task,
    history: Sequence[float],
    budget: int,
    reference: float | None,
    corpus: float | None,
    made: Sequence[Candidate] = (),
) -> str:
    """The incumbent objective over decoder calls, with reference, best in corpus and bound as lines.

    `history` has one objective a decoder call; `made` are the decoded candidates, drawn as dots where they are valid.
    """
    bound = task.bounds.get("search")
    lines = {"reference": reference, "best in corpus": corpus, task.bound_kind: bound}
    shown = {name: value for name, value in lines.items() if value is not None}
    values = [*shown.values(), *(value for value in history if math.isfinite(value))]
    if not values:
        return f'{_open("Nothing to draw yet")}<text class="lhs-quiet" x="20" y="40">Press Run.</text></svg>'
    low, high = min(values), max(values)
    pad = 0.08 * ((high - low) or abs(high) or 1.0)
    low, high = low - pad, high + pad

    def x(call: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * call / max(1, budget)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    better = "lower" if task.sense == "min" else "higher"
    latest = history[-1] if history else reference
    summary = (
        f"Best objective after each decoder call, {better} is better: {number(latest)} after {len(history)} of "
        f"{budget} calls; " + ", ".join(f"{name} {number(value)}" for name, value in shown.items())
    )
    parts = [_open(summary)]
    parts.append(
        f'<line class="lhs-axis" x1="{LEFT}" y1="{HEIGHT - BOTTOM}" x2="{WIDTH - RIGHT}" y2="{HEIGHT - BOTTOM}"/>'
    )
    for call, anchor in {0: "start", budget // 2: "middle", budget: "end"}.items():
        parts.append(f'<text class="lhs-tick" x="{x(call):.1f}" y="{HEIGHT - 20}" text-anchor="{anchor}">{call}</text>')
    parts.append(
        f'<text class="lhs-quiet" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">'
        "decoder calls</text>"
    )
    heights = _spread({name: y(value) for name, value in shown.items()}, TOP + 8, HEIGHT - BOTTOM - 4)
    for name, value in shown.items():
        kind = {"reference": "reference", "best in corpus": "corpus"}.get(name, "bound")
        parts.append(
            f'<path class="lhs-line lhs-{kind}" d="M{LEFT} {y(value):.1f} H{WIDTH - RIGHT}"/>'
            f'<text class="lhs-tick lhs-{kind}-text" x="{LEFT - 6}" y="{heights[name] + 4:.1f}" text-anchor="end">'
            f"{_axis_number(value)}</text>"
        )
    for call, candidate in enumerate(made, start=1):
        if candidate.objective is not None and low <= candidate.objective <= high:
            parts.append(f'<circle class="lhs-dot" cx="{x(call):.1f}" cy="{y(candidate.objective):.1f}" r="2.6"/>')
    finite = [(call, value) for call, value in enumerate(history, start=1) if math.isfinite(value)]
    if finite:
        first = reference if reference is not None else finite[0][1]
        path = f"M{x(0):.1f} {y(first):.1f}"
        for call, value in finite:
            path += f" H{x(call):.1f} V{y(value):.1f}"
        end, value = finite[-1]
        parts.append(f'<path class="lhs-incumbent" d="{path}"/>')
        parts.append(f'<circle class="lhs-now" cx="{x(end):.1f}" cy="{y(value):.1f}" r="4.5"/>')
    return "".join([*parts, "</svg>"]) + _curve_legend(shown)


def _curve_legend(shown: Iterable[str]) -> str:
    entries = ['<li><i class="lhs-key lhs-key-found"></i>found</li>']
    for name in shown:
        kind = {"reference": "reference", "best in corpus": "corpus"}.get(name, "bound")
        entries.append(f'<li><i class="lhs-key lhs-key-{kind}"></i>{html.escape(name)}</li>')
    return f'<ul class="lhs-legend">{"".join(entries)}</ul>'


class MapFrame:
    """Where points of an atlas lie in the picture: the middle 98 % of the corpus and everything in `others` fit."""

    def __init__(self, atlas: Atlas, others: np.ndarray | None = None) -> None:
        shown = [np.percentile(atlas.flat, [1, 99], axis=0)]
        if others is not None and len(others):
            shown.append(others)
        corners = np.concatenate(shown)
        self.low, high = corners.min(axis=0), corners.max(axis=0)
        self.size = np.maximum(high - self.low, 1e-6)

    def __call__(self, point: np.ndarray) -> tuple[float, float]:
        share = (point - self.low) / self.size
        share = np.clip(share, -0.02, 1.02)
        return 18 + (WIDTH - 36) * float(share[0]), HEIGHT - 18 - (HEIGHT - 36) * float(share[1])


def _level_class(level: float) -> str:
    return f"lhs-s{min(LEVELS - 1, int(level * LEVELS))}"


def _corpus_points(
    atlas: Atlas, frame: MapFrame, shown: Sequence[int], pick: bool, chosen: dict[str, int]
) -> list[str]:
    parts = []
    for index in sorted(shown, key=lambda row: atlas.level[row]):
        px, py = frame(atlas.flat[index])
        row = atlas.rows[index]
        mark = f' data-row="{index}"' if pick else ""
        title = f"<title>{html.escape(row.family)}: {number(row.objective)}</title>" if pick else ""
        parts.append(
            f'<circle class="lhs-point {_level_class(float(atlas.level[index]))}"{mark} '
            f'cx="{px:.1f}" cy="{py:.1f}" r="{4.2 if pick else 3}">{title}</circle>'
        )
    for letter, index in chosen.items():
        px, py = frame(atlas.flat[index])
        parts.append(
            f'<circle class="lhs-ring" cx="{px:.1f}" cy="{py:.1f}" r="9"/>'
            f'<text class="lhs-letter" x="{px + 11:.1f}" y="{py - 8:.1f}">{letter}</text>'
        )
    return parts


def search_map(atlas: Atlas, steps: Sequence[Sequence[Candidate]], candidates: dict[int, Candidate]) -> str:
    """The steps of a search among the corpus: a line from each seed to the point decoded, the last round stands out.

    A finished child is a filled mark, coloured by its score among the corpus; a failed one is hollow.
    """
    moved = [candidate for step in steps for candidate in step if candidate.after is not None]
    afters = np.stack([candidate.after for candidate in moved if candidate.after is not None]) if moved else None
    flat = atlas.project(afters) if afters is not None else np.zeros((0, 2))
    frame = MapFrame(atlas, flat)
    last = steps[-1][0].round if steps else 0
    label = (
        f"Map of {len(atlas.rows)} corpus programs of {atlas.task} and {len(moved)} points the search moved to "
        f"in {len(steps)} rounds, along the two main directions of the {atlas.space} space"
    )
    parts = [_open(label), *_corpus_points(atlas, frame, range(len(atlas.rows)), False, {})]
    lines, marks = [], []
    for candidate, point in zip(moved, flat):
        px, py = frame(point)
        now = candidate.round == last
        if candidate.before is not None:
            bx, by = frame(atlas.project(candidate.before[None])[0])
            lines.append(
                f'<line class="lhs-step{" lhs-step-now" if now else ""}" '
                f'x1="{bx:.1f}" y1="{by:.1f}" x2="{px:.1f}" y2="{py:.1f}"/>'
            )
        found = candidates.get(candidate.id)
        if found is None:
            kind, note = "lhs-coming", "being decoded"
        elif found.ok and found.score is not None:
            kind, note = (
                f"lhs-child {_level_class(atlas.level_of(found.score))}",
                f"objective {number(found.objective)}",
            )
        else:
            kind, note = "lhs-failed", found.status
        marks.append(
            f'<circle class="{kind}{" lhs-new" if now else ""}" cx="{px:.1f}" cy="{py:.1f}" r="{6 if now else 4.5}">'
            f"<title>candidate {candidate.id}: {html.escape(note)}</title></circle>"
        )
    return "".join([*parts, *lines, *marks, "</svg>"]) + map_legend(path=True)


def corpus_map(atlas: Atlas, shown: Sequence[int], chosen: dict[str, int], between: np.ndarray | None = None) -> str:
    """The corpus programs in `shown`, each to be clicked.

    Those in `chosen` (letter to row) are ringed and `between` (M, 2), in map coordinates, is joined by a line.
    """
    frame = MapFrame(atlas)
    label = (
        f"Map of {len(shown)} of {len(atlas.rows)} corpus programs of {atlas.task}, coloured by score. "
        "Arrow keys go from program to program in the order of their scores, Enter opens one."
    )
    parts = [_open(label, 'tabindex="0" data-map="corpus"'), *_corpus_points(atlas, frame, shown, True, chosen)]
    if between is not None and len(between):
        places = [frame(point) for point in between]
        parts.append(
            f'<polyline class="lhs-step lhs-step-now" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'
        )
        parts += [f'<circle class="lhs-coming lhs-new" cx="{x:.1f}" cy="{y:.1f}" r="6"/>' for x, y in places]
    return "".join([*parts, "</svg>"]) + map_legend(path=False)


def map_legend(path: bool) -> str:
    """What the colours and marks of a map mean."""
    scale = "".join(f'<i class="lhs-key lhs-b{level}"></i>' for level in range(LEVELS))
    entries = [f"<li><span>worse</span>{scale}<span>better program</span></li>"]
    if path:
        entries += [
            '<li><i class="lhs-key lhs-key-step"></i>step</li>',
            '<li><i class="lhs-key lhs-key-child"></i>decoded</li>',
            '<li><i class="lhs-key lhs-key-failed"></i>failed</li>',
        ]
    return f'<ul class="lhs-legend">{"".join(entries)}</ul>'
