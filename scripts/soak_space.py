# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf[space,browser]"]
# ///
"""Simulated visitors search, evaluate and look at the corpus at once; nobody may see another's data.

    python scripts/soak_space.py [--visitors 20] [--seconds 300] [--json results/soak_space.json]

Each visitor searches again and again with a task, budget and seed of its own and evaluates a program that carries its
name. Every result has to be the pipeline's own for these settings, made before the visitors come. Some visitors leave
in the middle of a search. Prints and writes what each kind of call took, the places in the queue that were reported,
and the memory of the server with all its children before, at its peak and after. Ends with status 1 if one visitor got
another's data, a call failed, no place in the queue was reported, or memory or files stayed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
from gradio_client import Client
from gradio_client.exceptions import AppError
from space_server import served
from transformers import pipeline

import lhs_hf  # noqa: F401 - registers the pipeline

BUDGET = 5
TASKS = ("knapsack_construct", "set_cover_construct")
SEEDS = 2
# What the server may keep: maps and models are made once, allocators hold on to some pages.
KEPT_MB, KEPT_SHARE = 150, 1.15
SETTLE_S = 60
# The searches in the queue when the time is up may take so long, together.
LAST_S = 600


def program_of(visitor: int) -> str:
    """A knapsack program that fails with the visitor's name."""
    return f"def select_next_item(a, b):\n    raise ValueError('visitor {visitor:02d}')\n"


def without_clock(result: dict[str, Any]) -> str:
    """A search's result without what differs from one run to the next, as text to compare."""
    return json.dumps(
        {key: value for key, value in result.items() if key not in ("runtime_s", "output", "private_holdout")}
    )


def searched(client: Client, task: str, seed: int, places: Counter[int] | None = None) -> dict[str, Any]:
    """One search to its end; the places in the queue that were reported on the way."""
    last: dict[str, Any] = {}
    for last in client.submit(task, budget=BUDGET, seed=seed, api_name="/search"):
        if places is not None and last["state"] == "waiting":
            places[last["ahead"]] += 1
    return last["result"]


class Visitors:
    """What the visitors did, and what went wrong."""

    def __init__(self, url: str, expected: dict[tuple[str, int], str]) -> None:
        self.url, self.expected = url, expected
        self.places: Counter[int] = Counter()
        self.calls: Counter[str] = Counter()
        self.seconds: dict[str, list[float]] = {"search": [], "evaluate": [], "corpus": []}
        self.foreign: list[str] = []
        self.failed: list[str] = []
        self.over = threading.Event()

    def live(self, visitor: int) -> None:
        """One visitor's stay; a new session every few searches, and now and then one that is left."""
        dice = random.Random(visitor)
        task, seed = TASKS[visitor % len(TASKS)], visitor // len(TASKS) % SEEDS
        try:
            client = self._client(visitor)
            while not self.over.is_set():
                self._evaluate(client, visitor)
                if dice.random() < 0.15:
                    self._leave(client, task, seed)
                    client = self._client(visitor)
                started = time.monotonic()
                try:
                    result = searched(client, task, seed, self.places)
                except AppError as problem:
                    if "waiting already" not in str(problem):
                        raise
                    self.calls["told that the queue is full"] += 1
                    time.sleep(5)
                    continue
                self._done("search", started)
                if without_clock(result) != self.expected[task, seed]:
                    self.foreign.append(f"visitor {visitor}: not the result of {task}, seed {seed}")
                started = time.monotonic()
                rows = client.predict(TASKS[0], 95, 100, api_name="/corpus")
                self._done("corpus", started)
                if not all("def select_next_item" in row["program"] for row in rows):
                    self.foreign.append(f"visitor {visitor}: programs of another task")
        except Exception as problem:
            self.failed.append(f"visitor {visitor}: {type(problem).__name__}: {problem}")

    def _client(self, visitor: int) -> Client:
        """A client of an address of its own, as a proxy that the server trusts would tell it."""
        return Client(self.url, headers={"X-Forwarded-For": f"8.8.8.{visitor + 1}"}, verbose=False)

    def _evaluate(self, client: Client, visitor: int) -> None:
        started = time.monotonic()
        found = client.predict(TASKS[0], program_of(visitor), api_name="/evaluate")
        self._done("evaluate", started)
        if found["status"] != "exception" or f"visitor {visitor:02d}" not in found["message"]:
            self.foreign.append(f"visitor {visitor}: evaluated {found['status']}, {found['message']!r}")

    def _leave(self, client: Client, task: str, seed: int) -> None:
        job = client.submit(task, budget=100, seed=seed, api_name="/search")
        next(iter(job))
        job.cancel()
        self.calls["left"] += 1

    def _done(self, kind: str, started: float) -> None:
        self.calls[kind] += 1
        self.seconds[kind].append(time.monotonic() - started)


def memory_mb(server: int) -> float:
    """Resident memory of the server and all its children, in MiB."""
    total = 0
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(server)
        for each in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                total += each.memory_info().rss
    return round(total / 2**20, 1)


def run_folders(folder: str) -> int:
    """Folders of searches that the server keeps."""
    return sum(path.is_dir() for root in Path(folder).glob("lhs-space-*") for path in root.iterdir())


def soak(visitors: int, seconds: float) -> dict[str, Any]:
    """Start a server, let the visitors loose, and count."""
    search = pipeline("latent-heuristic-search")
    expected = {
        (task, seed): without_clock(search(task, budget=BUDGET, seed=seed)) for task in TASKS for seed in range(SEEDS)
    }
    del search
    with (
        tempfile.TemporaryDirectory() as folder,
        served(["--trust-proxy", "127.0.0.1"], {"TMPDIR": folder, "GRADIO_TEMP_DIR": f"{folder}/gradio"}) as (
            url,
            server,
        ),
    ):
        first = Client(url, verbose=False)
        for task in [each["name"] for each in first.predict(api_name="/tasks")]:
            first.predict(task, 99, 100, api_name="/corpus")
        cold = memory_mb(server)
        for task in TASKS:
            searched(first, task, 0)
            first.predict(TASKS[0], program_of(0), api_name="/evaluate")
        # One visitor has been there: maps and models, which are made once, are there before memory is counted.
        time.sleep(10)
        before, peak = memory_mb(server), 0.0
        crowd = Visitors(url, expected)
        threads = [threading.Thread(target=crowd.live, args=(number,), daemon=True) for number in range(visitors)]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        while time.monotonic() - started < seconds and any(thread.is_alive() for thread in threads):
            peak = max(peak, memory_mb(server))
            time.sleep(1)
        crowd.over.set()
        last = time.monotonic() + LAST_S
        for thread in threads:
            thread.join(max(0.0, last - time.monotonic()))
        crowd.failed += ["a visitor's last search did not end" for thread in threads if thread.is_alive()]
        lasted = time.monotonic() - started
        time.sleep(SETTLE_S)
        after = memory_mb(server)
        left = run_folders(folder)
        children = len(psutil.Process(server).children(recursive=True))
    figures = {
        "visitors": visitors,
        "seconds": round(lasted),
        "cores": os.cpu_count(),
        "calls": dict(sorted(crowd.calls.items())),
        "seconds_a_call": {
            kind: {"median": round(statistics.median(found), 2), "most": round(max(found), 2)}
            for kind, found in crowd.seconds.items()
            if found
        },
        "queue_places": {str(place): count for place, count in sorted(crowd.places.items())},
        "memory_mb": {"cold": cold, "before": before, "peak": max(peak, before), "after": after},
        "run_folders_left": left,
        "children_left": children,
        "foreign": crowd.foreign,
        "failed": crowd.failed,
    }
    return {**figures, "breaches": breaches(figures)}


def breaches(figures: dict[str, Any]) -> list[str]:
    """What must not be."""
    memory = figures["memory_mb"]
    allowed = max(memory["before"] + KEPT_MB, memory["before"] * KEPT_SHARE)
    found = {
        "a visitor got another's data": bool(figures["foreign"]),
        "a call failed": bool(figures["failed"]),
        "no place in the queue was reported": not figures["queue_places"],
        "no search ended": not figures["calls"].get("search"),
        f"memory stayed above {allowed:.0f} MiB": memory["after"] > allowed,
        "run folders stayed": figures["run_folders_left"] > 0,
        "processes stayed": figures["children_left"] > 0,
    }
    return [text for text, holds in found.items() if holds]


def main() -> int:
    """Run the soak, print and write its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--json", type=Path, default=Path(__file__).parents[1] / "results" / "soak_space.json")
    arguments = parser.parse_args()
    figures = soak(arguments.visitors, arguments.seconds)
    text = json.dumps(figures, indent=2)
    print(text)
    arguments.json.write_text(text + "\n", encoding="utf-8")
    return 1 if figures["breaches"] else 0


if __name__ == "__main__":
    sys.exit(main())
