"""The parent's side of the sandbox: one worker runs one candidate at a time.

The supervisor holds the wall clock, caps what it reads, and scores solutions from the parent's own instances.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ...tasks.base import FreshSplit, OnlineTask, Task
from .. import behaviour
from ..result import Evaluation, clean_message
from ..scoring import Unscored, longest_solution, score
from . import frames, online
from .extras import extras_of
from .failures import Failure, KilledFromOutside, postmortem, reported
from .jobs import Games, evaluation_job
from .limits import Limits
from .processors import processor_seconds
from .reckoning import Counts, Reckoning
from .spawner import Child, SandboxError, Spawner

T = TypeVar("T")

_PAUSES_S = (0.0, 0.1, 0.5)
# A program that takes longer is worth an undisturbed processor. Less than a zygote waits before it forks again.
_SOON_S = 0.004
# Where no processor limit is asked for, the wall limit is the one that names the failure: always the same one.
_AFTER_WALL_S = 1.0
_BUSY = 4.0
"""Times the limit of processor time after which a program ends that does not get that much of a processor."""


class Worker:
    """Runs candidates of one task, each in a fresh fenced child. Not thread-safe: one worker a thread.

    Args:
        task: the task.
        limits: what one program may use.
        without: fences to leave out, of "seccomp" and "landlock".
        allow_development: whether a machine without seccomp may run programs.
        counts: what programs of this task computed, shared with other workers.
    """

    def __init__(
        self,
        task: Task,
        limits: Limits,
        without: tuple[str, ...] = (),
        allow_development: bool = False,
        counts: Counts | None = None,
    ) -> None:
        self.task = task
        self.limits = limits
        self._without = without
        self._allow_development = allow_development
        self._spawners: dict[tuple[tuple[str, ...], str], Spawner] = {}
        self._stopped = False
        self._reckoning = Reckoning(task, Counts() if counts is None else counts, self._count)

    @property
    def isolation(self) -> str:
        """The isolation level programs run under. Raises `SandboxError`, `IsolationError`."""
        return self.spawner().isolation()

    def start(self) -> None:
        """Start the usual zygote without waiting for it."""
        self.spawner()

    def spawner(self, extras: tuple[str, ...] = (), split: str | FreshSplit | None = "search") -> Spawner:
        """The running zygote with these optional packages; started if need be. Raises `SandboxError` after `stop`.

        Splits other than `search` have a zygote of their own: where programs are selected, no held-out instance is.
        Fresh instances have another, which gets them from here: it does not know how to draw them.
        """
        if self._stopped:
            raise SandboxError("the evaluator is closed")
        key = (
            extras,
            "fresh" if isinstance(split, FreshSplit) else "search" if split in (None, "search") else "held out",
        )
        found = self._spawners.get(key)
        if found is None or not found.running:
            if found is not None:
                found.close()
            memory = self.limits.memory_mb
            found = self._spawners[key] = Spawner(self.task, memory, extras, self._without, self._allow_development)
        if isinstance(split, FreshSplit) and not self.task.online:
            found.hand_over(split)
        return found

    def running(self) -> list[Spawner]:
        """The zygotes that run now."""
        return [spawner for spawner in list(self._spawners.values()) if spawner.running]

    def close(self) -> None:
        """End the zygotes and whatever they run. The next program gets a new one."""
        spawners, self._spawners = self._spawners, {}
        for spawner in spawners.values():
            spawner.close()

    def stop(self) -> None:
        """End the zygotes for good, from any thread: a candidate that runs ends as `sandbox_error`."""
        self._stopped = True
        self.close()

    def evaluate(
        self,
        source: str,
        split: str | FreshSplit,
        part: range | None = None,
        hopeless_below: float | None = None,
        stateless: bool = False,
        pure: bool = False,
        kept: list[np.ndarray] | None = None,
    ) -> Evaluation:
        """Run and score a program on a split, or on the instances of `part` alone.

        Never raises for anything a program does. `hopeless_below`: see `Evaluator.evaluate`. `stateless`: the program
        may play the games of an online task side by side (`is_stateless`). `pure`: it may play them in a process that
        holds their observations (`is_pure`). `kept` is filled with the feasible solutions, one an instance, in order.
        """
        chosen = part or range(len(self.task.instances(split)))

        def run(split: str | FreshSplit) -> Evaluation:
            return self._played(source, split, chosen, hopeless_below, stateless, pure, kept)

        if not self._on_processor(split):
            return run(split)
        assert isinstance(split, FreshSplit)
        return self._reckoning.evaluation(run, source, split, len(chosen), self.limits.seconds(self.task, split))

    def _played(
        self,
        source: str,
        split: str | FreshSplit,
        chosen: range,
        hopeless_below: float | None,
        stateless: bool,
        pure: bool,
        kept: list[np.ndarray] | None,
    ) -> Evaluation:
        """`evaluate` by the clock, in the first way of playing that gives the verdict of one game after another."""
        try:
            if pure and self.task.online:
                found = self._retrying(lambda: self._evaluate(source, split, chosen, hopeless_below, "alone", kept))
                # A few bytes more than step by step: where they could tip the scales, the game is played again.
                if found.status not in ("output_limit", "memory_limit"):
                    return found
            if stateless and self._equally_long(split, chosen) and hopeless_below is None:
                found = self._retrying(lambda: self._evaluate(source, split, chosen, None, "together", kept))
                # Which game fails first depends on the order of play; the verdict is that of one after another.
                if found.status not in ("exception", "infeasible"):
                    return found
            return self._retrying(lambda: self._evaluate(source, split, chosen, hopeless_below, "in turn", kept))
        except KilledFromOutside:
            return Evaluation("killed", message="killed three times, most likely for want of memory")
        except SandboxError as error:
            return Evaluation("sandbox_error", message=clean_message(str(error)))

    def probe(self, source: str) -> behaviour.Behaviour | None:
        """The program's behaviour on the probe states; None if it does not load or does not end in time."""
        try:
            return self._retrying(lambda: self._probe(source, self._probe_limit))
        except SandboxError:
            return None

    def _on_processor(self, split: str | FreshSplit) -> bool:
        """Whether the time limit of a split is one of processor time."""
        return self.limits.wall_s is None and isinstance(split, FreshSplit) and split.processor_time

    def _retrying(self, attempt: Callable[[], T]) -> T:
        for pause in _PAUSES_S:
            if pause:
                time.sleep(pause)  # a machine out of processes or memory needs a moment
            try:
                return attempt()
            except SandboxError as error:
                self.close()
                problem = error
                if self._stopped:
                    break
        raise problem

    def _equally_long(self, split: str | FreshSplit, part: range) -> bool:
        """Whether this is an online task with several games of one length."""
        task = self.task
        if not isinstance(task, OnlineTask) or len(part) < 2:
            return False
        return len({len(task.observations(each)) for each in task.instances(split)[part.start : part.stop]}) == 1

    def _evaluate(
        self,
        source: str,
        split: str | FreshSplit,
        part: range,
        hopeless_below: float | None,
        games: Games,
        kept: list[np.ndarray] | None = None,
    ) -> Evaluation:
        if kept is not None:
            kept.clear()
        task, limit = self.task, self.limits.seconds(self.task, split)
        instances = task.instances(split)[part.start : part.stop]
        name = task.split(split).name
        observations = [task.observations(each) for each in instances] if isinstance(task, OnlineTask) else []
        job, shown = evaluation_job(self.task, source, split, part, games)
        # A task may find its limit by running its reference program once: not while a candidate's clock runs.
        for instance in instances[:1]:
            with suppress(Unscored):
                longest_solution(task, instance)
        objectives: list[float] = []
        spawner = self.spawner(extras_of(source), split)
        isolation = spawner.isolation()
        # On a busy machine the clock runs while a program waits for a processor.
        counted = self._on_processor(split)
        cpu_s = self.limits.cpu_s or (limit if counted else limit + _AFTER_WALL_S)
        limit *= _BUSY if counted else 1.0
        child = spawner.child(name, cpu_s)
        started = time.perf_counter()
        reader = frames.Reader(child.channel, frames.Deadline(limit), self.limits.output_bytes)
        failure = None
        reaped = False
        try:
            self._send(child, frames.EVALUATE, job, reader, shown)
            spawner.order(name, cpu_s)
            # Games of the parent's pace take place on a processor that is chosen for them.
            if "games" not in job and not reader.arrives_within(_SOON_S):
                spawner.keep_off(child)
                spawner.collect()
            together = games == "together"
            solutions = online.play(child, observations, reader, self._failed_step) if together else None
            for index, instance in enumerate(instances):
                if solutions is not None:
                    solution = solutions[index]
                elif "games" in job:
                    solution = online.play(child, observations[index : index + 1], reader, self._failed_step)[0]
                else:
                    solution = self._solution(reader, longest_solution(task, instance))
                objectives.append(score(task, instance, solution))
                if kept is not None:
                    kept.append(solution)
                if hopeless_below is not None and self._hopeless(objectives, len(instances), hopeless_below):
                    raise Failure("stopped", f"{hopeless_below:g} is out of reach after {len(objectives)} instances")
            self._expect(reader, frames.DONE, frames.ERROR_BYTES)
        except Unscored as error:
            failure = Failure(error.kind, f"instance {part.start + len(objectives)}: {error}")
        except Failure as error:
            at = f"instance {part.start + len(objectives)}: " if error.kind in ("exception", "infeasible") else ""
            failure = Failure(error.kind, f"{at}{error}")
        except frames.FrameTooLarge as error:
            failure = Failure("output_limit", str(error))
        except TimeoutError:
            failure = Failure("wall_timeout", f"not finished after {limit:g} s")
        except (EOFError, OSError):
            failure, reaped = postmortem(*spawner.status(child), isolation), True
            if counted and failure.kind == "cpu_timeout":
                failure = Failure("cpu_timeout", f"not finished after {cpu_s:g} s on a processor")
        except BaseException:
            child.channel.close()
            raise
        runtime = time.perf_counter() - started
        if counted and not reaped:
            runtime = min(runtime, processor_seconds(child.pid) or runtime)
        if not reaped:
            spawner.drop(child)
        if failure is not None:
            message = clean_message(str(failure))
            return Evaluation(failure.kind, runtime_s=runtime, message=message, isolation=isolation)
        return self._mean(objectives, runtime, isolation)

    def _mean(self, objectives: list[float], runtime: float, isolation: str) -> Evaluation:
        """The evaluation of a program that solved every instance."""
        mean = float(np.mean(np.asarray(objectives, dtype=np.float64)))
        if not np.isfinite(mean):
            return Evaluation("infeasible", runtime_s=runtime, message="objective is not finite", isolation=isolation)
        return Evaluation("ok", mean, self.task.alpha * mean, tuple(objectives), runtime, isolation=isolation)

    def _hopeless(self, objectives: list[float], count: int, below: float) -> bool:
        """Whether the mean score stays under `below` even if the other instances cost nothing (minimisation only)."""
        return self.task.sense == "min" and -sum(objectives) / count < below

    @cached_property
    def _probe_limit(self) -> float:
        """Seconds a program may take on the probe states, by what the reference takes once its zygote is there."""
        if self.task.of_paper:
            return self.limits.probe_s
        for _ in range(2):
            started = time.monotonic()
            self._probe(self.task.template, self.limits.probe_s)
        return self.limits.probing(time.monotonic() - started)

    def _probe(self, source: str, seconds: float) -> behaviour.Behaviour | None:
        # A decision for each probe state, and the signs of all answers.
        size = 8 * (len(self.task.probes) + 1)
        try:
            payload = self._ask(frames.PROBE, {"source": source}, frames.DECISIONS, size, seconds)
        except Failure:
            return None  # a program without a behaviour
        decisions = np.frombuffer(payload, dtype=np.int64)
        return behaviour.from_decisions(self.task, decisions[:-1], int(decisions[-1]))

    def _count(self, source: str, most: float) -> float | None:
        """What a program computes on the first instance of `search`, in counted seconds, infinite beyond `most`.

        None if it fails there.
        """
        task = self.task
        job, shown = evaluation_job(task, source, "search", range(1), "alone")
        seconds = _BUSY * self.limits.seconds(task, "search")
        try:
            size = frames.SECONDS.size
            payload = self._retrying(
                lambda: self._ask(frames.COUNT, {**job, "most": most}, frames.COUNTED, size, seconds, shown)
            )
        except Failure as failure:
            return math.inf if failure.kind in ("cpu_timeout", "wall_timeout") else None
        except SandboxError:
            return None
        counted = float(frames.SECONDS.unpack(payload)[0])
        # A program can write its own answer, or to its counter.
        return counted if counted >= 0 else None

    def _ask(
        self, kind: bytes, job: dict[str, Any], expected: bytes, size: int, seconds: float, block: bytes = b""
    ) -> bytes:
        """The one answer to a job, of so many bytes, on the split that it names, else on the probe states.

        Raises `Failure`, `SandboxError`.
        """
        spawner, split = self.spawner(extras_of(job["source"])), job.get("split")
        # The limit of an evaluation, so that one waiting child serves either; the wall clock is the closer bound.
        cpu_s = self.limits.cpu_s or self.limits.seconds(self.task, "search")
        child = spawner.child(split, cpu_s)
        reader = frames.Reader(child.channel, frames.Deadline(seconds), self.limits.output_bytes)
        reaped = False
        try:
            self._send(child, kind, job, reader, block)
            spawner.order(split, cpu_s)
            payload = self._expect(reader, expected, max(size, frames.ERROR_BYTES))
        except frames.FrameTooLarge as error:
            raise Failure("output_limit", str(error)) from None
        except TimeoutError:
            raise Failure("wall_timeout", f"not finished after {seconds:g} s") from None
        except (EOFError, OSError):
            reaped = True
            # One that somebody else killed is asked again: what a search does next depends on the answer.
            raise postmortem(*spawner.status(child), spawner.isolation()) from None
        finally:
            if not reaped:
                spawner.drop(child)
        if len(payload) != size:
            raise Failure("protocol", f"an answer of {len(payload)} bytes, expected {size}")
        return payload

    @staticmethod
    def _send(child: Child, kind: bytes, job: dict[str, Any], reader: frames.Reader, block: bytes = b"") -> None:
        payload = json.dumps(job).encode()
        child.channel.settimeout(reader.deadline.remaining())
        child.channel.sendall(frames.HEADER.pack(kind, len(payload)) + payload + block)

    def _failed_step(self, reader: frames.Reader) -> None:
        self._expect(reader, frames.DONE, frames.ERROR_BYTES)
        raise Failure("protocol", "a failure was announced but not described")

    def _expect(self, reader: frames.Reader, kind: bytes, limit: int) -> bytes:
        """The payload of the next frame, which has to be of this kind. Raises `Failure` for any other."""
        received, payload = reader.frame(limit)
        if received == kind:
            return payload
        if received != frames.ERROR:
            raise Failure("protocol", f"unexpected frame {received!r}")
        raise reported(payload)

    def _solution(self, reader: frames.Reader, longest: int) -> np.ndarray:
        """The next solution, of at most `longest` entries; a longer one is refused unread."""
        dtype = np.dtype(self.task.solution_dtype)
        limit = longest * dtype.itemsize
        allowed = f"at most {longest} entries of {dtype.itemsize} bytes are allowed"
        try:
            payload = self._expect(reader, frames.SOLUTION, max(limit, frames.ERROR_BYTES))
        except frames.FrameTooLarge as error:
            raise Failure("output_limit", f"{error}; of a solution {allowed}") from None
        if len(payload) > limit:
            raise Failure("output_limit", f"a solution of {len(payload)} bytes; {allowed}")
        if len(payload) % dtype.itemsize:
            raise Failure("protocol", "a solution with a broken number")
        return np.frombuffer(payload, dtype=dtype)
