"""What the search tab shows of a run, by the names of the tab's components."""

from __future__ import annotations

from typing import Any

import gradio as gr

from ..errors import CallError
from ..evaluation import SandboxError, Unsolved
from ..tasks.base import Task
from . import candidates, drawing, views
from .atlas import Atlas
from .code import program
from .run import Run
from .scatter import ranks
from .service import SpaceService

NO_MAP = views.note("The corpus has no programs of this task, and so there is no map.")
MAP_COMES = drawing.map_comes()


def idle_curve(service: SpaceService, task: Task, budget: int) -> str:
    """The curve before there is a search: what is known of the task."""
    reference, corpus = service.known_objectives(task.name)
    return drawing.curve(task, [], budget, reference, corpus)


def curve(service: SpaceService, run: Run) -> str:
    """The best objective after each program, beside what it is compared with on the same instances."""
    history, made = views.history(run), run.made()
    if not run.raced:
        return drawing.curve(run.task, history, run.budget, *service.known_objectives(run.task.name), made)
    starts = [each for each in run.ordered() if each.round == 0 and each.ok]
    reference = next((each.objective for each in starts if each.role == "reference"), None)
    # Of few instances an estimate may be too good: the one that the race took is what the search has to beat.
    best = max(
        (each for each in starts if each.role == "corpus"),
        key=lambda each: (each.outcome == "incumbent", each.score or 0.0),
        default=None,
    )
    corpus = best.objective if best is not None else None
    return drawing.curve(run.task, history, max(10, len(made)), reference, corpus, made, raced=True)


def status(service: SpaceService, run: Run) -> str:
    """How far it is; the time goes on even where nothing else does."""
    return views.status(run, run.task, service.runs.ahead(run), service.known_on_splits(run.task.name))


def around(service: SpaceService, run: Run, atlas: Atlas | None) -> str:
    """The map with the run on it, or why there is none."""
    if atlas is None:
        return MAP_COMES if service.has_corpus(run.task.name) else NO_MAP
    return drawing.search_map(atlas, run)


def opened(service: SpaceService, run: Run | None) -> dict[str, Any]:
    """The candidate that is open."""
    candidate = candidates.shown_candidate(run)
    return {
        "opened": candidates.opened(run, candidate, service.known_text),
        "opened_code": program(candidate.program, "Its program") if candidate is not None else "",
    }


def table(service: SpaceService, run: Run | None) -> dict[str, Any]:
    """All candidates with their header: of rows alone, Gradio numbers the columns once there are none."""
    return {"headers": candidates.HEADER, "data": candidates.rows(run, service.known_text)}


def everything(service: SpaceService, run: Run, atlas: Atlas | None) -> dict[str, Any]:
    """All that a run shows."""
    over = run.over
    file = service.program_file(run) if over else None
    kept = service.runs.knows(run.id)
    updates = {
        "status": status(service, run),
        "curve": curve(service, run),
        "map": around(service, run, atlas),
        "candidates": table(service, run),
        "ranks": ranks(run),
        **opened(service, run),
        "program": program(views.best_program(run, run.task)[0], "Best program"),
        "comparison": views.comparison(run, service.known_on_splits(run.task.name)),
        "task": gr.update(interactive=over),
        "run_button": gr.update(interactive=over),
        "stop_button": gr.update(interactive=not over and not run.stop.is_set()),
        "download": gr.update(value=str(file) if file else None, interactive=file is not None),
        "card": gr.update(interactive=file is not None),
        "archive": gr.update(interactive=file is not None and kept),
        "adapter": gr.update(
            interactive=file is not None and kept and any(each.after is not None for each in run.made())
        ),
    }
    if not over:
        updates.update(picture="", picture_card=gr.update(visible=False))
    return updates


def nothing(service: SpaceService, task: Task, budget: int) -> dict[str, Any]:
    """The parts of a run without one: what is known of a task."""
    off = gr.update(interactive=False)
    return {
        "status": views.status(None, task),
        "curve": idle_curve(service, task, budget),
        "map": MAP_COMES if service.has_corpus(task.name) else NO_MAP,
        "candidates": table(service, None),
        "ranks": ranks(None),
        **opened(service, None),
        "program": program(task.template, "The reference program"),
        "comparison": "",
        "task": gr.update(interactive=True),
        "run_button": gr.update(interactive=True),
        "stop_button": off,
        "download": gr.update(value=None, interactive=False),
        "card": off,
        "archive": off,
        "adapter": off,
        "picture": "",
        "picture_card": gr.update(visible=False),
    }


def picture(service: SpaceService, run: Run) -> dict[str, Any]:
    """What its best program builds beside the reference, once it is over."""
    try:
        drawn = service.picture(run)
    except (CallError, SandboxError, Unsolved) as problem:
        drawn = views.note(f"No picture of the solutions: {problem}")
    return {"picture": drawn, "picture_card": gr.update(visible=bool(drawn))}
