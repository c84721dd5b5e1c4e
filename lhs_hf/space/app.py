"""The page: two tabs, wired to `SpaceService`, and its server."""

from __future__ import annotations

import sys
from typing import Any

import gradio as gr

from ..evaluation.workers import default_workers
from .catalogue import DEFAULT_TASK
from .endpoints import add_endpoints
from .explore import build_explorer
from .folder import ending_on_terminate
from .head import PREVIEW, head
from .own_task import build_own_task
from .page import CALLS, Page, environment, keep_listening
from .parts import html
from .search_tab import SearchTab
from .service import SpaceService
from .theme import CSS, make_theme

SWITCH_S = 0.001
# What Gradio keeps of its calls' times to show an owner, and after how many it works them out again.
ANALYTICS = {"GRADIO_ANALYTICS_MAX_EVENTS": "64", "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000"}
INTRODUCTION = """
<header class="lhs-head"><h1>Latent Heuristic Search: watch a search think</h1>
<p>A heuristic is a short rule that builds a good solution step by step where the best one is out of reach, such as
which customer to drive to next. Press Run to have better rules written than those that are known: good programs are
edited, points of a latent space decoded, and every candidate runs in a sandbox and is scored.</p></header>
"""


def build_app(service: SpaceService | None = None) -> Page:
    """The page as a `gradio.Blocks`; `service` holds the model and the visitors' searches."""
    service = service or SpaceService()
    with (
        environment(**ANALYTICS),
        Page(title="Latent Heuristic Search", analytics_enabled=False, delete_cache=(600, 3600)) as page,
    ):
        page.service = service
        gr.HTML(INTRODUCTION, apply_default_css=False, js_on_load=None)
        with gr.Tabs():
            with gr.Tab("Search", id="search"):
                tab = SearchTab(service)
            with gr.Tab("Corpus", id="corpus") as corpus_tab:
                build_explorer(service, corpus_tab, DEFAULT_TASK)
            with gr.Tab("Your own problem", id="own"):
                build_own_task()
        html('<p class="lhs-unseen" role="status" aria-live="polite"></p>', "lhs-live")
        tab.wire_recovery(page)
        keep_listening(page)
        add_endpoints(service)
        page.queue(max_size=CALLS, default_concurrency_limit=None, api_open=False)
    return page


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
            shown = {"theme": make_theme(), "css": CSS, "head": head(), "allowed_paths": [str(PREVIEW)]}
            return page.launch(**shown, footer_links=["api", "settings"], **options)
        finally:
            if not options.get("prevent_thread_lock"):
                service.close()
