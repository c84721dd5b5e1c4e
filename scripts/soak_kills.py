# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Kill a search again and again, with SIGKILL at random points, and check that resuming it loses and repeats nothing.

    python scripts/soak_kills.py [--kills 100] [--seed 0] [--preset latent]

Each kill hits the search's own process, a zygote of its sandbox, or a process that runs a candidate. Afterwards every
result that was stored before a kill is stored unchanged, the budget is spent exactly, and no program was run again
after its result had been stored (races: on instances it had met). All searches end as the first one, which nobody
kills: the same candidates with the same results.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

TASK = "knapsack_construct"
ENDS = "SELECT id, round, operator, program_hash, status, objective, gain, outcome FROM candidates ORDER BY id"
TWICE = "SELECT COALESCE(SUM(times - 1), 0) FROM (SELECT COUNT(*) AS times FROM measurements GROUP BY program, block)"
RESULTS = "SELECT id, program_hash, status, objective FROM candidates WHERE status NOT IN ('pending', 'sandbox_error')"
MEASUREMENTS = "SELECT program || ' ' || block, program, status, objectives FROM measurements"

Stored = dict[int | str, tuple[str, str, float | str | None]]
"""Candidates by their number, measurements of races by program and block: program, status, objective or objectives."""


def drive(folder: Path, budget: int, preset: str) -> None:
    """In the process that is killed: the search, with a line in `log` before each program it runs."""
    from lhs_hf.evaluation import Evaluator
    from lhs_hf.programs import program_hash
    from lhs_hf.search import search
    from lhs_hf.search.settings import SearchSettings
    from lhs_hf.tasks import get_task

    settings = SearchSettings.from_preset(preset, budget=budget, seed=0)
    log = os.open(folder / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    class Logged(Evaluator):
        def evaluate(self, source, split=None, **options):  # type: ignore[no-untyped-def]
            # What has raced meets `search` for the first time when it is compared.
            if split in (None, "search") and not settings.raced:
                os.write(log, f"{time.time()} {program_hash(source)}\n".encode())
            return super().evaluate(source, split, **options)

    search.Evaluator = Logged  # type: ignore[misc]
    path = folder / "run"
    search.run_search(get_task(TASK), settings, output=path, resume=(path / "run.sqlite").exists(), workers=2)


def start(folder: Path, budget: int, preset: str) -> subprocess.Popen[bytes]:
    """A search in a process of its own."""
    command = [sys.executable, __file__, "--drive", str(folder), "--budget", str(budget), "--preset", preset]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def children(pid: int) -> list[int]:
    """Processes whose parent is `pid`."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [int(child) for child in listed]


def zygotes(pid: int) -> list[int]:
    """Zygotes of a search."""
    found = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(child) for child in thread.read_text().split()]
        except OSError:
            continue
    return found


def stored(folder: Path) -> Stored:
    """Results in the database of a run."""
    path = folder / "run" / "run.sqlite"
    if not path.exists():
        return {}
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10) as connection:
            return {row[0]: tuple(row[1:]) for each in (RESULTS, MEASUREMENTS) for row in connection.execute(each)}
    except sqlite3.Error:
        return {}


def losses(before: Stored, now: Stored) -> int:
    """How many results are gone or changed; a program's objective goes on while it races, its measurements stay."""
    raced = {value[0] for key, value in now.items() if isinstance(key, str)}
    return sum(
        key not in now or (now[key] != value and (isinstance(key, str) or value[0] not in raced))
        for key, value in before.items()
    )


def executions(folder: Path) -> list[tuple[float, str]]:
    """When which program was started."""
    path = folder / "log"
    lines = path.read_text().splitlines() if path.exists() else []
    return [(float(when), name) for when, name in (line.split() for line in lines)]


def main() -> None:
    """Kill, resume, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=int, default=400)
    parser.add_argument("--preset", default="latent")
    parser.add_argument("--drive", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.drive is not None:
        drive(options.drive, options.budget, options.preset)
        return
    chance = random.Random(options.seed)
    done = {"parent": 0, "zygote": 0, "candidate": 0}
    lost = repeated = searches = 0
    ends = []
    while sum(done.values()) < options.kills:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            searches += 1
            process = start(folder, options.budget, options.preset)
            kept: Stored = {}
            marks: list[tuple[float, frozenset[str]]] = []
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=chance.uniform(0.05, 1.5))
                if process.poll() is not None and process.returncode == 0:
                    break
                if process.poll() is not None and process.returncode != -signal.SIGKILL:
                    raise SystemExit(f"the search failed: {process.stderr.read().decode()[-2000:]}")  # type: ignore[union-attr]
                now = stored(folder)
                lost += losses(kept, now)
                kept = now
                if process.poll() is not None:
                    process = start(folder, options.budget, options.preset)
                    continue
                running = zygotes(process.pid)
                if not running or sum(done.values()) >= options.kills or not ends:
                    continue
                kind = chance.choice(("parent", "zygote", "candidate"))
                target = process.pid if kind == "parent" else chance.choice(running)
                if kind == "candidate":
                    candidates = children(target)
                    if not candidates:
                        continue
                    target = chance.choice(candidates)
                marks.append((time.time(), frozenset(value[0] for value in stored(folder).values())))
                try:
                    os.kill(target, signal.SIGKILL)
                except ProcessLookupError:
                    marks.pop()
                    continue
                done[kind] += 1
                if kind == "parent":
                    process.wait()
            final = stored(folder)
            lost += losses(kept, final)
            for when, finished in marks:
                repeated += sum(moment > when and program in finished for moment, program in executions(folder))
            with sqlite3.connect(folder / "run" / "run.sqlite") as connection:
                result = json.loads(connection.execute("SELECT value FROM run WHERE key = 'result'").fetchone()[0])
                repeated += connection.execute(TWICE).fetchone()[0]
                ends.append((connection.execute(ENDS).fetchall(), result["program"]))
            print(
                f"search {searches}: {done}, {result['decoder_calls']} calls, objective {result['objective']}",
                flush=True,
            )
    others = sum(end != ends[0] for end in ends)
    print(f"kills {done}; results lost {lost}; programs run again after their result was stored {repeated}")
    print(f"{searches} searches, of which {others} ended otherwise than the one that nobody killed")


if __name__ == "__main__":
    main()
