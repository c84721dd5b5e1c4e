# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf[train]"]
# ///
"""Train a whole model that has not seen some tasks, nor the best programs of the others, then only the new surrogates.

    python scripts/benchmarks/leave_out.py --without tsp_construct jssp_construct --best 0.1 --steps 700

Three steps, each resumable with the same command: the corpus is written to the work folder without each task's best
families; encoder, decoder, mapper, flow and surrogates are trained from it for the tasks that are not left out; for
each one that is, a surrogate alone is trained, as for a task of one's own. In the work folder's `export/` it has
learned from all training programs of the task that ship, in `export-best/` from those without the best families. Both
folders hold a record, `left_out.json`.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from lhs_hf.constants import SURROGATE_FOLDERS
from lhs_hf.corpus.dataset import DATA_FOLDER, SPLITS, CorpusRow, load_corpus, write_rows
from lhs_hf.tasks import get_task, task_names
from lhs_hf.training.model_training import ModelTraining
from lhs_hf.training.own_task import train_own_surrogate
from lhs_hf.training.presets import recipe


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", nargs="*", default=[], choices=task_names(), help="tasks that are not seen")
    parser.add_argument("--best", type=float, default=0.0, help="share of each task's families left out, the best")
    parser.add_argument("--steps", type=int, help="steps of the autoencoder, of the recipe's")
    parser.add_argument("--variants", type=int, help="streamed variants a task, of the recipe's")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path, default=Path("training-runs/left-out"))
    return parser.parse_args()


def best_families(rows: list[CorpusRow], share: float) -> set[str]:
    """The best `share` of the families of one task, rounded up, a family being as good as its best program."""
    best: dict[str, float] = {}
    for row in rows:
        best[row.family] = max(row.score, best.get(row.family, -math.inf))
    return set(sorted(best, key=lambda family: (-best[family], family))[: math.ceil(share * len(best))])


def write_corpus(folder: Path, share: float) -> dict[str, list[str]]:
    """Write what is left of the shipped corpus; returns the families left out of each task."""
    gone: dict[str, list[str]] = {}
    for name in task_names():
        rows = load_corpus(name)
        families = best_families(rows, share)
        gone[name] = sorted(families)
        for split in SPLITS:
            kept = [row for row in rows if row.split == split and row.family not in families]
            write_rows(kept, folder / name / f"{split}-00000.parquet")
    return gone


def train_surrogates(model: Path, tasks: list[str], corpus: Path, seed: int) -> dict[str, Any]:
    """Train the surrogates of tasks that a model has not seen into its folder, in both spaces; their reports."""
    return {
        f"{name} ({space})": train_own_surrogate(
            get_task(name), corpus, model / folder / name, model=str(model), space=space, seed=seed
        )
        for name in tasks
        for space, folder in SURROGATE_FOLDERS.items()
    }


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    corpus, model, blind = options.work / "corpus", options.work / "export", options.work / "export-best"
    gone = write_corpus(corpus, options.best)
    chosen = recipe("lhs-tiny", [name for name in task_names() if name not in options.without], options.seed)
    steps = options.steps or chosen.autoencoder.steps
    autoencoder = replace(chosen.autoencoder, steps=steps, evaluate_every=max(1, steps // 4))
    chosen = replace(chosen, autoencoder=autoencoder, variants=options.variants or chosen.variants)
    ModelTraining(chosen, options.work, corpus).run()
    shutil.rmtree(blind, ignore_errors=True)
    shutil.copytree(model, blind)
    record = {
        "without": options.without,
        "best_share": options.best,
        "families_left_out": gone,
        "steps": steps,
        "variants": chosen.variants,
    }
    for folder, programs in ((model, DATA_FOLDER), (blind, corpus)):
        reports = train_surrogates(folder, options.without, programs, options.seed)
        (folder / "left_out.json").write_text(json.dumps({**record, "surrogates": reports}, indent=1) + "\n")


if __name__ == "__main__":
    main()
