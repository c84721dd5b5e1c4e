"""A run that goes to the Hub and comes back: the same rows, whole databases, and nothing where it can not be had."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hub_clients import COMMANDS
from hub_server import OWNER_TOKEN, HubServer

from lhs_hf.search.database import Candidate
from lhs_hf.search.islands.archive import ARCHIVE_NAME, Archive
from lhs_hf.search.islands.host import island_folder
from lhs_hf.search.run import Run, RunIdentity
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.stored import open_run
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
IDENTITY = RunIdentity(TASK, SearchSettings(budget=8, islands=2), "lhs-tiny")
NAME = "lhs-hf/my-run"


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with HubServer() as server:
        yield server


def commands(hub: HubServer, home: Path, *calls: list[str]) -> list[tuple[int, str, list[str]]]:
    """Exit status, output and error lines of each call."""
    environment = {**os.environ, **hub.environment(home, OWNER_TOKEN), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", COMMANDS, json.dumps([[{}, *call] for call in calls])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return [tuple(answer) for answer in json.loads(done.stdout.strip().splitlines()[-1])]


def make_run(folder: Path) -> Path:
    """A run with two candidates, and one with one candidate for each of its islands."""
    reference = Candidate(0, 0, "reference", TASK.template, status="ok", objective=1.0, score=1.0)
    with Run.create(IDENTITY, folder) as run:
        run.database.add(reference)
        run.database.add(replace(reference, id=1, round=1, role="edit", objective=2.0, score=2.0))
        (folder / "best.py").write_text(TASK.template)
    with Archive(folder / ARCHIVE_NAME):
        pass
    for number in range(2):
        with Run.create(IDENTITY, island_folder(folder, number)) as island:
            island.database.add(reference)
    return folder


def test_a_run_comes_back_as_it_was_and_goes_on(hub: HubServer, tmp_path: Path) -> None:
    folder, back = make_run(tmp_path / "run"), tmp_path / "back"
    (folder / "notes.txt").write_text("mine")
    pushed, pulled, again = commands(
        hub,
        tmp_path / "home",
        ["push", "run", str(folder), NAME, "--private"],
        ["pull", NAME, str(back)],
        ["pull", NAME, str(back)],
    )
    assert (pushed[0], pulled[0], again[0]) == (0, 0, 2), (pushed, pulled)
    assert "already holds a run" in again[2][-1]
    repository = hub.repositories["datasets", NAME]
    assert repository.private
    assert not any(path.endswith(("-wal", "-shm")) for path in repository.files())
    assert b"Not finished" in repository.files()["README.md"]
    ours, theirs = open_run(folder), open_run(back)
    assert theirs.candidates == ours.candidates
    assert theirs.identity == ours.identity
    assert [len(open_run(island_folder(back, number)).candidates) for number in range(2)] == [1, 1]
    assert (back / "best.py").read_text() == TASK.template
    assert not (back / "notes.txt").exists()
    with Run.resume(IDENTITY, back) as run:
        assert len(run.database.candidates()) == 2


def test_what_can_not_be_shared_is_said_in_one_line(hub: HubServer, tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run")
    hub.add("lhs-hf/other", {"README.md": b"hello"}, "datasets")
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    (damaged / "run.sqlite").write_bytes(b"SQLite format 3\0" + b"\1" * 5000)
    hub.add("lhs-hf/damaged", damaged, "datasets")
    (tmp_path / "empty").mkdir()
    with Run.resume(IDENTITY, folder):
        answers = commands(
            hub,
            tmp_path / "home",
            ["push", "run", str(folder), NAME],
            ["push", "run", str(tmp_path / "empty"), NAME],
            ["pull", "lhs-hf/other", str(tmp_path / "new")],
            ["pull", "lhs-hf/damaged", str(tmp_path / "new")],
            ["pull", "lhs-hf/nowhere", str(tmp_path / "new")],
            ["pull", "nowhere", str(tmp_path / "new")],
        )
    assert [status for status, _, _ in answers] == [2] * 6
    assert all(len(errors) == 1 for _, _, errors in answers), answers
    said = [errors[0] for _, _, errors in answers]
    expected = ("at work", "holds no run", "holds no run", "run.sqlite", "no dataset repository", "owner/name")
    assert all(part in line for part, line in zip(expected, said, strict=True)), said
    assert not (tmp_path / "new").exists()
