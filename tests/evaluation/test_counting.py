"""Counted seconds: a program does the same while it is counted, and verdicts by counting are the same each time."""

from __future__ import annotations

import copy
import math
import threading
from dataclasses import replace

import numpy as np
import pytest

from lhs_hf.corpus.dataset import corpus_tasks, load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import Ledger, TrainingInstances, Trials
from lhs_hf.evaluation.rollout import load, seed_program_randomness
from lhs_hf.evaluation.sandbox.counting import Counter, Exhausted
from lhs_hf.evaluation.sandbox.limits import Limits
from lhs_hf.evaluation.sandbox.supervisor import Worker
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import FreshSplit

TSP = """
import numpy as np
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    for _ in range({turns}):
        near = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)].min()
    return unvisited_nodes[0]
"""
# The clock sees what hashing takes, counting does not.
HASHING = """
import hashlib
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    if len(unvisited_nodes) == 49:
        hashlib.pbkdf2_hmac("sha256", b"key", b"salt", {turns})
    return unvisited_nodes[0]
"""
PLAYING = """
def priority(item, bins):
    total = 0
    for number in range({turns}):
        total += number
    return item - bins + 0 * total
"""

EVERYTHING = '''
from __future__ import annotations
import functools
import numpy as np

LIMIT: int = 3

class Box:
    """Holds."""
    size: int = 2
    def __init__(self, *items, scale=1.0):
        super().__init__()
        self.items, self.scale = list(items), scale
    @property
    def total(self) -> float:
        return sum(self.items) * self.scale
    def __len__(self):
        return len(self.items)

@functools.lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def kind(x):
    match x:
        case -1 | 0:
            y = 1
            y += 1
            return y
        case (a, b) if a > b:
            return a - b
        case {"key": value}:
            return value
        case Box(size=2):
            return "box"
        case _:
            return None

def numbers(n):
    k = 0
    while (k := k + 1) < n:
        yield k
    else:
        yield -k

def run(a, b):
    global LIMIT
    LIMIT += 1
    box = Box(*[1, 2, 3], **{"scale": 2.0})
    table = {k: v * 2 for k, v in zip("abc", range(3))}
    table["a"] += 5
    grid = np.arange(12.0).reshape(3, 4)
    grid[1:, ::2] *= -1.0
    grid @= np.eye(4)
    product = grid @ grid.T
    try:
        raise ValueError(f"{a!r:>4}{b + 1:.{LIMIT - 2}f}")
    except (ValueError, KeyError) as error:
        text = str(error)
    total = 0
    for first, (second, *rest) in enumerate([(1, 2, 3), (4, 5)]):
        if second == 4:
            continue
        total += first + second + len(rest)
    else:
        total -= 1
    deep = lambda n: 0 if n == 0 else 1 + deep(n - 1)
    del table["b"]
    assert not (a in table) and 2 in {1, 2} and 1 < 2 <= 2
    return (
        box.total, len(box), table, product.tolist(), text, total, fib(20),
        [kind(x) for x in (-1, (3, 1), {"key": 7}, box, "s")],
        list(numbers(4)), sorted([3, 1, 2], key=lambda v: -v), deep(200), np.maximum(a, [1, b]).tolist(), "x" * LIMIT,
        [*map(abs, (-1, 2))], max((1, 2), default=0), sum(v for v in (1, 2) if v > 1), locals()["a"],
        a if b else -b, grid[1, -1],
    )
'''


def counted(source: str, name: str, arity: int, *arguments: object, most: float = math.inf) -> tuple[object, float]:
    counter = Counter(most)
    answer = counter.load(source, name, arity)(*arguments)
    return answer, counter.spent


@pytest.mark.parametrize("name", corpus_tasks())
def test_programs_decide_the_same_while_they_are_counted(name: str) -> None:
    task = get_task(name)
    rows = load_corpus(name)
    rng = np.random.default_rng(0)
    for place in rng.permutation(len(rows))[:12]:
        source = rows[place].program
        answers = []
        plain = load(task, source)
        for probe in task.probes[:4]:
            answers.append([repr(plain(*copy.deepcopy(call))) for call in probe.calls])
        seed_program_randomness()
        counter = Counter()
        telling = task.called(counter.load(source, task.function_name, len(task.arguments)))  # type: ignore[arg-type]
        for probe, expected in zip(task.probes[:4], answers):
            before = counter.spent
            assert [repr(telling(*copy.deepcopy(call))) for call in probe.calls] == expected
            assert counter.spent >= before


def test_everything_that_python_has_means_the_same_while_it_is_counted() -> None:
    namespace: dict[str, object] = {}
    exec(compile(EVERYTHING, "<program>", "exec"), namespace)
    run = namespace["run"]
    assert callable(run)
    answer, spent = counted(EVERYTHING, "run", 2, 4, 0.5)
    # Classes of the program show no address here: everything is plain data.
    assert repr(answer) == repr(run(4, 0.5))
    # fib(20) once each, 200 calls of a lambda, a dozen array operations.
    assert 20 < spent < 1000


def test_counts_follow_the_work_and_not_the_clock() -> None:
    turns = "def f(n):\n    total = 0\n    for k in range(n):\n        total += k * k\n    return total\n"
    one, two = (counted(turns, "f", 1, n)[1] for n in (10_000, 20_000))
    assert two == pytest.approx(2 * one, rel=0.01)
    assert counted(turns, "f", 1, 10_000)[1] == one
    growing = "def f(n):\n    path = []\n    for k in range(n):\n        path += [k]\n    return len(path)\n"
    one, two = (counted(growing, "f", 1, n)[1] for n in (10_000, 20_000))
    assert two == pytest.approx(2 * one, rel=0.01)
    arrays = "import numpy as np\ndef f(n):\n    a = np.ones(n)\n    return float((a * a + a).sum())\n"
    small, large = (counted(arrays, "f", 1, n)[1] for n in (10, 1_000_000))
    assert large > 50 * small
    sort = "import numpy as np\ndef f(n):\n    return np.sort(np.arange(n)[::-1])[0]\n"
    assert counted(sort, "f", 1, 1_000_000)[1] > 50 * counted(sort, "f", 1, 1000)[1]
    through = "def f(n):\n    return sum(range(n)) + max(range(n)) + (n in list(range(n)))\n"
    assert counted(through, "f", 1, 1_000_000)[1] > 100 * counted(through, "f", 1, 1000)[1]


def test_what_never_ends_is_stopped() -> None:
    for body in ("while True:\n        pass", "return f(n)", "for _ in iter(int, 1):\n        pass"):
        with pytest.raises((Exhausted, RecursionError)):
            counted(f"def f(n):\n    {body}\n", "f", 1, 1, most=1000.0)


def test_a_verdict_is_the_same_on_a_busy_machine() -> None:
    task = get_task("tsp_construct")
    stop = threading.Event()
    results: dict[bool, list[tuple[str, float | None, float, str]]] = {}
    for busy in (False, True):
        burning = [threading.Thread(target=_burn, args=(stop,)) for _ in range(3 * busy)]
        for thread in burning:
            thread.start()
        with Evaluator(task, workers=1) as evaluator:
            instances = TrainingInstances(evaluator.task, 0)
            instances.hurry(1.0)
            split = instances.split(instances.block(0))
            assert isinstance(split, FreshSplit)
            # A fast machine would not count the first of them, quick as it is there.
            split = replace(split, counted_from_s=0.0)
            results[busy] = []
            for turns in (200, 250, 10**6):
                result = evaluator.evaluate(TSP.format(turns=turns), split)
                seconds = result.runtime_s if result.ok else 0.0
                results[busy].append((result.status, result.objective, seconds, result.message))
        stop.set()
        for thread in burning:
            thread.join()
        stop.clear()
    assert results[False] == results[True]
    assert [status for status, *_ in results[False]] == ["ok", "ok", "cpu_timeout"]


def test_what_a_program_took_is_what_it_computed_wherever_that_was_counted() -> None:
    task = get_task("tsp_construct")
    with Evaluator(task, workers=1) as evaluator:
        instances = TrainingInstances(evaluator.task, 0)
        blocks = [instances.block(number, 4) for number in range(4)]
        trials = Trials(evaluator, instances, Ledger())
        quick, slow = (trials.contender(TSP.format(turns=turns)) for turns in (1, 200))
        each = evaluator._pool.run(lambda worker: worker._count(slow.source, 60.0))  # type: ignore[attr-defined]
        # On so many instances it uses up its time, though no clock shows that on the first of them.
        instances.hurry(each * 13)
        for block in blocks:
            trials.measure([quick, slow], block)
        assert trials.failure(quick, blocks) is None
        assert trials.failure(slow, blocks[:3]) is None
        failure = trials.failure(slow, blocks)
    assert failure is not None
    assert f"16 instances took {16 * each:.3g} s" in failure.message


def _burn(stop: threading.Event) -> None:
    while not stop.is_set():
        sum(range(10_000))


def test_a_program_that_is_within_its_limit_as_counted_gets_more_of_the_clock() -> None:
    task = get_task("tsp_construct")
    with Evaluator(task, workers=1) as evaluator:
        split = replace(task.fresh_split(3, 2), processor_time=True, counted_from_s=0.0, time_limit_s=60.0)
        # As much hashing as takes twice the limit on this machine, for both instances together.
        took = evaluator.evaluate(HASHING.format(turns=400_000), replace(split, processor_time=False)).runtime_s
        limit = replace(split, time_limit_s=0.6 * took)
        result = evaluator.evaluate(HASHING.format(turns=400_000), limit)
        assert result.ok, result
        # Counting sees two instances of 50 quick steps.
        assert result.runtime_s < 0.01
        assert evaluator.evaluate(HASHING.format(turns=4_000_000), limit).status == "cpu_timeout"


def test_games_of_an_online_task_are_counted() -> None:
    task = get_task("online_bin_packing")
    worker = Worker(task, Limits())
    try:
        few, many = (worker._count(PLAYING.format(turns=turns), math.inf) for turns in (100, 1000))
        assert few is not None
        assert many is not None
        assert 3 < many / few < 10
        assert worker._count(PLAYING.format(turns=1000), many / 2) == math.inf
        assert worker._count("def priority(item, bins):\n    return item / 0\n", 1.0) is None
    finally:
        worker.stop()


@pytest.mark.parametrize("claim", ["nan", "-inf", "-1e9", "inf", "1e300"])
@pytest.mark.parametrize("way", ["counter", "channel"])
def test_a_program_that_counts_for_itself_harms_nobody_else(claim: str, way: str) -> None:
    cheat = {
        "counter": f"__step__.__self__.spent = float('{claim}')",
        "channel": f"__step__; os.write(3, struct.pack('<cI', b'C', 8) + struct.pack('<d', float('{claim}')))",
    }[way]
    source = f"import os, struct\n{TSP.format(turns=40)}"
    source = source.replace("    for _", f"    try:\n        {cheat}\n    except NameError:\n        pass\n    for _")
    task = get_task("tsp_construct")
    with Evaluator(task, workers=1) as evaluator:
        instances = TrainingInstances(evaluator.task, 0)
        result = evaluator.evaluate(source, instances.split(instances.block(0)))
    assert result.status in ("ok", "cpu_timeout")
    assert math.isfinite(result.runtime_s)
    assert result.runtime_s >= 0


def test_counts_do_not_depend_on_the_process() -> None:
    task = get_task("knapsack_construct")
    source = load_corpus("knapsack_construct")[5].program
    worker = Worker(task, Limits())
    try:
        seconds = {worker._count(source, 10.0) for _ in range(3)}
    finally:
        worker.stop()
    seed_program_randomness()
    counter = Counter()
    function = task.called(counter.load(source, task.function_name, len(task.arguments)))  # type: ignore[arg-type]
    task.rollout(function, task.instances("search")[0])
    assert seconds == {counter.spent * 1e-6}
