"""The evaluator: golden values through processes, named failures, limits, the cache, nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from lhs_hf.evaluation import STATUSES, Evaluator, Limits
from lhs_hf.evaluation.behaviour import FAILED, behaviour
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.tasks import get_task, task_names

TSP = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"

# (label, body of a TSP program, expected status, part of the message)
FAILURES = [
    ("sleep", "    import time\n    time.sleep(60)\n", "wall_timeout", "1 s"),
    ("memory", "    return bytearray(10 * 2**30)[0]\n", "memory_limit", "memory"),
    ("nan", "    return float('nan')\n", "infeasible", "float"),
    ("node twice", "    return current_node\n", "infeasible", ""),
    ("negative index", "    return -1\n", "infeasible", "-1"),
    ("float index", "    return 1.5\n", "infeasible", "float"),
    ("string", "    return 'x'\n", "infeasible", "str"),
    ("none", "    return None\n", "infeasible", "None"),
    ("exception", "    return 1 // 0\n", "exception", "ZeroDivisionError"),
    (
        "recursion",
        "    return select_next_node(current_node, 0, unvisited_nodes, None)\n",
        "exception",
        "RecursionError",
    ),
    ("exit", "    raise SystemExit(3)\n", "exited", "3"),
    ("hard exit", "    import os\n    os._exit(4)\n", "exited", "4"),
    ("segfault", "    import ctypes\n    ctypes.string_at(0)\n", "crash", "SIGSEGV"),
    ("signal", "    import os\n    os.kill(os.getpid(), 11)\n", "forbidden", "may not"),
    ("file", "    open('/etc/passwd')\n", "forbidden", "may not"),
    ("socket", "    import socket\n    socket.socket()\n", "forbidden_syscall", "SIGSYS"),
    ("thread", "    import threading\n    threading.Thread(target=print).start()\n", "forbidden", "threads"),
    ("busy", "    while True:\n        pass\n", "cpu_timeout", "SIGPROF"),
    ("missing module", "    import no_such_module\n", "import", "no_such_module"),
]


@pytest.fixture(scope="module")
def tsp() -> Evaluator:
    with Evaluator("tsp_construct", limits=Limits(wall_s=1.0, cpu_s=0.7)) as evaluator:
        yield evaluator


@pytest.mark.parametrize(("label", "body", "status", "message"), FAILURES, ids=[row[0] for row in FAILURES])
def test_failures_have_a_kind_and_leave_the_next_score_exact(
    tsp: Evaluator, label: str, body: str, status: str, message: str
) -> None:
    started = time.monotonic()
    result = tsp.evaluate(TSP + body)
    assert result.status == status
    assert result.status in STATUSES
    assert message in result.message
    assert result.objective is None
    assert result.score is None
    assert time.monotonic() - started < 3.0
    assert tsp.evaluate(tsp.task.template).objective == pytest.approx(6.8239686184057184, rel=1e-9)


def test_exception_on_the_third_instance_names_it(tsp: Evaluator) -> None:
    source = (
        "calls = []\n" + TSP + "    calls.append(1)\n    if len(calls) > 2 * 48:\n"
        "        raise KeyError('third')\n    return unvisited_nodes[0]\n"
    )
    result = tsp.evaluate(source)
    assert (result.status, result.objective) == ("exception", None)
    assert "instance 2" in result.message
    assert "line 5" in result.message


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("", "signature"),
        ("x = 1\n", "signature"),
        ("def other(a, b):\n    return a\n", "signature"),
        ("def a():\n    pass\ndef b():\n    pass\n", "signature"),
        ("def broken(:\n", "syntax"),
        ("x = 1\0", "syntax"),
        ("(" * 100_000, "syntax"),
        ("#" * 400_000, "syntax"),
    ],
)
def test_texts_that_are_no_program(tsp: Evaluator, source: str, status: str) -> None:
    result = tsp.evaluate(source)
    assert result.status == status
    assert result.message


@pytest.mark.parametrize("name", task_names())
def test_the_process_agrees_with_a_direct_call(name: str) -> None:
    task = get_task(name)
    with Evaluator(task) as evaluator:
        result = evaluator.evaluate(task.template)
        probed = evaluator.probe(task.template)
    direct = evaluate_in_process(task, task.template)
    assert result.status == "ok"
    assert list(result.objectives) == direct
    assert result.score == task.alpha * result.objective
    assert probed is not None
    expected = behaviour(task, load(task, task.template))
    np.testing.assert_array_equal(probed.decisions, expected.decisions)
    np.testing.assert_array_equal(probed.features, expected.features)
    assert probed.error_rate == 0.0


def test_probes_record_failures_and_survive_endless_programs() -> None:
    with Evaluator("tsp_construct", limits=Limits(probe_s=1.0)) as evaluator:
        failing = evaluator.probe(TSP + "    return 1 // 0\n")
        assert failing is not None
        assert (failing.decisions == FAILED).all()
        assert np.isnan(failing.features).all()
        assert evaluator.probe(TSP + "    while True:\n        pass\n") is None


def test_results_keep_the_order_of_the_programs() -> None:
    task = get_task("knapsack_construct")
    sources = [
        f"def select_next_item(remaining_capacity, remaining_items):\n    return remaining_items[{i}]\n"
        for i in range(5)
    ]
    with Evaluator(task, workers=2) as two, Evaluator(task) as one:
        assert [r.objective for r in two.evaluate_many(sources)] == [r.objective for r in one.evaluate_many(sources)]


def test_randomness_is_the_same_for_every_evaluation() -> None:
    source = (
        "import numpy as np\nimport random\n"
        + TSP
        + ("    return np.random.choice(unvisited_nodes) if random.random() < 0.5 else unvisited_nodes[0]\n")
    )
    with Evaluator("tsp_construct") as evaluator:
        first, second = evaluator.evaluate(source), evaluator.evaluate(source)
    assert first.ok
    assert first.objectives == second.objectives


def test_the_environment_of_the_parent_stays_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "canary-token")
    source = "import os\n" + TSP + "    raise ValueError(sorted(os.environ.items()))\n"
    with Evaluator("tsp_construct") as evaluator:
        result = evaluator.evaluate(source)
    assert result.status == "exception"
    assert "canary" not in result.message
    assert "OMP_NUM_THREADS" in result.message


def test_the_cache_knows_programs_by_what_they_do_not_how_they_look(tmp_path) -> None:
    cache = EvaluationCache(tmp_path / "cache.sqlite")
    task = get_task("knapsack_construct")
    with Evaluator(task, cache=cache) as evaluator:
        first = evaluator.evaluate(task.template)
        again = evaluator.evaluate("# a comment\n" + task.template)
        other_split = evaluator.evaluate(task.template, "test-weakly")
    assert (first.cached, again.cached, other_split.cached) == (False, True, False)
    assert again.objective == first.objective
    assert other_split.objective == 132.83


def test_an_unusable_cache_changes_no_result(tmp_path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a database")
    cache = EvaluationCache(blocked)
    with Evaluator("knapsack_construct", cache=cache) as evaluator:
        assert evaluator.evaluate(evaluator.task.template).objective == 234.25


def test_no_process_outlives_the_parent() -> None:
    code = (
        "import os, signal, sys\n"
        "from lhs_hf.evaluation import Evaluator\n"
        "evaluator = Evaluator('tsp_construct')\n"
        "evaluator.evaluate(evaluator.task.template)\n"
        "print(*evaluator.process_ids, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    zygote = int(parent.stdout)
    for _ in range(100):
        if not os.path.exists(f"/proc/{zygote}/status") or "Z" in _state(zygote):
            return
        time.sleep(0.05)
    pytest.fail("the zygote is still there")


def _state(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def test_unknown_split_and_bad_worker_count() -> None:
    with pytest.raises(KeyError, match="test-50"):
        Evaluator("tsp_construct", "nowhere")
    with pytest.raises(ValueError, match="at least 1"):
        Evaluator("tsp_construct", workers=0)


def test_closing_ends_running_programs_at_once() -> None:
    evaluator = Evaluator("tsp_construct", workers=2)
    results: list[str] = []
    endless = TSP + "    while True:\n        pass\n"
    thread = threading.Thread(
        target=lambda: results.extend(result.status for result in evaluator.evaluate_many([endless] * 5))
    )
    thread.start()
    time.sleep(1.0)
    started = time.monotonic()
    evaluator.close()
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert time.monotonic() - started < 5
    assert set(results) == {"sandbox_error"}
