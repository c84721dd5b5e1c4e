"""What tests of small decoders with random weights share."""

from __future__ import annotations

import torch

SHAPE = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}


def seeded(count: int, start: int = 0) -> list[torch.Generator]:
    """Generators with the seeds `start`, `start` + 1, ..."""
    return [torch.Generator().manual_seed(start + index) for index in range(count)]
