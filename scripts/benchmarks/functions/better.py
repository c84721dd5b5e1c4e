"""A rule for each of the thirty functions that is clearly better than the template, written by hand."""

from __future__ import annotations

from . import FUNCTIONS, better_decisions, better_plans
from .made import Rule

BETTER: dict[str, Rule] = {
    name: getattr(better_plans, name, None) or getattr(better_decisions, name) for name in FUNCTIONS
}
"""Name of a task -> a rule with the signature of its template."""
