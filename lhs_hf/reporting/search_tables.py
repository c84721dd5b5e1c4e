"""Many searches of one model as Markdown, from the file that scripts/benchmarks/measure_search.py writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .run_report import markdown_table

STARTS = {"reference": "from the reference program", "corpus": "from the best programs of the corpus"}

WORDS = """*Valid*: share of the evaluated programs that run and are scored. *Distinct*, *new texts* and *new
behaviours*: programs of a search of which no two have one canonical form, those among them whose canonical form the
corpus lacks, and those that decide otherwise than every corpus program on at least 5 % of the probe states; means over
searches. *Found is new*: searches whose best program is no corpus program, neither by its text nor by its decisions on
the probe states. *Beats the best in corpus*: better on `search`, by which both were chosen. *New and better*: new, and
better than that one on `holdout`, by which nothing was chosen; *beyond noise*: where the 95 % interval of a paired test
lies above zero. All are shares of the searches. *Found*: objective of the best program on `search`, mean over seeds
(the best seed in brackets). A search from the corpus begins with its best programs: what it finds can not be worse than
they are."""

SHARES = {
    "share_beats_reference": "beats the reference",
    "share_new": "found is new",
    "share_beats_corpus": "beats the best in corpus",
    "share_new_and_better": "new and better",
    "share_beyond_noise": "beyond noise",
}


def search_tables(content: Mapping[str, Any]) -> str:
    """Success, novelty and objectives of the searches, a table over the starts and one over the tasks.

    An em dash stands for what an older file does not hold.
    """
    settings, summary, searches = content["settings"], content["summary"], content["searches"]
    rows = [
        [
            STARTS.get(init, init),
            str(found["searches"]),
            f"{100 * found['success_rate']:.1f} %",
            *(f"{found[name]:.1f}" for name in ("distinct", "new_texts", "new_behaviours")),
            *("—" if name not in found else f"{100 * found[name]:.0f} %" for name in SHARES),
        ]
        for init, found in summary.items()
    ]
    header = [
        "searches",
        "number",
        "valid",
        "distinct",
        "new texts",
        "new behaviours",
        *SHARES.values(),
    ]
    by_task = []
    for task in next(iter(summary.values()))["tasks"]:
        cells = [f"`{task}`"]
        first = next(entry for entries in searches.values() for entry in entries if entry["task"] == task)
        cells += [f"{first['reference']:.6g}", f"{first['best_in_corpus']:.6g}"]
        for init, entries in searches.items():
            found = [entry["found"] for entry in entries if entry["task"] == task]
            better = max if first["best_in_corpus"] > first["reference"] else min
            mark = " **" if summary[init]["tasks"][task]["any_better"] else " "
            best = f"{mark}({better(found):.6g}){mark.strip()}"
            valid = 100 * summary[init]["tasks"][task]["success"]
            cells += [f"{summary[init]['tasks'][task]['mean_found']:.6g}{best}", f"{valid:.0f} %"]
        by_task.append(cells)
    columns = [name for init in searches for name in (f"found, {init}", "valid")]
    # Called "default" before there were portfolios; programs of validation families were among the starts then.
    earlier = settings.get("preset") == "default"
    preset = "latent" if earlier else settings.get("preset", "latent")
    starts = " The starts from the corpus are of training and validation families." if earlier else ""
    intro = (
        f"By latents alone (`--preset {preset}`), {settings['budget']} decoder "
        f"calls each, seeds {', '.join(map(str, settings['seeds']))}. Bold: at least one seed found a program better "
        f"than the best of the corpus.{starts}"
    )
    return "\n\n".join(
        [
            intro,
            markdown_table(header, rows),
            markdown_table(["task", "reference", "best in corpus", *columns], by_task),
            WORDS,
        ]
    )
