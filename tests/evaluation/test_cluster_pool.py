"""Workers of a cluster that are lost, and what becomes of the programs they ran; Ray is a double."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from ray_double import ActorDouble, RayDouble

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluation, Evaluator
from lhs_hf.evaluation.cluster import pool

TASK = "knapsack_construct"


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> RayDouble:
    double = RayDouble()
    monkeypatch.setattr(pool, "connect", lambda address: double)
    return double


@pytest.fixture
def evaluator(ray: RayDouble) -> Iterator[Evaluator]:
    with Evaluator(TASK, workers=4, cluster="auto") as made:
        yield made


def _evaluate(evaluator: Evaluator) -> Evaluation:
    return evaluator.evaluate(evaluator.task.template)


def test_what_a_lost_worker_ran_is_evaluated_again_on_another_node(ray: RayDouble, evaluator: Evaluator) -> None:
    ray.on_program = lambda actor: ray.kill(actor) if len(ray.ran) == 1 else None
    assert _evaluate(evaluator).ok
    first, second = ray.ran
    assert first.node != second.node


def test_no_program_goes_to_a_node_that_is_lost(ray: RayDouble, evaluator: Evaluator) -> None:
    ray.on_program = lambda actor: ray.dead_nodes.add(actor.node) if len(ray.ran) == 1 else None
    assert all(_evaluate(evaluator).ok for _ in range(8))
    assert [actor.node for actor in ray.ran].count(ray.ran[0].node) == 1
    assert len(ray.ran) == 9


def test_a_program_whose_sandbox_can_not_be_kept_alive_is_evaluated_elsewhere(
    ray: RayDouble, evaluator: Evaluator
) -> None:
    failure = Evaluation("sandbox_error", message="the sandbox process ended")
    ray.on_program = lambda actor: failure if len(ray.ran) == 1 else None
    assert _evaluate(evaluator).ok
    first, second = ray.ran
    assert first.node != second.node
    assert first.number in ray.killed


def test_a_program_under_which_four_workers_are_lost_has_no_result(ray: RayDouble, evaluator: Evaluator) -> None:
    ray.on_program = lambda actor: ray.kill(actor) if len(ray.ran) < pool.TRIES else None
    assert _evaluate(evaluator).ok
    ray.ran.clear()
    ray.on_program = ray.kill
    result = _evaluate(evaluator)
    assert (result.status, result.score) == ("sandbox_error", None)
    assert len(ray.ran) == pool.TRIES
    ray.on_program = lambda actor: None
    assert _evaluate(evaluator).ok


def test_an_evaluator_that_is_closed_meanwhile_starts_nothing_and_ends_all(ray: RayDouble) -> None:
    runs, closes = threading.Event(), threading.Event()

    def hold(actor: ActorDouble) -> None:
        runs.set()
        closes.wait(60)

    ray.on_program = hold
    evaluator = Evaluator(TASK, workers=2, cluster="auto")
    running = evaluator.submit(evaluator.task.template)
    assert runs.wait(60)
    evaluator.close()
    closes.set()
    assert running.result(60).message == "the evaluator is closed"
    assert _evaluate(evaluator).message == "the evaluator is closed"
    assert {actor.number for actor in ray.actors} == ray.killed


def test_nodes_that_are_refused_are_named_and_nothing_is_left(ray: RayDouble) -> None:
    ray.report = {**ray.report, "refusal": "has lhs_hf 9.9, expected 1"}
    with pytest.raises(CallError, match=r"^node A has lhs_hf 9\.9, expected 1$"):
        Evaluator(TASK, workers=2, cluster="auto")
    assert {actor.number for actor in ray.actors} == ray.killed


def test_without_any_node_evaluation_ends_with_one_line(
    ray: RayDouble, evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lhs_hf.evaluation import NodesLost

    assert _evaluate(evaluator).ok
    monkeypatch.setattr(pool, "PATIENCE_S", 0.0)
    ray.on_program = lambda actor: ray.dead_nodes.update("AB")
    monkeypatch.setattr(ray, "available_resources", lambda: {"CPU": 0.0}, raising=False)
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 4.0}, raising=False)
    with pytest.raises(NodesLost, match="no node of the cluster has a free processor"):
        _evaluate(evaluator)
