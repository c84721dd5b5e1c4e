"""What is wrong with the text of programs, without running them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lhs_hf.programs import ProgramError, check_signature, parse
from lhs_hf.tasks.base import Task


def parses(source: str) -> bool:
    """Whether Python reads the program."""
    try:
        parse(source)
    except ProgramError:
        return False
    return True


def defines_function(source: str, task: Task) -> bool:
    """Whether the program has the task's function under its name, callable with its arguments."""
    try:
        function = check_signature(parse(source), task.function_name, len(task.arguments))
    except ProgramError:
        return False
    return function.name == task.function_name


def undefined_names(sources: Sequence[str]) -> list[bool]:
    """For each program whether it reads a name that is not defined (ruff's rules F821 and F823).

    Raises `RuntimeError` if ruff does not find the undefined name of a control program.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for index, source in enumerate([*sources, "def f():\n    return nowhere\n"]):
            (folder / f"{index}.py").write_text(source, encoding="utf-8", errors="replace")
        command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F821,F823"]
        done = subprocess.run(
            [*command, "--output-format", "json", str(folder)], capture_output=True, text=True, check=False
        )
        problems = json.loads(done.stdout) if done.stdout.strip() else []
    found = {int(Path(problem["filename"]).stem) for problem in problems if problem["code"] in ("F821", "F823")}
    if len(sources) not in found:
        raise RuntimeError(f"ruff did not find the undefined name of the control program: {done.stderr or done.stdout}")
    return [index in found for index in range(len(sources))]
