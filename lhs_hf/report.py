"""Tables and figures of a finished (or interrupted) run, from its folder alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from .errors import CallError
from .search.database import SCREENED, Candidate, RunDatabase
from .search.result import SearchResult, gap, incumbent_history, passed_over
from .search.run import DATABASE_NAME
from .tasks import get_task
from .tasks.base import Task


def number(value: float | None, digits: int = 6) -> str:
    """A number as tables show it; an em dash where there is none."""
    return "—" if value is None else f"{value:.{digits}g}"


def comparison_rows(task: Task, result: dict[str, Any]) -> list[list[str]]:
    """Rows (split, reference, best in corpus, found, gain on the reference, bound, gap) of the comparison table."""
    rows = []
    for split in task.splits:
        found = result["found"].get(split)
        reference = result["reference"].get(split)
        bound = result["bound"].get(split)
        change = None
        if found is not None and reference:
            # Adding zero turns the -0.0 of a task that minimises into 0.0.
            change = 100.0 * task.alpha * (found - reference) / abs(reference) + 0.0
        distance = gap(task, found, bound)
        rows.append(
            [
                split,
                number(reference),
                number(result["corpus"].get(split)),
                number(found),
                "—" if change is None else f"{change:+.2f} %",
                number(bound),
                "—" if distance is None else f"{distance:.2f} %",
            ]
        )
    return rows


COMPARISON_HEADER = ["split", "reference", "best in corpus", "found", "better by", "bound", "gap"]


def markdown_table(header: list[str], rows: list[list[str]]) -> str:
    """A GitHub-flavoured table; the first column left, the others right aligned."""
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join([" --- "] + [" ---: "] * (len(header) - 1)) + "|"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def status_counts(candidates: list[Candidate]) -> list[tuple[str, int]]:
    """How decoded candidates ended, most frequent first."""
    return Counter(candidate.status for candidate in candidates if candidate.decoded).most_common()


def true_ascent(candidates: list[Candidate]) -> tuple[int, int]:
    """(how many valid candidates score higher than their parent, how many have a scored parent)."""
    by_id = {candidate.id: candidate for candidate in candidates}
    pairs = [
        (candidate.score, by_id[candidate.parent].score)
        for candidate in candidates
        if candidate.ok and candidate.parent is not None and by_id[candidate.parent].ok
    ]
    return sum((child or 0.0) > (parent or 0.0) for child, parent in pairs), len(pairs)


def report_run(folder: Path) -> tuple[str, list[Path]]:
    """Write `report.md` and `convergence.png` into a run folder; returns the Markdown and the files written.

    Raises `CallError` if the folder holds no run.
    """
    path = folder / DATABASE_NAME
    if not path.is_file():
        raise CallError(
            f"{folder} holds no run: expected a file {DATABASE_NAME} in it (lhs-hf search --output {folder})"
        )
    from .plots import convergence_figure

    with RunDatabase(path) as database:
        identity = database.get("identity")
        result = database.get("result")
        candidates = database.candidates()
    if identity is None or not candidates:
        raise CallError(f"{path} holds no run")
    task = get_task(identity["task"])
    made = [candidate for candidate in candidates if candidate.decoded]
    valid = sum(candidate.ok for candidate in made)
    screened = sum(candidate.status == SCREENED for candidate in made)
    better, compared = true_ascent(candidates)
    history = incumbent_history(task, candidates)
    lines = [f"# {task.title}: {identity['method']}, {identity['optimizer']}, seed {identity['seed']}", ""]
    if result is None:
        lines += [f"The run is not finished: {len(made)} of {identity['budget']} decoder calls are done.", ""]
        result = _partial_result(task, candidates, history)
    lines += [markdown_table(COMPARISON_HEADER, comparison_rows(task, result)), ""]
    lines += [
        f"- objective: {'minimise' if task.sense == 'min' else 'maximise'}; the bound column is the {task.bound_kind}",
        f"- decoder calls: {len(made)}, valid: {valid} ({100 * valid / max(1, len(made) - screened):.0f} %), "
        f"distinct valid programs: {result['distinct_programs']}, tokens: {result['tokens']}",
        *(
            [
                f"- screening: {screened} of these calls gave programs that were run on probe states and not "
                f"evaluated, {passed_over(made)} of them known before; the share of valid programs leaves them out"
            ]
            if screened
            else []
        ),
        f"- better than their parent: {better} of {compared} valid candidates",
        "- outcomes: " + ", ".join(f"{status} {count}" for status, count in status_counts(candidates)),
        "",
        "![convergence](convergence.png)",
        "",
        "## Best program",
        "",
        "```python",
        result["program"].rstrip(),
        "```",
        "",
    ]
    figure = convergence_figure(
        folder / "convergence.png",
        {f"found {number(history[-1]) if history else ''}": history},
        title=f"{task.name}: incumbent on the search split",
        ylabel=f"objective ({'lower' if task.sense == 'min' else 'higher'} is better)",
        reference=candidates[0].objective,
        corpus=result["corpus"].get("search"),
        bound=task.bounds.get("search"),
        bound_kind=task.bound_kind,
    )
    text = "\n".join(lines)
    written = folder / "report.md"
    written.write_text(text, encoding="utf-8")
    return text, [written, figure]


def _partial_result(task: Task, candidates: list[Candidate], history: list[float]) -> dict[str, Any]:
    from .search.result import best_candidate

    best = best_candidate(candidates) or candidates[0]
    made = [candidate for candidate in candidates if candidate.decoded]
    return SearchResult(
        task=task.name,
        sense=task.sense,
        program=best.program,
        objective=best.objective or float("nan"),
        score=best.score or float("nan"),
        reference_objective=candidates[0].objective or float("nan"),
        best_in_corpus=None,
        candidates=len(made),
        valid=sum(candidate.ok for candidate in made),
        decoder_calls=len(made),
        tokens=sum(candidate.tokens for candidate in made),
        distinct_programs=len({candidate.program_hash for candidate in made if candidate.ok}),
        screened=sum(candidate.status == SCREENED for candidate in made),
        passed_over=passed_over(made),
        found={"search": best.objective},
        reference={"search": candidates[0].objective},
        bound=dict(task.bounds),
        history=history,
    ).as_dict()
