"""Who is told what happens in a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from .comparison import SplitListener
from .loop import Listener, StepListener
from .progress import ProgressListener

StageListener = Callable[[str], None]

Told = ParamSpec("Told")


@dataclass(frozen=True)
class Watcher:
    """Who is told what happens in a search, and may end it.

    `listener` is called with every evaluated candidate, `on_step` with the points of a round before they are decoded
    (see `LatentSearch`), `on_stage` with what is measured after the last round, `on_split` with the objectives on each
    split as soon as they are known, `on_progress` with how far a round is (islands tell only of their finals). `stop`
    is asked before every round and every further split of the comparison; yes ends the search with what it has.
    """

    listener: Listener | None = None
    on_step: StepListener | None = None
    on_stage: StageListener | None = None
    on_split: SplitListener | None = None
    stop: Callable[[], bool] | None = None
    on_progress: ProgressListener | None = None

    def beside(self, other: Watcher) -> Watcher:
        """This one, with another that is told first. Either may end the search."""
        stops = [stop for stop in (other.stop, self.stop) if stop is not None]
        return Watcher(
            _both(other.listener, self.listener),
            _both(other.on_step, self.on_step),
            _both(other.on_stage, self.on_stage),
            _both(other.on_split, self.on_split),
            (lambda: any(stop() for stop in stops)) if stops else None,
            _both(other.on_progress, self.on_progress),
        )


def _both(first: Callable[Told, None] | None, second: Callable[Told, None] | None) -> Callable[Told, None] | None:
    """A listener that tells two others, of which one or both may be missing."""
    if first is None or second is None:
        return first or second

    def tell(*what: Told.args, **named: Told.kwargs) -> None:
        first(*what, **named)
        second(*what, **named)

    return tell
