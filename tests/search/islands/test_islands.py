"""Islands: one budget, one result whoever is quicker, programs that go from one to another, resumed exactly."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from island_runs import BUDGET, ISLANDS, TASK, of_island, run, setup, untimed
from search_doubles import Interrupted, Parts

from lhs_hf.errors import CallError
from lhs_hf.search.database import MIGRANT, Candidate, RunDatabase
from lhs_hf.search.islands.executors import HereIslands, ProcessIslands
from lhs_hf.search.islands.host import island_folder
from lhs_hf.search.islands.island import LET_IN, SENT
from lhs_hf.search.islands.messages import Report, Request, Setup, calls_of, rounds
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.stored import open_run
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("islands")
    return folder, *run(folder)


def test_all_islands_together_cost_what_one_search_costs(whole: Any) -> None:
    folder, outcome, _, standings = whole
    budget = BUDGET * get_task(TASK).split("search").count
    paid = [sum(entry["runs"] for entry in of_island(folder, number)[1]) for number in range(ISLANDS)]
    with RunDatabase(folder / "run.sqlite") as database:
        finals = sum(entry["runs"] for entry in database.measurements())
    assert sum(paid) + finals == outcome.training["instance_runs"] <= budget
    assert [standing.runs for standing in standings[-1]] == paid
    assert min(paid) > 0.2 * budget
    assert finals > 0
    assert outcome.training["instances"] >= 8


class _Childless(HereIslands):
    """Islands whose last epoch has no children: all it takes are more instances for programs that are there."""

    last: list[Report]

    def run(self, requests: Any) -> list[Report]:
        reports = super().run(requests)
        if all(each.done for each in reports):
            reports = [replace(each, candidates=(), related=()) for each in reports]
        self.last = reports
        return reports


def test_an_epoch_without_children_counts_by_what_it_took(tmp_path: Path) -> None:
    islands = _Childless(setup(tmp_path, budget=8), load=False)
    outcome, _, standings = run(tmp_path, islands, budget=8)
    with RunDatabase(tmp_path / "run.sqlite") as database:
        finals = sum(entry["runs"] for entry in database.measurements())
    paid = [each.runs for each in islands.last]
    assert sum(paid) > sum(each.runs for each in standings[-2])
    assert [each.runs for each in standings[-1]] == paid
    assert outcome.training["instance_runs"] == sum(paid) + finals


def test_the_starting_programs_race_once_and_islands_differ(whole: Any) -> None:
    folder, _, _, standings = whole
    first, second = (of_island(folder, number) for number in range(ISLANDS))
    assert len(standings[0]) == 1
    starts = {each.program_hash for each in first[0] if each.round == 0}
    costs = [sum(entry["runs"] for entry in entries if entry["program"] in starts) for _, entries in (first, second)]
    assert costs[0] > 0
    assert costs[1] == 0
    own, other = ({c.program for c in candidates if c.made} for candidates, _ in (first, second))
    assert own
    assert other
    assert own != other


def test_migrants_are_the_best_of_the_others_and_take_their_measurements_along(whole: Any) -> None:
    folder, _, _, standings = whole
    taken = 0
    for number in range(ISLANDS):
        candidates, entries = of_island(folder, number)
        for migrant in (each for each in candidates if each.role == MIGRANT):
            epoch = next(n for n in range(len(standings)) if migrant.round == rounds(n, 1).start and n > 1)
            sent = standings[epoch - 1][1 - number].best
            assert migrant.program in [each.program for each in sent]
            assert not any(each.program == migrant.program and each.id < migrant.id for each in candidates)
            carried = next(each for each in sent if each.program == migrant.program).entries
            ours = {entry["block"]: entry for entry in entries if entry["program"] == migrant.program_hash}
            assert all(ours[entry["block"]]["runs"] == 0 for entry in carried)
            assert all(ours[entry["block"]]["objectives"] == entry["objectives"] for entry in carried)
            taken += 1
    assert taken
    assert all(len(each.best) <= SENT for epoch in standings for each in epoch)


def test_the_run_holds_every_program_of_the_islands_once(whole: Any) -> None:
    folder, outcome, stored, _ = whole
    made = [each for number in range(ISLANDS) for each in of_island(folder, number)[0] if each.made]
    assert len(made) == sum(each.made for each in outcome.candidates)
    assert sorted(each.program for each in made) == sorted(each.program for each in outcome.candidates if each.made)
    assert not any(each.role == MIGRANT for each in outcome.candidates)
    assert [row[0] for row in stored] == list(range(len(stored)))
    assert [row[1] for row in stored] == sorted(row[1] for row in stored)
    assert all(row[4] is None or row[4] < row[0] for row in stored)
    levels = [each.score for each in outcome.candidates if each.outcome == "incumbent"]
    assert levels == sorted(levels)
    assert len(set(levels)) == len(levels)


@pytest.mark.slow
def test_processes_give_what_one_process_gives(whole: Any, tmp_path: Path) -> None:
    chosen = setup(tmp_path)
    outcome, stored, standings = run(tmp_path, ProcessIslands(chosen, 2, load=False))
    assert stored == whole[2]
    assert untimed(standings) == untimed(whole[3])
    assert outcome.best.program == whole[1].best.program
    assert outcome.training == whole[1].training
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    "after", [pytest.param(0, marks=pytest.mark.slow), 12, pytest.param(30, marks=pytest.mark.slow)]
)
def test_an_interrupted_search_goes_on_as_if_nothing_had_been(
    whole: Any, tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, update = iter(range(after)), RunDatabase.update

    def interrupted(database: RunDatabase, candidate: Candidate) -> None:
        if next(left, None) is None:
            raise Interrupted
        update(database, candidate)

    monkeypatch.setattr(RunDatabase, "update", interrupted)
    with pytest.raises(Interrupted):
        run(tmp_path)
    monkeypatch.undo()
    outcome, stored, standings = run(tmp_path)
    assert stored == whole[2]
    assert untimed(standings) == untimed(whole[3])
    assert outcome.training == whole[1].training


def test_a_search_that_has_ended_ends_the_same_when_it_is_run_again(whole: Any, tmp_path: Path) -> None:
    folder, outcome, stored, standings = whole
    again = run(folder)
    assert again[1] == stored
    assert untimed(again[2]) == untimed(standings)
    assert again[0].training == outcome.training


@pytest.mark.slow
def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    before = run(tmp_path, budget=10)
    after = run(tmp_path, budget=14)
    assert after[1][: len(before[1])] == before[1]
    assert len(after[1]) > len(before[1])


def test_who_stops_it_has_a_result(tmp_path: Path) -> None:
    outcome, stored, standings = run(tmp_path, stop=lambda: (tmp_path / "islands" / "2").exists())
    assert len(standings) == 1
    assert outcome.best.ok
    assert max(row[1] for row in stored) == 0


@pytest.mark.slow
def test_decoder_calls_are_shared_too(tmp_path: Path) -> None:
    outcome, _, _ = run(tmp_path, parts=Parts(), islands=3, budget=13, init="reference")
    calls = [sum(each.decoded for each in of_island(tmp_path, number)[0]) for number in range(3)]
    assert [calls_of(13, 3, number) for number in range(3)] == [5, 4, 4]
    assert all(made <= calls_of(13, 3, number) for number, made in enumerate(calls))
    assert sum(calls) == sum(each.decoded for each in outcome.candidates) > 0


def test_an_island_takes_only_some_that_it_does_not_know(tmp_path: Path) -> None:
    chosen = setup(tmp_path)
    with HereIslands(chosen, load=False) as islands:
        [first] = islands.run([Request(0, 0, 500)])
        reports = islands.run([Request(number, 1, 500, first.entries if number else ()) for number in range(2)])
        own = reports[0].best[0]
        others = [each for report in reports for each in report.best]
        strangers = [
            type(own)(f"{own.program}\n# {place}", f"{place:064x}", own.family, own.score, ()) for place in range(5)
        ]
        [report] = islands.run([Request(0, 2, 500, migrants=(own, *strangers))])
    migrants = [each for each in report.candidates if each.role == MIGRANT]
    assert others
    assert [each.program_hash for each in migrants] == [each.hash for each in strangers[:LET_IN]]


@pytest.mark.slow
def test_a_process_that_is_lost_is_named_and_the_search_goes_on_later(whole: Any, tmp_path: Path) -> None:
    chosen = setup(tmp_path)
    executor = ProcessIslands(chosen, 2, load=False)

    def lose(candidate: Candidate) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    with pytest.raises(CallError, match=r"process \d of 2 with islands ended with status -9; .*--resume"):
        run(tmp_path, executor, listener=lose)
    assert run(tmp_path)[1] == whole[2]


def test_a_task_of_another_content_is_refused(tmp_path: Path) -> None:
    chosen = setup(tmp_path)
    wrong = Setup(chosen.locator, "0" * 64, chosen.settings, chosen.starts, tmp_path)
    with pytest.raises(CallError, match="has another content here"), HereIslands(wrong, load=False):
        pass


@pytest.mark.slow
def test_what_an_island_raises_arrives_from_its_process(tmp_path: Path) -> None:
    chosen = setup(tmp_path)
    wrong = Setup(chosen.locator, "0" * 64, chosen.settings, chosen.starts, tmp_path)
    with pytest.raises(CallError, match="has another content here"), ProcessIslands(wrong, 1, load=False):
        pass
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_a_model_that_is_not_there_leaves_no_run(tmp_path: Path) -> None:
    settings = SearchSettings(budget=4, islands=2)
    with pytest.raises(CallError, match="none"):
        run_search(
            get_task(TASK), settings, model=str(tmp_path / "none"), output=tmp_path / "run", workers=2, store=True
        )
    assert not (tmp_path / "run").exists()
    assert not multiprocessing.active_children()


def test_the_run_of_an_island_opens_like_any_other(whole: Any) -> None:
    stored = open_run(island_folder(whole[0], 1))
    assert stored.identity["budget"] == BUDGET // ISLANDS
    assert stored.identity["islands"] == 1
    assert any(each.role == MIGRANT for each in stored.candidates)


def test_settings_say_what_islands_can_not_be() -> None:
    assert SearchSettings().islands == 1
    with pytest.raises(CallError, match="islands are portfolios"):
        SearchSettings.from_preset("latent", islands=2)
    with pytest.raises(CallError, match="4 islands share a budget of 3"):
        SearchSettings(budget=3, islands=4)
    with pytest.raises(CallError, match="islands"):
        SearchSettings(islands=0)
    assert [sum(calls_of(budget, count, n) for n in range(count)) for budget, count in ((100, 4), (7, 3))] == [100, 7]
