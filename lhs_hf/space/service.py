"""What the page asks for, without the page: the model, the visitors' searches, the maps and the sandbox."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..constants import embedded_model, resolve_model
from ..corpus.dataset import CorpusRow, corpus_tasks, load_corpus
from ..corpus.stats import known_objectives, reference_objectives
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator, Limits, SandboxError
from ..evaluation.cache import EvaluationCache
from ..programs import MAX_SOURCE_BYTES
from ..reporting.run_report import typical_instance
from ..search.between import Between, decode_between
from ..search.database import Candidate
from ..search.settings import SPACES
from ..tasks import task_names
from ..tasks.base import Task
from . import example
from .atlas import Atlas, AtlasShelf
from .catalogue import DEFAULT_TASK, TaskCatalogue
from .checks import MOST_SEED, name_of, real, text, whole
from .fairness import FairTurns
from .pictures import solution_picture
from .pool import EvaluatorPool
from .presence import Presence
from .run import Located, Run
from .runs import RunRegistry, VisitorLimits

T = TypeVar("T")

# Seconds without a search after which there is time for maps nobody has asked for.
QUIET_S = 20.0
# After a minute half of the time that a visitor's calls took is forgotten.
MEMORY_S = 60.0
# Niceness of the programs that visitors evaluate.
PROGRAM_PRIORITY = 10
TIMEOUTS = ("wall_timeout", "cpu_timeout")


class SpaceService:
    """One pipeline for all visitors, and everything the page shows.

    Args:
        model: name of a composite model.
        search: a pipeline to use instead of loading `model`.
        tasks: task files to offer beside the built-in tasks, by the names of their tasks. They run in this process.

    Whatever comes from a visitor is checked here: a task is a name of `tasks`, never a path. Methods with a `visitor`
    and a `session` take fair turns between visitors, and do nothing for a session that has been left. Wrong calls
    raise `CallError`.
    """

    def __init__(
        self,
        model: str = "lhs-tiny",
        search: Any = None,
        limits: VisitorLimits | None = None,
        tasks: Iterable[str | Path] = (),
    ) -> None:
        self.limits = limits or VisitorLimits()
        self.tasks = TaskCatalogue(tasks)
        self.presence = Presence()
        self._model = model
        self._loaded = search
        self._loading = threading.Lock()
        self._pictures: dict[str, str] = {}
        self._families: dict[str, dict[str, str]] = {}
        self._known: dict[str, tuple[float, float]] = {}
        self._decoding = threading.Lock()
        # Matplotlib is not safe in several threads.
        self._drawing = threading.Lock()
        resolve_model(model)
        self.runs = RunRegistry(
            lambda *tasks, **options: self.pipeline(*tasks, **options), self.limits, self.tasks, self.locate
        )
        self.example = example.read(self.tasks)
        each = self.limits.calls
        self._quick = FairTurns("evaluations", self.limits.evaluations, each, MEMORY_S)
        self._long = FairTurns("evaluations", self.limits.long_evaluations, each, MEMORY_S)
        self._decoder = FairTurns("decodings", 1, each, MEMORY_S)
        self._maps = FairTurns("maps", 2, 2 * each, MEMORY_S)
        self._files = FairTurns("downloads", 1, 2 * each, MEMORY_S)
        quick_s = min(self.limits.quick_s, self.limits.edit_s)
        self._quick_evaluators = EvaluatorPool(lambda task: self._evaluator(task, quick_s), self.limits.evaluations)
        self._evaluators = EvaluatorPool(
            lambda task: self._evaluator(task, self.limits.edit_s), self.limits.long_evaluations
        )
        self._watchers: Counter[str] = Counter()
        self.atlases = AtlasShelf(lambda task, space: self.pipeline.components(task, space))

    @property
    def pipeline(self) -> Any:
        """The `latent-heuristic-search` pipeline, loaded when it is first needed."""
        with self._loading:
            if self._loaded is None:
                from transformers import pipeline

                self._loaded = pipeline(
                    "latent-heuristic-search", model=resolve_model(self._model), trust_remote_code=False, progress=False
                )
                # Encoder and decoder are loaded here too: later calls, from several threads, find them there.
                self._loaded.components(task_names()[0])
            return self._loaded

    def warm(self) -> None:
        """Load the model and make all maps, in a thread of its own, so that the page is there at once.

        After the first map, that of the task which the page proposes, it waits for the visitors to be quiet: their
        searches come first, and a map that is asked for is made at once.
        """

        def work() -> None:
            for task in sorted(task_names(), key=lambda name: name != DEFAULT_TASK):
                self.atlases.get(task)
                while self.runs.idle_s < QUIET_S:
                    time.sleep(1.0)

        threading.Thread(target=work, name="warm", daemon=True).start()

    def evaluate(self, task: str, program: str, split: str = "search", quick: bool = False) -> Evaluation:
        """Run a visitor's program in the sandbox, within a visitor's limits. Raises `CallError` for a wrong call.

        `quick`: for `quick_s` seconds at most.
        """
        chosen = self.tasks.get(task)
        split = name_of(f"split of {chosen.name}", split, chosen.splits)
        program = text("program", program, MAX_SOURCE_BYTES)
        with (self._quick_evaluators if quick else self._evaluators).lent(chosen) as evaluator:
            return evaluator.evaluate(program, split)

    async def evaluate_in_turn(
        self, task: str, program: str, split: str, visitor: str, session: str | None
    ) -> Evaluation:
        """As `evaluate`, in fair turns. A program that is not done at once makes way and begins again with the slow."""
        pending = self._quick.pending(visitor) + self._long.pending(visitor)
        if pending >= self.limits.calls:
            raise CallError(f"you have {pending} evaluations waiting or running already; wait for one of them")
        wanted = self._wanted(session)
        first = partial(self.evaluate, task, program, split, quick=True)
        evaluation = await self._quick.run(visitor, first, wanted)
        if evaluation.status in TIMEOUTS and self.limits.quick_s < self.limits.edit_s:
            evaluation = await self._long.run(visitor, partial(self.evaluate, task, program, split), wanted)
        return evaluation

    async def map_in_turn(self, work: Callable[[], T], visitor: str, session: str | None) -> T:
        """Lay out or draw a map, in fair turns."""
        return await self._maps.run(visitor, work, self._wanted(session))

    async def decode_in_turn(self, work: Callable[[], T], visitor: str, session: str | None) -> T:
        """Have the decoder write something, in fair turns."""
        return await self._decoder.run(visitor, work, self._wanted(session))

    async def file_in_turn(self, work: Callable[[], T], visitor: str, session: str | None) -> T:
        """Make a picture or a file, in fair turns."""
        return await self._files.run(visitor, work, self._wanted(session))

    def look(self, name: Any, session: str | None) -> Run | None:
        """A run that a session asks for. It counts as looked at only if somebody is there to see it."""
        if self.example is not None and name == self.example.id:
            return self.example
        if self.presence.absent_s(session) > 0:
            return self.runs.peek(name)
        return self.runs.get(name)

    def left(self, session: str | None) -> bool:
        """Whether a session's answers have not been read for as long as a search goes on unwatched."""
        return self.presence.absent_s(session) > self.limits.unwatched_s

    @contextmanager
    def watching(self, visitor: str) -> Iterator[None]:
        """One page more that shows a search to this visitor. Raises `CallError` above the limit of streams."""
        if self._watchers[visitor] >= self.limits.streams:
            raise CallError(f"your address watches {self._watchers[visitor]} searches already; close a page")
        self._watchers[visitor] += 1
        try:
            yield
        finally:
            self._watchers[visitor] -= 1
            self._watchers += Counter()  # drops those at zero

    def _evaluator(self, task: Task, wall_s: float) -> Evaluator:
        evaluator = Evaluator(task, limits=Limits(wall_s=wall_s, memory_mb=self.limits.edit_mb))
        # Programs that fill every processor leave this process, which answers all visitors, its share.
        for pid in evaluator.process_ids:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, pid, PROGRAM_PRIORITY)
        return evaluator

    def _wanted(self, session: str | None) -> Callable[[], bool]:
        return lambda: not self.left(session)

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

    def program_file(self, run: Run) -> Path | None:
        """The best program as a file of its own, once the search is over; None of the run that ships."""
        return self.runs.program_file(run) if self.runs.knows(run.id) else None

    def known_text(self, task: str, candidate: Candidate) -> str | None:
        """The family of the corpus program whose text a candidate repeats but for its layout; None for another text."""
        if task not in self._families:
            rows = load_corpus(task) if self.has_corpus(task) else []
            self._families[task] = {row.hash: row.family for row in rows}
        return self._families[task].get(candidate.program_hash or "")

    def known_on_splits(self, task: str) -> dict[str, dict[str, float]]:
        """Objectives of the reference and the best corpus program on every split that ship with the package."""
        return known_objectives(task) if self.has_corpus(task) else {}

    def archive(self, run: Run) -> Path | None:
        """The run folder with its report as a ZIP file, once the search is over."""
        with self._drawing:
            return self.runs.archive(run)

    def adapter(self, run: Run) -> Path | None:
        """The best candidate's adapter as a ZIP file, once the search is over. Raises `CallError` without `peft`."""
        name = str(self.pipeline.model.config._name_or_path)
        return self.runs.adapter(run, name if Path(name) != embedded_model() else None)

    def known_objectives(self, task: str) -> tuple[float | None, float | None]:
        """Objectives on `search` of the reference program and of the corpus program with the highest score.

        None for both where the corpus has no programs of the task.
        """
        if not self.has_corpus(task):
            return None, None
        if task not in self._known:
            best = max(load_corpus(task), key=lambda row: row.score).objective
            self._known[task] = reference_objectives()[task], best
        return self._known[task]

    def has_corpus(self, task: str) -> bool:
        """Whether there are programs of a task, and so a map. Raises `CallError` for a name that is no task."""
        return self.tasks.get(task).name in corpus_tasks()

    def atlas(self, task: str, space: str = "prior") -> Atlas:
        """The map of a task, made now if nobody asked for it before. Raises `CallError` where there is no corpus."""
        if not self.has_corpus(task):
            raise CallError(f"the corpus has no programs of {task}; it has: {', '.join(corpus_tasks())}")
        return self.atlases.get(task, name_of("space", space, SPACES))

    def corpus(self, task: str, least: float = 0.0, most: float = 100.0) -> tuple[Atlas, list[int]]:
        """The map of a task and the rows whose score lies between two percentiles of the corpus."""
        least, most = (real(name, value, 0, 100) for name, value in (("least", least), ("most", most)))
        atlas = self.atlas(task)
        low, high = sorted((least / 100, most / 100))
        return atlas, [row for row, level in enumerate(atlas.level) if low <= level <= high]

    def row(self, task: str, number: Any) -> CorpusRow:
        """A program of the corpus by its place on the map. Raises `CallError` for a place that does not exist."""
        rows = self.atlas(task).rows
        return rows[whole(f"a program's place on the map of {task}", number, 0, len(rows) - 1)]

    def between(self, task: str, first: int, second: int, seed: int = 0) -> list[Between]:
        """Decode and score what lies between two programs of the map."""
        import torch

        chosen, atlas = self.tasks.get(task), self.atlas(task)
        self.row(task, first), self.row(task, second)
        seed = whole("seed", seed, 0, MOST_SEED)
        start, end = (torch.from_numpy(atlas.points[int(row)]) for row in (first, second))
        limits = Limits(wall_s=self.limits.edit_s, memory_mb=self.limits.edit_mb)
        with (
            self._decoding,
            EvaluationCache() as cache,
            Evaluator(chosen, limits=limits, cache=cache) as evaluator,
        ):
            return decode_between(self.pipeline.components(task), chosen, start, end, evaluator, seed=seed)

    def locate(self, task: Task, space: str, program: str) -> Located | None:
        """Where a program lies among the corpus; None for a task without one, and for what can not be encoded."""
        import torch

        if task.name not in corpus_tasks():
            return None
        components = self.pipeline.components(task.name, space)
        with self._quick_evaluators.lent(task) as evaluator, torch.no_grad():
            try:
                point = components.embed(program, task, evaluator)
            except (ValueError, SandboxError):
                return None
            return Located(point.numpy(), float(components.score(point[None])[0]))

    def close(self) -> None:
        """Stop all searches and delete what they wrote."""
        self.runs.close()
        for turns in (self._quick, self._long, self._decoder, self._maps, self._files):
            turns.close()
        for pool in (self._quick_evaluators, self._evaluators):
            pool.close()
