"""The old name of `lhs_hf.search.stored`."""

from .._moved import moved

__getattr__ = moved(__name__, "lhs_hf.search.stored")
