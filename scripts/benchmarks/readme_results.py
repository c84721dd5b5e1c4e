"""Run the searches that README and docs show, keep their results, and write them into the pages.

    python scripts/benchmarks/readme_results.py            runs everything again (minutes), then writes the pages
    python scripts/benchmarks/readme_results.py --parts first    the main command alone, without the ten short searches
    python scripts/benchmarks/readme_results.py --render   writes the pages from results/ alone

README.md has the short tables, docs/results.md the long ones, docs/models.md what is said of the models,
docs/own_surrogate.md what a surrogate of one's own is worth, docs/own_task.md what searches of tasks of one's own find,
docs/troubleshooting.md the outcomes of programs: each part stands between two markers, in one of them.

Results: results/search_tsp_construct.json and .txt (the command's own output), results/ten_tasks.json, and
docs/figures/convergence_tsp_construct.png. The table of peers comes from results/searches-splits.json and from the
comparison in results/comparison (comparison.py). The other tables come from what other scripts write: the decoder's
from results/decoder.json (measure_decoder.py), those of ascent from results/latents.json and results/latents-moves.json
(measure_latents.py), those of many searches from results/searches.json and results/searches-splits.json
(measure_search.py) and from results/ablation.json (measure_ablation.py), the default search's gains over other methods
from results/discovery.json (discovery.py --summary), what a surrogate alone is worth from
results/unseen_ascents.json (unseen_ascents.py), searches of tasks of one's own from results/unseen.json (unseen.py);
what is said of the model from its folder.
Cards quote these results too: run scripts/benchmarks/cards.py afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any

from card_parts.measured import read
from card_parts.texts import model_section
from searches.discovery_tables import TABLES, discovery_tables
from searches.unseen_tables import unseen_tables

from lhs_hf.corpus.dataset import corpus_tasks
from lhs_hf.evaluation import STATUSES
from lhs_hf.grid.store import open_grid
from lhs_hf.reporting.ascent_tables import WORDS, differences_table, entry_title, interval, moves_table
from lhs_hf.reporting.conclusion import conclusion
from lhs_hf.reporting.decoder_table import decoder_section
from lhs_hf.reporting.paper import PAPER
from lhs_hf.reporting.run_report import markdown_table, number
from lhs_hf.reporting.search_tables import search_tables
from lhs_hf.reporting.split_tables import ablation_table, split_table
from lhs_hf.search.result import runtime_cell
from lhs_hf.search.stored import open_run
from lhs_hf.tasks import get_task

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
FIGURE = ROOT / "docs" / "figures" / "convergence_tsp_construct.png"
DOCS = ("results", "models", "own_surrogate", "own_task", "troubleshooting")
PAGES = (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in DOCS))
BUDGET, SHORT_BUDGET = 100, 20
SHOWN_RUN = "runs/tsp_construct-portfolio-seed0"
PEERS = ("EoH", "ReEvo", "MCTS-AHD", "LHS")
OWN = {"default": "a search", "gp": "genetic programming"}
"""Methods of the comparison in the table of peers, and what they are called there."""


def command(*arguments: str, folder: Path) -> str:
    """Standard output of an `lhs-hf` command, run in `folder` with an empty cache."""
    environment = {**os.environ, "LHS_HF_CACHE": str(folder / "cache"), "COLUMNS": "110", "HF_HUB_OFFLINE": "1"}
    result = subprocess.run(
        [sys.executable, "-m", "lhs_hf", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    if result.returncode:
        sys.exit(f"lhs-hf {' '.join(arguments)} failed:\n{result.stderr}")
    return result.stdout


def first_search(folder: Path) -> None:
    """README's main command: what it prints, its result, its figure."""
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    text = command("search", "tsp_construct", "--budget", str(BUDGET), folder=folder)
    (RESULTS / "search_tsp_construct.txt").write_text(text)
    run = folder / "runs" / "tsp_construct-portfolio-seed0"
    command("report", str(run), folder=folder)
    shutil.copyfile(run / "convergence.png", FIGURE)
    result = open_run(run).result or sys.exit("the search has stored no result")
    result.pop("output")
    (RESULTS / "search_tsp_construct.json").write_text(json.dumps(result, indent=1) + "\n")


def ten_tasks(folder: Path) -> None:
    """A short search of every task."""
    tasks = []
    for task in command("tasks", "--names", folder=folder).split():
        found = json.loads(command("search", task, "--budget", str(SHORT_BUDGET), "--json", folder=folder))
        print(f"{task}: {found['valid']} of {found['candidates']} valid, {found['objective']:.6g}", flush=True)
        keys = (
            "task", "sense", "reference_objective", "best_in_corpus", "objective", "test", "valid",
            "candidates", "decoder_calls", "success_rate", "distinct_programs", "runtime_s", "bound", "bound_kind",
            "novelty", "runtime", "corpus_gain",
        )  # fmt: skip
        tasks.append({key: found[key] for key in keys})
    (RESULTS / "ten_tasks.json").write_text(json.dumps({"budget": SHORT_BUDGET, "tasks": tasks}, indent=1) + "\n")


PARTS = {"first": first_search, "tasks": ten_tasks}
"""What is run, each in a folder of its own."""


def sections() -> dict[str, str]:
    """The generated parts of all pages by marker name."""
    text = (RESULTS / "search_tsp_construct.txt").read_text().rstrip()
    discovery = json.loads((RESULTS / "discovery.json").read_text())
    text = re.sub(r"^run folder:.*$", f"run folder: {SHOWN_RUN}", text, flags=re.MULTILINE)
    return {
        "first": first_result(text),
        "peers": peers_table(),
        "tsp": f"```text\n{text}\n```",
        "tasks": tasks_table(json.loads((RESULTS / "ten_tasks.json").read_text())),
        "evaluator": evaluator_table(),
        "searches": search_tables(json.loads((RESULTS / "searches.json").read_text())),
        "splits": split_table(json.loads((RESULTS / "searches-splits.json").read_text())),
        "ablation": ablation_table(json.loads((RESULTS / "ablation.json").read_text())),
        "ascent": ascent(),
        "own_ascents": own_ascents(),
        "unseen": unseen_tables(json.loads((RESULTS / "unseen.json").read_text())),
        "left_out": left_out(),
        **{f"discovery_{start}": discovery_tables(discovery, start, corpus_tasks()) for start in TABLES},
        "model": model_section(read()),
        "pair": pair_memory(),
        "statuses": markdown_table(
            ["outcome", "what it says"], [[f"`{name}`", text] for name, text in STATUSES.items()]
        ),
        "decoder": decoder_section(RESULTS / "decoder.json", ROOT / "lhs_hf" / "pretrained" / "lhs-tiny"),
    }


def first_result(text: str) -> str:
    """Of what the search prints the comparison with its verdict, and the sentence that it ends with."""
    lines = text.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("┏"))
    last = next(index for index, line in enumerate(lines) if line.startswith("└"))
    stored = json.loads((RESULTS / "search_tsp_construct.json").read_text())
    cost = next(line for line in lines if re.match(r"\d+ programs, ", line))
    ending = conclusion(get_task(stored["task"]), {**stored, "output": SHOWN_RUN})
    return "\n".join(["```text", *lines[first : last + 1], cost, *ending.split("; "), "```"])


def peers_table() -> str:
    """Every split that the paper prints: what was measured here beside what it prints, means over seeds."""
    measured = json.loads((RESULTS / "searches-splits.json").read_text())["searches"]["reference"]
    grid = open_grid(RESULTS / "comparison")
    rows = []
    for task, printed in PAPER.items():
        runs = [entry for entry in measured if entry["task"] == task]
        for split in next(iter(printed.values())):
            arrow = "↓" if get_task(task).sense == "min" else "↑"
            cells = [[cell.objective(split) for cell in grid.of(method, task)] for method in OWN]
            rows.append(
                [
                    f"`{task}` {split} {arrow}",
                    *(number(runs[0][f"splits_{name}"][split]) for name in ("reference", "corpus")),
                    _mean(run["splits"][split] for run in runs),
                    *map(_mean, cells),
                    *(f"{printed[peer][split][0]:g}" for peer in PEERS),
                ]
            )
    header = ["task, split", "reference", "best in corpus", "latents alone", *OWN.values()]
    return markdown_table([*header, *(f"{peer}*" for peer in PEERS)], rows)


def _mean(values: Iterable[float | None]) -> str:
    """The mean of all seeds; an em dash where there are none, or where one fails."""
    known = list(values)
    return number(mean(known) if known and None not in known else None)


def tasks_table(content: dict[str, Any]) -> str:
    """The ten short searches; without the last three columns from an older file that does not hold them."""
    found = f"found (budget {content['budget']})"
    header = ["task", "better is", "reference", found, "best in corpus", "bound", "valid"]
    judged = all("novelty" in row for row in content["tasks"])
    if judged:
        header += ["is it new?", "over the best in corpus on `holdout`, %", "time (× reference)"]
    rows = []
    for row in content["tasks"]:
        cells = [
            f"`{row['task']}`",
            "lower" if row["sense"] == "min" else "higher",
            *(number(row[name]) for name in ("reference_objective", "objective", "best_in_corpus")),
            number(row["bound"].get("search")),
            f"{row['valid']}/{row['candidates']}",
        ]
        if judged:
            gain = row["corpus_gain"] or {"gain": None}
            shown = interval({"mean": gain["gain"], **gain}, digits=2, signed=True)
            cells += [row["novelty"]["level"], shown, runtime_cell(row["runtime"], "holdout")]
        rows.append(cells)
    return markdown_table(header, rows)


def evaluator_table() -> str:
    """Milliseconds a program, from `scripts/bench_evaluator.py --json results/bench_evaluator.json`."""
    result = json.loads((RESULTS / "bench_evaluator.json").read_text())
    lines = [
        "Milliseconds a program (median; `scripts/bench_evaluator.py`): called directly without protection, in a",
        "process forked for it with the score through a queue (the usual design), and in this sandbox with one worker,",
        "what that takes longer than the direct call (median over rounds and its 95 % interval; again where the caller",
        "has imported torch: a process may be some per cent faster than another, which long programs show), and with",
        "two workers that never pause:",
        "",
        "| program | direct | fork | fork, torch | sandbox | longer than direct | the same, torch | two workers |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in result["plain"].items():
        heavy = result["torch"][name]
        values = (row["direct"], row["fork"], heavy["fork"], row["sandbox 1"])
        longer = [f"{h['overhead']:.2f} [{h['overhead low']:.2f}, {h['overhead high']:.2f}]" for h in (row, heavy)]
        cells = [*(f"{value:.2f}" for value in values), *longer, f"{row['busy 2']:.2f}"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def ascent() -> str:
    """The paired test of the gradient and the table of all moves, from `scripts/benchmarks/measure_latents.py`."""
    parts = []
    for name in ("latents.json", "latents-moves.json"):
        content = json.loads((RESULTS / name).read_text())
        for entry in content["moves"]:
            together = entry["all"]
            count = together["moves"]["gradient"]["valid"]["n"]
            title = f"{len(entry['tasks'])} tasks, {count} ascents, {entry_title(entry)}"
            parts.append(f"{title[0].upper()}{title[1:]}; {content['settings']['split']} families:")
            parts.append(moves_table(together["moves"]))
            if name == "latents.json":
                parts.append(differences_table(together["gradient_minus"]))
    return "\n\n".join([*parts, WORDS])


def own_ascents() -> str:
    """What surrogates alone are worth on tasks that nothing else has seen."""
    content = json.loads((RESULTS / "unseen_ascents.json").read_text())
    rows = []
    for name, figures in [*content["tasks"].items(), ("", content["all"])]:
        up, aside = (figures["proposers"][move]["beats"] for move in ("edit_gradient", "edit_random"))
        apart = figures["differences"]["edit_gradient - edit_random"]["beats"]
        correlation = content["surrogates"][name]["hand_written"] if name else _mean_correlation(content)
        label = f"`{name}`" if name else "together"
        shares = [f"{100 * each['mean']:.0f} %" for each in (up, aside)]
        rows.append([label, f"{correlation:.2f}", *shares, interval(apart, signed=True), str(up["n"])])
    p = content["all"]["differences"]["edit_gradient - edit_random"]["beats"]["p"]
    head = ["task", "Spearman", "along the gradient", "in a random direction", "difference", "ascents"]
    return markdown_table(head, rows) + f"\n\np of the difference, over all: {'< 0.001' if p < 0.001 else f'{p:.3f}'}."


def left_out() -> str:
    """What a search of a task comes to with a model that was trained without it."""
    rows = []
    for name, figures in json.loads((RESULTS / "left_out.json").read_text()).items():
        row = [f"`{name}`", number(figures["best_in_corpus"][0], 6)]
        for start in ("corpus", "reference"):
            row += [number(mean(figures[start]["found"]), 6), f"{100 * figures[start]['valid']:.0f} %"]
        rows.append(row)
    return markdown_table(
        ["task", "best in corpus", "found, from the corpus", "valid", "found, from the reference", "valid"], rows
    )


def _mean_correlation(content: dict[str, Any]) -> float:
    return mean(each["hand_written"] for each in content["surrogates"].values())


def pair_memory() -> str:
    """Memory of the paper's pair, from `scripts/benchmarks/pair_memory.py`."""
    found = json.loads((RESULTS / "pair_memory.json").read_text())
    decoder, encoder, cache = (f"{found[part]['bytes'] / 1e9:.1f} GB" for part in ("decoder", "encoder", "cache"))
    return (
        f"By the number of weights, in bfloat16: {decoder} for the decoder, {encoder} for the encoder, and up to\n"
        f"{cache} of cache for each of the programs decoded at once (`scripts/benchmarks/pair_memory.py`)."
    )


def render(page: str) -> str:
    """The text of a page with its generated parts replaced."""
    for name, body in sections().items():
        start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
        if start in page:
            head, rest = page.split(start, 1)
            page = head + start + "\n" + body + "\n" + end + rest.split(end, 1)[1]
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--render", action="store_true", help="only write the pages from results/")
    options = parser.parse_args()
    for part in options.parts if not options.render else ():
        with tempfile.TemporaryDirectory() as name:
            PARTS[part](Path(name))
    for page in PAGES:
        page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
