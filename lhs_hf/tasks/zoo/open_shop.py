"""Open shop: start operations one by one; each job visits all machines in any order; a small makespan is better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class OpenShop(SimpleTask):
    """Solution: the operations in order, job * machines + machine. Each starts once job and machine are free."""

    name = "open_shop"
    title = "Open shop, makespan"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the operation to schedule next, a pair (job, machine) out of `operations`; it starts as soon as its "
        "job and its machine are both free. `durations[job, machine]` is how long an operation takes, `job_free[job]` "
        "and `machine_free[machine]` when a job and a machine have finished what is scheduled of them. Every job "
        "visits every machine once, in any order; the time at which all is finished is to be small."
    )
    template = '''\
def choose_operation(operations, durations, job_free, machine_free):
    """The first operation of the list."""
    return operations[0]
'''
    alternatives = "operations"
    splits = make_splits(
        search={"count": 16, "jobs": 6, "machines": 5, "calls": 30},
        test={"count": 32, "jobs": 6, "machines": 5, "calls": 30},
        holdout={"count": 32, "jobs": 7, "machines": 7, "calls": 49},
    )
    probe_parameters = {"jobs": 4, "machines": 3}  # noqa: RUF012
    probe_feature_names = ("duration", "start", "end", "machine_gap", "job_gap", "job_work", "machine_work", "place")

    def draw(self, random, jobs, machines):
        """Durations int64 (jobs, machines), 1 to 50."""
        return {"durations": random.randint(1, 51, (jobs, machines))}

    def construct(self, program, instance):
        """One call an operation; the program sees tuples and dictionaries of Python ints."""
        jobs, machines = instance["durations"].shape
        durations = {(job, m): int(instance["durations"][job, m]) for job in range(jobs) for m in range(machines)}
        job_free, machine_free, order = dict.fromkeys(range(jobs), 0), dict.fromkeys(range(machines), 0), []
        left = list(durations)
        while left:
            chosen = self.ask(program, list(left), dict(durations), dict(job_free), dict(machine_free))
            job, machine = chosen
            left.remove(chosen)
            end = max(job_free[job], machine_free[machine]) + durations[chosen]
            job_free[job] = machine_free[machine] = end
            order.append(job * machines + machine)
        return order

    def objective(self, instance, solution):
        """Makespan. Raises `Infeasible` unless each operation is scheduled once."""
        jobs, machines = instance["durations"].shape
        durations = instance["durations"].ravel().tolist()
        job_free, machine_free = [0] * jobs, [0] * machines
        for operation in check_permutation(solution, jobs * machines):
            job, machine = divmod(operation, machines)
            end = max(job_free[job], machine_free[machine]) + durations[operation]
            job_free[job] = machine_free[machine] = end
        return float(max(job_free))

    def probe_features(self, choices, arguments):
        """Duration, start, end, time lost on machine and job, work that is left of job and machine, position."""
        durations, job_free, machine_free = (arguments[key] for key in ("durations", "job_free", "machine_free"))
        rows = []
        for place, (job, machine) in enumerate(choices):
            duration, start = durations[job, machine], max(job_free[job], machine_free[machine])
            job_work = sum(durations[each] for each in choices if each[0] == job)
            machine_work = sum(durations[each] for each in choices if each[1] == machine)
            gaps = (start - machine_free[machine], start - job_free[job])
            rows.append((duration, start, start + duration, *gaps, job_work, machine_work, place))
        return np.array(rows)


TASK = OpenShop()
