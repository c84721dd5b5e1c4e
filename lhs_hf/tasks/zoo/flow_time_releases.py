"""One machine with release dates: a free machine always takes a job that waits; small total flow time."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits

SEEN = 6
"""Arrivals that a program sees ahead."""


class FlowTimeReleases(SimpleTask):
    """Solution: the jobs in order. No job is interrupted, and the machine is idle only while no job waits."""

    name = "flow_time_releases"
    title = "Total flow time with release dates"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the priority of starting a waiting job that takes `length` and was released at `release`; the time is "
        "`now`. `queue` has the lengths of all waiting jobs, this one included, `arrivals` the next six jobs at most "
        "as pairs (release, length). The job of the highest priority runs to its end. The sum over all jobs of end "
        "minus release is to be small."
    )
    template = '''\
def priority(length, release, now, queue, arrivals):
    """First come, first served."""
    return -release
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "jobs": 40, "bursts": 5, "calls": 300},
        test={"count": 32, "jobs": 40, "bursts": 5, "calls": 300},
        holdout={"count": 32, "jobs": 60, "bursts": 10, "calls": 450},
    )
    probe_parameters = {"jobs": 20, "bursts": 3}  # noqa: RUF012
    probe_feature_names = ("length", "waited", "stretch", "overrun", "smaller")

    def draw(self, random, jobs, bursts):
        """Lengths and releases, int64 (jobs,), by release: short jobs come in bursts, long ones at any time."""
        short = random.rand(jobs) < 0.6
        lengths = np.where(short, random.randint(1, 5, jobs), random.randint(10, 50, jobs))
        horizon = int(lengths.sum())
        common = random.randint(0, horizon, bursts)[random.randint(0, bursts, jobs)]
        releases = np.where(short, common, random.randint(0, horizon, jobs))
        order = np.argsort(releases, kind="stable")
        return {"lengths": lengths[order], "releases": releases[order]}

    def construct(self, program, instance):
        """One decision a job, one call for each waiting job; the program sees Python ints and tuples."""
        lengths, releases = instance["lengths"].tolist(), instance["releases"].tolist()
        left, order, now = list(range(len(lengths))), [], 0
        while left:
            now = max(now, min(releases[job] for job in left))
            waiting = [job for job in left if releases[job] <= now]
            queue = tuple(lengths[job] for job in waiting)
            coming = sorted((releases[job], lengths[job]) for job in left if releases[job] > now)
            calls = [(lengths[job], releases[job], now, queue, tuple(coming[:SEEN])) for job in waiting]
            job = waiting[self.ask_each(program, calls)]
            left.remove(job)
            order.append(job)
            now += lengths[job]
        return order

    def objective(self, instance, solution):
        """Sum of end minus release. Raises `Infeasible` unless each job runs once with no idle time while one waits."""
        lengths, releases = instance["lengths"].tolist(), instance["releases"].tolist()
        order = check_permutation(solution, len(lengths))
        left, now, total = set(order), 0, 0
        for job in order:
            now = max(now, min(releases[other] for other in left))
            if releases[job] > now:
                raise Infeasible(f"job {job} is released at {releases[job]}, but another job waits at {now}")
            left.remove(job)
            now += lengths[job]
            total += now - releases[job]
        return float(total)

    def probe_features(self, choices, arguments):
        """Length, time waited, waited over length, how far it runs into arrivals, waiting jobs that are shorter."""
        rows = []
        for length, release, now, queue, arrivals in choices:
            overrun = sum(max(0, now + length - arrival) for arrival, _ in arrivals)
            shorter = sum(other < length for other in queue)
            rows.append((length, now - release, (now - release) / length, overrun, shorter))
        return np.array(rows)


TASK = FlowTimeReleases()
