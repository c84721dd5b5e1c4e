"""The Space without a browser: it builds, its endpoints agree with the pipeline, visitors keep to themselves."""

from __future__ import annotations

import re
import threading
import time
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[space]')")
gradio_client = pytest.importorskip("gradio_client", reason="gradio_client is not installed")

from lhs_hf.errors import CallError  # noqa: E402
from lhs_hf.search.events import CandidateEvaluated, SearchFinished, StepTaken, iter_search  # noqa: E402
from lhs_hf.space import SpaceService, VisitorLimits, build_app  # noqa: E402
from lhs_hf.space.drawing import curve  # noqa: E402
from lhs_hf.space.runs import FINISHED, RunRegistry  # noqa: E402
from lhs_hf.space.views import verdict  # noqa: E402
from lhs_hf.tasks import get_task  # noqa: E402

pytestmark = pytest.mark.integration

TASK = "knapsack_construct"
ENDLESS = "def select_next_item(remaining_capacity, remaining_items):\n    while True:\n        pass\n"


@pytest.fixture(scope="module")
def service() -> Iterator[SpaceService]:
    found = SpaceService(limits=VisitorLimits(budget=20, edit_s=1.0))
    yield found
    found.close()


@pytest.fixture(scope="module")
def client(service: SpaceService) -> Iterator[Any]:
    page = build_app(service)
    _, url, _ = page.launch(prevent_thread_lock=True, quiet=True, ssr_mode=False, server_name="127.0.0.1")
    yield gradio_client.Client(url, verbose=False)
    page.close()


def waited(run: Any, seconds: float = 60.0) -> Any:
    end = time.monotonic() + seconds
    while not run.over and time.monotonic() < end:
        time.sleep(0.02)
    return run


def without_clock(result: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in result.items()
        if name not in ("runtime_s", "runtime", "output", "private_holdout", "conclusion")
    }


def test_the_endpoint_searches_as_the_pipeline_does(service: SpaceService, client: Any) -> None:
    progress = list(client.submit(TASK, budget=5, seed=3, api_name="/search"))
    direct = service.pipeline(TASK, preset="latent", budget=5, seed=3)
    assert without_clock(progress[-1]["result"]) == without_clock(direct)
    assert progress[-1]["decoder_calls"] == 5


def test_a_budget_above_the_visitors_limit_is_refused(client: Any) -> None:
    with pytest.raises(Exception, match="at most 20"):
        client.submit(TASK, budget=21, api_name="/search").result()


def test_the_corpus_is_filtered_by_score(client: Any) -> None:
    best = client.predict(TASK, 90, 100, api_name="/corpus")
    worst = client.predict(TASK, 0, 10, api_name="/corpus")
    assert min(row["objective"] for row in best) > max(row["objective"] for row in worst)


def test_what_lies_between_two_programs_is_decoded_and_repeats(client: Any) -> None:
    first, again = (client.predict(TASK, 0, 7, 1, api_name="/between") for _ in range(2))
    assert [stop["share"] for stop in first] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert [stop["program"] for stop in first] == [stop["program"] for stop in again]
    assert any(stop["status"] == "ok" for stop in first)


@pytest.mark.parametrize(
    ("program", "status"),
    [
        (ENDLESS, "wall_timeout"),
        ("def select_next_item(:", "syntax"),
        ("def select_next_item(a):\n    return a\n", "signature"),
        ("def select_next_item(a, b):\n    return open('/etc/passwd').read()\n", "forbidden"),
    ],
)
def test_a_broken_edit_shows_its_error_kind(client: Any, program: str, status: str) -> None:
    found = client.predict(TASK, program, api_name="/evaluate")
    assert found["status"] == status
    assert found["objective"] is None


def test_a_good_edit_is_scored_like_the_evaluator_does(client: Any) -> None:
    found = client.predict(TASK, get_task(TASK).template, "search", api_name="/evaluate")
    assert found["status"] == "ok"
    assert found["objective"] == pytest.approx(234.25)


def test_what_a_program_says_is_escaped(service: SpaceService) -> None:
    source = "def select_next_item(a, b):\n    raise ValueError('<script>alert(1)</script>')\n"
    shown = verdict(get_task(TASK), "search", service.evaluate(TASK, source))
    assert "exception" in shown
    assert "<script>" not in shown


def test_events_come_in_the_order_of_the_search(service: SpaceService) -> None:
    stop = threading.Event()
    events = list(iter_search(partial(service.pipeline, TASK, preset="latent", budget=5, seed=0), stop))
    # A search that came to its end was not stopped.
    assert not stop.is_set()
    steps = [event for event in events if isinstance(event, StepTaken)]
    seen = [event.candidate.id for event in events if isinstance(event, CandidateEvaluated)]
    assert [candidate.status for candidate in steps[0].candidates] == ["pending"] * 5
    assert sorted(seen) == [0, 1, 2, 3, 4, 5]
    assert isinstance(events[-1], SearchFinished)
    assert events.index(steps[0]) < len(events) - 6 + 1


def test_an_error_of_the_search_reaches_who_reads_the_events() -> None:
    def search(**_: Any) -> None:
        raise CallError("no such thing")

    with pytest.raises(CallError, match="no such thing"):
        list(iter_search(search))


class Slow:
    """A search that goes on until it is told to stop."""

    def __init__(self) -> None:
        self.started: list[str] = []

    def __call__(self, task: str, *, stop: Any, seed: int, **_: Any) -> dict[str, Any]:
        self.started.append(f"{task}-{seed}")
        while not stop():
            time.sleep(0.01)
        return {"program": f"seed {seed}", "decoder_calls": 0}


@pytest.fixture
def registry() -> Iterator[tuple[RunRegistry, Slow]]:
    search = Slow()
    runs = RunRegistry(search, VisitorLimits(searches=1, waiting=2, unwatched_s=30, keep_s=60))
    yield runs, search
    runs.close()


def until(condition: Any, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


def test_visitors_wait_in_line_and_keep_to_themselves(registry: tuple[RunRegistry, Slow]) -> None:
    runs, search = registry
    first = runs.start(TASK, budget=5, seed=1)
    until(lambda: first.state == "running")
    second, third = runs.start(TASK, budget=5, seed=2), runs.start(TASK, budget=5, seed=3)
    assert (runs.ahead(second), runs.ahead(third)) == (0, 1)
    with pytest.raises(CallError, match="waiting already"):
        runs.start(TASK, budget=5, seed=4)
    runs.stop(first.id)
    assert waited(first).result == {"program": "seed 1", "decoder_calls": 0}
    # A search is running a moment before its first line is reached.
    until(lambda: search.started == [f"{TASK}-1", f"{TASK}-2"])
    assert second.state == "running"
    runs.stop(third.id)
    assert third.over
    assert runs.get("of nobody") is None


def test_a_search_nobody_looks_at_ends_and_is_forgotten(registry: tuple[RunRegistry, Slow]) -> None:
    runs, _ = registry
    run = runs.start(TASK, budget=5, seed=1)
    until(lambda: run.state == "running")
    run.folder.mkdir()
    runs.clean(time.monotonic() + 10)
    assert not run.over
    runs.clean(time.monotonic() + 31)
    until(lambda: run.state == FINISHED)
    runs.clean(time.monotonic() + 61)
    assert len(runs) == 0
    assert not run.folder.exists()


def test_two_searches_at_once_are_those_that_run_alone(service: SpaceService) -> None:
    names = (TASK, "set_cover_construct")
    both = [service.runs.start(task, budget=5, seed=seed) for seed, task in enumerate(names)]
    for run in both:
        waited(run)
    for seed, (run, task) in enumerate(zip(both, names)):
        assert run.result is not None
        assert without_clock(run.result) == without_clock(service.pipeline(task, preset="latent", budget=5, seed=seed))
        assert {candidate.id for candidate in run.made()} == {1, 2, 3, 4, 5}
    archive, program, adapter = service.archive(both[0]), service.runs.program_file(both[0]), service.adapter(both[0])
    assert archive is not None
    assert "run.sqlite" in zipfile.ZipFile(archive).namelist()
    assert adapter is not None
    assert "adapter_model.safetensors" in zipfile.ZipFile(adapter).namelist()
    assert program is not None
    assert program.read_text() == both[0].result["program"]


def test_one_visitor_has_a_share_of_the_queue_only(registry: tuple[RunRegistry, Slow]) -> None:
    runs, _ = registry
    own = [runs.start(TASK, visitor="a", budget=5, seed=seed) for seed in (1, 2)]
    until(lambda: own[0].state == "running")
    with pytest.raises(CallError, match="you have 2 searches"):
        runs.start(TASK, visitor="a", budget=5, seed=3)
    runs.start(TASK, visitor="b", budget=5, seed=3)
    runs.stop(own[1].id)
    assert runs.start(TASK, visitor="a", budget=5, seed=4).visitor == "a"


def test_what_a_client_has_received_or_left_is_not_kept(registry: tuple[RunRegistry, Slow]) -> None:
    runs, _ = registry
    run = runs.start(TASK, budget=5, seed=1)
    until(lambda: run.state == "running")
    run.folder.mkdir()
    runs.discard(run.id)
    until(lambda: run.over)
    runs.clean()
    assert len(runs) == 0
    assert not run.folder.exists()


def test_visitors_are_quiet_once_no_search_waits_or_runs(registry: tuple[RunRegistry, Slow]) -> None:
    runs, _ = registry
    first, second = (runs.start(TASK, budget=5, seed=seed) for seed in (1, 2))
    assert runs.idle_s == 0
    runs.stop(second.id)
    runs.stop(first.id)
    until(lambda: first.over and second.over)
    assert 0 < runs.idle_s < 5


def test_a_search_that_is_over_is_not_stopped_any_more() -> None:
    runs = RunRegistry(lambda *_, **__: {"program": ""}, VisitorLimits(searches=1))
    run = runs.start(TASK, budget=5)
    until(lambda: run.over)
    runs.stop(run.id)
    assert not run.stop.is_set()
    runs.close()


def test_a_stopped_search_keeps_what_it_found(service: SpaceService) -> None:
    stop = threading.Event()
    events = iter_search(partial(service.pipeline, TASK, preset="latent", budget=20, seed=0), stop)
    for event in events:
        if isinstance(event, StepTaken):
            stop.set()
    assert isinstance(event, SearchFinished)
    assert event.result["decoder_calls"] == 10
    assert event.result["program"]


def test_large_objectives_fit_in_front_of_the_axis() -> None:
    shown = curve(get_task("qap_construct"), [5_800_000.0], 30, 6_138_280.0, 5_730_710.0)
    assert ">6.138M<" in shown
    assert [
        re.findall(r'text-anchor="\w+">(\d+)<', curve(get_task(TASK), [], budget, 234.25, 239.1)) for budget in (1, 30)
    ] == [
        ["0", "1"],
        ["0", "15", "30"],
    ]


def test_the_curve_says_in_words_what_it_shows() -> None:
    shown = curve(get_task(TASK), [235.0, 236.5], 5, 234.25, 239.1)
    assert "236.5 after 2 of 5 calls" in shown
    assert "reference 234.25" in shown
    assert "best in corpus 239.1" in shown
