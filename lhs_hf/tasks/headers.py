"""The header of a template: what its arguments are called, which of them a call may leave out or name."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any

from ..errors import CallError
from ..programs import load_function
from .base import Program
from .own_names import kept_apart


class Header:
    """The function of a template that a search is to improve, as a person has written it (`main_function`).

    Every program of a task has the same header, so that it can take the template's place in the person's own code.

    Attributes:
        template: the template; arguments that can only be named stand among the others, and those called like what
            edits write have other names (`own_names`).
        name, arguments: of this function.
        own_arguments: their names as the person has written them.

    Raises `ValueError` for a template without a function, and for one that takes any number of arguments.
    """

    def __init__(self, template: str) -> None:
        template = _bare(textwrap.dedent(template))
        tree = ast.parse(template)
        function = main_function(tree)
        if function is None:
            raise ValueError("the template defines no function; expected the reference program")
        taken = function.args
        if taken.vararg is not None or taken.kwarg is not None:
            stars = f"*{taken.vararg.arg}" if taken.vararg else f"**{taken.kwarg.arg if taken.kwarg else ''}"
            raise ValueError(
                f"{function.name} of the template takes {stars}; expected arguments that have a name each: "
                "let it take a list or a dictionary"
            )
        if taken.kwonlyargs:
            if taken.defaults and None in taken.kw_defaults:
                raise ValueError(
                    f"{function.name} of the template has arguments without a default behind *, and others with one "
                    "before it: leave the * out, those with a default last"
                )
            pairs = sorted(zip(taken.kwonlyargs, taken.kw_defaults), key=lambda pair: pair[1] is not None)
            taken.args += [argument for argument, _ in pairs]
            taken.defaults += [default for _, default in pairs if default is not None]
            taken.kwonlyargs, taken.kw_defaults = [], []
            template = ast.unparse(tree) + "\n"
        self._template = template
        self.name = function.name
        self.template, self.own_arguments, self.arguments = kept_apart(template, function.name)
        self._defaults = tuple(map(ast.unparse, taken.defaults)) if all(map(_is_literal, taken.defaults)) else ()

    def text(self) -> str:
        """The header that programs begin with: names, and defaults that are plain values."""
        plain = len(self.arguments) - len(self._defaults)
        defaults = (*([None] * plain), *self._defaults)
        listed = (name if value is None else f"{name}={value}" for name, value in zip(self.arguments, defaults))
        return f"def {self.name}({', '.join(listed)}):"

    def with_defaults(self, source: str) -> str:
        """A program that may have no defaults, with those of the template."""
        own = rf"^def {re.escape(self.name)}\({', '.join(self.arguments)}\):"
        return re.sub(own, lambda _: self.text(), source, flags=re.MULTILINE) if self._defaults else source

    def called(self, program: Program) -> Program:
        """A program that may be called like the template: what is named, or left out, is put in its place."""
        count = len(self.arguments)

        @wraps(program)
        def named_or_not(*arguments: Any, **named: Any) -> Any:
            if named or len(arguments) != count:
                bound = self._signature.bind(*arguments, **named)
                bound.apply_defaults()
                arguments = tuple(bound.arguments.values())
            return program(*arguments)

        return named_or_not

    @property
    def reference(self) -> Callable[..., Any]:
        """The template as a function, in this process."""
        return load_function(self._template, self.name, len(self.arguments))

    @cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self.reference)


def _bare(source: str) -> str:
    """A module that ends with its main function: without what is for running it as a script, helpers before it."""
    tree = ast.parse(source)
    main = main_function(tree)
    # Lines as the parser counts them: of text a form feed would begin one, too.
    lines = [each.decode() for each in source.encode().splitlines(keepends=True)]
    behind: list[str] = []
    for node in reversed(tree.body):
        script = isinstance(node, ast.If) and any(
            isinstance(each, ast.Name) and each.id == "__name__" for each in ast.walk(node.test)
        )
        place = slice(node.lineno - 1, node.end_lineno)
        # Annotations of programs are never evaluated.
        if script or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            del lines[place]
        elif node is main and node is not tree.body[-1] and not node.decorator_list:
            behind = lines[place]
            del lines[place]
    text = "".join(lines)
    return f"{text.rstrip()}\n\n\n{''.join(behind).rstrip()}\n" if behind else text


def main_function(tree: ast.Module) -> ast.FunctionDef | None:
    """The last function that no other one uses: helpers may stand before it or behind. None without a function."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    used = {
        node.id
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id != function.name
    }
    free = [function for function in functions if function.name not in used]
    return (free or functions)[-1] if functions else None


def template_text(template: str | Callable[..., Any]) -> str:
    """A template as text: of a function its source, below imports of the modules that it names.

    Raises `CallError` for a function that has no source of its own, such as a lambda.
    """
    if not callable(template):
        return template
    try:
        text = textwrap.dedent(inspect.getsource(template))
        [function] = ast.parse(text).body
    except (OSError, TypeError, SyntaxError, ValueError):
        function = None
    if not isinstance(function, ast.FunctionDef) or function.name != getattr(template, "__name__", None):
        raise CallError(f"template is {template!r:.80}, whose source is not known; expected a function, or its text")
    named = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    known = getattr(inspect.unwrap(template), "__globals__", {})
    modules = {name: known[name].__name__ for name in sorted(named & known.keys()) if inspect.ismodule(known[name])}
    spelled = (module if name == module else f"{module} as {name}" for name, module in modules.items())
    imports = "".join(f"import {each}\n" for each in spelled)
    return f"{imports}\n\n{text}" if imports else text


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True
