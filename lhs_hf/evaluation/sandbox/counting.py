"""What a program computes, counted: the same seconds in every run and on every machine, where a clock never agrees.

A program is rewritten so that operations, calls and turns of loops tell of themselves and of the size of what they
return. Each has a price (`PRICES`), fitted to the clock of one machine (`scripts/benchmarks/counted_seconds.py`): the
sum is near the seconds that the program takes there, and does not depend on who else uses the processor.
"""

from __future__ import annotations

import __future__  # isort: skip

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from ...programs import check_signature, namespace, parse


@dataclass(frozen=True)
class Prices:
    """Microseconds of what is counted."""

    step: float = 0.03  # a turn of a loop, the beginning of a function
    value: float = 0.03  # an operation on numbers
    number: float = 0.11  # one on a NumPy scalar
    array: float = 0.75  # one that returns an array, ...
    element: float = 0.001  # ... and each of its elements
    picked: float = 0.002  # an element that is copied by an index
    call: float = 0.11  # a call of anything that is not NumPy's
    item: float = 0.025  # an item of a list, set or text that is gone through
    method: float = 3.5  # a call of an array's method, ...
    numeric: float = 6.0  # ... or of NumPy, ...
    touched: float = 0.001  # ... and each element of what it is given and returns
    sorted: float = 0.07  # an item that Python sorts
    ordered: float = 0.004  # an element that NumPy sorts
    generator: float = 15.0  # a new generator of random numbers
    product: float = 0.0008  # a multiplication of a matrix product
    solved: float = 0.015  # an element of what SciPy or linear algebra is given


PRICES = Prices()

_CALL, _VALUE, _ITEM, _SEARCHED = "__call__", "__value__", "__item__", "__searched__"
_STEP, _BODY = "__step__", "__body__"
# What looks at the frame that calls it.
_OF_FRAMES = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
_SORTS = frozenset({"sort", "argsort", "lexsort", "partition", "argpartition", "unique", "sorted", "setdiff1d", "isin"})
_ARRAYS = frozenset({"array", "asarray"})
_GENERATORS = frozenset({"default_rng", "RandomState"})
_PRODUCTS = frozenset({"dot", "matmul", "inner", "vdot", "tensordot", "einsum"})
_GONE_THROUGH = frozenset({"sum", "min", "max", "list", "tuple", "set", "dict", "frozenset", "any", "all", "join"})
_OF_LISTS = frozenset({"index", "count", "remove", "copy", "extend", "insert", "update", "union", "difference", "pop"})


class Exhausted(BaseException):
    """More has been counted than is wanted."""


class _Telling(ast.NodeTransformer):
    """Has a program tell what it does. Annotations, patterns and targets stay as they are."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _OF_FRAMES:
            return node
        return _told(_CALL, node.func, *node.args, keywords=node.keywords)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            return _told(_CALL, ast.Name("__matmul__", ast.Load()), node.left, node.right)
        return _told(_VALUE, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return node if isinstance(node.operand, ast.Constant) else _told(_VALUE, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            node.comparators[0] = _told(_SEARCHED, node.comparators[0])
        return _told(_VALUE, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return _told(_ITEM, node) if isinstance(node.ctx, ast.Load) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            node.value = _told(_VALUE, node.value)
            return node
        # Of a list only the end is new.
        return [node, ast.Expr(_told(_ITEM, ast.Name(node.target.id, ast.Load())))]

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = _told(_BODY, node.body)
        return node

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        node.value = _told(_VALUE, node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self._stepping(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node

    def _turning(self, node: Any) -> Any:
        self.generic_visit(node)
        node.elt = _told(_VALUE, node.elt)
        return node

    def _stepping(self, node: Any) -> Any:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_told(_STEP)))
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = _turning
    visit_For = visit_While = _stepping


def _told(name: str, *arguments: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), keywords or [])


class Counter:
    """What a program has spent, in microseconds.

    Args:
        most: `Exhausted` is raised in the program beyond so many.
        prices: of what is counted.
    """

    def __init__(self, most: float = float("inf"), prices: Prices = PRICES) -> None:
        self.spent = 0.0
        self._most = most
        self._prices = prices

    def load(self, source: str, name: str, arity: int) -> Callable[..., Any]:
        """The function of a program, as `programs.load_function`, that tells what it does."""
        tree = parse(source)
        function = check_signature(tree, name, arity)
        tree = ast.fix_missing_locations(_Telling().visit(tree))
        found = namespace()
        found |= {_CALL: self._call, _VALUE: self._value, _ITEM: self._item, _SEARCHED: self._searched}
        found |= {_STEP: self._step, _BODY: self._body, "__matmul__": _matmul}
        flags = __future__.annotations.compiler_flag
        # Only the fenced process of the sandbox comes here with a program that nobody has read.
        exec(compile(tree, "<program>", "exec", flags=flags, dont_inherit=True), found)  # noqa: S102
        loaded = found[function.name]
        assert callable(loaded)
        return loaded

    def _step(self) -> None:
        self.spent += self._prices.step
        if self.spent > self._most:
            raise Exhausted

    def _body(self, value: Any) -> Any:
        self.spent += self._prices.call
        return value

    def _value(self, value: Any) -> Any:
        kind = type(value)
        if kind is np.ndarray:
            self.spent += self._prices.array + self._prices.element * value.size
        elif isinstance(value, np.generic):
            self.spent += self._prices.number
        elif kind is list or kind is tuple or kind is str:
            self.spent += self._prices.value + self._prices.item * len(value)
        else:
            self.spent += self._prices.value
        return value

    def _item(self, value: Any) -> Any:
        if type(value) is np.ndarray:
            # A view takes no copy.
            self.spent += self._prices.array + (self._prices.picked * value.size if value.base is None else 0.0)
        elif isinstance(value, np.generic):
            self.spent += self._prices.number
        else:
            self.spent += self._prices.value
        return value

    def _searched(self, value: Any) -> Any:
        if not isinstance(value, dict | set | frozenset):
            self.spent += self._prices.item * _length(value)
        return value

    def _call(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        result = function(*arguments, **keywords)
        if type(function) is FunctionType and not str(function.__module__).startswith(("numpy", "scipy")):
            self.spent += self._prices.call
        else:
            self.spent += _price(self._prices, function, arguments, result)
        return result


def _price(prices: Prices, function: Any, arguments: tuple[Any, ...], result: Any) -> float:
    """Of a call of what the program has not written."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "")
    module = str(getattr(function, "__module__", None) or type(owner).__module__)
    if isinstance(owner, np.ndarray | np.generic):
        module = "numpy"
    if not module.startswith(("numpy", "scipy")):
        if isinstance(function, MethodType):
            return prices.call
        sized = owner if name in _OF_LISTS else arguments[0] if arguments and name in _GONE_THROUGH else None
        items = _length(sized)
        if name == "sorted" or (name == "sort" and isinstance(function, BuiltinFunctionType)):
            return prices.call + prices.sorted * _length(result if name == "sorted" else owner)
        return prices.call + prices.item * items
    if name in _GENERATORS:
        return prices.generator
    if isinstance(function, np.ufunc):
        return prices.array + prices.element * _length(result)
    if name == "tolist":
        return prices.call + prices.item * _length(owner)
    elements = sum(each.size for each in (owner, *arguments, result) if isinstance(each, np.ndarray))
    items = sum(len(each) for each in arguments if isinstance(each, list | tuple))
    listed = prices.item * (_length(result) if items and name in _ARRAYS else items)
    called = prices.method if isinstance(owner, np.ndarray | np.generic) else prices.numeric
    if name in _SORTS:
        return called + prices.ordered * elements + listed
    if name in _PRODUCTS:
        left = owner if isinstance(owner, np.ndarray) else arguments[0] if arguments else None
        inner = left.shape[-1] if isinstance(left, np.ndarray) and left.ndim else 1
        return called + prices.product * _length(result) * inner
    if module.startswith(("scipy", "numpy.linalg")):
        return called + prices.solved * elements + listed
    return called + prices.touched * elements + listed


def _length(value: Any) -> int:
    """Elements of an array, items of what has any; 1 otherwise."""
    if isinstance(value, np.ndarray):
        return value.size
    return len(value) if isinstance(value, list | tuple | set | frozenset | dict | str | range) else 1


def _matmul(left: Any, right: Any) -> Any:
    return left @ right


_matmul.__module__, _matmul.__name__ = "numpy", "matmul"
