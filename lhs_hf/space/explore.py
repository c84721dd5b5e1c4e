"""The second tab: the corpus as a map, programs on it, and what lies between two of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import gradio as gr
import numpy as np

from ..errors import CallError
from ..evaluation import SandboxError
from . import drawing, views
from .code import program
from .endpoints import caller, refusal
from .parts import html, marks, program_view, unseen
from .service import SpaceService

T = TypeVar("T")
Ends = tuple[int | None, int | None]


class Explorer:
    """Filter, map, the program that was clicked, and the way from A to B."""

    def __init__(self, service: SpaceService, tab: gr.Tab, first: str) -> None:
        self.service = service
        self.at = gr.State(None)
        self.ends = gr.State((None, None))
        with gr.Row():
            with gr.Column(scale=1, min_width=290):
                choices = [choice for choice in service.tasks.choices() if service.has_corpus(choice[1])]
                self.task = gr.Dropdown(choices, value=first, label="Problem", elem_id="lhs-corpus-task")
                self.least = gr.Slider(
                    0, 100, value=0, step=1, label="Score at least (percentile)", elem_id="lhs-corpus-least"
                )
                self.most = gr.Slider(
                    0, 100, value=100, step=1, label="Score at most (percentile)", elem_id="lhs-corpus-most"
                )
                self.count = gr.HTML("", apply_default_css=False, js_on_load=None, elem_classes="lhs-muted")
                with gr.Row():
                    self.set_a = gr.Button("Start (A) here", size="sm", min_width=120, elem_id="lhs-set-a")
                    self.set_b = gr.Button("End (B) here", size="sm", min_width=120, elem_id="lhs-set-b")
                self.go = gr.Button("Decode what lies between", variant="primary", elem_id="lhs-between")
            with gr.Column(scale=2, min_width=300, elem_classes="lhs-card"):
                self.map = marks(drawing.empty("The corpus is being laid out."), "lhs-corpus-map")
            with gr.Column(scale=2, min_width=300, elem_classes="lhs-card"):
                self.facts = html(
                    views.note("Click a point, or walk there with the arrow keys and press Enter."), "lhs-facts"
                )
                self.program = program_view("", "lhs-corpus-program")
        self.way = html("", "lhs-way")
        self._wire(tab)

    def _wire(self, tab: gr.Tab) -> None:
        hidden = unseen(show_progress="minimal")
        filters = [self.task, self.least, self.most]
        drawing_of = [self.map, self.count]
        tab.select(self.draw, [*filters, self.ends], drawing_of, **hidden)
        # A slider's keys and its number field change it without ever releasing it.
        gr.on(
            [self.least.change, self.most.change],
            self.draw,
            [*filters, self.ends],
            drawing_of,
            trigger_mode="always_last",
            **hidden,
        )
        self.task.input(
            self.change_task, filters, [*drawing_of, self.at, self.ends, self.facts, self.program, self.way], **hidden
        )
        self.map.select(self.open, [self.task], [self.at, self.facts, self.program], **hidden)
        for button, place in ((self.set_a, 0), (self.set_b, 1)):
            button.click(
                self.mark_start if place == 0 else self.mark_end,
                [self.at, self.ends, *filters],
                [self.ends, *drawing_of],
                **hidden,
            )
        self.go.click(
            self.walk,
            [*filters, self.ends],
            [self.way, self.map],
            **hidden,
        )

    async def draw(self, task: str, least: float, most: float, ends: Ends, request: gr.Request) -> tuple[str, str]:
        """The filtered map and how many programs it shows."""
        return await self._turn(partial(self._draw, task, least, most, ends), request)

    async def change_task(self, task: str, least: float, most: float, request: gr.Request) -> tuple[Any, ...]:
        """Another task: nothing is chosen yet."""
        hint = views.note("Click a point, or walk there with the arrow keys and press Enter.")
        drawn = await self._turn(partial(self._draw, task, least, most, (None, None)), request)
        return (*drawn, None, (None, None), hint, "", "")

    async def open(self, task: str, event: gr.EventData, request: gr.Request) -> tuple[int, str, str]:
        """The program of the point that was clicked."""
        number = event._data.get("row") if isinstance(event._data, dict) else None
        row = await self._turn(partial(self.service.row, task, number), request)
        return int(number), views.row_facts(row), program(row.program, "Program")  # type: ignore[arg-type]

    async def mark_start(
        self, at: int | None, ends: Ends, task: str, least: float, most: float, request: gr.Request
    ) -> tuple[Any, ...]:
        """Make the open program A."""
        return await self._mark((at, ends[1]), at, task, least, most, request)

    async def mark_end(
        self, at: int | None, ends: Ends, task: str, least: float, most: float, request: gr.Request
    ) -> tuple[Any, ...]:
        """Make the open program B."""
        return await self._mark((ends[0], at), at, task, least, most, request)

    async def walk(self, task: str, least: float, most: float, ends: Ends, request: gr.Request) -> tuple[str, Any]:
        """Decode and score five programs on the line from A to B."""
        self._check(task)
        first, second = ends
        if first is None or second is None or first == second:
            # One line in one place: an error would be written over each output.
            return views.note("Choose two different programs, A and B, on the map first.", "bad"), gr.skip()

        def work() -> tuple[str, str]:
            found = self.service.between(task, first, second)
            atlas, shown = self.service.corpus(task, least, most)
            flat = atlas.project(np.stack([stop.point.numpy() for stop in found]))
            picture = drawing.corpus_map(atlas, shown, {"A": first, "B": second}, flat)
            return views.between_list(self.service.tasks.get(task), found), picture

        try:
            return await self.service.decode_in_turn(work, *caller(request))
        except (CallError, SandboxError) as problem:
            raise refusal(problem) from None

    def _check(self, task: str) -> None:
        """A task that is not there is named before anything that is missing."""
        try:
            self.service.tasks.get(task)
        except CallError as problem:
            raise refusal(problem) from None

    def _draw(self, task: str, least: float, most: float, ends: Ends) -> tuple[str, str]:
        atlas, shown = self.service.corpus(task, least, most)
        marked = {letter: row for letter, row in zip("AB", ends) if row is not None and row < len(atlas.rows)}
        picture = drawing.corpus_map(atlas, shown, marked)
        return picture, f"{len(shown)} of {len(atlas.rows)} programs"

    async def _mark(
        self, ends: Ends, at: int | None, task: str, least: float, most: float, request: gr.Request
    ) -> tuple[Any, ...]:
        self._check(task)
        if at is None:
            gr.Warning("Open a program on the map first.")
            return (gr.skip(),) * 3
        return (ends, *await self._turn(partial(self._draw, task, least, most, ends), request))

    async def _turn(self, work: Callable[[], T], request: gr.Request) -> T:
        try:
            return await self.service.map_in_turn(work, *caller(request))
        except CallError as problem:
            raise refusal(problem) from None


def build_explorer(service: SpaceService, tab: gr.Tab, first: str) -> Explorer:
    """Lay out the corpus tab inside the open `gr.Tab`."""
    return Explorer(service, tab, first)
