"""The first tab: a search, its settings on the left, what it finds on the right."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from ..errors import CallError
from . import drawing, run_view, views
from .atlas import Atlas
from .checks import whole
from .editor import Editor
from .endpoints import caller, refusal
from .parts import download, heading, html, program_code, unseen
from .runs import Run
from .service import SpaceService

DEFAULT_TASK = "tsp_construct"
DEFAULT_BUDGET = 30
REFRESH_S = 0.4
SETTINGS = ("budget", "space", "optimizer", "radius", "seed", "init")
"""What a visitor chooses besides the task, by the names of the controls and of the search's settings."""
OPTIMIZER_LABELS = [
    ("gradient ascent on the surrogate", "gradient"),
    ("interpolation between good programs", "interpolation"),
    ("CMA-ES", "cma"),
    ("cross-entropy method", "cem"),
    ("control: random directions", "random"),
    ("control: against the gradient", "against"),
    ("control: samples of the prior", "prior"),
    ("control: no step", "none"),
    ("control: nearest good program", "nearest_elite"),
]
# The new file's address is on the page one drawing after the event.
_CLICK = "() => requestAnimationFrame(() => setTimeout(() => document.querySelector('#NAME')?.click(), 50))"


class SearchTab:
    """Controls on the left, the search as it runs on the right."""

    def __init__(self, service: SpaceService) -> None:
        self.service = service
        self.run_name = gr.State(None)
        self.remembered = gr.BrowserState(None, storage_key="lhs-run")
        with gr.Row():
            with gr.Column(scale=1, min_width=290):
                self._controls()
            with gr.Column(scale=4, min_width=300):
                self._results()
        self._wire()

    def _controls(self) -> None:
        self.task = gr.Dropdown(self.service.tasks.choices(), value=DEFAULT_TASK, label="Problem", elem_id="lhs-task")
        self.budget = gr.Slider(
            5, self.service.limits.budget, value=DEFAULT_BUDGET, step=5, label="Budget (programs)", elem_id="lhs-budget"
        )
        self.init = gr.Radio(
            [("reference program", "reference"), ("best of the corpus", "corpus")],
            value="reference",
            label="Starting point",
            elem_id="lhs-init",
        )
        with gr.Row():
            self.run_button = gr.Button("Run", variant="primary", min_width=110, elem_id="lhs-run")
            self.stop_button = gr.Button("Stop", variant="stop", min_width=110, interactive=False, elem_id="lhs-stop")
        with gr.Accordion("How it moves", open=False, elem_id="lhs-settings"):
            self.optimizer = gr.Dropdown(OPTIMIZER_LABELS, value="gradient", label="Optimiser", elem_id="lhs-optimizer")
            self.space = gr.Radio(
                [("prior (through the flow)", "prior"), ("latent (no flow)", "latent")], value="prior", label="Space"
            )
            self.radius = gr.Slider(
                1, 16, value=8, step=0.5, label="Radius", info="how far a step may go, in standard deviations"
            )
            self.seed = gr.Number(0, precision=0, minimum=0, label="Seed", info="equal seeds give equal searches")
        self.inputs = [self.task, *(getattr(self, name) for name in SETTINGS)]

    def _results(self) -> None:
        first = self.service.tasks.get(DEFAULT_TASK)
        with gr.Column(elem_classes="lhs-card"):
            self.status = html(views.status(None, first), "lhs-status-box")
        with gr.Row():
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                heading("Best program so far")
                self.curve = html(run_view.idle_curve(self.service, first, DEFAULT_BUDGET), "lhs-curve")
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                heading("Where the search goes, among the corpus")
                self.map = html(run_view.MAP_COMES, "lhs-map")
        with gr.Column(elem_classes="lhs-card", visible=False) as self.picture_card:
            heading("What it builds, beside the reference")
            self.picture = html("", "lhs-solution")
        with gr.Tabs():
            with gr.Tab("Program"):
                self.program = program_code(
                    views.best_program(None, first)[0], "Best program", "lhs-program", interactive=False
                )
                with gr.Row():
                    self.download = gr.DownloadButton(
                        "Download program", size="sm", interactive=False, min_width=150, elem_id="lhs-get-program"
                    )
                    # These two take seconds to make: a button makes the file, a hidden one then hands it over.
                    self.archive, self.archive_file = download("Download run folder", "lhs-get-run")
                    self.adapter, self.adapter_file = download("Download adapter", "lhs-get-adapter")
                self.comparison = html("", "lhs-comparison")
            with gr.Tab("Change"):
                self.difference = html(views.note("The best program's change appears here."), "lhs-difference")
            with gr.Tab("Candidates"):
                self.candidates = html(views.candidate_table(None), "lhs-candidates")
            with gr.Tab("Edit"):
                self.editor = Editor(self.service, first)

    def _wire(self) -> None:
        quiet = unseen(show_progress="hidden")
        self.outputs = [
            self.status,
            self.curve,
            self.map,
            self.candidates,
            self.program,
            self.difference,
            self.comparison,
            self.picture,
            self.picture_card,
            self.run_button,
            self.stop_button,
            self.download,
            self.archive,
            self.adapter,
        ]
        self.run_button.click(
            self.start,
            [*self.inputs, self.run_name],
            [self.run_name, self.remembered, self.run_button],
            **quiet,
        ).success(self.watch, [self.run_name], self.outputs, **quiet)
        self.stop_button.click(lambda name: self.service.runs.stop(name), self.run_name, None, **quiet)
        self.task.input(
            self.show_task,
            [self.task, self.budget, self.run_name],
            [self.status, self.curve, self.program, *self.editor.outputs],
            **quiet,
        ).then(self.show_corpus, [self.task, self.space, self.run_name], self.map, **quiet)
        for button, file, hand_over in (
            (self.archive, self.archive_file, self.hand_archive),
            (self.adapter, self.adapter_file, self.hand_adapter),
        ):
            button.click(hand_over, self.run_name, file, **unseen(show_progress="minimal")).success(
                None, js=_CLICK.replace("NAME", str(file.elem_id)), **unseen()
            )
        self.editor.wire(self.task, self.program)

    def wire_recovery(self, page: gr.Blocks) -> None:
        """After a reload the page finds its search again, running or finished."""
        quiet = unseen(show_progress="hidden")
        page.load(self.recover, [self.remembered], [self.run_name, *self.inputs], **quiet).then(
            self.show_corpus, [self.task, self.space, self.run_name], self.map, **quiet
        ).then(self.watch, [self.run_name], self.outputs, **quiet)

    # -- what happens ------------------------------------------------------------------------------------------------

    def start(self, request: gr.Request, task: str, *values: Any) -> tuple[Any, ...]:
        """Queue a search in place of the visitor's former one; `values` are those of the `SETTINGS`, and its name."""
        *chosen, former = values
        settings = dict(zip(SETTINGS, chosen, strict=True))
        self.service.runs.stop(former)
        visitor, _ = caller(request)
        try:
            run = self.service.runs.start(task, visitor=visitor, **{**settings, "seed": settings["seed"] or 0})
        except CallError as problem:
            raise refusal(problem) from None
        return run.id, run.id, gr.update(interactive=False)

    def recover(self, remembered: str | None) -> list[Any]:
        """The run this browser started last and its settings, if it is still there."""
        run = self.service.runs.get(remembered)
        if run is None:
            return [None, *[gr.skip()] * len(self.inputs)]
        return [run.id, run.task.name, *(run.settings[name] for name in SETTINGS)]

    async def watch(self, name: str | None, request: gr.Request) -> AsyncIterator[list[Any]]:
        """Show a run as it goes on, until it is over or nobody looks any more."""
        # A generator that yields nothing would empty all its outputs.
        yield [gr.skip()] * len(self.outputs)
        visitor, session = caller(request)
        try:
            with self.service.watching(visitor):
                async for shown in self._watch(name, visitor, session):
                    yield shown
        except CallError as problem:
            raise refusal(problem) from None

    async def _watch(self, name: str | None, visitor: str, session: str | None) -> AsyncIterator[list[Any]]:
        shown, drawn = -1, (-1, -1, False)
        while (run := self.service.look(name, session)) is not None and not self.service.left(session):
            version, over = run.version, run.over
            mapped = self.service.has_corpus(run.task.name)
            atlas = self.service.atlases.ready(run.task.name, run.settings["space"]) if mapped else None
            marks = (len(run.steps), len(run.candidates), atlas is not None)
            # Time goes on between candidates; the drawings do not change then.
            fresh = version != shown or marks != drawn
            if fresh or not over:
                yield self._only(await asyncio.to_thread(self._news, run, atlas, fresh, marks != drawn))
                shown, drawn = version, marks
            if over:
                break
            await asyncio.sleep(REFRESH_S if version != run.version else 2 * REFRESH_S)
        if run is None or not run.over:
            return
        picture = partial(run_view.picture, self.service, run)
        yield self._only(await self.service.file_in_turn(picture, visitor, session))
        if atlas is None and mapped:
            made = partial(self.service.atlas, run.task.name, run.settings["space"])
            atlas = await self.service.map_in_turn(made, visitor, session)
            yield self._only({"map": run_view.around(self.service, run, atlas)})

    def _news(self, run: Run, atlas: Atlas | None, fresh: bool, moved: bool) -> dict[str, Any]:
        if fresh:
            return run_view.everything(self.service, run, atlas, moved)
        return {"status": run_view.status(self.service, run)}

    def _only(self, updates: dict[str, Any]) -> list[Any]:
        """Values of these outputs, by their names here; the others stay as they are."""
        named = {id(getattr(self, name)): value for name, value in updates.items()}
        return [named.get(id(output), gr.skip()) for output in self.outputs]

    async def hand_archive(self, name: str | None, request: gr.Request) -> str:
        """The run folder of the visitor's finished search, made now."""
        return await self._hand_over(self.service.archive, name, request)

    async def hand_adapter(self, name: str | None, request: gr.Request) -> str:
        """The adapter of the visitor's finished search, made now."""
        return await self._hand_over(self.service.adapter, name, request)

    async def _hand_over(self, make: Callable[[Run], Path | None], name: str | None, request: gr.Request) -> str:
        run = self.service.runs.get(name)
        try:
            made = await self.service.file_in_turn(partial(make, run), *caller(request)) if run is not None else None
        except CallError as problem:
            raise refusal(problem) from None
        if made is None:
            raise refusal(CallError("there is nothing to download: no search of this page is kept"))
        return str(made)

    async def show_corpus(self, task: str, space: str, name: str | None, request: gr.Request) -> Any:
        """The map before there is a search on the page: the corpus alone."""
        if self.service.runs.get(name) is not None:
            return gr.skip()
        try:
            if not self.service.has_corpus(task):
                return run_view.NO_MAP
            atlas = await self.service.map_in_turn(partial(self.service.atlas, task, space), *caller(request))
        except CallError as problem:
            raise refusal(problem) from None
        return gr.skip() if self.service.runs.get(name) is not None else drawing.search_map(atlas, [], {})

    def show_task(self, task: str, budget: float, name: str | None) -> list[Any]:
        """Another task was chosen: its words and its reference program, unless a search is on the page."""
        try:
            chosen = self.service.tasks.get(task)
            most = whole("budget", budget, 1, self.service.limits.budget)
        except CallError as problem:
            raise refusal(problem) from None
        program = chosen.template.rstrip() + "\n"
        run = self.service.runs.get(name)
        idle = run is None or run.over
        return [
            views.status(None, chosen) if idle else gr.skip(),
            run_view.idle_curve(self.service, chosen, most) if run is None else gr.skip(),
            program if run is None else gr.skip(),
            program,
            gr.update(choices=list(chosen.splits), value="search"),
            "",
        ]
