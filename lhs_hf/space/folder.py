"""The folder of one server: deleted when it ends, however it ends, and by the next server if it could not."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

PREFIX = "lhs-space-"
LOCK = "lock"


class ServerFolder:
    """A new folder in the system's place for temporary files, which only this user can read.

    It holds a file that stays locked for as long as this process lives: a folder whose lock is free belongs to a
    server that was killed, and the next `ServerFolder` deletes it. `close` deletes it; so does the end of the process.
    """

    def __init__(self) -> None:
        remove_abandoned()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        # The file gets its name once it is locked: whoever sees it free may believe it.
        being_made = self.path / f"{LOCK}.part"
        self._lock = os.open(being_made, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        _locked(self._lock)
        being_made.rename(self.path / LOCK)
        self.close = weakref.finalize(self, _remove, self.path, self._lock)


def remove_abandoned() -> list[Path]:
    """Delete the folders of this user's servers that do not live any more; those that were deleted."""
    removed = []
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        # Another user's folder, or a link to one, is nobody's to delete; a folder without the file is not understood.
        with suppress(OSError):
            if path.is_symlink() or path.stat().st_uid != os.getuid():
                continue
            lock = os.open(path / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                if _locked(lock):
                    shutil.rmtree(path, ignore_errors=True)
                    removed.append(path)
            finally:
                os.close(lock)
    return removed


def _locked(file: int) -> bool:
    """Whether this process has the lock now."""
    # Windows has no such module, and no sandbox that the page could use.
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remove(path: Path, lock: int) -> None:
    shutil.rmtree(path, ignore_errors=True)
    os.close(lock)


@contextmanager
def ending_on_terminate() -> Iterator[None]:
    """SIGTERM ends the block as `sys.exit` does, so that what has to be cleaned up is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: Any) -> NoReturn:
        raise SystemExit(128 + number)

    former = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)
