"""A search in a tracker of experiments: the best objective and the share of valid programs, candidate by candidate."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from ..trackers import NONE, PROJECT, TENSORBOARD, TRACKIO, check_tracker
from .database import Candidate
from .progress import Tally
from .run import Run
from .watcher import Watcher


class SearchTracker:
    """Reports a search through one of accelerate's trackers. A context manager; with "none" it does nothing.

    Each candidate that has its result is a step, with `best` (objective), `valid_rate` of the programs made until then,
    `spent` of the budget, and its own `objective` if it has one; in the end `holdout/found` and the like, split by
    split. Trackio keeps it on this machine (`TRACKIO_DIR`); TensorBoard's files are in `tensorboard` of the run folder.

    Args:
        known: what a resumed run has found before.
    """

    def __init__(self, name: str, run: Run, known: Sequence[Candidate] = ()) -> None:
        check_tracker(name)
        self._name, self._run = name, run
        self._tally = Tally(run.identity.task, run.identity.settings, known)
        self._step = len(known)
        self._tracker: Any = None

    def __enter__(self) -> SearchTracker:
        if self._name != NONE:
            # What it says of itself is no part of a command's output.
            with redirect_stdout(sys.stderr):
                self._tracker = _tracker(self._name, self._run, goes_on=self._step > 0)
                self._tracker.start()
                self._tracker.store_init_configuration(_plain(self._run.identity.as_dict()))
        return self

    def __exit__(self, *_: object) -> None:
        if self._tracker is not None:
            with redirect_stdout(sys.stderr):
                _finish(self._name, self._tracker)

    @property
    def watcher(self) -> Watcher:
        """Who is to be told what happens in the search."""
        if self._tracker is None:
            return Watcher()
        return Watcher(listener=self._candidate, on_split=self._split, on_progress=self._tally.progress)

    def _candidate(self, candidate: Candidate) -> None:
        tally = self._tally
        tally.candidate(candidate)
        self._step += 1
        values = {"spent": tally.spent, "valid_rate": tally.valid / tally.made if tally.made else None}
        best = tally.best.objective if tally.best is not None else None
        self._log({**values, "best": best, "objective": candidate.objective if candidate.ok else None})

    def _split(self, split: str, objectives: dict[str, float | None]) -> None:
        self._log({f"{split}/{name}": value for name, value in objectives.items()})

    def _log(self, values: dict[str, float | None]) -> None:
        self._tracker.log({name: value for name, value in values.items() if value is not None}, step=self._step)


def _tracker(name: str, run: Run, goes_on: bool) -> Any:
    from accelerate import PartialState
    from accelerate.tracking import LOGGER_TYPE_TO_CLASS

    PartialState(cpu=True)
    kind = LOGGER_TYPE_TO_CLASS[name]
    title = run.folder.name if run.folder is not None else f"{run.identity.task.name}-{run.identity.settings.seed}"
    if name == TENSORBOARD:
        return kind(TENSORBOARD, logging_dir=run.folder or Path("runs"))
    return kind(PROJECT, name=title, resume="allow" if goes_on else "never")


def _finish(name: str, tracker: Any) -> None:
    if name != TRACKIO:
        tracker.finish()
        return
    import trackio

    # What accelerate calls leaves the run the current one: it would be ended once more when Python ends.
    trackio.finish()


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Settings as every tracker takes them."""
    return {key: value if isinstance(value, (bool, int, float)) else str(value) for key, value in values.items()}
