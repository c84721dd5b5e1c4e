"""One machine with sequence-dependent setup times: a small sum of completion times is better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class SetupTimes(SimpleTask):
    """Solution: the jobs in order. A setup, as long as the job before says, precedes each job, even the first."""

    name = "setup_times"
    title = "Total completion time with setup times"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the job that runs next, one of `unfinished` (a numpy array of ids, ascending). "
        "`setup_matrix[last_job, job]` is the setup time of a job after `last_job`, `processing[job]` the time it "
        "then takes. At the start `last_job` is the number of jobs: the last row of `setup_matrix` has the setup "
        "times of the empty machine. The sum of the completion times of all jobs is to be small."
    )
    template = '''\
def pick_job(last_job, unfinished, setup_matrix, processing):
    """The job with the lowest id."""
    return unfinished[0]
'''
    alternatives = "unfinished"
    splits = make_splits(
        search={"count": 16, "jobs": 24, "families": 4, "calls": 23},
        test={"count": 32, "jobs": 24, "families": 4, "calls": 23},
        holdout={"count": 32, "jobs": 36, "families": 6, "calls": 35},
    )
    probe_parameters = {"jobs": 11, "families": 3}  # noqa: RUF012
    probe_feature_names = (
        "setup",
        "processing",
        "sum",
        "mean_setup_after",
        "least_setup_after",
        "mean_setup_to",
        "job",
    )

    def draw(self, random, jobs, families):
        """Setups int64 (jobs + 1, jobs), short within a family of jobs; processing times int64 (jobs,), 1 to 30."""
        family = np.append(random.randint(0, families, jobs), -1)
        between = random.randint(10, 50, (families + 1, families))
        other = family[:, None] != family[None, :jobs]
        setups = random.randint(1, 9, (jobs + 1, jobs)) + other * between[family][:, family[:jobs]]
        setups[np.arange(jobs), np.arange(jobs)] = 0
        return {"setups": setups, "processing": random.randint(1, 31, jobs)}

    def construct(self, program, instance):
        """One call a job, but for the last one; the program sees copies of the arrays, and numpy ids."""
        setups, processing = instance["setups"], instance["processing"]
        last, left, order = len(processing), np.arange(len(processing)), []
        while len(left) > 1:
            last = self.ask(program, last, left.copy(), setups.copy(), processing.copy())
            left = left[left != last]
            order.append(last)
        return [*order, *left]

    def objective(self, instance, solution):
        """Sum of completion times. Raises `Infeasible` unless each job runs once."""
        setups, processing = instance["setups"].tolist(), instance["processing"].tolist()
        last, now, total = len(processing), 0, 0
        for job in check_permutation(solution, len(processing)):
            now += setups[last][job] + processing[job]
            total += now
            last = job
        return float(total)

    def probe_features(self, choices, arguments):
        """Setup, processing time and both; mean and least setup to the other jobs, mean setup from them; id."""
        setups, processing = arguments["setup_matrix"], arguments["processing"]
        rows = []
        for job in choices:
            others = np.array([other for other in choices if other != job])
            setup, after = setups[arguments["last_job"], job], setups[job, others]
            to = setups[others, job].mean()
            rows.append((setup, processing[job], setup + processing[job], after.mean(), after.min(), to, job))
        return np.array(rows)


TASK = SetupTimes()
