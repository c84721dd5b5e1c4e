"""A portfolio of proposals, raced: edits of good programs and points of the latent space, round after round."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ... import programs
from ...decoding.budget import Budget
from ...errors import CallError
from ...evaluation import Evaluator
from ...evaluation.racing import Race, StoredLedger, TrainingInstances, Trials, Verdict, finals_cost
from ...evaluation.result import REPEATABLE
from ..candidates import Candidates
from ..database import PENDING, Candidate, RunDatabase
from ..edits import (
    Accepted,
    Behaviours,
    Known,
    ParallelRollout,
    Parent,
    Proposer,
    Restart,
    Rollout,
    draw_by_rank,
    draw_in_turn,
    edits,
)
from ..edits.transfer import TRANSFER, transfers
from ..edits.written import Editing
from ..outcome import Outcome, no_program
from ..progress import DECODING, FINALS, RACING, Steps
from ..settings import SearchSettings
from ..starts import Start, starting_candidates
from . import rounds
from .children import (
    LATENT,
    decide,
    decoded_candidates,
    edited_candidate,
    numbered,
    torch_generator,
    transferred,
)
from .constants import Constants
from .ending import FINALISTS, expected_seconds, final_instances, finalists_of, settled, with_level
from .followers import FOLLOWERS_LAST, followers
from .foresight import FORESEEN_ATTEMPTS, UNFORESEEN, Foresight
from .guided import SCREENED, SCREENED_EDITS, best_predicted
from .latent import LatentSpace, readable
from .latent_rounds import LatentRounds
from .leanings import Leanings
from .legality import Legality
from .pace import Pace
from .parents import FEWEST, FEWEST_EXACT, Parents
from .records import Records
from .shares import EXACT_PRIORS, PRIORS, Shares, first_edits, succeeds

if TYPE_CHECKING:
    from ..components import Components

_ATTEMPTS, _IDLE_ROUNDS = 10, 3


class PortfolioSearch:
    """One search of one task. All its state follows from the database: a new object on it goes on where it was.

    A round draws parents by rank from the pool, an operator for each by `Shares`, and has all children race against
    the incumbent on fresh training instances (`evaluation.racing`). The budget is counted in instance runs: as many as
    `settings.budget` programs take on `search`. The last few meet fresh instances that nothing was chosen on.
    `steps` tells how far a round is.

    Args:
        components: the latent space; None searches with edits alone.
        evaluator: runs programs.
        database: where every candidate and every instance run is kept.
        settings: see `SearchSettings`.
        starts: programs to start from, the reference first.
        listener: called with each candidate once it has raced.
        stop: asked before every round; yes goes to the finals at once.
        seconds_left: asked before every round; the finals begin while there is time for them.
    """

    def __init__(
        self,
        components: Components | None,
        evaluator: Evaluator,
        database: RunDatabase,
        settings: SearchSettings,
        starts: Sequence[Start],
        listener: Callable[[Candidate], None] | None = None,
        stop: Callable[[], bool] | None = None,
        seconds_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.task = evaluator.task
        self.database = database
        self.settings = settings
        self.candidates = Candidates(database)
        self._starts = starts
        # Programs of the corpus come in the order of what they are worth on many instances.
        self._favourite = next((start.source for start in starts if start.role == "corpus"), None)
        self._stop = stop or (lambda: False)
        self._seconds_left = seconds_left
        self._latent = None
        self._calls, tokens = self.candidates.spent()
        if components is not None:
            components.decoder.budget = Budget(settings.budget, self._calls, tokens)
            self._latent = LatentSpace(components, evaluator, settings)
        # Whatever the practice instances tell would be instance runs that nobody counts.
        behaviours = Behaviours(evaluator, practice=False)
        self._behaviours, self._legality = behaviours, Legality()
        self._proposer = Proposer(self.task, behaviours, refuses=self._legality.refuses)
        ledger = StoredLedger(database.measurements, database.add_measurement, database.measured_runs())
        self.steps = Steps(lambda: ledger.runs)
        self._trials = Trials(evaluator, TrainingInstances(self.task, settings.seed), ledger, self.steps.at)
        # Where each program costs a whole evaluation, and few have new rules, leanings showed no gain.
        leanings = None if self._exact else Leanings(self.task)
        self._foresight = Foresight(behaviours, self.candidates, leanings)
        self.budget = settings.budget * self.task.split("search").count
        against = self._favourite is not None
        self._finals = final_instances(self.budget, against)
        self._finals_cost = finals_cost(FINALISTS, self._finals, against)
        held = self._finals > 0 and not self._trials.instances.deterministic
        reserved = self._finals_cost if held else 0
        self._pace = Pace(self._trials, starts, settings.max_slowdown)
        self._race = Race(self._trials, budget=self.budget - reserved)
        fewest = FEWEST_EXACT if self._trials.instances.deterministic else FEWEST
        self._parents = Parents(self.task, self._race, self.candidates, self._pace, fewest)
        self._records = Records(self._race, self._trials, self.candidates, listener or (lambda candidate: None))
        hashes = (programs.program_hash(each.source) for each in starts)
        self._families = tuple(Parent(each.source, key, each.family, 0.0) for each, key in zip(starts, hashes))
        self._edits = edits(behaviours, self._families if len(starts) > 1 else (), self.task)
        self._transfers = () if self.task.of_paper else tuple(transfers(self.task, behaviours))
        if self._transfers:
            self._edits[TRANSFER] = Restart(self._transfers, name=TRANSFER)
        if components is not None and settings.editor:
            editor = components.open_editor()
            if editor is None:
                raise CallError("the model has no editor; leave --editor out, or make one with: lhs-hf train editor")
            self._edits[Editing.name] = Editing(editor, components, evaluator, settings)
        dearest = 2 * self._race.blocks[0].size + sum(block.size for block in self._race.blocks[1:])
        self._constants = Constants(behaviours, self.budget, dearest)
        self._edits[Constants.name] = self._constants
        self._shares = Shares([*self._edits, SCREENED, LATENT], EXACT_PRIORS if self._exact else PRIORS)
        self._latent_rounds = LatentRounds(
            self._latent,
            self.task,
            settings,
            self.candidates,
            self._calls_left,
            alone=len(starts) == 1,
            noisy=not self._trials.instances.deterministic,
            plays=Rollout.name in self._edits,
        )

    def run(self) -> Outcome:
        """Search until the budget is spent. Stopping it loses no finished candidate."""
        self._begin()
        number = self.candidates[-1].round + 1
        while self._goes_on(number):
            self._round(number)
            number += 1
        return self._finish()

    def _begin(self) -> None:
        """Store the starting programs unless they are there; have everything that is stored race."""
        if not self.candidates:
            self._store(starting_candidates(self._starts))
        for number, group in groupby(self.candidates, key=lambda candidate: candidate.round):
            self._run_race(list(group))
            if number == 0:
                self._pace.set()
                if not any(start.ok for start in self.candidates.of_round(0)):
                    raise no_program(self.task, self.candidates[0])
        self._latent = readable(self._latent, [start.source for start in self._starts])
        self._latent_rounds.space = self._latent

    def _goes_on(self, number: int) -> bool:
        return bool(self._race.affordable()) and not self._idle(number) and not self._stop() and not self._late()

    def _round(self, number: int) -> None:
        children = self._children(number)
        self._store(children)
        self._run_race(children)

    # -- races -----------------------------------------------------------------------------------------------------

    def _run_race(self, children: Sequence[Candidate]) -> None:
        """Have the children of a round race; those of a resumed run decide as they did, at no cost."""
        racing = [child for child in children if child.program_hash is not None and child.duplicate_of is None]
        self.steps.begin(children[0].round if children else 0, RACING)
        self._race_again()
        decide(racing, self._proposer.key, self.database)
        verdicts = self._verdicts(racing)
        if self._race.incumbent is not None:
            for block in self._race.blocks:
                self._trials.measure([self._race.incumbent], block, self._race.budget)
        for child, verdict in zip(racing, verdicts):
            tuned = child.operator == Constants.name
            self._shares.tell(child.operator, succeeds(verdict, tuned, self._unknown))
            if verdict.runs and verdict.status in REPEATABLE:
                self._legality.tell(self._behaviours.signs(child.program), verdict.outcome != "failed")
            if tuned and child.parent is not None:
                self._constants.tell(self.candidates[child.parent].program, child.program, verdict.gain, verdict.runs)
            if child.status == PENDING:
                self._records.enter(child, verdict)
        for child in children:
            if child.status == PENDING and child.duplicate_of is not None:
                self._records.repeat(child)

    def _race_again(self) -> None:
        """Have the best of the pool that is known by a few instances only meet more of them."""
        source = self._race.unsure(self.settings.pool)
        if source is None:
            return
        verdict = self._race.challenge(source)
        child = self.candidates.of(source)
        if verdict.runs > child.runs:  # not so where a resumed run repeats what it knows
            ends = verdict.outcome in ("incumbent", "failed")
            self._records.enter(child, verdict if ends else replace(verdict, outcome=child.outcome))

    def _verdicts(self, racing: Sequence[Candidate]) -> list[Verdict]:
        texts = [child.program for child in racing]
        if not all(child.round == 0 for child in racing):
            few = len(self._starts) == 1 and all(child.operator == LATENT for child in racing)
            return self._race.challenge_many(texts, rounds.LATENTS_DROP if few else None)
        if self.settings.max_slowdown is not None:
            # The reference first: who is too slow beside it fails at once, and never leads.
            reference = self._race.challenge(texts[0])
            self._pace.of_reference(self._race)
            return [reference, *self._race.challenge_many(texts[1:], rounds.STARTS_DROP)]
        if self._favourite is None:
            return self._race.challenge_many(texts, rounds.STARTS_DROP)
        first = self._race.challenge(self._favourite)
        others = iter(self._race.challenge_many([text for text in texts if text != self._favourite]))
        return [first if text == self._favourite else next(others) for text in texts]

    def _idle(self, number: int) -> bool:
        """Whether the rounds before this one spent nothing: no child, or none that what is left of the budget pays."""
        spent = (each.round for each in reversed(self.candidates) if each.runs or each.decoded)
        return number - next(spent, 0) > _IDLE_ROUNDS

    def _late(self) -> bool:
        """Whether the time that is left is what the finals take."""
        return self._seconds_left() <= expected_seconds(self._race, self._trials, self._finals_cost)

    # -- where candidates come from --------------------------------------------------------------------------------

    def _store(self, children: Sequence[Candidate]) -> None:
        self.candidates.extend(children)
        self._calls += sum(child.decoded for child in children)

    def _children(self, number: int) -> list[Candidate]:
        """The children of a round: what earlier rounds found, and the round's own seed, decide what they are."""
        generator = self._generator(number)
        pool = self._parents.pool(self.settings.pool)
        known = Known(self.candidates)
        first = self._transfers[: rounds.ROUND] if number == 1 else ()
        children = transferred(number, first, self._proposer.key, known)
        latents_alone = self._latents_alone(number)
        if number == 1 and self._favourite is not None:
            rules = [*pool, *(each for each in self._families if each.source != self.task.template)]
            drawn = followers(self.task, self._proposer, rules, generator, known)
            children += [edited_candidate(number, each, self.candidates.first) for each in drawn]
        if self._unknown:
            self._foresight.look()
        names = first_edits(number, self.settings.budget, self._edits, self._exact) if self._unknown else []
        if not latents_alone:
            count = rounds.EXACT_ROUND if self._exact else rounds.ROUND
            names += self._constants.within(self._shares.draw(count, generator, self._drawable()))
        parents: list[Parent] = []
        for name in names:
            parent = draw_by_rank(pool, generator, lambda each: each.score)
            if name == LATENT:
                parents.append(parent)
                continue
            accepted = self._edited(name, parent, pool, generator, known)
            if accepted is not None and name not in UNFORESEEN:
                accepted = self._foresight.chosen(accepted, partial(self._drawn, name, pool, generator, known))
            if accepted is not None:
                known.add(accepted.proposal.source, accepted.hash, accepted.key)
                children.append(edited_candidate(number, accepted, self.candidates.first))
        most = rounds.STRANGERS_FIRST * self.settings.budget
        if not (children or parents) and self._unknown and self._calls < most:
            # No edit takes hold of such programs, or gives new ones any more.
            parents = draw_in_turn(pool, rounds.EXACT_ROUND, generator)
        if latents_alone and number == 1:
            return numbered([*children, *self._first_population(generator)], self.candidates)
        if latents_alone:
            count = self._latent_rounds.points(rounds.LATENTS_ROUND)
            parents = draw_in_turn(self._latent_rounds.parents(number), count, generator)
        return numbered([*children, *self._latents(number, parents, generator)], self.candidates)

    def _latents_alone(self, number: int) -> bool:
        return self._latent_rounds.due(number)

    @property
    def _unknown(self) -> bool:
        """Whether nothing is known of the task but its reference."""
        return not self.task.of_paper and len(self._starts) == 1

    @property
    def _exact(self) -> bool:
        """Whether nothing is known of the task, and each of its programs costs a whole evaluation."""
        return self._unknown and self._trials.instances.deterministic

    def _latents(self, number: int, parents: Sequence[Parent], generator: np.random.Generator) -> list[Candidate]:
        if not parents or self._latent is None:
            return []
        self.steps.begin(number, DECODING, len(parents))
        texts = [parent.source for parent in parents]
        decoded = self._latent.children(texts, torch_generator(generator), self.steps.one)
        return decoded_candidates(number, "search", decoded, [self.candidates.of(each.source) for each in parents])

    def _first_population(self, generator: np.random.Generator) -> list[Candidate]:
        assert self._latent is not None
        count = self._latent_rounds.points(self.settings.population)
        self.steps.begin(1, DECODING, count)
        decoded = self._latent.around(self.task.template, count, torch_generator(generator), self.steps.one)
        return decoded_candidates(1, "initial", decoded, [self.candidates[0]] * count)

    def _edited(
        self, name: str, parent: Parent, pool: Sequence[Parent], generator: np.random.Generator, known: Known
    ) -> Accepted | None:
        """A new program by this operator, or by another one where it does not apply."""
        partners = [*pool, *(each for each in self._families if each.hash not in {other.hash for other in pool})]
        if name == SCREENED:
            assert self._latent is not None
            others = [each for each in self._edits if each != Constants.name]
            drawn = [
                self._proposer.draw(self._edits[str(generator.choice(others))], parent, partners, generator, known)
                for _ in range(SCREENED_EDITS)
            ]
            if accepted_edits := [each for each in drawn if each is not None]:
                return best_predicted(accepted_edits, self._latent.predicted)
            name = others[0]
        if name == Constants.name:
            parent = pool[0]
        for attempt in range(_ATTEMPTS):
            accepted = self._proposer.draw(self._edits[name], parent, partners, generator, known)
            if accepted is not None:
                return accepted
            name = str(generator.choice([each for each in self._edits if each != Constants.name]))
            if attempt:
                parent = draw_by_rank(pool, generator, lambda each: each.score)
        return None

    def _drawn(
        self, name: str, pool: Sequence[Parent], generator: np.random.Generator, known: Known
    ) -> Accepted | None:
        """One more edit by an operator, of any parent; None unless it is soon found."""
        parent = draw_by_rank(pool, generator, lambda each: each.score)
        return self._proposer.draw(self._edits[name], parent, pool, generator, known, attempts=FORESEEN_ATTEMPTS)

    def _drawable(self) -> list[str]:
        names = [*self._edits]
        if self._latent_rounds.familiar and len(self._starts) == 1:
            names.append(SCREENED)
        return [*names, LATENT] if self._latent is not None and self._calls_left() >= rounds.ROUND else names

    def _calls_left(self) -> int:
        return max(0, self.settings.budget - self._calls)

    def _generator(self, number: int) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, zlib.crc32(self.task.name.encode()), 7, number])

    # -- the end ---------------------------------------------------------------------------------------------------

    def _finish(self) -> Outcome:
        standings = self._parents.quick()
        families = [self.candidates.of(source).family for source in standings]
        ranking = finalists_of(standings, families, self._parents.doubted() if len(self._starts) == 1 else None)
        if not ranking:
            raise no_program(self.task, self.candidates[0])
        if self._favourite is not None:
            places = FOLLOWERS_LAST if ParallelRollout.seldom(self.task) else 0
            ranking = with_level(ranking, self._parents.level(self._favourite), places)
        figures: dict[str, float | None] = {"instances": 0, "objective": None, "objective_error": None}
        if self._finals:
            self.steps.begin(self.candidates[-1].round, FINALS)
            favourite = self._favourite
            if favourite is not None and favourite not in standings:
                raced = self.candidates.of(favourite).ok
                favourite = favourite if raced and self._pace.keeps(favourite, self._race.blocks) else None
            last = settled(self._trials, ranking, self._finals, favourite)
            ranking = [each.source for each in last]
            figures = {name: getattr(last[0], name) for name in figures}
        best = self.candidates.of(ranking[0])
        return Outcome(self.candidates, best, {**figures, "instance_runs": self._trials.ledger.runs})
