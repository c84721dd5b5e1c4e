"""SQLite files that several processes open at once."""

from __future__ import annotations

import sqlite3
import time

_PAUSE_S = 0.01


def use_write_ahead_log(connection: sqlite3.Connection, timeout_s: float = 30.0) -> None:
    """Let readers go on while one process writes. The file remembers it.

    Raises `sqlite3.OperationalError` if others hold the file for `timeout_s` seconds. SQLite itself does not wait here,
    whatever the connection's own timeout: two processes that open a new file together would fail.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_S)
