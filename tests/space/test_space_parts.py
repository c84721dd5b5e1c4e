"""What the page shows of a search, without a server: verdict, candidates, ranks, map, example, links to share."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[space]')")

from lhs_hf.corpus.stats import known_objectives, reference_objectives
from lhs_hf.programs import program_hash
from lhs_hf.search.database import Candidate
from lhs_hf.search.starts import best_corpus_row
from lhs_hf.space import candidates, drawing, example, run_view, views
from lhs_hf.space.atlas import Atlas
from lhs_hf.space.catalogue import TaskCatalogue
from lhs_hf.space.head import PREVIEW, head
from lhs_hf.space.run import FINISHED, RUNNING, Located, Run
from lhs_hf.space.scatter import ranks
from lhs_hf.space.versus import describe, versus
from lhs_hf.tasks import get_task, task_names

TASK = get_task("knapsack_construct")


def nowhere(task: str, candidate: Candidate) -> str | None:
    return None


def run_of(*made: Candidate, **fields: Any) -> Run:
    settings = {"budget": 10, "space": "prior", "seed": 0}
    run = Run("a", TASK, settings, Path("a"), state=RUNNING, **fields)
    start = Candidate(0, 0, "reference", TASK.template, status="ok", objective=234.25, score=234.25)
    run.candidates.update({each.id: each for each in (start, *made)})
    return run


def child(number: int, score: float | None, guess: float, **fields: Any) -> Candidate:
    shown = {"status": "ok", "objective": score, "score": score, "predicted_after": guess, "parent": 0, **fields}
    return Candidate(number, 1, "search", TASK.template.replace("return", f"x = {number}\n    return", 1), **shown)


@pytest.fixture(scope="module")
def stored() -> Run:
    found = example.read(TaskCatalogue())
    assert found is not None
    return found


def test_the_stored_search_found_a_new_program_and_says_so_first(stored: Run) -> None:
    shown = views.status(stored, stored.task)
    assert shown.index("New, and better than the best known by") < shown.index(stored.task.title)
    assert example.MESSAGE in shown
    assert {"corpus", "edit", "recombined", "latent"} <= {candidates.origin(each) for each in stored.ordered()}


def test_a_stored_search_is_read_as_it_was_written(stored: Run, tmp_path: Path) -> None:
    import json

    path = tmp_path / "example.json"
    path.write_text(json.dumps(example.as_data(stored)))
    again = example.read(TaskCatalogue(), path)
    assert again is not None
    assert candidates.rows(again, nowhere) == candidates.rows(stored, nowhere)
    assert example.read(TaskCatalogue(), tmp_path / "none.json") is None


def test_origin_and_newness_of_a_candidate() -> None:
    edit = Candidate(3, 1, "edit", TASK.template, operator="crossover")
    known = run_of(edit)
    assert [candidates.origin(each) for each in (child(1, 1.0, 1.0), edit, known.candidates[0])] == [
        "latent",
        "recombined",
        "reference",
    ]
    assert candidates.newness(known, edit, lambda task, each: "by_weight") == "known: by weight"
    assert candidates.newness(known, edit, nowhere) == "new text"
    assert candidates.newness(known, replace(edit, duplicate_of=1), nowhere) == "repeats 1"


def test_ranks_are_those_of_programs_with_a_score_and_a_prediction() -> None:
    run = run_of(child(1, 235.0, 0.3), child(2, 239.0, 0.1), child(3, 237.0, 0.2), child(4, None, 9.0, status="syntax"))
    places = candidates.standings(run)
    assert {number: (each.true, each.predicted) for number, each in places.items()} == {1: (3, 1), 2: (1, 3), 3: (2, 2)}
    assert candidates.correlation(run) == (pytest.approx(-1.0), 3)
    assert "rank correlation -1.00" in ranks(run)
    assert "Ranks are compared once three programs" in ranks(run_of(child(1, 235.0, 0.3)))


def test_of_a_race_it_is_the_program_that_is_predicted() -> None:
    run = run_of(child(1, 235.0, 0.3), child(2, 239.0, 0.1))
    run.settings["proposals"] = "portfolio"
    assert candidates.standings(run) == {}
    run.located.update({1: Located(np.zeros(2), 0.0), 2: Located(np.zeros(2), 5.0)})
    assert candidates.standings(run)[2].predicted == 1


def test_an_opened_candidate_shows_its_whole_error_its_ancestors_and_its_change_escaped() -> None:
    message = "<script>alert(1)</script> " + "long " * 100
    failed = child(2, None, 0.1, status="exception", message=message, parent=1)
    failed.program = "def f(:\n    <b>\n"
    run = run_of(child(1, 235.0, 0.3), failed)
    shown = candidates.opened(run, failed, nowhere)
    assert "<script>" not in shown
    assert "<b>\n" not in shown
    assert shown.count("long") == 100
    assert [each.id for each in candidates.ancestors(run, failed)] == [1, 0]
    assert re.findall(r'<button type="button" data-row="(\d+)"', shown) == ["0", "1"]
    assert "lhs-removed" in shown
    cell = next(row for row in candidates.rows(run, nowhere) if row[0] == 2)[-1]
    assert len(cell) <= 80


def test_the_comparison_fills_split_by_split_beside_what_is_known() -> None:
    known = known_objectives(TASK.name)
    run = run_of(child(1, 239.0, 0.3))
    assert views.comparison(run, known) == ""
    run.measures("found on holdout")
    run.split_measured("search", {"found": 239.0, "reference": 234.25, "corpus": 239.1875})
    shown = views.comparison(run, known)
    assert "now …" in shown
    assert shown.count("comes") == len(TASK.splits) - 2
    assert f"{known['corpus']['holdout']:.6g}" in shown
    assert f"Evaluating the splits: holdout, 2 of {len(TASK.splits)}" in views.status(run, TASK, known=known)
    best = known["corpus"]["holdout"]
    run.split_measured("holdout", {"found": 1.1 * best, "reference": 1.0, "corpus": best})
    assert "So far better than the best known by 10.00 % (holdout)." in views.status(run, TASK, known=known)


def test_a_search_that_was_stopped_keeps_the_columns_that_are_known() -> None:
    known = known_objectives(TASK.name)
    run = run_of(child(1, 239.0, 0.3))
    run.stop.set()
    run.result = {"found": {"search": 239.0}, "reference": {"search": 234.25}, "corpus": {}, "bound": {}}
    run.end(FINISHED)
    result = views.so_far(run, known)
    assert result is not None
    assert result["corpus"] == known["corpus"]
    assert result["found"] == {"search": 239.0}


@pytest.mark.parametrize("name", task_names())
def test_the_known_objectives_are_those_of_the_corpus_that_ships(name: str) -> None:
    import json

    from lhs_hf.corpus.stats import KNOWN_OBJECTIVES

    task, row = get_task(name), best_corpus_row(get_task(name))
    entry = json.loads(KNOWN_OBJECTIVES.read_text())[name]
    assert entry["corpus"]["hash"] == program_hash(row.program)
    assert entry["reference"]["hash"] == program_hash(task.template)
    assert entry["corpus"]["objectives"]["search"] == pytest.approx(row.objective)
    assert entry["reference"]["objectives"]["search"] == pytest.approx(reference_objectives()[name])
    assert set(entry["corpus"]["objectives"]) == set(task.splits)


def flat_atlas() -> Atlas:
    points = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    rows = tuple(SimpleNamespace(score=score, objective=score, family="greedy") for score in (1.0, 2.0, 3.0))
    return Atlas("t", "prior", rows, points, points, np.array([0, 0.3, 0.6]), np.zeros(2), np.eye(2), 0.5, 0.25)


def test_the_map_joins_the_point_aimed_at_to_its_program() -> None:
    aim, place = np.array([1.0, 1.0], dtype=np.float32), np.array([0.0, 0.5], dtype=np.float32)
    run = run_of(child(1, 239.0, 0.3, after=aim), child(2, None, 0.3, status="syntax", after=-aim))
    run.located[1] = Located(place, 0.0)
    shown = drawing.search_map(flat_atlas(), run)
    (hollow,) = re.findall(r'class="lhs-aim"[^>]* cx="([\d.]+)" cy="([\d.]+)"', shown)
    (filled,) = re.findall(r'class="lhs-child[^>]* cx="([\d.]+)" cy="([\d.]+)"', shown)
    (line,) = re.findall(r'<line class="lhs-step[^>]*x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"', shown)
    assert line == (*hollow, *filled)
    assert sorted(re.findall(r'data-row="(\d+)"', shown)) == ["1", "2"]
    assert "lhs-failed" in shown
    assert "rank correlation 0.50" in shown


def test_a_shared_address_has_a_description_and_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_HOST", "me-lhs.hf.space")
    assert 'name="description"' in head()
    assert f'property="og:image" content="https://me-lhs.hf.space/gradio_api/file={PREVIEW}"' in head()
    assert PREVIEW.is_file()


def test_two_searches_beside_each_other_name_what_differs() -> None:
    worse, better = run_of(child(1, 230.0, 1.0)), run_of(child(1, 236.0, 1.0), child(2, 240.0, 1.0))
    for run in (worse, better):
        run.result = {"bound": {}, "found": {"holdout": run.ordered()[-1].objective}, "reference": {}, "corpus": {}}
    shown = versus(worse, better)
    assert "<td>holdout</td><td>230</td><td>240</td><td>+4.35 %</td>" in shown
    assert '<span class="lhs-added">+    x = 2</span>' in shown
    assert "+-4" not in versus(better, worse)
    assert "Both found the same program." in versus(better, better)
    assert "budget 10, seed 0: 240" in describe(better)


def test_searches_of_two_problems_are_not_compared_and_names_are_escaped(stored: Run) -> None:
    shown = versus(run_of(child(1, 236.0, 1.0)), stored)
    assert "choose two of the same problem" in shown
    assert "<table" not in shown
    hostile = run_of(replace(child(1, 240.0, 1.0), program="def f():\n    return '<script>'\n"))
    assert "<script>" not in versus(hostile, run_of(child(1, 236.0, 1.0)))


def test_the_curve_of_a_race_is_measured_against_the_corpus_program_that_the_race_took(stored: Run) -> None:
    lucky = replace(stored, candidates=dict(stored.candidates))
    lucky.candidates[5] = replace(lucky.candidates[5], objective=1.0, score=1e9)
    corpus = lucky.candidates[1]
    assert corpus.outcome == "incumbent"
    assert f"best in corpus {corpus.objective:.5g}" in run_view.curve(SimpleNamespace(), lucky)


def test_the_time_that_the_splits_take_is_reckoned_from_what_the_program_took() -> None:
    run = run_of(child(1, 240.0, 1.0, runtime_s=0.5, objectives=(240.0,) * 8))
    run.measuring = "found on holdout"
    calls = {name: TASK.split(name).program_calls for name in TASK.splits}
    on_search = 0.5 / 8 * TASK.split("search").count
    expected = sum(on_search * count / calls["search"] for count in calls.values())
    assert f"left: ≈ {expected:.0f} s" in views.status(run, TASK)
    run.candidates[1] = replace(run.candidates[1], runtime_s=None)
    assert "left: the splits" in views.status(run, TASK)
