"""Which programs can observe nothing but their arguments, so that it does not matter who drives an online game.

A whitelist over the syntax tree: every node, name, attribute, function and keyword that is not listed is refused. What
is left can reach numbers, tuples, lists and arrays that it was given or has made, and nothing else: no other object,
no memory that it has not written (`np.empty`, `where=` and matrix products are out), no clock, no state.
"""

from __future__ import annotations

import ast
import builtins


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(rows: dict[int, str]) -> dict[str, int]:
    return {name: most for most, names in rows.items() for name in names.split()}


_MODULES = {"numpy": "numpy", "math": "math"}
# Their names are for annotations, which are never evaluated.
_ANNOTATION_MODULES = frozenset({"typing", "__future__"})

_BUILTINS = _words(
    "abs all any bool divmod enumerate float int len list max min pow range reversed round sorted sum tuple zip"
)
_BUILTIN_KEYWORDS = frozenset({"default", "reverse", "start"})
_RESERVED = frozenset(dir(builtins))

_CONSTANTS = {"numpy": _words("pi e inf nan newaxis"), "math": _words("pi e tau inf nan")}
_DTYPES = frozenset({"float64", "float32", "int64", "int32", "bool_"})
_BUILTIN_DTYPES = frozenset({"float", "int", "bool"})

_MATH = _words(
    """
    acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1
    fabs factorial floor fmod fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10
    log1p log2 perm pow prod radians remainder sin sinh sqrt tan tanh trunc
    """
)


# The most positional arguments: one more would be an output array, a type, or something that is not a number.
_NUMPY = _table(
    {
        1: """
        abs absolute arccos arccosh arcsin arcsinh arctan arctanh argsort argwhere array asarray atleast_1d
        bincount bool_ cbrt ceil copy cos cosh deg2rad exp exp2 expm1 fabs flatnonzero float32 float64 floor
        full_like int32 int64 isfinite isinf isnan log log10 log1p log2 logical_not nan_to_num negative nonzero
        ones ones_like positive rad2deg radians degrees ravel reciprocal rint sign sin sinh sort sqrt square
        stack tan tanh trunc unique zeros zeros_like
        """,
        2: """
        add all amax amin any arctan2 argmax argmin concatenate copysign count_nonzero cumprod cumsum diff
        divide divmod equal expand_dims float_power floor_divide fmax fmin fmod full greater greater_equal
        heaviside hypot isin less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor max maximum
        mean median min minimum mod multiply nanmax nanmean nanmin nansum not_equal power prod ptp remainder
        reshape round searchsorted squeeze std subtract sum take tile true_divide var average flip
        """,
        3: "append arange clip interp linspace repeat select where",
        4: "allclose isclose",
    }
) | {"full_like": 2}
_NUMPY_KEYWORDS = _words(
    """
    axis keepdims decimals ddof weights minlength rtol atol nan posinf neginf return_index return_inverse
    return_counts num endpoint
    """
)
_WITH_DTYPE = _words("arange array asarray full full_like linspace ones ones_like zeros zeros_like")

_METHODS = _table(
    {
        0: "copy flatten item nonzero ravel reverse tolist",
        1: """
        all any append argmax argmin argsort count cumprod cumsum extend index max mean min pop prod ptp remove
        round sort squeeze std sum take var
        """,
        2: "clip insert",
        4: "reshape",
    }
)
_METHOD_KEYWORDS = frozenset({"axis", "keepdims", "decimals", "ddof", "reverse"})
_ATTRIBUTES = frozenset({"shape", "size", "ndim", "T"})


class _Refused(Exception):
    """Something that is not on the list."""


def is_pure(tree: ast.Module) -> bool:
    """Whether a program's function can depend on nothing but its arguments, by a strict whitelist; in doubt, False.

    Allowed are `import numpy as np`, `import numpy`, `import math`, immutable constants and plain functions of
    assignments, arithmetic, `if`, loops, comprehensions, and calls of listed functions and of each other.
    """
    try:
        _Program(tree)
    except (_Refused, RecursionError):
        return False
    return True


def _require(condition: object) -> None:
    if not condition:
        raise _Refused


class _Program:
    """The check of one program: what the top level binds first, then each function. Raises `_Refused`."""

    def __init__(self, tree: ast.Module) -> None:
        self.modules: dict[str, str] = {}
        self.constants: set[str] = set()
        self.functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._bound: set[str] = set()
        self._locals: set[str] = set()
        for number, statement in enumerate(tree.body):
            self._top_level(statement, number == 0)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef):
                self._function(statement)

    def _bind(self, name: str) -> None:
        """A name of the top level: bound once, and not that of a builtin."""
        _require(name not in self._bound and name not in _RESERVED and not name.startswith("_"))
        self._bound.add(name)

    def _top_level(self, statement: ast.stmt, first: bool) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                _require(alias.name in _MODULES)
                self._bind(alias.asname or alias.name)
                self.modules[alias.asname or alias.name] = _MODULES[alias.name]
        elif isinstance(statement, ast.ImportFrom):
            _require(statement.module in _ANNOTATION_MODULES and statement.level == 0)
            for alias in statement.names:
                _require(alias.name != "*")
                self._bind(alias.asname or alias.name)
        elif isinstance(statement, ast.FunctionDef):
            self._bind(statement.name)
            _require(not statement.decorator_list and not getattr(statement, "type_params", None))
            arguments = statement.args
            _require(arguments.vararg is None and arguments.kwarg is None)
            for default in [*arguments.defaults, *arguments.kw_defaults]:
                if default is not None:
                    self._immutable(default)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if statement.value is None:
                raise _Refused
            self._immutable(statement.value)
            for target in targets:
                if not isinstance(target, ast.Name):
                    raise _Refused
                self._bind(target.id)
                self.constants.add(target.id)
        else:
            _require(first and _is_docstring(statement))

    def _immutable(self, value: ast.expr) -> None:
        """A number, None, a tuple of such, or arithmetic on them."""
        if isinstance(value, ast.Tuple):
            for element in value.elts:
                self._immutable(element)
        elif isinstance(value, ast.BinOp):
            _require(not isinstance(value.op, ast.MatMult))
            self._immutable(value.left)
            self._immutable(value.right)
        elif isinstance(value, ast.UnaryOp):
            self._immutable(value.operand)
        elif isinstance(value, ast.Name):
            _require(value.id in self.constants)
        elif isinstance(value, ast.Attribute):
            self._module_constant(value)
        else:
            _require(isinstance(value, ast.Constant) and _is_number(value.value))

    def _function(self, function: ast.FunctionDef) -> None:
        arguments = function.args
        names = {each.arg for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
        # A name that a comprehension binds is looked up elsewhere outside it: nothing must be found there.
        for name in names:
            _require(name not in self._bound and name not in _RESERVED and (name == "_" or not name.startswith("_")))
        self._locals = names
        body = function.body[1:] if _is_docstring(function.body[0]) else function.body
        self._block(body)

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                self._target(target)
            self._expression(statement.value)
        elif isinstance(statement, ast.AugAssign):
            _require(not isinstance(statement.op, ast.MatMult))
            self._target(statement.target)
            self._expression(statement.value)
        elif isinstance(statement, ast.AnnAssign):
            _require(isinstance(statement.target, ast.Name))
            self._optional(statement.value)
        elif isinstance(statement, ast.Return):
            self._optional(statement.value)
        elif isinstance(statement, (ast.If, ast.While)):
            self._expression(statement.test)
            self._block(statement.body)
            self._block(statement.orelse)
        elif isinstance(statement, ast.For):
            self._target(statement.target)
            self._expression(statement.iter)
            self._block(statement.body)
            self._block(statement.orelse)
        elif isinstance(statement, ast.Expr):
            self._expression(statement.value)
        else:
            _require(isinstance(statement, (ast.Pass, ast.Break, ast.Continue)))

    def _target(self, target: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                self._target(element)
        elif isinstance(target, ast.Subscript):
            self._expression(target.value)
            self._expression(target.slice)
        else:
            _require(isinstance(target, ast.Name))

    def _optional(self, expression: ast.expr | None) -> None:
        if expression is not None:
            self._expression(expression)

    def _expression(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            _require(_is_number(node.value))
        elif isinstance(node, ast.Name):
            _require(node.id in self._locals or node.id in self.constants)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in self.modules:
                self._module_constant(node)
            else:
                _require(node.attr in _ATTRIBUTES)
                self._expression(node.value)
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            self._expression(node.elt)
            for part in node.generators:
                _require(not part.is_async)
                self._target(part.target)
                self._expressions([part.iter, *part.ifs])
        else:
            self._expressions(_operands(node))

    def _expressions(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            self._expression(node)

    def _module_constant(self, node: ast.Attribute) -> None:
        if not (isinstance(node.value, ast.Name) and node.value.id in self.modules):
            raise _Refused
        _require(node.attr in _CONSTANTS[self.modules[node.value.id]])

    def _call(self, call: ast.Call) -> None:
        function, arguments, keywords = call.func, list(call.args), {each.arg: each.value for each in call.keywords}
        _require(None not in keywords and len(keywords) == len(call.keywords))
        if isinstance(function, ast.Name):
            if function.id not in self.functions:
                _require(function.id in _BUILTINS and keywords.keys() <= _BUILTIN_KEYWORDS)
        elif isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Name) and function.value.id in self.modules:
                self._module_function(self.modules[function.value.id], function.attr, arguments, keywords)
            else:
                self._method(function, arguments, keywords)
        else:
            raise _Refused
        self._expressions([*arguments, *keywords.values()])

    def _module_function(
        self, module: str, name: str, arguments: list[ast.expr], keywords: dict[str | None, ast.expr]
    ) -> None:
        if module == "math":
            _require(name in _MATH and not keywords)
            return
        if name in _WITH_DTYPE and "dtype" in keywords:
            self._dtype(keywords.pop("dtype"))
        _require(len(arguments) <= _NUMPY.get(name, -1) and keywords.keys() <= _NUMPY_KEYWORDS)

    def _method(self, function: ast.Attribute, arguments: list[ast.expr], keywords: dict[str | None, ast.expr]) -> None:
        self._expression(function.value)
        if function.attr == "astype":
            _require(len(arguments) == 1 and not keywords)
            self._dtype(arguments.pop())
        else:
            _require(len(arguments) <= _METHODS.get(function.attr, -1) and keywords.keys() <= _METHOD_KEYWORDS)

    def _dtype(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            _require(node.id in _BUILTIN_DTYPES)
        else:
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
                raise _Refused
            _require(self.modules.get(node.value.id) == "numpy" and node.attr in _DTYPES)


def _operands(node: ast.expr) -> list[ast.expr]:
    """The parts of an operator, a subscript or a display. Raises `_Refused` for any other node."""
    if isinstance(node, ast.BinOp):
        # Some BLAS libraries let what was in the memory of a product shine through.
        _require(not isinstance(node.op, ast.MatMult))
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.IfExp):
        return [node.test, node.body, node.orelse]
    if isinstance(node, ast.Subscript):
        return [node.value, node.slice]
    if isinstance(node, ast.Slice):
        return [part for part in (node.lower, node.upper, node.step) if part is not None]
    if isinstance(node, (ast.Tuple, ast.List)):
        return node.elts
    raise _Refused


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, (bool, int, float))
