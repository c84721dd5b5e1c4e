"""The picture of a found solution beside the best known's and the reference's: who asks `lhs_hf.plots` for it."""

from __future__ import annotations

import base64
import html
import io

from .. import plots
from ..evaluation import Evaluator
from ..reporting.run_report import typical_solutions
from ..tasks.base import Task

WIDE, NARROW = 1000, 420
# Dots a pixel: drawings of thousands of marks are smaller so than as SVG.
SHARP = 2


def solution_picture(task: Task, evaluator: Evaluator, found: str, index: int = 0) -> str:
    """What a program, the best known one and the reference build on an instance of `search`: `<img>` tags with text.

    One image a theme and width; the style sheet shows one of them. Raises `Unsolved` if one of the programs fails.
    """
    solutions = typical_solutions(task, evaluator, found, index)
    text = html.escape(plots.alt_text(task, *solutions), quote=True)
    images = []
    for theme in ("light", "dark"):
        for width in (WIDE, NARROW):
            buffer = io.BytesIO()
            figure = plots.plot_comparison(task, *solutions, theme=theme, width=width, transparent=True)
            figure.savefig(buffer, format="webp", dpi=SHARP * figure.dpi, pil_kwargs={"quality": 80})
            data = base64.b64encode(buffer.getvalue()).decode()
            size = "wide" if width == WIDE else "narrow"
            source = f"data:image/webp;base64,{data}"
            images.append(f'<img class="lhs-picture lhs-{theme}-{size}" width="{width}" alt="{text}" src="{source}">')
    return "".join(images)
