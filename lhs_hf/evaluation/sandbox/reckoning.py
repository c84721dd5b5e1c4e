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

PATIENCE = 3.0
"""Times the limit, by the clock, of a program that is within the limit as counted."""
COUNTED = "counted"
"""The message of a program that succeeded and whose runtime is the counted one."""

_REMEMBERED = 4096


class Counts(Recent[str, tuple[float, float | None]]):
    """Counted seconds of the last programs, and up to how many they were counted. For the workers of one task."""

    def __init__(self) -> None:
        super().__init__(_REMEMBERED)


class Reckoning:
    """Judges by counted seconds.

    Args:
        task: the task.
        counts: of programs so far.
        count: what a program computes on an instance of `search`, in seconds, infinite beyond those that are given;
            None for a program that can not be counted.
    """

    def __init__(self, task: Task, counts: Counts, count: Callable[[str, float], float | None]) -> None:
        self._task = task
        self._counts = counts
        self._count = count

    def evaluation(
        self, run: Callable[[FreshSplit], Evaluation], source: str, split: FreshSplit, size: int, limit: float
    ) -> Evaluation:
        """What comes of a program on a split, of which `run` evaluates `size` instances.

        `limit`: seconds it may take. The runtime of a program that was counted is the counted one.
        """
        evaluation, quick = run(split), split.counted_from_s
        if quick is None or evaluation.status not in ("ok", "cpu_timeout"):
            return evaluation
        if evaluation.runtime_s <= quick * size / split.count:
            return evaluation
        each = self._seconds(source, limit / size)
        if each is None:
            return evaluation
        seconds = each * size
        if seconds > limit:
            # No more is said: whether the seconds are known or only that they are too many depends on earlier limits.
            message = f"not finished after {limit:g} s on a processor, as counted"
            return Evaluation(
                "cpu_timeout", runtime_s=evaluation.runtime_s, message=message, isolation=evaluation.isolation
            )
        if not evaluation.ok:
            allowed = PATIENCE * self._task.time_limit(split)
            evaluation = run(replace(split, time_limit_s=allowed))
        return replace(evaluation, runtime_s=seconds, message=COUNTED) if evaluation.ok else evaluation

    def _seconds(self, source: str, most: float) -> float | None:
        """Counted seconds an instance; infinite if they are more than `most`."""
        enough, seconds = self._counts.get(source, (0.0, math.inf))
        if seconds == math.inf and enough < most:
            seconds = self._count(source, most)
            self._counts[source] = most, seconds
        return seconds
