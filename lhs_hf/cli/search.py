"""`lhs-hf search`: a search from options, from a file of settings, or from both."""

from __future__ import annotations

import logging
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import CallError, unknown
from ..fields import check, setting, settings_of
from ..models.vllm_names import check_place
from ..search.settings import PRESETS, SearchSettings
from ..tasks import get_task
from ..trackers import HELP, NONE, TRACKERS, check_tracker
from .config import read_config, write_config
from .generated import takes_settings
from .live_table import LiveTable
from .options import RAY_HELP, TASK_HELP, AllowDevelopment
from .output import error, print_json
from .search_result import print_result
from .verbosity import quiet_libraries, shows_progress

if TYPE_CHECKING:
    from ..tasks.base import Task

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SearchCall:
    """What a search is run with beside its settings."""

    method: str = setting("lhs", "Search method.")
    model: str = setting("lhs-tiny", "lhs-tiny, a folder, or a Hub repository owner/name[@revision].")
    decoder: str | None = setting(
        None, "Another decoder (its mapper must fit). vllm:ID has vLLM run it, vllm:ID+LORA with an adapter."
    )
    decoder_url: str | None = setting(
        None, "The vLLM server of --decoder vllm:ID, which takes prompt embeddings: http://localhost:8000/v1."
    )
    encoder: str | None = setting(None, "Another encoder.")
    surrogate: str | None = setting(None, "A surrogate of your own: a folder, or a repository of the Hub.")
    device: str = setting("cpu", "Where encoder and decoder run: cpu, cuda, cuda:1, mps.")
    workers: int | None = setting(None, "Programs run at the same time.")
    ray: str | None = setting(None, RAY_HELP)
    private_seed: str | None = setting(
        None, "Seed of the private holdout, to use one again; by default a secret new one."
    )
    output: Path | None = setting(None, "Run folder; by default a new one under runs/.")
    report_to: str = setting(NONE, HELP, choices=TRACKERS)

    def __post_init__(self) -> None:
        check(self)
        check_place(self.decoder, self.decoder_url)
        check_tracker(self.report_to)


@dataclass(frozen=True)
class _Named:
    task: str = setting("", "")


_KEYS = {each.name: each for kind in (_Named, SearchCall, SearchSettings) for each in settings_of(kind)}


@takes_settings(SearchSettings, SearchCall)
def search(
    task: Annotated[str | None, typer.Argument(help=f"{TASK_HELP} May be left out with --config.")] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            help="YAML or JSON file of settings: names of options with _ for -, and task. Options that are given here "
            "win over it."
        ),
    ] = None,
    save_config: Annotated[
        Path | None,
        typer.Option(
            help="Write task and all settings, but not --output, to a new YAML or JSON file, then run. --config with "
            "it runs the same search again."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run, with the settings it was made with.")
    ] = False,
    raise_budget: Annotated[
        int | None, typer.Option(help="With --resume: decoder calls in all from now on, more than before.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    allow_development_isolation: AllowDevelopment = False,
    *,
    given: dict[str, Any],
) -> int:
    """Search for a better program and compare it with the reference and the best program of the corpus."""
    plan = _plan(task, config, given)
    call, settings = plan.call, plan.settings
    output = plan.folder(resume)
    if resume:
        settings = _resumed(output, plan.given, raise_budget)
    elif raise_budget is not None:
        raise CallError("--raise-budget goes with --resume; --budget is that of a new run")
    plan.check_machine()
    if save_config is not None:
        write_config(save_config, plan.as_dict(settings))
    quiet_libraries()
    from ..evaluation.cache import EvaluationCache
    from ..language.model import ModelError
    from ..search.search import run_search
    from ..search.stored import open_run

    try:
        quiet = json or not shows_progress()
        with (
            EvaluationCache() as cache,
            LiveTable(
                plan.task, settings, open_run(output).candidates if resume else (), quiet, output / "best.py"
            ) as table,
        ):
            result = run_search(
                plan.task,
                settings,
                **{name: value for name, value in vars(call).items() if name != "ray"} | {"output": output},
                cluster=call.ray,
                resume=resume,
                listener=table,
                cache=cache,
                on_stage=table.stage,
                on_split=table.split,
                on_progress=table.progress,
                progress=False,
            )
    except KeyboardInterrupt:
        print(f"interrupted{_what_is_kept(plan.name, output)}", file=sys.stderr)
        return 1
    except ModelError as problem:
        return error(f"{problem}{_what_is_kept(plan.name, output)}", 1)
    if json:
        print_json(result.as_dict())
    else:
        print_result(plan.task, result)
    return 0


def _what_is_kept(task: str, output: Path) -> str:
    """What to say of a search that did not come to its end."""
    again = f"lhs-hf search {shlex.quote(task)} --resume --output {shlex.quote(str(output))}"
    kept = (output / "run.sqlite").exists()
    return f"; every finished candidate is kept, go on with: {again}" if kept else "; nothing was found yet"


@dataclass(frozen=True)
class _Plan:
    """What a person asked for: the task and its name, the call, the settings, and which of the settings were given."""

    task: Task
    name: str
    call: SearchCall
    settings: SearchSettings
    given: dict[str, Any]

    def folder(self, resume: bool) -> Path:
        """The run folder, after everything that needs no libraries is checked. Raises `CallError`."""
        from ..evaluation.workers import checked_workers
        from ..search.run import METHODS, choose_output

        if self.call.method not in METHODS:
            raise unknown("method", self.call.method, METHODS)
        workers = checked_workers(self.call.workers, self.call.ray)
        folder = choose_output(self.task, self.settings, self.call.output, resume)
        _log.info("run folder: %s; %d programs at the same time", folder, workers)
        return folder

    def check_machine(self) -> None:
        """Raise `CallError` for a model that can not be one, and for a device that this machine does not have."""
        from ..constants import resolve_model
        from ..evaluation.cache import default_cache_path

        _log.info("model %s: %s", self.call.model, resolve_model(self.call.model))
        _log.info("evaluations are remembered in %s", default_cache_path())
        import torch

        try:
            torch.empty(0, device=self.call.device)
        except (RuntimeError, AssertionError) as error:
            raise CallError(f"no device {self.call.device!r} here: {str(error).splitlines()[0]}") from None

    def as_dict(self, settings: SearchSettings) -> dict[str, Any]:
        """All that says what is run, as a file of settings holds it. The folder of this run is not of the next."""
        call = {key: value for key, value in vars(self.call).items() if value is not None and key != "output"}
        return {"task": self.name, **call, **settings.as_dict()}


def _plan(task: str | None, config: Path | None, given: dict[str, Any]) -> _Plan:
    """Options over the file over the preset. Raises `CallError`."""
    stored = {} if config is None else read_config(config, _KEYS)
    name = task or stored.get("task")
    if name is None:
        raise CallError("which task? Name one (see lhs-hf tasks), or a --config file with a task in it")
    preset = given.get("preset")
    fixed = sorted(stored.keys() & PRESETS.get(preset or "", {}).keys()) if preset != stored.get("preset") else []
    if fixed:
        raise CallError(f"{config} sets {', '.join(fixed)}, which --preset {preset} would change; take them out of it")
    values = {key: value for key, value in {**stored, **given}.items() if key != "task"}
    of_call = {each.name for each in settings_of(SearchCall)}
    settings = {key: value for key, value in values.items() if key not in of_call}
    return _Plan(
        get_task(name),
        name,
        SearchCall(**{key: value for key, value in values.items() if key in of_call}),
        SearchSettings.from_preset(**settings),
        settings,
    )


def _resumed(output: Path, given: dict[str, Any], raise_budget: int | None) -> SearchSettings:
    """The settings of the run in a folder. Raises `CallError` if options say something else."""
    from ..search.run import resumed_settings

    settings = resumed_settings(output, {name: value for name, value in given.items() if name != "budget"})
    if given.get("budget", settings.budget) != settings.budget:
        raise CallError(
            f"{output} has a budget of {settings.budget}, not {given['budget']}; leave --budget out, or give the run "
            "more with --raise-budget"
        )
    return settings if raise_budget is None else resumed_settings(output, {"budget": raise_budget})
