"""Small measured files of a model, as the scripts write them: known figures for the cards to quote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lhs_hf.measurement.identity import model_digest, weights_fingerprint
from lhs_hf.measurement.statistics import summarize

TASK = "tsp_construct"
BEATS = {"gradient": 3, "none": 1}
"""Of four parents, how many each move beats."""


def decoder_file(model: Path) -> dict[str, Any]:
    """Of scripts/measure_decoder.py: 37 of 40 held-out latents gave a valid program."""
    found = {"guided": {"valid": {"share": 0.925, "n": 40, "count": 37, "interval": [0.801, 0.974]}}}
    settings = {"split": "test", "latents": 40, "seed": 0, "temperature": 0.7, "top_p": 0.9}
    sections = {"valid": {"tasks": {TASK: found}, "pooled": found}}
    return {"settings": {**settings, "model": model_digest(model)}, "sections": sections}


def latents_file(model: Path) -> dict[str, Any]:
    """Of scripts/measure_latents.py: one task, one radius, two moves, `BEATS`, and its surrogate."""
    records = [
        {
            "task": TASK,
            "radius": 2.0 if move == "gradient" else 0.0,
            "parent": parent,
            "family": f"family {parent}",
            "move": move,
            "length": 2.0 if move == "gradient" else 0.0,
            "status": "ok",
            "score": float(parent),
            "predicted_point": float(parent),
            "predicted_program": -float(parent),
            "quantile": 0.5,
            "change": 0.0,
            "beats": parent < BEATS[move],
            "differs": True,
            "in_corpus": False,
            "new_behaviour": True,
            "chosen_by": [1],
        }
        for move in BEATS
        for parent in range(4)
    ]
    figures = {"surrogate": {"spearman": 0.812, "better_half": 0.334}, "tfidf_ridge": None, "knn": None}
    settings = {"split": "test", "space": "prior", "radius": [2.0], "parents": 4, "seed": 0, "model": "lhs-tiny"}
    return {
        "settings": {**settings, "weights": weights_fingerprint(model)},
        "moves": summarize(records),
        "surrogate": {"tasks": {TASK: {"programs": 40, "families": 8, **figures}}, "mean": figures},
    }
