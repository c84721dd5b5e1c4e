"""Python text that is still being written: where it goes on, and the part of it that can be run."""

from __future__ import annotations

import ast
import codeop
import warnings

from ..evaluation.frontier import split_frontier
from ..programs import ProgramError, canonical_tree

_MARK = "__lhs_frontier__"
_UNIT = "    "


def whole_program(text: str) -> str:
    """A finished program as a stepping session takes it: canonical, nothing left open. Raises `ProgramError`."""
    tree = canonical_tree(text)
    _pass_ellipses(tree)
    return _unparse(tree) + "...\n"


def partial_program(text: str) -> str | None:
    """The complete lines `text` as a stepping session takes them: canonical, with `...` where they go on.

    The program goes on behind its last statement, or inside the block that its last line opens; the indentation of
    what follows is not known yet. Returns None where no statement has been completed: a bracket or a string is open, a
    decorator waits for its function. Raises `ProgramError` (kind `syntax`) if no continuation makes it a program.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    deepest = max((_indentation(line) for line in lines), key=len, default="")
    tree = _parsed(text + _closing(lines, _indentation(last)))
    if tree is not None:
        _pass_ellipses(tree)
        _last_block(tree, lines).append(ast.Expr(ast.Name(_MARK, ast.Load())))
    else:
        inside = deepest + _UNIT
        tree = _parsed(text + inside + _MARK + "\n" + _closing(lines, inside))
        if tree is None:
            _refuse_broken(text)
            return None
        _pass_ellipses(tree)
    written = _unparse(tree).split("\n")
    place = next((index for index, line in enumerate(written) if line.strip() == _MARK), None)
    if place is None:  # the last line ends in a backslash, and the mark became part of its statement
        return None
    # What stands behind the mark only closes blocks, which a stepping session does by itself.
    source = "\n".join([*written[:place], written[place].replace(_MARK, "..."), ""])
    return source if _parsed(split_frontier(source)[1]) is not None else None


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))] if line.strip() else ""


def _closing(lines: list[str], indentation: str) -> str:
    """`finally` clauses for the `try` blocks around a line of this indentation at the end."""
    closing = ""
    for line in reversed(lines):
        own = _indentation(line)
        if line.strip() and len(own) < len(indentation):
            indentation = own
            if line.split("#")[0].strip() == "try:":
                closing += f"{own}finally:\n{own}{_UNIT}pass\n"
    return closing


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return canonical_tree(text)
    except ProgramError:
        return None


def _last_block(tree: ast.Module, lines: list[str]) -> list[ast.stmt]:
    """The innermost block at the end of the text, leaving out `finally` clauses that were put there to close a `try`.

    A block on the line of its header is closed.
    """
    block = tree.body
    while block:
        last = block[-1]
        inner: list[ast.stmt] | None = None
        if isinstance(last, ast.Try) and not last.handlers and _only_passes(last.finalbody):
            inner = last.body
        elif isinstance(last, ast.Match):
            inner = last.cases[-1].body
        elif isinstance(last, ast.Try) and not last.finalbody and not last.orelse:
            inner = last.handlers[-1].body
        else:
            for name in ("finalbody", "orelse", "body"):
                inner = inner or getattr(last, name, None)
        if not inner or lines[inner[0].lineno - 1].encode()[: inner[0].col_offset].strip():
            break
        block = inner
    return block


def _only_passes(block: list[ast.stmt]) -> bool:
    return len(block) == 1 and isinstance(block[0], ast.Pass)


def _pass_ellipses(tree: ast.Module) -> None:
    """A `...` of the program's own would be taken for the place where it goes on."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            for index, statement in enumerate(block if isinstance(block, list) else []):
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and value.value is Ellipsis:
                    block[index] = ast.copy_location(ast.Pass(), statement)  # type: ignore[index]


def _unparse(tree: ast.Module) -> str:
    try:
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except RecursionError:
        raise ProgramError("syntax", "program is nested too deeply") from None


def _refuse_broken(text: str) -> None:
    """Raise `ProgramError` unless more lines could still make a program of the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            codeop.compile_command(text, symbol="exec")
    except (SyntaxError, ValueError, OverflowError) as error:
        raise ProgramError("syntax", str(error)) from None
    except (MemoryError, RecursionError):
        raise ProgramError("syntax", "program is nested too deeply for the parser") from None
