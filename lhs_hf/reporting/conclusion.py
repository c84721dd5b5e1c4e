"""What a search came to, in one sentence: new or known, how much better than what, how fast, where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..corpus.novelty import Novelty
from ..opening.files import is_number
from ..opening.text import one_line
from ..search.result import runtime_cell
from ..tasks.base import Task


def conclusion(task: Task, result: dict[str, Any]) -> str:
    """One sentence about a finished search, without a full stop after the path of its program.

    Gains are those on `holdout`, by which nothing was chosen, or on the last split that the program was judged on. It
    holds names that somebody else may have written, cut to one line.

    Args:
        result: of a `SearchResult` its `as_dict()`.

    Raises `CallError` if its novelty is none that a search stores.
    """
    split = _judged_on(task, result)
    gains = [each for each in (_over_corpus(result, split), _over_reference(task, result, split)) if each is not None]
    verdict = _origin(Novelty.from_dict(result.get("novelty")))
    if gains:
        verdict += f", {' and '.join(gains)} on {split}"
    cell = runtime_cell(result.get("runtime"), split)
    time = cell.replace(" (×", ", ").replace(")", " times as long as the reference")
    sentences = [f"Result: {verdict}", *([f"it runs for {time}"] if time != "—" else [])]
    if result.get("output"):
        sentences.append(f"it lies in {Path(str(result['output'])) / 'best.py'}")
    return "; ".join(sentences)


@dataclass(frozen=True)
class Headline:
    """What a search came to, for a reader who sees nothing else. `kind` is better, known or below."""

    kind: str
    text: str


def headline(task: Task, result: dict[str, Any]) -> Headline:
    """Whether a program is new or known, and how it stands to the best that is known: a sentence of one clause.

    The best known is the best program of the corpus; without a corpus, the reference. Gains are those that
    `conclusion` names. What a result does not hold yet is left out: of one without novelty it is not said whether the
    program is new.

    Args:
        result: of a `SearchResult` its `as_dict()`, or the parts of it that are known so far.

    Raises `CallError` if its novelty is none that a search stores.
    """
    novelty = Novelty.from_dict(result.get("novelty"))
    if novelty is not None and novelty.level == "reference":
        return Headline("known", "Nothing better than the reference program was found.")
    split = _judged_on(task, result)
    kind, standing = _standing(task, result, split)
    if novelty is not None and novelty.level == "given":
        return Headline("known", f"Known: one of the programs given, {standing}.")
    if novelty is None:
        return Headline(kind, f"So far {standing}.")
    if novelty.level in ("verbatim", "canonical", "same decisions"):
        which = "decides as corpus program" if novelty.level == "same decisions" else "corpus program"
        name = one_line(novelty.family, 80).replace("_", " ")
        if kind == "better":  # than the one that `search` has on top: nothing known is better than the best known
            standing = standing.replace("the best known", "the corpus program that is best on search")
        return Headline("known", f"Known: {which} {name}, {standing}.")
    return Headline(kind, f"New, {'and' if kind == 'better' else 'but'} {standing}.")


def _standing(task: Task, result: dict[str, Any], split: str) -> tuple[str, str]:
    """The kind of a headline, and how a program stands to the best known on a split."""
    gain = result.get("corpus_gain")
    gain = gain if isinstance(gain, dict) and gain.get("split") == split else {}
    difference, share, other = gain.get("difference"), gain.get("gain"), "the best known"
    found, reference = ((result.get(who) or {}).get(split) for who in ("found", "reference"))
    if not is_number(difference):
        other = "the reference"
        if not is_number(found) or not is_number(reference):
            return "below", f"without an objective on {split}"
        difference = task.alpha * (found - reference)
        share = difference / abs(reference) if reference else None
    if gain.get("same") or not difference:
        return "known", f"equal to {other} ({split})"
    low, high = gain.get("low"), gain.get("high")
    noise = ", may be noise" if is_number(low) and is_number(high) and low <= 0 <= high else ""
    amount = f"{abs(100 * share):.2f} %" if is_number(share) else f"{abs(difference):.6g}"
    kind, side = ("better", "better than") if difference > 0 else ("below", "below")
    return kind, f"{side} {other} by {amount} ({split}{noise})"


def _origin(novelty: Novelty | None) -> str:
    if novelty is None:
        return "a program"
    family = one_line(novelty.family, 80)
    return {
        "reference": "nothing better than the reference program was found",
        "given": "nothing better than the programs it was given was found; the best of them",
        "verbatim": f"a known program of the corpus (family {family})",
        "canonical": f"a known program of the corpus (family {family}) in another layout",
        "same decisions": f"a program that decides as a known one of the corpus (family {family})",
        "new": "a new program",
        "no corpus": "a new program for a task without a corpus",
    }[novelty.level]


def _judged_on(task: Task, result: dict[str, Any]) -> str:
    scored = [split for split in task.splits if (result.get("found") or {}).get(split) is not None]
    return "holdout" if "holdout" in scored else scored[-1] if scored else "search"


def _over_corpus(result: dict[str, Any], split: str) -> str | None:
    """The gain over the best of the corpus, if it was measured on this split."""
    gain = result.get("corpus_gain")
    if not isinstance(gain, dict) or gain.get("split") != split:
        return None
    if gain.get("same"):
        return "equal to the best in corpus"
    share, difference = gain.get("gain"), gain.get("difference")
    if not is_number(difference):
        return None
    amount = f"{abs(100 * share):.2f} %" if is_number(share) else f"{abs(difference):.6g}"
    low, high = gain.get("low"), gain.get("high")
    noise = " (that may be noise)" if is_number(low) and is_number(high) and low <= 0 <= high else ""
    return f"{amount} {'better' if difference >= 0 else 'worse'} than the best in corpus{noise}"


def _over_reference(task: Task, result: dict[str, Any], split: str) -> str | None:
    found, reference = ((result.get(who) or {}).get(split) for who in ("found", "reference"))
    if not is_number(found) or not is_number(reference) or not reference or found == reference:
        return None
    gain = 100.0 * task.alpha * (found - reference) / abs(reference)
    return f"{abs(gain):.2f} % {'better' if gain > 0 else 'worse'} than the reference"
