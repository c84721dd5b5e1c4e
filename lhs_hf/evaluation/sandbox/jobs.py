"""What a child is told of the evaluation that it is to run."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...tasks.base import FreshSplit, OnlineTask, Task

# How the games of an online task are played: one after another or side by side, each step by step at the parent's
# pace, or by the child alone.
Games = Literal["in turn", "together", "alone"]


def evaluation_job(
    task: Task, source: str, split: str | FreshSplit, part: range, games: Games
) -> tuple[dict[str, Any], bytes]:
    """The job, and the observations that a child is shown all at once. `part`: instances of the split."""
    job: dict[str, Any] = {"split": task.split(split).name, "range": (part.start, part.stop), "source": source}
    if not isinstance(task, OnlineTask):
        return job, b""
    instances = task.instances(split)[part.start : part.stop]
    observations = [task.observations(each) for each in instances]
    views = [task.public_view(each) for each in instances]
    lengths = [len(each) for each in observations]
    if games == "alone":
        # As text, 25,000 integers would take three milliseconds to write and read.
        job["alone"] = list(zip(views, lengths))
        return job, np.concatenate(observations).astype("<i8").tobytes()
    together = games == "together"
    job["games"] = [(views, lengths[0])] if together else [([v], n) for v, n in zip(views, lengths)]
    return job, b""
