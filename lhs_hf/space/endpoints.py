"""Named endpoints for `gradio_client`: the same searches, programs and evaluations without the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import gradio as gr

from ..tasks import get_task, task_names
from . import views
from .runs import FAILED
from .service import SpaceService


def add_endpoints(service: SpaceService) -> None:
    """Add `/tasks`, `/search`, `/evaluate`, `/corpus` and `/between` to the Blocks that is being built."""

    def tasks() -> list[dict[str, Any]]:
        """The tasks: name, title, direction, signature, splits."""
        return [
            {
                "name": task.name,
                "title": task.title,
                "sense": task.sense,
                "signature": task.signature(),
                "splits": list(task.splits),
            }
            for task in map(get_task, task_names())
        ]

    async def search(
        task: str,
        budget: int = 30,
        seed: int = 0,
        optimizer: str = "gradient",
        space: str = "prior",
        radius: float = 8.0,
        init: str = "reference",
        request: gr.Request | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Search; progress comes first, then the pipeline's result under "result"."""
        try:
            run = service.runs.start(
                task,
                visitor=request.session_hash if request is not None else None,
                budget=budget,
                seed=seed,
                optimizer=optimizer,
                space=space,
                radius=radius,
                init=init,
            )
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from None
        try:
            while not run.over:
                service.runs.get(run.id)
                yield {
                    "state": run.state,
                    "ahead": service.runs.ahead(run),
                    "decoder_calls": len(run.made()),
                    "history": views.history(run),
                }
                await asyncio.sleep(0.5)
            if run.state == FAILED:
                raise gr.Error(run.message, print_exception=False)
            result = {key: value for key, value in (run.result or {}).items() if key != "output"}
            yield {"state": run.state, "decoder_calls": result["decoder_calls"], "result": result}
        finally:
            # The client has its result, or has gone: there is no other way to this run.
            service.runs.discard(run.id)

    def evaluate(task: str, program: str, split: str = "search") -> dict[str, Any]:
        """Run a program in the sandbox: status, objective, score, message."""
        try:
            return service.evaluate(task, program, split).as_dict()
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from None

    def corpus(task: str, least: float = 0.0, most: float = 100.0) -> list[dict[str, Any]]:
        """Programs of the corpus between two percentiles of score, with their place on the map."""
        try:
            atlas, shown = service.corpus(task, least, most)
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from None
        return [
            {
                "row": row,
                "program": atlas.rows[row].program,
                "objective": atlas.rows[row].objective,
                "family": atlas.rows[row].family,
                "split": atlas.rows[row].split,
                "place": atlas.flat[row].tolist(),
            }
            for row in shown
        ]

    def between(task: str, first: int, second: int, seed: int = 0) -> list[dict[str, Any]]:
        """Decode and score what lies between two programs of the corpus."""
        try:
            found = service.between(task, first, second, seed)
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from None
        return [{"share": stop.share, "program": stop.program, **stop.evaluation.as_dict()} for stop in found]

    gr.api(tasks, api_name="tasks")
    gr.api(search, api_name="search", concurrency_limit=None)
    gr.api(evaluate, api_name="evaluate", concurrency_limit=2, concurrency_id="sandbox")
    gr.api(corpus, api_name="corpus")
    gr.api(between, api_name="between", concurrency_limit=1, concurrency_id="decoder")
