"""What this package protects from, and what it does not: the table of SECURITY.md, and what of it holds here.

One list for both, so that the document and `lhs-hf doctor` can not say different things.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Fence = Literal["seccomp", "landlock", "linux", ""]

SANDBOX = "Programs that are scored"
FILES = "Files that are opened"
PAGE = "The page (`lhs-hf space`)"
AREAS = (SANDBOX, FILES, PAGE)


@dataclass(frozen=True)
class Promise:
    """One line of the threat model.

    `covered` says what is kept, "" where nothing is; `not_covered` what is left to whoever runs it. `needs` is the
    kernel's fence without which the first does not hold.
    """

    area: str
    threat: str
    covered: str = ""
    not_covered: str = ""
    needs: Fence = ""


THREAT_MODEL: tuple[Promise, ...] = (
    Promise(
        SANDBOX,
        "reading files, the environment, tokens",
        "a program opens no file and sees an empty environment",
        "without kernel fences (`development` isolation: macOS, Windows) it can read what you can",
        needs="seccomp",
    ),
    Promise(
        SANDBOX,
        "network, other processes, signals, threads",
        "no socket, no new process or thread, no signal to another process",
        "without kernel fences it can do all of this",
        needs="seccomp",
    ),
    Promise(
        SANDBOX,
        "a second fence where the first has a hole",
        "Landlock forbids files too; all capabilities are dropped; no new privileges",
        "a hole in the kernel itself: for programs you expect to attack it, use a virtual machine",
        needs="landlock",
    ),
    Promise(
        SANDBOX,
        "claiming a score",
        "a program hands over its decisions only; feasibility and objective are computed outside, from instances that "
        "it can not reach",
        "a score is as right as the task's own `objective`; a program may hand over any feasible solution, even one "
        "that the step protocol would not give; tasks taken over from LLM4AD are scored beside the program",
    ),
    Promise(
        SANDBOX,
        "luck and the clock",
        "a program whose text does not show that each run gives the same is never remembered; searches run it twice",
        "a program that gives the same twice and something else later",
    ),
    Promise(
        SANDBOX,
        "knowing the published instances",
        "the found program is checked on a private holdout whose seed is drawn when the search starts",
        "published splits follow from published seeds: a program may hold them by heart and look good there",
    ),
    Promise(
        SANDBOX,
        "time, memory, output without end",
        "wall-clock, processor, memory and output limits, kept from outside the program",
        "what many programs within their limits use together; side channels such as timing",
        needs="linux",
    ),
    Promise(
        SANDBOX,
        "a task file of one's own",
        "what its `objective` raises is the candidate's failure; solutions are bounded before it sees them",
        "the file itself runs as your own code, unfenced and without a time limit: read it before you name it",
    ),
    Promise(
        FILES,
        "code in a model folder or repository",
        "only data is read: safetensors, JSON, tokenizer files; modules by an exact list; no `.py`, no pickle, no link "
        "out of the folder",
        "with your own `trust_remote_code=True` nothing of an encoder or decoder is checked",
    ),
    Promise(
        FILES,
        "code in a run folder",
        "a database names no file that is loaded; a task of one's own is loaded only from the path you give, and its "
        "digest is compared",
        "what you do with a found program: it was written by a model, so read it before you run it outside",
    ),
    Promise(
        FILES,
        "files that are broken or ask for too much",
        "sizes, shapes and types are checked first; the end is one line that names the file",
        "whether a model or a corpus is any good: weights can be trained to mislead",
    ),
    Promise(
        FILES,
        "remembered results",
        "rows of the evaluation cache that do not decode count as missing",
        "the cache is yours alone: whoever can write it can plant results in it",
    ),
    Promise(
        PAGE,
        "uploads and paths",
        "nothing can be uploaded; tasks are named, never given as a path",
        "tasks named with `--task` run in the server's process as your own code",
    ),
    Promise(
        PAGE,
        "another site in the visitor's browser",
        "foreign `Host` and `Origin` headers are refused",
        "who may open the page: it has no log-in; put it behind one, or keep it on this machine (the default)",
    ),
    Promise(
        PAGE,
        "one visitor who takes everything",
        "limits and fair turns for each address; a search ends soon after its visitor has gone",
        "many addresses at once, and requests that arrive byte by byte: that is the work of the proxy in front",
    ),
)


def holds(promise: Promise, isolation: str) -> bool:
    """Whether what a promise covers is kept under an isolation level (a key of `evaluation.LEVELS`)."""
    if not promise.needs:
        return True
    if promise.needs == "linux":
        return isolation in ("seccomp", "seccomp+landlock")
    return promise.needs in isolation


def markdown() -> str:
    """The table of SECURITY.md."""
    lines = []
    for area in AREAS:
        lines += [f"### {area}", "", "| threat | covered | not covered |", "| --- | --- | --- |"]
        lines += [
            f"| {promise.threat} | {promise.covered or '—'} | {promise.not_covered or '—'} |"
            for promise in THREAT_MODEL
            if promise.area == area
        ]
        lines.append("")
    return "\n".join(lines)
