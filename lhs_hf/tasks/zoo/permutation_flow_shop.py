"""Permutation flow shop: append jobs, one by one, to the order of all machines; a small makespan is better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class PermutationFlowShop(SimpleTask):
    """Solution: the jobs in order. Every job visits machines 0, 1, 2, ...; all machines keep the same order of jobs."""

    name = "permutation_flow_shop"
    title = "Permutation flow shop, makespan"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the job to append to `sequence` (the jobs placed so far), one of `open_jobs` (a list, ascending). "
        "`times[job][machine]` is how long a job takes on a machine; every job visits the machines 0, 1, 2, ... in "
        "this order. `ends[machine]` is when a machine is done with the jobs of `sequence`. The time at which the last "
        "machine is done with the last job is to be small."
    )
    template = '''\
def next_job(open_jobs, sequence, ends, times):
    """The job with the lowest number."""
    return open_jobs[0]
'''
    alternatives = "open_jobs"
    splits = make_splits(
        search={"count": 16, "jobs": 16, "machines": 6, "calls": 15},
        test={"count": 32, "jobs": 16, "machines": 6, "calls": 15},
        holdout={"count": 32, "jobs": 24, "machines": 4, "calls": 23},
    )
    probe_parameters = {"jobs": 10, "machines": 4}  # noqa: RUF012
    probe_feature_names = ("total", "first", "last", "slope", "end", "idle", "wait", "job")

    def draw(self, random, jobs, machines):
        """Times int64 (jobs, machines), 1 to 60."""
        return {"times": random.randint(1, 61, (jobs, machines))}

    def construct(self, program, instance):
        """One call a job, but for the last one; the program sees lists of Python ints."""
        times = instance["times"].tolist()
        left, sequence, ends = list(range(len(times))), [], [0] * len(times[0])
        while len(left) > 1:
            job = self.ask(program, list(left), list(sequence), list(ends), [list(row) for row in times])
            left.remove(job)
            sequence.append(job)
            ends = _ends_after(ends, times[job])
        return sequence + left

    def objective(self, instance, solution):
        """Makespan. Raises `Infeasible` unless each job is placed once."""
        times = instance["times"].tolist()
        ends = [0] * len(times[0])
        for job in check_permutation(solution, len(times)):
            ends = _ends_after(ends, times[job])
        return float(ends[-1])

    def probe_features(self, choices, arguments):
        """Total, first and last time, slope; end, idle time of machines and waiting time of the job if it is next."""
        ends, times = arguments["ends"], arguments["times"]
        rows = []
        for job in choices:
            row, after = times[job], _ends_after(ends, times[job])
            slope = sum((2 * machine - len(row) + 1) * time for machine, time in enumerate(row))
            idle = sum(after) - sum(ends) - sum(row)
            rows.append((sum(row), row[0], row[-1], slope, after[-1], idle, after[-1] - ends[0] - sum(row), job))
        return np.array(rows)


def _ends_after(ends, row):
    """When each machine is free after a job with these times."""
    after, done = [], 0
    for end, time in zip(ends, row):
        done = max(done, end) + time
        after.append(done)
    return after


TASK = PermutationFlowShop()
