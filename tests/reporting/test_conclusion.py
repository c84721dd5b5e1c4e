"""A search ends with one sentence: new or known, how much better than what, how fast, where it lies."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from lhs_hf.cli.search_result import print_result
from lhs_hf.errors import CallError
from lhs_hf.reporting.conclusion import Headline, conclusion, headline
from lhs_hf.search.result import SearchResult
from lhs_hf.tasks import get_task

STORED = json.loads((Path(__file__).parents[2] / "results" / "search_tsp_construct.json").read_text(encoding="utf-8"))
TASK = get_task("tsp_construct")


def _with(**changes: Any) -> str:
    return conclusion(TASK, {**copy.deepcopy(STORED), "output": "runs/mine", **changes})


def test_a_new_program_is_called_new_with_gains_time_and_place() -> None:
    """The stored result may be any; what the sentence says of it is fixed here."""
    gain = {"split": "holdout", "same": False, "difference": 0.1, "low": 0.002, "high": 0.012}
    text = _with(
        novelty={"level": "new", "family": "ant"},
        corpus_gain={**STORED["corpus_gain"], **gain, "gain": 0.0069},
        found={"search": 5.8, "holdout": 5.856},
        reference={"search": 6.8, "holdout": 7.0827},
        runtime={"holdout": {"found": 11.2, "reference": 11.2 / 831}},
    )
    assert text == (
        "Result: a new program, 0.69 % better than the best in corpus and 17.32 % better than the reference on "
        "holdout; it runs for 11 s, 831 times as long as the reference; it lies in runs/mine/best.py"
    )


@pytest.mark.parametrize(
    ("level", "says"),
    [
        ("reference", "nothing better than the reference program was found"),
        ("given", "nothing better than the programs it was given was found; the best of them"),
        ("verbatim", "a known program of the corpus (family ant)"),
        ("canonical", "a known program of the corpus (family ant) in another layout"),
        ("same decisions", "decides as a known one of the corpus (family ant)"),
        ("no corpus", "a new program for a task without a corpus"),
    ],
)
def test_what_is_known_is_called_known(level, says) -> None:
    text = _with(novelty={"level": level, "family": "ant"})
    assert says in text
    assert "Result: a new program," not in text


def test_a_gain_within_noise_says_so_and_a_loss_is_a_loss() -> None:
    gain = {**STORED["corpus_gain"], "gain": -0.0107, "difference": -0.2, "low": -0.0236, "high": 0.0022}
    assert "1.07 % worse than the best in corpus (that may be noise)" in _with(corpus_gain=gain)
    assert "equal to the best in corpus" in _with(corpus_gain={**gain, "same": True})


def test_without_a_corpus_the_reference_is_what_is_left() -> None:
    text = _with(corpus_gain=None, novelty={"level": "no corpus"}, found={"search": 5.0}, reference={"search": 10.0})
    assert "without a corpus, 50.00 % better than the reference on search" in text


def test_strange_novelty_is_refused() -> None:
    with pytest.raises(CallError, match="novelty"):
        _with(novelty={"level": "magic"})


def _headline(**changes: Any) -> Headline:
    gain = {"split": "holdout", "same": False, "difference": 0.1, "gain": 0.0125, "low": 0.002, "high": 0.02}
    known = {"novelty": {"level": "new", "family": "ant_walk"}, "corpus_gain": gain}
    return headline(TASK, {**copy.deepcopy(STORED), **known, **changes})


def test_the_headline_says_new_or_known_and_how_it_stands_to_the_best_known() -> None:
    worse = {"split": "holdout", "same": False, "difference": -0.1, "gain": -0.0107, "low": -0.02, "high": 0.002}
    known = {"level": "verbatim", "family": "ant_walk"}
    assert _headline() == Headline("better", "New, and better than the best known by 1.25 % (holdout).")
    assert _headline(corpus_gain=worse) == Headline(
        "below", "New, but below the best known by 1.07 % (holdout, may be noise)."
    )
    assert _headline(novelty=known, corpus_gain={**worse, "same": True}) == Headline(
        "known", "Known: corpus program ant walk, equal to the best known (holdout)."
    )
    assert _headline(novelty=known) == Headline(
        "known",
        "Known: corpus program ant walk, better than the corpus program that is best on search by 1.25 % (holdout).",
    )
    assert _headline(novelty={"level": "given"}) == Headline(
        "known", "Known: one of the programs given, better than the best known by 1.25 % (holdout)."
    )
    assert _headline(novelty={"level": "reference"}).text == "Nothing better than the reference program was found."


def test_the_headline_of_what_is_known_so_far_names_the_reference_where_there_is_no_corpus() -> None:
    partial = {"found": {"search": 5.0}, "reference": {"search": 10.0}}
    assert headline(TASK, partial) == Headline("better", "So far better than the reference by 50.00 % (search).")
    lost = headline(TASK, {"found": {"search": None}, "reference": {"search": 10.0}})
    assert lost == Headline("below", "So far without an objective on search.")


def test_the_command_ends_with_it(capsys) -> None:
    fields = {name: value for name, value in STORED.items() if name not in ("success_rate", "test")}
    print_result(TASK, SearchResult(**fields, output="runs/mine"))
    assert capsys.readouterr().out.splitlines()[-1] == _with()
