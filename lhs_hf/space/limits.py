"""What one visitor, and all together, may use."""

from __future__ import annotations

from dataclasses import dataclass

from ..programs import MAX_SOURCE_BYTES


@dataclass(frozen=True)
class VisitorLimits:
    """What one visitor, and all together, may use. A visitor is an address.

    `budget`: decoder calls a search. `run_s`: seconds after which a search ends with what it has. `searches`: at the
    same time. `waiting`: searches that may stand in the queue. `each`: searches that one visitor may have waiting or
    running. `unwatched_s`: seconds after which a search that no page looks at is stopped; `keep_s`: after which a
    finished one is forgotten and its folder deleted. `edit_s` and `edit_mb`: wall seconds and MiB of an edited program
    on one split.

    `evaluations`: edited programs that run at the same time in their first `quick_s` seconds; one that takes longer
    begins again beside at most `long_evaluations` others. `calls`: evaluations, maps or decodings that one visitor may
    have waiting or running, of each kind.

    Of one visitor: `calls_per_s` and `reads_per_s` requests that do something and that do not, after `call_burst` and
    `read_burst` at once; `requests` open at the same time, of them `streams` of answers; `sessions` kept after they
    were left. `body_bytes` of a request. `tools_each` and `tools`: calls of tools under way, of one visitor and of all.
    """

    budget: int = 200
    run_s: float = 600.0
    searches: int = 2
    waiting: int = 64
    each: int = 2
    unwatched_s: float = 45.0
    keep_s: float = 1800.0
    edit_s: float = 10.0
    edit_mb: int = 1024
    evaluations: int = 4
    quick_s: float = 0.5
    long_evaluations: int = 2
    calls: int = 4
    calls_per_s: float = 3.0
    call_burst: int = 60
    reads_per_s: float = 30.0
    read_burst: int = 600
    requests: int = 64
    streams: int = 24
    sessions: int = 24
    # Each keeps one of the 40 threads that also read files.
    tools_each: int = 6
    tools: int = 24
    # A character of a program takes up to six bytes in JSON; few do.
    body_bytes: int = 2 * MAX_SOURCE_BYTES
