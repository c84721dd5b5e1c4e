# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""How near are counted seconds to those of the clock? Programs of the corpus, one instance of `search` each.

    OMP_NUM_THREADS=1 python scripts/benchmarks/counted_seconds.py                 28 programs a task
    OMP_NUM_THREADS=1 python scripts/benchmarks/counted_seconds.py --fit           prices that fit this machine

Every program is run twice by the clock, the quicker one counts, and once with its operations counted
(`lhs_hf.evaluation.sandbox.counting`). Those that take less than a millisecond are left out: of these the task's own
part is most. Programs of the corpus are trusted; they run in this process. Results: results/counted_seconds.json.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from lhs_hf.corpus.dataset import corpus_tasks, load_corpus
from lhs_hf.evaluation.rollout import load, seed_program_randomness
from lhs_hf.evaluation.sandbox.counting import PRICES, Counter, Prices
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import OnlineTask, Task

ROOT = Path(__file__).resolve().parents[2]
NAMES = [field.name for field in fields(Prices)]
LONGEST_S = 20
SHORTEST_S = 1e-3
PRIOR = 0.15
"""How much a price is held to what it was."""


@dataclass
class Measurement:
    """A program: the clock's seconds, those of the run that counts, and how often each thing was counted."""

    task: str
    seconds: float
    counting_s: float
    counts: list[float]


class _Tally(Counter):
    """Counts each kind of thing by itself."""

    def __init__(self) -> None:
        super().__init__(prices=Prices(**dict(zip(NAMES, np.eye(len(NAMES))))))
        self.spent = np.zeros(len(NAMES))  # type: ignore[assignment]

    def _step(self) -> None:
        self.spent = self.spent + self._prices.step


class _TooLong(BaseException):
    pass


def _stop(*_: Any) -> None:
    raise _TooLong


def play(task: Task, function: Callable[..., Any], instance: Any) -> float:
    """Run a function on an instance; seconds on the processor."""
    started = time.process_time()
    if isinstance(task, OnlineTask):
        game = task.play(function, task.public_view(instance))
        next(game)
        for observation in task.observations(instance):
            game.send(observation)
    else:
        task.rollout(function, instance)
    return time.process_time() - started


def measured(task: Task, source: str, instance: Any) -> Measurement | None:
    """None for a program that takes too long, or raises."""

    def telling(counter: Counter) -> Callable[..., Any]:
        seed_program_randomness()
        return task.called(counter.load(source, task.function_name, len(task.arguments)))  # type: ignore[arg-type]

    signal.alarm(LONGEST_S)
    try:
        seconds = min(play(task, load(task, source), instance) for _ in range(2))
        counting_s = play(task, telling(Counter()), instance)
        tally = _Tally()
        play(task, telling(tally), instance)
        return Measurement(task.name, seconds, counting_s, np.asarray(tally.spent).tolist())
    except (_TooLong, Exception):
        return None
    finally:
        signal.alarm(0)


def fitted(rows: Sequence[Measurement]) -> Prices:
    """Prices by which counted seconds are near the clock's: least squares of logarithms, outliers bounded."""
    counts = np.array([row.counts for row in rows])
    clock = np.log([row.seconds * 1e6 for row in rows])
    before = np.log([getattr(PRICES, name) for name in NAMES])

    def residuals(logs: np.ndarray) -> np.ndarray:
        return np.r_[np.arctan(2 * (np.log(counts @ np.exp(logs) + 30) - clock)), PRIOR * (logs - before)]

    return Prices(**dict(zip(NAMES, np.exp(least_squares(residuals, before).x).tolist())))


def summary(rows: Sequence[Measurement], prices: Prices) -> dict[str, Any]:
    """Quantiles of counted by measured seconds, and how much longer counting takes, by task and of all."""
    weights = np.array([getattr(prices, name) for name in NAMES])
    groups = {name: [row for row in rows if row.task == name] for name in dict.fromkeys(row.task for row in rows)}
    result = {}
    for name, group in {**groups, "all": list(rows)}.items():
        ratios = [float(np.dot(row.counts, weights)) * 1e-6 / row.seconds for row in group]
        slower = np.median([row.counting_s / row.seconds for row in group])
        quantiles = np.quantile(ratios, [0.05, 0.25, 0.5, 0.75, 0.95])
        result[name] = {
            "programs": len(group),
            "counted_by_clock": [round(float(each), 2) for each in quantiles],
            "counting_by_plain": round(float(slower), 1),
        }
    return result


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--programs", type=int, default=28, help="of each task")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "counted_seconds.json")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _stop)
    rng = np.random.default_rng(options.seed)
    rows = []
    for name in options.tasks:
        task, programs = get_task(name), load_corpus(name)
        instance = task.instances("search")[0]
        for place in rng.permutation(len(programs))[: options.programs]:
            row = measured(task, programs[place].program, instance)
            if row is not None and row.seconds >= SHORTEST_S:
                rows.append(row)
        print(name, json.dumps(summary([row for row in rows if row.task == name], PRICES).get("all")), flush=True)
    prices = PRICES
    if options.fit:
        prices = fitted(rows)
        for name in NAMES:
            print(f"{name:10} {getattr(PRICES, name):.4g} -> {getattr(prices, name):.4g}")
    result = summary(rows, prices)
    print(json.dumps(result, indent=1))
    if not options.fit:
        options.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
