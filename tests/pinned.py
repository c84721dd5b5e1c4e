"""Programs that the shipped decoder writes for fixed latents. `python tests/pinned.py` pins those of new weights."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from lhs_hf.decoding.budget import Budget
from lhs_hf.search.components import load_components
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

FILE = Path(__file__).with_name("pinned_programs.json")
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


if __name__ == "__main__":
    FILE.write_text(json.dumps(decoded(), indent=1) + "\n")
