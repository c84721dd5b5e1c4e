"""`lhs-hf space`: the page, served from this machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ..space.limits import VisitorLimits
from .options import TASK_FILE_HELP, AllowDevelopment

_LIMITS = VisitorLimits()


def space(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; by default the first free one from 7860.")] = None,
    model: Annotated[str, typer.Option(help="lhs-tiny, a folder, or a repository of the Hub.")] = "lhs-tiny",
    task: Annotated[
        list[Path] | None,
        typer.Option(
            help="A task file to offer besides the built-in tasks, by its task's name; may be given several times. "
            + TASK_FILE_HELP
        ),
    ] = None,
    searches: Annotated[int, typer.Option(help="Searches that run at the same time.", min=1)] = _LIMITS.searches,
    edit_seconds: Annotated[float, typer.Option(help="Seconds an edited program may run.", min=0.1)] = _LIMITS.edit_s,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A further name of this server, under which the page is opened or embedded; * for all. May be given "
            "several times. Without it, other names in Host and Origin than this machine's are refused."
        ),
    ] = None,
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address of a proxy whose X-Forwarded-For names the visitor; * for all."),
    ] = None,
    allow_development_isolation: AllowDevelopment = False,
) -> int:
    """Serve the page on which searches are watched and the corpus is explored. Needs lhs-hf[space]."""
    from ..space import SpaceService, launch
    from ..space.folder import ending_on_terminate

    limits = replace(_LIMITS, searches=searches, edit_s=edit_seconds)
    with ending_on_terminate():
        service = SpaceService(model, limits=limits, tasks=task or ())
        launch(
            service,
            server_name=host,
            server_port=port,
            allow_hosts=allow_host or (),
            trusted_proxies=trust_proxy or (),
        )
    return 0
