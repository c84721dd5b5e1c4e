"""Programs that may play an online game alone: what is refused, what is accepted, and that the verdict is the same."""

from __future__ import annotations

import ast

import pytest
from hostile import HOSTILE

from lhs_hf.evaluation import Evaluator, Limits
from lhs_hf.evaluation.purity import is_pure
from lhs_hf.evaluation.rollout import evaluate_in_process
from lhs_hf.tasks import get_task

TASK = get_task("online_bin_packing")
HEAD = "import math\nimport numpy as np\n\n\ndef priority(item, bins):\n"

# Bodies of `priority`, one a line; "; " separates statements.
REFUSED_BODIES = """
return np.empty(len(bins))
return np.empty_like(bins)
return np.ndarray((5,))
return np.resize(bins, 9)
return np.frombuffer(bins)
return np.fromfile('x')
return np.load('x')
return np.random.rand(len(bins))
return np.lib.stride_tricks.as_strided(bins, (99,))
return np.ctypeslib.as_array(bins)
return np.memmap('x')
return np.vectorize(abs)(bins)
return np.array(bins, dtype=object)
return np.zeros(3, dtype='O')
return np.zeros(3, object)
return np.add(bins, item, bins)
return np.add(bins, item, out=bins)
return np.add(bins, item, where=bins > 3)
return np.exp(bins, bins)
return np.sum(bins, 0, None, bins)
return np.clip(bins, 0, 1, bins)
return np.add.reduce(bins)
return np.add.at(bins, 0, 1)
return np.apply_along_axis(abs, 0, bins)
return np.fromiter(bins, float)
return np.core.multiarray.zeros(3)
return np.__dict__
return np.math.exp(1)
return np
return math
return np.zeros
return bins @ bins
return np.dot(bins, bins)
return bins.base
return bins.data
return bins.ctypes
return bins.flags
return bins.strides
return bins.dtype
return bins.flat
return bins.__array_interface__
return bins.__class__
return bins.view(float)
return bins.resize(3)
return bins.tobytes()
return bins.tofile('x')
return bins.dump('x')
return bins.setflags(write=True)
return bins.astype(object)
return bins.astype('O')
return bins.astype(np.object_)
return bins.sum(0, None, bins)
return bins.sum(out=bins)
return bins.clip(0, 1, bins)
return bins.max
return bins.getfield(float)
bins.shape = (1,); return bins
bins.x = 1; return bins
priority.seen = 1; return bins
return priority.__globals__
return priority.seen
return [priority, priority]
call = priority; return call(item, bins)
f = abs; return f(bins)
f = getattr; return f(bins, 'base')
return getattr(bins, 'base')
return vars(bins)
return globals()
return locals()
return eval('1')
return exec('1')
return compile('1', '', 'eval')
return __import__('os')
return __builtins__
return __name__
return open('/etc/passwd')
return print(bins)
return input()
return type(bins)(3)
return id(bins) - bins
return hash(item) - bins
return object()
return iter(bins)
return next(iter(bins))
return memoryview(bins)
return bytearray(3)
return map(abs, bins)
return sorted(bins, key=abs)
return max(bins, key=id)
return {1, 2}
return {1: 2}
return f'{bins.base}'
return '{0.base}'.format(bins)
return '%s' % bins
return 'x'
return b'x'
return ...
return (lambda: 1)()
return (lambda x: x.base)(bins)
return (y := bins)
return [y := b for b in bins]
return (np := bins)
return [np for np in bins]
return [math for math in (bins,)]
return [abs for abs in bins]
x = [0 for open in bins]; return open('x')
x = [0 for eval in bins]; return eval
np = bins; return np.base
math, x = bins, 1; return x
abs = bins.max; return abs()
priority = bins; return bins
for np in bins: pass
for bins.x in bins: pass
np.pi = 3; return bins
np.zeros[0] = 1; return bins
np += 1; return bins
LIMIT = 3; del LIMIT
del bins; return 1
return max(*bins)
return max(**bins)
x, *y = bins; return y
return [*bins]
return np.sum(bins, **{'out': bins})
return np.sum(bins, axis=np.__class__)
global seen; seen = 1; return bins
import os; return bins
from os import environ; return bins
raise ValueError(bins)
assert bins.base
yield bins
return [(yield b) for b in bins]
return (await bins)
return int('1')
return int.from_bytes(b'', 'big')
return float.__subclasses__()
return (1).__class__
return ().__class__.__base__.__subclasses__()
return [].append.__self__
return math.__loader__
return math.exp.__self__
x: open('x') = bins.base; return x
x[bins.base] = 1; return bins
return bins[bins.base]
return bins[open('x'):]
return (b for b in bins).gi_frame
return [b async for b in bins]
return bins if bins.base else 1
return unknown
return 1 if bins is unknown else 2
return sum(bins, start=globals())
return np.sum(bins)(3)
return (abs or max)(bins)
return np['zeros'](3)
return np.errstate
return np.zeros_like(bins, subok=False)
return np.sort(bins, kind='stable')
return _private
""".strip().splitlines()

# Whole programs.
REFUSED = {
    "match": HEAD + "    match bins:\n        case np.ndarray(base=b):\n            return b\n",
    "try": HEAD + "    try:\n        return bins / 0\n    except Exception as error:\n        return error\n",
    "with": HEAD + "    with np.errstate(all='ignore'):\n        return bins\n",
    "nested function": HEAD + "    def inner():\n        return bins\n    return inner()\n",
    "class": HEAD + "    class A:\n        pass\n    return bins\n",
    "decorator": "import functools\n@functools.cache\ndef priority(item, bins):\n    return bins\n",
    "decorated with itself": "def d(f):\n    return 1\n@d\ndef priority(item, bins):\n    return bins\n",
    "async": "async def priority(item, bins):\n    return bins\n",
    "mutable default": "def priority(item, bins, seen=[]):\n    seen.append(item)\n    return bins * seen[0]\n",
    "dict default": "def priority(item, bins, seen={}):\n    return bins\n",
    "call as default": "def priority(item, bins, seen=open('x')):\n    return bins\n",
    "lambda default": "def priority(item, bins, f=lambda: 1):\n    return bins\n",
    "function as default": "def f(x):\n    return x\ndef priority(item, bins, g=f):\n    return bins\n",
    "keyword default": "def priority(item, bins, *, seen=[]):\n    return bins\n",
    "varargs": "def priority(*args):\n    return args[1]\n",
    "keyword arguments": "def priority(item, bins, **rest):\n    return bins\n",
    "list at the top": "SEEN = []\ndef priority(item, bins):\n    SEEN.append(item)\n    return bins\n",
    "array at the top": "import numpy as np\nSEEN = np.zeros(9)\ndef priority(item, bins):\n"
    "    SEEN[0] += 1\n    return bins\n",
    "array in a tuple": "import numpy as np\nSEEN = (np.zeros(9),)\ndef priority(item, bins):\n    return bins\n",
    "list in a tuple": "SEEN = (1, [2])\ndef priority(item, bins):\n    return bins\n",
    "call at the top": "SEEN = open('x')\ndef priority(item, bins):\n    return bins\n",
    "alias of a function at the top": "f = abs\ndef priority(item, bins):\n    return f(bins)\n",
    "module bound again": "import numpy as np\nnp = 3\ndef priority(item, bins):\n    return np\n",
    "module imported twice": "import numpy as np\nimport math as np\ndef priority(item, bins):\n    return np.pi\n",
    "module over a builtin": "import numpy as abs\ndef priority(item, bins):\n    return abs.pi\n",
    "function over a builtin": "def abs(x):\n    return x\ndef priority(item, bins):\n    return abs(bins)\n",
    "function over a module": "import math\ndef math(x):\n    return x\ndef priority(item, bins):\n    return bins\n",
    "function twice": "def priority(item, bins):\n    return 1\ndef priority(item, bins):\n    return bins\n",
    "function over a constant": "f = 1\ndef f(x):\n    return x\ndef priority(item, bins):\n    return f\n",
    "argument over a module": "import numpy as np\ndef priority(np, bins):\n    return np.base\n",
    "argument over a builtin": "def f(abs):\n    return abs(3)\ndef priority(item, bins):\n    return f(bins)\n",
    "argument over a function": "def f(priority):\n    return priority(1)\n"
    "def priority(item, bins):\n    return f(1)\n",
    "private argument": "def priority(item, __builtins__):\n    return item\n",
    "submodule": "import numpy.random\ndef priority(item, bins):\n    return bins\n",
    "submodule under a name": "import numpy.lib as np\ndef priority(item, bins):\n    return bins\n",
    "other module": "import os\ndef priority(item, bins):\n    return bins\n",
    "random": "import random\ndef priority(item, bins):\n    return bins\n",
    "from numpy": "from numpy import empty\ndef priority(item, bins):\n    return empty(3)\n",
    "star": "from typing import *\ndef priority(item, bins):\n    return bins\n",
    "name from typing": "from typing import sys\ndef priority(item, bins):\n    return sys\n",
    "attribute from typing": "from typing import sys\ndef priority(item, bins):\n    return sys.modules\n",
    "call from typing": "from typing import NamedTuple\ndef priority(item, bins):\n    return NamedTuple(1)\n",
    "conditional import": "if 1:\n    import numpy as np\ndef priority(item, bins):\n    return bins\n",
    "loop at the top": "for x in (1,):\n    pass\ndef priority(item, bins):\n    return bins\n",
    "attribute at the top": "import numpy as np\nnp.pi = 3\ndef priority(item, bins):\n    return bins\n",
    "call statement at the top": "print(1)\ndef priority(item, bins):\n    return bins\n",
    "augmented at the top": "X = 1\nX += 1\ndef priority(item, bins):\n    return bins\n",
    "unpacking at the top": "X, Y = 1, 2\ndef priority(item, bins):\n    return bins\n",
    "constant changed": "X = 1\ndef priority(item, bins):\n    X = item\n    return X\n",
    "constant counted": "X = 1\ndef priority(item, bins):\n    for X in bins:\n        pass\n    return X\n",
    "string at the top": "X = 'base'\ndef priority(item, bins):\n    return bins\n",
    "helper that is not pure": "def f(x):\n    return x.base\ndef priority(item, bins):\n    return f(bins)\n",
    "attribute in an unused helper": "def f(x):\n    return x.base\ndef priority(item, bins):\n    return bins\n",
    "deep nesting": "def priority(item, bins):\n    return " + "-" * 700 + "1\n",
}

ACCEPTED = {
    "template": TASK.template,
    "numpy": HEAD + "    return np.where(bins == item, 1e9, -np.abs(bins - item) ** 0.5 + np.log(bins + 1))\n",
    "loop": HEAD + "    s = []\n    for i, b in enumerate(bins):\n        s.append(float(b) / (i + 1))\n    return s\n",
    "copy": HEAD + "    c = bins.astype(float).copy()\n    c[c == item] = math.inf\n    c[:3] -= 1\n    return c\n",
    "helper": "def f(b, item, w=0.5):\n    return w * b - item\ndef priority(item, bins):\n"
    "    return [f(b, item) for b in bins]\n",
    "constants": "import math\nW = (0.5, -2)\nV = W\nE = math.e\ndef priority(item, bins):\n"
    "    return W[0] * bins * V[1] + E\n",
    "types": "from __future__ import annotations\nfrom typing import List\nimport numpy as np\n"
    "def priority(item: int, bins: np.ndarray) -> List[float]:\n    x: np.ndarray = -bins\n    return x\n",
    "plain numpy": "import numpy\ndef priority(item, bins):\n    return numpy.zeros(bins.shape, dtype=float) - bins\n",
    "docstrings": '"""A program."""\ndef priority(item, bins):\n    """Its function."""\n    return -bins\n',
    "while": HEAD + "    i = 0\n    while i < len(bins) and bins[i] != item:\n        i += 1\n"
    "    s = np.zeros_like(bins)\n    if i < s.size:\n        s[i] = 1\n    return s\n",
    "reductions": HEAD
    + "    m, d = bins.mean(), np.std(bins, ddof=0)\n    return np.exp(-((bins - m) / (d + 1)) ** 2)\n",
    "sums": HEAD + "    return [sum(1 for c in bins[:9] if c == b) + max(b, 2, item) for b in bins[:]]\n",
}

# Bodies that fail or change their arguments, in a way that shows only in later games for some.
VERDICTS = (
    "return bins[10**6]",
    "return np.zeros(3)",
    "return 1 // (len(bins) - 950)",
    "return None",
    "bins[:] = 0; return bins",
    "bins[0] = 0; return -bins",
    "return priority(item, bins)",
    "return -bins * np.nan",
    "return [None for b in bins]",
    "return bins.sum(7)",
)


def _body(text: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in text.split("; "))


@pytest.mark.parametrize("text", REFUSED_BODIES)
def test_bodies_that_reach_for_more_are_refused(text: str) -> None:
    assert not is_pure(ast.parse(_body(text)))


@pytest.mark.parametrize("name", REFUSED)
def test_programs_that_reach_for_more_are_refused(name: str) -> None:
    assert not is_pure(ast.parse(REFUSED[name]))


@pytest.mark.parametrize("name", ACCEPTED)
def test_usual_programs_are_accepted(name: str) -> None:
    assert is_pure(ast.parse(ACCEPTED[name]))


@pytest.mark.integration
def test_hostile_programs_are_refused_unless_all_they_have_is_their_answer() -> None:
    accepted = set()
    for program in HOSTILE:
        try:
            tree = ast.parse(program.source)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue
        if is_pure(tree):
            accepted.add(program.name)
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not names & {"sys", "os", "open", "getattr", "ctypes", "__import__"}, program.name
    online = {program.name for program in HOSTILE if program.task == TASK.name}
    assert accepted & online == {"online_edits_its_bins"}


def _verdict(evaluator: Evaluator, source: str, pure: bool) -> tuple[object, ...]:
    [worker] = evaluator._workers
    found = worker.evaluate(source, "test-1k", range(2), pure=pure)
    return found.status, found.message, found.objectives, found.score


@pytest.mark.integration
def test_the_verdict_is_that_of_a_game_step_by_step() -> None:
    sources = [*ACCEPTED.values(), *map(_body, VERDICTS)]
    with Evaluator(TASK, "test-1k", limits=Limits(wall_s=10.0)) as evaluator:
        for source in sources:
            assert is_pure(ast.parse(source)), source
            assert _verdict(evaluator, source, True) == _verdict(evaluator, source, False), source
        result = evaluator.evaluate(TASK.template)
        assert result.objectives == tuple(evaluate_in_process(TASK, TASK.template, "test-1k"))


def test_limits_hold_for_a_game_played_alone() -> None:
    slow, hungry = _body("while True: pass"), _body("return np.zeros(10**9)")
    limits = Limits(wall_s=1.0, cpu_s=0.4, memory_mb=256)
    with Evaluator(TASK, "test-1k", limits=limits) as evaluator:
        assert evaluator.evaluate(slow).status in ("cpu_timeout", "wall_timeout")
        assert evaluator.evaluate(hungry).status == "memory_limit"
    with Evaluator(TASK, "test-1k", limits=Limits(output_bytes=1000)) as evaluator:
        assert evaluator.evaluate(TASK.template).status == "output_limit"


def test_a_hopeless_game_is_not_played_to_the_end() -> None:
    worst = _body("return np.arange(len(bins))")
    with Evaluator(TASK, "test-1k") as evaluator:
        assert evaluator.evaluate(worst, hopeless_below=-100.0).status == "stopped"
