"""Choices that are written short, as a choice by the key of a lambda, which terms can join.

By place, `loads.index(min(loads))` and `np.argmin(loads)`; by a key that is a method or a function, `key=loads.get`; by
no key at all, `sorted(names)`; what is taken as it comes, `left.pop(0)`, `next(iter(left))`, `return jobs[0], machine`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from ...corpus.augmentation.editing import Program, read
from ...corpus.augmentation.reading import called, is_name, is_one_of, number
from ...tasks.base import Task

_NAMES = ("option", "candidate", "entry")
_BY_PLACE = {"np.argmin": "min", "np.argmax": "max", ".argmin": "min", ".argmax": "max"}
_RATINGS = (cst.Name, cst.Subscript, cst.Attribute)
_FUNCTIONS = ("len", "sum", "min", "max", "abs")
AS_IT_COMES = "0"
"""What all alternatives are rated by where the first of them is taken."""

_LOOKUPS = {"get": ".get({})", "__getitem__": "[{}]"}


def spelled_out(source: str, whole: bool = True) -> Program:
    """A program with `min(range(len(loads)), key=lambda option: loads[option])` where it chooses by place.

    Only of what has a name, or is an entry of that: anything else would be computed once for every alternative. Keys
    that are no lambdas become some. `whole`: what is taken as it comes, or sorted by itself, is a choice, too.
    """
    program = read(source)
    name = next((each for each in _NAMES if each not in program.names), None)
    if name is None:
        return program
    texts: list[tuple[cst.CSTNode, str]] = []
    for argument in program.find(cst.Arg):
        if is_name(argument.keyword, "key"):
            rating = _by_key(program, argument.value, name)
            texts += [] if rating is None else [(argument.value, f"lambda {name}: {rating}")]
    for call in program.find(cst.Call):
        choice = _by_place(program, call)
        if choice is not None:
            chooses, ratings = choice
            texts.append((call, f"{chooses}(range(len({ratings})), key=lambda {name}: {ratings}[{name}])"))
        elif (masked := _masked(program, call)) is not None:
            chooses, mask, ratings = masked
            open_ = f"({name} for {name} in range(len({mask})) if {mask}[{name}])"
            texts.append((call, f"{chooses}({open_}, key=lambda {name}: {ratings}[{name}], default=0)"))
        elif not whole:
            continue
        elif (taken := _taken(call)) is not None:
            left = program.code(taken)
            first = f"min({left}, key=lambda {name}: {AS_IT_COMES})"
            texts.append((call, f"{left}.pop({left}.index({first}))" if called(call) == ".pop" else first))
        elif _sorts(call):
            given = "".join(f"{program.code(each).rstrip().rstrip(',')}, " for each in call.args)
            texts.append((call, f"{program.code(call.func)}({given}key=lambda {name}: {name})"))
    for entry in _answered_first(program) if whole else ():
        texts.append((entry, f"min({program.code(entry.value)}, key=lambda {name}: {AS_IT_COMES})"))
    return read(program.replace_many(texts)) if texts else program


def with_a_key(source: str, task: Task) -> str:
    """A program with what it chooses by as the key of a lambda, in a task of one's own where one of several is chosen.

    Transforms and new rules take hold of keys. What is taken as it comes may be part of an alternative.
    """
    return _spelled(source) if not task.of_paper and getattr(task, "answers", None) == "choice" else source


@lru_cache(maxsize=64)
def _spelled(source: str) -> str:
    return spelled_out(source, whole=False).module.code


def _answered_first(program: Program) -> Iterator[cst.Subscript]:
    """The first entries of what has a name, in an answer of several things: `return jobs[0]["id"], machine`."""
    for answer in program.find(cst.Return):
        if isinstance(answer.value, cst.Tuple):
            for node in program.find(cst.Subscript, answer.value):
                place = node.slice[0].slice
                if is_name(node.value) and isinstance(place, cst.Index) and number(place.value) == 0:
                    yield node


def _masked(program: Program, call: cst.Call) -> tuple[str, str, str] | None:
    """Of `np.argmax(np.where(mask, ratings, -1.0))` "max", the mask and the ratings: what is not in the mask is out."""
    inner = call.args[0].value if len(call.args) == 1 else None
    if called(call) not in ("np.argmin", "np.argmax") or called(inner) != "np.where" or not isinstance(inner, cst.Call):
        return None
    values = [each.value for each in inner.args if each.keyword is None and not each.star]
    if len(values) != 3 or not all(isinstance(each, _RATINGS) for each in values[:2]):
        return None
    return _BY_PLACE[called(call)], program.code(values[0]), program.code(values[1])


def _by_key(program: Program, key: cst.BaseExpression, option: str) -> str | None:
    """What a key says of an alternative, where it is a method of a collection, a builtin or an item getter."""
    if isinstance(key, cst.Attribute) and key.attr.value in _LOOKUPS and isinstance(key.value, _RATINGS):
        return program.code(key.value) + _LOOKUPS[key.attr.value].format(option)
    if is_one_of(key, _FUNCTIONS):
        return f"{key.value}({option})"
    if isinstance(key, cst.Call) and called(key) in ("itemgetter", ".itemgetter") and len(key.args) == 1:
        return f"{option}[{program.code(key.args[0].value)}]"
    return None


def _taken(call: cst.Call) -> cst.Name | None:
    """What the first entry is taken from: `left.pop(0)`, `next(iter(left))`. A `left.pop()` may be of a set."""
    places = [each.value for each in call.args]
    if called(call) == ".pop" and isinstance(call.func, cst.Attribute) and len(places) == 1:
        first = isinstance(places[0], cst.Integer) and places[0].value == "0"
        return call.func.value if first and isinstance(call.func.value, cst.Name) else None
    if called(call) == "next" and len(places) == 1 and called(places[0]) == "iter":
        inner = [each.value for each in places[0].args] if isinstance(places[0], cst.Call) else []
        return inner[0] if len(inner) == 1 and isinstance(inner[0], cst.Name) else None
    return None


def _sorts(call: cst.Call) -> bool:
    """Whether a call sorts entries by themselves: of what is short, so that nothing inside of it has a key."""
    name, keywords = called(call), [each for each in call.args if each.keyword is not None]
    if not all(is_name(each.keyword, "reverse") for each in keywords):
        return False
    listed = [each.value for each in call.args if each.keyword is None and not each.star]
    if name == ".sort":
        return not listed
    return name == "sorted" and len(listed) == 1 and isinstance(listed[0], _RATINGS)


def _by_place(program: Program, call: cst.Call) -> tuple[str, str] | None:
    """Of a call that is the place of the least or the greatest: `min` or `max`, and what it looks through."""
    method = call.func if isinstance(call.func, cst.Attribute) else None
    name, arguments = called(call), [each.value for each in call.args if each.keyword is None and not each.star]
    if method is None or len(arguments) != len(call.args):
        return None
    if name == ".index" and len(arguments) == 1 and called(arguments[0]) in ("min", "max"):
        extreme = arguments[0]
        inner = [each.value for each in extreme.args] if isinstance(extreme, cst.Call) else []
        same = len(inner) == 1 and program.code(inner[0]) == program.code(method.value)
        return (called(extreme), program.code(method.value)) if same and isinstance(inner[0], _RATINGS) else None
    if name not in _BY_PLACE or len(arguments) != (0 if name.startswith(".") else 1):
        return None
    ratings = arguments[0] if arguments else method.value
    around = program.parents.get(program.parents.get(call, call), call)
    if not isinstance(ratings, _RATINGS) or called(around) in ("np.unravel_index", "divmod"):
        return None
    return _BY_PLACE[name], program.code(ratings)
