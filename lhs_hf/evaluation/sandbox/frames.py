"""Frames on the socket between supervisor and child: a type byte, a length, raw bytes. Never pickle."""

from __future__ import annotations

import os
import socket
import struct
import time

HEADER = struct.Struct("<cI")
INTEGER = struct.Struct("<q")
SECONDS = struct.Struct("<d")
READY = b"R"
EVALUATE = b"e"
PROBE = b"p"
STEP = b"s"
WHOLE = b"w"
COUNT = b"c"

SOLUTION = b"S"
ERROR = b"E"
DONE = b"D"
DECISIONS = b"B"
VERDICT = b"V"
COUNTED = b"C"

FAILED_STEP = -(2**63)

ERROR_BYTES = 8192

_READ_AHEAD = 1 << 16


class FrameTooLarge(Exception):
    """A frame announces more bytes than its receiver allows."""


class Deadline:
    """A point on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left. Raises `TimeoutError` once there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def write_all(descriptor: int, data: bytes) -> None:
    """Write to a blocking descriptor."""
    while data:
        data = data[os.write(descriptor, data) :]


def read_exactly(descriptor: int, size: int) -> bytes:
    """Read `size` bytes from a blocking descriptor. Raises `EOFError` when the peer closes."""
    data = os.read(descriptor, size)
    while len(data) < size:
        piece = os.read(descriptor, size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def write_frame(descriptor: int, kind: bytes, payload: bytes = b"") -> None:
    """Write one frame."""
    write_all(descriptor, HEADER.pack(kind, len(payload)) + payload)


class Reader:
    """The supervisor's end: reads with a deadline, and no more than `budget` bytes in all."""

    def __init__(self, channel: socket.socket, deadline: Deadline, budget: int) -> None:
        self.channel = channel
        self.deadline = deadline
        self._left = budget
        self._ahead = b""

    def exactly(self, size: int, ahead: int = 0) -> bytes:
        """Read `size` bytes. Raises `EOFError` when the peer closes, `TimeoutError` at the deadline.

        `ahead`: bytes beyond them that may be kept for the next call, if they are there already.
        """
        self.charge(size)
        data = self._ahead
        if len(data) < size:
            pieces = bytearray(data)
            while len(pieces) < size:
                self.channel.settimeout(self.deadline.remaining())
                piece = self.channel.recv(min(size - len(pieces) + ahead, 1 << 20))
                if not piece:
                    raise EOFError
                pieces += piece
            data = bytes(pieces)
        self._ahead = data[size:]
        return data[:size]

    def arrives_within(self, seconds: float) -> bool:
        """Wait for the next bytes, or the end of the stream, so long at most. Raises `TimeoutError` at the deadline."""
        left = self.deadline.remaining()
        self.channel.settimeout(min(seconds, left))
        try:
            self._ahead += self.channel.recv(_READ_AHEAD)
        except TimeoutError:
            return False
        return True

    def charge(self, size: int) -> None:
        """Count bytes against the budget. Raises `FrameTooLarge` once it is spent."""
        self._left -= size
        if self._left < 0:
            raise FrameTooLarge("more bytes than the limit on a program's output")

    def frame(self, limit: int) -> tuple[bytes, bytes]:
        """One frame of at most `limit` payload bytes. Raises `FrameTooLarge`, `EOFError`, `TimeoutError`.

        Frames that follow it are read with it: a quick program sends all its solutions at once.
        """
        kind, size = HEADER.unpack(self.exactly(HEADER.size, _READ_AHEAD))
        if size > limit:
            raise FrameTooLarge(f"frame of {size} bytes, at most {limit} are allowed")
        return kind, self.exactly(size, _READ_AHEAD) if size else b""
