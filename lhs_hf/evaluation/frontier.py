"""Unfinished programs: where they go on, and how to make them run up to there.

The place where the next statement will stand is the *frontier*, written as a line `...` with the indentation of that
statement.
"""

from __future__ import annotations

_STEP = 4


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def split_frontier(source: str) -> tuple[str, str]:
    """The program without its frontier line, and a program that parses and has `...` wherever it can go on.

    Without a frontier line, the program goes on behind its last statement, or inside the block that its last line
    opens. The blocks around it end in `...` too: what follows them is not written either. A program that goes on at
    its top level gets no `...`: all its functions are whole. An open `try` is closed.
    """
    lines = source.rstrip().split("\n")
    if lines == [""]:
        return "", ""
    if lines[-1].strip() == "...":
        depth = _indent(lines.pop())
    else:
        depth = _indent(lines[-1]) + (_STEP if lines[-1].endswith(":") else 0)
    kept = "\n".join(lines) + "\n" if lines else ""
    tries = _open_tries(lines, depth)
    runnable = kept
    for at in range(depth, 0, -_STEP):
        runnable += " " * at + "...\n"
        if at - _STEP in tries:
            runnable += " " * (at - _STEP) + "finally:\n" + " " * at + "pass\n"
    return kept, runnable


def _open_tries(lines: list[str], depth: int) -> list[int]:
    """Indentations of the `try` blocks that are open at the end, innermost first."""
    found: list[int] = []
    for line in reversed(lines):
        if line.strip() and _indent(line) < depth:
            depth = _indent(line)
            if line.strip() == "try:":
                found.append(depth)
    return found
