# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""True ascent: from the same programs of unseen families, whose child beats its parent?

    OMP_NUM_THREADS=1 python scripts/benchmarks/true_ascent.py --split validation --parents 10
    OMP_NUM_THREADS=1 python scripts/benchmarks/true_ascent.py --split test --parents 100       the published run
    python scripts/benchmarks/true_ascent.py --split test --proposers editor editor_random --keep        some of it anew
    python scripts/benchmarks/true_ascent.py --proposers edit editor=some.module:function       another proposer

Proposers: `edit` (one edit of the tree), `screened` (the one of four that the surrogate likes), `gradient` and `random`
(a whole program, decoded as far along the gradient or a random direction), `editor` and `editor_random` (of the
children that the editor writes the one farthest along the gradient, or in a random direction). Another one is
NAME=module:function: called with an `ascents.proposers.Setting`, it returns a function (parent, generator) -> child, or
an object with an edit's `propose`. Every child is evaluated on `search` and stored; the same command goes on where it
was stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ascents.proposers import PROPOSERS, Child, Propose, Setting, proposer
from ascents.summary import beside, summarize
from latents.moves import choose_parents
from latents.records import RecordStore

from lhs_hf import programs
from lhs_hf.corpus.dataset import CorpusRow, corpus_tasks, load_corpus
from lhs_hf.corpus.novelty import Reference, tolerance
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.models.composite import open_model
from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.search.components import load_components
from lhs_hf.search.edits import Parent
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

ROOT = Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--editor", help="folder of the editor; default: that of the model")
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    parser.add_argument("--parents", type=int, default=100, help="programs a task, spread over its families")
    parser.add_argument("--proposers", nargs="+", help="default: all, those of the editor if there is one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--database", type=Path, help="default: runs/true_ascent-SPLIT.sqlite")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "true_ascent.json")
    parser.add_argument("--keep", action="store_true", help="figures of other proposers that --output has stay there")
    return parser.parse_args()


def measure_task(
    setting: Setting, parents: Sequence[CorpusRow], names: Mapping[str, str], seed: int, store: RecordStore
) -> None:
    """Record every ascent of a task that `store` does not hold yet: all proposers of a parent, then the next parent."""
    task, reference = setting.task, Reference(setting.rows)
    done = store.done(task.name)
    proposers = {name: proposer(where, setting) for name, where in names.items()}
    for index, parent in enumerate(parents):
        for name, propose in proposers.items():
            if (0.0, index, name) not in done:
                # One stream a parent: proposers are compared on the same draws as far as they draw alike.
                generator = np.random.default_rng([seed, zlib.crc32(task.name.encode()), index])
                store.add([_ascent(setting, reference, parent, index, name, propose, generator)])


def _ascent(
    setting: Setting,
    reference: Reference,
    parent: CorpusRow,
    index: int,
    name: str,
    propose: Propose,
    generator: np.random.Generator,
) -> dict[str, Any]:
    started = time.perf_counter()
    child = propose(Parent(parent.program, parent.hash, parent.family, parent.score), generator)
    seconds = time.perf_counter() - started
    key = {"task": setting.task.name, "radius": 0.0, "parent": index, "move": name, "sample": 0}
    return {
        **key,
        "family": parent.family,
        "parent_hash": parent.hash,
        "parent_score": parent.score,
        "seconds": seconds,
        **_result(setting.evaluator, reference, parent, child),
    }


def _result(evaluator: Evaluator, reference: Reference, parent: CorpusRow, child: Child | None) -> dict[str, Any]:
    score, identity, behaviour = None, None, None
    best = float(reference.scores[-1])
    if child is not None:
        score = evaluator.evaluate(child.source, "search").score
        behaviour = evaluator.probe(child.source) if score is not None else None
        identity = programs.program_hash(child.source) if score is not None else None
    return {
        "program": None if child is None else child.source,
        "operator": None if child is None else child.operator,
        "score": score,
        "change": reference.quantile(score) - reference.quantile(parent.score),
        "beats": score is not None and score > parent.score + tolerance(parent.score),
        "gain": (score - parent.score) / abs(parent.score) if score is not None and parent.score else None,
        "beats_best": score is not None and score > best + tolerance(best),
        "differs": identity != parent.hash,
        "in_corpus": reference.has_text(identity),
        "new_behaviour": behaviour is not None and not reference.has_behaviour(behaviour),
        "decides_alike": behaviour is not None and bool((behaviour.decisions == parent.decisions).all()),
    }


def main() -> None:
    """Run what is missing, then summarise."""
    options = arguments()
    torch.set_num_threads(1)
    opened, search = open_model(options.model), SearchSettings(seed=options.seed)
    editor = opened.editor(options.editor)
    known = [name for name in PROPOSERS if editor is not None or not name.startswith("editor")]
    names = dict(each.split("=", 1) if "=" in each else (each, each) for each in options.proposers or known)
    identity = {"model": options.model, "weights": weights_fingerprint(opened.folder), "split": options.split}
    identity |= {"seed": options.seed, "radius": search.radius, "steps": search.steps, "space": search.space}
    with RecordStore(options.database or Path("runs") / f"true_ascent-{options.split}.sqlite") as store:
        store.check(identity)
        for name in options.tasks:
            task, started = get_task(name), time.monotonic()
            with EvaluationCache() as cache, Evaluator(task, workers=options.workers, cache=cache) as evaluator:
                setting = Setting(load_components(opened, task), evaluator, load_corpus(name), search, editor)
                rows = [row for row in setting.rows if row.split == options.split]
                measure_task(setting, choose_parents(rows, options.parents, options.seed), names, options.seed, store)
            print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        records = store.records()
    table = summarize(records, options.seed)
    if options.keep:
        before = json.loads(options.output.read_text(encoding="utf-8"))
        if before["settings"] != identity:
            raise CallError(f"{options.output} was measured otherwise ({before['settings']}, not {identity})")
        table = beside(before, table)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps({"settings": identity, **table}, indent=1) + "\n")
    show(table)


def show(table: Mapping[str, Any]) -> None:
    """Print every proposer's shares and the differences of each two."""
    for name, figures in table["all"]["proposers"].items():
        cells = [f"{key} {_interval(figures[key])}" for key in ("valid", "beats", "new_of_improving")]
        print(f"{name:<12}" + "  ".join(cells))
    for name, difference in table["all"]["differences"].items():
        found = difference["beats"]
        print(f"{name}: {_interval(found)}, p {found['p']:.3g}, McNemar {difference['mcnemar']['p']:.3g}")


def _interval(found: Mapping[str, Any]) -> str:
    if found["mean"] is None:
        return "-"
    return f"{found['mean']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]"


if __name__ == "__main__":
    main()
