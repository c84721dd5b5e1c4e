"""Who is told what happens in a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from .comparison import SplitListener
from .loop import Listener, StepListener
from .progress import ProgressListener

StageListener = Callable[[str], None]

What = TypeVar("What")


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

    def beside(self, listener: Listener, on_stage: StageListener, on_progress: ProgressListener) -> Watcher:
        """This one, with others that are told first."""
        return replace(
            self,
            listener=_both(listener, self.listener),
            on_stage=_both(on_stage, self.on_stage),
            on_progress=_both(on_progress, self.on_progress),
        )


def _both(first: Callable[[What], None], second: Callable[[What], None] | None) -> Callable[[What], None]:
    """A listener that tells two others."""
    if second is None:
        return first

    def tell(what: What) -> None:
        first(what)
        second(what)

    return tell
