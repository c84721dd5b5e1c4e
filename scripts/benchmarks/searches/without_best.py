"""Searches with a model that has not seen the best families: what they find, beside the best that it has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lhs_hf.corpus.novelty import tolerance
from lhs_hf.reporting.run_report import markdown_table
from lhs_hf.tasks import get_task

WORDS = """*Seen*: the best program on `search` of the training families that were left in, which is all that the model
has seen. *Left in*: the same with validation and test families. *Whole corpus*: the best of all. *Found*: objective on
`search` for each seed, best first, from the reference program. *Passes*: searches whose best program scores higher than
any that the model has seen."""


def task_searches(task: str, cut: Sequence[Mapping[str, Any]], whole: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of one task: its searches with the model that has not seen the best families, and with all seen.

    Both as `measure_search.py` writes them, `cut` compared with the corpus without those families. What the
    model has seen are its training families.
    """
    alpha = get_task(task).alpha
    seen, left_in = cut[0]["best_in_training"], cut[0]["best_in_corpus"]
    best_first = sorted((each["found"] for each in cut), key=lambda objective: -alpha * objective)
    margin = tolerance(alpha * seen)
    return {
        "reference": cut[0]["reference"],
        "seen": seen,
        "left_in": left_in,
        "whole": whole[0]["best_in_corpus"],
        "found": best_first,
        "passes": sum(alpha * (found - seen) > margin for found in best_first),
        "passes_left_in": sum(alpha * (found - left_in) > margin for found in best_first),
        "mean_passes": alpha * (sum(best_first) / len(best_first) - seen) > margin,
        "reaches": sum(alpha * (found - seen) > -margin for found in best_first),
        "valid": sum(each["valid"] for each in cut) / sum(each["evaluated"] for each in cut),
    }


def without_best_text(content: Mapping[str, Any]) -> str:
    """The table over the tasks and what it says."""
    made, tasks = content["left_out"], content["tasks"]
    shared = [task for task in tasks if task not in made["without"]]
    passed, on_average, left_in, reached = (
        sum(bool(found[name]) for found in tasks.values())
        for name in ("passes", "mean_passes", "passes_left_in", "reaches")
    )
    intro = (
        f"A model that has not seen the best {100 * made['best_share']:.0f} % of each task's families, trained for "
        f"{made['steps']} steps of the autoencoder, with surrogates trained on what is left. Its encoder, decoder, "
        f"mapper and flow have seen {len(shared)} of the tasks; of the others, marked *, only the surrogate was "
        f"trained. {content['settings']['budget']} candidates a search."
    )
    rows = [
        [
            f"`{task}`{'*' if task in made['without'] else ''}",
            f"{found['reference']:.6g}",
            f"{found['seen']:.6g}",
            f"{found['left_in']:.6g}",
            f"{found['whole']:.6g}",
            ", ".join(f"{each:.6g}" for each in found["found"]),
            f"{found['passes']} of {len(found['found'])}",
            f"{100 * found['valid']:.0f} %",
        ]
        for task, found in tasks.items()
    ]
    table = markdown_table(["task", "reference", "seen", "left in", "whole corpus", "found", "passes", "valid"], rows)
    verdict = (
        f"At least one search passes the best that its model has seen on {passed} of {len(tasks)} tasks (the best of "
        f"all that was left in on {left_in}), and reaches it on {reached}; the mean of the searches passes it on "
        f"{on_average}."
    )
    return "\n\n".join([intro, table, WORDS, verdict])
