"""Which programs are one program: layout, comments, docstrings and annotations count only where they can be seen."""

from __future__ import annotations

import ast
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.purity import is_pure
from lhs_hf.evaluation.stateless import is_stateless
from lhs_hf.programs import ProgramError, canonical, is_repeatable, load_function, program_hash
from lhs_hf.reach import Reach, read
from lhs_hf.tasks import get_task, task_names

KNAPSACK = "def select_next_item(remaining_capacity, remaining_items):\n"

WITH_CLASSES = {
    "dataclass": """
        from dataclasses import dataclass, field
        @dataclass(order=True)
        class Row:
            worth: float
            item: tuple = field(compare=False)
            seen: "list[int]" = field(default_factory=list, compare=False)
        """,
    "NamedTuple": """
        from typing import NamedTuple
        class Row(NamedTuple):
            worth: float
            item: tuple
            seen: int = 0
        """,
    "typing.NamedTuple": """
        import typing
        class Row(typing.NamedTuple):
            worth: float
            item: tuple
        """,
    "frozen slots": """
        import dataclasses
        from typing import ClassVar
        @dataclasses.dataclass(frozen=True, order=True, slots=True)
        class Row:
            kinds: ClassVar[int] = 3
            worth: float
            item: tuple
        """,
    "NamedTuple by call": """
        from typing import NamedTuple
        Row = NamedTuple("Row", [("worth", float), ("item", tuple)])
        """,
}
_LOCAL_CLASS = """
    from dataclasses import dataclass
    @dataclass(order=True)
    class Row:
        kinds: ClassVar[int] = 1
        worth: float
        item: tuple
"""
_BY_ROWS = """
    rows = [Row(value / weight, (weight, value, -index)) for weight, value, index in remaining_items
            if weight <= remaining_capacity]
    best = max(rows, default=None, key=lambda row: (row.worth, row.item[2]))
    return best and (*best.item[:2], -best.item[2])
"""


def _dedent(text: str) -> str:
    import textwrap

    return textwrap.dedent(text).lstrip("\n")


@pytest.fixture(scope="module")
def knapsack():
    with Evaluator("knapsack_construct") as made:
        yield made


@pytest.mark.parametrize("name", [*WITH_CLASSES, "dataclass in the function"])
def test_programs_may_define_records(knapsack: Evaluator, name: str) -> None:
    head = (
        _dedent(WITH_CLASSES[name]) + KNAPSACK
        if name in WITH_CLASSES
        else f"from typing import ClassVar\n{KNAPSACK}{_LOCAL_CLASS}"
    )
    source = head + _BY_ROWS
    found = knapsack.evaluate(source)
    assert (found.status, found.objective) == ("ok", 234.25), found.message
    assert knapsack.probe(source).error_rate == 0.0
    with knapsack.stepping(probes=2, limit_s=5.0) as stepper:
        [result] = stepper.step([(stepper.open(), source + "\n\nEND = None\n")])
    assert (result.status, result.finished) == ("ok", 2)


def test_loading_a_program_leaves_the_modules_of_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ModuleType("program")
    monkeypatch.setitem(sys.modules, "program", mine)
    source = _dedent(WITH_CLASSES["NamedTuple"]) + "def f(x):\n    return Row(x, ()).worth\n"
    assert load_function(source, "f", 1)(3) == 3
    assert sys.modules["program"] is mine


def _annotated(source: str) -> str:
    """A program with a comment, a docstring and an annotation in every place that has room for one."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = ast.Name("float", ast.Load())
            if ast.get_docstring(node) is None:
                node.body.insert(0, ast.Expr(ast.Constant("What it does.\n    In words.")))
            for each in node.args.args:
                each.annotation = ast.Constant("some.kind[of, thing]")
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Return):
            node.body.insert(-1, ast.parse("unused_: int = 3").body[0])
    return '"""A module."""\n# A comment.\n\n\n' + ast.unparse(ast.fix_missing_locations(tree)).replace("\n", "\n\n")


@pytest.mark.parametrize("name", task_names())
def test_how_a_usual_program_looks_does_not_matter(name: str) -> None:
    sources = [get_task(name).template, *(row.program for row in load_corpus(name)[::60])]
    for source in sources:
        dressed, bare = _annotated(source), _annotated(source).replace(": int = 3", " = 3")
        assert program_hash(dressed) == program_hash(bare)
        assert canonical(canonical(dressed)) == canonical(dressed) == canonical(bare)


@pytest.mark.parametrize("name", task_names())
def test_the_corpus_keeps_its_identities_and_what_is_known_of_its_programs(name: str) -> None:
    rows = load_corpus(name)[::5]
    reach = [read(ast.parse(row.program)) for row in rows]
    for row, found in zip(rows, reach):
        assert found.plain
        assert program_hash(row.program) == program_hash(row.canonical) == row.hash
        assert is_repeatable(row.program) is found.repeatable
    assert sum(found.repeatable for found in reach) >= 0.85 * len(reach)
    trees = [ast.parse(row.program) for row in rows]
    assert sum(map(is_stateless, trees)) >= 0.85 * len(trees)
    # What depends on its arguments alone has no state and no luck.
    assert all(is_stateless(tree) and found.repeatable for tree, found in zip(trees, reach) if is_pure(tree))


HEAD = "import math\nimport random\nimport numpy as np\nfrom collections import Counter\n"
# Statements of a function `f(x)` each, of which the layout matters.
SEEING = r"""
return f.__doc__
return x.__class__
return getattr(x, 'a')
return hasattr(x, 'a')
return vars(x)
return dir()
return locals()
return eval('1')
return type(x)
return x.gi_frame
return x.f_lineno
return x.tb_lineno
return '{}'.format(x)
return x._private
return np
return np.lib
return np.info(x)
return np.random
return np.core.sys
return math.__loader__
return random._os
return random.SystemRandom()
return Counter.__init__
return help(x)
return f'{x}'
return [np for np in x]
return unknown.attribute
return (lambda: (yield))().gi_code
np.pi = 3
import os
import inspect
import numpy.lib
import random as np
from os import path
from numpy import *
from random import SystemRandom
from . import x
x: (yield) = 1
x.T: int
f().T: int
y: int
class A: pass
async def g(): pass
async for y in x: pass
await x
match x:\n        case 1: pass
with open(x): pass
global y; y: int = 1
""".strip().splitlines()
# The same with statements that see nothing.
BLIND = r"""
return math.sqrt(x) + np.argmax(np.array(x, dtype=float))
return Counter(x).most_common(1)[0][0]
return max(x, key={1: 2}.__getitem__)
return random.Random(len(x)).choice(x)
return np.random.default_rng(x[0] * 7 + 1).integers(3)
return np.linalg.norm(x) + np.fft.rfft(x).real.sum()
return sorted(set(x), key=lambda y: (-y, y))
x: int = 1; return x
y: int; y = 3; return y
for y in x: y: int
with np.errstate(divide='ignore'): return np.log(x)
try: return x[0]\n    except (IndexError, ValueError): return None
nonlocal_ = [y for y in x if (z := y)]; return z
import heapq; return heapq.nlargest(2, x)
from itertools import chain; return list(chain.from_iterable(x))
import scipy.spatial.distance; return scipy.spatial.distance.cdist(x, x)
from scipy.optimize import linear_sum_assignment; return linear_sum_assignment(x)
from typing import List; y: List[int] = []; return y
raise ValueError('no')
assert len(x) > 3
yield from x
""".strip().splitlines()


def _function(text: str) -> str:
    return HEAD + "def f(x):\n    " + text.replace("\\n", "\n").replace("; ", "\n    ") + "\n"


@pytest.mark.parametrize("text", SEEING)
def test_a_program_that_might_see_its_text_is_its_text(text: str) -> None:
    source = _function(text)
    assert not read(ast.parse(source)).plain
    assert not is_repeatable(source)
    assert not is_stateless(ast.parse(source))
    assert program_hash(source) != program_hash("# a comment\n" + source)


@pytest.mark.parametrize("text", BLIND)
def test_a_program_that_sees_nothing_may_look_as_it_likes(text: str) -> None:
    source = _function(text)
    assert read(ast.parse(source)).plain
    assert is_repeatable(source)
    assert program_hash(source) == program_hash("# a comment\n" + source.replace("def f(x):", "def f(x: int) -> 'y':"))


def test_an_annotation_that_makes_a_name_local_is_kept() -> None:
    inside = "y = 1\ndef f(x):\n    y: int\n    return y\n"
    assert program_hash(inside) != program_hash(inside.replace("y: int", "pass"))
    for text in ("    y: int\n    y = 2\n", "    for y in x:\n        y: int\n"):
        kept = f"def f(x):\n{text}    return y\n"
        assert program_hash(kept) == program_hash(kept.replace("y: int", "pass"))
    # Bound in a comprehension or in another function is bound elsewhere.
    for text in ("    [y for y in x]\n", "    def g(y):\n        return y\n"):
        kept = f"y = 1\ndef f(x):\n    y: int\n{text}    return y\n"
        assert program_hash(kept) != program_hash(kept.replace("y: int", "pass"))


def test_deep_programs_are_refused_or_read() -> None:
    for depth in (50, 500, 5_000):
        for source in ("-" * depth + "1\n", "[" * depth + "]" * depth + "\n", "x" + ".T" * depth + "\n"):
            with suppress(ProgramError):
                assert len(program_hash(source)) == 64


_NAMES = st.sampled_from(
    (
        *("getattr", "setattr", "vars", "globals", "locals", "eval", "exec", "compile", "open", "id", "hash", "type"),
        *(
            "object",
            "dir",
            "help",
            "memoryview",
            "__import__",
            "__builtins__",
            "__doc__",
            "__annotations__",
            "__spec__",
        ),
        *("delattr", "hasattr", "breakpoint", "input", "super", "classmethod", "property"),
    )
)
_PLACES = st.sampled_from(
    [
        "def f(x, y={0}):\n    return y\n",
        "def f(x):\n    y = {0}\n    return y\n",
        "def f(x):\n    return [{0}][0](x)\n",
        "def f(x):\n    return max(x, key={0})\n",
        "Y = {0}\ndef f(x):\n    return Y(x)\n",
        "def f(x):\n    return (lambda y={0}: y)()(x)\n",
        "def f(x):\n    if (y := {0}):\n        return y\n",
        "@{0}\ndef f(x):\n    return x\n",
        "def f(x):\n    for y in ({0},):\n        return y(x)\n",
        "def g({0}):\n    return {0}\ndef f(x):\n    return {0}(x)\n",
        "def f(x):\n    return {{1: {0}}}[1](x)\n",
        "def f(x):\n    x[{0}] = 1\n    return x\n",
        "def f(x):\n    try:\n        return x\n    except {0}:\n        return 1\n",
        "def f(x):\n    return x.{0}\n",
        "import math\ndef f(x):\n    return math.{0}\n",
        "from math import {0}\ndef f(x):\n    return {0}\n",
        "import {0}\ndef f(x):\n    return x\n",
        "def f(x):\n    del {0}[0]\n    return x\n",
        "def f(x):\n    return x[{0}:]\n",
        "def f(x):\n    return print(x, file={0})\n",
    ]
)


@given(place=_PLACES, name=_NAMES)
def test_no_name_that_reaches_everything_is_overlooked_anywhere(place: str, name: str) -> None:
    source = place.format(name)
    tree = ast.parse(source)
    reached = read(tree)
    # A public name of a module of numbers is that of its own function, were there one.
    if place.startswith(("import math", "from math")) and not name.startswith("_"):
        assert not is_pure(tree)
        return
    assert reached == Reach(False, False, False)
    assert not is_stateless(tree)
    assert not is_pure(tree)


def test_reading_a_program_needs_nothing_but_the_standard_library() -> None:
    import subprocess

    code = "import sys; import lhs_hf.programs; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert found.stdout.strip() == "False", found.stderr


def test_the_canonical_form_keeps_what_makes_the_fields_of_a_class() -> None:
    source = "class Row:\n    x: int\n    def f(self, y: int) -> int:\n        'Text.'\n"
    source += "        z: int = y\n        return z\n"
    assert canonical(source) == "class Row:\n    x: int\n\n    def f(self, y):\n        z = y\n        return z\n"


def test_deep_text_has_a_form_or_is_refused() -> None:
    for depth in (100, 900, 3_000):
        with suppress(ProgramError):
            assert canonical("x = " + "-" * depth + "1\n")
