# %% shortest_time
def determine_next_operation(current_status, feasible_operations):
    """Short operations first."""
    best = None
    shortest = float("inf")
    for operation in feasible_operations:
        if operation[2] < shortest:
            shortest = operation[2]
            best = operation
    return best


# %% longest_time
def determine_next_operation(current_status, feasible_operations):
    """Long operations first."""
    return max(feasible_operations, key=lambda operation: operation[2])


# %% first_listed
def determine_next_operation(current_status, feasible_operations):
    """Take the operations as they come."""
    return feasible_operations[0]


# %% last_listed
def determine_next_operation(current_status, feasible_operations):
    """Take the operations from the end of the list."""
    return feasible_operations[-1]


# %% random_seeded
import random


def determine_next_operation(current_status, feasible_operations):
    """A random operation; the generator is seeded with the sum of the machine clocks."""
    generator = random.Random(sum(current_status["machine_status"]))
    return generator.choice(feasible_operations)


# %% earliest_machine
def determine_next_operation(current_status, feasible_operations):
    """Feed the machine that is free first; among its operations take the earliest in the list."""
    clocks = current_status["machine_status"]
    return min(feasible_operations, key=lambda operation: clocks[operation[1]])


# %% earliest_machine_longest
def determine_next_operation(current_status, feasible_operations):
    """Feed the machine that is free first and give it its longest operation."""
    clocks = current_status["machine_status"]
    return min(feasible_operations, key=lambda operation: (clocks[operation[1]], -operation[2]))


# %% earliest_machine_shortest
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Feed the machine that is free first and give it its shortest operation."""
    table = np.array(feasible_operations)
    free_at = np.array(current_status["machine_status"])[table[:, 1]]
    order = np.lexsort((table[:, 2], free_at))
    return feasible_operations[order[0]]


# %% latest_machine
def determine_next_operation(current_status, feasible_operations):
    """Pile work on the machine whose clock is already the latest, the shortest operation of it first."""
    machine_status = current_status["machine_status"]
    chosen = feasible_operations[0]
    for operation in feasible_operations[1:]:
        ahead = machine_status[operation[1]] - machine_status[chosen[1]]
        if ahead > 0 or (ahead == 0 and operation[2] < chosen[2]):
            chosen = operation
    return chosen


# %% earliest_finish
def determine_next_operation(current_status, feasible_operations):
    """Choose the operation that would be finished first."""
    best, best_finish = feasible_operations[0], float("inf")
    for job, machine, time in feasible_operations:
        start = max(current_status["machine_status"][machine], current_status["job_status"][job])
        if start + time < best_finish:
            best, best_finish = (job, machine, time), start + time
    return best


# %% latest_finish
def determine_next_operation(current_status, feasible_operations):
    """Choose the operation that would be finished last, the worst way of balancing."""
    machine_free = current_status["machine_status"]
    job_free = current_status["job_status"]
    return max(feasible_operations, key=lambda op: max(machine_free[op[1]], job_free[op[0]]) + op[2])


# %% idlest_job
def determine_next_operation(current_status, feasible_operations):
    """Serve the job that has been free for the longest time, the longer operation if two are equal."""
    job_clock = current_status["job_status"]
    return min(feasible_operations, key=lambda operation: (job_clock[operation[0]], -operation[2]))


# %% busiest_job
def determine_next_operation(current_status, feasible_operations):
    """Push on with the job whose clock is farthest ahead, so that jobs are completed one after another."""
    job_clock = current_status["job_status"]
    return max(feasible_operations, key=lambda operation: job_clock[operation[0]])


# %% smallest_gap
def determine_next_operation(current_status, feasible_operations):
    """Match clocks: the job should have become free just before the machine."""
    best_operation = None
    best_gap = float("inf")
    for operation in feasible_operations:
        job, machine, time = operation
        gap = abs(current_status["machine_status"][machine] - current_status["job_status"][job])
        if gap < best_gap:
            best_gap = gap
            best_operation = operation
    return best_operation


# %% gap_within_earliest_machine
def determine_next_operation(current_status, feasible_operations):
    """On the machine that is free first, run the job that became free most recently, and keep early jobs for others."""
    machines = current_status["machine_status"]
    jobs = current_status["job_status"]
    first = min(machines[operation[1]] for operation in feasible_operations)
    listed = [operation for operation in feasible_operations if machines[operation[1]] == first]
    return max(listed, key=lambda operation: jobs[operation[0]])


# %% machine_queue_length
from collections import Counter


def determine_next_operation(current_status, feasible_operations):
    """Serve the machine in front of which most operations queue; inside the queue the longest goes first."""
    queue = Counter(operation[1] for operation in feasible_operations)
    return max(feasible_operations, key=lambda operation: (queue[operation[1]], operation[2]))


# %% shortest_queue
def determine_next_operation(current_status, feasible_operations):
    """Serve the machine with the fewest listed operations before its choice disappears."""
    queue = {}
    for _, machine, _ in feasible_operations:
        queue[machine] = queue.get(machine, 0) + 1
    return min(feasible_operations, key=lambda operation: (queue[operation[1]], operation[2]))


# %% most_listed_job
def determine_next_operation(current_status, feasible_operations):
    """Serve the job that has most operations in the list, as a sign of how much it still has to do."""
    count = {}
    for operation in feasible_operations:
        count[operation[0]] = count.get(operation[0], 0) + 1
    clocks = current_status["machine_status"]
    return max(feasible_operations, key=lambda operation: (count[operation[0]], -clocks[operation[1]]))


# %% work_remaining_of_machine
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Feed the machine with most listed work, in minutes, and take its shortest operation."""
    table = np.array(feasible_operations)
    work = np.bincount(table[:, 1], weights=table[:, 2])
    value = work[table[:, 1]] - 0.01 * table[:, 2]
    return feasible_operations[int(np.argmax(value))]


# %% bottleneck_machine
def determine_next_operation(current_status, feasible_operations):
    """The bottleneck machine, whose clock plus listed work ends last, gets the operation of its most loaded job."""
    machine_end = list(current_status["machine_status"])
    job_end = list(current_status["job_status"])
    for job, machine, time in feasible_operations:
        machine_end[machine] += time
        job_end[job] += time
    return max(feasible_operations, key=lambda operation: (machine_end[operation[1]], job_end[operation[0]]))


# %% work_remaining_of_job
def determine_next_operation(current_status, feasible_operations):
    """The job with most listed work, on its earliest machine."""
    work = {}
    for job, machine, time in feasible_operations:
        work[job] = work.get(job, 0) + time
    ready = current_status["machine_status"]
    best = feasible_operations[0]
    for operation in feasible_operations:
        left, right = work[operation[0]], work[best[0]]
        if left > right or (left == right and ready[operation[1]] < ready[best[1]]):
            best = operation
    return best


# %% earliest_machine_loaded_job
def determine_next_operation(current_status, feasible_operations):
    """The machine that is free first takes the job with most work still listed."""
    work = [0] * len(current_status["job_status"])
    for job, _, time in feasible_operations:
        work[job] += time
    clocks = current_status["machine_status"]
    return min(feasible_operations, key=lambda operation: (clocks[operation[1]], -work[operation[0]]))


# %% balanced_clocks
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Keep the job clocks together: prefer the operation after which their variance is smallest."""
    clocks = np.array(current_status["job_status"], dtype=float)
    table = np.array(feasible_operations, dtype=int)
    old = clocks[table[:, 0]]
    new = old + table[:, 2]
    size = len(clocks)
    mean = (clocks.sum() - old + new) / size
    variance = ((clocks**2).sum() - old**2 + new**2) / size - mean**2
    return feasible_operations[int(variance.argmin())]


# %% least_makespan_growth
def determine_next_operation(current_status, feasible_operations):
    """Raise the latest clock as little as possible, and of the operations that do not raise it take the longest."""
    machine_free = current_status["machine_status"]
    latest = max(machine_free)

    def growth(operation):
        finish = machine_free[operation[1]] + operation[2]
        return (max(0, finish - latest), -operation[2])

    return min(feasible_operations, key=growth)


# %% clock_plus_time_blend
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Early machine clock, early job clock and a long operation, weighed against each other."""
    table = np.asarray(feasible_operations)
    machine_clock = np.asarray(current_status["machine_status"])[table[:, 1]]
    job_clock = np.asarray(current_status["job_status"])[table[:, 0]]
    score = machine_clock + 0.5 * job_clock - 0.8 * table[:, 2]
    return feasible_operations[score.argmin()]


# %% tail_bound
def determine_next_operation(current_status, feasible_operations):
    """Minimise the larger of two ends: the start plus the listed work of the machine, and plus that of the job."""
    machine_work, job_work = {}, {}
    for job, machine, time in feasible_operations:
        machine_work[machine] = machine_work.get(machine, 0) + time
        job_work[job] = job_work.get(job, 0) + time
    best, best_bound = feasible_operations[0], float("inf")
    for job, machine, time in feasible_operations:
        start = max(current_status["machine_status"][machine], current_status["job_status"][job])
        bound = max(start + machine_work[machine], start + job_work[job])
        if bound < best_bound:
            best, best_bound = (job, machine, time), bound
    return best


# %% share_of_job_work
def determine_next_operation(current_status, feasible_operations):
    """The operation that makes up the largest share of what its job has listed, on an early machine."""
    total = {}
    for job, _, time in feasible_operations:
        total[job] = total.get(job, 0) + time
    latest = max(current_status["machine_status"]) + 1
    best, best_value = feasible_operations[0], -1.0
    for job, machine, time in feasible_operations:
        earliness = 1.0 - current_status["machine_status"][machine] / latest
        value = time / max(total[job], 1) * (0.1 + earliness)
        if value > best_value:
            best, best_value = (job, machine, time), value
    return best


# %% rank_sum
import numpy as np


def places(values):
    order = np.argsort(values, kind="stable")
    result = np.empty(len(values))
    result[order] = np.arange(len(values))
    return result


def determine_next_operation(current_status, feasible_operations):
    """Rank by machine clock, by job clock and by length, and take the lowest sum of ranks."""
    jobs, machines, times = np.array(feasible_operations).T
    by_machine = places(np.array(current_status["machine_status"])[machines])
    by_job = places(np.array(current_status["job_status"])[jobs])
    by_time = places(-times)
    return feasible_operations[int(np.argmin(2 * by_machine + by_job + 0.5 * by_time))]


# %% round_robin_machines
def determine_next_operation(current_status, feasible_operations):
    """Let a pointer, derived from the sum of all clocks, go around the machines and serve the next one with work."""
    machines = len(current_status["machine_status"])
    pointer = sum(current_status["machine_status"]) % machines
    return min(feasible_operations, key=lambda operation: ((operation[1] - pointer) % machines, operation[2]))


# %% keep_jobs_available
def determine_next_operation(current_status, feasible_operations):
    """Block others as little as possible: prefer jobs that few other early machines are waiting for."""
    machine_free = current_status["machine_status"]
    waiting = {}
    for job, machine, _ in feasible_operations:
        waiting[job] = waiting.get(job, 0) + 1
    first = min(machine_free[operation[1]] for operation in feasible_operations)
    best, best_cost = feasible_operations[0], float("inf")
    for job, machine, time in feasible_operations:
        cost = machine_free[machine] - first + 10 * waiting[job] + 0.1 * time
        if cost < best_cost:
            best, best_cost = (job, machine, time), cost
    return best


# %% most_options_job_first
def determine_next_operation(current_status, feasible_operations):
    """On the machine free first, start the job with most listed operations; of equal ones the latest job clock."""
    machine_free = current_status["machine_status"]
    job_free = current_status["job_status"]
    options = {}
    for operation in feasible_operations:
        options[operation[0]] = options.get(operation[0], 0) + 1
    return min(
        feasible_operations,
        key=lambda operation: (machine_free[operation[1]], -options[operation[0]], -job_free[operation[0]]),
    )


# %% next_release_lookahead
def determine_next_operation(current_status, feasible_operations):
    """On the machine free first choose an operation that ends when another machine becomes free for its job."""
    clocks = current_status["machine_status"]
    first = min(clocks[operation[1]] for operation in feasible_operations)
    best, best_key = feasible_operations[0], float("inf")
    for operation in feasible_operations:
        if clocks[operation[1]] == first:
            finish = first + operation[2]
            waits = [clock - finish for clock in clocks if clock >= finish]
            key = min(waits) if waits else 50 + operation[2]
            if key < best_key:
                best, best_key = operation, key
    return best


# %% alternate_long_short
def determine_next_operation(current_status, feasible_operations):
    """Alternate between the longest and the shortest operation by the parity of the number listed."""
    ordered = sorted(feasible_operations, key=lambda operation: operation[2])
    return ordered[-1] if len(ordered) % 2 == 0 else ordered[0]


# %% pairwise_lookahead
def determine_next_operation(current_status, feasible_operations):
    """Imagine each of six early candidates done; prefer the one after which some other operation can start soonest."""
    machine_free = current_status["machine_status"]
    job_free = current_status["job_status"]
    ordered = sorted(feasible_operations, key=lambda operation: (machine_free[operation[1]], -operation[2]))
    best, best_cost = ordered[0], float("inf")
    for candidate in ordered[:6]:
        job, machine, time = candidate
        finish = max(machine_free[machine], job_free[job]) + time
        cost = float(machine_free[machine])
        follower = float("inf")
        for other in ordered[:25]:
            if other != candidate:
                ready_job = finish if other[0] == job else job_free[other[0]]
                ready_machine = finish if other[1] == machine else machine_free[other[1]]
                follower = min(follower, max(ready_job, ready_machine))
        cost += follower if follower < float("inf") else finish
        if cost < best_cost:
            best, best_cost = candidate, cost
    return best
