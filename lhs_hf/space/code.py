"""Programs to read, with their syntax in the colours of the page."""

from __future__ import annotations

import html

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


def highlighted(source: str) -> str:
    """A program as escaped HTML with a class for each kind of word, to stand inside of `<pre>`."""
    return str(highlight(source.rstrip() + "\n", PythonLexer(), HtmlFormatter(nowrap=True, classprefix="lhs-c-")))


def program(source: str, label: str) -> str:
    """A program with a label and a button that copies it; "" without one."""
    if not source.strip():
        return ""
    return (
        f'<figure class="lhs-code"><figcaption>{html.escape(label)} <button type="button" data-copy>Copy</button>'
        f'</figcaption><pre tabindex="0">{highlighted(source)}</pre></figure>'
    )
