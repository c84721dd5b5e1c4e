"""Where the program stands in a reply: its first Python code block."""

from __future__ import annotations

import re

FENCE = "```"
_BLOCK = re.compile(r"```[ \t]*([\w+-]*)[^\n`]*\n")
_PYTHON = ("", "python", "py", "python3")


def code_start(reply: str) -> int | None:
    """Where the code of the first Python block of a reply begins; None before one is opened.

    Blocks in other languages and everything inside `<think>` are passed over.
    """
    position = 0
    if "<think>" in reply:
        position = reply.rfind("</think>")
        if position < 0:
            return None
    while opening := _BLOCK.search(reply, position):
        if opening[1].lower() in _PYTHON:
            return opening.end()
        closing = reply.find(FENCE, opening.end())
        if closing < 0:
            return None
        position = closing + len(FENCE)
    return None


def code_ends(reply: str) -> bool:
    """Whether the first Python block of a reply is closed: nothing that follows is part of the program."""
    start = code_start(reply)
    return start is not None and FENCE in reply[start:]
