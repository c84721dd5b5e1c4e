"""Features of alternatives without knowledge of the task: what a program could decide by, for all that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

MOST_FEATURES = 8


def priority_features(calls: Sequence[Sequence[Any]]) -> np.ndarray:
    """Features of alternatives that a program sees one at a time, float64 (alternatives, 1 to 8).

    The numbers among the arguments of each call, in order; at last the position.
    """
    numbers = [[value for argument in call for value in _numbers(argument)] for call in calls]
    width = min(MOST_FEATURES - 1, *(len(each) for each in numbers))
    return np.array([[*each[:width], float(place)] for place, each in enumerate(numbers)])


def generic_features(choices: Sequence[Any], arguments: Mapping[str, Any]) -> np.ndarray:
    """Features of alternatives without knowledge of the task, float64 (alternatives, 1 to 8).

    The numbers in an alternative; then, where its first number is an id, the entry of each vector at that id, the mean
    of its row in each square matrix, the entry beside each id among the arguments, and the mean over the other
    alternatives; at last the position.
    """
    numbers = [_numbers(choice) for choice in choices]
    width = min((len(each) for each in numbers), default=0)
    columns = [[float(each[place]) for each in numbers] for place in range(min(width, 4))]
    ids = [int(each[0]) if width and float(each[0]).is_integer() else -1 for each in numbers]
    found: list[list[float]] = []
    scalars = [int(value) for value in arguments.values() if isinstance(value, (int, np.integer))]
    for value in arguments.values():
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            continue
        if array.ndim not in (1, 2) or not ids or min(ids) < 0 or max(ids) >= len(array):
            continue
        if array.ndim == 1:
            found.append([array[each] for each in ids])
            continue
        found.append([array[each].mean() if array.shape[1] else np.nan for each in ids])
        if array.shape[0] == array.shape[1]:
            found += [[array[here, each] for each in ids] for here in scalars[:1] if 0 <= here < len(array)]
            found.append([array[each, ids].mean() for each in ids])
    position = [float(place) for place in range(len(choices))]
    columns = [*columns, *found][: MOST_FEATURES - 1]
    return np.column_stack([*columns, position])


def _numbers(choice: Any) -> list[float]:
    try:
        return np.asarray(choice, dtype=np.float64).ravel().tolist()
    except (TypeError, ValueError):
        return []
