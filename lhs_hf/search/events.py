"""A search as a stream of events, for whoever shows it while it runs."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .database import Candidate


@dataclass(frozen=True)
class StepTaken:
    """A round leaves its seeds: candidates with `before`, `after` and `parent`, not decoded yet."""

    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class CandidateEvaluated:
    """A candidate has its status, and its objective and score if it is valid."""

    candidate: Candidate


@dataclass(frozen=True)
class SearchFinished:
    """The last event: what the search returned, a `SearchResult` or the pipeline's dictionary."""

    result: Any


SearchEvent = StepTaken | CandidateEvaluated | SearchFinished


def iter_search(search: Callable[..., Any], stop: threading.Event | None = None) -> Iterator[SearchEvent]:
    """Run a search in a thread of its own and yield what happens, as it happens.

    >>> from functools import partial
    >>> for event in iter_search(partial(pipe, "tsp_construct", budget=20)):
    ...     print(event)

    Args:
        search: `run_search`, or a pipeline, with its arguments bound; it is called with `listener`, `on_step` and
            `stop`.
        stop: set it, from any thread, to end the search after the round it is in; the result holds what was found.

    An error of the search is raised here. Closing the iterator stops the search as `stop` does.
    """
    stop = stop or threading.Event()
    events: queue.SimpleQueue[SearchEvent | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            result = search(
                listener=lambda candidate: events.put(CandidateEvaluated(candidate)),
                on_step=lambda candidates: events.put(StepTaken(tuple(candidates))),
                stop=stop.is_set,
            )
        except BaseException as error:  # it belongs to the thread that reads the events
            events.put(error)
        else:
            events.put(SearchFinished(result))

    threading.Thread(target=work, name="search", daemon=True).start()
    try:
        while True:
            event = events.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, SearchFinished):
                return
    except GeneratorExit:
        stop.set()
        raise
