"""Where islands run: all in this process, or shared out among processes of their own.

An executor takes requests, one an island, and gives their reports in the same order, whoever ends first: nothing
depends on how it does that. Another one (actors of a cluster, say) has to do no more than these.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import CallError
from ...opening.text import one_line
from .host import Host
from .messages import Report, Request, Setup

if TYPE_CHECKING:
    from ..components import Components

_ENDS_S = 10.0
"""Seconds that a process has to end by itself."""


class Executor(Protocol):
    """Runs epochs of islands. A context manager."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *error: Any) -> None: ...

    def run(self, requests: Sequence[Request]) -> list[Report]:
        """The reports of these requests, in their order. Raises what an island raised, `CallError` for a lost one."""
        ...


ExecutorFactory = Callable[[Setup], Executor]


class HereIslands:
    """All islands in this process, one after another.

    Args: as `Host` has them.
    """

    def __init__(self, setup: Setup, components: Components | None = None, *, load: bool = True) -> None:
        self._host = Host(setup, range(setup.settings.islands), components, load=load)

    def __enter__(self) -> HereIslands:
        self._host.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._host.__exit__(*error)

    def run(self, requests: Sequence[Request]) -> list[Report]:
        """The reports of these requests."""
        return [self._host.run(request) for request in requests]


class ProcessIslands:
    """Islands in processes of their own, each with its model and evaluator; island i is in process i modulo the number.

    They end with this process, however it ends.

    Args:
        setup: what the islands are.
        processes: how many; no more than there are islands are begun.
        load: as `Host` has it.
    """

    def __init__(self, setup: Setup, processes: int, *, load: bool = True) -> None:
        self._setup, self._load = setup, load
        self._count = min(processes, setup.settings.islands)
        self._children: list[tuple[Any, Connection]] = []

    def __enter__(self) -> ProcessIslands:
        """Begin the processes and wait until all have what they need. Raises what one of them raises."""
        context = multiprocessing.get_context("spawn")
        for place in range(self._count):
            ours, theirs = context.Pipe()
            numbers = range(place, self._setup.settings.islands, self._count)
            process = context.Process(target=_serve, args=(theirs, self._setup, numbers, self._load), daemon=False)
            process.start()
            # The end of the process is the end of its pipe: nobody else holds the other side.
            theirs.close()
            self._children.append((process, ours))
        try:
            for place, (_, connection) in enumerate(self._children):
                self._answer(place, connection)
        except BaseException:
            # They end by themselves, and leave nothing where nothing was stored.
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        for process, connection in self._children:
            connection.close()
            if kind is not None:
                process.terminate()
        for process, _connection in self._children:
            process.join(_ENDS_S)
            if process.is_alive():
                process.kill()
                process.join()
        self._children = []

    def run(self, requests: Sequence[Request]) -> list[Report]:
        """The reports of these requests, from all processes at once."""
        shares: dict[int, list[Request]] = {}
        for request in requests:
            shares.setdefault(request.island % self._count, []).append(request)
        for place, share in shares.items():
            with suppress(OSError):  # what is wrong with it is said when it is read
                self._children[place][1].send(share)
        reports: dict[int, Report] = {}
        waiting = {self._children[place][1]: place for place in shares}
        while waiting:
            for connection in wait(list(waiting)):
                assert isinstance(connection, Connection)
                place = waiting.pop(connection)
                reports.update({report.island: report for report in self._answer(place, connection)})
        return [reports[request.island] for request in requests]

    def _answer(self, place: int, connection: Connection) -> list[Report]:
        try:
            answer = connection.recv()
        except (EOFError, OSError):
            process = self._children[place][0]
            process.join(_ENDS_S)
            raise CallError(
                f"process {place + 1} of {self._count} with islands ended with status {process.exitcode}; what they "
                "have evaluated is kept, go on with --resume"
            ) from None
        if isinstance(answer, BaseException):
            raise answer
        reports: list[Report] = answer
        return reports


def _serve(connection: Connection, setup: Setup, numbers: Sequence[int], load: bool) -> None:
    """Say that everything is there, then answer requests until the other side closes."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Whoever leads has gone, or a person has interrupted all of it.
    with suppress(KeyboardInterrupt, EOFError, BrokenPipeError):
        try:
            with Host(setup, numbers, load=load) as host:
                connection.send([])
                while True:
                    connection.send([host.run(request) for request in connection.recv()])
        except (EOFError, BrokenPipeError):
            raise
        except Exception as problem:  # the other side raises it; not every exception can be sent
            kind = CallError if isinstance(problem, CallError) else RuntimeError
            connection.send(kind(one_line(problem, 500)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
