"""Which operator proposes next: Thompson sampling over how often the children of each got through their race."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

import numpy as np

from ...evaluation.racing import Verdict

PRIORS = {"choose_by": (2.0, 2.0), "restart": (0.25, 8.0), "screened": (2.0, 2.0), "rollout": (2.0, 2.0)}
"""Successes and failures before the first child: 46 and 1 % in results/portfolio_parts.json, others 7 to 28 %.

Of mediocre parents 65 % of the screened edits are better, of others 41 % (results/true_ascent.json).
"""

SUCCESS = ("incumbent", "entered")
"""Outcomes of a child that is good for something."""

FIRST_ROUNDS = 3
FIRST_EDITS = {
    "new_rule": 0.16,
    "amount": 0.16,
    "exception": 0.08,
    "inner_rule": 0.16,
    "loop_order": 0.08,
    "rollout": 0.04,
    "literals": 0.04,
    "same_value": 0.04,
}
"""Edits that each of the first rounds begins with where nothing is known of a task: shares of the budget.

Few simple rules are good, and those are what all further edits begin with.
"""


def first_edits(number: int, budget: int, known: Container[str]) -> list[str]:
    """The operators that the children of a round begin with, of those that are known."""
    counts = {name: math.ceil(share * budget) if name in known else 0 for name, share in FIRST_EDITS.items()}
    if counts["amount"]:
        # Rules for an order are seldom amounts.
        counts["new_rule"] //= 4
    return [name for name, count in counts.items() for _ in range(count)] if number <= FIRST_ROUNDS else []


def succeeds(verdict: Verdict, tuned: bool, unknown: bool) -> bool:
    """Whether a child counts as a success of its operator: it entered the pool, or leads.

    A small step enters the pool easily, and is worth little there: where numbers were `tuned` it has to lead. Of a task
    that is `unknown` what enters has to gain beyond noise, since crossings of equal programs would enter most.
    """
    if verdict.outcome == "entered":
        return not tuned and (not unknown or (verdict.gain or 0.0) > (verdict.error or 0.0))
    return verdict.outcome in SUCCESS


class Shares:
    """A Beta posterior of success for each operator, forgetting slowly: what worked from the start may be used up.

    Args:
        names: the operators.
        successes, failures: what those not in `PRIORS` are taken to have had before the first child.
        memory: children of an operator after which what it did weighs half as much.
    """

    def __init__(
        self, names: Sequence[str], successes: float = 1.0, failures: float = 2.0, memory: float = 40.0
    ) -> None:
        self._prior = {name: np.array(PRIORS.get(name, (successes, failures))) for name in names}
        self._keep = 0.5 ** (1.0 / memory)
        self._counts = {name: np.zeros(2) for name in names}

    def draw(self, count: int, generator: np.random.Generator, names: Sequence[str] | None = None) -> list[str]:
        """The operators of the next `count` children, each the one whose sampled success rate is highest.

        `names`: those that may be drawn, all of them unless told.
        """
        options = list(self._counts if names is None else names)
        rates = [[generator.beta(*(self._prior[name] + self._counts[name])) for name in options] for _ in range(count)]
        return [options[int(np.argmax(row))] for row in rates]

    def tell(self, name: str, success: bool) -> None:
        """What became of a child of an operator; operators that are not among the names are passed over."""
        if name in self._counts:
            self._counts[name] *= self._keep
            self._counts[name][0 if success else 1] += 1.0

    def rates(self) -> dict[str, float]:
        """The mean success rate of each operator as it is believed now."""
        posterior = {name: self._prior[name] + counts for name, counts in self._counts.items()}
        return {name: float(counts[0] / counts.sum()) for name, counts in posterior.items()}
