"""`lhs-hf compare`: what is wrong is said in one line before anything is run; what is right ends in a table."""

from __future__ import annotations

import json

import pytest
from chat_server import Server

from lhs_hf.cli import main

TASK = "knapsack_construct"


def compare(capsys, *arguments: object) -> tuple[int, str, str]:
    status = main(["compare", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "needs at least one of its methods"),
        (["--methods", "climb"], "needs at least one of its tasks"),
        (["--methods", "climp", "--tasks", TASK], "unknown method 'climp' (did you mean 'climb'?)"),
        (["--methods", "climb", "--tasks", "knapsak"], "unknown task 'knapsak'"),
        (["--methods", "climb,climb", "--tasks", TASK], "climb stands twice"),
        (["--methods", "climb@best", "--tasks", TASK], "unknown start of climb 'best'"),
        (["--methods", "eoh@corpus", "--tasks", TASK], "eoh has a start of its own"),
        (["--methods", "climb", "--tasks", TASK, "--splits", "test"], "unknown split 'test'"),
        (["--methods", "eoh", "--tasks", TASK], "eoh asks a language model"),
        (["--methods", "eoh", "--tasks", TASK, "--base-url", "http://127.0.0.1:9/v1"], "go with --model"),
        (["--methods", "eoh", "--tasks", TASK, "--model", "m", "--base-url", "http://127.0.0.1:9/v1"], "no server"),
        (["--methods", "eoh", "--tasks", TASK, "--model", "no/such/model"], "no language model 'no/such/model'"),
        (["--methods", "eoh", "--tasks", TASK, "--replay", "nowhere"], "nowhere holds no comparison"),
        (["--methods", "climb", "--tasks", TASK, "--equal", "cost"], "unknown equal 'cost'"),
        (["--methods", "climb", "--tasks", TASK, "--seeds", "0"], "seeds must be at least 1"),
        (["--methods", "corpus", "--tasks", "TASK_FILE"], "no corpus"),
        (["--methods", "climb", "--tasks", TASK, "--programs", "nowhere"], "there is no folder nowhere"),
        (["--methods", "./mine.py", "--tasks", TASK], "no such file of a method"),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(arguments, says, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    if "TASK_FILE" in arguments:
        assert main(["init-task", "jobs"]) == 0
        arguments = [*arguments[:-1], "jobs.py"]
        capsys.readouterr()
    status, output, errors = compare(capsys, *arguments)
    assert (status, output) == (2, "")
    assert says in errors
    assert len(errors.splitlines()) == 1
    assert not (tmp_path / "grid").exists()


def test_a_key_that_the_server_refuses_is_said_without_it(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    server = Server()
    server.models = (401, {}, {"error": {"message": "sk-very-secret is no key"}})
    try:
        call = ["--methods", "eoh", "--tasks", TASK, "--model", "m", "--base-url", server.url]
        status, _, errors = compare(capsys, *call, "--output", tmp_path / "grid")
        monkeypatch.delenv("OPENAI_API_KEY")
        # Another limit: a source is opened once a process.
        without = compare(capsys, *call, "--per-minute", 9, "--output", tmp_path / "grid")
    finally:
        server.close()
    assert (status, without[0]) == (2, 2)
    assert "refuses the key in OPENAI_API_KEY" in errors
    assert "wants a key in the environment variable OPENAI_API_KEY" in without[2]
    assert "secret" not in errors


@pytest.mark.integration
def test_a_comparison_from_begin_to_report(tmp_path, capsys) -> None:
    folder = tmp_path / "grid"
    call = ["--methods", "reference", "--tasks", TASK, "--splits", "search", "--seeds", 1, "--output", folder]
    status, output, _ = compare(capsys, *call)
    assert status == 0
    assert "1/1  knapsack_construct-reference-seed0  holdout 236.13 (reference)" in output
    assert "| reference | **234.25** | **236.13** |" in output
    status, output, errors = compare(capsys, *call, "--budget", 7)
    assert status == 2
    assert "was begun with budget 100, not 7" in errors
    status, output, _ = compare(capsys, *call, "--json")
    assert status == 0
    assert json.loads(output)["cells"] == 1
    assert main(["report", str(folder)]) == 0
    assert "| reference | **234.25** | **236.13** |" in capsys.readouterr().out
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    status, _, errors = compare(capsys, *call[:-1], tmp_path / "other")
    assert status == 2
    assert "holds other files" in errors


def test_all_methods_are_listed(capsys) -> None:
    status, output, _ = compare(capsys, "--list-methods")
    assert status == 0
    names = [line.split()[0] for line in output.splitlines()]
    assert {"default", "latent", "climb", "gp", "tuned", "corpus", "reference", "eoh", "mcts_ahd"} <= {*names}
