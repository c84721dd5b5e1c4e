"""Tier c with two parents: both programs as helpers of a third, or a piece of one inside the other."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

import libcst as cst
import numpy as np

from .editing import Program, pick, read
from .parametric import shorten
from .reading import bound_names, names, single_statement, target_names
from .registry import TaskInterface, crossover
from .scoring import Score, argument_names, score_expressions
from .words import vocabulary

_PAIRS = (
    ("first_rule", "second_rule"),
    ("main_rule", "other_rule"),
    ("usual_choice", "special_choice"),
    ("primary", "secondary"),
    ("one_way", "another_way"),
    ("plan_a", "plan_b"),
)
_PREFIXES = ("second", "other", "alternative", "further")


@dataclass(frozen=True)
class Merged:
    """Two programs side by side: what they import, their functions, and what their task functions are called now."""

    imports: str
    body: str
    first: str
    second: str


def merge(one: Program, two: Program, generator: np.random.Generator, task: TaskInterface) -> Merged | None:
    """Two programs in one module, with names that neither has; None where they can not stand side by side."""
    mains = one.main(task.function_name), two.main(task.function_name)
    if mains[0] is None or mains[1] is None:
        return None
    free = [pair for pair in _PAIRS if not set(pair) & (one.names | two.names | set(task.arguments))]
    pair = pick(generator, free)
    if pair is None:
        return None
    lines: dict[str, None] = {}
    bodies = []
    taken = set(one.names)
    for program, main, own in ((one, mains[0], pair[0]), (two, mains[1], pair[1])):
        table = {main.name.value: own}
        if program is two:
            for name in _toplevel(two) - {main.name.value}:
                if name in taken:
                    new = next(
                        (f"{prefix}_{name}" for prefix in _PREFIXES if f"{prefix}_{name}" not in taken | two.names),
                        None,
                    )
                    if new is None:
                        return None
                    table[name] = new
        if any(name in bound_names(function) for name in table for function in program.functions()):
            return None
        renamed = cst.parse_module(program.replace_names([n for n in names(program.module) if n.value in table], table))
        pieces = []
        for statement in renamed.body:
            small = single_statement(statement)
            if isinstance(small, (cst.Import, cst.ImportFrom)):
                lines[renamed.code_for_node(statement).strip()] = None
            elif not (isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString)):
                pieces.append(renamed.code_for_node(statement).strip())
        bodies.append("\n\n\n".join(pieces))
    if one.imports & two.imports and not _same_imports(one, two):
        return None
    return Merged("".join(f"{line}\n" for line in lines), "\n\n\n".join(bodies), *pair)


def _toplevel(program: Program) -> set[str]:
    found = {function.name.value for function in program.functions()}
    for statement in program.module.body:
        small = single_statement(statement)
        if isinstance(small, cst.Assign):
            found |= {name for target in small.targets for name in target_names(target.target)}
    return found


def _same_imports(one: Program, two: Program) -> bool:
    """Whether a name that both import means the same in both."""

    def lines(program: Program) -> dict[str, str]:
        return {
            alias.evaluated_alias
            or alias.evaluated_name: f"{type(program.parents[alias]).__name__} {alias.evaluated_name}"
            for alias in program.find(cst.ImportAlias)
        }

    first, second = lines(one), lines(two)
    return all(first[name] == second[name] for name in first.keys() & second.keys())


def _assemble(merged: Merged, task: TaskInterface, docstring: str, lines: str, imports: str = "") -> str:
    header = merged.imports
    if imports and imports not in header.splitlines():
        header = f"{imports}\n{header}"
    head = f"{header}\n\n" if header else ""
    signature = f"def {task.function_name}({', '.join(task.arguments)}):"
    return f'{head}{merged.body}\n\n\n{signature}\n    """{docstring}"""\n{lines}'


@crossover
def switch_by_phase(one: str, two: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """One parent decides in one phase of an instance, the other in the rest."""
    merged = merge(read(one), read(two), generator, task)
    phase = pick(generator, vocabulary(task).phases)
    if merged is None or phase is None:
        return None
    condition = phase.format(**{name: name for name in task.arguments})
    call = f"({', '.join(task.arguments)})"
    lines = f"    if {condition}:\n        return {merged.first}{call}\n    return {merged.second}{call}\n"
    return _assemble(merged, task, "Two rules, one for each phase.", lines)


@crossover
def arbitrate(one: str, two: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Both parents propose; where they differ, a natural term of the task decides."""
    words = vocabulary(task)
    if words.scores or task.name in ("qap_construct", "cflp_construct"):
        return None
    parts = {"x": "choice", **words.parts("choice")}
    arguments = {name: name for name in task.arguments}
    term = pick(generator, words.terms)
    merged = merge(read(one), read(two), generator, task)
    if merged is None or term is None:
        return None
    decide = "min" if generator.random() < 0.5 else "max"
    key = term.format(**{**arguments, **parts})
    call = f"({', '.join(task.arguments)})"
    lines = (
        f"    first = {merged.first}{call}\n    second = {merged.second}{call}\n"
        f"    if first is None or second is None:\n        return first\n"
        f"    return {decide}((first, second), key=lambda choice: {key})\n"
    )
    return _assemble(merged, task, "Two rules propose, a simple measure decides.", lines)


@crossover
def blend(one: str, two: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A weighted sum of both parents' scores, for tasks whose function returns a score."""
    if not vocabulary(task).scores:
        return None
    merged = merge(read(one), read(two), generator, task)
    if merged is None:
        return None
    call = f"({', '.join(task.arguments)})"
    weight = shorten(float(np.exp(generator.normal(0.0, 1.0))))
    first, second = f"np.asarray({merged.first}{call})", f"np.asarray({merged.second}{call})"
    lines = f"    return {first} + {weight} * {second}\n"
    return _assemble(merged, task, "The weighted sum of two scores.", lines, imports="import numpy as np")


def _vectorised(program: Program, score: Score, task: TaskInterface) -> bool:
    return score.words.get("x") in argument_names(program, task).values()


@crossover
def graft_score(one: str, two: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A scoring expression of the second parent joins, or replaces, one of the first."""
    host, donor = read(one), read(two)
    here, there = argument_names(host, task), argument_names(donor, task)
    known = host.imports & donor.imports | set(dir(builtins))
    pairs = []
    for source in score_expressions(donor, task):
        element = source.words.get("x")
        own = {name for node in donor.find(cst.CompFor, source.node) for name in target_names(node.target)}
        own |= {param.name.value for param in donor.find(cst.Param, source.node)}
        free = {node.value for node in names(source.node)} - own - known
        if not free <= {*there.values(), *([element] if element else [])} or (own & host.names):
            continue
        for target in score_expressions(host, task):
            if host.function_of(target.node) is not host.main(task.function_name):
                continue
            place = target.words.get("x")
            same_shape = _vectorised(donor, source, task) == _vectorised(host, target, task)
            if same_shape and (element is None or element not in free or place is not None):
                table = {there[name]: here[name] for name in there}
                if element is not None and place is not None:
                    table[element] = place
                pairs.append((target, source, table))
    chosen = pick(generator, pairs)
    if chosen is None:
        return None
    target, source, table = chosen
    piece = Program(donor.code(source.node))
    text = piece.replace_names([node for node in names(piece.module) if node.value in table], table).strip()
    current = host.code(target.node)
    if text == current:
        return None
    if generator.random() < 0.3:
        return host.replace(target.node, text)
    sign = "+" if generator.random() < 0.7 else "-"
    weight = shorten(float(np.exp(generator.normal(-0.7, 0.8))))
    return host.replace(target.node, f"{host.operand(target.node)} {sign} {weight} * ({text})")
