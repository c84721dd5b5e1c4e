"""What the zygote tries in fenced children before it serves: do the fences hold on this machine?

A fence counts only if a child that should be stopped was stopped; a kernel that accepts a filter and does not enforce
it (some emulations) is found out here.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from .fences import FenceError, Fences

_READABLE = "/etc/passwd"


def _refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (PermissionError, RuntimeError):
        return True
    except OSError:
        return False
    return False


def _open_fails() -> bool:
    return _refused(lambda: os.open(_READABLE, os.O_RDONLY))


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _try_all() -> int:
    """0 if opening, forking, signalling and starting a thread are all refused."""
    thread = threading.Thread(target=int)
    attempts = (
        lambda: os.open(_READABLE, os.O_RDONLY),
        lambda: os.stat("/"),
        _fork,
        lambda: os.kill(os.getppid(), 0),
        thread.start,
        lambda: signal.signal(signal.SIGPROF, signal.SIG_IGN),
    )
    return 0 if all(_refused(attempt) for attempt in attempts) else 1


def _in_child(fences: Fences, body: Callable[[], int]) -> int:
    """Wait status of a fenced child that runs `body` and exits with what it returns."""
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        code = 99
        with suppress(BaseException):
            signal.alarm(5)
            fences.prepare()
            fences.close_in(parent)
            code = body()
        os._exit(code)
    return os.waitpid(pid, 0)[1]


def _socket() -> int:
    with socket.socket():
        return 1


def working_fences(seccomp: bool = True, landlock: bool = True) -> Fences:
    """The fences among those asked for that really hold here. Call it in a process that has no threads."""
    fences = Fences(seccomp, landlock)
    if fences.landlock:
        alone = Fences(seccomp=False)
        fences.landlock = _in_child(alone, lambda: 0 if _open_fails() else 1) == 0
    if fences.seccomp:
        without_landlock = Fences(landlock=False)
        held = _in_child(without_landlock, _try_all) == 0
        ended = _in_child(without_landlock, _socket)
        fences.seccomp = held and os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGSYS
    return fences


__all__ = ["FenceError", "Fences", "working_fences"]
