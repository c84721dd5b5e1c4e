"""The third tab: a task of one's own is searched on one's own machine; this page loads no code of its visitors."""

from __future__ import annotations

import gradio as gr

from ..tasks.template import task_file_text
from .code import program
from .parts import html, program_view

NAME = "my_jobs"
_WORDS = f"""
<section class="lhs-own"><h2>A problem of your own</h2>
<p>A task is one Python file: how instances are drawn, how a solution is built step by step with the program's answers,
and what it costs. This page never loads a file from its visitors. On your own machine it takes four commands:</p>
<pre tabindex="0">pip install lhs-hf
lhs-hf init-task {NAME}        # writes {NAME}.py, the file below: it runs as it is
lhs-hf check-task {NAME}.py    # says line by line what is wrong with it
lhs-hf search {NAME}.py        # the search of this page, on your problem</pre>
<p><code>lhs-hf space --task {NAME}.py</code> serves this page with your problem in its list, for you.</p></section>
"""


def build_own_task() -> None:
    """Lay out the tab inside the open `gr.Tab`."""
    with gr.Column(elem_classes="lhs-card"):
        html(_WORDS, "lhs-own")
        program_view(program(task_file_text(NAME, f"{NAME}.py"), f"{NAME}.py"), "lhs-own-file")
