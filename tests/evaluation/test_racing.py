"""Racing: training instances, the ledger, the paired test, verdicts, budgets, resuming, finals."""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluation, Evaluator
from lhs_hf.evaluation.racing import (
    OUTCOMES,
    Entry,
    Ledger,
    Race,
    StoredLedger,
    TrainingInstances,
    Trials,
    compare,
    finalists,
    finals_cost,
    ledger,
    race,
)
from lhs_hf.tasks import NoFreshInstances, get_task
from lhs_hf.tasks.equality import same

TSP = "tsp_construct"
MAX_CUT = Path(__file__).parents[2] / "examples" / "max_cut.py"
NOISE = 0.045


class StubTask:
    """A task whose instances are numbers: what `TrainingInstances` and `Trials` ask of one."""

    name, alpha, time_limit_s, reads_source = "stub", -1, 16.0, False
    of_paper, template = True, ""

    def __init__(self, fresh: bool = True) -> None:
        self.fresh = fresh

    def split(self, name):
        return SimpleNamespace(count=16)

    def fresh_split(self, seed, count):
        if not self.fresh:
            raise NoFreshInstances("there is one instance")
        return get_split(seed, count)


def get_split(seed, count):
    """A fresh split of nothing but numbers."""
    template = get_task(TSP).fresh_split(1, 1)
    return replace(template, count=count, seed=seed, instances=tuple(range(count)))


def block_seed(number: int) -> int:
    """The seed of the instances of a block of four, in a run of seed 0."""
    return int.from_bytes(hashlib.sha256(f"training 0 race-{number}/4".encode()).digest()[:16], "big")


def program(gain: float, number: int = 0, **more: object) -> str:
    """A text that the stub evaluator knows the quality of; `fails_on`: the blocks that it fails on."""
    return f"settings = {dict(gain=gain, number=number, **more)!r}\n"


class StubEvaluator:
    """Objectives around 100, less by the gain of the program; noise from (program, block)."""

    def __init__(self, task=None, workers: int = 1, slow: bool = False, noise: float = NOISE) -> None:
        self.task = task or StubTask()
        self.limits = SimpleNamespace(wall_s=None)
        self.pool, self.workers, self.slow, self.noise = ThreadPoolExecutor(workers), workers, slow, noise
        self.submitted: list[str] = []

    def submit(self, source, split, *, twice=False):
        self.submitted.append(source)
        return self.pool.submit(self._evaluate, source, split)

    def _evaluate(self, source, split):
        count, seed = (16, 0) if isinstance(split, str) else (split.count, split.seed)
        if "(:" in source:
            return Evaluation("syntax")
        known = eval(source.split("=", 1)[1])
        words = int.from_bytes(hashlib.sha256(f"{known['number']} {seed}".encode()).digest()[:8], "big")
        random = np.random.default_rng(words)
        if self.slow:
            time.sleep(words % 5 * 0.0004)
        if seed in map(block_seed, known.get("fails_on", ())):
            return Evaluation("exception", message="boom")
        common = np.random.default_rng(seed % 2**63).normal(100, 20, count)
        values = common - 100 * (known["gain"] + random.normal(0, self.noise, count))
        seconds = known.get("seconds", 0.001) * count
        return Evaluation("ok", float(values.mean()), -float(values.mean()), tuple(values.tolist()), seconds)


def make_race(evaluator=None, entries=(), seed=0, **options):
    """A race on stub instances."""
    evaluator = evaluator or StubEvaluator()
    trials = Trials(evaluator, TrainingInstances(evaluator.task, seed), Ledger(entries))
    return Race(trials, **options)


def without_seconds(entries):
    return [{**entry, "seconds": 0} for entry in entries]


# -- the paired test ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [1, -1])
def test_the_probabilities_are_those_of_a_paired_t_test(alpha) -> None:
    ours, theirs = np.random.default_rng(3).normal(50, 5, (2, 12))
    found = compare(ours, theirs, alpha)
    assert found.better == pytest.approx(stats.ttest_rel(alpha * ours, alpha * theirs, alternative="greater").pvalue)
    assert found.worse == pytest.approx(1 - found.better)
    assert found.gain == pytest.approx(alpha * (ours.mean() / theirs.mean() - 1))
    low, high = stats.ttest_rel(alpha * ours, alpha * theirs).confidence_interval(0.95)
    assert found.interval() == pytest.approx((low / theirs.mean(), high / theirs.mean()))


def test_what_is_the_same_is_neither_better_nor_worse() -> None:
    found = compare([1.0, 2.0], [1.0, 2.0], 1)
    assert (found.same, found.better, found.worse, found.gain) == (True, 1.0, 1.0, 0.0)


def test_differences_that_do_not_vary_are_no_noise_but_one_alone_may_be() -> None:
    assert compare([3.0, 4.0, 5.0], [2.0, 3.0, 4.0], 1).better == 0.0
    assert compare([3.1, 4.1, 5.1], [2.0, 3.0, 4.0], -1).worse == 0.0
    assert compare([3.0], [2.0], 1).better == 0.5
    assert compare([3.0], [2.0], 1, exact=True).better == 0.0
    with pytest.raises(ValueError, match="as many"):
        compare([1.0], [1.0, 2.0], 1)


@given(st.lists(st.tuples(*[st.floats(-1e300, 1e300)] * 2), min_size=2, max_size=20))
def test_swapping_two_programs_swaps_better_and_worse(pairs) -> None:
    ours, theirs = zip(*pairs)
    there, back = compare(ours, theirs, 1), compare(theirs, ours, 1)
    assert there.better == pytest.approx(back.worse, abs=1e-6)
    assert there.same == back.same
    assert np.isfinite([there.gain, there.error, *there.interval()]).all()


# -- training instances ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [TSP, "knapsack_construct", "online_bin_packing", str(MAX_CUT)])
def test_a_block_follows_from_seed_and_number_alone(name) -> None:
    task = get_task(name)
    one, again, other = (TrainingInstances(task, seed) for seed in (5, 5, 6))
    again.split(again.block(2))
    first = one.split(one.block(1))
    assert one.split(one.block(1)).instances is first.instances
    assert all(map(same, first.instances, again.split(again.block(1)).instances))
    assert not any(map(same, first.instances, other.split(other.block(1)).instances))
    blocks = [*(one.block(number) for number in range(3)), *one.final(16)]
    drawn = [instance for block in blocks for instance in one.split(block).instances]
    drawn += [instance for split in ("search", "holdout") for instance in task.instances(split)]
    assert not any(same(drawn[i], drawn[j]) for i in range(len(drawn)) for j in range(i))


def test_blocks_double() -> None:
    tsp = TrainingInstances(get_task(TSP), 0)
    assert [tsp.block(number).size for number in range(4)] == [4, 4, 8, 16]
    assert [block.size for block in tsp.final(200)] == [50, 50, 100]
    assert TrainingInstances(get_task("online_bin_packing"), 0).block(0).size == 2
    assert tsp.block(0, 7).size == tsp.split(tsp.block(0, 7)).count == 7


def test_a_task_of_one_instance_is_deterministic() -> None:
    instances = TrainingInstances(get_task("admissible_set"), 3)
    assert instances.deterministic
    assert instances.split(instances.block(2)) == "search"
    assert instances.final(200) == (instances.block(0),)
    assert not TrainingInstances(get_task(TSP), 3).deterministic


def test_time_limits_are_shares_with_slack() -> None:
    task = get_task(TSP)  # 30 s for 16 instances
    instances = TrainingInstances(task, 0)
    limits = [task.time_limit(instances.split(instances.block(number))) for number in range(5)]
    assert limits == [15.0, 15.0, 30.0, 30.0, 60.0]
    assert task.time_limit(task.fresh_split(9, 4)) == 60.0
    assert (instances.seconds(4), instances.seconds(32)) == (30.0, 60.0)
    instances.hurry(2.0)
    assert [task.time_limit(instances.split(instances.block(number))) for number in range(5)] == [2.0] * 4 + [4.0]
    assert instances.seconds(8) == 2.0
    instances.hurry(1e9)
    assert instances.allowed_s == task.time_limit_s


@pytest.mark.parametrize(("seed", "unit"), [(-1, None), (True, None), ("x", None), (1, 1)])
def test_seeds_and_units_that_can_not_be_are_named(seed, unit) -> None:
    with pytest.raises(CallError, match="got"):
        TrainingInstances(get_task(TSP), seed, unit)


# -- the ledger --------------------------------------------------------------------------------------------------------


def test_a_ledger_comes_back_from_json_as_it_was() -> None:
    stored: list[str] = []
    race = make_race()
    race.trials.ledger = Ledger(sink=lambda entry: stored.append(json.dumps(entry)))
    race.challenge_many([program(0), program(0.02, 1), program(0.1, 2, fails_on=[3])])
    ledger = race.trials.ledger
    back = Ledger(map(json.loads, stored))
    assert back.as_dicts() == ledger.as_dicts()
    assert (back.runs, len(back)) == (ledger.runs, len(ledger))
    assert back.runs == sum(entry["runs"] for entry in back.as_dicts()) > 0


@pytest.mark.parametrize(
    "change",
    [
        {"runs": -1},
        {"runs": "4"},
        {"objectives": [float("nan")]},
        {"objectives": []},
        {"status": "exception"},
        {"x": 1},
    ],
)
def test_an_entry_that_none_can_have_written_is_refused(change) -> None:
    entry = Entry("p", "race-0/4", "ok", (1.0,), 4, 0.1).as_dict()
    assert Entry.from_dict(entry).as_dict() == entry
    with pytest.raises(CallError, match="not an entry"):
        Entry.from_dict(entry | change)
    with pytest.raises(CallError, match="holds program"):
        Ledger([entry, entry])


def test_a_stored_ledger_is_one_of_which_little_is_in_memory(monkeypatch) -> None:
    monkeypatch.setattr(ledger, "REMEMBERED", 2)
    batches = [[program(gain, 3 * batch + at) for at, gain in enumerate((0.0, 0.01, -0.2))] for batch in range(4)]
    whole = make_race()
    verdicts = [whole.challenge_many(batch) for batch in batches]
    entries: list[dict] = []

    def read(program):
        return [entry for entry in entries if program in (None, entry["program"])]

    stored = make_race()
    stored.trials.ledger = StoredLedger(read, entries.append)
    assert [stored.challenge_many(batch) for batch in batches] == verdicts
    again = StoredLedger(read, entries.append, sum(entry["runs"] for entry in entries))
    for kept in (stored.trials.ledger, again):
        assert without_seconds(kept.as_dicts()) == without_seconds(whole.trials.ledger.as_dicts())
        assert (kept.runs, len(kept)) == (whole.trials.ledger.runs, len(entries))
        for each in verdicts[0]:
            assert kept.runs_of(each.program) == whole.trials.ledger.runs_of(each.program) > 0
        assert len(kept._entries) == 2
        with pytest.raises(CallError, match="holds program"):
            kept.add(Entry.from_dict(entries[0]))


# -- races -------------------------------------------------------------------------------------------------------------


def test_a_long_race_keeps_the_best_of_its_pool_and_forgets_the_others(monkeypatch) -> None:
    monkeypatch.setattr(race, "POOL", 3)
    monkeypatch.setattr(race, "REMEMBERED", 5)
    batches = [[program(0.001 * at, 8 * batch + at) for at in range(8)] for batch in range(6)]
    long, evaluator = make_race(), StubEvaluator()
    verdicts, pools = [], []
    for batch in batches:
        before = {each.program for each in long.ranking()}
        verdicts.append(long.challenge_many(batch))
        pools.append(long.ranking())
        entered = {each.program for each in verdicts[-1] if each.outcome in ("entered", "incumbent")}
        assert {each.program for each in pools[-1]} <= before | entered
        assert len(long._reached) <= 5 + 3 + len(batch)
    assert sum(each.outcome == "entered" for found in verdicts for each in found) > 9
    assert [len(pool) for pool in pools[1:]] == [3] * 5
    assert all(pool[1].expected >= pool[2].expected for pool in pools[1:])
    again = make_race(evaluator, long.trials.ledger.as_dicts())
    assert [again.challenge_many(batch) for batch in batches] == verdicts
    assert again.ranking() == pools[-1]
    assert not evaluator.submitted


programs_drawn = st.lists(
    st.tuples(st.sampled_from([-0.2, -0.01, 0.0, 0.01, 0.05]), st.integers(0, 6), st.integers(0, 12)),
    min_size=1,
    max_size=8,
).map(lambda each: [program(gain, number, fails_on=[fails]) for gain, number, fails in each])
batches_drawn = st.lists(programs_drawn, min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(batches_drawn, st.integers(0, 300), st.integers(1, 3), st.integers(0, 40))
def test_a_race_keeps_its_budget_and_comes_out_the_same_again(batches, budget, workers, cut) -> None:
    race = make_race(StubEvaluator(), budget=budget)
    verdicts = [race.challenge_many(batch) for batch in batches]
    entries = race.trials.ledger.as_dicts()
    assert race.trials.ledger.runs <= budget
    assert [[each.source for each in found] for found in verdicts] == batches
    assert {each.outcome for found in verdicts for each in found} <= set(OUTCOMES)
    # With other workers that end in another order, and from any place it was interrupted at.
    again = make_race(StubEvaluator(workers=workers, slow=True), entries[:cut], budget=budget)
    assert [again.challenge_many(batch) for batch in batches] == verdicts
    assert without_seconds(again.trials.ledger.as_dicts()) == without_seconds(entries)
    assert [each.program for each in again.ranking()] == [each.program for each in race.ranking()]


def test_a_far_better_program_becomes_the_incumbent_and_a_worse_one_is_dropped_on_the_first_block() -> None:
    race = make_race()
    assert race.challenge(program(0)).outcome == "incumbent"
    better, worse = race.challenge_many([program(0.2, 1), program(-0.4, 2)])
    assert (better.outcome, better.instances, better.runs) == ("incumbent", 32, 32)
    assert better.gain == pytest.approx(0.2, abs=0.03)
    assert better.p_value < 1e-6
    assert (worse.outcome, worse.instances, worse.runs) == ("dropped", 4, 4)
    assert race.incumbent.source == program(0.2, 1)
    assert [standing.source for standing in race.ranking()] == [program(0.2, 1), program(0)]
    assert race.trials.ledger.runs == 32 + 32 + 4


def test_each_batch_begins_with_another_block() -> None:
    """An incumbent that was lucky on some instances would drop whoever meets these first, for ever."""
    race = make_race()
    race.challenge(program(0))
    dropped = [race.challenge(program(-0.4, number)) for number in range(1, 17)]
    assert {each.runs for each in dropped} == {4}
    first = [race.trials.ledger.of(each.program)[0].block for each in dropped]
    assert first[:8] == first[8:] == [*(block.name for block in race.blocks[1:]), race.blocks[0].name]
    assert len(set(first)) == 8


def test_of_several_that_are_better_the_best_replaces_the_incumbent() -> None:
    race = make_race()
    race.challenge(program(0))
    verdicts = race.challenge_many([program(0.1, 1), program(0.4, 2), program(0.2, 3)])
    assert [each.outcome for each in verdicts] == ["entered", "incumbent", "entered"]
    assert [each.source for each in race.ranking()] == [program(0.4, 2), program(0.2, 3), program(0.1, 1), program(0)]


def test_few_instances_speak_for_less_than_many() -> None:
    race = make_race()
    race.challenge(program(0))
    race.challenge_many([program(0.05 + number / 1000, number) for number in range(1, 12)])
    leader, *others = race.ranking()
    known = [each for each in others if each.instances == 32]
    lucky = [each for each in others if each.instances == 4]
    assert known
    assert lucky
    # A comparison says N(gain, s^2 32 / n), N(-s, s^2) is what is expected of a program that has met nothing.
    spread = np.mean([each.error**2 * each.instances for each in others]) ** 0.5 / 32**0.5
    for each in others:
        share = each.instances / (each.instances + 32)
        assert each.expected == pytest.approx(share * each.gain - (1 - share) * spread)
    assert [each.expected for each in others] == sorted((each.expected for each in others), reverse=True)
    assert leader.source == race.incumbent.source


def test_who_is_known_least_among_the_best_meets_more_instances() -> None:
    race = make_race()
    assert race.unsure(10) is None
    race.challenge(program(0))
    race.challenge_many([program(0.05 + number / 1000, number) for number in range(1, 12)])
    instances = {each.source: each.instances for each in race.ranking()}
    unsure = race.unsure(10)
    assert unsure in [each.source for each in race.ranking()[1:10]]
    assert instances[unsure] < 32
    assert race.unsure(1) is None
    race.challenge(unsure)
    assert {each.source: each.instances for each in race.ranking()}[unsure] > instances[unsure]
    for _ in range(100):
        if (unsure := race.unsure(10)) is None:
            break
        race.challenge(unsure)
    assert all(each.instances == 32 for each in race.ranking()[:10])


def test_the_incumbent_never_gives_way_to_itself() -> None:
    evaluator = StubEvaluator()
    race = make_race(evaluator)
    race.challenge(program(0, 1))
    layout, copy = program(0, 1) + "# another layout\n", program(0, 1, other=True)
    verdicts = race.challenge_many([layout, copy, program(0.3, 2), program(0.3, 2, other=True)])
    assert [each.outcome for each in verdicts] == ["same", "same", "incumbent", "same"]
    assert layout not in evaluator.submitted
    assert verdicts[1].runs == 4
    assert race.challenge(race.incumbent.source).outcome == "same"


def replaced(gain: float, accept: float, repetitions: int = 300) -> float:
    """How often a program of this gain replaces the incumbent."""
    found = 0
    for seed in range(repetitions):
        race = make_race(evaluator=_SHARED, seed=seed, accept=accept)
        race.challenge(program(0, 1))
        found += race.challenge(program(gain, 2)).outcome == "incumbent"
    return found / repetitions


_SHARED = StubEvaluator()


@pytest.mark.parametrize("accept", [0.05, 0.2])
def test_equal_programs_replace_the_incumbent_no_more_often_than_they_may(accept) -> None:
    assert 0 < replaced(0.0, accept) <= accept + 0.03  # 1.3 standard errors and more


@pytest.mark.integration
def test_a_program_three_percent_better_is_seen() -> None:
    assert replaced(0.03, 0.2) >= 0.8
    assert replaced(-0.03, 0.2) <= 0.01


def test_a_program_that_fails_is_out_at_once_and_later_too() -> None:
    race = make_race()
    race.challenge(program(0))
    first, later, broken = race.challenge_many(
        [program(0.2, 1, fails_on=[1]), program(0.2, 2, fails_on=[4]), "def broken(:"]
    )
    assert (first.outcome, first.status, first.message, first.runs) == ("failed", "exception", "boom", 4)
    assert (later.outcome, later.runs) == ("failed", 16)
    assert (broken.outcome, broken.status, broken.runs) == ("failed", "syntax", 0)
    assert [each.source for each in race.ranking()] == [program(0)]


def test_an_incumbent_that_fails_later_gives_way_to_the_best_of_the_pool() -> None:
    race = make_race()
    start = program(0.3, 1, fails_on=[2])
    assert race.challenge(start).outcome == "incumbent"
    weak, good = race.challenge_many([program(0.29, 2), program(0.31, 3)])
    assert {weak.outcome, good.outcome} <= {"entered", "incumbent", "dropped"}
    assert race.incumbent is None or race.incumbent.source != start
    assert start not in [each.source for each in race.ranking()]
    # With nobody in the pool, whoever is left leads.
    assert race.incumbent is not None


def test_a_program_may_not_take_longer_than_search_would_let_it() -> None:
    race = make_race()  # 16 s for 16 instances, 32 s for 32
    race.challenge(program(0))
    slow, fit = (race.challenge(each) for each in (program(0.3, 1, seconds=1.05), program(0.3, 2, seconds=0.95)))
    assert (slow.outcome, slow.status) == ("failed", "wall_timeout")
    assert "are allowed" in slow.message
    assert fit.outcome == "incumbent"
    assert race.ranking()[0].source == fit.source


def test_on_a_deterministic_task_one_evaluation_decides() -> None:
    race = make_race(StubEvaluator(StubTask(fresh=False), noise=0.0))
    verdicts = race.challenge_many([program(0), program(0.001, 1), program(-0.001, 2)])
    assert [each.outcome for each in verdicts] == ["dropped", "incumbent", "dropped"]
    verdict = race.challenge(program(0.0011, 3))
    assert (verdict.outcome, verdict.p_value, verdict.runs) == ("incumbent", 0.0, 16)
    runs = race.trials.ledger.runs
    best = finalists(race.trials, [each.source for each in race.ranking()], against=program(0), budget=runs)
    assert race.trials.ledger.runs == runs
    assert best[0].source == program(0.0011, 3)
    assert best[0].gain == pytest.approx(0.0011, rel=0.2)
    assert best[0].interval == (best[0].gain, best[0].gain)


def test_what_the_budget_does_not_pay_for_is_said() -> None:
    race = make_race(budget=12)
    race.challenge(program(0))
    assert race.affordable() == 2
    # The incumbent meets the block that this batch begins with, too.
    verdicts = race.challenge_many([program(-0.5, number) for number in (1, 2, 3)])
    assert [each.outcome for each in verdicts] == ["dropped", "unpaid", "unpaid"]
    assert (race.trials.ledger.runs, race.affordable()) == (12, 0)


@pytest.mark.parametrize("options", [{"drop": 0}, {"drop": 0.6}, {"accept": 1}, {"blocks": 0}])
def test_levels_that_can_not_be_are_named(options) -> None:
    with pytest.raises(CallError, match="got"):
        make_race(**options)


# -- finals ------------------------------------------------------------------------------------------------------------


def test_the_finals_rank_on_fresh_instances_and_cost_what_they_say() -> None:
    evaluator = StubEvaluator()
    race = make_race(evaluator)
    field = [program(gain, number) for number, gain in enumerate((0.0, 0.05, 0.1, -0.1))]
    race.challenge_many(field)
    ledger = race.trials.ledger
    before = ledger.runs
    ranked = finalists(race.trials, field, against=field[0])
    assert ledger.runs - before <= finals_cost(4, against=True) == 600
    assert [each.source for each in ranked] == [field[2], field[1], field[0], field[3]]
    assert [each.instances for each in ranked] == [200, 100, 200, 50]
    best = ranked[0]
    low, high = best.interval
    assert low < best.gain < high
    assert best.gain == pytest.approx(0.1, abs=4 * best.error)
    assert best.error == pytest.approx(NOISE * 2**0.5 / 200**0.5, rel=0.2)
    values = [v for entry in ledger.of(best.program) if entry.block.startswith("final") for v in entry.objectives]
    assert best.objective == pytest.approx(np.mean(values))
    assert best.objective_error == pytest.approx(stats.sem(values))
    assert json.loads(json.dumps(best.as_dict()))["instances"] == 200
    # Again, nothing runs.
    count = len(evaluator.submitted)
    assert finalists(race.trials, field, against=field[0], budget=ledger.runs + finals_cost(4)) == ranked
    assert len(evaluator.submitted) == count


@settings(max_examples=30, deadline=None)
@given(programs_drawn, st.integers(8, 60), st.integers(0, 400), st.booleans(), st.integers(0, 20))
def test_finals_keep_their_budget_and_come_out_the_same_again(sources, count, budget, compared, cut) -> None:
    against = program(0.01, 99) if compared else None
    race = make_race()
    if finals_cost(len(race.trials.contenders(sources)), count, compared) > budget:
        with pytest.raises(CallError, match="instance runs"):
            finalists(race.trials, sources, count, against, budget)
        assert race.trials.ledger.runs == 0
        return
    ranked = finalists(race.trials, sources, count, against, budget)
    entries = race.trials.ledger.as_dicts()
    assert race.trials.ledger.runs <= budget
    assert [each.status == "ok" for each in ranked] == sorted((each.status == "ok" for each in ranked), reverse=True)
    again = make_race(StubEvaluator(workers=2, slow=True), entries[:cut])
    assert finalists(again.trials, sources, count, against, budget) == ranked
    assert without_seconds(again.trials.ledger.as_dicts()) == without_seconds(entries)


def test_finals_need_programs_and_instances() -> None:
    with pytest.raises(CallError, match="finals need"):
        finalists(make_race().trials, [])
    with pytest.raises(CallError, match="finals need"):
        finalists(make_race().trials, [program(0)], count=4)


# -- with real programs ------------------------------------------------------------------------------------------------

HEAVIEST = """def select_next_node(unplaced_nodes, side_weights, weight_matrix):
    {noise}
    return max(unplaced_nodes, key=lambda node: abs(side_weights[0][node] - side_weights[1][node]) + 0 * node)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_better_program_wins_on_a_task_of_ones_own(workers) -> None:
    with Evaluator(str(MAX_CUT), workers=workers) as evaluator:
        trials = Trials(evaluator, TrainingInstances(evaluator.task, 7), Ledger())
        race = Race(trials)
        better, failing = HEAVIEST.format(noise="pass"), HEAVIEST.format(noise="unknown")
        verdicts = race.challenge_many([evaluator.task.template, better, failing])
        assert race.incumbent.source == better
        assert verdicts[2].status == "exception"
        best = finalists(trials, [each.source for each in race.ranking()], 40, against=evaluator.task.template)[0]
        assert best.source == better
        assert best.interval[0] > 0
        block = trials.instances.block(0)
        assert trials.ledger.get(best.program, block.name).objectives == (
            evaluator.evaluate(better, trials.instances.split(block)).objectives
        )


def test_a_program_of_chance_is_run_twice_and_paid_twice() -> None:
    with Evaluator(str(MAX_CUT), workers=1) as evaluator:
        race = Race(Trials(evaluator, TrainingInstances(evaluator.task, 7), Ledger()))
        race.challenge(evaluator.task.template)
        clock = HEAVIEST.replace(
            "0 * node", "hash(str(id(object())) + str(__import__('time').perf_counter_ns())) * 1.0"
        )
        verdict = race.challenge(clock.format(noise="pass"))
        assert (verdict.status, verdict.runs) == ("unrepeatable", 8)


def test_where_the_text_of_a_program_counts_layouts_are_different_programs() -> None:
    evaluator = StubEvaluator()
    evaluator.task.reads_source = True
    trials = make_race(evaluator).trials
    assert len(trials.contenders([program(0), program(0), program(0) + "\n"])) == 2
