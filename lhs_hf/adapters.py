"""The old name of `lhs_hf.integrations.adapters`."""

from ._moved import moved

__getattr__ = moved(__name__, "lhs_hf.integrations.adapters")
