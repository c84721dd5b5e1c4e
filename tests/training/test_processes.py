"""Training in two processes: the losses that one process has with the same batches."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from lhs_hf.errors import CallError
from lhs_hf.training.data import BucketedBatches, ListSource
from lhs_hf.training.processes import Processes, shared_mean

HELPERS = Path(__file__).parents[1] / "helpers"
LAUNCH = ["--multi_gpu", "--num_processes", "2", "--num_machines", "1", "--mixed_precision", "no"]


def launched(*command: str) -> None:
    """Run a program in two processes on the processor, as `accelerate launch` starts them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    launcher = [sys.executable, "-m", "accelerate.commands.launch", *LAUNCH, "--dynamo_backend", "no"]
    _run([*launcher, "--main_process_port", str(port), *command], ACCELERATE_USE_CPU="true")


def alone(*command: str) -> None:
    _run([sys.executable, *command])


def _run(command: list[str], **more: str) -> None:
    paths = os.pathsep.join([str(HELPERS), str(HELPERS.parents[1])])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": paths, "HF_HUB_OFFLINE": "1", **more}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]


def close(ours: Any, theirs: Any, tolerance: float) -> bool:
    return all(
        one.keys() == other.keys() and all(abs(one[key] - other[key]) <= tolerance * abs(other[key]) for key in one)
        for one, other in zip(ours, theirs, strict=True)
    )


@pytest.mark.slow
def test_two_processes_have_the_losses_of_one(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    alone(str(HELPERS / "shared_training.py"), str(one))
    launched(str(HELPERS / "shared_training.py"), str(two))
    expected = json.loads((one / "report-0.json").read_text())
    reports = [json.loads((two / f"report-{rank}.json").read_text()) for rank in range(2)]
    assert [report["processes"] for report in reports] == [2, 2]
    assert reports[0] == reports[1]
    for part in ("flow", "surrogate"):
        assert reports[0][part] == expected[part]
    for part in ("mapper", "autoencoder"):
        assert len(expected[part]["history"]) > 6
        assert close(reports[0][part]["history"], expected[part]["history"], 1e-4)
        assert reports[0][part]["kept"] == expected[part]["kept"]
        assert reports[0][part]["weights"] == pytest.approx(expected[part]["weights"], rel=1e-4)


@pytest.mark.slow
def test_all_stages_run_in_two_processes(tmp_path: Path) -> None:
    call = ["-m", "lhs_hf", "train", "all", "--preset", "smoke", "--task", "knapsack_construct", "--workers", "1"]
    alone(*call, "--output", str(tmp_path / "one"))
    launched(*call, "--output", str(tmp_path / "two"))
    logs = [
        json.loads((tmp_path / folder / "autoencoder" / "training_log.json").read_text())["result"]["history"]
        for folder in ("one", "two")
    ]
    one, two = ([entry["eval_loss"] for entry in log if "eval_loss" in entry] for log in logs)
    # Rows of two processes have dropout and noise of their own.
    assert two == pytest.approx(one, rel=0.02)
    assert (tmp_path / "two" / "export" / "config.json").is_file()
    stages = [json.loads((tmp_path / folder / "stages.json").read_text()).keys() for folder in ("one", "two")]
    assert list(stages[0]) == list(stages[1])
    launched(*call, "--output", str(tmp_path / "two"))


def test_rows_of_a_batch_are_shared_out_and_nothing_else_changes() -> None:
    source = ListSource(list(range(24)))
    whole = list(BucketedBatches(source, 6, 9, seed=3))
    parts = [Processes() for _ in range(2)]
    for rank, each in enumerate(parts):
        each.count, each.rank = 2, rank
    shares = [list(BucketedBatches(source, 6, 9, 3, each.rows_of)) for each in parts]
    assert all(len(share) == 3 for rows in shares for share in rows)
    for batch, first, second in zip(whole, *shares, strict=True):
        assert sorted([*first, *second]) == sorted(batch)


def test_one_process_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    only = Processes()
    assert only.first
    assert only.agree("yes") == "yes"
    assert only.rows_of([1, 2, 3]) == [1, 2, 3]
    only.wait()
    assert shared_mean(torch.tensor(6.0), torch.tensor(3)) == 2.0
    assert shared_mean(torch.tensor(0.0), torch.tensor(0)) == 0.0


def test_batches_that_processes_can_not_share_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import training_runs

    count = Processes.__init__

    def three(processes: Processes) -> None:
        count(processes)
        processes.count = 4

    monkeypatch.setattr(Processes, "__init__", three)
    with pytest.raises(CallError, match="4 processes can not share batches of 6"):
        training_runs.run_mapper(tmp_path)
