"""The second tab: the corpus as a map, programs on it, and what lies between two of them."""

from __future__ import annotations

from typing import Any

import gradio as gr
import numpy as np

from ..tasks import get_task, task_names
from . import drawing, views
from .service import SpaceService
from .theme import MAP_SCRIPT


class Explorer:
    """Filter, map, the program that was clicked, and the way from A to B."""

    def __init__(self, service: SpaceService, tab: gr.Tab, first: str) -> None:
        self.service = service
        self.at = gr.State(None)
        self.ends = gr.State((None, None))
        with gr.Row():
            with gr.Column(scale=1, min_width=290):
                choices = [(get_task(name).title, name) for name in task_names()]
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
                self.map = gr.HTML(
                    "", apply_default_css=False, js_on_load=MAP_SCRIPT, elem_id="lhs-corpus-map", min_height=200
                )
            with gr.Column(scale=2, min_width=300, elem_classes="lhs-card"):
                self.facts = gr.HTML(
                    views.note("Click a point, or walk there with the arrow keys and press Enter."),
                    apply_default_css=False,
                    js_on_load=None,
                    elem_id="lhs-facts",
                )
                self.program = gr.Code(
                    "",
                    language="python",
                    label="Program",
                    interactive=False,
                    max_lines=20,
                    elem_id="lhs-corpus-program",
                )
        self.way = gr.HTML("", apply_default_css=False, js_on_load=None, elem_id="lhs-way")
        self._wire(tab)

    def _wire(self, tab: gr.Tab) -> None:
        hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "minimal"}
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
                lambda at, ends, *chosen, place=place: self.mark(place, at, ends, *chosen),
                [self.at, self.ends, *filters],
                [self.ends, *drawing_of],
                **hidden,
            )
        self.go.click(
            self.walk,
            [*filters, self.ends],
            [self.way, self.map],
            concurrency_limit=1,
            concurrency_id="decoder",
            **hidden,
        )

    def draw(self, task: str, least: float, most: float, ends: tuple[int | None, int | None]) -> tuple[str, str]:
        """The filtered map and how many programs it shows."""
        atlas, shown = self.service.corpus(task, least, most)
        marked = {letter: row for letter, row in zip("AB", ends) if row is not None}
        picture = drawing.corpus_map(atlas, shown, marked)
        return picture, f"{len(shown)} of {len(atlas.rows)} programs"

    def change_task(self, task: str, least: float, most: float) -> tuple[Any, ...]:
        """Another task: nothing is chosen yet."""
        hint = views.note("Click a point, or walk there with the arrow keys and press Enter.")
        return (*self.draw(task, least, most, (None, None)), None, (None, None), hint, "", "")

    def open(self, task: str, event: gr.EventData) -> tuple[int, str, str]:
        """The program of the point that was clicked."""
        number = int(event._data["row"])
        row = self.service.row(task, number)
        return number, views.row_facts(row), row.program.rstrip() + "\n"

    def mark(
        self,
        place: int,
        at: int | None,
        ends: tuple[int | None, int | None],
        task: str,
        least: float,
        most: float,
    ) -> tuple[Any, ...]:
        """Make the open program A (0) or B (1)."""
        if at is None:
            raise gr.Error("open a program on the map first", print_exception=False)
        ends = (at, ends[1]) if place == 0 else (ends[0], at)
        return (ends, *self.draw(task, least, most, ends))

    def walk(self, task: str, least: float, most: float, ends: tuple[int | None, int | None]) -> tuple[str, str]:
        """Decode and score five programs on the line from A to B."""
        first, second = ends
        if first is None or second is None or first == second:
            raise gr.Error("choose two different programs, A and B, on the map first", print_exception=False)
        found = self.service.between(task, first, second)
        atlas, shown = self.service.corpus(task, least, most)
        flat = atlas.project(np.stack([stop.point.numpy() for stop in found]))
        picture = drawing.corpus_map(atlas, shown, {"A": first, "B": second}, flat)
        return views.between_list(get_task(task), found), picture


def build_explorer(service: SpaceService, tab: gr.Tab, first: str) -> Explorer:
    """Lay out the corpus tab inside the open `gr.Tab`."""
    return Explorer(service, tab, first)
