"""Pictures of a search as SVG: they take their colours from the page's theme and stay sharp at every width."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..search.database import Candidate
from ..tasks.base import Task
from .atlas import Atlas
from .run import Run

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


def _open(label: str, extra: str = "", role: str = "img") -> str:
    text = html.escape(label, quote=True)
    return f'<svg class="lhs-svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}" aria-label="{text}" {extra}>'


def empty(text: str) -> str:
    """A picture's place, with a line of text, as large as the picture that comes."""
    shown = html.escape(text)
    return f'{_open(text)}<text class="lhs-quiet" x="20" y="40">{shown}</text></svg>'


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
    raced: bool = False,
) -> str:
    """The incumbent objective over decoder calls, with reference, best in corpus and bound as lines.

    `history` has one objective a decoder call; `made` are the decoded candidates, drawn as dots where they are valid.
    With `raced` it has one a program, each an estimate on training instances: the bound, of other instances, is left
    out.
    """
    bound = None if raced else task.bounds.get("search")
    unit = ("program", "programs") if raced else ("decoder call", "calls")
    lines = {"reference": reference, "best in corpus": corpus, task.bound_kind: bound}
    shown = {name: value for name, value in lines.items() if value is not None}
    values = [*shown.values(), *(value for value in history if math.isfinite(value))]
    if not values:
        return empty("Press Run.")
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
        f"Best objective after each {unit[0]}, {better} is better: {number(latest)} after {len(history)} of "
        f"{budget} {unit[1]}; " + ", ".join(f"{name} {number(value)}" for name, value in shown.items())
    )
    parts = [_open(summary)]
    parts.append(
        f'<line class="lhs-axis" x1="{LEFT}" y1="{HEIGHT - BOTTOM}" x2="{WIDTH - RIGHT}" y2="{HEIGHT - BOTTOM}"/>'
    )
    for call, anchor in {0: "start", budget // 2: "middle", budget: "end"}.items():
        parts.append(f'<text class="lhs-tick" x="{x(call):.1f}" y="{HEIGHT - 20}" text-anchor="{anchor}">{call}</text>')
    parts.append(
        f'<text class="lhs-quiet" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">'
        f"{'programs of the search' if raced else 'decoder calls'}</text>"
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
        return 30 + (WIDTH - 48) * float(share[0]), HEIGHT - 30 - (HEIGHT - 48) * float(share[1])


def _level_class(level: float) -> str:
    return f"lhs-s{min(LEVELS - 1, int(level * LEVELS))}"


def _corpus_points(
    atlas: Atlas, frame: MapFrame, shown: Sequence[int], pick: bool, chosen: dict[str, int]
) -> list[str]:
    parts = []
    for index in sorted(shown, key=lambda row: atlas.level[row]):
        px, py = frame(atlas.flat[index])
        row = atlas.rows[index]
        says = html.escape(f"{row.family.replace('_', ' ')}: {number(row.objective)}", quote=True)
        mark = f' data-row="{index}" data-says="{says}"' if pick else ""
        title = f"<title>{says}</title>" if pick else ""
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


def search_map(atlas: Atlas, run: Run | None = None) -> str:
    """The corpus, and a search on it: where each point aimed at lies, and where the program decoded from it.

    The aim is hollow and its program, encoded again, filled in the colour of its score among the corpus, with a line
    between; a program that was edited has no aim. A failed one is an aim with a red edge. Marks can be opened.
    """
    moved = [candidate for step in run.steps for candidate in step if candidate.after is not None] if run else []
    finished = run.candidates.copy() if run else {}
    located = run.located.copy() if run else {}
    known = {candidate.id: candidate for candidate in moved}
    known.update((number, each) for number, each in finished.items() if each.after is not None or number in located)
    aims = {number: atlas.project(each.after[None])[0] for number, each in known.items() if each.after is not None}
    places = {number: atlas.project(each.point[None])[0] for number, each in located.items()}
    every = [*aims.values(), *places.values()]
    frame = MapFrame(atlas, np.stack(every) if every else None)
    last = max((each.round for each in known.values()), default=0)
    label = (
        f"Map of {len(atlas.rows)} corpus programs of {atlas.task} and {len(known)} programs of the search: "
        + _axes(atlas)
    )
    parts = [_open(label, 'tabindex="0"' if known else "", "application" if known else "img"), *_axis_labels(atlas)]
    parts += _corpus_points(atlas, frame, range(len(atlas.rows)), False, {})
    lines, marks = [], []
    for row, candidate in sorted(known.items()):
        lines.append(_way(frame, aims.get(row), places.get(row), candidate.round == last))
        done = finished.get(row)
        marks += _marks(atlas, frame, candidate, done, aims.get(row), places.get(row), candidate.round == last)
    return "".join([*parts, *lines, *marks, "</svg>"]) + map_legend(path=True) + _map_line(atlas, True)


def _way(frame: MapFrame, aim: np.ndarray | None, place: np.ndarray | None, now: bool) -> str:
    if aim is None or place is None:
        return ""
    (x1, y1), (x2, y2) = frame(aim), frame(place)
    kind = "lhs-step lhs-step-now" if now else "lhs-step"
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _marks(
    atlas: Atlas,
    frame: MapFrame,
    candidate: Candidate,
    done: Candidate | None,
    aim: np.ndarray | None,
    place: np.ndarray | None,
    now: bool,
) -> list[str]:
    """The aim of a candidate and its program; one of the two can be opened, once it has a result."""
    if done is None:
        note = "being decoded"
    elif done.ok:
        note = f"objective {number(done.objective)}"
    else:
        note = done.status
    says = html.escape(f"candidate {candidate.id}, round {candidate.round}: {note}", quote=True)
    opens = f' data-row="{candidate.id}" data-says="{says}"' if done is not None else ""
    radius = 6 if now else 4.5
    marks = []
    if aim is not None:
        px, py = frame(aim)
        kind = "lhs-coming" if done is None else "lhs-aim" if done.ok else "lhs-failed"
        own = "" if place is not None else opens
        marks.append(
            f'<circle class="{kind}"{own} cx="{px:.1f}" cy="{py:.1f}" r="{radius - 1}"><title>{says}</title></circle>'
        )
    if place is not None and done is not None and done.score is not None:
        px, py = frame(place)
        level = _level_class(atlas.level_of(done.score))
        marks.append(
            f'<circle class="lhs-child {level}{" lhs-new" if now else ""}"{opens} cx="{px:.1f}" cy="{py:.1f}" '
            f'r="{radius}"><title>{says}</title></circle>'
        )
    return marks


def _axes(atlas: Atlas | None) -> str:
    agreement, remaining = ("…", "…") if atlas is None else (f"{atlas.agreement:.2f}", f"{100 * atlas.remaining:.0f}")
    return (
        f"across, the learned score direction (rank correlation {agreement} with the scores of programs it "
        "was not fitted on); up, the first of the remaining directions "
        f"({remaining} % of their variance)"
    )


def _axis_labels(atlas: Atlas) -> list[str]:
    """What the axes are, inside of the frame."""
    return [
        f'<text class="lhs-quiet" x="{WIDTH - 4}" y="{HEIGHT - 3}" text-anchor="end">better score →  '
        f"(rank correlation {atlas.agreement:.2f})</text>",
        f'<text class="lhs-quiet" transform="translate(11 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
        f"rest: {100 * atlas.remaining:.0f} % of its variance</text>",
    ]


def map_comes() -> str:
    """The place of a map that is being made: as large as the map."""
    return empty("The corpus is being laid out; the map comes in a moment.") + map_legend(True) + _map_line(None, True)


def _map_line(atlas: Atlas | None, search: bool) -> str:
    """What the map is, in one line."""
    marks = " Hollow: a point that was aimed at; filled, joined to it: its program." if search else ""
    return f'<p class="lhs-muted lhs-what">Each dot is a program of the corpus; {html.escape(_axes(atlas))}.{marks}</p>'


def corpus_map(atlas: Atlas, shown: Sequence[int], chosen: dict[str, int], between: np.ndarray | None = None) -> str:
    """The corpus programs in `shown`, each to be clicked.

    Those in `chosen` (letter to row) are ringed and `between` (M, 2), in map coordinates, is joined by a line.
    """
    frame = MapFrame(atlas)
    label = (
        f"Map of {len(shown)} of {len(atlas.rows)} corpus programs of {atlas.task}, coloured by score. "
        "Arrow keys go from program to program in the order of their scores, Enter opens one."
    )
    parts = [_open(label, 'tabindex="0"', "application"), *_axis_labels(atlas)]
    parts += _corpus_points(atlas, frame, shown, True, chosen)
    if between is not None and len(between):
        places = [frame(point) for point in between]
        parts.append(
            f'<polyline class="lhs-step lhs-step-now" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'
        )
        parts += [f'<circle class="lhs-coming lhs-new" cx="{x:.1f}" cy="{y:.1f}" r="6"/>' for x, y in places]
    return "".join([*parts, "</svg>"]) + map_legend(path=False) + _map_line(atlas, False)


def map_legend(path: bool) -> str:
    """What the colours and marks of a map mean."""
    scale = "".join(f'<i class="lhs-key lhs-b{level}"></i>' for level in range(LEVELS))
    entries = [f"<li><span>worse</span>{scale}<span>better program</span></li>"]
    if path:
        entries += [
            '<li><i class="lhs-key lhs-key-aim"></i>point aimed at</li>',
            '<li><i class="lhs-key lhs-key-child"></i>program</li>',
            '<li><i class="lhs-key lhs-key-failed"></i>failed</li>',
        ]
    return f'<ul class="lhs-legend">{"".join(entries)}</ul>'
