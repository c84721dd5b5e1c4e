"""Whether a program of a race takes too long, told the same each time.

A clock does not tell the same twice, and where a search goes on depends on who is too slow. So a program that is not
quick counts what it computes on one instance of `search` (`counting`), and is judged by that; the clock only ends what
takes several times as long.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from ...recent import Recent
from ...tasks.base import FreshSplit, Task
from ..result import Evaluation

WORTH_COUNTING = 200
"""A program is counted that takes more than this part of what it may take by its task."""
PATIENCE = 3.0
"""Times the limit, by the clock, of a program that is within the limit as counted."""

_REMEMBERED = 4096


class Reckoning:
    """Judges by counted seconds. Remembers those of the last programs.

    Args:
        task: the task.
        count: what a program computes on an instance of `search`, in seconds, infinite beyond those that are given;
            None for a program that can not be counted.
    """

    def __init__(self, task: Task, count: Callable[[str, float], float | None]) -> None:
        self._task = task
        self._count = count
        self._counted: Recent[str, tuple[float, float | None]] = Recent(_REMEMBERED)

    def evaluation(
        self, run: Callable[[FreshSplit], Evaluation], source: str, split: FreshSplit, size: int, limit: float
    ) -> Evaluation:
        """What comes of a program on a split, of which `run` evaluates `size` instances.

        `limit`: seconds it may take. The runtime of a program that was counted is the counted one.
        """
        evaluation = run(split)
        quick = self._task.time_limit_s / self._task.split("search").count / WORTH_COUNTING
        if evaluation.status not in ("ok", "cpu_timeout") or evaluation.runtime_s <= quick * size:
            return evaluation
        each = self._seconds(source, limit / size)
        if each is None:
            return evaluation
        seconds = each * size
        if seconds > limit:
            message = f"not finished after {limit:g} s on a processor, as counted"
            if math.isfinite(seconds):
                message = f"{size} instances take {seconds:.3g} s on a processor as counted, {limit:.3g} s are allowed"
            return Evaluation(
                "cpu_timeout", runtime_s=evaluation.runtime_s, message=message, isolation=evaluation.isolation
            )
        if not evaluation.ok:
            allowed = PATIENCE * self._task.time_limit(split)
            evaluation = run(replace(split, time_limit_s=allowed))
        return replace(evaluation, runtime_s=seconds) if evaluation.ok else evaluation

    def _seconds(self, source: str, most: float) -> float | None:
        """Counted seconds an instance; infinite if they are more than `most`."""
        enough, seconds = self._counted.get(source, (0.0, math.inf))
        if seconds == math.inf and enough < most:
            seconds = self._count(source, most)
            self._counted[source] = most, seconds
        return seconds
