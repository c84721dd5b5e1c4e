"""SQLite files that somebody else made.

*Covered*: views, triggers, virtual tables, generated columns and other tables are refused before anything is read;
the files that belong to a database (write-ahead log, journal) are neither links nor name further files, which SQLite
would delete; a file that is only read is read in a private copy, so nothing is written beside it; a damaged file is one
`CallError`. *Not covered*: defects of SQLite itself.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ..errors import CallError
from .files import inside
from .text import one_line

FILE_BYTES = 2**33
VALUE_BYTES = 16 * 2**20

# SQLITE_LIMIT_LENGTH and SQLITE_LIMIT_ATTACHED, which `sqlite3` names from Python 3.11 on.
_LIMIT_LENGTH, _LIMIT_ATTACHED = 0, 7
_LOG, _MEMORY, _JOURNAL = "-wal", "-shm", "-journal"
# A rollback journal that ends with these bytes names another file, which SQLite deletes after rolling back.
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
_CODE_IN_TABLES = re.compile(r"\b(VIRTUAL|CHECK|GENERATED|AS|COLLATE)\b", re.IGNORECASE)
_CHECK_STEPS, _STEPS_A_CALL = 200, 1_000_000
# A million rows take about 2 GB and 1,500 million steps.
_BYTES_A_CALL = 2**20
_TRIES, _PAUSE_S = 20, 0.05


def check_files(path: Path) -> None:
    """Raise `CallError` if a database that is to be written to, or what belongs to it, is no plain file of its folder.

    A file that does not exist is fine.
    """
    for end in ("", _LOG, _MEMORY, _JOURNAL):
        part = Path(f"{path}{end}")
        try:
            mode = part.lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            kind = "a link" if stat.S_ISLNK(mode) else "no file"
            raise CallError(f"{part} is {kind}; expected a file of a database")
    _check_journal(Path(f"{path}{_JOURNAL}"))


def _check_journal(path: Path) -> None:
    try:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - len(_NAMES_ANOTHER)))
            end = file.read()
    except FileNotFoundError:  # most have none, and another process may just have finished with its own
        return
    if end == _NAMES_ANOTHER:
        raise CallError(f"{path} names another file to delete; expected the journal of one database")


def guard(connection: sqlite3.Connection) -> None:
    """Let nothing that a database holds act: no functions in its schema, checked pages, bounded values."""
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA mmap_size=0")
    if hasattr(connection, "setlimit"):
        connection.setlimit(_LIMIT_LENGTH, VALUE_BYTES)
        connection.setlimit(_LIMIT_ATTACHED, 0)


def check_tables(
    connection: sqlite3.Connection,
    name: str,
    tables: Mapping[str, Mapping[str, str]],
    optional: frozenset[str] = frozenset(),
    indexes: Mapping[str, str] | None = None,
) -> None:
    """Raise `CallError` unless a database holds these tables (column names to types), or fewer, and nothing else.

    Args:
        name: what messages call the file.
        optional: columns that may be missing.
        indexes: those that there may be, each with the statement that makes it.
    """
    expected = f"expected the tables {' and '.join(tables)} alone"
    for kind, entry, text in connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
        if kind == "index" and text in (None, (indexes or {}).get(entry)):  # None: what a primary key makes
            continue
        if kind != "table" or entry not in tables:
            raise CallError(f"{name} holds the {one_line(kind, 20)} {one_line(entry, 60)!r}; {expected}")
        code = _CODE_IN_TABLES.search(text) if isinstance(text, str) else None
        if not isinstance(text, str) or code:
            raise CallError(f"{name}: table {entry} has {code.group() if code else 'no text'} in it; {expected}")
        present = {row[1]: row for row in connection.execute(f"PRAGMA table_xinfo({entry})")}
        for column, declared in tables[entry].items():
            if column not in present and column not in optional:
                raise CallError(f"{name}: table {entry} has no column {column}")
            found = one_line(present[column][2], 40).upper() if column in present else declared
            if found != declared:
                raise CallError(f"{name}: column {column} of table {entry} is {found or 'untyped'}, not {declared}")
        for column, (_, _, _, _, default, _, hidden) in present.items():
            if hidden or default not in (None, "0", "''"):
                raise CallError(f"{name}: column {one_line(column, 60)!r} of table {entry} is computed; {expected}")


@contextmanager
def private_copy(path: Path, live: bool = False) -> Iterator[Path]:
    """A copy of a database, its log and journal among it, in a folder that is deleted afterwards.

    SQLite would write beside a file that it only reads (and can not in a folder that is read-only).

    Args:
        live: this process has the file open through SQLite. Its locks, which closing any other handle of the file
            would give up, are left alone.

    Raises `CallError` for what is no file, leaves its folder, is larger than `FILE_BYTES`, or is never at rest.
    """
    with TemporaryDirectory(prefix="lhs-run-") as folder:
        copy = Path(folder) / path.name
        try:
            if live:
                read_only = f"{path.resolve().as_uri()}?mode=ro"
                with closing(sqlite3.connect(read_only, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
                    source.backup(target)
            else:
                _copy_at_rest(path, copy)
        except (OSError, sqlite3.Error) as error:
            raise CallError(f"{path} can not be read: {one_line(error)}") from None
        yield copy


def _copy_at_rest(path: Path, copy: Path) -> None:
    """Copy the files of a database while no other process changes them; a log may grow.

    What is written to the log while it is copied, after the database, ends it: SQLite reads up to its last whole
    transaction. It gets into the database, and begins anew, only by a change of the database itself.
    """
    for _ in range(_TRIES):
        # The shared memory is left out: SQLite makes it again from the log.
        parts = [(end, inside(path.parent, path.name + end)) for end in ("", _JOURNAL, _LOG)]
        before = [_state(part) for _, part in parts[:2]]
        for end, part in parts:
            target = Path(f"{copy}{end}")
            target.unlink(missing_ok=True)
            # Missing from the start, or gone since: then its state has changed, and all is read again.
            with suppress(FileNotFoundError):
                found = part.stat()
                if not stat.S_ISREG(found.st_mode):
                    raise CallError(f"{part} is no file; expected one of a database")
                if found.st_size > FILE_BYTES:
                    raise CallError(f"{part} is larger than {FILE_BYTES} bytes")
                shutil.copyfile(part, target)
        if before == [_state(part) for _, part in parts[:2]]:
            _check_journal(Path(f"{copy}{_JOURNAL}"))
            return
        time.sleep(_PAUSE_S)
    raise CallError(f"{path} is being written all the time; try again later")


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def bound(connection: sqlite3.Connection) -> None:
    """Bound what a connection may do from here on, by the size of its file.

    A small file whose pages stand for each other many times would keep a query busy for hours.
    """
    [(pages,)], [(size,)] = (connection.execute(f"PRAGMA page_{what}").fetchall() for what in ("count", "size"))
    steps = iter(range(_CHECK_STEPS + pages * size // _BYTES_A_CALL))
    connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS_A_CALL)


def check_pages(connection: sqlite3.Connection, name: str) -> None:
    """Raise `CallError` unless the pages of a database are whole and each is used once; `bound` it."""
    bound(connection)
    [(verdict,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
    if verdict != "ok":
        raise CallError(f"{name} is damaged: {one_line(verdict)}")


@contextmanager
def checked_beside(check: Callable[[], None]) -> Iterator[None]:
    """Check a private copy by a connection of its own, while the block reads it by another one, which is `bound`.

    Raises what the check does, in place of anything that the block found: until then it is to trust nothing.
    """
    with ThreadPoolExecutor(1) as thread:
        checking = thread.submit(check)
        try:
            yield
        finally:
            checking.result()
