"""The old name of `lhs_hf.training.pair_training`."""

from .._moved import moved

_RECIPE = "lhs_hf.training.pair_recipe"
_NAMES = {name: f"{_RECIPE}.{name}" for name in ("PairRecipe", "pair_recipe", "PRESETS")}
__getattr__ = moved(__name__, "lhs_hf.training.pair_training", _NAMES)
