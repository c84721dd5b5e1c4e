"""Seed programs for `flow_time_releases`: one complete program a cell, named after its idea."""


# %% longest_first
def priority(length, release, now, queue, arrivals):
    """Opposite greedy: the longest job."""
    return length


# %% last_come
def priority(length, release, now, queue, arrivals):
    """Last come, first served."""
    return release


# %% random_order
import random


def priority(length, release, now, queue, arrivals):
    """A random number, from a generator seeded with all that is known of the job."""
    return random.Random(100003 * now + 1009 * release + length).random()


# %% shortest_first
def priority(length, release, now, queue, arrivals):
    """The shortest waiting job."""
    return -length


# %% response_ratio
def priority(length, release, now, queue, arrivals):
    """Highest response ratio: time waited over length, so that long jobs do not wait for ever."""
    return (now - release + length) / length


# %% squared_length_ratio
def priority(length, release, now, queue, arrivals):
    """Response ratio with the length squared, which ages jobs more slowly."""
    waited = now - release
    return (waited + 2 * length) / length**2


# %% shortest_with_aging
def priority(length, release, now, queue, arrivals):
    """Short jobs first, but a sixth of the time waited counts against the length."""
    return (now - release) / 6 - length


# %% nearest_the_mean
def priority(length, release, now, queue, arrivals):
    """The job whose length is nearest to the mean of the queue."""
    mean = sum(queue) / len(queue)
    return -abs(length - mean)


# %% first_come_in_short_queues
def priority(length, release, now, queue, arrivals):
    """First come, first served while at most three jobs wait; the shortest one in longer queues."""
    if len(queue) <= 3:
        return -release
    return -length


# %% short_class_first
def priority(length, release, now, queue, arrivals):
    """Two classes, up to the median of the queue and above; in each one first come, first served."""
    ordered = sorted(queue)
    median = ordered[len(ordered) // 2]
    return (1e6 if length <= median else 0) - release


# %% longest_before_next_arrival
def priority(length, release, now, queue, arrivals):
    """The longest job that ends before the next release; the shortest one if none does."""
    gap = arrivals[0][0] - now if arrivals else 0
    return length if length <= gap else -length


# %% ends_just_before_arrival
def priority(length, release, now, queue, arrivals):
    """Short jobs, but the time from the end of the job to the next release after it counts too, up to a limit."""
    end = now + length
    later = [arrival - end for arrival, _ in arrivals if arrival >= end]
    slack = min(later[0], 8) if later else 8
    return -length - 2 * slack


# %% fill_the_last_gap
def priority(length, release, now, queue, arrivals):
    """Shortest first; only if no two jobs fit before the next release, the longest one that fits."""
    if not arrivals or len(queue) < 2:
        return -length
    gap = arrivals[0][0] - now
    pair = sum(sorted(queue)[:2])
    if pair > gap >= length:
        return length
    return -length


# %% quantised_length
import math


def priority(length, release, now, queue, arrivals):
    """Lengths are rounded to powers of two; first come, first served among jobs of one power."""
    return -1e5 * math.ceil(math.log2(length)) - release


# %% next_two_jobs
def priority(length, release, now, queue, arrivals):
    """Start this job, then the shortest one that waits at its end: minus the two ends, arrivals included."""
    end = now + length
    others = list(queue)
    others.remove(length)
    others += [other for arrival, other in arrivals if arrival <= end]
    following = min(others) if others else (arrivals[0][0] - end + arrivals[0][1] if arrivals else 0)
    return -(end + end + following)


# %% shortest_first_simulation
def priority(length, release, now, queue, arrivals):
    """Start this job and go on with the shortest one through queue and known arrivals; minus the sum of all ends."""
    waiting = list(queue)
    waiting.remove(length)
    coming = list(arrivals)
    clock = total = now + length
    while waiting or coming:
        if not waiting:
            clock = max(clock, coming[0][0])
        while coming and coming[0][0] <= clock:
            waiting.append(coming.pop(0)[1])
        waiting.sort()
        clock += waiting.pop(0)
        total += clock
    return -total
