"""Tier a, expressions: the same value written differently."""

from __future__ import annotations

import libcst as cst
import numpy as np

from .editing import Program, choose, read
from .reading import assignment, called, is_name, is_one_of, is_pure, number, plain_arguments, target_names, uses, walk
from .registry import TaskInterface, transform

_MIRRORED = {
    cst.LessThan: ">",
    cst.GreaterThan: "<",
    cst.LessThanEqual: ">=",
    cst.GreaterThanEqual: "<=",
    cst.Equal: "==",
    cst.NotEqual: "!=",
}
_ARRAY_METHODS = frozenset(["sum", "mean", "min", "max", "argmin", "argmax", "argsort", "std"])
_ARRAY_MAKERS = frozenset(
    ["np.array", "np.asarray", "np.zeros", "np.ones", "np.full", "np.arange", "np.abs", "np.sqrt", "np.exp", "np.where"]
)
_MATRICES = frozenset(["distance_matrix", "flow_matrix", "dist_mat", "dist_matrix", "flow_mat"])
_SCALARS = frozenset(["current_node", "destination_node", "depot", "current", "here", "destination", "current_city"])


@transform("a")
def flip_comparison(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`a < b` becomes `b > a`."""
    program = read(source)

    def rewrite(node: cst.Comparison) -> str | None:
        if len(node.comparisons) != 1 or not is_pure(node):
            return None
        sign = _MIRRORED.get(type(node.comparisons[0].operator))
        if sign is None:
            return None
        return f"{program.term(node.comparisons[0].comparator)} {sign} {program.term(node.left)}"

    return choose(program, generator, program.find(cst.Comparison), rewrite)


@transform("a")
def power_to_square(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`x ** 2` becomes `np.square(x)`, or `x * x` for a plain name in a program without NumPy."""
    program = read(source)

    def rewrite(node: cst.BinaryOperation) -> str | None:
        if not isinstance(node.operator, cst.Power) or number(node.right) != 2:
            return None
        if "np" in program.imports:
            return f"np.square({program.code(node.left) if not node.left.lpar else program.code(node.left)[1:-1]})"
        return f"{node.left.value} * {node.left.value}" if isinstance(node.left, cst.Name) else None

    return choose(program, generator, program.find(cst.BinaryOperation), rewrite)


@transform("a")
def square_to_power(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`np.square(x)` becomes `x ** 2`, and a product `x * x` of a name with itself too."""
    program = read(source)

    def rewrite(node: cst.BaseExpression) -> str | None:
        if isinstance(node, cst.Call) and called(node) == "np.square" and (values := plain_arguments(node, 1)):
            return f"{program.operand(values[0])} ** 2"
        if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Multiply):
            return None
        same = is_name(node.left) and is_name(node.right, program.code(node.left))
        return f"{program.code(node.left)} ** 2" if same else None

    return choose(program, generator, program.find(cst.BaseExpression), rewrite)  # type: ignore[type-abstract]


@transform("a")
def swap_absolute(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`abs(x)` becomes `np.abs(x)` and back, except for complex numbers, whose two lengths differ in the last digit."""
    program = read(source)
    if program.find(cst.Imaginary) or "complex" in source:
        return None

    def rewrite(node: cst.Call) -> str | None:
        values = plain_arguments(node, 1)
        name = called(node)
        if values is None or name not in ("abs", "np.abs", "np.absolute"):
            return None
        if name == "abs":
            return f"np.abs({program.code(values[0])})" if "np" in program.imports else None
        return f"abs({program.code(values[0])})"

    return choose(program, generator, program.find(cst.Call), rewrite)


@transform("a")
def spell_infinity(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`float("inf")` becomes `np.inf` or `math.inf` where imported, and back."""
    program = read(source)
    spellings = ['float("inf")', *(f"{module}.inf" for module in ("np", "math") if module in program.imports)]

    def rewrite(node: cst.BaseExpression) -> str | None:
        text = program.code(node).replace("'", '"')
        others = [spelling for spelling in spellings if spelling != text]
        if text not in ('float("inf")', "np.inf", "math.inf") or not others:
            return None
        return others[int(generator.integers(len(others)))]

    return choose(program, generator, [*program.find(cst.Call), *program.find(cst.Attribute)], rewrite)


@transform("a")
def commute(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`a * b` becomes `b * a`; a sum is turned round only where one side is plainly a number."""
    program = read(source)

    def numeric(node: cst.BaseExpression) -> bool:
        if any(isinstance(inner, (cst.List, cst.Tuple, cst.ListComp, cst.SimpleString)) for inner in walk(node)):
            return False
        if isinstance(node, cst.BinaryOperation):
            scaling = isinstance(node.operator, (cst.Multiply, cst.Divide, cst.Subtract, cst.Power))
            return scaling or numeric(node.left) or numeric(node.right)
        return number(node) is not None or called(node) in ("len", "np.mean", "np.sum", "sum", "float", "int")

    def rewrite(node: cst.BinaryOperation) -> str | None:
        multiply = isinstance(node.operator, cst.Multiply)
        if not (multiply or isinstance(node.operator, cst.Add)) or not is_pure(node):
            return None
        if not multiply and not (numeric(node.left) or numeric(node.right)):
            return None
        sign = "*" if multiply else "+"
        return f"{program.operand(node.right)} {sign} {program.operand(node.left)}"

    return choose(program, generator, program.find(cst.BinaryOperation), rewrite)


@transform("a")
def matrix_index(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`matrix[i][j]` becomes `matrix[i, j]` for NumPy matrices and scalar `i`, and back."""
    program = read(source)
    main = program.main(task.function_name)
    if main is None:
        return None
    renamed = dict(zip((param.name.value for param in main.params.params), task.arguments))
    looped = {name for node in program.find(cst.For) for name in target_names(node.target)}
    looped |= {name for node in program.find(cst.CompFor) for name in target_names(node.target)}
    assigned = {name for node in program.find(cst.AssignTarget) for name in target_names(node.target)}
    matrices = {name for name, original in renamed.items() if original in _MATRICES}
    scalars = {name for name, original in renamed.items() if original in _SCALARS} | (looped - assigned)

    def plain(element: cst.SubscriptElement) -> cst.BaseExpression | None:
        return element.slice.value if isinstance(element.slice, cst.Index) else None

    def rewrite(node: cst.Subscript) -> str | None:
        if len(node.slice) == 2 and is_one_of(node.value, matrices):
            row, column = plain(node.slice[0]), plain(node.slice[1])
            if row is not None and column is not None and is_one_of(row, scalars):
                return f"{program.code(node.value)}[{program.code(row)}][{program.code(column)}]"
        inner = node.value
        if len(node.slice) == 1 and isinstance(inner, cst.Subscript) and len(inner.slice) == 1:
            row, column = plain(inner.slice[0]), plain(node.slice[0])
            known = is_one_of(inner.value, matrices) and is_one_of(row, scalars)
            if known and row is not None and isinstance(column, (cst.Name, cst.Integer)):
                return f"{program.code(inner.value)}[{program.code(row)}, {program.code(column)}]"
        return None

    sites = [node for node in program.find(cst.Subscript) if program.function_of(node) is main]
    return choose(program, generator, sites, rewrite) if scalars and matrices else None


@transform("a")
def emptiness(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`len(x) == 0`, `not len(x)` and `len(x) < 1` stand for each other."""
    program = read(source)

    def rewrite(node: cst.BaseExpression) -> str | None:
        if isinstance(node, cst.Comparison) and called(node.left) == "len" and len(node.comparisons) == 1:
            target = node.comparisons[0]
            text, bound = program.code(node.left), number(target.comparator)
            empty = isinstance(target.operator, cst.Equal) and bound == 0
            if empty or (isinstance(target.operator, cst.LessThan) and bound == 1):
                return f"not {text}" if generator.random() < 0.5 else f"{text} {'< 1' if empty else '== 0'}"
            if isinstance(target.operator, cst.GreaterThan) and bound == 0:
                return f"{text} >= 1" if generator.random() < 0.5 else f"{text} != 0"
        if not isinstance(node, cst.UnaryOperation) or not isinstance(node.operator, cst.Not):
            return None
        return f"{program.code(node.expression)} == 0" if called(node.expression) == "len" else None

    return choose(program, generator, program.find(cst.BaseExpression), rewrite)  # type: ignore[type-abstract]


@transform("a")
def chain_comparison(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`a <= x and x < b` becomes `a <= x < b`, and a chain is taken apart."""
    program = read(source)

    def rewrite(node: cst.BaseExpression) -> str | None:
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 2 and is_pure(node):
            first, second = node.comparisons
            head = f"{program.code(node.left)}{program.code(first)}"
            return f"{head} and {program.code(first.comparator)}{program.code(second)}"
        if not isinstance(node, cst.BooleanOperation) or not isinstance(node.operator, cst.And):
            return None
        left, right = node.left, node.right
        if not isinstance(left, cst.Comparison) or not isinstance(right, cst.Comparison) or not is_pure(node):
            return None
        if left.lpar or right.lpar or len(left.comparisons) > 1 or len(right.comparisons) > 1:
            return None
        middle = program.code(left.comparisons[0].comparator)
        return (
            f"{program.code(left)}{program.code(right.comparisons[0])}" if middle == program.code(right.left) else None
        )

    return choose(program, generator, program.find(cst.BaseExpression), rewrite)  # type: ignore[type-abstract]


@transform("a")
def method_to_function(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`x.sum()` becomes `np.sum(x)`, for the reductions of an array."""
    program = read(source)

    def rewrite(node: cst.Call) -> str | None:
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value not in _ARRAY_METHODS:
            return None
        if is_name(node.func.value, "np", "math", "random") or any(arg.star for arg in node.args):
            return None
        rest = "".join(f", {program.code(arg).rstrip(', ')}" for arg in node.args)
        return f"np.{node.func.attr.value}({program.code(node.func.value)}{rest})"

    return choose(program, generator, program.find(cst.Call), rewrite) if "np" in program.imports else None


@transform("a")
def function_to_method(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`np.sum(x)` becomes `x.sum()` where `x` was plainly made as an array."""
    program = read(source)
    made: dict[str, list[bool]] = {}
    for statement in program.find(cst.SimpleStatementLine):
        if found := assignment(statement):
            made.setdefault(found[0], []).append(called(found[1]) in _ARRAY_MAKERS)
    arrays = {name for name, origins in made.items() if all(origins)}

    def rewrite(node: cst.Call) -> str | None:
        owner, _, method = called(node).rpartition(".")
        if owner != "np" or method not in _ARRAY_METHODS or not node.args:
            return None
        first = node.args[0].value
        if node.args[0].keyword or node.args[0].star or not isinstance(first, cst.Name) or first.value not in arrays:
            return None
        rest = ", ".join(program.code(arg).rstrip(", ") for arg in node.args[1:])
        return f"{first.value}.{method}({rest})"

    return choose(program, generator, program.find(cst.Call), rewrite)


@transform("a")
def minimum_by_sorting(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`min(xs, key=f)` becomes `sorted(xs, key=f)[0]` (sorting is stable), and back; the same for `max`."""
    program = read(source)

    def rewrite(node: cst.BaseExpression) -> str | None:
        call = node.value if isinstance(node, cst.Subscript) else node
        if not isinstance(call, cst.Call) or not call.args or call.args[0].keyword or call.args[0].star:
            return None
        keywords = {arg.keyword.value: arg.value for arg in call.args[1:] if arg.keyword is not None}
        if len(keywords) != len(call.args) - 1 or "key" not in keywords:
            return None
        values, key = program.code(call.args[0].value), program.code(keywords["key"])
        if node is call and called(call) in ("min", "max") and len(keywords) == 1:
            return f"sorted({values}, key={key}{', reverse=True' if called(call) == 'max' else ''})[0]"
        if node is not call and called(call) == "sorted" and program.code(node)[len(program.code(call)) :] == "[0]":
            if len(keywords) == 1:
                return f"min({values}, key={key})"
            if is_name(keywords.get("reverse"), "True") and len(keywords) == 2:
                return f"max({values}, key={key})"
        return None

    return choose(program, generator, [*program.find(cst.Call), *program.find(cst.Subscript)], rewrite)


@transform("a")
def de_morgan(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`not (a and b)` becomes `not a or not b`, and back; the same for `or`."""
    program = read(source)

    def rewrite(node: cst.BaseExpression) -> str | None:
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            inner = node.expression
            if isinstance(inner, cst.BooleanOperation):
                word = "or" if isinstance(inner.operator, cst.And) else "and"
                return f"{negated(program, inner.left)} {word} {negated(program, inner.right)}"
        parent = program.parents.get(node)
        test = isinstance(parent, (cst.If, cst.CompIf, cst.While)) and parent.test is node
        if test and isinstance(node, cst.BooleanOperation):
            word = "or" if isinstance(node.operator, cst.And) else "and"
            return f"not ({negated(program, node.left)} {word} {negated(program, node.right)})"
        return None

    return choose(program, generator, program.find(cst.BaseExpression), rewrite)  # type: ignore[type-abstract]


_OPPOSITE: dict[type, str] = {
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.In: "not in",
    cst.NotIn: "in",
    cst.Is: "is not",
    cst.IsNot: "is",
}


def negated(program: Program, test: cst.BaseExpression) -> str:
    """Text of a condition that is true exactly when `test` is false, NaN included (`<` is not turned into `>=`)."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return program.code(test.expression)
    if isinstance(test, cst.Comparison):
        opposite = _OPPOSITE.get(type(test.comparisons[0].operator)) if len(test.comparisons) == 1 else None
        if opposite is not None:
            return f"{program.term(test.left)} {opposite} {program.term(test.comparisons[0].comparator)}"
        return f"not {program.code(test)}"
    return f"not {program.operand(test)}"


@transform("a")
def inline_constant_slice(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`xs[-1]` becomes `xs[len(xs) - 1]` for a plain name."""
    program = read(source)

    def rewrite(node: cst.Subscript) -> str | None:
        if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index) or not is_name(node.value):
            return None
        position = number(node.slice[0].slice.value)
        if position != -1 or uses(node.value, "np"):
            return None
        name = program.code(node.value)
        return f"{name}[len({name}) - 1]"

    sites = [node for node in program.find(cst.Subscript) if not isinstance(program.parents[node], cst.AssignTarget)]
    return choose(program, generator, sites, rewrite)
