"""A search on islands that is killed: nothing of it stays behind, and it goes on to the end of an undisturbed one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from lhs_hf.cli import main
from lhs_hf.locks import FolderLock, FolderTaken
from lhs_hf.search.islands.archive import ARCHIVE_NAME, Archive
from lhs_hf.search.islands.host import island_folder
from lhs_hf.search.stored import open_run

CALL = [
    "search",
    "knapsack_construct",
    "--islands",
    "2",
    "--migration",
    "1",
    "--budget",
    "14",
    "--workers",
    "2",
    "--json",
]
PATIENCE_S = 900


def start(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "lhs_hf", *CALL, "--output", str(folder), *more]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "LHS_HF_CACHE": str(folder.parent / "cache")}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)


def rows(folder: Path) -> list[tuple[Any, ...]]:
    return [
        (c.id, c.round, c.role, c.operator, c.parent, c.program, c.outcome, c.objective)
        for c in open_run(folder).candidates
    ]


def wait_for(condition: Callable[..., bool], *arguments: Any) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition(*arguments):
        assert time.monotonic() < end
        time.sleep(0.02)


def has_epochs(folder: Path, count: int) -> bool:
    if not (folder / ARCHIVE_NAME).exists():
        return False
    with Archive(folder / ARCHIVE_NAME) as archive:
        return archive.epochs >= count


def free(folder: Path) -> bool:
    with suppress(FolderTaken):
        FolderLock(folder).release()
        return True
    return False


@pytest.mark.slow
def test_a_search_on_islands_that_is_killed_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = start(tmp_path / "whole")
    expected = json.loads(whole.communicate(timeout=PATIENCE_S)[0])
    for count in (1, 2):
        folder = tmp_path / f"killed-{count}"
        killed = start(folder)
        wait_for(has_epochs, folder, count)
        killed.kill()
        killed.wait()
        for island in range(2):
            wait_for(free, island_folder(folder, island))
        again = start(folder, "--resume")
        result = json.loads(again.communicate(timeout=PATIENCE_S)[0])
        assert result["program"] == expected["program"]
        assert result["training"] == expected["training"]
        assert rows(folder) == rows(tmp_path / "whole")
    assert (tmp_path / "whole" / "best.py").read_text() == expected["program"]
    assert main(["report", str(tmp_path / "whole")]) == 0
    assert "best in corpus" in capsys.readouterr().out
