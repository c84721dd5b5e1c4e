# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""The ten tasks as somebody else would write them down: other names, another order of the arguments.

    python scripts/benchmarks/renamed.py --tasks tsp_construct --programs 10 --renamings 20

A task of one's own that is one of the ten under other names is written into a file, as a stranger would have it: no
surrogate, no corpus of its own. Its decoded programs are counted beside those of the same file with the names of the
paper, from the same points and seeds, and searches from the reference are compared. Results: results/renamed.json.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lhs_hf.corpus.dataset import corpus_tasks
from lhs_hf.decoding.budget import Budget
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.search.ascent import random_directions
from lhs_hf.search.components import load_components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("aa", "bb", "thing", "alpha", "q1", "here", "home", "options", "gaps", "load", "table_of", "rows", "max")

FILE = '''"""{base} under other names."""

import ast
from dataclasses import replace

import numpy as np

from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import ProbeState

BASE = get_task("{base}")
NAMES = {names!r}
ORDER = {order!r}


def called(arguments):
    return tuple(arguments[place] for place in ORDER)


def in_order(state):
    """A probe state with its calls as the task itself has them."""
    calls = tuple(tuple(call[ORDER.index(place)] for place in range(len(call))) for call in state.calls)
    return replace(state, calls=calls)


def template():
    tree = ast.parse(BASE.template)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = NAMES.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = NAMES.get(node.arg, node.arg)
        elif isinstance(node, ast.FunctionDef) and node.name == BASE.function_name:
            node.name = "{function}"
            node.args.args = list(called(node.args.args))
    return ast.unparse(tree) + "\\n"


class Renamed(type(BASE)):
    name = "{name}"
    function_name = "{function}"
    arguments = called([NAMES[each] for each in BASE.arguments])
    template = template()

    def probe_states(self, generator, count):
        states = BASE.probe_states(generator, count)
        return [ProbeState(tuple(map(called, each.calls)), each.features, each.context) for each in states]

    def probe_decision(self, state, answers):
        return BASE.probe_decision(in_order(state), answers)

    def signs(self, state, answers):
        return BASE.signs(in_order(state), answers)

    if BASE.online:

        def play(self, program, view):
            return BASE.play(lambda *arguments: program(*called(arguments)), view)

    else:

        def rollout(self, program, instance):
            return BASE.rollout(lambda *arguments: program(*called(arguments)), instance)


TASK = Renamed()
'''


def renamed(base: str, seed: int | None, folder: Path) -> tuple[Task, dict[str, str]]:
    """A built-in task under other names (None: its own), and what each of them is called in the task itself."""
    task = get_task(base)
    order, names = list(range(len(task.arguments))), {name: name for name in task.arguments}
    function = task.function_name
    if seed is not None:
        generator = random.Random(seed)
        generator.shuffle(order)
        names, function = dict(zip(task.arguments, generator.sample(WORDS, len(order)))), "decide"
    name = f"own_{base}" if seed is None else f"renamed_{base}"
    file = folder / f"{name}_{seed}.py"
    file.write_text(FILE.format(base=base, names=names, order=order, function=function, name=name))
    return get_task(str(file)), {new: old for old, new in names.items()}


def decoded(task: Task, count: int) -> dict[str, Any]:
    """Programs decoded around the reference, as a search's first population is: how many run on `search`."""
    components = load_components("lhs-tiny", task)
    components.decoder.budget = Budget(count)
    settings = SearchSettings()
    with EvaluationCache() as cache, Evaluator(task, workers=1, cache=cache) as evaluator:
        centre = components.embed(task.template, task, evaluator)[None]
        directions = random_directions((count, centre.shape[1]), torch.Generator().manual_seed(0))
        points = centre + torch.linspace(0.0, settings.population_radius, count)[:, None] * directions
        generators = [torch.Generator().manual_seed(number) for number in range(count)]
        with evaluator.stepping() as guide:
            programs = components.decode(points, task, generators, settings, guide=guide)
        scored = [evaluator.evaluate(each.source, "search") for each in programs if each.finished]
    return {
        "decoded": count,
        "valid": sum(each.ok for each in scored),
        "objectives": [each.objective for each in scored if each.ok],
    }


def searched(task: Task, seed: int, budget: int) -> float:
    """The objective on `holdout` of what a search from the reference ends with."""
    components = load_components("lhs-tiny", task)
    settings = SearchSettings(budget=budget, seed=seed, init="reference")
    with (
        EvaluationCache() as cache,
        Evaluator(task, workers=1, cache=cache) as evaluator,
        RunDatabase(":memory:") as database,
    ):
        starts = portfolio_starts(task, "reference")
        outcome = PortfolioSearch(components, evaluator, database, settings, starts).run()
        objective = evaluator.evaluate(outcome.best.program, "holdout").objective
    assert objective is not None
    return float(objective)


def main() -> None:
    """Run what the command line asks for; what is in the file already is not run again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--renamings", type=int, default=20)
    parser.add_argument("--programs", type=int, default=5, help="decoded for each renaming")
    parser.add_argument(
        "--searches", type=int, default=3, help="seeds, with each a renaming and the names of the paper"
    )
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "renamed.json")
    options = parser.parse_args()
    torch.set_num_threads(1)
    results: dict[str, Any] = json.loads(options.output.read_text()) if options.output.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for base in options.tasks:
            if base in results:
                continue
            own, _ = renamed(base, None, folder)
            original = decoded(own, options.programs)
            others = [decoded(renamed(base, seed, folder)[0], options.programs) for seed in range(options.renamings)]
            result: dict[str, Any] = {
                "own_names": original["valid"] / options.programs,
                "renamed": float(np.mean([each["valid"] for each in others])) / options.programs,
                "same_objectives": sum(each["objectives"] == original["objectives"] for each in others),
                "renamings": options.renamings,
                "programs": options.programs,
                "holdout": {
                    "own_names": [searched(own, seed, options.budget) for seed in range(options.searches)],
                    "renamed": [
                        searched(renamed(base, seed, folder)[0], seed, options.budget)
                        for seed in range(options.searches)
                    ],
                },
                "budget": options.budget,
            }
            results[base] = result
            options.output.write_text(json.dumps(results, indent=1) + "\n")
            print(base, json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
