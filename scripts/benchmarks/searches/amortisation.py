"""Shared parts that have not seen a task, beside those that have: figures side by side, and their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scipy.stats import binomtest

from lhs_hf.reporting.ascent_tables import interval
from lhs_hf.reporting.run_report import markdown_table
from lhs_hf.tasks import get_task

MODELS = {"full": "trained with it", "left_out": "only its surrogate"}
CONTROL = {"full": "the model that ships", "left_out": "the shorter training"}
ROWS = (
    ("success", "valid programs in searches", 100.0, 1, False),
    ("faithful", "faithful: held-out latents", 100.0, 1, False),
    ("agreement", "agreement of decisions: held-out latents", 100.0, 1, False),
    ("spearman", "Spearman, test families", 1.0, 2, False),
    ("gradient", "gradient step beats its parent", 100.0, 1, False),
    ("random", "random direction beats its parent", 100.0, 1, False),
    ("advantage", "gradient minus random, points", 100.0, 1, True),
)

WORDS = """*Trained with it*: the model that ships. *Only its surrogate*: encoder, decoder, mapper and flow have never
seen a program of the task; a surrogate alone was trained on the task's training programs. Brackets: 95 % intervals,
bootstrap over families; of valid programs in searches Wilson's, over all calls of the searches. *Found*: mean objective
on `search` over seeds, from the reference program (worst to best seed)."""


def _wilson(count: int, n: int) -> dict[str, Any]:
    found = binomtest(count, n).proportion_ci(method="wilson")
    return {"mean": count / n, "low": float(found.low), "high": float(found.high), "n": n}


def task_figures(
    task: str, latents: Mapping[str, Any], decoder: Mapping[str, Any], searches: Mapping[str, Any], seeds: Sequence[int]
) -> dict[str, Any]:
    """The figures of one task, out of the files that the measuring scripts write for one model.

    `searches` are those from the reference program with one of `seeds`. What was not measured is None.
    """
    moves = latents["moves"][0]["tasks"][task]
    held_out = decoder["sections"]["faithful"]["tasks"].get(task, {}).get("held_out", {})
    surrogate = latents["surrogate"]["tasks"][task]["surrogate"]
    low, high = surrogate["interval"]
    runs = [each for each in searches["searches"]["reference"] if each["task"] == task and each["seed"] in seeds]
    return {
        "faithful": _share(held_out.get("faithful")),
        "agreement": _share(held_out.get("agreement")),
        "spearman": {"mean": surrogate["spearman"], "low": low, "high": high},
        "gradient": moves["moves"]["gradient"]["beats"],
        "random": moves["moves"]["random"]["beats"],
        "advantage": moves["gradient_minus"]["random"]["beats"],
        **_searched(runs, get_task(task).alpha),
    }


def _searched(runs: Sequence[Mapping[str, Any]], alpha: float) -> dict[str, Any]:
    if not runs:
        return {"success": None, "found": None}
    found = sorted((each["found"] for each in runs), key=lambda objective: alpha * objective)
    return {
        "success": _wilson(sum(each["valid"] for each in runs), sum(each["evaluated"] for each in runs)),
        "found": {"mean": sum(found) / len(found), "worst": found[0], "best": found[-1]},
        "reference": runs[0]["reference"],
        "best_in_corpus": runs[0]["best_in_corpus"],
    }


def _share(record: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if record is None:
        return None
    low, high = record["interval"]
    return {"mean": record.get("share", record.get("mean")), "low": low, "high": high, "n": record["n"]}


def amortisation_text(content: Mapping[str, Any]) -> str:
    """The table of the tasks that were left out, that of the control tasks, and what the figures mean."""
    made = content["left_out"]
    names = ", ".join(f"`{task}`" for task in made["without"])
    intro = (
        f"One model was trained without {names}, from the other tasks alone"
        + (f" and without the best {100 * made['best_share']:.0f} % of their families" if made["best_share"] else "")
        + f", with {made['steps']} steps of the autoencoder (the model that ships: {made['full_steps']}). What the "
        "shorter training costs shows on tasks that it has seen, in the second table."
    )
    return "\n\n".join([intro, WORDS, _table(content["tasks"], MODELS), _table(content["control"], CONTROL)])


def _table(tasks: Mapping[str, Any], models: Mapping[str, str]) -> str:
    rows = []
    for task, by_model in tasks.items():
        for name, title, scale, digits, signed in ROWS:
            cells = [by_model[model][name] for model in models]
            if any(cell is None for cell in cells):
                continue
            rows.append([f"`{task}`", title, *(interval(c, scale=scale, digits=digits, signed=signed) for c in cells)])
        known = by_model["full"]
        if all(by_model[model]["found"] is not None for model in models):
            title = f"found (reference {known['reference']:.6g}, best in corpus {known['best_in_corpus']:.6g})"
            rows.append([f"`{task}`", title, *(_found(by_model[model]["found"]) for model in models)])
    return markdown_table(["task", "", *models.values()], rows)


def _found(found: Mapping[str, Any]) -> str:
    return f"{found['mean']:.6g} ({found['worst']:.6g} to {found['best']:.6g})"
