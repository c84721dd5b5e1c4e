"""Tasks from files of one's own: loading, the digest that identifies them, refusal of what is no task."""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
import traceback
from importlib import metadata
from pathlib import Path
from types import ModuleType

from ..errors import CallError
from .base import Task
from .names import task_names
from .own_names import kept_apart

REQUIRED = {
    "name": "a word of letters, digits and _",
    "title": "a few words",
    "sense": '"min" or "max"',
    "problem_class": "routing, scheduling, packing, assignment, covering or general",
    "function_name": "that of the template",
    "arguments": "those of the template's function, in order",
    "description": "what a program must do, in words",
    "template": "the reference program, the text of a function",
    "splits": "make_splits(search=..., test=..., holdout=...)",
    "time_limit_s": "seconds for the programs of the search split",
    "probe_feature_names": "a tuple of names",
}
"""What a task has to say, and what that is."""
_loaded: dict[tuple[str, str], Task] = {}


class TaskFileError(CallError):
    """A task file that can not be used. `line` is the 1-based line to mend, None if no one line is to blame."""

    def __init__(self, path: Path | str, line: int | None, problem: str) -> None:
        self.path, self.line, self.problem = str(path), line, problem
        super().__init__(f"{path}{f', line {line}' if line else ''}: {problem}")


def line_of(error: BaseException, path: Path | str) -> int | None:
    """The last line of a file that an exception passed through; of a syntax error in it, where that is."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return lines[-1] if lines else None


def load_task_file(path: Path | str) -> Task:
    """The task that a Python file defines: its `TASK`, or the one `Task` subclass in it.

    The file is run in this process: it is a person's own code and trusted, unlike the programs that are scored. One
    object a process for each content of a file. Raises `TaskFileError` with the line to mend.
    """
    file = Path(path).expanduser().resolve()
    if not file.is_file():
        raise CallError(f"no such task file: {path}")
    text = file.read_bytes()
    digest = hashlib.sha256(text).hexdigest()
    if (str(file), digest) not in _loaded:
        task = find_task(run_file(file, text, digest), file)
        known_name(task, file)
        keep_apart(task)
        task.origin, task.digest = str(file), digest
        _loaded[str(file), digest] = task
    return _loaded[str(file), digest]


def run_file(file: Path, text: bytes, digest: str) -> ModuleType:
    """The module of a task file, run under a name of its own. Raises `TaskFileError`."""
    module = ModuleType(f"lhs_hf_task_{digest[:16]}")
    module.__file__ = str(file)
    # Dataclasses and pickles look their module up by name.
    sys.modules[module.__name__] = module
    try:
        # A person's own file, which they named: it is trusted as any module that they import.
        exec(compile(text, str(file), "exec", dont_inherit=True), vars(module))  # noqa: S102
    except SystemExit as error:
        del sys.modules[module.__name__]
        problem = "running the file ends the process (sys.exit): take that out"
        raise TaskFileError(file, line_of(error, file), problem) from error
    except Exception as error:
        del sys.modules[module.__name__]
        for kind in vars(module).values():  # Python's own words for a class that lacks a method name no line of it
            if isinstance(kind, type) and isinstance(error, TypeError) and f"class {kind.__name__} " in str(error):
                _refuse_abstract(kind, file)
        kind = "syntax error" if isinstance(error, SyntaxError) else type(error).__name__
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise TaskFileError(file, line_of(error, file), f"{kind}: {message}") from error
    return module


def find_task(module: ModuleType, file: Path) -> Task:
    """`TASK` of a module, or an object of its only `Task` class. Raises `TaskFileError`."""
    found = getattr(module, "TASK", None)
    if found is not None and not isinstance(found, (Task, type)):
        raise TaskFileError(
            file, _line(file, "TASK"), f"TASK is a {type(found).__name__}, expected an object of a Task class"
        )
    if isinstance(found, Task):
        return found
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Task) and value.__module__ == module.__name__
    ]
    chosen = found if isinstance(found, type) else classes[0] if len(classes) == 1 else None
    if chosen is None:
        what = f"{len(classes)} Task classes and no TASK" if classes else "no Task class and no TASK"
        raise TaskFileError(file, None, f"defines {what}; write one class derived from SimpleTask or Task")
    line = _line(file, chosen.__name__)
    if not issubclass(chosen, Task):
        raise TaskFileError(file, line, f"class {chosen.__name__} is not derived from SimpleTask or Task")
    _refuse_abstract(chosen, file)
    try:
        return chosen()
    except SystemExit as error:
        problem = "making the task ends the process (sys.exit): take that out"
        raise TaskFileError(file, line_of(error, file) or line, problem) from error
    except Exception as error:
        raise TaskFileError(file, line_of(error, file) or line, f"{type(error).__name__}: {error}") from error


def _refuse_abstract(kind: type, file: Path) -> None:
    missing = ", ".join(sorted(getattr(kind, "__abstractmethods__", ())))
    if missing:
        raise TaskFileError(file, _line(file, kind.__name__), f"class {kind.__name__} has no method {missing}")


def known_name(task: Task, file: Path) -> None:
    """Refuse a task without what every task has, or with the name of a built-in one. Raises `TaskFileError`."""
    line = _line(file, type(task).__name__)
    for attribute, means in REQUIRED.items():
        if getattr(task, attribute, None) is None:
            lacks = f"class {type(task).__name__} has no {attribute!r}, expected {means}"
            raise TaskFileError(file, line, lacks)
    if not isinstance(task.name, str) or not task.name.isidentifier():
        raise TaskFileError(file, line, f"name {task.name!r} is no identifier: letters, digits and _ only")
    if task.name in task_names():
        raise TaskFileError(file, line, f"the name {task.name!r} belongs to a built-in task; choose another")


def from_entry_point(entry: metadata.EntryPoint) -> Task:
    """The task an installed package offers: a `Task` object or class, or a module with one. Raises `TaskFileError`."""
    found = entry.load()
    if isinstance(found, ModuleType):
        task = find_task(found, Path(str(found.__file__)))
    else:
        task = found() if isinstance(found, type) and issubclass(found, Task) else found
    if not isinstance(task, Task):
        raise CallError(f"entry point {entry.name!r} ({entry.value}) is no task but a {type(task).__name__}")
    file = Path(inspect.getsourcefile(type(task)) or entry.value)
    known_name(task, file)
    if task.name != entry.name:
        raise CallError(
            f"entry point {entry.name!r} ({entry.value}) holds a task called {task.name!r}: name them alike"
        )
    keep_apart(task)
    task.digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return task


def keep_apart(task: Task) -> None:
    """Call those arguments of a task otherwise that are called like something that edits write (`own_names`)."""
    if task.own_arguments is not None or not isinstance(task.template, str):
        return
    template, before, after = kept_apart(task.template, task.function_name)
    if before == after or before[: len(task.arguments)] != tuple(task.arguments):
        return
    alternatives = getattr(task, "alternatives", None)
    if isinstance(alternatives, str) and alternatives in before:
        task.alternatives = after[before.index(alternatives)]  # type: ignore[attr-defined]
    task.template, task.own_arguments = template, tuple(task.arguments)
    task.arguments = after[: len(task.arguments)]


def _line(file: Path, name: str) -> int | None:
    """The line where a file defines a class or assigns a name at its top level; None if it does not."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError):
        return None
    for node in tree.body:
        names = [node.name] if isinstance(node, ast.ClassDef) else []
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if name in names:
            return node.lineno
    return None
