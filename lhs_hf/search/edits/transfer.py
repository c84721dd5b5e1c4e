"""Programs of the corpus for a task that it does not hold: those of the tasks of the paper that it is like."""

from __future__ import annotations

import ast
from itertools import zip_longest

from ... import programs
from ...corpus.dataset import load_corpus
from ...decoding.wording import Translation, translation
from ...tasks import get_task
from ...tasks.base import Task
from ...tasks.likeness import likenesses
from .behaviours import Behaviours
from .parents import Parent

TRANSFER = "transfer"
"""The name of the edit that proposes them."""

TASKS = 3
"""The tasks whose programs are tried, the most like first, ..."""
FAMILIES = 24
"""... and the best families of each."""


def transfers(task: Task, behaviours: Behaviours) -> list[Parent]:
    """The best training programs of like tasks in the names of `task`: those that run on its probe states.

    The best of each family, those of the tasks in turn; of several that decide alike the first. What a program reads
    and `task` does not have makes it fail there. No evaluation is spent.
    """
    own = behaviours.key(task.template)
    seen = {own}
    by_task: list[list[Parent]] = []
    for like in likenesses(task)[:TASKS]:
        words = translation(task, like)
        by_task.append([])
        for source, family in _families(like.task):
            text = _written(source, like.task, words)
            key = None if text is None else behaviours.key(text)
            if text is not None and key not in (None, *seen) and not behaviours.breaks(text, task.template):
                seen.add(key)
                by_task[-1].append(Parent(text, programs.program_hash(text), f"{like.task}/{family}", 0.0))
    return [parent for row in zip_longest(*by_task) for parent in row if parent is not None]


def _families(name: str) -> list[tuple[str, str]]:
    """The best training program of each of the best families, with the family."""
    best: dict[str, str] = {}
    for row in sorted(load_corpus(name, "train"), key=lambda row: (-row.score, row.hash)):
        if len(best) < FAMILIES:
            best.setdefault(row.family, row.program)
    return [(source, family) for family, source in best.items()]


def _written(source: str, name: str, words: Translation) -> str | None:
    """A program of a known task with the parameters of `words`, in the names of the task in question."""
    tree = programs.canonical_tree(source)
    known = get_task(name)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == known.function_name:
            count = len(known.arguments)
            if tuple(each.arg for each in node.args.args[:count]) != tuple(known.arguments):
                return None
            node.args.args[:count] = [ast.arg(each) for each in words.arguments]
            return words.written(ast.unparse(tree))
    return None
