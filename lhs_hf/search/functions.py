"""A search as one call: `lhs_hf.search("tsp_construct")`, `lhs_hf.search(objective=..., template=...)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..evaluation.cache import default_cache_path
from ..opening.text import one_line
from ..tasks import get_task
from ..tasks.base import Sense, Task
from ..tasks.functions import Objective, task_of_function
from ..tasks.headers import template_text
from .options import SearchOptions
from .result import SearchResult
from .search import run_search
from .settings import SearchSettings

_OF_THE_TASK = ("problem_class", "description", "time_limit_s")


def search_for(
    what: Objective | Task | Path | str | None = None,
    template: str | Callable[..., Any] | None = None,
    *,
    objective: Objective | None = None,
    task: Task | Path | str | None = None,
    **settings: Any,
) -> SearchResult:
    """Search for a program of a task, or for one that a function of one's own scores best.

    Args:
        what: a task, its name or file (or `task=`), or a function of a program (or `objective=`).
        template: the reference program: a function, or text with one.
        settings: every field of `SearchSettings` and `SearchOptions`: budget, seed, preset, output, ...; for a function
            also what `search_function` has.

    Raises `CallError` for a wrong call, `UnknownTask` for a task that is none.
    """
    given = [each for each in (what, objective, task) if each is not None]
    if len(given) != 1:
        raise CallError("expected one thing to search for: a task, or an objective with a template")
    if isinstance(given[0], (str, Path, Task)):
        if template is not None:
            raise CallError(f"a task has a template of its own; template goes with an objective, got {given[0]!r:.80}")
        return _run(get_task(str(given[0])) if isinstance(given[0], (str, Path)) else given[0], settings)
    if template is None:
        raise CallError("template is missing: expected the reference program, a function or its text")
    return search_function(given[0], template, **settings)


def search_function(
    objective: Objective,
    template: str | Callable[..., Any],
    *,
    sense: Sense = "min",
    examples: Sequence[tuple[Any, ...]] | None = None,
    name: str = "my_function",
    **settings: Any,
) -> SearchResult:
    """Search for a program that a function of one's own scores best.

    Args:
        objective: called with the program as a function, gives one number; lower is better with `sense="min"`. See
            `FunctionTask` for what it may do, and for what a plain function can not promise: the number is computed
            beside the program, and there are no instances that nothing was chosen on.
        template: the reference program: a function that stands in a file or a cell, or text with one.
        examples: calls of the program that tell programs apart; None records those of the template.
        name: of the task, an identifier.
        settings: `problem_class`, `description` and `time_limit_s` of the task, and every field of `SearchSettings` and
            `SearchOptions`: budget, seed, preset, output, ...

    Raises `CallError` for a wrong call.
    """
    told = {each: settings.pop(each) for each in _OF_THE_TASK if each in settings}
    folder = default_cache_path().parent / "functions"
    task = task_of_function(objective, template_text(template), folder, name, sense=sense, examples=examples, **told)
    _check_states(task)
    return _run(task, settings)


def _run(task: Task, settings: dict[str, Any]) -> SearchResult:
    options = {field.name: settings.pop(field.name) for field in fields(SearchOptions) if field.name in settings}
    return run_search(task, SearchSettings.from_preset(settings.pop("preset", None), **settings), **options)


def _check_states(task: Task) -> None:
    """Calls that tell programs apart are made here, before anything is searched: what fails is the caller's code."""
    try:
        _ = task.probes
    except Exception as problem:
        raise CallError(
            f"template can not be tried: {one_line(f'{type(problem).__name__}: {problem}', 300)}"
        ) from problem
