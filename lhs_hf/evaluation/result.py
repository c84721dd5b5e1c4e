"""What an evaluation returns, and the kinds of failure it names."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

STATUSES: dict[str, str] = {
    "ok": "every instance solved, feasible and scored",
    "infeasible": "an answer or a solution breaks the rules of the task",
    "syntax": "Python does not parse the program",
    "signature": "the program lacks the task's function, or it takes other arguments",
    "import": "an import of the program failed",
    "exception": "the program raised an exception",
    "forbidden": "the program tried something it may not do",
    "memory_limit": "the program asked for more memory than allowed",
    "wall_timeout": "the wall-clock limit was reached",
    "cpu_timeout": "the processor-time limit was reached",
    "output_limit": "the program's process sent more than its solution can hold",
    "protocol": "the program's process broke the result protocol",
    "crash": "the program's process crashed",
    "forbidden_syscall": "the kernel stopped a system call",
    "exited": "the program ended its process",
    "killed": "the program's process was killed",
    "unrepeatable": "two runs of the program gave different results",
    "stopped": "ended early on request: the score asked for was out of reach",
    "sandbox_error": "the sandbox failed; never the program's fault",
}

# Outcomes that depend on the machine's load are not remembered.
REPEATABLE = frozenset({"ok", "infeasible", "syntax", "signature", "import", "exception"})

_MESSAGE_CHARACTERS = 500


@dataclass(frozen=True)
class Evaluation:
    """One program on one split.

    `objective` (task units) and `score` (= alpha * objective, higher is better) are None unless `status` is "ok".
    `objectives` holds one value an instance, `runtime_s` the wall seconds of the run, or those on a processor, by the
    clock or as counted, where a split says so (`FreshSplit.processor_time`), `message` a capped, untrusted explanation.
    `isolation` names the containment it ran under; `cached` says that the result was remembered.
    """

    status: str
    objective: float | None = None
    score: float | None = None
    objectives: tuple[float, ...] = ()
    runtime_s: float = 0.0
    message: str = ""
    isolation: str = "none"
    cached: bool = False

    @property
    def ok(self) -> bool:
        """Whether the program has a score."""
        return self.status == "ok"

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Solution:
    """A feasible solution of one instance, as the parent received and scored it.

    `task` and `split` are names, `index` the position of the instance in the split. `instance` is the parent's own and
    must not be modified; `array` is 1-D, of the task's `solution_dtype`; `objective` is in task units.
    """

    task: str
    split: str
    index: int
    instance: Any
    array: np.ndarray
    objective: float


class Unsolved(Exception):
    """A program gave no solution. `evaluation` says why."""

    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(f"{evaluation.status}: {evaluation.message}")
        self.evaluation = evaluation


def clean_message(text: str) -> str:
    """An untrusted message made safe to show: control characters removed, length capped."""
    kept = "".join(character if character.isprintable() or character == " " else " " for character in text)
    return kept if len(kept) <= _MESSAGE_CHARACTERS else kept[: _MESSAGE_CHARACTERS - 1] + "…"
