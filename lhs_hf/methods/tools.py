"""What a method is made of, whoever wrote it: one argument for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import CallError
from ..language import Metered
from ..search.edits import Behaviours, Parent
from ..tasks.base import Task
from .method import Method


def _none() -> Metered:
    raise CallError("this method asks a language model, and none is given")


@dataclass(frozen=True)
class Tools:
    """A task, and what a method may use to solve it.

    Args:
        task: the task.
        seed: where all choices of the method come from.
        starts: programs to begin with and their scores on `search`, the best first; the reference alone, or the best of
            the corpus.
        behaviours: tells which numbers of a program are live and which programs decide the same.
        language_model: gives the model that is asked, with its budget; called once, by methods that have use for it.
    """

    task: Task
    seed: int
    starts: tuple[Parent, ...]
    behaviours: Behaviours
    language_model: Callable[[], Metered] = field(default=_none)


MethodFactory = Callable[[Tools], Method]
"""What a plug-in is: a function, or a class, that makes a method of its tools."""
