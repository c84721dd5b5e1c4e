"""Two programs on the same instances: how much better one is, and whether that is noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# Of the largest objective: a program whose objectives are nothing beside the other's is no unit.
_SMALLEST = 1e-12


@dataclass(frozen=True)
class Comparison:
    """How much better one program is than another on common instances.

    `gain` is the mean difference as a share of the other's mean magnitude, `error` its standard error (0 for one
    instance). `better` and `worse` are the one-sided probabilities of differences as large if there were none: of
    being better and of being worse; 1 if the programs are the same on every instance.
    """

    gain: float
    error: float
    better: float
    worse: float
    instances: int
    same: bool

    def interval(self) -> tuple[float, float]:
        """Where the true gain lies with 95 % probability (Student's t)."""
        if self.instances < 2 or self.error == 0:
            return self.gain, self.gain
        from scipy.special import stdtrit

        reach = float(stdtrit(self.instances - 1, 0.975)) * self.error
        return self.gain - reach, self.gain + reach


def compare(ours: Sequence[float], theirs: Sequence[float], alpha: int, exact: bool = False) -> Comparison:
    """The paired t-test of two programs, from objectives on the same instances.

    Differences are shares of the other's *mean* objective, not of each instance's: what counts is the mean objective,
    also where some instances are larger than others. `alpha` is the task's sign; `exact` says that these are all the
    instances there are, so that no difference is noise.
    """
    first, second = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    if first.shape != second.shape or not len(first):
        raise ValueError(f"expected as many objectives of both, at least one, got {len(first)} and {len(second)}")
    if (first == second).all():
        return Comparison(0.0, 0.0, 1.0, 1.0, len(first), True)
    # Within [-1, 1] nothing overflows, whatever a task calls its objective.
    largest = max(np.abs(first).max(), np.abs(second).max())
    first, second = first / largest, second / largest
    differences = alpha * (first - second)
    count, mean = len(differences), float(differences.mean())
    error = float(differences.std(ddof=1)) / count**0.5 if count > 1 else 0.0
    share = max(float(np.abs(second).mean()), _SMALLEST)
    gain = mean / share
    # Equal differences come with an error of the last digits.
    if exact or error <= 1e-12 * abs(mean):
        better = 0.5 if mean == 0 or (count == 1 and not exact) else float(mean < 0)
        return Comparison(gain, error / share, better, 1.0 - better, count, False)
    from scipy.special import stdtr

    worse = float(stdtr(count - 1, mean / error))
    return Comparison(gain, error / share, 1.0 - worse, worse, count, False)
