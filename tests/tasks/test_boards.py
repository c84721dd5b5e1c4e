"""Functions whose programs answer a cell that is free, rate places of several lists, write a text, or see stacks."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.words import vocabulary
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.loop_order import LoopOrder
from lhs_hf.search.edits.parents import Parent
from lhs_hf.tasks.functions import task_of_function

FIELDS = np.random.default_rng(0).random((5, 7, 7))
TEXT = "the quick brown fox jumps over the lazy dog and reads a letter"


def seats(choose: Callable[..., tuple[int, int]]) -> float:
    total = 0.0
    for field in FIELDS:
        free, taken = np.ones(field.shape, dtype=bool), []
        for _ in range(8):
            row, column = choose(field.copy(), free.copy(), list(taken))
            if not free[row, column]:
                raise ValueError("somebody sits there")
            free[row, column] = False
            near = sum(abs(row - r) + abs(column - c) < 2 for r, c in taken)
            total += field[row, column] - 0.3 * near
            taken.append((int(row), int(column)))
    return total


def on_lists(choose: Callable[..., tuple[int, int]]) -> float:
    def of_lists(field: Any, free: Any, taken: Any) -> tuple[int, int]:
        return choose([["" if cell else "x" for cell in row] for row in free], field.tolist())

    return seats(of_lists)


SEATS = """import numpy as np

def choose(field, free, taken):
    return np.unravel_index(np.argmax(free), free.shape)
"""
FIRST = """def choose(board, worth):
    for row in range(len(board)):
        for column in range(len(board[row])):
            if board[row][column] == "":
                return row, column
"""


@pytest.mark.parametrize(
    ("objective", "template", "condition"),
    [(seats, SEATS, "free[one][two]"), (on_lists, FIRST, "not board[one][two]")],
)
def test_a_cell_that_is_free(objective, template: str, condition: str, tmp_path: Path) -> None:
    task = task_of_function(objective, template, tmp_path, "seats", sense="max")
    assert str(task.listed).endswith(f" if {condition}]")
    better(task, 0.2)


def test_cells_are_told_apart_by_what_is_around_them(tmp_path: Path) -> None:
    terms = vocabulary(task_of_function(seats, SEATS, tmp_path, "seats", sense="max")).terms
    assert "{field}[{part_0}][{part_1}]" in terms
    assert "min((abs(k[0] - {part_0}) + abs(k[1] - {part_1}) for k in {taken}), default=0)" in terms


def better(task: Any, share: float | None) -> None:
    """Of some rules all but a few run, and one is better than the reference by a share."""
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(24)]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search")
        scores = [each.score for each in evaluator.evaluate_many([each.source for each in drawn if each is not None])]
    assert reference.score is not None
    valid = [score for score in scores if score is not None]
    assert len(valid) >= 20
    assert share is None or max(valid) > reference.score + share * abs(reference.score)


def test_places_of_several_lists_are_rated(tmp_path: Path) -> None:
    jobs = np.random.default_rng(1).integers(1, 20, (10, 9, 2))

    def objective(rate: Callable[..., Any]) -> float:
        total = 0
        for each in jobs:
            left, now = list(range(len(each))), 0
            while left:
                scores = rate([int(each[k, 0]) for k in left], [int(each[k, 1]) for k in left])
                chosen = left.pop(int(np.argmax(scores)))
                now += int(each[chosen, 0])
                total += now * int(each[chosen, 1])
        return float(total)

    template = "def rate(hours, weights):\n    return [0.0] * len(hours)\n"
    task = task_of_function(objective, template, tmp_path, "jobs")
    assert (task.answers, task.listed) == ("scores", "range(len(hours))")
    assert {"{hours}[{x}]", "{weights}[{x}]"} <= set(vocabulary(task).terms)
    better(task, 0.1)


def test_a_long_text_is_a_solution(tmp_path: Path) -> None:
    letters = string.ascii_lowercase

    def objective(arrange: Callable[..., str]) -> float:
        layout = arrange(dict(Counter(TEXT)), [abs(place - 13) for place in range(26)])
        if sorted(layout) != list(letters):
            raise ValueError("each letter once")
        return float(sum(abs(layout.index(letter) - 13) for letter in TEXT if letter != " "))

    template = """def arrange(count, effort):
    layout, free = [""] * 26, list(range(26))
    for letter in "abcdefghijklmnopqrstuvwxyz":
        place = min(free, key=lambda k: effort[k])
        layout[place] = letter
        free.remove(place)
    return "".join(layout)
"""
    task = task_of_function(objective, template, tmp_path, "keys")
    assert task.answers == ""
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [LoopOrder().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(16)]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search").objective
        sources = [each.source for each in drawn if each is not None]
        objectives = [each.objective for each in evaluator.evaluate_many(sources) if each.objective is not None]
    assert reference is not None
    assert min(objectives) < 0.9 * reference


def test_stacks_that_are_empty_now_and_then(tmp_path: Path) -> None:
    leaving = np.random.default_rng(2).permutation(30).tolist()

    def objective(choose: Callable[..., int]) -> float:
        stacks: list[list[int]] = [[] for _ in range(5)]
        for number in leaving:
            free = [place for place, stack in enumerate(stacks) if len(stack) < 8]
            place = choose(number, [list(stack) for stack in stacks], free)
            if place not in free:
                raise ValueError("it is full")
            stacks[place].append(number)
        return float(sum(low < high for stack in stacks for at, low in enumerate(stack) for high in stack[at + 1 :]))

    template = "def choose(number, stacks, free):\n    return min(free, key=lambda k: len(stacks[k]))\n"
    task = task_of_function(objective, template, tmp_path, "yard")
    terms = set(vocabulary(task).terms)
    assert {"len({stacks}[{x}])", "({stacks}[{x}][-1] if len({stacks}[{x}]) else 0)"} <= terms
    assert "max({stacks}[{x}], default=0)" in terms
    better(task, None)


def test_texts_are_told_apart_by_what_is_in_them(tmp_path: Path) -> None:
    words = ["stone", "tones", "notes", "train", "trial", "lions", "tiger", "table"]

    def objective(guess: Callable[..., str]) -> float:
        tries = 0
        for secret in words:
            left = list(words)
            while True:
                tries += 1
                said = guess(list(left), secret[0])
                if said not in left:
                    raise ValueError("not in the list")
                if said == secret:
                    break
                same = sum(a == b for a, b in zip(said, secret))
                left = [each for each in left if each != said and sum(a == b for a, b in zip(said, each)) == same]
        return float(tries)

    template = "def guess(left, first):\n    return left[0]\n"
    task = task_of_function(objective, template, tmp_path, "words")
    assert "sum(1 for k in {left} for a, b in zip(k, {x}) if a == b)" in vocabulary(task).terms
    better(task, 0.0)


def test_texts_go_on_where_another_text_ends(tmp_path: Path) -> None:
    letters = np.random.default_rng(0).choice(list("ab"), 40)
    pieces = sorted({"".join(letters[at : at + 7]) for at in range(0, 34, 3)})

    def objective(extend: Callable[..., str]) -> float:
        text, left = "", list(pieces)
        while left:
            piece = extend(text, list(left))
            if piece not in left:
                raise ValueError("not among the pieces")
            shared = next(k for k in range(min(len(text), len(piece)), -1, -1) if text.endswith(piece[:k]))
            text += piece[shared:]
            left = [each for each in left if each not in text]
        return float(len(text))

    template = "def extend(text, left):\n    return left[0]\n"
    task = task_of_function(objective, template, tmp_path, "pieces")
    terms = set(vocabulary(task).terms)
    assert "max(j for j in range(len({x}) + 1) if {text}[len({text}) - j:] == {x}[:j])" in terms
    assert any("for k in {left}" in term and "[len(k) - j:] == {x}[:j]" in term for term in terms)
    better(task, 0.0)


def test_a_name_that_is_the_alternative_itself(tmp_path: Path) -> None:
    kinds = {"A": 4, "B": 3, "AB": 2}
    wanted = ["AB", "A", "B", "AB", "A", "B", "B", "A"] * 3

    def objective(issue: Callable[..., str]) -> float:
        missing, stock = 0, dict(kinds)
        for place, patient in enumerate(wanted):
            usable = [kind for kind in stock if stock[kind] and set(kind) <= set(patient)]
            if usable:
                stock[issue(patient, dict(stock), usable)] -= 1
            missing += not usable
            if place % 3 == 2:
                stock["B" if place % 2 else "A"] += 2
        return float(missing)

    template = "def issue(patient, stock, usable):\n    return max(usable, key=lambda kind: stock[kind])\n"
    task = task_of_function(objective, template, tmp_path, "blood")
    assert "(1 if {x} == {patient} else 0)" in vocabulary(task).terms
