"""Algorithm 1 of the paper: seeds, ascent in the prior space, decoding, execution, database; round after round."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, as_completed
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from .. import programs
from ..decoding.budget import Budget
from ..decoding.program import GeneratedProgram
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..recent import Recent
from .ascent import random_directions
from .candidates import RECENT, Candidates
from .database import PENDING, UNDECODABLE, Candidate, RunDatabase
from .history import History, Request, Round
from .objective import ascent_objective
from .optimizers import OPTIMIZERS
from .progress import DECODING, EVALUATING, Steps
from .screening import screen
from .settings import AUTO, SearchSettings

if TYPE_CHECKING:
    from .components import Components

Listener = Callable[[Candidate], None]
StepListener = Callable[[Sequence[Candidate]], None]


def select_seeds(scores: np.ndarray, count: int, generator: np.random.Generator) -> np.ndarray:
    """Draw `count` indices without replacement with P(i) = softmax(standardised scores)_i (appendix A).

    Scores are standardised first: raw scores of -6000 would make the softmax a hard maximum. `scores`: (N,) float64,
    finite. Returns int64 (min(count, N),).
    """
    spread = scores.std()
    logits = (scores - scores.max()) / spread if spread > 0 else np.zeros_like(scores)
    weights = np.exp(logits)
    return generator.choice(len(scores), size=min(count, len(scores)), replace=False, p=weights / weights.sum())


class LatentSearch:
    """One search of one task. Its whole state is the database: a new object on the same database goes on where it was.

    `steps` tells how far a round is.

    Args:
        components: encoder, flow, mapper, decoder and surrogate.
        evaluator: scores candidates on the `search` split and shows them to the encoder on the probe states.
        database: where every candidate is kept.
        settings: see `SearchSettings`.
        starts: programs to start from, best first; with `init="reference"` the reference alone.
        listener: called with each candidate once it is evaluated.
        on_step: called with copies of a round's candidates before they are decoded: where they come from (`before`,
            `parent`) and the points that will be decoded (`after`).
        stop: asked before every round; when it says yes the search ends as if its budget were spent.
    """

    def __init__(
        self,
        components: Components,
        evaluator: Evaluator,
        database: RunDatabase,
        settings: SearchSettings,
        starts: Sequence[tuple[str, str]],
        listener: Listener | None = None,
        on_step: StepListener | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.components = components
        self._original = components
        self._refits = 0
        self.evaluator = evaluator
        self.task = evaluator.task
        self.database = database
        self.settings = settings
        self.starts = starts
        self.listener = listener or (lambda candidate: None)
        self.on_step = on_step
        self.stop = stop or (lambda: False)
        # A failure of the sandbox is no result of the program: a resumed search evaluates it again.
        database.retry("sandbox_error")
        self.candidates = Candidates(database)
        self._points: Recent[int, Tensor | None] = Recent(RECENT)
        self._first_best: Tensor | None = None
        self._early: dict[str | None, Future[Evaluation]] = {}
        self.budget = Budget(settings.budget, *self.candidates.spent())
        components.decoder.budget = self.budget
        self.steps = Steps(lambda: self.budget.spent)

    def run(self) -> Sequence[Candidate]:
        """Search until the budget is spent; returns all candidates. Stopping it loses no finished candidate."""
        self._start()
        self._evaluate_pending()
        while self.budget.left and not self.stop():
            last = self.candidates[-1].round
            unfinished = last > 0 and self._points_made(last) < self._round_size(last)
            self._round(last if unfinished else last + 1)
        return self.candidates

    # -- rounds ------------------------------------------------------------------------------------------------------

    def _has_first_population(self) -> bool:
        return self.settings.init in (AUTO, "reference")

    def _points_made(self, number: int) -> int:
        return len({candidate.point for candidate in self.candidates.of_round(number)})

    def _round_size(self, number: int) -> int:
        """Points of a round; each costs `screening` decoder calls."""
        first = number == 1 and self._has_first_population()
        return self.settings.population if first else self.settings.seeds

    def _rng(self, *key: int) -> np.random.Generator:
        name = zlib.crc32(self.task.name.encode())
        return np.random.default_rng([self.settings.seed, name, *key])

    def _torch_generator(self, *key: int) -> torch.Generator:
        return torch.Generator().manual_seed(int(self._rng(*key).integers(2**63)))

    def _start(self) -> None:
        """Evaluate the starting programs: they cost no decoder call."""
        for index, (role, source) in enumerate(self.starts):
            if index < len(self.candidates):
                continue
            candidate = Candidate(index, 0, role, source, program_hash=programs.program_hash(source))
            self.candidates.extend([candidate])

    def _round(self, number: int) -> None:
        """Propose, decode, store, evaluate. Proposals depend on earlier rounds only, so a resumed round is the same."""
        self._refit(number)
        first = number == 1 and self._has_first_population()
        proposed = self._first_population() if first else self._proposals(number)
        done = self._points_made(number)
        proposed = [
            replace(candidate, point=point)
            for point, candidate in enumerate(proposed)
            if point >= done
            for _ in range(self.settings.screening)
        ]
        offset = len(self.candidates)
        proposed = [
            replace(candidate, id=offset + index) for index, candidate in enumerate(proposed[: self.budget.left])
        ]
        if self.on_step is not None:
            self.on_step([replace(candidate) for candidate in proposed])
        points = torch.from_numpy(np.stack([candidate.after for candidate in proposed if candidate.after is not None]))
        with ExitStack() as stack:
            guide = stack.enter_context(self.evaluator.stepping()) if self.settings.guidance else None
            self.steps.begin(number, DECODING, len(proposed))
            generators = [self._torch_generator(1, candidate.id) for candidate in proposed]
            decoded = self.components.decode(
                points, self.task, generators, self.settings, guide, on_finished=self._on_finished
            )
        fresh: list[Candidate] = []
        for candidate, generated in zip(proposed, decoded):
            candidate.program = generated.source
            candidate.tokens = len(generated.token_ids)
            candidate.log_probability = generated.log_probability
            if not generated.finished:
                candidate.status = UNDECODABLE
                candidate.message = f"not finished after {candidate.tokens} tokens"
            else:
                try:
                    candidate.program_hash = programs.program_hash(generated.source)
                except programs.ProgramError as error:
                    candidate.status, candidate.message = error.kind, str(error)
            fresh.append(candidate)
        evaluated = map(self.candidates.first, {candidate.program_hash for candidate in fresh})
        known = {candidate.program_hash or "": candidate.id for candidate in evaluated if candidate is not None}
        # Before anything is stored: what is interrupted here is decoded and screened again, with the same outcome.
        screen(fresh, known, self.components, self.evaluator, self.settings)
        self.candidates.extend(fresh)
        for candidate in fresh:
            if candidate.status != PENDING:
                self.listener(candidate)
        self._evaluate_pending()

    def _refit(self, number: int) -> None:
        """Before round 1 + k N: fine-tune the surrogate on what rounds up to k N found (active learning).

        It starts from the weights that the model came with, so the weights follow from the database and a resumed
        search needs the last fit only. Of a long search it learns from the last `RECENT` candidates.
        """
        # A surrogate that has learned nothing yet learns after every round.
        every = self.settings.refit if self._original.fitted else self.settings.refit or 1
        fits = (number - 1) // every if every else 0
        if fits == self._refits:
            return
        found = {
            candidate.program_hash: candidate
            for candidate in islice(reversed(self.candidates), RECENT)
            if candidate.ok and candidate.round <= fits * every and self._point(candidate) is not None
        }
        learned = [(self._point(candidate), candidate.score) for candidate in found.values()]
        points = torch.stack([point for point, _ in learned if point is not None])
        scores = np.array([score for _, score in learned], dtype=np.float64)
        seed = int(self._rng(6, fits).integers(2**62))
        self.components = self._original.refit(points, scores, self.task, seed)
        self._refits = fits

    def _evaluate_pending(self) -> None:
        waiting = self.candidates.pending()
        pending = [candidate for candidate in waiting if candidate.duplicate_of is None]
        self.steps.begin(self.candidates[-1].round, EVALUATING, len(pending))
        # In the order they finish, so that no result waits in memory for that of a slower program.
        submitted = {
            self._early.get(candidate.program_hash) or self.evaluator.submit(candidate.program, twice=True): candidate
            for candidate in pending
        }
        for future in as_completed(submitted):
            self._record(submitted[future], future.result())
            self.steps.one()
        self._early.clear()
        for candidate in waiting:
            if candidate.duplicate_of is not None:
                self._repeat(candidate, self.candidates[candidate.duplicate_of])

    def _on_finished(self, row: int, generated: GeneratedProgram) -> None:
        self.steps.one()
        if self.settings.screening == 1:
            self._evaluate_early(row, generated)

    def _evaluate_early(self, row: int, generated: GeneratedProgram) -> None:
        """Begin to evaluate a program while others are still being written."""
        try:
            identity = programs.program_hash(generated.source)
        except programs.ProgramError:
            return
        known = self.candidates.has(identity) or identity in self._early
        if generated.finished and not known:
            self._early[identity] = self.evaluator.submit(generated.source, twice=True)

    def _repeat(self, candidate: Candidate, first: Candidate) -> None:
        """Give a program that was written before the result it had; nothing runs twice."""
        for name in ("status", "objective", "score", "objectives", "runtime_s", "isolation", "message"):
            setattr(candidate, name, getattr(first, name))
        self.database.update(candidate)
        self.listener(candidate)

    def _record(self, candidate: Candidate, evaluation: Evaluation) -> None:
        candidate.status = evaluation.status
        candidate.objective = evaluation.objective
        candidate.score = evaluation.score
        candidate.objectives = evaluation.objectives or None
        candidate.runtime_s = evaluation.runtime_s
        candidate.isolation = evaluation.isolation
        candidate.message = evaluation.message
        self.database.update(candidate)
        self.listener(candidate)

    # -- where candidates come from ----------------------------------------------------------------------------------

    def _first_population(self) -> list[Candidate]:
        """Points around the reference, at growing distance, then ascent from each: the first population."""
        parent, centre = self._origin()
        count, radius = self.settings.population, self.settings.population_radius
        generator = self._torch_generator(2, 1)
        directions = random_directions((count, centre.shape[1]), generator).to(centre)
        lengths = torch.linspace(0.0, radius, count)[:, None].to(centre)
        spread = centre + lengths * self.components.scale * directions
        settings = replace(self.settings, jitter=0.0)
        objective = ascent_objective(self.components, settings, self.task)
        optimizer = OPTIMIZERS[self._first_optimizer()]
        proposal = optimizer(Request(spread, spread, objective, settings, self.components.scale, generator))
        return self._candidates(1, "initial", [parent] * count, centre.expand_as(spread), proposal.after, None)

    def _origin(self) -> tuple[Candidate, Tensor]:
        """The reference and its point, (1, d)."""
        parent = self.candidates[0]
        if not parent.ok:
            raise RuntimeError(f"the reference program of {self.task.name} fails: {parent.status}: {parent.message}")
        point = self._point(parent)
        if point is None:
            raise CallError(f"no model reads the reference of {self.task.name}; the default preset goes without one")
        return parent, point[None]

    def _first_optimizer(self) -> str:
        if not self.components.fitted:
            # The points around the reference are spread already; a random step more would leave what it is like.
            return "none"
        # From one program there is nothing to interpolate with, to imitate or to fit a distribution to.
        return self.settings.optimizer if self.settings.optimizer in ("gradient", "against", "none") else "random"

    def _optimizer(self) -> str:
        # Until the surrogate has learned something its gradient has no meaning.
        climbs = self.settings.optimizer in ("gradient", "against")
        return "random" if climbs and not self.components.fitted else self.settings.optimizer

    def _proposals(self, number: int) -> list[Candidate]:
        pool = self._pool(number)
        chosen = select_seeds(
            np.array([candidate.score for candidate in pool], dtype=np.float64),
            self.settings.seeds,
            self._rng(2, number),
        )
        # A pool smaller than a round is gone through again: jitter and sampling make its children differ.
        rows = [int(chosen[index % len(chosen)]) for index in range(self.settings.seeds)]
        points = torch.stack([point for point in map(self._point, pool) if point is not None])
        centres = points[rows]
        request = Request(
            centres,
            points,
            ascent_objective(self.components, self.settings, self.task),
            self.settings,
            self.components.scale,
            self._torch_generator(3, number),
            self._history(number, pool),
        )
        proposal = OPTIMIZERS[self._optimizer()](request)
        others = [None if other is None else pool[other].id for other in proposal.other_parent]
        return self._candidates(number, "search", [pool[row] for row in rows], centres, proposal.after, others)

    def _history(self, number: int, pool: Sequence[Candidate]) -> History:
        """What the search has found before round `number`."""
        first = 2 if self._has_first_population() else 1
        if self._first_best is None:
            self._first_best = self._point(self._pool(first)[0])
        assert self._first_best is not None  # the pool holds programs that the encoder can read
        return History(
            pool_scores=np.array([candidate.score for candidate in pool], dtype=np.float64),
            prior=lambda: self.components.prior(self.task),
            start=self._first_best,
            rounds=map(self._round_scores, range(first, number)),
            seed=int(self._rng(5).integers(2**63)),
        )

    def _round_scores(self, number: int) -> Round:
        scores = np.full(self._round_size(number), np.nan)
        for candidate in self.candidates.of_round(number):
            if candidate.score is not None:
                scores[candidate.point] = candidate.score
        return Round(scores)

    def _pool(self, number: int) -> list[Candidate]:
        """The best distinct programs of earlier rounds, best first (the earlier one on ties)."""
        pool: list[Candidate] = []
        seen: set[object] = set()
        for candidate in self.candidates.best(number, self.settings.distinct):
            key = round(candidate.objective or 0.0, 9) if self.settings.distinct else candidate.program_hash
            if key not in seen:
                seen.add(key)
                if self._point(candidate) is not None:
                    pool.append(candidate)
            if len(pool) == self.settings.pool:
                break
        return pool

    def _point(self, candidate: Candidate) -> Tensor | None:
        """The encoding of the candidate's program in the searched space; None if the encoder can not read it.

        A seed starts from what its program is, not from the point it was decoded from: the two differ by what the
        decoder did not follow.
        """
        if candidate.id not in self._points:
            try:
                self._points[candidate.id] = self.components.embed(candidate.program, self.task, self.evaluator)
            except ValueError:
                self._points[candidate.id] = None
        return self._points[candidate.id]

    def _candidates(
        self,
        number: int,
        role: str,
        parents: Sequence[Candidate],
        before: Tensor,
        after: Tensor,
        others: Sequence[int | None] | None,
    ) -> list[Candidate]:
        with torch.no_grad():
            predicted_before = self.components.score(before)
            predicted_after = self.components.score(after)
        distance = ((after - before) / self.components.scale).norm(dim=-1)
        return [
            Candidate(
                id=-1,
                round=number,
                role=role,
                program="",
                parent=parent.id,
                other_parent=others[row] if others is not None else None,
                before=before[row].detach().numpy().astype(np.float32),
                after=after[row].detach().numpy().astype(np.float32),
                predicted_before=float(predicted_before[row]) if self.components.fitted else None,
                predicted_after=float(predicted_after[row]) if self.components.fitted else None,
                distance=float(distance[row]),
            )
            for row, parent in enumerate(parents)
        ]
