"""`lhs-hf space`: the page, served from this machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..fields import check, setting
from ..space.limits import VisitorLimits
from .generated import takes_settings
from .options import TASK_FILE_HELP, AllowDevelopment

_LIMITS = VisitorLimits()


@dataclass(frozen=True)
class _Serving:
    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 for all.")
    port: int | None = setting(None, "Port; by default the first free one from 7860.", least=0, most=65535)
    model: str = setting("lhs-tiny", "lhs-tiny, a folder, or a repository of the Hub.")
    searches: int = setting(_LIMITS.searches, "Searches that run at the same time.", least=1)
    edit_seconds: float = setting(_LIMITS.edit_s, "Seconds an edited program may run.", least=0.1)

    def __post_init__(self) -> None:
        check(self)


@takes_settings(_Serving)
def space(
    task: Annotated[
        list[Path] | None,
        typer.Option(
            help="A task file to offer besides the built-in tasks, by its task's name; may be given several times. "
            + TASK_FILE_HELP
        ),
    ] = None,
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
    mcp: Annotated[
        bool | None,
        typer.Option(
            "--mcp/--no-mcp",
            help="Serve the named endpoints as tools for agents, too (Model Context Protocol). Needs lhs-hf[mcp]. By "
            "default as the environment variable GRADIO_MCP_SERVER says.",
        ),
    ] = None,
    allow_development_isolation: AllowDevelopment = False,
    *,
    given: dict[str, Any],
) -> int:
    """Serve the page on which searches are watched and the corpus is explored. Needs lhs-hf[space]."""
    serving = _Serving(**given)
    from ..space import SpaceService, launch
    from ..space.folder import ending_on_terminate
    from ..space.mcp import wanted

    tools = wanted(mcp)
    limits = replace(_LIMITS, searches=serving.searches, edit_s=serving.edit_seconds)
    with ending_on_terminate():
        service = SpaceService(serving.model, limits=limits, tasks=task or ())
        launch(
            service,
            server_name=serving.host,
            server_port=serving.port,
            allow_hosts=allow_host or (),
            trusted_proxies=trust_proxy or (),
            mcp_server=tools,
        )
    return 0
