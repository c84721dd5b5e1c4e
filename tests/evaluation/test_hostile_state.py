"""Programs that go for what is remembered get the score of an evaluation that remembers nothing."""

from __future__ import annotations

import ast
import secrets
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile_state import CHANCE, FORGERS, HONEST, NEVER_ALIKE, PAIRS, STATEFUL

from lhs_hf.evaluation import STATUSES, Evaluation, Evaluator, Limits
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.evaluation.rollout import evaluate_in_process
from lhs_hf.evaluation.stateless import is_stateless
from lhs_hf.programs import ProgramError, is_repeatable, program_hash
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
LIMITS = Limits(wall_s=1.0, memory_mb=256)
LATE_S = 0.5
# Long enough for two workers to share it.
LONG = "test-weakly"


class Bench:
    """Evaluators with a cache and without, of one worker and of two, beside a secret in the environment."""

    def __init__(self, cache: Path, secret: str) -> None:
        self.path, self.secret = cache, secret
        self.cache = EvaluationCache(cache)
        self.remembering = Evaluator(TASK, limits=LIMITS, cache=self.cache)
        self.forgetting = Evaluator(TASK, limits=LIMITS)
        self.two = Evaluator(TASK, limits=LIMITS, workers=2)
        for evaluator in (self.remembering, self.forgetting, self.two):
            for split in ("search", LONG):
                evaluator.evaluate(HONEST, split)
        self.exact = tuple(evaluate_in_process(TASK, HONEST))

    def run(self, evaluator: Evaluator, source: str, split: str = "search") -> Evaluation:
        """Evaluate: in time, with a known status, and without the secret."""
        started = time.monotonic()
        found = evaluator.evaluate(source, split)
        if time.monotonic() - started > LIMITS.wall_s + LATE_S:  # once more, in case the machine was busy
            started = time.monotonic()
            found = evaluator.evaluate(source, split)
        assert time.monotonic() - started < LIMITS.wall_s + LATE_S
        assert found.status in STATUSES
        assert found.status != "sandbox_error"
        assert self.secret not in str(found)
        return found

    def close(self) -> None:
        for evaluator in (self.remembering, self.forgetting, self.two):
            evaluator.close()
        self.cache.close()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    secret = secrets.token_hex(12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_TOKEN", secret)
        made = Bench(tmp_path_factory.mktemp("cache") / "cache.sqlite", secret)
        yield made
        made.close()


def _outcome(found: Evaluation) -> tuple[object, ...]:
    return found.status, found.objective, found.score, found.objectives


def test_there_are_many_programs_of_every_kind() -> None:
    assert len(PAIRS) >= 20
    assert len(CHANCE) >= 30
    assert len(STATEFUL) >= 35
    sources = [
        *CHANCE.values(),
        *STATEFUL.values(),
        *FORGERS.values(),
        *(text for pair in PAIRS.values() for text in pair),
    ]
    assert len(set(sources)) == len(sources)
    for source in sources:
        ast.parse(source)


@pytest.mark.parametrize("name", PAIRS)
def test_programs_that_behave_differently_share_neither_identity_nor_result(bench: Bench, name: str) -> None:
    first, second = PAIRS[name]
    alone = [_outcome(bench.run(bench.forgetting, source)) for source in (first, second)]
    assert alone[0] != alone[1]
    assert "ok" in (alone[0][0], alone[1][0])
    assert [_outcome(bench.run(bench.remembering, source)) for source in (first, second)] == alone
    assert [_outcome(bench.run(bench.remembering, source)) for source in (first, second)] == alone
    assert program_hash(first) != program_hash(second)


@pytest.mark.parametrize("name", CHANCE)
def test_what_chance_decides_is_not_remembered(bench: Bench, name: str) -> None:
    assert not is_repeatable(CHANCE[name])
    first, second = (bench.run(bench.remembering, CHANCE[name]) for _ in range(2))
    assert not first.cached
    assert not second.cached
    if name in NEVER_ALIKE and first.ok:
        assert first.objectives != second.objectives
        found = bench.forgetting.evaluate_twice(CHANCE[name])
        assert (found.status, found.objective, found.score, found.objectives) == ("unrepeatable", None, None, ())
        assert "another" in found.message


@pytest.mark.parametrize("name", STATEFUL)
def test_what_a_program_counts_does_not_depend_on_the_number_of_workers(bench: Bench, name: str) -> None:
    assert not is_stateless(ast.parse(STATEFUL[name]))
    one, two = (bench.run(evaluator, STATEFUL[name], LONG) for evaluator in (bench.forgetting, bench.two))
    assert _outcome(one) == _outcome(two)


def test_most_programs_that_count_do_so_without_failing(bench: Bench) -> None:
    found = {name: bench.run(bench.forgetting, source, LONG).status for name, source in STATEFUL.items()}
    assert sum(status == "ok" for status in found.values()) > 0.9 * len(found), found


@pytest.mark.parametrize("name", FORGERS)
def test_the_cache_can_not_be_forged_from_inside(bench: Bench, name: str) -> None:
    source = FORGERS[name].replace("@CACHE@", str(bench.path))
    first, second = (bench.run(bench.remembering, source) for _ in range(2))
    assert _outcome(first) == _outcome(second)
    assert first.objectives in ((), bench.exact)
    for evaluator in (bench.remembering, bench.forgetting):
        assert bench.run(evaluator, HONEST).objectives == bench.exact
    with sqlite3.connect(bench.path) as file:
        assert file.execute("SELECT COUNT(*) FROM evaluations").fetchone()[0] >= 1
    file.close()


def test_texts_that_are_no_program_have_no_identity() -> None:
    for source in ("def f(:\n", "x = 1\0", "(" * 100_000, "x = '\ud800'\n"):
        with pytest.raises(ProgramError):
            program_hash(source)
