"""The searches of all visitors: a queue, limits, what each has found so far, and cleaning up after them."""

from __future__ import annotations

import math
import shutil
import threading
import time
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..search.database import Candidate
from ..search.events import CandidateEvaluated, SearchFinished, StepTaken, iter_search
from ..tasks.base import Task
from .catalogue import TaskCatalogue
from .checks import MOST_RADIUS, MOST_SEED, name_of, real, whole
from .fairness import FairQueue
from .folder import ServerFolder
from .limits import VisitorLimits
from .memory import release_memory
from .run import FAILED, FINISHED, LATENT, PORTFOLIO, RUNNING, Located, Run

Locate = Callable[[Task, str, str], Located | None]
"""The place of a program of a task in a space: `locate(task, space, program)`; None if it can not be encoded."""


def _arguments(settings: dict[str, Any]) -> dict[str, Any]:
    """What the pipeline is called with: points that move through the latent space, unless a portfolio is wanted.

    A portfolio has no use for how the points of a search by latents alone move.
    """
    from ..search.settings import LATENT_ALONE

    if settings.get("proposals") != PORTFOLIO:
        return {**settings, "proposals": LATENT, "preset": "latent"}
    ignored = {*LATENT_ALONE, "radius"}
    return {name: value for name, value in settings.items() if name not in ignored}


def _pack(folder: Path, target: Path) -> None:
    """Write a ZIP file in one go: whoever sees it sees all of it."""
    made = shutil.make_archive(str(target.with_suffix(".part")), "zip", folder)
    Path(made).replace(target)


class RunRegistry:
    """Starts searches, lets at most `limits.searches` run at once and forgets them in the end. Thread-safe.

    Args:
        search: the pipeline, called as `search(task, **settings, output=..., listener=..., on_step=..., on_stage=...,
            on_split=..., stop=...)`.
        tasks: which tasks there are; None for those that are installed.
        locate: says where a candidate's program lies; None leaves that out.
    """

    def __init__(
        self,
        search: Callable[..., dict[str, Any]],
        limits: VisitorLimits | None = None,
        tasks: TaskCatalogue | None = None,
        locate: Locate | None = None,
    ) -> None:
        self._locate = locate
        self.limits = limits or VisitorLimits()
        self.tasks = tasks or TaskCatalogue()
        self._search = search
        self._made = time.monotonic()
        self._folder = ServerFolder()
        self._root = self._folder.path
        self._runs: dict[str, Run] = {}
        self._queue: FairQueue[Run] = FairQueue()
        self._lock = threading.Condition()
        self._closed = False
        for _ in range(self.limits.searches):
            threading.Thread(target=self._serve, name="visitor-search", daemon=True).start()
        threading.Thread(target=self._clean, name="visitor-cleaner", daemon=True).start()

    def start(self, task: str, visitor: str | None = None, **settings: Any) -> Run:
        """Queue a search. Raises `CallError` for a wrong setting, and when the queue or the visitor's share is full.

        Args:
            visitor: whose search it is, for the limit of each and for fair turns; None is nobody's.
        """
        chosen = self.tasks.get(task)
        settings = self._checked(settings)
        with self._lock:
            own = sum(run.visitor == visitor and not run.over for run in self._runs.values())
            if visitor is not None and own >= self.limits.each:
                raise CallError(f"you have {own} searches waiting or running already; stop one or wait for it")
            if len(self._queue) >= self.limits.waiting and not self._make_room(visitor or ""):
                raise CallError(f"{len(self._queue)} searches are waiting already; please try again in a few minutes")
            name = uuid.uuid4().hex
            run = Run(name, chosen, settings, self._root / name, visitor)
            self._runs[name] = run
            self._queue.add(visitor or "", run)
            self._lock.notify()
        return run

    def check(self, name: str, value: Any) -> Any:
        """A setting that a visitor may choose, within limits. Raises `CallError` for a wrong name or value."""
        from ..search.settings import INITS, OPTIMIZERS, PROPOSALS, SPACES

        checks: dict[str, Callable[[Any], Any]] = {
            "budget": lambda value: whole("budget", value, 1, self.limits.budget),
            "seed": lambda value: whole("seed", value, 0, MOST_SEED),
            "radius": lambda value: real("radius", value, 1e-3, MOST_RADIUS),
            "optimizer": lambda value: name_of("optimizer", value, OPTIMIZERS),
            "space": lambda value: name_of("space", value, SPACES),
            "init": lambda value: name_of("init", value, INITS),
            "proposals": lambda value: name_of("proposals", value, PROPOSALS),
        }
        return checks[name_of("setting", name, checks)](value)

    def _checked(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings that a visitor may choose, within limits."""
        from ..search.settings import SearchSettings

        checked = {name: self.check(name, value) for name, value in settings.items()}
        if SearchSettings.from_preset(**_arguments(checked)).budget > self.limits.budget:
            checked["budget"] = self.limits.budget
        return checked

    def _make_room(self, visitor: str) -> bool:
        """Take out the last search of the longest line, if it has several and this visitor's has none."""
        longest = self._queue.longest()
        if longest is None or self._queue.waiting(longest[0]) < 2 or self._queue.waiting(visitor):
            return False
        self._queue.remove(longest[1])
        longest[1].end(FAILED, "The queue is full, and others had no place in it: this search made room.")
        return True

    def get(self, name: str | None) -> Run | None:
        """The run of that name, None if there is none any more. Asking counts as looking at it."""
        run = self.peek(name)
        if run is not None:
            run.seen = time.monotonic()
        return run

    def peek(self, name: str | None) -> Run | None:
        """As `get`, without counting as looking at it."""
        return self._runs.get(name) if isinstance(name, str) else None

    def knows(self, name: str) -> bool:
        """Whether a run of that name is kept. Asking does not count as looking at it."""
        return name in self._runs

    def ahead(self, run: Run) -> int:
        """How many waiting searches come before this one."""
        with self._lock:
            return self._queue.ahead(run)

    def stop(self, name: str | None) -> None:
        """End a search after the round it is in; what it found is kept. One that is over stays as it is."""
        run = self.get(name)
        if run is None or run.over:
            return
        run.stop.set()
        with self._lock:
            if self._queue.remove(run):
                run.end(FAILED, "Stopped before its turn came.")
        run.changed()

    def discard(self, name: str) -> None:
        """Nobody will ask for this run again: it ends, and is forgotten at the next cleaning."""
        self.stop(name)
        run = self._runs.get(name)
        if run is not None:
            run.seen = -math.inf

    def archive(self, run: Run) -> Path | None:
        """The run folder as a ZIP file: database, best program, report. None before there is anything in it."""
        from ..reporting.run_report import report_run

        if not run.over or not (run.folder / "run.sqlite").is_file():
            return None
        target = self._files(run) / f"{run.task.name}-run.zip"
        with run.packing:
            if not target.is_file():
                report_run(run.folder, run.task)
                _pack(run.folder, target)
        return target

    def adapter(self, run: Run, model: str | None = None) -> Path | None:
        """The best decoded candidate as a PEFT adapter, in a ZIP file. None where nothing was decoded.

        `model`: the one that serves here, where a run may not name it itself (a folder). Raises `CallError` without
        `peft`.
        """
        from ..integrations.adapters import export_adapter

        if not run.over or not any(candidate.after is not None for candidate in run.made()):
            return None
        target = self._files(run) / f"{run.task.name}-adapter.zip"
        with run.packing:
            if not target.is_file():
                folder = self._files(run) / "adapter"
                export_adapter(run.folder, output=folder, task=run.task, model=model)
                _pack(folder, target)
        return target

    def program_file(self, run: Run) -> Path | None:
        """The best program as a file of its own, once the search is over."""
        if run.result is None:
            return None
        target = self._files(run) / f"{run.task.name}.py"
        target.write_text(run.result["program"], encoding="utf-8")
        return target

    def card_file(self, run: Run, text: str) -> Path:
        """A finished run's result card as a file of its own."""
        target = self._files(run) / f"{run.task.name}-card.html"
        target.write_text(text, encoding="utf-8")
        return target

    def _files(self, run: Run) -> Path:
        """Where a run's downloads are made, beside its folder."""
        folder = self._root / f"{run.id}-files"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def root(self) -> Path:
        """The folder that holds the run folders of all visitors."""
        return self._root

    @property
    def idle_s(self) -> float:
        """Seconds since a search waited or ran, or since there is this registry; 0 while one does."""
        ends = [run.ended if run.over else None for run in list(self._runs.values())]
        if None in ends:
            return 0.0
        return time.monotonic() - max([self._made, *(end for end in ends if end is not None)])

    def __len__(self) -> int:
        return len(self._runs)

    def close(self) -> None:
        """Stop everything and delete all run folders."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
        for run in list(self._runs.values()):
            run.stop.set()
        self._folder.close()

    def clean(self, now: float | None = None) -> None:
        """Stop searches nobody looks at and forget those that were left long ago."""
        now = time.monotonic() if now is None else now
        known = len(self._runs)
        for run in list(self._runs.values()):
            idle = now - run.seen
            if not run.over and idle > self.limits.unwatched_s:
                run.stop.set()
                with self._lock:
                    if self._queue.remove(run):
                        run.end(FAILED, "The page was closed before its turn came.")
            if run.state == RUNNING and run.elapsed() > self.limits.run_s:
                run.stop.set()
            if run.over and idle > self.limits.keep_s:
                self._forget(run)
        if len(self._runs) < known:
            release_memory()

    def _forget(self, run: Run) -> None:
        self._runs.pop(run.id, None)
        shutil.rmtree(run.folder, ignore_errors=True)
        shutil.rmtree(self._root / f"{run.id}-files", ignore_errors=True)

    def _clean(self) -> None:
        pause = min(5.0, self.limits.unwatched_s)
        while not self._closed:
            began = time.monotonic()
            time.sleep(pause)
            # A server that stood still has heard nobody meanwhile: the pages that are there speak up before the next.
            if time.monotonic() - began < 2 * pause:
                self.clean()

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: len(self._queue) or self._closed)
                taken = None if self._closed else self._queue.take()
                if taken is None:
                    return
                visitor, run = taken
                run.state, run.started = RUNNING, time.monotonic()
            self._work(run)
            with self._lock:
                self._queue.done(visitor, run.elapsed())
            release_memory()

    def _work(self, run: Run) -> None:
        for other in list(self._runs.values()):
            other.changed()  # their places in the queue have moved
        search = partial(
            self._search,
            run.task.locator,
            **_arguments(run.settings),
            output=run.folder,
            workers=1,
            on_stage=run.measures,
            on_split=run.split_measured,
        )
        try:
            for event in iter_search(search, run.stop):
                if isinstance(event, StepTaken):
                    run.steps.append(event.candidates)
                elif isinstance(event, CandidateEvaluated):
                    run.candidates[event.candidate.id] = event.candidate
                    run.changed()
                    self._place(run, event.candidate)
                elif isinstance(event, SearchFinished):
                    run.result = event.result
                run.changed()
        except Exception as error:  # a visitor is told; the other visitors' searches go on
            run.end(FAILED, f"{type(error).__name__}: {error}")
        else:
            run.end(FINISHED)

    def _place(self, run: Run, candidate: Candidate) -> None:
        """Say where a candidate's program lies; it costs no decoder call and no evaluation."""
        if self._locate is None or not candidate.ok or candidate.id in run.located:
            return
        located = self._locate(run.task, run.settings.get("space", "prior"), candidate.program)
        if located is not None:
            run.located[candidate.id] = located
