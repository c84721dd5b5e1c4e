"""Ray clusters of several nodes: hostile programs, nodes of another kind, nodes and drivers that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters.local import LocalCluster, alive, marked, wait_for
from hostile import CANARY_FILE, HOSTILE
from hostile_more import MORE

from lhs_hf.errors import CallError
from lhs_hf.evaluation import STATUSES, Evaluator, Limits
from lhs_hf.evaluation.rollout import evaluate_in_process
from lhs_hf.tasks import get_task

pytest.importorskip("ray", reason="Ray is not installed: pip install 'lhs-hf[ray]'")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")]

KNAPSACK = "knapsack_construct"
HOSTILE_LIMITS = Limits(wall_s=0.6, cpu_s=0.3, memory_mb=128)
PATIENT = Limits(wall_s=20.0, memory_mb=1777)
MARKER = '"memory_mb": 1777'
SECRET = "canary-07c2"


def _sleeping(seconds: float, number: int = 0) -> str:
    return f"import time\n\nNUMBER = {number}\ntime.sleep({seconds})\n\n{get_task(KNAPSACK).template}"


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    file = tmp_path / "canary.txt"
    file.write_text(SECRET)
    return file


@pytest.fixture
def guarded(secret_file: Path) -> Iterator[Evaluator]:
    """An evaluator on two nodes whose environment holds a secret."""
    with (
        LocalCluster(2, 1, {"HF_TOKEN": SECRET, "LHS_CANARY": SECRET}) as cluster,
        Evaluator(KNAPSACK, workers=2, limits=HOSTILE_LIMITS, cluster=cluster.address) as evaluator,
    ):
        if evaluator.isolation == "development":
            pytest.skip("this machine has no seccomp")
        yield evaluator


def test_hostile_programs_gain_nothing_and_end_as_they_do_here(guarded: Evaluator, secret_file: Path) -> None:
    template = guarded.task.template
    exact = tuple(evaluate_in_process(guarded.task, template))
    chosen = [program for program in HOSTILE + MORE if program.task == KNAPSACK]
    assert len(chosen) > 330
    sources = [program.source.replace(CANARY_FILE, str(secret_file)) for program in chosen]
    # The template comes between, so that each worker runs it after programs of all kinds.
    results = list(guarded.evaluate_many(text for source in sources for text in (source, template)))
    wrong = []
    for program, source, result, honest in zip(chosen, sources, results[::2], results[1::2]):
        if result.status not in program.allowed() or not honest.ok:  # once more, in case the machine was busy
            result, honest = guarded.evaluate(source), guarded.evaluate(template)
        assert SECRET not in repr(result)
        assert result.status in STATUSES
        assert not result.ok or result.objectives == exact
        if result.status not in program.allowed() or honest.objectives != exact:
            wrong.append(f"{program.name}: {result.status}, then {honest.status}")
    assert not wrong, "\n".join(wrong)
    assert secret_file.read_text() == SECRET


def test_a_node_with_another_version_of_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lhs_hf").mkdir()
    (tmp_path / "lhs_hf" / "__init__.py").write_text('__version__ = "9.9"\n')
    # Ray has workers import from the folder that the driver is in.
    monkeypatch.chdir(tmp_path)
    with (
        LocalCluster(1, 1, {"PYTHONPATH": str(tmp_path)}) as cluster,
        pytest.raises(CallError, match=r"^node .* has lhs_hf 9\.9, expected "),
    ):
        Evaluator(KNAPSACK, cluster=cluster.address)


def test_a_node_that_joins_with_another_version_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    other, empty = tmp_path / "other", tmp_path / "empty"
    (other / "lhs_hf").mkdir(parents=True)
    (other / "lhs_hf" / "__init__.py").write_text('__version__ = "9.9"\n')
    # Workers of all nodes import from the folder that the driver is in: neither version is there.
    empty.mkdir()
    monkeypatch.chdir(empty)
    root = str(Path(sys.modules["lhs_hf"].__file__ or "").parents[1])
    with (
        LocalCluster(1, 1, {"PYTHONPATH": root}) as cluster,
        Evaluator(KNAPSACK, workers=2, limits=PATIENT, cluster=cluster.address) as evaluator,
    ):
        assert evaluator.evaluate(_sleeping(0.0)).ok
        cluster.nodes.append(cluster.add_node({"PYTHONPATH": str(other)}))
        assert wait_for(lambda: "is left out: it has lhs_hf 9.9" in caplog.text, 60)
        assert [each.status for each in evaluator.evaluate_many(_sleeping(0.1, k) for k in range(4))] == ["ok"] * 4


@pytest.mark.parametrize("kind", ["zygote", "actor", "node"])
def test_what_a_lost_worker_ran_is_evaluated_again(kind: str) -> None:
    with LocalCluster(2, 1) as cluster:
        with Evaluator(KNAPSACK, workers=2, limits=PATIENT, cluster=cluster.address) as evaluator:
            expected = evaluator.evaluate(_sleeping(0.0)).objectives
            running = [evaluator.submit(_sleeping(3.0, number)) for number in range(2)]
            assert wait_for(lambda: len(cluster.zygotes()) == 2 and all(each.running() for each in running), 60)
            if kind == "node":
                cluster.kill_node(cluster.nodes[0])
            else:
                os.kill((cluster.actors() if kind == "actor" else cluster.zygotes())[0], signal.SIGKILL)
            assert [each.result(timeout=120).objectives for each in running] == [expected] * 2
        assert wait_for(lambda: not marked(MARKER), 30)
    assert cluster.left() == 0


def test_workers_come_with_the_nodes_that_join() -> None:
    with (
        LocalCluster(1, 1) as cluster,
        Evaluator(KNAPSACK, workers=3, limits=PATIENT, cluster=cluster.address) as evaluator,
    ):
        assert evaluator.evaluate(_sleeping(0.0)).ok
        assert len(cluster.zygotes()) == 1
        cluster.nodes += [cluster.add_node(), cluster.add_node()]
        assert wait_for(lambda: len(cluster.zygotes()) == 3, 60)
        assert all(each.ok for each in evaluator.evaluate_many(_sleeping(0.1, number) for number in range(6)))


def test_a_driver_that_is_killed_leaves_no_process() -> None:
    code = (
        "import sys\nfrom lhs_hf.evaluation import Evaluator, Limits\n"
        f"with Evaluator({KNAPSACK!r}, workers=2, limits=Limits(memory_mb=1777), cluster=sys.argv[1]) as evaluator:\n"
        "    list(evaluator.evaluate_many(sys.argv[2:]))\n"
    )
    with LocalCluster(1, 2) as cluster:
        words = [sys.executable, "-c", code, cluster.address, _sleeping(60.0, 1), _sleeping(60.0, 2)]
        driver = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert wait_for(lambda: len(cluster.zygotes()) == 2, 120)
        actors = cluster.actors()
        time.sleep(0.5)  # at a moment at which programs run, or are about to
        driver.kill()
        driver.wait()
        assert wait_for(lambda: not any(map(alive, actors)) and not marked(MARKER), 60)


def test_a_node_that_ends_during_a_search_leaves_its_trace_as_it_was(tmp_path: Path) -> None:
    from lhs_hf.search.search import run_search
    from lhs_hf.search.settings import SearchSettings

    task = get_task(KNAPSACK)
    settings = SearchSettings.from_preset("latent", budget=10, seed=3)
    undisturbed: list[tuple[object, ...]] = []
    disturbed: list[tuple[object, ...]] = []
    options = {"store": False, "workers": 2, "private_seed": 17}
    run_search(task, settings, listener=lambda c: undisturbed.append((c.id, c.program, c.objective)), **options)
    with LocalCluster(2, 1) as cluster:

        def listen(candidate: object) -> None:
            disturbed.append((candidate.id, candidate.program, candidate.objective))
            if len(disturbed) == 4:
                cluster.kill_node(cluster.nodes[0])

        run_search(task, settings, listener=listen, cluster=cluster.address, **options)
    assert len(disturbed) >= 10
    assert sorted(disturbed, key=repr) == sorted(undisturbed, key=repr)
