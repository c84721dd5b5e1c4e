"""Building the corpus: seeds and their variants, each through the same gate (paper, section 4.1 and appendix B).

Candidates are drawn in a fixed order and judged in that order, whatever the number of workers: the same seeds and the
same sources give the same bytes. (What depends on the machine is which programs are slower than the limit.) Finished
measurements live in `<output>/.build.sqlite`; a build that was killed starts again without repeating them.
"""

from __future__ import annotations

import json
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..evaluation import Behaviour, Evaluation
from ..programs import ProgramError, canonical, check_signature, parse, program_hash
from ..tasks import get_task
from ..tasks.base import Task
from .augmentation import TIERS, augment
from .card import write_card
from .dataset import DATA_FOLDER, FEATURES, PROBES, SPLITS, CorpusRow, write_rows
from .exclusions import Exclusions
from .identity import skeleton
from .seeds_io import Seed, read_seeds
from .stats import DISTINCT_SHARE
from .workfile import WorkFile

LIMIT_S = 5.0
BATCH = 16
TRIES = 6
CROSSOVER_SHARE = 0.35
SEED_PARENT_SHARE = 0.5
DRAWS_PER_ROW = 40
NOVEL_DRAWS_PER_ROW = 10
"""Draws for each program wanted during which a variant of tier b or c has to behave in a new way."""

SAME_DECISIONS_SHARE = 0.2
"""The largest share of variants that keep every decision (tier a) while there are draws that need not."""

PAPER_COUNTS: dict[str, int] = {
    "admissible_set": 498,
    "cflp_construct": 464,
    "cvrp_construct": 466,
    "jssp_construct": 473,
    "knapsack_construct": 439,
    "online_bin_packing": 479,
    "qap_construct": 416,
    "set_cover_construct": 474,
    "tsp_construct": 450,
    "vrptw_construct": 465,
}
"""Programs a task in the paper's corpus (appendix B): 4,624 in all."""

SPLIT_SHARES = {"train": 0.7, "validation": 0.1, "test": 0.2}


class ProgramEvaluator(Protocol):
    """What measures programs; `lhs_hf.evaluation.Evaluator` is one. Must allow calls from several threads."""

    def evaluate(self, source: str) -> Evaluation:
        """A program on the `search` split."""

    def probe(self, source: str) -> Behaviour | None:
        """A program on the probe states; None if it does not load or end in time."""

    def close(self) -> None:
        """Release what it holds."""


EvaluatorFactory = Callable[[Task, int], ProgramEvaluator]
TokenCounter = Callable[[str, Task], int]
Progress = Callable[[str, int, int], None]


@dataclass
class TaskReport:
    """How the build of one task went. `rejected` counts reasons by tier; `failed_seeds` maps families to reasons."""

    target: int
    accepted: Counter[str] = field(default_factory=Counter)
    drawn: Counter[str] = field(default_factory=Counter)
    rejected: dict[str, Counter[str]] = field(default_factory=dict)
    failed_seeds: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def rows(self) -> int:
        """How many programs the task has now."""
        return sum(self.accepted.values())

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `yield` is the share of drawn variants that pass the gate, by tier."""
        return {
            "target": self.target,
            "rows": self.rows,
            "accepted": dict(sorted(self.accepted.items())),
            "yield": {tier: self.accepted[tier] / count for tier, count in sorted(self.drawn.items()) if count},
            "rejected": {tier: dict(sorted(reasons.items())) for tier, reasons in sorted(self.rejected.items())},
            "failed_seeds": self.failed_seeds,
            "seconds": self.seconds,
        }


def split_families(families: Sequence[str], generator: np.random.Generator) -> dict[str, str]:
    """Assign families to train, validation and test, 70/10/20, rounded so that no split is empty if there are three."""
    count = len(families)
    validation = max(1, round(SPLIT_SHARES["validation"] * count)) if count >= 3 else 0
    test = max(1, round(SPLIT_SHARES["test"] * count)) if count >= 3 else 0
    order = [families[int(i)] for i in generator.permutation(count)]
    names = ["validation"] * validation + ["test"] * test + ["train"] * (count - validation - test)
    return dict(zip(order, names))


def build_corpus(
    tasks: Iterable[str | Task],
    counts: int | Mapping[str, int] = PAPER_COUNTS,
    seed: int = 0,
    output: str | Path = DATA_FOLDER,
    workers: int = 1,
    progress: Progress | None = None,
    evaluator_factory: EvaluatorFactory | None = None,
    count_tokens: TokenCounter | None = None,
    seeds: Callable[[str], list[Seed]] = read_seeds,
    limit_s: float = LIMIT_S,
) -> dict[str, TaskReport]:
    """Build the corpus of some tasks; the files of other tasks in `output` stay.

    Args:
        tasks: tasks, or names of built-in ones.
        counts: programs a task, seeds included: one number, or one for each task's name.
        seed: of the family splits and of all augmentation.
        output: the folder of the data set.
        workers: programs that are measured at the same time.
        progress: called with (task name, programs accepted, target) after each batch.
        evaluator_factory: (task, workers) -> what measures programs; None takes the sandboxed `Evaluator`.
        count_tokens: (source, task) -> length in decoder tokens; a `ValueError` refuses the program. None asks
            nothing and stores null; `grammar_tokens` makes one.
        seeds: task name -> seed programs.
        limit_s: a program that takes longer on the `search` split stays out. Which programs that were is written to
            `excluded.json`; where the same build was done before, that list decides instead of the clock.

    Returns a report for each task. A task whose families can not give the target ends below it, and the report says so.
    """
    output = Path(output)
    chosen = [get_task(task) if isinstance(task, str) else task for task in tasks]
    work = WorkFile(output / ".build.sqlite")
    reports: dict[str, TaskReport] = {}
    try:
        for task in chosen:
            target = counts if isinstance(counts, int) else counts[task.name]
            evaluator = (evaluator_factory or _sandboxed)(task, workers)
            try:
                found = seeds(task.name)
                exclusions = Exclusions(output, task.name, [seed, target, *(entry.source for entry in found)])
                gate = _Gate(task, evaluator, work, workers, count_tokens, limit_s, exclusions)
                build = _TaskBuild(task, found, target, seed, gate, progress)
                reports[task.name] = build.run()
                reference = gate.measure([task.template])[0].objective
            finally:
                evaluator.close()
            exclusions.write()
            _write_task(build.rows, task, output)
            _write_runtimes(build.rows, gate.runtimes, task, output)
            _write_reference(task.name, reference, output)
    finally:
        work.close()
    write_card(output)
    return reports


def grammar_tokens(programs: Iterable[tuple[str, Task]]) -> TokenCounter:
    """A token counter by the program grammar; its vocabulary comes from `programs` (source, task), say the seeds."""
    from ..decoding.grammar import Signature, Vocabulary, encode
    from ..programs import canonical_tree

    pairs = [(source, Signature(task.function_name, tuple(task.arguments))) for source, task in programs]
    vocabulary = Vocabulary.build(pairs)

    def count(source: str, task: Task) -> int:
        return len(encode(canonical_tree(source), Signature(task.function_name, tuple(task.arguments)), vocabulary))

    return count


def _sandboxed(task: Task, workers: int) -> ProgramEvaluator:
    from ..evaluation import Evaluator, Limits

    # Processor time decides, so that a busy machine builds the same corpus.
    return Evaluator(task, split="search", workers=workers, limits=Limits(wall_s=12 * LIMIT_S, cpu_s=4 * LIMIT_S))


@dataclass(frozen=True)
class _Candidate:
    source: str
    canonical: str
    hash: str
    family: str
    split: str
    tier: str
    parents: tuple[str, ...]
    transforms: tuple[str, ...]
    parent_objective: float | None


class _Gate:
    """Measures programs, each once, and says what is wrong with a candidate."""

    def __init__(
        self,
        task: Task,
        evaluator: ProgramEvaluator,
        work: WorkFile,
        workers: int,
        count_tokens: TokenCounter | None,
        limit_s: float,
        exclusions: Exclusions,
    ) -> None:
        self._task, self._evaluator, self._work = task, evaluator, work
        self._workers, self._count_tokens, self._limit_s = workers, count_tokens, limit_s
        self._exclusions = exclusions
        self.runtimes: dict[str, float] = {}

    def measure(self, sources: Sequence[str]) -> list[Evaluation]:
        """Evaluations in the order of the programs; each is stored before its worker begins another."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._measured, sources))

    def probe(self, sources: Sequence[str]) -> list[Behaviour]:
        """Behaviours in the order of the programs, all decisions -1 for one that does not load or end in time."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._probed, sources))

    def _measured(self, source: str) -> Evaluation:
        key = program_hash(source)
        reason = self._exclusions.reason(key)
        if reason is not None:
            return Evaluation(reason, message="left out when the corpus was first built")
        evaluation = self._work.evaluation(self._task.name, self._task.version, key)
        if evaluation is None:
            evaluation = self._evaluator.evaluate(source)
            if evaluation.status == "sandbox_error":
                raise RuntimeError(f"the evaluation of a program of {self._task.name} failed: {evaluation.message}")
            self._work.put_evaluation(self._task.name, self._task.version, key, evaluation)
        self.runtimes[key] = evaluation.runtime_s
        return evaluation

    def _probed(self, source: str) -> Behaviour:
        key = program_hash(source)
        behaviour = self._work.behaviour(self._task.name, self._task.version, key)
        if behaviour is None:
            behaviour = self._evaluator.probe(source)
            if behaviour is None:
                behaviour = Behaviour(np.full(PROBES, -1), np.full((PROBES, FEATURES), np.nan, dtype=np.float32))
            self._work.put_behaviour(self._task.name, self._task.version, key, behaviour)
        return behaviour

    def tokens(self, source: str) -> int | None:
        """Length in decoder tokens. Raises `ValueError` for a program that the decoder can not write."""
        return None if self._count_tokens is None else self._count_tokens(source, self._task)

    def refusal(self, candidate: _Candidate, evaluation: Evaluation) -> str | None:
        """Why an evaluated candidate stays out, or None."""
        if evaluation.status != "ok" or evaluation.objective is None:
            self._exclusions.note(candidate.hash, evaluation.status)
            return evaluation.status
        if evaluation.runtime_s > self._limit_s and not self._exclusions.settled:
            self._exclusions.note(candidate.hash, "slow")
            return "slow"
        parent = candidate.parent_objective if candidate.tier == "a" else None
        if parent is not None and not np.isclose(evaluation.objective, parent, rtol=1e-9, atol=0.0):
            return "changed"
        return None


class _TaskBuild:
    """The rows of one task, grown batch by batch."""

    def __init__(
        self, task: Task, seeds: list[Seed], target: int, seed: int, gate: _Gate, progress: Progress | None
    ) -> None:
        if not seeds:
            raise ValueError(f"task {task.name} has no seed programs")
        self._task, self._gate, self._progress = task, gate, progress
        self._seeds = seeds
        self._key = (seed, zlib.crc32(task.name.encode()))
        self._splits = split_families([entry.family for entry in seeds], np.random.default_rng(self._key))
        self._pools: dict[str, list[CorpusRow]] = {entry.family: [] for entry in seeds}
        self._seen: set[str] = set()
        self._ideas: dict[str, str] = {}
        self._novel_until = NOVEL_DRAWS_PER_ROW * target
        self._index = 0
        self.rows: list[CorpusRow] = []
        self.report = TaskReport(target)

    def run(self) -> TaskReport:
        """Judge the seeds, then variants until the target is reached or the draws are used up."""
        started = time.perf_counter()
        self._judge([candidate for entry in self._seeds if (candidate := self._seed_candidate(entry))])
        while self.rows and len(self.rows) < self.report.target and self._index < DRAWS_PER_ROW * self.report.target:
            drawn = []
            for _ in range(BATCH):
                candidate = self._draw(self._index)
                self._index += 1
                if candidate is not None:
                    drawn.append(candidate)
            self._judge(drawn)
        self.report.seconds = time.perf_counter() - started
        return self.report

    def _seed_candidate(self, entry: Seed) -> _Candidate | None:
        key = program_hash(entry.source)
        if key in self._seen:
            self.report.failed_seeds[entry.family] = "duplicate"
            return None
        self._seen.add(key)
        try:
            other = self._ideas.setdefault(skeleton(entry.source), entry.family)
        except ProgramError as error:
            self.report.failed_seeds[entry.family] = error.kind
            return None
        if other != entry.family:
            self.report.failed_seeds[entry.family] = f"the same idea as {other}"
            return None
        split = self._splits[entry.family]
        return _Candidate(entry.source, canonical(entry.source), key, entry.family, split, "seed", (), (), None)

    def _draw(self, index: int) -> _Candidate | None:
        """The candidate of one turn: families and tiers take turns; None if this turn's family yields nothing new."""
        generator = np.random.default_rng((*self._key, index))
        count = len(self._seeds)
        family = self._seeds[index % count].family
        tier = TIERS[(index // count + index % count) % len(TIERS)]
        if tier == "a" and self._searching and self.report.accepted["a"] >= SAME_DECISIONS_SHARE * self.report.target:
            tier = "b" if index % 2 else "c"
        split = self._splits[family]
        pool = self._pools[family]
        if not pool:
            return None
        mates = [
            row for name, rows in self._pools.items() if self._splits[name] == split and name != family for row in rows
        ]
        for _ in range(TRIES):
            grown = len(pool) > 1 and generator.random() >= SEED_PARENT_SHARE
            parent = pool[int(generator.integers(1, len(pool)))] if grown else pool[0]
            crossing = tier == "c" and bool(mates) and generator.random() < CROSSOVER_SHARE
            partner = mates[int(generator.integers(len(mates)))] if crossing else None
            variant = augment(
                parent.program, self._task, tier, generator, None if partner is None else partner.program, family
            )
            if variant is None:
                continue
            key = program_hash(variant.source)
            if key not in self._seen:
                self._seen.add(key)
                return _Candidate(
                    variant.source,
                    canonical(variant.source),
                    key,
                    family,
                    split,
                    tier,
                    variant.parents,
                    variant.transforms,
                    parent.objective,
                )
        return None

    @property
    def _searching(self) -> bool:
        """Whether variants of tier b and c still have to behave in a new way."""
        return self._index < self._novel_until

    def _is_known(self, candidate: _Candidate, behaviour: Behaviour) -> bool:
        """Whether a variant that should decide in a new way decides like an accepted program."""
        if candidate.tier not in ("b", "c") or not self._searching or not self.rows:
            return False
        differing = (np.stack([row.decisions for row in self.rows]) != behaviour.decisions).mean(axis=1)
        return bool(differing.min() < DISTINCT_SHARE)

    def _judge(self, candidates: Sequence[_Candidate]) -> None:
        counted: list[tuple[_Candidate, int | None]] = []
        for candidate in candidates:
            try:
                tree = parse(candidate.source)
                check_signature(tree, self._task.function_name, len(self._task.arguments))
                counted.append((candidate, self._gate.tokens(candidate.source)))
            except ProgramError as error:
                self._refuse(candidate, error.kind)
            except ValueError as error:
                self._refuse(candidate, "unsupported", str(error))
        behaviours = self._gate.probe([candidate.source for candidate, _ in counted])
        fresh = []
        for (candidate, tokens), behaviour in zip(counted, behaviours):
            if self._is_known(candidate, behaviour):
                self._refuse(candidate, "behaviour")
            else:
                fresh.append((candidate, tokens, behaviour))
        evaluations = self._gate.measure([candidate.source for candidate, _, _ in fresh])
        for (candidate, tokens, behaviour), evaluation in zip(fresh, evaluations):
            if len(self.rows) >= self.report.target:
                break
            self.report.drawn[candidate.tier] += 1
            reason = self._gate.refusal(candidate, evaluation)
            if reason is None and self._is_known(candidate, behaviour):
                reason = "behaviour"
            if reason is None:
                self._accept(candidate, evaluation, behaviour, tokens)
            else:
                self._reject(candidate, reason, evaluation.message)
        if self._progress is not None:
            self._progress(self._task.name, len(self.rows), self.report.target)

    def _refuse(self, candidate: _Candidate, reason: str, message: str = "") -> None:
        self.report.drawn[candidate.tier] += 1
        self._reject(candidate, reason, message)

    def _reject(self, candidate: _Candidate, reason: str, message: str = "") -> None:
        self.report.rejected.setdefault(candidate.tier, Counter())[reason] += 1
        if candidate.tier == "seed":
            self.report.failed_seeds[candidate.family] = f"{reason}: {message}".rstrip(": ")

    def _accept(self, candidate: _Candidate, evaluation: Evaluation, behaviour: Behaviour, tokens: int | None) -> None:
        assert evaluation.objective is not None
        assert evaluation.score is not None
        row = CorpusRow(
            task=self._task.name,
            program=candidate.source,
            canonical=candidate.canonical,
            hash=candidate.hash,
            family=candidate.family,
            split=candidate.split,
            tier=candidate.tier,
            parents=candidate.parents,
            transforms=candidate.transforms,
            objective=evaluation.objective,
            score=evaluation.score,
            objectives=evaluation.objectives,
            tokens=tokens,
            decisions=behaviour.decisions,
            behaviour=behaviour.features,
        )
        self.rows.append(row)
        self._pools[candidate.family].append(row)
        self.report.accepted[candidate.tier] += 1


def _write_task(rows: list[CorpusRow], task: Task, output: Path) -> None:
    for split in SPLITS:
        path = output / task.name / f"{split}-00000.parquet"
        chosen = [row for row in rows if row.split == split]
        if chosen:
            write_rows(chosen, path)
        else:
            path.unlink(missing_ok=True)


def _write_runtimes(rows: list[CorpusRow], runtimes: Mapping[str, float], task: Task, output: Path) -> None:
    """Seconds on this machine, kept apart from the rows because they differ from run to run."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    path = output / "runtimes.parquet"
    old = parquet.read_table(path).to_pylist() if path.exists() else []
    records = [record for record in old if record["task"] != task.name]
    records += [{"task": task.name, "hash": row.hash, "runtime_s": runtimes[row.hash]} for row in rows]
    schema = pa.schema([("task", pa.string()), ("hash", pa.string()), ("runtime_s", pa.float64())])
    parquet.write_table(pa.Table.from_pylist(records, schema=schema), path)


def _write_reference(task: str, objective: float | None, output: Path) -> None:
    path = output / "references.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[task] = objective
    path.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
