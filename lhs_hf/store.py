"""SQLite files that are written to: opened in one place, bounded, closed once."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from .errors import CallError
from .opening.databases import check_files, check_tables, guard
from .opening.text import one_line

MEMORY = ":memory:"

_PAUSE_S = 0.01
_STEPS_BETWEEN_LOOKS = 10_000
_Self = TypeVar("_Self", bound="Store")


def connect(
    path: Path | str,
    prepare: Callable[[sqlite3.Connection], None],
    *,
    timeout_s: float = 30.0,
    threads: bool = False,
    links: bool = False,
    synchronous: Literal["FULL", "NORMAL"] = "FULL",
    interrupted: Callable[[], bool] | None = None,
) -> sqlite3.Connection:
    """A database that is written to, made with its folder if it does not exist. Each statement is a transaction.

    The file may be somebody else's: nothing in its schema acts, and the size of its values is bounded.

    Args:
        path: the file, or `MEMORY`.
        prepare: checks what the file holds, and makes its tables.
        timeout_s: how long a statement waits for other processes.
        threads: whether several threads use the connection, one at a time.
        links: whether the file may be a link.
        synchronous: with "FULL", what a statement wrote is on disk when it returns.
        interrupted: asked now and then while a statement runs; True ends it.

    Raises `CallError` for a link, `OSError` for a folder that can not be made, and for anything else that is wrong
    `sqlite3.Error`, or `UnicodeError`: `sqlite3` fails to decode its own words about a damaged schema.
    """
    if str(path) != MEMORY:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        if not links:
            check_files(Path(path))
    connection = sqlite3.connect(path, timeout=timeout_s, isolation_level=None, check_same_thread=not threads)
    try:
        if interrupted is not None:
            connection.set_progress_handler(interrupted, _STEPS_BETWEEN_LOOKS)
        guard(connection)
        use_write_ahead_log(connection, timeout_s)
        connection.execute(f"PRAGMA synchronous={synchronous}")
        prepare(connection)
    except BaseException:
        with suppress(sqlite3.Error):
            connection.close()
        raise
    return connection


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


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All statements of a block or none. It waits for other writers when it begins, not in its middle."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk or a damaged page has ended the transaction already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@dataclass(frozen=True)
class Table:
    """A table: `columns` (name to declaration, the type first), and the names of a key that is made of several."""

    columns: Mapping[str, str]
    key: tuple[str, ...] = ()

    @property
    def types(self) -> dict[str, str]:
        """The type of each column."""
        return {name: declared.partition(" ")[0] for name, declared in self.columns.items()}

    def statement(self, name: str) -> str:
        """The statement that makes the table unless it is there."""
        parts = [f"{column} {declared}" for column, declared in self.columns.items()]
        if self.key:
            parts.append(f"PRIMARY KEY ({', '.join(self.key)})")
        return f"CREATE TABLE IF NOT EXISTS {name} ({', '.join(parts)})"


class Store:
    """A SQLite file of the tables of a subclass and nothing else. A context manager; open until `close`.

    Args:
        path: the file, or `MEMORY`; it is made if it does not exist.
        name: what messages call it; None is `path`.
        options: those of `connect`.

    Raises `CallError` for a file that holds something else, `OSError` for a folder that can not be made.
    """

    kind: ClassVar[str]
    """What the file is, for messages."""

    tables: ClassVar[Mapping[str, Table]] = {}

    later_columns: ClassVar[tuple[str, ...]] = ()
    """Columns that files of earlier versions lack."""

    indexes: ClassVar[Mapping[str, str]] = {}
    """What is looked up, by the name of its index: table, columns and condition, as they follow its `ON`."""

    def __init__(self, path: Path | str, name: Path | str | None = None, **options: Any) -> None:
        self.path = Path(path)
        self.name = str(name or path)
        self.closed = True
        self._lock = threading.Lock()
        try:
            self._connection = connect(path, self._prepare, **options)
        except (sqlite3.Error, UnicodeError) as error:
            raise CallError(f"{self.name} is not {self.kind}: {one_line(error)}") from None
        self.closed = False

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """One transaction: several processes may open a new or an old file at once."""
        with transaction(connection):
            self._make(connection)
            for name, on in self.indexes.items():
                connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {on}")

    def _make(self, connection: sqlite3.Connection) -> None:
        """Check what the file holds, and make the tables that it lacks."""
        types = {name: table.types for name, table in self.tables.items()}
        indexes = {name: f"CREATE INDEX {name} ON {on}" for name, on in self.indexes.items()}
        check_tables(connection, self.name, types, optional=frozenset(self.later_columns), indexes=indexes)
        for name, table in self.tables.items():
            connection.execute(table.statement(name))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what SQLite finds wrong while rows are read, which may be at any of them, into a `CallError`."""
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            raise CallError(f"{self.name} is damaged: {one_line(error)}") from None

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if not self.closed:
                self.closed = True
                with suppress(sqlite3.Error):
                    self._connection.close()
