"""Permutation flow shop: put jobs into the order in which every machine works on them; a small makespan is better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class FlowShop(SimpleTask):
    """Solution: the jobs in order. Every job visits the machines 0, 1, 2, ... and waits where one is busy."""

    name = "flow_shop"
    title = "Permutation flow shop, constructive"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the id of the job to schedule next, one of `remaining_jobs` (ascending). `machine_ready[m]` is the "
        "time at which machine m is free, `processing_times[j][m]` how long job j needs it. All machines work on "
        "the jobs in the chosen order; the last job is to be finished as early as possible."
    )
    template = '''\
def select_next_job(remaining_jobs, machine_ready, processing_times):
    """The job with the shortest total time."""
    best = None
    best_time = 1e18
    for job in remaining_jobs:
        total = processing_times[job].sum()
        if total < best_time:
            best = job
            best_time = total
    return best
'''
    alternatives = "remaining_jobs"
    splits = make_splits(
        search={"count": 16, "jobs": 20, "machines": 5, "calls": 19},
        test={"count": 50, "jobs": 20, "machines": 5, "calls": 19},
        holdout={"count": 50, "jobs": 30, "machines": 8, "calls": 29},
    )
    probe_parameters = {"jobs": 10, "machines": 5}  # noqa: RUF012
    probe_feature_names = (
        "total_time",
        "first_machine_time",
        "last_machine_time",
        "last_minus_first",
        "finish_if_next",
        "idle_if_next",
        "longest_operation",
        "job_id",
    )
    bound_kind = "machine bound"

    def draw(self, random, jobs, machines):
        """Times 1 to 99, int64 (jobs, machines)."""
        return random.randint(1, 100, (jobs, machines))

    def construct(self, program, times):
        """One call a job but for the last, which is forced."""
        ready = np.zeros(times.shape[1])
        remaining = list(range(len(times)))
        order = []
        while len(remaining) > 1:
            job = self.ask(program, np.array(remaining), ready.copy(), times.copy())
            remaining.remove(job)
            order.append(job)
            ready = _after(ready, times[job])
        return [*order, *remaining]

    def objective(self, times, solution):
        """Time at which the last machine has finished the last job."""
        ready = np.zeros(times.shape[1])
        for job in check_permutation(solution, len(times)):
            ready = _after(ready, times[job])
        return float(ready[-1])

    def probe_features(self, choices, arguments):
        """Times of a job, and what scheduling it next would mean."""
        ready, times = arguments["machine_ready"], arguments["processing_times"]
        jobs = np.asarray(choices)
        after = np.array([_after(ready, times[job]) for job in jobs])
        busy = times[jobs]
        return np.column_stack(
            [
                busy.sum(axis=1),
                busy[:, 0],
                busy[:, -1],
                busy[:, -1] - busy[:, 0],
                after[:, -1],
                (after - ready - busy).sum(axis=1),
                busy.max(axis=1),
                jobs,
            ]
        )


def _after(ready, times):
    """When each machine is free once a job with these times has run."""
    result = np.empty_like(ready)
    done = 0.0
    for machine, time in enumerate(times):
        done = result[machine] = max(done, ready[machine]) + time
    return result


TASK = FlowShop()
