"""Named endpoints for `gradio_client`: the same searches, programs and evaluations without the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import gradio as gr

from ..errors import CallError
from ..evaluation import SandboxError
from . import views
from .run import FAILED
from .service import SpaceService


def caller(request: gr.Request | None) -> tuple[str, str | None]:
    """Whose call it is and in which session, for the limits of each visitor."""
    if request is None or request.client is None:
        return "unknown", None
    return request.client.host, request.session_hash


def refusal(problem: Exception) -> gr.Error:
    """What a visitor is told of a wrong call: one line."""
    return gr.Error(str(problem), print_exception=False)


class Endpoints:
    """What each endpoint does, by its name."""

    def __init__(self, service: SpaceService) -> None:
        self._service = service

    def tasks(self) -> list[dict[str, Any]]:
        """The optimization problems there are: name, title, direction (min or max), signature of a program, splits."""
        return [
            {
                "name": task.name,
                "title": task.title,
                "sense": task.sense,
                "signature": task.signature(),
                "splits": list(task.splits),
            }
            for task in self._service.tasks
        ]

    async def search(
        self,
        task: str,
        budget: int = 30,
        seed: int = 0,
        optimizer: str = "gradient",
        space: str = "prior",
        radius: float = 8.0,
        init: str = "reference",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> AsyncIterator[dict[str, Any]]:
        """Search for a better heuristic program for a task, with a learned latent space of programs.

        It takes from half a minute to ten. Progress comes first, then the outcome under "result": "program",
        "objective", "reference", "corpus" and "found" by split, and "conclusion" in plain words. Nobody has read the
        program: have it read, or run by evaluate, before it is used.

        Args:
            task: Name of a task, of those that tasks lists.
            budget: Programs to write, 1 to 200.
            seed: Two searches with one seed find the same.
            optimizer: How points move: gradient, interpolation, random, against, none, prior, nearest_elite, cma, cem.
            space: The space that is searched: prior or latent.
            radius: How far one step may go, in standard deviations of the prior.
            init: Where it begins: reference (the one reference program) or corpus (the best known programs).
        """
        visitor, session = caller(request)
        try:
            run = self._service.runs.start(
                task,
                visitor=visitor,
                budget=budget,
                seed=seed,
                optimizer=optimizer,
                space=space,
                radius=radius,
                init=init,
            )
        except CallError as problem:
            raise refusal(problem) from None
        try:
            while not run.over:
                # A client that has gone does not look, though Gradio asks on: its search ends as any unwatched one.
                self._service.look(run.id, session)
                yield {
                    "state": run.state,
                    "ahead": self._service.runs.ahead(run),
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
            self._service.runs.discard(run.id)

    async def evaluate(
        self,
        task: str,
        program: str,
        split: str = "search",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> dict[str, Any]:
        """Run a program in the sandbox on a task's instances: status, objective, score (higher is better), message.

        Args:
            task: Name of a task, of those that tasks lists.
            program: Python text that defines one function with the task's signature.
            split: Instances it runs on: search, holdout or a test split of the task.
        """
        try:
            return (await self._service.evaluate_in_turn(task, program, split, *caller(request))).as_dict()
        except (CallError, SandboxError) as problem:
            raise refusal(problem) from None

    async def corpus(
        self,
        task: str,
        least: float = 0.0,
        most: float = 100.0,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> list[dict[str, Any]]:
        """Known programs for a task between two percentiles of score, with objective, family and place on the map.

        Args:
            task: Name of a task, of those that tasks lists.
            least: The lowest percentile, 0 to 100.
            most: The highest percentile, 0 to 100; the best programs are those near 100.
        """
        try:
            atlas, shown = await self._service.map_in_turn(
                partial(self._service.corpus, task, least, most), *caller(request)
            )
        except CallError as problem:
            raise refusal(problem) from None
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

    async def between(
        self,
        task: str,
        first: int,
        second: int,
        seed: int = 0,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> list[dict[str, Any]]:
        """Write and score programs that lie between two programs of the corpus in the latent space.

        Args:
            task: Name of a task, of those that tasks lists.
            first: Row of a program, as corpus names it.
            second: Row of another one.
            seed: Two calls with one seed give the same programs.
        """
        try:
            found = await self._service.decode_in_turn(
                partial(self._service.between, task, first, second, seed), *caller(request)
            )
        except (CallError, SandboxError) as problem:
            raise refusal(problem) from None
        return [{"share": stop.share, "program": stop.program, **stop.evaluation.as_dict()} for stop in found]


def add_endpoints(service: SpaceService) -> None:
    """Add `/tasks`, `/search`, `/evaluate`, `/corpus` and `/between` to the Blocks that is being built."""
    endpoints = Endpoints(service)
    # Turns are taken inside of the calls: Gradio's own line is one for all visitors.
    for name in ("tasks", "search", "evaluate", "corpus", "between"):
        gr.api(getattr(endpoints, name), api_name=name, concurrency_limit=None)
