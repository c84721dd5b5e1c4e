"""Programs for the grammar's tests: one construct or style each, all defining `choose(current, options, matrix)`."""

from __future__ import annotations

import symtable

from lhs_hf.decoding.grammar import Signature

SIGNATURE = Signature("choose", ("current", "options", "matrix"))

HEADER = "def choose(current, options, matrix):\n"


def _body(*lines: str) -> str:
    return HEADER + "".join(f"    {line}\n" for line in lines)


SUPPORTED: dict[str, str] = {
    "numpy": "import numpy as np\n\n" + _body("costs = matrix[current][options]", "return options[np.argmin(costs)]"),
    "helper_and_constant": (
        "import math\nALPHA = 0.37\n\ndef gain(a, b=ALPHA, *rest, scale=2, **more):\n"
        "    return math.sqrt(a) * b + scale\n\n"
        + _body("return max(options, key=lambda o: gain(matrix[current][o], scale=-1.5e-09))")
    ),
    "nested_function": _body(
        "best = None",
        "def better(candidate, limit=3):",
        "    nonlocal best",
        "    if best is None or matrix[current][candidate] < matrix[current][best]:",
        "        best = candidate",
        "    elif limit > 0:",
        "        return better(candidate, limit - 1)",
        "    return best",
        "for o in options:",
        "    better(o)",
        "return best",
    ),
    "loops": _body(
        "total, index = 0, 0",
        "while True:",
        "    index += 1",
        "    if index > 10:",
        "        found = index",
        "        break",
        "    if index % 2 == 0:",
        "        continue",
        "    total -= index",
        "for o in options:",
        "    if o == found:",
        "        answer = o",
        "        break",
        "else:",
        "    answer = options[0]",
        "return answer",
    ),
    "comprehensions": _body(
        "pairs = [(i, j) for i in options for j in options if i != j if matrix[i][j] > 0]",
        "table = {i: {j for j in options if j != i} for i, _ in pairs}",
        "flat = sum(matrix[a][b] for a, b in pairs)",
        "squares = [[x * x for x in row] for row in matrix]",
        "return min(options, key=lambda o: (len(table.get(o, ())), flat, squares[o][0]))",
    ),
    "unpacking": _body(
        "first, *rest = options",
        "(a, b), [c, d] = (1, 2), [3, 4]",
        "x = y = first",
        "matrix[0], matrix[1].name = x, y",
        "e, f, g, h, i, *j = range(9)",
        "return [first, *rest, *options][a + b + c + d] + e + f + g + h + i + len(j)",
    ),
    "exceptions": _body(
        "try:",
        "    value = options[current]",
        "except (IndexError, KeyError) as error:",
        "    raise ValueError('no option') from error",
        "except Exception:",
        "    value = 0",
        "else:",
        "    value += 1",
        "finally:",
        "    count = 1",
        "assert value >= 0, 'negative'",
        "return value + count",
    ),
    "operators": _body(
        "a = (current + 1) * 2 - 3 / 4 // 5 % 6 ** 7 ** -1",
        "b = (a & 1 | 2 ^ 3) << 4 >> 5 if not a else ~a",
        "c = 0 < a <= b != current in options",
        "d = (a and b or c) and not (a or b)",
        "e = a is None or b is not None and a not in options",
        "return -(-a) + -2.0 - +3 + (d @ e)",
    ),
    "subscripts": _body(
        "a = matrix[1:, ::2]",
        "b = options[-1]",
        "c = options[:3] + options[1:-1:2] + options[:]",
        "matrix[0, ...] = b",
        "del options[0], matrix[0]",
        "return c[0] + a[(0, 1)]",
    ),
    "literals": _body(
        "a = [0.1, 1e-300, 123456789012345678901234567890, 1e100, 5.0, 0.30000000000000004]",
        "b = ['', 'naïve \\n\\t\\\\ \"quoted\" \\'', '\\x00\\U0001f600', 'zebra crossing']",
        "c = {'weight': 1, **{}, 2: None, (): ...}",
        "d = {1, 2.5, True}",
        "return float('inf') + float('-inf') - float('nan') + -0.0 + 1j * 2.5e-07j * 2.5e-07j + 1e400"
        " + len(a) + len(b) + len(c) + len(d)",
    ),
    "f_strings": _body(
        "label = f'{current!r} of {len(options):>3} at {matrix[0]:.2f}{options[0]}'",
        "return f'{label}' + f'it is {matrix[\"key\"]}' + f''",
    ),
    "rare_names": _body(
        "zygomorphic_quotient = 1",
        "xqz9 = [zygomorphic_quotient.weird_attribute(quizzical=zygomorphic_quotient)]",
        "for zygomorphic_quotient in xqz9:",
        "    zygomorphic_quotient.other_attribute += 1",
        "return xqz9",
    ),
    "imports_inside": _body(
        "import numpy as np",
        "import scipy.optimize",
        "from math import sqrt, inf as infinity",
        "from collections import deque",
        "best = infinity",
        "return sqrt(best) + np.linalg.norm(scipy.optimize.x) + len(deque())",
    ),
    "global_state": "CALLS = 0\nSEEN = []\n\n"
    + _body("global CALLS", "CALLS += 1", "SEEN.append(current)", "return CALLS"),
    "with_block": "import numpy as np\n\n"
    + _body(
        "with np.errstate(divide='ignore'):",
        "    ratio = 1 / matrix[0]",
        "with ratio as handle, matrix:",
        "    return handle",
    ),
    "walrus": _body(
        "if (n := len(options)) > 3:",
        "    return options[n - 1]",
        "while (m := n - 1) > 2:",
        "    n = m",
        "kept = [y for x in options if (y := x + n) > 2]",
        "return kept",
    ),
    "lambdas": _body(
        "f = lambda: 0",
        "g = lambda x, y=1, *z, k=2, **w: x + y + k",
        "h = sorted(options, key=lambda o: (f(), -matrix[current][o]), reverse=True)",
        "return g(*h, **{'k': 3})",
    ),
    "decorated_helper": "from functools import lru_cache\n\n@lru_cache(maxsize=None)\ndef bound(k, /, m, *, n=0):\n"
    "    return 1 if k <= 0 else bound(k - 1, m)\n\n" + _body("return bound(3, 2)"),
    "branch_intersection": _body(
        "if current:",
        "    a = 1",
        "    b = 2",
        "elif options:",
        "    a = 3",
        "else:",
        "    raise ValueError",
        "return a",
    ),
    "renamed_arguments": "def choose(node, todo, distances):\n    return min(todo, key=lambda t: distances[node][t])\n",
    "default_argument": "def choose(current, options, matrix, weight=0.5):\n    return options[0] * weight\n",
    "many_arguments": _body("return max(1, 2, 3, 4, 5, 6, 7, *options, 8) + print(current, end='', sep=' ')"),
    "module_level_loop": "TABLE = []\nfor i in range(3):\n    TABLE.append(i)\n\n" + _body("return TABLE[current]"),
    "try_finally": _body("try:", "    pass", "finally:", "    options = []", "return options"),
    "annotations": "def choose(current: int, options: list, matrix=None) -> int:\n    'A docstring.'\n    x: int = 3\n"
    "    return x\n",
    "delete_name": _body("spare = 1", "del spare", "return current"),
    "pass_only": _body("pass"),
    "return_nothing": _body("return"),
}

UNSUPPORTED: dict[str, tuple[str, str]] = {
    "class": ("class A:\n    pass\n\n" + _body("return A"), "line 1: a ClassDef"),
    "undefined": (_body("return nowhere"), "'nowhere' is not defined"),
    "one_branch_only": (_body("if current:", "    a = 1", "return a"), "line 4: name 'a' may be read before"),
    "loop_only": (_body("for a in options:", "    pass", "return a"), "'a' may be read"),
    "try_only": (_body("try:", "    a = 1", "except ValueError:", "    pass", "return a"), "'a' may be read"),
    "unbound_local": (_body("n = len(options)", "len = n", "return len"), "'len' can not be bound"),
    "deleted": (_body("a = 1", "del a", "return a"), "'a' may be read"),
    "handler_name": (
        _body("try:", "    pass", "except ValueError as e:", "    pass", "return e"),
        "'e' may be read",
    ),
    "conditional_walrus": (_body("ok = current and (a := 1)", "return a"), "'a' may be read"),
    "comprehension_name": (_body("b = [a for a in options]", "return a"), "'a' may be read"),
    "async": ("async def helper():\n    pass\n\n" + _body("return 1"), "AsyncFunctionDef"),
    "yield": (_body("yield current"), "Yield"),
    "bytes": (_body("return b'abc'"), "bytes literal"),
    "match": (_body("match current:", "    case 1:", "        return 2", "return 3"), "Match"),
    "star_import": ("from math import *\n\n" + _body("return 1"), "star import"),
    "late_helper": (_body("return helper(1)") + "\ndef helper(x):\n    return x\n", "code after the function"),
    "missing": ("def other(a):\n    return a\n", "no top-level function 'choose'"),
    "dead_code": (_body("return 1", "print(current)"), "never reached"),
    "arity": ("def choose(a, b):\n    return a\n", "line 1"),
}


def undefined_names(source: str) -> set[str]:
    """Global reads that neither the module nor the builtins define, found by Python's own symbol tables."""
    top = symtable.symtable(source, "program", "exec")
    defined = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    pending, missing = [top], set()
    while pending:
        table = pending.pop()
        pending += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (symbol.is_global() or table is top):
                missing.add(symbol.get_name())
            if symbol.is_declared_global() and symbol.is_assigned():
                defined.add(symbol.get_name())
    return missing - defined - set(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)
