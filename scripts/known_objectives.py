"""Objectives of the reference and of the best corpus program of each task, on every split, for the package.

    python scripts/known_objectives.py [TASK ...]

Writes lhs_hf/corpus/data/known_objectives.json, which the page reads so that both columns of its comparison are there
at once. Programs run in the sandbox unless they were evaluated on this machine before. With tasks, only theirs are made
again.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from lhs_hf.corpus.stats import KNOWN_OBJECTIVES
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.programs import program_hash
from lhs_hf.search.starts import best_corpus_row
from lhs_hf.tasks import get_task, task_names


def measured(name: str, cache: EvaluationCache) -> dict[str, Any]:
    """Hash and objectives by split of a task's reference and of its best corpus program. Raises if one fails."""
    task, row = get_task(name), best_corpus_row(get_task(name))
    if row is None:
        raise SystemExit(f"the corpus has no programs of {name}")
    sources, entry = {"reference": task.template, "corpus": row.program}, {}
    with Evaluator(task, workers=1, cache=cache) as evaluator:
        for who, source in sources.items():
            results = {split: evaluator.evaluate(source, split) for split in task.splits}
            failed = [split for split, result in results.items() if not result.ok]
            if failed:
                raise SystemExit(f"{name}: the {who} program fails on {', '.join(failed)}")
            objectives = {split: result.objective for split, result in results.items()}
            entry[who] = {"hash": program_hash(source), "objectives": objectives}
    return entry


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", help="names; all if none is given")
    tasks = parser.parse_args().tasks or task_names()
    known = json.loads(KNOWN_OBJECTIVES.read_text(encoding="utf-8")) if KNOWN_OBJECTIVES.exists() else {}
    with EvaluationCache() as cache:
        for name in tasks:
            known[name] = measured(name, cache)
            text = json.dumps({each: known[each] for each in sorted(known)}, indent=1)
            KNOWN_OBJECTIVES.write_text(text + "\n", encoding="utf-8")
            print(name, known[name]["corpus"]["objectives"], flush=True)


if __name__ == "__main__":
    main()
