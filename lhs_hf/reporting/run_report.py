"""Tables and figures of a finished (or interrupted) run, from its folder alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..corpus.novelty import Novelty
from ..corpus.novelty import sentence as novelty_sentence
from ..metrics import (
    area_under_convergence,
    best_objective_at_budget,
    share,
    surrogate_spearman,
    true_ascents,
)
from ..opening.folders import replacing, write_text
from ..opening.text import fenced, markdown
from ..search.candidates import Kinds, beyond_memory, kinds, numbers
from ..search.database import SCREENED, Candidate
from ..search.private_holdout import PrivateHoldout, sentence, warning
from ..search.result import (
    SearchResult,
    best_candidate,
    closed,
    counts,
    gain_sentence,
    gap,
    incumbent_history,
    passed_over,
    raced,
    runtime_cell,
    training_sentence,
)
from ..search.starts import best_corpus_row
from ..search.stored import open_run, run_task
from ..tasks.base import Task
from .lineage import change_of
from .pareto import pareto_front

if TYPE_CHECKING:
    from ..evaluation import Evaluator
    from ..evaluation.result import Solution


def number(value: float | None, digits: int = 6) -> str:
    """A number as tables show it; an em dash where there is none."""
    return "—" if value is None else f"{value:.{digits}g}"


def comparison_rows(task: Task, result: dict[str, Any]) -> list[list[str]]:
    """Rows of the comparison table, cells as `COMPARISON_HEADER` names them.

    The last one, `private`, is that of the private holdout, if the run has one. Its time is that of the
    program found, in wall seconds and as a multiple of the reference's.
    """
    objectives = [
        (split, *(result[who].get(split) for who in ("reference", "corpus", "found", "bound"))) for split in task.splits
    ]
    private = PrivateHoldout.from_dict(result.get("private_holdout"))
    if private is not None and private.count:
        objectives.append(("private", private.reference, private.corpus, private.found, None))
    rows = []
    for split, reference, corpus, found, bound in objectives:
        change = None
        if found is not None and reference:
            # Adding zero turns the -0.0 of a task that minimises into 0.0.
            change = 100.0 * task.alpha * (found - reference) / abs(reference) + 0.0
        distance = gap(task, found, bound)
        rows.append(
            [
                split,
                number(reference),
                number(corpus),
                number(found),
                "—" if change is None else f"{change:+.2f} %",
                number(bound),
                "—" if distance is None else f"{distance:.2f} %",
                runtime_cell(result.get("runtime"), split),
            ]
        )
    return rows


COMPARISON_HEADER = ["split", "reference", "best in corpus", "found", "better by", "bound", "gap", "time (× reference)"]


def verdict_lines(result: dict[str, Any]) -> list[str]:
    """Whether the program found is in the corpus, and its gain over the best there; none of them in older results.

    The lines hold names that somebody else may have written. Raises `CallError` for what no search stores.
    """
    novelty = Novelty.from_dict(result.get("novelty"))
    gain = gain_sentence(result.get("corpus_gain"))
    return [line for line in (novelty_sentence(novelty) if novelty is not None else None, gain) if line is not None]


def markdown_table(header: list[str], rows: list[list[str]]) -> str:
    """A GitHub-flavoured table; the first column left, the others right aligned."""
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join([" --- "] + [" ---: "] * (len(header) - 1)) + "|"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def status_counts(groups: Kinds) -> list[tuple[str, int]]:
    """How the programs ended that a search made, most frequent first."""
    endings: Counter[str] = Counter()
    for kind, count in groups:
        if kind.made:
            endings[kind.outcome or kind.status] += count
    return endings.most_common()


def ascents(candidates: Sequence[Candidate]) -> tuple[int, int]:
    """Valid candidates that are better than their parent, and those that have a valid one."""
    large = beyond_memory(candidates)
    if large is None:
        return true_ascents(*ascent_pairs(candidates))
    pairs = f"AS child JOIN {large.database.summed} AS parent ON parent.id = child.parent"
    scored = " AND ".join(f"{each}.status = 'ok' AND {each}.score IS NOT NULL" for each in ("child", "parent"))
    sums = "ifnull(SUM(child.score > parent.score), 0), COUNT(*)"
    [(better, compared)] = large.database.sums(sums, f"{pairs} WHERE {scored}")
    return better, compared


def ascent_pairs(candidates: Sequence[Candidate]) -> tuple[list[float | None], list[float | None]]:
    """Scores of the valid candidates that have a parent, and those of their parents (None: a failed parent)."""
    by_id = {candidate.id: candidate for candidate in candidates}
    children = [candidate for candidate in candidates if candidate.ok and candidate.parent is not None]
    parents = [by_id[child.parent] for child in children if child.parent is not None]
    return [child.score for child in children], [parent.score if parent.ok else None for parent in parents]


def search_quality(candidates: Sequence[Candidate], history: list[float], bound: float | None) -> list[str]:
    """Lines of the report on how the search went: area under the convergence curve, the surrogate's ranking."""
    lines = []
    # Races estimate objectives on other instances than the bound is of.
    area = (
        None if raced(candidates) else area_under_convergence(history, reference=candidates[0].objective, optimum=bound)
    )
    if area is not None:
        lines.append(
            f"- area under the convergence curve: {area:.3f} (0: the reference throughout, 1: the bound at once)"
        )
    predicted, scores, decoded, ok = numbers(candidates, "predicted_after", "score", "decoded", "ok")
    known = np.isfinite(predicted) & np.isfinite(scores) & (decoded == 1) & (ok == 1)
    if known.sum() > 1:
        lines.append(
            f"- surrogate at the decoded points: Spearman {surrogate_spearman(predicted[known], scores[known]):+.3f} "
            f"with the true scores of {known.sum()} valid candidates"
        )
    return lines


def typical_instance(task: Task, candidates: Sequence[Candidate]) -> int:
    """The instance of `search` on which the best program's gain over the reference is the median of all instances.

    0 if one of the two has no objectives.
    """
    best = best_candidate(candidates)
    if best is None or not best.objectives or not candidates[0].objectives:
        return 0
    pairs = zip(best.objectives[: task.splits["search"].count], candidates[0].objectives)
    gains = [task.alpha * (found - start) for found, start in pairs]
    return sorted(range(len(gains)), key=lambda index: (gains[index], index))[len(gains) // 2]


def typical_solutions(
    task: Task, evaluator: Evaluator, program: str, index: int
) -> tuple[Solution, Solution, Solution | None]:
    """What a program, the reference and the best corpus program do with an instance of `search`.

    None for the last without a corpus, where it is the program itself, and where it fails. Raises `Unsolved` if one of
    the others does, `IsolationError` where programs do not run.
    """
    from ..evaluation import Unsolved

    found, reference = evaluator.solve(program, index=index), evaluator.solve(task.template, index=index)
    best = best_corpus_row(task)
    if best is None or best.program.strip() == program.strip():
        return found, reference, None
    try:
        return found, reference, evaluator.solve(best.program, index=index)
    except Unsolved:
        return found, reference, None


def draw_solutions(task: Task, program: str, index: int, path: Path) -> str:
    """Save a picture of what `typical_solutions` gives; returns the text for it. Raises what that does."""
    from ..evaluation import Evaluator
    from ..plots import alt_text, plot_comparison, save

    with Evaluator(task) as evaluator:
        solutions = typical_solutions(task, evaluator, program, index)
    with replacing(path) as temporary:
        save(plot_comparison(task, *solutions), temporary)
    return alt_text(task, *solutions)


def report_run(folder: Path | str, task: Task | str | Path | None = None) -> tuple[str, list[Path]]:
    """Write `report.md`, `convergence.png` and `solutions.png` into a run folder.

    The last shows what was found beside the reference on a typical instance; the two programs are run for it. Where
    that fails the report says why. Returns the Markdown and the files written.

    Args:
        folder: of the run, which may be anybody's: what is in it is read as data.
        task: of a run of a task of one's own, the task or its file. None is the built-in or installed task that the
            run names; a file that only the run names is not loaded.

    Raises `CallError` if the folder holds no run, and if the run is not of this task or of another content of its file.
    """
    from ..plots import convergence_alt_text, convergence_figure

    folder = Path(folder)
    with ThreadPoolExecutor(1) as thread:
        # Seconds of a million candidates, which are read meanwhile.
        thread.submit(lambda: [import_module(name) for name in ("scipy.stats", "matplotlib.figure")])
        run = open_run(folder)
    task = run_task(run, task)
    identity, result, candidates = run.identity, run.result, run.candidates
    groups, history = kinds(candidates), incumbent_history(task, candidates)
    portfolio = identity["proposals"] == "portfolio"
    kind = identity["proposals"] if portfolio else identity["optimizer"]
    made_by = f"{markdown(identity['method'])}, {markdown(kind)}, seed {identity['seed']}"
    lines = [f"# {task.title}: {made_by}", ""]
    if task.digest:
        lines += [f"The task's file has the content that it had when the run was made: SHA-256 `{task.digest}`.", ""]
    if result is None:
        calls = sum(count for kind, count in groups if kind.decoded)
        spent = f"{calls} of {identity['budget']} decoder calls are"
        if portfolio:
            runs = identity["budget"] * task.split("search").count
            spent = f"{sum(kind.runs for kind, _ in groups)} of {runs} instance runs are"
        lines += [f"The run is not finished: {spent} done.", ""]
        result = _partial_result(task, candidates, history)
    private = PrivateHoldout.from_dict(result.get("private_holdout"))
    alarm, known = warning(private), training_sentence(result.get("training"))
    lines += [f"> **Warning: {alarm}.**", ""] if alarm is not None else []
    lines += [markdown_table(COMPARISON_HEADER, comparison_rows(task, result)), ""]
    front, programs = _front(task, candidates, folder / "front.jsonl")
    shown, drawn = _solutions(task, result["program"], candidates, folder / "solutions.png")
    curve, step = _curve(task, result, candidates, portfolio), "program" if portfolio else "decoder call"
    lines += [
        *(f"- {markdown(line, 500)}" for line in verdict_lines(result)),
        f"- objective: {'minimise' if task.sense == 'min' else 'maximise'}; the bound column is the {task.bound_kind}, "
        "time is that of the program found",
        *([f"- {sentence(private)}"] if private is not None else []),
        *([f"- {known}"] if known is not None else []),
        *_call_lines(result, groups, ascents(candidates)),
        *search_quality(candidates, history, task.bounds.get("search")),
        "- outcomes: " + ", ".join(f"{status} {count}" for status, count in status_counts(groups)),
        "",
        f"![{convergence_alt_text(history, **curve, step=step)}](convergence.png)",
        "",
        "## Found beside reference",
        "",
        shown,
        "",
        *front,
        "## Best program",
        "",
        fenced(result["program"], "python"),
        "",
        *_changed(candidates, result["program"]),
    ]
    figure = folder / "convergence.png"
    with replacing(figure) as temporary:
        convergence_figure(
            temporary,
            {f"found {number(best_objective_at_budget(history, sense=task.sense))}": history},
            title=f"{task.name}: incumbent on {'training instances' if portfolio else 'the search split'}",
            ylabel=f"objective ({'lower' if task.sense == 'min' else 'higher'} is better)",
            **curve,
            step=step,
            bound_kind=task.bound_kind,
        )
    text = "\n".join(lines)
    return text, [write_text(folder / "report.md", text), figure, *drawn, *programs]


def _changed(candidates: Sequence[Candidate], program: str) -> list[str]:
    """The program as a diff of the one it was made from, as Markdown."""
    change = change_of(candidates, program)
    if change is None or not change.diff:
        return []
    how = markdown(" ".join(filter(None, (change.child.operator or change.child.role, change.child.changes))))
    parent, child = change.parent, change.child
    words = f"Candidate {child.id} was made from candidate {parent.id} ({markdown(parent.operator or parent.role)})"
    return ["## What was changed", "", f"{words} by: {how}.", "", fenced(change.diff, "diff"), ""]


def _curve(
    task: Task, result: dict[str, Any], candidates: Sequence[Candidate], portfolio: bool
) -> dict[str, float | None]:
    """What the incumbents of a search are drawn beside: on the same instances as they."""
    if not portfolio:
        corpus, bound = result["corpus"].get("search"), task.bounds.get("search")
        return {"reference": candidates[0].objective, "corpus": corpus, "bound": bound}
    first = takewhile(lambda each: each.round == 0, candidates)
    starts = [candidate for candidate in first if candidate.role in ("corpus", "own") and candidate.ok]
    best = max(starts, key=lambda each: each.score or 0.0, default=None)
    return {"reference": candidates[0].objective, "corpus": best.objective if best else None, "bound": None}


def _front(task: Task, candidates: Sequence[Candidate], programs: Path) -> tuple[list[str], list[Path]]:
    """Objective against runtime as Markdown, and the file of its programs: a little worse may be far quicker."""
    from ..evaluation import IsolationError, SandboxError

    lines = ["## Objective and runtime", ""]
    try:
        front = pareto_front(task, candidates)
    except (IsolationError, SandboxError) as problem:
        return [*lines, f"Programs could not be run: {markdown(problem, 500)}", ""], []
    rows = [
        [
            f"{each.candidate.id}: {markdown(each.candidate.operator or each.candidate.role)}",
            markdown(each.candidate.family or "—"),
            number(each.objective),
            f"{each.seconds:.2g} s",
            f"×{each.times_reference:.2g}" if each.times_reference < 10 else f"×{each.times_reference:.0f}",
        ]
        for each in front
    ]
    texts = [{"candidate": each.candidate.id, "objective": each.objective, "seconds": each.seconds} for each in front]
    written = "".join(json.dumps({**row, "program": each.candidate.program}) + "\n" for row, each in zip(texts, front))
    words = (
        "The programs of this search that none of its others is both better and quicker than, on `search`; "
        f"[{programs.name}]({programs.name}) has their texts."
    )
    table = markdown_table(["candidate", "family", "objective", "runtime", "× reference"], rows)
    return [*lines, words, "", table, ""], [write_text(programs, written)]


def _solutions(task: Task, program: str, candidates: Sequence[Candidate], picture: Path) -> tuple[str, list[Path]]:
    """The picture of a typical instance as Markdown and its file; what prevents it, in words, and no file."""
    from ..evaluation import IsolationError, SandboxError, Unsolved
    from ..plots import has_picture

    if not has_picture(task):
        return "There is no picture of the solutions: none is known for this task.", []
    try:
        described = draw_solutions(task, program, typical_instance(task, candidates), picture)
    except (IsolationError, SandboxError, Unsolved) as problem:
        return f"No picture of the solutions: {markdown(problem, 500)}", []
    return f"![{described}]({picture.name})", [picture]


def _call_lines(result: dict[str, Any], groups: Kinds, ascended: tuple[int, int]) -> list[str]:
    """Lines of the report on what the decoder calls gave, and edits if there were some."""
    made = [(kind, count) for kind, count in groups if kind.made]
    programs = sum(count for _, count in made)
    valid = sum(count for kind, count in made if kind.ok)
    screened = sum(count for kind, count in made if kind.status == SCREENED)
    calls = sum(count for kind, count in made if kind.decoded)
    rate = share(valid, programs - screened)
    lines = [
        f"- {f'programs: {programs}, ' if programs != calls else ''}decoder calls: {calls}, valid: {valid} "
        f"({100 * rate:.0f} %), distinct valid programs: {result['distinct_programs']}, tokens: {result['tokens']}"
    ]
    if screened:
        lines.append(
            f"- screening: {screened} of these calls gave programs that were run on probe states and not "
            f"evaluated, {passed_over(made)} of them known before; the share of valid programs leaves them out"
        )
    if ended := closed(made):
        lines.append(f"- {ended} of the valid programs did not answer as they were decoded, and were given another end")
    return [*lines, "- better than their parent: {} of {} valid candidates".format(*ascended)]


def _partial_result(task: Task, candidates: Sequence[Candidate], history: list[float]) -> dict[str, Any]:
    best = best_candidate(candidates) or candidates[0]
    return SearchResult(
        task=task.name,
        sense=task.sense,
        program=best.program,
        objective=best.objective or float("nan"),
        score=best.score or float("nan"),
        reference_objective=candidates[0].objective or float("nan"),
        best_in_corpus=None,
        **counts(candidates),
        # The estimates of a race are of other instances.
        found={"search": None if best.outcome else best.objective},
        reference={"search": None if best.outcome else candidates[0].objective},
        bound=dict(task.bounds),
        history=history,
    ).as_dict()
