"""Building, reading and counting the corpus, with a small evaluator inside the process."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.build import TaskReport, build_corpus, grammar_tokens, split_families
from lhs_hf.corpus.dataset import CorpusRow, corpus_tasks, load_corpus
from lhs_hf.corpus.seeds_io import Seed
from lhs_hf.corpus.stats import corpus_stats, distinct_behaviours
from lhs_hf.evaluation.behaviour import behaviour
from lhs_hf.evaluation.result import Evaluation
from lhs_hf.evaluation.rollout import load
from lhs_hf.programs import canonical, program_hash
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task

TSP = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"
BODIES = {
    "nearest": "    return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])\n",
    "farthest": "    return max(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])\n",
    "homeward": "    return min(unvisited_nodes, key=lambda node: distance_matrix[node][destination_node])\n",
    "mixed": "    return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node]"
    " - 0.4 * distance_matrix[node][destination_node])\n",
    "middle": "    order = sorted(unvisited_nodes, key=lambda node: node)\n    return order[len(order) // 2]\n",
}


def few_seeds(task: str) -> list[Seed]:
    return [Seed(task, family, TSP + body) for family, body in BODIES.items()]


class SmallEvaluator:
    """Two instances, in this process; counts what it evaluates and can kill the process after some."""

    def __init__(self, task: Task, kill_after: int | None = None) -> None:
        self.task, self.kill_after = task, kill_after
        self.evaluated: list[str] = []
        self._lock = threading.Lock()

    def evaluate(self, source: str) -> Evaluation:
        with self._lock:
            self.evaluated.append(program_hash(source))
            if self.kill_after is not None and len(self.evaluated) > self.kill_after:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                function = load(self.task, source)
                chosen = self.task.instances("search")[:2]
                values = [self.task.objective(one, self.task.rollout(function, one)) for one in chosen]
            except Exception as error:
                return Evaluation("exception", message=str(error))
            mean = float(np.mean(values))
            return Evaluation("ok", mean, self.task.alpha * mean, tuple(values), runtime_s=0.01)

    def probe(self, source: str) -> Any:
        with self._lock:
            return behaviour(self.task, load(self.task, source))

    def close(self) -> None:
        pass


def build(
    folder: Path, count: int = 24, workers: int = 1, kill_after: int | None = None, **options: Any
) -> tuple[TaskReport, SmallEvaluator]:
    made: list[SmallEvaluator] = []

    def factory(task: Task, _: int) -> SmallEvaluator:
        made.append(SmallEvaluator(task, kill_after))
        return made[-1]

    options.setdefault("seeds", few_seeds)
    reports = build_corpus(["tsp_construct"], count, 3, folder, workers, evaluator_factory=factory, **options)
    return reports["tsp_construct"], made[0]


def data_bytes(folder: Path) -> dict[str, bytes]:
    kept = [*folder.glob("tsp_construct/*.parquet"), folder / "README.md", folder / "references.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus")
    report, _ = build(path)
    assert report.rows == 24
    return path


def test_rows_are_complete_unique_and_derived_inside_their_split(folder: Path) -> None:
    rows = load_corpus("tsp_construct", folder=folder)
    by_hash = {row.hash: row for row in rows}
    assert len(by_hash) == len(rows) == 24
    assert {row.tier for row in rows} == {"seed", "a", "b", "c"}
    families: dict[str, set[str]] = {}
    for row in rows:
        families.setdefault(row.family, set()).add(row.split)
        assert row.canonical == canonical(row.program)
        assert row.hash == program_hash(row.program)
        assert row.score == -row.objective
        assert row.objective == pytest.approx(np.mean(row.objectives))
        assert row.decisions.shape == (64,)
        assert row.behaviour.shape == (64, 8)
        assert (row.tier == "seed") == (not row.parents)
        assert all(by_hash[parent].split == row.split for parent in row.parents)
        if row.tier == "a":
            assert row.objective == pytest.approx(by_hash[row.parents[0]].objective, rel=1e-9)
    assert all(len(splits) == 1 for splits in families.values())
    assert set(families) == set(BODIES)


def test_result_depends_on_neither_workers_nor_an_earlier_smaller_build(folder: Path, tmp_path: Path) -> None:
    build(tmp_path, count=9)
    _, evaluator = build(tmp_path, workers=3)
    assert data_bytes(tmp_path) == data_bytes(folder)
    assert len(evaluator.evaluated) == len(set(evaluator.evaluated))


def test_killed_build_resumes_without_repeating_a_measurement(folder: Path, tmp_path: Path) -> None:
    script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    script += (
        f"from pathlib import Path; from test_corpus import build\nbuild(Path({str(tmp_path)!r}), kill_after=12)\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], timeout=120, check=False)
    assert finished.returncode == -signal.SIGKILL
    report, evaluator = build(tmp_path)
    _, fresh = build(tmp_path / "fresh")
    assert len(evaluator.evaluated) == len(fresh.evaluated) - 12
    assert report.rows == 24
    assert data_bytes(tmp_path) == data_bytes(folder)


def test_gate_refuses_what_fails_or_changes_and_says_why(tmp_path: Path) -> None:
    def broken(task: str) -> list[Seed]:
        wrong = Seed(task, "wrong", TSP + "    return unvisited_nodes[1000]\n")
        arity = Seed(task, "arity", "def select_next_node(a):\n    return a\n")
        twin = Seed(task, "twin", "# a comment\n" + TSP + BODIES["nearest"])
        return [*few_seeds(task), wrong, arity, twin]

    report, _ = build(tmp_path, count=12, seeds=broken)
    assert report.failed_seeds["wrong"].startswith("exception: index 1000")
    assert report.failed_seeds["arity"] == "signature"
    assert report.failed_seeds["twin"] == "duplicate"
    assert {row.family for row in load_corpus(folder=tmp_path)} == set(BODIES)


def test_program_that_the_decoder_can_not_write_is_refused(tmp_path: Path) -> None:
    def count(source: str, task: Task) -> int:
        if "sorted" in source:
            raise ValueError("sorted is not supported")
        return len(source)

    report, _ = build(tmp_path, count=10, count_tokens=count)
    assert report.failed_seeds == {"middle": "unsupported: sorted is not supported"}
    assert all(row.tokens == len(row.program) for row in load_corpus(folder=tmp_path))


def test_slow_programs_stay_out(tmp_path: Path) -> None:
    report, _ = build(tmp_path, count=6, limit_s=0.001)
    assert report.rows == 0
    assert set(report.failed_seeds.values()) == {"slow"}
    assert not (tmp_path / "README.md").exists()


def test_target_out_of_reach_is_reported(tmp_path: Path) -> None:
    sources = {seed.source for seed in few_seeds("tsp_construct")}

    def seeds_only(source: str, task: Task) -> int:
        if source not in sources:
            raise ValueError("not a seed")
        return 1

    report, evaluator = build(tmp_path, count=6, count_tokens=seeds_only)
    assert report.as_dict()["target"] == 6
    assert report.rows == 5
    assert report.as_dict()["yield"]["a"] == 0
    assert len(evaluator.evaluated) == 6  # the seeds and the reference, not one refused variant


def test_grammar_tokens_counts_and_refuses() -> None:
    task = get_task("tsp_construct")
    count = grammar_tokens([(seed.source, task) for seed in few_seeds("tsp_construct")])
    assert 10 < count(TSP + BODIES["nearest"], task) < 60
    with pytest.raises(ValueError, match="not supported"):
        count("class Rule:\n    pass\n\n" + TSP + BODIES["nearest"], task)


@pytest.mark.parametrize("count", [1, 2, 3, 10, 36])
def test_families_split_70_10_20(count: int) -> None:
    families = [f"f{i}" for i in range(count)]
    splits = split_families(families, np.random.default_rng(0))
    sizes = [sum(value == name for value in splits.values()) for name in ("train", "validation", "test")]
    assert sum(sizes) == count
    assert sizes[0] >= 1
    if count >= 10:
        assert np.allclose(np.array(sizes) / count, [0.7, 0.1, 0.2], atol=0.04)
    assert splits == split_families(families, np.random.default_rng(0))


def test_reading_names_what_exists(folder: Path, tmp_path: Path) -> None:
    assert corpus_tasks(folder) == ("tsp_construct",)
    total = [len(load_corpus(split=split, folder=folder)) for split in ("train", "validation", "test")]
    assert sum(total) == 24
    assert min(total) > 0
    with pytest.raises(ValueError, match="no split 'dev'; it has: train, validation, test"):
        load_corpus(split="dev", folder=folder)
    with pytest.raises(FileNotFoundError, match="it holds: tsp_construct"):
        load_corpus("cvrp_construct", folder=folder)
    with pytest.raises(FileNotFoundError, match="corpus build"):
        load_corpus(folder=tmp_path)


def test_statistics_count_duplicates_leaks_and_behaviours(folder: Path) -> None:
    rows = load_corpus(folder=folder)
    stats = corpus_stats(folder=folder)
    entry = stats["tasks"]["tsp_construct"]
    assert stats["rows"] == entry["rows"] == 24
    assert (stats["duplicates"], stats["split_families_shared"], stats["families"]) == (0, 0, 5)
    assert entry["sense"] == "min"
    assert entry["best_objective"] == min(row.objective for row in rows)
    assert entry["median_objective"] == pytest.approx(np.median([row.objective for row in rows]))
    better = sum(row.objective < entry["reference_objective"] for row in rows)
    assert entry["better_than_reference"] == better
    other: CorpusRow = replace(rows[0], split="test" if rows[0].split == "train" else "train")
    leaky = corpus_stats([*rows, other], folder=folder)
    assert (leaky["duplicates"], leaky["split_families_shared"]) == (1, 1)


def test_distinct_behaviours_need_five_percent_of_the_probes() -> None:
    base = np.zeros(64, dtype=np.int64)
    changed = [base.copy() for _ in range(3)]
    for row, differing in zip(changed, (1, 3, math.ceil(0.05 * 64))):
        row[:differing] = 1
    assert distinct_behaviours(np.array([base, *changed[:2]])) == 1
    assert distinct_behaviours(np.array([base, changed[2]])) == 2


def test_datasets_loads_each_configuration(folder: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    for name in ("tsp_construct", "all"):
        loaded = datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path))
        assert sum(part.num_rows for part in loaded.values()) == 24
    first = loaded["train"][0]
    assert first["program"] == load_corpus(split="train", folder=folder)[0].program
    assert len(first["behaviour"]) == 512


@pytest.mark.parametrize(
    ("damage", "reasons"),
    [
        (lambda source: source.replace("(current_node, ", "("), {"signature"}),
        (
            lambda source: source.replace("def select_next_node", "def choose", 1) + "def other():\n    pass\n",
            {"signature"},
        ),
        (lambda source: source.replace(":\n", "\n", 1), {"syntax"}),
    ],
)
def test_transforms_that_break_a_program_fill_nothing(
    damage: Any, reasons: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variant with another interface or broken syntax gets no further than the gate, or than `augment` before it."""
    from lhs_hf.corpus.augmentation import CROSSOVERS, TRANSFORMS

    def damaging(source: str, generator: np.random.Generator, task: Task) -> str | None:
        return damage(source)

    for tier in TRANSFORMS:
        monkeypatch.setitem(TRANSFORMS, tier, {"damaging": damaging})
    for name in list(CROSSOVERS):
        monkeypatch.delitem(CROSSOVERS, name)
    report, _ = build(tmp_path, count=8)
    assert report.rows == len(BODIES)
    refused = {reason for tier in report.rejected.values() for reason in tier}
    assert refused <= reasons
    assert {row.tier for row in load_corpus(folder=tmp_path)} == {"seed"}
