"""The fixed part of the action vocabulary, and what each action costs to complete."""

from __future__ import annotations

import ast
from typing import Any

SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>", "<program>", "<end>", "<spell>", "<codepoint>")

BUILTINS = (
    *("abs", "all", "any", "bool", "callable", "chr", "dict", "divmod", "enumerate", "filter", "float"),
    *("frozenset", "getattr", "hasattr", "hash", "int", "isinstance", "iter", "len", "list", "map", "max"),
    *("min", "next", "object", "ord", "pow", "print", "range", "repr", "reversed", "round", "set", "slice"),
    *("sorted", "str", "sum", "tuple", "type", "zip", "ArithmeticError", "AssertionError", "AttributeError"),
    *("Exception", "FloatingPointError", "IndexError", "KeyError", "LookupError", "NotImplementedError"),
    *("OverflowError", "RecursionError", "RuntimeError", "StopIteration", "TypeError", "ValueError"),
    *("ZeroDivisionError",),
)

BASE_NAMES = (
    *("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "m", "n", "p", "q", "r", "s", "t", "u", "v", "w"),
    *("x", "y", "z", "_", "np", "math", "random", "best", "score", "value", "values", "result", "total"),
)

BASE_CONSTANTS = (
    *("None", "True", "False", "...", "''"),
    *map(str, range(11)),
    *("-1", "-2", "100", "1000", "0.0", "0.1", "0.2", "0.25", "0.3", "0.5", "0.7", "0.9"),
    *("1.0", "-1.0", "1.5", "2.0", "3.0", "10.0", "1e-06", "1e-09", "1e-12", "1000000000.0"),
)

BASE_IMPORTS = (
    "import numpy as np",
    "import math",
    "import random",
    "import heapq",
    "import itertools",
    "from collections import defaultdict",
)

CHARACTERS = tuple(chr(code) for code in range(32, 127))

BINARY = (
    "Add",
    "Sub",
    "Mult",
    "Div",
    "FloorDiv",
    "Mod",
    "Pow",
    "MatMult",
    "BitAnd",
    "BitOr",
    "BitXor",
    "LShift",
    "RShift",
)
UNARY = ("USub", "UAdd", "Not", "Invert")
COMPARE = ("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq", "In", "NotIn", "Is", "IsNot")
COMPREHENSIONS = ("ListComp", "SetComp", "DictComp", "GeneratorExp")
MOST_COUNTED = 4
MOST_POSITIONAL = 6

SLICES = tuple("".join(p if bits >> i & 1 else "-" for i, p in enumerate("lus")) for bits in range(8))
TRY_SHAPES = ("Try", "Try:else", "Try:finally", "Try:else-finally", "Try:bare-finally")

STRUCTURE: tuple[str, ...] = (
    # statements
    *("Assign", "Assign:*", *(f"AugAssign:{op}" for op in BINARY), "Expr", "Return", "Return:None"),
    *("If", "If:else", "If:elif", "For", "For:else", "While", "While:else", *TRY_SHAPES),
    *("Except", "Except:as", "Except:bare", "With", "With:as", "With:*", "WithItem", "WithItem:as"),
    *("Raise", "Raise:1", "Raise:2", "Assert", "Assert:message", "Pass", "Break", "Continue", "Global", "Nonlocal"),
    *("Delete", "Delete:*", "FunctionDef", "FunctionDef:decorated", "Main", "Main:args"),
    *("Import", "ImportFrom", "Alias", "Alias:as", "Target", "Place"),
    *("Arg:default", "Arg:vararg", "Arg:kwarg", "Arg:kwonly", "Arg:posonly"),
    # expressions
    *("<int>", "<float>", "<imaginary>", "<str>"),
    *(f"BinOp:{op}" for op in BINARY),
    *(f"UnaryOp:{op}" for op in UNARY),
    *(f"BoolOp:{op}:{count}" for op in ("And", "Or") for count in (2, 3, "*")),
    *(f"Compare:{op}" for op in COMPARE),
    "Compare:*",
    *("IfExp", "Lambda:0", "Lambda:1", "Lambda:2", "Lambda:*", "NamedExpr"),
    *(f"{kind}:{count}" for kind in ("Tuple", "List") for count in (*range(MOST_COUNTED + 1), "*")),
    *("Set:*", "Dict:0", "Dict:*", "DictSpread"),
    *(f"{kind}{shape}" for kind in COMPREHENSIONS for shape in ("", ":if", ":*")),
    *("Comp:if", "Comp:for"),
    *(f"Call:{count}{keywords}" for count in (*range(MOST_POSITIONAL + 1), "*") for keywords in ("", "k")),
    *("Attribute", "Subscript", *(f"Slice:{shape}" for shape in SLICES), "Starred", "kw", "kw:**"),
    *("JoinedStr", "Text", "FormattedValue", "FormattedValue:!r", "FormattedValue:!s", "FormattedValue:!a"),
    "FormattedValue:spec",
)

_FIXED_COST = {
    **{"Assign": 2, "Assign:*": 3, "AugAssign": 4, "Expr": 1, "Return": 0, "Return:None": -1},
    **{"If": 3, "If:else": 5, "If:elif": 7, "For": 4, "For:else": 6, "While": 3, "While:else": 5},
    **{"Try": 6, "Try:else": 8, "Try:finally": 8, "Try:else-finally": 10, "Try:bare-finally": 4},
    **{"Except": 3, "Except:as": 4, "Except:bare": 2, "With": 3, "With:as": 4, "With:*": 5},
    **{"WithItem": 1, "WithItem:as": 2, "Raise": -1, "Raise:1": 0, "Raise:2": 1, "Assert": 1, "Assert:message": 2},
    **{"Global": 2, "Nonlocal": 2, "Delete": 3, "Delete:*": 4, "FunctionDef": 4, "FunctionDef:decorated": 6},
    # Return, raise, break and continue end their block, which saves the `<end>` that the position counts.
    **{"Break": -1, "Continue": -1},
    # A module-level choice counts the three actions of the shortest main function besides its own: see `statements`.
    **{"Main": -1, "Main:args": 0},
    # A spelled identifier counts four: a piece, its end, and two spare (it may have to grow out of a keyword).
    **{"Import": 6, "ImportFrom": 10, "Alias": 4, "Alias:as": 5},
    **{"Arg:default": 2, "Arg:vararg": 1, "Arg:kwarg": 1, "Arg:kwonly": 3, "Arg:posonly": 0},
    **{
        "<int>": 2,
        "<float>": 3,
        "<imaginary>": 3,
        "<str>": 1,
        "<spell>": 4,
        "<codepoint>": 6,
        "BinOp": 2,
        "UnaryOp": 1,
    },
    **{"Compare": 2, "Compare:*": 5, "IfExp": 3, "Lambda:*": 2, "NamedExpr": 2},
    **{"Tuple:*": 2, "List:*": 2, "Set:*": 2, "Dict:0": 0, "Dict:*": 1, "DictSpread": 0},
    **{"ListComp": 3, "SetComp": 3, "GeneratorExp": 3, "DictComp": 4, "Comp:if": 1, "Comp:for": 2},
    **{"Attribute": 1, "Subscript": 2, "Starred": 1, "kw": 1, "JoinedStr": 1, "Text": 2, "Target": 1, "Place": 3},
    **{"FormattedValue": 1, "FormattedValue:spec": 3},
}


CLOSING = frozenset({"Return", "Raise", "Break", "Continue"})


def action_cost(kind: str, payload: str) -> int:
    """The least number of further actions that complete what an action opens.

    Within a list that ends with `<end>`, that token is not included: the position accounts for it.
    """
    token = f"{kind}:{payload}" if payload else kind
    if token in ("Attribute", "kw"):
        return 5  # the name spelled, then the value
    if token in _FIXED_COST:
        return _FIXED_COST[token]
    if kind in COMPREHENSIONS:
        return _FIXED_COST[kind] + 1
    if kind in ("Tuple", "List", "BoolOp", "Lambda"):
        count = payload.rpartition(":")[2]
        return (3 if count == "*" else int(count)) + (kind == "Lambda")
    if kind == "Slice":
        return 3 - payload.count("-")
    if kind in ("Call", "call", "method"):
        shape = payload.rpartition("/")[2]
        count = shape.rstrip("k")
        return (2 if count == "*" else int(count)) + shape.endswith("k") + (kind != "call")
    return _FIXED_COST.get(kind, 0)


OPERATORS: dict[str, type[Any]] = {name: getattr(ast, name) for name in (*BINARY, *UNARY, *COMPARE, "And", "Or")}
