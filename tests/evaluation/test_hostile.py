"""The hostile programs end in time, with a named status; they learn nothing and the next score is exact."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotDone
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hostile import CANARY_FILE, GROUPS, HOSTILE, Hostile
from hostile_more import CLASSES, MORE

from lhs_hf.evaluation import STATUSES, Evaluation, Evaluator, Limits
from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.tasks import get_task

T = TypeVar("T")

EVERY = HOSTILE + MORE

# (split, limits) of each task that is attacked. Less processor time than wall time: a loop is told from a sleep.
KNAPSACK = "knapsack_construct"
SETTINGS = {
    KNAPSACK: ("search", Limits(wall_s=0.6, cpu_s=0.3, memory_mb=128)),
    "tsp_construct": ("search", Limits(wall_s=0.6, memory_mb=128)),
    "online_bin_packing": ("test-1k", Limits(wall_s=1.0, memory_mb=128)),
}
STEP_S = 0.4
LATE_S = 0.5
HUNG_S = 1.5
MESSAGE_CHARACTERS = 500


def _supported() -> bool:
    if sys.platform != "linux":
        return False
    with Evaluator(KNAPSACK, allow_development_isolation=True) as evaluator:
        return evaluator.isolation != "development"


@pytest.fixture(scope="module", autouse=True)
def _kernel_fences() -> None:
    if not _supported():
        pytest.skip("this machine has no seccomp")


@dataclass(frozen=True)
class Canary:
    """A secret in the environment and in a file."""

    secret: str
    file: Path

    def source(self, program: Hostile) -> str:
        return program.source.replace(CANARY_FILE, str(self.file))

    def check(self, result: Any) -> None:
        """Nothing of the secret shows in any field, and the file is as it was."""
        for field in fields(result):
            assert self.secret not in str(getattr(result, field.name)), field.name
        assert self.file.read_text() == f"canary-{self.secret}"
        assert list(self.file.parent.iterdir()) == [self.file]


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    secret = secrets.token_hex(12)
    file = tmp_path_factory.mktemp("secret") / "canary.txt"
    file.write_text(f"canary-{secret}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_TOKEN", f"canary-{secret}")
        patch.setenv("LHS_CANARY", f"canary-{secret}")
        yield Canary(secret, file)


class Bench:
    """One evaluator a task, made when needed and made again after a hang; remembers every zygote it has seen."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self._evaluators: dict[str, Evaluator] = {}
        self._exact: dict[str, tuple[float, ...]] = {}
        self._pool = ThreadPoolExecutor(4)
        self.zygotes: set[int] = set()

    def evaluator(self, task: str) -> Evaluator:
        if task not in self._evaluators:
            split, limits = SETTINGS[task]
            self._evaluators[task] = Evaluator(task, split, limits=limits, **self._settings)
            assert self._evaluators[task].isolation.startswith("seccomp")
        return self._evaluators[task]

    def exact(self, task: str) -> tuple[float, ...]:
        """Objectives of the task's template, from a direct call."""
        if task not in self._exact:
            chosen = get_task(task)
            self._exact[task] = tuple(evaluate_in_process(chosen, chosen.template, SETTINGS[task][0]))
        return self._exact[task]

    def timed(self, task: str, action: Callable[[], T], limit_s: float) -> tuple[T, float]:
        """What an action returns and its seconds. One that hangs is a failure, not the end of this test run."""
        started = time.monotonic()
        future = self._pool.submit(action)
        try:
            result = future.result(timeout=limit_s + HUNG_S)
        except NotDone:
            self.forget(task)
            with suppress(Exception):
                future.result(timeout=5)
            pytest.fail(f"the parent hangs: no result after {limit_s + HUNG_S:g} s")
        finally:
            self.look()
        return result, time.monotonic() - started

    def honest(self, task: str) -> None:
        """The next candidate gets the exact known score."""
        evaluator = self.evaluator(task)
        result = evaluator.evaluate(evaluator.task.template)
        if result.status in ("wall_timeout", "cpu_timeout"):  # a busy machine
            result = evaluator.evaluate(evaluator.task.template)
        assert (result.status, result.objectives) == ("ok", self.exact(task))

    def look(self) -> None:
        """Note the zygotes that run now."""
        for evaluator in self._evaluators.values():
            for worker in evaluator._workers:
                self.zygotes.update(spawner.pid for spawner in worker._spawners.values())

    def forget(self, task: str) -> None:
        self.look()
        self._evaluators.pop(task).close()

    def close(self) -> None:
        for task in list(self._evaluators):
            self.forget(task)
        self._pool.shutdown()


@pytest.fixture(scope="module")
def bench(canary: Canary) -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


@pytest.fixture(scope="module")
def without_landlock(canary: Canary) -> Iterator[Bench]:
    made = Bench(disabled_fences=("landlock",), workers=2)
    yield made
    made.close()


def _named(chosen: Sequence[Hostile] = EVERY) -> list[Any]:
    """Programs as parameters."""
    return [pytest.param(program, id=f"{program.group}-{program.name}") for program in chosen]


def _check(program: Hostile, result: Any, stepping: bool, canary: Canary) -> None:
    assert result.status in STATUSES
    assert result.status in program.allowed(stepping), result
    canary.check(result)
    assert len(result.message) <= MESSAGE_CHARACTERS
    assert result.message.isprintable()


def test_there_are_many_programs_of_every_group() -> None:
    assert len(HOSTILE) >= 112
    assert len({program.name for program in EVERY}) == len({program.source for program in EVERY}) == len(EVERY)
    groups = Counter(program.group for program in HOSTILE)
    assert set(groups) == set(GROUPS)
    assert min(groups.values()) >= 25
    assert len(MORE) >= 90
    assert {program.group for program in MORE} == set(CLASSES)
    for program in EVERY:
        assert program.allowed() <= STATUSES.keys()
        assert program.allowed(stepping=True) <= STATUSES.keys()
        assert program.allowed()
        # Success is for programs that achieve nothing; nobody but the sandbox itself fails by its own fault.
        assert "ok" not in program.kinds
        assert not program.allowed() & {"sandbox_error", "stopped"}


@pytest.mark.parametrize("name", ["environ_named", "environ_whole", "environ_in_c", "open_canary", "os_open_canary"])
def test_without_fences_the_same_programs_find_the_secret(name: str, canary: Canary) -> None:
    task = get_task(KNAPSACK)
    [program] = [program for program in HOSTILE if program.name == name]
    function = load(task, canary.source(program))
    with pytest.raises(ValueError, match=canary.secret):
        function(100, [(1, 1, 0)])


@pytest.mark.parametrize("program", _named())
def test_it_gains_nothing(program: Hostile, bench: Bench, canary: Canary) -> None:
    evaluator = bench.evaluator(program.task)
    limit = SETTINGS[program.task][1].wall_s
    assert limit is not None
    source = canary.source(program)
    result, seconds = bench.timed(program.task, lambda: evaluator.evaluate(source), limit)
    late = result.status in ("wall_timeout", "cpu_timeout") and result.status not in program.allowed(False)
    if late or seconds > limit + LATE_S:  # once more, in case the machine was busy
        result, seconds = bench.timed(program.task, lambda: evaluator.evaluate(source), limit)
    bench.honest(program.task)
    _check(program, result, False, canary)
    assert seconds < limit + LATE_S
    if result.ok:
        assert result.objectives == bench.exact(program.task)
        assert result.score == evaluator.task.alpha * result.objective
        assert result.objective == pytest.approx(sum(result.objectives) / len(result.objectives), rel=1e-12)
    else:
        assert (result.objective, result.score, result.objectives) == (None, None, ())


@pytest.mark.integration
def test_it_gains_nothing_without_landlock(without_landlock: Bench, canary: Canary) -> None:
    evaluator = without_landlock.evaluator(KNAPSACK)
    assert evaluator.isolation == "seccomp"
    chosen = [program for program in EVERY if program.task == KNAPSACK]
    assert len(chosen) > 330
    template = evaluator.task.template
    # The template comes between, so that each worker runs it after programs of all kinds.
    sources = [text for program in chosen for text in (canary.source(program), template)]
    results = list(evaluator.evaluate_many(sources))
    without_landlock.look()
    exact = without_landlock.exact(KNAPSACK)

    def problem(program: Hostile, result: Evaluation, honest: Evaluation) -> str | None:
        try:
            _check(program, result, False, canary)
            assert not result.ok or result.objectives == exact
            assert result.runtime_s < SETTINGS[KNAPSACK][1].wall_s + LATE_S
            assert (honest.status, honest.objectives) == ("ok", exact)
        except AssertionError as error:
            return f"{result.status}, then {honest.status}: {str(error).splitlines()[0]}"
        return None

    wrong: dict[str, str] = {}
    for program, result, honest in zip(chosen, results[::2], results[1::2]):
        if problem(program, result, honest) is not None:  # once more, in case the machine was busy
            again = problem(program, evaluator.evaluate(canary.source(program)), evaluator.evaluate(template))
            wrong |= {} if again is None else {program.name: again}
    assert not wrong, "\n".join(f"{name}: {problem}" for name, problem in wrong.items())


# Every loop costs the whole limit: one in three of those that do nothing else.
_LOOPS = [program for program in EVERY if program.kinds == {"cpu_timeout", "wall_timeout"}]
_STEPPED = [program for program in EVERY if program not in _LOOPS or _LOOPS.index(program) % 3 == 0]


@pytest.mark.parametrize("program", _named(_STEPPED))
def test_it_gains_nothing_in_a_stepping_session(program: Hostile, bench: Bench, canary: Canary) -> None:
    evaluator = bench.evaluator(program.task)
    source = canary.source(program)
    with evaluator.stepping(probes=2, limit_s=STEP_S) as stepper:

        def step(text: str) -> Any:
            session = stepper.open()
            try:
                [result] = stepper.step([(session, text)])
            finally:
                stepper.close(session)
            return result

        result, seconds = bench.timed(program.task, lambda: step(source), STEP_S)
        if seconds > STEP_S + LATE_S:
            result, seconds = bench.timed(program.task, lambda: step(source), STEP_S)
        honest = step(evaluator.task.template)
        assert (honest.status, honest.finished) == ("ok", 2)
    bench.honest(program.task)
    _check(program, result, True, canary)
    assert seconds < STEP_S + LATE_S
    assert 0 <= result.reached <= 2
    assert 0 <= result.finished <= 2
    assert result.line is None or isinstance(result.line, int)


def test_children_that_stop_reading_cost_one_limit_together(bench: Bench) -> None:
    """The first step makes the children deaf; the second is too long for the buffers of their sockets."""
    deafen = (
        "import sys, time\nsys.modules['lhs_hf.evaluation.sandbox.frames'].read_exactly = lambda *_: time.sleep(1000)\n"
    )
    with bench.evaluator(KNAPSACK).stepping(probes=2, limit_s=STEP_S) as stepper:
        sessions = [stepper.open() for _ in range(3)]
        assert all(result.ok for result in stepper.step([(session, deafen) for session in sessions]))
        started = time.monotonic()
        results = stepper.step([(session, "text = '" + "x" * 250_000 + "'\n") for session in sessions])
        seconds = time.monotonic() - started
    bench.honest(KNAPSACK)
    assert {result.status for result in results} == {"wall_timeout"}
    assert seconds < STEP_S + LATE_S


def _processes() -> dict[int, tuple[str, int, int]]:
    """State, parent and session of every process of this machine."""
    found: dict[int, tuple[str, int, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, parent, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                found[int(entry.name)] = (state, int(parent), int(session))
    return found


def _left_over(zygotes: set[int], before: set[int]) -> list[int]:
    """Processes of the zygotes (each leads a session of its own), and children of this process that are new."""
    return [
        pid
        for pid, (state, parent, session) in _processes().items()
        if (state != "Z" and (session in zygotes or pid in zygotes or (parent == os.getpid() and pid not in before)))
        or (state == "Z" and pid in zygotes)
    ]


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("fences", [(), ("landlock",)], ids=["all fences", "no landlock"])
def test_no_process_and_no_descriptor_is_left(fences: tuple[str, ...], canary: Canary) -> None:
    names = ("fork_bomb", "segfault", "sleep", "endless_loop", "os_system", "channel_flood", "close_the_channel")
    chosen = [program for program in HOSTILE if program.name in names]
    assert len(chosen) == len(names)
    before, open_before = {pid for pid, (_, parent, _) in _processes().items() if parent == os.getpid()}, _descriptors()
    bench = Bench(disabled_fences=fences)
    evaluator = bench.evaluator(KNAPSACK)
    for program in chosen:
        evaluator.evaluate(canary.source(program))
        bench.look()
    with evaluator.stepping(probes=2, limit_s=STEP_S) as stepper:
        sessions = [(stepper.open(), canary.source(program)) for program in chosen]
        stepper.step(sessions)
        bench.look()
    running = _left_over(bench.zygotes, before)
    assert len(running) >= 2, "the zygote and its spare child are running before the end"
    bench.close()
    _wait_for(lambda: not _left_over(bench.zygotes, before))
    assert _left_over(bench.zygotes, before) == []
    assert _descriptors() == open_before


def test_no_process_of_any_test_before_is_left(bench: Bench, without_landlock: Bench) -> None:
    """Runs last: every zygote this module started has ended with all its children."""
    zygotes = bench.zygotes | without_landlock.zygotes
    assert zygotes
    for each in (bench, without_landlock):
        for task in list(SETTINGS):
            if task in each._evaluators:
                each.forget(task)
    zygotes |= bench.zygotes | without_landlock.zygotes
    ours = {pid for pid, (_, parent, _) in _processes().items() if parent == os.getpid() and pid not in zygotes}
    _wait_for(lambda: not _left_over(zygotes, ours))
    assert _left_over(zygotes, ours) == []


def _wait_for(condition: Callable[[], bool]) -> None:
    """Give the kernel two seconds to take processes apart."""
    end = time.monotonic() + 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
