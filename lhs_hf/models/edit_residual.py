"""What an edit still has to say: the difference between two sketches, less what the actions so far account for."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from .word_sketch import alone, pairs, word_vectors

PLACE, STOP_PLACE, TOKEN = 0, 1, 2
"""Kinds of actions: where a span starts (or that there is no further one), where it stops, a token that it gets."""

NOWHERE = 2**20
"""The value of a PLACE that ends the edit: behind every program."""


@dataclass
class EditWords:
    """The words of B parents and of R edits of each, by their buckets.

    Args:
        ids: (B, T) int64, the tokens of the parents, prompt included.
        positions: (B, T), of these tokens.
        tokens: (B, V + 1), of every token of the vocabulary as the parent reads it: a slot is the name it stands for.
        actions: (B, R, S), the word that a TOKEN writes, -1 where it writes none: pieces of names, ends of spans. A
            name that is spelled is written by its `<end>`.
    """

    ids: Tensor
    positions: Tensor
    tokens: Tensor
    actions: Tensor

    def of_actions(self, actions: Tensor) -> EditWords:
        """The same parents with other actions."""
        return EditWords(self.ids, self.positions, self.tokens, actions)


@dataclass
class Hints:
    """What follows from the difference alone, to be added to the logits of the next action: see `EditLogits`."""

    place: Tensor
    stop: Tensor
    token: Tensor
    copy: Tensor
    residual: Tensor


class EditResidual(nn.Module):
    """Follows the difference d = s(child) - s(parent) of two sketches through the actions of an edit.

    A span that is removed takes its words and pairs out of d, a word that is written takes itself and its pair with the
    word before. What is left, r, has a large inner product with the vectors of what is still to be removed (negative)
    and written (positive): matching pursuit, with a learned weight for each kind of evidence.

    Args:
        size: D, of the sketch.
        buckets: rows of the words' vectors.
    """

    def __init__(self, size: int, buckets: int) -> None:
        super().__init__()
        self.size, self.buckets = size, buckets
        # A pair broken, a word removed; words and pairs inside, pair at the end; a word, a pair; what is left.
        self.place_weights = nn.Parameter(torch.tensor([3.0, 3.0]))
        self.stop_weights = nn.Parameter(torch.tensor([1.0, 1.0, 3.0]))
        self.token_weights = nn.Parameter(torch.tensor([3.0, 3.0]))
        self.finish_weights = nn.Parameter(torch.tensor([0.0, 1.0]))
        # Every further token that is removed has to be worth it.
        self.removal_cost = nn.Parameter(torch.tensor(0.3))

    def forward(
        self, difference: Tensor, told: Tensor, finishing: Tensor, words: EditWords, kinds: Tensor, values: Tensor
    ) -> Hints:
        """Hints for the first action and for what follows each of S others, (B, R, S + 1, ...).

        Args:
            difference: (B, R, D).
            told: (B, R) bool, which edits have one; there is no hint for others.
            finishing: (B, R) bool, where the whole of the difference is wanted: the edit ends when nothing is left.
            words: of the parents and of these actions.
            kinds, values: (B, R, S) int64, the actions so far: kind (-1 for padding), and position or token.
        """
        vectors = word_vectors(self.buckets, self.size).to(difference.device)
        at, length = words.positions, words.positions.shape[1]
        known = told.to(difference.dtype)[..., None, None]
        single = alone(vectors, at)
        joined = functional.pad(pairs(vectors, at[:, :-1], at[:, 1:]), (0, 0, 1, 0))
        # Up to position i: words before it, pairs that end before or at it.
        singles = functional.pad(single.cumsum(dim=1), (0, 0, 1, 0))[:, :-1]
        joins = joined.cumsum(dim=1)

        start = _latest(kinds, values, PLACE).clamp(max=length - 1)
        stop = _latest(kinds, values, STOP_PLACE).clamp(max=length - 1)
        before = _at(at, (start - 1).clamp(min=0))
        wrote = (kinds == TOKEN) & (words.actions >= 0)
        last = torch.where(kinds == STOP_PLACE, before, torch.where(wrote, words.actions, -1))
        last = _carried(last)  # the word before what comes next
        previous = functional.pad(last, (1, 0))[..., :-1]
        ended = (kinds == TOKEN) & (values == words.tokens.shape[1] - 1)
        value = values.clamp(0, length - 1)

        opened = -_rows(joined, value) * (values < NOWHERE)[..., None]
        removed = _rows(singles, start) - _rows(singles, value) + _rows(joins, start) - _rows(joins, value)
        own = words.actions.clamp(min=0)
        written = (alone(vectors, own) + pairs(vectors, previous.clamp(min=0), own)) * wrote[..., None]
        closed = pairs(vectors, previous.clamp(min=0), _at(at, stop))
        account = torch.zeros_like(opened)
        for chosen, vector in (
            (kinds == PLACE, opened),
            (kinds == STOP_PLACE, removed),
            (kinds == TOKEN, written),
            (ended, closed),
        ):
            account = torch.where(chosen[..., None], vector, account)
        left = difference[:, :, None] - functional.pad(account.cumsum(dim=2), (0, 0, 1, 0))
        residual = left * known

        inner = torch.einsum("brsd,btd->brst", residual, torch.cat([single, joined, singles, joins], dim=1))
        gone, broken, words_gone, pairs_gone = (-each for each in inner.split(length, dim=-1))
        first, second = self.place_weights
        finish = self.finish_weights[0] - self.finish_weights[1] * residual.square().sum(dim=-1, keepdim=True)
        finish = finish * known * finishing.to(known.dtype)[..., None, None]
        place = torch.cat([first * broken + second * gone, finish], dim=-1)
        first, second, third = self.stop_weights
        cost = self.removal_cost.abs() * torch.arange(length, device=at.device) * known
        stopping = first * words_gone + second * pairs_gone + third * broken - cost
        token = self._token_hints(residual, functional.pad(last, (1, 0)), functional.pad(stop, (1, 0)), words, vectors)
        # Inside a name that is spelled nothing is known of its pieces.
        spelling = functional.pad((kinds == TOKEN) & (words.actions < 0) & ~ended, (1, 0))
        token = token.masked_fill(spelling[..., None], 0.0)
        copy = token.gather(-1, words.ids[:, None, None].expand(*token.shape[:3], -1))
        return Hints(place, stopping, token, copy, residual)

    def _token_hints(self, residual: Tensor, last: Tensor, stop: Tensor, words: EditWords, vectors: Tensor) -> Tensor:
        """For every token and the end of the span, (B, R, S + 1, V + 1)."""
        first, second = self.token_weights
        left = last.clamp(min=0)
        right = residual * vectors[1][left] * self.size**0.5
        both = torch.cat([first * residual, second * right], dim=-1)
        table = torch.cat([vectors[0][words.tokens], vectors[2][words.tokens]], dim=-1)
        hints = both.flatten(1, 2) @ table.transpose(1, 2)
        end = second * (residual * pairs(vectors, left, _at(words.positions, stop))).sum(dim=-1)
        hints = hints.unflatten(1, residual.shape[1:3])
        return torch.cat([hints[..., :-1], end[..., None]], dim=-1)


def _latest(kinds: Tensor, values: Tensor, kind: int) -> Tensor:
    """The value of the last action of a kind up to each action, (B, R, S); 0 before the first."""
    steps = torch.arange(kinds.shape[-1], device=kinds.device).expand_as(kinds)
    place = torch.where(kinds == kind, steps, -1).cummax(dim=-1).values if kinds.shape[-1] else steps
    return values.gather(-1, place.clamp(min=0)) * (place >= 0)


def _carried(values: Tensor) -> Tensor:
    """Each value that is not negative, carried on to the next one; -1 before the first."""
    steps = torch.arange(values.shape[-1], device=values.device).expand_as(values)
    place = torch.where(values >= 0, steps, -1).cummax(dim=-1).values if values.shape[-1] else steps
    return torch.where(place >= 0, values.gather(-1, place.clamp(min=0)), -1)


def _at(words: Tensor, positions: Tensor) -> Tensor:
    """Words (B, ...) at positions (B, ...) of parents (B, T)."""
    return words.gather(1, positions.flatten(1)).view_as(positions)


def _rows(table: Tensor, positions: Tensor) -> Tensor:
    """Rows (B, R, S, D) of a table (B, T, D) at positions (B, R, S)."""
    rows = positions.flatten(1)[..., None].expand(-1, -1, table.shape[-1])
    return table.gather(1, rows).view(*positions.shape, table.shape[-1])
