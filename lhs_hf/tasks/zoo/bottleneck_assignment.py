"""Bottleneck assignment: every job gets a worker of its own; the job that takes longest counts."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class BottleneckAssignment(SimpleTask):
    """Solution: the worker of each job, a permutation."""

    name = "bottleneck_assignment"
    title = "Bottleneck assignment, by scores of workers"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return a list with one number for each of `free_workers` (ascending): the worker with the largest number gets "
        "`job`, then the next job is up; jobs come in ascending order. `hours[j][w]` is the time that job j takes "
        "worker w. The longest time of all jobs is to be as small as possible."
    )
    template = '''\
def rate_workers(job, free_workers, hours):
    """The faster a worker, the better."""
    return [-hours[job][worker] for worker in free_workers]
'''
    alternatives = "free_workers"
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "jobs": 20, "calls": 19},
        test={"count": 32, "jobs": 20, "calls": 19},
        holdout={"count": 32, "jobs": 30, "calls": 29},
    )
    probe_parameters = {"jobs": 12}  # noqa: RUF012

    def draw(self, random, jobs):
        """Length of the job times slowness of the worker, plus luck: hours int64 (jobs, workers)."""
        length, slowness = random.randint(5, 21, (jobs, 1)), random.randint(1, 9, jobs)
        return length * slowness + random.randint(1, 101, (jobs, jobs))

    def construct(self, program, hours):
        """One call a job but for the last, which is forced; the program sees lists of Python ints."""
        free, worker_of = list(range(len(hours))), []
        for job in range(len(hours) - 1):
            worker = self.ask(program, job, list(free), hours.tolist())
            free.remove(worker)
            worker_of.append(worker)
        return [*worker_of, *free]

    def objective(self, hours, solution):
        """The longest time. Raises `Infeasible` unless every worker has one job."""
        worker_of = check_permutation(solution, len(hours))
        return float(hours[np.arange(len(hours)), worker_of].max())

    def probe_features(self, choices, arguments):
        """Time of this job; mean, least and largest time of the worker on later jobs; of how many it is the best."""
        job, hours = arguments["job"], np.array(arguments["hours"])
        later = hours[job + 1 :][:, choices]
        best = np.bincount(later.argmin(axis=1), minlength=len(choices))
        return np.column_stack(
            [hours[job, choices], later.mean(axis=0), later.min(axis=0), later.max(axis=0), best, choices]
        )


TASK = BottleneckAssignment()
