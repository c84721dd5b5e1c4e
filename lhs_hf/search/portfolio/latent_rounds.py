"""Rounds of latents alone: when there is one, of how many points, and which programs these start from."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...tasks.base import Task
from ..candidates import Candidates
from ..edits import Parent
from ..settings import SearchSettings
from . import rounds
from .children import LATENT, best_estimated
from .guided import best_by_both
from .latent import LatentSpace
from .shares import SUCCESS


class LatentRounds:
    """A search that knows nothing but the reference begins with them.

    Args:
        space: the latent space; None if there is none.
        task: what is searched for.
        settings: of the search.
        candidates: of the search.
        alone: whether nothing but the reference is there to start from.
        noisy: whether other instances say other things of a program.
        plays: whether programs of the task can play on (`edits.Rollout`).
        calls_left: decoder calls that are left.
    """

    def __init__(
        self,
        space: LatentSpace | None,
        task: Task,
        settings: SearchSettings,
        candidates: Candidates,
        calls_left: Callable[[], int],
        *,
        alone: bool,
        noisy: bool,
        plays: bool,
    ) -> None:
        self.space = space
        self._task, self._settings, self._candidates, self._calls_left = task, settings, candidates, calls_left
        self._alone, self._noisy, self._plays = alone, noisy, plays
        # Nothing is known of the task, and each of its programs costs a whole evaluation.
        self._exact = alone and not noisy and not task.of_paper

    @property
    def familiar(self) -> bool:
        """Whether the decoder was trained on the task and the surrogate leads on."""
        if self.space is None:
            return False
        components = self.space.components
        return components.fitted and components.decoder.trained_on(self._task)

    def due(self, number: int) -> bool:
        """Whether a round is of latents alone.

        Of a task that is not familiar the rounds after the first have to help.
        """
        if self.space is None or not self._alone:
            return False
        if number == 1:
            return True
        last = self._candidates.of_round(number - 1)
        if not last or not all(child.operator == LATENT for child in last):
            return False
        share = rounds.latents_first(self.familiar, self._plays)
        leads = self.familiar or any(child.outcome in SUCCESS for child in last)
        return leads and self._settings.budget - self._calls_left() < share * self._settings.budget

    def points(self, most: int) -> int:
        """Points of a round of latents alone."""
        count = min(most, self._calls_left())
        if self.familiar:
            return count
        share = rounds.EXACT_POINTS if self._exact else rounds.STRANGERS_ROUND
        return min(count, math.ceil(share * self._settings.budget))

    def parents(self, number: int) -> list[Parent]:
        """The best by their estimates; where these are noisy and the surrogate leads on, by what it predicts, too."""
        best, count = self._candidates.best(number, distinct=True), rounds.LATENTS_ROUND
        if not self.familiar or self.space is None or not self._noisy:
            return best_estimated(best, count)
        return best_by_both(best_estimated(best, 2 * count), self.space.predicted, count)
