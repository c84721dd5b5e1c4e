"""Whether a device multiplies matrices of bfloat16 at least as fast as those of float32."""

from __future__ import annotations

import torch


def has_fast_bfloat16(device: str | torch.device) -> bool:
    """Whether bfloat16 is worth it on a device: always on accelerators, on processors from AVX-512 on.

    Elsewhere PyTorch has no kernels for such products and multiplies number by number: on processors with AVX2 alone
    about fifty times slower than in float32.
    """
    if torch.device(device).type != "cpu":
        return True
    return torch.backends.cpu.get_cpu_capability().startswith(("AVX512", "AMX"))
