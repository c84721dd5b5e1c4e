"""Options every command shares, and what is found wrong before anything is loaded."""

from __future__ import annotations

import io
import os
import sys
from types import SimpleNamespace

import pytest

import lhs_hf
from lhs_hf.cli import main
from lhs_hf.tasks import get_task


@pytest.fixture(autouse=True)
def _working_directory(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_version_and_short_help(capsys) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"lhs-hf {lhs_hf.__version__}\n"
    assert main(["search", "-h"]) == 0
    assert "Usage" in capsys.readouterr().out


def test_standard_input_is_a_program(capsys, monkeypatch) -> None:
    task = get_task("knapsack_construct")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(task.template.encode())))
    assert main(["evaluate", task.name, "-", "--no-cache"]) == 0
    assert "objective 234.25" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "10000"], "workers must be 1 to 256"),
        (["--seed", "-1"], "seed must be at least 0"),
        (["--radius", "nan"], "radius must be a finite number"),
        (["--raise-budget", "9"], "--raise-budget goes with --resume"),
        (["--output", "taken"], "holds other files (taken.txt)"),
        (["--output", "taken/taken.txt"], "is a file"),
    ],
)
def test_cheap_checks_come_before_a_model_is_loaded(capsys, monkeypatch, arguments, message) -> None:
    os.mkdir("taken")
    open("taken/taken.txt", "w").close()
    loaded = []
    monkeypatch.setattr("lhs_hf.search.options.load_components", lambda *_, **__: loaded.append(1))
    assert main(["search", "knapsack_construct", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not loaded


def test_a_failing_disk_is_one_line(capsys, monkeypatch) -> None:
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lhs_hf.search.search.run_search", full)
    assert main(["search", "knapsack_construct", "--budget", "1"]) == 1
    captured = capsys.readouterr()
    assert "No space left on device" in captured.err
    assert captured.err.count("\n") == 1
