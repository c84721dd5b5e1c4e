"""Tier a, loops: searching for the best candidate and running over indices, with the same behaviour."""

from __future__ import annotations

import libcst as cst
import numpy as np

from .editing import Block, Program, indent, read
from .reading import (
    assignment,
    body_of,
    called,
    is_name,
    is_one_of,
    is_pure,
    names,
    number,
    plain_arguments,
    returned,
    single_statement,
    target_names,
    uses,
    walk,
)
from .registry import TaskInterface, transform
from .structural import Window, rewrite_window

_SINGULAR = {
    "unvisited_nodes": ("node", "city", "candidate"),
    "feasible_operations": ("operation",),
    "remaining_items": ("item", "entry"),
    "bins": ("room", "capacity_left"),
    "remaining_customers": ("customer", "client"),
    "remaining_capacities": ("room", "capacity"),
    "remaining_subsets": ("subset", "group"),
    "current_assignment": ("location", "place"),
    "el": ("digit", "symbol"),
}
_GENERIC = ("entry", "candidate", "element", "value")
_COUNTERS = ("i", "k", "index", "position")


def _sequences(program: Program, function: cst.FunctionDef) -> set[str]:
    """Arguments and lists of a function that are never rebound, edited in place or given away as method owners."""
    found = {param.name.value for param in function.params.params if param.name.value in _SINGULAR}
    for statement in program.find(cst.SimpleStatementLine, function):
        if (pair := assignment(statement)) and (isinstance(pair[1], cst.ListComp) or called(pair[1]) == "sorted"):
            found.add(pair[0])
    rebound: list[str] = []
    for node in walk(function):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.For, cst.CompFor)):
            target = node.target
            if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name):
                rebound += [target.value.value] * 2
            rebound += target_names(target)
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and is_name(node.func.value):
            rebound += [node.func.value.value] * 2  # type: ignore[attr-defined]
        elif isinstance(node, cst.Del):
            rebound += [name.value for name in names(node)] * 2
    arguments = {param.name.value for param in function.params.params}
    return {name for name in found if rebound.count(name) <= (0 if name in arguments else 1)}


@transform("a")
def loop_over_indices(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`for i, x in enumerate(xs)` and `for x in xs` become a loop over `range(len(xs))`."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        loop, function = window[0], program.function_of(block)
        body = body_of(loop) if isinstance(loop, cst.For) else None
        if not isinstance(loop, cst.For) or loop.orelse is not None or body is None or function is None:
            return None
        listed, counter = loop.iter, program.fresh(generator, _COUNTERS)
        target: cst.BaseExpression = loop.target
        if called(listed) == "enumerate" and (values := plain_arguments(listed, 1)):  # type: ignore[arg-type]
            if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
                return None
            listed, counter = values[0], program.code(target.elements[0].value)
            target = target.elements[1].value
        if not is_one_of(listed, _sequences(program, function)) or counter is None:
            return None
        values_name, element = program.code(listed), program.code(target).strip("()")
        text = "".join(program.code(statement) for statement in body)
        return f"for {counter} in range(len({values_name})):\n    {element} = {values_name}[{counter}]\n{indent(text)}"

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def range_to_enumerate(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`for i in range(len(xs))` becomes `for i, x in enumerate(xs)`, with `x` for `xs[i]`."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        loop, function = window[0], program.function_of(block)
        if not isinstance(loop, cst.For) or body_of(loop) is None or called(loop.iter) != "range" or function is None:
            return None
        bounds = plain_arguments(loop.iter, 1)  # type: ignore[arg-type]
        inner = plain_arguments(bounds[0], 1) if bounds and called(bounds[0]) == "len" else None  # type: ignore[arg-type]
        if not inner or not is_one_of(inner[0], _sequences(program, function)) or not is_name(loop.target):
            return None
        values, counter = program.code(inner[0]), program.code(loop.target)
        inside = Program(program.code(loop))
        sites = [node for node in inside.find(cst.Subscript) if inside.code(node) == f"{values}[{counter}]"]
        if any(
            node.target is not loop.target and counter in target_names(node.target)
            for node in program.find(cst.AssignTarget)
        ):
            return None
        element = program.fresh(generator, [*_SINGULAR.get(values, ()), *_GENERIC])
        if not sites or element is None:
            return None
        text = inside.replace_many([(node, element) for node in sites])
        return text.replace(
            f"for {counter} in range(len({values})):", f"for {counter}, {element} in enumerate({values}):", 1
        )

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def minimum_to_loop(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`min(xs, key=f)` becomes an explicit search that keeps the first of equal candidates; `max` likewise."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        found, value = assignment(window[0]), returned(window[0])
        call = found[1] if found else value
        if not isinstance(call, cst.Call) or called(call) not in ("min", "max") or not 2 <= len(call.args) <= 3:
            return None
        keywords = {arg.keyword.value: arg.value for arg in call.args[1:] if arg.keyword is not None}
        key = keywords.pop("key", None)
        default = keywords.pop("default", None)
        function = program.function_of(block)
        if key is None or keywords or len(call.args) != 2 + (default is not None) or function is None:
            return None
        if call.args[0].star or (default is not None and not is_name(default, "None")):
            return None
        best = found[0] if found else program.fresh(generator, ("best", "winner", "chosen"))
        record = program.fresh(generator, ("best_score", "best_key", "record", "best_value"))
        score = program.fresh(generator, ("score", "key", "merit", "rating"))
        if best is None or record is None or score is None or uses(call, best):
            return None
        if isinstance(key, cst.Lambda):
            parameters = [param.name.value for param in key.params.params]
            if len(parameters) != 1 or key.params.params[0].default is not None:
                return None
            element, expression = parameters[0], program.code(key.body)
            if uses(function, element) != uses(key, element) or element == best:
                return None
        else:
            choice = program.fresh(generator, ("candidate", "option", "entry"))
            if choice is None or not isinstance(key, (cst.Name, cst.Attribute)):
                return None
            element, expression = choice, f"{program.code(key)}({choice})"
        sign = "<" if called(call) == "min" else ">"
        lines = (
            f"{best} = None\n{record} = None\nfor {element} in {program.code(call.args[0].value)}:\n"
            f"    {score} = {expression}\n    if {record} is None or {score} {sign} {record}:\n"
            f"        {record} = {score}\n        {best} = {element}\n"
        )
        return lines if found else f"{lines}return {best}\n"

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def loop_to_minimum(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """An explicit search for the best candidate, and nothing else, becomes `min(xs, key=...)` or `max`.

    The search must start from infinity, and its fallback serves for an empty list only.
    """
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        one, two, loop = assignment(window[0]), assignment(window[1]), window[2]
        body = body_of(loop) if isinstance(loop, cst.For) else None
        if one is None or two is None or body is None or not isinstance(loop, cst.For) or loop.orelse is not None:
            return None
        if len(body) != 2 or not is_name(loop.target):
            return None
        score, test = assignment(body[0]), body[1]
        inner = body_of(test) if isinstance(test, cst.If) else None
        if score is None or not isinstance(test, cst.If) or test.orelse is not None or not inner or len(inner) != 2:
            return None
        stores = dict(pair for line in inner if (pair := assignment(line)) is not None)
        element = program.code(loop.target)
        record = next((name for name, value in stores.items() if is_name(value, score[0])), None)
        best = next((name for name, value in stores.items() if is_name(value, element)), None)
        starts = {one[0]: one[1], two[0]: two[1]}
        if record is None or best is None or record == best or set(starts) != {record, best}:
            return None
        condition, start = program.code(test.test), program.code(starts[record]).replace("'", '"')
        smaller = condition in (f"{score[0]} < {record}", f"{record} > {score[0]}")
        larger = condition in (f"{score[0]} > {record}", f"{record} < {score[0]}")
        infinite = (
            ('float("inf")', "np.inf", "math.inf")
            if smaller
            else ('-float("inf")', "-np.inf", "-math.inf", 'float("-inf")')
        )
        function = program.function_of(block)
        if not (smaller or larger) or start not in infinite or function is None:
            return None
        if (
            uses(score[1], record)
            or uses(score[1], best)
            or any(
                uses(function, name) != uses([window[0], window[1], loop], name) for name in (record, score[0], element)
            )
        ):
            return None
        fallback = starts[best]
        empty = isinstance(fallback, cst.Subscript) and program.code(fallback) == f"{program.code(loop.iter)}[0]"
        default = "" if empty else f", default={program.code(fallback)}"
        if not empty and not (is_name(fallback, "None") or number(fallback) is not None):
            return None
        name = "min" if smaller else "max"
        return f"{best} = {name}({program.code(loop.iter)}, key=lambda {element}: {program.code(score[1])}{default})\n"

    return rewrite_window(program, generator, 3, rewrite)


@transform("a")
def lambda_to_function(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """The key of a search becomes a named inner function."""
    program = read(source)
    sites = []
    for node in program.find(cst.Lambda):
        parent = program.parents[node]
        place = program.statement_of(node)
        if not isinstance(parent, cst.Arg) or place is None or len(node.params.params) != 1:
            continue
        block, start = place
        inside = [ancestor for ancestor in program.ancestors(node) if isinstance(ancestor, (cst.Lambda, cst.BaseComp))]
        if not inside and isinstance(single_statement(block.body[start]), (cst.Assign, cst.Return)):
            sites.append((node, block, start))
    name = program.fresh(generator, ("sort_key", "merit_of", "rate", "cost_of", "criterion"))
    if not sites or name is None:
        return None
    node, block, start = sites[int(generator.integers(len(sites)))]
    statement = block.body[start].deep_replace(node, cst.Name(name))
    parameter = program.code(node.params.params[0].name)
    text = f"def {name}({parameter}):\n    return {program.code(node.body)}\n\n{program.code(statement)}"
    return program.replace_statements(block, start, start + 1, text)


@transform("a")
def any_to_loop(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`x = any(test for y in ys)` becomes a loop that stops at the first hit; `all` likewise."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        found = assignment(window[0])
        if found is None or called(found[1]) not in ("any", "all"):
            return None
        values = plain_arguments(found[1], 1)  # type: ignore[arg-type]
        function = program.function_of(block)
        if not values or not isinstance(values[0], cst.GeneratorExp) or function is None:
            return None
        part, test = values[0].for_in, values[0].elt
        if part.inner_for_in is not None or part.ifs or uses(values[0], found[0]) or not is_pure(test):
            return None
        if any(uses(function, name) != uses(values[0], name) for name in target_names(part.target)):
            return None
        every = called(found[1]) == "all"
        condition = f"not {program.operand(test)}" if every else program.code(test)
        return (
            f"{found[0]} = {every}\nfor {program.code(part.target)} in {program.code(part.iter)}:\n"
            f"    if {condition}:\n        {found[0]} = {not every}\n        break\n"
        )

    return rewrite_window(program, generator, 1, rewrite)
