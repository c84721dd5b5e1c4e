"""`lhs-hf skills install`: what a coding agent should know of this package, where it looks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import CallError

SKILL = Path(__file__).parents[1] / "integrations" / "skill" / "SKILL.md"


def install(
    folder: Annotated[
        Path,
        typer.Option(help="Folder in which the agent looks for skills, such as .claude/skills or ~/.codex/skills."),
    ] = Path(".agents/skills"),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another text that is there.")] = False,
) -> int:
    """Write a skill for coding agents: how to run a search, bring a task of one's own and read results."""
    path = folder.expanduser() / "lhs-hf" / SKILL.name
    text = SKILL.read_text(encoding="utf-8")
    if path.is_file() and not overwrite and path.read_text(encoding="utf-8") != text:
        raise CallError(f"{path} exists already with another text; replace it with --overwrite")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"written: {path}")
    return 0
