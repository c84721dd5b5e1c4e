"""Damaged files of runs, adapters, corpora, figures and caches: one `CallError` or the right result, in bounded time.

A case is a file that was cut, had bits flipped, or had a value replaced by one of another type; its number seeds it. A
sample of the cases runs always, all of them with `-m slow`.
"""

from __future__ import annotations

import json
import math
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured_files import decoder_file, latents_file
from search_doubles import Parts

from lhs_hf.constants import embedded_model
from lhs_hf.corpus.dataset import DATA_FOLDER, load_corpus
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator, SandboxError
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.integrations import adapters
from lhs_hf.integrations.adapters import export_adapter
from lhs_hf.reporting import model_report
from lhs_hf.reporting import run_report as report
from lhs_hf.reporting.model_report import report_model
from lhs_hf.reporting.run_report import report_run
from lhs_hf.search.components import load_components
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.stored import check_run
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration

TASK = "knapsack_construct"
RESULTS = Path(__file__).parents[2] / "results"
SECONDS, BYTES = 5.0, 2**30
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**70,
    1e308,
    -1e308,
    "",
    "x",
    "\x1b[2J<script>",
    [],
    {},
    [[]],
    "9" * 5000,
)
SQL = ("NULL", "-1", "9e999", "9223372036854775807", "'text'", "''", "x'00'", "x'ff00ff00'", "zeroblob(70000)", "'[]'")
SQL_SCHEMA = (
    "DROP TABLE run",
    "DROP TABLE candidates",
    "ALTER TABLE run RENAME TO other",
    "DELETE FROM candidates",
    "DELETE FROM candidates WHERE id=0",
    "DELETE FROM run WHERE key='identity'",
    "UPDATE run SET value=CAST(value AS BLOB)",
    "CREATE TRIGGER t BEFORE UPDATE ON candidates BEGIN SELECT RAISE(ABORT, 'x'); END",
    "CREATE VIEW v AS SELECT * FROM run",
    "CREATE VIRTUAL TABLE f USING fts4(x)",
    "CREATE INDEX i ON candidates (status)",
    "ALTER TABLE candidates ADD COLUMN z AS (randomblob(100000000))",
    "ALTER TABLE candidates ADD COLUMN later TEXT",
    "UPDATE candidates SET id=id+1000000",
    "PRAGMA user_version=7",
)


def damage(path: Path, random: np.random.Generator) -> None:
    """Cut a file, flip bits of it, overwrite a stretch, or empty it."""
    data = bytearray(path.read_bytes())
    kind = random.integers(4)
    if kind == 0:
        data = data[: int(random.integers(len(data)))]
    elif kind == 1:
        for at in random.integers(len(data), size=int(random.integers(1, 40))):
            data[int(at)] ^= 1 << int(random.integers(8))
    elif kind == 2:
        # Beginnings and ends hold headers and footers.
        at = int(
            random.choice([random.integers(min(100, len(data))), len(data) - 1 - random.integers(min(100, len(data)))])
        )
        data[at] ^= 1 << int(random.integers(8))
    else:
        at, size = int(random.integers(len(data))), int(random.integers(1, 400))
        data[at : at + size] = random.bytes(min(size, len(data) - at))
    path.write_bytes(data)


def mutated(value: Any, random: np.random.Generator) -> Any:
    """A JSON value with one place in it replaced, dropped or repeated."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = str(random.choice(list(value)))
        if random.random() < 0.15:
            return {name: entry for name, entry in value.items() if name != key}
        return {**value, key: mutated(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.85:
        at = int(random.integers(len(value)))
        return [*value[:at], mutated(value[at], random), *value[at + 1 :]]
    return STRANGE[int(random.integers(len(STRANGE)))]


class Bench:
    """The whole files, made once, and what opens a damaged copy of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.task = get_task(TASK)

    def run_folder(self) -> Path:
        folder = self.root / "run"
        if not folder.exists():
            run_search(
                self.task, SearchSettings.from_preset("latent", budget=6), components=Parts(), output=folder, workers=1
            )
        return folder

    def adapter(self) -> tuple[Path, Path]:
        """A run of the model that ships, and the adapter of its only candidate."""
        run, folder = self.root / "adapter-run", self.root / "adapter"
        if not run.exists():
            run.mkdir()
            self.components = load_components("lhs-tiny", self.task, encoder=object())
            with RunDatabase(run / "run.sqlite") as database:
                database.set("identity", {"task": TASK, "method": "lhs", "model": "lhs-tiny"})
                database.add(Candidate(0, 0, "reference", self.task.template, status="ok", score=1.0, objective=1.0))
                point = np.zeros(128, np.float32)
                database.add(Candidate(1, 0, "search", "pass", status="ok", score=2.0, objective=2.0, after=point))
        return run, folder

    def runs(self, folder: Path, random: np.random.Generator) -> None:
        shutil.copytree(self.run_folder(), folder)
        path = folder / "run.sqlite"
        kind = int(random.integers(5))
        if kind == 0:
            damage(path, random)
        elif kind == 1:
            with RunDatabase(path) as database:
                for candidate in database.candidates():
                    database.update(replace(candidate, message="m" * int(random.integers(3000))))
                shutil.copytree(folder, folder.with_name(f"{folder.name}-log"))
            folder = folder.with_name(f"{folder.name}-log")
            path = folder / "run.sqlite"
            damage(random.choice([folder / "run.sqlite-wal", path]), random)
        elif kind == 2:
            with RunDatabase(path) as database:
                key = str(random.choice(["identity", "result", "task_locator"]))
                database.set(key, mutated(database.get(key), random))
        else:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                if kind == 3:
                    columns = [row[1] for row in connection.execute("PRAGMA table_info(candidates)")]
                    column, value = random.choice(columns), random.choice(SQL)
                    statement = f"UPDATE OR IGNORE candidates SET {column}={value} WHERE id={random.integers(7)}"
                    if random.random() < 0.2:
                        statement = f"ALTER TABLE candidates DROP COLUMN {random.choice(columns[1:])}"
                else:
                    statement = str(random.choice(SQL_SCHEMA))
                with suppress(sqlite3.Error):  # a file that refuses the change is a whole one
                    connection.execute(statement)
        opened(lambda: report_run(folder), lambda found: found[0].startswith("# "))
        opened(lambda: check_run(folder), lambda _: True)
        opened(lambda: candidates(path), lambda found: all(isinstance(each, Candidate) for each in found))

    def adapters(self, folder: Path, random: np.random.Generator) -> None:
        run, whole = self.adapter()
        if not whole.exists():
            export_adapter(run, output=whole)
        shutil.copytree(whole, folder)
        path = folder / str(random.choice(sorted(each.name for each in whole.iterdir())))
        if random.random() < 0.3:
            path.unlink()
            path.mkdir() if random.random() < 0.5 else path.symlink_to(self.root / "nowhere")
        elif random.random() < 0.3 and path.suffix == ".json":
            path.write_text(json.dumps(mutated(json.loads(path.read_text()), random)))
        else:
            damage(path, random)

        def same(_: Any) -> bool:
            return all((folder / each.name).read_bytes() == each.read_bytes() for each in whole.iterdir())

        opened(lambda: export_adapter(run, output=folder), same)
        assert not (self.root / "nowhere").exists()

    def corpora(self, folder: Path, random: np.random.Generator) -> None:
        (folder / TASK).mkdir(parents=True)
        for path in (DATA_FOLDER / TASK).glob("*.parquet"):
            shutil.copyfile(path, folder / TASK / path.name)
        damage(folder / TASK / "test-00000.parquet", random)
        opened(lambda: load_corpus(TASK, folder=folder), lambda rows: all(math.isfinite(row.score) for row in rows))

    def figures(self, folder: Path, random: np.random.Generator) -> None:
        model, results = folder / "model", folder / "results"
        model.mkdir(parents=True)
        results.mkdir()
        for name in ("config.json", "training.json"):
            shutil.copyfile(embedded_model() / name, model / name)
        weights = self.figure_files["latents.json"]["settings"]["weights"]
        for name, content in self.figure_files.items():
            (results / name).write_text(json.dumps(content))
        path = random.choice([model / "training.json", *(results / name for name in self.figure_files)])
        if random.random() < 0.7:
            path.write_text(json.dumps(mutated(json.loads(path.read_text()), random)))
        else:
            damage(path, random)
        assert weights

        def clean(found: Any) -> bool:
            return "\x1b" not in found[0] and "<script>" not in found[0]

        opened(lambda: report_model(str(model), results, folder / "report"), clean)

    @property
    def figure_files(self) -> dict[str, Any]:
        if not hasattr(self, "_figures"):
            model = embedded_model()
            self._figures = {"latents.json": latents_file(model), "decoder.json": decoder_file(model)}
            for name in ("searches.json", "searches-splits.json", "ablation.json"):
                if (RESULTS / name).is_file():
                    self._figures[name] = json.loads((RESULTS / name).read_text())
        return self._figures

    def caches(self, folder: Path, random: np.random.Generator) -> None:
        whole = self.root / "cache.sqlite"
        with Evaluator(self.task, cache=EvaluationCache(whole)) as evaluator:
            expected = evaluator.evaluate(self.task.template)
            evaluator.cache.close()
        folder.mkdir()
        path = Path(shutil.copyfile(whole, folder / "cache.sqlite"))
        damage(path, random)
        with Evaluator(self.task, cache=EvaluationCache(path)) as evaluator:
            found = evaluator.evaluate(self.task.template)
            evaluator.cache.close()
        assert (found.status, found.objective, found.objectives) == (
            expected.status,
            expected.objective,
            expected.objectives,
        )


def candidates(path: Path) -> list[Candidate]:
    with RunDatabase(path) as database:
        database.get("identity")
        return database.candidates()


def opened(open_it: Callable[[], Any], right: Callable[[Any], bool]) -> None:
    """Open something: one line, or the right result."""
    refusal, found = "", None
    try:
        found = open_it()
    except CallError as error:
        refusal = str(error) or "\n"
    assert right(found) if not refusal else refusal.isprintable() and len(refusal) < 2000, refusal


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("fuzz"))


@pytest.fixture
def quick(monkeypatch, bench):
    """What takes long and reads nothing of a damaged file is left out: pictures, weights."""

    def not_drawn(*_):
        raise SandboxError("not drawn")

    fingerprint = latents_file(embedded_model())["settings"]["weights"]
    digest = decoder_file(embedded_model())["settings"]["model"]
    monkeypatch.setattr(report, "draw_solutions", not_drawn)
    monkeypatch.setattr("lhs_hf.plots.convergence_figure", lambda path, *_, **__: path)
    monkeypatch.setattr("lhs_hf.plots.plot_ascent", lambda entries, **_: entries)
    monkeypatch.setattr("lhs_hf.plots.save", lambda _, path: path)
    monkeypatch.setattr(model_report, "weights_fingerprint", lambda _: fingerprint)
    monkeypatch.setattr(model_report, "model_digest", lambda _: digest)
    monkeypatch.setattr(adapters, "load_components", lambda *_, **__: bench.components)


# Cases of each kind: always, and with `-m slow`. A corpus and a cache start processes, the others do not.
CASES = {"runs": (150, 600), "adapters": (20, 100), "corpora": (5, 120), "figures": (60, 300), "caches": (4, 60)}


def memory_bytes(kind: str) -> int:
    """`VmRSS` (now) or `VmHWM` (at most, since `forget_peak`) of this process."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith(kind)).split()[1])


def forget_peak() -> None:
    """Let `VmHWM` begin again."""
    Path("/proc/self/clear_refs").write_text("5")


def largest_child_bytes() -> int:
    """Of all children of this process that have ended, those of other tests among them."""
    return 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def fuzz(bench: Bench, kind: str, numbers: range, root: Path) -> None:
    open_case = getattr(bench, kind)
    forget_peak()
    memory, child = memory_bytes("VmRSS"), largest_child_bytes()
    for number in numbers:
        before = time.process_time()
        try:
            open_case(root / f"{kind}-{number}", np.random.default_rng([list(CASES).index(kind), number]))
        except Exception as error:
            raise AssertionError(f"case {number} of {kind}: {type(error).__name__}: {error}") from error
        assert time.process_time() - before < SECONDS, f"case {number} of {kind} took too long"
        for folder in root.glob(f"{kind}-{number}*"):
            shutil.rmtree(folder)
    assert memory_bytes("VmHWM") - memory < BYTES
    assert largest_child_bytes() <= max(child, 2 * BYTES)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("kind", CASES)
def test_a_sample_of_damaged_files(bench, kind, tmp_path) -> None:
    fuzz(bench, kind, range(CASES[kind][0]), tmp_path)


@pytest.mark.usefixtures("quick")
def test_a_sample_of_damaged_runs_that_are_read_as_long_ones(bench, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("lhs_hf.search.stored.ROWS", 0)
    fuzz(bench, "runs", range(30), tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("kind", CASES)
def test_all_damaged_files(bench, kind, tmp_path) -> None:
    fuzz(bench, kind, range(CASES[kind][0], CASES[kind][1]), tmp_path)
