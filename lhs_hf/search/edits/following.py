"""Programs that follow the better of two rules: known by what their function says of itself.

Asking them what they decide takes as long as running them, so that nobody does before they run.
"""

from __future__ import annotations

FOLLOWS = "The choice of the rule that ends better when both are played on."


def follows(source: str) -> bool:
    """Whether a program plays two rules to the end and follows the better one."""
    return FOLLOWS in source
