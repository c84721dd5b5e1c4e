"""The page: two tabs of Gradio components, wired to `SpaceService`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import gradio as gr

from ..tasks import get_task, task_names
from . import drawing, views
from .endpoints import add_endpoints
from .explore import build_explorer
from .runs import Run
from .service import SpaceService
from .theme import CSS, make_theme

DEFAULT_TASK = "tsp_construct"
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
        choices = [(get_task(name).title, name) for name in task_names()]
        self.task = gr.Dropdown(choices, value=DEFAULT_TASK, label="Problem", elem_id="lhs-task")
        self.budget = gr.Slider(
            5, self.service.limits.budget, value=30, step=5, label="Budget (programs written)", elem_id="lhs-budget"
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
            self.optimizer = gr.Dropdown(OPTIMIZER_LABELS, value="gradient", label="Optimiser")
            self.space = gr.Radio(
                [("prior (through the flow)", "prior"), ("latent (no flow)", "latent")], value="prior", label="Space"
            )
            self.radius = gr.Slider(
                1, 16, value=8, step=0.5, label="Radius", info="how far a step may go, in standard deviations"
            )
            self.seed = gr.Number(0, precision=0, minimum=0, label="Seed", info="equal seeds give equal searches")
        self.inputs = [self.task, self.budget, self.space, self.optimizer, self.radius, self.seed, self.init]

    def _results(self) -> None:
        first = get_task(DEFAULT_TASK)
        with gr.Column(elem_classes="lhs-card"):
            self.status = _html(views.status(None, first), "lhs-status-box")
        with gr.Row():
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                gr.HTML("<h3>Best program so far</h3>", apply_default_css=False, js_on_load=None)
                self.curve = _html(drawing.curve(first, [], 1, None, None), "lhs-curve")
            with gr.Column(min_width=300, elem_classes="lhs-card"):
                gr.HTML("<h3>Where the search goes, among the corpus</h3>", apply_default_css=False, js_on_load=None)
                self.map = _html("", "lhs-map")
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
                    self.download = gr.DownloadButton("Download program", size="sm", interactive=False)
                    self.archive = gr.DownloadButton("Download run folder", size="sm", interactive=False)
                self.comparison = _html("", "lhs-comparison")
            with gr.Tab("Change against parent"):
                self.difference = _html(views.note("The best program's change appears here."), "lhs-difference")
            with gr.Tab("Candidates"):
                self.candidates = _html(views.candidate_table(None), "lhs-candidates")
            with gr.Tab("Edit and evaluate"):
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
        hidden: dict[str, Any] = {"api_visibility": "private"}
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
        ]
        watch: dict[str, Any] = {
            "fn": self.watch,
            "inputs": [self.run_name],
            "outputs": self.outputs,
            "concurrency_limit": None,
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
            queue=False,
            show_progress="hidden",
            **hidden,
        )
        self.task.input(
            self.show_task,
            [self.task, self.run_name],
            [self.status, self.curve, self.program, self.edited, self.split, self.verdict],
            show_progress="hidden",
            **hidden,
        )
        self.take.click(lambda program: program, self.program, self.edited, show_progress="hidden", **hidden)
        self.evaluate.click(
            self.judge,
            [self.task, self.edited, self.split],
            self.verdict,
            concurrency_limit=2,
            concurrency_id="sandbox",
            **hidden,
        )

    def wire_recovery(self, page: gr.Blocks) -> None:
        """After a reload the page finds its search again, running or finished."""
        hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
        page.load(self.recover, [self.remembered], [self.run_name, *self.inputs], **hidden).then(
            self.watch, [self.run_name], self.outputs, concurrency_limit=None, **hidden
        )

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
    ) -> tuple[Any, ...]:
        """Queue a search in place of the visitor's former one."""
        self.service.runs.stop(former)
        try:
            run = self.service.runs.start(
                task,
                budget=int(budget),
                space=space,
                optimizer=optimizer,
                radius=float(radius),
                seed=int(seed or 0),
                init=init,
            )
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from None
        return run.id, run.id, gr.update(interactive=False)

    def recover(self, remembered: str | None) -> list[Any]:
        """The run this browser started last and its settings, if it is still there."""
        run = self.service.runs.get(remembered)
        if run is None:
            return [None, *[gr.skip()] * len(self.inputs)]
        names = ("budget", "space", "optimizer", "radius", "seed", "init")
        return [run.id, run.task.name, *(run.settings[name] for name in names)]

    async def watch(self, name: str | None) -> AsyncIterator[list[Any]]:
        """Show a run as it goes on, until it is over."""
        # A generator that yields nothing would empty all its outputs.
        yield [gr.skip()] * len(self.outputs)
        shown, drawn = -1, (-1, -1)
        while (run := self.service.runs.get(name)) is not None:
            version, over = run.version, run.over
            steps = (len(run.steps), len(run.candidates))
            if version != shown or not over:
                # Time goes on between candidates; the drawings do not change then.
                fresh = version != shown
                yield await asyncio.to_thread(self._show, run, fresh, fresh and steps != drawn)
                shown, drawn = version, steps
            if over:
                return
            await asyncio.sleep(REFRESH_S if version != run.version else 2 * REFRESH_S)

    def _show(self, run: Run, fresh: bool, moved: bool) -> list[Any]:
        # The first to ask waits for the map: what is shown beside it is read afterwards.
        atlas = self.service.atlases.get(run.task.name, run.settings["space"]) if fresh else None
        status = views.status(run, run.task, self.service.runs.ahead(run))
        if atlas is None:
            return [status, *[gr.skip()] * (len(self.outputs) - 1)]
        history = views.history(run)
        reference = next((row.objective for row in run.ordered() if row.role == "reference"), None)
        corpus = max(atlas.rows, key=lambda row: row.score).objective
        over = run.over
        picture = self.service.picture(run) if over else ""
        archive, program = (
            (self.service.runs.archive(run), self.service.runs.program_file(run)) if over else (None, None)
        )
        return [
            status,
            drawing.curve(run.task, history, run.budget, reference, corpus, run.made()),
            drawing.search_map(atlas, list(run.steps), dict(run.candidates)) if moved or over else gr.skip(),
            views.candidate_table(run),
            views.best_program(run, run.task)[0],
            views.difference(run),
            views.comparison(run),
            picture,
            gr.update(visible=bool(picture)),
            gr.update(interactive=over),
            gr.update(interactive=not over and not run.stop.is_set()),
            gr.update(value=str(program) if program else None, interactive=program is not None),
            gr.update(value=str(archive) if archive else None, interactive=archive is not None),
        ]

    def show_task(self, task: str, name: str | None) -> list[Any]:
        """Another task was chosen: its words and its reference program, unless a search is on the page."""
        chosen = get_task(task)
        program = chosen.template.rstrip() + "\n"
        run = self.service.runs.get(name)
        idle = run is None or run.over
        return [
            views.status(None, chosen) if idle else gr.skip(),
            drawing.curve(chosen, [], 1, None, None) if run is None else gr.skip(),
            program if run is None else gr.skip(),
            program,
            gr.update(choices=list(chosen.splits), value="search"),
            "",
        ]

    def judge(self, task: str, program: str, split: str) -> str:
        """Evaluate an edited program."""
        try:
            return views.verdict(get_task(task), split, self.service.evaluate(task, program or "", split))
        except ValueError as problem:
            return views.note(str(problem), "bad")


def _html(value: str, name: str) -> gr.HTML:
    return gr.HTML(value, elem_id=name, apply_default_css=False, js_on_load=None)


def build_app(service: SpaceService | None = None) -> gr.Blocks:
    """The page as a `gradio.Blocks`; `service` holds the model and the visitors' searches."""
    service = service or SpaceService()
    with gr.Blocks(title="Latent Heuristic Search", analytics_enabled=False, delete_cache=(600, 3600)) as page:
        gr.HTML(INTRODUCTION, apply_default_css=False, js_on_load=None)
        with gr.Tabs():
            with gr.Tab("Search", id="search"):
                tab = SearchTab(service)
            with gr.Tab("Corpus", id="corpus") as corpus_tab:
                build_explorer(service, corpus_tab, DEFAULT_TASK)
        tab.wire_recovery(page)
        add_endpoints(service)
    page.queue(max_size=64)
    return page


def launch(service: SpaceService | None = None, **options: Any) -> Any:
    """Build the page and serve it; `options` are those of `gradio.Blocks.launch`. Returns what that returns."""
    service = service or SpaceService()
    service.warm()
    page = build_app(service)
    # Downloads are read from the run folders, which only their own visitor knows the names of.
    return page.launch(theme=make_theme(), css=CSS, ssr_mode=False, footer_links=["api", "settings"], **options)
