"""Methods by ask and tell as contenders: driven by one loop, stored program by program, counted alike."""

from __future__ import annotations

from pathlib import Path

from ..decoding.budget import Budget
from ..errors import CallError
from ..language import Calls, LanguageModel, Metered, write_transcript
from ..methods import LANGUAGE_METHODS, LanguageMethod, Method
from ..methods.hill_climbing import ClimbSettings, HillClimbing, corpus_starts, reference_start
from ..methods.told import Entry, Told, drive
from ..methods.tools import MethodFactory, Tools
from ..search.edits import Behaviours, InnerRule, LoopOrder, NewRule
from .contender import Chosen, Contender, Work

_TOLD, _CALLS, _TRANSCRIPT = "told.sqlite", "calls.sqlite", "transcript.jsonl"


class _Asked:
    """The language model of a cell, made when it is first wanted."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._calls: Calls | None = None
        self.metered: Metered | None = None

    def __call__(self) -> Metered:
        if self.metered is None:
            work = self._work
            if work.language_model is None:
                raise CallError(f"{work.cell.method} asks a language model: name one (--model)")
            model: LanguageModel = work.language_model()
            self._calls = Calls(work.folder / _CALLS)
            limits = work.limits
            self.metered = Metered(
                model,
                self._calls,
                Budget(limits.requests),
                work.cell.seed,
                temperature=limits.temperature,
                max_tokens=limits.max_tokens,
            )
        return self.metered

    @property
    def spent(self) -> int:
        """Calls until now."""
        return 0 if self.metered is None else sum(self.metered.counts.values())

    @property
    def tokens(self) -> int:
        """What was written until now."""
        return 0 if self.metered is None else self.metered.tokens

    def transcript(self, path: Path) -> str:
        """All calls as JSON lines."""
        if self._calls is None:
            return ""
        write_transcript(self._calls, path)
        return path.read_text("utf-8")

    def close(self) -> None:
        """Close the file of calls."""
        if self._calls is not None:
            self._calls.close()


def told(work: Work, factory: MethodFactory) -> Chosen:
    """Drive what a factory makes until its limits are spent. The best program on `search` is chosen."""
    starts = reference_start(work.task, work.evaluator) if work.init == "reference" else corpus_starts(work.task)
    first = max(starts, key=lambda each: each.score)
    top, incumbents, runs = first.score, [(0, 0, first.source)], 0
    valid = made = 0
    asked = _Asked(work)

    def listen(entry: Entry) -> None:
        nonlocal top, runs, made, valid
        work.clock.tick()
        runs, made, valid = runs + entry.runs, made + 1, valid + (entry.score is not None)
        if entry.score is not None and entry.score > top:
            top = entry.score
            incumbents.append((runs, asked.spent, entry.program))

    try:
        with Told(work.folder / _TOLD) as stored:
            behaviours = Behaviours(work.evaluator, practice=False)
            method = factory(Tools(work.task, work.cell.seed, tuple(starts), behaviours, asked))
            most = work.limits.programs if asked.metered is None else work.limits.told
            budget = None if most is None else most * work.cost
            spent = drive(method, work.evaluator, stored, budget, stop=work.over, listener=listen)
        text = asked.transcript(work.folder / _TRANSCRIPT)
    finally:
        asked.close()
    return Chosen(incumbents[-1][2], spent, asked.spent, asked.tokens, tuple(incumbents), text, made, valid)


def _climb(tools: Tools) -> Method:
    return HillClimbing(tools.task, tools.starts, ClimbSettings(tools.seed), tools.behaviours)


def _genetic(tools: Tools) -> Method:
    """Genetic programming, steady state; of a task of one's own by the types of its arguments."""
    shares = {"crossover": 0.5, "transform": 0.5}
    rules = [each for each in (NewRule, InnerRule, LoopOrder) if not tools.task.of_paper and each.applies(tools.task)]
    if rules:
        written = {each.name: 0.3 / len(rules) for each in rules}
        shares = {**written, "transform": 0.3, "crossover": 0.3, "literals": 0.1}
    return HillClimbing(tools.task, tools.starts, ClimbSettings(tools.seed, 20, shares), tools.behaviours)


def _asking(kind: type[LanguageMethod]) -> Contender:
    def run(work: Work) -> Chosen:
        return told(work, lambda tools: kind(tools.task, tools.language_model(), seed=tools.seed))

    about = (kind.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    return Contender(kind.name, run, about[:1].lower() + about[1:], asks=True, begins=False)


TOLD = (
    Contender("climb", lambda work: told(work, _climb), "tree hill climbing: edits of good programs, no model"),
    Contender("gp", lambda work: told(work, _genetic), "genetic programming: crossovers and transforms, a pool of 20"),
    *(_asking(kind) for kind in LANGUAGE_METHODS.values()),
)
