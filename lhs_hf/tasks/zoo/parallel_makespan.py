"""Identical parallel machines: which job goes next to the machine that is free first; a small makespan is better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class ParallelMakespan(SimpleTask):
    """Solution: the jobs in order. Each starts on the machine that is free first."""

    name = "parallel_makespan"
    title = "Makespan on identical machines, list scheduling"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return a list of scores, one for each entry of `lengths` (the processing times of the jobs that are left): "
        "the job of the highest score starts next, on the machine that is free first. `loads` says when each machine "
        "is free, ascending, so that the job goes to the machine of `loads[0]`. The time at which all jobs are "
        "finished is to be small."
    )
    template = '''\
def score_jobs(lengths, loads):
    """The shortest job first."""
    return [-length for length in lengths]
'''
    alternatives = "lengths"
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "jobs": 14, "machines": 5, "calls": 13},
        test={"count": 32, "jobs": 14, "machines": 5, "calls": 13},
        holdout={"count": 32, "jobs": 20, "machines": 8, "calls": 19},
    )
    probe_parameters = {"jobs": 11, "machines": 3}  # noqa: RUF012
    probe_feature_names = ("length", "over_target", "target_gap", "level_gap", "mean_gap", "place")

    def draw(self, random, jobs, machines):
        """Lengths int64 (jobs,), 20 to 99; the number of machines."""
        return {"lengths": random.randint(20, 100, jobs), "machines": machines}

    def construct(self, program, instance):
        """One call a job, but for the last one; the program sees lists of Python ints. Jobs of one length are alike."""
        lengths, loads = instance["lengths"].tolist(), [0] * instance["machines"]
        left, order = list(range(len(lengths))), []
        while len(left) > 1:
            chosen = self.ask(program, [lengths[job] for job in left], list(loads))
            job = next(job for job in left if lengths[job] == chosen)
            left.remove(job)
            order.append(job)
            loads = sorted([loads[0] + chosen, *loads[1:]])
        return order + left

    def objective(self, instance, solution):
        """Makespan. Raises `Infeasible` unless each job is placed once."""
        lengths, loads = instance["lengths"].tolist(), [0] * instance["machines"]
        for job in check_permutation(solution, len(lengths)):
            loads = sorted([loads[0] + lengths[job], *loads[1:]])
        return float(loads[-1])

    def probe_features(self, choices, arguments):
        """Length; the load it makes against the mean load of all jobs, the next load and the mean length; position."""
        loads, lengths = arguments["loads"], np.array(choices)
        after, target = loads[0] + lengths, (sum(loads) + lengths.sum()) / len(loads)
        gaps = np.abs(np.stack([after - target, after - loads[1], lengths - lengths.mean()]))
        return np.column_stack([lengths, np.maximum(0, after - target), *gaps, np.arange(len(lengths))])


TASK = ParallelMakespan()
