"""A stepping session inside its child: run a program as far as it is written, on a few probe states.

A whole program is run on every probe state and on the task's practice instances.

The unfinished program is replayed from its start each time, with the same seeds and fresh copies of the arguments, up
to the *frontier*: the place where the next statement will stand, written `...`. A run that reaches it has passed.
Code behind the frontier does not exist yet, so a loop whose body is still open is entered once.
"""

from __future__ import annotations

import __future__  # isort: skip

import ast
import copy
import json
import random
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ...programs import ProgramError, check_signature, namespace, parse
from ...tasks.base import IllegalAnswer, Task
from ..rollout import seed_program_randomness
from ..scoring import Unscored, score
from . import frames

MOST_ERRORS = 0.05
"""Share of the probe states on which a whole program may fail."""

_FRONTIER = "__frontier__"


class _Frontier(BaseException):
    """Ends a run that has come as far as the program is written."""


class _Incomplete(Exception):
    """The main function is not there yet."""


def _reach() -> NoReturn:
    raise _Frontier


class _Marker(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant) and node.value.value is Ellipsis:
            call = ast.Call(func=ast.Name(id=_FRONTIER, ctx=ast.Load()), args=[], keywords=[])
            return ast.copy_location(ast.Expr(ast.copy_location(call, node)), node)
        return node


def _load(task: Task, source: str) -> Callable[..., Any]:
    """The main function of an unfinished program. Raises `_Incomplete`, `_Frontier`, or what the program raises."""
    seed_program_randomness()
    tree = ast.fix_missing_locations(_Marker().visit(parse(source)))
    flags = __future__.annotations.compiler_flag
    found = namespace()
    found[_FRONTIER] = _reach
    # This is the fenced process that programs are run in.
    exec(compile(tree, "<program>", "exec", flags=flags, dont_inherit=True), found)  # noqa: S102
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if task.function_name not in functions:
        raise _Incomplete
    return found[check_signature(tree, task.function_name, len(task.arguments)).name]


def _run(task: Task, source: str, probes: list[int]) -> dict[str, Any]:
    """Run on each probe; the number that reached the frontier and the number that returned a legal answer."""
    reached = finished = 0
    try:
        function = _load(task, source)
    except (_Frontier, _Incomplete):
        return {"reached": len(probes), "finished": 0}
    for probe in probes:
        state = task.probes[probe]
        random.seed(probe)
        np.random.seed(probe)
        try:
            answers = [function(*arguments) for arguments in copy.deepcopy(state.calls)]
            task.probe_decision(state, answers)
            finished += 1
        except _Frontier:
            reached += 1
    return {"reached": reached, "finished": finished}


def _run_whole(task: Task, source: str) -> dict[str, Any]:
    """Run on every probe state and practice instance. Raises what the program raises, unless only few probes fail."""
    function = _load(task, source)
    failures: list[Exception] = []
    # A state that comes up again ends as it did.
    ends: dict[int, Exception | None] = {}
    for probe, state in enumerate(task.probes):
        if id(state) not in ends:
            ends[id(state)] = None
            random.seed(probe)
            np.random.seed(probe)
            try:
                task.probe_decision(state, [function(*arguments) for arguments in copy.deepcopy(state.calls)])
            except Exception as error:  # any failure of the program
                ends[id(state)] = error
        end = ends[id(state)]
        failures += [] if end is None else [end]
    if len(failures) > MOST_ERRORS * len(task.probes):
        raise failures[0]
    seed_program_randomness()
    for instance in task.practice_instances:
        try:
            score(task, instance, task.rollout(function, instance))
        except Unscored as error:
            raise IllegalAnswer(str(error)) from None
    return {"reached": 0, "finished": len(task.probes) - len(failures)}


def serve(task: Task, job: dict[str, Any], channel: int, describe: Callable[[BaseException], dict[str, Any]]) -> None:
    """Answer one frame a request until the socket closes: the source in, a verdict out."""
    while True:
        kind, size = frames.HEADER.unpack(frames.read_exactly(channel, frames.HEADER.size))
        source = frames.read_exactly(channel, size).decode("utf-8", "surrogatepass")
        late = False
        try:
            verdict = _run(task, source, job["probes"])
            if kind == frames.WHOLE:
                late = True
                verdict = _run_whole(task, source)
        except ProgramError as error:
            verdict = describe(error) | {"line": None}
        except BaseException as error:  # whatever a program raises is a verdict
            verdict = describe(error)
        verdict["late"] = late
        frames.write_frame(channel, frames.VERDICT, json.dumps(verdict).encode()[: frames.ERROR_BYTES])
