# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Measure what a model's latent space is worth: the direct paired test of ascent, its surrogates and its flow.

    python scripts/benchmarks/measure_latents.py --split validation --radius 2 4 8 16   to choose: the curve of radii
    python scripts/benchmarks/measure_latents.py --split test --radius 8         the one opening of test families

Every decoded program is stored in the database as soon as its batch is evaluated, so that a run that was stopped goes
on with the same command; the summary (results/latents.json) is computed from the database.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import torch
from latents.moves import MOVES
from latents.paired import PairedSettings, measure_task
from latents.predictors import flow_section, surrogate_section
from latents.records import RecordStore
from latents.statistics import summarize

from lhs_hf.corpus.dataset import corpus_tasks, load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.models.composite import open_model
from lhs_hf.models.encoding import encode_programs
from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.search.components import load_components
from lhs_hf.search.settings import SPACES, SearchSettings
from lhs_hf.tasks import get_task
from lhs_hf.training.flow_config import FlowTrainingConfig

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = ("moves", "surrogate", "flow")


def arguments() -> argparse.Namespace:
    """The command line."""
    default = SearchSettings()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    parser.add_argument("--space", choices=SPACES, default="prior")
    parser.add_argument("--parents", type=int, default=100, help="programs a task, spread over its families")
    parser.add_argument("--radius", type=float, nargs="+", default=[default.radius], help="several give a curve")
    parser.add_argument("--steps", type=int, default=default.steps)
    parser.add_argument("--uncertainty", type=float, default=0.0)
    parser.add_argument("--prior-weight", type=float, default=0.0)
    parser.add_argument("--screening", type=lambda text: tuple(map(int, text.split(","))), default=(1, 4))
    parser.add_argument("--nearness", type=float, default=default.nearness)
    parser.add_argument("--moves", nargs="+", choices=MOVES, default=list(MOVES))
    parser.add_argument("--temperature", type=float, default=default.temperature)
    parser.add_argument("--top-p", type=float, default=default.top_p)
    parser.add_argument("--no-guidance", dest="guidance", action="store_false")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=32, help="programs decoded together")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--database", type=Path, help="default: runs/latents-SPLIT.sqlite")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "latents.json")
    return parser.parse_args()


def training_noise(root: Path) -> float:
    """The noise a model's flow was trained with, by its record; the recipe's default without one."""
    path = root / "training.json"
    record = json.loads(path.read_text()) if path.is_file() else {}
    return float(record.get("flow", {}).get("noise", FlowTrainingConfig().noise))


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    opened = open_model(options.model)
    root = opened.folder
    search = SearchSettings.from_preset(
        "latent",
        space=options.space,
        steps=options.steps,
        uncertainty=options.uncertainty,
        prior_weight=options.prior_weight,
        nearness=options.nearness,
        temperature=options.temperature,
        top_p=options.top_p,
        guidance=options.guidance,
        seed=options.seed,
    )
    settings = PairedSettings(
        search,
        radii=tuple(options.radius),
        parents=options.parents,
        screening=options.screening,
        moves=tuple(dict.fromkeys(["gradient", *options.moves])),
        seed=options.seed,
        batch=options.batch,
    )
    identity = {
        "model": options.model,
        "weights": weights_fingerprint(root),
        "split": options.split,
        "screening": list(options.screening),
        "seed": options.seed,
        **{name: getattr(search, name) for name in ("space", "steps", "uncertainty", "prior_weight", "nearness")},
        **{name: getattr(search, name) for name in ("temperature", "top_p", "guidance", "max_new_tokens")},
    }
    database = options.database or Path("runs") / f"latents-{options.split}.sqlite"
    summary: dict[str, Any] = {"settings": {**identity, "parents": options.parents, "radius": options.radius}}
    surrogates: dict[str, Any] = {}
    with RecordStore(database) as store:
        store.check(identity)
        for name in options.tasks:
            task, rows = get_task(name), load_corpus(name)
            components = load_components(opened, task, options.space)
            if "moves" in options.sections:
                with EvaluationCache() as cache, Evaluator(task, workers=options.workers, cache=cache) as evaluator:
                    started = time.monotonic()
                    measure_task(components, evaluator, rows, options.split, settings, store, _progress(name, started))
            held = [row for row in rows if row.split == options.split]
            if "surrogate" in options.sections:
                surrogates[name] = surrogate_section(components, task, held)
        summary["moves"] = summarize(store.records(), options.seed)
    if "surrogate" in options.sections:
        summary["surrogate"] = {"tasks": surrogates, "mean": _means(surrogates)}
    if "flow" in options.sections:
        # One flow serves all tasks: it is measured on all, whichever are asked for.
        train, held_out = (_latents(opened.encoder(), split) for split in ("train", options.split))
        summary["flow"] = flow_section(components.model.flow, train, held_out, training_noise(root), options.seed)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(summary, indent=1) + "\n")
    _print(summary)


def _progress(name: str, started: float) -> Any:
    def show(done: int, total: int) -> None:
        print(f"{name}: {done}/{total} moves, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)

    return show


def _latents(encoder: Any, split: str) -> torch.Tensor:
    """The latents z (N, d) of a split of the whole corpus."""
    found = []
    for name in corpus_tasks():
        rows = load_corpus(name, split)
        programs, behaviours = [row.program for row in rows], [row.behaviour for row in rows]
        found.append(encode_programs(encoder, programs, get_task(name), behaviours=behaviours))
    return torch.cat(found)


def _means(sections: dict[str, Any]) -> dict[str, Any]:
    """Means over the tasks of each predictor's correlations."""
    means = {}
    for name in ("surrogate", "tfidf_ridge", "knn"):
        found = [section[name] for section in sections.values() if section[name] is not None]
        keys = ("spearman", "better_half") if found else ()
        means[name] = {key: sum(section[key] for section in found) / len(found) for key in keys}
    return means


def _print(summary: dict[str, Any]) -> None:
    """The figures over all tasks, as text."""
    for entry in summary["moves"]:
        print(f"radius {entry['radius']:g}, best of {entry['screening']}")
        for move, figures in entry["all"]["moves"].items():
            cells = [f"{name} {_interval(figures[name])}" for name in ("valid", "beats", "change", "new_text")]
            print(f"  {move:<14}" + "  ".join(cells))
        point, program = (entry["all"]["prediction"][name] for name in ("point", "program"))
        if point is not None and program is not None:
            print(f"  predicted against true scores: at the point {point:.2f}, of the program {program:.2f}")
        for move, difference in entry["all"]["gradient_minus"].items():
            found = difference["beats"]
            exact = difference["mcnemar"]["p"]
            print(f"  gradient - {move}: beats {_interval(found)}, p {found['p']:.3g}, McNemar {exact:.3g}")
    for name in ("surrogate", "flow"):
        if name in summary:
            print(name, json.dumps(summary[name].get("mean", summary[name])))


def _interval(found: dict[str, Any]) -> str:
    if found["mean"] is None:
        return "—"
    return f"{found['mean']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]"


if __name__ == "__main__":
    main()
