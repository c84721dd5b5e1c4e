"""Programs on a Ray cluster: the results of this machine; calls that can not work are refused in one line."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lhs_hf.cli import main
from lhs_hf.cli.options import with_ray_address
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluation, Evaluator, Limits
from lhs_hf.evaluation.cluster import connection
from lhs_hf.evaluation.cluster.order import Refused, order_of, received_task
from lhs_hf.tasks import get_task

KNAPSACK = "knapsack_construct"
LIMITS = Limits(wall_s=20.0, memory_mb=512)
HEAD = "def select_next_item(remaining_capacity, remaining_items):\n"
SECRET = "canary-5f1c"


def _ray_here() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'lhs-hf[ray]'")


# -- calls that can not work -----------------------------------------------------------------------------------------


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "find_spec", lambda name: None)
    with pytest.raises(CallError, match=r"pip install 'lhs-hf\[ray\]'"):
        Evaluator(KNAPSACK, cluster="auto")


def test_ray_is_not_imported_unless_a_cluster_is_named() -> None:
    code = (
        "import sys\nfrom lhs_hf.evaluation import Evaluator\nimport lhs_hf.evaluation.cluster\n"
        f"with Evaluator({KNAPSACK!r}, allow_development_isolation=True) as evaluator:\n"
        "    assert evaluator.evaluate(evaluator.task.template).ok\n"
        "print('ray' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("address", ["", "somewhere", "host:", "host:99999", ":6379"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(CallError, match="auto, local or HOST:PORT"):
        connection.connect(address)


def test_ray_client_is_refused() -> None:
    with pytest.raises(CallError, match="Ray Client"):
        connection.connect("ray://head:10001")


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that accepts and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def talking() -> Iterator[str]:
    """The address of a server that answers like none of Ray's."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            channel, _ = server.accept()
            with channel:
                channel.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_an_address_that_does_not_answer_is_named(
    silent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _ray_here()
    monkeypatch.setattr(connection, "_ANSWER_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"127.0.0.1:{server.getsockname()[1]}"
    for address in (silent, closed):
        assert main(["corpus", "score", KNAPSACK, __file__, "--ray", address]) == 2
        [line] = capsys.readouterr().err.splitlines()
        assert line.startswith(f"error: no Ray cluster answers at {address}: ")


def test_another_kind_of_server_is_named(talking: str) -> None:
    _ray_here()
    with pytest.raises(CallError, match=f"what answers at {talking} is no Ray cluster"):
        connection.connect(talking)


def test_training_without_evaluation_takes_no_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "surrogate", "--ray"]) == 2
    assert "--ray goes with a task file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("search task --ray", "search task --ray=auto"),
        ("search --ray task", "search --ray=auto task"),
        ("search --ray --json task", "search --ray=auto --json task"),
        ("search task --ray local", "search task --ray local"),
        ("search task --ray head:6379", "search task --ray head:6379"),
        ("search task --ray=head:6379", "search task --ray=head:6379"),
        ("corpus score task -- --ray", "corpus score task -- --ray"),
    ],
)
def test_ray_without_an_address_means_auto(words: str, expected: str) -> None:
    assert with_ray_address(words.split()) == expected.split()


# -- what a node checks ----------------------------------------------------------------------------------------------


@pytest.fixture
def task_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A task file of one's own, and caches that nothing else uses."""
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    assert main(["init-task", "own_task", "--output", str(tmp_path / "own_task.py")]) == 0
    return tmp_path / "own_task.py"


def test_a_task_file_travels_with_its_bytes(task_file: Path, tmp_path: Path) -> None:
    task = get_task(str(task_file))
    order = order_of(task, LIMITS, (), False)
    task_file.unlink()
    received = received_task(order)
    assert (received.name, received.digest) == (task.name, task.digest)
    assert received.origin != task.origin
    # What is there already is not trusted either.
    assert received.origin is not None
    Path(received.origin).write_text("damaged")
    assert received_task(order).digest == task.digest


def test_a_file_that_is_damaged_on_its_way_is_refused(task_file: Path) -> None:
    order = order_of(get_task(str(task_file)), LIMITS, (), False)
    with pytest.raises(Refused, match="received another file of the task own_task"):
        received_task({**order, "content": order["content"] + b"\n"})


def test_a_file_that_has_changed_is_not_sent(task_file: Path) -> None:
    task = get_task(str(task_file))
    task_file.write_text(task_file.read_text() + "\n")
    with pytest.raises(CallError, match="has changed since it was loaded"):
        order_of(task, LIMITS, (), False)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"version": "9.9"}, "has lhs_hf .*, expected 9.9"),
        ({"digest": "0" * 64}, f"has another version of the task {KNAPSACK}"),
        ({"task": "no_such_task"}, "has no task no_such_task"),
        ({"sources": "0" * 64}, "with other sources"),
    ],
)
def test_another_version_is_refused(other: dict[str, Any], message: str) -> None:
    order = order_of(get_task(KNAPSACK), LIMITS, (), False)
    assert received_task(order) is get_task(KNAPSACK)
    with pytest.raises(Refused, match=message):
        received_task({**order, **other})


# -- one instance of Ray ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A Ray instance of this process, whose nodes inherit a secret."""
    _ray_here()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_TOKEN", SECRET)
        patch.setenv("LHS_HF_CACHE", "/nonexistent")
        ray = connection.connect("local")
        yield "local"
        ray.shutdown()


@pytest.fixture(scope="module")
def both(cluster: str) -> Iterator[tuple[Evaluator, Evaluator]]:
    """An evaluator of this machine and one on the cluster."""
    with (
        Evaluator(KNAPSACK, limits=LIMITS, allow_development_isolation=True) as here,
        Evaluator(KNAPSACK, workers=2, limits=LIMITS, allow_development_isolation=True, cluster=cluster) as there,
    ):
        yield here, there


def _told(result: Evaluation) -> tuple[Any, ...]:
    return result.status, result.objective, result.score, result.objectives, result.message, result.isolation


def _sources() -> list[str]:
    good = [
        HEAD + f"    return max(remaining_items, key=lambda item: item[1] - {number} * item[0])\n"
        for number in range(5)
    ]
    return [
        *good,
        "def other():\n    pass\n",
        "no python",
        HEAD + "    raise ValueError('mine')\n",
        HEAD + "    return (7, 7, 7)\n",
        HEAD + "    open('/etc/passwd')\n",
    ]


@pytest.mark.integration
def test_results_are_those_of_this_machine_in_the_same_order(both: tuple[Evaluator, Evaluator]) -> None:
    here, there = both
    sources = _sources()
    expected = [_told(here.evaluate(source)) for source in sources]
    assert len({each[0] for each in expected}) >= 5
    assert [_told(each) for each in there.evaluate_many(sources)] == expected
    assert {position: _told(each) for position, each in there.as_completed(sources)} == dict(enumerate(expected))
    assert _told(there.submit(sources[0]).result()) == expected[0]
    assert there.isolation == here.isolation
    for ours, theirs in zip(map(here.probe, sources), there.probe_many(sources)):
        assert (ours is None) == (theirs is None)
        if ours is not None and theirs is not None:
            assert ours.decisions.tolist() == theirs.decisions.tolist()
            assert theirs.decisions.flags.writeable


def test_fresh_instances_go_there_and_their_seed_does_not(both: tuple[Evaluator, Evaluator]) -> None:
    here, there = both
    template = here.task.template
    for split in (here.task.fresh_split(2**100 + 1), here.task.fresh_split(2**100 + 2, 3)):
        assert there.evaluate(template, split).objectives == here.evaluate(template, split).objectives


def test_steps_and_solutions_stay_here(both: tuple[Evaluator, Evaluator]) -> None:
    here, there = both
    template = here.task.template
    assert there.solve(template).array.tolist() == here.solve(template).array.tolist()
    with there.stepping(probes=2) as stepper:
        [result] = stepper.step([(stepper.open(), template)])
    assert result.finished == 2
    assert there.process_ids


def test_no_more_is_read_than_workers_will_need(both: tuple[Evaluator, Evaluator]) -> None:
    _, there = both
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        for read in count(1):
            yield f"NUMBER = {read}\n{there.task.template}"

    results = there.evaluate_many(endless())
    for taken in range(1, 6):
        assert next(results).ok
        assert read <= taken + 4 * there.workers


def test_a_program_sees_nothing_of_the_node(both: tuple[Evaluator, Evaluator]) -> None:
    _, there = both
    if there.isolation == "development":
        pytest.skip("this machine has no seccomp")
    # Names only: a message is cut after some hundred characters.
    for looks in (
        "import os\n    raise ValueError([name for name in os.environ if 'RAY' in name or 'TOKEN' in name])",
        "import sys\n    raise ValueError([name for name in sys.modules if name.split('.')[0] == 'ray'])",
    ):
        result = there.evaluate(HEAD + f"    {looks}\n")
        assert (result.status, result.message) == ("exception", "instance 0: ValueError: [] (line 3)")
    result = there.evaluate(HEAD + "    raise ValueError(open('/proc/self/environ').read())\n")
    assert result.status == "forbidden"


def test_a_process_has_one_cluster(cluster: str) -> None:
    with pytest.raises(CallError, match="this process is connected to the cluster at"):
        connection.connect("127.0.0.1:1")


def test_a_node_that_isolates_less_than_is_accepted_is_named(cluster: str) -> None:
    with pytest.raises(CallError, match=rf"node {socket.gethostname()} \(.* offers only development isolation"):
        Evaluator(KNAPSACK, cluster=cluster, disabled_fences=("seccomp",), allow_development_isolation=False)


def test_a_closed_evaluator_says_so(cluster: str) -> None:
    evaluator = Evaluator(KNAPSACK, limits=LIMITS, allow_development_isolation=True, cluster=cluster)
    slow = f"import time\ntime.sleep(15)\n{evaluator.task.template}"
    running = evaluator.submit(slow)
    while not running.running():
        time.sleep(0.01)
    evaluator.close()
    assert running.result().status == "sandbox_error"
    assert evaluator.evaluate(evaluator.task.template).message == "the evaluator is closed"
    assert evaluator.probe(evaluator.task.template) is None
