"""A task in a file of its own: written, checked, evaluated; what is wrong is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer

from lhs_hf.cli import app, main
from lhs_hf.cli.options import TASK_FILE_HELP
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.tasks import IllegalAnswer, Infeasible, UnknownTask, get_task
from lhs_hf.tasks.check import check_task_file

EXAMPLES = Path(__file__).parents[2] / "examples"
TEMPLATE = """def select_next_job(waiting_jobs, now, lengths, weights):
    \"\"\"The first job.\"\"\"
    return waiting_jobs[0]
"""
BY_RATIO = """def select_next_job(waiting_jobs, now, lengths, weights):
    return min(waiting_jobs, key=lambda job: lengths[job] / weights[job])
"""


@pytest.fixture
def file(tmp_path, monkeypatch, capsys) -> Path:
    """A fresh task file as `init-task` writes it."""
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    assert main(["init-task", "my_jobs"]) == 0
    capsys.readouterr()
    return tmp_path / "my_jobs.py"


# What to replace in the template, by what; the text on the line to mend, and words of the message.
BROKEN = {
    "syntax": ('sense = "min"', 'sense = = "min"', "sense = = ", "syntax error"),
    "import": ("import numpy as np", "import numpyy as np", "import numpyy", "numpyy"),
    "no task": ("class MyJobs(SimpleTask):", "class MyJobs:", "TASK = MyJobs()", "TASK is a MyJobs"),
    "no objective": ("def objective(", "def objectives(", "class MyJobs", "objective"),
    "wrong sense": ('sense = "min"', 'sense = "less"', "sense =", "'less'"),
    "unknown argument": ('alternatives = "waiting_jobs"', 'alternatives = "jobs"', "alternatives =", "'jobs'"),
    "random instances": ("random.randint(1, 50, jobs)", "np.random.randint(1, 50, jobs)", "def draw", "differently"),
    "failing reference": ("return waiting_jobs[0]", "return waiting_jobs[99]", "return waiting_jobs[99]", "IndexError"),
    "no template": ("    template = ", "    program = ", "class MyJobs", "reference program"),
    "scores unsaid": ("return waiting_jobs[0]", "return lengths[waiting_jobs]", "template =", 'answers = "scores"'),
    "asked for a rating": (
        'alternatives = "waiting_jobs"',
        'answers = "priority"',
        "self.ask(program",
        "self.ask_each",
    ),
    "answers unsaid": ('alternatives = "waiting_jobs"', "", "class MyJobs", '"priority"'),
    "pairs": ("return order", "return [(job, 0) for job in order]", "def construct", "flat list"),
    "no function": (TEMPLATE, "pass\n", "template =", "no function"),
    "infeasible accepted": (
        'order = check_permutation(solution, len(instance["lengths"]))',
        "order = solution % len(instance['lengths'])",
        "def objective",
        "accepts",
    ),
    "no exception for nonsense": (
        'order = check_permutation(solution, len(instance["lengths"]))',
        "order = solution.tolist() if len(solution) else check_permutation(solution, 25)",
        "finished = ",
        "IndexError",
    ),
    "not finite": (".mean())", ".mean() * np.inf)", "def objective", "finite"),
    "no search split": ("search={", "train={", "splits =", "search"),
    "feature shapes": ("weights / lengths, jobs])", "weights / lengths])[:3]", "def probe_features", "shape"),
    "random protocol": (
        "order.append(job)",
        "order.insert(int(np.random.randint(len(order) + 1)), job)",
        "def construct",
        "two solutions",
    ),
    "taken name": ('name = "my_jobs"', 'name = "tsp_construct"', "class MyJobs", "built-in"),
    "too slow": ("time_limit_s = 20.0", "time_limit_s = 0.000001", "time_limit_s =", "more than half"),
    "one alternative": (
        "self.ask(program, np.array(waiting)",
        "self.ask(program, np.array(waiting[:1])",
        "def construct",
        "rare",
    ),
}


@pytest.mark.integration
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_told_the_line_to_mend(file, name, capsys) -> None:
    old, new, place, words = BROKEN[name]
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    findings = check_task_file(file)
    assert findings
    assert main(["check-task", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"{file}:{findings[0].line}: ")
    assert place in file.read_text().splitlines()[findings[0].line - 1], findings
    assert words in findings[0].problem


def test_no_task_at_all_and_no_file(tmp_path) -> None:
    (tmp_path / "empty.py").write_text("x = 1\n")
    assert "no Task class" in check_task_file(tmp_path / "empty.py")[0].problem
    with pytest.raises(CallError, match="no such task file"):
        check_task_file(tmp_path / "none.py")
    with pytest.raises(UnknownTask, match="path of a task file"):
        get_task("nowhere")


@pytest.mark.parametrize("name", ["graph_coloring", "flow_shop", "max_cut"])
def test_the_examples_pass_the_check(name) -> None:
    assert check_task_file(EXAMPLES / f"{name}.py") == []


@pytest.mark.integration
def test_the_template_runs_from_its_file_everywhere_a_name_is_taken(file, capsys) -> None:
    assert main(["check-task", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    (file.parent / "ratio.py").write_text(BY_RATIO)
    assert main(["evaluate", "./my_jobs.py", "ratio.py", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    with Evaluator(str(file)) as evaluator:
        reference = evaluator.evaluate(evaluator.task.template)
        assert evaluator.probe(BY_RATIO).error_rate == 0
    assert found["status"] == "ok"
    assert found["objective"] < 0.8 * reference.objective
    assert main(["init-task", "my_jobs"]) == 2
    assert main(["init-task", "tsp_construct"]) == 2


@pytest.mark.parametrize(
    ("answers", "ratio"),
    [
        (
            "scores",
            "def rate_jobs(waiting_jobs, now, lengths, weights):\n    return (weights / lengths)[waiting_jobs]\n",
        ),
        ("priority", "def priority(length, weight, now):\n    return weight / length\n"),
        (
            "solution",
            "def order_jobs(lengths, weights):\n"
            "    return sorted(range(len(lengths)), key=lambda job: lengths[job] / weights[job])\n",
        ),
    ],
)
def test_a_file_begins_with_any_kind_of_answers(tmp_path, monkeypatch, capsys, answers, ratio) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init-task", "rated", "--answers", answers]) == 0
    assert check_task_file(tmp_path / "rated.py") == []
    with Evaluator("./rated.py") as evaluator:
        reference, best = (evaluator.evaluate(each) for each in (evaluator.task.template, ratio))
    assert best.objective < 0.8 * reference.objective
    assert main(["init-task", "other", "--answers", "rating"]) == 2
    assert "priority" in capsys.readouterr().err


def test_a_changed_file_is_another_task(file) -> None:
    cache = EvaluationCache()
    first = get_task(str(file))
    assert get_task("my_jobs.py") is first
    with Evaluator(first, cache=cache) as evaluator:
        before = evaluator.evaluate(BY_RATIO)
    file.write_text(file.read_text().replace(".mean())", ".sum())"))
    second = get_task(str(file))
    assert second.identity != first.identity
    with Evaluator(second, cache=cache) as evaluator:
        after = evaluator.evaluate(BY_RATIO)
    assert not after.cached
    assert after.objective == pytest.approx(25 * before.objective)
    # Its processes read the file as it is now: they refuse to run what the old object does not mean.
    with Evaluator(first) as evaluator:
        stale = evaluator.evaluate(BY_RATIO)
    assert stale.status == "sandbox_error"
    assert "changed" in stale.message


def test_a_program_answers_with_what_is_listed(file) -> None:
    task = get_task(str(file))
    instance = task.instances("search")[0]
    assert sorted(task.rollout(lambda jobs, *_: jobs[-1], instance).tolist()) == list(range(25))
    for answer in (99, -1, True, None, 1.5, [[1], [2, 3]], np.zeros((2, 3)), np.array(1.5), "ab", [0] * 25):
        with pytest.raises(IllegalAnswer):
            task.rollout(lambda *_, answer=answer: answer, instance)
    with pytest.raises(Infeasible):
        task.objective(instance, np.zeros(25, dtype=np.int64))


def _commands(group, *path):
    """Every command below a group, with its words."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *path, name)
        else:
            yield (*path, name), command


def test_help_says_that_a_task_file_is_not_fenced(capsys) -> None:
    """That of every command which takes the name of a task, as each such name may be the path of a file."""
    taking = set()
    for words, command in _commands(typer.main.get_command(app)):
        if any(parameter.name in ("task", "task_file", "file") for parameter in command.params):
            taking.add(words)
            assert main([*words, "--help"]) == 0
            assert TASK_FILE_HELP in " ".join(capsys.readouterr().out.split()), words
    assert {("search",), ("evaluate",), ("check-task",), ("train", "surrogate"), ("corpus", "score")} <= taking


def test_an_object_without_a_file_is_refused_with_words(file) -> None:
    task = type(get_task(str(file)))()
    with pytest.raises(CallError, match="file of its own"):
        Evaluator(task)


def test_installed_packages_offer_tasks(file, monkeypatch) -> None:
    site = file.parent / "site"
    (site / "jobs_task-1.dist-info").mkdir(parents=True)
    (site / "jobs_task-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: jobs-task\nVersion: 1\n")
    (site / "jobs_task-1.dist-info" / "entry_points.txt").write_text("[lhs_hf.tasks]\nmy_jobs = jobs_module:TASK\n")
    (site / "jobs_module.py").write_text(file.read_text())
    monkeypatch.syspath_prepend(str(site))
    from lhs_hf import tasks

    tasks._entry_points.cache_clear()
    try:
        assert "my_jobs" in tasks.entry_point_names()
        assert get_task("my_jobs").splits["search"].count == 16
    finally:
        tasks._entry_points.cache_clear()
        tasks._installed.cache_clear()
