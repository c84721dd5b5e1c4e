"""Which operator proposes next: Thompson sampling over how often the children of each got through their race."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence

import numpy as np

from ...evaluation.racing import Verdict

PRIORS = {
    "choose_by": (2.0, 2.0),
    "restart": (0.25, 8.0),
    "screened": (2.0, 2.0),
    "rollout": (2.0, 2.0),
    "parallel_rollout": (2.0, 2.0),
}
"""Successes and failures before the first child: 46 and 1 % in results/portfolio_parts.json, others 7 to 28 %.

Of mediocre parents 65 % of the screened edits are better, of others 41 % (results/true_ascent.json).
"""

EXACT_PRIORS = {
    "crossover": (4.0, 4.0),
    "inner_rule": (4.0, 4.0),
    "transform": (3.0, 4.0),
    "amount": (3.0, 4.0),
    "literals": (2.0, 4.0),
    "constants": (2.0, 4.0),
    "rollout": (2.0, 4.0),
    "parallel_rollout": (2.0, 4.0),
    "transforms": (1.5, 4.0),
    "new_rule": (1.5, 4.0),
    "loop_order": (1.5, 4.0),
    "exception": (0.7, 4.0),
    "latent": (0.7, 4.0),
    "choose_by": (0.5, 4.0),
    "same_value": (0.2, 4.0),
    "sizes": (0.2, 4.0),
    "lanes": (0.2, 4.0),
}
"""Those of an unknown task without races (`first_edits`): in proportion to what an operator brought for what it cost.

Share of all that searches of 26 functions of made-up people gained, for 100 of its programs: crossover 1.7, rules in
loops 3.2, transforms .9 (two or three at once .5), amounts 1.4, constants 1.3, loop order .7, new rules .5, numbers .4,
the latent space .3, exceptions .2, the others next to nothing. Few children of any lead, so that shares follow these.
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
EXACT_SHARE = 0.4
"""What is left of these shares, in the first round alone, where no race shows on a few instances that a rule is bad."""


def first_edits(number: int, budget: int, known: Container[str], exact: bool = False) -> list[str]:
    """The operators that the children of a round begin with, of those that are known.

    `exact`: one evaluation says all there is to know of a program, and costs as much as that of any other.
    """
    scale = EXACT_SHARE * budget if exact else budget
    counts = {name: math.ceil(share * scale) if name in known else 0 for name, share in FIRST_EDITS.items()}
    if counts["amount"]:
        # Rules for an order are seldom amounts.
        counts["new_rule"] //= 4
    rounds = 1 if exact else FIRST_ROUNDS
    return [name for name, count in counts.items() for _ in range(count)] if number <= rounds else []


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
        priors: by operator the successes and failures before its first child.
        successes, failures: what those not in `priors` are taken to have had before the first child.
        memory: children of an operator after which what it did weighs half as much.
    """

    def __init__(
        self,
        names: Sequence[str],
        priors: Mapping[str, tuple[float, float]] = PRIORS,
        successes: float = 1.0,
        failures: float = 2.0,
        memory: float = 40.0,
    ) -> None:
        self._prior = {name: np.array(priors.get(name, (successes, failures))) for name in names}
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
