"""The words of any task: those that were written for it, else those that follow from its probe states."""

from __future__ import annotations

from .derived import derived_vocabulary
from .registry import TaskInterface
from .vocabulary import VOCABULARIES, Vocabulary

_DERIVED: dict[str, Vocabulary] = {}


def vocabulary(task: TaskInterface) -> Vocabulary:
    """What can be said about a decision of a task, computed once a process and content of its file."""
    if task.name in VOCABULARIES:
        return VOCABULARIES[task.name]
    identity = str(getattr(task, "identity", task.name))
    if identity not in _DERIVED:
        _DERIVED[identity] = derived_vocabulary(task)
    return _DERIVED[identity]
