"""Children out of the latent space: ascent from the points of good programs, decoded."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ... import programs
from ...decoding.closing import close
from ...decoding.program import GeneratedProgram
from ...decoding.wording import is_known
from ...evaluation import Evaluator
from ...recent import Recent
from ..ascent import random_directions
from ..edits.closings import Closings
from ..history import Request
from ..objective import ascent_objective
from ..optimizers import OPTIMIZERS
from ..settings import SearchSettings

if TYPE_CHECKING:
    from ..components import Components

POINTS = 4096
"""Points of parents in memory, 4 MB."""

STRANGERS_TOKENS = 256
"""Tokens of a program of a task that no model knows.

Of 80 programs around the references of ten such tasks the valid ones took 5 to 1,360 tokens with all that was taken
back (four more than 768), those that failed 1,540 to 2,005: who has not found a way by then does not find it.
"""


_log = logging.getLogger(__name__)

OnFinished = Callable[[int, GeneratedProgram], None]
"""Called with the row and its program once it is written."""


@dataclass(frozen=True)
class LatentChild:
    """A decoded program: the index of its parent, its points before and after the ascent (d,), what was written."""

    parent: int
    before: np.ndarray
    after: np.ndarray
    predicted_before: float | None
    predicted_after: float | None
    distance: float
    generated: GeneratedProgram


class LatentSpace:
    """Encoder, flow, surrogate and decoder as one operator of a portfolio (paper, Algorithm 1, lines 4 to 8)."""

    def __init__(self, components: Components, evaluator: Evaluator, settings: SearchSettings) -> None:
        self.components = components
        self._evaluator = evaluator
        self._task = evaluator.task
        trained = components.decoder.trained_on(self._task)
        known = trained if self._task.of_paper else is_known(self._task)
        most = settings.max_new_tokens if known else min(settings.max_new_tokens, STRANGERS_TOKENS)
        self._settings = replace(settings, max_new_tokens=most)
        # Of the tasks that it was trained on 99 % of what is decoded runs as it is.
        self._closings = None if trained else Closings(self._task)
        self._points: Recent[str, Tensor | None] = Recent(POINTS)

    def point(self, source: str) -> Tensor | None:
        """The point (d,) of a program in the searched space; None if the encoder can not read it."""
        if source not in self._points:
            try:
                self._points[source] = self.components.embed(source, self._task, self._evaluator)
            except ValueError:
                self._points[source] = None
        return self._points[source]

    def predicted(self, source: str) -> float:
        """The surrogate's score of a program; minus infinity if the encoder can not read it."""
        point = self.point(source)
        if point is None:
            return -math.inf
        with torch.no_grad():
            return float(self.components.score(point[None])[0])

    def around(
        self, source: str, count: int, generator: torch.Generator, on_finished: OnFinished | None = None
    ) -> list[LatentChild]:
        """Programs at points at growing distance from one program, each climbed: the first population.

        There are none around a program that the encoder can not read.
        """
        point = self.point(source)
        if point is None:
            return []
        centre = point[None]
        directions = random_directions((count, centre.shape[1]), generator).to(centre)
        lengths = torch.linspace(0.0, self._settings.population_radius, count)[:, None].to(centre)
        spread = centre + lengths * self.components.scale * directions
        return self._climb([0] * count, centre.expand_as(spread), spread, generator, 0.0, on_finished)

    def children(
        self, parents: Sequence[str], generator: torch.Generator, on_finished: OnFinished | None = None
    ) -> list[LatentChild]:
        """One program for each parent, in their order; none for parents that the encoder can not read."""
        points = [(row, self.point(source)) for row, source in enumerate(parents)]
        readable = [(row, point) for row, point in points if point is not None]
        if not readable:
            return []
        centres = torch.stack([point for _, point in readable])
        rows = [row for row, _ in readable]
        return self._climb(rows, centres, centres, generator, self._settings.jitter, on_finished)

    def _climb(
        self,
        rows: list[int],
        before: Tensor,
        centres: Tensor,
        generator: torch.Generator,
        jitter: float,
        on_finished: OnFinished | None,
    ) -> list[LatentChild]:
        settings = replace(self._settings, jitter=jitter)
        components = self.components
        objective = ascent_objective(components, settings, self._task)
        # Until the surrogate has learned something its gradient has no meaning.
        optimizer = OPTIMIZERS["gradient" if components.fitted else "random"]
        request = Request(centres, centres, objective, settings, components.scale, generator)
        after = optimizer(request).after
        with torch.no_grad():
            predicted = [components.score(points) for points in (before, after)]
        distance = ((after - before) / components.scale).norm(dim=-1)
        decoded = self._decode(after, generator, on_finished)
        return [
            LatentChild(
                parent,
                before[row].detach().numpy().astype(np.float32),
                after[row].detach().numpy().astype(np.float32),
                float(predicted[0][row]) if components.fitted else None,
                float(predicted[1][row]) if components.fitted else None,
                float(distance[row]),
                decoded[row],
            )
            for row, parent in enumerate(rows)
        ]

    def _decode(
        self, points: Tensor, generator: torch.Generator, on_finished: OnFinished | None
    ) -> list[GeneratedProgram]:
        seeds = torch.randint(2**62, (len(points),), generator=generator).tolist()
        generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        with ExitStack() as stack:
            if not self._settings.guidance:
                return self.components.decode(points, self._task, generators, self._settings, on_finished=on_finished)
            guide = stack.enter_context(self._evaluator.stepping())
            decoded = self.components.decode(
                points, self._task, generators, self._settings, guide=guide, on_finished=on_finished
            )
            if self._closings is None:
                return decoded
            return close(decoded, guide, self._closings, [np.random.default_rng(seed) for seed in seeds])


def decoded_hash(generated: GeneratedProgram) -> str | None:
    """The `program_hash` of what was decoded; None if it is unfinished or no program."""
    if not generated.finished:
        return None
    try:
        return programs.program_hash(generated.source)
    except programs.ProgramError:
        return None


def readable(space: LatentSpace | None, sources: Sequence[str]) -> LatentSpace | None:
    """The latent space; None where the encoder reads none of these programs, so that a search has edits alone."""
    if space is None or any(space.point(source) is not None for source in sources):
        return space
    _log.warning("the model can not read the programs that the search begins with: it searches with edits alone")
    return None
