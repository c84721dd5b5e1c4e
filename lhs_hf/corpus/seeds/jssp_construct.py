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


# %% middle_of_the_list
def determine_next_operation(current_status, feasible_operations):
    """Take whatever stands in the middle of the list."""
    return feasible_operations[len(feasible_operations) // 2]


# %% median_duration
def determine_next_operation(current_status, feasible_operations):
    """Neither the short nor the long ones: run the operation of median length."""
    by_length = sorted(feasible_operations, key=lambda entry: (entry[2], -entry[1]))
    return by_length[(len(by_length) - 1) // 2]


# %% last_digit_of_duration
def determine_next_operation(current_status, feasible_operations):
    """A lottery by digits: the smallest last digit of the length wins, then the smallest digit sum."""

    def ticket(entry):
        return (entry[2] % 10, sum(int(digit) for digit in str(entry[2])), entry[0])

    return min(feasible_operations, key=ticket)


# %% hashed_identity
def determine_next_operation(current_status, feasible_operations):
    """A fixed shuffle of all operations by a multiplicative hash of job and machine."""
    winner = feasible_operations[0]
    lowest = 1 << 20
    for task in feasible_operations:
        code = (task[0] * 40503 + task[1] * 30011 + 7 * task[2]) % 65521
        if code < lowest:
            lowest = code
            winner = task
    return winner


# %% lottery_by_length
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """A random draw in which a long operation holds more tickets; the seed is the sum of the job clocks."""
    rng = np.random.default_rng(17 + int(sum(current_status["job_status"])))
    tickets = np.array([duration**2 + 1.0 for _, _, duration in feasible_operations])
    return feasible_operations[rng.choice(len(tickets), p=tickets / tickets.sum())]


# %% worn_out_pairs
def determine_next_operation(current_status, feasible_operations):
    """Anti-balancing: the pair of job and machine that together have worked longest works on."""
    ready_j, ready_m = current_status["job_status"], current_status["machine_status"]
    return max(feasible_operations, key=lambda op: (ready_j[op[0]] + ready_m[op[1]], op[0]))


# %% starved_machine
from collections import defaultdict


def determine_next_operation(current_status, feasible_operations):
    """Starve the loaded machines: go to the one with least listed work and take its longest operation."""
    load = defaultdict(int)
    for _, machine, minutes in feasible_operations:
        load[machine] += minutes
    lightest = min(load, key=load.get)
    return max((op for op in feasible_operations if op[1] == lightest), key=lambda op: op[2])


# %% finish_small_jobs
def determine_next_operation(current_status, feasible_operations):
    """Get rid of small jobs: least listed work first, on the machine where the step takes longest."""
    left = dict.fromkeys((op[0] for op in feasible_operations), 0)
    for op in feasible_operations:
        left[op[0]] += op[2]
    return min(feasible_operations, key=lambda op: (left[op[0]], -op[2]))


# %% diagonal_order
def determine_next_operation(current_status, feasible_operations):
    """Walk along the diagonals of the job by machine table, as in a Latin square."""
    width = len(current_status["machine_status"])
    return min(feasible_operations, key=lambda op: ((op[0] + op[1]) % width, op[0] // width, op[1]))


# %% longest_wait_anywhere
def determine_next_operation(current_status, feasible_operations):
    """The widest gap between the clock of the machine and the clock of the job is closed first."""
    gaps = [current_status["machine_status"][m] - current_status["job_status"][j] for j, m, _ in feasible_operations]
    return feasible_operations[gaps.index(max(gaps))]


# %% fewest_steps_job
from collections import Counter


def determine_next_operation(current_status, feasible_operations):
    """The job with fewest listed steps is pushed through, whatever the machines are doing."""
    steps = Counter(op[0] for op in feasible_operations)
    rarest = min(steps.values())
    pool = [op for op in feasible_operations if steps[op[0]] == rarest]
    return pool[-1] if rarest > 1 else pool[0]


# %% drunken_earliest_machine
import random


def determine_next_operation(current_status, feasible_operations):
    """Mostly a random operation of the machine free first, but one time in eight anything at all."""
    clocks = current_status["machine_status"]
    dice = random.Random(31 * len(feasible_operations) + max(clocks))
    if dice.random() < 0.125:
        return dice.choice(feasible_operations)
    soonest = min(clocks[op[1]] for op in feasible_operations)
    return dice.choice([op for op in feasible_operations if clocks[op[1]] == soonest])


# %% typical_length_on_machine
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """The operation whose length is most typical of its machine goes, extremes stay for later."""
    data = np.array(feasible_operations)
    column, minutes = data[:, 1], data[:, 2]
    count = np.bincount(column)[column]
    average = np.bincount(column, weights=minutes)[column] / np.maximum(count, 1)
    return feasible_operations[int(np.argmin(np.abs(minutes - average)))]


# %% time_buckets
def determine_next_operation(current_status, feasible_operations):
    """Coarse machine clocks: the earliest hundred-minute bucket, and the longest operation inside it."""
    machine_at = current_status["machine_status"]
    return min(feasible_operations, key=lambda op: (machine_at[op[1]] // 100, -op[2], op[1]))


# %% spread_switch
def determine_next_operation(current_status, feasible_operations):
    """While the machines are level run the longest operation, once they drift apart feed the one behind."""
    clocks = current_status["machine_status"]
    present = [clocks[op[1]] for op in feasible_operations]
    if max(present) - min(present) > 90:
        behind = present.index(min(present))
        return feasible_operations[behind]
    return max(feasible_operations, key=lambda op: op[2])


# %% critical_ratio
def determine_next_operation(current_status, feasible_operations):
    """Critical ratio: time left until the common horizon, divided by the work the job still has listed."""
    work = {}
    for job, machine, minutes in feasible_operations:
        work[job] = work.get(job, 0) + minutes
    ready = current_status["job_status"]
    horizon = max(ready[job] + amount for job, amount in work.items()) + 1
    best, lowest = feasible_operations[0], float("inf")
    for op in feasible_operations:
        ratio = (horizon - ready[op[0]]) / max(1, work[op[0]])
        ratio += 0.01 * current_status["machine_status"][op[1]]
        if ratio < lowest:
            best, lowest = op, ratio
    return best


# %% regret_of_machine
def determine_next_operation(current_status, feasible_operations):
    """Regret: the machine whose longest operation stands out most from its second longest runs that one."""
    lengths = {}
    for op in feasible_operations:
        lengths.setdefault(op[1], []).append(op)
    best, regret = feasible_operations[0], -1
    for queue in lengths.values():
        queue.sort(key=lambda op: op[2], reverse=True)
        gap = queue[0][2] - queue[1][2] if len(queue) > 1 else queue[0][2]
        if gap > regret:
            best, regret = queue[0], gap
    return best


# %% regret_of_job
def determine_next_operation(current_status, feasible_operations):
    """Regret of a job: how much later it would start on its second machine; the largest loss wins."""
    clocks = current_status["machine_status"]
    starts = {}
    for job, machine, _ in feasible_operations:
        starts.setdefault(job, []).append(clocks[machine])
    loss = {}
    for job, times in starts.items():
        times.sort()
        loss[job] = times[1] - times[0] if len(times) > 1 else 1000
    return min(feasible_operations, key=lambda op: (clocks[op[1]], -loss[op[0]], -op[2]))


# %% vogel_penalty
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Vogel's penalty: by how much a job's second earliest end exceeds its earliest, minus the end."""
    rows, columns, minutes = np.array(feasible_operations).T
    ends = np.full((len(current_status["job_status"]), len(current_status["machine_status"]) + 1), 9e4)
    ends[rows, columns] = np.array(current_status["machine_status"])[columns] + minutes
    two_columns = np.sort(ends, axis=1)[:, :2]
    row_penalty = np.minimum(two_columns[:, 1] - two_columns[:, 0], 100.0)
    value = 0.3 * row_penalty[rows] - ends[rows, columns]
    return feasible_operations[int(np.argmax(value))]


# %% scarce_pair
from collections import Counter


def determine_next_operation(current_status, feasible_operations):
    """Scarcity on both sides: few listed machines for the job times few listed jobs for the machine."""
    of_job = Counter(j for j, _, _ in feasible_operations)
    of_machine = Counter(m for _, m, _ in feasible_operations)
    return min(feasible_operations, key=lambda op: (of_machine[op[1]] * of_job[op[0]], -op[2]))


# %% apparent_tardiness
import math


def determine_next_operation(current_status, feasible_operations):
    """Apparent tardiness cost turned around: length times an exponential discount of the slack of its job."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    now = min([machine_at[machine] for _, machine, _ in feasible_operations])
    remaining = [0] * len(job_at)
    for job, _, length in feasible_operations:
        remaining[job] += length
    due = max(map(sum, zip(job_at, remaining)))
    near = [op for op in feasible_operations if machine_at[op[1]] < now + 25]

    def index(op):
        wait = machine_at[op[1]] - now
        slack = due - job_at[op[0]] - remaining[op[0]]
        return op[2] * math.exp(-slack / 120.0 - wait / 4.0)

    return max(near, key=index)


# %% longest_among_laggards
import heapq


def determine_next_operation(current_status, feasible_operations):
    """The half of the machines that lags behind competes: start the longest operation it has."""
    clocks = current_status["machine_status"]
    listed = sorted({op[1] for op in feasible_operations})
    laggards = heapq.nsmallest((len(listed) + 1) // 2, listed, key=lambda machine: clocks[machine])
    contest = [op for op in feasible_operations if op[1] in laggards]
    return max(contest, key=lambda op: (op[2], -clocks[op[1]]))


# %% next_queue_work
def determine_next_operation(current_status, feasible_operations):
    """Send the job where it is wanted: least listed work on the other machines the job has still to visit."""
    queue, visits = {}, {}
    for job, machine, length in feasible_operations:
        queue[machine] = queue.get(machine, 0) + length
        visits.setdefault(job, []).append(machine)
    towards = {job: sum(queue[m] for m in route) for job, route in visits.items()}
    machine_at = current_status["machine_status"]
    return min(feasible_operations, key=lambda op: (machine_at[op[1]], towards[op[0]] - queue[op[1]]))


# %% residual_of_table
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Double centring: length beyond what the averages of job and machine explain, on early machines."""
    array = np.array(feasible_operations, dtype=float)
    jobs, machines = array[:, 0].astype(int), array[:, 1].astype(int)
    length = array[:, 2]
    job_mean = np.bincount(jobs, weights=length)[jobs] / np.bincount(jobs)[jobs]
    machine_mean = np.bincount(machines, weights=length)[machines] / np.bincount(machines)[machines]
    surprise = length - job_mean - machine_mean + length.mean()
    late = np.array(current_status["machine_status"])[machines]
    return feasible_operations[int(np.argmax(surprise - 2.0 * late))]


# %% squared_ends_potential
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """A potential: the sum of squared machine clocks should grow least for every minute of work."""
    clocks = np.array(current_status["machine_status"], dtype=float)
    table = np.array(feasible_operations)
    before = clocks[table[:, 1]]
    growth = (before + table[:, 2]) ** 2 - before**2
    per_minute = growth / np.maximum(table[:, 2], 1)
    ready = np.array(current_status["job_status"])[table[:, 0]]
    return feasible_operations[int(np.argmin(per_minute + 0.2 * ready))]


# %% work_elsewhere
def determine_next_operation(current_status, feasible_operations):
    """On the machine free first, the job with most listed work on machines that are free later."""
    machine_at = current_status["machine_status"]
    soonest = min([machine_at[op[1]] for op in feasible_operations])
    elsewhere = [0] * len(current_status["job_status"])
    for job, machine, length in feasible_operations:
        if machine_at[machine] > soonest:
            elsewhere[job] += length
    candidates = [op for op in feasible_operations if machine_at[op[1]] == soonest]
    return max(candidates, key=lambda op: (elsewhere[op[0]], op[2]))


# %% progress_shifted_weights
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Weights move with progress: length counts early, the remaining work of the job counts late."""
    table = np.array(feasible_operations)
    job, machine, length = table[:, 0], table[:, 1], table[:, 2]
    cells = len(current_status["job_status"]) * len(current_status["machine_status"])
    progress = 1.0 - len(table) / max(1, cells)
    work = np.bincount(job, weights=length)[job]
    clock = np.array(current_status["machine_status"])[machine]
    score = clock * 3.0 - (1.0 - progress) * length - progress * work
    return feasible_operations[int(np.argmin(score))]


# %% rollout_of_longest_jobs
def determine_next_operation(current_status, feasible_operations):
    """Try the four most loaded jobs on the machine free first and play three greedy steps after each."""
    clocks, ready = current_status["machine_status"], current_status["job_status"]
    soonest = min([clocks[op[1]] for op in feasible_operations])
    work = [0] * len(ready)
    for op in feasible_operations:
        work[op[0]] += op[2]
    pool = sorted((op for op in feasible_operations if clocks[op[1]] == soonest), key=lambda op: -work[op[0]])
    others = sorted(feasible_operations[::7] + pool[:6], key=lambda op: (clocks[op[1]], -work[op[0]]))[:14]
    best, best_idle = pool[0], float("inf")
    for candidate in pool[:4]:
        job_at = {candidate[0]: soonest + candidate[2]}
        machine_at = {candidate[1]: soonest + candidate[2]}
        idle = -0.05 * work[candidate[0]] + 0.2 * candidate[2]
        for _ in range(3):
            start, gap, follower = 10**9, 0, candidate
            for op in others:
                free = machine_at.get(op[1], clocks[op[1]])
                begin = max(free, job_at.get(op[0], ready[op[0]]))
                if begin < start and op[0] not in job_at:
                    start, gap, follower = begin, begin - free, op
            idle += gap if start < 10**9 else 20
            job_at[follower[0]] = machine_at[follower[1]] = start + follower[2]
        if idle < best_idle:
            best, best_idle = candidate, idle
    return best


# %% pair_of_next_machines
def determine_next_operation(current_status, feasible_operations):
    """Look at the two machines free first together and give both a loaded job, never the same one."""
    clocks = current_status["machine_status"]
    total = dict.fromkeys([op[0] for op in feasible_operations], 0)
    for op in feasible_operations:
        total[op[0]] += op[2]
    order = sorted({(clocks[op[1]], op[1]) for op in feasible_operations})
    here = [op for op in feasible_operations if op[1] == order[0][1]]
    here.sort(key=lambda op: total[op[0]] + op[2], reverse=True)
    if len(order) == 1:
        return here[0]
    there = [op for op in feasible_operations if op[1] == order[1][1]]
    there.sort(key=lambda op: total[op[0]] + op[2], reverse=True)
    best, gain = here[0], -1
    for first in here[:5]:
        for second in there[:3]:
            value = total[first[0]] + 2 * first[2] + (total[second[0]] + second[2]) * (first[0] != second[0])
            if value > gain:
                best, gain = first, value
    return best


# %% spare_scarce_helpers
def determine_next_operation(current_status, feasible_operations):
    """Opportunity cost: a job that machines with short queues count on is not taken away from them."""
    machine_at = current_status["machine_status"]
    queue = [0] * len(machine_at)
    for _, machine, _ in feasible_operations:
        queue[machine] += 1
    needed = {}
    for job, machine, _ in feasible_operations:
        needed[job] = needed.get(job, 0.0) + 1.0 / queue[machine]
    now = min([machine_at[machine] for _, machine, _ in feasible_operations])
    pool = [op for op in feasible_operations if machine_at[op[1]] == now]
    return min(pool, key=lambda op: 20 * needed[op[0]] - op[2])


# %% bottleneck_within_window
def determine_next_operation(current_status, feasible_operations):
    """Machines free within ten minutes are equal: that with the latest estimated end gets its longest job."""
    machine_at = current_status["machine_status"]
    work_m = [0] * len(machine_at)
    work_j = [0] * len(current_status["job_status"])
    now = min([machine_at[op[1]] for op in feasible_operations])
    for job, machine, length in feasible_operations:
        work_m[machine] += length
        work_j[job] += length
    window = [op for op in feasible_operations if machine_at[op[1]] <= now + 10]
    return max(window, key=lambda op: (machine_at[op[1]] + work_m[op[1]], work_j[op[0]] + op[2]))


# %% standard_scores
import numpy as np


def standardise(values):
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros(len(values))


def determine_next_operation(current_status, feasible_operations):
    """Standard scores of four features, added with the machine clock dominating."""
    job, machine, length = np.array(feasible_operations, dtype=np.int64).T
    clock = standardise(np.array(current_status["machine_status"], dtype=float)[machine])
    ready = standardise(np.array(current_status["job_status"], dtype=float)[job])
    work = standardise(np.bincount(job, weights=length)[job])
    score = 4.0 * clock + 0.5 * ready - 1.5 * work - 0.3 * standardise(length.astype(float))
    return feasible_operations[int(score.argmin())]


# %% borda_on_earliest_machine
def determine_next_operation(current_status, feasible_operations):
    """An election on the machine free first: Borda points by job work, by length and by idle time."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    work = {}
    for job, _, length in feasible_operations:
        work[job] = work.get(job, 0) + length
    voters = (lambda op: work[op[0]], lambda op: op[2], lambda op: -job_at[op[0]])
    voices = (3, 1, 1)
    pool = [op for op in feasible_operations if machine_at[op[1]] == now]
    points = dict.fromkeys(pool, 0)
    for voice, voter in zip(voices, voters):
        for place, op in enumerate(sorted(pool, key=voter)):
            points[op] += voice * place
    return max(pool, key=lambda op: points[op])


# %% two_round_knockout
def determine_next_operation(current_status, feasible_operations):
    """Two rounds: the upper half by listed job work survives, of these the longest operation is started."""
    clocks = current_status["machine_status"]
    soonest = min([clocks[op[1]] for op in feasible_operations])
    pool, work = [], {}
    for op in feasible_operations:
        work[op[0]] = work.get(op[0], 0) + op[2]
        if clocks[op[1]] == soonest:
            pool.append(op)
    pool.sort(key=lambda op: work[op[0]], reverse=True)
    return max(pool[: (len(pool) + 1) // 2], key=lambda op: op[2])


# %% ends_at_a_quiet_moment
def determine_next_operation(current_status, feasible_operations):
    """Spread the ends out: the new end should be far from the ends already fixed on the other machines."""
    machine_at = current_status["machine_status"]
    now = min([machine_at[machine] for _, machine, _ in feasible_operations])
    pool = [op for op in feasible_operations if machine_at[op[1]] == now]
    later = [clock for clock in machine_at if clock > now]

    def distance(op):
        end = now + op[2]
        return min([abs(end - clock) for clock in later], default=op[2])

    return max(pool, key=lambda op: (min(distance(op), 8), op[2]))


# %% slack_of_job_against_machine
def determine_next_operation(current_status, feasible_operations):
    """Smallest excess of the machine's estimated end over the job's, on early machines."""
    end_m = list(current_status["machine_status"])
    end_j = list(current_status["job_status"])
    for job, machine, length in feasible_operations:
        end_m[machine] += length
        end_j[job] += length
    clocks = current_status["machine_status"]
    best, smallest = feasible_operations[0], None
    for op in feasible_operations:
        excess = 12 * clocks[op[1]] + end_m[op[1]] - end_j[op[0]]
        if smallest is None or excess < smallest:
            best, smallest = op, excess
    return best


# %% exponential_potential
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """A potential of job ends: a minute of delay of a job costs exponentially in its estimated end."""
    table = np.array(feasible_operations)
    job, length = table[:, 0], table[:, 2]
    clock = np.array(current_status["machine_status"], dtype=float)[table[:, 1]]
    ends = np.array(current_status["job_status"]) + np.bincount(
        job, weights=length, minlength=len(current_status["job_status"])
    )
    pressure = np.exp((ends - ends.max()) / 250.0)[job]
    return feasible_operations[int(np.argmax(pressure * length - 9.0 * (clock - clock.min())))]


# %% tournament_of_samples
import random


def determine_next_operation(current_status, feasible_operations):
    """The power of few choices: draw seven early operations, keep that of the most loaded job."""
    clocks = current_status["machine_status"]
    dice = random.Random(len(feasible_operations) * 1009 + sum(clocks))
    early = min([clocks[op[1]] for op in feasible_operations])
    entrants = [op for op in feasible_operations if clocks[op[1]] <= early + 3]
    if len(entrants) > 7:
        entrants = dice.sample(entrants, 7)
    names = {op[0] for op in entrants}
    load = dict.fromkeys(names, 0)
    for job, _, length in feasible_operations:
        if job in names:
            load[job] += length
    return max(entrants, key=lambda op: (load[op[0]], op[2]))


# %% quantile_alarm
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Jobs above the ninetieth percentile of estimated ends go at once; otherwise short operations go."""
    rows = np.array(feasible_operations)
    clock = np.array(current_status["machine_status"])[rows[:, 1]]
    work = np.bincount(rows[:, 0], weights=rows[:, 2], minlength=len(current_status["job_status"]))
    ends = np.sort(work + np.array(current_status["job_status"]))
    alarm = ends[int(0.9 * (len(ends) - 1))]
    front = np.flatnonzero(clock == clock.min())
    jobs = rows[front, 0]
    urgent = front[work[jobs] + np.array(current_status["job_status"])[jobs] >= alarm]
    if len(urgent):
        return feasible_operations[urgent[np.argmax(rows[urgent, 2])]]
    return feasible_operations[front[np.argmin(rows[front, 2])]]


# %% geometric_blend
import math


def determine_next_operation(current_status, feasible_operations):
    """A product of powers: job work, operation length and the age of the job, on the machine free first."""
    ready = current_status["job_status"]
    now = min([current_status["machine_status"][op[1]] for op in feasible_operations])
    work = [1] * len(ready)
    for op in feasible_operations:
        work[op[0]] += op[2]

    def merit(op):
        if current_status["machine_status"][op[1]] > now:
            return -1.0
        age = now - ready[op[0]]
        return work[op[0]] ** 1.5 * math.sqrt(op[2]) * math.log(age + 20.0)

    return max(feasible_operations, key=merit)


# %% step_count_then_slack
def determine_next_operation(current_status, feasible_operations):
    """Most listed steps, in pairs, then the least slack to the latest estimated job end."""
    job_at, machine_at = current_status["job_status"], current_status["machine_status"]
    steps = [0] * len(job_at)
    end = list(job_at)
    for job, _, length in feasible_operations:
        steps[job] += 1
        end[job] += length
    return max(
        feasible_operations,
        key=lambda op: (-machine_at[op[1]], steps[op[0]] // 2, end[op[0]], -op[2]),
    )


# %% clock_density
def determine_next_operation(current_status, feasible_operations):
    """Density: listed work of the job per minute that remains from its machine's clock to the last end."""
    work_j, end_m = {}, list(current_status["machine_status"])
    for j, m, p in feasible_operations:
        work_j[j] = work_j.get(j, 0) + p
        end_m[m] += p
    horizon = max(end_m)
    clock = current_status["machine_status"]
    early = min([clock[op[1]] for op in feasible_operations])
    best, density = feasible_operations[0], -1.0
    for op in feasible_operations:
        behind = clock[op[1]] - early
        if behind < 40:
            here = work_j[op[0]] / (horizon - clock[op[1]] + 60) / (1.0 + 0.05 * behind) + 0.004 * op[2]
            if here > density:
                best, density = op, here
    return best


# %% machines_soon_without_jobs
def determine_next_operation(current_status, feasible_operations):
    """Punish an operation for every machine that its job could serve and that becomes free meanwhile."""
    machine_at = current_status["machine_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    calls = {}
    for job, machine, length in feasible_operations:
        calls.setdefault(job, []).append(machine_at[machine])
    best, cost = feasible_operations[0], float("inf")
    for op in feasible_operations:
        if machine_at[op[1]] == now:
            missed = sum([1 for clock in calls[op[0]] if now < clock < now + op[2]])
            total = 25 * missed - op[2]
            if total < cost:
                best, cost = op, total
    return best


# %% three_phases
def determine_next_operation(current_status, feasible_operations):
    """Three phases on the machine free first: long operations, then loaded jobs, then many steps."""
    clocks = current_status["machine_status"]
    early = min([clocks[op[1]] for op in feasible_operations])
    front = [op for op in feasible_operations if clocks[op[1]] == early]
    share = len(feasible_operations) / (len(clocks) * len(current_status["job_status"]))
    if share > 0.6:
        return max(front, key=lambda op: op[2])
    names = {op[0] for op in front}
    minutes, steps = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for job, _, length in feasible_operations:
        if job in names:
            minutes[job] += length
            steps[job] += 1
    if share > 0.25:
        return max(front, key=lambda op: minutes[op[0]])
    return max(front, key=lambda op: (steps[op[0]], -op[2]))


# %% largest_single_step_left
def determine_next_operation(current_status, feasible_operations):
    """Jobs that still have one very long step are touched first, with a short operation."""
    machine_at = current_status["machine_status"]
    peak = {}
    for job, _, length in feasible_operations:
        peak[job] = max(peak.get(job, 0), length)
    return min(feasible_operations, key=lambda op: (machine_at[op[1]], op[2] - 2 * peak[op[0]]))


# %% even_use_of_jobs
import statistics


def determine_next_operation(current_status, feasible_operations):
    """Even progress: the job that lags most behind the median clock, corrected by its remaining work."""
    job_at, machine_at = current_status["job_status"], current_status["machine_status"]
    middle = statistics.median(job_at)
    todo = {}
    for op in feasible_operations:
        todo[op[0]] = todo.get(op[0], 0) + op[2]

    def lag(op):
        return middle - job_at[op[0]] + 0.5 * todo[op[0]] + 0.3 * op[2]

    return min(feasible_operations, key=lambda op: (machine_at[op[1]], -lag(op)))


# %% pareto_front
def determine_next_operation(current_status, feasible_operations):
    """Of the operations of early machines that none beats in job work and in length, the idlest job goes."""
    clocks, job_at = current_status["machine_status"], current_status["job_status"]
    work = {}
    start = min([clocks[op[1]] for op in feasible_operations])
    for job, _, length in feasible_operations:
        work[job] = work.get(job, 0) + length
    early = [op for op in feasible_operations if clocks[op[1]] <= start + 3]
    early.sort(key=lambda op: (-work[op[0]], -op[2]))
    front, longest = [], -1
    for op in early:
        if op[2] > longest:
            front.append(op)
            longest = op[2]
    return min(front, key=lambda op: (job_at[op[0]], -op[2]))


# %% veto_of_the_bottleneck
def determine_next_operation(current_status, feasible_operations):
    """The machine with the latest estimated end has a veto on the longest jobs it still needs."""
    machine_at = current_status["machine_status"]
    end = list(machine_at)
    for _, machine, length in feasible_operations:
        end[machine] += length
    critical = end.index(max(end))
    reserved = [op for op in feasible_operations if op[1] == critical]
    reserved.sort(key=lambda op: op[2])
    blocked = {op[0] for op in reserved[-3:]}
    now = min([machine_at[op[1]] for op in feasible_operations])
    pool = [op for op in feasible_operations if machine_at[op[1]] == now]
    allowed = [op for op in pool if op[1] == critical or op[0] not in blocked] or pool
    return max(allowed, key=lambda op: op[2])


# %% least_flexible_then_most_loaded
def determine_next_operation(current_status, feasible_operations):
    """Use a job here that only late machines want otherwise, and save the jobs of soon free machines."""
    machine_at = current_status["machine_status"]
    now = min([machine_at[m] for _, m, _ in feasible_operations])
    closest, load = {}, {}
    for job, machine, length in feasible_operations:
        load[job] = load.get(job, 0) + length
        if machine_at[machine] > now:
            closest[job] = min(closest.get(job, 400), machine_at[machine] - now)
    front = [op for op in feasible_operations if machine_at[op[1]] == now]
    return max(front, key=lambda op: 0.5 * load[op[0]] + 3 * min(closest.get(op[0], 0), 60) - op[2])


# %% second_machine_ready
def determine_next_operation(current_status, feasible_operations):
    """Chain: start what ends just when some other machine that this job still needs becomes free."""
    machine_at = current_status["machine_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    wanted = {}
    for job, machine, _ in feasible_operations:
        wanted.setdefault(job, []).append(machine)

    def misfit(op):
        end = now + op[2]
        gaps = [abs(machine_at[other] - end) for other in wanted[op[0]] if other != op[1]]
        return min(gaps) - 15 * len(gaps) if gaps else 30

    return min([op for op in feasible_operations if machine_at[op[1]] == now], key=misfit)


# %% bound_after_each_candidate
def determine_next_operation(current_status, feasible_operations):
    """Recompute the bound: the two latest estimated ends of the jobs that wait for the candidate."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    now = min([machine_at[m] for _, m, _ in feasible_operations])
    left = [0] * len(job_at)
    for job, _, length in feasible_operations:
        left[job] += length
    pool = [op for op in feasible_operations if machine_at[op[1]] <= now + 4]
    ranked = sorted({op[0] for op in pool}, key=lambda j: max(job_at[j], now) + left[j], reverse=True)
    best, bound = pool[0], float("inf")
    for op in pool:
        finish = machine_at[op[1]] + op[2]
        waiting = [max(job_at[j], finish) + left[j] for j in ranked[:3] if j != op[0]]
        value = sum(waiting[:2]) + 5 * (machine_at[op[1]] - now)
        if value < bound:
            best, bound = op, value
    return best


# %% condorcet_duels
def determine_next_operation(current_status, feasible_operations):
    """A chain of duels: the challenger wins if it is better in at least two of three respects."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    load = [0] * len(job_at)
    for job, _, length in feasible_operations:
        load[job] += length
    champion = None
    for op in feasible_operations:
        if machine_at[op[1]] == now:
            if champion is None:
                champion = op
            else:
                wins = (load[op[0]] > load[champion[0]]) + (op[2] > champion[2])
                wins += job_at[op[0]] < job_at[champion[0]]
                champion = op if wins >= 2 else champion
    return champion


# %% ideal_point
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Distance to an ideal operation: earliest machine, idlest job, longest length, most loaded job."""
    arr = np.array(feasible_operations)
    features = np.stack(
        [
            np.array(current_status["machine_status"])[arr[:, 1]],
            np.array(current_status["job_status"])[arr[:, 0]],
            -arr[:, 2],
            -np.bincount(arr[:, 0], weights=arr[:, 2])[arr[:, 0]],
        ]
    )
    low = features.min(axis=1, keepdims=True)
    width = np.maximum(features.max(axis=1, keepdims=True) - low, 1e-9)
    weights = np.array([9.0, 1.0, 0.5, 2.5])
    return feasible_operations[int(np.argmin(weights @ ((features - low) / width) ** 2))]


# %% discounted_machine_clock
def determine_next_operation(current_status, feasible_operations):
    """The clock of a machine less a sixteenth of its listed work decides; the most loaded job goes there."""
    clock = current_status["machine_status"]
    centre = [2 * value for value in clock]
    work = {}
    for job, machine, length in feasible_operations:
        centre[machine] -= length // 8
        work[job] = work.get(job, 0) + length
    return min(feasible_operations, key=lambda op: (centre[op[1]], -work[op[0]] - op[2]))


# %% fair_share_of_clock
def determine_next_operation(current_status, feasible_operations):
    """Fairness: the job with the smallest share of the elapsed time for each of its open steps."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    open_steps = [0] * len(job_at)
    for op in feasible_operations:
        open_steps[op[0]] += 1
    now = min([machine_at[op[1]] for op in feasible_operations])

    def share(op):
        return (job_at[op[0]] + 10.0) / (now + 10.0) / open_steps[op[0]]

    return min([op for op in feasible_operations if machine_at[op[1]] == now], key=share)


# %% average_step_left
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Jobs with long average steps are awkward to place late, so they go first on the machine free first."""
    jobs, machines, minutes = np.array(feasible_operations).T
    clocks = np.array(current_status["machine_status"])[machines]
    average = np.bincount(jobs, weights=minutes) / np.maximum(np.bincount(jobs), 1)
    front = np.flatnonzero(clocks == clocks.min())
    return feasible_operations[front[np.argmax(average[jobs[front]])]]


# %% best_of_three_rules
def determine_next_operation(current_status, feasible_operations):
    """Three rules nominate an operation each; the one with the most typical remaining tail is taken."""
    machine_at = current_status["machine_status"]
    tail = {}
    for job, _, length in feasible_operations:
        tail[job] = tail.get(job, 0) + length
    typical = sum(tail.values()) / len(tail)
    nominees = [
        min(feasible_operations, key=lambda op: (machine_at[op[1]], op[2])),
        min(feasible_operations, key=lambda op: (machine_at[op[1]], -op[2])),
        min(feasible_operations, key=lambda op: (machine_at[op[1]], -tail[op[0]])),
    ]
    return min(nominees, key=lambda op: machine_at[op[1]] + abs(tail[op[0]] - op[2] - typical))


# %% linear_four_terms
def determine_next_operation(current_status, feasible_operations):
    """A linear score: early machine, short operation, a job that has waited long and has much work listed."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    load = [0] * len(job_at)
    for job, _, length in feasible_operations:
        load[job] += length
    scores = [
        6 * machine_at[machine] + length - (machine_at[machine] - job_at[job]) - 2 * load[job]
        for job, machine, length in feasible_operations
    ]
    return feasible_operations[min(range(len(scores)), key=scores.__getitem__)]


# %% highest_ids_first
def determine_next_operation(current_status, feasible_operations):
    """Order by names only: the highest machine number, then the highest job number that is even, then odd."""
    return max(feasible_operations, key=lambda op: (op[1], op[0] % 2 == 0, op[0]))


# %% level_the_jobs_by_share
def determine_next_operation(current_status, feasible_operations):
    """The job with the smallest share of its work done, in sixths, goes to its earliest machine."""
    job_at = current_status["job_status"]
    todo = {}
    for job, _, length in feasible_operations:
        todo[job] = todo.get(job, 0) + length
    machine_at = current_status["machine_status"]
    return min(
        feasible_operations,
        key=lambda op: (
            round(6 * job_at[op[0]] / (job_at[op[0]] + todo[op[0]] + 1)),
            machine_at[op[1]],
            op[2],
        ),
    )


# %% entropy_of_choice
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Jobs whose listed work is spread most evenly over machines, in the sense of entropy, go first."""
    array = np.array(feasible_operations)
    job, length = array[:, 0], array[:, 2].astype(float)
    share = length / np.maximum(np.bincount(job, weights=length)[job], 1.0)
    entropy = np.bincount(job, weights=-share * np.log(np.maximum(share, 1e-9)))[job]
    clock = np.array(current_status["machine_status"], dtype=float)[array[:, 1]]
    return feasible_operations[int(np.lexsort((-length, np.round(-entropy, 1), clock))[0])]


# %% smooth_random_keys
import random


def determine_next_operation(current_status, feasible_operations):
    """Every job has a fixed random bonus, worth up to forty minutes of length, on the machine free first."""
    machine_at = current_status["machine_status"]
    soonest = min([machine_at[op[1]] for op in feasible_operations])
    generator = random.Random(7 * len(current_status["job_status"]))
    bonus = [40 * generator.random() for _ in current_status["job_status"]]
    front = [op for op in feasible_operations if machine_at[op[1]] == soonest]
    return max(front, key=lambda op: op[2] + bonus[op[0]])


# %% shortest_early_longest_last
def determine_next_operation(current_status, feasible_operations):
    """Short operations while the front machine has more than four jobs to choose from, then loaded jobs."""
    machine_at = current_status["machine_status"]
    front_clock = min([machine_at[op[1]] for op in feasible_operations])
    front = [op for op in feasible_operations if machine_at[op[1]] == front_clock]
    if len(front) > 4:
        return min(front, key=lambda op: (op[2], machine_at[op[1]]))
    load = {op[0]: 0 for op in front}
    for op in feasible_operations:
        if op[0] in load:
            load[op[0]] += op[2]
    return max(front, key=lambda op: load[op[0]])


# %% hungriest_follower
def determine_next_operation(current_status, feasible_operations):
    """One step ahead: the next free machines should still find their most loaded jobs unoccupied."""
    machine_at = current_status["machine_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    load, best_of = {}, {}
    for job, machine, length in feasible_operations:
        load[job] = load.get(job, 0) + length
    for op in feasible_operations:
        rival = best_of.get(op[1])
        if rival is None or load[op[0]] > load[rival[0]]:
            best_of[op[1]] = op
    following = sorted((machine for machine in best_of if machine_at[machine] > now), key=lambda m: machine_at[m])
    taken = {}
    for rank, machine in enumerate(following[:4]):
        taken[best_of[machine][0]] = taken.get(best_of[machine][0], 0) + 60 // (rank + 1)
    front = [op for op in feasible_operations if machine_at[op[1]] == now]
    return max(front, key=lambda op: load[op[0]] - taken.get(op[0], 0) - 0.5 * op[2])


# %% logistic_mixture
import math


def determine_next_operation(current_status, feasible_operations):
    """A logistic gate on the fill level blends length, which rules early, with slack, which rules late."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    cells = len(machine_at) * len(job_at)
    gate = 1.0 / (1.0 + math.exp(10.0 * (len(feasible_operations) / max(cells, 1) - 0.4)))
    now = min([machine_at[op[1]] for op in feasible_operations])
    ends = list(job_at)
    front = []
    for op in feasible_operations:
        ends[op[0]] += op[2]
        if machine_at[op[1]] == now:
            front.append(op)
    latest = max(ends)
    return min(front, key=lambda op: gate * (latest - ends[op[0]]) - (1.0 - gate) * op[2])


# %% threatened_machines
def determine_next_operation(current_status, feasible_operations):
    """Leave jobs to machines with critical estimated ends; such claims weigh less for later machines."""
    machine_at = current_status["machine_status"]
    end = list(machine_at)
    for _, machine, length in feasible_operations:
        end[machine] += length
    peak, now = max(end), min([machine_at[op[1]] for op in feasible_operations])
    urgency = [30.0 / (1 + peak - e) + 100.0 / (10 + abs(clock - now)) for e, clock in zip(end, machine_at)]
    claim, load = {}, {}
    for job, machine, length in feasible_operations:
        load[job] = load.get(job, 0) + length
        if machine_at[machine] > now:
            claim[job] = claim.get(job, 0.0) + urgency[machine]
    front = [op for op in feasible_operations if machine_at[op[1]] == now]
    return max(front, key=lambda op: load[op[0]] + op[2] - 4 * claim.get(op[0], 0.0))


# %% shared_front_assignment
def determine_next_operation(current_status, feasible_operations):
    """Several machines free together: the one with fewest candidates takes its most loaded job first."""
    machine_at = current_status["machine_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    near = [op for op in feasible_operations if machine_at[op[1]] <= now + 5]
    size, load = {}, {}
    for op in near:
        size[op[1]] = size.get(op[1], 0) + 1
    for op in feasible_operations:
        load[op[0]] = load.get(op[0], 0) + op[2]
    narrow = min(size, key=lambda machine: (size[machine], machine_at[machine]))
    return max((op for op in near if op[1] == narrow), key=lambda op: (load[op[0]] - op[2], op[2]))


# %% cover_of_the_deficit
import numpy as np


def determine_next_operation(current_status, feasible_operations):
    """Match the deficit: the length that brings the front machine closest to the mean clock is taken."""
    clocks = np.array(current_status["machine_status"], dtype=float)
    table = np.array(feasible_operations)
    listed = np.unique(table[:, 1])
    front = clocks[table[:, 1]] == clocks[listed].min()
    target = max(clocks[listed].mean() - clocks[listed].min(), 30.0)
    gap = np.where(front, np.abs(table[:, 2] - target), np.inf)
    work = np.bincount(table[:, 0], weights=table[:, 2])[table[:, 0]]
    return feasible_operations[int(np.argmin(gap - 0.15 * work))]


# %% tail_ranking_with_ageing
def determine_next_operation(current_status, feasible_operations):
    """Ranks of the remaining work move up for every sixty minutes that a job has stood idle."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    now = min([machine_at[m] for _, m, _ in feasible_operations])
    tail = dict.fromkeys([j for j, _, _ in feasible_operations], 0)
    for j, _, p in feasible_operations:
        tail[j] += p
    rank = {j: position for position, j in enumerate(sorted(tail, key=tail.get))}
    chosen, height = feasible_operations[0], float("-inf")
    for j, m, p in feasible_operations:
        if machine_at[m] == now:
            level = rank[j] + (now - job_at[j]) // 60 - p / 50
            if level > height:
                chosen, height = (j, m, p), level
    return chosen


# %% front_by_square_rest
def determine_next_operation(current_status, feasible_operations):
    """Sum of squares of the remaining steps: a few long steps weigh more than many short ones."""
    clock = current_status["machine_status"]
    square = {}
    for job, machine, length in feasible_operations:
        square[job] = square.get(job, 0) + length * length
    soonest = min([clock[machine] for _, machine, _ in feasible_operations])
    queue = [op for op in feasible_operations if clock[op[1]] == soonest]
    queue.sort(key=lambda op: (square[op[0]] - op[2] ** 2, op[0]))
    return queue[-1]


# %% rolling_pairs_of_lengths
import itertools


def determine_next_operation(current_status, feasible_operations):
    """Of the five most loaded jobs on the front machine, open the ordered pair that fits together best."""
    machine_at, job_at = current_status["machine_status"], current_status["job_status"]
    now = min([machine_at[op[1]] for op in feasible_operations])
    ends = list(job_at)
    for job, _, length in feasible_operations:
        ends[job] += length
    front = [op for op in feasible_operations if machine_at[op[1]] == now]
    front.sort(key=lambda op: ends[op[0]], reverse=True)
    best, cost = front[0], float("inf")
    for first, second in itertools.permutations(front[:5], 2):
        done = now + first[2]
        value = 2 * abs(ends[second[0]] - done) - ends[first[0]] - first[2]
        if first[1] == second[1]:
            value += first[2] + second[2]
        if value < cost:
            best, cost = first, value
    return best
