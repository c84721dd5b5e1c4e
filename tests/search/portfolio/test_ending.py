"""How a portfolio ends, and in which order it takes the programs of the corpus."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from lhs_hf.corpus.dataset import corpus_tasks, load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import Finalist, finals_cost
from lhs_hf.programs import program_hash
from lhs_hf.search.portfolio.ending import FINALISTS, INSTANCES, final_instances, finalists_of, winner
from lhs_hf.search.starts import FAMILIES, portfolio_starts
from lhs_hf.tasks import get_task

MEASURED = json.loads((resources.files("lhs_hf.corpus") / "data" / "starts.json").read_text("utf-8"))


def test_the_finals_are_the_first_and_a_stranger() -> None:
    ranking, families = [*"abcdefgh"], ["x", "x", "x", "x", "x", "x", "x", "z"]
    assert finalists_of(ranking, families) == [*"abcde", "h"]
    assert finalists_of(ranking, ["x"] * 8) == [*"abcdef"]
    assert finalists_of(ranking[:3], families[:3]) == ["a", "b", "c"]
    assert finalists_of([], []) == []


def test_a_start_that_may_be_as_good_has_a_place_in_the_finals() -> None:
    assert finalists_of([*"abcdefgh"], ["x"] * 8, "h") == [*"abcde", "h"]
    assert finalists_of([*"abcdefgh"], ["x"] * 8, "c") == [*"abcdef"]
    assert finalists_of([*"ab"], ["x"] * 2, "h") == ["a", "b", "h"]


def test_what_is_known_gives_way_beyond_noise_only() -> None:
    def finalist(source: str, gain: float | None, error: float | None) -> Finalist:
        return Finalist(source, source, 200, gain=gain, error=error)

    good, close, failed = finalist("a", 0.02, 0.01), finalist("b", 0.01, 0.02), finalist("c", None, None)
    assert winner([good, close], "known") is good
    assert winner([close, good], "known") is close
    assert winner([finalist("e", 0.001, 0.02), good], "known") is None
    assert winner([failed], "known") is None
    assert winner([good], "a") is None
    assert winner([finalist("d", 1e-9, 0.0)], "known") is not None


@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("budget", [0, 50, 160, 1600, 100_000])
def test_finals_take_no_more_than_their_share(budget: int, against: bool) -> None:
    count = final_instances(budget, against)
    assert 0 <= count <= INSTANCES
    assert not count or finals_cost(FINALISTS, count, against) <= 0.2 * budget
    assert final_instances(100_000, against) == INSTANCES


@pytest.mark.parametrize("name", corpus_tasks())
def test_searches_begin_with_what_is_worth_most_on_fresh_instances(name: str) -> None:
    task, rows = get_task(name), {row.hash: row for row in load_corpus(name, "train")}
    measured = MEASURED.get(name, {}).get("programs", {})
    starts = portfolio_starts(task, "corpus")
    assert starts[0].role == "reference"
    assert len({start.family for start in starts}) == len(starts) <= FAMILIES + 1
    hashes = [program_hash(start.source) for start in starts[1:]]
    assert set(hashes) <= rows.keys()
    # Of one task the instance is always the same: `search` has said it all.
    assert bool(measured) == (name != "admissible_set")
    known = [-task.alpha * measured[each]["objective"] for each in hashes if each in measured]
    assert known == sorted(known)
    assert hashes[0] == next(iter(measured), hashes[0])


@pytest.mark.integration
def test_what_was_measured_can_be_measured_again() -> None:
    name = "knapsack_construct"
    task, entry = get_task(name), MEASURED[name]
    identity, expected = next(iter(entry["programs"].items()))
    source = next(row.program for row in load_corpus(name, "train") if row.hash == identity)
    with Evaluator(task, workers=1) as evaluator:
        result = evaluator.evaluate(source, task.fresh_split(entry["seed"], entry["instances"]))
    assert result.objective == pytest.approx(expected["objective"], rel=1e-9)
