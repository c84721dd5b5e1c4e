"""What a search returns: the program found, beside the reference and the best program of the corpus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import CallError
from ..metrics import gap_to_optimum, share
from ..opening.files import is_number
from ..opening.text import one_line
from ..tasks.base import Task
from .candidates import Kinds, beyond_memory, kinds, numbers
from .database import CLOSED, SCREENED, UNPAID, Candidate
from .values import STARTING_ROLES


@dataclass
class SearchResult:
    """The outcome of one search. Objectives are in task units; `score` = alpha * objective, higher is better.

    `found`, `reference` and `corpus` map split names to objectives (None where the program fails on that split);
    `bound` maps splits to the known bound or optimum. `history` has one entry a decoder call: the incumbent objective.
    `private_holdout` is a `PrivateHoldout` as plain data: all that depends on a seed drawn anew for each search; None
    if the search was stopped before.
    `training` says what a portfolio knows of the program from the last training instances, on which only the best few
    met: `objective` with its standard error `objective_error` on so many `instances`, and the
    `instance_runs` of the whole search; None for other searches.
    `screened` counts the decoder calls whose program was not evaluated because another of its point was chosen, and
    `passed_over` those among them that had been evaluated before. `closed` counts the valid programs that the decoder
    did not bring to an end that answers: another one was written for them (`decoding.closing`).
    `novelty` says whether the program found is in the corpus (`corpus.novelty.Novelty` as plain data), `runtime` maps
    splits to wall seconds, {"found": s, "reference": s}, and `corpus_gain` is the gain over the best of the corpus on
    `holdout` with its 95 % interval (`search.comparison.corpus_gain`), `conclusion` is all of it in one sentence
    (`reporting.conclusion`); None and empty in results of older versions.
    """

    task: str
    sense: str
    program: str
    objective: float
    score: float
    reference_objective: float
    best_in_corpus: float | None
    candidates: int
    valid: int
    decoder_calls: int
    tokens: int
    distinct_programs: int
    screened: int = 0
    passed_over: int = 0
    closed: int = 0
    found: dict[str, float | None] = field(default_factory=dict)
    reference: dict[str, float | None] = field(default_factory=dict)
    corpus: dict[str, float | None] = field(default_factory=dict)
    private_holdout: dict[str, Any] | None = None
    training: dict[str, Any] | None = None
    bound: dict[str, float] = field(default_factory=dict)
    bound_kind: str = "bound"
    history: list[float] = field(default_factory=list)
    output: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    runtime_s: float = 0.0
    novelty: dict[str, Any] | None = None
    runtime: dict[str, dict[str, float | None]] = field(default_factory=dict)
    corpus_gain: dict[str, Any] | None = None
    conclusion: str = ""

    @property
    def success_rate(self) -> float:
        """Share of the programs that were made, screened ones left out, that are valid and scored."""
        return share(self.valid, self.candidates - self.screened)

    @property
    def test(self) -> dict[str, float | None]:
        """The found program's objectives on the test splits and on `holdout`."""
        return {split: value for split, value in self.found.items() if split != "search"}

    def _repr_html_(self) -> str:
        """What a notebook shows (`reporting.result_html`)."""
        from ..reporting.result_html import result_html

        return result_html(self.as_dict())

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        # `asdict` would copy each number of a long history for itself.
        plain = {**asdict(replace(self, history=[])), "history": list(self.history)}
        return {**plain, "success_rate": self.success_rate, "test": self.test}


def best_candidate(candidates: Sequence[Candidate]) -> Candidate | None:
    """The candidate with the highest score, the earliest on ties; None if none is valid.

    Of candidates that raced it is the last incumbent: a higher estimate on fewer instances may be luck.
    """
    if large := beyond_memory(candidates):
        leading = large.database.read("WHERE outcome = 'incumbent' ORDER BY id DESC LIMIT 1")
        return next(leading, None) or next(large.best(), None)
    incumbents = [candidate for candidate in candidates if candidate.outcome == "incumbent"]
    if incumbents:
        return incumbents[-1]
    scored = [candidate for candidate in candidates if candidate.ok]
    return max(scored, key=lambda candidate: (candidate.score or 0.0, -candidate.id), default=None)


def counts(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """The fields of `SearchResult` that count the programs that a search made: those it started from are left out."""
    made = [(kind, count) for kind, count in kinds(candidates) if kind.made and kind.status != UNPAID]
    return {
        "candidates": sum(count for _, count in made),
        "valid": sum(count for kind, count in made if kind.ok),
        "decoder_calls": sum(count for kind, count in made if kind.decoded),
        "tokens": sum(kind.tokens for kind, _ in made),
        "distinct_programs": _distinct(candidates),
        "screened": sum(count for kind, count in made if kind.status == SCREENED),
        "passed_over": passed_over(made),
        "closed": closed(made),
    }


def _distinct(candidates: Sequence[Candidate]) -> int:
    """Valid programs that the search made, each once."""
    if large := beyond_memory(candidates):
        # Each program once, and those that it started from where it made them again.
        where = f"WHERE status = 'ok' AND role NOT IN {STARTING_ROLES}"
        again = f"duplicate_of < {len(large.of_round(0))}"
        own = f"SUM(duplicate_of IS NULL), COUNT(DISTINCT CASE WHEN {again} THEN duplicate_of END)"
        return sum(int(count or 0) for count in next(large.database.sums(own, where)))
    return len({candidate.program_hash for candidate in candidates if candidate.made and candidate.ok})


def training_sentence(training: dict[str, Any] | None) -> str | None:
    """What a portfolio knows of the program it found from training instances; None for other searches."""
    if training is None or training.get("objective") is None:
        return None
    reach = 1.96 * (training["objective_error"] or 0.0)
    return (
        f"chosen among the last few on {training['instances']} training instances of their own: "
        f"{training['objective']:.6g} ± {reach:.2g}; {training['instance_runs']} instance runs in all"
    )


def gain_sentence(gain: Any) -> str | None:
    """How the program found stands to the best of the corpus (`SearchResult.corpus_gain`); None if that is not known.

    Raises `CallError` for what is no such comparison.
    """
    if gain is None:
        return None
    if not isinstance(gain, dict) or not all(is_number(gain.get(name)) for name in ("difference", "instances")):
        raise CallError(f"the gain over the corpus is {one_line(gain, 80)!r}, expected difference, gain and instances")
    count = f"{gain['instances']} instance{'s' if gain['instances'] != 1 else ''}"
    where, share = f"on {one_line(gain.get('split'), 40)} ({count})", gain.get("gain")
    if gain.get("same"):
        return f"{where} the same as the best in corpus"
    amount = f"{abs(100 * share):.2f} %" if is_number(share) else f"{abs(gain['difference']):.6g}"
    says = f"{where} {amount} {'better' if gain['difference'] >= 0 else 'worse'} than the best in corpus"
    low, high = gain.get("low"), gain.get("high")
    if not is_number(low) or not is_number(high):
        return says
    noise = "; that may be noise" if low <= 0 <= high else ""
    return f"{says} (95 % interval {100 * low:+.2f} to {100 * high:+.2f} %{noise})"


def runtime_cell(runtime: Any, split: str) -> str:
    """Seconds of the program found on a split and how many times the reference's; an em dash where not known."""
    row = runtime.get(split) if isinstance(runtime, dict) else None
    found, reference = (row.get(name) if isinstance(row, dict) else None for name in ("found", "reference"))
    if not is_number(found):
        return "—"
    ratio = found / reference if is_number(reference) and reference > 0 else None
    shown = f"{found:.2g} s" if found < 100 else f"{found:.0f} s"
    return shown + ("" if ratio is None else f" (×{ratio:.2g})" if ratio < 10 else f" (×{ratio:.0f})")


def passed_over(made: Kinds) -> int:
    """How many screened candidates were programs that had been evaluated before."""
    return sum(count for kind, count in made if kind.status == SCREENED and kind.duplicate_of is not None)


def closed(made: Kinds) -> int:
    """How many valid candidates were given another end than the decoder's."""
    return sum(count for kind, count in made if kind.ok and kind.changes == CLOSED)


def incumbent_history(task: Task, candidates: Sequence[Candidate]) -> list[float]:
    """Best objective known after each decoder call, starting programs included from the beginning.

    Of a portfolio, the incumbent's estimate after each program it made.

    What is decoded from one point is chosen among when all of it is there: its score counts from the last call on.
    """
    if raced(candidates):
        return _race_history(candidates)
    decoded, rounds, points, scores = numbers(candidates, "decoded", "round", "point", "score")
    start = np.fmax.reduce(scores[decoded == 0], initial=np.nan)
    calls = decoded == 1
    rounds, points, scores = rounds[calls], points[calls], scores[calls]
    if not len(scores):
        return []
    last = np.append((np.diff(rounds) != 0) | (np.diff(points) != 0), True)
    # Up to each call: the best before it, and with it.
    best = np.fmax.accumulate(np.concatenate([[start], scores]))
    ends = np.flatnonzero(last) + 1
    began = np.repeat(np.concatenate([[0], ends[:-1]]), np.diff(ends, prepend=0))
    levels: list[float] = (task.alpha * np.where(last, best[1:], best[began])).tolist()
    return levels


def raced(candidates: Sequence[Candidate]) -> bool:
    """Whether these are of a search that races its candidates."""
    if large := beyond_memory(candidates):
        return next(large.database.select("id", "WHERE outcome = 'incumbent' LIMIT 1"), None) is not None
    return any(candidate.outcome for candidate in candidates)


def _race_history(candidates: Sequence[Candidate]) -> list[float]:
    if large := beyond_memory(candidates):
        starts = len(large.of_round(0))
        leading = large.database.select("id, objective", "WHERE outcome = 'incumbent' ORDER BY id")
        levels = [(max(0, number - starts), level) for number, level in leading if level is not None]
        steps = pairwise([(0, math.nan), *levels, (len(large) - starts, math.nan)])
        return [level for (first, level), (end, _) in steps for _ in range(end - first)]
    level, history = float("nan"), []
    for candidate in candidates:
        if candidate.outcome == "incumbent" and candidate.objective is not None:
            level = candidate.objective
        if candidate.made:
            history.append(level)
    return history


def gap(task: Task, objective: float | None, bound: float | None) -> float | None:
    """Relative distance of an objective to its bound, in percent of the bound's magnitude; None if undefined."""
    return gap_to_optimum(objective, bound, sense=task.sense)
