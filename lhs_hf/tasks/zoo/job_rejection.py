"""One machine with rejection: jobs are done or refused for a penalty; small weighted completion times and penalties."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

STOP = -1
"""The answer that refuses all jobs not done yet."""


class JobRejection(SimpleTask):
    """Solution: the jobs that are done in their order, then -1 for each that is refused.

    A job starts once it has arrived and the one before it has ended. It costs weight times end, or its penalty.
    """

    name = "job_rejection"
    title = "Weighted completion time with rejection"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the job that one machine does next, one of `options` (a list: the ids of all jobs not done yet, "
        "ascending, and at last -1, which refuses all of them and ends the work). `jobs` is a list of tuples "
        "(arrival, duration, weight, penalty), one for each id, those done included; the machine is free from `clock` "
        "on, and a job that arrives later lets it wait until then. A job that is done costs its weight times the time "
        "at which it ends, one that is refused its penalty. All is known from the start; the total cost is to be small."
    )
    template = '''\
def next_job(options, clock, jobs):
    """The job of the largest penalty; the end once it would cost more to do it."""
    job = max(options[:-1], key=lambda each: jobs[each][3])
    arrival, duration, weight, penalty = jobs[job]
    return job if weight * (max(clock, arrival) + duration) < penalty else -1
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 16, "jobs": 30, "spread": 0.4, "calls": 22},
        test={"count": 32, "jobs": 30, "spread": 0.4, "calls": 22},
        holdout={"count": 32, "jobs": 45, "spread": 0.8, "calls": 32},
    )
    probe_parameters = {"jobs": 12, "spread": 0.4}  # noqa: RUF012
    probe_feature_names = ("wait", "duration", "weight", "penalty", "weight_ratio", "saved", "saved_a_unit", "stop")

    def draw(self, random, jobs, spread):
        """Rows of arrival, duration, weight and penalty, int64 (jobs, 4).

        Arrivals are spread over that share of the total duration. A penalty is about what a job costs that ends in the
        middle, some far less and some far more.
        """
        durations, weights = random.randint(2, 25, jobs), random.randint(1, 11, jobs)
        total = int(durations.sum())
        arrivals = random.randint(0, int(spread * total) + 1, jobs)
        penalties = (weights * (arrivals + total * random.uniform(0.1, 0.9, jobs))).astype(np.int64)
        return np.column_stack([arrivals, durations, weights, penalties])

    def construct(self, program, rows):
        """One call for each job that is done, and one that ends it; the program sees Python numbers."""
        jobs, clock, done = [tuple(row) for row in rows.tolist()], 0, []
        while len(done) < len(jobs):
            options = [job for job in range(len(jobs)) if job not in done]
            job = self.ask(program, [*options, STOP], clock, list(jobs))
            if job == STOP:
                break
            arrival, duration, _, _ = jobs[job]
            clock = max(clock, arrival) + duration
            done.append(job)
        return done + [STOP] * (len(jobs) - len(done))

    def objective(self, rows, solution):
        """Weighted ends and penalties. Raises `Infeasible` for a job that is done twice, or done after a -1."""
        if len(solution) != len(rows):
            raise Infeasible(f"expected {len(rows)} entries, got {len(solution)}")
        jobs, done = rows.tolist(), solution[solution != STOP]
        if (solution[: len(done)] == STOP).any():
            raise Infeasible("a job is done after a -1, the end")
        clock, cost = 0, sum(job[3] for job in jobs)
        for place, job in enumerate(check_ids(done, len(done), len(jobs))):
            if job in done[:place]:
                raise Infeasible(f"job {job} is done twice")
            arrival, duration, weight, penalty = jobs[job]
            clock = max(clock, arrival) + duration
            cost += weight * clock - penalty
        return float(cost)

    def probe_features(self, choices, arguments):
        """Wait, duration, weight, penalty, weight a unit of time, what is saved in all and a unit; is it the end."""
        rows = []
        for job in choices:
            if job == STOP:
                rows.append((0,) * 7 + (1,))
                continue
            arrival, duration, weight, penalty = arguments["jobs"][job]
            wait = max(0, arrival - arguments["clock"])
            saved = penalty - weight * (arguments["clock"] + wait + duration)
            ratio = weight / (wait + duration)
            rows.append((wait, duration, weight, penalty, ratio, saved, saved / (wait + duration), 0))
        return np.array(rows, dtype=float)


TASK = JobRejection()
