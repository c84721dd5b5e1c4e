"""Text that somebody else wrote, as it may be shown: a terminal, an editor and Markdown do nothing but print it."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

# Control, format (direction marks) and surrogate characters, separators of lines and paragraphs.
_ACTING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_MARKDOWN = re.compile(r"[\\`\[\]<!|]")


def printable(text: str, keep: str = "\n\t") -> str:
    """A text with what a terminal or an editor would act upon as escapes (\\x1b); characters of `keep` stay."""
    text = text.replace("\r\n", "\n")
    if text.isprintable():
        return text
    return "".join(
        character if character in keep or unicodedata.category(character) not in _ACTING else _escaped(character)
        for character in text
    )


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def one_line(text: object, most: int = 200) -> str:
    """A value as one printable line of at most `most` characters."""
    # Cut before and after: escaping a megabyte to show its beginning takes a second.
    line = printable(" ".join(str(text)[: 4 * most].split()), keep="")
    return line if len(line) <= most else line[: most - 1] + "…"


def markdown(text: object, most: int = 200) -> str:
    """A value as one line of Markdown that makes no link, picture, code, table cell or HTML."""
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text, most))


def fenced(text: str, language: str = "") -> str:
    """A block of code in Markdown; its fence is longer than any run of backticks in the text."""
    text = printable(text.rstrip())
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}{language}\n{text}\n{fence}"


def plain(value: Any) -> Any:
    """A JSON value whose texts, keys among them, neither act on a terminal nor open HTML."""
    if isinstance(value, str):
        return printable(value).replace("<", "&lt;")
    if isinstance(value, dict):
        return {plain(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return value
