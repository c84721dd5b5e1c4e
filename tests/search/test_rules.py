"""Rules that edits begin with where a task lists its alternatives, or asks about one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import check_signature, parse, program_hash
from lhs_hf.search.edits import NewRule, Parent, TreeEdit, edits
from lhs_hf.tasks import get_task, task_names


def reference(name: str) -> Parent:
    template = get_task(name).template
    return Parent(template, program_hash(template), "reference", 0.0)


@pytest.mark.parametrize("name", ["vertex_cover", "feedback_arcs", "bin_covering", "weighted_cut"])
def test_new_rules_are_different_programs_that_run(name) -> None:
    task, parent = get_task(name), reference(name)
    first, again = (
        [NewRule().propose(parent, [], task, np.random.default_rng(seed)) for seed in range(20)] for _ in range(2)
    )
    assert first == again
    proposals = [proposal for proposal in first if proposal is not None]
    assert len({proposal.source for proposal in proposals}) > 15
    for proposal in proposals:
        check_signature(parse(proposal.source), task.function_name, len(task.arguments))
        assert proposal.operator == "new_rule"
        assert proposal.parents in ((), (parent.hash,))
    with Evaluator(task, workers=1) as evaluator:
        behaviours = evaluator.probe_many([proposal.source for proposal in proposals])
    running = [each for each in behaviours if each is not None and each.error_rate == 0]
    assert len(running) > 0.9 * len(proposals)
    assert len({each.decisions.tobytes() for each in running}) > 10


def test_half_of_the_new_rules_keep_when_the_parent_stops() -> None:
    task, parent = get_task("hub_location"), reference("hub_location")
    assert "return -1" in parent.source
    sources = []
    for seed in range(20):
        proposal = NewRule().propose(parent, [], task, np.random.default_rng(seed))
        assert proposal is not None
        assert ("return -1" in proposal.source) == (proposal.parents == (parent.hash,))
        sources.append(proposal.source)
    assert 5 <= sum("return -1" in source for source in sources) <= 15


def test_new_rules_are_for_tasks_whose_alternatives_are_known() -> None:
    for name in task_names():
        assert not NewRule.applies(get_task(name))
        assert NewRule().propose(reference(name), [], get_task(name), np.random.default_rng(0)) is None
        assert edits(task=get_task(name)).keys() - {"rollout", "parallel_rollout"} == edits().keys()
    assert edits(task=get_task("vertex_cover")).keys() - edits().keys() == {"new_rule", "rollout"}


def test_an_argument_that_is_handed_back_is_a_score_to_begin_with() -> None:
    task = get_task("bin_covering")
    source = "def priority(size, missing, left, total):\n    return size\n"
    parent = Parent(source, program_hash(source), "size", 0.0)
    proposals = [TreeEdit().propose(parent, [], task, np.random.default_rng(seed)) for seed in range(8)]
    texts = {proposal.source for proposal in proposals if proposal is not None}
    assert any("missing" in text.split("return", 1)[1] for text in texts)
