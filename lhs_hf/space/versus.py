"""Two searches of one visitor beside each other: their curves, objectives on every split, and programs."""

from __future__ import annotations

import difflib
import html
import math
from typing import Any

import gradio as gr

from ..search.result import best_candidate
from . import views
from .drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, number
from .endpoints import caller
from .parts import html as shown
from .parts import unseen
from .run import Run
from .service import SpaceService

MOST = 8
"""Former searches that a page remembers."""
_LETTERS = ("A", "B")
_NONE = views.note("Choose two searches of this page; those that you make are listed here, the last ones first.")


class Versus:
    """Two choices, and what their searches came to."""

    def __init__(self, service: SpaceService) -> None:
        self.service = service
        with gr.Row():
            self.first, self.second = (
                gr.Dropdown([], label=f"Search {letter}", elem_id=f"lhs-versus-{letter.lower()}", min_width=240)
                for letter in _LETTERS
            )
        self.view = shown(_NONE, "lhs-versus")

    def wire(self, tab: gr.Tab, run_name: gr.State, former: gr.State) -> None:
        """`run_name`: of the search on the page; `former`: names of those before, the last one first."""
        quiet = unseen(show_progress="hidden")
        outputs = [self.first, self.second, self.view]
        tab.select(self.offer, [run_name, former, self.first, self.second], outputs, **quiet)
        for choice in (self.first, self.second):
            choice.input(self.compare, [self.first, self.second], self.view, **quiet)

    def offer(
        self, name: str | None, former: list[str], first: str | None, second: str | None, request: gr.Request
    ) -> tuple[Any, ...]:
        """The searches to choose from; unless two were chosen, the one before the page's and the page's."""
        session = caller(request)[1]
        example = self.service.example
        names = [name, *former, *([example.id] if example is not None else [])]
        runs = {each: run for each in names if each and (run := self.service.look(each, session)) is not None}
        choices = [(describe(run), each) for each, run in runs.items()]
        latest = next(iter(runs), None)
        if second not in runs:
            second = latest
        if first not in runs or first == second:
            same_task = (each for each, run in runs.items() if each != second and run.task is runs[second or ""].task)
            first = next(same_task, None)
        update = [gr.update(choices=choices, value=value) for value in (first, second)]
        return (*update, self.compare(first, second, request))

    def compare(self, first: str | None, second: str | None, request: gr.Request) -> str:
        """Both searches on one view."""
        session = caller(request)[1]
        pair = [self.service.look(name, session) for name in (first, second)]
        if pair[0] is None or pair[1] is None:
            return _NONE
        return versus(pair[0], pair[1])


def describe(run: Run) -> str:
    """A search in a line: its task, its settings, and what it has come to."""
    best, settings = best_candidate(run.ordered()), run.settings
    how = "edits and latent points" if run.raced else "latent points alone"
    start = f"from {settings['init']}, " if "init" in settings else ""
    return (
        f"{run.task.title}: {how}, {start}budget {run.budget}, seed {settings.get('seed', 0)}: "
        f"{number(best.objective if best is not None else None, 6)}"
    )


def versus(first: Run, second: Run) -> str:
    """Curves, splits, programs of two searches of the same task."""
    if first.task.name != second.task.name:
        return views.note(
            f"A is a search of {first.task.title}, B of {second.task.title}: choose two of the same problem.", "bad"
        )
    runs = (first, second)
    named = "".join(
        f'<p class="lhs-muted"><b>{letter}</b> {html.escape(describe(run))}</p>' for letter, run in zip(_LETTERS, runs)
    )
    return named + _curves(runs) + _splits(runs) + _programs(runs)


def _curves(runs: tuple[Run, Run]) -> str:
    histories = [[value for value in views.history(run) if math.isfinite(value)] for run in runs]
    values = [value for history in histories for value in history]
    if not values:
        return views.note("Neither of them has a valid program yet.")
    low, high = min(values), max(values)
    pad = 0.06 * ((high - low) or abs(high) or 1.0)
    low, high, last = low - pad, high + pad, max(map(len, histories))
    right, foot = WIDTH - RIGHT, HEIGHT - BOTTOM

    def place(program: int, value: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * program / last, TOP + (foot - TOP) * (high - value) / (high - low)

    ends = ", ".join(f"{letter} {number(each[-1], 6)}" for letter, each in zip(_LETTERS, histories) if each)
    label = html.escape(f"Best objective after each program of both searches, in the end {ends}", quote=True)
    parts = [
        f'<svg class="lhs-svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">',
        f'<line class="lhs-axis" x1="{LEFT}" y1="{foot}" x2="{right}" y2="{foot}"/>',
        f'<text class="lhs-tick" x="{LEFT}" y="{HEIGHT - 20}">0</text>',
        f'<text class="lhs-tick" x="{right}" y="{HEIGHT - 20}" text-anchor="end">{last} programs</text>',
    ]
    for value in dict.fromkeys((max(values), min(values))):
        height = place(0, value)[1] + 4
        parts.append(f'<text class="lhs-tick" x="{LEFT - 6}" y="{height:.1f}" text-anchor="end">{number(value)}</text>')
    for letter, history in zip(_LETTERS, histories):
        if not history:
            continue
        points = [place(program, value) for program, value in enumerate(history, start=1)]
        path = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f" H{x:.1f} V{y:.1f}" for x, y in points[1:])
        x, y = points[-1]
        parts.append(
            f'<path class="lhs-incumbent lhs-search-{letter.lower()}" d="{path}"/>'
            f'<text class="lhs-letter" x="{x - 14:.1f}" y="{y - 7:.1f}">{letter}</text>'
        )
    said = "Values of races are estimates on training instances; the table below is fair."
    ending = f'<p class="lhs-muted">{said}</p>' if any(run.raced for run in runs) else ""
    return f'<figure class="lhs-pair">{"".join(parts)}</svg></figure>{ending}'


def _splits(runs: tuple[Run, Run]) -> str:
    task = runs[0].task
    results = [views.so_far(run) or {"found": {}} for run in runs]
    rows = []
    for split in task.splits:
        a, b = (result["found"].get(split) for result in results)
        change = f"{100.0 * task.alpha * (b - a) / abs(a) + 0.0:+.2f} %" if a and b is not None else "—"
        rows.append([split, number(a, 6), number(b, 6), change])
    spent = [f"{len(run.made())} ({sum(each.ok for each in run.made())} valid)" for run in runs]
    rows += [["programs", *spent, ""], ["seconds", *(f"{run.elapsed():.0f}" for run in runs), ""]]
    header = ["", *_LETTERS, "B better by"]
    better = "lower" if task.sense == "min" else "higher"
    cells = ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return views.table(header, cells, f"Objective of the program found on every split ({better} is better)")


def _programs(runs: tuple[Run, Run]) -> str:
    first, second = (views.best_program(run, run.task)[0].splitlines() for run in runs)
    lines = list(difflib.unified_diff(first, second, lineterm="", n=3))[2:]
    if not lines:
        return views.note("Both found the same program.")
    return views.diff("from the program of A to that of B", lines)
