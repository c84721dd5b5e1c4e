"""The old name of `lhs_hf.training.flow_trainer`."""

from .._moved import moved

_NAMES = {
    "FlowSettings": "lhs_hf.training.flow_config.FlowTrainingConfig",
}
__getattr__ = moved(__name__, "lhs_hf.training.flow_trainer", _NAMES)
