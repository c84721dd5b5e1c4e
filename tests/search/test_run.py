"""A run is an object: its folder, its lock, its identity, and two calls one after the other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from search_doubles import Parts

from lhs_hf.errors import CallError
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.run import Run, RunIdentity, choose_output, resumed_settings
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

TASK = get_task("admissible_set")


@pytest.fixture(autouse=True)
def _working_directory(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def search(folder: Path | None = None, resume: bool = False, **settings):
    return run_search(
        TASK,
        SearchSettings.from_preset("latent", **settings),
        components=Parts(),
        output=folder,
        resume=resume,
        workers=1,
    )


def identity(**settings) -> RunIdentity:
    return RunIdentity(TASK, SearchSettings.from_preset("latent", **settings), "lhs-tiny")


def test_a_second_search_in_one_folder_is_told_so() -> None:
    with Run.create(identity(), Path("run")) as run:
        for again in (Run.create, Run.resume):
            with pytest.raises(CallError, match=r"another search is at work|already holds a run|nothing was stored"):
                again(identity(), Path("run")).__enter__()
        assert run.database.get("identity")["seed"] == 0


def test_the_lock_goes_with_its_process() -> None:
    search(Path("run"), budget=3)
    code = (
        "import os; from pathlib import Path; from lhs_hf.search.run import *; from lhs_hf.search.settings import *\n"
        "from lhs_hf.tasks import get_task\n"
        "settings = SearchSettings.from_preset('latent', budget=3)\n"
        "run = Run.resume(RunIdentity(get_task('admissible_set'), settings, %r), Path('run'))\n"
        "run.__enter__(); print('locked', flush=True); input()"
    )
    model = RunDatabase("run/run.sqlite").get("identity")["model"]
    with subprocess.Popen(
        [sys.executable, "-c", code % model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(CallError, match="another search is at work"):
            search(Path("run"), resume=True, budget=5)
        other.kill()
    assert search(Path("run"), resume=True, budget=5).decoder_calls == 5


def test_a_folder_with_other_files_is_left_alone() -> None:
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("years of work")
    with pytest.raises(CallError, match=r"other files \(thesis.tex\)"):
        search(Path("mine"), budget=2)
    assert os.listdir("mine") == ["thesis.tex"]


def test_a_run_that_never_began_leaves_no_trace() -> None:
    with pytest.raises(CallError, match="no-such-folder"):
        run_search(TASK, SearchSettings.from_preset("latent", budget=2), surrogate="no-such-folder", output=Path("run"))
    assert not Path("run").exists()
    assert search(Path("run"), budget=2).decoder_calls == 2


def test_a_folder_that_can_not_be_written_is_one_line() -> None:
    Path("file").write_text("")
    with pytest.raises(CallError, match="file"):
        search(Path("file/run"), budget=2)


@pytest.mark.integration
def test_after_a_deleted_run_a_new_one_is_new() -> None:
    first, second = (search(budget=4) for _ in range(2))
    assert [first.output, second.output] == [f"runs/admissible_set-gradient-seed0{end}" for end in ("", "-2")]
    shutil.rmtree(first.output)
    third = search(budget=3)
    assert third.output.endswith("-3")
    assert third.decoder_calls == 3


def test_a_seed_is_no_beginning_of_another_seed() -> None:
    ten = search(seed=10, budget=2)
    with pytest.raises(CallError, match="no run to resume"):
        choose_output(TASK, SearchSettings.from_preset("latent", seed=1), None, resume=True)
    one = search(seed=1, budget=2)
    assert (
        choose_output(TASK, SearchSettings.from_preset("latent", seed=1), None, resume=True)
        == Path(one.output)
        != Path(ten.output)
    )


def test_the_newest_unfinished_run_is_resumed() -> None:
    names = [search(budget=3).output for _ in range(3)]
    with RunDatabase(Path(names[1]) / "run.sqlite") as database:
        database._connection.execute("DELETE FROM run WHERE key='result'")
    assert choose_output(TASK, SearchSettings.from_preset("latent"), None, resume=True) == Path(names[1])


def test_a_run_goes_on_with_its_own_settings() -> None:
    search(Path("run"), budget=5, radius=3.0, seed=7)
    assert resumed_settings(Path("run"), {}) == SearchSettings.from_preset("latent", budget=5, radius=3.0, seed=7)
    assert resumed_settings(Path("run"), {"seed": 7, "budget": 9}).budget == 9
    with pytest.raises(CallError, match=r"radius=3.0, not 4.0"):
        resumed_settings(Path("run"), {"radius": 4.0})
    with pytest.raises(CallError, match="raised, not lowered to 2"):
        resumed_settings(Path("run"), {"budget": 2})
    with pytest.raises(CallError, match="raised, not lowered"):
        search(Path("run"), resume=True, budget=2, radius=3.0, seed=7)
    assert RunDatabase("run/run.sqlite").get("identity")["budget"] == 5


def test_the_settings_in_a_run_folder_are_those_of_the_same_search(monkeypatch) -> None:
    from lhs_hf.cli import main

    settings = SearchSettings.from_preset("paper", budget=3, seed=5)
    made = RunIdentity(TASK, settings, "lhs-tiny", encoder="object:Mine", surrogate="mine")
    with Run.create(made, Path("one")) as run:
        run.database.add(Candidate(0, 0, "reference", TASK.template))
    calls = []

    def called(*given, **options) -> None:
        calls.append((given, options))
        raise OSError("far enough")

    monkeypatch.setattr("lhs_hf.search.search.run_search", called)
    assert main(["search", "--config", "one/settings.json", "--seed", "6"]) == 1
    [((chosen, again), options)] = calls
    assert chosen is TASK
    assert again == replace(settings, seed=6)
    assert (options["surrogate"], options["encoder"], options["model"]) == ("mine", None, "lhs-tiny")


def test_seconds_of_all_parts_count() -> None:
    first = search(Path("run"), budget=3)
    with RunDatabase("run/run.sqlite") as database:
        database.set("elapsed_s", 1000.0)
    second = search(Path("run"), resume=True, budget=5)
    assert first.runtime_s < 100
    assert 1000 < second.runtime_s < 1100


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": "3"}, "budget must be a whole number"),
        ({"budget": True}, "budget must be a whole number"),
        ({"seed": None}, "seed must be a whole number, got None"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"radius": float("nan")}, "radius must be a finite number"),
        ({"temperature": float("inf")}, "temperature must be a finite number"),
        ({"guidance": 1}, "guidance must be true or false"),
        ({"optimizer": ["gradient"]}, "optimizer must be a text"),
        ({"time_limit": 0.0}, "time_limit must be above 0"),
        ({"proposals": "portfolio", "optimizer": "cma"}, "optimizer 'cma' belongs to the search by latents alone"),
        ({"preset": "latent", "editor": True}, "editor belongs to a portfolio"),
        ({"preset": "default", "refit": 2}, "refit 2 belongs to the search by latents alone"),
    ],
)
def test_settings_of_another_type_are_named(changes, message) -> None:
    with pytest.raises(CallError, match=message):
        SearchSettings.from_preset(**changes)


def test_settings_of_latents_alone_choose_their_search() -> None:
    assert SearchSettings.from_preset() == SearchSettings()
    assert SearchSettings().raced
    latent = SearchSettings.from_preset(optimizer="random", seed=3)
    assert (latent.preset, latent.proposals, latent.pool) == ("latent", "latent", 20)
    assert SearchSettings.from_preset(radius=2.0, seeds=20).raced
    assert SearchSettings.from_preset("fast").time_limit == 60


@pytest.mark.parametrize("workers", [0, -1, 10_000, 1.5, "2", True])
def test_workers_are_bounded(workers) -> None:
    with pytest.raises(CallError, match="workers must be 1 to"):
        run_search(
            TASK, SearchSettings.from_preset("latent", budget=1), components=Parts(), store=False, workers=workers
        )


# -- the pipeline


@pytest.fixture(scope="module")
def pipe():
    from transformers import pipeline

    return pipeline("latent-heuristic-search", budget=3, seed=5)


@pytest.mark.integration
def test_arguments_of_the_construction_hold_for_every_call(pipe) -> None:
    first = pipe("admissible_set")
    assert (first["settings"]["budget"], first["settings"]["seed"]) == (3, 5)
    second = pipe("admissible_set", seed=6)
    assert (second["settings"]["budget"], second["settings"]["seed"]) == (3, 6)
    assert pipe("admissible_set")["settings"]["seed"] == 5


def test_a_task_is_a_task_by_any_of_its_names(pipe) -> None:
    assert pipe(TASK)["task"] == "admissible_set"
    assert [result["task"] for result in pipe((TASK, "admissible_set"))] == ["admissible_set"] * 2
    for wrong in (None, 3, ["admissible_set", None]):
        with pytest.raises(CallError, match="a task is a name"):
            pipe(wrong)


@pytest.mark.integration
def test_each_task_of_a_list_has_a_folder(pipe) -> None:
    results = pipe(["admissible_set", "set_cover_construct"], output="grid")
    assert [result["output"] for result in results] == ["grid/admissible_set", "grid/set_cover_construct"]
    assert all(Path(result["output"], "run.sqlite").is_file() for result in results)
    with pytest.raises(CallError, match="twice"):
        pipe(["admissible_set", TASK], output="other")


def test_a_run_of_the_pipeline_is_resumed_with_its_settings(pipe) -> None:
    pipe("admissible_set", output="run", radius=4.0, preset="latent")
    result = pipe("admissible_set", output="run", resume=True, budget=4)
    assert (result["decoder_calls"], result["settings"]["radius"]) == (4, 4.0)


def test_a_run_knows_which_parts_were_replaced(pipe) -> None:
    parts = pipe.components("admissible_set")
    pipe("admissible_set", output="run", surrogate=parts.surrogate)
    identity = json.loads(json.dumps(RunDatabase("run/run.sqlite").get("identity")))
    assert identity["surrogate"] == "object:LHSSurrogate"
    assert identity["decoder"] is None
