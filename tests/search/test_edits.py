"""Edits: what each operator gives, which numbers are live, what a proposer lets through, how constants are tuned."""

from __future__ import annotations

import ast
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lhs_hf.corpus.augmentation import transform_names
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.methods.hill_climbing import corpus_starts
from lhs_hf.programs import canonical, check_signature, parse, program_hash
from lhs_hf.search.edits import (
    Behaviours,
    Crossover,
    Known,
    Lanes,
    Parent,
    Proposal,
    Proposer,
    Restart,
    SameValue,
    Sizes,
    SparseLiterals,
    TreeEdit,
    Tuner,
    behaviour_key,
    draw_by_rank,
    edits,
    literals,
    live_literals,
    refusal,
    replaced,
    tune,
)
from lhs_hf.tasks import get_task, task_names

MAX_CUT = str(Path(__file__).parents[2] / "examples" / "max_cut.py")
HEAD = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"
SIDES = """\
import numpy as np


def select_next_node(unplaced_nodes, side_weights, weight_matrix):
    gain = 1.5 * np.abs(side_weights[0] - side_weights[1]) + 0.25 * weight_matrix.sum(axis=1)
    return max(list(unplaced_nodes)[:20], key=lambda node: gain[node])
"""


def tsp(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.strip().splitlines())


WEIGHED = tsp(
    """
guard = 1e-9
unused = 7.5
weight = 0.4
cost = lambda node: distance_matrix[current_node][node] - weight * distance_matrix[node][destination_node] + guard
return min(unvisited_nodes, key=cost)
"""
)


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator("tsp_construct") as evaluator:
        yield evaluator


@pytest.fixture(scope="module")
def behaviours(evaluator):
    return Behaviours(evaluator)


@cache
def parents(task: str) -> tuple[Parent, ...]:
    return tuple(corpus_starts(get_task(task)))


def proposals(name: str, task_name: str, seed: int, count: int = 4) -> list[Proposal]:
    task, pool = get_task(task_name), parents(task_name)
    edit, generator = edits(restarts=pool)[name], np.random.default_rng(seed)
    drawn = [edit.propose(parent, pool, task, generator) for parent in pool[:count]]
    return [proposal for proposal in drawn if proposal is not None]


LANES = tsp(
    """
import numpy as np
"naïve: é"; centre, size = np.array([0.2, -0.4, 0.6]), len(unvisited_nodes)
home = (0, 1, 1)
spot = np.repeat(np.arange(min(3, size)), 3)
best = sum(centre) * sum(home) + len(spot)
return unvisited_nodes[int(best) // 3 % size]
"""
)


def test_lanes_grow_in_all_their_rows_and_counts() -> None:
    parent = Parent(LANES, program_hash(LANES), "family", 0.0)
    proposal = Lanes().propose(parent, [], get_task("tsp_construct"), np.random.default_rng(2))
    rows = [
        ast.literal_eval(node)
        for node in ast.walk(ast.parse(proposal.source))
        if isinstance(node, ast.List | ast.Tuple) and isinstance(node.elts[0], ast.Constant)
    ]
    (home, centre), longer = rows, len(rows[0])
    assert longer == len(centre) > 3
    assert centre[:3] == [0.2, -0.4, 0.6]
    assert home[:3] == (0, 1, 1)
    assert set(home) == {0, 1}
    assert f"min({longer}, size)), {longer})" in proposal.source
    assert f"// {longer} %" in proposal.source
    assert "naïve: é" in proposal.source
    short = Parent(WEIGHED, program_hash(WEIGHED), "family", 0.0)
    assert Lanes().propose(short, [], get_task("tsp_construct"), np.random.default_rng(2)) is None


@pytest.mark.parametrize("task_name", task_names())
def test_every_edit_gives_programs_that_parse_keep_the_signature_and_differ(task_name) -> None:
    task, pool = get_task(task_name), parents(task_name)
    sources = {parent.hash: parent.source for parent in pool}
    families = {parent.family for parent in pool}
    applied = set()
    for name in edits(restarts=pool):
        for proposal in proposals(name, task_name, seed=3):
            check_signature(parse(proposal.source), task.function_name, len(task.arguments))
            assert canonical(proposal.source) != canonical(sources[proposal.parents[0]])
            assert proposal.operator == name
            assert proposal.family in families
            assert proposal.changes
            applied.add(name)
    assert applied >= {"literals", "transform", "transforms", "crossover", "restart"}


@pytest.mark.parametrize("name", list(edits(restarts=(Parent.of(WEIGHED, "own", 0.0),))))
def test_the_same_generator_gives_the_same_proposals(name) -> None:
    first, second = (proposals(name, "cvrp_construct", seed=5) for _ in range(2))
    assert first == second
    if first:
        assert first != proposals(name, "cvrp_construct", seed=6)


def test_literals_know_their_places_values_and_kinds() -> None:
    source = tsp(
        """
é = "ü"; rate = 0.25
limit = 12
for step in range(30):
    rate = rate * 3 - 2.0
flag, big, tiny = True, 1e18, 1e-12
return unvisited_nodes[0] if flag else sorted(unvisited_nodes)[:5][-1] + int(f"{7}") * 0
"""
    )
    kinds = [(source[each.start : each.stop], each.kind) for each in literals(source)]
    assert kinds == [
        ("0.25", "number"),
        ("12", "size"),
        ("30", "size"),
        ("3", "number"),
        ("2.0", "number"),
        ("True", "flag"),
        ("5", "size"),
        ("0", "flag"),
    ]
    rate, limit = literals(source)[:2]
    text = replaced(source, {limit: 24, rate: -0.5})
    assert "rate = (-0.5)\n" in text
    assert "limit = 24\n" in text
    assert text.count("\n") == source.count("\n")


def test_an_edit_of_numbers_keeps_whole_numbers_whole_and_the_rest_of_the_text(behaviours) -> None:
    source = tsp("# as it is\ntop = 6\nnear = sorted(unvisited_nodes)[:top]\nreturn near[-1] if 3 > 0.5 else near[0]")
    parent, pool = Parent.of(source, "own", 0.0), []
    for seed in range(40):
        for edit in (SparseLiterals(), Sizes()):
            proposal = edit.propose(parent, pool, behaviours.task, np.random.default_rng(seed))
            before, after = literals(source), literals(proposal.source)
            assert [type(each.value) for each in before] == [type(each.value) for each in after]
            assert 1 <= sum(one.value != two.value for one, two in zip(before, after)) <= 3
            assert "# as it is" in proposal.source
            if edit.name == "sizes":
                assert [each.value for each in after][1:] == [3, 0.5]


def test_a_value_changes_at_all_its_places() -> None:
    task = get_task("tsp_construct")
    source = tsp("a = 0.7\nb = 0.7\nc = 0.2\nreturn min(unvisited_nodes, key=lambda n: a * n - b / (n + c))")
    proposal = SameValue().propose(Parent.of(source, "own", 0.0), [], task, np.random.default_rng(0))
    values = [each.value for each in literals(proposal.source)]
    assert values[0] == values[1] != 0.7
    assert values[2] == 0.2
    alone = Parent.of(tsp("return unvisited_nodes[0]"), "own", 0.0)
    assert SameValue().propose(alone, [], task, np.random.default_rng(0)) is None


def test_liveness_tells_a_weight_from_numbers_that_decide_nothing(behaviours) -> None:
    unused, weight = literals(WEIGHED)  # the guard against division by zero is none
    assert (unused.value, weight.value) == (7.5, 0.4)
    assert behaviours.is_live(WEIGHED, weight)
    assert not behaviours.is_live(WEIGHED, unused)
    assert 0 < behaviours.effect(WEIGHED, weight) <= 1
    assert behaviours.effect(WEIGHED, unused) == 0
    assert live_literals(WEIGHED, behaviours) == [weight]


def test_the_most_effective_literals_come_first(behaviours) -> None:
    source = WEIGHED.replace("guard = 1e-9", "guard = 0.0001 * len(unvisited_nodes) ** 2")
    two = live_literals(source, behaviours, most=2)
    assert [each.value for each in live_literals(source, behaviours, most=1)] == [0.4]
    assert 0.4 in [each.value for each in two]


def test_programs_that_decide_alike_share_a_key(evaluator, behaviours) -> None:
    renamed = WEIGHED.replace("weight", "share")
    assert program_hash(renamed) != program_hash(WEIGHED)
    assert behaviours.key(renamed) == behaviours.key(WEIGHED) == behaviour_key(WEIGHED, evaluator)
    assert behaviours.key(WEIGHED.replace("0.4", "0.9")) != behaviours.key(WEIGHED)
    assert behaviours.key(tsp("return None")) is None
    assert not behaviours.differ(renamed, WEIGHED)


def test_practice_instances_show_what_small_probe_states_hide(behaviours) -> None:
    """Probe states have up to 24 nodes or so; a rule for more decides nothing on them."""
    large = max(len(state.features) for state in behaviours.task.probes)
    late = tsp(f"return max(unvisited_nodes) if len(unvisited_nodes) > {large} else min(unvisited_nodes)")
    plain = tsp("return min(unvisited_nodes)")
    assert behaviours.key(late) == behaviours.key(plain)
    assert behaviours.differ(late, plain)


def test_refusals_are_named() -> None:
    task = get_task("tsp_construct")
    assert refusal(WEIGHED, task, set()) is None
    assert refusal(WEIGHED, task, {program_hash(WEIGHED)}) == "known"
    assert refusal("# another layout\n" + WEIGHED, task, {program_hash(WEIGHED)}) == "known"
    assert refusal(WEIGHED, task, set(), longest=100) == "long"
    assert refusal(WEIGHED + "(", task, set()) == "syntax"
    assert refusal("def other(a):\n    return a\n", task, set()) == "signature"


class Scripted:
    """An edit that gives one program after another."""

    name = "scripted"

    def __init__(self, sources) -> None:
        self._sources = iter(sources)

    def propose(self, parent, pool, task, generator):
        return Proposal(next(self._sources), self.name, (parent.hash,), ("scripted",), parent.family)


def test_a_proposer_passes_over_what_is_known_or_fails_or_does_the_same(behaviours) -> None:
    parent = Parent.of(WEIGHED, "own", 0.0)
    other = WEIGHED.replace("0.4", "0.9")
    known = Known()
    known.add(other, program_hash(other), behaviours.key(other))
    new = WEIGHED.replace("0.4", "1.8")
    script = [
        "def broken(:\n",
        "# comment\n" + WEIGHED,
        other,
        WEIGHED.replace("weight", "share"),
        other.replace("weight", "share"),
        tsp("return None"),
        tsp("return unvisited_nodes[9]"),
        new,
    ]
    proposer = Proposer(behaviours.task, behaviours)
    accepted = proposer.draw(Scripted(script), parent, [parent], np.random.default_rng(0), known)
    assert accepted.proposal.source == new
    assert accepted.key == behaviours.key(new)
    stages = {stage: count for (_, stage), count in proposer.stages.items()}
    assert stages == {"syntax": 1, "known": 2, "same": 2, "fails": 1, "breaks": 1, "accepted": 1}
    proposer = Proposer(behaviours.task, behaviours, attempts=3)
    assert proposer.draw(Scripted(script), parent, [parent], np.random.default_rng(0), known) is None


def test_weights_choose_transforms_and_crossovers() -> None:
    task, pool = get_task("cvrp_construct"), parents("cvrp_construct")
    generator = np.random.default_rng(0)
    everything = edits()["transform"]
    assert len({everything.propose(pool[1], pool, task, generator).changes for _ in range(15)}) > 4
    only = dict.fromkeys(transform_names()["c"], 0.0) | {"add_term": 1.0}
    weighed = TreeEdit(weights=only, tiers=("c",))
    assert {weighed.propose(pool[1], pool, task, generator).changes for _ in range(5)} == {("add_term",)}
    phases = Crossover({"arbitrate": 0.0, "graft_score": 0.0})
    assert {phases.propose(pool[0], pool, task, generator).changes for _ in range(3)} == {("switch_by_phase",)}
    with pytest.raises(CallError, match=r"unknown transform 'ad_term' .*add_term"):
        TreeEdit(weights={"ad_term": 1.0})
    with pytest.raises(CallError, match="0 or more"):
        TreeEdit(weights={"add_term": -1.0})
    with pytest.raises(CallError, match="steps"):
        TreeEdit(steps=(0, 2))


@pytest.mark.parametrize("task_name", ["tsp_construct", "vrptw_construct", "qap_construct", "admissible_set"])
def test_a_reference_that_no_transform_applies_to_gets_a_rule(task_name) -> None:
    task = get_task(task_name)
    reference = Parent.of(task.template, "reference", 0.0)
    with Evaluator(task) as evaluator:
        assert TreeEdit().propose(reference, [], task, np.random.default_rng(0)) is None
        proposer = Proposer(task, Behaviours(evaluator))
        accepted = proposer.draw(edits()["choose_by"], reference, [], np.random.default_rng(0), Known())
        assert evaluator.evaluate(accepted.proposal.source).ok
        child = Parent.of(accepted.proposal.source, "reference", 0.0)
        assert TreeEdit().propose(child, [], task, np.random.default_rng(0)) is not None


def test_several_transforms_are_two_or_three() -> None:
    counts = {len(proposal.changes) for seed in range(4) for proposal in proposals("transforms", "qap_construct", seed)}
    assert counts <= {1, 2, 3}
    assert max(counts) > 1


def test_a_crossover_and_a_restart_take_another_family() -> None:
    task, pool = get_task("tsp_construct"), parents("tsp_construct")
    own = [each for each in pool if each.family == pool[0].family]
    crossing = Crossover()
    for seed in range(5):
        proposal = crossing.propose(pool[0], pool, task, np.random.default_rng(seed))
        partner = next(each for each in pool if each.hash == proposal.parents[1])
        assert partner.family != pool[0].family
        fresh = Restart(pool).propose(pool[0], pool, task, np.random.default_rng(seed))
        assert fresh.family != pool[0].family
        assert fresh.source in {each.source for each in pool}
    assert crossing.propose(pool[0], own, task, np.random.default_rng(0)) is None


def test_better_programs_are_drawn_more_often() -> None:
    pool, generator = [Parent(str(n), str(n), "f", float(n)) for n in range(5)], np.random.default_rng(0)
    drawn = [draw_by_rank(pool, generator, lambda each: each.score).score for _ in range(2000)]
    counts = [drawn.count(score) for score in (4.0, 3.0, 2.0, 1.0, 0.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] / len(drawn) == pytest.approx(1 / sum(1 / (rank + 1) for rank in range(5)), abs=0.03)
    with pytest.raises(ValueError, match="nothing"):
        draw_by_rank([], generator, float)


def test_a_task_of_ones_own_is_edited_too() -> None:
    with Evaluator(MAX_CUT) as evaluator:
        behaviours = Behaviours(evaluator)
        other = SIDES.replace("max(", "min(")
        pool = [Parent.of(SIDES, "one", 1.0), Parent.of(other, "two", 0.0)]
        proposer, known, generator = Proposer(evaluator.task, behaviours), Known(), np.random.default_rng(0)
        assert [each.value for each in live_literals(SIDES, behaviours)] == [1.5, 0.25, 20]
        accepted = {
            name: proposer.draw(edit, pool[0], pool, generator, known)
            for name, edit in edits(behaviours, restarts=tuple(pool)).items()
        }
        assert {name for name, one in accepted.items() if one} >= {"literals", "sizes", "transform", "transforms"}
        assert any(evaluator.evaluate(one.proposal.source).ok for one in accepted.values() if one)


WHOLE = '''\
"""A task whose function returns a whole solution: its probe states have one candidate."""

import numpy as np

from lhs_hf.tasks.base import ProbeState, Split, Task


class Whole(Task):
    name = title = "whole"
    sense, problem_class, function_name, arguments = "max", "other", "solve", ("values",)
    description, template = "The answer is a number.", "def solve(values):\\n    return 0.5 * values[0]\\n"
    splits = {"search": Split("search", 2, 1, 2)}
    time_limit_s, probe_feature_names, solution_dtype = 5.0, ("one",), "float64"

    def generate(self, split):
        return list(np.random.RandomState(split.seed).rand(split.count, 3))

    def rollout(self, program, instance):
        return np.array([program(instance.copy())], dtype=np.float64)

    def objective(self, instance, solution):
        return float(solution[0])

    def probe_states(self, generator, count):
        return [ProbeState(((generator.random(3),),), np.zeros((1, 1))) for _ in range(count)]

    def probe_decision(self, state, answers):
        return 0


TASK = Whole()
'''


def test_where_probe_states_say_nothing_every_program_is_let_through(tmp_path) -> None:
    (tmp_path / "whole.py").write_text(WHOLE)
    with Evaluator(str(tmp_path / "whole.py")) as evaluator:
        behaviours = Behaviours(evaluator)
        parent = Parent.of(evaluator.task.template, "reference", 0.0)
        assert not behaviours.tell
        assert behaviours.is_live(parent.source, literals(parent.source)[0])
        proposer = Proposer(evaluator.task, behaviours)
        accepted = proposer.draw(SparseLiterals(behaviours), parent, [parent], np.random.default_rng(0), Known())
        assert accepted.hash == program_hash(accepted.proposal.source) != parent.hash


CONSTANTS = tsp(
    """
a = 0.5
b = 8.0
count = 4
c = 0.3
return unvisited_nodes[int(a + b + c) % count]
"""
)
BEST = (0.9, 3.0, 11, 0.3)


def distance(source: str) -> float | None:
    """Higher is better: how near the numbers of `CONSTANTS` are to `BEST`, on a scale of their logarithms."""
    values = [each.value for each in literals(source)]
    return -sum(math.log(value / best) ** 2 for value, best in zip(values, BEST, strict=True))


class Scoring:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, sources) -> list[float | None]:
        self.asked += sources
        return [distance(source) for source in sources]


def test_tuning_finds_better_constants_and_evaluates_no_program_twice() -> None:
    scoring = Scoring()
    tuned = tune(CONSTANTS, literals(CONSTANTS), scoring, 240, np.random.default_rng(1))
    assert tuned.score == distance(tuned.source) == max(tuned.scores.values())
    assert tuned.score > 0.1 * distance(CONSTANTS)
    assert len(scoring.asked) == len(set(scoring.asked)) == len(tuned.scores) <= 240
    assert scoring.asked[0] == CONSTANTS
    assert all(type(literals(source)[2].value) is int for source in scoring.asked)


def test_a_tuning_step_changes_few_constants() -> None:
    tuner = Tuner(CONSTANTS, literals(CONSTANTS), seed=0)
    texts = tuner.ask()
    values = [[each.value for each in literals(text)] for text in texts]
    own = [each.value for each in literals(CONSTANTS)]
    assert all(1 <= sum(one != two for one, two in zip(own, other)) <= 3 for other in values)


def test_an_interrupted_tuning_goes_on_as_if_nothing_had_been() -> None:
    whole = tune(CONSTANTS, literals(CONSTANTS), Scoring(), 300, np.random.default_rng(4))
    part = tune(CONSTANTS, literals(CONSTANTS), Scoring(), 137, np.random.default_rng(4))
    rest = Scoring()
    resumed = tune(CONSTANTS, literals(CONSTANTS), rest, 300, np.random.default_rng(4), known=part.scores)
    assert resumed.scores == whole.scores
    assert (resumed.source, resumed.score) == (whole.source, whole.score)
    assert len(rest.asked) == 300 - 137
    assert tune(CONSTANTS, literals(CONSTANTS), Scoring(), 300, np.random.default_rng(5)).scores != whole.scores


def test_tuning_survives_failures_and_ends_when_nothing_new_is_left() -> None:
    source = tsp("count = 2\nreturn unvisited_nodes[-count]")
    fails = tune(source, literals(source), lambda texts: [None] * len(texts), 40, np.random.default_rng(0))
    assert fails.source == source
    assert fails.score == -math.inf
    constant = tune(source, literals(source), lambda texts: [1.0] * len(texts), 10_000, np.random.default_rng(0))
    assert len(constant.scores) < 10_000
    with pytest.raises(CallError, match="no number to tune"):
        Tuner(source, [], seed=0)


def test_numpys_global_generator_is_left_alone() -> None:
    np.random.seed(0)
    before = np.random.get_state()[1].tolist()
    tune(CONSTANTS, literals(CONSTANTS), Scoring(), 30, np.random.default_rng(1))
    assert np.random.get_state()[1].tolist() == before


@pytest.mark.parametrize("command", ["import lhs_hf", "from lhs_hf.cli import main; main(['--help'])"])
def test_what_scores_programs_imports_no_editing_library(command) -> None:
    check = "import sys; print('\\nloaded:', {'libcst', 'cma'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", f"{command}\n{check}"], capture_output=True, text=True, env=dict(os.environ), check=True
    )
    assert result.stdout.splitlines()[-1] == "loaded: set()"
