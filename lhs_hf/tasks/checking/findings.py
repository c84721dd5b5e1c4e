"""What is found wrong with a task file, and how its code is called while looking."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from ...programs import load_function
from ..base import OnlineTask, Task
from ..files import line_of
from ..places import Places
from ..simple import SimpleTask

PROGRAM = "<program>"
Value = TypeVar("Value")


@dataclass(frozen=True)
class Finding:
    """One thing to mend: the 1-based line of the file and what is wrong there."""

    line: int
    problem: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


class Stop(Exception):
    """What follows can not be checked."""


class TooLong(BaseException):
    """Code of the file did not end in time. No `Exception`: the file may catch those."""


CAUGHT = (Exception, SystemExit, TooLong)
"""What the code of a file may raise."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the code that runs too long; does nothing where the system has no alarms (Windows)."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"stopped after {seconds:g} s")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def shown(error: BaseException) -> str:
    """An exception in words."""
    if isinstance(error, TooLong):
        return f"does not end: {error}"
    if isinstance(error, SystemExit):
        return "ends the process (sys.exit)"
    return f"{type(error).__name__}: {error}"


def happened(error: BaseException) -> str:
    """An exception as what follows the name of a method: "raises ...", "does not end: ..."."""
    return shown(error) if isinstance(error, (TooLong, SystemExit)) else f"raises {shown(error)}"


def program_line(error: BaseException) -> int | None:
    """The line of the reference program that an exception passed last."""
    return line_of(error, PROGRAM)


class Prints(io.TextIOBase):
    """Standard output while the code of a file runs: keeps what is printed first, and which line of what printed it."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.first: tuple[str, str, int] | None = None

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        frame: FrameType | None = sys._getframe(1)
        while self.first is None and text.strip() and frame is not None:
            if frame.f_code.co_filename in (self.path, PROGRAM):
                self.first = (text.strip(), frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return len(text)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take the place of standard output."""
        with redirect_stdout(self):
            yield


class Check:
    """A loaded task, where its parts stand in the file, and what is found wrong so far."""

    def __init__(self, task: Task, places: Places, limit_s: float) -> None:
        self.task, self.places, self.limit_s = task, places, limit_s
        self.found: list[Finding] = []
        self.simple = isinstance(task, SimpleTask)
        self.source = "draw" if self.simple else "generate"
        self.protocol = "construct" if self.simple else "play" if isinstance(task, OnlineTask) else "rollout"

    def limited(self, function: Callable[..., Value], *arguments: Any) -> Value:
        """Call code of the file. Raises `TooLong` if it does not end in time, and whatever it raises."""
        with time_limit(self.limit_s):
            return function(*arguments)

    def add(self, name: str, problem: str, error: BaseException | None = None, default: str | None = None) -> None:
        """Note a problem: at the line an exception passed last, else where a name is defined."""
        line = line_of(error, self.places.path) if error is not None else None
        self.found.append(Finding(line or self.places.line(name, default), problem))

    def in_template(self, problem: str, line: int | None) -> None:
        """Note a problem of the reference program, at a line of its text."""
        self.found.append(Finding(self.places.text_line("template", line), f"in the template, {problem}"))

    def printed(self, prints: Prints) -> None:
        """Note what was printed."""
        if prints.first is None:
            return
        text, where, line = prints.first
        problem = f"prints {text!r:.60}: standard output belongs to the results of commands; take it out"
        if where == PROGRAM:
            self.in_template(problem, line)
        else:
            self.found.append(Finding(line, problem))

    def function(self) -> Callable[..., Any]:
        """The reference program. Raises `Stop` if it does not load."""
        try:
            task = self.task
            return task.called(self.limited(load_function, task.template, task.function_name, len(task.arguments)))
        except CAUGHT as error:
            self.in_template(f"loading {happened(error)}", program_line(error))
            raise Stop from None
