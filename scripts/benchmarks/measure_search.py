# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Run many searches under one setting and write what they found: success, distinct programs, novelty, best objective.

    python scripts/benchmarks/measure_search.py --inits reference corpus --seeds 0 1 2
    python scripts/benchmarks/measure_search.py --tasks tsp_construct --set temperature=1.0 --runs hot --output hot.json

Every search has a run folder of its own under `--runs`: one that is finished is not run again, one that was stopped
goes on where it was, and several processes may share the work (`--tasks`, each with other ones). The summary is
computed from the folders. Of every found program it is said whether it is in the corpus, and how it stands on `holdout`
to the best program of the corpus. With `--splits`, the found program, the reference and the best corpus program are
evaluated on every split of the task, the test splits included.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lhs_hf.corpus.dataset import DATA_FOLDER, corpus_tasks, load_corpus
from lhs_hf.corpus.novelty import LEVELS, Reference, novelty, tolerance
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.models.composite import open_model
from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.search.comparison import corpus_gain
from lhs_hf.search.components import load_components
from lhs_hf.search.database import SCREENED, Candidate, RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.result import best_candidate
from lhs_hf.search.settings import INITS, SearchSettings
from lhs_hf.search.starts import starting_programs
from lhs_hf.tasks import Task, get_task

ROOT = Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--inits", nargs="+", choices=INITS, default=list(INITS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--preset", default="latent")
    parser.add_argument("--corpus", type=Path, default=DATA_FOLDER, help="what the found programs are compared with")
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help="search settings to change (JSON)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--splits", action="store_true", help="evaluate what was found on every split")
    parser.add_argument("--runs", type=Path, default=Path("runs/searches"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "searches.json")
    return parser.parse_args()


def changed(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that `--set` names."""
    pairs = (item.partition("=") for item in options.set)
    return {name: _value(value) for name, _, value in pairs}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def search(
    folder: Path, task: Task, settings: SearchSettings, components: Any, rows: Any, options: argparse.Namespace
) -> dict[str, Any]:
    """Run, or finish, one search; returns what is reported of it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        RunDatabase(folder / "run.sqlite") as database,
        EvaluationCache() as cache,
        Evaluator(task, workers=options.workers, cache=cache) as evaluator,
    ):
        identity = {"model": options.weights, "task": task.name, **settings.as_dict()}
        if database.get("identity") not in (None, identity):
            raise SystemExit(f"{folder} holds a search with other settings or weights; choose another --runs")
        database.set("identity", identity)
        found = database.get("measured")
        if found is None:
            started = time.monotonic()
            starts = starting_programs(task, settings)
            candidates = LatentSearch(components, evaluator, database, settings, starts).run()
            seconds = time.monotonic() - started
            found = {**describe(task, candidates, rows, evaluator), "seconds": seconds}
            database.set("measured", found)
        if "novelty" not in found:
            found.update(judged(task, found["program"], rows, evaluator))
            database.set("measured", found)
        if options.splits and "splits_corpus" not in found:
            best = max(rows, key=lambda row: row.score)
            programs = {"": found["program"], "_reference": task.template, "_corpus": best.program}
            for name, program in programs.items():
                found[f"splits{name}"] = {split: evaluator.evaluate(program, split).objective for split in task.splits}
            database.set("measured", found)
    return found


def describe(task: Task, candidates: list[Candidate], rows: Any, evaluator: Evaluator) -> dict[str, Any]:
    """The figures of one finished search. Novelty is against the whole corpus, its test families included."""
    reference = Reference(rows)
    decoded = [candidate for candidate in candidates if candidate.decoded]
    valid = [candidate for candidate in decoded if candidate.ok]
    distinct = list({candidate.program_hash: candidate for candidate in valid}.values())
    behaviours = evaluator.probe_many([candidate.program for candidate in distinct])
    acts_anew = [found is not None and not reference.has_behaviour(found) for found in behaviours]
    best = best_candidate(candidates)
    assert best is not None
    behaviour = evaluator.probe_many([best.program])[0]
    known = max(row.score for row in rows)
    seen = max(row.score for row in rows if row.split == "train")
    statuses: dict[str, int] = {}
    for candidate in decoded:
        statuses[candidate.status] = statuses.get(candidate.status, 0) + 1
    judged = [candidate for candidate in decoded if candidate.status != SCREENED]
    return {
        "task": task.name,
        "calls": len(decoded),
        "evaluated": len(judged),
        "valid": len(valid),
        "statuses": statuses,
        "distinct": len(distinct),
        "distinct_objectives": len({candidate.objective for candidate in distinct}),
        "new_texts": sum(not reference.has_text(candidate.program_hash) for candidate in distinct),
        "new_behaviours": sum(acts_anew),
        "reference": candidates[0].objective,
        "best_in_corpus": task.alpha * known,
        "best_in_training": task.alpha * seen,
        "found": best.objective,
        "found_new_text": not reference.has_text(best.program_hash),
        "found_new_behaviour": behaviour is not None and not reference.has_behaviour(behaviour),
        "beats_reference": best.score > candidates[0].score + tolerance(best.score),
        "beats_corpus": best.score > known + tolerance(known),
        "beats_training": best.score > seen + tolerance(seen),
        "tokens": sum(candidate.tokens for candidate in decoded),
        "program": best.program,
    }


def judged(task: Task, program: str, rows: Any, evaluator: Evaluator) -> dict[str, Any]:
    """Whether a found program is in the corpus, and its gain over the best of the corpus on `holdout`."""
    best = max(rows, key=lambda row: (row.score, row.hash))
    programs = {"found": program, "corpus": best.program}
    splits = {name: evaluator.evaluate(source, "holdout") for name, source in programs.items()}
    on_search = evaluator.evaluate(program, "search").objectives
    kind = novelty(task, Reference(rows), program, evaluator.probe(program), on_search)
    gain = corpus_gain(task, {name: {"holdout": each} for name, each in splits.items()})
    return {"novelty": kind.as_dict(), "corpus_gain": gain}


def discoveries(searches: list[dict[str, Any]]) -> dict[str, Any]:
    """How often what was found is of each level of novelty, and new and better than the best of the corpus.

    That is judged on `holdout`; a corpus program that is better there than the one best on `search` is no discovery.
    """
    gains = [entry["corpus_gain"] or {} for entry in searches if entry["novelty"]["level"] == "new"]
    better = [gain for gain in gains if gain.get("difference", 0.0) > 0]
    return {
        "levels": {level: sum(entry["novelty"]["level"] == level for entry in searches) for level in LEVELS},
        "share_new": len(gains) / len(searches),
        "share_new_and_better": len(better) / len(searches),
        "share_beyond_noise": sum((gain["low"] or 0.0) > 0 for gain in better) / len(searches),
    }


def summarize(searches: list[dict[str, Any]]) -> dict[str, Any]:
    """Shares over searches that started alike."""
    calls = sum(entry["evaluated"] for entry in searches)
    means = {
        name: float(np.mean([entry[name] for entry in searches]))
        for name in ("distinct", "distinct_objectives", "new_texts", "new_behaviours", "seconds")
    }
    tasks: dict[str, list[dict[str, Any]]] = {}
    for entry in searches:
        tasks.setdefault(entry["task"], []).append(entry)
    better = {}
    for name, entries in tasks.items():
        sign = get_task(name).alpha
        mean = float(np.mean([entry["found"] for entry in entries]))
        known = entries[0]["best_in_corpus"]
        better[name] = {
            "mean_found": mean,
            "best_in_corpus": known,
            "mean_better": sign * (mean - known) > tolerance(known),
            "any_better": any(entry["beats_corpus"] for entry in entries),
            "success": sum(entry["valid"] for entry in entries) / sum(entry["evaluated"] for entry in entries),
        }
    return {
        "searches": len(searches),
        "success_rate": sum(entry["valid"] for entry in searches) / calls,
        **means,
        **{
            f"share_{name}": float(np.mean([entry[name] for entry in searches]))
            for name in ("beats_reference", "beats_corpus", "beats_training")
        },
        **discoveries(searches),
        "tasks_mean_better_than_corpus": sum(entry["mean_better"] for entry in better.values()),
        "tasks_any_better_than_corpus": sum(entry["any_better"] for entry in better.values()),
        "tasks": better,
    }


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    opened = open_model(options.model)
    options.weights = weights_fingerprint(opened.folder)
    base = SearchSettings.from_preset(options.preset, budget=options.budget, **changed(options))
    searches: dict[str, list[dict[str, Any]]] = {init: [] for init in options.inits}
    for name in options.tasks:
        task, rows = get_task(name), load_corpus(name, folder=options.corpus)
        components = load_components(opened, task, base.space)
        for init in options.inits:
            for seed in options.seeds:
                folder = options.runs / f"{name}-{init}-seed{seed}"
                settings = replace(base, init=init, seed=seed)
                found = search(folder, task, settings, components, rows, options)
                searches[init].append({"seed": seed, **found})
                print(
                    f"{name} {init} seed {seed}: {found['valid']}/{found['evaluated']} valid, {found['distinct']} "
                    f"distinct ({found['new_texts']} new texts, {found['new_behaviours']} new behaviours), found "
                    f"{found['found']:.6g}, reference {found['reference']:.6g}, best in corpus "
                    f"{found['best_in_corpus']:.6g}, {found['novelty']['level']}, {found['seconds']:.0f} s",
                    flush=True,
                )
    summary = {
        "settings": {**base.as_dict(), "model": options.model, "weights": options.weights, "seeds": options.seeds},
        "summary": {init: summarize(entries) for init, entries in searches.items()},
        "searches": searches,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(summary, indent=1) + "\n")
    for init, entries in summary["summary"].items():
        print(init, json.dumps({key: value for key, value in entries.items() if key != "tasks"}))


if __name__ == "__main__":
    main()
