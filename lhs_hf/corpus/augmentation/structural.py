"""Tier a, statements: comprehensions, temporaries and the order of statements, with the same behaviour."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst
import numpy as np

from .editing import Block, Program, indent, read
from .reading import (
    assignment,
    body_of,
    called,
    is_name,
    is_pure,
    name_set,
    number,
    plain_arguments,
    single_statement,
    target_names,
    uses,
    walk,
)
from .registry import TaskInterface, transform

Window = tuple[cst.BaseStatement, ...]


def rewrite_window(
    program: Program, generator: np.random.Generator, size: int, rewrite: Callable[[Block, Window], str | None]
) -> str | None:
    """Replace one run of `size` statements, drawn at random, by what `rewrite` says."""
    windows = program.windows(size)
    for position in generator.permutation(len(windows)) if windows else []:
        block, start, found = windows[int(position)]
        text = rewrite(block, found)
        if text is not None:
            return program.replace_statements(block, start, start + size, text)
    return None


def _only_here(program: Program, block: Block, variables: list[str], inside: list[cst.CSTNode]) -> bool:
    """Whether a function names these variables nowhere but in the given nodes."""
    function = program.function_of(block)
    return function is not None and all(uses(function, name) == uses(inside, name) for name in variables)


def text_of(program: Program, nodes: Iterable[cst.CSTNode]) -> str:
    """Source text of several statements, unindented."""
    return "".join(program.code(node) for node in nodes)


@transform("a")
def loop_to_comprehension(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A list grown by `append` in a loop becomes a comprehension."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        first, loop = assignment(window[0]), window[1]
        if first is None or not isinstance(first[1], cst.List) or first[1].elements or not isinstance(loop, cst.For):
            return None
        name, body, condition = first[0], body_of(loop), ""
        if loop.orelse is not None or body is None or len(body) != 1:
            return None
        test = body[0]
        if isinstance(test, cst.If):
            inner = body_of(test)
            if test.orelse is not None or inner is None or len(inner) != 1:
                return None
            condition, body = f" if {program.code(test.test)}", inner
        small = single_statement(body[0])
        if not isinstance(small, cst.Expr) or program.code(small.value).split("(")[0] != f"{name}.append":
            return None
        values = plain_arguments(small.value, 1) if isinstance(small.value, cst.Call) else None
        if values is None or uses(loop, name) != 1 or isinstance(loop.iter, cst.Tuple):
            return None
        if not _only_here(program, block, target_names(loop.target), [loop]) or not target_names(loop.target):
            return None
        target, iterable = program.code(loop.target), program.code(loop.iter)
        return f"{name} = [{program.code(values[0])} for {target} in {iterable}{condition}]"

    return rewrite_window(program, generator, 2, rewrite)


@transform("a")
def comprehension_to_loop(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`xs = [f(x) for x in ys if c]` becomes a loop with `append`."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        found = assignment(window[0])
        comprehension = found[1] if found is not None else None
        if found is None or not isinstance(comprehension, cst.ListComp):
            return None
        name = found[0]
        part = comprehension.for_in
        if part.inner_for_in is not None or uses(comprehension, name):
            return None
        if not _only_here(program, block, target_names(part.target), [comprehension]):
            return None
        line = f"{name}.append({program.code(comprehension.elt)})\n"
        if part.ifs:
            tests = " and ".join(
                program.operand(test.test) if len(part.ifs) > 1 else program.code(test.test) for test in part.ifs
            )
            line = f"if {tests}:\n{indent(line)}"
        return f"{name} = []\nfor {program.code(part.target)} in {program.code(part.iter)}:\n{indent(line)}"

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def augmented_assignment(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`x = x + e` becomes `x += e` and back, for variables that start as a number."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        small = single_statement(window[0])
        found = assignment(window[0])
        name = found[0] if found else ""
        if isinstance(small, cst.AugAssign) and is_name(small.target):
            name = small.target.value
        function = program.function_of(block)
        if not name or function is None:
            return None
        starts = [
            value[1]
            for line in program.find(cst.SimpleStatementLine, function)
            if (value := assignment(line)) and value[0] == name
        ]
        if not any(number(value) is not None for value in starts):
            return None
        if isinstance(small, cst.AugAssign):
            sign = program.code(small.operator).strip().rstrip("=")
            return f"{name} = {name} {sign} {program.operand(small.value)}"
        total = found[1] if found else None
        if not isinstance(total, cst.BinaryOperation) or not is_name(total.left, name):
            return None
        if total.lpar or not isinstance(total.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)):
            return None
        return f"{name} {program.code(total.operator).strip()}= {program.code(total.right)}"

    return rewrite_window(program, generator, 1, rewrite)


_TEMPORARIES: dict[str, tuple[str, ...]] = {
    "len": ("count", "size", "how_many"),
    "np.mean": ("average", "mean_value"),
    "np.sum": ("total", "sum_of_values"),
    "np.argmin": ("best_index", "lowest", "position"),
    "np.argmax": ("best_index", "highest", "position"),
    "np.argsort": ("order", "ranking"),
    "min": ("smallest", "lowest"),
    "max": ("largest", "highest"),
    "sum": ("total", "overall"),
    "abs": ("gap", "magnitude"),
    "sorted": ("ordered", "ranked"),
}
_RETURNED = ("choice", "answer", "result", "selected")


@transform("a")
def extract_temporary(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A part of an expression, or the returned value, gets a name first."""
    program = read(source)

    def parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
        """Sub-expressions that are evaluated exactly once whenever the statement runs."""
        found = [node]
        children: list[Any] = []
        if isinstance(node, cst.BinaryOperation):
            children = [node.left, node.right]
        elif isinstance(node, cst.Call):
            children = [arg.value for arg in node.args if not arg.star]
        elif isinstance(node, cst.Subscript):
            children = [part.slice.value for part in node.slice if isinstance(part.slice, cst.Index)]
        elif isinstance(node, cst.Tuple):
            children = [element.value for element in node.elements]
        for child in children:
            found += parts(child)
        return found

    sites: list[tuple[Block, int, cst.BaseExpression, tuple[str, ...]]] = []
    for block, start, (statement,) in program.windows(1):
        small = single_statement(statement)
        if not isinstance(small, (cst.Assign, cst.Return)) or small.value is None:
            continue
        simple = isinstance(small.value, (cst.Name, cst.Tuple, cst.IfExp)) or number(small.value) is not None
        if isinstance(small, cst.Return) and not simple:
            sites.append((block, start, small.value, _RETURNED))
        for part in parts(small.value)[1:]:
            if is_pure(small) and called(part) in _TEMPORARIES:
                sites.append((block, start, part, _TEMPORARIES[called(part)]))
            elif is_pure(small) and isinstance(part, cst.BinaryOperation):
                sites.append((block, start, part, ("term", "part", "amount", "partial")))
    if not sites:
        return None
    block, start, part, candidates = sites[int(generator.integers(len(sites)))]
    name = program.fresh(generator, candidates)
    if name is None:
        return None
    statement = block.body[start].deep_replace(part, cst.Name(name))  # type: ignore[arg-type]
    text = f"{name} = {program.code(part)}\n{program.code(statement)}"
    return program.replace_statements(block, start, start + 1, text)


@transform("a")
def inline_temporary(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A variable used once, in the next statement, is replaced by its value."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        found, small = assignment(window[0]), single_statement(window[1])
        function = program.function_of(block)
        if found is None or not isinstance(small, (cst.Assign, cst.Return)) or function is None or small.value is None:
            return None
        name, value = found
        if uses(function, name) != 2 or uses(small.value, name) != 1:
            return None
        if not is_pure(value) or (not is_pure(small) and not is_name(small.value, name)):
            return None
        lazy = (cst.Lambda, cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp, cst.IfExp, cst.BooleanOperation)
        if any(isinstance(node, lazy) and uses(node, name) for node in walk(small.value)):
            return None
        inner = Program(program.code(window[1]))
        node = next(n for n in inner.nodes if is_name(n, name) and not _is_attribute(inner, n))
        return inner.replace(node, program.code(value))

    return rewrite_window(program, generator, 2, rewrite)


def _is_attribute(program: Program, node: cst.CSTNode) -> bool:
    parent = program.parents[node]
    return (isinstance(parent, cst.Attribute) and parent.attr is node) or (
        isinstance(parent, cst.Arg) and parent.keyword is node
    )


def _independent(first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether two assignments to names can change places."""
    one, two = assignment(first), assignment(second)
    if one is None or two is None or one[0] == two[0] or not (is_pure(one[1]) and is_pure(two[1])):
        return False
    return not uses(two[1], one[0]) and not uses(one[1], two[0])


@transform("a")
def reorder_assignments(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Two neighbouring assignments that do not depend on each other change places."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        return text_of(program, window[::-1]) if _independent(*window) else None

    return rewrite_window(program, generator, 2, rewrite)


@transform("a")
def pack_assignments(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`a = x` and `b = y` become `a, b = x, y`, and back."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        one, two = assignment(window[0]), assignment(window[1])
        if one is not None and two is not None and _independent(*window):
            return f"{one[0]}, {two[0]} = {program.operand(one[1])}, {program.operand(two[1])}"
        small = single_statement(window[0])
        if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.value, cst.Tuple):
            bound, values = target_names(small.targets[0].target), [element.value for element in small.value.elements]
            target = small.targets[0].target
            flat = isinstance(target, cst.Tuple) and all(is_name(element.value) for element in target.elements)
            if flat and len(bound) == len(values) and not (set(bound) & name_set(values)):
                if any(isinstance(element, cst.StarredElement) for element in small.value.elements):
                    return None
                lines = "".join(f"{name} = {program.code(value)}\n" for name, value in zip(bound, values))
                return lines + program.code(window[1])
        return None

    return rewrite_window(program, generator, 2, rewrite)


@transform("a")
def reorder_functions(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Neighbouring imports, or neighbouring helper functions, change places."""
    program = read(source)
    body, main = program.module.body, program.main(task.function_name)
    sites = []
    for start in range(len(body) - 1):
        first, second = body[start], body[start + 1]
        imports = all(isinstance(single_statement(s), (cst.Import, cst.ImportFrom)) for s in (first, second))
        functions = isinstance(first, cst.FunctionDef) and isinstance(second, cst.FunctionDef)
        if functions:
            same = first.name.value == second.name.value  # type: ignore[union-attr]
            plain = not any(p.default for f in (first, second) for p in f.params.params)  # type: ignore[union-attr]
            functions = plain and not same and not (first.decorators or second.decorators)  # type: ignore[union-attr]
        if imports or (functions and main is not first and main is not second):
            sites.append(start)
    if not sites:
        return None
    start = sites[int(generator.integers(len(sites)))]
    order = [*body[:start], body[start + 1], body[start], *body[start + 2 :]]
    return program.module.with_changes(body=order).code.lstrip("\n")
