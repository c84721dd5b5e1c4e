"""`lhs-hf evaluate` and `lhs-hf tasks`: golden values, verdicts, errors, and how little they import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import goldens_part1
import goldens_part2
import pytest

from lhs_hf.cli import main
from lhs_hf.tasks import get_task, task_names

GOLDENS = goldens_part1.GOLDENS + goldens_part2.GOLDENS
INTEGER_TASKS = set(task_names()) - {"tsp_construct", "cvrp_construct", "vrptw_construct"}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path_factory.mktemp("cache")))


def evaluate(capsys, task: str, path: Path, *options: str) -> tuple[int, dict, str]:
    status = main(["evaluate", task, str(path), "--json", *options])
    captured = capsys.readouterr()
    return status, json.loads(captured.out) if captured.out else {}, captured.err


@pytest.mark.parametrize(
    ("task", "label", "source", "split", "value"),
    GOLDENS,
    ids=[f"{task}-{label}-{split}".replace(" ", "-") for task, label, _, split, _ in GOLDENS],
)
def test_golden_values(capsys, tmp_path, task, label, source, split, value) -> None:
    path = tmp_path / "program.py"
    path.write_text(source)
    status, printed, _ = evaluate(capsys, task, path, "--split", split)
    assert (status, printed["status"]) == (0, "ok")
    expected = value if task in INTEGER_TASKS else pytest.approx(value, rel=1e-9)
    assert printed["objective"] == expected
    assert printed["score"] == get_task(task).alpha * printed["objective"]
    assert printed["runtime_s"] > 0
    assert printed["message"] == ""


PROGRAM = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        (b"", "is empty"),
        (b"  \n\t\n", "is empty"),
        (b"\x7fELF\x00\x01\x02", "binary"),
        (b"# caf\xe9\n" + PROGRAM.encode(), "not UTF-8"),
        (b"# " + b"x" * 300_000, "262144"),
    ],
    ids=["missing", "empty", "blank", "binary", "latin-1", "huge"],
)
def test_files_that_hold_no_program_are_wrong_calls(capsys, tmp_path, content, message) -> None:
    path = tmp_path / "program.py"
    if content is not None:
        path.write_bytes(content)
    assert main(["evaluate", "tsp_construct", str(path)]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_folder_is_no_program(capsys, tmp_path) -> None:
    assert main(["evaluate", "tsp_construct", str(tmp_path)]) == 2
    assert "not a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "tsp", "x.py"], "tsp_construct, cvrp_construct"),
        (["evaluate", "tsp_construct"], "program"),
        (["evaluate", "tsp_construct", __file__, "--split", "test"], "search, test-50, test-100, test-200, holdout"),
        (["nonsense"], "evaluate"),
        (["evaluate", "tsp_construct", __file__, "--fast"], "--fast"),
    ],
)
def test_wrong_calls_name_what_exists(capsys, arguments, message) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("x = 1\n", "signature"),
        ("def select_next_node(a):\n    return 0\n", "signature"),
        (PROGRAM + "    return unvisited_nodes[0] + 0.0\n", "infeasible"),
        (PROGRAM + "    return float('nan')\n", "infeasible"),
        (PROGRAM + "    return 'city'\n", "infeasible"),
        (PROGRAM + "    return -1\n", "infeasible"),
        (PROGRAM + "    return 0\n", "infeasible"),
        (PROGRAM + "    return bytearray(10 * 2**30)\n", "memory_limit"),
        (PROGRAM + "    return unvisited_nodes[len(unvisited_nodes)]\n", "exception"),
    ],
)
def test_failing_programs_end_with_status_1_and_their_kind(capsys, tmp_path, source, kind) -> None:
    path = tmp_path / "program.py"
    path.write_text(source)
    status, printed, _ = evaluate(capsys, "tsp_construct", path)
    assert (status, printed["status"], printed["objective"], printed["score"]) == (1, kind, None, None)
    assert main(["evaluate", "tsp_construct", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"error: {kind}: ")
    assert error.count("\n") == 1


def test_tasks_lists_the_ten(capsys) -> None:
    assert main(["tasks", "--names"]) == 0
    assert capsys.readouterr().out.split() == list(task_names())
    assert main(["tasks", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {entry["name"]: entry["sense"] for entry in listed}["knapsack_construct"] == "max"
    assert all({"signature", "splits", "description"} <= entry.keys() for entry in listed)
    assert main(["tasks"]) == 0
    assert "def select_next_node" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [[], ["tasks"], ["evaluate"], ["search"], ["report"], ["doctor"], ["train"], ["corpus"]]
)
def test_help_of_every_command(capsys, command) -> None:
    assert main([*command, "--help"]) == 0
    assert "Usage: lhs-hf" in capsys.readouterr().out


def test_scoring_a_program_imports_neither_torch_nor_transformers(tmp_path) -> None:
    path = tmp_path / "program.py"
    path.write_text(get_task("tsp_construct").template)
    code = (
        "import sys\nfrom lhs_hf.cli import main\n"
        f"assert main(['evaluate', 'tsp_construct', {str(path)!r}, '--json', '--no-cache']) == 0\n"
        "loaded = {name.split('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'torch', 'transformers', 'sentence_transformers', 'scipy', 'pyarrow'}, loaded\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["status"] == "ok"
