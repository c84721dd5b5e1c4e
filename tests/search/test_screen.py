"""The trust region of behaviour: near proposals race, some far ones too, the same ones for the same generator."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lhs_hf.errors import CallError
from lhs_hf.search.edits import Accepted, Known, Parent, Proposal
from lhs_hf.search.portfolio.screen import Screen

PARENT = Parent("0", "parent", "family", 0.0)


class Drawn:
    """Proposals whose text says on how many of 64 probe states they decide otherwise."""

    tell = True

    def __init__(self, *changed: int) -> None:
        self.changed = changed

    def draw(self, edit: Any, parent: Any, pool: Any, generator: np.random.Generator, known: Any) -> Accepted:
        changed = self.changed[int(generator.integers(len(self.changed)))]
        return Accepted(Proposal(str(changed), "edit", (parent.hash,), (), "family"), str(changed), str(changed))

    def decisions(self, source: str) -> np.ndarray:
        return (np.arange(64) < int(source)).astype(np.int64)


def _changes(drawn: Drawn, places: int = 400, **options: Any) -> np.ndarray:
    screen, generator = Screen(drawn, drawn, **options), np.random.default_rng(0)  # type: ignore[arg-type]
    edit = SimpleNamespace(name="edit")
    accepted = [screen.draw(edit, PARENT, (), generator, Known()) for _ in range(places)]  # type: ignore[arg-type]
    return np.array([int(each.proposal.source) for each in accepted if each is not None])


def test_near_proposals_are_preferred_and_some_places_stay_open():
    assert (_changes(Drawn(3, 40), draws=1) == 40).mean() == pytest.approx(0.5, abs=0.1)
    # Three of four places: beyond reach only if four draws are.
    assert (_changes(Drawn(3, 40), draws=4) == 40).mean() == pytest.approx(0.25 * 0.5 + 0.75 * 0.5**4, abs=0.06)
    assert (_changes(Drawn(3, 40), draws=4, unscreened=1.0) == 40).mean() == pytest.approx(0.5, abs=0.1)


def test_the_closest_races_where_all_are_far():
    assert (_changes(Drawn(30, 60), draws=8, unscreened=0.0) == 30).mean() > 0.95


def test_the_same_generator_gives_the_same_proposals():
    assert np.array_equal(_changes(Drawn(1, 9, 20, 50)), _changes(Drawn(1, 9, 20, 50)))


def test_nothing_is_screened_where_probe_states_say_nothing():
    silent = Drawn(3, 40)
    silent.tell = False
    assert (_changes(silent) == 40).mean() == pytest.approx(0.5, abs=0.1)


def test_wrong_arguments_are_named():
    with pytest.raises(CallError, match="at least 1 draw"):
        _changes(Drawn(1), draws=0)
    with pytest.raises(CallError, match="reach"):
        _changes(Drawn(1), reach=0.0)
