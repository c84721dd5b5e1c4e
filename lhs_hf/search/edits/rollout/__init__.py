"""Programs that play on: a model of the task is learned from rollouts, and a rule is played to the end with it.

What no program sees, the objective and what a decision leads to, is found out first: for each argument an expression
that says how it changes (`updates`), and a few terms whose sums tell the objective (`costs`). With these a program can
try its own first choices and take the one after which it ends best, as rollout algorithms and the pilot method do, or
follow the better of two rules.
"""

from __future__ import annotations

from .edit import Rollout
from .model import Study, study, task_model
from .parallel import ParallelRollout
from .task_model import TaskModel

__all__ = ["ParallelRollout", "Rollout", "Study", "TaskModel", "study", "task_model"]
