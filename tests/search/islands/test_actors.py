"""Islands on a Ray cluster: what they find is what they find here, whatever is lost on the way."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clusters.local import LocalCluster, children, command, wait_for
from island_runs import QUICK, TASK, of_island, run, setup, untimed

from lhs_hf.cli import main
from lhs_hf.errors import CallError
from lhs_hf.search.islands.actors import ActorIslands
from lhs_hf.search.islands.host import island_folder
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.stored import DATABASE_NAME
from lhs_hf.tasks import get_task

pytest.importorskip("ray", reason="Ray is not installed: pip install 'lhs-hf[ray]'")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")]

HOST = "ray::IslandHost"


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(2, 1) as cluster:
        yield cluster


def hosts(cluster: LocalCluster) -> list[int]:
    """Process ids of the actors that have islands."""
    return [pid for node in cluster.nodes for pid in children(cluster.raylet(node)) if command(pid).startswith(HOST)]


def on(cluster: LocalCluster, folder: Path) -> ActorIslands:
    (folder / DATABASE_NAME).touch()
    return ActorIslands(setup(folder), cluster.address, 2, load=False)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("here")
    return folder, *run(folder)


def same(folder: Path, outcome: Any, here: Any) -> None:
    other_folder, expected, rows, standings = here
    assert outcome[0].best.program == expected.best.program
    assert outcome[1] == rows
    assert untimed(outcome[2]) == untimed(standings)
    for number in range(2):
        ours, theirs = ([c.program for c in of_island(each, number)[0]] for each in (folder, other_folder))
        assert ours == theirs


def test_actors_find_what_this_process_finds(cluster: LocalCluster, tmp_path: Path, here: Any) -> None:
    seen: set[int] = set()
    executor = on(cluster, tmp_path)
    same(tmp_path, run(tmp_path, executor, listener=lambda candidate: seen.update(hosts(cluster))), here)
    assert len(seen) == 2  # one a node


def test_a_lost_actor_goes_on_on_another_one(cluster: LocalCluster, tmp_path: Path, here: Any) -> None:
    killed: list[int] = []

    def kill(candidate: Any) -> None:
        if len(killed) < 2 and candidate.round > len(killed):
            killed.append(hosts(cluster)[len(killed)])
            os.kill(killed[-1], signal.SIGKILL)

    same(tmp_path, run(tmp_path, on(cluster, tmp_path), listener=kill), here)
    assert len(killed) == 2


def test_the_command_runs_them(cluster: LocalCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--islands", "2", "--migration", "1", "--budget", "14", "--json", "--init", str(QUICK)]
    assert main(["search", TASK, *words, "--output", str(tmp_path / "run"), "--ray", cluster.address]) == 0
    assert all((island_folder(tmp_path / "run", number) / DATABASE_NAME).is_file() for number in range(2))
    assert '"objective"' in capsys.readouterr().out


def test_what_a_node_does_not_have_is_named(cluster: LocalCluster, tmp_path: Path) -> None:
    with (
        pytest.raises(
            CallError, match=r"^node .* does not see .*: islands on a cluster need a folder that all nodes have"
        ),
        ActorIslands(setup(tmp_path), cluster.address, 2, load=False),
    ):
        pass
    assert wait_for(lambda: not hosts(cluster), 120)
    with pytest.raises(CallError, match="expected one that is stored"):
        run_search(get_task(TASK), SearchSettings(islands=2), store=False, cluster=cluster.address)
