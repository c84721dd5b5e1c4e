"""The old name of `lhs_hf.training.trainer`."""

import warnings
from typing import Any

from .._moved import moved

_NAMES = {"TrainingSettings": "lhs_hf.training.training_config.TrainingConfig"}
__getattr__ = moved(__name__, "lhs_hf.training.trainer", _NAMES)


def fit(
    *arguments: Any, loss: Any, evaluate: Any, metric: str = "loss", greater_is_better: bool = False, **options: Any
) -> Any:
    """`lhs_hf.training.trainer.fit`, which takes loss and evaluation as an `Objective`."""
    from . import trainer

    told = f"{__name__}.fit is now {trainer.__name__}.fit, which takes an Objective"
    warnings.warn(told, DeprecationWarning, stacklevel=2)
    objective = trainer.Objective(loss, evaluate, metric, greater_is_better)
    return trainer.fit(*arguments, **{**options, "objective": objective})
