"""The page as it is served: behind a gate, without what Gradio would keep, and awake while an answer is awaited."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from . import mcp
from .access import Access
from .gate import Gate
from .service import SpaceService

# Calls that Gradio may have under way: each visitor's share is bounded before.
CALLS = 512
# Every 3 seconds, for two minutes after the visitor's last click or key and for as long as a search is under way.
_WAKE = """() => {
  // Gradio's table has a field without a label, and its editor a scrolling part that no key reaches.
  const label = () => {
    document.querySelectorAll('input.search-input:not([aria-label])').forEach(
      field => field.setAttribute('aria-label', 'Filter the programs'));
    document.querySelectorAll('.cm-scroller:not([tabindex="0"])').forEach(part => part.setAttribute('tabindex', '0'));
  };
  new MutationObserver(label).observe(document.body, {childList: true, subtree: true});
  let last = Date.now();
  const note = event => { if (event.isTrusted) last = Date.now(); };
  ['click', 'keydown'].forEach(kind => addEventListener(kind, note, true));
  setInterval(() => {
    const awaited = document.querySelector('[data-state=waiting], [data-state=running]');
    if (awaited || Date.now() - last < 120000) document.querySelector('#lhs-wake')?.click();
  }, 3000);
}"""


class Page(gr.Blocks):
    """A `gradio.Blocks` that is only served behind a `Gate`."""

    service: SpaceService

    def launch(  # type: ignore[override]
        self,
        *,
        allow_hosts: Sequence[str] = (),
        trusted_proxies: Sequence[str] = (),
        mcp_server: bool | None = None,
        **options: Any,
    ) -> Any:
        """Serve the page; `options` are those of `gradio.Blocks.launch`, and what that returns is returned.

        Args:
            allow_hosts: names, besides those of this machine, under which the page is asked for and from whose pages
                it may be used; "*" for all.
            trusted_proxies: addresses whose `X-Forwarded-For` says where a request comes from; "*" for all.
            mcp_server: whether the named endpoints are tools of the Model Context Protocol, too; None asks the
                environment variable GRADIO_MCP_SERVER, as Gradio does.

        Raises `CallError` for tools without the package mcp.
        """
        tools = mcp.wanted(mcp_server)
        access = Access.of(options.get("server_name"), allow_hosts, trusted_proxies)
        gate = Middleware(
            Gate,  # type: ignore[arg-type]
            access=access,
            limits=self.service.limits,
            presence=self.service.presence,
            forget=self._forget,
            tools=tools,
        )
        kept = {name: options.pop(name, value) for name, value in _SERVED.items()}
        passed = {**(options.pop("app_kwargs", None) or {})}
        passed["middleware"] = [*passed.get("middleware", ()), gate]
        with environment(FORWARDED_ALLOW_IPS=""):
            # The gate reads the proxies' headers itself: uvicorn would believe whoever is on this machine.
            return super().launch(**kept, **options, mcp_server=tools, app_kwargs=passed)

    async def _forget(self, session: str, wholly: bool) -> None:
        """Drop Gradio's calls of a session and their unread answers; wholly, what its page remembers, too."""
        queue = self._queue
        await queue.clean_events(session_hash=session)
        queue.pending_messages_per_session.pop(session, None)
        queue.pending_event_ids_session.pop(session, None)
        if wholly:
            self.app.state_holder.session_data.pop(session, None)


# Nothing is uploaded, no page is rendered or served by another process, and nothing is kept of what was run.
_SERVED: dict[str, Any] = {
    "max_threads": CALLS,
    "max_file_size": 1,
    "num_workers": 0,
    "ssr_mode": False,
    "run_history": False,
    "enable_monitoring": False,
    "state_session_capacity": 1000,
}


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Environment variables that hold within the block."""
    former = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def keep_listening(page: gr.Blocks) -> None:
    """An event that does nothing but have the page read its answers, sent again and again while one may be awaited.

    Gradio's client closes the stream of answers when the server has no more to say, even if another event was sent
    meanwhile, and opens it at the next one: a search that was just started would not appear until the next click.
    """
    wake = gr.Button(elem_id="lhs-wake", elem_classes="lhs-hidden")
    hidden: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
    # Its own answer may be the one that is not read: the next one does not wait for it.
    wake.click(lambda: None, trigger_mode="multiple", concurrency_limit=None, **hidden)
    page.load(None, js=_WAKE, **hidden)
