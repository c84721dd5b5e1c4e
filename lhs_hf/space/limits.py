"""What one visitor, and all together, may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class VisitorLimits:
    """What one visitor, and all together, may use.

    `budget`: decoder calls a search. `run_s`: seconds after which a search ends with what it has. `searches`: at the
    same time. `waiting`: searches that may stand in the queue. `each`: searches that one visitor may have waiting or
    running. `unwatched_s`: seconds after which a search that no page looks at is stopped; `keep_s`: after which a
    finished one is forgotten and its folder deleted. `edit_s` and `edit_mb`: wall seconds and MiB of an edited program
    on one split.
    """

    budget: int = 200
    run_s: float = 600.0
    searches: int = 2
    waiting: int = 20
    each: int = 2
    unwatched_s: float = 45.0
    keep_s: float = 1800.0
    edit_s: float = 10.0
    edit_mb: int = 1024
