"""Arguments that are called like something that edits write: kept apart inside of a search, restored in results.

Edits write `min(xs, key=lambda option: ...)` into programs. In one whose argument is called `min` or `option` that
means something else, so a search calls this argument `min_`; names that are not in ASCII, which models can not write,
are changed too. They say nothing to it, and whoever calls a program by name goes on doing so (`called_by_name`).
"""

from __future__ import annotations

import ast
import builtins
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any

_WRITTEN = "_ a b c choice i j k key math np numpy option other r random v w x y z"
"""Variables and modules of what edits write, and z; x and y are looked for in pairs."""
_TAKEN = frozenset((*dir(builtins), *_WRITTEN.split()))
_PART = re.compile(r"part_\d+")


def kept_apart(source: str, name: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A program whose function `name` has no argument called like what edits write; their names before and after.

    It is the same line by line. A program that names its arguments in calls of functions of its own, or modules like
    them, keeps these, and all of them if it does not parse.
    """
    function = _function(source, name)
    before = tuple(argument.arg for argument in _arguments(function))
    if function is None or not any(map(_is_taken, before)):
        return source, before, before
    used = {each for each, _ in _named(ast.parse(source))}
    after = list(before)
    for place, old in enumerate(before):
        new = _free(old, used)
        renamed = _renamed(source, name, {old: new}) if _is_taken(old) else None
        if renamed is not None:
            source, after[place] = renamed, new
    return source, before, tuple(after)


def restored(source: str, name: str, inside: Sequence[str], own: Sequence[str]) -> str:
    """A program of a search under the names that the task has: `inside` are those that it has in the search.

    One that uses a name of the task for something else, as `max` or a variable of its own, is called by a function with
    the task's names.
    """
    function = _function(source, name)
    if function is None:
        return source
    table = {argument.arg: old for argument, new, old in zip(_arguments(function), inside, own) if new != old}
    used = {each for each, _ in _named(function)}
    renamed = None if used & set(table.values()) else _renamed(source, name, table)
    return _wrapped(source, function, table) if renamed is None else renamed


def called_by_name(program: Callable[..., Any], inside: Sequence[str], own: Sequence[str]) -> Callable[..., Any]:
    """A program of a search for code that calls it with the names that the task has."""
    table = dict(zip(own, inside))

    @wraps(program)
    def named(*arguments: Any, **values: Any) -> Any:
        return program(*arguments, **{table.get(each, each): value for each, value in values.items()})

    return named


def _is_taken(name: str) -> bool:
    return name in _TAKEN or _PART.fullmatch(name) is not None or not name.isascii()


def _free(name: str, used: set[str]) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    new = f"{plain}_" if plain.strip("_") else "argument"
    while new in used:
        new += "_"
    used.add(new)
    return new


def _function(source: str, name: str) -> ast.FunctionDef | None:
    try:
        return _last(ast.parse(source), name)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _last(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """The last function of this name at the top level."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    return functions[-1] if functions else None


def _arguments(function: ast.FunctionDef | None) -> list[ast.arg]:
    return [] if function is None else [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _named(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Every name in a tree, with what has it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id, node
        elif isinstance(node, ast.arg):
            yield node.arg, node
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from ((each, node) for each in node.names)
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0], node
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name, node
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest, node


def _renamed(source: str, function_name: str, table: Mapping[str, str]) -> str | None:
    """A function's names by a table; None where they stand for more than a variable or are read outside of it."""
    tree = ast.parse(source)
    function = _last(tree, function_name)
    assert function is not None
    # Defaults and decorators are read where these names mean something else.
    outside = [*function.decorator_list, *function.args.defaults, *filter(None, function.args.kw_defaults)]
    if any(name in table for each in outside for name, _ in _named(each)) or _is_told_by_name(function, table):
        return None
    lines = source.encode().splitlines(keepends=True)  # columns count bytes
    for name, node in sorted(_named(function), key=_place, reverse=True):
        if name not in table:
            continue
        _rename(node, table)
        if isinstance(node, (ast.Name, ast.arg)):
            line, at = lines[node.lineno - 1], node.col_offset
            lines[node.lineno - 1] = line[:at] + table[name].encode() + line[at + len(name.encode()) :]
    text = b"".join(lines).decode(errors="replace")
    with suppress(SyntaxError):
        if ast.dump(ast.parse(text)) == ast.dump(tree):
            return text
    return ast.unparse(tree) + "\n"


def _place(named: tuple[str, ast.AST]) -> tuple[int, int]:
    return getattr(named[1], "lineno", 0), getattr(named[1], "col_offset", 0)


def _rename(node: ast.AST, table: Mapping[str, str]) -> None:
    for field in ("id", "arg", "name", "rest"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            setattr(node, field, table.get(value, value))
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        node.names = [table.get(each, each) for each in node.names]


def _is_told_by_name(function: ast.FunctionDef, table: Mapping[str, str]) -> bool:
    """Whether a name of a table is a module's, a function's, or that of an argument in a call of a function's own."""
    local = {name for name, node in _named(function) if not isinstance(getattr(node, "ctx", None), ast.Load)}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in local:
            if any(each.arg in table for each in node.keywords):
                return True
        elif isinstance(node, ast.alias) and (node.name.partition(".")[0] in table or node.asname in table):
            return True
    return function.name in table


def _wrapped(source: str, function: ast.FunctionDef, table: Mapping[str, str]) -> str:
    tree = ast.parse(source)
    inner = f"_{function.name}"
    used = {each for each, _ in _named(tree)}
    while inner in used:
        inner += "_"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == function.name:
            node.id = inner
        elif isinstance(node, ast.FunctionDef) and node.name == function.name:
            node.name = inner
    for argument in _arguments(function):
        argument.arg = table.get(argument.arg, argument.arg)
    values = ", ".join(argument.arg for argument in _arguments(function))
    header = f"def {function.name}({ast.unparse(function.args)}):"
    return f"{ast.unparse(tree)}\n\n\n{header}\n    return {inner}({values})\n"
