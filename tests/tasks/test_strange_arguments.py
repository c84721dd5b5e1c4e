"""Whatever the arguments of a function hold, and at whatever time: the words of a rule are none at worst."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.words import vocabulary
from lhs_hf.tasks.functions import task_of_function

IDS: list[list[Any]] = [["a", "b", "cd", "e"], [0, 1, 2, 3, 4], [(0, 1), (1, 1), (2, 0)]]


def drawing(random: np.random.Generator, ids: list[Any], depth: int = 2) -> Callable[[], Any]:
    """What draws an argument of some kind again and again."""
    inner = drawing(random, ids, depth - 1) if depth else lambda: int(random.integers(9))
    kinds: list[Callable[[], Any]] = [
        lambda: float(random.random()),
        lambda: ids[int(random.integers(len(ids)))],
        lambda: None if random.random() < 0.3 else inner(),
        lambda: random.random(len(ids)),
        lambda: random.integers(0, 4, (len(ids), 3)),
        lambda: [inner() for _ in range(int(random.integers(4)))],
        lambda: {each: inner() for each in ids},
        lambda: {each for each in ids if random.random() < 0.4},
        lambda: (ids[0], inner()),
        lambda: {"name": ids[int(random.integers(len(ids)))], "what": inner()},
        lambda: {(one, two): random.random() for one in ids for two in ids if str(one) < str(two)},
        lambda: [[inner() for _ in range(3)] for _ in range(3)],
    ]
    return kinds[int(random.integers(len(kinds)))]


@pytest.mark.parametrize("seed", range(60))
def test_no_argument_is_too_strange(seed: int, tmp_path: Path) -> None:
    shapes = np.random.default_rng(seed)
    ids = IDS[int(shapes.integers(len(IDS)))]
    draws = [drawing(shapes, ids) for _ in range(3)]
    alone = bool(shapes.integers(2))

    def objective(program: Callable[..., Any]) -> float:
        answers = []
        for step in range(9):
            others = [draw() for draw in draws]
            answers.append(program(ids[step % len(ids)] if alone else list(ids), *others))
        return float(sum(answers if alone else map(ids.index, answers)))

    template = f"def rule(first, one, two, three):\n    return {'0.0' if alone else 'first[0]'}\n"
    terms = vocabulary(task_of_function(objective, template, tmp_path, "strange")).terms
    assert all(isinstance(term, str) for term in terms)
