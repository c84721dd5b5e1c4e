"""What searches find, on every split of their tasks and without a part of the method, beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean, stdev
from typing import Any

from ..tasks import get_task
from .paper import best_printed
from .run_report import markdown_table

SPLIT_WORDS = """The program that a search finds best on `search`, evaluated on the other splits afterwards: mean and
standard deviation over the seeds. *Best in corpus*: the corpus program with the best score on `search`. *Paper*: the
best mean that the paper prints for any method. On knapsack and online bin packing the reference program scores what the
paper prints for FunSearch: these are the same instances; of the others that is not known. The model here was trained
on a corpus that holds good programs, so *best in corpus* says more about what a search has found than the paper
does."""

# Success rate in percent and objective, as the paper's ablation prints them.
PAPER_ABLATION = {"LHS": (74, 6.61), "No-Grad": (86, 6.79), "No-Flow": (61, 6.65)}

ABLATION_WORDS = """*No-Grad*: midpoints of two good programs in place of the gradient. *No-Flow*: gradient steps on the
latents z themselves. *Valid*: share of the decoded programs that run and are scored. Objectives: mean and standard
deviation over the seeds, lower is better."""


def split_table(content: Mapping[str, Any], init: str = "reference") -> str:
    """Objectives on every split, from what `scripts/benchmarks/measure_search.py --splits` writes."""
    entries = content["searches"][init]
    rows = []
    for task in dict.fromkeys(entry["task"] for entry in entries):
        runs = [entry for entry in entries if entry["task"] == task]
        for split in runs[0]["splits"]:
            published = best_printed(task, split, get_task(task).sense)
            rows.append(
                [
                    f"`{task}`",
                    split,
                    *(_objective(runs[0][f"splits_{name}"][split]) for name in ("reference", "corpus")),
                    _spread([run["splits"][split] for run in runs]),
                    "—" if published is None else f"{published[0]:g} ({published[1]})",
                ]
            )
    seeds = len({entry["seed"] for entry in entries})
    header = ["task", "split", "reference", "best in corpus", f"found, {seeds} seeds", "paper"]
    return f"{markdown_table(header, rows)}\n\n{SPLIT_WORDS}"


def ablation_table(contents: Mapping[str, Mapping[str, Any]], split: str = "test-50") -> str:
    """Variants of the method by name ("LHS", "No-Grad", "No-Flow"), each as `measure_search.py` writes it."""
    rows = []
    for name, content in contents.items():
        runs = content["searches"]["reference"]
        success = sum(run["valid"] for run in runs) / sum(run["evaluated"] for run in runs)
        paper = PAPER_ABLATION[name]
        rows.append(
            [
                name,
                f"{100 * success:.1f} %",
                _spread([run["found"] for run in runs]),
                _spread([run["splits"][split] for run in runs]),
                f"{mean(run['new_behaviours'] for run in runs):.0f}",
                f"{paper[0]} %",
                f"{paper[1]:.2f}",
            ]
        )
    first = next(iter(contents.values()))["searches"]["reference"]
    header = ["", "valid", "found on `search`", f"on {split}", "new behaviours", "paper: valid", "objective"]
    intro = (
        f"`{first[0]['task']}`, {len(first)} seeds, {first[0]['calls']} decoder calls each, from the reference program "
        f"({first[0]['reference']:.6g} on `search`; best in corpus {first[0]['best_in_corpus']:.6g})."
    )
    return "\n\n".join([intro, markdown_table(header, rows), ABLATION_WORDS])


def _objective(value: float | None) -> str:
    return "fails" if value is None else f"{value:.6g}"


def _spread(values: list[float | None]) -> str:
    found = [value for value in values if value is not None]
    if len(found) < len(values):
        return f"fails ({len(values) - len(found)} of {len(values)})"
    spread = stdev(found) if len(found) > 1 else 0.0
    return f"{mean(found):.6g} ± {spread:.2g}"
