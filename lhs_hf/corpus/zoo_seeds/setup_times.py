"""Seed programs for `setup_times`: one complete program a cell, named after its idea."""


# %% last_id
def pick_job(last_job, unfinished, setup_matrix, processing):
    """The job with the highest id."""
    return unfinished[-1]


# %% random_job
import random


def pick_job(last_job, unfinished, setup_matrix, processing):
    """Any job, from a generator seeded with the last job and the number of jobs that are left."""
    return random.Random(97 * int(last_job) + len(unfinished)).choice(list(unfinished))


# %% longest_setup
import numpy as np


def pick_job(last_job, unfinished, setup_matrix, processing):
    """Opposite greedy: the job with the longest setup."""
    return unfinished[int(np.argmax(setup_matrix[last_job, unfinished]))]


# %% shortest_processing
import numpy as np


def pick_job(last_job, unfinished, setup_matrix, processing):
    """The job with the shortest processing time, whatever its setup."""
    return unfinished[int(np.argmin(processing[unfinished]))]


# %% shortest_setup
def pick_job(last_job, unfinished, setup_matrix, processing):
    """The job with the shortest setup; the shorter job on ties."""
    return min(unfinished, key=lambda job: (setup_matrix[last_job, job], processing[job]))


# %% earliest_completion
import numpy as np


def pick_job(last_job, unfinished, setup_matrix, processing):
    """The job that is finished first, setup included."""
    return unfinished[int(np.argmin((setup_matrix[last_job] + processing)[unfinished]))]


# %% twice_the_setup
def pick_job(last_job, unfinished, setup_matrix, processing):
    """Setup time counts twice beside the processing time, as it is the part that can be saved."""
    best, lowest = unfinished[0], float("inf")
    for job in unfinished:
        value = 2 * setup_matrix[last_job, job] + processing[job]
        if value < lowest:
            best, lowest = job, value
    return best


# %% saving_on_the_mean
def pick_job(last_job, unfinished, setup_matrix, processing):
    """Processing time plus what the setup costs above the mean setup of that job after the other ones."""
    rows = setup_matrix[unfinished][:, unfinished]
    mean = rows.sum(axis=0) / max(1, len(unfinished) - 1)
    value = processing[unfinished] + setup_matrix[last_job, unfinished] - mean
    return unfinished[int(value.argmin())]


# %% setup_regret
def pick_job(last_job, unfinished, setup_matrix, processing):
    """Largest regret: the best setup that the job could have after another one, minus its setup now."""

    def regret(job):
        later = [setup_matrix[other, job] for other in unfinished if other != job]
        return min(later, default=0) - setup_matrix[last_job, job] - 0.5 * processing[job]

    return max(unfinished, key=regret)


# %% easy_way_on
import numpy as np


def pick_job(last_job, unfinished, setup_matrix, processing):
    """Setup, processing time and half of the mean setup from the job to the others."""
    value = []
    for job in unfinished:
        onward = setup_matrix[job, unfinished].sum() / max(1, len(unfinished) - 1)
        value.append(setup_matrix[last_job, job] + processing[job] + 0.5 * onward)
    return unfinished[int(np.argmin(value))]


# %% best_pair
def pick_job(last_job, unfinished, setup_matrix, processing):
    """The first job of the pair with the smallest sum of two completion times."""
    if len(unfinished) == 1:
        return unfinished[0]
    best, lowest = None, float("inf")
    for one in unfinished:
        first = setup_matrix[last_job, one] + processing[one]
        for two in unfinished:
            if two != one:
                total = 2 * first + setup_matrix[one, two] + processing[two]
                if total < lowest:
                    best, lowest = one, total
    return best


# %% cheap_jobs_near_by
def pick_job(last_job, unfinished, setup_matrix, processing):
    """The best mean time a job over the next one to four jobs that are reached by earliest completion."""

    def rate(job):
        clock = setup_matrix[last_job, job] + processing[job]
        here, others, best = job, [j for j in unfinished if j != job], clock
        for count in range(2, min(4, len(unfinished)) + 1):
            here, before = min(others, key=lambda j: setup_matrix[here, j] + processing[j]), here
            clock += setup_matrix[before, here] + processing[here]
            others.remove(here)
            best = min(best, clock / count)
        return best

    return min(unfinished, key=rate)


# %% stay_in_the_group
def pick_job(last_job, unfinished, setup_matrix, processing):
    """Among the jobs whose setup is at most half of the mean setup the shortest; otherwise the earliest completion."""
    row = setup_matrix[last_job]
    mean = setup_matrix[:, unfinished].mean()
    near = [job for job in unfinished if row[job] <= mean / 2]
    if near:
        return min(near, key=lambda job: processing[job])
    return min(unfinished, key=lambda job: row[job] + processing[job])


# %% group_with_best_ratio
def pick_job(last_job, unfinished, setup_matrix, processing):
    """Serve near jobs first; otherwise enter the group of jobs with the smallest setup plus work a job."""
    limit = setup_matrix[:, unfinished].mean() / 2
    row = setup_matrix[last_job]
    near = [job for job in unfinished if row[job] <= limit]
    if near:
        return min(near, key=lambda job: row[job] + processing[job])

    def ratio(job):
        group = [other for other in unfinished if other == job or setup_matrix[job, other] <= limit]
        return (row[job] + sum(processing[other] for other in group)) / len(group)

    return min(unfinished, key=lambda job: (ratio(job), processing[job]))


# %% finish_greedily
def pick_job(last_job, unfinished, setup_matrix, processing):
    """Try every job next, go on by earliest completion to the end, and keep the job of the smallest total."""
    costs = setup_matrix + processing[None, :]
    table, length = costs.tolist(), len(unfinished)
    best, lowest = unfinished[0], float("inf")
    for first in unfinished:
        left = set(unfinished.tolist())
        here, job, clock, total = int(last_job), int(first), 0, 0
        for _ in range(length):
            clock += table[here][job]
            total += clock
            left.remove(job)
            here = job
            row = table[here]
            job = min(left, key=row.__getitem__, default=None)
        if total < lowest:
            best, lowest = first, total
    return best
