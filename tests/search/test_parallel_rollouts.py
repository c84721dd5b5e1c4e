"""Programs that follow the better of two rules: what is written, and that they are as good as both."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_doubles import Interrupted

from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import check_signature, load_function, parse
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import Behaviours, Known, ParallelRollout, Parent, Proposer, edits
from lhs_hf.search.edits.following import follows
from lhs_hf.search.edits.rollout import task_model
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.followers import FOLLOWERS, followers
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task, task_names
from lhs_hf.tasks.base import Task

RULES = {
    "knapsack_construct": (
        "max(fitting, key=lambda item: item[1] / item[0])",
        "max(fitting, key=lambda item: item[1] - {weight} * item[0])",
        "    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]\n"
        "    if not fitting:\n        return None\n",
    ),
    "set_cover_construct": (
        "max(remaining_subsets, key=lambda subset: len(missing & set(subset)))",
        "max(remaining_subsets, key=lambda subset: len(missing & set(subset)) - {weight} * len(subset))",
        "    missing = set(remaining_elements)\n"
        "    if not any(missing & set(subset) for subset in remaining_subsets):\n        return None\n",
    ),
    "cflp_construct": (
        "min(places, key=lambda place: assignment_costs[place[1]][place[0]])",
        "min(places, key=lambda place: assignment_costs[place[1]][place[0]] - {weight} * customer_demands[place[0]])",
        "    places = [(c, f) for c in remaining_customers for f, room in enumerate(remaining_capacities)\n"
        "              if room >= customer_demands[c]]\n",
    ),
    "qap_construct": (
        "changed(current_assignment, 0)",
        "changed(current_assignment, int({weight} * 10))",
        "    def changed(assignment, turn):\n"
        "        free = [place for place in range(len(assignment)) if place not in assignment]\n"
        "        assignment[assignment.index(-1)] = free[turn % len(free)]\n"
        "        return assignment\n\n",
    ),
}
"""Two rules by name of the task, and what stands before both. That of qap_construct changes what it is given."""
SELDOM = "cflp_construct"
"""Where it takes long."""


def rules(task: Task, weight: float) -> tuple[str, str]:
    """Two rules that are known to be different."""
    one, other, before = RULES[task.name]
    bodies = (f"{before}    return {each}\n" for each in (one, other.format(weight=weight)))
    first, second = (f"{task.signature()}\n{body}" for body in bodies)
    return first, second


def proposed(task: Task, weight: float, seed: int) -> str:
    """A program of both."""
    first, second = (Parent.of(source, f"family {k}", -k) for k, source in enumerate(rules(task, weight)))
    proposal = ParallelRollout().propose(first, [first, second], task, np.random.default_rng(seed))
    assert proposal is not None
    assert proposal.parents == (first.hash, second.hash)
    return proposal.source


def objectives(task: Task, source: str, count: int) -> list[float]:
    """What a program comes to on the first instances of holdout, in this process."""
    program = load_function(source, task.function_name, len(task.arguments))
    return [task.objective(each, task.rollout(program, each)) for each in task.instances("holdout")[:count]]


@pytest.mark.parametrize("name", list(RULES))
@given(weight=st.floats(0.1, 3.0), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=4, deadline=None)
def test_what_follows_the_better_rule_is_as_good_as_both_on_every_instance(name, weight, seed) -> None:
    """A rule that decides by what it is shown ends as it was played: what is followed can only become better."""
    task = get_task(name)
    together = objectives(task, proposed(task, weight, seed), 4)
    sign = 1 if task.sense == "min" else -1
    alone = [[sign * each for each in objectives(task, source, 4)] for source in rules(task, weight)]
    assert all(sign * each <= min(both) for each, both in zip(together, zip(*alone)))


def test_all_at_once_is_answered_where_a_program_may_do_so() -> None:
    task, answers = get_task("qap_construct"), []
    program = load_function(proposed(task, 0.7, 0), task.function_name, len(task.arguments))

    def watched(*arguments):
        answers.append(program(*arguments))
        return answers[-1]

    task.rollout(watched, task.instances("holdout")[0])
    assert len(answers) == 1


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_the_model_of_facility_location_says_what_happens(seed) -> None:
    task, random, calls = get_task("cflp_construct"), np.random.default_rng(seed), []
    model = task_model(task)
    assert model is not None

    def program(assignments, customers, capacities, demands, costs):
        places = [(c, f) for c in customers for f, room in enumerate(capacities) if room >= demands[c]]
        shown = ([*map(list, assignments)], list(customers), list(capacities), demands, costs)
        choice = places[random.integers(len(places))]
        calls.append({**dict(zip(task.arguments, shown)), "x": choice})
        return choice

    instance = task.instances("holdout")[seed % 100]
    solution = task.rollout(program, instance)
    for before, later in pairwise(calls):
        for update in model.dynamics.updates:
            assert eval(update.text, dict(before)) == later[update.argument]
    (part,) = model.cost.parts
    assert sum(eval(part.text, dict(before)) for before in calls) == task.objective(instance, solution)


def test_a_whole_answer_can_be_compared_again() -> None:
    """Best of two, of three, of four, as long as programs are short enough."""
    task, pool = get_task("qap_construct"), []
    for number in range(4):
        source = rules(task, 0.3 + number)[1]
        pool.append(Parent.of(source, f"family {number}", -number))
    current, best = pool[0], objectives(task, pool[0].source, 3)
    for seed in range(3):
        proposal = ParallelRollout().propose(current, pool, task, np.random.default_rng(seed))
        assert proposal is not None
        assert proposal.family == "family 0, played on"
        current = Parent.of(proposal.source, proposal.family, 1.0)
        together = objectives(task, current.source, 3)
        assert all(later <= before for later, before in zip(together, best))
        best = together
    assert current.source.count("def ") > 8


def test_another_family_goes_first_and_without_one_that_fits_there_is_nothing() -> None:
    task = get_task("set_cover_construct")
    first, second = (Parent.of(source, "family", 0.0) for source in rules(task, 0.5))
    other = Parent.of(rules(task, 0.9)[1], "another", -1.0)
    for seed in range(5):
        of_one = ParallelRollout().propose(first, [first, second], task, np.random.default_rng(seed))
        assert of_one is not None
        assert of_one.parents == (first.hash, second.hash)
        of_both = ParallelRollout().propose(first, [first, second, other], task, np.random.default_rng(seed))
        assert of_both is not None
        assert of_both.parents == (first.hash, other.hash)
    long = Parent.of(f"{second.source}# {'long ' * 1200}", "another", 0.0)
    assert ParallelRollout().propose(first, [first, long], task, np.random.default_rng(0)) is None
    assert ParallelRollout().propose(first, [first], task, np.random.default_rng(0)) is None


def test_proposals_run_follow_from_the_generator_and_are_not_asked_what_they_decide() -> None:
    task = get_task("set_cover_construct")
    pool = [Parent.of(source, f"family {k}", -k) for k, source in enumerate(rules(task, 0.5))]
    proposals, again = (
        [ParallelRollout().propose(pool[0], pool, task, np.random.default_rng(seed)) for seed in range(6)]
        for _ in range(2)
    )
    assert proposals == again
    with Evaluator(task, workers=1) as evaluator:
        behaviours = Behaviours(evaluator)
        keys = set()
        for proposal in proposals:
            assert proposal is not None
            assert follows(proposal.source)
            check_signature(parse(proposal.source), task.function_name, len(task.arguments))
            assert evaluator.evaluate(proposal.source, "search").ok
            assert not behaviours.breaks(proposal.source, task.template)
            keys.add(behaviours.key(proposal.source))
        assert behaviours.key(pool[0].source) not in keys


def test_only_tasks_of_the_paper_whose_model_is_written_down_have_it() -> None:
    assert {name for name in task_names() if "parallel_rollout" in edits(task=get_task(name))} == set(RULES) - {SELDOM}
    assert [name for name in task_names() if ParallelRollout.seldom(get_task(name))] == [SELDOM]
    assert "parallel_rollout" not in edits(task=get_task("vertex_cover"))


def test_where_it_takes_long_a_search_begins_with_a_few() -> None:
    task, known = get_task(SELDOM), Known()
    pool = [Parent.of(rules(task, 0.3 + k)[k > 0], f"family {k}", -k) for k in range(8)]
    accepted = followers(task, Proposer(task), pool, np.random.default_rng(0), known)
    assert len(accepted) == len({each.hash for each in accepted}) == FOLLOWERS
    assert all(follows(each.proposal.source) and pool[0].hash in each.proposal.parents for each in accepted)
    assert all(each.hash in known for each in accepted)
    assert len(followers(task, Proposer(task), pool[:2], np.random.default_rng(0), Known())) == 1
    assert followers(task, Proposer(task), pool[:1], np.random.default_rng(0), Known()) == []
    other = get_task("knapsack_construct")
    pool = [Parent.of(source, f"family {k}", -k) for k, source in enumerate(rules(other, 0.5))]
    assert followers(other, Proposer(other), pool, np.random.default_rng(0), Known()) == []


class UntilFirstRound(RunDatabase):
    """Ends a search when the candidates of the first round are stored."""

    def add_all(self, candidates) -> None:
        super().add_all(candidates)
        if candidates[0].round == 1:
            raise Interrupted


@pytest.mark.integration
@pytest.mark.parametrize(("init", "count"), [("corpus", FOLLOWERS), ("reference", 0)])
def test_they_follow_what_leads_before_the_first_round(init, count) -> None:
    task = get_task(SELDOM)
    with UntilFirstRound(":memory:") as database, Evaluator(task, workers=1) as evaluator:
        search = PortfolioSearch(
            None, evaluator, database, SearchSettings(budget=20, init=init), portfolio_starts(task, init)
        )
        with pytest.raises(Interrupted):
            search.run()
        starts, children = ([c for c in database.candidates() if c.round == number] for number in (0, 1))
    rules = {candidate.id for candidate in starts if candidate.operator == "corpus"}
    following = [child for child in children if child.operator == "parallel_rollout"]
    assert len(following) == count
    assert following == children[:count]
    assert all({child.parent, child.other_parent} <= rules for child in following)
