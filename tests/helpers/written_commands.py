"""Commands `lhs-hf ...` as texts show them: found in fenced blocks, and their words compared with the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

import typer

from lhs_hf.cli import app

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def shell_lines(block: str) -> Iterator[str]:
    """The lines of a shell block, those that end with a backslash joined with the next."""
    yield from (line for line in block.replace("\\\n", " ").splitlines() if line.strip())


def commands_in(text: str) -> list[list[str]]:
    """The words behind `lhs-hf` of every command in a text's shell blocks."""
    lines = [line for language, block in FENCE.findall(text) if language == "bash" for line in shell_lines(block)]
    return [words for line in lines for words in _commands_of(line)]


def _commands_of(line: str) -> Iterator[list[str]]:
    words: list[str] = []
    for word in [*shlex.split(line, comments=True), "&&"]:
        if word in ("&&", "||", "|", ";"):
            if words[:1] == ["lhs-hf"]:
                yield words[1:]
            words = []
        else:
            words.append(word)


def wrong_options(words: Sequence[str]) -> list[str]:
    """What the command line does not know of a command: its name, or options."""
    command = typer.main.get_command(app)
    rest = list(words)
    # Options of the application itself stand before the name of the command.
    while rest and rest[0].startswith("-"):
        rest.pop(0)
    while hasattr(command, "commands") and rest:
        name = rest.pop(0)
        if name not in command.commands:
            return [name]
        command = command.commands[name]
    known = {"-h", "--help"} | {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    used = [word.partition("=")[0] for word in rest if word.startswith("-") and not _is_number(word) and word != "-"]
    return [option for option in used if option not in known]


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-\d[\d.e-]*", word) is not None
