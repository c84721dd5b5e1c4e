"""The first tab: a search, its settings on the left, what it finds on the right."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from ..errors import CallError
from . import candidates, drawing, run_view
from .atlas import Atlas
from .card import result_card
from .catalogue import DEFAULT_TASK
from .checks import whole
from .editor import Editor
from .endpoints import caller, refusal
from .latest import LatestCall
from .links import asked_run, asked_settings
from .parts import download, heading, html, marks, program_view, unseen
from .run import Run
from .service import SpaceService
from .theme import CLICK_SCRIPT, COPY_LINK_SCRIPT, TO_PROGRESS_SCRIPT
from .versus import MOST, Versus

DEFAULT_BUDGET = 20
REFRESH_S = 0.4
SETTINGS = ("budget", "proposals", "space", "optimizer", "radius", "seed", "init")
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


class SearchTab:
    """Controls on the left, the search as it runs on the right."""

    def __init__(self, service: SpaceService) -> None:
        self.service = service
        self._map_calls, self._watch_calls = LatestCall(), LatestCall()
        self.run_name = gr.State(service.example.id if service.example is not None else None)
        self.former = gr.State([])
        self.remembered = gr.BrowserState(None, storage_key="lhs-run")
        with gr.Row():
            with gr.Column(scale=1, min_width=290):
                self._controls()
            with gr.Column(scale=4, min_width=300):
                self._results()
        self._wire()

    def _controls(self) -> None:
        self.task = gr.Dropdown(self.service.tasks.choices(), value=DEFAULT_TASK, label="Problem", elem_id="lhs-task")
        self.proposals = gr.Radio(
            [("edits and latent points", "portfolio"), ("latent points alone", "latent")],
            value="portfolio",
            label="Programs come from",
            elem_id="lhs-proposals",
        )
        self.budget = gr.Slider(
            5, self.service.limits.budget, value=DEFAULT_BUDGET, step=5, label="Budget (programs)", elem_id="lhs-budget"
        )
        self.init = gr.Radio(
            [("best of the corpus", "corpus"), ("reference program", "reference")],
            value="corpus",
            label="Starting point",
            elem_id="lhs-init",
        )
        with gr.Row():
            self.run_button = gr.Button("Run", variant="primary", min_width=110, elem_id="lhs-run")
            self.stop_button = gr.Button("Stop", variant="stop", min_width=110, interactive=False, elem_id="lhs-stop")
        self.seed = gr.Number(
            0, precision=0, minimum=0, label="Seed", info="equal seeds give equal searches", elem_id="lhs-seed"
        )
        with gr.Accordion("How latent points move, without edits", open=False, elem_id="lhs-settings"):
            self.optimizer = gr.Dropdown(OPTIMIZER_LABELS, value="gradient", label="Optimiser", elem_id="lhs-optimizer")
            self.space = gr.Radio(
                [("prior (through the flow)", "prior"), ("latent (no flow)", "latent")], value="prior", label="Space"
            )
            self.radius = gr.Slider(
                1, 16, value=8, step=0.5, label="Radius", info="how far a step may go, in standard deviations"
            )
        self.link = gr.Button("Copy a link to this search", size="sm", elem_id="lhs-link")
        self.inputs = [self.task, *(getattr(self, name) for name in SETTINGS)]

    def _results(self) -> None:
        first, example = self.service.tasks.get(DEFAULT_TASK), self.service.example
        shown = (
            run_view.nothing(self.service, first, DEFAULT_BUDGET)
            if example is None
            else run_view.everything(self.service, example, None)
        )
        with gr.Column(elem_classes="lhs-card"):
            self.status = html(shown["status"], "lhs-status-box")
        with gr.Row():
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                heading("Best program so far")
                self.curve = html(shown["curve"], "lhs-curve")
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                heading("Where the search goes, among the corpus")
                self.map = marks(shown["map"], "lhs-map")
        with gr.Column(visible=False, elem_classes="lhs-card") as self.picture_card:
            heading("What the best program builds")
            self.picture = html("", "lhs-solution")
        with gr.Tabs(selected="program") as self.tabs:
            with gr.Tab("Program", id="program"):
                self.comparison = html(shown["comparison"], "lhs-comparison")
                self.program = program_view(shown["program"], "lhs-program")
                with gr.Row():
                    self.download = gr.DownloadButton(
                        "Download program", size="sm", interactive=False, min_width=150, elem_id="lhs-get-program"
                    )
                    # These take a while to make: a button makes the file, a hidden one then hands it over.
                    self.card, self.card_file = download("Download result card", "lhs-get-card")
                    self.archive, self.archive_file = download("Download run folder", "lhs-get-run")
                    self.adapter, self.adapter_file = download("Download adapter", "lhs-get-adapter")
            with gr.Tab("Candidates", id="candidates") as self.candidates_tab:
                self.candidates = gr.Dataframe(
                    shown["candidates"],
                    headers=candidates.HEADER,
                    datatype=candidates.KINDS,
                    type="array",
                    interactive=False,
                    show_search="filter",
                    max_height=300,
                    column_widths=candidates.WIDTHS,
                    label="Every program: choose a row to open it",
                    elem_id="lhs-candidates",
                )
                with gr.Row():
                    with gr.Column(min_width=300, elem_classes="lhs-card"):
                        self.opened = marks(shown["opened"], "lhs-opened")
                    with gr.Column(min_width=300):
                        self.opened_code = program_view(shown["opened_code"], "lhs-opened-code")
                        self.ranks = marks(shown["ranks"], "lhs-ranks")
            with gr.Tab("Edit", id="edit"):
                self.editor = Editor(self.service, first)
            with gr.Tab("Compare", id="compare") as self.versus_tab:
                self.versus = Versus(self.service)

    def _wire(self) -> None:
        quiet = unseen(show_progress="hidden")
        names = (
            *("status", "curve", "map", "candidates", "ranks", "opened", "opened_code", "program", "comparison"),
            *("picture", "picture_card", "task", "run_button", "stop_button", "download", "card", "archive", "adapter"),
        )
        self.outputs = {name: getattr(self, name) for name in names}
        outputs = [*self.outputs.values()]
        self.run_button.click(None, js=TO_PROGRESS_SCRIPT, **quiet)
        self.watches = [
            self.run_button.click(
                self.start,
                [*self.inputs, self.run_name, self.former],
                [self.run_name, self.remembered, self.former, self.run_button, self.task],
                **quiet,
                # The former search's watch may still draw its picture: this one must not wait for it.
            ).success(self.watch, [self.run_name], outputs, trigger_mode="multiple", **quiet)
        ]
        self.stop_button.click(lambda name: self.service.runs.stop(name), self.run_name, None, **quiet)
        for part in (self.candidates, self.map, self.ranks, self.opened):
            part.select(self.open, [self.run_name], [self.tabs, self.opened, self.opened_code], **quiet)
        # What reaches a table before it was ever shown is lost: it is filled when its tab is opened, too.
        self.candidates_tab.select(self.list_candidates, [self.run_name], self.candidates, **quiet)
        self.link.click(None, self.inputs, None, js=COPY_LINK_SCRIPT, **quiet)
        for button, file, hand_over in (
            (self.card, self.card_file, self.hand_card),
            (self.archive, self.archive_file, self.hand_archive),
            (self.adapter, self.adapter_file, self.hand_adapter),
        ):
            button.click(hand_over, self.run_name, file, **unseen(show_progress="minimal")).success(
                None, js=CLICK_SCRIPT.replace("NAME", str(file.elem_id)), **unseen()
            )
        self.editor.wire(self.task, self.run_name)
        self.versus.wire(self.versus_tab, self.run_name, self.former)

    def wire_recovery(self, page: gr.Blocks) -> None:
        """After a reload the page finds its search again, running or finished; an address may fill the form."""
        quiet = unseen(show_progress="hidden")
        outputs = [*self.outputs.values()]
        self.watches.append(
            page.load(
                self.recover,
                [self.remembered],
                [self.run_name, *self.inputs[1:], *outputs, *self.editor.outputs],
                **quiet,
            ).then(self.watch, [self.run_name], outputs, **quiet)
        )
        corpus = (self.show_corpus, [self.task, self.space, self.run_name], self.map)
        self.watches[-1].then(*corpus, **quiet)
        # What a watch still draws of the former run must not come after another task is on the page.
        self.task.input(
            self.show_task,
            [self.task, self.budget, self.run_name],
            [self.run_name, self.remembered, *outputs, *self.editor.outputs],
            cancels=self.watches,
            **quiet,
        ).then(*corpus, **quiet)

    # -- what happens ------------------------------------------------------------------------------------------------

    def start(self, request: gr.Request, task: str, *values: Any) -> tuple[Any, ...]:
        """Queue a search in place of the visitor's last one.

        `values`: those of the `SETTINGS`, the name of the last one, and those of the ones before, the latest first.
        """
        *chosen, last, former = values
        settings = dict(zip(SETTINGS, chosen, strict=True))
        self.service.runs.stop(last)
        visitor, session = caller(request)
        try:
            run = self.service.runs.start(task, visitor=visitor, **{**settings, "seed": settings["seed"] or 0})
        except CallError as problem:
            raise refusal(problem) from None
        self._map_calls.begin(session)
        kept = [name for name in (last, *former) if name is not None][:MOST]
        return run.id, run.id, kept, gr.update(interactive=False), gr.update(interactive=False)

    def recover(self, remembered: str | None, request: gr.Request) -> list[Any]:
        """The settings that the address asks for, else those of the run this browser started last if it is there.

        With what the page shows for them; without either the example stays.
        """
        query = dict(request.query_params) if request is not None else {}
        asked, linked = asked_settings(self.service, query, SETTINGS), asked_run(self.service, query)
        run = linked or self.service.runs.get(remembered)
        if linked is None and run is not None and not _is_of(run, asked):
            run = None
        if run is None and not asked:
            # What is on the page stays: a visitor may have chosen something by now.
            return [gr.skip()] * (1 + len(SETTINGS) + len(self.outputs) + len(self.editor.outputs))
        settings = asked if run is None else run.settings
        task = run.task if run is not None else self.service.tasks.get(asked.get("task", DEFAULT_TASK))
        # The parts of a run come with the watch.
        parts = {} if run is not None else run_view.nothing(self.service, task, settings.get("budget", DEFAULT_BUDGET))
        parts["task"] = gr.update(value=task.name)
        values = [settings.get(name, gr.skip()) for name in SETTINGS]
        return [run.id if run is not None else None, *values, *self._only(parts, {}), *self.editor.begin(task)]

    async def watch(self, name: str | None, request: gr.Request) -> AsyncIterator[list[Any]]:
        """Show a run as it goes on, until it is over, another one is on the page, or nobody looks any more."""
        unchanged = [gr.skip()] * len(self.outputs)
        # A generator that yields nothing would empty all its outputs.
        yield unchanged
        visitor, session = caller(request)
        call = self._watch_calls.begin(session)
        try:
            with self.service.watching(visitor):
                async for shown in self._watch(name, visitor, session):
                    if not self._watch_calls.is_latest(session, call):
                        break
                    yield shown
        except CallError as problem:
            raise refusal(problem) from None
        # What a generator yields last is sent once more at its end.
        yield unchanged

    async def _watch(self, name: str | None, visitor: str, session: str | None) -> AsyncIterator[list[Any]]:
        seen: dict[str, Any] = {}
        shown, drawn = -1, False
        if self.service.example is not None and name == self.service.example.id:
            return  # it is on the page from the beginning
        while (run := self.service.look(name, session)) is not None and not self.service.left(session):
            version, over = run.version, run.over
            mapped = self.service.has_corpus(run.task.name)
            atlas = self.service.atlases.ready(run.task.name, run.settings["space"]) if mapped else None
            # Time goes on between candidates; the drawings do not change then.
            fresh = version != shown or (atlas is not None) != drawn
            if fresh or not over:
                yield self._only(await asyncio.to_thread(self._news, run, atlas, fresh), seen)
                shown, drawn = version, atlas is not None
            if over:
                break
            await asyncio.sleep(REFRESH_S if version != run.version else 2 * REFRESH_S)
        if run is None or not run.over:
            return
        picture = partial(run_view.picture, self.service, run)
        yield self._only(await self.service.file_in_turn(picture, visitor, session), seen)
        if atlas is None and mapped:
            made = partial(self.service.atlas, run.task.name, run.settings["space"])
            atlas = await self.service.map_in_turn(made, visitor, session)
            yield self._only({"map": run_view.around(self.service, run, atlas)}, seen)

    def _news(self, run: Run, atlas: Atlas | None, fresh: bool) -> dict[str, Any]:
        if fresh:
            return run_view.everything(self.service, run, atlas)
        return {"status": run_view.status(self.service, run)}

    def _only(self, updates: dict[str, Any], seen: dict[str, Any]) -> list[Any]:
        """Values of these outputs, by their names here; the others, and those that were `seen` so, stay as they are."""
        new = {name: value for name, value in updates.items() if name not in seen or seen[name] != value}
        seen.update(new)
        return [new.get(name, gr.skip()) for name in self.outputs]

    def list_candidates(self, name: str | None, request: gr.Request) -> Any:
        """The table of the visitor's run, as it is now."""
        return run_view.table(self.service, self.service.look(name, caller(request)[1]))

    async def open(self, name: str | None, event: gr.EventData, request: gr.Request) -> tuple[Any, ...]:
        """Open the candidate of a row of the table, of a mark or of an ancestor."""
        run = self.service.look(name, caller(request)[1])
        if run is None:
            raise refusal(CallError("there is no search on the page whose candidates could be opened"))
        data = event._data if isinstance(event._data, dict) else {}
        cells = data.get("row_value")
        number = cells[0] if isinstance(cells, list) and cells else data.get("row")
        try:
            if isinstance(number, str) and number.isdecimal():
                number = int(number[:9])
            number = whole("a candidate's number", number, 0, max(run.candidates, default=0))
            if number not in run.candidates:
                raise CallError(f"candidate {number} has no result yet")
        except CallError as problem:
            raise refusal(problem) from None
        if run is self.service.example:
            run = replace(run)
        run.chosen = number
        shown = run_view.opened(self.service, run)
        return gr.Tabs(selected="candidates"), shown["opened"], shown["opened_code"]

    async def hand_card(self, name: str | None, request: gr.Request) -> str:
        """The result card of the visitor's finished search, made now."""

        def make(run: Run) -> Path | None:
            return self.service.runs.card_file(run, result_card(self.service, run)) if run.result is not None else None

        return await self._hand_over(make, name, request)

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
        """The map before there is a search on the page: the corpus alone.

        It takes a while; it must not come over that of a search or of another task.
        """
        visitor, session = caller(request)
        call = self._map_calls.begin(session)
        if self.service.runs.get(name) is not None:
            return gr.skip()
        try:
            if not self.service.has_corpus(task):
                return run_view.NO_MAP
            atlas = await self.service.map_in_turn(partial(self.service.atlas, task, space), visitor, session)
        except CallError as problem:
            raise refusal(problem) from None
        if not self._map_calls.is_latest(session, call):
            return gr.skip()
        return drawing.search_map(atlas, self.service.look(name, session))

    def show_task(self, task: str, budget: float, name: str | None) -> list[Any]:
        """Another task was chosen: its words and its reference program, and nothing of the former search."""
        try:
            chosen = self.service.tasks.get(task)
            most = whole("budget", budget, 1, self.service.limits.budget)
        except CallError as problem:
            raise refusal(problem) from None
        run = self.service.runs.get(name)
        if run is not None and not run.over:
            raise refusal(CallError("a search is running; stop it before you choose another problem"))
        parts = self._only(run_view.nothing(self.service, chosen, most), {})
        return [None, None, *parts, *self.editor.begin(chosen)]


def _is_of(run: Run, asked: dict[str, Any]) -> bool:
    """Whether a run is one of these settings and task."""
    return all(value == run.settings.get(name, run.task.name) for name, value in asked.items())
