"""What is wrong with a task file, finding by finding, each with the line to mend."""

from __future__ import annotations

import copy
import math
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CallError
from ..programs import ProgramError, check_signature, load_function, parse
from .base import IllegalAnswer, Infeasible, OnlineTask, ProbeState, Split, Task
from .equality import same
from .files import TaskFileError, line_of, load_task_file
from .places import Places
from .simple import SimpleTask

PROBES = 64
SLOW_S = 30.0
SLOW_OBJECTIVE_S = 2.0
LARGE_BYTES = 64 * 2**20
_ROLLOUTS = 3
_MOST_FAILED_PROBES = 0.05


@dataclass(frozen=True)
class Finding:
    """One thing to mend: the 1-based line of the file and what is wrong there."""

    line: int
    problem: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


class _Stop(Exception):
    """What follows can not be checked."""


def check_task_file(path: Path | str) -> list[Finding]:
    """Everything found wrong with a task file, in the order of its lines; empty if nothing is.

    Runs the file and its reference program in this process. Raises `CallError` if there is no such file.
    """
    try:
        task = load_task_file(path)
    except TaskFileError as error:
        return [Finding(error.line or 1, error.problem)]
    findings = _Check(task, Places(Path(path).expanduser().resolve())).run()
    return sorted(findings, key=lambda finding: finding.line)


def check_task(task: Task) -> list[Finding]:
    """`check_task_file` for a task that is loaded. Raises `CallError` if it comes from no file."""
    if task.origin is None:
        raise CallError(f"the task {task.name!r} comes from no file")
    return check_task_file(task.origin)


class _Check:
    def __init__(self, task: Task, places: Places) -> None:
        self.task, self.places = task, places
        self.found: list[Finding] = []
        self.simple = isinstance(task, SimpleTask)

    def run(self) -> list[Finding]:
        for stage in (self.attributes, self.instances, self.reference, self.wrong_solutions, self.probes):
            try:
                stage()
            except _Stop:
                break
            if self.found and stage in (self.attributes, self.instances):
                break
        return self.found

    def add(self, name: str, problem: str, error: BaseException | None = None, default: str | None = None) -> None:
        """Note a problem: at the line an exception passed last, else where a name is defined."""
        line = line_of(error, self.places.path) if error is not None else None
        self.found.append(Finding(line or self.places.line(name, default), problem))

    # -- stages ------------------------------------------------------------------------------------------------------

    def attributes(self) -> None:
        """Names, direction, template and splits."""
        task = self.task
        if task.sense not in ("min", "max"):
            self.add("sense", f'sense is {task.sense!r}, expected "min" (smaller is better) or "max"')
        for name in ("title", "problem_class", "description"):
            if not isinstance(getattr(task, name), str) or not getattr(task, name).strip():
                self.add(name, f"{name} is {getattr(task, name)!r}, expected words")
        if not isinstance(task.time_limit_s, (int, float)) or not task.time_limit_s > 0:
            self.add("time_limit_s", f"time_limit_s is {task.time_limit_s!r}, expected seconds")
        longest = getattr(task, "longest_solution", None)
        if longest is not None and (not isinstance(longest, int) or longest < 1):
            self.add("longest_solution", f"longest_solution is {longest!r}, expected a number of entries")
        self._template()
        self._splits()

    def _template(self) -> None:
        task = self.task
        if not isinstance(task.template, str):
            self.add("template", f"template is a {type(task.template).__name__}, expected the text of a program")
            return
        try:
            tree = parse(task.template)
        except ProgramError as error:
            self._in_template(str(error), _line_named(str(error)))
            return
        if not task.function_name:
            self.add("template", "the template defines no function")
            return
        try:
            check_signature(tree, task.function_name, len(task.arguments))
        except ProgramError as error:
            self.add("function_name", f"the template does not fit {task.signature()} {error}", default="template")
            return
        if self.simple and isinstance(task.alternatives, str) and task.alternatives not in task.arguments:  # type: ignore[attr-defined]
            self.add(
                "alternatives",
                f"alternatives is {task.alternatives!r}, "  # type: ignore[attr-defined]
                f"expected a method, or one of the arguments: {', '.join(task.arguments)}",
            )
        if self.simple and task.answers not in ("choice", "scores"):  # type: ignore[attr-defined]
            self.add("answers", f'answers is {task.answers!r}, expected "choice" or "scores"')  # type: ignore[attr-defined]

    def _in_template(self, problem: str, line: int | None) -> None:
        self.found.append(Finding(self.places.text_line("template", line), f"in the template, {problem}"))

    def _splits(self) -> None:
        splits = self.task.splits
        if "search" not in splits:
            self.add("splits", f"there is no split 'search'; there are: {', '.join(splits) or 'none'}")
        for name, split in splits.items():
            if not isinstance(split, Split):
                self.add("splits", f"split {name!r} is a {type(split).__name__}, expected a Split")
            elif split.name != name:
                self.add("splits", f"split {name!r} calls itself {split.name!r}")
            elif split.count < 1 or split.program_calls < 1:
                self.add("splits", f"split {name!r} needs at least one instance and one program call")
            elif split.alias_of is not None and split.alias_of not in splits:
                self.add("splits", f"split {name!r} is an alias of {split.alias_of!r}, which does not exist")

    def instances(self) -> None:
        """Drawn twice alike, no two the same object, of a size that fits, in time."""
        task, source = self.task, self._source()
        for name, split in task.splits.items():
            if split.alias_of is not None:
                continue
            started = time.monotonic()
            try:
                first, second = list(task.generate(split)), list(task.generate(split))
            except Exception as error:
                self.add(source, f"drawing {name!r} raises {_shown(error)}", error)
                raise _Stop from None
            seconds = time.monotonic() - started
            if len(first) != split.count:
                self.add(source, f"{name!r} has {len(first)} instances, its split says {split.count}")
            elif len({id(each) for each in first}) != len(first):
                self.add(source, f"instances of {name!r} are one shared object: make a new one for each")
            elif not same(first, second):
                self.add(source, f"{name!r} is drawn differently each time: draw from the given random stream only")
            elif len(first) > 1 and all(same(first[0], each) for each in first[1:]):
                self.add(source, f"all {len(first)} instances of {name!r} are equal: draw from the random stream")
            if seconds > SLOW_S:
                self.add(source, f"drawing {name!r} twice took {seconds:.0f} s; more than {SLOW_S:.0f} s are too slow")
            self._size(name, first)

    def _size(self, name: str, instances: list[Any]) -> None:
        try:
            size = len(pickle.dumps(instances[0])) * len(instances)
        except Exception as error:
            self.add(self._source(), f"an instance can not be pickled: {_shown(error)}")
            return
        if size > LARGE_BYTES:
            self.add(self._source(), f"{name!r} takes {size / 2**20:.0f} MiB, at most {LARGE_BYTES / 2**20:.0f} fit")

    def reference(self) -> None:
        """The template solves instances of every split the same way twice, and leaves them as they are."""
        task = self.task
        function = self._function()
        for name, split in task.splits.items():
            instances = task.instances(name)
            started = time.monotonic()
            for number, instance in enumerate(instances[:_ROLLOUTS]):
                solution = self._roll(function, instance, f"instance {number} of {name!r}")
                self._value(instance, solution, f"instance {number} of {name!r}")
            seconds = (time.monotonic() - started) / min(_ROLLOUTS, len(instances)) * split.count / 2
            if seconds > task.time_limit(name) / 2:
                self.add(
                    "time_limit_s",
                    f"the reference program needs about {seconds:.0f} s for {name!r}, more than half of the limit of "
                    f"{task.time_limit(name):g} s",
                )
        for number, instance in enumerate(task.practice_instances):
            self._roll(function, instance, f"practice instance {number}")

    def _function(self) -> Callable[..., Any]:
        try:
            return load_function(self.task.template, self.task.function_name, len(self.task.arguments))
        except Exception as error:
            self._in_template(f"loading raises {_shown(error)}", _program_line(error))
            raise _Stop from None

    def _roll(self, function: Callable[..., Any], instance: Any, where: str) -> np.ndarray:
        """A solution of the reference. Raises `_Stop` once something is found."""
        task, before, method = self.task, copy.deepcopy(instance), self._protocol()
        try:
            solution, again = task.rollout(function, instance), task.rollout(function, instance)
        except IllegalAnswer as error:
            self._in_template(f"the reference program answers illegally on {where}: {error}", None)
            raise _Stop from None
        except Exception as error:
            if (line := _program_line(error)) is not None:
                self._in_template(f"the reference program fails on {where}: {_shown(error)}", line)
            else:
                self.add(method, f"{method} raises {_shown(error)} on {where}", error)
            raise _Stop from None
        problem = ""
        if not same(before, instance):
            problem = f"{method} changes {where}: work on a copy"
        elif not isinstance(solution, np.ndarray) or solution.ndim != 1 or solution.dtype != task.solution_dtype:
            problem = f"a rollout returned {_kind(solution)}, expected a 1-D {task.solution_dtype} array"
        elif not np.array_equal(solution, again):
            problem = f"the reference program gives two solutions of {where}: something in it or in {method} is random"
        elif len(solution) > self._longest(instance, where):
            problem = f"a solution of {len(solution)} entries is longer than max_solution_length says"
        if problem:
            self.add(method, problem)
            raise _Stop
        return solution

    def _longest(self, instance: Any, where: str) -> int:
        """The most entries a solution may have. Raises `_Stop` once something is found."""
        name = "max_solution_length"
        try:
            longest = self.task.max_solution_length(instance)
        except Exception as error:
            self.add(name, f"{name} raises {_shown(error)} on {where}", error)
            raise _Stop from None
        if isinstance(longest, bool) or not isinstance(longest, (int, np.integer)) or longest < 0:
            self.add(name, f"{name} returns {longest!r} on {where}, expected a number of entries")
            raise _Stop
        return int(longest)

    def _value(self, instance: Any, solution: np.ndarray, where: str) -> float:
        before = copy.deepcopy(instance)
        solution = solution.copy()
        solution.setflags(write=False)  # as it comes out of the sandbox
        try:
            value = self.task.objective(instance, solution)
        except Infeasible as error:
            self.add("objective", f"objective refuses what the reference program does on {where}: {error}", error)
            raise _Stop from None
        except Exception as error:
            self.add("objective", f"objective raises {_shown(error)} on {where}", error)
            raise _Stop from None
        if not isinstance(value, (int, float, np.integer, np.floating)) or not math.isfinite(value):
            self.add("objective", f"objective returns {value!r} on {where}, expected a finite number")
            raise _Stop
        if not same(before, instance):
            self.add("objective", f"objective changes {where}")
            raise _Stop
        return float(value)

    def wrong_solutions(self) -> None:
        """Solutions that are wrong for any task of ids are refused with `Infeasible`."""
        task = self.task
        instance = task.instances("search")[0]
        good = task.rollout(self._function(), instance)
        for what, wrong in _wrong(good):
            try:
                value = task.objective(instance, wrong)
            except Infeasible:
                continue
            except Exception as error:
                problem = f"objective raises {_shown(error)} on {what}; expected Infeasible"
                self.add("objective", problem, error)
                return
            self.add("objective", f"objective accepts {what} and says {value!r}; expected Infeasible")
            return
        if len(good):
            self._long_solution(instance, np.resize(good, self._longest(instance, "instance 0 of 'search'")))

    def _long_solution(self, instance: Any, solution: np.ndarray) -> None:
        """Nothing but the length ends what `objective` does with a solution: it has to be quick with the longest."""
        started = time.monotonic()
        with suppress(Exception):  # whether it is refused, and how, is another question
            self.task.objective(instance, solution)
        seconds = time.monotonic() - started
        if seconds > SLOW_OBJECTIVE_S:
            self.add(
                "objective",
                f"objective takes {seconds:.0f} s for a solution of {len(solution)} entries, the most that are "
                "allowed: look at the length first, or say how long a solution can be"
                + (" (longest_solution)" if self.simple else " (max_solution_length)"),
            )

    def probes(self) -> None:
        """64 varied states with good features, from no benchmark split, that the reference program can decide."""
        task, started = self.task, time.monotonic()
        try:
            states = list(task.probe_states(np.random.default_rng(77_001), PROBES))
            again = list(task.probe_states(np.random.default_rng(77_001), PROBES))
        except Exception as error:
            name = "probe_features" if "probe_features" in str(error) else "probe_states"
            self.add(name, f"drawing probe states raises {_shown(error)}", error, default="construct")
            return
        seconds = time.monotonic() - started
        if seconds > SLOW_S:
            self.add("probe_states", f"drawing probe states twice took {seconds:.0f} s")
        if len(states) != PROBES:
            self.add("probe_states", f"there are {len(states)} probe states, expected {PROBES}")
            return
        for number, state in enumerate(states):
            problem = self._state_problem(state)
            if problem:
                self.add("probe_states", f"probe state {number}: {problem}")
                return
        if not all(same(a.calls, b.calls) for a, b in zip(states, again)):
            self.add("probe_states", "probe states are drawn differently each time: draw from the given generator only")
            return
        known = _rare_arrays(task)
        for number, state in enumerate(states):
            if any(key in known for key in _arrays(state.calls)):
                self.add("probe_states", f"probe state {number} is taken from a benchmark split: draw instances anew")
                return
        self._decisions(states)

    def _state_problem(self, state: ProbeState) -> str:
        if not isinstance(state, ProbeState):
            return f"it is a {type(state).__name__}, expected a ProbeState"
        features = np.asarray(state.features)
        widest = len(self.task.probe_feature_names)
        if features.ndim != 2 or (not self.simple and features.shape[1] != widest) or not 1 <= features.shape[1] <= 8:
            return f"features have shape {features.shape}, expected (candidates, {widest}), at most 8 columns"
        if len(features) < 2:
            return "there is nothing to decide: one candidate"
        if not np.isfinite(features).all() or features.min() < 0 or features.max() > 1:
            return "features are not in [0, 1]: pass them through percentiles"
        return ""

    def _decisions(self, states: list[ProbeState]) -> None:
        function, failed, problem = self._function(), 0, ""
        for state in states:
            try:
                answers = [function(*arguments) for arguments in copy.deepcopy(state.calls)]
                decision = self.task.probe_decision(state, answers)
                if not 0 <= decision < len(state.features):
                    raise IllegalAnswer(f"decision {decision} is no row of the features")
            except Exception as error:
                failed, problem = failed + 1, _shown(error)
        if failed > _MOST_FAILED_PROBES * len(states):
            self.add(
                "probe_states", f"the reference program fails on {failed} of {len(states)} probe states: {problem}"
            )

    def _source(self) -> str:
        return "draw" if self.simple else "generate"

    def _protocol(self) -> str:
        return "construct" if self.simple else "play" if isinstance(self.task, OnlineTask) else "rollout"


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


def _arrays(value: Any) -> Iterator[bytes]:
    """Keys of the number arrays and lists inside a value that are long and varied enough to be told apart."""
    if isinstance(value, (list, tuple)) and not all(isinstance(each, (int, float)) for each in value):
        for each in value:
            yield from _arrays(each)
        return
    if isinstance(value, dict) or hasattr(value, "__dict__"):
        for each in (value if isinstance(value, dict) else vars(value)).values():
            yield from _arrays(each)
        return
    if isinstance(value, (np.ndarray, list, tuple)):
        array = np.asarray(value)
        # Ids in order, as lists of what is left are, say nothing about where they come from.
        ordered = array.ndim == 1 and bool((np.diff(array) > 0).all()) if array.dtype.kind in "iuf" else True
        if array.size >= 8 and not ordered and len(np.unique(array)) >= 4:
            yield repr(array.shape).encode() + array.astype(np.float64).tobytes()


def _rare_arrays(task: Task) -> set[bytes]:
    """Keys of arrays in benchmark instances, those that every instance shares left out."""
    each = [set(_arrays(instance)) for name in task.splits for instance in task.instances(name)]
    shared = set.intersection(*each) if len(each) > 1 else set()
    return set().union(*each) - shared


def _program_line(error: BaseException) -> int | None:
    return line_of(error, "<program>")


def _line_named(message: str) -> int | None:
    head, _, rest = message.partition("line ")
    number = rest.split(":")[0]
    return int(number) if not head and number.isdigit() else None


def _shown(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _kind(value: Any) -> str:
    return f"{value.ndim}-D {value.dtype} array" if isinstance(value, np.ndarray) else type(value).__name__
