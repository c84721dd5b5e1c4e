"""Tier b: the same algorithm with other numbers (weights, thresholds, exponents, list lengths)."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import numpy as np

from .editing import Program, choose, read
from .reading import called, is_name, number, plain_arguments
from .registry import TaskInterface, transform

SMALLEST_PARAMETER = 1e-4


def shorten(value: float, digits: int = 2) -> str:
    """A number as a person would write it: few significant digits, always a float literal."""
    text = repr(float(f"{value:.{digits}g}"))
    return text if "." in text or "e" in text else text + ".0"


def _floats(program: Program) -> list[cst.Float]:
    """Float literals that are parameters: not zero, not a guard against division by zero, not an exponent."""
    found = []
    for node in program.find(cst.Float):
        parent = program.parents[node]
        power = (
            isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Power) and parent.right is node
        )
        if not power and program.function_of(node) is not None and SMALLEST_PARAMETER <= node.evaluated_value < 1e6:
            found.append(node)
    return found + [node for node in _module_constants(program) if SMALLEST_PARAMETER <= node.evaluated_value < 1e6]


def _module_constants(program: Program) -> list[cst.Float]:
    return [node for node in program.find(cst.Float) if program.function_of(node) is None]


def _scaled(value: float, generator: np.random.Generator, spread: float) -> str:
    return shorten(value * float(np.exp(generator.normal(0.0, spread))))


@transform("b")
def scale_floats(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Multiply one to three float parameters by factors around one."""
    program = read(source)
    sites = _floats(program)
    if not sites:
        return None
    count = int(generator.integers(1, min(3, len(sites)) + 1))
    chosen = [sites[int(i)] for i in generator.permutation(len(sites))[:count]]
    return program.replace_many([(node, _scaled(node.evaluated_value, generator, 0.5)) for node in chosen])


def _int_sites(program: Program) -> list[cst.Integer]:
    found = []
    for node in program.find(cst.Integer):
        parent = program.parents[node]
        owner = program.parents.get(parent)
        compared = isinstance(parent, cst.ComparisonTarget) or (
            isinstance(parent, cst.Comparison) and parent.left is node
        )
        term = isinstance(parent, cst.BinaryOperation) and isinstance(
            parent.operator, (cst.Multiply, cst.Divide, cst.FloorDivide)
        )
        constant = isinstance(parent, cst.Assign) or (isinstance(parent, cst.Arg) and called(owner) in ("min", "max"))
        if (compared or term or constant) and node.evaluated_value >= 2:
            found.append(node)
    return found


@transform("b")
def shift_integers(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Move an integer threshold, factor or limit of two or more."""
    program = read(source)

    def rewrite(node: cst.Integer) -> str | None:
        value = node.evaluated_value
        new = max(1, round(value * float(np.exp(generator.normal(0.0, 0.5)))))
        return str(new if new != value else value + 1)

    return choose(program, generator, _int_sites(program), rewrite)


@transform("b")
def scale_factor(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Turn an integer factor such as `2 * x` into a fractional one."""
    program = read(source)

    def rewrite(node: cst.BinaryOperation) -> str | None:
        if not isinstance(node.operator, cst.Multiply):
            return None
        if any(
            isinstance(a, (cst.Subscript, cst.Slice)) or called(a) in ("range", "np.arange")
            for a in program.ancestors(node)
        ):
            return None
        value = number(node.left)
        if not isinstance(value, int) or value < 1 or isinstance(node.right, cst.List):
            return None
        return f"{_scaled(value, generator, 0.4)} * {program.operand(node.right)}"

    return choose(program, generator, program.find(cst.BinaryOperation), rewrite)


@transform("b")
def change_top_k(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Look at more or fewer of the top candidates: the bound of a slice `[:k]`."""
    program = read(source)

    def rewrite(node: cst.Slice) -> str | None:
        value = number(node.upper)
        if not isinstance(value, int) or value < 2 or number(node.lower) not in (None, 0):
            return None
        options = [k for k in {value - 1, value + 1, value + 2, value * 2, value // 2} if k >= 1 and k != value]
        return str(sorted(options)[int(generator.integers(len(options)))])

    for position in generator.permutation(len(slices := program.find(cst.Slice))):
        found = slices[int(position)]
        text = rewrite(found)
        if text is not None and found.upper is not None:
            return program.replace(found.upper, text)
    return None


@transform("b")
def rebalance_weights(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Shift weight between two terms of a weighted sum: `0.8 * a + 0.2 * b` becomes `0.6 * a + 0.4 * b`."""
    program = read(source)
    sites = []
    for node in program.find(cst.BinaryOperation):
        if isinstance(node.operator, (cst.Add, cst.Subtract)):
            pair = _weight(node.left), _weight(node.right)
            if pair[0] is not None and pair[1] is not None:
                sites.append((pair[0], pair[1]))
    if not sites:
        return None
    first, second = sites[int(generator.integers(len(sites)))]
    total = first.evaluated_value + second.evaluated_value
    share = float(np.clip(first.evaluated_value / total + generator.normal(0.0, 0.2), 0.05, 0.95))
    return program.replace_many([(first, shorten(total * share)), (second, shorten(total * (1.0 - share)))])


def _weight(node: cst.BaseExpression) -> cst.Float | None:
    """The literal weight of a term `w * x` or `x * w`."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        for side in (node.left, node.right):
            if isinstance(side, cst.Float) and side.evaluated_value > 0:
                return side
    return None


@transform("b")
def change_exponent(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Another exponent in `x ** p` and `np.power(x, p)`; whole exponents stay whole, so that signs do no harm."""
    program = read(source)

    def other(value: float) -> str:
        if isinstance(value, int):
            options = [power for power in (1, 2, 3, 4) if power != value]
            return str(options[int(generator.integers(len(options)))])
        return _scaled(value, generator, 0.35)

    def rewrite(node: cst.BaseExpression) -> str | None:
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Power):
            value = number(node.right)
            return None if value is None or value <= 0 else f"{program.operand(node.left)} ** {other(value)}"
        if called(node) == "np.power" and (values := plain_arguments(node, 2)):  # type: ignore[arg-type]
            value = number(values[1])
            return None if value is None or value <= 0 else f"np.power({program.code(values[0])}, {other(value)})"
        if called(node) == "np.square" and (values := plain_arguments(node, 1)):  # type: ignore[arg-type]
            return f"{program.operand(values[0])} ** {other(2)}"
        return None

    return choose(program, generator, program.find(cst.BaseExpression), rewrite)  # type: ignore[type-abstract]


@transform("b")
def weight_term(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Give an unweighted term of a score a weight."""
    from .scoring import score_expressions

    program = read(source)
    sites: list[cst.BaseExpression] = []
    for score in score_expressions(program, task):
        sites += [term for term in additive_terms(score.node)[1:] if _weight(term) is None and number(term) is None]

    def rewrite(node: cst.BaseExpression) -> str:
        return f"{shorten(float(np.exp(generator.normal(0.0, 0.6))))} * {program.operand(node)}"

    return choose(program, generator, sites, rewrite)


def additive_terms(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The terms of a sum or difference, left to right; the node itself if it is none."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract)):
        return [*additive_terms(node.left), *additive_terms(node.right)]
    return [node]


@transform("b")
def temper_ratio(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Give the numerator or denominator of a score's ratio an exponent near one."""
    from .scoring import score_expressions

    program = read(source)
    sites: Sequence[cst.BinaryOperation] = [
        node
        for score in score_expressions(program, task)
        for node in program.find(cst.BinaryOperation, score.node)
        if isinstance(node.operator, cst.Divide) and not is_name(node.right, "None") and number(node.right) is None
    ]

    def rewrite(node: cst.BinaryOperation) -> str:
        power = _scaled(1.0, generator, 0.4)
        if generator.random() < 0.5 and number(node.left) is None:
            return f"{program.operand(node.left)} ** {power} / {program.operand(node.right)}"
        return f"{program.operand(node.left)} / {program.operand(node.right)} ** {power}"

    return choose(program, generator, sites, rewrite)


@transform("b")
def replace_seed(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Another seed for a program's own random generator."""
    program = read(source)

    def rewrite(node: cst.Call) -> str | None:
        if not program.code(node.func).endswith(("default_rng", "RandomState")):
            return None
        values = plain_arguments(node, 1)
        return (
            f"{program.code(node.func)}({int(generator.integers(1, 1000))} + {program.operand(values[0])})"
            if values
            else None
        )

    return choose(program, generator, program.find(cst.Call), rewrite)
