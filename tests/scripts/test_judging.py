"""Judges of edits, and the summary of true ascents."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from ascents.proposers import Setting, proposer
from ascents.summary import summarize
from judging.judges import JUDGES, Edits, auc, online
from judging.replay import bands
from judging.report import worth

from lhs_hf.errors import CallError


def _edits(seed: int, count: int = 160) -> Edits:
    """Edits whose first latent difference decides, and whose operator says nothing."""
    generator = np.random.default_rng(seed)
    latent = generator.normal(size=(count, 8))
    control = np.column_stack([np.eye(2)[generator.integers(2, size=count)], generator.random((count, 2))])
    hit = latent[:, 0] + 0.5 * generator.normal(size=count) > 1.0
    families = [f"family {row % 10}" for row in range(count)]
    return Edits(control, latent, latent[:, 1:3], hit, hit * 0.1, np.ones(count), families)


def test_auc_counts_pairs():
    hit = np.array([True, False, True, False])
    assert auc(np.array([3.0, 1.0, 2.0, 2.0]), hit) == pytest.approx(3.5 / 4)
    assert auc(np.arange(4.0), np.zeros(4, dtype=bool)) is None


@pytest.mark.parametrize(
    "name", ["direction", "differences, ridge", "differences, firm ridge", "differences, networks"]
)
def test_judges_of_differences_find_what_decides(name):
    held = _edits(1)
    liked = auc(JUDGES[name](_edits(0))(held), held.hit)
    blind = auc(JUDGES["control"](_edits(0))(held), held.hit)
    assert liked > 0.8
    assert abs(blind - 0.5) < 0.2


def test_what_a_judge_learns_online_does_not_depend_on_what_comes_later():
    edits = _edits(2)
    whole = online(JUDGES["differences, firm ridge"], None, edits)
    part = online(JUDGES["differences, firm ridge"], None, edits.take(np.arange(40)))
    assert np.array_equal(whole[:40], part)
    assert auc(whole[40:], edits.hit[40:]) > 0.7


def test_keeping_the_best_of_four_raises_hits_for_a_judge_that_knows():
    edits = _edits(3)
    figures = worth({"task": edits.latent[:, 0]}, {"task": edits})
    shares = [figures["hits"][name] for name in ("all", "best of 2", "best of 4")]
    assert shares == sorted(shares)
    assert shares[2] > 1.5 * shares[0]
    assert figures["hits_by_quartile"][0] < figures["hits_by_quartile"][3]
    assert figures["auc"]["low"] <= figures["auc"]["mean"] <= figures["auc"]["high"]


def test_bands_tell_what_becomes_of_near_and_far_children():
    near, far = bands(
        np.array([1, 2, 30]), ["entered", "dropped", "failed"], np.array([0.02, -0.3, np.nan]), (1, 10, 65)
    )
    assert near["gain"] == pytest.approx(1.0)
    assert near["outcomes"] == {"entered": 1, "dropped": 1}
    assert (far["gain"], far["edits"]) == (0.0, 1)


def _ascent(parent: int, move: str, beats: bool, new: bool) -> dict[str, Any]:
    figures = {"beats": beats, "beats_best": False, "change": 0.1 * beats, "gain": 0.02 if beats else -0.02}
    about = {"in_corpus": not new, "new_behaviour": new, "decides_alike": False, "score": -1.0, "seconds": 0.1}
    return {"task": "t", "parent": parent, "move": move, "family": f"f{parent % 5}", **figures, **about}


def test_ascents_are_paired_by_parent():
    records = [_ascent(n, "edit", n % 2 == 0, n % 4 == 0) for n in range(20)]
    records += [_ascent(n, "gradient", True, False) for n in range(20)] + [_ascent(99, "gradient", False, False)]
    table = summarize(records)["all"]
    assert table["proposers"]["edit"]["beats"]["mean"] == 0.5
    assert table["proposers"]["edit"]["new_of_improving"]["mean"] == 0.5
    difference = table["differences"]["edit - gradient"]
    assert difference["beats"]["mean"] == -0.5
    assert difference["beats"]["n"] == 20
    assert difference["mcnemar"]["only_second"] == 10
    assert difference["mcnemar"]["p"] < 0.01


def test_a_proposer_can_come_from_a_module(monkeypatch):
    monkeypatch.setitem(sys.modules, "some_editor", ModuleType("some_editor"))
    sys.modules["some_editor"].editor = lambda setting: lambda parent, generator: None
    assert proposer("some_editor:editor", Setting(None, None, [], None))(None, None) is None
    with pytest.raises(CallError, match="expected module:function"):
        proposer("some_editor:none", Setting(None, None, [], None))
    with pytest.raises(CallError, match="gradient"):
        proposer("gradeint", Setting(None, None, [], None))
