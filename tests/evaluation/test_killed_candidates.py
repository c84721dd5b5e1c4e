"""A program whose process somebody else kills, as a machine short of memory does, comes to the same result."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator

SLOW = """
def select_next_item(remaining_capacity, remaining_items):
    total = 0
    for number in range({turns}):
        total += number % 3
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(fitting, key=lambda item: item[1] / item[0] + 0 * total, default=None)
"""


def _running(zygote: int) -> list[int]:
    """Children of a zygote that have run a program for a while and have not ended."""
    pids = []
    with suppress(OSError):
        for each in Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split():
            fields = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
            # Fences and forks take some milliseconds, the program hundreds.
            if fields[0] in "RT" and int(fields[11]) >= 5:
                pids.append(int(each))
    return pids


@contextmanager
def _killed(evaluator: Evaluator, times: int) -> Iterator[list[int]]:
    """As many processes as `times` are killed while they run programs: those."""
    killed: list[int] = []
    over = threading.Event()
    # What ran the program before is about to end anyway.
    earlier = {each for zygote in evaluator.process_ids for each in _running(zygote)}

    def kill() -> None:
        while len(killed) < times and not over.is_set():
            for pid in [each for zygote in evaluator.process_ids for each in _running(zygote)]:
                if pid not in earlier.union(killed) and len(killed) < times:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)
            time.sleep(0.002)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def _evaluated(evaluator: Evaluator, source: str) -> object:
    return evaluator.evaluate(source).objectives


def _probed(evaluator: Evaluator, source: str) -> object:
    behaviour = evaluator.probe(source)
    return None if behaviour is None else behaviour.decisions


def _stepped(evaluator: Evaluator, source: str) -> object:
    with evaluator.stepping() as stepper:
        return stepper.step([(stepper.open(), source)])[0]


def _counted(evaluator: Evaluator, source: str) -> object:
    return evaluator._pool.run(lambda worker: worker._count(source, 60.0))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("run", "turns"),
    [
        pytest.param(_evaluated, 20_000, id="evaluated"),
        pytest.param(_probed, 100_000, id="probed"),
        pytest.param(_stepped, 1_000_000, id="stepped"),
        pytest.param(_counted, 50_000, id="counted"),
    ],
)
@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_process_costs_nothing(run: Callable[[Evaluator, str], object], turns: int, times: int) -> None:
    source = SLOW.format(turns=turns)
    with Evaluator("knapsack_construct") as evaluator:
        before = run(evaluator, source)
        with _killed(evaluator, times) as killed:
            after = run(evaluator, source)
    assert len(killed) == times
    assert before is not None
    np.testing.assert_equal(after, before)
