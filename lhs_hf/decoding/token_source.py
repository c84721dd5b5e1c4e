"""Where the tokens of a batch of rows come from: a model in this process, or whoever else samples them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from .incremental import incremental
from .rows import Row
from .sampling import Sampling, sample


class TokenSource(Protocol):
    """The next token of each row of a batch, one a step.

    Rows are numbered from 0; those still being written stand at places 0, 1, ... in the order of their numbers.
    `logits`: (places, V) behind what each row has written, V = 0 where whoever samples keeps them.
    """

    logits: Tensor

    def draw(self, numbers: Sequence[int], rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray]:
        """A token (int64) and its log-probability at temperature 1 for each of the rows with these numbers."""

    def go_on(self, places: Sequence[int], tokens: np.ndarray) -> None:
        """Drop all rows but those at these places, and have each read its token, (len(places),) int64."""

    def forget(self, place: int, steps: Sequence[int]) -> None:
        """Take back tokens of the row at a place: those read in these steps, counted from 0."""

    def unread(self, number: int) -> int:
        """How many tokens were sampled for a row and never drawn."""


class SampledTokens:
    """Tokens sampled here from a causal language model of `transformers`.

    Args:
        prefixes: what the rows stand behind, left-padded (B, T, e), and the mask (B, T) int64.
        generators: one a row.
        steps: of `draw`, at most.
    """

    def __init__(
        self,
        model: Any,
        prefixes: tuple[Tensor, Tensor],
        generators: Sequence[torch.Generator],
        sampling: Sampling,
        steps: int,
    ) -> None:
        # All draws of a row come from its generator at once, so they do not depend on how long other rows take.
        self._draws = torch.stack(
            [torch.rand(steps, generator=g, device=g.device, dtype=torch.float64).cpu() for g in generators]
        ).numpy()
        self._sampling = sampling
        self._model = incremental(model, steps)
        self.logits = self._model.start(*prefixes)

    def draw(self, numbers: Sequence[int], rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray]:
        """Tokens by nucleus sampling under the rows' masks."""
        allowed = [mask for mask in (row.allowed() for row in rows) if mask is not None]
        masks = np.stack(allowed) if allowed else None
        draws = self._draws[list(numbers), [row.draws for row in rows]]
        return sample(self.logits, masks, draws, self._sampling.temperature, self._sampling.top_p)

    def go_on(self, places: Sequence[int], tokens: np.ndarray) -> None:
        """Read the tokens."""
        if len(places) < len(self.logits):
            self._model.keep(torch.tensor(places, device=self.logits.device))
        self.logits = self._model.step(torch.from_numpy(tokens).to(self.logits.device))

    def forget(self, place: int, steps: Sequence[int]) -> None:
        """Hide what the model has read."""
        self._model.forget(place, steps)

    def unread(self, number: int) -> int:
        """None: a token is sampled when it is drawn."""
        return 0
