"""The built-in tasks as somebody else would write them down: other names, another order of the arguments."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import ProbeState, Program, Task

WORDS = [
    "aa",
    "bb",
    "thing",
    "stuff",
    "alpha",
    "q1",
    "zeta",
    "here",
    "home",
    "options",
    "gaps",
    "load",
    "table_of",
    "left",
    "part",
    "rows",
    "state",
    "extra",
    "max",
]


def renamed(name: str, seed: int) -> tuple[Task, dict[str, str]]:
    """A built-in task under other names, and what each of them is called in the task itself."""
    base = get_task(name)
    generator = random.Random(seed)
    order = list(range(len(base.arguments)))
    generator.shuffle(order)
    table = dict(zip(base.arguments, generator.sample(WORDS, len(order))))
    tree = ast.parse(base.template)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = table.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = table.get(node.arg, node.arg)
        elif isinstance(node, ast.FunctionDef) and node.name == base.function_name:
            node.name = "decide"
            node.args.args = [node.args.args[place] for place in order]

    def called(arguments: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(arguments[place] for place in order)

    class Renamed(type(base)):  # type: ignore[misc]
        function_name = "decide"
        arguments = tuple(table[base.arguments[place]] for place in order)
        template = ast.unparse(tree)
        digest = f"{seed:016d}"

        def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
            states = base.probe_states(generator, count)
            return [ProbeState(tuple(map(called, each.calls)), each.features, each.context) for each in states]

        def rollout(self, program: Program, instance: Any) -> np.ndarray:
            return base.rollout(lambda *arguments: program(*called(arguments)), instance)

    Renamed.name = f"renamed_{name}"
    return Renamed(), {new: old for old, new in table.items()}
