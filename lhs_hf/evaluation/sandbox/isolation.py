"""Isolation levels, strongest first, and what each of them means."""

from __future__ import annotations

import os

LEVELS: dict[str, str] = {
    "seccomp+landlock": "own process, fenced by seccomp and Landlock: no files, sockets, processes or signals",
    "seccomp": "own process, fenced by seccomp: no files, sockets, processes or signals",
    "development": "own process with a time limit, and one on memory where the system has it; a program can read your "
    "files",
}

OVERRIDE_VARIABLE = "LHS_HF_ALLOW_DEVELOPMENT_ISOLATION"


def level(seccomp: bool, landlock: bool, memory: bool = True) -> str:
    """The level that working fences give; `memory`: whether the limit on memory holds.

    Landlock alone leaves sockets and signals open, and without a limit on memory one program can end every other
    process of the machine: both are `development`.
    """
    return "development" if not (seccomp and memory) else "seccomp+landlock" if landlock else "seccomp"


def development_allowed() -> bool:
    """Whether the environment allows running without kernel fences."""
    return os.environ.get(OVERRIDE_VARIABLE, "").lower() in ("1", "true", "yes", "on")


def refusal(found: str) -> str:
    """The message for a machine whose isolation is not enough."""
    return (
        f"this machine offers only {found} isolation ({LEVELS[found]}); at least seccomp is needed to run programs "
        "nobody has read. On macOS and Windows, or in a container without seccomp, accept it explicitly with "
        f"--allow-development-isolation, Evaluator(..., allow_development_isolation=True) or {OVERRIDE_VARIABLE}=1"
    )
