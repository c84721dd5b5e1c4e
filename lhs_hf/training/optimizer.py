"""Muon for the weight matrices of hidden layers, AdamW for everything else, as one optimiser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


class MuonAdamW(torch.optim.Optimizer):
    """`torch.optim.Muon` on the weights of a model's linear layers, `torch.optim.AdamW` on its other parameters.

    Embeddings, heads (layers with "head" in their name: they write to a vocabulary or to a few numbers) and
    parameters that are no matrix are AdamW's. Muon's updates have the size that AdamW's would have.

    Args:
        model: its parameters that require a gradient are trained.
        matrix_learning_rate: of Muon.
        learning_rate: of AdamW.
        weight_decay: of both, on matrices only.

    Raises:
        RuntimeError: torch has no Muon (before 2.9).
    """

    def __init__(
        self, model: nn.Module, *, matrix_learning_rate: float, learning_rate: float, weight_decay: float = 0.0
    ) -> None:
        if not hasattr(torch.optim, "Muon"):
            raise RuntimeError(
                f"matrix_learning_rate needs torch.optim.Muon, which torch has from 2.9 on; this is {torch.__version__}"
            )
        matrices, tables, vectors = _sorted_parameters(model)
        if not matrices:
            raise ValueError("the model has no linear layer outside its heads for Muon to train")
        muon = torch.optim.Muon(
            matrices, lr=matrix_learning_rate, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw"
        )
        rest = [{"params": tables, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
        adam = torch.optim.AdamW([group for group in rest if group["params"]], lr=learning_rate)
        self._muon, self._adam = muon, adam
        super().__init__([*muon.param_groups, *adam.param_groups], {})

    def step(self, closure: Callable[[], float] | None = None) -> Any:  # type: ignore[override]
        """One step of both."""
        loss = None if closure is None else closure()
        # Loading a state replaces groups and state; the two parts are handed those of now.
        first, *others = self.param_groups
        for part, groups in ((self._muon, [first]), (self._adam, others)):
            part.param_groups, part.state = groups, self.state
            part.step()
        return loss


def _sorted_parameters(model: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter], list[nn.Parameter]]:
    """Weights of hidden linear layers, other parameters with two dimensions or more, and the rest."""
    hidden = {
        id(module.weight)
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and "head" not in name
    }
    # A tied output layer shares the table of the embeddings.
    hidden -= {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    found: tuple[list[nn.Parameter], list[nn.Parameter], list[nn.Parameter]] = ([], [], [])
    for parameter in model.parameters():
        if parameter.requires_grad:
            found[0 if id(parameter) in hidden else 1 if parameter.ndim >= 2 else 2].append(parameter)
    return found
