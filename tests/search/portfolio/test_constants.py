"""Constants of the incumbent: what is moved, what is learned, what they may cost, and that it is learned again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from search_doubles import Interrupted, interruption

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import Behaviours, Parent, literals
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.constants import SHARE, Constants
from lhs_hf.search.portfolio.shares import PRIORS
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import Start
from lhs_hf.tasks import get_task

TASK = "tsp_construct"
HEAD = "def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):\n"
WEIGHED = f"""{HEAD}    near, far, share, unused = 0.4, 0.1, 0.3, 7.5
    def cost(node):
        row = distance_matrix[node]
        return distance_matrix[current_node][node] - near * row[destination_node] + far * row[unvisited_nodes].mean() ** share
    return min(unvisited_nodes, key=cost)
"""  # noqa: E501
COUNTED = f"""{HEAD}    top, weight = 6, 0.5
    nearest = sorted(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])[:top]
    return max(nearest, key=lambda node: distance_matrix[node][destination_node] - weight * distance_matrix[current_node][node])
"""  # noqa: E501


@pytest.fixture(scope="module")
def behaviours() -> Any:
    with Evaluator(TASK) as evaluator:
        yield Behaviours(evaluator, practice=False)


def children(constants: Constants, source: str, count: int, seed: int = 0) -> list[str]:
    parent, generator = Parent.of(source, "own", 0.0), np.random.default_rng(seed)
    proposals = [constants.propose(parent, [parent], get_task(TASK), generator) for _ in range(count)]
    return [proposal.source for proposal in proposals if proposal is not None]


def values(source: str) -> list[Any]:
    return [literal.value for literal in literals(source)]


def test_a_child_moves_one_to_three_live_numbers_and_keeps_whole_ones_whole(behaviours: Behaviours) -> None:
    constants = Constants(behaviours, budget=1600, dearest=36)
    for source in children(constants, WEIGHED, 40):
        own, other = values(WEIGHED), values(source)
        assert 1 <= sum(one != two for one, two in zip(own, other, strict=True)) <= 3
        assert other[3] == 7.5  # it decides nothing
        assert all(value > 0 for value in other)
    tops = {values(source)[0] for source in children(constants, COUNTED, 40)}
    assert len(tops) > 2
    assert all(type(top) is int and top >= 1 for top in tops)


def test_a_step_that_gained_goes_on_and_one_that_lost_turns_round(behaviours: Behaviours) -> None:
    larger, smaller = WEIGHED.replace("0.4, 0.1", "0.5, 0.1"), WEIGHED.replace("0.4, 0.1", "0.33, 0.1")

    def ups(told: list[tuple[str, float | None]]) -> float:
        constants = Constants(behaviours, budget=1600, dearest=36)
        for child, gain in told:
            constants.tell(WEIGHED, child, gain, runs=4)
        # What is learned belongs to the text without its numbers: a child that is the incumbent now inherits it.
        near = [values(source)[0] / 0.5 for source in children(constants, larger, 200)]
        moved = [each for each in near if each != 1]
        return sum(each > 1 for each in moved) / len(moved)

    assert ups([(larger, 0.01)]) > 0.65
    assert ups([(larger, -0.01)]) < 0.35
    assert ups([(smaller, None)]) > 0.65
    assert 0.35 < ups([]) < 0.65


def test_no_more_children_than_their_share_of_the_budget_pays_for(behaviours: Behaviours) -> None:
    constants = Constants(behaviours, budget=400, dearest=36)
    names = ["constants", "transform", *["constants"] * 5]
    most = int(SHARE * 400 // 36)
    assert constants.within(names).count("constants") == most == 3
    assert constants.within(names)[:4] == names[:4]
    constants.tell(WEIGHED, WEIGHED.replace("0.4", "0.5"), 0.0, runs=80)
    assert constants.within(names).count("constants") == 1
    assert constants.within(["literals"]) == ["literals"]


def run(database: RunDatabase, workers: int = 1, listener: Any = None) -> Any:
    task = get_task(TASK)
    settings = SearchSettings.from_preset("portfolio", budget=24, seed=4)
    starts = [Start("reference", task.template, "reference"), Start("corpus", WEIGHED, "own")]
    with Evaluator(task, workers=workers) as evaluator, pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRIORS, "constants", (8.0, 1.0))
        return PortfolioSearch(None, evaluator, database, settings, starts, listener=listener).run()


def rows(database: RunDatabase) -> list[tuple[Any, ...]]:
    return [
        (c.id, c.round, c.operator, c.program, c.changes, c.outcome, c.objective, c.gain, c.runs)
        for c in database.candidates()
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, ...]]:
    with RunDatabase(tmp_path_factory.mktemp("run") / "run.sqlite") as database:
        run(database)
        return rows(database)


@pytest.mark.integration
def test_a_search_tunes_its_incumbent_in_more_rounds_than_one(whole: list[tuple[Any, ...]]) -> None:
    assert len({row[1] for row in whole if row[2] == "constants"}) > 1
    assert sum(row[8] for row in whole if row[2] == "constants") <= SHARE * 24 * get_task(TASK).split("search").count


@pytest.mark.integration
def test_tuning_that_is_interrupted_goes_on_as_if_nothing_had_been(
    whole: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database, pytest.raises(Interrupted):
        run(database, listener=interruption(10))
    with RunDatabase(tmp_path / "run.sqlite") as database:
        run(database, workers=2)
        assert rows(database) == whole
