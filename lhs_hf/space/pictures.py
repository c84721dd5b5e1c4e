"""The picture of a found solution beside the reference's: the one place that asks `lhs_hf.plots` for it."""

from __future__ import annotations

import base64
import html
import io
from typing import Any

from .. import plots
from ..tasks.base import Task


def solution_picture(task: Task, found: str, reference: str, theme: str = "light") -> str:
    """An `<img>` of what both programs build on one instance, with alternative text; "" where none can be drawn."""
    draw = getattr(plots, "plot_comparison", None)
    describe = getattr(plots, "alt_text", None)
    if draw is None or describe is None:
        return ""
    drawn: Any = draw(task, found, reference, theme=theme)
    buffer = io.BytesIO()
    drawn.savefig(buffer, format="svg", transparent=True)
    data = base64.b64encode(buffer.getvalue()).decode()
    text = html.escape(describe(task, found, reference), quote=True)
    return f'<img class="lhs-picture lhs-{theme}" alt="{text}" src="data:image/svg+xml;base64,{data}">'
