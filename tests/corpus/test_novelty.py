"""Whether a program is in the corpus: levels, the corpus program that is named, and what is said of them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.corpus.novelty import LEVELS, Novelty, Reference, novelty, sentence
from lhs_hf.errors import CallError
from lhs_hf.evaluation.behaviour import Behaviour
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
OTHER = "def select_next_item(room, items):\n    return items[0] if items else None\n"


@pytest.fixture(scope="module")
def rows():
    return load_corpus(TASK.name, "train")[:40]


def behaviour(row, changed: int = 0) -> Behaviour:
    """What decides as a row does, but on so many probe states as no program does."""
    decisions = row.decisions.copy()
    decisions[:changed] = 10_000
    return Behaviour(decisions, row.behaviour)


def test_a_program_of_the_corpus_is_found_by_its_text_and_by_its_form(rows) -> None:
    row, reference = rows[7], Reference(rows)
    other_layout = f"# mine\n\n{row.program}\n\n"
    for source, level in ((row.program, "verbatim"), (f"\n{row.program}\n", "verbatim"), (other_layout, "canonical")):
        judged = reference.compare(source, behaviour(rows[0], 64))
        assert (judged.level, judged.family, judged.split, judged.hash) == (level, row.family, "train", row.hash)
        assert judged.objective == row.objective
        assert f"family {row.family} (training, {row.objective:.6g} on search)" in sentence(judged)


def test_decisions_tell_a_new_program_from_one_written_otherwise(rows) -> None:
    row, reference = rows[7], Reference(rows)
    nearest = max((each for each in rows if (each.decisions == row.decisions).all()), key=lambda each: each.score)
    same = reference.compare(OTHER, behaviour(row), nearest.objectives)
    assert (same.level, same.differing, same.states, same.hash) == ("same decisions", 0, 64, nearest.hash)
    assert (same.other_results, same.instances) == (0, 32)
    assert "with the same objectives on search" in sentence(same)
    one_other = (nearest.objectives[0] + 1, *nearest.objectives[1:])
    apart = reference.compare(OTHER, behaviour(row), one_other)
    assert (apart.level, apart.other_results) == ("same decisions", 1)
    assert "with other objectives on 1 of 32 instances" in sentence(apart)
    # One state is enough.
    new = reference.compare(OTHER, behaviour(row, 1))
    assert (new.level, new.differing) == ("new", 1)
    assert sentence(new).startswith("new program: decides differently from every corpus program on at least 1 of 64 ")


def test_differing_counts_against_the_nearest_program(rows) -> None:
    reference, decisions = Reference(rows), rows[3].decisions.copy()
    decisions[::5] = 10_000
    judged = reference.compare(OTHER, Behaviour(decisions, rows[3].behaviour))
    assert judged.differing == min(int((row.decisions != decisions).sum()) for row in rows)


def test_the_reference_and_a_task_without_a_corpus_are_told_apart(rows) -> None:
    unknown = replace(behaviour(rows[0]), decisions=np.full(64, -1))
    assert novelty(TASK, Reference(rows), TASK.template + "\n# mine\n", unknown).level == "reference"
    assert novelty(TASK, None, TASK.template, unknown).level == "reference"
    assert novelty(TASK, None, OTHER, unknown).level == "no corpus"
    assert novelty(TASK, Reference(rows), OTHER, None) == Novelty("new")
    assert "not known" in sentence(Novelty("new"))
    assert Reference.of_task(TASK).rows[0].score == max(row.score for row in load_corpus(TASK.name))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_survives_json_and_has_a_sentence(level) -> None:
    before = Novelty(level, "a_family", "test", "f" * 64, 5.5, 3, 64, None, None)
    assert Novelty.from_dict(json.loads(json.dumps(before.as_dict()))) == before
    assert sentence(before)
    assert Novelty.from_dict(None) is None


@pytest.mark.parametrize(
    "data",
    [
        [],
        "new",
        {},
        {"level": []},
        {"level": "best"},
        {"level": "new", "differing": "7"},
        {"level": "new", "family": 3},
    ],
)
def test_a_mangled_novelty_is_one_line(data) -> None:
    with pytest.raises(CallError, match="novelty"):
        Novelty.from_dict(data)
