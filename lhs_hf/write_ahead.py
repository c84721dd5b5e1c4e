"""The old name of `lhs_hf.store`."""

from ._moved import moved

__getattr__ = moved(__name__, "lhs_hf.store")
