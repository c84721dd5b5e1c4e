"""Seed programs for `bottleneck_assignment`: one complete program a cell, named after its idea."""


# %% slowest_worker
def rate_workers(job, free_workers, hours):
    """The slower a worker, the better: the opposite of greedy."""
    return [hours[job][worker] for worker in free_workers]


# %% random_worker
import random


def rate_workers(job, free_workers, hours):
    """Random numbers from a generator seeded with the job."""
    rng = random.Random(17 + job)
    return [rng.random() for _ in free_workers]


# %% last_worker
def rate_workers(job, free_workers, hours):
    """The free worker with the largest number."""
    return list(free_workers)


# %% second_fastest
def rate_workers(job, free_workers, hours):
    """The second fastest worker, to leave the fastest one for others."""
    order = sorted(free_workers, key=lambda worker: hours[job][worker])
    wanted = order[1] if len(order) > 1 else order[0]
    return [1 if worker == wanted else 0 for worker in free_workers]


# %% comparative_advantage
def rate_workers(job, free_workers, hours):
    """A worker's mean time on the later jobs less the time on this one."""
    later = hours[job + 1 :]
    scores = []
    for worker in free_workers:
        mean = sum(row[worker] for row in later) / len(later)
        scores.append(mean - hours[job][worker])
    return scores


# %% ratio_to_mean
import numpy as np


def rate_workers(job, free_workers, hours):
    """Time on this job as a share of the worker's mean time on this and all later jobs."""
    table = np.array(hours, dtype=float)[job:, free_workers]
    return -table[0] / table.mean(axis=0)


# %% rank_among_jobs
def rate_workers(job, free_workers, hours):
    """The worker for whom the fewest later jobs are faster than this one; the faster one on ties."""
    scores = []
    for worker in free_workers:
        faster = sum(1 for row in hours[job + 1 :] if row[worker] < hours[job][worker])
        scores.append(-faster - hours[job][worker] / 1000)
    return scores


# %% worst_worker_within_limit
def rate_workers(job, free_workers, hours):
    """Of the workers under the mean time for this job the one who is slowest on the later jobs."""
    row = hours[job]
    mean = sum(row[worker] for worker in free_workers) / len(free_workers)
    burden = {worker: sum(later[worker] for later in hours[job + 1 :]) for worker in free_workers}
    return [burden[worker] if row[worker] <= mean else -row[worker] for worker in free_workers]


# %% slowest_under_the_bound
def rate_workers(job, free_workers, hours):
    """No job can beat its fastest free worker, so take the slowest one within the largest of these bounds."""
    bound = max(min(row[worker] for worker in free_workers) for row in hours[job:])
    inside = [hours[job][worker] <= bound for worker in free_workers]
    return [hours[job][w] if ok else -hours[job][w] for w, ok in zip(free_workers, inside)]


# %% needed_least_by_others
def rate_workers(job, free_workers, hours):
    """The worker that the fewest later jobs have among their three fastest; then the faster one."""
    wanted = dict.fromkeys(free_workers, 0)
    for row in hours[job + 1 :]:
        for worker in sorted(free_workers, key=lambda w: row[w])[:3]:
            wanted[worker] += 1
    return [-20 * wanted[worker] - hours[job][worker] for worker in free_workers]


# %% regret_of_later_jobs
def rate_workers(job, free_workers, hours):
    """Time on this job plus the worst that a later job loses when its fastest worker is gone."""
    scores = []
    for worker in free_workers:
        loss = 0
        for row in hours[job + 1 :]:
            others = [row[other] for other in free_workers if other != worker]
            loss = max(loss, min(others) - row[worker])
        scores.append(-hours[job][worker] - loss)
    return scores


# %% bound_after_choice
def rate_workers(job, free_workers, hours):
    """The largest of the time now and the fastest times left for the later jobs; the time now on ties."""
    scores = []
    for worker in free_workers:
        rest = [other for other in free_workers if other != worker]
        bound = max([hours[job][worker], *(min(row[other] for other in rest) for row in hours[job + 1 :])])
        scores.append(-bound - 0.001 * hours[job][worker])
    return scores


# %% bound_then_burden
import numpy as np


def rate_workers(job, free_workers, hours):
    """The bound of workers as well as of jobs after the choice; ties give away the worker who is slow later on."""
    table = np.array(hours, dtype=float)[job:][:, free_workers]
    scores = []
    for place in range(len(free_workers)):
        rest = np.delete(table[1:], place, axis=1)
        bound = max(table[0, place], rest.min(axis=1).max(), rest.min(axis=0).max())
        scores.append(0.001 * table[1:, place].mean() - bound)
    return scores


# %% rollout_greedy
def rate_workers(job, free_workers, hours):
    """Finish each choice by the greedy rule and take the one that ends with the shortest longest time."""
    scores = []
    for first in free_workers:
        left = [worker for worker in free_workers if worker != first]
        longest = hours[job][first]
        for row in hours[job + 1 :]:
            worker = min(left, key=lambda w: row[w])
            left.remove(worker)
            longest = max(longest, row[worker])
        scores.append(-longest)
    return scores


# %% rollout_most_urgent_job
import numpy as np


def rate_workers(job, free_workers, hours):
    """Finish each choice by always serving the job whose fastest free worker is slowest."""
    table = np.array(hours, dtype=float)[job:][:, free_workers]
    scores = []
    for place in range(len(free_workers)):
        rest = np.delete(table[1:], place, axis=1)
        longest = table[0, place]
        while rest.size:
            urgent = int(rest.min(axis=1).argmax())
            worker = int(rest[urgent].argmin())
            longest = max(longest, rest[urgent, worker])
            rest = np.delete(np.delete(rest, urgent, axis=0), worker, axis=1)
        scores.append(-longest - 0.001 * table[0, place])
    return scores


# %% threshold_matching
def rate_workers(job, free_workers, hours):
    """Raise a limit until all jobs that are left can be matched within it, and keep to that matching."""

    def place(row, limit, holder, seen):
        for worker in free_workers:
            if hours[row][worker] <= limit and worker not in seen:
                seen.add(worker)
                if worker not in holder or place(holder[worker], limit, holder, seen):
                    holder[worker] = row
                    return True
        return False

    jobs = range(job, len(hours))
    limits = sorted({hours[row][worker] for row in jobs for worker in free_workers})
    low, high, best = 0, len(limits) - 1, {}
    while low <= high:
        middle = (low + high) // 2
        holder = {}
        if all(place(row, limits[middle], holder, set()) for row in jobs):
            best, high = holder, middle - 1
        else:
            low = middle + 1
    return [1 if best.get(worker) == job else 0 for worker in free_workers]
