"""How a program can fail, by name: as its process says, and as its end shows."""

from __future__ import annotations

import json
import os
import signal

from .spawner import SandboxError

CHILD_KINDS = frozenset(
    {"syntax", "signature", "import", "exception", "forbidden", "memory_limit", "infeasible", "exited"}
)
_SIGNALS = {
    signal.SIGXCPU: "cpu_timeout",
    signal.SIGPROF: "cpu_timeout",
    signal.SIGKILL: "killed",
    signal.SIGSYS: "forbidden_syscall",
}


class Failure(Exception):
    """A candidate failed with a named kind."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class KilledFromOutside(SandboxError):
    """A fenced child was killed: it can not have done that itself, but a lack of memory can have."""


def reported(payload: bytes) -> Failure:
    """The failure a child describes; a hint, since a candidate can write it itself."""
    try:
        body = json.loads(payload)
        kind, message = str(body["kind"]), str(body["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return Failure("protocol", "an error frame that is not JSON")
    return Failure(kind if kind in CHILD_KINDS else "protocol", message)


def postmortem(status: int, ended: bool, isolation: str) -> Failure:
    """The failure of a child that closed its socket. Raises `SandboxError` if the program can not be the cause."""
    if not ended:
        return Failure("protocol", "the program closed its channel and went on")
    if not os.WIFSIGNALED(status):
        return Failure("exited", f"the program's process ended with status {os.WEXITSTATUS(status)}")
    number = signal.Signals(os.WTERMSIG(status))
    if number == signal.SIGKILL and isolation != "development":
        raise KilledFromOutside("a program's process was killed from outside")
    return Failure(_SIGNALS.get(number, "crash"), f"ended by {number.name}")
