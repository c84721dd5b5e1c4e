"""A program that the visitor writes, and its evaluation in the sandbox."""

from __future__ import annotations

import gradio as gr

from ..errors import CallError
from ..evaluation import SandboxError
from ..tasks.base import Task
from . import views
from .endpoints import caller
from .parts import html, program_code, unseen
from .service import SpaceService


class Editor:
    """The program, the split it is run on, and the verdict."""

    def __init__(self, service: SpaceService, first: Task) -> None:
        self.service = service
        self.edited = program_code(views.best_program(None, first)[0], "Your program", "lhs-edit", interactive=True)
        with gr.Row():
            self.split = gr.Dropdown(list(first.splits), value="search", label="Split", min_width=140)
            self.take = gr.Button("Take the best program", size="sm", min_width=140)
            self.evaluate = gr.Button("Evaluate in the sandbox", variant="primary", size="sm", elem_id="lhs-evaluate")
        self.verdict = html(
            views.note(f"A program may run for {service.limits.edit_s:.0f} s; it can open no file and no socket."),
            "lhs-verdict",
        )
        self.outputs = [self.edited, self.split, self.verdict]

    def wire(self, task: gr.Dropdown, program: gr.Code) -> None:
        """`task`: of the page; `program`: the best one, which can be taken over."""
        self.take.click(lambda best: best, program, self.edited, **unseen(show_progress="hidden"))
        self.evaluate.click(self.judge, [task, self.edited, self.split], self.verdict, **unseen())

    async def judge(self, task: str, program: str, split: str, request: gr.Request) -> str:
        """Evaluate an edited program."""
        try:
            evaluation = await self.service.evaluate_in_turn(task, program or "", split, *caller(request))
        except (CallError, SandboxError) as problem:
            return views.note(str(problem), "bad")
        return views.verdict(self.service.tasks.get(task), split, evaluation)
