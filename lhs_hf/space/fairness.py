"""Fair turns: whoever asks for most waits longest, and asking more often does not help."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ..errors import CallError

T = TypeVar("T")
# Lanes that were empty for so long are forgotten.
FORGOTTEN_S = 600.0


@dataclass
class _Lane(Generic[T]):
    """One visitor's line: what waits in it, how much of it runs, when it was last served and what it has used."""

    waiting: deque[T] = field(default_factory=deque)
    running: int = 0
    turn: int = 0
    arrived: int = 0
    used_s: float = 0.0
    at: float = 0.0


class FairQueue(Generic[T]):
    """A line for each visitor, served in turns. Not thread-safe: its owner holds a lock.

    A visitor with nothing running comes before one with something running, then one who has used less time lately,
    then one whose last turn was longer ago. `memory_s` is the time after which half of what was used is forgotten;
    with 0 all of it is at once, and the turns go round.
    """

    def __init__(self, memory_s: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._memory_s, self._clock = memory_s, clock
        self._lanes: dict[str, _Lane[T]] = {}
        self._numbers = 0

    def __len__(self) -> int:
        return sum(len(lane.waiting) for lane in self._lanes.values())

    def __contains__(self, item: T) -> bool:
        return any(item in lane.waiting for lane in self._lanes.values())

    def add(self, visitor: str, item: T) -> None:
        """Let an item wait in a visitor's line."""
        lane = self._lanes.setdefault(visitor, _Lane(at=self._clock()))
        if not lane.waiting:
            lane.arrived = self._next()
        lane.waiting.append(item)

    def take(self) -> tuple[str, T] | None:
        """The visitor and item whose turn it is, None if nothing waits. `done` has to follow."""
        order = self._order()
        if not order:
            return None
        lane = self._lanes[order[0]]
        lane.running += 1
        lane.turn = lane.arrived = self._next()
        return order[0], lane.waiting.popleft()

    def done(self, visitor: str, seconds: float) -> None:
        """An item that was taken has ended after so many seconds."""
        lane = self._lanes[visitor]
        lane.used_s, lane.at = self._used(lane) + seconds, self._clock()
        lane.running -= 1
        for name, other in list(self._lanes.items()):
            if not other.waiting and not other.running and self._clock() - other.at > FORGOTTEN_S:
                del self._lanes[name]

    def remove(self, item: T) -> bool:
        """Take an item out of its line; False if it is in none."""
        for lane in self._lanes.values():
            if item in lane.waiting:
                lane.waiting.remove(item)
                return True
        return False

    def waiting(self, visitor: str) -> int:
        """How many items of a visitor wait."""
        return len(self._lanes[visitor].waiting) if visitor in self._lanes else 0

    def pending(self, visitor: str) -> int:
        """How many items of a visitor wait or run."""
        return self.waiting(visitor) + self._lanes[visitor].running if visitor in self._lanes else 0

    def longest(self) -> tuple[str, T] | None:
        """The visitor with the longest line, and the last item in it; None if nothing waits."""
        visitor = max(self._lanes, key=self.waiting, default=None)
        if visitor is None or not self.waiting(visitor):
            return None
        return visitor, self._lanes[visitor].waiting[-1]

    def ahead(self, item: T) -> int:
        """How many items come before this one, as it stands; 0 if it does not wait."""
        order = self._order()
        for place, visitor in enumerate(order):
            waiting = self._lanes[visitor].waiting
            if item in waiting:
                own = waiting.index(item)
                # Each round takes one of every line: those before this one go once more than those behind it.
                return own + sum(
                    min(len(self._lanes[other].waiting), own + (number < place))
                    for number, other in enumerate(order)
                    if other != visitor
                )
        return 0

    def _order(self) -> list[str]:
        names = [name for name, lane in self._lanes.items() if lane.waiting]
        return sorted(names, key=lambda name: self._rank(self._lanes[name]))

    def _rank(self, lane: _Lane[T]) -> tuple[int, float, int, int]:
        return lane.running, self._used(lane), lane.turn, lane.arrived

    def _used(self, lane: _Lane[T]) -> float:
        if self._memory_s <= 0:
            return 0.0
        return float(lane.used_s * 0.5 ** ((self._clock() - lane.at) / self._memory_s))

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers


@dataclass(eq=False)
class _Work:
    call: Callable[[], Any]
    wanted: Callable[[], bool]
    future: Future[Any] = field(default_factory=Future)


class FairTurns:
    """Threads that work for all visitors in fair turns. Thread-safe.

    Args:
        name: what is waited for, in the message to whoever asks for too much of it.
        running: how many calls run at the same time.
        each: how many calls one visitor may have waiting or running.
        memory_s: as in `FairQueue`.
    """

    def __init__(self, name: str, running: int, each: int, memory_s: float = 0.0) -> None:
        self.name, self.running, self.each = name, running, each
        self._queue: FairQueue[_Work] = FairQueue(memory_s)
        self._lock = threading.Condition()
        self._closed = False
        for _ in range(running):
            threading.Thread(target=self._serve, name=f"turns-{name}", daemon=True).start()

    def pending(self, visitor: str) -> int:
        """How many calls of a visitor wait or run."""
        with self._lock:
            return self._queue.pending(visitor)

    def submit(self, visitor: str, call: Callable[[], T], wanted: Callable[[], bool] = lambda: True) -> Future[T]:
        """Have a call made when the visitor's turn comes. Raises `CallError` if the visitor has enough of them.

        Args:
            wanted: asked when the turn has come; the future is cancelled if nobody wants the answer any more.
        """
        work = _Work(call, wanted)
        with self._lock:
            own = self._queue.pending(visitor)
            if own >= self.each:
                raise CallError(f"you have {own} calls ({self.name}) waiting or running already; wait for one of them")
            self._queue.add(visitor, work)
            self._lock.notify()
        return work.future

    async def run(self, visitor: str, call: Callable[[], T], wanted: Callable[[], bool] = lambda: True) -> T:
        """As `submit`, from a coroutine; its end takes the call out of the line."""
        try:
            return await asyncio.wrap_future(self.submit(visitor, call, wanted))
        except asyncio.CancelledError:
            if wanted():
                raise
            raise CallError("nobody waits for the answer any more") from None

    def close(self) -> None:
        """End the threads after what they are at; what waits is never done."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._closed or len(self._queue))
                taken = None if self._closed else self._queue.take()
            if taken is None:
                return
            visitor, work = taken
            started = time.monotonic()
            try:
                self._work(work)
            finally:
                with self._lock:
                    self._queue.done(visitor, time.monotonic() - started)

    def _work(self, work: _Work) -> None:
        if not work.wanted():
            work.future.cancel()
        if not work.future.set_running_or_notify_cancel():
            return
        try:
            result = work.call()
        except BaseException as error:  # it belongs to whoever waits
            work.future.set_exception(error)
        else:
            work.future.set_result(result)
