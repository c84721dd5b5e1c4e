"""Which task another one is like: known from what its arguments are, not from what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from renamed import renamed

from lhs_hf.tasks import get_task, task_names, zoo_names
from lhs_hf.tasks.likeness import ANSWERS, likenesses


@pytest.mark.parametrize("name", task_names())
def test_a_task_is_known_again_under_other_names_and_in_another_order(name: str, tmp_path: Path) -> None:
    for seed in range(4):
        task, names = renamed(name, seed, tmp_path)
        inside = dict(zip(task.own_arguments or task.arguments, task.arguments))
        like = likenesses(task)[0]
        assert (like.task, like.whole) == (name, True)
        assert like.names == {inside[own]: known for own, known in names.items()}


def test_a_task_of_the_paper_is_like_itself_alone() -> None:
    (like,) = likenesses(get_task("tsp_construct"))
    assert like.task == "tsp_construct"
    assert like.whole
    assert all(own == known for own, known in like.names.items())


def test_what_is_answered_is_said_of_every_task_of_the_paper() -> None:
    assert set(ANSWERS) == set(task_names())
    for name, (_, listing) in ANSWERS.items():
        assert listing is None or listing in get_task(name).arguments


@pytest.mark.parametrize("name", zoo_names()[::4])
def test_every_known_name_is_lent_once(name: str) -> None:
    task = get_task(name)
    for like in likenesses(task):
        assert set(like.names) <= set(task.arguments)
        assert len(set(like.names.values())) == len(like.names)


def test_a_route_with_windows_is_like_the_one_with_windows() -> None:
    likes = likenesses(get_task("tour_with_windows"))
    first = likes[0]
    assert first.task == "vrptw_construct"
    assert not first.whole
    assert first.names["here"] == "current_node"
    assert first.names["windows"] == "time_windows"


def test_a_task_that_is_a_dataclass_has_likes_as_any() -> None:
    base = type(get_task("vertex_cover"))
    task = dataclass(type("Mine", (base,), {"__module__": base.__module__}))()
    assert task.__hash__ is None
    assert likenesses(task) == likenesses(get_task("vertex_cover"))
