"""Seed programs for `permutation_flow_shop`: one complete program a cell, named after its idea."""


# %% last_number
def next_job(open_jobs, sequence, ends, times):
    """The job with the highest number."""
    return open_jobs[-1]


# %% random_job
import random


def next_job(open_jobs, sequence, ends, times):
    """Any job, from a generator seeded with the state of the machines."""
    return random.Random(7 * sum(ends) + len(sequence)).choice(open_jobs)


# %% longest_total
def next_job(open_jobs, sequence, ends, times):
    """The job with the most work on all machines together."""
    return max(open_jobs, key=lambda job: sum(times[job]))


# %% shortest_total
def next_job(open_jobs, sequence, ends, times):
    """The job with the least work on all machines together."""
    best = open_jobs[0]
    for job in open_jobs:
        if sum(times[job]) < sum(times[best]):
            best = job
    return best


# %% quick_start
def next_job(open_jobs, sequence, ends, times):
    """The job that occupies the first machine for the shortest time, so that the others can start early."""
    return min(open_jobs, key=lambda job: (times[job][0], -times[job][-1]))


# %% falling_slope
def next_job(open_jobs, sequence, ends, times):
    """Opposite of Palmer: jobs whose times fall from machine to machine come first."""
    machines = len(ends)

    def slope(job):
        return sum((2 * m - machines + 1) * times[job][m] for m in range(machines))

    return min(open_jobs, key=slope)


# %% palmer_slope
def next_job(open_jobs, sequence, ends, times):
    """Palmer's slope index: jobs whose times rise from the first machine to the last come first."""
    machines = len(ends)
    best, best_slope = None, None
    for job in open_jobs:
        slope = 0
        for m in range(machines):
            slope += (2 * m - machines + 1) * times[job][m]
        if best is None or slope > best_slope:
            best, best_slope = job, slope
    return best


# %% johnson_halves
def next_job(open_jobs, sequence, ends, times):
    """Johnson's rule on two virtual machines: the first half of the machines and the second half."""
    half = (len(ends) + 1) // 2
    front, back = [], []
    for job in open_jobs:
        a, b = sum(times[job][:half]), sum(times[job][-half:])
        if a <= b:
            front.append((a, job))
        else:
            back.append((-b, job))
    return min(front)[1] if front else min(back)[1]


# %% gupta_index
def next_job(open_jobs, sequence, ends, times):
    """Gupta's index: the smallest sum of two neighbouring times, its sign from comparing first and last machine."""

    def index(job):
        row = times[job]
        sign = 1 if row[0] >= row[-1] else -1
        return sign / min(row[m] + row[m + 1] for m in range(len(row) - 1))

    return min(open_jobs, key=index)


# %% earliest_end
def next_job(open_jobs, sequence, ends, times):
    """The job that leaves the last machine first if it is next."""
    best, best_end = open_jobs[0], float("inf")
    for job in open_jobs:
        done = 0
        for end, time in zip(ends, times[job]):
            done = max(done, end) + time
        if done < best_end:
            best, best_end = job, done
    return best


# %% least_idle
def next_job(open_jobs, sequence, ends, times):
    """The job that makes the machines stand idle for the shortest time in total; the longer one on ties."""

    def idle(job):
        done, total = 0, 0
        for end, time in zip(ends, times[job]):
            total += max(0, done - end)
            done = max(done, end) + time
        return total, -sum(times[job])

    return min(open_jobs, key=idle)


# %% idle_and_blocking
def next_job(open_jobs, sequence, ends, times):
    """The closest fit: idle time of machines plus waiting time of the job between machines, each counted once."""

    def misfit(job):
        done, total = ends[0] + times[job][0], 0
        for end, time in list(zip(ends, times[job]))[1:]:
            total += abs(done - end)
            done = max(done, end) + time
        return total

    return min(open_jobs, key=misfit)


# %% early_idle_weighs_more
def next_job(open_jobs, sequence, ends, times):
    """Idle time weighted as by Liu and Reeves: more on early machines, and less as the sequence grows."""
    machines, count = len(ends), len(times)
    best, lowest = None, float("inf")
    for job in open_jobs:
        done, index = 0, 0.0
        for m in range(machines):
            gap = max(0, done - ends[m])
            index += machines * gap / (m + 1 + len(sequence) * (machines - m - 1) / max(1, count - 2))
            done = max(done, ends[m]) + times[job][m]
        index = index * (len(open_jobs) - 1) + done
        if index < lowest:
            best, lowest = job, index
    return best


# %% average_follower
def next_job(open_jobs, sequence, ends, times):
    """Append the job, then an artificial one with the mean times of the rest; the earliest end of both together."""

    def after(state, row):
        done, result = 0, []
        for end, time in zip(state, row):
            done = max(done, end) + time
            result.append(done)
        return result

    def value(job):
        others = [times[j] for j in open_jobs if j != job] or [[0] * len(ends)]
        mean = [sum(column) / len(others) for column in zip(*others)]
        state = after(ends, times[job])
        return after(state, mean)[-1] + state[-1]

    return min(open_jobs, key=value)


# %% machine_bound
def next_job(open_jobs, sequence, ends, times):
    """The job after which the largest machine-based lower bound on the makespan is smallest."""
    machines = len(ends)
    best, best_key = open_jobs[0], None
    for job in open_jobs:
        done, bounds = 0, []
        others = [j for j in open_jobs if j != job]
        for m in range(machines):
            done = max(done, ends[m]) + times[job][m]
            tail = min((sum(times[j][m + 1 :]) for j in others), default=sum(times[job][m + 1 :]))
            bounds.append(done + sum(times[j][m] for j in others) + tail)
        key = (max(bounds), sum(bounds))
        if best_key is None or key < best_key:
            best, best_key = job, key
    return best


# %% finish_by_slope
def next_job(open_jobs, sequence, ends, times):
    """Try every job next, complete the sequence by falling Palmer slope, and keep the job of the best makespan."""
    machines = len(ends)
    slope = {j: sum((2 * m - machines + 1) * times[j][m] for m in range(machines)) for j in open_jobs}
    ranked = sorted(open_jobs, key=lambda j: -slope[j])
    best, best_span = ranked[0], float("inf")
    for job in ranked:
        state = list(ends)
        for j in [job] + [other for other in ranked if other != job]:
            done = 0
            for m in range(machines):
                done = state[m] = max(done, state[m]) + times[j][m]
        if state[-1] < best_span:
            best, best_span = job, state[-1]
    return best


# %% insert_the_rest
def next_job(open_jobs, sequence, ends, times):
    """NEH on the open jobs behind the present sequence: insert long jobs first, each at its best place; first job."""

    def span(order):
        state = list(ends)
        for job in order:
            done = 0
            for m, time in enumerate(times[job]):
                done = state[m] = max(done, state[m]) + time
        return state[-1]

    order = []
    for job in sorted(open_jobs, key=lambda j: -sum(times[j])):
        tries = [order[:place] + [job] + order[place:] for place in range(len(order) + 1)]
        order = min(tries, key=span)
    return order[0]
