"""The page: two tabs of Gradio components, wired to `SpaceService`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from ..errors import CallError
from ..evaluation import SandboxError, Unsolved
from ..evaluation.workers import default_workers
from ..tasks.base import Task
from . import drawing, views
from .access import Access
from .atlas import Atlas
from .checks import whole
from .endpoints import add_endpoints, caller, refusal
from .explore import build_explorer
from .folder import ending_on_terminate
from .gate import Gate
from .runs import Run
from .service import SpaceService
from .theme import CSS, make_theme

DEFAULT_TASK = "tsp_construct"
DEFAULT_BUDGET = 30
REFRESH_S = 0.4
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
# Every 3 seconds, for two minutes after the visitor's last click or key and for as long as a search is under way.
_WAKE = """() => {
  let last = Date.now();
  const note = event => { if (event.isTrusted) last = Date.now(); };
  ['click', 'keydown'].forEach(kind => addEventListener(kind, note, true));
  setInterval(() => {
    const awaited = document.querySelector('[data-state=waiting], [data-state=running]');
    if (awaited || Date.now() - last < 120000) document.querySelector('#lhs-wake')?.click();
  }, 3000);
}"""
# Calls that Gradio may have under way: each visitor's share is bounded before.
CALLS = 512
SWITCH_S = 0.001
# What Gradio keeps of its calls' times to show an owner, and after how many it works them out again.
ANALYTICS = {"GRADIO_ANALYTICS_MAX_EVENTS": "64", "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000"}
NO_MAP = views.note("The corpus has no programs of this task, and so there is no map.")
MAP_COMES = views.note("The corpus is being laid out; the map comes in a moment.")
INTRODUCTION = """
<header class="lhs-head"><h1>Latent Heuristic Search: watch a search think</h1>
<p>A program becomes a point, a learned ranking says where uphill is, and a decoder writes the new point back as
code. Every candidate runs in a sandbox and is scored. Choose a problem, press Run, leave with a program.</p></header>
"""


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
        self.inputs = [self.task, self.budget, self.space, self.optimizer, self.radius, self.seed, self.init]

    def _results(self) -> None:
        first = self.service.tasks.get(DEFAULT_TASK)
        with gr.Column(elem_classes="lhs-card"):
            self.status = _html(views.status(None, first), "lhs-status-box")
        with gr.Row():
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                gr.HTML("<h3>Best program so far</h3>", apply_default_css=False, js_on_load=None)
                self.curve = _html(self._idle_curve(first, DEFAULT_BUDGET), "lhs-curve")
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                gr.HTML("<h3>Where the search goes, among the corpus</h3>", apply_default_css=False, js_on_load=None)
                self.map = _html(MAP_COMES, "lhs-map")
        with gr.Column(elem_classes="lhs-card", visible=False) as self.picture_card:
            gr.HTML("<h3>What it builds, beside the reference</h3>", apply_default_css=False, js_on_load=None)
            self.picture = _html("", "lhs-solution")
        with gr.Tabs():
            with gr.Tab("Program"):
                self.program = gr.Code(
                    views.best_program(None, first)[0],
                    language="python",
                    label="Best program",
                    interactive=False,
                    elem_id="lhs-program",
                    max_lines=24,
                )
                with gr.Row():
                    self.download = gr.DownloadButton(
                        "Download program", size="sm", interactive=False, min_width=150, elem_id="lhs-get-program"
                    )
                    # These two take seconds to make: a button makes the file, a hidden one then hands it over.
                    self.archive, self.archive_file = _download("Download run folder", "lhs-get-run")
                    self.adapter, self.adapter_file = _download("Download adapter", "lhs-get-adapter")
                self.comparison = _html("", "lhs-comparison")
            with gr.Tab("Change"):
                self.difference = _html(views.note("The best program's change appears here."), "lhs-difference")
            with gr.Tab("Candidates"):
                self.candidates = _html(views.candidate_table(None), "lhs-candidates")
            with gr.Tab("Edit"):
                self._editor(first)

    def _editor(self, first: Any) -> None:
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
        self.verdict = _html(
            views.note(f"A program may run for {self.service.limits.edit_s:.0f} s; it can open no file and no socket."),
            "lhs-verdict",
        )

    def _wire(self) -> None:
        # Turns are taken inside of the calls: Gradio's own line is one for all visitors.
        hidden: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": None}
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
        watch: dict[str, Any] = {
            "fn": self.watch,
            "inputs": [self.run_name],
            "outputs": self.outputs,
            "show_progress": "hidden",
            **hidden,
        }
        self.run_button.click(
            self.start,
            [*self.inputs, self.run_name],
            [self.run_name, self.remembered, self.run_button],
            show_progress="hidden",
            **hidden,
        ).success(**watch)
        self.stop_button.click(
            lambda name: self.service.runs.stop(name),
            self.run_name,
            None,
            show_progress="hidden",
            **hidden,
        )
        self.task.input(
            self.show_task,
            [self.task, self.budget, self.run_name],
            [self.status, self.curve, self.program, self.edited, self.split, self.verdict],
            show_progress="hidden",
            **hidden,
        ).then(self.show_corpus, [self.task, self.space, self.run_name], self.map, show_progress="hidden", **hidden)
        for button, file, hand_over in (
            (self.archive, self.archive_file, self.hand_archive),
            (self.adapter, self.adapter_file, self.hand_adapter),
        ):
            button.click(
                hand_over,
                self.run_name,
                file,
                show_progress="minimal",
                **hidden,
            ).success(None, js=_CLICK.replace("NAME", str(file.elem_id)), **hidden)
        self.take.click(lambda program: program, self.program, self.edited, show_progress="hidden", **hidden)
        self.evaluate.click(
            self.judge,
            [self.task, self.edited, self.split],
            self.verdict,
            **hidden,
        )

    def wire_recovery(self, page: gr.Blocks) -> None:
        """After a reload the page finds its search again, running or finished."""
        hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden", "concurrency_limit": None}
        page.load(self.recover, [self.remembered], [self.run_name, *self.inputs], **hidden).then(
            self.show_corpus, [self.task, self.space, self.run_name], self.map, **hidden
        ).then(self.watch, [self.run_name], self.outputs, **hidden)

    # -- what happens ------------------------------------------------------------------------------------------------

    def start(
        self,
        task: str,
        budget: float,
        space: str,
        optimizer: str,
        radius: float,
        seed: float,
        init: str,
        former: str | None,
        request: gr.Request,
    ) -> tuple[Any, ...]:
        """Queue a search in place of the visitor's former one."""
        self.service.runs.stop(former)
        visitor, _ = caller(request)
        try:
            run = self.service.runs.start(
                task,
                visitor=visitor,
                budget=budget,
                space=space,
                optimizer=optimizer,
                radius=radius,
                seed=seed or 0,
                init=init,
            )
        except CallError as problem:
            raise refusal(problem) from None
        return run.id, run.id, gr.update(interactive=False)

    def recover(self, remembered: str | None) -> list[Any]:
        """The run this browser started last and its settings, if it is still there."""
        run = self.service.runs.get(remembered)
        if run is None:
            return [None, *[gr.skip()] * len(self.inputs)]
        names = ("budget", "space", "optimizer", "radius", "seed", "init")
        return [run.id, run.task.name, *(run.settings[name] for name in names)]

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
                yield await asyncio.to_thread(self._show, run, atlas, fresh, marks != drawn)
                shown, drawn = version, marks
            if over:
                break
            await asyncio.sleep(REFRESH_S if version != run.version else 2 * REFRESH_S)
        if run is None or not run.over:
            return
        yield await self.service.file_in_turn(partial(self._show_picture, run), visitor, session)
        if atlas is None and mapped:
            made = partial(self.service.atlas, run.task.name, run.settings["space"])
            atlas = await self.service.map_in_turn(made, visitor, session)
            yield self._only(map=drawing.search_map(atlas, list(run.steps), dict(run.candidates)))

    def _show(self, run: Run, atlas: Atlas | None, fresh: bool, moved: bool) -> list[Any]:
        status = views.status(run, run.task, self.service.runs.ahead(run))
        if not fresh:
            return self._only(status=status)
        history = views.history(run)
        reference, corpus = self.service.known_objectives(run.task.name)
        over = run.over
        program = self.service.runs.program_file(run) if over else None
        if atlas is None:
            around = MAP_COMES if self.service.has_corpus(run.task.name) else NO_MAP
        else:
            around = drawing.search_map(atlas, list(run.steps), dict(run.candidates)) if moved else gr.skip()
        updates = {
            "status": status,
            "curve": drawing.curve(run.task, history, run.budget, reference, corpus, run.made()),
            "map": around,
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
        return self._only(**updates)

    def _show_picture(self, run: Run) -> list[Any]:
        try:
            picture = self.service.picture(run)
        except (CallError, SandboxError, Unsolved) as problem:
            picture = views.note(f"No picture of the solutions: {problem}")
        return self._only(picture=picture, picture_card=gr.update(visible=bool(picture)))

    def _only(self, **updates: Any) -> list[Any]:
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

    def _idle_curve(self, task: Task, budget: int) -> str:
        reference, corpus = self.service.known_objectives(task.name)
        return drawing.curve(task, [], budget, reference, corpus)

    async def show_corpus(self, task: str, space: str, name: str | None, request: gr.Request) -> Any:
        """The map before there is a search on the page: the corpus alone."""
        if self.service.runs.get(name) is not None:
            return gr.skip()
        try:
            if not self.service.has_corpus(task):
                return NO_MAP
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
            self._idle_curve(chosen, most) if run is None else gr.skip(),
            program if run is None else gr.skip(),
            program,
            gr.update(choices=list(chosen.splits), value="search"),
            "",
        ]

    async def judge(self, task: str, program: str, split: str, request: gr.Request) -> str:
        """Evaluate an edited program."""
        try:
            evaluation = await self.service.evaluate_in_turn(task, program or "", split, *caller(request))
        except (CallError, SandboxError) as problem:
            return views.note(str(problem), "bad")
        return views.verdict(self.service.tasks.get(task), split, evaluation)


def _download(label: str, name: str) -> tuple[gr.Button, gr.DownloadButton]:
    """A button and the hidden one, called `name`-file, that hands its file over."""
    button = gr.Button(label, size="sm", interactive=False, min_width=150, elem_id=name)
    return button, gr.DownloadButton(label, elem_id=f"{name}-file", elem_classes="lhs-hidden")


def _html(value: str, name: str) -> gr.HTML:
    return gr.HTML(value, elem_id=name, apply_default_css=False, js_on_load=None)


class Page(gr.Blocks):
    """A `gradio.Blocks` that is only served behind a `Gate`."""

    service: SpaceService

    def launch(  # type: ignore[override]
        self, *, allow_hosts: Sequence[str] = (), trusted_proxies: Sequence[str] = (), **options: Any
    ) -> Any:
        """Serve the page; `options` are those of `gradio.Blocks.launch`, and what that returns is returned.

        Args:
            allow_hosts: names, besides those of this machine, under which the page is asked for and from whose pages
                it may be used; "*" for all.
            trusted_proxies: addresses whose `X-Forwarded-For` says where a request comes from; "*" for all.
        """
        access = Access.of(options.get("server_name"), allow_hosts, trusted_proxies)
        gate = Middleware(
            Gate,  # type: ignore[arg-type]
            access=access,
            limits=self.service.limits,
            presence=self.service.presence,
            forget=self._forget,
        )
        kept = {name: options.pop(name, value) for name, value in _SERVED.items()}
        passed = {**(options.pop("app_kwargs", None) or {})}
        passed["middleware"] = [*passed.get("middleware", ()), gate]
        with _environment(FORWARDED_ALLOW_IPS=""):
            # The gate reads the proxies' headers itself: uvicorn would believe whoever is on this machine.
            return super().launch(**kept, **options, app_kwargs=passed)

    async def _forget(self, session: str, wholly: bool) -> None:
        """Drop Gradio's calls of a session and their unread answers; wholly, what its page remembers, too."""
        queue = self._queue
        await queue.clean_events(session_hash=session)
        queue.pending_messages_per_session.pop(session, None)
        queue.pending_event_ids_session.pop(session, None)
        if wholly:
            self.app.state_holder.session_data.pop(session, None)


# Nothing is uploaded, no page is rendered or served by another process, and nothing is kept of what was run.
_SERVED: dict[str, Any] = {
    "max_threads": CALLS,
    "max_file_size": 1,
    "num_workers": 0,
    "ssr_mode": False,
    "run_history": False,
    "enable_monitoring": False,
    "mcp_server": False,
    "state_session_capacity": 1000,
}


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Environment variables that hold within the block."""
    former = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def build_app(service: SpaceService | None = None) -> Page:
    """The page as a `gradio.Blocks`; `service` holds the model and the visitors' searches."""
    service = service or SpaceService()
    with (
        _environment(**ANALYTICS),
        Page(title="Latent Heuristic Search", analytics_enabled=False, delete_cache=(600, 3600)) as page,
    ):
        page.service = service
        gr.HTML(INTRODUCTION, apply_default_css=False, js_on_load=None)
        with gr.Tabs():
            with gr.Tab("Search", id="search"):
                tab = SearchTab(service)
            with gr.Tab("Corpus", id="corpus") as corpus_tab:
                build_explorer(service, corpus_tab, DEFAULT_TASK)
        tab.wire_recovery(page)
        _keep_listening(page)
        add_endpoints(service)
        page.queue(max_size=CALLS, default_concurrency_limit=None, api_open=False)
    return page


def _keep_listening(page: gr.Blocks) -> None:
    """An event that does nothing but have the page read its answers, sent again and again while one may be awaited.

    Gradio's client closes the stream of answers when the server has no more to say, even if another event was sent
    meanwhile, and opens it at the next one: a search that was just started would not appear until the next click.
    """
    wake = gr.Button(elem_id="lhs-wake", elem_classes="lhs-hidden")
    hidden: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
    # Its own answer may be the one that is not read: the next one does not wait for it.
    wake.click(lambda: None, trigger_mode="multiple", concurrency_limit=None, **hidden)
    page.load(None, js=_WAKE, **hidden)


def launch(service: SpaceService | None = None, **options: Any) -> Any:
    """Build the page and serve it; `options` are those of `Page.launch`. Returns what that returns.

    Once it is over, SIGTERM included, what the searches wrote is deleted; with `prevent_thread_lock` that is left to
    whoever closes `service`.
    """
    import torch

    with ending_on_terminate():
        service = service or SpaceService()
        # Searches run beside each other: more threads than cores would only wait for one another.
        torch.set_num_threads(max(1, default_workers() // service.limits.searches))
        # Answers wait for Python's lock behind each search's thread; the shorter their turns, the sooner.
        sys.setswitchinterval(SWITCH_S)
        try:
            service.warm()
            page = build_app(service)
            # Downloads are read from the run folders, which only their own visitor knows the names of.
            return page.launch(theme=make_theme(), css=CSS, footer_links=["api", "settings"], **options)
        finally:
            if not options.get("prevent_thread_lock"):
                service.close()
