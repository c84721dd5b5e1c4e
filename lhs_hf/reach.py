"""What a program can reach, read off its text: whether it may see how it is written, or anything that changes.

An allow-list over the syntax tree. A program made of listed statements, modules, functions and attributes reaches
numbers, containers, arrays and generators of random numbers. One that names anything else (`getattr`, `sys`, classes,
an unknown package) may do whatever Python can, and nothing is assumed about it.

Needs the standard library only: scoring a program has to start at once.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Reach:
    """What the text of a program shows; in doubt, False.

    Attributes:
        plain: no part of the program depends on its layout, comments, docstrings or annotations.
        repeatable: plain, and each run on the same arguments gives the same answers: no clock, no unseeded generator,
            no memory that was not written, no text of a memory address.
        secluded: repeatable, and no use of generators that all calls share.
    """

    plain: bool
    repeatable: bool
    secluded: bool


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EXCEPTIONS = _words(
    """
    ArithmeticError AssertionError AttributeError Exception FloatingPointError IndexError KeyError LookupError
    NotImplementedError OverflowError RuntimeError StopIteration TypeError ValueError ZeroDivisionError
    """
)
# Such texts hold addresses where the value is a function or an iterator.
_TEXT_BUILTINS = _words("ascii format repr str")
_BUILTINS = (
    _words(
        """
        abs all any bin bool callable complex dict divmod enumerate filter float frozenset int isinstance iter len list
        map max min next pow print range reversed round set slice sorted sum tuple zip NotImplemented
        """
    )
    | _TEXT_BUILTINS
    | _EXCEPTIONS
)
# What `site` adds is reachable whether or not this process has it.
_ALL_BUILTINS = frozenset(dir(builtins)) | _words("copyright credits exit help license quit")

_SHARED_RANDOM = _words(
    """
    betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate paretovariate
    randint random randrange sample shuffle triangular uniform vonmisesvariate weibullvariate
    """
)
_SHARED_NUMPY_RANDOM = _words(
    """
    beta binomial choice exponential gamma geometric gumbel laplace lognormal normal permutation poisson rand randint
    randn random random_sample shuffle standard_normal triangular uniform weibull
    """
)
# Without a seed they start from the system's entropy.
_SEEDED = _words("random.Random random.seed numpy.random.default_rng numpy.random.RandomState numpy.random.seed")
_SHARED = frozenset(
    {
        *(f"random.{name}" for name in _SHARED_RANDOM | {"seed"}),
        *(f"numpy.random.{name}" for name in _SHARED_NUMPY_RANDOM | {"seed"}),
    }
)
_UNWRITTEN = _words("numpy.empty numpy.empty_like")

_DTYPES = _words(
    """
    bool_ complex128 float16 float32 float64 int16 int32 int64 int8 integer intp uint16 uint32 uint64 uint8 floating
    number
    """
)
_DTYPE_TEXTS = _DTYPES | _words("bool complex float int f4 f8 i4 i8 u1 <f8 <i8 d")
_DTYPE_BUILTINS = _words("bool complex float int")
# Where these functions take a dtype by position.
_DTYPE_PLACES = {
    "astype": 0,
    **dict.fromkeys(("array", "asarray", "zeros", "ones", "zeros_like", "ones_like", "fromiter"), 1),
    **dict.fromkeys(("full", "full_like"), 2),
    **dict.fromkeys(("arange", "eye"), 3),
}

# A star stands for every public name.
_MODULES: dict[str, frozenset[str]] = {
    "math": frozenset("*"),
    "cmath": frozenset("*"),
    "itertools": frozenset("*"),
    "bisect": _words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "heapq": _words("heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    "collections": _words("Counter OrderedDict defaultdict deque"),
    "collections.abc": _words("Callable Iterable Iterator Mapping MutableSequence Sequence"),
    "functools": _words("cache cmp_to_key lru_cache partial reduce"),
    "copy": _words("copy deepcopy"),
    "fractions": _words("Fraction"),
    "operator": _words(
        """
        abs add and_ concat contains countOf eq floordiv ge getitem gt indexOf inv invert itemgetter le lshift lt matmul
        mod mul ne neg not_ or_ pos pow rshift sub truediv truth xor
        """
    ),
    "random": _SHARED_RANDOM | {"Random", "seed"},
    "statistics": _words(
        """
        fmean geometric_mean harmonic_mean mean median median_high median_low mode multimode pstdev pvariance quantiles
        stdev variance
        """
    ),
    "typing": _words(
        """
        Any Callable Collection Dict FrozenSet Generator Iterable Iterator List Literal Mapping Optional Sequence Set
        Tuple Type TypeVar Union
        """
    ),
    "__future__": _words("annotations"),
    "numpy": _DTYPES
    | _words(
        """
        abs absolute add all allclose amax amin any append apply_along_axis arange arccos arccosh arcsin arcsinh arctan
        arctan2 arctanh argmax argmin argpartition argsort argwhere around array array_equal array_split asarray
        ascontiguousarray atleast_1d atleast_2d average bincount bitwise_and bitwise_not bitwise_or bitwise_xor block
        broadcast_arrays broadcast_to c_ cbrt ceil choose clip column_stack compress concatenate conj convolve copy
        copysign copyto corrcoef correlate cos cosh count_nonzero cov cross cumprod cumsum deg2rad degrees delete diag
        diag_indices diagonal diff digitize divide divmod dot dsplit dstack e ediff1d einsum equal errstate exp exp2
        expand_dims expm1 extract eye fabs fill_diagonal finfo flatnonzero flip fliplr flipud float_power floor
        floor_divide fmax fmin fmod fromfunction fromiter full full_like gcd geomspace gradient greater greater_equal
        heaviside histogram histogram2d histogram_bin_edges hsplit hstack hypot identity iinfo imag in1d indices inf
        inner insert interp intersect1d invert isclose isfinite isin isinf isnan isscalar ix_ kron lcm less less_equal
        lexsort linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
        logspace mask_indices matmul max maximum mean median meshgrid mgrid min minimum mod modf moveaxis multiply nan
        nan_to_num nanargmax nanargmin nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanquantile nanstd nansum
        nanvar ndenumerate ndim ndindex negative newaxis nextafter nonzero not_equal ogrid ones ones_like outer pad
        partition percentile pi piecewise place polyfit polyval positive power prod ptp put put_along_axis putmask
        quantile r_ rad2deg radians ravel ravel_multi_index real reciprocal remainder repeat reshape resize right_shift
        rint roll rollaxis rot90 round row_stack s_ searchsorted select setdiff1d setxor1d shape sign signbit sin sinc
        sinh size sort split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan tanh
        tensordot tile trace transpose trapz tri tril tril_indices triu triu_indices true_divide trunc unique
        unravel_index union1d unwrap vander var vdot vectorize vsplit vstack where zeros zeros_like empty empty_like
        """
    ),
    "numpy.linalg": _words(
        "cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_power matrix_rank norm pinv qr slogdet solve svd"
    ),
    "numpy.fft": _words("fft fft2 fftfreq fftshift ifft ifft2 ifftshift irfft rfft rfftfreq"),
    "numpy.random": _SHARED_NUMPY_RANDOM | {"default_rng", "RandomState", "seed"},
    "scipy": frozenset(),
    "scipy.cluster.hierarchy": _words("fcluster linkage"),
    "scipy.optimize": _words("linear_sum_assignment linprog minimize_scalar"),
    "scipy.sparse.csgraph": _words("connected_components dijkstra minimum_spanning_tree shortest_path"),
    "scipy.spatial": _words("distance"),
    "scipy.spatial.distance": _words("cdist euclidean pdist squareform"),
    "scipy.special": _words("expit logsumexp softmax"),
    "scipy.stats": _words("rankdata zscore"),
}

# Of containers, numbers, texts, arrays and generators of random numbers. Not among them: what takes a format, names an
# attribute or reads memory.
_ATTRIBUTES = _words(
    """
    T accumulate add all any append appendleft argmax argmin argpartition argsort astype at bit_count bit_length choice
    choices clear clip conj conjugate copy count cumprod cumsum default_factory denominator diagonal difference
    difference_update discard dot elements endswith eps exponential extend extendleft fill find flat flatten fromkeys
    from_iterable gamma gauss get gumbel imag index insert integers intersection intersection_update is_integer isalpha
    isdigit isdisjoint issubset issuperset item items join keys lognormal lower max maxlen mean min most_common ndim
    ndigits nonzero normal normalvariate numerator outer partition permutation permuted poisson pop popitem popleft prod
    ptp put rand randint randn random randrange ravel real reduce reduceat remove repeat replace reshape reverse rotate
    round sample searchsorted setdefault shape shuffle size sort split squeeze standard_normal startswith std strip
    subtract sum swapaxes symmetric_difference take tiny tolist total trace transpose triangular uniform union update
    upper values var
    """
) | {"__contains__", "__getitem__", "__len__"}

_NODES: frozenset[type[ast.AST]] = frozenset(
    {
        *(ast.Module, ast.FunctionDef, ast.Lambda, ast.arguments, ast.arg, ast.Import, ast.ImportFrom, ast.Return),
        *(ast.Delete, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While, ast.If, ast.With, ast.withitem),
        *(ast.Raise, ast.Try, ast.ExceptHandler, ast.Assert, ast.Global, ast.Nonlocal, ast.Expr, ast.Pass, ast.Break),
        *(ast.Continue, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Dict, ast.Set, ast.ListComp),
        *(ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Yield, ast.YieldFrom, ast.Compare),
        *(ast.Call, ast.keyword, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List),
        *(ast.Tuple, ast.Slice),
    }
)
# Operators, and whether a name is read or written: nothing lies below them.
_MARKS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
_BINDING = frozenset(
    {ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.Global, ast.Nonlocal}
)
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
# In an annotation they are errors, or bind names.
_ACTIVE = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


def read(tree: ast.Module) -> Reach:
    """What a parsed program reaches. Raises `RecursionError` for one that is nested too deeply."""
    reader = _Reader(tree)
    repeatable = reader.plain and reader.repeatable
    return Reach(reader.plain, repeatable, repeatable and reader.secluded)


class _Reader(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.plain = self.repeatable = self.secluded = True
        # What a name stands for: the dotted path it is imported from.
        self._imported: dict[str, str] = {}
        self._bound: set[str] = set()
        self._in_function = False
        self._own: set[str] = set()
        self._declared: set[str] = set()
        self._module_start(tree)
        self._annotated = False
        for node in _walk(tree):
            kind = type(node)
            if kind is ast.Name:
                if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                    self._bound.add(node.id)  # type: ignore[attr-defined]
            elif kind in (ast.Import, ast.ImportFrom):
                self._import(node)  # type: ignore[arg-type]
            elif kind in _BINDING:
                self._bound.update(_binds(node))
            elif kind is ast.AnnAssign:
                self._annotated = True
        # One name, one meaning: otherwise what an attribute belongs to is not known.
        if self._bound & self._imported.keys():
            self.plain = False
        if self.plain:
            self.visit(tree)

    def _module_start(self, tree: ast.Module) -> None:
        """Where a future import may stand depends on what is in front of it."""
        for number, statement in enumerate(tree.body):
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                earlier = tree.body[1:number] if _is_text(tree.body[0]) else tree.body[:number]
                if earlier:
                    self.plain = False

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                known = alias.name in _MODULES
                # Without `as`, the name is that of the outermost package.
                name, path = alias.asname or alias.name.split(".")[0], alias.name if alias.asname else None
                path = path or name
            else:
                name, path = alias.asname or alias.name, f"{node.module}.{alias.name}"
                known = node.level == 0 and self._listed(path)
            if not known or self._imported.setdefault(name, path) != path:
                self.plain = False

    @staticmethod
    def _listed(path: str) -> bool:
        """Whether a dotted path is a listed module, or a listed name of one."""
        module, _, name = path.rpartition(".")
        if path in _MODULES:
            return True
        names = _MODULES.get(module, frozenset())
        return name in names or ("*" in names and not name.startswith("_") and name != "*")

    def _path(self, node: ast.expr) -> str | None:
        """The dotted path of a name or attribute that belongs to an imported module, else None."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self._path(node.value)
            # Packages lead to their modules: scipy, scipy.spatial.
            if base is not None and (base in _MODULES or any(name.startswith(f"{base}.") for name in _MODULES)):
                return f"{base}.{node.attr}"
        return None

    def _reached(self, path: str) -> None:
        """A function or constant of a module, used as a value or called. A module itself may not be one."""
        if path in _MODULES or not self._listed(path):
            self.plain = False
        if path in _UNWRITTEN or path in _SEEDED:
            self.repeatable = False
        if path in _SHARED:
            self.secluded = False

    def visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind not in _NODES:
            self.plain = False
        elif self.plain:
            getattr(self, f"visit_{kind.__name__}", self.generic_visit)(node)

    def generic_visit(self, node: ast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                for each in value:
                    if isinstance(each, ast.AST) and not isinstance(each, _MARKS):
                        self.visit(each)
            elif isinstance(value, ast.AST) and not isinstance(value, _MARKS):
                self.visit(value)

    def visit_Import(self, node: ast.Import) -> None:
        """Read before."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Read before."""

    def visit_Name(self, node: ast.Name) -> None:
        path = self._imported.get(node.id)
        if path is not None:
            self._reached(path)
        elif node.id.startswith("__") and node.id != "__name__":
            self.plain = False
        elif node.id in _ALL_BUILTINS and isinstance(node.ctx, ast.Load) and node.id != "__name__":
            # Bound somewhere or not: elsewhere the same name may be the builtin.
            self.plain = self.plain and node.id in _BUILTINS
            if node.id in _TEXT_BUILTINS:
                self.repeatable = False

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self._path(node)
        if path is not None:
            self._reached(path)
            if not isinstance(node.ctx, ast.Load):
                self.plain = False
        else:
            if node.attr not in _ATTRIBUTES:
                self.plain = False
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        percent = "%" if isinstance(node.value, str) else b"%"
        if isinstance(node.value, (str, bytes)) and percent in node.value:  # type: ignore[operator]
            self.repeatable = False

    def visit_Expr(self, node: ast.Expr) -> None:
        if not _is_text(node):
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        # What stands behind a double star may be any of the keywords below.
        if None in keywords or ("where" in keywords and "out" not in keywords):
            self.repeatable = False
        path = self._path(node.func)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else (path or "").rpartition(".")[2]
        place = _DTYPE_PLACES.get(name, len(node.args))
        dtypes = [*node.args[place : place + 1], *(value for key, value in keywords.items() if key == "dtype")]
        if not all(map(self._is_numeric, dtypes)):
            self.repeatable = False
        for part in (*node.args, *node.keywords):
            self.visit(part)
        if path in _SEEDED and self._has_seed(path, node):
            if path in _SHARED:
                self.secluded = False
        else:
            self.visit(node.func)

    def _is_numeric(self, node: ast.expr) -> bool:
        """Whether an expression is a dtype of numbers."""
        if isinstance(node, ast.Constant):
            return node.value is None or node.value in _DTYPE_TEXTS
        if isinstance(node, ast.Name) and node.id in _DTYPE_BUILTINS:
            return node.id not in self._bound
        module, _, name = (self._path(node) or "").rpartition(".")
        return module == "numpy" and name in _DTYPES

    def _has_seed(self, path: str, call: ast.Call) -> bool:
        """Whether a generator is started from one number that can not be None."""
        if len(call.args) != 1 or call.keywords:
            return False
        seed = call.args[0]
        if isinstance(seed, ast.Constant):
            return isinstance(seed.value, (int, float, str))
        if isinstance(seed, (ast.List, ast.Tuple)):
            return path.startswith("numpy.") and len(seed.elts) > 0
        if isinstance(seed, ast.Call) and isinstance(seed.func, ast.Name) and len(seed.args) == 1:
            return seed.func.id in ("abs", "int", "len", "round", "sum") and seed.func.id not in self._bound
        # No operator of listed values gives None.
        return isinstance(seed, (ast.BinOp, ast.Compare, ast.UnaryOp))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name.startswith("__") or getattr(node, "type_params", None):
            self.plain = False
        self._passive(node.returns)
        for part in (*node.decorator_list, node.args):
            self.visit(part)
        outer = self._in_function, self._own, self._declared
        self._in_function, self._own, self._declared = True, set(), set()
        if self._annotated:
            self._own, self._declared = _scope(node)
        for statement in node.body:
            self.visit(statement)
        self._in_function, self._own, self._declared = outer

    def visit_arg(self, node: ast.arg) -> None:
        self._passive(node.annotation)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._passive(node.annotation)
        if not isinstance(node.target, ast.Name):
            self.plain = self.plain and node.value is not None
            self.visit(node.target)
        elif self._in_function:
            # An annotated name is local, assigned or not, and may not be declared otherwise.
            local = node.value is not None or node.target.id in self._own
            self.plain = self.plain and local and node.target.id not in self._declared
        if node.value is not None:
            self.visit(node.target)
            self.visit(node.value)

    def _passive(self, annotation: ast.expr | None) -> None:
        if annotation is not None and any(isinstance(node, _ACTIVE) for node in ast.walk(annotation)):
            self.plain = False


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """`ast.walk` without operators, in no particular order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                waiting.extend(each for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST) and not isinstance(value, _MARKS):
                waiting.append(value)


def _binds(node: ast.AST) -> list[str]:
    """Names that a node of `_BINDING` binds."""
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name is not None else []
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else []


def _scope(function: ast.FunctionDef) -> tuple[set[str], set[str]]:
    """Names that a function's own scope binds by more than an annotation, and those it declares to be others'."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    own, declared = {each.arg for each in every if each is not None}, set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            declared.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.AnnAssign) and node.value is None:
            continue
        # What comprehensions bind stays inside them.
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return own, declared
