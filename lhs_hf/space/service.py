"""What the page asks for, without the page: the model, the visitors' searches, the maps and the sandbox."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from ..constants import resolve_model
from ..corpus.dataset import CorpusRow, load_corpus
from ..corpus.stats import reference_objectives
from ..errors import CallError, unknown
from ..evaluation import Evaluation, Evaluator, Limits
from ..evaluation.cache import EvaluationCache
from ..programs import MAX_SOURCE_BYTES
from ..report import typical_instance
from ..search.between import Between, decode_between
from ..tasks import get_task, task_names
from .atlas import Atlas, AtlasShelf
from .pictures import solution_picture
from .runs import Run, RunRegistry, VisitorLimits

# Seconds without a search after which there is time for maps nobody has asked for.
QUIET_S = 20.0


class SpaceService:
    """One pipeline for all visitors, and everything the page shows.

    Args:
        model: name of a composite model.
        search: a pipeline to use instead of loading `model`.
    """

    def __init__(self, model: str = "lhs-tiny", search: Any = None, limits: VisitorLimits | None = None) -> None:
        self.limits = limits or VisitorLimits()
        self._model = model
        self._loaded = search
        self._loading = threading.Lock()
        self._pictures: dict[str, str] = {}
        self._known: dict[str, tuple[float, float]] = {}
        self._decoding = threading.Lock()
        # Matplotlib is not safe in several threads.
        self._drawing = threading.Lock()
        resolve_model(model)
        self.runs = RunRegistry(lambda *tasks, **options: self.pipeline(*tasks, **options), self.limits)
        self.atlases = AtlasShelf(lambda task, space: self.pipeline.components(task, space))

    @property
    def pipeline(self) -> Any:
        """The `latent-heuristic-search` pipeline, loaded when it is first needed."""
        with self._loading:
            if self._loaded is None:
                from transformers import pipeline

                self._loaded = pipeline(
                    "latent-heuristic-search", model=resolve_model(self._model), trust_remote_code=False
                )
                # Encoder and decoder are loaded here too: later calls, from several threads, find them there.
                self._loaded.components(task_names()[0])
            return self._loaded

    def warm(self) -> None:
        """Load the model and make all maps, in a thread of its own, so that the page is there at once.

        After the first map it waits for the visitors to be quiet: their searches come first, and a map that is asked
        for is made at once.
        """

        def work() -> None:
            for task in task_names():
                self.atlases.get(task)
                while self.runs.idle_s < QUIET_S:
                    time.sleep(1.0)

        threading.Thread(target=work, name="warm", daemon=True).start()

    def evaluate(self, task: str, program: str, split: str = "search") -> Evaluation:
        """Run a visitor's program in the sandbox, within a visitor's limits. Raises `CallError` for a wrong call."""
        chosen = get_task(task)
        if split not in chosen.splits:
            raise unknown(f"split of {chosen.name}", split, chosen.splits)
        if len(program.encode("utf-8", "replace")) > MAX_SOURCE_BYTES:
            raise CallError(f"a program has at most {MAX_SOURCE_BYTES} bytes")
        limits = Limits(wall_s=self.limits.edit_s, memory_mb=self.limits.edit_mb)
        with Evaluator(chosen, split, limits=limits) as evaluator:
            return evaluator.evaluate(program)

    def picture(self, run: Run) -> str:
        """The found solution beside the reference's, as HTML, once the search is over.

        "" where there is none. The instance is the one that `lhs-hf report` shows. Raises `Unsolved` if a program
        that was scored fails now.
        """
        if run.result is None:
            return ""
        if run.id not in self._pictures:
            self._pictures = {name: text for name, text in self._pictures.items() if self.runs.knows(name)}
            index = typical_instance(run.task, run.ordered())
            with self._drawing, Evaluator(run.task) as evaluator:
                self._pictures[run.id] = solution_picture(run.task, evaluator, run.result["program"], index)
        return self._pictures[run.id]

    def archive(self, run: Run) -> Path | None:
        """The run folder with its report as a ZIP file, once the search is over."""
        with self._drawing:
            return self.runs.archive(run)

    def adapter(self, run: Run) -> Path | None:
        """The best candidate's adapter as a ZIP file, once the search is over. Raises `CallError` without `peft`."""
        return self.runs.adapter(run)

    def known_objectives(self, task: str) -> tuple[float, float]:
        """Objectives on `search` of the reference program and of the corpus program with the highest score."""
        if task not in self._known:
            best = max(load_corpus(task), key=lambda row: row.score).objective
            self._known[task] = reference_objectives()[task], best
        return self._known[task]

    def corpus(self, task: str, least: float = 0.0, most: float = 100.0) -> tuple[Atlas, list[int]]:
        """The map of a task and the rows whose score lies between two percentiles of the corpus."""
        atlas = self.atlases.get(task)
        low, high = sorted((least / 100, most / 100))
        return atlas, [row for row, level in enumerate(atlas.level) if low <= level <= high]

    def row(self, task: str, number: int) -> CorpusRow:
        """A program of the corpus by its place on the map. Raises `CallError` for a place that does not exist."""
        rows = self.atlases.get(task).rows
        if not 0 <= number < len(rows):
            raise CallError(f"the map of {task} has programs 0 to {len(rows) - 1}, not {number}")
        return rows[number]

    def between(self, task: str, first: int, second: int, seed: int = 0) -> list[Between]:
        """Decode and score what lies between two programs of the map."""
        import torch

        atlas = self.atlases.get(task)
        self.row(task, first), self.row(task, second)
        start, end = (torch.from_numpy(atlas.points[row]) for row in (first, second))
        chosen = get_task(task)
        limits = Limits(wall_s=self.limits.edit_s, memory_mb=self.limits.edit_mb)
        with self._decoding, Evaluator(chosen, limits=limits, cache=EvaluationCache()) as evaluator:
            return decode_between(self.pipeline.components(task), chosen, start, end, evaluator, seed=seed)

    def close(self) -> None:
        """Stop all searches and delete what they wrote."""
        self.runs.close()
