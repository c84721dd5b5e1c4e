"""What a solution is worth, whatever a task's own code does with it.

A task of a person's own runs here without a fence, on solutions that nobody trusts: where its `objective` fails on one,
the candidate has failed, and the next one is evaluated as if nothing had been.
"""

from __future__ import annotations

import math
import signal
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..tasks.base import Infeasible, Task

# Of an exception's text, so that its place still fits behind it; a reason for `Infeasible` is cut where it is shown.
_EXCEPTION_CHARACTERS, _REASON_CHARACTERS = 200, 1000


class Unscored(Exception):
    """A solution has no score: it is not allowed, or the task failed on it. `kind` is the status of the candidate."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def score(task: Task, instance: Any, solution: np.ndarray) -> float:
    """The objective of a solution, a finite number. Raises `Unscored` for whatever else comes of it, but interrupts."""
    try:
        value = task.objective(instance, solution)
    except Infeasible as error:
        raise Unscored("infeasible", _text(error, _REASON_CHARACTERS)) from None
    except BaseException as error:  # whatever a person's own code raises
        raise _failure("objective", error) from None
    try:
        if isinstance(value, (str, bytes, bytearray)):
            raise TypeError
        number = float(value)
    except Exception:
        raise Unscored("infeasible", f"objective returned {_kind(value)}, expected a finite number") from None
    if not math.isfinite(number):
        raise Unscored("infeasible", f"objective returned {number}, expected a finite number")
    return number


def longest_solution(task: Task, instance: Any) -> int:
    """How many entries a solution may have (`Task.max_solution_length`). Raises `Unscored` as `score` does."""
    try:
        value = task.max_solution_length(instance)
    except BaseException as error:  # as above
        raise _failure("max_solution_length", error) from None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise Unscored("infeasible", f"max_solution_length returned {_kind(value)}, expected a number of entries")
    return int(value)


def _failure(method: str, error: BaseException) -> Unscored:
    """The failure that an exception of a task's method stands for. Raises the exception if it is not about the method.

    Ctrl-C ends the evaluation, as does what a handler of a signal raises, wherever it happens to arrive.
    """
    if threading.current_thread() is threading.main_thread() and (
        isinstance(error, KeyboardInterrupt) or _from_signal_handler(error.__traceback__)
    ):
        raise error
    text = _text(error, _EXCEPTION_CHARACTERS)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    # Memory that is short today may be enough tomorrow: unlike `infeasible`, that is not remembered.
    kind = "memory_limit" if isinstance(error, MemoryError) else "infeasible"
    return Unscored(kind, f"{method} raised {said}{_place(error.__traceback__)}")


def _text(error: BaseException, most: int) -> str:
    try:
        return str(error)[:most]
    except Exception:  # an exception may refuse to be shown
        return type(error).__name__


def _kind(value: Any) -> str:
    short = value is None or (isinstance(value, int) and value.bit_length() <= 64)
    return repr(value) if short else f"a {type(value).__name__}"


def _from_signal_handler(trace: TracebackType | None) -> bool:
    codes = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()} - {None}
    while trace is not None:
        if trace.tb_frame.f_code in codes:
            return True
        trace = trace.tb_next
    return False


def _place(trace: TracebackType | None) -> str:
    """File and line of the innermost frame in the file of the method that was called; without one, nothing."""
    found = ""
    # The first frame is that of `score` here, the second that of the task's method.
    method = trace.tb_next if trace is not None else None
    file = method.tb_frame.f_code.co_filename if method is not None else ""
    while method is not None:
        if method.tb_frame.f_code.co_filename == file:
            found = f" ({Path(file).name}, line {method.tb_lineno})"
        method = method.tb_next
    return found
