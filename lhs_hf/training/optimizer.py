"""Muon for the weight matrices of hidden layers, AdamW for everything else, as one optimiser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .precision import has_fast_bfloat16


class MuonAdamW(torch.optim.Optimizer):
    """`torch.optim.Muon` on the weights of a model's linear layers, `torch.optim.AdamW` on its other parameters.

    Where the processor multiplies bfloat16 slowly, Muon orthogonalises in float32, with the same state.

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
        kind: Any = torch.optim.Muon if has_fast_bfloat16(matrices[0].device) else _full_precision(torch.optim.Muon)
        muon = kind(matrices, lr=matrix_learning_rate, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw")
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


def _full_precision(muon: Any) -> Any:
    """`torch.optim.Muon` whose Newton-Schulz iteration multiplies in float32; PyTorch's rounds to bfloat16."""

    class FullPrecisionMuon(muon):  # type: ignore[misc]
        @torch.no_grad()
        def step(self, closure: Callable[[], float] | None = None) -> Any:
            loss = None
            if closure is not None:
                with torch.enable_grad():
                    loss = closure()
            for group in self.param_groups:
                parameters: list[Tensor] = []
                gradients: list[Tensor] = []
                averages: list[Tensor] = []
                self._init_group(group, parameters, gradients, averages)
                momentum, rate = group["momentum"], float(group["lr"])
                for parameter, gradient, average in zip(parameters, gradients, averages):
                    average.lerp_(gradient, 1 - momentum)
                    update = gradient.lerp(average, momentum) if group["nesterov"] else average
                    update = orthogonalized(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
                    parameter.mul_(1 - rate * group["weight_decay"])
                    # As large as AdamW's update ("match_rms_adamw").
                    parameter.add_(update, alpha=-0.2 * rate * max(parameter.shape) ** 0.5)
            return loss

    return FullPrecisionMuon


def orthogonalized(matrix: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float) -> Tensor:
    """A matrix (m, n) with its singular values brought near to 1, by the Newton-Schulz iteration of Muon."""
    a, b, c = coefficients
    wide = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    wide = wide / wide.norm().clamp(min=eps)
    for _ in range(steps):
        gram = wide @ wide.T
        wide = torch.addmm(wide, torch.addmm(gram, gram, gram, beta=b, alpha=c), wide, beta=a)
    return wide.T if matrix.shape[0] > matrix.shape[1] else wide


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
