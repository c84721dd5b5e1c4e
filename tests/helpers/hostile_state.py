"""Programs that go for a wrong score through what is remembered: identity, state between calls, chance, the cache.

All are for `knapsack_construct`. Each takes the first item that fits or the last one; which of them is what it should
not be able to decide: by how its text looks (`PAIRS`), by how often it was called (`STATEFUL`), by the clock or by
chance (`CHANCE`). `FORGERS` go for the cache itself.
"""

from __future__ import annotations

import textwrap

from lhs_hf.tasks import get_task

_RULE = """
def select_next_item(remaining_capacity, remaining_items):
    fits = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fits:
        return None
    return fits[0] if {test} else fits[-1]
"""
HONEST = get_task("knapsack_construct").template


def _program(test: str, before: str = "", inside: str = "") -> str:
    """The rule that takes the first item where `test` is true; `before` at the top level, `inside` in the function."""
    head, _, rest = _RULE.format(test=test).lstrip().partition("\n")
    inside = textwrap.indent(textwrap.dedent(inside).strip("\n") + "\n", "    ") if inside else ""
    return textwrap.dedent(before).lstrip("\n") + head + "\n" + inside + rest


_DOCUMENTED = '"""Text."""'
_DATACLASS = "from dataclasses import dataclass, fields\n@dataclass\nclass Row:\n    {field} = 1\n"
_TUPLE = "from typing import NamedTuple\nclass Row(NamedTuple):\n    {field} = 1\n"
_ERROR = """
{gap}def line():
    try:
        1 // 0
    except ZeroDivisionError as error:
        return {line}
"""
_DISPATCH = """
from functools import singledispatch
@singledispatch
def kind(value):
    return True
@kind.register
def _(value: {type}):
    return False
"""
_LOCAL = """
odd = 1
def known():
    {line}
    try:
        return odd
    except Exception:
        return 0
"""
_CATCH = """
import warnings
{gap}def line():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        warnings.warn('here')
    return caught[0].lineno
"""
_WRAP = """
import functools
class Found:
    def __setattr__(self, name, value):
        if name.strip('_') == 'doc':
            TEXTS.append(value)
TEXTS = []
def told():
    {text}
    return 1
functools.update_wrapper(Found(), told)
"""
_PATTERN = """
def found(function):
    match function:
        case object(__doc__=str()):
            return True
    return False
"""
_METACLASS = """
class Names(type):
    def __new__(kind, name, bases, space):
        made = super().__new__(kind, name, bases, space)
        made.names = sorted(space)
        return made
class Row(metaclass=Names):
    {text}
    x = 1
"""


def _pair(before: str, test: str, **words: tuple[str, str]) -> tuple[str, str]:
    """Two programs that differ in what stands for each word of `before`."""
    first, second = ({name: value[place] for name, value in words.items()} for place in (0, 1))
    filled = [textwrap.dedent(before).lstrip("\n") for _ in range(2)]
    for place, chosen in enumerate((first, second)):
        for name, value in chosen.items():
            filled[place] = filled[place].replace("{" + name + "}", value)
    return _program(test, filled[0]), _program(test, filled[1])


def _after(before: str, test: str) -> tuple[str, str]:
    """With a docstring and without one."""
    return _program(test, before, _DOCUMENTED), _program(test, before)


# Two programs each that differ in layout, docstrings or annotations only, and yet behave differently.
PAIRS: dict[str, tuple[str, str]] = {
    "own docstring": _after("", "select_next_item.__doc__"),
    "docstring by getattr": _after("", "getattr(select_next_item, '__do' + 'c__')"),
    "docstring by vars": _pair("{text}\n", "globals()['__doc__']", text=(_DOCUMENTED, "")),
    "docstring by format": _after("", "'Text' in ('{0._' + '_doc__}').format(select_next_item)"),
    "docstring by pattern": _after(_PATTERN, "found(select_next_item)"),
    "docstring by wraps": _pair(_WRAP, "TEXTS[0]", text=(_DOCUMENTED, "")),
    "docstring by inspect": _after("import inspect\n", "inspect.getdoc(select_next_item)"),
    "fields of a dataclass": _pair(_DATACLASS, "fields(Row())", field=("x: int", "x")),
    "fields of a tuple": _pair(_TUPLE, "len(Row())", field=("x: int", "x")),
    "names of a class": _pair(_METACLASS, "len(Row.names) > 3", text=("x: int", "pass")),
    "annotations of the module": _pair(
        "{line}\n", "'x' in globals().get('__annotations__', ())", line=("x: int", "pass")
    ),
    "annotation of an argument": _pair("def f(x{kind}):\n    return x\n", "f.__annotations__", kind=(": int", "")),
    "dispatch on an annotation": _pair(_DISPATCH, "kind(1)", type=("int", "str")),
    "a name made local": _pair(_LOCAL, "known()", line=("odd: int", "pass")),
    "a wrong annotation": _pair("def f(x{kind}):\n    return x\n", "f(1)", kind=(": (yield)", "")),
    "a future too late": _pair("'a'\n{line}from __future__ import annotations\n", "1", line=("'b'\n", "")),
    "line of a frame": _pair(
        "import sys\n{gap}def line():\n    return sys._getframe().f_lineno\n", "line() % 2", gap=("", "# gap\n")
    ),
    "line of the code": _pair("{gap}def f():\n    pass\n", "f.__code__.co_firstlineno % 2", gap=("", "# gap\n")),
    "line of an error": _pair(_ERROR, "line() % 2", gap=("", "# gap\n"), line=("error.__traceback__.tb_lineno",) * 2),
    "line of a warning": _pair(_CATCH, "line() % 2", gap=("", "# gap\n")),
}

_CLOCKS = {
    "clock": ("import time\n", "time.time_ns() // 64 % 2"),
    "counter": ("from time import perf_counter_ns as now\n", "now() // 64 % 2"),
    "date": ("import datetime\n", "datetime.datetime.now().microsecond % 2"),
    "clock of a module": ("import timeit\n", "int(timeit.default_timer() * 1e7) % 2"),
    "clock by name": ("", "__import__('ti' + 'me').time_ns() // 64 % 2"),
    "clock by getattr": ("import time\n", "getattr(time, 'ti' + 'me_ns')() // 64 % 2"),
    "clock in text": ("", "eval('__import__(\"time\").time_ns() // 64 % 2')"),
}
_ENTROPY = {
    "system's bytes": ("import os\n", "os.urandom(1)[0] % 2"),
    "secrets": ("import secrets\n", "secrets.randbelow(2)"),
    "uuid": ("import uuid\n", "uuid.uuid4().int % 2"),
    "system's generator": ("import random\nDRAW = random.SystemRandom()\n", "DRAW.random() < 0.5"),
    "generator without seed": ("import random\n", "random.Random().random() < 0.5"),
    "seeded with None": ("import random\nNOTHING = None\n", "random.Random(NOTHING).random() < 0.5"),
    "seeded anew": ("import random\nrandom.seed()\n", "random.random() < 0.5"),
    "array generator": ("import numpy as np\n", "np.random.default_rng().random() < 0.5"),
    "array generator as value": ("import numpy as np\nMAKE = np.random.default_rng\n", "MAKE().random() < 0.5"),
    "array generator imported": ("from numpy.random import default_rng as f\n", "f(*()).random() < 0.5"),
    "array generator by keyword": ("import numpy as np\n", "np.random.default_rng(seed=None).random() < 0.5"),
    "array seeded anew": ("import numpy as np\nnp.random.seed()\n", "np.random.random() < 0.5"),
    "old array generator": ("import numpy as np\nDRAW = np.random.RandomState()\n", "DRAW.rand() < 0.5"),
    "generator by partial": (
        "from functools import partial\nimport random\nMAKE = partial(random.Random)\n",
        "MAKE().random() < 0.5",
    ),
    "generator by vars": ("import numpy as np\n", "vars(np.random)['default_rng']().random() < 0.5"),
    "generator by alias": ("import random as r\nimport math as r2\nr2 = r\n", "r2.Random().random() < 0.5"),
}
_ADDRESSES = {
    "identity": ("", "id([]) // 16 % 2"),
    "hash of an object": ("", "hash(object()) % 2"),
    "address in text": ("", "int(str(iter([]))[-4:-1], 16) % 32 < 16"),
    "address in a template": ("", "'a' in ('%s' % iter([]))"),
    "address in an f-string": ("", "'a' in f'{iter([])}'"),
    "address in an array": ("import numpy as np\n", "'a' in np.array([iter([])], dtype=object).astype('U')[0]"),
    "unwritten memory": ("import numpy as np\n", "np.empty(9).sum() > 0"),
    "unwritten places": ("import numpy as np\nO = np.ones(9)\n", "np.add(O, O, where=O > 1).sum() > 0"),
    "unwritten places by name": ("import numpy as np\nO = np.ones(9)\n", "np.add(O, O, **{'whe' + 're': O > 1})[0]"),
}
# Programs whose runs may differ.
CHANCE: dict[str, str] = {
    name: _program(test, before) for name, (before, test) in {**_CLOCKS, **_ENTROPY, **_ADDRESSES}.items()
}
# Of these, no two runs are alike.
NEVER_ALIKE = frozenset(_ENTROPY)

# Counting calls where nobody looks: (top level, statements of the function that leave the count in `n`).
_COUNTERS: dict[str, tuple[str, str]] = {
    "globals by key": ("N = 0\n", "globals()['N'] = N + 1\nn = N"),
    "globals by method": ("N = 0\n", "globals().update(N=N + 1)\nn = N"),
    "globals by another name": ("N = 0\nG = globals\n", "G()['N'] = N + 1\nn = N"),
    "vars of a module": ("import math\n", "vars(math)['n'] = n = vars(math).get('n', 0) + 1"),
    "setattr of a module": ("import math\n", "setattr(math, 'n', getattr(math, 'n', 0) + 1)\nn = getattr(math, 'n')"),
    "dict of a module": ("import math\n", "d = math.__dict__\nd['n'] = n = d.get('n', 0) + 1"),
    "dict of the function": ("", "d = select_next_item.__dict__\nd['n'] = n = d.get('n', 0) + 1"),
    "attributes by setattr": (
        "",
        "setattr(select_next_item, 'n', getattr(select_next_item, 'n', 0) + 1)\nn = getattr(select_next_item, 'n')",
    ),
    "defaults": ("def f(n=0):\n    return n\n", "n = f() + 1\nsetattr(f, '__defaults__', (n,))"),
    "closure": (
        "def f():\n    n = (0,)\n    return lambda: n\nC = f\nD = (C,)\n",
        "d = vars(D[0])\nd['n'] = n = d.get('n', 0) + 1",
    ),
    "dict of typecodes": (
        "import numpy as np\n",
        "np.typecodes['n'] = n = np.typecodes['n'] + 1 if 'n' in np.typecodes else 1",
    ),
    "set of numpy's types": (
        "import numpy as np\n",
        "np.sctypes['others'].append(int)\nn = len(np.sctypes['others'])",
    ),
    "error state": (
        "import numpy as np\n",
        "old = np.seterr(over='print')\nn = 0 if old['over'] != 'print' else 99",
    ),
    "print options": (
        "import numpy as np\n",
        "n = np.get_printoptions()['precision'] - 7\nnp.set_printoptions(precision=n + 8)",
    ),
    "warning filters": ("import warnings\n", "warnings.simplefilter('ignore', append=True)\nn = len(warnings.filters)"),
    "modules": ("import sys\n", "sys.modules['n'] = n = sys.modules.get('n', 0) + 1"),
    "own module": ("import program\n", "program.n = n = getattr(program, 'n', 0) + 1"),
    "builtins": ("import builtins\n", "vars(builtins)['n'] = n = vars(builtins).get('n', 0) + 1"),
    "builtins by name": (
        "",
        "b = __builtins__\nb = b if isinstance(b, dict) else vars(b)\nb['_n'] = n = b.get('_n', 0) + 1",
    ),
    "environment": ("import os\n", "n = int(os.environ.get('N', 0)) + 1\nos.environ['N'] = str(n)"),
    "context": ("import decimal\n", "c = decimal.getcontext()\nn = c.prec - 27\nc.prec += 1"),
    "caches": (
        "from functools import lru_cache\ndef f(x):\n    return x\nF = (lru_cache(None)(f),)\n",
        "n = F[0].cache_info()[3] + 1\nF[0](n)",
    ),
    "generator": ("import itertools\nC = (itertools.count(1),)\n", "n = next(C[0])"),
    "generator as default": ("import itertools\ndef f(c=itertools.count(1)):\n    return next(c)\n", "n = f()"),
    "list behind an operator": (
        "import operator\nS = (0,) + tuple([[0]])\n",
        "operator.setitem(S[1], 0, S[1][0] + 1)\nn = S[1][0]",
    ),
    "list by comprehension": ("S = (*[[0] for _ in (1,)],)\n", "S[0][0] += 1\nn = S[0][0]"),
    "list by walrus": ("T = (S := [0],)\n", "S[0] += 1\nn = S[0]"),
    "loop at the top": ("for S in [[0]]:\n    pass\n", "S[0] += 1\nn = S[0]"),
    "text of a program": ("", "exec('global n\\nn = globals().get(\"n\", 0) + 1')\nn = eval('n')"),
    "import by name": ("", "m = __import__('math')\nm.n = n = getattr(m, 'n', 0) + 1"),
    "import by function": (
        "from importlib import import_module\n",
        "d = vars(import_module('math'))\nd['n'] = n = d.get('n', 0) + 1",
    ),
    "frame": ("import sys\n", "g = sys._getframe(1).f_globals\ng['n'] = n = g.get('n', 0) + 1"),
    "shared generator": ("import random\n", "n = 99 * (random.random() < 0.5)"),
    "state of a generator": ("import random\n", "s = random.getstate()\nn = s[1][-1]\nrandom.random()"),
    "shared array generator": ("from numpy.random import rand\n", "n = 99 * (rand() < 0.5)"),
    "freed memory": (
        "import numpy as np\n",
        "e = np.empty(77)\nn = e[0] + 1 if e[1] == 5e7 else 1.0\ne[:] = 5e7\ne[0] = n",
    ),
    "attribute of an array class": ("import numpy as np\n", "np.vectorize.n = n = getattr(np.vectorize, 'n', 0) + 1"),
    "attribute in a loop": ("def f():\n    pass\n", "for f.n in (getattr(f, 'n', 0) + 1,):\n    n = f.n"),
    "collected objects": (
        "import gc\n",
        "d = [o for o in gc.get_objects() if isinstance(o, dict) and 'select_next_item' in o][0]\n"
        "d['n'] = n = d.get('n', 0) + 1",
    ),
    "class without a class": (
        "T = type('T', (), {'n': 0})\n",
        "setattr(T, 'n', getattr(T, 'n') + 1)\nn = getattr(T, 'n')",
    ),
}
# Programs that take the first item in early calls and the last one in later calls.
STATEFUL: dict[str, str] = {name: _program("n < 20", before, inside) for name, (before, inside) in _COUNTERS.items()}

# Programs that go for the cache, or for what a program is called.
_FORGE = '{"status": "ok", "objective": 1e9, "score": 1e9, "objectives": [1e9]}'
FORGERS: dict[str, str] = {
    "row in a message": f"{HONEST}\n\ndef helper():\n    pass\n\nraise ValueError('{_FORGE}')\n",
    "patched identity": "import sys\nsys.modules['lhs_hf.programs'].text_hash = lambda text: '0' * 64\n" + HONEST,
    "patched cache": (
        "import sys\nfor name, module in list(sys.modules.items()):\n    if name.startswith('lhs_hf'):\n"
        "        for found in list(vars(module).values()):\n            if isinstance(found, type):\n"
        "                try:\n                    found.objective = lambda *_: 1e9\n"
        "                    found.score = 1e9\n                except Exception:\n                    pass\n" + HONEST
    ),
    "opened cache": "import sqlite3\nsqlite3.connect('@CACHE@').execute('DELETE FROM evaluations')\n" + HONEST,
    "quotes in the text": HONEST + "\n# '); DROP TABLE evaluations; --\nX = '\\'); DROP TABLE evaluations; --'\n",
}
