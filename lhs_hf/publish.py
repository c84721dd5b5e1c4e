"""The old name of `lhs_hf.hub.publishing`."""

from ._moved import moved

__getattr__ = moved(__name__, "lhs_hf.hub.publishing")
