"""Stepping sessions: unfinished programs, verdicts, rollback, isolation of sessions from each other."""

from __future__ import annotations

import time

import pytest

from lhs_hf.evaluation import STATUSES, Evaluator, Stepper
from lhs_hf.evaluation.frontier import split_frontier
from lhs_hf.tasks import get_task, task_names

HEADER = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator("tsp_construct") as found:
        yield found


@pytest.fixture
def stepper(evaluator: Evaluator):
    with evaluator.stepping(limit_s=0.5) as found:
        yield found


def one(stepper: Stepper, session, text: str):
    [result] = stepper.step([(session, text)])
    return result


def test_a_program_grows_statement_by_statement(stepper: Stepper) -> None:
    session = stepper.open()
    for line in (HEADER, "    best = unvisited_nodes[0]\n", "    for node in unvisited_nodes:\n"):
        result = one(stepper, session, line)
        assert (result.status, result.reached, result.finished) == ("ok", 3, 0)
    assert one(stepper, session, "        if distance_matrix[current_node, node] < 0.1:\n            best = node\n").ok
    result = one(stepper, session, "    return best\n")
    assert (result.status, result.reached, result.finished) == ("ok", 0, 3)
    assert stepper.executions == 5 * 3


@pytest.mark.parametrize(
    ("text", "status", "line", "message"),
    [
        ("    x = unvisited_nodes[999]\n", "exception", 2, "IndexError"),
        ("    x = 1\n    y = x.missing\n", "exception", 3, "AttributeError"),
        ("    return None\n", "infeasible", None, "NoneType"),
        ("    x = (\n", "syntax", None, "never closed"),
        ("    import missing_module\n", "import", 2, "missing_module"),
        ("    open('/etc/passwd')\n", "forbidden", 2, "files"),
        ("    while True:\n        pass\n    ...\n", "wall_timeout", None, "0.5"),
        ("    raise SystemExit(4)\n", "exited", 2, "4"),
        ("    import ctypes\n    ctypes.string_at(0)\n", "crash", None, "SIGSEGV"),
        ("    x = bytearray(2**36)\n", "memory_limit", 2, "memory"),
    ],
)
def test_a_refused_statement_has_a_kind_and_is_not_kept(stepper: Stepper, text, status, line, message) -> None:
    session = stepper.open()
    assert one(stepper, session, HEADER).ok
    result = one(stepper, session, text)
    assert result.status == status
    assert result.status in STATUSES
    assert result.line == line
    assert message in result.message
    assert session.source == HEADER
    assert one(stepper, session, "    return unvisited_nodes[0]\n").finished == 3


def test_an_open_loop_is_entered_once_and_a_closed_one_runs_through(stepper: Stepper) -> None:
    session = stepper.open(HEADER + "    total = 0\n")
    body = "    for k in range(3):\n        total = total + 1 // (2 - k)\n"
    assert one(stepper, session, body).ok
    result = one(stepper, session, "    ...\n")
    assert (result.status, result.line) == ("exception", 4)


def test_rollback_forgets_what_a_statement_did_to_the_process(stepper: Stepper) -> None:
    session = stepper.open()
    one(stepper, session, "import numpy as np\n" + HEADER)
    mark = session.snapshot()
    assert one(stepper, session, "    np.argmin = lambda *a, **k: 10**6\n").ok
    session.rollback(mark)
    text = "    return unvisited_nodes[np.argmin(distance_matrix[current_node][unvisited_nodes])]\n"
    assert one(stepper, session, text).finished == 3
    with pytest.raises(ValueError, match="no snapshot"):
        session.rollback(10**6)


def test_sessions_do_not_see_each_other(stepper: Stepper) -> None:
    text = "import numpy as np\n" + HEADER + "    return unvisited_nodes[np.argmin(unvisited_nodes)]\n"
    poison = "import numpy as np\nnp.argmin = None\n" + HEADER + "    while True:\n        pass\n    ...\n"
    sessions = [stepper.open() for _ in range(16)]
    results = stepper.check([(s, poison if i % 4 == 0 else text) for i, s in enumerate(sessions)])
    for index, result in enumerate(results):
        assert result.status == ("wall_timeout" if index % 4 == 0 else "ok")
    again = stepper.check([(s, text) for s in sessions])
    assert [result.finished for result in again] == [3] * 16


def test_children_that_close_their_channel_and_stay_cost_their_neighbours_nothing(evaluator: Evaluator) -> None:
    """Whether each ends by itself is waited for a moment: together, and after the others have answered."""
    sleepers = 10
    stays = "import os, time\ntime.sleep({})\nos.close(3)\ntime.sleep(1000)\n"
    # Slow enough to answer after the others have closed theirs.
    honest = "import time\n" + HEADER + "    time.sleep(0.15)\n    return unvisited_nodes[0]\n"
    with evaluator.stepping(probes=2, limit_s=1.0) as stepper:
        # Children are there beforehand, so that what is measured is the exchange.
        sessions = [stepper.open() for _ in range(sleepers + 3)]
        assert all(result.ok for result in stepper.check([(session, HEADER) for session in sessions]))
        started = time.monotonic()
        results = stepper.check(
            [
                (session, stays.format(0.01 * index) if index < sleepers else honest)
                for index, session in enumerate(sessions)
            ]
        )
        seconds = time.monotonic() - started
    assert [result.status for result in results] == ["protocol"] * sleepers + ["ok"] * 3
    assert [result.finished for result in results[sleepers:]] == [2] * 3
    assert seconds < 1.0 + 0.5


def test_the_same_text_has_the_same_verdict(evaluator: Evaluator) -> None:
    text = (
        "import random\nimport numpy as np\n" + HEADER + "    if random.random() + np.random.rand() < 1.0:\n"
        "        return unvisited_nodes[0]\n    raise ValueError(random.random())\n"
    )
    verdicts = set()
    for _ in range(3):
        with evaluator.stepping(probes=8) as stepper:
            session = stepper.open()
            [first] = stepper.check([(session, text)])
            [second] = stepper.check([(session, text)])
            assert first == second
            verdicts.add(first)
    assert len(verdicts) == 1


@pytest.mark.parametrize("name", task_names())
def test_every_prefix_of_every_template_runs(name: str) -> None:
    task = get_task(name)
    lines = task.template.splitlines(keepends=True)
    with Evaluator(task) as evaluator, evaluator.stepping(probes=2) as stepper:
        session = stepper.open()
        for end in range(1, len(lines) + 1):
            prefix = "".join(lines[:end])
            if prefix.count('"""') % 2 or prefix.count("(") != prefix.count(")"):
                continue  # in the middle of a statement
            [result] = stepper.check([(session, prefix)])
            assert result.ok, (prefix, result)
        assert result.finished == 2


def test_a_killed_zygote_costs_nothing(evaluator: Evaluator) -> None:
    import os
    import signal

    with evaluator.stepping() as stepper:
        session = stepper.open()
        assert one(stepper, session, HEADER).ok
        for pid in evaluator.process_ids:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
        assert one(stepper, session, "    return unvisited_nodes[0]\n").finished == 3


def test_wrong_calls_are_refused(evaluator: Evaluator) -> None:
    for arguments in ({"probes": 0}, {"probes": 65}, {"probes": [64]}, {"probes": []}, {"limit_s": 0}):
        with pytest.raises(ValueError), evaluator.stepping(**arguments):
            pass
    with evaluator.stepping() as stepper:
        session = stepper.open()
        with pytest.raises(ValueError, match="one step"):
            stepper.step([(session, HEADER), (session, HEADER)])


@pytest.mark.parametrize(
    ("source", "runnable"),
    [
        ("", ""),
        ("def f(x):\n", "def f(x):\n    ...\n"),
        ("def f(x):\n    y = 1\n", "def f(x):\n    y = 1\n    ...\n"),
        ("def f(x):\n    if x:\n        y = 1\n    ...\n", "def f(x):\n    if x:\n        y = 1\n    ...\n"),
        ("def f(x):\n    if x:\n        y = 1\n", "def f(x):\n    if x:\n        y = 1\n        ...\n    ...\n"),
        (
            "def f(x):\n    try:\n        try:\n            y = 1\n",
            "def f(x):\n    try:\n        try:\n            y = 1\n            ...\n"
            "        finally:\n            pass\n        ...\n    finally:\n        pass\n    ...\n",
        ),
        ("x = 1\n", "x = 1\n"),
        ("def f(x):\n    return x\n...\n", "def f(x):\n    return x\n"),
    ],
)
def test_the_frontier_stands_where_the_program_goes_on(source: str, runnable: str) -> None:
    assert split_frontier(source)[1] == runnable


LATE = HEADER + "    order = sorted(unvisited_nodes)\n    return order[4]\n"


def test_a_whole_program_is_run_to_the_end_of_practice_instances(stepper: Stepper) -> None:
    task = stepper.task
    early, late, good = stepper.open(), stepper.open(), stepper.open()
    programs = [(early, HEADER + "    return unvisited_nodes[999]\n"), (late, LATE), (good, task.template)]
    assert [result.ok for result in stepper.check(programs[1:])] == [True, True]
    before = stepper.executions
    refused, too_late, fine = stepper.check(programs, {early, late, good})
    assert (refused.status, refused.line, refused.late) == ("exception", 2, False)
    assert (too_late.status, too_late.line, too_late.late) == ("exception", 3, True)
    assert (fine.status, fine.finished, fine.late) == ("ok", len(task.probes), False)
    assert stepper.executions == before + 3 * (len(task.probes) + len(task.practice_instances))


def test_an_endless_whole_program_has_a_limit_of_its_own(evaluator: Evaluator) -> None:
    source = HEADER + "    while len(unvisited_nodes) < 3:\n        pass\n    return unvisited_nodes[0]\n"
    with evaluator.stepping(whole_limit_s=0.4) as stepper:
        session = stepper.open()
        assert stepper.check([(session, source)])[0].ok
        [result] = stepper.check([(session, source)], {session})
    assert (result.status, result.late) == ("wall_timeout", True)
    with pytest.raises(ValueError, match="whole_limit_s"), evaluator.stepping(whole_limit_s=0):
        pass


@pytest.mark.parametrize("name", task_names())
def test_practice_is_no_benchmark_split_and_the_reference_solves_it(name: str) -> None:
    task = get_task(name)
    assert task.practice is not None
    assert task.practice.seed not in {split.seed for split in task.splits.values()}
    assert 1 <= len(task.practice_instances) <= 3
    with Evaluator(name) as evaluator, evaluator.stepping() as stepper:
        session = stepper.open()
        [result] = stepper.check([(session, task.template)], {session})
    assert (result.status, result.finished) == ("ok", len(task.probes))
