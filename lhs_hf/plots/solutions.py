"""Solutions as pictures, alone or found beside reference, and the sentences that describe them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import CallError
from ..evaluation.result import Solution
from ..tasks.base import Infeasible, Task
from . import assignment, covering, packing, routing, scheduling
from .describing import as_task, details, gap_words, headline, improvement
from .theme import Look, Theme, get_theme, new_figure, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Below this many pixels two pictures stand one above the other.
SIDE_BY_SIDE = 640
_TITLE = 56
_SIZE = 10.0


@dataclass(frozen=True)
class _Picture:
    draw: Callable[[Axes, Any, np.ndarray, Theme, str], None]
    # Height over width, and the most pixels of height.
    shape: float
    tallest: int = 700


_PICTURES = {
    "tsp_construct": _Picture(routing.draw_tsp, 1.0),
    "cvrp_construct": _Picture(routing.draw_cvrp, 1.0),
    "vrptw_construct": _Picture(routing.draw_vrptw, 1.55, 1000),
    "jssp_construct": _Picture(scheduling.draw_jssp, 0.66),
    "knapsack_construct": _Picture(packing.draw_knapsack, 1.0),
    "online_bin_packing": _Picture(packing.draw_bins, 1.0),
    "qap_construct": _Picture(assignment.draw_qap, 0.88),
    "cflp_construct": _Picture(assignment.draw_cflp, 0.66),
    "set_cover_construct": _Picture(covering.draw_set_cover, 0.66),
    "admissible_set": _Picture(covering.draw_admissible_set, 0.85),
}


def checked_solution(task: Task | str, instance: Any, solution: np.ndarray) -> tuple[np.ndarray, float]:
    """A solution as an array and its objective. Raises `Infeasible`, with the reason, for what can not be drawn."""
    chosen = as_task(task)
    array = np.asarray(solution)
    if array.size == 0:
        raise Infeasible(f"nothing to draw: the solution of {chosen.name} is empty")
    if array.dtype != np.dtype(chosen.solution_dtype):
        raise Infeasible(f"a solution of {chosen.name} has dtype {chosen.solution_dtype}, got {array.dtype}")
    try:
        return array, float(chosen.objective(instance, array))
    except Infeasible as problem:
        raise Infeasible(f"not a feasible solution of {chosen.name}: {problem}") from None


def plot_solution(
    task: Task | str,
    instance: Any,
    solution: np.ndarray,
    ax: Axes | None = None,
    *,
    colour: str | None = None,
    **look: Any,
) -> Axes:
    """The picture of one solution.

    Args:
        task: one of the ten built-in tasks, or its name.
        instance: of the task, as `Task.instances` gives them.
        solution: 1-D, of the task's `solution_dtype`, as `Evaluator.solve` gives it.
        ax: where to draw; None makes a figure (`axes.figure`).
        colour: of the main marks; None takes that of what was found.
        look: `title`, `theme`, `width` and `transparent` of a `Look`; a title of None names the objective and the gap
            to the bound where one is known.

    Raises `Infeasible` for a solution that is none, `CallError` for an unknown theme, width or task without a picture.
    """
    chosen, looks = as_task(task), Look(**look)
    theme, title = get_theme(looks.theme), looks.title
    picture = _picture(chosen)
    array, objective = checked_solution(chosen, instance, solution)
    axes = looks.axes(ax, _height(picture, looks.width) + _TITLE)
    picture.draw(axes, instance, array, theme, colour or theme.found)
    if title is None:
        gap = gap_words(chosen, instance, objective)
        title = headline(chosen, instance, objective) + (f", {gap}" if gap else "")
    axes.set_title(title, loc="left", fontsize=_SIZE, color=theme.text)
    return axes


def plot_comparison(
    task: Task | str,
    found: Solution,
    reference: Solution,
    known: Solution | None = None,
    *,
    labels: tuple[str, ...] = ("Found", "Reference", "Best known"),
    **look: Any,
) -> Figure:
    """Solutions of one instance on the same scales: side by side, or one above the other below 640 pixels.

    Titles carry the objectives, what found is better by, and the gap to the bound where one is known.

    Args:
        task: one of the ten built-in tasks, or its name.
        found, reference: solutions of one instance.
        known: that of the best known program.
        labels: what the three are called.
        look: `title`, `theme`, `width` (1000 unless told) and `transparent` of a `Look`; a title of None names task and
            instance, "" leaves it out.

    Raises `CallError` if they are not of one instance of the task, and what `plot_solution` raises.
    """
    chosen, looks = as_task(task), Look(**{"width": 1000, **look})
    theme, width, title = get_theme(looks.theme), looks.width, looks.title
    sides = [(found, labels[0], theme.found)]
    if known is not None:
        sides.append((known, labels[2], theme.corpus))
    sides.append((reference, labels[1], theme.reference))
    _check(chosen, *(solution for solution, _, _ in sides))
    picture = _picture(chosen)
    count, beside = len(sides), width >= SIDE_BY_SIDE
    panel = width // count if beside else width
    inner = _height(picture, panel) + _TITLE
    if title is None:
        title = f"{chosen.title}: instance {found.index} of split {found.split}"
    heading = wrapped(title, width, 1.1 * _SIZE)
    above = 22 * (heading.count("\n") + 1) if heading else 0
    figure = new_figure(width, above + inner * (1 if beside else count), theme, looks.transparent)
    panels = figure.subplots(1, count) if beside else figure.subplots(count, 1)
    if heading:
        figure.suptitle(heading, x=0.01, ha="left", fontsize=1.1 * _SIZE, color=theme.text, weight="bold")
    for axes, (solution, label, tone) in zip(panels, sides):
        plot_solution(chosen, solution.instance, solution.array, axes, title="", colour=tone, theme=theme)
        facts = _improvements(chosen, found, reference, known) if solution is found else []
        gap = gap_words(chosen, solution.instance, solution.objective)
        text = wrapped(f"{label}: {headline(chosen, solution.instance, solution.objective)}", panel, _SIZE)
        second = wrapped(", ".join([*facts, *([gap] if gap else [])]), panel, _SIZE)
        axes.set_title(f"{text}\n{second}", loc="left", fontsize=_SIZE, color=tone)
    _share_scales([_with_insets(axes) for axes in panels])
    return figure


def _improvements(task: Task, found: Solution, reference: Solution, known: Solution | None) -> list[str]:
    """What found is better by than the reference, and than the best known."""
    others = [(reference, "the reference"), *([] if known is None else [(known, "the best known")])]
    return [improvement(task, found.instance, found.objective, other.objective, name) for other, name in others]


def alt_text(
    task: Task | str, found: Solution, reference: Solution | None = None, known: Solution | None = None
) -> str:
    """What `plot_solution` or, with a reference, `plot_comparison` shows, in a few sentences with the numbers.

    Raises `CallError` if they are not of one instance of the task.
    """
    chosen = as_task(task)
    others = {"Best known": known, "Reference": reference}
    shown = {name: each for name, each in others.items() if each is not None}
    _check(chosen, found, *shown.values())

    def said(solution: Solution) -> str:
        words = headline(chosen, solution.instance, solution.objective)
        return f"{words}, {details(chosen, solution.instance, solution.array)}"

    name = f"{chosen.title}, instance {found.index} of split {found.split}"
    if reference is None:
        return f"{name}: {said(found)}."
    beside = " ".join(f"{other}: {said(solution)}." for other, solution in shown.items())
    change = " and ".join(_improvements(chosen, found, reference, known))
    return f"{name}. Found: {said(found)}. {beside} What was found is {change}."


def has_picture(task: Task) -> bool:
    """Whether solutions of a task can be drawn: those of the ten tasks of the paper."""
    return task.name in _PICTURES


def _picture(task: Task) -> _Picture:
    if not has_picture(task):
        raise CallError(f"no picture is known for task {task.name!r}; there are: {', '.join(_PICTURES)}")
    return _PICTURES[task.name]


def _check(task: Task, found: Solution, *others: Solution) -> None:
    """Raise `CallError` unless all are solutions of the task, of one instance."""
    for solution in (found, *others):
        if solution.task != task.name:
            raise CallError(f"expected a solution of {task.name}, got one of {solution.task}")
        if (found.split, found.index) != (solution.split, solution.index):
            raise CallError(
                f"expected two solutions of one instance, got instance {found.index} of {found.split} "
                f"and instance {solution.index} of {solution.split}"
            )


def _height(picture: _Picture, width: int) -> int:
    return int(min(picture.tallest, width * picture.shape))


def _with_insets(axes: Axes) -> list[Any]:
    return [axes, *axes.child_axes]


def _share_scales(panels: Sequence[Sequence[Any]]) -> None:
    """Give axes at the same place of each panel the same limits: the union of theirs."""
    for group in zip(*panels):
        for which in ("x", "y"):
            limits = np.array([getattr(axes, f"get_{which}lim")() for axes in group])
            low, high = limits.min(), limits.max()
            flipped = limits[0, 0] > limits[0, 1]
            for axes in group:
                getattr(axes, f"set_{which}lim")((high, low) if flipped else (low, high))
