"""What a task does: instances, rollouts of the reference program, objectives of good and of wrong solutions."""

from __future__ import annotations

import copy
import math
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from typing import Any

import numpy as np

from ..base import IllegalAnswer, Infeasible
from ..equality import same
from ..simple import SimpleTask
from .findings import CAUGHT, Check, Stop, TooLong, happened, program_line, shown

SLOW_S = 30.0
_SLOW_OBJECTIVE_S = 2.0
_LARGE_BYTES = 64 * 2**20
_ROLLOUTS = 3


def instances(check: Check) -> None:
    """Drawn twice alike, no two the same object, of a size that fits, in time."""
    task, source = check.task, check.source
    drawn: dict[str, list[Any]] = {}
    for name, split in task.splits.items():
        if split.alias_of is not None:
            continue
        started = time.monotonic()
        try:
            first, second = (check.limited(lambda split=split: list(task.generate(split))) for _ in range(2))
        except CAUGHT as error:
            check.add(source, f"drawing {name!r} {happened(error)}", error)
            raise Stop from None
        seconds = time.monotonic() - started
        if len(first) != split.count:
            check.add(source, f"{name!r} has {len(first)} instances, its split says {split.count}")
        elif len({id(each) for each in first}) != len(first):
            check.add(source, f"instances of {name!r} are one shared object: make a new one for each")
        elif not same(first, second):
            check.add(source, f"{name!r} is drawn differently each time: draw from the given random stream only")
        elif len(first) > 1 and all(same(first[0], each) for each in first[1:]):
            check.add(source, f"all {len(first)} instances of {name!r} are equal: draw from the random stream")
        if seconds > SLOW_S:
            check.add(source, f"drawing {name!r} twice took {seconds:.0f} s; more than {SLOW_S:.0f} s are too slow")
        _size(check, name, first)
        drawn[name] = first
    _apart(check, drawn)


def _apart(check: Check, drawn: dict[str, list[Any]]) -> None:
    """A split whose instances are those of `search` measures what programs were selected on."""
    for name, instances in drawn.items():
        if name != "search" and all(map(same, drawn.get("search", ()), instances)):
            check.add(
                check.source,
                f"the instances of {name!r} are those of 'search': draw from the seed of the split, or set alias_of",
            )


def _size(check: Check, name: str, instances: list[Any]) -> None:
    try:
        size = len(pickle.dumps(instances[0])) * len(instances)
    except CAUGHT as error:
        check.add(check.source, f"an instance can not be pickled: {shown(error)}")
        return
    if size > _LARGE_BYTES:
        check.add(check.source, f"{name!r} takes {size / 2**20:.0f} MiB, at most {_LARGE_BYTES / 2**20:.0f} fit")


def reference(check: Check) -> None:
    """The template solves instances of every split the same way twice, and leaves them as they are."""
    task = check.task
    function = check.function()
    for name, split in task.splits.items():
        instances = task.instances(name)
        _as_returned(check, function, instances[0], f"instance 0 of {name!r}")
        started = time.monotonic()
        for number, instance in enumerate(instances[:_ROLLOUTS]):
            solution = _roll(check, function, instance, f"instance {number} of {name!r}")
            _value(check, instance, solution, f"instance {number} of {name!r}")
        seconds = (time.monotonic() - started) / min(_ROLLOUTS, len(instances)) * split.count / 2
        if seconds > task.time_limit(name) / 2:
            check.add(
                "time_limit_s",
                f"the reference program needs about {seconds:.0f} s for {name!r}, more than half of the limit of "
                f"{task.time_limit(name):g} s",
            )
    for number, instance in enumerate(task.practice_instances):
        _roll(check, function, instance, f"practice instance {number}")


def _roll(check: Check, function: Callable[..., Any], instance: Any, where: str) -> np.ndarray:
    """A solution of the reference. Raises `Stop` once something is found."""
    task, before, method = check.task, copy.deepcopy(instance), check.protocol
    called = time.monotonic()

    @wraps(function)
    def timed(*arguments: Any) -> Any:
        nonlocal called
        called = time.monotonic()
        return function(*arguments)

    try:
        solution, again = (check.limited(task.rollout, timed, instance) for _ in range(2))
    except IllegalAnswer as error:
        check.in_template(f"the reference program answers illegally on {where}: {error}", None)
        raise Stop from None
    except CAUGHT as error:
        # Time that ran out in a call that had just begun was spent by who makes call after call.
        calling = isinstance(error, TooLong) and time.monotonic() - called < check.limit_s / 2
        if (line := program_line(error)) is not None and not calling:
            check.in_template(f"the reference program fails on {where}: {shown(error)}", line)
        else:
            check.add(method, f"{method} {happened(error)} on {where}", error)
        raise Stop from None
    problem = ""
    if not same(before, instance):
        problem = f"{method} changes {where}: work on a copy"
    elif not isinstance(solution, np.ndarray) or solution.ndim != 1 or solution.dtype != task.solution_dtype:
        problem = f"a rollout returned {_kind(solution)}, expected a 1-D {task.solution_dtype} array"
    elif not np.array_equal(solution, again):
        problem = f"the reference program gives two solutions of {where}: something in it or in {method} is random"
    elif len(solution) > _longest(check, instance, where):
        problem = f"a solution of {len(solution)} entries is longer than max_solution_length says"
    if problem:
        check.add(method, problem)
        raise Stop
    return solution


def _as_returned(check: Check, function: Callable[..., Any], instance: Any, where: str) -> None:
    """What `construct` returns is what the objective reads: nothing is cut off or flattened on the way.

    Raises `Stop` once something is found.
    """
    if not isinstance(check.task, SimpleTask):
        return
    try:
        returned = np.asarray(check.limited(check.task.construct, function, copy.deepcopy(instance)))
    except CAUGHT:  # rollouts are checked next
        return
    whole = np.issubdtype(np.dtype(check.task.solution_dtype), np.integer)
    problem = ""
    if returned.ndim != 1:
        shaped = f"a {returned.ndim}-D array of shape {returned.shape}"
        problem = f"{shaped}, and the objective reads it flattened: return one flat list"
    elif whole and returned.dtype.kind == "f" and not np.array_equal(returned, np.trunc(returned)):
        problem = "fractions, and the objective reads whole numbers"
    if problem:
        check.add("construct", f"construct returns {problem} (solution_dtype {check.task.solution_dtype}) on {where}")
        raise Stop


def _arguments_are_copies(check: Check, function: Callable[..., Any], instance: Any) -> None:
    """A program that spoils its arguments harms its own rollout only. (`SimpleTask` works on a copy anyway.)"""
    task, before = check.task, copy.deepcopy(instance)
    if check.simple or task.reads_source:
        return

    def spoiling(*arguments: Any) -> Any:
        answer = function(*copy.deepcopy(arguments))
        for argument in arguments:
            if isinstance(argument, np.ndarray) and argument.flags.writeable:
                argument[...] = 0
            elif isinstance(argument, (list, dict, set)):
                argument.clear()
        return answer

    with suppress(*CAUGHT):  # what is spoiled inside the rollout may well end it
        check.limited(task.rollout, spoiling, instance)
    if not same(before, instance):
        check.add(check.protocol, "a program that changes its arguments changes the instance: hand out copies")


def _longest(check: Check, instance: Any, where: str) -> int:
    """The most entries a solution may have. Raises `Stop` once something is found."""
    name = "max_solution_length"
    try:
        longest = check.limited(check.task.max_solution_length, instance)
    except CAUGHT as error:
        check.add(name, f"{name} {happened(error)} on {where}", error)
        raise Stop from None
    if isinstance(longest, bool) or not isinstance(longest, (int, np.integer)) or longest < 0:
        check.add(name, f"{name} returns {longest!r} on {where}, expected a number of entries")
        raise Stop
    return int(longest)


def _value(check: Check, instance: Any, solution: np.ndarray, where: str) -> None:
    before = copy.deepcopy(instance)
    solution = solution.copy()
    solution.setflags(write=False)  # as it comes out of the sandbox
    try:
        value, again = (check.limited(check.task.objective, instance, solution) for _ in range(2))
    except Infeasible as error:
        check.add("objective", f"objective refuses what the reference program does on {where}: {error}", error)
        raise Stop from None
    except CAUGHT as error:
        check.add("objective", f"objective {happened(error)} on {where}", error)
        raise Stop from None
    if not isinstance(value, (int, float, np.integer, np.floating)) or not math.isfinite(value):
        check.add("objective", f"objective returns {value!r} on {where}, expected a finite number")
        raise Stop
    if value != again:
        check.add(
            "objective", f"objective says {value!r} and {again!r} of one solution of {where}: it must not be random"
        )
        raise Stop
    if not same(before, instance):
        check.add("objective", f"objective changes {where}")
        raise Stop


def wrong_solutions(check: Check) -> None:
    """Solutions that are wrong for any task of ids are refused with `Infeasible`."""
    task = check.task
    instance = task.instances("search")[0]
    function = check.function()
    good = check.limited(task.rollout, function, instance)
    _arguments_are_copies(check, function, instance)
    for what, wrong in _wrong(good):
        try:
            value = check.limited(task.objective, instance, wrong)
        except Infeasible:
            continue
        except CAUGHT as error:
            problem = f"objective {happened(error)} on {what}; expected Infeasible"
            check.add("objective", problem, error)
            return
        if not len(wrong) and task.sense == "max" and value <= check.limited(task.objective, instance, good):
            continue  # to have chosen nothing is allowed where more is better
        check.add("objective", f"objective accepts {what} and says {value!r}; expected Infeasible")
        return
    if len(good):
        _long_solution(check, instance, np.resize(good, _longest(check, instance, "instance 0 of 'search'")))


def _long_solution(check: Check, instance: Any, solution: np.ndarray) -> None:
    """Nothing but the length ends what `objective` does with a solution: it has to be quick with the longest."""
    started = time.monotonic()
    with suppress(*CAUGHT):  # whether it is refused, and how, is another question
        check.limited(check.task.objective, instance, solution)
    seconds = time.monotonic() - started
    if seconds > _SLOW_OBJECTIVE_S:
        check.add(
            "objective",
            f"objective takes {seconds:.0f} s for a solution of {len(solution)} entries, the most that are "
            "allowed: look at the length first, or say how long a solution can be"
            + (" (longest_solution)" if check.simple else " (max_solution_length)"),
        )


def _wrong(good: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    yield "an empty solution", good[:0]
    if good.dtype.kind not in "iu" or len(good) == 0:
        return
    for what, value in (("an entry far out of range", 10**9), ("an entry of -10**9", -(10**9))):
        wrong = good.copy()
        wrong[0] = value
        yield what, wrong
    yield "a solution with one entry too many", np.append(good, good[-1:])
    if len(good) > 2 and len(np.unique(good)) == len(good):
        wrong = good.copy()
        wrong[1] = wrong[0]
        yield "a repeated entry", wrong


def _kind(value: Any) -> str:
    return f"{value.ndim}-D {value.dtype} array" if isinstance(value, np.ndarray) else type(value).__name__
