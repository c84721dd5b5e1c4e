"""The evaluator: golden values through processes, named failures, limits, the cache, nothing left behind."""

from __future__ import annotations

import ast
import asyncio
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lhs_hf.evaluation import STATUSES, Evaluator, IsolationError, Limits
from lhs_hf.evaluation.behaviour import FAILED, behaviour
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.evaluation.stateless import is_stateless
from lhs_hf.tasks import get_task, task_names

TEMPLATE = get_task("tsp_construct").template
TSP = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"

# (label, body of a TSP program, expected status, part of the message)
FAILURES = [
    ("sleep", "    import time\n    time.sleep(60)\n", "wall_timeout", "2 s"),
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
    with Evaluator("tsp_construct", limits=Limits(wall_s=2.0, cpu_s=0.4)) as evaluator:
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
    assert list(first.objectives) == evaluate_in_process(get_task("tsp_construct"), source)


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


def test_a_program_that_may_be_unrepeatable_runs_twice() -> None:
    ran: list[str] = []
    lucky = "import os\n" + TSP + "    return unvisited_nodes[os.urandom(1)[0] % len(unvisited_nodes)]\n"
    steady = "import sys\n" + TSP + "    return unvisited_nodes[len(sys.path) * 0]\n"
    failing = "import sys\n" + TSP + "    return None\n"
    with Evaluator("tsp_construct", workers=2) as evaluator:
        evaluate = evaluator.evaluate
        evaluator.evaluate = lambda source, split=None: ran.append(source) or evaluate(source, split)  # type: ignore[method-assign,assignment,func-returns-value]
        found = {source: evaluator.submit(source, twice=True).result() for source in (lucky, steady, failing, TEMPLATE)}
    assert (found[lucky].status, found[lucky].score, found[lucky].objectives) == ("unrepeatable", None, ())
    assert found[lucky].status in STATUSES
    assert [found[source].status for source in (steady, failing, TEMPLATE)] == ["ok", "infeasible", "ok"]
    # Nothing is run again that shows by its text that it repeats itself, and nothing that failed.
    assert [ran.count(source) for source in (lucky, steady, failing, TEMPLATE)] == [2, 2, 1, 1]


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


@pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="needs a scheduler that takes advice"
)
def test_the_sandbox_keeps_off_the_processor_of_the_program_that_runs() -> None:
    busy = TSP + "    while True:\n        pass\n"
    with Evaluator("tsp_construct", limits=Limits(wall_s=60.0)) as evaluator:
        everywhere = os.sched_getaffinity(0)
        [zygote] = evaluator.process_ids
        running = evaluator.submit(busy)
        end = time.monotonic() + 30
        while os.sched_getaffinity(zygote) == everywhere and time.monotonic() < end:
            time.sleep(0.01)
        kept = os.sched_getaffinity(zygote)
        assert len(kept) == len(everywhere) - 1
        children = Path(f"/proc/{zygote}/task/{zygote}/children")
        masks: list[set[int]] = []
        while kept not in masks and time.monotonic() < end:  # others are being made meanwhile
            time.sleep(0.01)
            with suppress(ProcessLookupError):  # one has just been reaped
                masks = [os.sched_getaffinity(int(pid)) for pid in children.read_text().split()]
        assert kept in masks, "what waits for its turn stays where the zygote is"
        assert everywhere in masks, "a program may use every processor"
        assert not running.done()


@pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="needs a scheduler that takes advice"
)
@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("    return unvisited_nodes[0]\n", "ok"),
        ("    raise KeyError(1)\n", "exception"),
        ("    while True:\n        pass\n", "wall_timeout"),
        ("    import os\n    os._exit(3)\n", "exited"),
    ],
)
def test_the_sandbox_may_use_every_processor_once_a_program_has_ended(end: str, status: str) -> None:
    slow = TSP + "    sum(range(10**6))\n" + end
    with Evaluator("tsp_construct", limits=Limits(wall_s=2.0)) as evaluator:
        if status == "ok":
            slow = slow.replace("10**6", "12000")
        assert evaluator.evaluate(slow).status == status
        [zygote] = evaluator.process_ids
        until = time.monotonic() + 30
        while os.sched_getaffinity(zygote) != os.sched_getaffinity(0) and time.monotonic() < until:
            time.sleep(0.01)
        assert os.sched_getaffinity(zygote) == os.sched_getaffinity(0)
        assert evaluator.evaluate(TSP + "    return unvisited_nodes[0]\n").ok


def test_online_games_side_by_side_give_what_one_after_another_gives() -> None:
    task = get_task("online_bin_packing")
    plain = "def priority(item, bins):\n    return -abs(bins - item * 1.7)\n"
    with_state = "seen = []\ndef priority(item, bins):\n    seen.append(1)\n    return -abs(bins - item * 1.7)\n"
    with Evaluator(task) as evaluator:
        side_by_side, in_turn = evaluator.evaluate(plain), evaluator.evaluate(with_state)
    assert side_by_side.status == in_turn.status == "ok"
    assert side_by_side.objectives == in_turn.objectives == tuple(evaluate_in_process(task, plain))


def test_failures_of_online_games_are_those_of_one_after_another() -> None:
    late = "def priority(item, bins):\n    if len(bins) < 4990:\n        raise KeyError(item)\n    return bins\n"
    with Evaluator("online_bin_packing") as evaluator:
        result = evaluator.evaluate(late)
        assert (result.status, "instance 0" in result.message) == ("exception", True)
        assert evaluator.evaluate("def priority(item, bins):\n    return bins[:2]\n").status == "infeasible"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy as np\nWEIGHT = 2 * 3\ndef f(a, b=(1, 2)):\n    return np.argmin(a)\n", True),
        ("def f(a, b=[]):\n    return a\n", False),
        ("cache = {}\ndef f(a):\n    return a\n", False),
        ("def f(a):\n    global g\n    g = 1\n    return a\n", False),
        ("def f(a):\n    f.calls = 1\n    return a\n", False),
        ("import random\ndef f(a):\n    return a\n", True),
        ("import random\ndef f(a):\n    return random.choice(a)\n", False),
        ("import random\ndef f(a):\n    return random.Random(len(a)).choice(a)\n", True),
        ("import random\ndef f(a):\n    return random.Random(a).choice(a)\n", False),
        ("import random\nr = random.Random(3)\ndef f(a):\n    return r.choice(a)\n", False),
        ("import numpy as np\ndef f(a):\n    return np.random.default_rng(a[0] + 1).choice(a)\n", True),
        ("import numpy as np\ndef f(a):\n    return np.random.default_rng().choice(a)\n", False),
        ("import numpy as np\ndef f(a):\n    return np.random.rand()\n", False),
        ("from functools import lru_cache\n@lru_cache\ndef f(a):\n    return a\n", False),
        ("class A:\n    pass\ndef f(a):\n    return a\n", False),
        ("import time\ndef f(a):\n    return time.time()\n", False),
        ("def f(a, g=lambda: []):\n    return a\n", False),
    ],
)
def test_programs_that_may_have_state_are_found(source: str, expected: bool) -> None:
    assert is_stateless(ast.parse(source)) is expected


def test_long_splits_are_divided_without_a_difference() -> None:
    task = get_task("tsp_construct")
    with Evaluator(task, workers=2) as two, Evaluator(task) as one:
        for split in ("search", "test-100"):
            left, right = two.evaluate(task.template, split), one.evaluate(task.template, split)
            assert (left.status, left.objective, left.objectives) == ("ok", right.objective, right.objectives)
        broken = TSP + "    return unvisited_nodes[1] if len(unvisited_nodes) == 50 else unvisited_nodes[0] / 1\n"
        left, right = two.evaluate(broken, "test-100"), one.evaluate(broken, "test-100")
        assert (left.status, left.message) == (right.status, right.message)


def test_hopeless_programs_can_be_stopped_and_are_not_by_default() -> None:
    source = TSP + "    return unvisited_nodes[-1]\n"
    with Evaluator("tsp_construct") as evaluator:
        whole = evaluator.evaluate(source)
        assert whole.ok
        stopped = evaluator.evaluate(source, hopeless_below=whole.score + 1.0)
        assert (stopped.status, stopped.score) == ("stopped", None)
        kept = evaluator.evaluate(source, hopeless_below=whole.score - 1e-9)
        assert kept.objectives == whole.objectives


def test_results_as_they_come_and_in_order_and_for_event_loops() -> None:
    task = get_task("knapsack_construct")
    slow = task.template.replace("best = None", "best = None\n    sum(range(100_000))", 1)
    sources = [slow, task.template, "def broken(:\n", task.template]
    with Evaluator(task, workers=2) as evaluator:
        seen = dict(evaluator.as_completed(sources))
        assert sorted(seen) == [0, 1, 2, 3]
        assert [seen[index].status for index in range(4)] == ["ok", "ok", "syntax", "ok"]

        async def gather() -> list[str]:
            single = await evaluator.aevaluate(task.template)
            return [single.status] + [result.status async for result in evaluator.aevaluate_many(sources)]

        assert asyncio.run(gather()) == ["ok", "ok", "ok", "syntax", "ok"]


def test_an_endless_iterable_is_read_no_faster_than_results_are_taken() -> None:
    task = get_task("knapsack_construct")
    read = []

    def endless():
        while True:
            read.append(1)
            yield task.template

    with Evaluator(task, workers=2) as evaluator:
        for results in (evaluator.evaluate_many(endless()), evaluator.as_completed(endless())):
            read.clear()
            next(results)
            assert len(read) <= 16
            results.close()


def test_patience_multiplies_the_limits_of_the_task_itself() -> None:
    task = get_task("tsp_construct")
    assert Limits(patience=3.0).seconds(task, "test-200") == pytest.approx(3 * task.time_limit("test-200"))
    assert Limits(wall_s=7.0, patience=3.0).seconds(task, "test-200") == 7.0
    patience = 0.5 / task.time_limit_s
    with Evaluator(task, limits=Limits(patience=patience)) as evaluator:
        evaluation = evaluator.evaluate(TSP + "    while True:\n        pass\n")
    assert (evaluation.status, evaluation.message) == ("wall_timeout", "not finished after 0.5 s")


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not say what a process ran")
def test_a_program_that_waits_for_a_processor_is_not_slower_where_its_time_there_counts() -> None:
    task = get_task("tsp_construct")
    plain = replace(task.fresh_split(1, 1), time_limit_s=1.0)
    counted = replace(plain, processor_time=True)
    waiting = f"{TSP}    import time\n    time.sleep({1.5 / 50})\n    return unvisited_nodes[0]\n"
    looping = f"{TSP}    while True:\n        pass\n"
    with Evaluator(task, workers=1) as evaluator:
        assert evaluator.evaluate(waiting, plain).status == "wall_timeout"
        result = evaluator.evaluate(waiting, counted)
        assert result.ok
        assert result.runtime_s < 0.5
        result = evaluator.evaluate(looping, counted)
        assert (result.status, result.message) == ("cpu_timeout", "not finished after 1 s on a processor")
        result = evaluator.evaluate(f"{TSP}    import time\n    time.sleep(60)\n", counted)
        assert (result.status, result.message) == ("wall_timeout", "not finished after 4 s")
    # A limit of the evaluator's own is one of the clock.
    with Evaluator(task, workers=1, limits=Limits(wall_s=1.0)) as evaluator:
        assert evaluator.evaluate(waiting, counted).status == "wall_timeout"


def test_limits_are_checked_and_the_source_has_one() -> None:
    names = ("wall_s", "patience", "cpu_s", "memory_mb", "output_bytes", "source_bytes")
    for wrong in [{name: 0} for name in names] + [{"cpu_s": -1.0}]:
        with pytest.raises(ValueError, match="positive"):
            Limits(**wrong)
    with Evaluator("tsp_construct", limits=Limits(source_bytes=200)) as evaluator:
        assert evaluator.evaluate(evaluator.task.template + "#" * 200).status == "syntax"
        assert evaluator.evaluate(TSP + "    return unvisited_nodes[0]\n").ok
    with Evaluator("tsp_construct", limits=Limits(output_bytes=100)) as evaluator:
        assert evaluator.evaluate(evaluator.task.template).status == "output_limit"


def test_scipy_is_there_for_programs_that_import_it() -> None:
    pytest.importorskip("scipy")
    source = (
        "from scipy.spatial.distance import cdist\n"
        + TSP
        + "    return unvisited_nodes[int(cdist([[0]], [[0]])[0, 0])]\n"
    )
    with Evaluator("tsp_construct") as evaluator:
        assert evaluator.evaluate(source).ok
        assert evaluator.evaluate(evaluator.task.template).objective == pytest.approx(6.8239686184057184, rel=1e-9)


def test_less_than_seccomp_has_to_be_accepted(monkeypatch) -> None:
    template = get_task("tsp_construct").template
    monkeypatch.delenv("LHS_HF_ALLOW_DEVELOPMENT_ISOLATION", raising=False)
    refused = Evaluator("tsp_construct", disabled_fences=("seccomp",))
    with refused, pytest.raises(IsolationError, match="--allow-development-isolation"):
        refused.evaluate(template)
    fences, limits = ("seccomp", "landlock"), Limits(wall_s=1.0)
    with Evaluator(
        "tsp_construct", limits=limits, disabled_fences=fences, allow_development_isolation=True
    ) as evaluator:
        assert evaluator.isolation == "development"
        result = evaluator.evaluate(template)
        assert (result.status, result.isolation) == ("ok", "development")
        forking = TSP + "    import os\n    os.fork()\n    while True:\n        pass\n"
        assert evaluator.evaluate(forking).status in ("wall_timeout", "cpu_timeout", "forbidden")
    monkeypatch.setenv("LHS_HF_ALLOW_DEVELOPMENT_ISOLATION", "1")
    with Evaluator("tsp_construct", disabled_fences=("seccomp",)) as evaluator:
        assert evaluator.evaluate(template).ok
    with pytest.raises(ValueError, match="no fence"):
        Evaluator("tsp_construct", disabled_fences=("moat",))


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")
def test_each_fence_can_be_left_out_for_a_test() -> None:
    with Evaluator("tsp_construct") as evaluator:
        if evaluator.isolation != "seccomp+landlock":
            pytest.skip("this machine lacks a fence")
    with Evaluator("tsp_construct", disabled_fences=("landlock",)) as evaluator:
        assert evaluator.isolation == "seccomp"
        assert evaluator.evaluate(TSP + "    open('/etc/passwd')\n").status == "forbidden"
