"""How a portfolio ends, and in which order it takes the programs of the corpus."""

from __future__ import annotations

import json
from importlib import resources
from types import SimpleNamespace
from typing import Any

import pytest

from lhs_hf.corpus.dataset import corpus_tasks, load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import Block, Entry, Finalist, Ledger, TrainingInstances, Trials, finals_cost
from lhs_hf.programs import program_hash
from lhs_hf.search.edits.following import FOLLOWS
from lhs_hf.search.portfolio.ending import (
    FINALISTS,
    INSTANCES,
    final_instances,
    finalists_of,
    winner,
    with_level,
)
from lhs_hf.search.portfolio.parents import Parents
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


ANSWERS = ["remaining_items[0]", "remaining_items[-1]", "max(remaining_items)", "min(remaining_items)"]
KNOWN, *OTHERS = (
    f"def select_next_item(remaining_capacity, remaining_items):\n    return {each}\n" for each in ANSWERS
)
FOLLOWING = [f'{each}    "{FOLLOWS}"\n' for each in OTHERS]
RACED = [Block("race-0/4", 4), Block("race-1/4", 4)]


def trials_of(values: dict[str, tuple[float, ...]]) -> Trials:
    """What is known of programs: objectives on blocks of the race."""
    task = get_task("knapsack_construct")
    entries = []
    for source, raced in values.items():
        identity = program_hash(source)
        for place, block in enumerate(RACED[: len(raced) // 4]):
            entries.append(Entry(identity, block.name, "ok", raced[4 * place : 4 * place + 4], block.size, 0.1))
    evaluator: Any = SimpleNamespace(task=task, workers=1, limits=SimpleNamespace(wall_s=None))
    return Trials(evaluator, TrainingInstances(task, 0), Ledger([each.as_dict() for each in entries]))


def test_what_the_race_can_not_tell_from_another_is_known_and_followers_come_first() -> None:
    following = FOLLOWING[2]
    raced = {KNOWN: (5.0,) * 8, OTHERS[0]: (5.0,) * 4, OTHERS[1]: (5.0, 5.0, 5.0, 6.0), following: (5.0,) * 8}
    trials = trials_of(raced)
    candidates = [SimpleNamespace(program=each, family="one") for each in [*raced, OTHERS[2]] if each != KNOWN]
    race: Any = SimpleNamespace(blocks=RACED, trials=trials)
    level: Any = SimpleNamespace(level=lambda: iter(candidates))
    pace: Any = SimpleNamespace(keeps=lambda source, blocks: True)
    parents = Parents(trials.task, race, level, pace)
    assert parents.level(KNOWN) == [following, OTHERS[0]]
    assert parents.level(OTHERS[2]) == []


def test_free_places_of_the_finals_go_to_what_is_level_and_some_to_followers_in_any_case() -> None:
    followers = [f"{name}: {FOLLOWS}" for name in "wxyz"]
    level = [*followers, "l", "m"]
    assert with_level([*"abcdef"], level, 0) == [*"abcdef"]
    assert with_level([*"abcdef"], level, 3) == [*followers[:3], *"abc"]
    assert with_level([*"ab"], level, 3) == [*followers[:3], *"ab", followers[3]]
    assert with_level([*"abcdef"], ["l"], 3) == [*"abcdef"]
    assert with_level(["a", followers[0]], level[:1], 3) == [followers[0], "a"]
    assert with_level([], [], 3) == []


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
