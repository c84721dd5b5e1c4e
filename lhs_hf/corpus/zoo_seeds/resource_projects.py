"""Seed programs for `resource_projects`: one complete program a cell, named after its idea."""


# %% first_listed
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The activity with the lowest number."""
    return eligible[0]


# %% random_activity
import random


def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Any activity, from a generator seeded with the ends so far."""
    return random.Random(sum(ends.values()) + 13 * len(ends)).choice(eligible)


# %% latest_start
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Opposite greedy: the activity that has to wait longest for its start."""
    return max(eligible, key=lambda activity: earliest[activity])


# %% longest_duration
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The longest activity."""
    return max(eligible, key=durations.get)


# %% earliest_start
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The activity that can start first; the longer one on ties."""
    return min(eligible, key=lambda activity: (earliest[activity], -durations[activity]))


# %% earliest_end
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The activity that would end first."""
    best = eligible[0]
    for activity in eligible[1:]:
        if earliest[activity] + durations[activity] < earliest[best] + durations[best]:
            best = activity
    return best


# %% most_direct_successors
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The activity with the most direct successors; the one that starts earlier on ties."""
    return max(eligible, key=lambda activity: (len(successors[activity]), -earliest[activity]))


# %% most_total_successors
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The activity with the most direct and indirect successors."""

    def reach(activity):
        found, open_ones = set(), [activity]
        while open_ones:
            for other in successors[open_ones.pop()]:
                if other not in found:
                    found.add(other)
                    open_ones.append(other)
        return len(found)

    return max(eligible, key=reach)


# %% rank_positional_weight
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Greatest rank positional weight: own duration and those of the direct successors."""
    best, most = None, -1
    for activity in eligible:
        weight = durations[activity]
        for other in successors[activity]:
            weight += durations[other]
        if weight > most:
            best, most = activity, weight
    return best


# %% longest_tail
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Least latest start: the activity at the head of the longest path to the end of the project."""
    tails = {}

    def tail(activity):
        if activity not in tails:
            tails[activity] = durations[activity] + max((tail(other) for other in successors[activity]), default=0)
        return tails[activity]

    return max(eligible, key=tail)


# %% latest_finish_time
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Least latest finish: the longest path behind the activity counts, without the activity itself."""

    def behind(activity):
        return max((durations[other] + behind(other) for other in successors[activity]), default=0)

    return max(eligible, key=lambda activity: (behind(activity), -earliest[activity]))


# %% greatest_resource_work
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The activity with the most work: duration times the share of the resources that it takes."""

    def work(activity):
        return durations[activity] * sum(need / limit for need, limit in zip(demands[activity], capacities))

    return max(eligible, key=work)


# %% start_minus_tail
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Earliest start minus six tenths of the longest path to the end: early and critical activities first."""
    tails = {}
    for activity in sorted(durations, reverse=True):
        tails[activity] = durations[activity] + max((tails[other] for other in successors[activity]), default=0)
    return min(eligible, key=lambda activity: earliest[activity] - 0.6 * tails[activity])


# %% big_demand_and_tail
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Longest path to the end plus five times the largest share of a resource: bulky activities are hard to fit."""
    tails = {}
    for activity in sorted(durations, reverse=True):
        tails[activity] = durations[activity] + max([tails[other] for other in successors[activity]] + [0])
    scores = {}
    for activity in eligible:
        bulk = max(need / limit for need, limit in zip(demands[activity], capacities))
        scores[activity] = tails[activity] + 5 * bulk - 0.5 * earliest[activity]
    return max(scores, key=scores.get)


# %% resource_weighted_tail
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The path to the end with the greatest sum of duration times resource share; an earlier start helps."""
    tails = {}
    for activity in sorted(durations, reverse=True):
        share = max(need / limit for need, limit in zip(demands[activity], capacities))
        own = durations[activity] * (0.3 + share)
        tails[activity] = own + max((tails[other] for other in successors[activity]), default=0)
    return min(eligible, key=lambda activity: 0.7 * earliest[activity] - tails[activity])


# %% least_room_lost
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The start that leaves the least of the resources unused at that moment; longer activities on ties."""

    def left_over(activity):
        start, need = earliest[activity], demands[activity]
        running = [other for other, end in ends.items() if end - durations[other] <= start < end]
        used = [sum(demands[other][r] for other in running) + need[r] for r in range(len(need))]
        return max(1 - u / limit for u, limit in zip(used, capacities)), start, -durations[activity]

    return min(eligible, key=left_over)


# %% finish_by_tail
import numpy as np


def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """Try every activity next, add the others by longest path to the end, and keep the one of the shortest project."""
    tails, before = {}, {activity: [] for activity in durations}
    for activity in sorted(durations, reverse=True):
        tails[activity] = durations[activity] + max((tails[other] for other in successors[activity]), default=0)
        for other in successors[activity]:
            before[other].append(activity)
    usage = np.zeros((sum(durations.values()) + 1, len(capacities)))
    for activity, end in ends.items():
        usage[end - durations[activity] : end] += demands[activity]
    room = np.array(capacities)

    def length(first):
        used, finish = usage.copy(), dict(ends)
        others = [activity for activity in durations if activity not in ends and activity != first]
        for activity in [first] + sorted(others, key=lambda each: -tails[each]):
            start = max((finish[other] for other in before[activity]), default=0)
            duration = durations[activity]
            blocked = np.flatnonzero((used[start:] + demands[activity] > room).any(axis=1)) + start
            for moment in blocked:
                if moment >= start + duration:
                    break
                start = moment + 1
            used[start : start + duration] += demands[activity]
            finish[activity] = start + duration
        return max(finish.values()), sum(finish.values())

    return min(eligible, key=length)
