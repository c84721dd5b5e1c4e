"""Seed programs for `open_shop`: one complete program a cell, named after its idea."""


# %% diagonal
def choose_operation(operations, durations, job_free, machine_free):
    """Shift the machines round from job to job, whatever the durations are, so that few jobs meet at one machine."""
    count = len(machine_free)
    return min(operations, key=lambda pair: ((pair[1] - pair[0]) % count, pair[0]))


# %% random_operation
import random


def choose_operation(operations, durations, job_free, machine_free):
    """Any operation, from a generator seeded with the number of operations and the times so far."""
    generator = random.Random(1000 * len(operations) + sum(machine_free.values()))
    return generator.choice(operations)


# %% shortest_operation
def choose_operation(operations, durations, job_free, machine_free):
    """The shortest operation of all."""
    return min(operations, key=lambda operation: durations[operation])


# %% longest_operation
def choose_operation(operations, durations, job_free, machine_free):
    """The longest operation of all, so that short ones fill up the end."""
    best = operations[0]
    for operation in operations:
        if durations[operation] > durations[best]:
            best = operation
    return best


# %% latest_start
def choose_operation(operations, durations, job_free, machine_free):
    """Opposite greedy: the operation that can start last."""
    return max(operations, key=lambda pair: max(job_free[pair[0]], machine_free[pair[1]]))


# %% earliest_start
def choose_operation(operations, durations, job_free, machine_free):
    """The operation that can start first; the first of the list on ties."""
    return min(operations, key=lambda pair: max(job_free[pair[0]], machine_free[pair[1]]))


# %% earliest_end
def choose_operation(operations, durations, job_free, machine_free):
    """The operation that can be finished first."""
    best, best_end = None, None
    for job, machine in operations:
        end = max(job_free[job], machine_free[machine]) + durations[job, machine]
        if best is None or end < best_end:
            best, best_end = (job, machine), end
    return best


# %% start_then_longest
def choose_operation(operations, durations, job_free, machine_free):
    """Earliest start; the longest operation among those that can start then."""

    def key(operation):
        job, machine = operation
        return max(job_free[job], machine_free[machine]), -durations[operation]

    return min(operations, key=key)


# %% job_with_most_work
def choose_operation(operations, durations, job_free, machine_free):
    """The job with the most work left, on the machine that lets it start first."""
    work = {}
    for job, machine in operations:
        work[job] = work.get(job, 0) + durations[job, machine]
    return min(operations, key=lambda pair: (-work[pair[0]], max(job_free[pair[0]], machine_free[pair[1]])))


# %% start_then_machine_work
from collections import defaultdict


def choose_operation(operations, durations, job_free, machine_free):
    """Earliest start; among equals the machine that has the most work left."""
    load = defaultdict(int)
    for operation in operations:
        load[operation[1]] += durations[operation]
    keys = [(max(job_free[job], machine_free[machine]), -load[machine]) for job, machine in operations]
    return operations[keys.index(min(keys))]


# %% start_then_both_works
def choose_operation(operations, durations, job_free, machine_free):
    """Earliest start; among equals the largest sum of work left on the job and on the machine."""
    job_work = dict.fromkeys(job_free, 0)
    machine_work = dict.fromkeys(machine_free, 0)
    for job, machine in operations:
        job_work[job] += durations[job, machine]
        machine_work[machine] += durations[job, machine]

    def key(pair):
        job, machine = pair
        return max(job_free[job], machine_free[machine]), -job_work[job] - machine_work[machine]

    return min(operations, key=key)


# %% least_waiting
def choose_operation(operations, durations, job_free, machine_free):
    """The smallest difference between the times at which job and machine are free; the longer operation on ties."""
    best, best_key = None, (float("inf"), 0)
    for operation in operations:
        job, machine = operation
        key = (abs(job_free[job] - machine_free[machine]), -durations[operation])
        if key < best_key:
            best, best_key = operation, key
    return best


# %% start_minus_tails
def choose_operation(operations, durations, job_free, machine_free):
    """Start time minus a third of the larger work left: a critical operation may go before an earlier one."""

    def value(pair):
        job, machine = pair
        job_work = sum(durations[j, m] for j, m in operations if j == job)
        machine_work = sum(durations[j, m] for j, m in operations if m == machine)
        return max(job_free[job], machine_free[machine]) - max(job_work, machine_work) / 3

    return min(operations, key=value)


# %% critical_line
def choose_operation(operations, durations, job_free, machine_free):
    """Of the operations that start before anything else can end, one of the job or machine that must finish last."""
    job_end, machine_end = dict(job_free), dict(machine_free)
    starts = {}
    for job, machine in operations:
        starts[job, machine] = max(job_free[job], machine_free[machine])
        job_end[job] += durations[job, machine]
        machine_end[machine] += durations[job, machine]
    limit = min(starts[pair] + durations[pair] for pair in operations)
    able = [pair for pair in operations if starts[pair] < limit]
    return max(able, key=lambda pair: (max(job_end[pair[0]], machine_end[pair[1]]), -starts[pair]))


# %% squared_finish_times
def choose_operation(operations, durations, job_free, machine_free):
    """The operation that adds least to the sum of squares of the times at which jobs and machines can be finished."""
    job_end, machine_end = dict(job_free), dict(machine_free)
    for job, machine in operations:
        job_end[job] += durations[job, machine]
        machine_end[machine] += durations[job, machine]
    best, lowest = None, None
    for job, machine in operations:
        start = max(job_free[job], machine_free[machine])
        one, other = job_end[job], machine_end[machine]
        growth = (one + start - job_free[job]) ** 2 - one**2 + (other + start - machine_free[machine]) ** 2 - other**2
        if best is None or (growth, start, -one - other) < lowest:
            best, lowest = (job, machine), (growth, start, -one - other)
    return best


# %% finish_densely
def choose_operation(operations, durations, job_free, machine_free):
    """Try operations that start before the earliest end, finish by earliest start with most work; best makespan."""

    def start(pair, jobs, machines):
        return max(jobs[pair[0]], machines[pair[1]])

    def span(first):
        jobs, machines, left = dict(job_free), dict(machine_free), list(operations)
        work = {("m", m): 0 for m in machines} | {("j", j): 0 for j in jobs}
        for j, m in left:
            work["j", j] += durations[j, m]
            work["m", m] += durations[j, m]
        pair = first
        while True:
            left.remove(pair)
            jobs[pair[0]] = machines[pair[1]] = start(pair, jobs, machines) + durations[pair]
            work["j", pair[0]] -= durations[pair]
            work["m", pair[1]] -= durations[pair]
            if not left:
                return max(jobs.values())
            pair = min(left, key=lambda o: (start(o, jobs, machines), -work["j", o[0]] - work["m", o[1]]))

    limit = min(start(pair, job_free, machine_free) + durations[pair] for pair in operations)
    return min((pair for pair in operations if start(pair, job_free, machine_free) < limit), key=span)
