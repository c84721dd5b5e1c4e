"""`lhs-hf corpus`: build the data set, look at it, make variants of a program, score a folder of programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import CallError, unknown
from ..fields import check, setting
from ..program_files import programs_in, read_program
from ..tasks import get_task, task_names, zoo_names
from ..tasks.base import Task
from .generated import takes_settings
from .options import TASK_FILE_HELP, TASK_HELP, AllowDevelopment, Ray
from .output import print_json
from .verbosity import shows_progress

Tasks = Annotated[
    list[str] | None,
    typer.Option("--task", help=f"Task to include; repeat for several (default: all). {TASK_FILE_HELP}"),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@dataclass(frozen=True)
class _Building:
    seed: int = setting(0, "Seed of splits and augmentation.", least=0)
    output: Path = setting(Path("corpus"), "Corpus folder to write.")
    workers: int | None = setting(None, "Programs measured at the same time.")

    def __post_init__(self) -> None:
        check(self)


@takes_settings(_Building)
def build(
    task: Tasks = None,
    zoo: Annotated[bool, typer.Option("--zoo", help="The tasks of the zoo instead, in the folder zoo/.")] = False,
    count: Annotated[int | None, typer.Option(help="Programs a task; by default the paper's, of the zoo 60.")] = None,
    ray: Ray = None,
    allow_development_isolation: AllowDevelopment = False,
    json: Json = False,
    *,
    given: dict[str, Any],
) -> int:
    """Build the corpus from the seed programs. An interrupted build goes on where it was."""
    from rich.console import Console
    from rich.progress import Progress

    from ..corpus.build import PAPER_COUNTS, build_corpus, grammar_tokens
    from ..corpus.card import write_card
    from ..corpus.zoo import ZOO, ZOO_COUNT, zoo_seeds
    from ..evaluation.workers import checked_workers

    building = _Building(**given)
    output = building.output
    names = zoo_names() if zoo else task_names()
    tasks = [get_task(name) for name in task or names]
    for each in tasks:
        if each.name not in names:
            raise unknown("task", each.name, names)
    if count is not None and count < 1:
        raise CallError(f"--count must be at least 1, got {count}")
    if output.exists() and not output.is_dir():
        raise CallError(f"{output} is a file, expected a folder for the corpus")
    parts: dict[str, Any] = {"count_tokens": None if zoo else grammar_tokens(_all_seeds())}
    if zoo:
        parts |= {"seeds": zoo_seeds, "card": lambda _: write_card(output)}
    with Progress(console=Console(stderr=True), disable=not shows_progress()) as progress:
        bars: dict[str, int] = {}

        def show(name: str, done: int, target: int) -> None:
            if name not in bars:
                bars[name] = int(progress.add_task(name, total=target))
            progress.update(bars[name], completed=done)  # type: ignore[arg-type]

        reports = build_corpus(
            tasks,
            count or (ZOO_COUNT if zoo else PAPER_COUNTS),
            building.seed,
            output / ZOO if zoo else output,
            checked_workers(building.workers, ray),
            show,
            cluster=ray,
            **parts,
        )
    if json:
        print_json({name: report.as_dict() for name, report in reports.items()})
    else:
        for name, report in reports.items():
            print(f"{name:22} {report.rows:4} of {report.target} programs, {report.seconds:.0f} s")
            for family, reason in report.failed_seeds.items():
                print(f"    seed {family} is left out: {reason}")
        print(f"written: {output}")
    return 0 if all(report.rows >= report.target for report in reports.values()) else 1


def _all_seeds() -> list[tuple[str, Task]]:
    from ..corpus.seeds_io import read_seeds

    return [(entry.source, get_task(name)) for name in task_names() for entry in read_seeds(name)]


def stats(
    corpus: Annotated[Path | None, typer.Option(help="Corpus folder; by default the one that ships.")] = None,
    json: Json = False,
) -> int:
    """Show counts, families, duplicates, behaviours and objectives of the corpus."""
    from ..corpus.dataset import DATA_FOLDER
    from ..corpus.stats import corpus_stats

    try:
        found = corpus_stats(folder=corpus or DATA_FOLDER)
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    if json:
        print_json(found)
        return 0
    from ..reporting.run_report import number

    print(f"{found['rows']} programs of {len(found['tasks'])} tasks")
    for name, entry in found["tasks"].items():
        print(
            f"{name:22} {entry['rows']:4} programs, {entry['families']:3} families, "
            f"{entry['distinct_behaviours']:4} behaviours, best {number(entry['best_objective'])}, "
            f"median {number(entry['median_objective'])}, reference {number(entry['reference_objective'])}"
        )
    return 0


def augment(
    task: Annotated[str, typer.Argument(help=TASK_HELP)],
    program: Annotated[Path, typer.Argument(help="A Python file with a program of the task.")],
    tier: Annotated[str, typer.Option(help="a: same decisions; b: other numbers; c: another algorithm.")] = "a",
    count: Annotated[int, typer.Option(help="How many variants to try.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed.")] = 0,
) -> int:
    """Print variants of a program, separated by cell lines."""
    import numpy as np

    from ..corpus.augmentation import TIERS
    from ..corpus.augmentation import augment as make

    chosen = get_task(task)
    if tier not in TIERS:
        raise unknown("tier", tier, TIERS)
    source = read_program(program)
    generator = np.random.default_rng(seed)
    made = 0
    for _ in range(count):
        variant = make(source, chosen, tier, generator)  # type: ignore[arg-type]
        if variant is not None:
            made += 1
            print(f"# %% {tier}: {', '.join(variant.transforms)}\n{variant.source.rstrip()}\n")
    return 0 if made else 1


def score(
    task: Annotated[str, typer.Argument(help=TASK_HELP)],
    programs: Annotated[
        list[Path], typer.Argument(help='Python files, folders of them, or JSON lines with a text under "program".')
    ],
    split: Annotated[str, typer.Option(help="Split to score on.")] = "search",
    output: Annotated[
        Path | None, typer.Option(help="Corpus folder to write; a surrogate is trained from it (lhs-hf train).")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Programs run at the same time.")] = None,
    ray: Ray = None,
    allow_development_isolation: AllowDevelopment = False,
    json: Json = False,
) -> int:
    """Score programs and print them best first."""
    from ..evaluation import Evaluator
    from ..evaluation.cache import EvaluationCache
    from ..evaluation.workers import checked_workers

    chosen = get_task(task)
    if split not in chosen.splits:
        raise unknown(f"split of {chosen.name}", split, chosen.splits)
    if output is not None and split != "search":
        raise CallError("a corpus holds objectives on the split search: leave --split out")
    named = [entry for path in programs for entry in programs_in(path)]
    if not named:
        raise CallError("no programs in " + ", ".join(map(str, programs)))
    files, sources = zip(*named)
    with (
        EvaluationCache() as cache,
        Evaluator(chosen, split, workers=checked_workers(workers, ray), cache=cache, cluster=ray) as evaluator,
    ):
        evaluations = list(evaluator.evaluate_many(sources))
        if output is not None:
            from ..corpus.own import ScoredProgram, write_own_corpus

            pairs = [ScoredProgram(source, each) for source, each in zip(sources, evaluations)]
            written = write_own_corpus(chosen, pairs, evaluator, output)
    results = list(zip(files, evaluations))
    results.sort(key=lambda entry: (entry[1].score is None, -(entry[1].score or 0.0)))
    if json:
        print_json({"task": task, "split": split, "programs": [{"file": str(f), **r.as_dict()} for f, r in results]})
    else:
        for file, result in results:
            shown = repr(result.objective) if result.ok else f"{result.status}: {result.message}"
            print(f"{file}  {shown}")
        if output is not None:
            print(f"{written} programs that run and differ are in {output}")
    return 0 if any(result.ok for _, result in results) else 1


def verify(
    task: Tasks = None,
    sample: Annotated[int | None, typer.Option(help="Check this many programs a task, not all.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    corpus: Annotated[Path | None, typer.Option(help="Corpus folder; by default the one that ships.")] = None,
    workers: Annotated[int | None, typer.Option(help="Programs run at the same time.")] = None,
    allow_development_isolation: AllowDevelopment = False,
    json: Json = False,
) -> int:
    """Score programs of the corpus again and compare every number."""
    from rich.console import Console
    from rich.progress import Progress

    from ..corpus import verify as verification
    from ..corpus.dataset import DATA_FOLDER, load_corpus
    from ..evaluation.workers import checked_workers

    try:
        rows = [
            row
            for name in task or task_names()
            for row in verification.sample(load_corpus(get_task(name).name, folder=corpus or DATA_FOLDER), sample, seed)
        ]
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    with Progress(console=Console(stderr=True), disable=not shows_progress()) as progress:
        bars: dict[str, int] = {}

        def show(name: str, done: int, total: int) -> None:
            if name not in bars:
                bars[name] = int(progress.add_task(name, total=total))
            progress.update(bars[name], completed=done)  # type: ignore[arg-type]

        found = verification.verify(rows, checked_workers(workers), show)
    if json:
        print_json(found.as_dict())
    else:
        for line in found.different:
            print(line)
        print(f"{found.equal} of {found.programs} programs gave every number again; slowest {found.slowest_s:.1f} s")
    return 0 if found.equal == found.programs else 1


@dataclass(frozen=True)
class _Requests:
    kind: str = setting("seed", "seed: a new idea; a, b, c: a rewriting of that tier.", choices=("seed", "a", "b", "c"))
    count: int = setting(10, "How often to ask.", least=1)
    seed: int = setting(0, "Seed of what is shown and of the sampling.", least=0)
    output: Path = setting(Path("generated"), "Folder of the run; an interrupted one goes on.")
    temperature: float = setting(0.8, "Sampling temperature.", least=0)
    max_tokens: int = setting(1200, "Longest answer.", least=1)
    workers: int | None = setting(None, "Programs run at the same time.")

    def __post_init__(self) -> None:
        check(self)


@takes_settings(_Requests)
def generate(
    task: Annotated[str, typer.Argument(help=TASK_HELP)],
    llm: Annotated[
        str, typer.Option(help="URL of an OpenAI-compatible endpoint, a Hub model, local:NAME, or a folder.")
    ],
    allow_development_isolation: AllowDevelopment = False,
    json: Json = False,
    *,
    given: dict[str, Any],
) -> int:
    """Ask a language model for programs and keep those that pass the gate of the corpus."""
    from rich.console import Console

    from ..corpus.gate import grammar_tokens
    from ..corpus.generate import GenerationReport
    from ..corpus.generate import generate as run
    from ..evaluation.workers import checked_workers
    from ..language import ModelError, open_model
    from .output import error

    chosen, requests = get_task(task), _Requests(**given)
    workers = checked_workers(requests.workers)
    with Console(stderr=True, quiet=not shows_progress()).status("asking") as status:

        def show(report: GenerationReport) -> None:
            status.update(f"{report.asked} of {requests.count} asked, {report.accepted} accepted")

        try:
            report = run(
                chosen,
                open_model(llm),
                requests.kind,
                requests.count,
                requests.output,
                requests.seed,
                show,
                count_tokens=grammar_tokens(_all_seeds()),
                workers=workers,
                temperature=requests.temperature,
                max_tokens=requests.max_tokens,
            )
        except ModelError as problem:
            return error(
                f"{problem}; what was answered is in {requests.output}: run the same command again to go on", 1
            )
    if json:
        print_json(
            {"task": chosen.name, "llm": llm, "kind": requests.kind, "output": str(requests.output), **report.as_dict()}
        )
    else:
        print(f"{report.accepted} of {report.asked} programs accepted, in {requests.output}")
        for reason, number in sorted(report.refused.items()):
            print(f"    {number:4} {reason}")
    return 0 if report.accepted else 1
