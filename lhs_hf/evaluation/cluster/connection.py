"""Finding a Ray cluster: an address that leads to none is refused in one line, within seconds."""

from __future__ import annotations

import logging
import os
import socket
import threading
from importlib.util import find_spec
from typing import Any

from ...errors import CallError
from ...opening.text import one_line

MOST_WORKERS = 1024
"""Each worker of a cluster is a thread here that waits for it."""

_ANSWER_S = 5.0
# A client's first words in HTTP/2, which Ray speaks, with empty settings; a server answers with its own settings.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
_SETTINGS_FRAME, _FRAME_HEADER = 4, 9

_connecting = threading.Lock()


def connect(address: str) -> Any:
    """The module `ray`, connected to a cluster. This process has one connection, which ends with it.

    `address`: "auto" (`RAY_ADDRESS`, or the cluster that this machine belongs to), HOST:PORT, or "local" for a cluster
    that starts here and ends with this process. A connection that the caller has opened is used.

    Raises `CallError` without Ray, for an address that does not answer, and for a second cluster.
    """
    _check_form(address)
    if find_spec("ray") is None:
        raise CallError("evaluation on a cluster needs Ray, which is not installed here: pip install 'lhs-hf[ray]'")
    # Read when Ray is imported: it reports usage to its makers, and prints what happens to nodes on stdout.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    import ray

    with _connecting:
        if ray.is_initialized():
            _check_same(ray, address)
        else:
            _open(ray, address)
    return ray


def processors(ray: Any) -> int:
    """Processors that the cluster offers, at least 1."""
    return max(1, int(ray.cluster_resources().get("CPU", 0)))


def checked_cluster_workers(workers: int | None, address: str) -> int:
    """The number asked for; None is one for each processor of the cluster. Raises `CallError` as `connect` does."""
    ray = connect(address)
    if workers is None:
        return min(MOST_WORKERS, processors(ray))
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise CallError(f"workers on a cluster must be 1 to {MOST_WORKERS}, got {workers!r}")
    return workers


def _check_form(address: str) -> None:
    if address in ("auto", "local"):
        return
    if address.startswith("ray://"):
        raise CallError(
            f"{address} is an address of Ray Client; run this on a node of the cluster (ray exec, ray job submit) with "
            "the address auto"
        )
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise CallError(f"the address of a cluster is auto, local or HOST:PORT, got {address!r:.80}")


def _check_same(ray: Any, address: str) -> None:
    """Raise `CallError` if this process is connected to another cluster than the one at `address`."""
    if address in ("auto", "local"):
        return
    connected = ray.get_runtime_context().gcs_address
    if _resolved(address) != _resolved(connected):
        raise CallError(f"this process is connected to the cluster at {connected}; it can not use {address} as well")


def _resolved(address: str) -> tuple[str, str]:
    host, _, port = address.rpartition(":")
    try:
        return socket.gethostbyname(host.strip("[]")), port
    except OSError:
        return host, port


def _open(ray: Any, address: str) -> None:
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or address
        _check_form(address)
    if address not in ("auto", "local"):
        _check_answer(address)
    # The dashboard is a service that nobody asked for; other clusters have theirs or not.
    own = {"include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except Exception as problem:  # of several kinds, among them Ray's own
        if address == "auto":
            raise CallError(
                "this machine belongs to no Ray cluster: start one with 'ray start --head', give its address as "
                "HOST:PORT, or take local for one that ends with this command"
            ) from problem
        raise CallError(f"the Ray cluster at {address} can not be used: {one_line(problem, 300)}") from problem


def _check_answer(address: str) -> None:
    """Raise `CallError` unless a server of Ray's kind answers soon; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _ANSWER_S) as channel:
            if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
                return
            channel.settimeout(_ANSWER_S)
            channel.sendall(_PREFACE)
            answer = channel.recv(_FRAME_HEADER)
    except OSError as problem:
        why = "no answer in time" if isinstance(problem, TimeoutError) else problem.strerror or problem
        raise CallError(f"no Ray cluster answers at {address}: {why}") from None
    if len(answer) < _FRAME_HEADER or answer[3] != _SETTINGS_FRAME:
        raise CallError(f"what answers at {address} is no Ray cluster")
