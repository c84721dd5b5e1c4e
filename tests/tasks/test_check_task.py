"""Mistakes of a task file that only show when it is run, or never: each is named, with the line to mend."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from lhs_hf.cli import main
from lhs_hf.errors import CallError
from lhs_hf.tasks import get_task
from lhs_hf.tasks.check import check_task_file
from lhs_hf.tasks.files import TaskFileError

OBJECTIVE = "        order = check_permutation(solution"
CONSTRUCT = "        lengths, weights = instance"


@pytest.fixture
def file(tmp_path, monkeypatch, capsys) -> Path:
    """A fresh task file as `init-task` writes it."""
    monkeypatch.chdir(tmp_path)
    assert main(["init-task", "my_jobs"]) == 0
    capsys.readouterr()
    return tmp_path / "my_jobs.py"


# What to replace in the template, by what; the text on the line to mend, and words of the message.
MISTAKES = {
    "problem class": ('"scheduling"', '"schedulling"', "problem_class =", "did you mean 'scheduling'?"),
    "fewer names": (', "job_id")', ")", "probe_feature_names =", "3 names, probe_features gives 4 columns"),
    "fractions": ("return order", "return [job + 0.5 for job in order]", "def construct", "fractions"),
    "a table": ("return order", "return [order]", "def construct", "2-D array"),
    "misspelt split": ("holdout={", "hold_out={", "splits =", "'hold-out' (did you mean 'holdout'?)"),
    "splits as a list": ("splits = make_splits(", "splits = list(make_splits(", "splits =", "splits is a list"),
    "bounds": ("time_limit_s = 20.0", 'bounds = {"tset": 1.0}\n    time_limit_s = 20.0', "bounds =", "'tset'"),
    "exit in the file": ("TASK = MyJobs()", "raise SystemExit(0)", "raise SystemExit", "ends the process"),
    "exit in a method": (CONSTRUCT, f"        sys.exit()\n{CONSTRUCT}", "sys.exit()", "ends the process"),
    "exit at once": (OBJECTIVE, f"        os._exit(3)\n{OBJECTIVE}", "", "ends the process with status 3"),
    "endless construct": ("waiting.remove(job)", "waiting.count(job)", "", "construct does not end: stopped after"),
    "endless objective": (OBJECTIVE, f"        while True: pass\n{OBJECTIVE}", "while True", "objective does not end"),
    "endless file": ("TASK = MyJobs()", "while True: pass", "while True", "loading the file does not end"),
    "endless reference": (
        "return waiting_jobs[0]",
        "while True: pass",
        "while True: pass",
        "the reference program fails on instance 0 of 'search': does not end",
    ),
    "printing file": ("TASK = MyJobs()", "TASK = MyJobs()\nprint('made')", "print('made')", "prints 'made'"),
    "printing method": (OBJECTIVE, f"        print(len(solution))\n{OBJECTIVE}", "print(len", "prints '25'"),
    "printing reference": ("    return waiting", "    print(now)\n    return waiting", "print(now)", "prints '0'"),
    "random objective": (".mean())", ".mean() + np.random.rand())", "def objective", "must not be random"),
    "same instances": ('test={"count": 50', 'test={"count": 16, "seed": 2024', "def draw", "are those of 'search'"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_line(file, name) -> None:
    old, new, place, words = MISTAKES[name]
    text = file.read_text()
    assert old in text
    text = text.replace(old, new, 1).replace("import numpy as np", "import os\nimport sys\n\nimport numpy as np")
    if name == "splits as a list":
        text = text.replace('"calls": 60},\n    )', '"calls": 60},\n    ))')
    file.write_text(text)
    findings = check_task_file(file, limit_s=0.7 if "endless" in name else 20.0)
    assert words in findings[0].problem
    assert place in file.read_text().splitlines()[findings[0].line - 1], findings


FULL = """
import numpy as np
from lhs_hf.tasks import Infeasible, ProbeState, Split, Task
from lhs_hf.tasks.base import percentiles

class Pick(Task):
    name, title, sense, problem_class = "pick", "Pick", "max", "packing"
    function_name, arguments = "pick", ("values",)
    description = "Pick an id."
    template = "def pick(values):\\n    return 0\\n"
    splits = {name: Split(name, 4, seed, 4) for name, seed in (("search", 1), ("test", 2))}
    time_limit_s = 10.0
    probe_feature_names = ("value",)
    def generate(self, split):
        random = np.random.RandomState(SEED)
        return [random.rand(10) for _ in range(split.count)]
    def rollout(self, program, instance):
        return np.asarray([program(GIVEN)], dtype=np.int64)
    def objective(self, instance, solution):
        if solution.shape != (1,) or not 0 <= solution[0] < len(instance):
            raise Infeasible("no id")
        return float(instance[solution[0]])
    def probe_states(self, generator, count):
        values = [generator.random(10) for _ in range(count)]
        return [ProbeState((( each,),), percentiles(each[:, None])) for each in values]
    def probe_decision(self, state, answers):
        return int(answers[0])
"""


@pytest.mark.parametrize(
    ("seed", "given", "place", "words"),
    [
        ("split.seed", "instance.copy()", "", ""),
        ("7", "instance.copy()", "def generate", "are those of 'search'"),
        ("split.seed", "instance", "def rollout", "a program that changes its arguments changes the instance"),
    ],
)
def test_what_a_task_of_ones_own_hands_out(tmp_path, seed, given, place, words) -> None:
    file = tmp_path / "pick.py"
    file.write_text(FULL.replace("SEED", seed).replace("GIVEN", given))
    findings = check_task_file(file)
    assert len(findings) == bool(words), findings
    for finding in findings:
        assert words in finding.problem
        assert place in file.read_text().splitlines()[finding.line - 1]


def test_a_library_that_never_returns_is_stopped_too(file) -> None:
    """No alarm reaches code that catches everything: the whole check has an end."""
    endless = """        import time
        while True:
            try:
                time.sleep(0.2)
            except BaseException:
                pass
"""
    file.write_text(file.read_text().replace(OBJECTIVE, endless + OBJECTIVE))
    started = time.monotonic()
    [finding] = check_task_file(file, limit_s=0.2)
    assert "the check did not end" in finding.problem
    assert time.monotonic() - started < 20


def test_a_file_that_ends_the_process_is_an_error_of_every_command(file, capsys) -> None:
    file.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(TaskFileError, match=r"line 2: .*ends the process"):
        get_task(str(file))
    assert main(["evaluate", str(file), "-"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_checking_leaves_this_process_alone(file) -> None:
    modules = set(sys.modules)
    assert check_task_file(file) == []
    assert not {name for name in set(sys.modules) - modules if name.startswith("lhs_hf_task_")}
    with pytest.raises(CallError, match="limit must be positive"):
        check_task_file(file, limit_s=0)
