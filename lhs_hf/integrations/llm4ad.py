"""Tasks of this package for the methods of LLM4AD (`pip install llm4ad`): their search, this package's sandbox.

from llm4ad.method.eoh import EoH
from lhs_hf.integrations.llm4ad import TaskEvaluation

with TaskEvaluation("tsp_construct") as evaluation:
    EoH(llm=your_model, evaluation=evaluation, max_sample_nums=100).run()
"""

from __future__ import annotations

import threading
from typing import Any

from ..errors import CallError, unknown
from ..evaluation import Evaluator
from ..evaluation.workers import checked_workers
from ..tasks import get_task
from ..tasks.base import Task

try:
    from llm4ad.base import Evaluation
except ImportError:
    raise CallError("LLM4AD is not installed: pip install llm4ad") from None


class TaskEvaluation(Evaluation):  # type: ignore[misc]  # the package has no types
    """A task as LLM4AD's `Evaluation`: its template, its description, and the score of a program, higher is better.

    Programs never run in the process of LLM4AD, nor in one that it starts: `exec_code` and `safe_evaluate` are off, and
    every program goes through `Evaluator`. A context manager.

    Args:
        task: a task, its name or the path of its file.
        split: what programs are scored on.
        workers: programs that run at the same time; None is the number of cores.

    `scores` has what every program was worth, in order, None for one that fails: what counts as a call differs between
    platforms, this is what was evaluated. Raises `CallError` without LLM4AD, when this module is imported.
    """

    def __init__(self, task: Task | str, split: str = "search", workers: int | None = None) -> None:
        self.task = task if isinstance(task, Task) else get_task(task)
        if split not in self.task.splits:
            raise unknown(f"split of {self.task.name}", split, self.task.splits)
        self.split = split
        self.scores: list[float | None] = []
        self._lock = threading.Lock()
        self._evaluator = Evaluator(self.task, workers=checked_workers(workers))
        super().__init__(
            template_program=self.task.template,
            task_description=self.task.description,
            exec_code=False,
            safe_evaluate=False,
        )

    def evaluate_program(self, program_str: str, callable_func: Any = None, **_: Any) -> float | None:
        """The score of a program's text; None for one that fails. Several threads may ask at once."""
        score = self._evaluator.evaluate(str(program_str), self.split).score
        with self._lock:
            self.scores.append(score)
        return score

    def close(self) -> None:
        """End the sandbox."""
        self._evaluator.close()

    def __enter__(self) -> TaskEvaluation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
