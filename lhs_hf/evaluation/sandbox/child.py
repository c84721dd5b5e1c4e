"""What runs in the process of one candidate: fences, then the program, its solutions sent back as raw numbers."""

from __future__ import annotations

import builtins
import copy
import errno
import io
import json
import math
import os
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from ...programs import ProgramError
from ...tasks.base import IllegalAnswer, OnlineTask, Task
from .. import behaviour
from ..rollout import load, load_seeded, seed_program_randomness
from . import frames, step_child
from .counting import Counter, Exhausted
from .fences import Fences
from .memory import address_space_bytes

CHANNEL = 3
_STACK_BYTES = 8 * 2**20
_FLUSH_S = 0.02
_LINGER_S = 0.1
_WARM_CALLS = 100
_DEEPER = 3
# At most twelve bytes of JSON a character: a message always fits its frame.
_MESSAGE_CHARACTERS = 600


def inherited_limits(memory_mb: int) -> list[tuple[int, int]]:
    """Bounds that a zygote sets for itself and its children, for `resource.setrlimit`; memory beyond what it has.

    Without one on memory where the system does not enforce it (macOS): the wall clock still ends a program.
    """
    bounds = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_STACK, _STACK_BYTES)]
    used = address_space_bytes()
    if used is not None:
        bounds.append((resource.RLIMIT_AS, used + memory_mb * 2**20))
    return bounds


def shut_in(channel: socket.socket, fences: Fences, parent: int, cpu_s: float) -> None:
    """Keep one socket as descriptor 3, close every other, set limits, raise the fences. Raises `FenceError`.

    `cpu_s`: processor seconds until the process ends, 0 for no limit.
    """
    if not fences.seccomp:  # a program that can fork is killed with its whole process group
        os.setsid()
    # Duplicated onto a high number first: the channel may be descriptor 3 itself, or 3 be in use.
    high = os.dup(channel.detach())
    os.dup2(high, CHANNEL)
    os.closerange(CHANNEL + 1, 4096)
    # The process bound does not hold for root; there seccomp does.
    own = [(resource.RLIMIT_NPROC, 0), (resource.RLIMIT_NOFILE, 0)]
    if cpu_s:
        signal.setitimer(signal.ITIMER_PROF, cpu_s)
        # Where a program may ignore the timer, whole seconds have to do.
        own.append((resource.RLIMIT_CPU, int(cpu_s) + 1))
    fences.close_in(parent, own)


def _play(task: OnlineTask, function: Callable[..., Any], views: list[Any], steps: int) -> None:
    """Games side by side: in each exchange one observation of every game arrives and one decision on each leaves."""
    games = [task.play(function, view) for view in views]
    for game in games:
        next(game)
    sends = [game.send for game in games]
    layout = struct.Struct(f"<{len(games)}q")
    size, unpack, pack, read, write = layout.size, layout.unpack, layout.pack, os.read, os.write
    for _ in range(steps):
        data = read(CHANNEL, size)
        if len(data) != size:
            data += frames.read_exactly(CHANNEL, size - len(data))
        write(CHANNEL, pack(*[send(observation) for send, observation in zip(sends, unpack(data))]))


def _play_alone(
    task: OnlineTask, function: Callable[..., Any], games: Sequence[tuple[Any, list[int]]], output: _Buffer
) -> None:
    """Games one after another, of a program that can not see the observations which are already here (`is_pure`)."""
    try:
        for view, observations in games:
            game = task.play(function, view)
            next(game)
            decisions = [game.send(observation) for observation in observations]
            output.add_solution(task, decisions)
        output.add(frames.DONE)
    finally:
        output.flush()


def describe(error: BaseException) -> dict[str, Any]:
    """Error kind, message and program line (None if unknown) of whatever a program raised."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<program>":
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        kind, message = _kind(error)
    except MemoryError:
        kind, message = "memory_limit", "out of memory"
    except Exception:  # an exception may refuse to be shown
        kind, message = "exited" if isinstance(error, SystemExit) else "exception", type(error).__name__
    message = message[:_MESSAGE_CHARACTERS]
    if kind == "exception" and line is not None:
        message += f" (line {line})"
    return {"kind": kind, "message": message, "line": line}


def _kind(error: BaseException) -> tuple[str, str]:
    if isinstance(error, ProgramError):
        return error.kind, str(error)
    if isinstance(error, IllegalAnswer):
        return "infeasible", str(error)
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "memory_limit", "out of memory"
    if isinstance(error, OSError) and error.errno in (errno.EPERM, errno.EACCES, errno.EMFILE, errno.EAGAIN):
        return "forbidden", f"a program may not use files, processes, signals or the network: {error}"
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "forbidden", "a program may not start threads"
    if isinstance(error, ImportError):
        return "import", f"{error}; available are numpy, scipy if installed, and most of the standard library"
    if isinstance(error, SystemExit):
        return "exited", f"the program called exit ({error.code!r})"
    if isinstance(error, SyntaxError):
        return "syntax", f"line {error.lineno}: {error.msg}"
    return "exception", f"{type(error).__name__}: {error}"


class _Buffer:
    """Frames on their way: waking the parent for each instance of a quick program costs more than the program."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._waiting = b""
        self._next = time.monotonic() + _FLUSH_S

    def add(self, kind: bytes, payload: bytes = b"") -> None:
        self._waiting += frames.HEADER.pack(kind, len(payload)) + payload
        if time.monotonic() > self._next:
            self.flush()

    def add_solution(self, task: Task, solution: Any) -> None:
        self.add(frames.SOLUTION, np.ascontiguousarray(solution, dtype=task.solution_dtype).tobytes())

    def flush(self) -> None:
        self._write(self._waiting)
        self._waiting = b""
        self._next = time.monotonic() + _FLUSH_S


def _forget(task: Task) -> None:
    """Take from the task what its program has no use for: other splits, how to draw them, and known bounds."""
    for kind in type(task).__mro__:
        if kind.__module__ != Task.__module__:
            for name in ("generate", "draw", "splits", "bounds"):
                if name in vars(kind):
                    delattr(kind, name)


def _evaluate(
    task: Task, function: Callable[..., Any], instances: Sequence[Any], job: dict[str, Any], output: _Buffer
) -> None:
    if isinstance(task, OnlineTask) and "alone" in job:
        _play_alone(task, function, job["alone"], output)
    elif isinstance(task, OnlineTask):
        for views, steps in job["games"]:
            _play(task, function, views, steps)
        frames.write_frame(CHANNEL, frames.DONE)
    else:
        try:
            for instance in instances:
                output.add_solution(task, task.rollout(function, instance))
            output.add(frames.DONE)
        finally:
            output.flush()


def _probe(task: Task, function: Callable[..., Any]) -> None:
    decisions, signs = behaviour.respond(task, function)
    frames.write_frame(CHANNEL, frames.DECISIONS, np.append(decisions, signs).astype(np.int64).tobytes())
    frames.write_frame(CHANNEL, frames.DONE)


def _count(task: Task, instances: Sequence[Any], job: dict[str, Any]) -> None:
    """Run a program on an instance and send what it computed, in counted seconds."""
    counter = Counter(job["most"] * 1e6)
    # Each call goes by way of the counter.
    sys.setrecursionlimit(_DEEPER * sys.getrecursionlimit())
    try:
        function = load_seeded(task, job["source"], counter.load)
        if isinstance(task, OnlineTask):
            _play_alone(task, function, job["alone"], _Buffer(len))
        else:
            task.rollout(function, instances[0])
    except Exhausted:
        counter.spent = math.inf
    frames.write_frame(CHANNEL, frames.COUNTED, frames.SECONDS.pack(counter.spent * 1e-6))


class _Enough(Exception):
    """Ends a warm-up."""


def _warm_up(task: Task, split: str | None, instances: Sequence[Any]) -> None:
    """Run the task's own template a little, while nobody waits: the pages it touches need not be copied later.

    The job goes the way of a real one, its answer nowhere: reading, loading and answering touch more pages than a quick
    program does, and each costs microseconds. A rollout grows the heap as a program will, and one call on each of the
    other instances touches them: more would make the next candidate wait.
    """
    offered = task.practice_instances if task.online else instances  # the games of a split stay with the parent
    description: dict[str, Any] = {"split": split, "range": (0, 1), "source": task.template}
    observations = b""
    if isinstance(task, OnlineTask):
        shown = [task.observations(game) for game in offered[:1]]
        description["alone"] = [(task.public_view(game), len(each)) for game, each in zip(offered, shown)]
        observations = b"".join(np.asarray(each, dtype="<i8").tobytes() for each in shown)
    text = json.dumps(description).encode()
    _, job = _job(io.BytesIO(frames.HEADER.pack(frames.EVALUATE, len(text)) + text + observations).read)
    function = load(task, job["source"])
    left = _WARM_CALLS

    def program(*arguments: Any) -> Any:
        nonlocal left
        if not left:
            raise _Enough
        left -= 1
        return function(*arguments)

    if split is None:
        function(*copy.deepcopy(task.probes[0].calls[0]))
    output = _Buffer(len)
    with suppress(_Enough):
        _evaluate(task, program, offered[:1], job, output)
    output.add_solution(task, [0])
    for instance in offered[1:]:
        left = 1
        with suppress(_Enough):
            task.rollout(program, instance)
    # For the program to come: on a processor that was at rest, this takes a tenth of a millisecond.
    seed_program_randomness()


def _job(read: Callable[[int], bytes]) -> tuple[bytes, dict[str, Any]]:
    """Read a job: its kind and what it consists of. Observations of games to play alone come as raw integers."""
    kind, size = frames.HEADER.unpack(read(frames.HEADER.size))
    job = json.loads(read(size))
    if "alone" in job:
        shown = (read(length * frames.INTEGER.size) for _, length in job["alone"])
        job["alone"] = [(view, np.frombuffer(s, "<i8").tolist()) for (view, _), s in zip(job["alone"], shown)]
    return kind, job


def run_candidate(
    task: Task,
    channel: socket.socket,
    fences: Fences,
    parent: int,
    split: str | None,
    drawn: Mapping[str | None, Sequence[Any]],
    cpu_s: float,
) -> None:
    """Shut this process in, serve one job, leave. Never returns.

    `split`: the one to warm up for. `drawn`: the instances of each split it may be asked for.
    """
    status = 0
    try:
        shut_in(channel, fences, parent, cpu_s)
        # Before the warm-up: a changed class makes Python look up anew what the program's first calls use.
        _forget(task)
        builtins.input = _no_input
        _warm_up(task, split, drawn[split])
        frames.write_all(CHANNEL, frames.READY)
        kind, job = _job(partial(frames.read_exactly, CHANNEL))
        instances: Sequence[Any] = ()
        if kind in (frames.EVALUATE, frames.COUNT):
            first, last = job["range"]
            instances = drawn[job["split"]][first:last]
        if kind == frames.STEP:
            step_child.serve(task, job, CHANNEL, describe)
        try:
            if kind == frames.COUNT:
                _count(task, instances, job)
            elif kind == frames.PROBE:
                _probe(task, load_seeded(task, job["source"]))
            else:
                function = load_seeded(task, job["source"])
                _evaluate(task, function, instances, job, _Buffer(partial(frames.write_all, CHANNEL)))
        except BaseException as error:  # whatever a program raises is reported, SystemExit and RecursionError included
            if kind == frames.EVALUATE and "games" in job:
                frames.write_all(CHANNEL, frames.INTEGER.pack(frames.FAILED_STEP) * len(job["games"][0][0]))
            frames.write_frame(CHANNEL, frames.ERROR, json.dumps(describe(error)).encode()[: frames.ERROR_BYTES])
        # Ending takes a processor that the parent now needs: the zygote ends this process in a quieter moment.
        time.sleep(_LINGER_S)
    except BaseException:  # the supervisor sees the closed socket and names the failure itself
        status = 1
    finally:
        # After the `finally` of a program, its exit handlers and its threads would run: they do not.
        os._exit(status)


def _no_input(*_: Any) -> str:
    raise EOFError("a program has no input to read")
