"""Folders that one process has to itself: a lock on the folder itself, which ends with the process however it ends."""

from __future__ import annotations

import os
from pathlib import Path


class FolderTaken(OSError):
    """Another process has the folder."""


class FolderLock:
    """Has a folder from `FolderLock(folder)` until `release`. Where the system has no such locks it is never refused.

    There is no file that could be a link. Raises `FolderTaken` if another process has it.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor: int | None = None
        try:
            import fcntl
        except ImportError:
            return
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FolderTaken(f"another process has {folder}") from None
        except OSError:  # file systems without locks
            os.close(descriptor)
            return
        self._descriptor = descriptor

    def release(self) -> None:
        """Let others have it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
