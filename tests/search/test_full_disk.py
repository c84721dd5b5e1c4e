"""A disk that is full ends a search with one line; nothing is lost, and once there is room it goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from island_runs import QUICK

from lhs_hf.search.stored import open_run

resource = pytest.importorskip("resource", reason="needs limits of the system on the size of files")
pytestmark = pytest.mark.slow

CALL = ["search", "knapsack_construct", "--budget", "16", "--init", str(QUICK), "--workers", "1"]
FULL_BYTES = 150_000
"""Less than the run takes in the end, more than its first programs do."""


def search(folder: Path, *more: str, room: int | None = None) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return subprocess.run(
        [sys.executable, "-m", "lhs_hf", *CALL, "--output", str(folder), *more],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "LHS_HF_CACHE": f"{folder}-cache", "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )


def rows(folder: Path) -> list[tuple[Any, ...]]:
    return [(c.id, c.round, c.parent, c.program, c.outcome, c.objective) for c in open_run(folder).candidates]


def test_a_search_on_a_full_disk_ends_in_one_line_and_goes_on(tmp_path: Path) -> None:
    assert search(tmp_path / "whole").returncode == 0
    expected = rows(tmp_path / "whole")
    full = search(tmp_path / "full", room=FULL_BYTES)
    assert full.returncode == 1
    last = full.stderr.strip().splitlines()[-1]
    assert "disk" in last or "File too large" in last
    assert "Traceback" not in full.stderr
    kept = rows(tmp_path / "full")
    assert 0 < len(kept) < len(expected)
    assert [row[:4] for row in kept] == [row[:4] for row in expected[: len(kept)]]
    resumed = search(tmp_path / "full", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert rows(tmp_path / "full") == expected
