"""A task made of a plain function that scores a program: no class to write, and less that can be promised."""

from __future__ import annotations

import base64
import copy
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np

from ..errors import CallError
from . import get_task
from .base import ProbeState, Sense, Task
from .headers import Header
from .llm4ad import LLM4ADTask, readable

Objective = Callable[[Callable[..., Any]], float]


class _Scored:
    """A function in the format of LLM4AD."""

    def __init__(self, objective: Objective, template: str, description: str, time_limit_s: float) -> None:
        self.objective = objective
        self.template_program = template
        self.task_description = description
        self.timeout_seconds = time_limit_s

    def evaluate_program(self, program_str: str, program: Callable[..., Any]) -> Any:
        return self.objective(program)


class FunctionTask(LLM4ADTask):
    """A task whose objective is one function of the program: `objective(program) -> float`.

    The function runs beside the program, in its fenced process: **its value is computed where a program could tamper
    with it**, the parent only checks that it is one finite number. There is one split, `search`, with one instance:
    nothing says how a program does on others, and choosing can not tell luck from skill.

    Args:
        name: an identifier.
        objective: called with the program as a function. It has to give the same value for the same program, and
            imports what it needs where it is defined: the process it runs in can not import later.
        template: the reference program as text; its main function (`headers.main_function`) is what every program
            defines.
        sense: "min" if lower is better, "max" if higher is.
        examples: calls of the program, each a tuple of its arguments, in which programs are told apart. One argument
            lists what may be answered, or what is rated; of a program that answers one number a call (a priority, as
            FunSearch has it) successive calls are compared. None records those of the template.
        problem_class, description: see `Task`.
        time_limit_s: seconds a program may take.
    """

    def __init__(
        self,
        name: str,
        objective: Objective,
        template: str,
        *,
        sense: Sense = "min",
        examples: Sequence[tuple[Any, ...]] | None = None,
        problem_class: str = "general",
        description: str = "",
        time_limit_s: float = 30.0,
    ) -> None:
        super().__init__(
            name, _Scored(objective, template, description or name, time_limit_s), problem_class=problem_class
        )
        self.sense = sense
        self._examples = examples

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """The examples, again and again; without any, calls of the template. Raises `ValueError` if none will do."""
        if self._examples is None:
            return super().probe_states(generator, count)
        calls = [tuple(call) for call in self._examples]
        for call in calls:
            if len(call) != len(self.arguments):
                raise ValueError(f"an example has {len(call)} arguments, the program takes {len(self.arguments)}")
        reference = self.reference
        answered = [(call, readable(reference(*copy.deepcopy(call)))) for call in calls]
        return self._states(answered, generator, count, "examples")


def task_of_function(
    objective: Objective, template: str, folder: Path, name: str = "my_function", **options: Any
) -> Task:
    """A `FunctionTask` that every process can load: `options` are those of the class.

    The function and the examples are kept in a task file in `folder`, by value (`cloudpickle`), so that one
    from a notebook or a script works. Loading that file runs what is in it, as it does for every task file.

    Raises `CallError` for what is no function, no template or can not be kept.
    """
    if not callable(objective):
        raise CallError(f"objective must be a function of a program, got {objective!r:.80}")
    try:
        Header(template)
    except (SyntaxError, TypeError) as problem:
        raise CallError(f"template is no Python program: {problem}") from None
    except ValueError as problem:
        raise CallError(str(problem)) from None
    if options.get("sense", "min") not in ("min", "max"):
        raise CallError(f"sense must be 'min' or 'max', got {options['sense']!r:.80}")
    kept = _kept(objective, ((name, objective, template), options))
    text = _FILE.format(data=base64.b64encode(kept).decode(), folder=_beside(objective))
    path = folder / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False) as file:
            file.write(text)
        os.replace(file.name, path)
    return get_task(str(path))


def _kept(objective: Objective, everything: Any) -> bytes:
    """By value, with what the function's own module holds: another process may not find that module."""
    module = sys.modules.get(getattr(objective, "__module__", None) or "")
    by_value = module is not None and module.__name__ not in ("__main__", *cloudpickle.list_registry_pickle_by_value())
    try:
        if by_value:
            cloudpickle.register_pickle_by_value(module)
        return bytes(cloudpickle.dumps(everything))
    except Exception as problem:
        raise CallError(f"objective can not be handed to another process: {problem}") from None
    finally:
        if by_value:
            cloudpickle.unregister_pickle_by_value(module)


def _beside(objective: Objective) -> str:
    """The folder of the function's module, where others that it uses may stand."""
    file = getattr(sys.modules.get(getattr(objective, "__module__", None) or ""), "__file__", None)
    return str(Path(file).resolve().parent) if file else ""


_FILE = '''"""Written by lhs_hf: a function as a task."""

import base64
import sys

import cloudpickle

from lhs_hf.tasks.functions import FunctionTask

sys.path.append({folder!r})
_positional, _options = cloudpickle.loads(base64.b64decode("{data}"))
TASK = FunctionTask(*_positional, **_options)
'''
