"""What an evaluation costs: this package's evaluator, a direct call, and a forked process per candidate.

Prints medians in milliseconds and ratios, everything measured in turns within one run on one machine:

* `direct`: the task's rollout and scoring inside this process, no protection at all;
* `fork`: the usual design: `multiprocessing` with the fork method, one process a candidate, the score through a
  `Queue` (once from a parent that has imported torch, once from one that has not);
* `sandbox 1`: `lhs_hf.evaluation.Evaluator` with one worker, two programs in a row, and `+ms` what it takes longer than
  the direct call, with its 95 % interval;
* `busy 1`, `busy 2`: one worker and two that get program after program without a pause, milliseconds for each, and
  `2:1` their ratio. For quick programs that is the rate at which this machine makes fenced processes.

The rounds are shared by many fresh processes, since one process may be some milliseconds in a hundred faster than
another for as long as it lives (where its memory happens to lie, how its dictionaries are ordered), which more rounds
in it would not show; the interval is a bootstrap over processes. On a shared machine single programs of 100 ms wander
by tens of milliseconds, so that rows of slow programs need hundreds of rounds before the median of a difference is
known to within a millisecond or two. That is most of the 40 minutes this takes; `--slow-rounds 60` gives a first look
in a quarter of an hour. `--rows` chooses rows, `--json PATH` also writes the table. Run it on an idle machine:
`python scripts/bench_evaluator.py`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.rollout import evaluate_in_process
from lhs_hf.tasks import Task, get_task

TASKS = ("tsp_construct", "knapsack_construct", "online_bin_packing", "jssp_construct")
TRIVIAL = "def select_next_item(remaining_capacity, remaining_items):\n    return None\n"
STEPS = 25_000
SLOW = ("online_bin_packing", "jssp_construct", "tsp, 100 ms")
SETTLE_S = 0.01


def programs() -> dict[str, tuple[Task, str]]:
    """The rows: the template of four tasks, a knapsack program that stops at once, and a slow TSP program."""
    rows = {name: (get_task(name), get_task(name).template) for name in TASKS}
    rows["trivial"] = (get_task("knapsack_construct"), TRIVIAL)
    tsp = get_task("tsp_construct")
    slow = tsp.template.replace("):\n", "):\n    sum(range(12000))\n", 1)
    rows["tsp, 100 ms"] = (tsp, slow)
    return rows


def _score_into(results: Any, task: Task, source: str) -> None:
    results.put(evaluate_in_process(task, source))


def _forked(task: Task, source: str) -> Any:
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    process = context.Process(target=_score_into, args=(results, task, source))
    process.start()
    scores = results.get(timeout=60)
    process.join()
    return scores


def _all_of(evaluator: Evaluator, sources: list[str]) -> None:
    for _ in evaluator.evaluate_many(sources):
        pass


def _milliseconds(call: Callable[..., Any], *arguments: Any) -> float:
    started = time.perf_counter()
    call(*arguments)
    return 1e3 * (time.perf_counter() - started)


def _settled(call: Callable[[], float]) -> float:
    """`call`'s time once what the design before left behind is done: dying processes, spares that are being made."""
    time.sleep(SETTLE_S)
    return call()


def _each(evaluator: Evaluator, sources: list[str]) -> float:
    return _milliseconds(_all_of, evaluator, sources) / len(sources)


def _now_and_then(number: int, rounds: int, times: int) -> bool:
    """Whether round `number` of `rounds` is among `times` of them, evenly spread."""
    return number * times // rounds < (number + 1) * times // rounds


def measure(
    names: Sequence[str], rounds: int, slow_rounds: int, forks: int, batches: int, batch: int
) -> dict[str, dict[str, list[float]]]:
    """Every time of each row and design in this process, designs taking turns.

    A round asks the direct call and the sandbox once each, in alternating order: the speed of a shared machine drifts,
    but less within a round. Up to `forks` rounds of a row ask the forked call as well, and `batches` of them keep one
    or two workers busy without a pause.
    """
    table: dict[str, dict[str, list[float]]] = {}
    for name, (task, source) in ((name, programs()[name]) for name in names):
        turns = max(batches, slow_rounds if name in SLOW else rounds)
        row: dict[str, list[float]] = {key: [] for key in ("direct", "fork", "sandbox 1", "busy 1", "busy 2")}
        with Evaluator(task) as one, Evaluator(task, workers=2) as two:
            one.evaluate(source)
            list(two.evaluate_many([source] * 4))
            calls: dict[str, Callable[[], float]] = {
                "direct": partial(_milliseconds, evaluate_in_process, task, source),
                "fork": partial(_milliseconds, _forked, task, source),
                "sandbox 1": partial(_each, one, [source] * 2),
            }
            for number in range(turns):
                designs = ["direct", "sandbox 1"]
                if _now_and_then(number, turns, min(forks, turns)):
                    designs.insert(number % 3, "fork")
                for design in reversed(designs) if number % 2 else designs:
                    row[design].append(_settled(calls[design]))
                if _now_and_then(number, turns, batches):
                    before = _each(one, [source] * (batch // 2))
                    row["busy 2"].append(_each(two, [source] * batch))
                    row["busy 1"].append((before + _each(one, [source] * (batch // 2))) / 2)
        table[name] = row
    return table


def _median_and_interval(groups: list[list[float]]) -> tuple[float, float, float]:
    """The median of all values and its 95 % interval (bootstrap over groups: the values of one are not independent)."""
    picks = np.random.default_rng(0).integers(len(groups), size=(2000, len(groups)))
    medians = [np.median(np.concatenate([groups[group] for group in pick])) for pick in picks]
    low, high = np.quantile(medians, (0.025, 0.975))
    return float(np.median(np.concatenate(groups))), float(low), float(high)


def summarize(rows: list[dict[str, list[float]]]) -> dict[str, float]:
    """Medians of a row, measured in several processes; overhead and speedup of two workers are medians over rounds."""
    row = {design: [time for each in rows for time in each[design]] for design in rows[0]}
    differences = [[s - d for s, d in zip(each["sandbox 1"], each["direct"])] for each in rows]
    extra, low, high = _median_and_interval(differences)
    return {
        **{design: statistics.median(values) for design, values in row.items()},
        "overhead": extra,
        "overhead low": low,
        "overhead high": high,
        "fork to sandbox": statistics.median(row["fork"]) / statistics.median(row["sandbox 1"]),
        "speedup": statistics.median(o / t for o, t in zip(row["busy 1"], row["busy 2"])),
        "rounds": len(row["direct"]),
        "processes": len(rows),
    }


def stepping(sessions: int, rounds: int) -> dict[str, float]:
    """Median milliseconds of a statement, 16 sessions in one exchange."""
    task = get_task("tsp_construct")
    lines = task.template.splitlines(keepends=True)
    header = next(index for index, line in enumerate(lines) if line.startswith("def ")) + 1
    taken = []
    with Evaluator(task) as evaluator, evaluator.stepping() as stepper:
        for _ in range(rounds):
            opened = [stepper.open("".join(lines[:header])) for _ in range(sessions)]
            stepper.step([(session, "    a = 0\n") for session in opened])
            for number in range(8):
                statement = f"    a = a + len(unvisited_nodes) * {number}\n"
                taken.append(_milliseconds(stepper.step, [(session, statement) for session in opened]))
            for session in opened:
                stepper.close(session)
    exchange = statistics.median(taken)
    return {"exchange of 16": exchange, "statement": exchange / sessions}


def _isolated(torch: bool, options: argparse.Namespace) -> dict[str, dict[str, list[float]]]:
    """The times of one fresh process that has imported torch, or has not."""
    shares = ("rounds", "slow_rounds", "forks", "batches")
    numbers = [f"--{key.replace('_', '-')}={max(1, getattr(options, key) // options.processes)}" for key in shares]
    numbers.append(f"--batch={options.batch}")
    command = [sys.executable, __file__, "--worker", *(["--torch"] if torch else []), *numbers, "--rows", *options.rows]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def pooled(options: argparse.Namespace) -> dict[str, dict[str, dict[str, float]]]:
    """The summaries of all rows, `plain` and `torch`, over several fresh processes of each that take turns."""
    times: dict[str, list[dict[str, dict[str, list[float]]]]] = {"plain": [], "torch": []}
    for _ in track(range(options.processes), "measuring", console=Console(stderr=True)):
        for kind, found in times.items():
            found.append(_isolated(kind == "torch", options))
    return {
        kind: {name: summarize([each[name] for each in found]) for name in found[0]} for kind, found in times.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=160, help="of each row, in all")
    parser.add_argument("--slow-rounds", type=int, default=480, help=f"of each of {'; '.join(SLOW)}, in all")
    parser.add_argument("--forks", type=int, default=250, help="rounds of each row that ask the forked call, at most")
    parser.add_argument("--processes", type=int, default=20, help="fresh processes that share the rounds")
    parser.add_argument("--batches", type=int, default=20, help="of each row, in all")
    parser.add_argument("--batch", type=int, default=12, help="programs in a batch")
    parser.add_argument("--rows", nargs="+", choices=list(programs()), default=list(programs()), help="default: all")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--torch", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        if options.torch:
            import torch  # noqa: F401
        shares = (options.rounds, options.slow_rounds, options.forks, options.batches)
        print(json.dumps(measure(options.rows, *shares, options.batch)))
        return
    table = pooled(options)
    plain, heavy = table["plain"], table["torch"]
    columns = ("direct", "fork", "fork+torch", "sandbox 1", "busy 1", "busy 2", "2:1", "fork:s1", "torch:s1")
    print(f"{'program':20}" + "".join(f"{name:>11}" for name in columns) + f"{'+ms':>24}{'+ms, torch':>24}")
    for name, row in plain.items():
        values = (row["direct"], row["fork"], heavy[name]["fork"], row["sandbox 1"], row["busy 1"], row["busy 2"])
        ratios = (row["speedup"], row["fork to sandbox"], heavy[name]["fork to sandbox"])
        numbers = "".join(f"{value:11.2f}" for value in values) + "".join(f"{ratio:10.2f}x" for ratio in ratios)
        halves = (row, heavy[name])
        longer = (f"{h['overhead']:.2f} [{h['overhead low']:.2f}, {h['overhead high']:.2f}]" for h in halves)
        print(f"{name:20}{numbers}" + "".join(f"{each:>24}" for each in longer))
    result: dict[str, Any] = {
        "machine": {"platform": platform.platform(), "python": platform.python_version()},
        **table,
    }
    print()
    if "online_bin_packing" in plain:
        result["obp_us_a_step"] = 1e3 * plain["online_bin_packing"]["overhead"] / STEPS
        print(f"online bin packing: {result['obp_us_a_step']:.2f} microseconds a step over direct")
    statements = stepping(16, 12)
    print(f"stepping, 16 sessions: {statements['exchange of 16']:.2f} ms an exchange, ", end="")
    print(f"{statements['statement']:.3f} ms a statement")
    if options.json:
        options.json.write_text(json.dumps({**result, "stepping": statements}, indent=1) + "\n")


if __name__ == "__main__":
    main()
