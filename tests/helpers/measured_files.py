"""Small measured files of a model, as the scripts write them: known figures for the cards to quote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from latents.statistics import summarize
from searches.amortisation import task_figures
from searches.without_best import without_best_figures

from lhs_hf.grid.cell import CellResult, Spent
from lhs_hf.grid.store import Grid
from lhs_hf.reporting.identity import model_digest, weights_fingerprint

TASK = "tsp_construct"
BEATS = {"gradient": 3, "none": 1}
"""Of four parents, how many each move beats."""


def decoder_file(model: Path) -> dict[str, Any]:
    """Of measure_decoder.py: 37 of 40 held-out latents gave a valid program."""
    found = {"guided": {"valid": {"share": 0.925, "n": 40, "count": 37, "interval": [0.801, 0.974]}}}
    settings = {"split": "test", "latents": 40, "seed": 0, "temperature": 0.7, "top_p": 0.9}
    sections = {"valid": {"tasks": {TASK: found}, "pooled": found}}
    return {"settings": {**settings, "model": model_digest(model)}, "sections": sections}


def records(beats: dict[str, int]) -> list[dict[str, Any]]:
    """Of a paired test of four parents: how many of them each move beats."""
    return [
        {
            "task": TASK,
            "radius": 0.0 if move == "none" else 2.0,
            "parent": parent,
            "family": f"family {parent}",
            "move": move,
            "length": 0.0 if move == "none" else 2.0,
            "status": "ok",
            "score": float(parent),
            "predicted_point": float(parent),
            "predicted_program": -float(parent),
            "quantile": 0.5,
            "change": 0.0,
            "beats": parent < beats[move],
            "differs": True,
            "in_corpus": False,
            "new_behaviour": True,
            "chosen_by": [1],
        }
        for move in beats
        for parent in range(4)
    ]


def latents_file(model: Path) -> dict[str, Any]:
    """Of measure_latents.py: one task, one radius, two moves, `BEATS`, and its surrogate."""
    surrogate = {"spearman": 0.812, "interval": [0.7, 0.9], "better_half": 0.334}
    figures = {"surrogate": surrogate, "tfidf_ridge": None, "knn": None}
    settings = {"split": "test", "space": "prior", "radius": [2.0], "parents": 4, "seed": 0, "model": "lhs-tiny"}
    return {
        "settings": {**settings, "weights": weights_fingerprint(model)},
        "moves": summarize(records(BEATS)),
        "surrogate": {"tasks": {TASK: {"programs": 40, "families": 8, **figures}}, "mean": figures},
    }


def amortisation_file(model: Path) -> dict[str, Any]:
    """Of measure_amortisation.py: one task left out, searched twice, and the same one as a control."""
    faithful = {"share": 0.1, "n": 10, "count": 1, "interval": [0.0, 0.3]}
    agreement = {"mean": 0.4, "n": 10, "interval": [0.3, 0.5]}
    decoder = {
        "sections": {"faithful": {"tasks": {TASK: {"held_out": {"faithful": faithful, "agreement": agreement}}}}}
    }
    common = {"task": TASK, "evaluated": 6, "valid": 3, "reference": 7.0, "best_in_corpus": 5.5}
    runs = [{**common, "seed": 0, "found": 5.5}, {**common, "seed": 1, "found": 6.5}]
    latents = latents_file(model)
    latents["moves"] = summarize(records({"gradient": 3, "random": 1}))
    by_searches = {
        searched: {
            name: task_figures(TASK, latents, decoder, {"searches": {"reference": runs if searched else []}}, [0, 1])
            for name in ("full", "left_out")
        }
        for searched in (True, False)
    }
    return {
        "settings": {"weights": weights_fingerprint(model), "parents": 4, "seeds": [0, 1]},
        "left_out": {"without": [TASK], "best_share": 0.1, "steps": 7, "full_steps": 14, "variants": 5, "weights": "2"},
        "tasks": {TASK: by_searches[True]},
        "control": {TASK: by_searches[False]},
    }


def without_best_file(model: Path) -> dict[str, Any]:
    """Of measure_without_best.py: a task to minimise, of which only the surrogate was trained, and one more."""
    seen = {TASK: 5.5, "knapsack_construct": 30.0}
    whole = {TASK: 5.0, "knapsack_construct": 40.0}
    found = {
        (TASK, "default"): (6.0, 5.45, 5.5),
        (TASK, "default@reference"): (5.0, 5.0, 5.0),
        ("knapsack_construct", "default"): (20.0, 30.0, 31.0),
        ("knapsack_construct", "default@reference"): (33.0, 30.0, 30.0),
    }
    cells = [_cell(method, task, seed, each) for (task, method), row in found.items() for seed, each in enumerate(row)]
    cells += [_cell("corpus", task, seed, objective) for task, objective in seen.items() for seed in range(3)]
    grid = Grid(model, {}, cells)
    shipped = Grid(model, {}, [_cell("corpus", task, 0, objective) for task, objective in whole.items()])
    return {
        "settings": {"weights": weights_fingerprint(model), "weights_cut": "2", "seeds": 3, "budget": 100},
        "left_out": {"without": [TASK], "best_share": 0.1, "steps": 7, "variants": 5},
        "tasks": {task: without_best_figures(task, grid, shipped) for task in seen},
    }


def _cell(method: str, task: str, seed: int, objective: float) -> CellResult:
    sense = "min" if task == TASK else "max"
    spent = Spent(programs=8, valid=4)
    return CellResult(method, task, seed, sense, "", spent, {"holdout": [objective]}, {}, {}, {}, [], "new")
