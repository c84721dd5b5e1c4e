"""Tier a, branches: if statements and conditional expressions, with the same behaviour."""

from __future__ import annotations

import libcst as cst
import numpy as np

from .editing import Block, indent, read
from .reading import assignment, body_of, leaves, returned, single_statement
from .registry import TaskInterface, transform
from .structural import Window, rewrite_window, text_of
from .syntactic import negated


@transform("a")
def ternary_to_branch(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`x = a if c else b` becomes an if statement; so does a returned conditional."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        found, value = assignment(window[0]), returned(window[0])
        if found is not None and isinstance(found[1], cst.IfExp):
            lead, choice = f"{found[0]} = ", found[1]
        elif isinstance(value, cst.IfExp):
            lead, choice = "return ", value
        else:
            return None
        yes, no = f"{lead}{program.code(choice.body)}\n", f"{lead}{program.code(choice.orelse)}\n"
        head = f"if {program.code(choice.test)}:\n{indent(yes)}"
        return f"{head}{no}" if lead == "return " else f"{head}else:\n{indent(no)}"

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def branch_to_ternary(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """An if statement that only chooses a value becomes a conditional expression."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        branch = window[0]
        body = body_of(branch) if isinstance(branch, cst.If) else None
        if not isinstance(branch, cst.If) or body is None or len(body) != 1:
            return None
        test = program.operand(branch.test) if isinstance(branch.test, cst.IfExp) else program.code(branch.test)
        if isinstance(branch.orelse, cst.Else):
            other = body_of(branch.orelse)
            yes, no = assignment(body[0]), assignment(other[0]) if other and len(other) == 1 else None
            if yes is None or no is None or yes[0] != no[0]:
                return None
            rest = text_of(program, window[1:])
            return f"{yes[0]} = {program.operand(yes[1])} if {test} else {program.operand(no[1])}\n{rest}"
        yes_value, no_value = returned(body[0]), returned(window[1])
        if branch.orelse is not None or yes_value is None or no_value is None:
            return None
        return f"return {program.operand(yes_value)} if {test} else {program.operand(no_value)}\n"

    return rewrite_window(program, generator, 2, rewrite)


@transform("a")
def swap_branches(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`if c: A else: B` becomes `if not c: B else: A`."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        branch = window[0]
        if not isinstance(branch, cst.If) or not isinstance(branch.orelse, cst.Else):
            return None
        yes, no = body_of(branch), body_of(branch.orelse)
        if yes is None or no is None:
            return None
        negation = negated(program, branch.test)
        return f"if {negation}:\n{indent(text_of(program, no))}else:\n{indent(text_of(program, yes))}"

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def swap_ternary(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`a if c else b` becomes `b if not c else a`."""
    program = read(source)
    sites = program.find(cst.IfExp)
    if not sites:
        return None
    node = sites[int(generator.integers(len(sites)))]
    negation = negated(program, node.test)
    text = f"{program.operand(node.orelse)} if {negation} else {program.operand(node.body)}"
    return program.replace(node, text)


@transform("a")
def drop_else(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """An else after a body that leaves (return, continue, ...) is not needed."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        branch = window[0]
        if not isinstance(branch, cst.If) or not isinstance(branch.orelse, cst.Else):
            return None
        yes, no = body_of(branch), body_of(branch.orelse)
        if yes is None or no is None or not leaves(yes):
            return None
        return f"if {program.code(branch.test)}:\n{indent(text_of(program, yes))}{text_of(program, no)}"

    return rewrite_window(program, generator, 1, rewrite)


@transform("a")
def nest_in_else(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """What follows a guard clause moves into its else."""
    program = read(source)
    sites: list[tuple[Block, int]] = []
    for block in program.blocks():
        for start, statement in enumerate(block.body[:-1]):
            if isinstance(statement, cst.If) and statement.orelse is None:
                body = body_of(statement)
                if body is not None and leaves(body):
                    sites.append((block, start))
    if not sites:
        return None
    block, start = sites[int(generator.integers(len(sites)))]
    rest = text_of(program, block.body[start + 1 :])
    text = f"{program.code(block.body[start]).rstrip()}\nelse:\n{indent(rest)}"
    return program.replace_statements(block, start, len(block.body), text)


@transform("a")
def condition_to_continue(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """A loop whose last statement is `if c: ...` skips with `continue` instead, and back."""
    program = read(source)
    sites: list[tuple[Block, int, str]] = []
    for loop in program.find(cst.For):
        body = body_of(loop)
        if body is None or not isinstance(loop.body, cst.IndentedBlock):
            continue
        last = body[-1]
        if isinstance(last, cst.If) and last.orelse is None and (inner := body_of(last)) is not None:
            skip = f"if {negated(program, last.test)}:\n    continue\n{text_of(program, inner)}"
            sites.append((loop.body, len(body) - 1, skip))
        for start, statement in enumerate(body[:-1]):
            if isinstance(statement, cst.If) and statement.orelse is None:
                inner = body_of(statement)
                if inner and len(inner) == 1 and isinstance(single_statement(inner[0]), cst.Continue):
                    rest = text_of(program, body[start + 1 :])
                    sites.append((loop.body, start, f"if {negated(program, statement.test)}:\n{indent(rest)}"))
    if not sites:
        return None
    block, start, text = sites[int(generator.integers(len(sites)))]
    return program.replace_statements(block, start, len(block.body), text)


@transform("a")
def nest_condition(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """`if a and b:` becomes two nested ifs, and back."""
    program = read(source)

    def rewrite(block: Block, window: Window) -> str | None:
        branch = window[0]
        body = body_of(branch) if isinstance(branch, cst.If) else None
        if not isinstance(branch, cst.If) or branch.orelse is not None or body is None:
            return None
        test = branch.test
        if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
            inner = f"if {program.code(test.right)}:\n{indent(text_of(program, body))}"
            return f"if {program.code(test.left)}:\n{indent(inner)}"
        if len(body) == 1 and isinstance(body[0], cst.If) and body[0].orelse is None:
            deepest = body_of(body[0])
            if deepest is not None:
                both = f"{program.term(test)} and {program.term(body[0].test)}"
                return f"if {both}:\n{indent(text_of(program, deepest))}"
        return None

    return rewrite_window(program, generator, 1, rewrite)
