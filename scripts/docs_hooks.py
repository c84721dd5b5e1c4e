"""What `mkdocs build` does beside rendering docs/: the front page from the README, commands, links to the repository.

The pages are read on the repository's site as well, where a link to `../lhs_hf/search/run.py` is the file. On the docs
site it becomes the file's address in the repository; one to a file that does not exist is an error of a strict build.
"""

from __future__ import annotations

import inspect
import logging
import re
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from lhs_hf.cli import COMMANDS, app

ROOT = Path(__file__).resolve().parents[1]
COMMANDS_MARK = "<!-- commands -->"
_LINK = re.compile(r"(!?\[[^\]]*\])\(([^)#:\s]+)(#[^)\s]*)?\)")
_log = logging.getLogger("mkdocs.hooks.docs")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The README is the front page: its links into docs/ become links within the site."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "index.md", content=text.replace("](docs/", "](")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Commands in the place of their mark, and links out of docs/ as links to the repository."""
    if COMMANDS_MARK in markdown:
        markdown = markdown.replace(COMMANDS_MARK, commands())
    home = ROOT if page.file.src_uri == "index.md" else ROOT / "docs"
    known = set(files.src_uris)

    def address(match: re.Match[str]) -> str:
        label, target, anchor = match[1], match[2], match[3] or ""
        if target in known:
            return match[0]
        path = (home / target).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            _log.warning(f"{page.file.src_uri} links to {target}, which is not there")
            return match[0]
        kind = "tree" if path.is_dir() else "blob"
        return f"{label}({config.repo_url.rstrip('/')}/{kind}/main/{path.relative_to(ROOT).as_posix()}{anchor})"

    return _LINK.sub(address, markdown)


def commands() -> str:
    """A section for each command: what it does, its example, its arguments and options."""
    return "\n\n".join(_section(command.name, command.example) for command in COMMANDS)


def _section(name: str, example: str) -> str:
    command: Any = typer.main.get_command(app)
    for word in name.split():
        command = command.commands[word]
    lines = [f"## `lhs-hf {name}`", inspect.cleandoc(command.help or "")]
    lines.append(f"```bash\nlhs-hf {name} {example}".rstrip() + "\n```")
    rows = [_row(each) for each in command.params if not getattr(each, "hidden", False)]
    lines.append("\n".join(["| | what it is | default |", "|---|---|---|", *rows]))
    return "\n\n".join(lines)


def _row(parameter: Any) -> str:
    names = [*parameter.opts, *parameter.secondary_opts]
    shown = (
        " / ".join(f"`{name}`" for name in names) if parameter.param_type_name == "option" else f"`{names[0].upper()}`"
    )
    default = getattr(parameter, "show_default", None)
    value = default if isinstance(default, str) else parameter.default
    plain = value in (None, False, True, ()) or callable(value) or type(value).__name__ == "Sentinel"
    help_text = " ".join((getattr(parameter, "help", None) or "").split()).replace("|", "\\|")
    return (
        f"| {shown} | {help_text}{' **Required.**' if parameter.required else ''} | {'' if plain else f'`{value}`'} |"
    )
