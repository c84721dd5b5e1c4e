"""A program that the visitor writes, and its evaluation in the sandbox."""

from __future__ import annotations

from typing import Any

import gradio as gr

from ..errors import CallError
from ..evaluation import SandboxError
from ..tasks.base import Task
from . import views
from .endpoints import caller, refusal
from .parts import html, unseen
from .service import SpaceService


class Editor:
    """The program, the split it is run on, and the verdict."""

    def __init__(self, service: SpaceService, first: Task) -> None:
        self.service = service
        self.edited = gr.Code(
            views.best_program(None, first)[0],
            language="python",
            label="Your program",
            interactive=True,
            elem_id="lhs-edit",
            max_lines=24,
        )
        with gr.Row():
            self.split = gr.Dropdown(list(first.splits), value="search", label="Split", min_width=140)
            self.take = gr.Button("Take the best program", size="sm", min_width=140)
            self.evaluate = gr.Button("Evaluate in the sandbox", variant="primary", size="sm", elem_id="lhs-evaluate")
        self.verdict = html(
            views.note(f"A program may run for {service.limits.edit_s:.0f} s; it can open no file and no socket."),
            "lhs-verdict",
        )
        self.outputs = [self.edited, self.split, self.verdict]

    @staticmethod
    def begin(task: Task) -> list[Any]:
        """Values of the outputs for another task."""
        return [task.template.rstrip() + "\n", gr.update(choices=list(task.splits), value="search"), ""]

    def wire(self, task: gr.Dropdown, run_name: gr.State) -> None:
        """`task`: of the page; `run_name`: of the search whose best program can be taken over."""
        self.take.click(self.take_best, [task, run_name], self.edited, **unseen(show_progress="hidden"))
        self.evaluate.click(self.judge, [task, self.edited, self.split], self.verdict, **unseen())

    def take_best(self, task: str, name: str | None, request: gr.Request) -> str:
        """The best program of the search on the page; the reference program without one."""
        try:
            return views.best_program(self.service.look(name, caller(request)[1]), self.service.tasks.get(task))[0]
        except CallError as problem:
            raise refusal(problem) from None

    async def judge(self, task: str, program: str, split: str, request: gr.Request) -> str:
        """Evaluate an edited program."""
        try:
            evaluation = await self.service.evaluate_in_turn(task, program or "", split, *caller(request))
        except (CallError, SandboxError) as problem:
            return views.note(str(problem), "bad")
        return views.verdict(self.service.tasks.get(task), split, evaluation)
