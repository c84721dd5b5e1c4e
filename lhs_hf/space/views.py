"""Fragments of the page: progress, candidates, comparison, differences. Whatever a program wrote is escaped here."""

from __future__ import annotations

import difflib
import html
from collections.abc import Sequence
from typing import Any

from ..evaluation import Evaluation
from ..evaluation.result import STATUSES
from ..reporting.run_report import COMPARISON_HEADER, comparison_rows, verdict_lines
from ..search.between import Between
from ..search.database import Candidate
from ..search.result import best_candidate, incumbent_history
from ..tasks.base import Task
from .drawing import number
from .runs import FAILED, FINISHED, WAITING, Run

SHOWN_CANDIDATES = 200


def note(text: str, kind: str = "note") -> str:
    """A line of text in a box; `kind` is note, good or bad."""
    return f'<p class="lhs-box lhs-{kind}">{html.escape(text)}</p>'


def _tile(name: str, value: str, detail: str = "") -> str:
    extra = f"<small>{html.escape(detail)}</small>" if detail else ""
    return f'<div class="lhs-tile"><dt>{html.escape(name)}</dt><dd>{html.escape(value)}{extra}</dd></div>'


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"


def _stage(run: Run, ahead: int) -> str:
    made = len(run.made())
    if run.state == WAITING:
        return "Your search starts next." if not ahead else f"In the queue: {ahead} before yours."
    if run.state == FAILED:
        return run.message
    if run.state == FINISHED:
        stopped = made < run.budget
        return f"Stopped after {made} of {run.budget} calls; what was found is kept." if stopped else "Finished."
    if run.stop.is_set():
        return "Stopping after this round …"
    if made >= run.budget:
        return "Comparing the best program on every split …"
    if not run.steps:
        return "Evaluating the starting program …"
    return f"Round {run.steps[-1][0].round}: decoding and evaluating …"


def status(run: Run | None, task: Task, ahead: int = 0) -> str:
    """Progress, time and the incumbent of a run; without one, what the task is."""
    better = "lower" if task.sense == "min" else "higher"
    if run is None:
        return (
            f'<section class="lhs-status"><h2>{html.escape(task.title)}</h2>'
            f"<p>{html.escape(task.description)}</p><p class='lhs-muted'>Objective: {better} is better.</p></section>"
        )
    made = run.made()
    best = best_candidate(run.ordered())
    share = len(made) / max(1, run.budget)
    if run.over or not made:
        left = "—"
    elif len(made) >= run.budget:
        left = "a moment"
    else:
        left = "≈ " + _duration(run.elapsed() / len(made) * (run.budget - len(made)))
    reference = next((candidate.objective for candidate in run.ordered() if candidate.role == "reference"), None)
    gain = ""
    if best is not None and best.objective is not None and reference:
        percent = 100 * task.alpha * (best.objective - reference) / abs(reference)
        gain = f"{percent:+.1f} % on the reference" if percent else "the reference itself"
    valid = sum(candidate.ok for candidate in made)
    tiles = [
        _tile("Best objective", number(best.objective if best else None, 6), gain or f"{better} is better"),
        _tile("Decoder calls", f"{len(made)} / {run.budget}"),
        _tile("Valid programs", f"{100 * valid / len(made):.0f} %" if made else "—"),
        _tile("Time", _duration(run.elapsed()), f"left: {left}"),
    ]
    kind = "bad" if run.state == FAILED else "good" if run.state == FINISHED else "busy"
    return (
        f'<section class="lhs-status" data-state="{run.state}"><h2>{html.escape(task.title)}</h2>'
        f'<p class="lhs-stage lhs-{kind}" role="status">{html.escape(_stage(run, ahead))}</p>'
        f'<progress max="1" value="{share:.4f}" aria-label="decoder calls made">{share:.0%}</progress>'
        f'<dl class="lhs-tiles">{"".join(tiles)}</dl></section>'
    )


def history(run: Run) -> list[float]:
    """The incumbent objective after each decoder call so far."""
    return incumbent_history(run.task, run.ordered())


def _status_cell(name: str, message: str) -> str:
    kind = "good" if name == "ok" else "bad"
    meaning = message or STATUSES.get(name, "")
    title = html.escape(meaning, quote=True)
    return f'<td><span class="lhs-badge lhs-{kind}" title="{title}">{html.escape(name)}</span></td>'


def candidate_table(run: Run | None) -> str:
    """The decoded candidates, newest first: status, error kind, predicted and true score."""
    made = run.made() if run is not None else []
    if not made:
        return note("Candidates appear here as they are decoded.")
    best = best_candidate(made)
    rows = []
    for candidate in reversed(made[-SHOWN_CANDIDATES:]):
        mark = ' class="lhs-best"' if candidate is best else ""
        rows.append(
            f"<tr{mark}><td>{candidate.id}</td><td>{candidate.round}</td>"
            f"{_status_cell(candidate.status, candidate.message)}"
            f"<td>{number(candidate.predicted_after, 4)}</td><td>{number(candidate.score, 6)}</td>"
            f"<td>{number(candidate.objective, 6)}</td><td>{'—' if candidate.parent is None else candidate.parent}</td>"
            f"<td class='lhs-message'>{html.escape('' if candidate.ok else candidate.message)}</td></tr>"
        )
    header = ("no.", "round", "status", "predicted score", "true score", "objective", "parent", "message")
    return _table(header, rows, "Candidates, newest first")


def _table(header: Sequence[str], rows: Sequence[str], caption: str) -> str:
    cells = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    return (
        f'<div class="lhs-scroll" tabindex="0" role="region" aria-label="{html.escape(caption)}">'
        f'<table class="lhs-table"><caption>{html.escape(caption)}</caption><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody>"
        "</table></div>"
    )


def comparison(run: Run | None) -> str:
    """Whether what was found is new, and its objectives beside reference and best corpus program on every split.

    Empty before the end.
    """
    if run is None or run.result is None:
        return ""
    said = "".join(note(line) for line in verdict_lines(run.result))
    rows = []
    for row in comparison_rows(run.task, run.result):
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>")
    direction = "lower" if run.task.sense == "min" else "higher"
    return said + _table(COMPARISON_HEADER, rows, f"Objective on every split ({direction} is better)")


def best_program(run: Run | None, task: Task) -> tuple[str, Candidate | None]:
    """The best program so far, and its candidate; the reference program before there is one."""
    best = best_candidate(run.ordered()) if run is not None else None
    return (best.program if best is not None else task.template).rstrip() + "\n", best


def difference(run: Run | None) -> str:
    """What changed between the best program and its parent, line by line."""
    best = best_candidate(run.ordered()) if run is not None else None
    if run is None or best is None:
        return ""
    if best.parent is None or best.parent not in run.candidates:
        return note("The best program so far is one the search started from: it has no parent.")
    parent = run.candidates[best.parent]
    lines = difflib.unified_diff(
        parent.program.rstrip().splitlines(), best.program.rstrip().splitlines(), lineterm="", n=20
    )
    shown = []
    for line in list(lines)[3:]:
        kind = {"+": "lhs-added", "-": "lhs-removed"}.get(line[:1], "")
        shown.append(f'<span class="{kind}">{html.escape(line) or " "}</span>')
    change = (
        f"candidate {best.id} ({number(best.objective)}) against its parent {parent.id} ({number(parent.objective)})"
    )
    return (
        f'<figure class="lhs-diff"><figcaption>{html.escape(change)}</figcaption>'
        f'<pre tabindex="0">{"".join(shown) or "no difference"}</pre></figure>'
    )


def verdict(task: Task, split: str, found: Evaluation) -> str:
    """What the sandbox says about a program."""
    if not found.ok:
        meaning = STATUSES.get(found.status, "")
        message = f": {found.message}" if found.message else ""
        return (
            '<p class="lhs-box lhs-bad" role="status">'
            f'<span class="lhs-badge lhs-bad">{html.escape(found.status)}</span> '
            f"{html.escape(meaning + message)}</p>"
        )
    better = "lower" if task.sense == "min" else "higher"
    return (
        f'<p class="lhs-box lhs-good" role="status"><span class="lhs-badge lhs-good">ok</span> objective '
        f"<strong>{number(found.objective, 8)}</strong> on {html.escape(split)} ({better} is better), "
        f"{len(found.objectives)} instances, {found.runtime_s:.2f} s</p>"
    )


def between_list(task: Task, found: Sequence[Between]) -> str:
    """Programs decoded on the way from A to B, each to be opened."""
    entries = []
    for stop in found:
        result = stop.evaluation
        kind, text = ("good", f"objective {number(result.objective, 6)}") if result.ok else ("bad", result.message)
        entries.append(
            f'<details class="lhs-between"><summary><b>{100 * stop.share:.0f} %</b> '
            f'<span class="lhs-badge lhs-{kind}">{html.escape(result.status)}</span> {html.escape(text)}</summary>'
            f'<pre tabindex="0">{html.escape(stop.program)}</pre></details>'
        )
    return f'<p class="lhs-muted">From A (0 %) to B (100 %) on {html.escape(task.title)}:</p>' + "".join(entries)


def row_facts(row: Any) -> str:
    """Where a corpus program comes from and how it does."""
    origin = {"seed": "a seed", "a": "same decisions, other text", "b": "other numbers", "c": "another algorithm"}
    tiles = [
        _tile("Objective", number(row.objective, 6)),
        _tile("Family", row.family.replace("_", " ")),
        _tile("Kind", origin.get(row.tier, row.tier)),
        _tile("Split", row.split),
    ]
    return f'<dl class="lhs-tiles">{"".join(tiles)}</dl>'
