"""Frames on the socket between supervisor and child: a type byte, a length, raw bytes. Never pickle."""

from __future__ import annotations

import socket
import struct
import time

HEADER = struct.Struct("<cI")
INTEGER = struct.Struct("<q")

SOLUTION = b"S"
ERROR = b"E"
DONE = b"D"
DECISIONS = b"B"
JOB = b"J"

END_OF_INSTANCE = -(2**63)
FAILED_STEP = -(2**63) + 1

ERROR_BYTES = 8192


class FrameTooLarge(Exception):
    """A frame announces more bytes than its receiver allows."""


class BrokenFrame(Exception):
    """Bytes that are no frame of this protocol."""


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


def send(channel: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send one frame."""
    channel.sendall(HEADER.pack(kind, len(payload)) + payload)


def receive_exactly(channel: socket.socket, size: int, deadline: Deadline | None = None) -> bytes:
    """Read `size` bytes. Raises `EOFError` when the peer closes, `TimeoutError` at the deadline."""
    data = bytearray()
    while len(data) < size:
        if deadline is not None:
            channel.settimeout(deadline.remaining())
        piece = channel.recv(min(size - len(data), 1 << 20))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def receive(channel: socket.socket, limit: int, deadline: Deadline | None = None) -> tuple[bytes, bytes]:
    """Read one frame of at most `limit` payload bytes. Raises `FrameTooLarge`, `EOFError`, `TimeoutError`."""
    kind, size = HEADER.unpack(receive_exactly(channel, HEADER.size, deadline))
    if size > limit:
        raise FrameTooLarge(f"frame of {size} bytes, at most {limit} are allowed")
    return kind, receive_exactly(channel, size, deadline)
