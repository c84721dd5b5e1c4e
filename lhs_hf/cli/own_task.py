"""`lhs-hf init-task` and `check-task`: begin a task of one's own, see what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import CallError, unknown
from ..tasks import task_names, zoo_names
from ..tasks.template import KINDS, task_file_text
from .options import TASK_FILE_HELP
from .output import print_json

_SHOWN = 6
_WHEN = {
    "step": "added up",
    "peak": "the largest",
    "final": "of the last choice",
    "after": "of what there is at the end",
}


def init_task(
    name: Annotated[str, typer.Argument(help="Name of the task: letters, digits and _.")],
    output: Annotated[Path | None, typer.Option(help="File to write; by default NAME.py here.")] = None,
    answers: Annotated[str, typer.Option(help=f"What its program answers; one of: {', '.join(KINDS)}.")] = "choice",
) -> int:
    """Write a commented task file that runs as it is."""
    if answers not in KINDS:
        raise unknown("kind of answers", answers, KINDS)
    name = name.replace("-", "_")
    if not (name.isidentifier() and name.isascii()):
        raise CallError(f"{name!r} can not be the name of a task: letters, digits and _ only, no digit first")
    if name in (*task_names(), *zoo_names()):
        raise CallError(f"the name {name!r} belongs to a built-in task; choose another")
    path = output or Path(f"{name}.py")
    if path.suffix != ".py":
        raise CallError(f"a task file ends in .py, got {path}")
    if path.exists():
        raise CallError(f"{path} exists already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(task_file_text(name, path.name, answers), encoding="utf-8")
    print(f"written: {path}\nnext:    lhs-hf check-task {path}\n         lhs-hf search {path}")
    return 0


def check_task(
    file: Annotated[Path, typer.Argument(help=f"A task file. {TASK_FILE_HELP}")],
    limit: Annotated[
        float | None,
        typer.Option(
            help="Seconds that loading the file, and each call of one of its methods, may take; the whole check has 15 "
            "times that. Nothing else is limited.",
            show_default="60",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Say line by line what is wrong with a task file."""
    from ..tasks.check import LIMIT_S, check_task_file

    findings = check_task_file(file, LIMIT_S if limit is None else limit)
    if json:
        listed = [finding.as_dict() for finding in findings]
        told = {} if findings else {"words": _words(file), "learned": _learned(file)}
        print_json({"file": str(file), "ok": not findings, "findings": listed, "words": [], "learned": None, **told})
        return 1 if findings else 0
    for finding in findings:
        print(f"{file}:{finding.line}: {' '.join(finding.problem.split())}")
    if findings:
        return 1
    print(f"{file}: nothing found")
    _print_words(file)
    _print_learned(file)
    return 0


def _words(file: Path) -> list[str]:
    """The simple terms that rules of a task are written of, about an alternative `x`, also inside of its reference."""
    from ..corpus.augmentation.words import vocabulary
    from ..search.edits.expressions import spelled
    from ..search.edits.inside import insides, ordering
    from ..search.edits.loop_order import visits
    from ..tasks import get_task
    from ..tasks.roles import OPTION

    task = get_task(str(file))
    sorts = ordering(task)
    known = [vocabulary(task), *(each.words for each in (*insides(task), *visits(task), sorts) if each is not None)]
    terms = [term.text.format(**spelled(words, OPTION)) for words in known for term in words.measured]
    return list(dict.fromkeys(terms))


def _print_words(file: Path) -> None:
    from ..tasks.roles import OPTION

    words = _words(file)
    if not words:
        print("\nno number in the arguments tells alternatives apart: rules can not be written of them, only edited")
        return
    of_choice = any(re.search(rf"\b{OPTION}\b", word) for word in words)
    print(f"\na rule may say{f' of a choice {OPTION}' if of_choice else ''}:")
    for word in words[:_SHOWN]:
        print(f"  {word}")
    if len(words) > _SHOWN:
        print(f"  and {len(words) - _SHOWN} more")


def _learned(file: Path) -> dict[str, Any] | None:
    """What a search finds out about a task by itself; None where it can not play it."""
    from ..search.edits.rollout import study
    from ..tasks import get_task

    known = study(get_task(str(file)))
    if known is None:
        return None
    return {
        "changes": {each.argument: each.text for each in known.dynamics.updates},
        "unknown": list(known.dynamics.unknown),
        "missing": list(known.missing),
        "objective": [asdict(part) for part in known.cost.parts] if known.cost is not None else [],
        "explained": known.cost.explained if known.cost is not None else None,
        "played": known.model is not None,
    }


def _print_learned(file: Path) -> None:
    from ..tasks import get_task

    learned = _learned(file)
    if learned is None:
        alone = getattr(get_task(str(file)), "answers", None) == "priority"
        why = "they see one alternative a call" if alone else "no alternatives, too few rollouts, or too slow ones"
        print(f"programs can not play it to the end: {why}")
        return
    print("\nlearned from rollouts, of a choice x:")
    for name, text in learned["changes"].items():
        print(f"  {name} becomes {text}")
    for name in learned["unknown"]:
        print(f"  {name} changes in a way that is not known")
    if learned["objective"]:
        print(f"the objective, {100 * learned['explained']:.4g} % of its variance on one instance:")
        for part in learned["objective"]:
            print(f"  {part['weight']:+g} * {part['text']} ({_WHEN[part['when']]})")
    if learned["played"]:
        print("so programs can play what they choose to the end (rollout)")
    elif learned["missing"]:
        print(f"programs can not play it to the end without knowing {', '.join(learned['missing'])}")
    else:
        print("programs can not play it to the end: no few terms tell the objective")
