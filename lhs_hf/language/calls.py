"""Every request and reply of a run, in a database: stored before anything is made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..errors import CallError
from ..opening.files import parse_json
from ..store import Store, Table, transaction
from .model import Reply, Request


@dataclass(frozen=True)
class Call:
    """A request by its number from 0, and its reply; None while none has come."""

    number: int
    request: dict[str, Any]
    reply: Reply | None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"number": self.number, "request": self.request, "reply": self.reply and self.reply.as_dict()}


class Calls(Store):
    """A SQLite file of calls.

    Raises `CallError` for a file that is none, and each method for what a damaged one holds.
    """

    kind = "a file of calls"
    tables: ClassVar = {
        "calls": Table({"number": "INTEGER PRIMARY KEY", "request": "TEXT NOT NULL", "reply": "TEXT"}),
    }

    def begin(self, number: int, request: Request) -> Reply | None:
        """Store a request before it is sent; the reply, if the call was made before.

        Raises `CallError` where the call of that number was another one: the run was begun with other settings.
        """
        stored = self.get(number)
        if stored is None:
            self._connection.execute(
                "INSERT INTO calls VALUES (?, ?, NULL)", (number, json.dumps(request.as_dict(), sort_keys=True))
            )
            return None
        if stored.request != json.loads(json.dumps(request.as_dict())):
            raise CallError(f"call {number} of {self.name} was another request: this run was begun differently")
        return stored.reply

    def end(self, replies: Mapping[int, Reply]) -> None:
        """Store the replies of requests by number, all or none: those of one batch belong together."""
        rows = [(json.dumps(reply.as_dict(), sort_keys=True), number) for number, reply in replies.items()]
        with transaction(self._connection):
            self._connection.executemany("UPDATE calls SET reply=? WHERE number=?", rows)

    def get(self, number: int) -> Call | None:
        """A call by its number, None if there is none."""
        with self._reading():
            row = self._connection.execute("SELECT * FROM calls WHERE number=?", (number,)).fetchone()
            return None if row is None else self._call(*row)

    def __iter__(self) -> Iterator[Call]:
        with self._reading():
            rows = self._connection.execute("SELECT * FROM calls ORDER BY number").fetchall()
        for row in rows:
            yield self._call(*row)

    def _call(self, number: Any, request: Any, reply: Any) -> Call:
        place = f"{self.name}: call {number}"
        if not isinstance(request, str) or not isinstance(reply, (str, type(None))):
            raise CallError(f"{place} holds no text")
        return Call(int(number), parse_json(request, place), None if reply is None else reply_from(reply, place))


def reply_from(text: str, place: str) -> Reply:
    """The reply that a text of JSON describes. Raises `CallError` naming `place` for anything else."""
    data = parse_json(text, place)
    try:
        reply = Reply(**data)
    except TypeError:
        raise CallError(f"{place} is no reply of a language model") from None
    if not isinstance(reply.text, str):
        raise CallError(f"{place} is no reply of a language model")
    return reply


def write_transcript(calls: Iterable[Call], path: Path) -> int:
    """Write calls that were answered as JSON lines, for `Transcript`; how many they are."""
    lines = [json.dumps(call.as_dict(), sort_keys=True) for call in calls if call.reply is not None]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)
