"""What is wrong with a task file, finding by finding, each with the line to mend.

The file is a person's own code and is not fenced. It runs in a process of its own, so that code which does not end,
ends the process or prints is named like every other mistake.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ..errors import CallError
from ..opening.text import one_line
from .base import Task
from .checking import declared, probes, rollouts
from .checking.findings import Check, Finding, Prints, Stop, TooLong, shown, time_limit
from .files import TaskFileError, line_of, load_task_file
from .places import Places

LIMIT_S = 60.0
"""Seconds that one call of the file's code may take."""

_CALLS = 15
"""The whole check may take as long as so many calls."""

_CHILD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from lhs_hf.tasks.check import _run; _run(*sys.argv[2:])"
)


def check_task_file(path: Path | str, limit_s: float = LIMIT_S) -> list[Finding]:
    """Everything found wrong with a task file, in the order of its lines; empty if nothing is.

    Runs the file and its reference program, unfenced, in another process. Loading the file and each call of one of its
    methods may take `limit_s` seconds, the whole check 15 times that; memory and everything else is unlimited.

    Raises `CallError` if there is no such file.
    """
    file = Path(path).expanduser().resolve()
    if not file.is_file():
        raise CallError(f"no such task file: {path}")
    if not limit_s > 0:
        raise CallError(f"the limit must be positive, got {limit_s}")
    with TemporaryDirectory() as folder:
        result, errors = Path(folder, "findings.json"), Path(folder, "stderr")
        command = [sys.executable, "-c", _CHILD, json.dumps(sys.path), str(file), str(result), str(limit_s)]
        try:
            with errors.open("wb") as stderr:
                status = subprocess.run(  # noqa: S603  (this module, in this interpreter)
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=stderr,
                    timeout=_CALLS * limit_s,
                ).returncode
        except subprocess.TimeoutExpired:
            return [Finding(1, f"the check did not end: stopped after {_CALLS * limit_s:g} s")]
        if not result.is_file():
            last = one_line(errors.read_bytes()[-2000:].decode("utf-8", "replace").strip().rpartition("\n")[2])
            return [Finding(1, f"the file, or a library that it uses, ends the process with status {status} {last}")]
        return [Finding(**each) for each in json.loads(result.read_text(encoding="utf-8"))]


def check_task(task: Task) -> list[Finding]:
    """`check_task_file` for a task that is loaded. Raises `CallError` if it comes from no file."""
    if task.origin is None:
        raise CallError(f"the task {task.name!r} comes from no file")
    return check_task_file(task.origin)


def _run(path: str, result: str, limit_s: str) -> None:
    """What the other process does."""
    findings = sorted(_findings(Path(path), float(limit_s)), key=lambda finding: finding.line)
    # Whole or not at all: without it the check has failed.
    temporary = Path(f"{result}.part")
    temporary.write_text(json.dumps([each.as_dict() for each in findings]), encoding="utf-8")
    os.replace(temporary, result)


def _findings(file: Path, limit_s: float) -> list[Finding]:
    prints = Prints(file)
    with prints.watched():
        try:
            with time_limit(limit_s):
                task = load_task_file(file)
        except TaskFileError as error:
            return [Finding(error.line or 1, error.problem)]
        except TooLong as error:
            return [Finding(line_of(error, file) or 1, f"loading the file {shown(error)}")]
        check = Check(task, Places(file), limit_s)
        for stage in (
            declared.attributes,
            rollouts.instances,
            rollouts.reference,
            rollouts.wrong_solutions,
            probes.probes,
        ):
            try:
                stage(check)
            except Stop:
                break
            if check.found and stage in (declared.attributes, rollouts.instances):
                break
    check.printed(prints)
    return check.found


__all__ = ["LIMIT_S", "Finding", "check_task", "check_task_file"]
