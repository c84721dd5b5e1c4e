"""Program text: extraction from a reply, parsing, canonical form, identity, signature check.

Needs the standard library only: scoring a program has to start at once.
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import re
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

from .reach import read

MAX_SOURCE_BYTES = 256 * 1024

# Before CPython 3.12, parsing an f-string takes time quadratic in the number of its fields.
_MOST_BRACES = 5_000

# CPython 3.11 counts the depth of AST construction in one place for all threads and fails when they interleave.
_PARSER = threading.Lock()

_FENCE = re.compile(r"```[ \t]*([\w+-]*)[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)


class ProgramError(ValueError):
    """A program text that can not be used. `kind` is one of `syntax`, `forbidden`, `signature`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def extract(reply: str) -> str:
    """The program inside a language model's reply: the longest fenced block if there is one, else the whole text."""
    blocks = [body for language, body in _FENCE.findall(reply) if language.lower() in ("", "python", "py", "python3")]
    return max(blocks, key=len).strip() + "\n" if blocks else reply


def parse(source: str, limit: int = MAX_SOURCE_BYTES) -> ast.Module:
    """Parse a program of at most `limit` bytes. Raises `ProgramError` (kind `syntax`) if that can not be done."""
    if len(source.encode("utf-8", "surrogatepass")) > limit:
        raise ProgramError("syntax", f"program is larger than {limit} bytes")
    if sys.version_info < (3, 12) and source.count("{") > _MOST_BRACES:
        raise ProgramError("syntax", f"program has more than {_MOST_BRACES} braces")
    try:
        with _PARSER:
            return ast.parse(source)
    except SyntaxError as error:
        raise ProgramError("syntax", f"line {error.lineno}: {error.msg}") from None
    except ValueError as error:  # NUL bytes
        raise ProgramError("syntax", str(error)) from None
    except (MemoryError, RecursionError):
        raise ProgramError("syntax", "program is nested too deeply for the parser") from None


class _Stripper(ast.NodeTransformer):
    """Removes docstrings and annotations (comments are no part of an AST), those of classes apart: they make fields."""

    def _strip_docstring(self, node: Any) -> Any:
        self.generic_visit(node)
        body = node.body
        if ast.get_docstring(node, clean=False) is not None:
            body = body[1:]
        node.body = body if body or isinstance(node, ast.Module) else [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_Module(self, node: ast.Module) -> Any:
        return self._strip_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.body = [part if isinstance(part, ast.AnnAssign) else self.visit(part) for part in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.returns = None
        return self._strip_docstring(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        node.returns = None
        return self._strip_docstring(node)

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)


def canonical_tree(source: str) -> ast.Module:
    """The AST without docstrings and annotations (but those of class bodies), names kept. Raises `ProgramError`."""
    return _stripped(parse(source))


def _stripped(tree: ast.Module) -> ast.Module:
    try:
        stripped: ast.Module = _Stripper().visit(tree)
        return stripped
    except RecursionError:
        raise ProgramError("syntax", "program is nested too deeply") from None


@lru_cache(maxsize=1024)
def canonical(source: str) -> str:
    """The canonical form: source text of `canonical_tree`, the same for programs that differ in layout and comments.

    Raises `ProgramError`.
    """
    return _text(canonical_tree(source))


def _text(tree: ast.Module) -> str:
    try:
        return ast.unparse(tree) + "\n"
    except RecursionError:
        raise ProgramError("syntax", "program is nested too deeply") from None
    except ValueError as error:  # an f-string that needs more kinds of quotes than there are
        raise ProgramError("syntax", str(error)) from None


@lru_cache(maxsize=4096)
def is_repeatable(source: str, attributes: frozenset[str] = frozenset()) -> bool:
    """Whether the text shows that each run gives the same answers (`reach.Reach.repeatable`); in doubt, False.

    `attributes`: names that are known to be data, beside those that are always known. Raises `ProgramError`.
    """
    try:
        return read(parse(source), attributes).repeatable
    except RecursionError:
        return False


@lru_cache(maxsize=4096)
def program_hash(source: str) -> str:
    """The identity of a program everywhere in this package, 64 hexadecimal digits. Raises `ProgramError`.

    It is the SHA-256 of the canonical form, and for a program that might see how it is written (`reach.Reach.plain`)
    that of its text: `getattr(f, "__doc__")`, the line of a traceback, the fields of a class.
    """
    tree = parse(source)
    try:
        plain = read(tree).plain
    except RecursionError:
        raise ProgramError("syntax", "program is nested too deeply") from None
    return text_hash(canonical(source) if plain else source)


def text_hash(text: str) -> str:
    """SHA-256 of a text as it stands, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def find_function(tree: ast.Module, name: str) -> ast.FunctionDef:
    """The function a program stands for: the last top-level one called `name`, or the only top-level function.

    Raises `ProgramError` (kind `signature`) naming the functions that exist.
    """
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    named = [node for node in functions if node.name == name]
    if named:
        return named[-1]
    if len(functions) == 1:
        return functions[0]
    if not functions:
        raise ProgramError("signature", f"program defines no function; expected {name}(...)")
    found = ", ".join(node.name for node in functions)
    raise ProgramError("signature", f"program has no function {name}; it defines {found}")


def check_signature(tree: ast.Module, name: str, arity: int) -> ast.FunctionDef:
    """The program's function, if it can be called with `arity` positional arguments. Raises `ProgramError`."""
    function = find_function(tree, name)
    arguments = function.args
    most = len(arguments.posonlyargs) + len(arguments.args)
    least = most - len(arguments.defaults)
    required_keywords = [a.arg for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is None]
    if arity < least or (arity > most and arguments.vararg is None) or required_keywords:
        raise ProgramError("signature", f"{function.name} takes {most} arguments, expected {arity} positional ones")
    return function


class _ProgramModule(ModuleType):
    """The module a program is executed as."""


def namespace() -> dict[str, Any]:
    """Globals to execute a program in: those of a module `program`, which the classes of a program are looked up in.

    The module takes the place of an earlier program's, not of a module that somebody else calls `program`.
    """
    module = _ProgramModule("program")
    if isinstance(sys.modules.get("program", module), _ProgramModule):
        sys.modules["program"] = module
    names = vars(module)
    names["__builtins__"] = __builtins__
    return names


def load_function(source: str, name: str, arity: int) -> Callable[..., Any]:
    """Execute a program and return its function. Runs untrusted code: call it in a sandboxed process only.

    Annotations are never evaluated (postponed-annotations flag), so `List[int]` needs no import.
    """
    tree = parse(source)
    function = check_signature(tree, name, arity)
    flags = __future__.annotations.compiler_flag
    found = namespace()
    # Only the fenced process of the sandbox comes here with a program that nobody has read.
    exec(compile(tree, "<program>", "exec", flags=flags, dont_inherit=True), found)  # noqa: S102
    return found[function.name]
