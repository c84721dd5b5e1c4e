"""The result of a search as a notebook shows it: a sentence, the convergence, a table of the splits, the program."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from ..opening.files import is_number
from ..opening.text import one_line, printable

_WIDTH, _HEIGHT, _MARGIN = 480, 120, 8
_POINTS = 400
_LINE = "border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)"
_CELL = f"padding:2px 10px;text-align:right;background:none;{_LINE}"
# The program brings its own ground: no palette is legible on both a dark and a light one.
_CODE = "background:#f6f8fa;color:#1f2328;padding:8px 10px;border-radius:6px;overflow-x:auto;line-height:1.4"
_CURVE = "#2f81f7"


def result_html(result: Mapping[str, Any]) -> str:
    """A fragment of HTML that shows a `SearchResult`, given as its `as_dict()`; nothing in it is loaded or run.

    Every text is escaped. Colours are those of the page around it, and hold on dark and light ones.
    """
    parts = [
        f"<p><strong>{_text(result.get('conclusion') or _objective(result))}</strong></p>",
        _convergence(result),
        _table(result),
        _program(str(result.get("program", ""))),
    ]
    return f'<div class="lhs-result">{"".join(parts)}</div>'


def _text(value: object, most: int = 400) -> str:
    return html.escape(one_line(value, most))


def _number(value: object) -> str:
    return format(value, ".6g") if is_number(value) else "—"


def _objective(result: Mapping[str, Any]) -> str:
    return f"{one_line(result.get('task'), 80)}: objective {_number(result.get('objective'))}"


def _table(result: Mapping[str, Any]) -> str:
    """Reference, best in corpus and the program found on each split, and how much better than the reference it is."""
    rows = [result.get(name) or {} for name in ("reference", "corpus", "found")]
    lines = []
    for split in dict.fromkeys(split for row in reversed(rows) for split in row):
        reference, corpus, found = (row.get(split) for row in rows)
        gain = "—"
        if is_number(reference) and is_number(found) and reference:
            sign = -1 if result.get("sense") == "min" else 1
            gain = f"{100 * sign * (found - reference) / abs(reference) + 0.0:+.2f} %"
        cells = "".join(
            f'<td style="{_CELL}">{each}</td>' for each in (*map(_number, (reference, corpus, found)), gain)
        )
        lines.append(f'<tr style="background:none"><th scope="row" style="{_CELL}">{_text(split, 40)}</th>{cells}</tr>')
    better = "lower" if result.get("sense") == "min" else "higher"
    heads = (f"objective ({better} is better)", "reference", "best in corpus", "found", "better by")
    head = "".join(f'<th scope="col" style="{_CELL}">{name}</th>' for name in heads)
    first = f'<tr style="background:none">{head}</tr>'
    return f'<table style="border-collapse:collapse;color:inherit">{first}{"".join(lines)}</table>'


def _program(source: str) -> str:
    """The program, highlighted."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    code = highlight(printable(source.rstrip()), PythonLexer(), HtmlFormatter(noclasses=True, nowrap=True))
    return f'<pre style="{_CODE}">{code}</pre>'


def _convergence(result: Mapping[str, Any]) -> str:
    """The incumbent over the programs of the search, as a drawing without texts; nothing if it never changed hands."""
    history = [float(value) if is_number(value) else None for value in result.get("history") or ()]
    known = [value for value in history if value is not None]
    if len(known) < 2:
        return ""
    # A race estimates on other instances than those that the reference is known on.
    start = None if result.get("training") else (result.get("reference") or {}).get("search")
    levels = [*known, *([float(start)] if is_number(start) else [])]
    low, span = min(levels), (max(levels) - min(levels)) or 1.0
    lines = [_path(history, low, span)]
    if is_number(start):
        height = _height(float(start), low, span)
        lines.append(
            f'<line x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{height:.1f}" y2="{height:.1f}" stroke="currentColor" '
            'stroke-opacity=".6" stroke-dasharray="5 4"/>'
        )
    says = f"The incumbent went from {_number(known[0])} to {_number(known[-1])} in {len(history)} programs" + (
        f"; dashed: the reference, {_number(start)}" if is_number(start) else ""
    )
    return (
        f'<figure style="margin:0"><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" style="max-width:100%" '
        f'role="img" aria-label="{_text(says)}">{"".join(lines)}</svg>'
        f"<figcaption><small>{_text(says)}</small></figcaption></figure>"
    )


def _height(value: float, low: float, span: float) -> float:
    return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (value - low) / span


def _path(history: Sequence[float | None], low: float, span: float) -> str:
    """A stair through at most `_POINTS` of the values."""
    every = max(1, len(history) // _POINTS)
    steps = [*range(0, len(history) - 1, every), len(history) - 1]
    points: list[str] = []
    for step in steps:
        value = history[step]
        if value is None:
            continue
        across = _MARGIN + (_WIDTH - 2 * _MARGIN) * step / (len(history) - 1)
        points.append(f"{'H' if points else 'M'}{across:.1f}" + (" V" if points else ","))
        points[-1] += f"{_height(value, low, span):.1f}"
    return f'<path d="{" ".join(points)}" fill="none" stroke="{_CURVE}" stroke-width="2"/>'
