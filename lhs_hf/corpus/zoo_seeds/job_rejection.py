"""Seed programs for `job_rejection`: one complete program a cell, named after its idea."""


# %% refuse_everything
def next_job(options, clock, jobs):
    """Does nothing at all and pays every penalty."""
    return -1


# %% do_everything
def next_job(options, clock, jobs):
    """Refuses nothing: weight over the time until the end decides the order."""
    left = options[:-1]
    return max(left, key=lambda job: jobs[job][2] / (max(clock, jobs[job][0]) + jobs[job][1] - clock))


# %% first_arrival
def next_job(options, clock, jobs):
    """First come, first served, of the jobs that cost less than their penalty."""
    worth = [job for job in options[:-1] if jobs[job][2] * (max(clock, jobs[job][0]) + jobs[job][1]) < jobs[job][3]]
    return min(worth, key=lambda job: jobs[job][0], default=-1)


# %% weight_ratio_while_worth_it
def next_job(options, clock, jobs):
    """Weight over the time until the end, of the jobs that cost less than their penalty."""
    best, best_ratio = -1, 0.0
    for job in options[:-1]:
        arrival, duration, weight, penalty = jobs[job]
        end = max(clock, arrival) + duration
        if weight * end < penalty and weight / (end - clock) > best_ratio:
            best, best_ratio = job, weight / (end - clock)
    return best


# %% largest_saving
def next_job(options, clock, jobs):
    """The job whose penalty is the most above what it costs now; the end when there is none."""

    def saving(job):
        if job < 0:
            return 0
        arrival, duration, weight, penalty = jobs[job]
        return penalty - weight * (max(clock, arrival) + duration)

    return max(options, key=saving)


# %% saving_rate
def next_job(options, clock, jobs):
    """The largest saving for each unit of time until the job ends."""
    best, best_rate = -1, 0.0
    for job in options[:-1]:
        arrival, duration, weight, penalty = jobs[job]
        end = max(clock, arrival) + duration
        rate = (penalty - weight * end) / (end - clock)
        if rate > best_rate:
            best, best_rate = job, rate
    return best


# %% saving_and_weight_rate
def next_job(options, clock, jobs):
    """Saving for each unit of time, times the square of the weight, so that heavy jobs end early."""
    rates = {-1: 0.0}
    for job in options[:-1]:
        arrival, duration, weight, penalty = jobs[job]
        end = max(clock, arrival) + duration
        if weight * end < penalty:
            rates[job] = ((penalty - weight * end) * weight**2) / (end - clock)
    return max(rates, key=rates.get)


# %% random_worth
import random


def next_job(options, clock, jobs):
    """Any job that costs less than its penalty, drawn by a generator seeded with the clock and the jobs left."""
    worth = [job for job in options[:-1] if jobs[job][2] * (max(clock, jobs[job][0]) + jobs[job][1]) < jobs[job][3]]
    return random.Random(1009 * clock + sum(options)).choice(worth) if worth else -1


# %% least_worth
def next_job(options, clock, jobs):
    """The wrong way round: of the jobs worth doing the longest for its weight."""
    worth = [job for job in options[:-1] if jobs[job][2] * (max(clock, jobs[job][0]) + jobs[job][1]) < jobs[job][3]]
    return max(worth, key=lambda job: jobs[job][1] / jobs[job][2], default=-1)


# %% charge_for_delay
def next_job(options, clock, jobs):
    """The largest saving, less half of the weights of all other jobs worth doing for the time that they wait."""
    ends = {job: max(clock, jobs[job][0]) + jobs[job][1] for job in options[:-1]}
    worth = [job for job in ends if jobs[job][2] * ends[job] < jobs[job][3]]
    crowd = sum(jobs[job][2] for job in worth)
    best, best_value = -1, float("-inf")
    for job in worth:
        _, _, weight, penalty = jobs[job]
        value = penalty - weight * ends[job] - 0.5 * (crowd - weight) * (ends[job] - clock)
        if value > best_value:
            best, best_value = job, value
    return best


# %% worth_it_in_the_middle
def next_job(options, clock, jobs):
    """Keeps the jobs that pay at the middle of the work that is left, and does these by weight over time."""
    left = options[:-1]
    middle = clock + 0.4 * sum(jobs[job][1] for job in left)
    kept = [job for job in left if jobs[job][3] > jobs[job][2] * max(middle, jobs[job][0])]
    if not kept:
        kept = [job for job in left if jobs[job][2] * (max(clock, jobs[job][0]) + jobs[job][1]) < jobs[job][3]]
    return max(kept, key=lambda job: jobs[job][2] / (max(0, jobs[job][0] - clock) + jobs[job][1]), default=-1)


# %% plan_by_removal
def next_job(options, clock, jobs):
    """Order all jobs by weight over duration, refuse the one that saves most, again and again; do the first left."""

    def cost(order):
        now, total = clock, 0
        for job in order:
            arrival, duration, weight, penalty = jobs[job]
            now = max(now, arrival) + duration
            total += weight * now - penalty
        return total

    order = sorted(options[:-1], key=lambda job: jobs[job][0] / 4 + jobs[job][1] / jobs[job][2])
    now = cost(order)
    while order:
        shorter = min(([job for job in order if job != out] for out in order), key=cost)
        if cost(shorter) >= now:
            break
        order, now = shorter, cost(shorter)
    return order[0] if order else -1


# %% no_waiting_beside_work
def next_job(options, clock, jobs):
    """Among the jobs that could start before any other that has arrived would end: weight over duration and wait."""
    worth = [job for job in options[:-1] if jobs[job][2] * (max(clock, jobs[job][0]) + jobs[job][1]) < jobs[job][3]]
    if not worth:
        return -1
    earliest = min(max(clock, jobs[job][0]) + jobs[job][1] for job in worth)
    soon = [job for job in worth if jobs[job][0] < earliest]
    return max(soon, key=lambda job: jobs[job][2] / (jobs[job][1] + 2 * max(0, jobs[job][0] - clock)))


# %% insertion_plan
def next_job(options, clock, jobs):
    """Build the plan by inserting jobs where they raise the cost least, those of the highest penalty rate first."""

    def cost(order):
        now, total = clock, 0
        for job in order:
            now = max(now, jobs[job][0]) + jobs[job][1]
            total += jobs[job][2] * now
        return total

    plan, spent = [], 0
    for job in sorted(options[:-1], key=lambda job: -jobs[job][3] / jobs[job][1]):
        plans = [[*plan[:place], job, *plan[place:]] for place in range(len(plan) + 1)]
        best = min(plans, key=cost)
        if cost(best) - spent < jobs[job][3]:
            plan, spent = best, cost(best)
    return plan[0] if plan else -1


# %% try_every_start
def next_job(options, clock, jobs):
    """Try each job next, go on with the best weight over time that is worth it, and keep the cheapest start."""

    def finish(first):
        left, now, total, job = list(options[:-1]), clock, 0, first
        while job >= 0:
            now = max(now, jobs[job][0]) + jobs[job][1]
            total += jobs[job][2] * now - jobs[job][3]
            left.remove(job)
            job, best = -1, 0.0
            for other in left:
                end = max(now, jobs[other][0]) + jobs[other][1]
                if jobs[other][2] * end < jobs[other][3] and jobs[other][2] / (end - now) > best:
                    job, best = other, jobs[other][2] / (end - now)
        return total

    return min(options, key=finish)


# %% knapsack_over_time
import numpy as np


def next_job(options, clock, jobs):
    """Choose what to do by dynamic programming over the work done, jobs by weight over duration; the best of it."""
    order = sorted(options[:-1], key=lambda job: -jobs[job][2] / jobs[job][1])
    times = np.arange(sum(jobs[job][1] for job in order) + 1)
    value, better = np.zeros(len(times)), {}
    for job in reversed(order):
        arrival, duration, weight, penalty = jobs[job]
        later = np.append(value[duration:], np.full(duration, -np.inf))
        done = penalty - weight * (np.maximum(clock + times, arrival) + duration) + later
        better[job] = done > value
        value = np.maximum(value, done)
    kept, work = [], 0
    for job in order:
        if better[job][work]:
            kept.append(job)
            work += jobs[job][1]
    return max(kept, key=lambda job: jobs[job][2] / (max(0, jobs[job][0] - clock) + jobs[job][1]), default=-1)


# %% price_of_time
def next_job(options, clock, jobs):
    """A unit of time is charged what it could save at most: half of the median saving rate of all jobs left."""

    def saving(job):
        arrival, duration, weight, penalty = jobs[job]
        return penalty - weight * (max(clock, arrival) + duration)

    def time(job):
        return max(0, jobs[job][0] - clock) + jobs[job][1]

    worth = [job for job in options[:-1] if saving(job) > 0]
    if not worth:
        return -1
    price = sorted(saving(job) / time(job) for job in worth)[len(worth) // 2] / 2
    kept = [job for job in worth if saving(job) >= price * jobs[job][1]]
    return max(kept, key=lambda job: jobs[job][2] / time(job))


# %% strictness_by_simulation
def next_job(options, clock, jobs):
    """Try how far penalties must exceed costs: the rule by weight over time with the factor that ends up cheapest."""

    def pick(left, now, factor):
        best, best_ratio = -1, 0.0
        for job in left:
            arrival, duration, weight, penalty = jobs[job]
            end = max(now, arrival) + duration
            if factor * weight * end < penalty and weight / (end - now) > best_ratio:
                best, best_ratio = job, weight / (end - now)
        return best

    results = []
    for factor in (1.0, 1.15, 1.3, 1.5, 1.8, 2.2):
        left, now, total = list(options[:-1]), clock, 0
        first = job = pick(left, now, factor)
        while job >= 0:
            now = max(now, jobs[job][0]) + jobs[job][1]
            total += jobs[job][2] * now - jobs[job][3]
            left.remove(job)
            job = pick(left, now, factor)
        results.append((total, -factor, first))
    return min(results)[2]


# %% delays_that_follow
def next_job(options, clock, jobs):
    """Refuse what saves less than the delays it causes in the order of weight over time; do the best of the rest."""
    kept = [job for job in options[:-1] if jobs[job][2] * (max(clock, jobs[job][0]) + jobs[job][1]) < jobs[job][3]]
    kept.sort(key=lambda job: -jobs[job][2] / (max(0, jobs[job][0] - clock) + jobs[job][1]))
    while kept:
        now, behind = clock, sum(jobs[job][2] for job in kept)
        losses = {}
        for job in kept:
            arrival, duration, weight, penalty = jobs[job]
            now = max(now, arrival) + duration
            behind -= weight
            losses[job] = weight * now + duration * behind - penalty
        worst = max(losses, key=losses.get)
        if losses[worst] <= 0:
            break
        kept.remove(worst)
    return kept[0] if kept else -1


# %% improved_plan
def next_job(options, clock, jobs):
    """Start with a plan of eight jobs; move, add or refuse each job once where that helps most; do the first one."""

    def cost(plan):
        now, total = clock, 0
        for job in plan:
            now = max(now, jobs[job][0]) + jobs[job][1]
            total += jobs[job][2] * now - jobs[job][3]
        return total

    left = sorted(options[:-1], key=lambda job: jobs[job][1] / jobs[job][2] + 0.1 * jobs[job][0])
    plan = left[:8]
    for job in left[:16]:
        rest = [other for other in plan if other != job]
        plan = min([rest] + [[*rest[:place], job, *rest[place:]] for place in range(len(rest) + 1)], key=cost)
    return plan[0] if plan else -1
