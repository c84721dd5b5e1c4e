"""The commented task file that a task of one's own begins with."""

from __future__ import annotations

from pathlib import Path

_TEMPLATE = Path(__file__).parent / "task_template.txt"


def task_file_text(name: str, file: str) -> str:
    """The text of a task file that runs as it is, for a task of this name (an identifier) in a file called `file`."""
    words = {
        "__TITLE__": name.replace("_", " ").capitalize(),
        "__FILE__": file,
        "__CLASS__": "".join(word.capitalize() for word in name.split("_")) or "Task",
        "__NAME__": name,
    }
    text = _TEMPLATE.read_text(encoding="utf-8")
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text
