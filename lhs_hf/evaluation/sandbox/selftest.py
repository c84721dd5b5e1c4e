"""What the zygote tries in fenced children before it serves: do the fences hold on this machine?

A fence counts only if a child that should be stopped was stopped; a kernel that accepts a filter and does not enforce
it (some emulations) is found out here.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from .fences import FenceError, Fences
from .memory import address_space_bytes, refuses_beyond

_READABLE = "/etc/passwd"
# Small, so that it is the limit that refuses, and not a machine with little memory.
_TRIED_BYTES = 2**24
_NO_MEMORY_LIMIT = 2
_TRIES = 3


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


def _in_child(fences: Fences, body: Callable[[], int], limits: Iterable[tuple[int, int]] = ()) -> int:
    """Wait status of a fenced child that runs `body` and exits with what it returns.

    One that somebody else ended says nothing of the fences: a machine short of memory kills, a slow one takes too long.
    """
    parent = os.getpid()
    status = 0
    for _ in range(_TRIES):
        pid = os.fork()
        if pid == 0:
            code = 99
            with suppress(BaseException):
                signal.alarm(5)
                fences.prepare(limits)
                fences.close_in(parent)
                code = body()
            os._exit(code)
        status = os.waitpid(pid, 0)[1]
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGALRM):
            break
    return status


def _memory_then_socket() -> int:
    """Ends with SIGSYS if the limit on memory holds, and a socket is deadly."""
    if not refuses_beyond(_TRIED_BYTES):
        return _NO_MEMORY_LIMIT
    with socket.socket():
        return 1


def working_fences(seccomp: bool = True, landlock: bool = True) -> tuple[Fences, bool]:
    """The fences among those asked for that really hold here, and whether a limit on memory does.

    Call it in a process that has no threads.
    """
    fences = Fences(seccomp, landlock)
    used = address_space_bytes()
    limits = [] if used is None else [(resource.RLIMIT_AS, used + _TRIED_BYTES // 2)]
    if fences.landlock:
        alone = Fences(seccomp=False)
        fences.landlock = _in_child(alone, lambda: 0 if _open_fails() else 1) == 0
    memory = True
    if fences.seccomp:
        without_landlock = Fences(landlock=False)
        held = _in_child(without_landlock, _try_all) == 0
        ended = _in_child(without_landlock, _memory_then_socket, limits)
        memory = not (os.WIFEXITED(ended) and os.WEXITSTATUS(ended) == _NO_MEMORY_LIMIT)
        fences.seccomp = held and (not memory or (os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGSYS))
    return fences, memory and used is not None


__all__ = ["FenceError", "Fences", "working_fences"]
