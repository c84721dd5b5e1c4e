# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""A surrogate is all that is trained for a task nobody trained on: does its gradient lead to better programs?

    OMP_NUM_THREADS=1 python scripts/benchmarks/unseen_ascents.py                    the development tasks of the zoo
    OMP_NUM_THREADS=1 python scripts/benchmarks/unseen_ascents.py --tasks unseen     those that nothing is chosen by

For each task what `lhs-hf train surrogate TASK_FILE` does: programs are made and scored, a surrogate learns from them,
and everything else of the model stays as it is. Parents are the zoo's hand-written programs of the task and their
variants, which neither the model nor the surrogate has seen. Of the same edits of each the one is taken that goes
farthest along the surrogate's gradient, or in a random direction (`--proposers gradient random`: whole programs,
decoded there); who beats the parent is counted as in true_ascent.py. The same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from ascents.proposers import Setting
from ascents.summary import summarize
from latents.moves import choose_parents
from latents.records import RecordStore
from true_ascent import measure_task, show
from unseen import GROUPS

from lhs_hf.corpus.dataset import CorpusRow, corpus_tasks, load_corpus
from lhs_hf.corpus.zoo import ZOO_FOLDER
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.models.composite import open_model
from lhs_hf.models.modeling_surrogate import LHSSurrogate
from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.search.components import Components, load_components
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task
from lhs_hf.training.first_programs import first_corpus
from lhs_hf.training.own_task import train_own_surrogate
from lhs_hf.training.surrogate_trainer import spearman

ROOT = Path(__file__).resolve().parents[2]
PROPOSERS = ("edit_gradient", "edit_random")


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--tasks", nargs="+", default=["development"], help="names, or: development, unseen")
    parser.add_argument("--parents", type=int, default=50, help="programs a task, spread over its families")
    parser.add_argument("--proposers", nargs="+", default=list(PROPOSERS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("runs/unseen_ascents"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "unseen_ascents.json")
    return parser.parse_args()


def own_surrogate(task: Task, model: str, seed: int, work: Path) -> tuple[LHSSurrogate, dict[str, Any]]:
    """The surrogate of a task from programs that are made for it, and what its training says of it."""
    folder, programs = work / "surrogates" / task.name, work / "programs"
    if task.name not in corpus_tasks(programs):
        first_corpus(task, programs, seed)
    report = train_own_surrogate(task, programs, folder, model=model, seed=seed)
    return LHSSurrogate.from_pretrained(folder), report


def readable(task: Task, components: Components) -> tuple[list[CorpusRow], torch.Tensor]:
    """The hand-written programs of a task and their variants that the encoder can read, and their points (N, d)."""
    rows, latents = [], []
    for row in load_corpus(task.name, folder=ZOO_FOLDER):
        with suppress(ValueError):
            latents.append(components.encode([row.program], task, behaviours=[row.behaviour]))
            rows.append(row)
    return rows, components.to_space(torch.cat(latents))


def main() -> None:
    """Run what is missing, then summarise."""
    options = arguments()
    torch.set_num_threads(1)
    opened, search = open_model(options.model), SearchSettings(seed=options.seed)
    identity = {"model": options.model, "weights": weights_fingerprint(opened.folder), "seed": options.seed}
    identity |= {"radius": search.radius, "steps": search.steps, "space": search.space}
    surrogates: dict[str, dict[str, Any]] = {}
    tasks = [name for each in options.tasks for name in GROUPS.get(each, (each,))]
    with RecordStore(options.work / "ascents.sqlite") as store:
        store.check(identity)
        for name in tasks:
            task, started = get_task(name), time.monotonic()
            surrogate, report = own_surrogate(task, options.model, options.seed, options.work)
            components = load_components(opened, task, surrogate=surrogate)
            rows, points = readable(task, components)
            with torch.no_grad():
                order = spearman(components.score(points), torch.tensor([row.score for row in rows]))
            surrogates[name] = {key: report[key] for key in ("train", "validation", "spearman")}
            surrogates[name] |= {"hand_written": order, "programs": len(rows)}
            with EvaluationCache() as cache, Evaluator(task, workers=options.workers, cache=cache) as evaluator:
                parents = choose_parents(rows, options.parents, options.seed)
                names = {each: each for each in options.proposers}
                measure_task(Setting(components, evaluator, rows, search), parents, names, options.seed, store)
            print(f"{name}: {surrogates[name]}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        records = [record for record in store.records() if record["task"] in tasks]
    table = summarize(records, options.seed)
    content = {"settings": identity, "surrogates": surrogates, **table}
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    show(table)


if __name__ == "__main__":
    main()
