"""A search for a plain function: `lhs_hf.search(objective=..., template=...)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ..tasks.base import Sense
from ..tasks.functions import Objective, task_of_function
from .result import SearchResult
from .search import SearchOptions, run_search
from .settings import SearchSettings


def search_function(
    objective: Objective,
    template: str,
    *,
    sense: Sense = "min",
    examples: Sequence[tuple[Any, ...]] | None = None,
    name: str = "my_function",
    problem_class: str = "general",
    description: str = "",
    time_limit_s: float = 30.0,
    **settings: Any,
) -> SearchResult:
    """Search for a program that a function of one's own scores best.

    Args:
        objective: called with the program as a function, gives one number; lower is better with `sense="min"`. See
            `FunctionTask` for what it may do, and for what a plain function can not promise: the number is computed
            beside the program, and there are no instances that nothing was chosen on.
        template: the reference program as text.
        examples: calls of the program that tell programs apart; None records those of the template.
        name, problem_class, description, time_limit_s: of the task.
        settings: every field of `SearchSettings` and `SearchOptions`: budget, seed, preset, output, ...

    Raises `CallError` for a wrong call.
    """
    task = task_of_function(
        objective,
        template,
        name,
        sense=sense,
        examples=examples,
        problem_class=problem_class,
        description=description,
        time_limit_s=time_limit_s,
    )
    options = {field.name: settings.pop(field.name) for field in fields(SearchOptions) if field.name in settings}
    return run_search(task, SearchSettings.from_preset(settings.pop("preset", None), **settings), **options)
