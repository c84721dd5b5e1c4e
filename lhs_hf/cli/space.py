"""`lhs-hf space`: the page, served from this machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from ..space.limits import VisitorLimits
from .options import AllowDevelopment

_LIMITS = VisitorLimits()


def space(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; by default the first free one from 7860.")] = None,
    model: Annotated[str, typer.Option(help="lhs-tiny, a folder, or a repository of the Hub.")] = "lhs-tiny",
    searches: Annotated[int, typer.Option(help="Searches that run at the same time.", min=1)] = _LIMITS.searches,
    edit_seconds: Annotated[float, typer.Option(help="Seconds an edited program may run.", min=0.1)] = _LIMITS.edit_s,
    allow_development_isolation: AllowDevelopment = False,
) -> int:
    """Serve the page on which searches are watched and the corpus is explored. Needs lhs-hf[space]."""
    from ..space import SpaceService, launch

    service = SpaceService(model, limits=replace(_LIMITS, searches=searches, edit_s=edit_seconds))
    try:
        launch(service, server_name=host, server_port=port)
    finally:
        service.close()
    return 0
