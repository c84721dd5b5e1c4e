"""What a task says about itself: names, direction, template, splits."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from ...errors import unknown
from ...programs import ProgramError, check_signature, parse
from ..base import PROBLEM_CLASSES, Split
from ..simple import ANSWERS, SOLUTION
from .findings import Check

_KNOWN_SPLITS = ("search", "test", "holdout")


def attributes(check: Check) -> None:
    """Names, direction, template and splits."""
    task = check.task
    if task.sense not in ("min", "max"):
        check.add("sense", f'sense is {task.sense!r}, expected "min" (smaller is better) or "max"')
    for name in ("title", "problem_class", "description"):
        if not isinstance(getattr(task, name), str) or not getattr(task, name).strip():
            check.add(name, f"{name} is {getattr(task, name)!r}, expected words")
    if not isinstance(task.time_limit_s, (int, float)) or not task.time_limit_s > 0:
        check.add("time_limit_s", f"time_limit_s is {task.time_limit_s!r}, expected seconds")
    longest = getattr(task, "longest_solution", None)
    if longest is not None and (not isinstance(longest, int) or longest < 1):
        check.add("longest_solution", f"longest_solution is {longest!r}, expected a number of entries")
    if isinstance(task.problem_class, str) and task.problem_class not in (*PROBLEM_CLASSES, "general"):
        check.add("problem_class", f"{unknown('problem class', task.problem_class, PROBLEM_CLASSES)}")
    names = task.probe_feature_names
    if not isinstance(names, (tuple, list)) or not all(isinstance(each, str) for each in names):
        check.add("probe_feature_names", f"probe_feature_names is {names!r}, expected a tuple of names")
    elif len(set(names)) < len(names):
        check.add("probe_feature_names", f"a name stands twice in probe_feature_names: {', '.join(names)}")
    _template(check)
    _splits(check)


def _template(check: Check) -> None:
    task = check.task
    if not isinstance(task.template, str):
        check.add("template", f"template is a {type(task.template).__name__}, expected the text of a program")
        return
    try:
        tree = parse(task.template)
    except ProgramError as error:
        check.in_template(str(error), _line_named(str(error)))
        return
    if not task.function_name:
        check.add("template", "the template defines no function")
        return
    try:
        check_signature(tree, task.function_name, len(task.arguments))
    except ProgramError as error:
        check.add("function_name", f"the template does not fit {task.signature()} {error}", default="template")
        return
    if check.simple and task.answers not in (*ANSWERS, SOLUTION):  # type: ignore[attr-defined]
        known = ", ".join(f'"{each}"' for each in (*ANSWERS, SOLUTION))
        check.add("answers", f"answers is {task.answers!r}, expected one of: {known}")  # type: ignore[attr-defined]
        return
    lists = check.simple and task.answers not in ("priority", SOLUTION)  # type: ignore[attr-defined]
    if lists and isinstance(task.alternatives, str) and task.alternatives not in task.arguments:  # type: ignore[attr-defined]
        check.add(
            "alternatives",
            f"alternatives is {task.alternatives!r}, "  # type: ignore[attr-defined]
            f"expected a method, or one of the arguments: {', '.join(task.arguments)} (answers is "
            f'{task.answers!r}; with "priority" and "solution" nothing lists them)',  # type: ignore[attr-defined]
        )


def _splits(check: Check) -> None:
    splits = check.task.splits
    if not isinstance(splits, Mapping):
        check.add("splits", f"splits is a {type(splits).__name__}, expected names with a Split each: make_splits(...)")
        return
    if "search" not in splits:
        check.add("splits", f"there is no split 'search'; there are: {', '.join(splits) or 'none'}")
    for name, split in splits.items():
        if not isinstance(split, Split):
            check.add("splits", f"split {name!r} is a {type(split).__name__}, expected a Split")
        elif split.name != name:
            check.add("splits", f"split {name!r} calls itself {split.name!r}")
        elif split.count < 1 or split.program_calls < 1:
            check.add("splits", f"split {name!r} needs at least one instance and one program call")
        elif split.alias_of is not None and split.alias_of not in splits:
            check.add("splits", f"split {name!r} is an alias of {split.alias_of!r}, which does not exist")
        elif name not in _KNOWN_SPLITS and not name.startswith("test"):
            near = difflib.get_close_matches(name, _KNOWN_SPLITS, 1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            check.add(
                "splits",
                f"no command knows the split {name!r}{guess}; they know search, holdout and names from test",
            )
    for name in check.task.bounds:
        if name not in splits:
            check.add("bounds", f"bounds has a split {name!r} that does not exist; there are: {', '.join(splits)}")


def _line_named(message: str) -> int | None:
    head, _, rest = message.partition("line ")
    number = rest.split(":")[0]
    return int(number) if not head and number.isdigit() else None
