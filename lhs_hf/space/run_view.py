"""What the search tab shows of a run, by the names of the tab's components."""

from __future__ import annotations

from typing import Any

import gradio as gr

from ..errors import CallError
from ..evaluation import SandboxError, Unsolved
from ..tasks.base import Task
from . import drawing, views
from .atlas import Atlas
from .runs import Run
from .service import SpaceService

NO_MAP = views.note("The corpus has no programs of this task, and so there is no map.")
MAP_COMES = views.note("The corpus is being laid out; the map comes in a moment.")


def idle_curve(service: SpaceService, task: Task, budget: int) -> str:
    """The curve before there is a search: what is known of the task."""
    reference, corpus = service.known_objectives(task.name)
    return drawing.curve(task, [], budget, reference, corpus)


def status(service: SpaceService, run: Run) -> str:
    """How far it is; the time goes on even where nothing else does."""
    return views.status(run, run.task, service.runs.ahead(run))


def around(service: SpaceService, run: Run, atlas: Atlas | None) -> str:
    """The map with the run on it, or why there is none."""
    if atlas is None:
        return MAP_COMES if service.has_corpus(run.task.name) else NO_MAP
    return drawing.search_map(atlas, list(run.steps), dict(run.candidates))


def everything(service: SpaceService, run: Run, atlas: Atlas | None, moved: bool) -> dict[str, Any]:
    """All that a run shows; its map is drawn again only if there are new points on it (`moved`)."""
    history = views.history(run)
    reference, corpus = service.known_objectives(run.task.name)
    over = run.over
    program = service.runs.program_file(run) if over else None
    updates = {
        "status": status(service, run),
        "curve": drawing.curve(run.task, history, run.budget, reference, corpus, run.made()),
        "map": around(service, run, atlas) if moved or atlas is None else gr.skip(),
        "candidates": views.candidate_table(run),
        "program": views.best_program(run, run.task)[0],
        "difference": views.difference(run),
        "comparison": views.comparison(run),
        "run_button": gr.update(interactive=over),
        "stop_button": gr.update(interactive=not over and not run.stop.is_set()),
        "download": gr.update(value=str(program) if program else None, interactive=program is not None),
        "archive": gr.update(interactive=program is not None),
        "adapter": gr.update(interactive=program is not None and bool(run.made())),
    }
    if not over:
        updates.update(picture="", picture_card=gr.update(visible=False))
    return updates


def picture(service: SpaceService, run: Run) -> dict[str, Any]:
    """What its best program builds beside the reference, once it is over."""
    try:
        drawn = service.picture(run)
    except (CallError, SandboxError, Unsolved) as problem:
        drawn = views.note(f"No picture of the solutions: {problem}")
    return {"picture": drawn, "picture_card": gr.update(visible=bool(drawn))}
