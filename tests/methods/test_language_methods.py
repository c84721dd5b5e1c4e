"""Methods with a language model: order and number of their calls, whom they choose, and going on after any end."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from text_models import save_pair

from lhs_hf.decoding.budget import Budget
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.language import Calls, LocalModel, Metered, Request, Script, Transcript, write_transcript
from lhs_hf.methods import LANGUAGE_METHODS, Result, language_method
from lhs_hf.methods.eoh import EoH, EoHSettings
from lhs_hf.methods.funsearch import FunSearch, FunSearchSettings, Island
from lhs_hf.methods.hsevo import HSEvo, HSEvoSettings, read_ranges, with_defaults
from lhs_hf.methods.language_method import Individual, LanguageMethod, idea_of
from lhs_hf.methods.mcts_ahd import MCTSAHD, Node
from lhs_hf.methods.reevo import ReEvo, ReEvoSettings
from lhs_hf.methods.selection import drawn, rank_probabilities, survivors
from lhs_hf.methods.told import Told, drive
from lhs_hf.programs import program_hash
from lhs_hf.store import MEMORY
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
NAMES = sorted(LANGUAGE_METHODS)


def program(number: int, name: str = TASK.function_name) -> str:
    """A rule that differs from every other number's."""
    return (
        f"import math\n\ndef helper(item):\n    return item[1] - {number + 1} * math.sqrt(item[0])\n\n"
        f"def {name}(remaining_capacity, remaining_items, weight=0.5):\n"
        "    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]\n"
        "    return max(fitting, key=helper, default=None)\n"
    )


def answer(number: int, request: Request) -> str:
    """What a model says to each kind of request: an idea with a program, numbers with ranges, or words."""
    text = request.messages[-1]["content"]
    if "two fenced blocks" in text:
        return f"```python\n{program(number)}```\n```\n{{'weight': (0.0, {number + 1}.0)}}\n```"
    if request.role in ("short", "long", "flash", "describe", "comprehensive"):
        return f"Analysis: {number} sets them apart.\nExperience: lesson {number}."
    version = re.search(r"Complete `(\w+)`", text)
    return f"{{Idea {number}}}\n```python\n{program(number, version[1] if version else TASK.function_name)}```"


def one_in_three_fails(number: int, request: Request) -> str:
    """The same, but 30 % of the replies that should hold a program hold none."""
    return "I can not help with that." if number % 10 in (2, 5, 7) else answer(number, request)


def worth(source: str) -> float:
    """A score that follows from the program."""
    return -(int(program_hash(source)[:6], 16) % 10_000) / 1000


def run(
    name: str,
    budget: int = 100,
    say: Callable[[int, Request], str] = answer,
    settings: Any = None,
    calls: Calls | None = None,
    seed: int = 0,
    rate: Callable[[str], float | None] = worth,
) -> tuple[LanguageMethod, list[str], list[str]]:
    """A method to its end: itself, the roles of its calls, the programs it had evaluated."""
    calls = calls or Calls(MEMORY)
    method = language_method(name)(TASK, Metered(Script(say), calls, Budget(budget), seed), settings, seed)
    sources = []
    while proposals := method.ask():
        sources += [proposal.source for proposal in proposals]
        method.tell([Result(each, rate(each.source), (1.0, 2.0)) for each in proposals])
    return method, [call.request["role"] for call in calls], sources


def first_roles(name: str, count: int, settings: Any, **options: Any) -> list[str]:
    return run(name, count, settings=settings, **options)[1][:count]


# -- all methods -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("say", [answer, one_in_three_fails])
def test_every_call_counts_and_there_are_exactly_a_hundred(name: str, say: Any) -> None:
    method, roles, sources = run(name, say=say)
    assert len(roles) == 100
    assert method.over
    assert method.ask() == []
    assert sources[0] == TASK.template
    assert len(sources) > 1
    assert method.best is not None
    assert method.best.score == max(worth(source) for source in sources)


@pytest.mark.parametrize("name", NAMES)
def test_one_seed_gives_one_run(name: str) -> None:
    first, again, other = (run(name, 60, one_in_three_fails, seed=seed)[1:] for seed in (0, 0, 1))
    assert first == again
    if name not in ("best_of_n", "sequential"):
        assert run(name, 60, one_in_three_fails, seed=0)[2]
    assert len(other[0]) == 60


@pytest.mark.parametrize("name", NAMES)
def test_a_run_that_ends_at_any_call_goes_on_as_if_nothing_had_been(name: str, tmp_path: Path) -> None:
    with Calls(MEMORY) as calls:
        _, roles, sources = run(name, 40, one_in_three_fails, calls=calls)
        whole = [call.as_dict() for call in calls]
    for end in (0, 1, 7, 18, 39):
        with Calls(tmp_path / f"{name}-{end}.sqlite") as calls:

            def dies(number: int, request: Request, end: int = end) -> str:
                if number == end:
                    raise KeyboardInterrupt
                return one_in_three_fails(number, request)

            with pytest.raises(KeyboardInterrupt):
                run(name, 40, dies, calls=calls)
            done = sum(call.reply is not None for call in calls)
            assert done == end
            again = run(
                name, 40, lambda number, request, done=done: one_in_three_fails(number + done, request), calls=calls
            )
            assert again[1:] == (roles, sources)
            assert [call.as_dict() for call in calls] == whole


@pytest.mark.parametrize("name", NAMES)
def test_a_state_goes_on_where_it_was_taken(name: str) -> None:
    calls = Calls(MEMORY)
    settings = language_method(name).settings_type()

    def fresh(seed: int = 0) -> LanguageMethod:
        return language_method(name)(TASK, Metered(Script(answer), calls, Budget(30), seed), settings, seed)

    method = fresh()
    for _ in range(4):
        proposals = method.ask()
        method.tell([Result(each, worth(each.source)) for each in proposals])
    copy = fresh()
    copy.restore(method.state())
    assert copy.ask() == method.ask()
    assert copy.best == method.best
    with pytest.raises(CallError, match="another run"):
        fresh(1).restore(method.state())
    with pytest.raises(CallError, match="expected results"):
        method.tell([])


@pytest.mark.parametrize("name", NAMES)
def test_what_was_recorded_gives_the_same_run_again(name: str, tmp_path: Path) -> None:
    with Calls(MEMORY) as calls:
        _, roles, sources = run(name, 25, one_in_three_fails, calls=calls)
        write_transcript(calls, tmp_path / "transcript.jsonl")
    with Calls(MEMORY) as calls:
        model = Metered(Transcript(tmp_path / "transcript.jsonl"), calls, Budget(25), 0)
        method = language_method(name)(TASK, model, None, 0)
        replayed = []
        while proposals := method.ask():
            replayed += [proposal.source for proposal in proposals]
            method.tell([Result(each, worth(each.source), (1.0, 2.0)) for each in proposals])
        assert replayed == sources
        assert [call.request["role"] for call in calls] == roles


@pytest.mark.parametrize("name", NAMES)
def test_programs_that_fail_stop_no_method(name: str) -> None:
    _, roles, sources = run(name, 50, rate=lambda source: worth(source) if source == TASK.template else None)
    assert sources
    assert len(roles) <= 50
    if name in ("best_of_n", "sequential", "funsearch", "eoh", "mcts_ahd"):
        assert len(roles) == 50


def test_samples_go_on_where_even_the_reference_fails() -> None:
    _, roles, _ = run("sequential", 5, rate=lambda _: None)
    assert roles == ["sample"] * 5


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(CallError, match="did you mean 'reevo'"):
        language_method("revo")


def test_helpers_and_imports_of_a_reply_stay() -> None:
    _, _, sources = run("best_of_n", 1)
    assert sources[1] == program(0)


def test_an_idea_is_what_stands_in_braces() -> None:
    assert idea_of("Well.\n{Sort by value,\nthen take.}\n```python\nx = {}\n```") == "Sort by value, then take."
    assert idea_of("First line.\nSecond.\n```python\n```") == "First line."
    assert idea_of("```python\nx = 1\n```") == ""


# -- selection ---------------------------------------------------------------------------------------------------------


def people(*scores: float | None) -> list[Individual]:
    return [Individual(program(number), score) for number, score in enumerate(scores)]


def test_ranks_are_drawn_as_in_the_two_codes() -> None:
    assert rank_probabilities(3, 3, 1).round(3).tolist() == [0.405, 0.324, 0.27]
    assert rank_probabilities(3, 3).round(3).tolist() == [0.426, 0.319, 0.255]
    counts = Counter(each.score for each in drawn(people(1.0, 3.0, None, 2.0), 4000, 3, np.random.default_rng(0)))
    assert counts.keys() == {1.0, 2.0, 3.0}
    assert [round(counts[score] / 4000, 2) for score in (3.0, 2.0, 1.0)] == pytest.approx([0.43, 0.32, 0.26], abs=0.03)
    assert drawn(people(None), 2, 3, np.random.default_rng(0)) == []


def test_one_of_each_score_survives() -> None:
    kept = survivors(people(1.0, 2.0, 2.0000001, None, 0.5), 2)
    assert [each.score for each in kept] == [2.0, 1.0] or [each.score for each in kept] == [2.0000001, 1.0]


# -- EoH ---------------------------------------------------------------------------------------------------------------


def test_eoh_asks_in_the_order_of_each_variant() -> None:
    original = EoHSettings(population=2, variant="original")
    assert first_roles("eoh", 12, original) == ["i1"] * 4 + ["e1"] * 2 + ["e2"] * 2 + ["m1"] * 2 + ["m2"] * 2
    port = EoHSettings(population=2)
    assert first_roles("eoh", 8, port) == ["i1", "i1", "e1", "e2", "m1", "m2", "e1", "e2"]


def test_eoh_shows_ideas_and_programs_and_never_scores() -> None:
    with Calls(MEMORY) as calls:
        run("eoh", 6, settings=EoHSettings(population=2), calls=calls)
        texts = [call.request["messages"][-1]["content"] for call in calls]
    assert "Idea: Idea 0" in texts[2] or "Idea: Idea 1" in texts[2]
    assert all("score" not in text.lower().replace("scoring", "") for text in texts)


# -- ReEvo -------------------------------------------------------------------------------------------------------------


def test_reevo_asks_in_the_order_of_each_variant() -> None:
    small = ReEvoSettings(population=2, initial=2)
    assert first_roles("reevo", 8, small) == ["init", "init", "short", "short", "cross", "cross", "long", "mutate"]
    port = ReEvoSettings(population=2, initial=2, variant="llm4ad")
    assert first_roles("reevo", 8, port) == ["init", "init", "short", "cross", "short", "cross", "long", "mutate"]


def test_reevo_shows_the_better_program_last_and_remembers() -> None:
    with Calls(MEMORY) as calls:
        method, _, _ = run("reevo", 20, settings=ReEvoSettings(population=2, initial=2), calls=calls)
        requests = [(call.request["role"], call.request["messages"][-1]["content"]) for call in calls]
        replies = [call.reply.text for call in calls if call.reply]
    for role, text in requests:
        if role == "short":
            worse, better = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
            assert worth(worse) < worth(better)
    longs = [number for number, (role, _) in enumerate(requests) if role == "long"]
    assert len(longs) >= 2
    assert replies[longs[0]].strip() in requests[longs[1]][1]
    assert method.best is not None


def test_reevo_keeps_the_elitist_through_a_bad_generation() -> None:
    scores = iter([-5.0, -1.0, -2.0] + [-9.0] * 100)
    method, _, _ = run("reevo", 20, settings=ReEvoSettings(population=2, initial=2), rate=lambda _: next(scores))
    assert isinstance(method, ReEvo)
    assert method.best is not None
    assert method.best.score == -1.0


def test_reevo_ends_without_two_different_scores() -> None:
    _, roles, _ = run("reevo", 50, settings=ReEvoSettings(population=2, initial=3), rate=lambda _: 1.0)
    assert roles == ["init"] * 3


# -- HSEvo -------------------------------------------------------------------------------------------------------------


def test_hsevo_spends_ten_evaluations_on_a_harmony_search() -> None:
    method, roles, sources = run("hsevo", 8, settings=HSEvoSettings(population=2, initial=2))
    assert isinstance(method, HSEvo)
    assert roles == ["init", "init", "flash", "comprehensive", "cross", "cross", "mutate", "harmony"]
    # The reference, two first programs, two crossovers, one mutation, and the vectors.
    assert len(sources) == 1 + 2 + 2 + 1 + 10


def test_a_table_of_ranges_is_read_as_data() -> None:
    code = f"```python\n{program(1)}```"
    assert read_ranges(f"{code}\n```python\nranges = {{'weight': (0, 2)}}\n```", TASK.function_name) == (
        program(1),
        {"weight": (0.0, 2.0)},
    )
    for table in ("__import__('os').system('true')", "{'other': (0, 1)}", "{'weight': (2, 1)}", "{'weight': 1}", "{}"):
        assert read_ranges(f"{code}\n```\n{table}\n```", TASK.function_name) is None
    assert read_ranges(code, TASK.function_name) is None
    assert "weight=0.25" in with_defaults(program(1), TASK.function_name, {"weight": 0.25})


# -- FunSearch ---------------------------------------------------------------------------------------------------------


def fun(variant: str = "llm4ad", **settings: Any) -> FunSearch:
    model = Metered(Script(answer), Calls(MEMORY), Budget(10))
    return FunSearch(TASK, model, FunSearchSettings(variant=variant, **settings))


def island(*scores: float) -> Island:
    made = Island()
    for each in people(*scores):
        made.add(each, each.score)
    made.registered = 0
    return made


def test_funsearch_draws_clusters_by_softmax() -> None:
    assert fun("original").cluster_probabilities(island(-7.0, -6.5)).round(3)[1] == 0.993
    assert fun().cluster_probabilities(island(-7.0, -6.5)).round(3)[1] == 0.671
    bins = island(-2091.8, -2090.0)
    assert fun().cluster_probabilities(bins).round(3).tolist() == [0.498, 0.502]
    assert fun("original").cluster_probabilities(bins).round(3).tolist() == [0.0, 1.0]


def test_funsearch_prefers_short_programs() -> None:
    pair = [Individual("x" * 100, 1.0), Individual("x" * 200, 1.0)]
    assert FunSearch.length_probabilities(pair).round(3)[0] == 0.622


def test_funsearch_restarts_the_worse_half_with_survivors() -> None:
    islands = [island(score) for score in (5.0, 1.0, 4.0, 2.0, 3.0, 9.0)]
    founders = {islands[number].best.score for number in (0, 2, 5)}
    kept = [islands[number] for number in (0, 2, 5)]
    fun().restart(islands)
    assert [islands[number] for number in (0, 2, 5)] == kept
    for number in (1, 3, 4):
        assert islands[number].best.score in founders
        assert sum(map(len, islands[number].clusters.values())) == 1


def test_funsearch_asks_for_the_next_version() -> None:
    with Calls(MEMORY) as calls:
        run("funsearch", 60, settings=FunSearchSettings(islands=1), calls=calls)
        texts = [call.request["messages"][-1]["content"] for call in calls]
    assert f"Complete `{TASK.function_name}_v1`" in texts[0]
    assert f"Complete `{TASK.function_name}_v2`" in texts[-1]
    assert len(set(texts[:4])) == 1


def test_funsearch_takes_no_program_that_calls_an_earlier_version() -> None:
    def cheats(number: int, request: Request) -> str:
        name = TASK.function_name
        return f"```python\ndef {name}_v1(a, b):\n    return {name}_v0(a, b)\n```"

    def recursive(number: int, request: Request) -> str:
        name = TASK.function_name
        return (
            f"```python\ndef {name}_v1(a, b):\n    return {name}_v1(a, b[1:]) if len(b) > {number + 2} else b[0]\n```"
        )

    assert len(run("funsearch", 8, cheats)[2]) == 1
    assert len(run("funsearch", 8, recursive)[2]) == 9
    assert f"{TASK.function_name}(a, b[1:])" in run("funsearch", 1, recursive)[2][1]


# -- MCTS-AHD ----------------------------------------------------------------------------------------------------------


def mcts(spent: int = 0, budget: int = 100) -> MCTSAHD:
    return MCTSAHD(TASK, Metered(Script(answer), Calls(MEMORY), Budget(budget, spent)))


def test_mcts_explores_at_first_and_not_in_the_end() -> None:
    root = Node(visits=9)
    good = Node(Individual(program(0), -6.0), root, -6.0, 4)
    tried = Node(Individual(program(1), -6.1), root, -6.1, 1)
    bad = Node(Individual(program(2), -8.0), root, -8.0, 4)
    root.children = [good, tried, bad]
    assert mcts().uct(good, root) == pytest.approx(1.076, abs=5e-4)
    assert mcts().uct(tried, root) == pytest.approx(1.102, abs=5e-4)
    assert mcts().choose(root) is tried
    assert mcts(100).choose(root) is good


def test_mcts_widens_by_the_root_of_the_visits() -> None:
    node = Node(visits=24, children=[Node() for _ in range(4)])
    assert not mcts().widens(node)
    node.visits = 25
    assert mcts().widens(node)


def test_mcts_asks_in_its_order_and_describes_every_program() -> None:
    roles = run("mcts_ahd", 60)[1]
    written = [role for role in roles if role != "describe"]
    assert written[:9] == ["i1", "e1", "e1", "e1", "e2", "m1", "m1", "m2", "m2"]
    assert "s1" not in written[:9]
    assert roles[1::2].count("describe") >= 25


def test_mcts_carries_the_best_value_up() -> None:
    root = Node(visits=0)
    one = MCTSAHD.insert(root, Individual(program(0), -5.0))
    MCTSAHD.insert(root, Individual(program(1), -3.0))
    deep = MCTSAHD.insert(one, Individual(program(2), -1.0))
    assert (root.visits, root.value, one.visits, one.value) == (3, -1.0, 2, -1.0)
    assert [each.score for each in deep.path()] == [-1.0, -5.0]


# -- end to end --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    return LocalModel(str(save_pair(tmp_path_factory.mktemp("pair"))[1]))


@pytest.mark.parametrize("name", NAMES)
def test_a_tiny_model_goes_through_every_method(name: str, tiny: LocalModel) -> None:
    with Evaluator(TASK, workers=1) as evaluator, Calls(MEMORY) as calls, Told(MEMORY) as told:
        model = Metered(tiny, calls, Budget(4), max_tokens=6)
        method = language_method(name)(TASK, model)
        runs = drive(method, evaluator, told)
        assert len(list(calls)) == 4
        assert runs == 32 * len(list(told))
        assert next(iter(told)).status == "ok"


def test_a_driven_method_goes_on_where_it_was(tmp_path: Path) -> None:
    def driven(folder: Path, budget: int, say: Any = answer) -> list[Any]:
        with (
            Evaluator(TASK, workers=1) as evaluator,
            Calls(folder / "calls.sqlite") as calls,
            Told(folder / "told.sqlite") as told,
        ):
            drive(EoH(TASK, Metered(Script(say), calls, Budget(6))), evaluator, told, budget)
            return [(each.program, each.score, each.runs) for each in told]

    whole = driven(tmp_path / "whole", 7 * 32)
    assert len(whole) == 7
    assert len(driven(tmp_path / "cut", 3 * 32)) == 3
    # Two calls were answered in the first part.
    assert driven(tmp_path / "cut", 7 * 32, lambda number, request: answer(number + 2, request)) == whole
    (tmp_path / "cut" / "calls.sqlite").unlink()
    with pytest.raises(CallError, match="begun differently"):
        driven(tmp_path / "cut", 7 * 32, lambda number, request: answer(number + 50, request))


def test_the_example_of_the_docs_runs(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "methods.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    score, _, counts = done.stdout.partition(" ")
    assert float(score) > 230
    assert sum(ast.literal_eval(counts).values()) == 20
