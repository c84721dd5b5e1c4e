"""What runs in the process of one candidate: limits, the program, its solutions sent back as raw numbers."""

from __future__ import annotations

import builtins
import json
import os
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...programs import ProgramError
from ...tasks.base import IllegalAnswer, OnlineTask, Task
from .. import behaviour
from ..rollout import load
from . import frames


def _address_space_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def apply_limits(memory_mb: int, cpu_s: float) -> None:
    """Bound memory, processor time, files and core dumps of this process; it leads a session of its own."""
    os.setsid()
    try:
        memory = _address_space_bytes() + memory_mb * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    except (OSError, ValueError):  # no /proc or no RLIMIT_AS (macOS): the wall clock still ends the program
        pass
    seconds = max(1, int(np.ceil(cpu_s)))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _ParentStream:
    """Observations the parent sends one by one; each is answered before the next arrives."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel

    def __iter__(self) -> Iterator[int]:
        unpack, size = frames.INTEGER.unpack, frames.INTEGER.size
        while True:
            (observation,) = unpack(frames.receive_exactly(self._channel, size))
            if observation == frames.END_OF_INSTANCE:
                return
            yield observation

    def answer(self, decision: int) -> None:
        self._channel.sendall(frames.INTEGER.pack(decision))


def _describe(error: BaseException) -> tuple[str, str]:
    """Error kind and message of whatever a program raised."""
    if isinstance(error, ProgramError):
        return error.kind, str(error)
    if isinstance(error, IllegalAnswer):
        return "infeasible", str(error)
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == 12):
        return "memory_limit", "out of memory"
    if isinstance(error, ImportError):
        return "import", str(error)
    if isinstance(error, SystemExit):
        return "exited", f"the program called exit ({error.code!r})"
    if isinstance(error, SyntaxError):
        return "syntax", f"line {error.lineno}: {error.msg}"
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<program>":
            line = trace.tb_lineno
        trace = trace.tb_next
    where = f" (line {line})" if line is not None else ""
    return "exception", f"{type(error).__name__}: {error}{where}"


def _evaluate(task: Task, function: Callable[..., Any], job: dict[str, Any], channel: socket.socket) -> None:
    if isinstance(task, OnlineTask):
        for view in job["views"]:
            task.play(function, view, _ParentStream(channel))
    else:
        for instance in task.instances(job["split"]):
            solution = np.ascontiguousarray(task.rollout(function, instance), dtype=task.solution_dtype)
            frames.send(channel, frames.SOLUTION, solution.tobytes())
    frames.send(channel, frames.DONE)


def _probe(task: Task, function: Callable[..., Any], channel: socket.socket) -> None:
    decisions = behaviour.decide(task, function)
    frames.send(channel, frames.DECISIONS, decisions.astype(np.int64).tobytes())
    frames.send(channel, frames.DONE)


def run_candidate(task: Task, channel: socket.socket) -> None:
    """Serve one job read from `channel`, then leave the process. Never returns."""
    status = 0
    try:
        _, payload = frames.receive(channel, 1 << 26)
        job = json.loads(payload)
        apply_limits(job["memory_mb"], job["cpu_s"])
        builtins.input = _no_input
        try:
            function = load(task, job["source"])
            if job["kind"] == "probe":
                _probe(task, function, channel)
            else:
                _evaluate(task, function, job, channel)
        except BaseException as error:  # whatever a program raises is reported, SystemExit and RecursionError included
            kind, message = _describe(error)
            if task.online and job["kind"] == "evaluate":
                channel.sendall(frames.INTEGER.pack(frames.FAILED_STEP))
            body = json.dumps({"kind": kind, "message": message[:2000]}).encode()
            frames.send(channel, frames.ERROR, body[: frames.ERROR_BYTES])
    except BaseException:  # the supervisor sees the closed socket and names the failure itself
        status = 1
    finally:
        channel.close()
        sys.stdout.flush()
        os._exit(status)


def _no_input(*_: Any) -> str:
    raise EOFError("a program has no input to read")
