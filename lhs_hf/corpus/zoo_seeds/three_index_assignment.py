"""Seed programs for `three_index_assignment`: one complete program a cell, named after its idea."""


# %% last_pair
def assign_day(day, pairs, cost):
    """The last pair of the list."""
    return pairs[-1]


# %% random_pair
import random


def assign_day(day, pairs, cost):
    """Any pair, from a generator seeded with the day."""
    return random.Random(5 + 11 * day).choice(pairs)


# %% dearest_pair
def assign_day(day, pairs, cost):
    """The most expensive pair of the day."""
    return max(pairs, key=lambda pair: cost[pair[0], pair[1], day])


# %% diagonal
def assign_day(day, pairs, cost):
    """The first free worker with the first free machine, whatever they cost."""
    return min(pairs, key=lambda pair: pair[0] + pair[1])


# %% cheapest_pair
def assign_day(day, pairs, cost):
    """Greedy: the cheapest pair of the day."""
    best, lowest = None, float("inf")
    for worker, machine in pairs:
        if cost[worker, machine, day] < lowest:
            best, lowest = (worker, machine), cost[worker, machine, day]
    return best


# %% below_mean_of_pair
def assign_day(day, pairs, cost):
    """The pair that is cheapest compared with its own mean over this and the later days."""
    return min(pairs, key=lambda pair: cost[pair[0], pair[1], day] - cost[pair[0], pair[1], day:].mean())


# %% below_mean_of_ends
import numpy as np


def assign_day(day, pairs, cost):
    """Cost less the mean of the worker and the mean of the machine over later days: those dear later go first."""
    workers = sorted({worker for worker, _ in pairs})
    machines = sorted({machine for _, machine in pairs})
    later = cost[np.ix_(workers, machines)][:, :, day + 1 :]
    of_worker = dict(zip(workers, later.mean(axis=(1, 2))))
    of_machine = dict(zip(machines, later.mean(axis=(0, 2))))
    return min(pairs, key=lambda p: cost[p[0], p[1], day] - of_worker[p[0]] - of_machine[p[1]])


# %% below_half_mean_of_ends
import numpy as np


def assign_day(day, pairs, cost):
    """Cost less half of what worker and machine cost on the mean of all their free partners today."""
    workers = np.unique([worker for worker, _ in pairs])
    machines = np.unique([machine for _, machine in pairs])
    today = cost[np.ix_(workers, machines)][:, :, day].astype(float)
    value = today - 0.5 * today.mean(axis=1, keepdims=True) - 0.5 * today.mean(axis=0, keepdims=True)
    row, column = np.unravel_index(int(value.argmin()), value.shape)
    return workers[row], machines[column]


# %% relative_cost
def assign_day(day, pairs, cost):
    """Cost as a share of the least that worker and machine could cost on a later day together or apart."""
    workers = sorted({worker for worker, _ in pairs})
    machines = sorted({machine for _, machine in pairs})
    low_worker = {w: cost[w][machines][:, day + 1 :].min() for w in workers}
    low_machine = {m: cost[workers, m, day + 1 :].min() for m in machines}
    return min(pairs, key=lambda p: cost[p[0], p[1], day] / (low_worker[p[0]] + low_machine[p[1]]))


# %% opportunity_least_later
import numpy as np


def assign_day(day, pairs, cost):
    """Cost less the least later cost of the worker and of the machine, their best chance that is given up."""
    workers = [int(w) for w in np.unique([worker for worker, _ in pairs])]
    machines = [int(m) for m in np.unique([machine for _, machine in pairs])]

    def value(pair):
        worker, machine = pair
        chance_worker = cost[worker, machines, day + 1 :].min()
        chance_machine = cost[workers, machine, day + 1 :].min()
        return cost[worker, machine, day] - chance_worker - chance_machine

    return min(pairs, key=value)


# %% fewest_best_days_taken
def assign_day(day, pairs, cost):
    """A pair costs extra for each later day whose cheapest pairs need its worker or its machine."""
    wanted_worker, wanted_machine = {}, {}
    for later in range(day + 1, cost.shape[2]):
        for worker, machine in sorted(pairs, key=lambda p: cost[p[0], p[1], later])[:4]:
            wanted_worker[worker] = wanted_worker.get(worker, 0) + 1
            wanted_machine[machine] = wanted_machine.get(machine, 0) + 1

    def value(pair):
        extra = wanted_worker.get(pair[0], 0) + wanted_machine.get(pair[1], 0)
        return cost[pair[0], pair[1], day] + 2.0 * extra

    return min(pairs, key=value)


# %% loss_of_later_minima
import numpy as np


def assign_day(day, pairs, cost):
    """Cost now plus the cheapest cost of every later day once worker and machine are gone."""
    workers = np.unique([worker for worker, _ in pairs])
    machines = np.unique([machine for _, machine in pairs])
    best, lowest = None, np.inf
    for worker, machine in pairs:
        rest = cost[np.ix_(workers[workers != worker], machines[machines != machine])][:, :, day + 1 :]
        value = cost[worker, machine, day] + rest.min(axis=(0, 1)).sum()
        if value < lowest:
            best, lowest = (worker, machine), value
    return best


# %% bound_of_workers
def assign_day(day, pairs, cost):
    """Cost now plus each other worker's and each other machine's least cost on later days, halved."""
    workers = sorted({int(worker) for worker, _ in pairs})
    machines = sorted({int(machine) for _, machine in pairs})

    def bound(pair):
        others = [w for w in workers if w != pair[0]]
        left = [m for m in machines if m != pair[1]]
        rest = cost[others][:, left][:, :, day + 1 :]
        return cost[pair[0], pair[1], day] + 0.5 * (rest.min(axis=(1, 2)).sum() + rest.min(axis=(0, 2)).sum())

    return min(pairs, key=bound)


# %% rollout_greedy
def assign_day(day, pairs, cost):
    """Finish the dozen cheapest pairs greedily, day by day, and keep the one with the lowest total."""
    workers = {int(worker) for worker, _ in pairs}
    machines = {int(machine) for _, machine in pairs}

    def total(pair):
        left, free, paid = workers - {int(pair[0])}, machines - {int(pair[1])}, int(cost[pair[0], pair[1], day])
        for later in range(day + 1, cost.shape[2]):
            step, worker, machine = min((cost[w, m, later], w, m) for w in left for m in free)
            paid += int(step)
            left, free = left - {worker}, free - {machine}
        return paid

    shortlist = sorted(pairs, key=lambda p: cost[p[0], p[1], day])[:12]
    return min(shortlist, key=total)


# %% rollout_cheapest_triple
import numpy as np


def assign_day(day, pairs, cost):
    """Finish each of twenty cheap pairs by taking the cheapest triple of all days left, again and again."""
    tried = sorted(pairs, key=lambda p: cost[p[0], p[1], day])[:20]
    workers = sorted({worker for worker, _ in pairs})
    machines = sorted({machine for _, machine in pairs})
    best, lowest = None, np.inf
    for worker, machine in tried:
        rest = cost[np.ix_(workers, machines)][:, :, day + 1 :].astype(float)
        rest[workers.index(worker)] = np.inf
        rest[:, machines.index(machine)] = np.inf
        paid = float(cost[worker, machine, day])
        for _ in range(rest.shape[2]):
            w, m, d = np.unravel_index(int(rest.argmin()), rest.shape)
            paid += rest[w, m, d]
            rest[w] = rest[:, m] = rest[:, :, d] = np.inf
        if paid < lowest:
            best, lowest = (worker, machine), paid
    return best


# %% exchange_plan
def assign_day(day, pairs, cost):
    """Plan all days greedily, improve the plan by swapping workers or machines between days, and follow it."""
    left = sorted({worker for worker, _ in pairs})
    free = sorted({machine for _, machine in pairs})
    plan = []
    for later in range(day, cost.shape[2]):
        worker, machine = min(((w, m) for w in left for m in free), key=lambda p: cost[p[0], p[1], later])
        left.remove(worker)
        free.remove(machine)
        plan.append([worker, machine])
    better = True
    while better:
        better = False
        for i in range(len(plan)):
            for j in range(i):
                for side in (0, 1):
                    one, other = list(plan[i]), list(plan[j])
                    one[side], other[side] = other[side], one[side]
                    old = cost[plan[i][0], plan[i][1], day + i] + cost[plan[j][0], plan[j][1], day + j]
                    if cost[one[0], one[1], day + i] + cost[other[0], other[1], day + j] < old:
                        plan[i], plan[j], better = one, other, True
    return tuple(plan[0])
