"""Of the calls of a session that draw the same part of a page, the last to begin is the one that counts."""

import pytest

pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[space]')")

from lhs_hf.space.latest import LatestCall


def test_a_later_call_of_the_same_session_makes_a_former_one_late() -> None:
    calls = LatestCall()
    first, other = calls.begin("a"), calls.begin("b")
    assert calls.is_latest("a", first)
    second = calls.begin("a")
    assert not calls.is_latest("a", first)
    assert calls.is_latest("a", second)
    assert calls.is_latest("b", other)


def test_only_the_last_sessions_are_remembered_and_a_forgotten_ones_call_still_counts() -> None:
    calls = LatestCall(sessions=2)
    first = calls.begin("a")
    calls.begin("b")
    calls.begin("a")
    calls.begin("c")
    assert not calls.is_latest("a", first)
    assert calls.is_latest("b", -1)
