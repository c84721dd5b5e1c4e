"""The candidates of a search: a table of them, one opened, and how their predicted order stands to the true one.

Whatever a program wrote is escaped here.
"""

from __future__ import annotations

import difflib
import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..evaluation.result import STATUSES
from ..metrics import surrogate_spearman
from ..search.database import UNDECODABLE, UNPAID, Candidate
from ..search.result import best_candidate
from . import views
from .drawing import number
from .run import Run

HEADER = ["no.", "origin", "new?", "status", "objective", "true rank", "predicted rank", "round", "parent", "message"]
KINDS: list[Literal["number", "html", "str"]] = [
    "number",
    "html",
    "str",
    "str",
    "number",
    "number",
    "number",
    "number",
    "number",
    "str",
]
WIDTHS: list[str | int] = ["60px", "120px", "170px", "90px", "100px", "100px", "130px", "80px", "80px", "200px"]
SHOWN = 500
_MESSAGE = 80

Known = Callable[[str, Candidate], str | None]
"""What a candidate of a task repeats: the text of a corpus program by its family; None for a text that is new."""

_MEANINGS = {
    **STATUSES,
    UNPAID: "the race had no instance runs left for it",
    UNDECODABLE: "the decoder brought no program to its end",
}
_DECODED = {"initial": "decoded", "search": "latent"}
_EDITS = {"crossover": "recombined", "transfer": "transferred", "restart": "corpus"}


@dataclass(frozen=True)
class Standing:
    """Ranks among the valid programs that a search made and that have a prediction, from 1."""

    true: int
    predicted: int


def origin(candidate: Candidate) -> str:
    """Where a program comes from, in one word: corpus, latent, decoded, recombined, edit, ..."""
    if candidate.role == "edit":
        return _EDITS.get(candidate.operator, "edit")
    return _DECODED.get(candidate.role, candidate.role)


def _origin_badge(candidate: Candidate) -> str:
    word = origin(candidate)
    how = candidate.operator.replace("_", " ") if candidate.role == "edit" else ""
    title = f' title="{html.escape(how, quote=True)}"' if how and how != word else ""
    return f'<span class="lhs-badge lhs-origin-{html.escape(word, quote=True)}"{title}>{html.escape(word)}</span>'


def newness(run: Run, candidate: Candidate, known: Known) -> str:
    """Whether a program's text is new, in a few words."""
    if candidate.role == "reference":
        return "the reference"
    if candidate.duplicate_of is not None:
        return f"repeats {candidate.duplicate_of}"
    family = known(run.task.name, candidate)
    return "new text" if family is None else f"known: {family.replace('_', ' ')}"


def predicted(run: Run, candidate: Candidate) -> float | None:
    """The score that was predicted: of the point decoded, or in a portfolio of the program encoded again."""
    if not run.raced:
        return candidate.predicted_after
    located = run.located.get(candidate.id)
    return None if located is None else located.predicted


def standings(run: Run) -> dict[int, Standing]:
    """The ranks of the candidates that have both a true and a predicted score."""
    both = _rated(run)
    true, predicted_ = (
        {number: place for place, number in enumerate(sorted(both, key=lambda each: -both[each][side]), start=1)}
        for side in (0, 1)
    )
    return {number: Standing(true[number], predicted_[number]) for number in both}


def _rated(run: Run) -> dict[int, tuple[float, float]]:
    """True and predicted score of the candidates that the search made and that have both."""
    rated = {each.id: (each.score, predicted(run, each)) for each in run.made() if each.ok}
    return {number: (true, guess) for number, (true, guess) in rated.items() if true is not None and guess is not None}


def rows(run: Run | None, known: Known) -> list[list[Any]]:
    """The table's rows, newest first; empty without a run."""
    if run is None:
        return []
    places = standings(run)
    table = []
    for candidate in reversed(run.ordered()[-SHOWN:]):
        place = places.get(candidate.id)
        message = "" if candidate.ok else candidate.message
        table.append(
            [
                candidate.id,
                _origin_badge(candidate),
                newness(run, candidate, known),
                candidate.status,
                _rounded(candidate.objective),
                None if place is None else place.true,
                None if place is None else place.predicted,
                candidate.round,
                candidate.parent,
                message if len(message) <= _MESSAGE else message[: _MESSAGE - 1] + "…",
            ]
        )
    return table


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def correlation(run: Run | None) -> tuple[float, int] | None:
    """Spearman's rank correlation of predicted and true scores, and over how many programs; None below three."""
    pairs = list(_rated(run).values()) if run is not None else []
    if len(pairs) < 3:
        return None
    return surrogate_spearman([guess for _, guess in pairs], [true for true, _ in pairs]), len(pairs)


def ancestors(run: Run, candidate: Candidate) -> list[Candidate]:
    """A candidate's parent, its parent's parent and so on to a program that the search started from."""
    line: list[Candidate] = []
    while candidate.parent is not None and candidate.parent in run.candidates and len(line) < len(run.candidates):
        candidate = run.candidates[candidate.parent]
        line.append(candidate)
    return line


def opened(run: Run | None, candidate: Candidate | None, known: Known) -> str:
    """One candidate: badges, ranks, the whole error, its ancestors, and what changed against its parent."""
    if run is None or candidate is None:
        return '<p class="lhs-box lhs-note">Choose a row of the table, or a mark on the map or below, to open it.</p>'
    kind = "good" if candidate.ok else "bad"
    meaning = _MEANINGS.get(candidate.status, "")
    parts = [
        f'<section class="lhs-opened" aria-label="candidate {candidate.id}"><h3>Candidate {candidate.id} '
        f'{_origin_badge(candidate)} <span class="lhs-badge">{html.escape(newness(run, candidate, known))}</span> '
        f'<span class="lhs-badge lhs-{kind}" title="{html.escape(meaning, quote=True)}">'
        f"{html.escape(candidate.status)}</span></h3>"
    ]
    parts.append(_facts(run, candidate))
    if not candidate.ok:
        text = ": ".join(part for part in (meaning, candidate.message) if part)
        parts.append(f'<pre class="lhs-error" tabindex="0">{html.escape(text)}</pre>')
    parts += [_lineage(run, candidate), difference(run, candidate), "</section>"]
    return "".join(parts)


def _facts(run: Run, candidate: Candidate) -> str:
    places = standings(run)
    place = places.get(candidate.id)
    facts = {
        "objective": number(candidate.objective, 6)
        + (" (estimate of the race)" if candidate.ok and candidate.outcome else ""),
        "predicted rank": "—" if place is None else f"{place.predicted} of {len(places)}",
        "true rank": "—" if place is None else f"{place.true} of {len(places)}",
        "made by": ": ".join(part.replace("_", " ") for part in (candidate.operator, candidate.changes) if part),
    }
    cells = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>"
        for name, value in facts.items()
        if value
    )
    return f'<dl class="lhs-facts">{cells}</dl>'


def _lineage(run: Run, candidate: Candidate) -> str:
    line = ancestors(run, candidate)
    if not line:
        return '<p class="lhs-muted">The search started from this program: it has no parent.</p>'
    steps = "".join(
        f'<li><button type="button" data-row="{each.id}">{each.id}</button> {html.escape(origin(each))} '
        f"{number(each.objective, 6)}</li>"
        for each in reversed(line)
    )
    other = "" if candidate.other_parent is None else f" Second parent: {candidate.other_parent}."
    return (
        f'<nav aria-label="ancestors"><ol class="lhs-line-of">{steps}<li aria-current="true"><b>{candidate.id}</b> '
        f'{html.escape(origin(candidate))} {number(candidate.objective, 6)}</li></ol></nav><p class="lhs-muted">'
        f"From the program that the search started from to this one.{other}</p>"
    )


def difference(run: Run, candidate: Candidate) -> str:
    """What changed between a program and its parent, line by line; "" without a parent."""
    if candidate.parent is None or candidate.parent not in run.candidates:
        return ""
    parent = run.candidates[candidate.parent]
    lines = difflib.unified_diff(
        parent.program.rstrip().splitlines(), candidate.program.rstrip().splitlines(), lineterm="", n=3
    )
    change = (
        f"candidate {candidate.id} ({number(candidate.objective)}) against its parent {parent.id} "
        f"({number(parent.objective)})"
    )
    return views.diff(change, list(lines)[2:])


def shown_candidate(run: Run | None) -> Candidate | None:
    """The candidate that is open: the one that was chosen, else the best so far."""
    if run is None:
        return None
    chosen = run.candidates.get(run.chosen) if run.chosen is not None else None
    return chosen or best_candidate(run.ordered())
