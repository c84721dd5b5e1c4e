"""Bernoulli bandits: one arm is pulled each round, by priorities; many successes are wanted."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class IndexPolicy(SimpleTask):
    """Solution: the arm pulled in each round. What every pull of an arm yields is drawn before."""

    name = "index_policy"
    title = "Bernoulli bandit, by an index of arms"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return the priority of an arm with `successes` and `failures` so far in round `t` of `horizon` (from 0); "
        "the arm of the highest priority is pulled. Every arm succeeds with a rate of its own, which is hidden and was "
        "drawn uniformly from 0 to 0.6. The successes of all rounds are to be as many as possible."
    )
    template = '''\
def arm_index(successes, failures, t, horizon):
    """Play the winner: the arm that failed least often."""
    return -failures
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 32, "arms": 6, "horizon": 160, "calls": 800},
        test={"count": 64, "arms": 6, "horizon": 160, "calls": 800},
        holdout={"count": 64, "arms": 10, "horizon": 240, "calls": 1800},
    )
    probe_parameters = {"arms": 10, "horizon": 80}  # noqa: RUF012
    probe_feature_names = ("successes", "failures", "pulls", "smoothed_rate", "deviation", "optimistic_rate")

    def draw(self, random, arms, horizon):
        """What the k-th pull of an arm yields, 0 or 1; int64 (arms, horizon)."""
        rates = 0.6 * random.rand(arms)
        return (random.rand(arms, horizon) < rates[:, None]).astype(np.int64)

    def construct(self, program, yields):
        """One decision a round, one call for each distinct record; the first arm with that record is pulled."""
        arms, horizon = yields.shape
        records = [(0, 0)] * arms
        solution = []
        for t in range(horizon):
            kinds = sorted(set(records))
            arm = records.index(kinds[self.ask_each(program, [(*kind, t, horizon) for kind in kinds])])
            successes, failures = records[arm]
            success = int(yields[arm, successes + failures])
            records[arm] = (successes + success, failures + 1 - success)
            solution.append(arm)
        return solution

    def objective(self, yields, solution):
        """Number of successes. Raises `Infeasible` unless there is one arm for each round."""
        arms, horizon = yields.shape
        pulls = np.bincount(check_ids(solution, horizon, arms), minlength=arms)
        return float(sum(yields[arm, :count].sum() for arm, count in enumerate(pulls.tolist())))

    def probe_features(self, choices, arguments):
        """Record, smoothed rate, its deviation, and a rate that grants what may well be true."""
        rows = []
        for successes, failures, _, _ in choices:
            pulls = successes + failures
            rate = (successes + 1) / (pulls + 2)
            deviation = (rate * (1 - rate) / (pulls + 3)) ** 0.5
            rows.append((successes, failures, pulls, rate, deviation, rate + deviation))
        return np.array(rows)


TASK = IndexPolicy()
