"""Comparisons: cells that run in any order and any number of processes, go on after any end, and say the same again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import BUSY, DOWN, Server, reply
from text_models import save_pair

from lhs_hf.errors import CallError
from lhs_hf.grid.cell import CellResult, Spent
from lhs_hf.grid.contenders import CONTENDERS
from lhs_hf.grid.language import Given, Named, Replay
from lhs_hf.grid.plan import Plan
from lhs_hf.grid.store import DATABASE_NAME, Grid, GridDatabase, open_grid
from lhs_hf.grid.work import RUNNING, compare
from lhs_hf.language import Request, Script
from lhs_hf.methods import LANGUAGE_METHODS
from lhs_hf.reporting.grid_report import report_grid
from lhs_hf.tasks import get_task, task_names

TASK = "knapsack_construct"
ROOT = Path(__file__).parents[2]
LANGUAGE = tuple(sorted(LANGUAGE_METHODS))


def say(number: int, request: Request) -> str:
    """A rule that follows from the request alone; three of ten replies hold none."""
    seed = request.seed % 1000
    if request.role in ("short", "long", "flash", "describe", "comprehensive"):
        return f"Analysis: {seed}.\nExperience: lesson {seed}."
    if seed % 10 in (2, 5, 7):
        return "I can not help with that."
    text = request.messages[-1]["content"]
    name = text.partition("Complete `")[2].partition("`")[0] or "select_next_item"
    rule = (
        f"def {name}(remaining_capacity, remaining_items, weight={seed / 500}):\n"
        "    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]\n"
        "    return max(fitting, key=lambda item: item[1] - weight * item[0], default=None)\n"
    )
    if "two fenced blocks" in text:
        return f"```python\n{rule}```\n```\n{{'weight': (0.0, 2.0)}}\n```"
    return f"{{Idea {seed}}}\n```python\n{rule}```"


def plan(*methods: str, **changes: Any) -> Plan:
    settings = {"seeds": 1, "budget": 6, "splits": ("search",), "curves": False, **changes}
    return Plan(methods=methods, tasks=settings.pop("tasks", (TASK,)), **settings)


def told(grid: Grid) -> dict[str, Any]:
    """Of every cell all but what a clock measures."""
    return {
        each.cell.name: (each.program, each.objectives, replace(each.spent, seconds=0.0), each.curve)
        for each in grid.cells
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of all methods with a language model, undisturbed."""
    folder = tmp_path_factory.mktemp("whole") / "grid"
    compare(plan(*LANGUAGE, equal="calls", curves=True), folder, language=Given(Script(say)))
    return folder


@pytest.mark.integration
def test_every_method_makes_exactly_the_calls_that_it_has(whole: Path) -> None:
    cells = open_grid(whole).cells
    assert {each.method: each.spent.calls for each in cells} == dict.fromkeys(LANGUAGE, 6)
    for each in cells:
        assert each.spent.instance_runs % 32 == 0
        assert each.curve[0][:2] == (0, 0)
        assert each.curve[-1][2] == pytest.approx(each.objective("holdout"))


@pytest.mark.integration
def test_what_was_recorded_gives_the_same_table_to_the_byte(whole: Path, tmp_path: Path) -> None:
    compare(plan(*LANGUAGE, equal="calls", curves=True), tmp_path / "again", language=Replay(whole))
    assert told(open_grid(tmp_path / "again")) == told(open_grid(whole))
    for folder in (whole, tmp_path / "again"):
        report_grid(folder)
    assert (whole / "table.md").read_bytes() == (tmp_path / "again" / "table.md").read_bytes()
    with pytest.raises(CallError, match="no comparison"):
        compare(plan("eoh"), tmp_path / "third", language=Replay(tmp_path))
    assert not (tmp_path / "third").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_grid import LANGUAGE, plan, say
from lhs_hf.grid.language import Given
from lhs_hf.grid.work import compare
from lhs_hf.language import Script

def last(number, request):
    if number == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
    return say(number, request)

compare(plan(*LANGUAGE, equal="calls", curves=True), {folder!r}, language=Given(Script(last)))
"""


@pytest.mark.integration
@pytest.mark.parametrize(
    "numbers",
    [(17,), *(pytest.param(each, marks=pytest.mark.slow) for each in ((0, 9), (3, 17), (5, 1, 22), (40,), (2, 2, 11)))],
)
def test_a_comparison_that_is_killed_at_any_call_goes_on(whole: Path, tmp_path: Path, numbers: tuple[int, ...]) -> None:
    folder = tmp_path / "grid"
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "tests/helpers", ROOT)))}
    for number in numbers:
        code = KILLED.format(tests=str(Path(__file__).parent), number=number, folder=str(folder))
        done = subprocess.run([sys.executable, "-c", code], env=path, capture_output=True, text=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
    assert (folder / RUNNING).is_dir()
    grid = compare(plan(*LANGUAGE, equal="calls", curves=True), folder, language=Given(Script(say)))
    assert told(grid) == told(open_grid(whole))
    with GridDatabase(folder / DATABASE_NAME) as one, GridDatabase(whole / DATABASE_NAME) as two:
        for each in grid.cells:
            assert _said(one.transcript(each.cell)) == _said(two.transcript(each.cell)) != []
    assert not (folder / RUNNING).exists()


def _said(transcript: str) -> list[Any]:
    return [(call["request"], call["reply"]["text"]) for call in map(json.loads, transcript.splitlines())]


@pytest.mark.slow
def test_processes_and_order_make_no_difference(tmp_path: Path) -> None:
    together = compare(plan("climb", "reference", seeds=2, budget=2), tmp_path / "a", processes=2)
    one = compare(plan("reference", seeds=1, budget=2), tmp_path / "b")
    assert {each.method for each in one.cells} == {"reference"}
    apart = compare(plan("climb", "reference", seeds=2, budget=2), tmp_path / "b")
    assert told(together) == told(apart)
    assert len(apart.cells) == 3  # the reference has no seeds
    assert apart.methods == ["reference", "climb"]


def test_what_is_finished_is_not_run_again(tmp_path: Path) -> None:
    events = []
    compare(plan("reference", "climb@reference"), tmp_path / "grid", listener=events.append)
    assert [(each.done, each.total, each.problem) for each in events] == [(1, 2, ""), (2, 2, "")]
    compare(plan("reference", "climb@reference"), tmp_path / "grid", listener=events.append)
    assert len(events) == 2


def test_a_cell_that_fails_says_why_and_the_others_go_on(tmp_path: Path) -> None:
    def broken(number: int, request: Request) -> str:
        raise RuntimeError("no more paper")

    events = []
    grid = compare(plan("eoh", "reference"), tmp_path / "g", language=Given(Script(broken)), listener=events.append)
    assert [each.method for each in grid.cells] == ["reference"]
    assert [each.problem for each in events] == ["no more paper", ""]


@pytest.mark.integration
@pytest.mark.parametrize("unit", ["evaluations", "calls"])
def test_no_method_spends_more_than_it_has(unit: str, tmp_path: Path) -> None:
    methods = ("climb@reference", "tuned", "eoh", "mcts_ahd")
    grid = compare(plan(*methods, equal=unit, calls=9), tmp_path / "grid", language=Given(Script(say)))
    for each in grid.cells:
        asks = CONTENDERS[each.method.partition("@")[0]].asks
        if unit == "evaluations" or not asks:
            assert 0 < each.spent.evaluations <= 6
        assert each.spent.calls <= (0 if not asks else 6 if unit == "calls" else 9)


def test_seconds_end_a_method(tmp_path: Path) -> None:
    grid = compare(plan("climb@reference", equal="seconds", budget=1, tasks=("tsp_construct",)), tmp_path / "grid")
    assert 1 <= grid.cells[0].spent.seconds < 30
    events = []
    compare(plan("tuned", equal="seconds"), tmp_path / "other", listener=events.append)
    assert "counts evaluations, not seconds" in events[0].problem


def test_the_reference_scores_what_the_paper_prints(tmp_path: Path) -> None:
    tasks = (TASK, "online_bin_packing")
    compare(plan("reference", tasks=tasks, splits=()), tmp_path / "grid")
    text, _ = report_grid(tmp_path / "grid")
    rows = [[cell.strip(" *") for cell in line.split("|")[2:]] for line in text.splitlines() if "| reference |" in line]
    assert rows[0][:3] == ["162.05", "409.32", "132.83"]
    assert rows[1][:2] == ["422.5", "2090.8"]


@pytest.mark.integration
def test_programs_that_a_person_has_stand_beside_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / f"{TASK}.py").write_text(get_task(TASK).template)
    grid = compare(plan("reference", programs=(str(folder),), tasks=(TASK, "tsp_construct")), tmp_path / "grid")
    assert [(each.method, each.task) for each in grid.cells] == [
        ("mine", TASK),
        ("reference", TASK),
        ("reference", "tsp_construct"),
    ]
    assert grid.cells[0].objectives == grid.cells[1].objectives
    with pytest.raises(CallError, match="has no program of these tasks"):
        compare(plan("reference", programs=(str(folder),), tasks=("tsp_construct",)), tmp_path / "other")


@pytest.mark.integration
def test_the_example_of_a_method_takes_part(tmp_path: Path) -> None:
    path = ROOT / "examples" / "random_edits.py"
    assert len(path.read_text().splitlines()) <= 60
    grid = compare(plan(str(path), budget=3), tmp_path / "grid")
    assert [(each.method, each.spent.evaluations) for each in grid.cells] == [("random_edits", 3)]
    assert compare(plan(str(path), budget=3), tmp_path / "again").cells[0].program == grid.cells[0].program


def test_a_method_of_ones_own_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("method = 3\n")
    with pytest.raises(CallError, match=r"defines no function method\(tools\)"):
        compare(plan(str(file)), tmp_path / "grid")
    file.write_text("def method(tools):\n    return tools.nothing\n")
    events = []
    with pytest.raises(AttributeError, match="nothing"):
        compare(plan(str(file)), tmp_path / "grid", listener=events.append)
    file.write_text("def method(tools):\n    return tools.language_model()\n")
    with pytest.raises(CallError, match=r"the file of method mine has changed"):
        compare(plan(str(file)), tmp_path / "grid")
    compare(plan(str(file)), tmp_path / "new", listener=events.append)
    assert events[-1].problem == "mine asks a language model: name one (--model)"


@pytest.mark.integration
def test_a_tiny_model_goes_through_a_comparison(tmp_path: Path) -> None:
    _, decoder = save_pair(tmp_path / "pair")
    source = Named(str(decoder))
    grid = compare(plan(*LANGUAGE, equal="calls", budget=2, max_tokens=6), tmp_path / "grid", language=source)
    assert [each.spent.calls for each in grid.cells] == [2] * len(LANGUAGE)
    assert all(0 < each.spent.tokens <= 12 for each in grid.cells)
    assert grid.about["language_model"] == str(decoder)


def test_a_server_that_stumbles_loses_nothing_and_counts_nothing_twice(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    rule = "def select_next_item(remaining_capacity, remaining_items):\n    return None\n"
    server = Server()
    empty = (200, {}, {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": []})
    cut = reply(f"```python\n{rule}"[:70], "length")
    server.answers = [
        BUSY,
        reply("no code"),
        (500, {}, {"error": "oh"}),
        empty,
        DOWN,
        cut,
        reply(f"```python\n{rule}```"),
    ]
    try:
        source = Named("m", server.url)
        grid = compare(plan("best_of_n", equal="calls"), tmp_path / "grid", language=source)
    finally:
        server.close()
    (cell,) = grid.cells
    assert cell.spent.calls == 6
    assert len(server.requests) == 6 + 3  # three stumbles, asked again
    with GridDatabase(tmp_path / "grid" / DATABASE_NAME) as database:
        texts = [call["reply"]["text"] for call in map(json.loads, database.transcript(cell.cell).splitlines())]
    assert [bool(text) for text in texts] == [True, False, True, True, True, True]
    assert b"secret" not in (tmp_path / "grid" / DATABASE_NAME).read_bytes()


@pytest.mark.parametrize("task", task_names())
def test_all_that_take_part_start_where_they_are_told(task: str) -> None:
    both = Plan(methods=("climb", "climb@reference", "climb@corpus"), tasks=(task,))
    both.check()
    assert [both.start_of(name, get_task(task)) for name in both.contenders] == ["corpus", "reference", "corpus"]


def test_a_stored_cell_is_the_one_that_was_stored() -> None:
    cell = CellResult(
        "m",
        "t",
        0,
        "min",
        "p",
        Spent(1, 0.5, 2, 3, 4.0),
        {"a": [1.0]},
        {"b": "x"},
        {"a": 1.0},
        {},
        [(1, 2, None)],
        "new",
    )
    assert CellResult.from_text(cell.as_text(), "here") == cell
    for name, value in {
        "seed": "0",
        "sense": "up",
        "spent": {"instance_runs": 1, "gold": 2},
        "objectives": {"a": [None]},
        "curve": [[1, 2]],
        "failures": {"b": 1},
    }.items():
        damaged = json.dumps({**json.loads(cell.as_text()), name: value})
        with pytest.raises(CallError, match=f"here: {name}"):
            CellResult.from_text(damaged, "here")
    with pytest.raises(CallError, match="no cell of a comparison"):
        CellResult.from_text("{}", "here")
