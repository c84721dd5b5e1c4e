"""The page's head: what other sites read of it when its address is shared, and how it appears."""

from __future__ import annotations

import html
import os
from pathlib import Path

PREVIEW = Path(__file__).parent / "preview.png"
TITLE = "Latent Heuristic Search: watch a search think"
DESCRIPTION = (
    "Press Run, and a search writes better heuristics for routing, packing and scheduling while you watch; leave with "
    "a program."
)


# The editor's own colours are too pale on white, and Gradio rewrites the selectors of the page's style sheet. Nothing
# is seen before it is in its place: the page fills in steps, each of which moves the others.
_STYLE = """<style>
body:not(.dark) #lhs-edit .cm-line span{color:#16202a!important}
body:not(.dark) #lhs-edit .cm-gutterElement{color:#52606d!important}
@keyframes lhs-appear{to{visibility:visible}}
.gradio-container{visibility:hidden;animation:lhs-appear 0s 6s forwards}
.lhs-ready .gradio-container{visibility:visible}
</style>
<script>(() => {
  const ready = () => {
    const parts = ['#lhs-run', '#lhs-map svg', '#lhs-program pre', 'footer'];
    const show = () => document.documentElement.classList.add('lhs-ready');
    if (parts.every(part => document.querySelector(part))) requestAnimationFrame(() => requestAnimationFrame(show));
    else setTimeout(ready, 50);
  };
  ready();
})();</script>"""


def head() -> str:
    """What goes into the page's head. Its picture's address is whole on a Space, whose name is in `SPACE_HOST`."""
    host = os.environ.get("SPACE_HOST", "")
    image = f"{f'https://{host}' if host else ''}/gradio_api/file={PREVIEW}"
    named = {"description": DESCRIPTION, "twitter:card": "summary_large_image"}
    shared = {"og:type": "website", "og:title": TITLE, "og:description": DESCRIPTION, "og:image": image}
    tags = [("name", named), ("property", shared)]
    lines = [
        f'<meta {kind}="{name}" content="{html.escape(value, quote=True)}">'
        for kind, values in tags
        for name, value in values.items()
    ]
    return "\n".join([*lines, _STYLE])
