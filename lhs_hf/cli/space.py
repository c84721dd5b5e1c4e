"""`lhs-hf space`: the page, served from this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import AllowDevelopment


def space(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; by default the first free one from 7860.")] = None,
    model: Annotated[str, typer.Option(help="lhs-tiny, a folder, or a repository of the Hub.")] = "lhs-tiny",
    allow_development_isolation: AllowDevelopment = False,
) -> int:
    """Serve the page on which searches are watched and the corpus is explored. Needs lhs-hf[space]."""
    from ..space import SpaceService, launch

    service = SpaceService(model)
    try:
        launch(service, server_name=host, server_port=port)
    finally:
        service.close()
    return 0
