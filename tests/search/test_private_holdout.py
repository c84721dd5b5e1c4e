"""The private holdout: fresh instances from a secret seed, what programs see of them, what a search says of them."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import public_future
import pytest
from search_doubles import Parts

from lhs_hf.cli import main
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.evaluation.rollout import evaluate_in_process
from lhs_hf.search import private_holdout
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.private_holdout import PrivateHoldout
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import NoFreshInstances, get_task, task_names
from lhs_hf.tasks.equality import same

SEED = 0x5EED_0123_4567_89AB_CDEF_0246_8ACE_1357
KNAPSACK = "knapsack_construct"
PACKING = "online_bin_packing"

# A task of one's own that draws with a generator which takes no seed of several words.
PICKY_TASK = """
import random

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, make_splits


class Picky(SimpleTask):
    name = "picky"
    sense = "min"
    problem_class = "other"
    description = "Choose."
    template = "def choose(options):\\n    return options[0]\\n"
    alternatives = "options"
    splits = make_splits(search={{"count": 4}}, holdout={{"count": 4}})

    def draw(self, random, **parameters):
        return [1, 2, 3]

    def generate(self, split):
        {generate}

    def construct(self, program, instance):
        return [self.ask(program, instance)]

    def objective(self, instance, solution):
        return float(solution[0])
"""

# Looks, once, at every object that can be reached from one the garbage collector knows, for numbers given reversed.
SCAN = """
import gc

wanted = {numbers}
todo = [gc.get_objects]


def find(everything):
    seen, waiting = set(), list(everything)
    while waiting:
        each = waiting.pop()
        if id(each) in seen or each is wanted:
            continue
        seen.add(id(each))
        if type(each) in (int, str) and str(each)[::-1] in wanted:
            raise ValueError("here it is")
        waiting.extend(gc.get_referents(each))


def select_next_item(remaining_capacity, remaining_items):
    while todo:
        find(todo.pop()())
    return remaining_items[0]
"""

# Best fit, and a look at the first item of each game for a list or an array of more items than have been shown.
FORESIGHT = """
import gc
import numpy as np

turn = [0]


def priority(item, bins):
    if turn[0] == 0:
        for each in gc.get_objects():
            if type(each) is list and len(each) == 5000 and set(map(type, each)) <= {int}:
                raise ValueError("a future")
            if isinstance(each, np.ndarray) and each.shape == (5000,) and len(set(each.tolist())) > 10:
                raise ValueError("a future")
    turn[0] += 1
    return item - bins
"""


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LHS_HF_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def knapsack():
    with Evaluator(KNAPSACK) as evaluator:
        yield evaluator


@pytest.fixture(scope="module")
def packing():
    with Evaluator(PACKING) as evaluator:
        yield evaluator


# -- fresh instances ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in task_names() if name != "admissible_set"])
def test_one_seed_draws_one_set_of_instances_that_no_published_split_has(name) -> None:
    task = get_task(name)
    search = task.instances("search")
    fresh, again, other = (task.fresh_split(seed).instances for seed in (SEED, SEED, SEED + 1))
    assert len(fresh) == len(search)
    assert same(fresh, again)
    published = [each for split in ("search", "holdout") for each in task.instances(split)]
    assert not any(same(mine, theirs) for mine in fresh for theirs in (*published, *other))
    assert task.instances(task.fresh_split(SEED)) is not search
    assert same(task.instances("search"), tuple(task.generate(task.splits["search"])))


def test_a_small_seed_does_not_lead_to_the_stream_of_a_published_split() -> None:
    task = get_task(PACKING)
    drawn_by_anybody = np.random.RandomState(7).weibull(3, 5000)
    assert not np.array_equal(task.fresh_split(7, 1).instances[0], np.round(np.clip(drawn_by_anybody * 45, 1, 100)))


@pytest.mark.parametrize("seed", [2024, 2025, 7001, -1])
def test_published_and_negative_seeds_are_refused(seed) -> None:
    with pytest.raises(CallError, match="that no published split has"):
        get_task("tsp_construct").fresh_split(seed)


def test_a_fresh_split_has_instances_and_one_task() -> None:
    with pytest.raises(CallError, match="at least one instance"):
        get_task("tsp_construct").fresh_split(SEED, 0)
    with pytest.raises(CallError, match="no instances of tsp_construct"):
        get_task("tsp_construct").instances(get_task("qap_construct").fresh_split(SEED))


def test_each_game_of_an_online_task_has_a_stream_of_its_own(monkeypatch) -> None:
    task = get_task(PACKING)
    seeds, generate = [], type(task).generate
    monkeypatch.setattr(type(task), "generate", lambda self, split: seeds.append(split.seed) or generate(self, split))
    assert len(task.fresh_split(SEED, 4).instances) == 4
    assert len(set(seeds)) == 4


@pytest.mark.parametrize(
    ("generate", "message"),
    [
        ("return [[1, 2, number] for number in range(split.count)]", "do not depend on a seed"),
        ("return [random.Random(split.seed).sample(range(9), 3) for _ in range(split.count)]", "fresh seed: TypeError"),
        ("return [np.random.RandomState(split.seed).permutation(9).tolist()]", "asked for 4 fresh instances"),
    ],
)
def test_a_task_that_can_not_draw_fresh_instances_says_why(tmp_path, generate, message) -> None:
    file = tmp_path / "picky.py"
    file.write_text(PICKY_TASK.format(generate=generate))
    with pytest.raises(NoFreshInstances, match=message):
        get_task(str(file)).fresh_split(SEED)


def test_a_task_whose_instances_are_fixed_has_no_private_holdout() -> None:
    task = get_task("admissible_set")
    with Evaluator(task) as evaluator:
        found = private_holdout.check(task, evaluator, SEED, task.template, ((-1.0,), (-1.0,)))
    assert (found.count, found.agrees, found.found) == (0, None, None)
    assert private_holdout.sentence(found) == (
        "no private holdout: the instances of admissible_set do not depend on a seed"
    )


# -- how programs meet them --------------------------------------------------------------------------------------------


@pytest.mark.integration
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", [KNAPSACK, "tsp_construct", PACKING])
def test_a_program_scores_in_its_process_what_it_scores_here(name, workers) -> None:
    task = get_task(name)
    splits = [task.fresh_split(SEED, 6), task.fresh_split(SEED + 1, 2)]
    with Evaluator(task, workers=workers) as evaluator:
        for split in (splits[0], splits[1], "search", splits[0]):
            assert list(evaluator.evaluate(task.template, split).objectives) == evaluate_in_process(
                task, task.template, split
            )


def test_a_task_of_ones_own_has_fresh_instances() -> None:
    task = get_task(str(Path(__file__).parents[2] / "examples" / "max_cut.py"))
    split = task.fresh_split(SEED)
    with Evaluator(task) as evaluator:
        found = evaluator.evaluate(task.template, split)
    assert list(found.objectives) == evaluate_in_process(task, task.template, split)


def test_a_process_that_was_killed_gets_the_instances_again(knapsack) -> None:
    split = knapsack.task.fresh_split(SEED)
    first = knapsack.evaluate(knapsack.task.template, split)
    for pid in knapsack.process_ids:
        os.kill(pid, signal.SIGKILL)
    assert knapsack.evaluate(knapsack.task.template, split).objectives == first.objectives


def test_what_happened_on_fresh_instances_is_not_remembered(tmp_path) -> None:
    cache = EvaluationCache(tmp_path / "cache.sqlite")
    with Evaluator(KNAPSACK, cache=cache) as evaluator:
        task = evaluator.task
        objectives = [evaluator.evaluate(task.template, task.fresh_split(seed)).objectives for seed in (SEED, SEED + 1)]
        assert objectives[0] != objectives[1]
        assert not evaluator.evaluate(task.template, task.fresh_split(SEED)).cached
        assert cache._connection is not None
        assert cache._connection.execute("SELECT COUNT(*) FROM evaluations").fetchone() == (0,)


def test_a_program_finds_its_instances_but_not_their_seed(knapsack) -> None:
    split = knapsack.task.fresh_split(SEED)
    words = np.random.SeedSequence(SEED).generate_state(4).tolist()

    def scan(*numbers: object) -> str:
        return SCAN.format(numbers=[str(number)[::-1] for number in numbers])

    assert knapsack.evaluate(scan(SEED, hex(SEED), *words), split).status == "ok"
    # The same scan does find what is there.
    there = knapsack.evaluate(scan(987_654_321) + "\nhidden = 987654321\n", split)
    assert (there.status, "here it is" in there.message) == ("exception", True)


def test_an_online_program_does_not_hold_the_games_to_come(packing) -> None:
    split = packing.task.fresh_split(SEED, 2)
    found = packing.evaluate(FORESIGHT, split)
    assert (found.status, found.message) == ("ok", "")
    assert found.objectives == packing.evaluate(packing.task.template, split).objectives


# -- what is said ------------------------------------------------------------------------------------------------------


def test_the_probability_is_that_of_all_ways_to_divide_the_instances() -> None:
    assert private_holdout.p_value(np.ones(5), np.zeros(10)) == pytest.approx(1 / 3003)
    assert private_holdout.p_value(np.zeros(5), np.ones(10)) == 1.0
    assert private_holdout.p_value(np.full(5, 0.1), np.full(10, 0.1)) == 1.0
    assert private_holdout.p_value(np.array([1.0, 0.0]), np.array([0.0, 0.0])) == pytest.approx(0.5)
    far = np.random.default_rng(1).normal(size=(2, 40))
    assert private_holdout.p_value(far[0] + 9, far[1]) < 1e-4
    assert private_holdout.p_value(far[0], far[1]) == private_holdout.p_value(far[0], far[1]) > 0.01


def test_chance_is_blamed_as_often_as_it_may_be() -> None:
    draw = np.random.default_rng(3).standard_exponential
    values = [private_holdout.p_value(draw(5), draw(10)) for _ in range(400)]
    assert sum(value < 0.01 for value in values) <= 12
    assert 0.42 < np.mean(values) < 0.58


@pytest.mark.integration
def test_a_program_that_knows_the_published_games_is_found_out(packing) -> None:
    on_search = [packing.evaluate(source).objectives for source in (public_future.PROGRAM, packing.task.template)]
    assert np.mean(on_search[0]) < 2020 < 2090 < np.mean(on_search[1])  # no online rule comes near
    found = private_holdout.check(packing.task, packing, SEED, public_future.PROGRAM, tuple(on_search))
    assert found.agrees is False
    assert found.p_value < 0.001
    assert (found.private_gain, found.found) == (0.0, found.reference)
    assert found.search_gain > 0.03
    assert "disagree by more than chance (p = 0.000" in private_holdout.warning(found)


@pytest.mark.integration
@pytest.mark.parametrize("name", [KNAPSACK, "set_cover_construct", "tsp_construct"])
def test_honest_programs_are_left_alone(name) -> None:
    task = get_task(name)
    rows = sorted(load_corpus(name), key=lambda row: (row.score, row.hash))
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template).objectives
        for program in [task.template, *(row.program for row in rows[:: len(rows) // 3])]:
            on_search = (evaluator.evaluate(program).objectives, reference)
            found = private_holdout.check(task, evaluator, SEED, program, on_search, task.template)
            assert found.agrees is True
            assert private_holdout.warning(found) is None
            assert found.corpus == found.reference


def test_a_program_that_fails_on_fresh_instances_is_named(knapsack) -> None:
    task = knapsack.task
    known = {(item[0], item[1]) for instance in task.instances("search") for item in instance.items}
    program = f"known = {known}\n{task.template}".replace(
        "    best", "    assert all((w, v) in known for w, v, _ in remaining_items)\n    best", 1
    )
    assert "assert" in program
    objectives = knapsack.evaluate(program).objectives
    found = private_holdout.check(task, knapsack, SEED, program, (objectives, objectives))
    assert (found.agrees, found.found, found.p_value) == (False, None, None)
    assert "fails on the private holdout: exception" in private_holdout.warning(found)


def test_few_instances_tell_nothing() -> None:
    task = SimpleNamespace(split=lambda name: SimpleNamespace(count=1))
    assert private_holdout.count_for(task) == 32
    counts = {name: private_holdout.count_for(get_task(name)) for name in (PACKING, KNAPSACK, "tsp_construct")}
    assert counts == {PACKING: 10, KNAPSACK: 32, "tsp_construct": 16}


@pytest.mark.parametrize("text", ["", "0x", "12.5", "-3", "0x" + "f" * 33, "9" * 9999, True, 1.5])
def test_what_is_no_seed_is_refused(text) -> None:
    with pytest.raises(CallError, match="a private seed is a whole number"):
        private_holdout.parse_seed(text)


def test_seeds_are_numbers_or_their_text() -> None:
    assert private_holdout.parse_seed(hex(SEED)) == private_holdout.parse_seed(str(SEED)) == SEED
    seeds = {private_holdout.draw_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert max(seeds).bit_length() > 120


@pytest.mark.parametrize(
    "data", [[], "x", {}, {"seed": 3}, {"seed": "0x1", "count": "7"}, {"seed": "0x1", "p_value": True}]
)
def test_a_mangled_private_holdout_is_one_line(data) -> None:
    with pytest.raises(CallError, match="private holdout"):
        PrivateHoldout.from_dict(data)


def test_a_private_holdout_survives_json() -> None:
    before = PrivateHoldout(hex(SEED), 16, 1.0, 2.0, None, 0.5, 0.5, 0.0, 0.7, True)
    assert PrivateHoldout.from_dict(json.loads(json.dumps(before.as_dict()))) == before
    assert PrivateHoldout.from_dict(None) is None


# -- searches ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch):
    """The published splits and the corpus are not what these tests are about: they are left out of the comparison."""
    run = "lhs_hf.search.search"
    monkeypatch.setattr(f"{run}.best_corpus_row", lambda task: None)
    monkeypatch.setattr(f"{run}.compare_on_splits", lambda task, evaluator, programs, *_: {who: {} for who in programs})


def search(folder: Path | None, **arguments):
    settings = SearchSettings.from_preset("latent", budget=arguments.pop("budget", 4), seed=1)
    return run_search(
        get_task(KNAPSACK),
        settings,
        components=Parts(),
        output=folder,
        workers=1,
        store=folder is not None,
        **arguments,
    )


def test_searches_differ_in_the_private_holdout_alone(short, tmp_path) -> None:
    results = [search(tmp_path / name).as_dict() for name in ("a", "b")]
    private = [result.pop("private_holdout") for result in results]
    for result in results:
        del result["runtime_s"], result["output"], result["conclusion"]
    assert results[0] == results[1]
    assert private[0]["seed"] != private[1]["seed"]
    assert private[0]["reference"] != private[1]["reference"]
    assert (private[0]["count"], private[0]["agrees"]) == (32, True)
    for name, each in zip("ab", private):
        with RunDatabase(tmp_path / name / "run.sqlite") as database:
            assert database.get("private_seed") == each["seed"]
            assert each["seed"] not in json.dumps(database.get("identity"))


def test_a_seed_replays_a_private_holdout(short, tmp_path) -> None:
    first = search(tmp_path / "a").private_holdout
    assert search(None, private_seed=first["seed"]).private_holdout == first
    assert search(None, private_seed=int(first["seed"], 0)).private_holdout == first


@pytest.mark.integration
def test_a_resumed_search_keeps_the_seed_that_was_stored_at_its_start(short, tmp_path) -> None:
    def interrupt(candidate):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(tmp_path / "a", listener=interrupt)
    with RunDatabase(tmp_path / "a" / "run.sqlite") as database:
        stored = database.get("private_seed")
    with pytest.raises(CallError, match="another private seed"):
        search(tmp_path / "a", resume=True, private_seed=SEED)
    first = search(tmp_path / "a", resume=True)
    assert first.private_holdout["seed"] == stored
    assert search(tmp_path / "a", resume=True, private_seed=stored).private_holdout == first.private_holdout
    for mangled in ("0x7e8", "a lot", [1]):
        with RunDatabase(tmp_path / "a" / "run.sqlite") as database:
            database.set("private_seed", mangled)
        with pytest.raises(CallError, match="private"):
            search(tmp_path / "a", resume=True)


def test_a_program_is_evaluated_on_the_private_holdout_of_a_search(short, capsys, tmp_path) -> None:
    file = tmp_path / "program.py"
    file.write_text(get_task(KNAPSACK).template)
    assert main(["evaluate", KNAPSACK, str(file), "--private-seed", hex(SEED), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["split"] == f"private holdout {hex(SEED)}"
    assert printed["objective"] == search(None, private_seed=SEED, budget=1).private_holdout["reference"]
    assert main(["evaluate", KNAPSACK, str(file), "--private-seed", "2024"]) == 2
    assert "that no published split has" in capsys.readouterr().err


@pytest.mark.parametrize("seed", [2024, "2025", "a lot"])
def test_a_search_with_a_seed_that_is_not_private_does_not_start(tmp_path, seed) -> None:
    with pytest.raises(CallError, match="private"):
        search(tmp_path / "a", private_seed=seed)
    assert not (tmp_path / "a").exists()


def test_a_search_that_is_stopped_has_no_private_holdout(short) -> None:
    assert search(None, stop=lambda: True).private_holdout is None


@pytest.mark.integration
def test_terminal_and_report_begin_with_the_warning(short, capsys, monkeypatch, tmp_path) -> None:
    class Cheats(Parts):
        def decode(self, points, *arguments, **options):
            decoded = super().decode(points, *arguments, **options)
            for each in decoded:
                each.source = public_future.PROGRAM
            return decoded

    monkeypatch.setattr("lhs_hf.search.options.load_components", lambda *_, **__: Cheats())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    arguments = ["--preset", "latent", "--budget", "1", "--output", "run", "--private-seed", hex(SEED)]
    assert main(["search", PACKING, *arguments]) == 0
    printed = capsys.readouterr().out
    warning = "search and private holdout disagree by more than chance (p = 0.000"
    assert printed.index(f"Warning: {warning}") < printed.index("best in corpus")
    assert f"private holdout (10 fresh instances, seed {hex(SEED)}): better than the reference by 0.00 %" in printed
    assert main(["report", "run"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[2].startswith(f"> **Warning: {warning}")
    assert "| private | 209" in text
    assert f"- private holdout (10 fresh instances, seed {hex(SEED)}): " in text
