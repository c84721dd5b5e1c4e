"""How much address space this process has, asked of the limit that is to hold it, with or without /proc."""

from __future__ import annotations

import ctypes
import resource
import sys
from collections.abc import Callable

# More than any process of today's 64-bit machines can address.
_EVERYTHING = 2**48
_ATTEMPTS = 3
_PROT_NONE, _MAP_PRIVATE_ANONYMOUS = 0, 0x22


def _granted(size: int) -> bool:
    """Whether the kernel grants a mapping of `size` bytes more, given back at once. Linux only.

    Not with the module `mmap`: programs could then import it from the process that did.
    """
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    length = ctypes.c_size_t(size)
    start = libc.mmap(None, length, _PROT_NONE, _MAP_PRIVATE_ANONYMOUS, -1, ctypes.c_long(0))
    if start == ctypes.c_void_p(-1).value:
        return False
    libc.munmap(ctypes.c_void_p(start), length)
    return True


def _fits(size: int, limit: int) -> bool:
    """Whether a mapping of `size` bytes more is granted under a limit on the address space."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
        return _granted(size)
    except (OSError, ValueError, MemoryError):
        return False
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def address_space_bytes() -> int | None:
    """Bytes of address space in use, to a page; None where a limit on it does not hold.

    The smallest limit is looked for under which one page more is granted. In a process with one thread only.
    """
    if not sys.platform.startswith("linux"):  # macOS takes such a limit, and does not hold it
        return None
    page = resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)[0]
    most = _EVERYTHING if before == resource.RLIM_INFINITY else before
    for _ in range(_ATTEMPTS):
        granted = _smallest(lambda pages: _fits(page, pages * page), most // page)
        # The interpreter may ask for memory of its own just then, and so for a page more than was looked for.
        if granted and not _fits(page, (granted - 1) * page):
            return (granted - 1) * page
    return None


def _smallest(holds: Callable[[int], bool], most: int) -> int:
    """The smallest number up to `most` for which something holds that holds for all larger ones; 0 if there is none."""
    if not holds(most):
        return 0
    least = 0
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if holds(middle) else (middle + 1, most)
    return most


def refuses_beyond(size: int) -> bool:
    """Whether this process is refused a mapping of `size` bytes."""
    return not _granted(size)
