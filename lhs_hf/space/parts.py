"""Components that several tabs have."""

from __future__ import annotations

from typing import Any

import gradio as gr

from .theme import COPY_SCRIPT, MARKS_SCRIPT


def html(value: str, name: str) -> gr.HTML:
    """A piece of the page that is drawn here."""
    return gr.HTML(value, elem_id=name, apply_default_css=False, js_on_load=None)


def marks(value: str, name: str) -> gr.HTML:
    """A piece of the page whose parts (those with a `data-row`) are chosen with the pointer or the keyboard."""
    return gr.HTML(value, elem_id=name, apply_default_css=False, js_on_load=MARKS_SCRIPT)


def heading(text: str) -> gr.HTML:
    """The title of a card."""
    return gr.HTML(f"<h3>{text}</h3>", apply_default_css=False, js_on_load=None)


def download(label: str, name: str) -> tuple[gr.Button, gr.DownloadButton]:
    """A button and the hidden one, called `name`-file, that hands its file over."""
    button = gr.Button(label, size="sm", interactive=False, min_width=150, elem_id=name)
    return button, gr.DownloadButton(label, elem_id=f"{name}-file", elem_classes="lhs-hidden")


def program_view(value: str, name: str) -> gr.HTML:
    """A program to read, as `code.program` writes it."""
    return gr.HTML(value, elem_id=name, apply_default_css=False, js_on_load=COPY_SCRIPT)


def unseen(**options: Any) -> dict[str, Any]:
    """What every event of the page has: clients do not see it, and visitors take their turns inside of its call.

    Gradio's own line is one for all visitors.
    """
    return {"api_visibility": "private", "concurrency_limit": None, **options}
