"""Fragments of the page: verdict, progress, comparison. Whatever a program wrote is escaped here."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluation import Evaluation
from ..evaluation.result import STATUSES
from ..reporting.conclusion import headline
from ..reporting.run_report import COMPARISON_HEADER, comparison_rows, verdict_lines
from ..search.between import Between
from ..search.database import Candidate
from ..search.result import best_candidate, incumbent_history
from ..tasks.base import Task
from .drawing import number
from .run import EXAMPLE, FAILED, FINISHED, WAITING, Run

KnownObjectives = Mapping[str, Mapping[str, float]]
"""Objectives by split of "reference" and "corpus", as `corpus.stats.known_objectives` reads them."""

FOUND_COLUMN = COMPARISON_HEADER.index("found")


def note(text: str, kind: str = "note") -> str:
    """A line of text in a box; `kind` is note, good or bad."""
    return f'<p class="lhs-box lhs-{kind}">{html.escape(text)}</p>'


def _tile(name: str, value: str, detail: str = "") -> str:
    extra = f"<small>{html.escape(detail)}</small>" if detail else ""
    return f'<div class="lhs-tile"><dt>{html.escape(name)}</dt><dd>{html.escape(value)}{extra}</dd></div>'


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"


def _stage(run: Run, ahead: int) -> str:
    if run.state == WAITING:
        return "Your search starts next." if not ahead else f"In the queue: {ahead} before yours."
    if run.state in (FAILED, EXAMPLE):
        return run.message
    unit = "instance runs" if run.raced else "calls"
    if run.state == FINISHED:
        # A race may end with runs left that no further program could be judged on.
        stopped = run.stop.is_set() or (not run.raced and run.spent < run.total)
        left = f"Stopped after {run.spent} of {run.total} {unit}; what was found is kept."
        return left if stopped else "Finished."
    if run.measuring:
        return _measuring(run)
    if run.stop.is_set():
        return "Stopping after this round …"
    if not run.candidates or not (run.raced or run.steps):
        return "Evaluating the starting programs …"
    last = run.steps[-1][0].round if run.steps else max(each.round for each in run.ordered()) + run.raced
    return f"Round {last}: {'proposing and racing' if run.raced else 'decoding and evaluating'} …"


def _measuring(run: Run) -> str:
    """What is compared at the moment, after the last round."""
    split = run.measuring.rpartition(" on ")[2]
    if split not in run.task.splits:
        return "Checking the program on instances that nobody has seen …"
    return (
        f"Evaluating the splits: {split}, {min(len(run.measured) + 1, len(run.task.splits))} of {len(run.task.splits)}"
    )


def status(run: Run | None, task: Task, ahead: int = 0, known: KnownObjectives | None = None) -> str:
    """What a run came to, its progress, time and incumbent; without one, what the task is."""
    better = "lower" if task.sense == "min" else "higher"
    if run is None:
        return (
            f'<section class="lhs-status"><h2>{html.escape(task.title)}</h2>'
            f"<p>{html.escape(task.description)}</p><p class='lhs-muted'>Objective: {better} is better.</p></section>"
        )
    made = run.made()
    best = best_candidate(run.ordered())
    share = (
        1.0 if run.state in (FINISHED, EXAMPLE) and not run.stop.is_set() else min(1.0, run.spent / max(1, run.total))
    )
    if run.over or not run.spent:
        left = "—"
    elif run.measuring or run.spent >= run.total:
        seconds = _splits_s(run, best)
        left = "the splits" if seconds is None else "≈ " + _duration(seconds)
    else:
        left = "≈ " + _duration(run.elapsed() / run.spent * (run.total - run.spent))
    reference = next((candidate.objective for candidate in run.ordered() if candidate.role == "reference"), None)
    gain = ""
    if best is not None and best.objective is not None and reference:
        percent = 100 * task.alpha * (best.objective - reference) / abs(reference)
        gain = f"{percent:+.1f} % on the reference" if percent else "the reference itself"
    valid = sum(candidate.ok for candidate in made)
    tiles = [
        _tile("Best objective", number(best.objective if best else None, 6), gain or f"{better} is better"),
        _tile("Instance runs" if run.raced else "Decoder calls", f"{run.spent} / {run.total}"),
        _tile("Programs", str(len(made)), f"{100 * valid / len(made):.0f} % valid" if made else "—"),
        _tile("Time", _duration(run.elapsed()), f"left: {left}"),
    ]
    kind = "bad" if run.state == FAILED else "good" if run.over else "busy"
    link = f' data-link="{html.escape(run.link, quote=True)}"' if run.state == FINISHED else ""
    return (
        f'<section class="lhs-status" data-state="{run.state}"{link}>{_headline(run, known)}'
        f"<h2>{html.escape(task.title)}</h2>"
        f'<p class="lhs-stage lhs-{kind}" role="status">{html.escape(_stage(run, ahead))}</p>'
        f'<progress max="1" value="{share:.4f}" aria-label="share of the budget that is spent">{share:.0%}</progress>'
        f'<dl class="lhs-tiles">{"".join(tiles)}</dl></section>'
    )


def _splits_s(run: Run, best: Candidate | None) -> float | None:
    """Seconds that the best program will take on the splits which are not measured yet; None where nobody knows.

    Reckoned from the instances that it has met, by how often a program is called on each split.
    """
    met = 0 if best is None else len(best.objectives or ()) or best.runs
    if best is None or not best.runtime_s or not met:
        return None
    search = run.task.split("search")
    on_search = best.runtime_s / met * search.count
    splits = [run.task.split(name) for name in run.task.splits if name not in run.measured]
    return sum(on_search * split.program_calls / search.program_calls for split in splits)


def _headline(run: Run, known: KnownObjectives | None) -> str:
    """The sentence that a run comes to. Before a split was measured its place is kept, so that nothing moves then."""
    result = so_far(run, known)
    if result is None:
        waits = '<p class="lhs-verdict lhs-is-awaited">Searching: what comes of it will stand here.</p>'
        return "" if run.over else waits
    said = headline(run.task, result)
    return f'<p class="lhs-verdict lhs-is-{said.kind}" role="status">{html.escape(said.text)}</p>'


def so_far(run: Run, known: KnownObjectives | None = None) -> dict[str, Any] | None:
    """The result of a run, or what of it is known once its splits are measured; None before.

    `known` are objectives by split of the reference and the best corpus program that ship with the package: they stand
    where a search that was stopped has not measured them.
    """
    if run.result is None and not run.measuring and not run.measured:
        return None
    result = dict(run.result or {"bound": dict(run.task.bounds)})
    for who in ("found", "reference", "corpus"):
        measured = {split: row[who] for split, row in run.measured.items() if who in row}
        result[who] = {**(known or {}).get(who, {}), **measured, **(result.get(who) or {})}
    if run.result is None:
        best = best_candidate(run.ordered())
        if best is not None and not run.raced:
            result["found"].setdefault("search", best.objective)
        result["corpus_gain"] = _mean_gain(run.task, result)
    return result


def _mean_gain(task: Task, result: dict[str, Any]) -> dict[str, Any] | None:
    """The gain over the best of the corpus on `holdout` by the means alone, before there is a test of it."""
    found, corpus = (result[who].get("holdout") for who in ("found", "corpus"))
    if found is None or corpus is None:
        return None
    difference = task.alpha * (found - corpus)
    gain = difference / abs(corpus) if corpus else None
    return {"split": "holdout", "difference": difference, "gain": gain, "same": not difference}


def history(run: Run) -> list[float]:
    """The incumbent objective after each decoder call so far."""
    return incumbent_history(run.task, run.ordered())


def table(header: Sequence[str], rows: Sequence[str], caption: str) -> str:
    """A table of `rows`, which are HTML, that scrolls where it is wider than its place."""
    cells = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    return (
        f'<div class="lhs-scroll" tabindex="0" role="region" aria-label="{html.escape(caption)}">'
        f'<table class="lhs-table"><caption>{html.escape(caption)}</caption><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody>"
        "</table></div>"
    )


def comparison(run: Run | None, known: KnownObjectives | None = None) -> str:
    """Whether what was found is new, and its objectives beside reference and best corpus program on every split.

    Empty before the splits are measured; then row by row.
    """
    result = so_far(run, known) if run is not None else None
    if run is None or result is None:
        return ""
    said = "".join(note(line) for line in verdict_lines(run.result)) if run.result is not None else ""
    now = run.measuring.rpartition(" on ")[2]
    rows = []
    for row in comparison_rows(run.task, result):
        waits = run.result is None and row[0] in run.task.splits and result["found"].get(row[0]) is None
        state = "" if not waits else "now …" if row[0] == now else "comes"
        cells = [state if waits and place == FOUND_COLUMN else cell for place, cell in enumerate(row)]
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    direction = "lower" if run.task.sense == "min" else "higher"
    return said + table(COMPARISON_HEADER, rows, f"Objective on every split ({direction} is better)")


def best_program(run: Run | None, task: Task) -> tuple[str, Candidate | None]:
    """The best program so far, and its candidate; the reference program before there is one."""
    best = best_candidate(run.ordered()) if run is not None else None
    return (best.program if best is not None else task.template).rstrip() + "\n", best


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


def diff(caption: str, lines: Sequence[str]) -> str:
    """The lines of a unified diff, what was added and removed in colours."""
    shown = []
    for line in lines:
        kind = {"+": "lhs-added", "-": "lhs-removed", "@": "lhs-muted"}.get(line[:1], "")
        shown.append(f'<span class="{kind}">{html.escape(line) or " "}</span>')
    return (
        f'<figure class="lhs-diff"><figcaption>{html.escape(caption)}</figcaption>'
        f'<pre tabindex="0">{"".join(shown) or "no difference"}</pre></figure>'
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
    return (
        f'<p class="lhs-muted">From A (0 %) to B (100 %) on {html.escape(task.title)}. The ends are not A and B '
        "themselves: each of the five is what the decoder writes for a point on the line, and from the point of a "
        f"known program it often writes another that is near.</p>{''.join(entries)}"
    )


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
