"""The old name of `lhs_hf.training.mapper_trainer`."""

import warnings
from typing import Any

from .._moved import moved

_NAMES = {"MapperSettings": "lhs_hf.training.mapper_config.MapperTrainingConfig"}
__getattr__ = moved(__name__, "lhs_hf.training.mapper_trainer", _NAMES)


def train_mapper(*arguments: Any, config: Any = None, initial: Any = None, **options: Any) -> Any:
    """`lhs_hf.training.mapper_trainer.train_mapper`, which takes `initial` or `config` as `start`."""
    from . import mapper_trainer

    told = f"{__name__}.train_mapper is now {mapper_trainer.__name__}.train_mapper, with start= for config= or initial="
    warnings.warn(told, DeprecationWarning, stacklevel=2)
    return mapper_trainer.train_mapper(*arguments, start=config if initial is None else initial, **options)
