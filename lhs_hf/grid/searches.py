"""Searches of this package as contenders: the portfolio, Algorithm 1, and the same with other ways to move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ..search.components import Components, load_components
from ..search.database import Candidate, RunDatabase
from ..search.islands.archive import ARCHIVE_NAME, Archive
from ..search.islands.executors import HereIslands
from ..search.islands.messages import Setup
from ..search.islands.search import IslandSearch
from ..search.loop import LatentSearch
from ..search.outcome import Outcome, no_program
from ..search.portfolio import PortfolioSearch
from ..search.result import best_candidate
from ..search.settings import SearchSettings
from ..search.starts import portfolio_starts, starting_programs
from ..search.threads import few_threads
from ..tasks import get_task
from .contender import Chosen, Contender, Work

_RUN = "run.sqlite"


@lru_cache(maxsize=2)
def _components(model: str, locator: str, space: str) -> Components:
    return load_components(model, get_task(locator), space)


def _parts(work: Work, settings: SearchSettings) -> Components:
    return _components(work.latent_model, work.task.locator, settings.space)


def portfolio(work: Work, latent: bool = True, **changes: Any) -> Chosen:
    """Edits of good programs beside points of the latent space, raced; or the edits alone."""
    settings = SearchSettings.from_preset(
        "default", budget=work.limits.programs, seed=work.cell.seed, init=work.init, **changes
    )
    parts = _parts(work, settings) if latent else None
    with RunDatabase(work.folder / _RUN) as database, few_threads(getattr(parts and parts.decoder, "model", None)):
        outcome = PortfolioSearch(
            parts,
            work.evaluator,
            database,
            settings,
            portfolio_starts(work.task, work.init),
            listener=lambda candidate: work.clock.tick(),
            stop=work.over,
            seconds_left=work.seconds_left,
        ).run()
        return _chosen(outcome)


def islands(work: Work, count: int = 4) -> Chosen:
    """Portfolios that share the budget of one and pass on their best programs, one after another in this process."""
    settings = SearchSettings.from_preset(
        "default", budget=work.limits.programs, seed=work.cell.seed, init=work.init, islands=count
    )
    task = work.task
    setup = Setup(
        task.locator,
        task.digest,
        settings,
        tuple(portfolio_starts(task, work.init)),
        work.folder,
        work.latent_model,
        workers=work.evaluator.workers,
        cached=work.evaluator.cache is not None,
    )
    with (
        RunDatabase(work.folder / _RUN) as database,
        Archive(work.folder / ARCHIVE_NAME) as archive,
        HereIslands(setup, _parts(work, settings)) as executor,
    ):
        outcome = IslandSearch(
            setup,
            executor,
            work.evaluator,
            database,
            archive,
            listener=lambda candidate: work.clock.tick(),
            stop=work.over,
            seconds_left=work.seconds_left,
        ).run()
        return _chosen(outcome)


def _chosen(outcome: Outcome) -> Chosen:
    runs = calls = tokens = 0
    incumbents = []
    for candidate in outcome.candidates:
        runs, calls, tokens = runs + candidate.runs, calls + candidate.decoded, tokens + candidate.tokens
        if candidate.outcome == "incumbent":
            incumbents.append((runs, calls, candidate.program))
    total = int((outcome.training or {}).get("instance_runs", runs))
    incumbents.append((total, calls, outcome.best.program))
    return Chosen(outcome.best.program, total, calls, tokens, tuple(incumbents), "", *_counts(outcome.candidates))


def latent(work: Work, preset: str = "latent", **changes: Any) -> Chosen:
    """The latent search alone, chosen on `search`."""
    settings = SearchSettings.from_preset(
        preset, budget=work.limits.programs, seed=work.cell.seed, init=work.init, **changes
    )
    parts = _parts(work, settings)
    with RunDatabase(work.folder / _RUN) as database, few_threads(getattr(parts.decoder, "model", None)):
        starts = starting_programs(work.task, settings)
        candidates = LatentSearch(
            parts, work.evaluator, database, settings, starts, listener=lambda each: work.clock.tick(), stop=work.over
        ).run()
        best = best_candidate(candidates)
        if best is None:
            raise no_program(work.task, candidates[0])
        runs = calls = tokens = 0
        incumbents: list[tuple[int, int, str]] = []
        top = None
        for candidate in candidates:
            if candidate.decoded:
                calls, tokens = calls + 1, tokens + candidate.tokens
                runs += work.cost if candidate.duplicate_of is None else 0
            if candidate.score is not None and (top is None or candidate.score > top):
                top = candidate.score
                incumbents.append((runs, calls, candidate.program))
        return Chosen(best.program, runs, calls, tokens, tuple(incumbents), "", *_counts(candidates))


def _counts(candidates: Sequence[Candidate]) -> tuple[int, int, int]:
    """Programs made, those with a score, and those of them that a decoder wrote."""
    made = [candidate for candidate in candidates if candidate.made]
    valid = [candidate for candidate in made if candidate.ok]
    return len(made), len(valid), sum(candidate.decoded for candidate in valid)


def _moving(name: str, about: str, **changes: Any) -> Contender:
    return Contender(name, lambda work: latent(work, **changes), about)


SEARCHES = (
    Contender("default", portfolio, "edits of good programs and points of the latent space, raced on fresh instances"),
    Contender("islands", islands, "four portfolios that share the budget of one and pass on their best programs"),
    Contender("edits", lambda work: portfolio(work, latent=False), "the default without the latent space"),
    _moving("latent", "gradient ascent in the latent space alone, chosen on search"),
    _moving("paper", "Algorithm 1 with the step size that the paper prints", preset="paper"),
    _moving("no_grad", "midpoints of good programs in place of the gradient", optimizer="interpolation"),
    _moving("no_flow", "gradient steps on the latents themselves", space="latent"),
    _moving("random", "steps in random directions of the latent space", optimizer="random"),
    _moving("cma", "CMA-ES in the latent space", optimizer="cma"),
    _moving("cem", "the cross-entropy method in the latent space", optimizer="cem"),
    _moving("prior", "the best of N programs decoded from the prior", optimizer="prior"),
)
