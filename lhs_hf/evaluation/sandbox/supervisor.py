"""The parent's side of the sandbox: one worker, one zygote, one candidate at a time.

The supervisor holds the wall clock, caps what it reads, and scores solutions from the parent's own instances.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ...tasks.base import Infeasible, OnlineTask, Task
from .. import behaviour
from ..result import Evaluation, clean_message
from . import frames
from .limits import Limits

ISOLATION = "development"
_CHILD_KINDS = frozenset(
    {"syntax", "signature", "import", "exception", "forbidden", "memory_limit", "infeasible", "exited"}
)
_START_S = 60.0
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])


class SandboxError(RuntimeError):
    """The sandbox itself failed; the candidate is not to blame."""


class _Failure(Exception):
    """A candidate failed with a named kind."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


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


class Worker:
    """Runs candidates of one task, each in a fresh child of one zygote. Not thread-safe: one worker a thread."""

    def __init__(self, task: Task, limits: Limits) -> None:
        self.task = task
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._ready = False
        self._stopped = False

    def start(self) -> None:
        """Start the zygote without waiting for it. Does nothing if it runs. Raises `SandboxError` after `stop`."""
        if self._stopped:
            raise SandboxError("the evaluator is closed")
        if self._process is not None and self._process.poll() is None:
            return
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-m", "lhs_hf.evaluation.sandbox.zygote", str(theirs.fileno()), self.task.name],
                env=_environment(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._control = ours
        self._ready = False

    def close(self) -> None:
        """End the zygote and whatever it runs."""
        control, self._control = self._control, None
        process, self._process = self._process, None
        if control is not None:
            # A shutdown also wakes a thread that waits on this socket; closing alone would not.
            with suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)
            control.close()
        if process is not None:
            try:
                process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def stop(self) -> None:
        """End the zygote for good. May be called from another thread: a candidate that runs ends as `sandbox_error`."""
        self._stopped = True
        self.close()

    def evaluate(self, source: str, split: str) -> Evaluation:
        """Run and score a program on a split. Never raises for anything a program does."""
        return self._retrying(lambda: self._evaluate(source, split))

    def probe(self, source: str) -> behaviour.Behaviour | None:
        """The program's behaviour on the probe states; None if it does not load or does not end in time."""
        return self._retrying(lambda: self._probe(source))

    def _retrying(self, attempt: Any) -> Any:
        problem = ""
        for pause in (0.0, 0.1, 0.5):
            time.sleep(pause)  # a machine out of processes or memory needs a moment
            try:
                return attempt()
            except SandboxError as error:
                problem = str(error)
                self.close()
                if self._stopped:
                    break
        return Evaluation("sandbox_error", message=clean_message(problem), isolation=ISOLATION)

    def _evaluate(self, source: str, split: str) -> Evaluation:
        task, limit = self.task, self.limits.wall_s or self.task.time_limit(split)
        instances = task.instances(split)
        job: dict[str, Any] = {"kind": "evaluate", "split": split}
        if isinstance(task, OnlineTask):
            job["views"] = [task.public_view(instance) for instance in instances]
        objectives: list[float] = []
        channel, deadline, started = self._fork(source, job, limit)
        failure = None
        try:
            for instance in instances:
                if isinstance(task, OnlineTask):
                    solution = self._drive(channel, task.observations(instance), deadline)
                else:
                    size = task.max_solution_length(instance) * np.dtype(task.solution_dtype).itemsize
                    payload = self._expect(channel, frames.SOLUTION, max(size, frames.ERROR_BYTES), deadline)
                    solution = self._decode(payload, size)
                objectives.append(float(task.objective(instance, solution)))
            self._expect(channel, frames.DONE, frames.ERROR_BYTES, deadline)
        except Infeasible as error:
            failure = _Failure("infeasible", f"instance {len(objectives)}: {error}")
        except _Failure as error:
            at = f"instance {len(objectives)}: " if error.kind in ("exception", "infeasible") else ""
            failure = _Failure(error.kind, f"{at}{error}")
        except TimeoutError:
            failure = _Failure("wall_timeout", f"not finished after {limit:g} s")
        except (EOFError, OSError):
            failure = _Failure("eof", "")
        runtime = time.perf_counter() - started
        failure = self._finish(channel, failure)
        if failure is not None:
            message = clean_message(str(failure))
            return Evaluation(failure.kind, runtime_s=runtime, message=message, isolation=ISOLATION)
        mean = float(np.mean(np.asarray(objectives, dtype=np.float64)))
        if not np.isfinite(mean):
            return Evaluation("infeasible", runtime_s=runtime, message="objective is not finite", isolation=ISOLATION)
        return Evaluation("ok", mean, task.alpha * mean, tuple(objectives), runtime, isolation=ISOLATION)

    def _probe(self, source: str) -> behaviour.Behaviour | None:
        count = len(self.task.probes)
        channel, deadline, _ = self._fork(source, {"kind": "probe", "split": None}, self.limits.probe_s)
        decisions = None
        failure = None
        try:
            payload = self._expect(channel, frames.DECISIONS, max(count * 8, frames.ERROR_BYTES), deadline)
            if len(payload) == count * 8:
                decisions = np.frombuffer(payload, dtype=np.int64)
        except (_Failure, TimeoutError, EOFError, OSError) as error:
            failure = _Failure("killed", str(error))
        self._finish(channel, failure)
        return None if decisions is None else behaviour.from_decisions(self.task, decisions)

    def _fork(self, source: str, job: dict[str, Any], limit: float) -> tuple[socket.socket, frames.Deadline, float]:
        """A fresh child that has received its job, its deadline, and the time it started."""
        self.start()
        control = self._connection()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with theirs:
                control.settimeout(_START_S)
                if not self._ready:
                    if control.recv(1) != b"+":
                        raise SandboxError("the sandbox process did not start")
                    self._ready = True
                request = json.dumps({"op": "fork", "split": job["split"]}).encode()
                socket.send_fds(control, [request], [theirs.fileno()])
                self._reply()
            deadline = frames.Deadline(limit)
            job = {
                **job,
                "source": source,
                "memory_mb": self.limits.memory_mb,
                "cpu_s": self.limits.cpu_s or limit + 1.0,
            }
            started = time.perf_counter()
            ours.settimeout(limit)
            frames.send(ours, frames.JOB, json.dumps(job).encode())
            return ours, deadline, started
        except OSError as error:
            ours.close()
            raise SandboxError(f"the sandbox process ended: {error}") from None

    def _connection(self) -> socket.socket:
        if self._control is None:
            raise SandboxError("the sandbox process was ended")
        return self._control

    def _reply(self) -> dict[str, Any]:
        reply = self._connection().recv(4096)
        if not reply:
            raise SandboxError("the sandbox process ended")
        return json.loads(reply)

    def _drive(self, channel: socket.socket, observations: Any, deadline: frames.Deadline) -> np.ndarray:
        """Reveal the observations one by one and record the decisions."""
        decisions = np.empty(len(observations), dtype=np.int64)
        pack, unpack, size = frames.INTEGER.pack, frames.INTEGER.unpack, frames.INTEGER.size
        for step, observation in enumerate(observations):
            channel.settimeout(deadline.remaining())
            channel.sendall(pack(int(observation)))
            (decision,) = unpack(frames.receive_exactly(channel, size, deadline))
            if decision == frames.FAILED_STEP:
                self._expect(channel, frames.DONE, frames.ERROR_BYTES, deadline)
                raise _Failure("protocol", "a failure was announced but not described")
            decisions[step] = decision
        channel.sendall(pack(frames.END_OF_INSTANCE))
        return decisions

    def _expect(self, channel: socket.socket, kind: bytes, limit: int, deadline: frames.Deadline) -> bytes:
        """The payload of the next frame, which has to be of this kind. Raises `_Failure` for any other."""
        try:
            received, payload = frames.receive(channel, limit, deadline)
        except frames.FrameTooLarge as error:
            raise _Failure("output_limit", str(error)) from None
        if received == kind:
            return payload
        if received != frames.ERROR:
            raise _Failure("protocol", f"unexpected frame {received!r}")
        try:
            body = json.loads(payload)
            reported, message = str(body["kind"]), str(body["message"])
        except (ValueError, KeyError, TypeError):
            raise _Failure("protocol", "an error frame that is not JSON") from None
        raise _Failure(reported if reported in _CHILD_KINDS else "protocol", message)

    def _decode(self, payload: bytes, limit: int) -> np.ndarray:
        dtype = np.dtype(self.task.solution_dtype)
        if len(payload) > limit:
            raise _Failure("output_limit", f"a solution of {len(payload)} bytes, at most {limit} are allowed")
        if len(payload) % dtype.itemsize:
            raise _Failure("protocol", "a solution with a broken number")
        return np.frombuffer(payload, dtype=dtype)

    def _finish(self, channel: socket.socket, failure: _Failure | None) -> _Failure | None:
        """Close, reap, and name the failure of a child that ended without a word."""
        channel.close()
        try:
            control = self._connection()
            control.settimeout(_START_S)
            ended_alone = failure is None or failure.kind == "eof"
            control.sendall(json.dumps({"op": "reap", "wait": ended_alone}).encode())
            status = int(self._reply()["status"])
        except OSError as error:
            raise SandboxError(f"the sandbox process ended: {error}") from None
        if failure is None or failure.kind != "eof":
            return failure
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            kind = {signal.SIGXCPU: "cpu_timeout", signal.SIGKILL: "killed", signal.SIGSYS: "forbidden_syscall"}
            return _Failure(kind.get(signal.Signals(number), "crash"), f"ended by {signal.Signals(number).name}")
        return _Failure("exited", f"the program's process ended with status {os.WEXITSTATUS(status)}")
