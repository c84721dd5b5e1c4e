"""Searches for the best that begin at a number, `best_score = -1.0`, begin at infinity.

Such a number lies below all that the program rates its alternatives by. An edit that rates them lower has none of them
chosen, and what stands for nothing found is answered at every call: it fails, however good its order is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from ...corpus.augmentation.editing import Program, read
from ...corpus.augmentation.reading import bound_names, is_name, names, number
from .literals import LARGEST

_RISING = (cst.GreaterThan, cst.GreaterThanEqual)
_FALLING = (cst.LessThan, cst.LessThanEqual)
_TIES = (cst.Equal, cst.NotEqual)


@lru_cache(maxsize=256)
def unbounded(source: str) -> str:
    """A program with infinity in place of the numbers that its searches begin at; as it is where there are none.

    Where something was rated worse than the number, it may choose otherwise.
    """
    program = read(source)
    texts: list[tuple[cst.CSTNode, str]] = []
    for function in program.functions():
        parameters = {each.name.value for each in program.find(cst.Param, function)}
        for name in bound_names(function):
            if name not in parameters:
                texts += _infinity(program, function, name)
    return program.replace_many(texts) if texts else source


def _infinity(program: Program, function: cst.FunctionDef, name: str) -> Iterator[tuple[cst.CSTNode, str]]:
    """The number at which a variable begins, with the infinity that stands for it, if the variable holds a best rating.

    That is one that ratings are compared with, all in one direction, that they are stored in inside of a loop, and that
    nothing else is done with.
    """
    starts, rising, kept = [], [], False
    for node in names(function):
        if node.value != name:
            continue
        value = _stored(program, node)
        if value is None:
            direction = _compared(program, node)
            if direction is None:
                return
            rising += direction
        elif number(value) is not None:
            starts.append(value)
        else:
            kept = kept or any(isinstance(each, (cst.For, cst.While)) for each in program.ancestors(node))
    if kept and len(starts) == 1 and len(set(rising)) == 1 and abs(number(starts[0]) or 0.0) < LARGEST:
        yield starts[0], '-float("inf")' if rising[0] else 'float("inf")'


def _stored(program: Program, node: cst.Name) -> cst.BaseExpression | None:
    """What is stored in a variable where it is the target of an assignment, alone or one of several at once."""
    target, place = program.parents[node], 0
    if isinstance(target, cst.Element):
        several = program.parents[target]
        if not isinstance(several, cst.Tuple):
            return None
        place, target = list(several.elements).index(target), program.parents[several]
        given = _value(program, target)
        same = isinstance(given, cst.Tuple) and len(given.elements) == len(several.elements)
        return given.elements[place].value if same and isinstance(given, cst.Tuple) else None
    return _value(program, target)


def _value(program: Program, target: cst.CSTNode) -> cst.BaseExpression | None:
    assignment = program.parents[target]
    if isinstance(target, cst.AssignTarget) and isinstance(assignment, cst.Assign) and len(assignment.targets) == 1:
        return assignment.value
    return None


def _compared(program: Program, node: cst.Name) -> list[bool] | None:
    """Whether ratings are to be greater than a variable, a margin added or not; [] for ties, None for any other use."""
    side: cst.BaseExpression = node
    around = program.parents[node]
    if isinstance(around, cst.BinaryOperation) and isinstance(around.operator, (cst.Add, cst.Subtract)):
        if number(around.right) is None:
            return None
        side, around = around, program.parents[around]
    test = program.parents.get(around) if isinstance(around, cst.ComparisonTarget) else around
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    target = test.comparisons[0]
    first, other = test.left is side, target.comparator if test.left is side else test.left
    if number(other) is not None or is_name(other, node.value):
        return None
    if isinstance(target.operator, _TIES):
        return []
    if not isinstance(target.operator, (*_RISING, *_FALLING)):
        return None
    return [isinstance(target.operator, _FALLING if first else _RISING)]
