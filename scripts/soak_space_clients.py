# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf[space,browser]"]
# ///
"""Thirty clients that behave badly, and one visitor beside them who does not: the page has to be there for that one.

    python scripts/soak_space_clients.py [--clients 30] [--seconds 60] [--json results/space_clients.json]

Each client has a loopback address of its own. Some flood the sandbox with programs that never end, some the queue of
searches, some the maps and the decoder; some ask for searches and stop reading, some disconnect. The visitor evaluates
a program every second, and asks for one search. Ends with status 1 if an evaluation of the visitor's was not answered
within 5 s (it starts before that), if any address began two searches while the visitor's one waited, or if memory,
processes or run folders stay.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import psutil
from soak_space import KEPT_MB, KEPT_SHARE, memory_mb, run_folders
from space_http import API, Visitor
from space_server import served

TASK = "knapsack_construct"
QUICK = "def select_next_item(a, b):\n    return b[0]\n"
ENDLESS = "def select_next_item(a, b):\n    while True:\n        pass\n"
START_S = 5.0
# The visitor's search may wait for one of each client's; how long they take is not what is measured.
TURN_S = 240.0
SETTLE_S = 60.0
# A short crowd goes before the one that is measured: threads, warm evaluators and the allocator's arenas stay for good.
FIRST_CROWD_S = 15.0
FIRST_ADDRESS, HONEST_ADDRESS, WARM_ADDRESS = 10, 200, 201


class Crowd:
    """What the clients do, and what becomes of it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.over = threading.Event()
        self.outcomes: Counter[str] = Counter()
        self.begun: list[tuple[float, str]] = []
        self._lock = threading.Lock()

    def live(self, number: int) -> None:
        """One client, to the end of the soak."""
        kinds = (self.evaluate, self.search, self.stop_reading, self.disconnect, self.search, self.browse)
        while not self.over.is_set():
            try:
                with Visitor(self.url, FIRST_ADDRESS + number, 60) as client:
                    while not self.over.is_set():
                        kinds[number % len(kinds)](client, f"client {number}")
            except httpx.HTTPError as problem:
                self.note(f"connection: {type(problem).__name__}")

    def note(self, outcome: str) -> None:
        """Count an outcome."""
        with self._lock:
            self.outcomes[outcome] += 1

    def evaluate(self, client: Visitor, name: str) -> None:
        """Eight programs that never end, at once; only the last answer is read."""
        for _ in range(7):
            self.note(f"evaluate: sent, status {client.join('evaluate', [TASK, ENDLESS, 'search']).status_code}")
        answer = client.call("evaluate", [TASK, ENDLESS, "search"])
        self.note("evaluate: answered" if answer["success"] else "evaluate: refused")

    def search(self, client: Visitor, name: str) -> None:
        """Three searches at once; the first one is read to its end."""
        for _ in range(2):
            client.join("search", search_arguments(5))
        begun = watched_search(client, 5, name, self)
        self.note("search: read to its end" if begun else "search: refused")

    def stop_reading(self, client: Visitor, name: str) -> None:
        """Searches and programs whose streams are opened and not read."""
        for event, data in (("search", search_arguments(200)), ("evaluate", [TASK, ENDLESS, "search"])):
            session = uuid.uuid4().hex
            status = client.join(event, data, session).status_code
            self.note(f"stopped reading: status {status}")
            if status == 200:
                with client.http.stream("GET", f"{API}/queue/data", params={"session_hash": session}):
                    self.over.wait(10)

    def disconnect(self, client: Visitor, name: str) -> None:
        """A long search that is left at once."""
        session = uuid.uuid4().hex
        status = client.join("search", search_arguments(200), session).status_code
        self.note(f"disconnected: status {status}")
        if status == 200:
            with client.http.stream("GET", f"{API}/queue/data", params={"session_hash": session}) as stream:
                next(stream.iter_lines(), None)
        self.over.wait(0.5)

    def browse(self, client: Visitor, name: str) -> None:
        """Maps and decodings, with large answers of which most are never read."""
        for _ in range(5):
            client.join("corpus", [TASK, 0, 100])
        self.note("between" if client.call("between", [TASK, 0, 7, 1])["success"] else "between: refused")


def search_arguments(budget: int) -> list[Any]:
    """Arguments of `/search`."""
    return [TASK, budget, 0, "gradient", "prior", 8.0, "reference"]


def watched_search(client: Visitor, budget: int, name: str, crowd: Crowd) -> dict[str, Any] | None:
    """A search that is read to its end: places told, and the moment it began. None if it was refused."""
    session = uuid.uuid4().hex
    asked = time.monotonic()
    if client.join("search", search_arguments(budget), session).status_code != 200:
        return None
    report: dict[str, Any] = {"asked": asked, "ahead": None, "began": None}
    with client.http.stream("GET", f"{API}/queue/data", params={"session_hash": session}) as stream:
        for line in stream.iter_lines():
            message = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            kind, output = message.get("msg"), message.get("output") or {}
            if kind == "process_generating" and report["ahead"] is None:
                report["ahead"] = output["data"][0].get("ahead")
            # Later messages hold what has changed only.
            if report["began"] is None and '"running"' in line:
                report["began"] = time.monotonic()
                crowd.begun.append((report["began"], name))
            if kind == "process_completed":
                return report if message["success"] else None
    return None


def beside(crowd: Crowd, work: Callable[[Visitor], None]) -> threading.Thread:
    """The honest visitor at work."""

    def live() -> None:
        with Visitor(crowd.url, HONEST_ADDRESS, TURN_S) as honest:
            work(honest)

    thread = threading.Thread(target=live, daemon=True)
    thread.start()
    return thread


def let_loose(crowd: Crowd, clients: int) -> list[threading.Thread]:
    """So many clients, each at work in a thread of its own."""
    threads = [threading.Thread(target=crowd.live, args=(number,), daemon=True) for number in range(clients)]
    for thread in threads:
        thread.start()
    return threads


def joined(threads: Sequence[threading.Thread], crowd: Crowd, seconds: float) -> None:
    """Leave a crowd at work for so long, end it, and wait until the server has forgotten it."""
    crowd.over.wait(seconds)
    crowd.over.set()
    for thread in threads:
        thread.join(90)
    time.sleep(SETTLE_S)


def soak(clients: int, seconds: float) -> dict[str, Any]:
    """Start a server, let the clients loose, and measure what the visitor gets."""
    answered: list[float] = []
    problems: list[str] = []
    searches: list[dict[str, Any] | None] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        served(environment={"TMPDIR": folder, "GRADIO_TEMP_DIR": f"{folder}/gradio"}) as (url, server),
    ):
        crowd = Crowd(url)
        with Visitor(url, WARM_ADDRESS, TURN_S) as first:
            for task in first.call("tasks", [])["output"]["data"][0]:
                first.call("corpus", [task["name"], 99, 100])
            for _ in range(2):
                watched_search(first, 5, "first", crowd)
                first.call("evaluate", [TASK, QUICK, "search"])
            first.call("between", [TASK, 0, 7, 1])
        time.sleep(10)
        fresh = memory_mb(server)
        first_crowd = Crowd(url)
        joined(let_loose(first_crowd, clients), first_crowd, FIRST_CROWD_S)
        before = peak = memory_mb(server)
        crowd.begun.clear()
        started = time.monotonic()
        threads = let_loose(crowd, clients)

        def evaluate(honest: Visitor) -> None:
            while not crowd.over.is_set():
                asked = time.monotonic()
                answer = honest.call("evaluate", [TASK, QUICK, "search"])
                answered.append(time.monotonic() - asked)
                if not answer["success"] or answer["output"]["data"][0]["status"] != "ok":
                    problems.append(str(answer["output"])[:200])
                crowd.over.wait(1)

        def search(honest: Visitor) -> None:
            crowd.over.wait(5)
            searches.append(watched_search(honest, 5, "visitor", crowd))

        evaluating, searching = beside(crowd, evaluate), beside(crowd, search)
        while time.monotonic() - started < seconds or (
            searching.is_alive() and time.monotonic() - started < seconds + TURN_S
        ):
            peak = max(peak, memory_mb(server))
            time.sleep(1)
        lasted = time.monotonic() - started
        joined([evaluating, searching, *threads], crowd, 0)
        after = memory_mb(server)
        left = run_folders(folder)
        children = len(psutil.Process(server).children(recursive=True))
    own = searches[0] if searches else None
    figures = {
        "clients": clients,
        "seconds": round(lasted),
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[2], 1),
        "evaluations": len(answered),
        "seconds_to_an_answer": {
            "median": round(statistics.median(answered), 2),
            "most": round(max(answered), 2),
        },
        "search": None if own is None else searched(own, crowd),
        "problems": problems,
        "crowd": dict(sorted(crowd.outcomes.items())),
        "memory_mb": {"before_any_crowd": fresh, "before": before, "peak": peak, "after": after},
        "run_folders_left": left,
        "children_left": children,
    }
    return {**figures, "breaches": breaches(figures)}


def searched(own: dict[str, Any], crowd: Crowd) -> dict[str, Any]:
    """How the visitor's search fared beside those that the clients watched."""
    if own["began"] is None:
        return {"began": False}
    between = Counter(name for moment, name in crowd.begun if own["asked"] < moment < own["began"])
    return {
        "began": True,
        "waited_s": round(own["began"] - own["asked"], 1),
        "ahead": own["ahead"],
        "others_begun_meanwhile": between.total(),
        "most_of_one_address": max(between.values(), default=0),
    }


def breaches(figures: dict[str, Any]) -> list[str]:
    """What must not be."""
    memory, search = figures["memory_mb"], figures["search"] or {}
    allowed = max(memory["before"] + KEPT_MB, memory["before"] * KEPT_SHARE)
    checks = {
        f"an evaluation took longer than {START_S:.0f} s": figures["seconds_to_an_answer"]["most"] > START_S,
        "an evaluation of the visitor's failed": bool(figures["problems"]),
        "the visitor's search did not begin": not search.get("began"),
        "an address began two searches before the visitor's": search.get("most_of_one_address", 0) > 1,
        "more searches came first than there are clients": (search.get("ahead") or 0) > figures["clients"],
        f"memory stayed above {allowed:.0f} MiB": memory["after"] > allowed,
        "run folders stayed": figures["run_folders_left"] > 0,
        "processes stayed": figures["children_left"] > 0,
    }
    return [text for text, holds in checks.items() if holds]


def main() -> int:
    """Run the soak, print and write its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", type=Path, default=Path(__file__).parents[1] / "results" / "space_clients.json")
    arguments = parser.parse_args()
    figures = soak(arguments.clients, arguments.seconds)
    text = json.dumps(figures, indent=2)
    print(text)
    arguments.json.write_text(text + "\n", encoding="utf-8")
    return 1 if figures["breaches"] else 0


if __name__ == "__main__":
    sys.exit(main())
