"""What a program may name and still be read: builtins, functions of modules, attributes.

Everything here reaches numbers, containers, arrays and generators of random numbers, and nothing else; the rules that
read a program by these lists stand in `reach`. Needs the standard library only.
"""

from __future__ import annotations

import builtins


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EXCEPTIONS = _words(
    """
    ArithmeticError AssertionError AttributeError Exception FloatingPointError IndexError KeyError LookupError
    NotImplementedError OverflowError RuntimeError StopIteration TypeError ValueError ZeroDivisionError
    """
)
# Such texts hold addresses where the value is a function or an iterator.
TEXT_BUILTINS = _words("ascii format repr str")
BUILTINS = (
    _words(
        """
        abs all any bin bool callable chr complex dict divmod enumerate filter float frozenset int isinstance iter len
        list map max min next ord pow print range reversed round set slice sorted sum tuple zip NotImplemented
        """
    )
    | TEXT_BUILTINS
    | EXCEPTIONS
)
# What `site` adds is reachable whether or not this process has it.
ALL_BUILTINS = frozenset(dir(builtins)) | _words("copyright credits exit help license quit")

SHARED_RANDOM = _words(
    """
    betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate paretovariate
    randint random randrange sample shuffle triangular uniform vonmisesvariate weibullvariate
    """
)
SHARED_NUMPY_RANDOM = _words(
    """
    beta binomial choice exponential gamma geometric gumbel laplace lognormal normal permutation poisson rand randint
    randn random random_sample shuffle standard_normal triangular uniform weibull
    """
)
# Without a seed they start from the system's entropy.
SEEDED = _words("random.Random random.seed numpy.random.default_rng numpy.random.RandomState numpy.random.seed")
SHARED = frozenset(
    {
        *(f"random.{name}" for name in SHARED_RANDOM | {"seed"}),
        *(f"numpy.random.{name}" for name in SHARED_NUMPY_RANDOM | {"seed"}),
    }
)
UNWRITTEN = _words("numpy.empty numpy.empty_like")

DTYPES = _words(
    """
    bool_ complex128 float16 float32 float64 int16 int32 int64 int8 integer intp uint16 uint32 uint64 uint8 floating
    number
    """
)
DTYPE_TEXTS = DTYPES | _words("bool complex float int f4 f8 i4 i8 u1 <f8 <i8 d")
DTYPE_BUILTINS = _words("bool complex float int")
# Where these functions take a dtype by position.
DTYPE_PLACES = {
    "astype": 0,
    **dict.fromkeys(("array", "asarray", "zeros", "ones", "zeros_like", "ones_like", "fromiter"), 1),
    **dict.fromkeys(("full", "full_like"), 2),
    **dict.fromkeys(("arange", "eye"), 3),
}

# A star stands for every public name.
MODULES: dict[str, frozenset[str]] = {
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
    "random": SHARED_RANDOM | {"Random", "seed"},
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
    "numpy": DTYPES
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
    "numpy.random": SHARED_NUMPY_RANDOM | {"default_rng", "RandomState", "seed"},
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
ATTRIBUTES = _words(
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
