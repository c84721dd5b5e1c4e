"""Which call of a page draws a part of it last, where calls that began before may be done after."""

from __future__ import annotations

import itertools
from collections import OrderedDict

SESSIONS = 4096


class LatestCall:
    """Numbers the calls of each session that draw the same part; only the last `sessions` of them are remembered."""

    def __init__(self, sessions: int = SESSIONS) -> None:
        self._sessions = sessions
        self._latest: OrderedDict[str | None, int] = OrderedDict()
        self._numbers = itertools.count()

    def begin(self, session: str | None) -> int:
        """The number of a call that begins now."""
        number = self._latest[session] = next(self._numbers)
        self._latest.move_to_end(session)
        while len(self._latest) > self._sessions:
            self._latest.popitem(last=False)
        return number

    def is_latest(self, session: str | None, number: int) -> bool:
        """Whether no other call of this session has begun since."""
        return self._latest.get(session, number) == number
