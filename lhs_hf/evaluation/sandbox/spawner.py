"""The parent's handle on one zygote: start it, take fenced children from it, have them killed and reaped."""

from __future__ import annotations

import json
import os
import pickle
import select
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import CallError
from ...tasks.base import FreshSplit, Task
from . import frames
from .isolation import refusal
from .processors import allowed_processors, processor_of, restrict

BRIEFLY_S = 0.2
"""Seconds a child that has closed its socket gets to end by itself."""

_START_S = 60.0
_REPLY_S = 60.0
_NOT_READY = (
    "a child ended before its program began: it could not raise its fences, or the task's own code needs what they "
    "forbid (a module that is first imported inside of a function: import it at the top)"
)
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])


class SandboxError(RuntimeError):
    """The sandbox itself failed; the candidate is not to blame."""


class IsolationError(CallError):
    """This machine can not isolate programs well enough, and nobody has said that less will do."""


@dataclass
class Child:
    """A fenced process that waits for its job, and the supervisor's end of its socket."""

    pid: int
    channel: socket.socket


def _environment() -> dict[str, str]:
    """What a zygote may see of the environment: nothing of the user's, one thread for each numeric library."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": _PACKAGE_ROOT,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **threads,
    }


class Spawner:
    """One zygote process. Not thread-safe.

    Args:
        task: the task whose public instances the zygote draws once, for all its children.
        memory_mb: MiB of address space a child may use beyond the interpreter's own.
        extras: optional packages to import, keys of `preload.OPTIONAL`.
        without: fences to leave out, of "seccomp" and "landlock".
        allow_development: whether less than seccomp is enough.
    """

    def __init__(
        self, task: Task, memory_mb: int, extras: tuple[str, ...], without: tuple[str, ...], allow_development: bool
    ) -> None:
        self._allow_development = allow_development
        self._isolation: str | None = None
        self._ordered: deque[tuple[str | None, float]] = deque()
        self._delivered: deque[Child] = deque()
        self._handed: FreshSplit | None = None
        settings = json.dumps({"memory_mb": memory_mb, "extras": extras, "without": without, "digest": task.digest})
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            # The words are this interpreter, this module and JSON of our own.
            self._process = subprocess.Popen(  # noqa: S603
                [
                    *(sys.executable, "-s", "-m", "lhs_hf.evaluation.sandbox.zygote"),
                    *(str(theirs.fileno()), task.locator, settings),
                ],
                env=_environment(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._control = ours
        self._announced = select.poll()
        self._announced.register(ours, select.POLLIN)

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Process id of the zygote."""
        return self._process.pid

    def isolation(self) -> str:
        """The level the zygote found to hold; waits for its start. Raises `SandboxError`, `IsolationError`."""
        if self._isolation is None:
            started = self._reply(_START_S)[0]
            if "error" in started:
                raise SandboxError(str(started["error"]))
            found = str(started["isolation"])
            if found == "development" and not self._allow_development:
                raise IsolationError(refusal(found))
            self._isolation = found
        return self._isolation

    def order(self, split: str | None, cpu_s: float, count: int = 1) -> None:
        """Have at least `count` children on order that know a split and have a limit; `child` finds them waiting."""
        for _ in range(count - self._ordered.count((split, cpu_s))):
            self._request({"op": "spare", "split": split, "cpu_s": cpu_s})
            self._ordered.append((split, cpu_s))

    def child(self, split: str | None, cpu_s: float) -> Child:
        """A fenced child that knows the instances of a split (None: the probe states). Raises `SandboxError`.

        `cpu_s`: processor seconds it may use, 0 for no limit.
        """
        self.isolation()
        while self._ordered and self._ordered[0] != (split, cpu_s):
            self.drop(self._delivery())
        self.order(split, cpu_s)
        child = self._delivery()
        try:
            child.channel.settimeout(_START_S)
            if child.channel.recv(1) != frames.READY:
                raise SandboxError(_NOT_READY)
        except (OSError, SandboxError) as error:
            child.channel.close()
            raise SandboxError(str(error)) from None
        return child

    def hand_over(self, split: FreshSplit) -> None:
        """Give the zygote the instances of a fresh split, unless it has them; it forgets any others.

        Raises `SandboxError`.
        """
        if split is self._handed:
            return
        self.isolation()
        self._handed = None
        # Pickle goes this way only: the zygote trusts its parent, never the other way round.
        instances = pickle.dumps(split.instances)
        self._take_deliveries()
        self._request({"op": "hand_over", "split": split.name, "size": len(instances)})
        # The zygote reads lines ahead, so what is no line follows its word that it waits for it.
        self._reply(_REPLY_S)
        self._send(instances)
        self._handed = split

    def keep_off(self, child: Child) -> None:
        """Have the zygote, and what it forks meanwhile, use other processors than that of this child while it lives."""
        with suppress(OSError, ValueError, IndexError):
            restrict(self.pid, allowed_processors() - {processor_of(child.pid)})

    def collect(self) -> None:
        """Take deliveries that are here already, so that `child` need not; while a program runs, nobody waits for it.

        Raises `SandboxError` if the zygote has ended.
        """
        while len(self._delivered) < len(self._ordered) and self._announced.poll(0):
            self._delivered.append(self._receive_child())

    def _delivery(self) -> Child:
        """The child ordered first."""
        self._ordered.popleft()
        return self._delivered.popleft() if self._delivered else self._receive_child()

    def _receive_child(self) -> Child:
        reply, descriptors = self._reply(_REPLY_S)
        if len(descriptors) != 1:
            raise SandboxError("the sandbox process sent no socket")
        return Child(int(reply["pid"]), socket.socket(fileno=descriptors[0]))

    def drop(self, child: Child) -> None:
        """Close a child's socket, have it killed and reaped; does not wait."""
        child.channel.close()
        self._request({"op": "drop", "pid": child.pid})

    def status(self, child: Child, briefly_s: float = BRIEFLY_S) -> tuple[int, bool]:
        """Reap a child that has closed its socket: its wait status, and whether it ended by itself in so many seconds.

        Nobody else is served while this waits.
        """
        child.channel.close()
        self._take_deliveries()
        self._request({"op": "status", "pid": child.pid, "briefly_s": briefly_s})
        reply = self._reply(_REPLY_S)[0]
        return int(reply["status"]), bool(reply["ended"])

    def close(self) -> None:
        """End the zygote and whatever it runs. A thread that waits for one of its answers gets a `SandboxError`."""
        # A shutdown also wakes a thread that waits on this socket; closing alone would not.
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._control.close()
        for child in self._delivered:
            child.channel.close()

    def _take_deliveries(self) -> None:
        """Receive every child on order: they come before the answer to what is asked next."""
        while len(self._delivered) < len(self._ordered):
            self._delivered.append(self._receive_child())

    def _request(self, body: dict[str, Any]) -> None:
        self._send(json.dumps(body).encode() + b"\n")

    def _send(self, data: bytes) -> None:
        try:
            self._control.settimeout(_REPLY_S)
            self._control.sendall(data)
        except OSError as error:
            raise SandboxError(f"the sandbox process ended: {error}") from None

    def _reply(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        """The one answer that is due: its body and the descriptors that came with it."""
        descriptors: list[int] = []
        data = b""
        try:
            self._control.settimeout(seconds)
            while not data.endswith(b"\n"):
                piece, received, _, _ = socket.recv_fds(self._control, 4096, 1)
                descriptors += received
                if not piece:
                    raise SandboxError("the sandbox process ended")
                data += piece
        except OSError as error:
            _close_all(descriptors)
            raise SandboxError(f"the sandbox process does not answer: {error}") from None
        except SandboxError:
            _close_all(descriptors)
            raise
        return json.loads(data), descriptors


def _close_all(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
