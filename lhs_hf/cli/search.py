"""`lhs-hf search`: a search with a live table of the incumbent."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import CallError, unknown
from ..search.settings import SearchSettings
from ..tasks import get_task
from .options import TASK_HELP, AllowDevelopment
from .output import print_json

if TYPE_CHECKING:
    from ..search.database import Candidate
    from ..tasks.base import Task


_DEFAULTS = SearchSettings()
_OPTIMIZER_HELP = (
    "gradient, interpolation (No-Grad), cma (CMA-ES) or cem (cross-entropy); "
    "controls: random, against, none, prior, nearest_elite."
)


class _LiveTable:
    """The incumbent and the last candidates, redrawn as they come; plain lines where there is no terminal."""

    def __init__(self, task: Task, budget: int, quiet: bool) -> None:
        from rich.console import Console
        from rich.live import Live

        self.task, self.budget = task, budget
        self.candidates: dict[int, Candidate] = {}
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, refresh_per_second=4, transient=True)
        self.active = not quiet and self.console.is_terminal
        self.lines = not quiet and not self.console.is_terminal

    def __enter__(self) -> _LiveTable:
        if self.active:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.active:
            self.live.stop()

    def remember(self, candidates: list[Candidate]) -> None:
        """Take over what a resumed run has found before."""
        self.candidates = {candidate.id: candidate for candidate in candidates if candidate.status != "pending"}

    def stage(self, what: str) -> None:
        """Say what is measured once the last program is decoded."""
        if self.active:
            self.live.update(f"measuring: {what}")
        elif self.lines:
            print(f"measuring: {what}", file=sys.stderr)

    def __call__(self, candidate: Candidate) -> None:
        previous = self._best()
        self.candidates[candidate.id] = candidate
        best = self._best()
        if self.active:
            self.live.update(self._table())
        elif self.lines and best is candidate and best is not previous:
            made = sum(c.decoded for c in self.candidates.values())
            print(f"call {made}/{self.budget}: {self.task.name} objective {candidate.objective:.6g}", file=sys.stderr)

    def _best(self) -> Candidate | None:
        from ..search.result import best_candidate

        return best_candidate(list(self.candidates.values()))

    def _table(self) -> Any:
        from rich.table import Table

        made = [candidate for candidate in self.candidates.values() if candidate.decoded]
        valid = sum(candidate.ok for candidate in made)
        best = self._best()
        incumbent = f"{best.objective:.6g}" if best is not None and best.objective is not None else "—"
        table = Table(
            title=f"{self.task.name}  {len(made)}/{self.budget} calls  {valid} valid  incumbent {incumbent}",
            title_justify="left",
        )
        for name in ("call", "round", "status", "objective", "predicted", "parent"):
            table.add_column(name, justify="right")
        for candidate in list(self.candidates.values())[-10:]:
            table.add_row(
                str(candidate.id),
                str(candidate.round),
                candidate.status,
                "—" if candidate.objective is None else f"{candidate.objective:.6g}",
                "—" if candidate.predicted_after is None else f"{candidate.predicted_after:+.3f}",
                "—" if candidate.parent is None else str(candidate.parent),
                style="bold green" if candidate is best else None,
            )
        return table


def search(
    task: Annotated[str, typer.Argument(help=TASK_HELP)],
    method: Annotated[str, typer.Option(help="Search method.")] = "lhs",
    budget: Annotated[
        int | None, typer.Option(help="Decoder calls in all.", show_default=f"{_DEFAULTS.budget}")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Seed; two runs with one seed give one result.", show_default=f"{_DEFAULTS.seed}"),
    ] = None,
    optimizer: Annotated[str | None, typer.Option(help=_OPTIMIZER_HELP, show_default=_DEFAULTS.optimizer)] = None,
    space: Annotated[str | None, typer.Option(help="prior, or latent (No-Flow).", show_default=_DEFAULTS.space)] = None,
    init: Annotated[
        str | None,
        typer.Option(help="Start from the reference program or from the corpus.", show_default=_DEFAULTS.init),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="default, or paper (its published step size).", show_default=_DEFAULTS.preset)
    ] = None,
    radius: Annotated[float | None, typer.Option(help="Trust region in prior standard deviations.")] = None,
    uncertainty: Annotated[
        float | None, typer.Option(help="Weight of the surrogate's uncertainty in the ascent.")
    ] = None,
    prior_weight: Annotated[float | None, typer.Option(help="Weight of staying near the data in the ascent.")] = None,
    screening: Annotated[
        int | None, typer.Option(help="Programs decoded from a point, the best by probes kept.")
    ] = None,
    refit: Annotated[int | None, typer.Option(help="Fine-tune the surrogate every so many rounds; 0 never.")] = None,
    guidance: Annotated[bool | None, typer.Option(help="Run statements on probe states as they are written.")] = None,
    model: Annotated[
        str, typer.Option(help="lhs-tiny, a folder, or a Hub repository owner/name[@revision].")
    ] = "lhs-tiny",
    decoder: Annotated[str | None, typer.Option(help="Another decoder (its mapper must fit).")] = None,
    encoder: Annotated[str | None, typer.Option(help="Another encoder.")] = None,
    surrogate: Annotated[
        str | None, typer.Option(help="A surrogate of your own: a folder, or a repository of the Hub.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where encoder and decoder run: cpu, cuda, cuda:1, mps.")] = "cpu",
    workers: Annotated[int | None, typer.Option(help="Programs run at the same time.")] = None,
    private_seed: Annotated[
        str | None, typer.Option(help="Seed of the private holdout, to use one again; by default a secret new one.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Run folder; by default a new one under runs/.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run, with the settings it was made with.")
    ] = False,
    raise_budget: Annotated[
        int | None, typer.Option(help="With --resume: decoder calls in all from now on, more than before.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    allow_development_isolation: AllowDevelopment = False,
) -> int:
    """Search for a better program and compare it with the reference and the best program of the corpus."""
    chosen = get_task(task)
    options: dict[str, Any] = {
        "preset": preset,
        "budget": budget,
        "seed": seed,
        "optimizer": optimizer,
        "space": space,
        "init": init,
        "radius": radius,
        "guidance": guidance,
        "uncertainty": uncertainty,
        "prior_weight": prior_weight,
        "screening": screening,
        "refit": refit,
    }
    given = {name: value for name, value in options.items() if value is not None}
    settings = SearchSettings.from_preset(**given)
    if method != "lhs":
        raise unknown("method", method, ("lhs",))
    from ..constants import resolve_model
    from ..evaluation.workers import checked_workers
    from ..search.run import choose_output

    checked_workers(workers)
    output = choose_output(chosen, settings, output, resume)
    if resume:
        settings = _resumed(output, given, raise_budget)
    elif raise_budget is not None:
        raise CallError("--raise-budget goes with --resume; --budget is that of a new run")
    resolve_model(model)
    _check_device(device)
    _quiet_libraries()
    from ..evaluation.cache import EvaluationCache
    from ..search.search import run_search
    from ..search.stored import open_run

    try:
        with _LiveTable(chosen, settings.budget, quiet=json) as table:
            if resume:
                table.remember(open_run(output).candidates)
            result = run_search(
                chosen,
                settings,
                model=model,
                encoder=encoder,
                decoder=decoder,
                surrogate=surrogate,
                device=device,
                method=method,
                output=output,
                resume=resume,
                listener=table,
                workers=workers,
                cache=EvaluationCache(),
                private_seed=private_seed,
                on_stage=table.stage,
            )
    except KeyboardInterrupt:
        again = f"lhs-hf search {shlex.quote(task)} --resume --output {shlex.quote(str(output))}"
        kept = (output / "run.sqlite").exists()
        hint = f"; every finished candidate is kept, go on with: {again}" if kept else "; nothing was found yet"
        print(f"interrupted{hint}", file=sys.stderr)
        return 1
    if json:
        print_json(result.as_dict())
        return 0
    _print_result(chosen, result)
    return 0


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


def _check_device(name: str) -> None:
    """Raise `CallError` for a device that this machine does not have."""
    import torch

    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as error:
        raise CallError(f"no device {name!r} here: {str(error).splitlines()[0]}") from None


def _quiet_libraries() -> None:
    """Loading bars and hints of the libraries do not belong into a search's output."""
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _print_result(task: Task, result: Any) -> None:
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.table import Table

    from ..reporting.run_report import COMPARISON_HEADER, comparison_rows
    from ..search.private_holdout import PrivateHoldout, sentence, warning

    console = Console()
    if console.is_terminal:
        # Wrapped, a copy of it would be a syntax error: the terminal may break lines as it likes.
        program = Syntax(result.program.rstrip(), "python", background_color="default")
        console.print(program.highlight(program.code), soft_wrap=True, end="")
    else:
        print(result.program)
    private = PrivateHoldout.from_dict(result.private_holdout)
    alarm = warning(private)
    if alarm is not None:
        console.print(f"Warning: {alarm}.", style="bold red", highlight=False, markup=False)
    direction = "lower" if task.sense == "min" else "higher"
    title = f"{task.title}: objective ({direction} is better; the bound is the {task.bound_kind})"
    table = Table(title=title, title_justify="left")
    for index, name in enumerate(COMPARISON_HEADER):
        table.add_column(name, justify="left" if index == 0 else "right", no_wrap=index == 0)
    for row in comparison_rows(task, result.as_dict()):
        table.add_row(*row)
    console.print(table)
    console.print(
        f"found {result.objective:.6g}, reference {result.reference_objective:.6g}, "
        f"best in corpus {'—' if result.best_in_corpus is None else format(result.best_in_corpus, '.6g')} (on search)"
    )
    if private is not None:
        console.print(sentence(private), highlight=False, markup=False)
    screened = f"{result.screened} screened out, " if result.screened else ""
    console.print(
        f"{result.decoder_calls} decoder calls, {screened}{result.valid} valid ({100 * result.success_rate:.0f} %), "
        f"{result.distinct_programs} distinct, {result.tokens} tokens, {result.runtime_s:.1f} s"
    )
    own = f" --task {task.origin}" if task.origin else ""
    console.print(f"best program: {Path(result.output) / 'best.py'}", highlight=False, soft_wrap=True)
    console.print(f"run folder: {result.output}  (lhs-hf report {result.output}{own})", highlight=False, soft_wrap=True)
