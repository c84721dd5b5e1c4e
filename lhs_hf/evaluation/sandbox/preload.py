"""Modules a zygote imports before the fences are up: a fenced program can not open files, so not import either."""

from __future__ import annotations

import importlib
from contextlib import suppress

STANDARD = (
    *("abc", "array", "ast", "base64", "bisect", "builtins", "cmath", "collections", "collections.abc", "contextlib"),
    *("copy", "copyreg", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "gc"),
    *("hashlib", "heapq", "inspect", "io", "itertools", "json", "keyword", "linecache", "locale", "logging", "math"),
    *("numbers", "operator", "pprint", "queue", "random", "re", "reprlib", "statistics", "string", "struct", "sys"),
    *("textwrap", "threading", "time", "timeit", "traceback", "types", "typing", "unicodedata", "uuid", "warnings"),
    *("weakref", "zlib", "graphlib", "concurrent.futures", "concurrent.futures.thread", "multiprocessing"),
    # Text encodings that NumPy, archives and error reports look up late.
    *("encodings.ascii", "encodings.cp437", "encodings.idna", "encodings.latin_1", "encodings.utf_8"),
)
NUMPY = ("numpy", "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random")
OPTIONAL: dict[str, tuple[str, ...]] = {
    "scipy": (
        *("scipy", "scipy.cluster.hierarchy", "scipy.interpolate", "scipy.linalg", "scipy.ndimage", "scipy.optimize"),
        *("scipy.sparse", "scipy.sparse.csgraph", "scipy.spatial", "scipy.spatial.distance", "scipy.special"),
        "scipy.stats",
    ),
}


def preload(extras: tuple[str, ...]) -> None:
    """Import what programs use, and the optional packages named. One that is not installed is left out."""
    for name in (*STANDARD, *NUMPY, *(module for extra in extras for module in OPTIONAL[extra])):
        with suppress(ImportError):
            importlib.import_module(name)
