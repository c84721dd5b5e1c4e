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
        options: the alternatives of a call; a list that is empty when all is decided where `listed` is false.
        without: `options` without one of them, `{left}` without `{tried}`; "" where no argument lists them.
        last: a condition after whose decision no other follows; "" where the options only run out.
        stops: whether None is an answer, after which no other decision follows.
        listed: whether a decision is one of `options`.
        live: the arguments that a program may change in place.
        whole: what has been decided, if a program may answer all of it at once; "" if it decides one by one.
        lengthy: whether it takes so long that a search can afford but a few programs that play.
    """

    dynamics: Dynamics
    cost: Cost
    options: str
    without: str
    last: str
    stops: bool = False
    listed: bool = True
    live: tuple[str, ...] = ()
    whole: str = ""
    lengthy: bool = False
