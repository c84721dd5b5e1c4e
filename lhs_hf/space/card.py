"""A finished search on one page of HTML that needs nothing else: to keep, and to show to others."""

from __future__ import annotations

import html

from . import run_view, views
from .code import highlighted
from .run import Run
from .service import SpaceService
from .theme import CSS


def result_card(service: SpaceService, run: Run) -> str:
    """Verdict, curve, comparison and program of a finished run as a whole HTML document, in the light theme."""
    task, settings = run.task, run.settings
    how = f"{task.name}, budget {settings['budget']}, seed {settings['seed']}"
    plain = "body{font-family:ui-sans-serif,system-ui,sans-serif;max-width:900px;margin:24px auto;padding:0 16px;"
    plain += (
        "--block-background-fill:#fff;--block-border-color:#e2e4e0}pre{overflow:auto;background:#f3f4f0;padding:12px}"
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(task.title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{CSS}{plain}</style></head><body><main>'
        f"{run_view.status(service, run)}{run_view.curve(service, run)}"
        f"{views.comparison(run, service.known_on_splits(task.name))}"
        f'<h2>The program</h2><pre class="lhs-code">{highlighted(views.best_program(run, task)[0])}</pre>'
        f'<p class="lhs-muted">Latent Heuristic Search: {html.escape(how)}.</p></main></body></html>'
    )
