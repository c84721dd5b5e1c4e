"""What a program has to know of a task to play it on."""

from __future__ import annotations

from dataclasses import dataclass

from .costs import Cost
from .updates import Dynamics


@dataclass(frozen=True)
class TaskModel:
    """What a program can play a task on with: texts over the names of its arguments and `OPTION`, the choice.

    Attributes:
        dynamics: what a decision changes.
        cost: what a solution costs by its decisions.
        options: the alternatives of a call.
        without: `options` without one of them, `{left}` without `{tried}`; "" where no argument lists them.
        last: a condition after whose decision no other follows; "" where the options only run out.
        stops: whether None is an answer, after which no other decision follows.
    """

    dynamics: Dynamics
    cost: Cost
    options: str
    without: str
    last: str
    stops: bool = False
