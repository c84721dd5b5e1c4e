# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf[train]"]
# ///
"""Does a decoder learn to write for tasks that it has not seen? Without types, values, random names, tasks of the zoo.

    python scripts/benchmarks/zoo_ablation.py --processes 2
    python scripts/benchmarks/zoo_ablation.py --summary

Every arm is an autoencoder trained for a third of the steps of the shipped one, one seed, on the ten tasks of the paper
and some of the zoo's (`zoo.arms`). All are judged on the zoo's ten development tasks: NLL of hand-written programs
given their latents, and how many of the programs decoded from these run on the probe states, with and without guidance
by executed values. The same command goes on where it was stopped; a graphics card is used if there is one. An arm that
the work folder does not have keeps the figures that it has in the output, if these were made with the same settings.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from zoo.arms import ARMS, training_zoo
from zoo.judging import judge, weights_of
from zoo.training import train, write_examples, write_tokenizer, write_variants

from lhs_hf.tasks import task_names
from lhs_hf.tasks.names import ZOO_DEVELOPMENT

ROOT = Path(__file__).resolve().parents[2]
BOOTSTRAP = 2000


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arms", nargs="+", choices=list(ARMS), default=list(ARMS))
    parser.add_argument("--tasks", nargs="+", default=list(ZOO_DEVELOPMENT), help="development tasks")
    parser.add_argument("--steps", type=int, default=733)
    parser.add_argument("--batch", type=int, default=48, help="programs a step")
    parser.add_argument("--variants", type=int, default=800, help="streamed variants a task")
    parser.add_argument("--decoded", type=int, default=12, help="programs a task")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--trainings", type=int, default=1, help="arms that are trained at the same time")
    parser.add_argument("--work", type=Path, default=Path("training-runs/zoo"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "zoo_ablation.json")
    parser.add_argument("--summary", action="store_true", help="only write what is finished")
    return parser.parse_args()


def run(options: argparse.Namespace) -> None:
    """Everything that is missing in the work folder."""
    work, seed = options.work, options.seed
    arms = [ARMS[name] for name in options.arms]
    tasks = [*task_names(), *training_zoo()[: max(arm.zoo for arm in arms)]]
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        write_variants(work, tasks, options.variants, seed, pool)
        print("variants", flush=True)
        write_tokenizer(work, tasks, seed)
        namings = sorted({arm.naming for arm in arms})
        jobs = [(work, name, naming, options.variants, seed) for naming in namings for name in tasks]
        for future in [pool.submit(write_examples, *job) for job in jobs]:
            future.result()
        print("examples", flush=True)
    named = sorted({weights_of(name) for name in options.arms}, key=list(ARMS).index)
    with ProcessPoolExecutor(options.trainings, mp_context=get_context("spawn")) as pool:
        futures = {name: pool.submit(train, work, name, options.steps, options.batch, seed) for name in named}
        for name, future in futures.items():
            _write(work / "trained" / f"{name}.json", future.result())
            print("trained", name, flush=True)
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        judged = {
            path: pool.submit(judge, work, name, weights_of(name), task, options.decoded, seed)
            for task in options.tasks
            for name in options.arms
            if not (path := work / "judged" / f"{name}-{task}.json").is_file()
        }
        for path, judgement in judged.items():
            try:
                _write(path, judgement.result())
            except Exception as problem:  # one task fails, the others are told of
                print(f"{path.stem}: {problem!r}", flush=True)
            else:
                print("judged", path.stem, flush=True)


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content) + "\n")


def summary(options: argparse.Namespace) -> dict[str, Any]:
    """Of every arm means over tasks, with 95 % intervals by task."""
    kept = ("steps", "batch", "variants", "decoded", "seed")
    settings = {name: getattr(options, name) for name in kept}
    published = json.loads(options.output.read_text()) if options.output.is_file() else {}
    arms: dict[str, Any] = published["arms"] if published.get("settings") == settings else {}
    measured = []
    for name in options.arms:
        files = {task: options.work / "judged" / f"{name}-{task}.json" for task in options.tasks}
        judged = {task: json.loads(path.read_text()) for task, path in files.items() if path.is_file()}
        if not judged:
            continue
        values = {
            "nll": [each["nll"] for each in judged.values()],
            "latent": [each["nll_stranger"] - each["nll"] for each in judged.values()],
        }
        for mode in ("guided", "free"):
            values[f"{mode}_valid"] = [float(np.mean(each[mode]["valid"])) for each in judged.values()]
            values[f"{mode}_agreement"] = [
                float(np.mean(each[mode]["agreement"])) for each in judged.values() if each[mode]["agreement"]
            ]
        measured.append(name)
        made = json.loads((options.work / "trained" / f"{weights_of(name)}.json").read_text())
        arms[name] = {
            **made,
            "zoo": ARMS[name].zoo,
            **{key: interval(each, options.seed) for key, each in values.items()},
            "tasks": dict(zip(judged, values["guided_valid"])),
        }
    if arms:
        # Where no arm has all parts, the one with most tasks is what the others are behind.
        base = "all" if "all" in arms else max(arms, key=lambda name: ARMS[name].zoo)
        complete = arms[base]["tasks"]
        for arm in map(arms.__getitem__, arms if base in measured else measured):
            pairs = [(share, arm["tasks"][task]) for task, share in complete.items() if task in arm["tasks"]]
            arm["behind_all"] = interval([one - two for one, two in pairs], options.seed)
    return {"settings": settings, "arms": {name: arms[name] for name in ARMS if name in arms}}


def interval(values: Sequence[float], seed: int) -> dict[str, float | int | None]:
    """The mean with a 95 % interval by bootstrap over tasks."""
    if not values:
        return {"mean": None, "low": None, "high": None, "tasks": 0}
    draws = np.random.default_rng(seed).choice(np.array(values), (BOOTSTRAP, len(values))).mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return {"mean": float(np.mean(values)), "low": float(low), "high": float(high), "tasks": len(values)}


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    if not options.summary:
        run(options)
    content = summary(options)
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    for name, arm in content["arms"].items():
        cells = [f"{key} {arm[key]['mean']:.3f}" for key in ("nll", "latent", "guided_valid", "free_valid")]
        print(f"{name:<24}" + "  ".join(cells))


if __name__ == "__main__":
    main()
