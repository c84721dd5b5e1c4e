"""Seed programs for `batch_furnace`: one complete program a cell, named after its idea."""


# %% run_single_jobs
def load_next(options, waiting, inside, sizes, times, space, longest):
    """One job a run, the shortest one: room is wasted."""
    if options[-1] == -1:
        return -1
    return min(options, key=lambda job: times[job])


# %% random_job
import random


def load_next(options, waiting, inside, sizes, times, space, longest):
    """Any job that fits, from a generator seeded with the room and the run; never an early start."""
    jobs = [job for job in options if job >= 0]
    return random.Random(71 * space + 7 * longest + len(jobs)).choice(jobs)


# %% longest_first
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Opposite greedy: the longest job that fits."""
    return max((job for job in options if job >= 0), key=lambda job: times[job])


# %% largest_first
def load_next(options, waiting, inside, sizes, times, space, longest):
    """First fit decreasing by size, as for bins; times do not count."""
    best = options[0]
    for job in options:
        if job >= 0 and sizes[job] > sizes[best]:
            best = job
    return best


# %% smallest_first
import numpy as np


def load_next(options, waiting, inside, sizes, times, space, longest):
    """The smallest job, so that early runs finish many jobs."""
    jobs = options[options >= 0]
    return jobs[int(np.argmin(sizes[jobs]))]


# %% shortest_first
import numpy as np


def load_next(options, waiting, inside, sizes, times, space, longest):
    """The shortest job that fits; the furnace is always filled up."""
    jobs = options[options >= 0]
    return jobs[int(np.argmin(times[jobs]))]


# %% best_fit
def load_next(options, waiting, inside, sizes, times, space, longest):
    """The shortest job opens a run; then the job that leaves the least room is added."""
    jobs = [job for job in options if job >= 0]
    if longest == 0:
        return min(jobs, key=lambda job: times[job])
    return min(jobs, key=lambda job: (space - sizes[job], times[job]))


# %% time_times_size
def load_next(options, waiting, inside, sizes, times, space, longest):
    """The smallest product of time and size, the area that a job takes in the furnace."""
    return min((job for job in options if job >= 0), key=lambda job: times[job] * sizes[job])


# %% weighted_time_and_size
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Time plus two and a half times the size, smallest first."""
    jobs = [job for job in options if job != -1]
    values = [times[job] + 2.5 * sizes[job] for job in jobs]
    return jobs[values.index(min(values))]


# %% free_riders
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Open with the smallest area; jobs that do not prolong the run come first, small ones, then the least longer."""
    jobs = [job for job in options if job >= 0]
    if longest == 0:
        return min(jobs, key=lambda job: times[job] * sizes[job])

    def key(job):
        return max(0, times[job] - longest), sizes[job]

    return min(jobs, key=key)


# %% start_before_it_gets_long
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Add the shortest job unless it prolongs the run by more than half; then start."""
    jobs = [job for job in options if job >= 0]
    best = min(jobs, key=lambda job: (times[job], sizes[job]))
    if options[-1] == -1 and times[best] > 1.5 * longest:
        return -1
    return best


# %% similar_times
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Runs of equal times: the smallest weighted job opens, the one nearest to it in time follows within a limit."""
    jobs = [job for job in options if job >= 0]
    if longest == 0:
        return min(jobs, key=lambda job: times[job] + 2 * sizes[job])
    nearest = min(jobs, key=lambda job: (abs(times[job] - longest), sizes[job]))
    return nearest if abs(times[nearest] - longest) <= 25 else -1


# %% delay_of_the_others
def load_next(options, waiting, inside, sizes, times, space, longest):
    """A job pays for the delay of all that wait if it prolongs the run, and for its room; start if that is too much."""
    jobs = [job for job in options if job >= 0]
    mean = times[waiting].mean()

    def price(job):
        growth = max(0, times[job] - longest)
        return growth * (len(inside) + len(waiting)) / len(waiting) + 0.8 * mean * sizes[job] / space

    best = min(jobs, key=price)
    if len(inside) > 0 and price(best) > 1.2 * mean:
        return -1
    return best


# %% least_time_per_job
def load_next(options, waiting, inside, sizes, times, space, longest):
    """For each limit of time fill the room with the smallest jobs up to it; the limit with least time a job."""
    jobs = [job for job in options if job >= 0]
    best, lowest = -1, longest / len(inside) if len(inside) else float("inf")
    for limit in sorted({max(longest, times[job]) for job in jobs}):
        room, taken = space, []
        for job in sorted((j for j in jobs if times[j] <= limit), key=lambda j: sizes[j]):
            if sizes[job] <= room:
                room -= sizes[job]
                taken.append(job)
        ratio = limit / (len(taken) + len(inside))
        if taken and ratio < lowest:
            best, lowest = taken[-1], ratio
    return best


# %% one_run_ahead
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Add the job with the best rate of jobs by time once the run is filled with small jobs that fit its time."""
    jobs = [job for job in options if job >= 0]

    def rate(first):
        limit, room, count = max(longest, times[first]), space - sizes[first], 1
        for job in sorted(jobs, key=lambda j: sizes[j]):
            if job != first and times[job] <= limit and sizes[job] <= room:
                room -= sizes[job]
                count += 1
        return (count + 0.3 * (1 - room / space)) / limit**0.7

    return max(jobs, key=lambda job: (rate(job), -sizes[job]))


# %% finish_by_time_limit
def load_next(options, waiting, inside, sizes, times, space, longest):
    """Try each answer; then go on with the shortest job that fits, and start if it prolongs the run by a third."""
    ranked = sorted(waiting.tolist(), key=lambda job: (times[job], sizes[job]))
    size, time = sizes.tolist(), times.tolist()
    capacity = space + int(sizes[inside].sum())

    def total(answer):
        left = [job for job in ranked if job != answer]
        count, room, limit, clock, result = len(inside), space, longest, 0, 0
        if answer >= 0:
            count, room, limit = count + 1, room - size[answer], max(limit, time[answer])
        running = answer == -1
        while True:
            rest = []
            for job in left:
                if not running and size[job] <= room and (count == 0 or time[job] <= 1.33 * limit):
                    count, room, limit = count + 1, room - size[job], max(limit, time[job])
                else:
                    rest.append(job)
            clock += limit
            result += clock * count
            if not rest:
                return result
            left, count, room, limit, running = rest, 0, capacity, 0, False

    return min(options.tolist(), key=total)
