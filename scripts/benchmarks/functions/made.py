"""What a person brings: how programs are judged, a first program, and whether less or more is better."""

from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]
Made = tuple[Callable[[Rule], float], str, str]
"""Objective, text of the template, sense: "min" or "max"."""
