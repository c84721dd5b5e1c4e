"""Which sessions have somebody on the other end: told by the streams on which answers are read."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from dataclasses import dataclass


@dataclass
class _Session:
    visitor: str
    seen: float
    streams: int = 0
    # Open pages say that they are there, whether or not they wait for an answer.
    pages: int = 0
    # Nothing is left of its answers.
    emptied: bool = False
    # When a piece of an answer was handed over that has not been accepted yet.
    sending: float | None = None


class Presence:
    """Sessions and their streams. Thread-safe.

    A session without an open stream is absent since it was last heard of; one whose stream accepts nothing, since the
    piece that waits. As long as nobody has called `watch`, nothing is known and everybody counts as present.
    """

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._lock = threading.Lock()
        self._watched = False

    def watch(self) -> None:
        """From now on every session is reported here: one that is not known is absent."""
        self._watched = True

    def heard(self, session: str, visitor: str) -> None:
        """A visitor has sent something in a session."""
        with self._lock:
            entry = self._known(session, visitor)
            entry.seen, entry.emptied = time.monotonic(), False

    def opened(self, session: str, visitor: str) -> None:
        """A stream of answers was opened."""
        with self._lock:
            entry = self._known(session, visitor)
            entry.streams, entry.seen, entry.emptied = entry.streams + 1, time.monotonic(), False

    def page_opened(self, session: str, visitor: str) -> None:
        """A page is there, which may or may not wait for an answer."""
        with self._lock:
            self._known(session, visitor).pages += 1

    def page_closed(self, session: str) -> None:
        """A page was left."""
        with self._lock:
            if session in self._sessions:
                self._sessions[session].pages -= 1

    def sending(self, session: str) -> None:
        """A piece of an answer is handed over."""
        with self._lock:
            if session in self._sessions:
                self._sessions[session].sending = time.monotonic()

    def accepted(self, session: str) -> None:
        """The piece that was handed over is on its way."""
        with self._lock:
            if session in self._sessions:
                self._sessions[session].sending, self._sessions[session].seen = None, time.monotonic()

    def closed(self, session: str) -> None:
        """A stream of answers has ended."""
        with self._lock:
            if session in self._sessions:
                entry = self._sessions[session]
                entry.streams, entry.sending = max(0, entry.streams - 1), None

    def absent_s(self, session: str | None) -> float:
        """Seconds since nobody reads a session's answers; 0 while somebody does."""
        if session is None or not self._watched:
            return 0.0
        with self._lock:
            entry = self._sessions.get(session)
            return math.inf if entry is None else self._absent(entry)

    def empty(self, absent_s: float) -> list[str]:
        """The sessions whose answers nobody has read for so long, each once until it is heard of again."""
        with self._lock:
            empty = [
                name for name, entry in self._sessions.items() if not entry.emptied and self._absent(entry) > absent_s
            ]
            for name in empty:
                self._sessions[name].emptied = True
            return empty

    def forget(self, absent_s: float, each: int) -> list[str]:
        """Drop the sessions without a page that are absent for so long, and of each visitor the oldest above `each`.

        Returns their names.
        """
        with self._lock:
            absent = {name: self._absent(entry) for name, entry in self._sessions.items()}
            own = Counter(entry.visitor for entry in self._sessions.values())
            dropped = []
            for name in sorted(absent, key=lambda name: -absent[name]):
                entry = self._sessions[name]
                left = not entry.streams and not entry.pages
                if left and (absent[name] > absent_s or own[entry.visitor] > each):
                    own[entry.visitor] -= 1
                    dropped.append(name)
                    del self._sessions[name]
            return dropped

    def _known(self, session: str, visitor: str) -> _Session:
        return self._sessions.setdefault(session, _Session(visitor, time.monotonic()))

    def _absent(self, entry: _Session) -> float:
        now = time.monotonic()
        if entry.streams:
            return 0.0 if entry.sending is None else now - entry.sending
        return now - entry.seen
