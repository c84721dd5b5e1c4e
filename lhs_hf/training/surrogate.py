"""The old name of `lhs_hf.training.surrogate_trainer`."""

import warnings
from typing import Any

from .._moved import moved

_FIT = "lhs_hf.models.refit"
_NAMES = {
    "SurrogateSettings": "lhs_hf.training.surrogate_config.SurrogateTrainingConfig",
    **{name: f"{_FIT}.{name}" for name in ("Refit", "REFIT", "FIRST_FIT", "refit_surrogate")},
}
__getattr__ = moved(__name__, "lhs_hf.training.surrogate_trainer", _NAMES)


def train_surrogate(
    inputs: Any, scores: Any, valid_inputs: Any, valid_scores: Any, *arguments: Any, **options: Any
) -> Any:
    """`lhs_hf.training.surrogate_trainer.train_surrogate`, which takes vectors with their scores as `Scored`."""
    from . import surrogate_trainer

    told = f"{__name__}.train_surrogate is now {surrogate_trainer.__name__}.train_surrogate, which takes Scored pairs"
    warnings.warn(told, DeprecationWarning, stacklevel=2)
    train, valid = (surrogate_trainer.Scored(*pair) for pair in ((inputs, scores), (valid_inputs, valid_scores)))
    return surrogate_trainer.train_surrogate(train, valid, *arguments, **options)
