"""One search for a function, and what rules come to."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from signatures import commit

import lhs_hf
from lhs_hf.programs import load_function
from lhs_hf.tasks.headers import Header

from . import FUNCTIONS
from .better import BETTER
from .made import Rule


def rule_of(template: str) -> Rule:
    """The function that a template defines."""
    header = Header(template)
    return load_function(header.template, header.name, len(header.arguments))


def value(objective: Callable[[Rule], float], rule: Rule) -> float:
    """What an objective says of a rule; what it prints is thrown away."""
    with contextlib.redirect_stdout(io.StringIO()):
        return float(objective(rule))


def better_value(name: str) -> float:
    """What the objective says of the better rule."""
    objective, _, _ = FUNCTIONS[name]()
    return value(objective, BETTER[name])


def cells_in(work: Path) -> list[dict[str, Any]]:
    """The cells that there are, by name and seed."""
    return [json.loads(file.read_text("utf-8")) for file in sorted((work / "cells").glob("*.json"))]


def cell_file(work: Path, name: str, seed: int) -> Path:
    """Where a cell is kept."""
    return work / "cells" / f"{name}-{seed}.json"


def measured(name: str, seed: int, budget: int, better: float, work: Path) -> dict[str, Any]:
    """Run one search from the template, and keep what it came to as a cell of the work folder."""
    objective, template, sense = FUNCTIONS[name]()
    output = work / "runs" / f"{name}-{seed}"
    # A run without a cell was interrupted: it begins anew, or its seconds were not those of one search.
    shutil.rmtree(output, ignore_errors=True)
    started = time.perf_counter()
    result = lhs_hf.search(
        objective=objective,
        template=template,
        sense=sense,
        budget=budget,
        seed=seed,
        name=name,
        output=output,
        workers=1,
        progress=False,
    )
    cell = {
        **{"name": name, "seed": seed, "budget": budget, "sense": sense, "commit": commit()},
        "reference": result.reference_objective,
        "found": result.objective,
        "better": better,
        "seconds": round(time.perf_counter() - started, 1),
        "valid": round(result.success_rate, 4),
        "program": result.program,
    }
    file = cell_file(work, name, seed)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(cell, indent=1) + "\n", encoding="utf-8")
    part.replace(file)
    return cell
