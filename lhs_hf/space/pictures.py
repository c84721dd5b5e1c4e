"""The picture of a found solution beside the reference's: the one place that asks `lhs_hf.plots` for it."""

from __future__ import annotations

import base64
import html
import io
from typing import Any

from .. import plots
from ..evaluation import Evaluator
from ..tasks.base import Task

WIDE, NARROW = 1000, 420


def solution_picture(task: Task, evaluator: Evaluator, found: str, reference: str, split: str = "search") -> str:
    """What two programs build on the first instance of a split, as `<img>` tags with alternative text.

    One image a theme and width; the style sheet shows one of them. "" where no picture can be drawn.
    """
    draw: Any = getattr(plots, "plot_comparison", None)
    solve: Any = getattr(evaluator, "solve", None)
    if draw is None or solve is None:
        return ""
    first, second = solve(found, split, 0), solve(reference, split, 0)
    text = html.escape(plots.alt_text(task, first, second), quote=True)
    images = []
    for theme in ("light", "dark"):
        for width in (WIDE, NARROW):
            buffer = io.BytesIO()
            draw(task, first, second, theme=theme, width=width, transparent=True).savefig(buffer, format="svg")
            data = base64.b64encode(buffer.getvalue()).decode()
            size = "wide" if width == WIDE else "narrow"
            images.append(
                f'<img class="lhs-picture lhs-{theme}-{size}" alt="{text}" src="data:image/svg+xml;base64,{data}">'
            )
    return "".join(images)
