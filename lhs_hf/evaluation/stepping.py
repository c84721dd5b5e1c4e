"""Stepping sessions: run unfinished programs statement by statement, many at once, in fenced children.

A decoder that writes a program statement by statement asks after each one whether the program still runs. Each session
has a child of its own. A program is replayed from its start on a few probe states up to the place where it goes on, so
a verdict depends on nothing but the text: same text, same verdict. A child that has run a statement which was refused
or taken back is replaced, so nothing of that statement remains.
"""

from __future__ import annotations

import json
import selectors
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from ..tasks.base import Task
from .frontier import split_frontier
from .result import clean_message
from .sandbox import frames
from .sandbox.extras import extras_of
from .sandbox.failures import KilledFromOutside, postmortem, reported
from .sandbox.spawner import BRIEFLY_S, Child, SandboxError, Spawner
from .sandbox.supervisor import Worker

_ATTEMPTS = 3


@dataclass(frozen=True)
class StepResult:
    """The verdict on a statement.

    `status`: "ok" or a kind of `STATUSES`. `line`: 1-based line of the program the error came from, None if unknown.
    `reached`: probe states whose run came to the end of what is written; `finished`: those whose run returned a legal
    answer. A run can do neither, for example while a helper function is being written. `late`: a whole program that ran
    on the probe states of the session and failed only after them.
    """

    status: str
    message: str = ""
    line: int | None = None
    reached: int = 0
    finished: int = 0
    late: bool = False

    @property
    def ok(self) -> bool:
        """Whether the statement ran."""
        return self.status == "ok"


@dataclass(eq=False)
class StepSession:
    """One program in the making: the text that has been accepted so far. Made by `Stepper.open`."""

    source: str = ""
    _spawner: Spawner | None = field(default=None, repr=False)
    _child: Child | None = field(default=None, repr=False)
    _ran: str = field(default="", repr=False)

    def snapshot(self) -> int:
        """A mark of the program as it is now."""
        return len(self.source)

    def rollback(self, mark: int) -> None:
        """Take back every statement since `mark`. Raises `ValueError` for a mark that does not lie behind."""
        if not 0 <= mark <= len(self.source):
            raise ValueError(f"no snapshot {mark}: the program has {len(self.source)} characters")
        self.source = self.source[:mark]


class _Exchange:
    """One request under way: the program to run and the bytes of its verdict so far."""

    def __init__(self, session: StepSession, source: str, whole: bool) -> None:
        self.session = session
        self.kept, self.runnable = split_frontier(source)
        if whole:
            self.runnable = self.kept
        self.whole = whole
        self.unsent = b""
        self.answer = b""
        self.result: StepResult | None = None
        self.closed = False


class Stepper:
    """Stepping sessions of one task. Not thread-safe. Use it as a context manager; made by `Evaluator.stepping`.

    Args:
        task: the task.
        worker: where children come from.
        probes: how many of the 64 probe states to run on (spread evenly), or which of them.
        limit_s: wall seconds one statement may take, all its probe states together.
        whole_limit_s: wall seconds a whole program may take, all probe states and practice instances together.

    `executions` counts runs of a program on a probe state. Raises `ValueError` for wrong probes or limits.
    """

    def __init__(
        self,
        task: Task,
        worker: Worker,
        probes: int | Sequence[int] = 3,
        limit_s: float = 1.0,
        whole_limit_s: float = 5.0,
    ) -> None:
        count = len(task.probes)
        if isinstance(probes, int):
            if not 1 <= probes <= count:
                raise ValueError(f"probes must be 1 to {count}, got {probes}")
            probes = [index * count // probes for index in range(probes)]
        if not probes or not all(0 <= probe < count for probe in probes):
            raise ValueError(f"probe states are 0 to {count - 1}, got {list(probes)}")
        for name, value in (("limit_s", limit_s), ("whole_limit_s", whole_limit_s)):
            if value <= 0:
                raise ValueError(f"{name} must be positive, got {value}")
        self.task = task
        self.limit_s = limit_s
        self.whole_limit_s = whole_limit_s
        self.probes = list(probes)
        self.executions = 0
        self._worker = worker
        self._sessions: list[StepSession] = []

    def __enter__(self) -> Stepper:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, source: str = "") -> StepSession:
        """A new session. `source` is taken as accepted, without running it."""
        session = StepSession(source)
        self._sessions.append(session)
        return session

    def close(self, session: StepSession | None = None) -> None:
        """End one session and its child, or all of them."""
        for each in [session] if session is not None else list(self._sessions):
            self._release(each)
            self._sessions.remove(each)

    def step(self, statements: Sequence[tuple[StepSession, str]]) -> list[StepResult]:
        """Append statements to several programs and run each as far as it goes, all in one exchange.

        Each entry is a session and the next lines of its program, indented as they stand in it. A last line `...`
        says where the program goes on (it is not kept); without one, that is behind the last statement, or inside the
        block that the last line opens. Results come in the order of the entries; a refused statement is not kept.

        Raises `SandboxError` if no child can be had, `ValueError` if a session is named twice.
        """
        return self.check([(session, session.source + text) for session, text in statements])

    def check(
        self, programs: Sequence[tuple[StepSession, str]], whole: Collection[StepSession] = ()
    ) -> list[StepResult]:
        """Like `step`, with the whole text of each program instead of its next lines.

        The programs of the sessions in `whole` are finished: each is run on all probe states of the task, of which it
        may fail on one in twenty, and on the task's practice instances, all of which it has to solve.
        """
        if len({id(session) for session, _ in programs}) != len(programs):
            raise ValueError("a session can take one step in an exchange")
        exchanges = [_Exchange(session, source, session in whole) for session, source in programs]
        everything = len(self.task.probes) + len(self.task.practice_instances)
        self.executions += sum(everything if each.whole else len(self.probes) for each in exchanges)
        for attempt in range(_ATTEMPTS):
            left = [exchange for exchange in exchanges if exchange.result is None]
            if not left:
                break
            try:
                self._run(left, attempt == _ATTEMPTS - 1)
            except SandboxError:
                for exchange in exchanges:
                    self._release(exchange.session)
                self._worker.close()
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(0.1 * (attempt + 1))
            except BaseException:
                for exchange in exchanges:
                    self._release(exchange.session)
                raise
        return [exchange.result for exchange in exchanges if exchange.result is not None]

    def _run(self, exchanges: list[_Exchange], last_attempt: bool) -> None:
        """Give every exchange its result; one whose child was killed from outside gets none before the last attempt."""
        self._order(exchanges)
        with selectors.DefaultSelector() as waiting:
            for exchange in exchanges:
                source = exchange.runnable.encode("utf-8", "surrogatepass")
                if len(source) > self._worker.limits.source_bytes:
                    self._settle(exchange, StepResult("syntax", "program is larger than allowed"))
                    continue
                kind = frames.WHOLE if exchange.whole else frames.STEP
                exchange.unsent = frames.HEADER.pack(kind, len(source)) + source
                exchange.answer = b""
                exchange.closed = False
                channel = self._child(exchange).channel
                channel.setblocking(False)
                waiting.register(channel, selectors.EVENT_READ | selectors.EVENT_WRITE, exchange)
            # The clock starts once every child is there: the first to be asked waits for no other.
            start = time.monotonic()
            while waiting.get_map():
                left = [start + self._limit(key.data) - time.monotonic() for key in waiting.get_map().values()]
                for key, ready in waiting.select(max(0.0, min(left))):
                    if ready & selectors.EVENT_WRITE and self._write(key.data):
                        waiting.modify(key.fileobj, selectors.EVENT_READ, key.data)
                    if ready & selectors.EVENT_READ and self._read(key.data):
                        waiting.unregister(key.fileobj)
                for key in list(waiting.get_map().values()):
                    if time.monotonic() >= start + self._limit(key.data):
                        waiting.unregister(key.fileobj)
                        # A verdict that came in time may lie here unread: this process was busy with others.
                        if not self._read(key.data):
                            message = f"not finished after {self._limit(key.data):g} s"
                            self._settle(key.data, StepResult("wall_timeout", message, late=key.data.whole))
        # Whether a child ends by itself is waited for when nobody else's clock runs any more, for all of them together.
        end = time.monotonic() + BRIEFLY_S
        for exchange in exchanges:
            if exchange.closed:
                self._bury(exchange, max(0.0, end - time.monotonic()), last_attempt)

    def _limit(self, exchange: _Exchange) -> float:
        return self.whole_limit_s if exchange.whole else self.limit_s

    def _order(self, exchanges: list[_Exchange]) -> None:
        """Have the children that are needed made side by side."""
        needed = Counter(extras_of(each.runnable) for each in exchanges if not self._usable(each))
        for extras, count in needed.items():
            spawner = self._worker.spawner(extras)
            spawner.isolation()
            spawner.order(None, 0.0, count)

    def _usable(self, exchange: _Exchange) -> bool:
        """Whether all that the child of a session has run is still part of the program."""
        session = exchange.session
        return session._child is not None and exchange.kept.startswith(session._ran)

    def _child(self, exchange: _Exchange) -> Child:
        """The child of a session, a fresh one if need be."""
        session = exchange.session
        spawner = self._worker.spawner(extras_of(exchange.runnable))
        if session._spawner is not spawner or not self._usable(exchange):
            self._release(session)
        if session._child is None:
            child = spawner.child(None, 0.0)
            payload = json.dumps({"probes": self.probes}).encode()
            try:
                child.channel.sendall(frames.HEADER.pack(frames.STEP, len(payload)) + payload)
            except OSError as error:
                child.channel.close()
                raise SandboxError(f"a child ended before its first program: {error}") from None
            session._child, session._spawner = child, spawner
        session._ran = exchange.kept
        return session._child

    @staticmethod
    def _write(exchange: _Exchange) -> bool:
        """Send what a socket takes of a request; True once it is sent, or its reader is gone."""
        child = exchange.session._child
        assert child is not None
        try:
            exchange.unsent = exchange.unsent[child.channel.send(exchange.unsent) :]
        except BlockingIOError:
            return False
        except OSError:
            return True  # its end shows as the end of the stream
        return not exchange.unsent

    def _read(self, exchange: _Exchange) -> bool:
        """Take what has arrived of a verdict, without waiting; True once nothing more is to come."""
        session, header = exchange.session, frames.HEADER.size
        assert session._child is not None
        try:
            piece = session._child.channel.recv(frames.ERROR_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            piece = b""
        if not piece:
            exchange.closed = True
            return True
        exchange.answer += piece
        if len(exchange.answer) < header:
            return False
        kind, size = frames.HEADER.unpack(exchange.answer[:header])
        if size > frames.ERROR_BYTES:
            self._settle(exchange, StepResult("output_limit", f"a verdict of {size} bytes"))
        elif kind != frames.VERDICT or len(exchange.answer) > header + size:
            self._settle(exchange, StepResult("protocol", "not a verdict"))
        elif len(exchange.answer) < header + size:
            return False
        else:
            lines = exchange.runnable.count("\n") + 1
            probes = len(self.task.probes) if exchange.whole else len(self.probes)
            self._settle(exchange, _verdict(exchange.answer[header:], probes, lines))
        return True

    def _bury(self, exchange: _Exchange, briefly_s: float, last_attempt: bool) -> None:
        """Name the failure of a child that has closed its socket, and has so many seconds to end by itself."""
        session = exchange.session
        child, session._child = session._child, None
        assert child is not None
        assert session._spawner is not None
        try:
            failure = postmortem(*session._spawner.status(child, briefly_s), session._spawner.isolation())
        except KilledFromOutside:
            if last_attempt:
                self._settle(exchange, StepResult("killed", "killed three times, most likely for want of memory"))
            return
        self._settle(exchange, StepResult(failure.kind, str(failure)))

    def _settle(self, exchange: _Exchange, result: StepResult) -> None:
        exchange.result = result
        if result.ok:
            exchange.session.source = exchange.kept
        else:
            self._release(exchange.session)

    @staticmethod
    def _release(session: StepSession) -> None:
        child, spawner = session._child, session._spawner
        session._child, session._spawner, session._ran = None, None, ""
        if child is not None and spawner is not None:
            try:
                spawner.drop(child)
            except SandboxError:  # the zygote is gone, and its children with it
                child.channel.close()


def _verdict(payload: bytes, probes: int, lines: int) -> StepResult:
    """A verdict as the child wrote it: untrusted."""
    try:
        body = json.loads(payload)
        if "kind" not in body:
            count: Callable[[str], int] = lambda name: min(probes, max(0, int(body[name])))  # noqa: E731
            return StepResult("ok", reached=count("reached"), finished=count("finished"))
        late = body.get("late") is True
        line = body.get("line")
        failure = reported(payload)
        known = type(line) is int and 1 <= line <= lines
        return StepResult(failure.kind, clean_message(str(failure)), line if known else None, late=late)
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError, OverflowError):
        return StepResult("protocol", "not a verdict")
