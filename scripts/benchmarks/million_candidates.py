"""What a round costs with 1,000, 100,000 and 1,000,000 stored candidates, and what a report of them takes.

    python scripts/benchmarks/million_candidates.py --work runs/million

A stub decoder and a stub evaluator answer at once, so that what is left is the search itself: its edits, races, pool,
duplicates and the run database. A million candidates through the loop would take hours; they and their instance runs
are therefore stored in bulk by the database's own methods (the hashes of all but the last few thousand are random
numbers, as those of programs are), and then the rounds of the real loop are measured, those of the three sizes in turn.
A search that goes on races all its candidates again; here it begins with the last `TAIL`, and the whole replay is a
calculation. Seconds are those of the processor: a machine that others use as well does not change them much.

`--reports` measures the reports again, of databases that are there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
from searches.stubs import WIDTH, StubEvaluator, StubParts

from lhs_hf import programs
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation.racing import Entry
from lhs_hf.search.candidates import Candidates
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.children import LATENT
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import Start, starting_candidates
from lhs_hf.search.stored import DATABASE_NAME
from lhs_hf.store import transaction
from lhs_hf.tasks import get_task

ROOT = Path(__file__).parents[2]
TASK = "knapsack_construct"
SIZES = (1_000, 100_000, 1_000_000)
TAIL = 4096
BATCH, ROUND = 1000, 8
BUDGET = 10**8
# Of bulk candidates: what became of them, and how many blocks they met.
OUTCOMES, SHARES = ("dropped", "entered", "same", "failed", "repeated"), (0.6, 0.1, 0.1, 0.1, 0.1)
BLOCKS, BLOCK_SHARES = (1, 2, 4, 8), (0.6, 0.2, 0.1, 0.1)
LATENT_SHARE = 0.1
# Of the calculation: transactions of a candidate (its batch's share, its entries, its result), and what one machine
# has: cores for loops, cores for decoding, transactions a second of a disk that takes 1 ms for each.
COMMITS = 1 / ROUND + 2.2 + 1
REPORTS = 3
HAS = {"driver": 32, "decoder": 32, "database": 1000}


class Bulk:
    """Candidates and instance runs as a search would have stored them."""

    def __init__(self, evaluator: StubEvaluator, text: Callable[[int], str], raced: bool) -> None:
        self.evaluator, self.text, self.raced = evaluator, text, raced
        self.generator = np.random.default_rng(0)
        self.seconds = 0.0

    def fill(self, database: RunDatabase, size: int, blocks: list[tuple[str, Any]]) -> None:
        """Store candidates until there are `size`, the last `TAIL` with the hashes of their programs."""
        [(first,)] = database.select("MAX(id) + 1")
        started = time.process_time()
        for begin in range(first, size, BATCH):
            batch = [
                self._candidate(number, size - number <= TAIL) for number in range(begin, min(size, begin + BATCH))
            ]
            database.add_all(batch)
            if self.raced:
                with transaction(database._connection):
                    for entry in chain.from_iterable(self._entries(each, blocks) for each in batch):
                        database.add_measurement(entry.as_dict())
        self.seconds += time.process_time() - started

    def _candidate(self, number: int, true: bool) -> Candidate:
        random = self.generator
        text = self.text(number)
        outcome = str(random.choice(OUTCOMES, p=SHARES))
        repeats = outcome == "repeated" and not true
        own = programs.program_hash(text) if true else hashlib.sha256(text.encode()).hexdigest()
        decoded = not self.raced or random.random() < LATENT_SHARE
        point = random.normal(size=WIDTH).astype(np.float32) if decoded else None
        value = 90.0 + 10.0 * float(random.random())
        candidate = Candidate(
            *(number, 1 + number // ROUND, "search" if decoded else "edit", text),
            parent=int(random.integers(max(0, number - 10 * ROUND), number)),
            program_hash=own,
            tokens=90 if decoded else 0,
            before=point,
            after=point,
            predicted_after=value if decoded else None,
            status="exception" if outcome == "failed" else "ok",
            runtime_s=1e-3 * float(random.random()),
            isolation="none",
            duplicate_of=int(random.integers(number)) if repeats else None,
            point=number % ROUND,
        )
        if candidate.ok:
            candidate.objective = candidate.score = value
        if self.raced:
            candidate.operator, candidate.family = LATENT if decoded else "literals", f"family-{number % 9}"
            candidate.outcome = "incumbent" if random.random() < 1e-4 else "same" if outcome == "repeated" else outcome
            candidate.gain, candidate.gain_error = value / 1e4, 0.01
            candidate.instances = candidate.runs = 4
            candidate.decisions = None if repeats else own[::-1]
        return candidate

    def _entries(self, candidate: Candidate, blocks: list[tuple[str, Any]]) -> Iterator[Entry]:
        if candidate.duplicate_of is not None:
            return
        for name, split in blocks[: int(self.generator.choice(BLOCKS, p=BLOCK_SHARES))]:
            values = self.evaluator.objectives(str(candidate.program_hash), split)
            yield Entry(str(candidate.program_hash), name, "ok", values, len(values), 1e-3)


class Portfolio(PortfolioSearch):
    """A portfolio that begins with the last of its candidates and goes round by round."""

    replayed_s = 0.0

    def begin(self) -> None:
        """Race the starts, and the last candidates again."""
        if not self.candidates:
            self._store(starting_candidates(self._starts))
        self._run_race(self.candidates.of_round(0))
        self._pace.set()
        started = time.process_time()
        last = len(self.candidates) - len(self.candidates.of_round(0))
        tail = (
            self.candidates[number] for number in range(len(self.candidates) - min(TAIL, last), len(self.candidates))
        )
        for _, group in groupby(tail, key=lambda each: each.round):
            self._run_race(list(group))
        self.replayed_s = (time.process_time() - started) / max(1, min(TAIL, last))

    def round(self) -> int:
        """One more; how many candidates it has."""
        children = self._children(self.candidates[-1].round + 1)
        self._store(children)
        self._run_race(children)
        return len(children)

    @property
    def blocks(self) -> list[tuple[str, Any]]:
        """Those of the race, with their instances."""
        return [(block.name, self._trials.instances.split(block)) for block in self._race.blocks]


class Latent(LatentSearch):
    """A latent search that goes round by round."""

    replayed_s = 0.0
    blocks: tuple[()] = ()

    def begin(self) -> None:
        """Evaluate the starts."""
        self._start()
        self._evaluate_pending()

    def round(self) -> int:
        """One more; how many candidates it has."""
        before = len(self.candidates)
        self._round(self.candidates[-1].round + 1)
        return len(self.candidates) - before


def opened(kind: str, folder: Path, evaluator: StubEvaluator, text: Callable[[int], str]) -> Any:
    """A search on the database of a folder."""
    database = RunDatabase(folder / DATABASE_NAME)
    preset = {"portfolio": "default", "latent": "latent"}[kind]
    settings = SearchSettings.from_preset(preset, budget=BUDGET, seed=1, init="reference", guidance=False)
    identity = {"task": TASK, "method": "lhs", "model": "lhs-tiny", "encoder": None, "decoder": None}
    database.set("identity", {**identity, **settings.as_dict()})
    starts = [Start("reference", evaluator.task.template, "reference"), Start("own", text(0), "own")]
    parts: Any = StubParts(text)
    if kind == "portfolio":
        return Portfolio(parts, evaluator, database, settings, starts)
    return Latent(parts, evaluator, database, settings, [(each.role, each.source) for each in starts])


def measure(kind: str, work: Path, sizes: list[int], rounds: int, text: Callable[[int], str]) -> dict[str, Any]:
    """Databases of every size, and rounds of the loop on each of them in turn."""
    evaluator = StubEvaluator(get_task(TASK))
    bulk = Bulk(evaluator, text, kind == "portfolio")
    folders = [work / kind / str(size) for size in sizes]
    for number, (size, folder) in enumerate(zip(sizes, folders)):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if number:
            shutil.copyfile(folders[number - 1] / DATABASE_NAME, folder / DATABASE_NAME)
        search = opened(kind, folder, evaluator, text)
        if not number:
            search.begin()
        bulk.fill(search.database, size, list(search.blocks))
        search.database.close()
        print(f"{kind}: {size} candidates, {(folder / DATABASE_NAME).stat().st_size / 2**20:.0f} MiB", flush=True)
    searches = [opened(kind, folder, evaluator, text) for folder in folders]
    taken: list[list[tuple[float, float, int]]] = [[] for _ in sizes]
    for search in searches:
        search.begin()
    for _ in range(rounds):
        for search, times in zip(searches, taken):
            started, wall = time.process_time(), time.perf_counter()
            count = search.round()
            times.append((time.process_time() - started, time.perf_counter() - wall, count))
    rows = []
    for size, search, times, folder in zip(sizes, searches, taken, folders):
        cpu, wall, counts = (np.array(each) for each in zip(*times[rounds // 5 :]))
        rows.append(
            {
                "candidates": size,
                "file_mib": (folder / DATABASE_NAME).stat().st_size / 2**20,
                "round_s": float(np.median(cpu)),
                "round_mean_s": float(cpu.mean()),
                "round_wall_s": float(np.median(wall)),
                "candidates_a_round": float(counts.mean()),
                "replay_s_a_candidate": search.replayed_s,
            }
        )
        search.database.close()
    return {
        "rows": rows,
        "ratio": max(row["round_s"] for row in rows) / min(row["round_s"] for row in rows),
        "bulk_s_a_candidate": bulk.seconds / max(sizes),
    }


def text_of() -> Callable[[int], str]:
    """Programs that differ in a number, of the length that programs of the corpus have."""
    rows = sorted(load_corpus(TASK, "train"), key=lambda row: abs(len(row.program) - 750))
    base = rows[0].program
    return lambda number: f"{base.rstrip()}\n\n\nNUMBER = {number}\n"


def stored_s(work: Path, text: Callable[[int], str], rounds: int = 100) -> dict[str, float]:
    """Wall and processor seconds a candidate of what the database does in a round, each statement on the disk."""
    path = work / "statements.sqlite"
    path.unlink(missing_ok=True)
    entry = Entry("0" * 64, "race", "ok", (1.0,) * 4, 4, 1e-3).as_dict()
    with RunDatabase(path) as database:
        started, wall = time.process_time(), time.perf_counter()
        candidates = Candidates(database)
        for number in range(rounds):
            first = number * ROUND
            children = [Candidate(first + at, number, "edit", text(first + at)) for at in range(ROUND)]
            candidates.extend(children)
            for child in children:
                database.add_measurement({**entry, "program": f"{child.id:064d}"})
                database.add_measurement({**entry, "program": f"{child.id:064d}", "block": "other"})
                database.update(child)
        cpu, wall = time.process_time() - started, time.perf_counter() - wall
    path.unlink()
    return {"cpu_s": cpu / rounds / ROUND, "wall_s": wall / rounds / ROUND}


def report(folder: Path) -> dict[str, Any]:
    """Seconds and memory of `lhs-hf report` on a run folder."""
    # The kernel's own mark: `ru_maxrss` of a child begins with that of its parent.
    code = "import sys; from lhs_hf.cli import main; status = main(sys.argv[1:]); "
    code += "print(open('/proc/self/status').read().replace('VmHWM:', 'PEAK '), file=sys.stderr); sys.exit(status)"
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, "report", str(folder)], capture_output=True, text=True)
    wall = time.perf_counter() - wall
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = int(done.stderr.rpartition("PEAK ")[2].split()[0])
    return {"wall_s": wall, "cpu_s": cpu, "peak_mib": peak / 2**10, "lines": done.stdout.count("\n")}


def cost_model(measured: dict[str, Any], nodes: int = 1000, workers: int = 2) -> list[dict[str, Any]]:
    """A CALCULATION from the measured parts: nodes that evaluate, and what else their searches then take.

    A search has a round of 8 programs on their way at once; so many searches as keep all workers busy run side by side.
    Each takes a core for its loop, waits for its database, and decodes a tenth of its programs. `HAS` are assumptions.
    """
    decode_s = _decode_seconds(json.loads((ROOT / "results" / "decoder.json").read_text()))
    largest = measured["portfolio"]["rows"][-1]
    loop_s = largest["round_s"] / largest["candidates_a_round"]
    rows = []
    for program_s in (1.0, 10.0, 100.0):
        round_s = program_s + ROUND * (loop_s + LATENT_SHARE * decode_s)
        searches = nodes * workers / ROUND * round_s / program_s
        rate = searches * ROUND / round_s
        needs = {"driver": rate * loop_s, "decoder": rate * LATENT_SHARE * decode_s, "database": rate * COMMITS}
        rows.append(
            {
                "program_s": program_s,
                "searches": round(searches),
                "candidates_a_second": round(rate, 1),
                "needs": {name: round(value, 2) for name, value in needs.items()},
                "saturates_first": max(needs, key=lambda name: needs[name] / HAS[name]),
                "nodes_until_then": round(nodes / max(needs[name] / HAS[name] for name in needs)),
            }
        )
    return rows


def _decode_seconds(content: dict[str, Any]) -> float:
    """Seconds a program that the model that ships takes, guided, in batches of 16 on the machine of that file."""
    tasks = content["sections"]["speed"]["tasks"].values()
    return float(np.mean([task["guided"]["batch 16"]["seconds_per_program"] for task in tasks]))


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("runs/million"))
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--kinds", nargs="+", choices=["portfolio", "latent"], default=["portfolio", "latent"])
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "million_candidates.json")
    parser.add_argument("--reports", action="store_true", help="only measure the reports of databases that are there")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.reports:
        content = json.loads(options.output.read_text())
        for kind in options.kinds:
            tries = [report(options.work / kind / str(options.sizes[-1])) for _ in range(REPORTS)]
            walls = [each["wall_s"] for each in tries]
            content[kind]["report"] = {**min(tries, key=lambda each: each["wall_s"]), "each_wall_s": walls}
            print(json.dumps({kind: content[kind]["report"]}, indent=1), flush=True)
        options.output.write_text(json.dumps(content, indent=1) + "\n")
        return
    text = text_of()
    options.work.mkdir(parents=True, exist_ok=True)
    content: dict[str, Any] = {"settings": {"sizes": options.sizes, "rounds": options.rounds, "tail": TAIL}}
    content["statements"] = stored_s(options.work, text)
    for kind in options.kinds:
        content[kind] = measure(kind, options.work, options.sizes, options.rounds, text)
        content[kind]["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        content[kind]["report"] = report(options.work / kind / str(options.sizes[-1]))
        print(json.dumps({kind: content[kind]}, indent=1), flush=True)
    if "portfolio" in content:
        content["calculation_not_measured"] = {"one_machine_has": HAS, "rows": cost_model(content)}
        print("A calculation from the parts above, not a measurement: 1,000 nodes of two workers")
        print(json.dumps(content["calculation_not_measured"], indent=1))
    options.output.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
