# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""What the decoder of a model does, in figures with 95% intervals: docs and model card quote its JSON.

    python scripts/benchmarks/measure_decoder.py                  the model that ships, results/decoder.json
    python scripts/benchmarks/measure_decoder.py --model export --split validation --out choice.json --sections valid

Sections: `tokenizer` (round trip and masks), `valid`, `runs`, `faithful`, `cycle`, `speed`, `totals`. All decoding is
at temperature 0.7 and top-p 0.9, one try a latent. Held-out latents are those of families of `--split`. Each task of a
section is in the JSON before the next begins; the same command goes on where an interrupted one was, and does nothing
again. Programs are kept beside it (`*.programs.jsonl`): sections share them.

An interval covers Wilson's and, where several programs share a family, the bootstrap over families (2,000 resamples,
tasks apart).
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch
from decoder import sections, speed, tokenizer
from decoder.statistics import pool
from decoder.store import Pool, Store
from decoder.subject import Programs, Settings, Subject, open_evaluator
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lhs_hf.corpus.dataset import SPLITS
from lhs_hf.evaluation import Evaluator
from lhs_hf.tasks import task_names

DECODING = {
    "valid": sections.valid,
    "runs": sections.runs,
    "faithful": sections.faithful,
    "cycle": sections.cycle,
}
SECTIONS = ("tokenizer", *DECODING, "speed", "totals")
MODEL = "model"
"""The unit of a section that has no tasks."""


class Measurement:
    """One run of the script: the units that are missing, one after the other."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.subject = Subject(options.model)
        self.settings = Settings(options.split, options.latents, options.seed)
        settings = {**asdict(self.settings), "model": self.subject.digest()}
        self.store = Store(options.out, settings)
        self.programs = Programs(options.out.with_suffix(".programs.jsonl"), self.subject, self.settings)
        self._pool: ProcessPoolExecutor | None = None

    def missing(self) -> list[tuple[str, str]]:
        """Pairs of section and task that have no result yet."""
        units = [
            (section, unit)
            for section in self.options.sections
            for unit in ([MODEL] if section == "totals" else self.options.tasks)
        ]
        return [(section, unit) for section, unit in units if not self.store.has(section, unit)]

    def run(self, progress: Progress) -> None:
        """Measure what is missing."""
        units = self.missing()
        bar = progress.add_task("", total=len(units))
        with ExitStack() as stack:
            for section, unit in units:
                progress.update(bar, description=f"{section} {unit}")
                result, pooled = self._measure(section, unit, stack)
                self.store.put(section, unit, result, pooled)
                progress.advance(bar)

    def _measure(self, section: str, unit: str, stack: ExitStack) -> tuple[Any, Pool]:
        if section == "totals":
            return speed.totals(self.subject), lambda records: records[0]
        if section == "tokenizer":
            return self._tokenizer(unit, stack), pool
        with open_evaluator(unit, self.options.workers) as evaluator:
            if section == "speed":
                return self._speed(evaluator), speed.pool_speed
            return DECODING[section](self.programs, evaluator), pool

    def _tokenizer(self, task: str, stack: ExitStack) -> dict[str, Any]:
        if self._pool is None:
            folder = str(self.subject.tokenizer.name_or_path)
            self._pool = stack.enter_context(tokenizer.open_pool(folder, self.options.workers))
        names = task_names()
        # The variants are divided among all tasks, whichever of them are measured now.
        streamed = self.options.variants // len(names) + (names.index(task) < self.options.variants % len(names))
        limit = self.settings.max_new_tokens
        return tokenizer.measure(self._pool, task, streamed, self.settings.seed, limit)

    def _speed(self, evaluator: Evaluator) -> dict[str, Any]:
        options = self.options
        measured = speed.task_speed(
            self.subject, evaluator, self.settings, options.batches, options.guided_batches, options.rounds
        )
        return {**measured, "machine": machine()}


def machine() -> dict[str, Any]:
    """Where a speed was measured."""
    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
    }


def several(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Parser of a comma-separated choice, in the order of `known`."""
    return partial(_several, known)


def _several(known: Sequence[str], text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no {', '.join(unknown)}; there are: {', '.join(known)}")
    return [name for name in known if name in names]


def sizes(text: str) -> list[int]:
    """Parser of comma-separated batch sizes."""
    return [int(number) for number in text.split(",")]


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny", help="lhs-tiny or a model folder")
    parser.add_argument("--out", type=Path, default=Path("results/decoder.json"))
    parser.add_argument("--sections", type=several(SECTIONS), default=list(SECTIONS), help=", ".join(SECTIONS))
    parser.add_argument("--tasks", type=several(task_names()), default=list(task_names()))
    parser.add_argument("--split", choices=SPLITS, default="test", help="whose families are held out")
    parser.add_argument("--latents", type=int, default=40, help="latents a task and kind of point")
    parser.add_argument("--variants", type=int, default=10_000, help="streamed variants that the tokenizer has to read")
    parser.add_argument("--batches", type=sizes, default=[32, 64], help="batch sizes without guidance")
    parser.add_argument("--guided-batches", type=sizes, default=[16, 32])
    parser.add_argument("--rounds", type=int, default=1, help="rounds of speed without guidance")
    parser.add_argument("--workers", type=int, default=2, help="evaluator workers, and processes of the tokenizer")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing in the JSON."""
    try:
        measurement = Measurement(parsed(arguments))
    except ValueError as error:
        sys.exit(str(error))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        measurement.run(progress)
    print(f"{measurement.options.out}: {', '.join(measurement.store.content['sections'])}")


if __name__ == "__main__":
    main()
