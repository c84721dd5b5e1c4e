"""Endings for programs that a decoder did not bring to one: a last statement that answers what the task asks."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

import numpy as np

from ... import programs
from ...tasks.base import Task
from .choices import OPTION_NAME, ChooseBy, NewRule, answer_by, drawn_expression
from .parents import Edit, Parent
from .trees import TreeEdit

VALUES = 3
"""Of what a program has computed, the last so many are tried as what it decides by."""
RULES = 4
"""Rules that are tried behind each beginning once its own values do not answer."""
_BEGINNINGS = 3

_Parts = tuple[list[ast.stmt], list[ast.stmt]]


class Closings:
    """Texts that go on from the beginning of a program to its end, the ones that keep most of it first.

    What its last variables hold is the answer, or what alternatives are told apart by; else a simple rule over the
    task's arguments (`NewRule`), or the reference's own statements with an edit. Nothing is run here: a decoder runs
    one text after the other and keeps the first that answers (`decoding.generate_programs`).
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._reference = Parent(task.template, programs.program_hash(task.template), "reference", 0.0)

    def __call__(self, source: str, generator: np.random.Generator) -> Iterator[str]:
        """Whole programs that begin like `source`, then like the first half of it, then like nothing."""
        head, body = _parts(source, self._task)
        ends = [place for place, each in enumerate(body) if isinstance(each, (ast.Return, ast.Raise))]
        statements = body[: ends[0]] if ends else body
        kept = [statements[: len(statements) >> halvings] for halvings in range(_BEGINNINGS)]
        for beginning in [each for place, each in enumerate([*kept, []]) if each not in kept[:place]]:
            for above, ending in self._endings(beginning, generator):
                yield self._program([*above, *head], [*beginning, *ending])

    def _endings(self, beginning: Sequence[ast.stmt], generator: np.random.Generator) -> Iterator[_Parts]:
        """Last statements, and what they need above the function; those that read what is computed come first."""
        task = self._task
        chooses = getattr(task, "answers", None) != "priority"
        for name in _assigned(beginning, task.arguments)[:VALUES]:
            entries = [f"{name}[{OPTION_NAME}]", f"{name}[{OPTION_NAME}[0]]"] if chooses else []
            term = drawn_expression(task, generator)
            # What is the same for all alternatives tells none of them apart by itself.
            shared = [] if term is None else [f"abs({term} - {name})"]
            extremes = [("min", "max")[int(generator.integers(2))] for _ in (*entries, *shared)]
            answers = [answer_by(task, each, extreme) for each, extreme in zip((*entries, *shared), extremes)]
            texts = [each for each in ([name] if chooses else []) + answers if each is not None]
            yield from (([], ast.parse(f"return {each}").body) for each in texts)
        new = NewRule.applies(task) and drawn_expression(task, generator) is not None
        edits: list[Edit] = [NewRule()] if new else [ChooseBy(), TreeEdit()]
        for number in range(RULES):
            proposal = edits[number % len(edits)].propose(self._reference, (), task, generator)
            if proposal is not None:
                yield _parts(proposal.source, task)

    def _program(self, head: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> str:
        """The text of a program: of what stands above its function what that needs, once, and its statements."""
        above = "".join(f"{text}\n" for text in dict.fromkeys(map(ast.unparse, _needed(head, body))))
        statements = "\n".join(map(ast.unparse, body))
        return f"{above}{self._task.signature()}\n{textwrap.indent(statements, '    ')}\n"


def _parts(source: str, task: Task) -> _Parts:
    """What stands above a task's function, and its statements without the documentation.

    Of a text that ends in the middle, up to its last whole line.
    """
    lines = source.splitlines()
    while True:
        try:
            module = ast.parse("\n".join(lines))
            break
        except SyntaxError:
            lines.pop()
    head: list[ast.stmt] = []
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == task.function_name:
            return head, node.body[ast.get_docstring(node) is not None :]
        head.append(node)
    return head, []


def _needed(head: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements above a function whose names it reads, or what it calls reads."""
    needed = {place for place, each in enumerate(head) if not _bound(each)}
    while True:
        read = {name for each in (*body, *(head[place] for place in needed)) for name in _read(each)}
        more = {place for place, each in enumerate(head) if _bound(each) & read} - needed
        if not more:
            return [head[place] for place in sorted(needed)]
        needed |= more


def _read(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement defines, if that is all it does."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, ast.Assign):
        return {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return set()


def _assigned(statements: Sequence[ast.stmt], arguments: Sequence[str]) -> list[str]:
    """The variables of a function that are no arguments, those assigned last first."""
    names: list[str] = []
    for statement in statements:
        if isinstance(statement, ast.FunctionDef):
            continue
        nodes = list(ast.walk(statement))
        inner = [each.target for each in nodes if isinstance(each, ast.comprehension)]
        passing = {node for target in inner for node in ast.walk(target)}
        own = [node for node in nodes if isinstance(node, ast.Name) and node not in passing]
        names += [node.id for node in own if isinstance(node.ctx, ast.Store)]
    return [name for name in dict.fromkeys(reversed(names)) if name not in arguments]
