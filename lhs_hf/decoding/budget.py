"""The budget of a search: decoder calls, counted in one place."""

from __future__ import annotations


class BudgetExhausted(RuntimeError):
    """One more program was asked for than the budget allows."""


class Budget:
    """Counts every program that is sampled, whatever it is for and whether or not it is valid.

    `tokens` records what those calls generated; tokens have no limit of their own.
    """

    def __init__(self, limit: int, spent: int = 0, tokens: int = 0) -> None:
        if limit < 0:
            raise ValueError(f"a budget can not be negative, got {limit}")
        self.limit = limit
        self.spent = spent
        self.tokens = tokens

    @property
    def left(self) -> int:
        """Calls that may still be made."""
        return max(0, self.limit - self.spent)

    def take(self, calls: int) -> None:
        """Charge `calls` decoder calls. Raises `BudgetExhausted` without charging if there are not that many left."""
        if calls > self.left:
            raise BudgetExhausted(f"{calls} decoder calls asked for, {self.left} of {self.limit} are left")
        self.spent += calls
