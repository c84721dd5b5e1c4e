"""The old name of `lhs_hf.reporting.run_report`."""

from ._moved import moved

__getattr__ = moved(__name__, "lhs_hf.reporting.run_report")
