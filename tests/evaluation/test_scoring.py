"""A task's own code that fails on a solution: the candidate's failure, named; the evaluator goes on."""

from __future__ import annotations

import os
import signal
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lhs_hf.cli import main
from lhs_hf.evaluation import Evaluator, Limits
from lhs_hf.tasks import get_task
from lhs_hf.tasks.check import check_task_file
from lhs_hf.tasks.simple import SHORTEST_BOUND

OBJECTIVE = """        order = check_permutation(solution, len(instance["lengths"]))
        finished = np.cumsum(instance["lengths"][order])
        return float((finished * instance["weights"][order]).mean())
"""
UNCHANGED = textwrap.dedent(OBJECTIVE).rstrip("\n")
LAST = """def select_next_job(waiting_jobs, now, lengths, weights):
    return waiting_jobs[-1]
"""
# What a program does to have its process send any solution: the numbers that `{}` stands for.
FORGED = """import sys
import numpy as np
sys.modules["lhs_hf.tasks.simple"].SimpleTask.rollout = lambda *_: np.array({})
def select_next_job(waiting_jobs, now, lengths, weights):
    return waiting_jobs[0]
"""


@pytest.fixture
def file(tmp_path, monkeypatch, capsys) -> Path:
    """A fresh task file as `init-task` writes it."""
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    assert main(["init-task", "my_jobs"]) == 0
    capsys.readouterr()
    return tmp_path / "my_jobs.py"


def _write(file: Path, objective: str) -> int:
    """Give the task another objective, as text; the 1-based line where its body begins."""
    text = file.read_text()
    assert text.count(OBJECTIVE) == 1
    file.write_text(text.replace(OBJECTIVE, "        " + objective.replace("\n", "\n        ") + "\n"))
    return text[: text.index(OBJECTIVE)].count("\n") + 1


# An objective that fails on the solution of LAST, not on that of the template; what is said about it.
FAILING = {
    "zero_division": ("return 1 // int(solution[-1])", "ZeroDivisionError: integer division or modulo by zero"),
    "index": ("return [1.0][solution[0]]", "IndexError: list index out of range"),
    "key": ("return {True: 1.0}[bool(solution[0] == 0)]", "KeyError: False"),
    "recursion": ("def deep(n):\n    return deep(n + 1)\nreturn deep(solution[0])", "RecursionError"),
    "exit": ("raise SystemExit(3)", "SystemExit: 3"),
    "own_base_exception": ("class Odd(BaseException):\n    pass\nraise Odd('odd')", "Odd: odd"),
    "assertion": ("assert solution[0] == 0, 'not the first'\nreturn 1.0", "AssertionError: not the first"),
    "read_only": ("solution.sort()\nreturn 1.0", "read-only"),
    "hostile_text": (
        "class Odd(Exception):\n    def __str__(self):\n        raise self\nraise Odd",
        "objective raised Odd",
    ),
    "long_text": ("raise ValueError('x' * 10**6)", "ValueError: xxx"),
    "control_characters": ("raise ValueError(chr(27) + '[2J' + chr(0))", "ValueError"),
}
NO_NUMBERS = {
    "nan": ("float('nan')", "nan"),
    "infinity": ("-np.inf", "-inf"),
    "none": ("None", "None"),
    "text": ("'12.5'", "str"),
    "complex": ("1j", "complex"),
    "array": ("np.ones(3)", "ndarray"),
    "too_large": ("10**400", "int"),
    "object": ("object()", "object"),
}


@pytest.mark.parametrize("name", FAILING)
def test_an_exception_in_objective_is_the_candidates_failure(file: Path, name: str) -> None:
    objective, words = FAILING[name]
    line = _write(file, objective)
    with Evaluator(str(file), workers=2) as evaluator:
        # In this thread, and in others.
        results = [evaluator.evaluate(LAST), *evaluator.evaluate_many([LAST, LAST])]
    for result in results:
        assert result.status == "infeasible"
        assert words in result.message
        assert "objective raised " in result.message
        assert result.message.isprintable()
        assert len(result.message) <= 500
        lines = range(line, line + objective.count("\n") + 1)
        assert any(f"(my_jobs.py, line {each})" in result.message for each in lines), result.message


def test_memory_that_an_objective_lacks_is_not_remembered(file: Path) -> None:
    _write(file, "raise MemoryError")
    with Evaluator(str(file)) as evaluator:
        result = evaluator.evaluate(LAST)
    assert result.status == "memory_limit"
    assert "objective raised MemoryError (my_jobs.py, line " in result.message


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_an_objective_that_is_no_finite_number_is_named(file: Path, name: str) -> None:
    value, words = NO_NUMBERS[name]
    _write(file, f"return 1.0 if solution[0] == 0 else {value}")
    with Evaluator(str(file)) as evaluator:
        result = evaluator.evaluate(LAST)
        assert evaluator.evaluate(evaluator.task.template).objective == 1.0
    assert (result.status, result.objective) == ("infeasible", None)
    assert result.message.startswith("instance 0: objective returned ")
    assert words in result.message


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell's job in the background ignores Ctrl-C, and so would what it runs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_of_the_person_passes(file: Path) -> None:
    """Ctrl-C while `objective` runs ends the evaluation; the evaluator is as good as before."""
    _write(file, "import time\nif solution[0]:\n    time.sleep(30)\nreturn 1.0")
    with Evaluator(str(file)) as evaluator:
        template = evaluator.task.template
        assert evaluator.evaluate(template).ok
        timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            evaluator.evaluate(LAST)
        assert time.monotonic() - started < 15
        assert evaluator.evaluate(template).ok


def test_an_interrupt_that_the_task_makes_up_in_another_thread_is_a_failure(file: Path) -> None:
    """Ctrl-C reaches the main thread only."""
    _write(file, "raise KeyboardInterrupt")
    with Evaluator(str(file)) as evaluator:
        result = evaluator.submit(LAST).result(timeout=60)
    assert (result.status, "objective raised KeyboardInterrupt" in result.message) == ("infeasible", True)


def test_what_a_signal_handler_raises_passes(file: Path) -> None:
    """A handler that ends the process, as one of SIGTERM does, is no affair of the candidate."""
    _write(file, "import os, signal\nos.kill(os.getpid(), signal.SIGUSR1)\nreturn 1.0")

    def leave(*_: object) -> None:
        raise SystemExit(143)

    before = signal.signal(signal.SIGUSR1, leave)
    try:
        with Evaluator(str(file)) as evaluator, pytest.raises(SystemExit):
            evaluator.evaluate(LAST)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_million_entries_never_reach_objective(file: Path) -> None:
    """Not even an objective that compares every entry with every other keeps the parent busy."""
    _write(file, "return float(sum(a == b for a in solution.tolist() for b in solution.tolist()))")
    with Evaluator(str(file), limits=Limits(wall_s=8.0)) as evaluator:
        for numbers in ("[3] * 10**6", "[0] * (2**20)", f"[0] * {SHORTEST_BOUND + 1}"):
            started = time.monotonic()
            result = evaluator.evaluate(FORGED.format(numbers))
            assert result.status == "output_limit"
            assert f"at most {SHORTEST_BOUND} entries" in result.message
            assert time.monotonic() - started < 8.5
        longest = evaluator.evaluate(FORGED.format(f"[0] * {SHORTEST_BOUND}"))
        assert longest.status in ("ok", "wall_timeout")
        assert evaluator.evaluate(evaluator.task.template).objective == 25


@pytest.mark.parametrize(
    ("limit", "calls", "jobs", "expected"),
    [
        ("", 25, 25, SHORTEST_BOUND),
        ("", 600, 25, 2400),
        ("", 25, 700, 2800),
        ("longest_solution = 30", 25, 25, 30),
        ("longest_solution = 16384", 25, 25, 16384),
    ],
)
def test_the_limit_follows_from_what_the_task_says(file: Path, limit, calls, jobs, expected) -> None:
    text = file.read_text()
    sizes = 'holdout={"count": 50, "jobs": 60, "calls": 60}'
    assert text.count(sizes) == 1
    text = text.replace(sizes, f'holdout={{"count": 50, "jobs": {jobs}, "calls": {calls}}}')
    file.write_text(text.replace("    time_limit_s = 20.0\n", f"    time_limit_s = 20.0\n    {limit}\n"))
    task = get_task(str(file))
    assert task.max_solution_length(task.instances("search")[0]) == expected
    with Evaluator(task) as evaluator:
        assert evaluator.evaluate(LAST).ok
        assert evaluator.evaluate(FORGED.format(f"[0] * {expected + 1}")).status == "output_limit"
        assert evaluator.evaluate(FORGED.format(f"[0] * {expected}")).status == "infeasible"


@pytest.mark.parametrize("body", ["raise ValueError('which?')", "return None", "return -1", "return 'many'"])
def test_a_limit_that_fails_is_named(file: Path, body: str) -> None:
    text = file.read_text()
    method = f"    def max_solution_length(self, instance):\n        {body}\n\n    def objective("
    file.write_text(text.replace("    def objective(", method))
    with Evaluator(str(file)) as evaluator:
        result = evaluator.evaluate(LAST)
    assert result.status == "infeasible"
    assert result.message.startswith("instance 0: max_solution_length r")
    [finding] = check_task_file(file)
    assert finding.problem.startswith("max_solution_length r")


def test_a_stepping_session_names_it_too(file: Path) -> None:
    _write(file, "return 1.0 / int(solution[-1])")
    with Evaluator(str(file)) as evaluator, evaluator.stepping() as stepper:
        session = stepper.open()
        [result] = stepper.check([(session, LAST)], {session})
    assert (result.status, result.late) == ("infeasible", True)
    assert "objective raised ZeroDivisionError" in result.message


@pytest.mark.integration
@pytest.mark.parametrize(
    ("objective", "limit", "words"),
    [
        ("solution.sort()\nreturn 1.0", "", "read-only"),
        (
            "sum(a == b for a in solution.tolist() for b in solution.tolist())\n" + UNCHANGED,
            "longest_solution = 16384",
            "longest_solution",
        ),
        (UNCHANGED, "longest_solution = 'many'", "longest_solution is 'many'"),
        (UNCHANGED, "longest_solution = 5", "longer than max_solution_length"),
    ],
)
def test_check_task_finds_it_beforehand(file: Path, objective: str, limit: str, words: str) -> None:
    text = file.read_text().replace("    time_limit_s = 20.0\n", f"    time_limit_s = 20.0\n    {limit}\n")
    file.write_text(text)
    _write(file, objective)
    [finding] = check_task_file(file)
    assert words in finding.problem


def test_a_solution_that_an_objective_sees_can_not_be_changed(file: Path) -> None:
    _write(file, "assert not solution.flags.writeable\nassert solution.dtype == np.int64\nreturn 1.0")
    with Evaluator(str(file)) as evaluator:
        assert evaluator.evaluate(LAST).objective == 1.0
        assert isinstance(evaluator.solve(LAST).array, np.ndarray)
