"""Growing the rows of one task from its seed programs, batch by batch, in a fixed order."""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..evaluation import Behaviour, Evaluation
from ..programs import ProgramError, canonical, check_signature, parse, program_hash
from ..tasks.base import Task
from .augmentation import TIERS, augment
from .dataset import CorpusRow
from .gate import Candidate, Gate
from .identity import skeleton
from .seeds_io import Seed
from .stats import DISTINCT_SHARE

BATCH = 16
TRIES = 6
CROSSOVER_SHARE = 0.35
SEED_PARENT_SHARE = 0.5
DRAWS_PER_ROW = 40
NOVEL_DRAWS_PER_ROW = 10
"""Draws for each program wanted during which a variant of tier b or c has to behave in a new way."""

SAME_DECISIONS_SHARE = 0.2
"""The largest share of variants that keep every decision (tier a) while there are draws that need not."""

SPLIT_SHARES = {"train": 0.7, "validation": 0.1, "test": 0.2}

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


class TaskBuild:
    """The rows of one task, grown batch by batch."""

    def __init__(
        self, task: Task, seeds: list[Seed], target: int, seed: int, gate: Gate, progress: Progress | None
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

    def _seed_candidate(self, entry: Seed) -> Candidate | None:
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
        return Candidate(entry.source, canonical(entry.source), key, entry.family, split, "seed", (), (), None)

    def _draw(self, index: int) -> Candidate | None:
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
                return Candidate(
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

    def _is_known(self, candidate: Candidate, behaviour: Behaviour) -> bool:
        """Whether a variant that should decide in a new way decides like an accepted program."""
        if candidate.tier not in ("b", "c") or not self._searching or not self.rows:
            return False
        differing = (np.stack([row.decisions for row in self.rows]) != behaviour.decisions).mean(axis=1)
        return bool(differing.min() < DISTINCT_SHARE)

    def _judge(self, candidates: Sequence[Candidate]) -> None:
        counted: list[tuple[Candidate, int | None]] = []
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

    def _refuse(self, candidate: Candidate, reason: str, message: str = "") -> None:
        self.report.drawn[candidate.tier] += 1
        self._reject(candidate, reason, message)

    def _reject(self, candidate: Candidate, reason: str, message: str = "") -> None:
        self.report.rejected.setdefault(candidate.tier, Counter())[reason] += 1
        if candidate.tier == "seed":
            self.report.failed_seeds[candidate.family] = f"{reason}: {message}".rstrip(": ")

    def _accept(self, candidate: Candidate, evaluation: Evaluation, behaviour: Behaviour, tokens: int | None) -> None:
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
