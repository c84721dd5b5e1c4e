"""A batch furnace: jobs share a run as far as there is room, and each waits for the longest; small completion times."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

RUN = -1
"""The answer that starts the furnace with what is in it."""


class BatchFurnace(SimpleTask):
    """Solution: the batch of each job, from 0. Batches run in this order, each as long as its longest job takes."""

    name = "batch_furnace"
    title = "Batch furnace, total completion time"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the job to put into the furnace, one of `options` (a numpy array: the waiting jobs that fit, "
        "ascending, and at last -1, which starts the run, unless the furnace is empty). `waiting` are all jobs that "
        "wait, `inside` those in the furnace; `sizes` and `times` belong to all jobs. `space` is still free in the "
        "furnace, and the run takes `longest`, the longest time of a job in it so far. All jobs of a run end with it. "
        "The sum of the ends of all jobs is to be small."
    )
    template = '''\
def load_next(options, waiting, inside, sizes, times, space, longest):
    """The first job that fits; the furnace runs when none does."""
    return options[0]
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 16, "jobs": 30, "capacity": 20, "calls": 40},
        test={"count": 32, "jobs": 30, "capacity": 20, "calls": 40},
        holdout={"count": 32, "jobs": 45, "capacity": 24, "calls": 60},
    )
    probe_parameters = {"jobs": 13, "capacity": 20}  # noqa: RUF012
    probe_feature_names = ("size", "time", "longer", "shorter", "room", "time_per_size", "run")

    def draw(self, random, jobs, capacity):
        """Sizes 1 to six tenths of the capacity, times 5 to 60: both int64 (jobs,); the capacity."""
        sizes, times = random.randint(1, capacity * 6 // 10 + 1, jobs), random.randint(5, 61, jobs)
        return {"sizes": sizes, "times": times, "capacity": capacity}

    def construct(self, program, instance):
        """One call a job and one a run that is started; the program sees copies of the arrays, and numpy ids."""
        sizes, times, batch = instance["sizes"], instance["times"], 0
        batches = np.full(len(sizes), -1)
        while (batches < 0).any():
            inside = batches == batch
            space, longest = int(instance["capacity"] - sizes[inside].sum()), int(times[inside].max(initial=0))
            options = np.flatnonzero((batches < 0) & (sizes <= space))
            if len(options) and inside.any():
                options = np.append(options, RUN)
            job = RUN
            if len(options):
                jobs = (np.flatnonzero(batches < 0), np.flatnonzero(inside))
                job = self.ask(program, options, *jobs, sizes.copy(), times.copy(), space, longest)
            if job == RUN:
                batch += 1
            else:
                batches[job] = batch
        return batches

    def objective(self, instance, solution):
        """Sum of the ends of all jobs. Raises `Infeasible` for a batch beyond the capacity; empty ones take no time."""
        sizes, times = instance["sizes"], instance["times"]
        batches = np.array(check_ids(solution, len(sizes), len(sizes)))
        now = total = 0
        for batch in np.unique(batches):
            inside = batches == batch
            if sizes[inside].sum() > instance["capacity"]:
                raise Infeasible(f"batch {batch} has size {sizes[inside].sum()} of {instance['capacity']}")
            now += int(times[inside].max())
            total += now * int(inside.sum())
        return float(total)

    def probe_features(self, choices, arguments):
        """Size, time, how much longer or shorter than the run, room left, time a unit of size; is it the run."""
        sizes, times, space, longest = (arguments[key] for key in ("sizes", "times", "space", "longest"))
        rows = []
        for job in choices:
            size, time = (0, longest) if job == RUN else (sizes[job], times[job])
            change = (max(0, time - longest), max(0, longest - time))
            rows.append((size, time, *change, space - size, time / max(1, size), job == RUN))
        return np.array(rows, dtype=np.float64)


TASK = BatchFurnace()
