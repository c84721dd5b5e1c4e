"""What the shipped weights give for fixed inputs. `python tests/helpers/pinned.py` pins it for new weights.

Programs that the decoder writes for fixed latents, and the latent, prior point and predicted score of fixed programs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from lhs_hf.decoding.budget import Budget
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.components import load_components
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

FILE = Path(__file__).with_name("pinned_programs.json")
POINTS = Path(__file__).with_name("pinned_points.json")
TASKS = ("tsp_construct", "knapsack_construct", "online_bin_packing", "admissible_set")
COUNT = 3


def decoded() -> dict[str, list[str]]:
    """The most probable program, token by token, of a few fixed points of each task: nothing is sampled."""
    found = {}
    for name in TASKS:
        components = load_components("lhs-tiny", get_task(name))
        components.decoder.budget = Budget(COUNT)
        points = torch.randn(COUNT, components.scale.shape[0], generator=torch.Generator().manual_seed(7))
        generators = [torch.Generator().manual_seed(index) for index in range(COUNT)]
        programs = components.decode(points, get_task(name), generators, SearchSettings(temperature=0.0))
        found[name] = [program.source for program in programs]
    return found


def encoded() -> dict[str, dict[str, Any]]:
    """Latent z, prior point u (128 numbers each) and predicted score of each task's template, run in the sandbox."""
    found = {}
    for name in TASKS:
        task = get_task(name)
        components = load_components("lhs-tiny", task)
        with Evaluator(task) as evaluator, torch.no_grad():
            latent = components.encode([task.template], task, evaluator)
            point = components.to_space(latent)
            score = float(components.score(point))
        found[name] = {"latent": latent[0].tolist(), "point": point[0].tolist(), "score": score}
    return found


if __name__ == "__main__":
    POINTS.write_text(json.dumps(encoded()) + "\n")
    FILE.write_text(json.dumps(decoded(), indent=1) + "\n")
