"""What is said of many searches together: how many found something new, and something better."""

from __future__ import annotations

from typing import Any

from measure_search import discoveries


def entry(level: str, difference: float, low: float | None) -> dict[str, Any]:
    return {"novelty": {"level": level}, "corpus_gain": {"difference": difference, "low": low}}


def test_a_corpus_program_that_is_better_on_holdout_is_no_discovery() -> None:
    entries = [
        entry("verbatim", 1.0, 0.5),
        entry("new", 1.0, 0.5),
        entry("new", 1.0, -0.5),
        entry("new", -1.0, None),
        {"novelty": {"level": "new"}, "corpus_gain": None},
    ]
    together = discoveries(entries)
    shares = (together["share_new"], together["share_new_and_better"], together["share_beyond_noise"])
    assert shares == (0.8, 0.4, 0.2)
    assert together["levels"]["verbatim"] == 1
    assert sum(together["levels"].values()) == 5
