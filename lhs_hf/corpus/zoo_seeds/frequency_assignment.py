"""Seed programs for `frequency_assignment`: one complete program a cell, named after its idea."""


# %% first_frequency
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Everybody gets the lowest frequency."""
    return available[0]


# %% random_frequency
import random


def choose_frequency(transmitter, available, assigned, interference, separation):
    """Any frequency, from a generator seeded with the transmitter."""
    return random.Random(3 * transmitter + 1).choice(available)


# %% every_third_in_turn
def choose_frequency(transmitter, available, assigned, interference, separation):
    """The frequencies in turn with steps of three, so that one after another is far apart."""
    return available[(3 * transmitter) % len(available)]


# %% least_used_by_neighbors
def choose_frequency(transmitter, available, assigned, interference, separation):
    """The frequency that the fewest neighbours have; the lowest on ties."""
    near = [assigned[other] for other in interference[transmitter] if other in assigned]
    return min(available, key=lambda frequency: near.count(frequency))


# %% same_frequency_weight
def choose_frequency(transmitter, available, assigned, interference, separation):
    """The least weight towards neighbours on exactly the same frequency, then on frequencies within two."""

    def key(frequency):
        same, near = 0, 0
        for other, weight in interference[transmitter].items():
            gap = abs(assigned[other] - frequency) if other in assigned else 99
            same += weight * (gap == 0)
            near += weight * (gap <= 2)
        return same, near

    return min(available, key=key)


# %% farthest_from_neighbors
def choose_frequency(transmitter, available, assigned, interference, separation):
    """The frequency with the largest gap to the nearest one of a neighbour."""
    taken = [assigned[other] for other in interference[transmitter] if other in assigned]
    if not taken:
        return available[-1]
    return max(available, key=lambda frequency: min(abs(frequency - other) for other in taken))


# %% away_from_closest_neighbor
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Only the neighbour with the largest weight counts: as far from its frequency as separation asks, no farther."""
    known = [other for other in interference[transmitter] if other in assigned]
    if not known:
        return available[len(available) // 2]
    closest = max(known, key=lambda other: interference[transmitter][other])
    gaps = {frequency: abs(frequency - assigned[closest]) for frequency in available}
    enough = [frequency for frequency in available if gaps[frequency] >= separation]
    return min(enough, key=gaps.get) if enough else max(available, key=gaps.get)


# %% conflicts_not_weights
def choose_frequency(transmitter, available, assigned, interference, separation):
    """The fewest neighbours that are disturbed at all; of those alike the frequency used least."""
    near = [assigned[other] for other in interference[transmitter] if other in assigned]
    used = list(assigned.values())
    best, best_key = None, None
    for frequency in available:
        disturbed = sum(1 for other in near if abs(frequency - other) < separation)
        if best_key is None or (disturbed, used.count(frequency)) < best_key:
            best, best_key = frequency, (disturbed, used.count(frequency))
    return best


# %% least_interference
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Greedy: the least cost with the neighbours that have a frequency; the lowest on ties."""

    def cost(frequency):
        total = 0
        for other, weight in interference[transmitter].items():
            if other in assigned:
                total += weight * max(0, separation - abs(frequency - assigned[other]))
        return total

    return min(available, key=cost)


# %% least_interference_at_ends
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Greedy from both ends: among frequencies of the least cost the one nearest to an end of the list."""
    middle = (available[0] + available[-1]) / 2
    cost = dict.fromkeys(available, 0)
    for other, weight in interference[transmitter].items():
        for frequency in available:
            if other in assigned and abs(frequency - assigned[other]) < separation:
                cost[frequency] += weight * (separation - abs(frequency - assigned[other]))
    return min(available, key=lambda frequency: (cost[frequency], -abs(frequency - middle)))


# %% least_interference_most_used
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Greedy; on ties the frequency that most others have already, so that the rest stay free."""
    links = interference[transmitter]
    counts = {frequency: list(assigned.values()).count(frequency) for frequency in available}

    def key(frequency):
        gaps = ((links[other], abs(frequency - assigned[other])) for other in links if other in assigned)
        return sum(weight * (separation - gap) for weight, gap in gaps if gap < separation), -counts[frequency]

    return min(available, key=key)


# %% keeps_neighbors_free
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Cost now, and three tenths of what the cheapest frequency of each later neighbour costs afterwards."""
    links = interference[transmitter]

    def cost(who, frequency, known):
        return sum(
            weight * max(0, separation - abs(frequency - known[other]))
            for other, weight in interference[who].items()
            if other in known
        )

    def value(frequency):
        known = {**assigned, transmitter: frequency}
        later = [other for other in links if other not in assigned]
        return cost(transmitter, frequency, assigned) + 0.3 * sum(
            min(cost(other, each, known) for each in available) for other in later
        )

    return min(available, key=value)


# %% reuse_two_hops_away
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Greedy with a bonus for a frequency of a transmitter two links away, which disturbs nobody new."""
    links = interference[transmitter]
    score = dict.fromkeys(available, 0.0)
    for other, weight in links.items():
        if other in assigned:
            for frequency in available:
                score[frequency] += weight * max(0, separation - abs(frequency - assigned[other]))
        for far, strength in interference[other].items():
            if far in assigned and far not in links and far != transmitter:
                score[assigned[far]] -= 0.15 * min(weight, strength)
    return min(available, key=score.get)


# %% crowded_middle
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Greedy, with the later neighbours' weight charged for frequencies that have many others close by."""
    links = interference[transmitter]
    later = sum(weight for other, weight in links.items() if other not in assigned)
    best, lowest = None, float("inf")
    for frequency in available:
        cost = 0.0
        for other, weight in links.items():
            if other in assigned:
                cost += weight * max(0, separation - abs(frequency - assigned[other]))
        crowd = sum(max(0, separation - abs(frequency - each)) for each in available) / len(available)
        if cost + 0.25 * later * crowd < lowest:
            best, lowest = frequency, cost + 0.25 * later * crowd
    return best


# %% rollout_greedy
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Give each frequency in turn, let all later transmitters choose greedily, and keep the cheapest end."""

    def finish(frequency):
        known, total = dict(assigned), 0
        for who in range(transmitter, len(interference)):
            cost = dict.fromkeys(available, 0)
            for other, weight in interference[who].items():
                if other in known:
                    for each in available:
                        gap = abs(each - known[other])
                        if gap < separation:
                            cost[each] += weight * (separation - gap)
            known[who] = frequency if who == transmitter else min(available, key=cost.get)
            total += cost[known[who]]
        return total

    return min(available, key=finish)


# %% plan_by_local_search
def choose_frequency(transmitter, available, assigned, interference, separation):
    """Choose greedily for all that are left, let each of them move to its best frequency twice, follow that."""
    known = dict(assigned)
    left = range(transmitter, len(interference))

    def best(who):
        cost = dict.fromkeys(available, 0)
        for other, weight in interference[who].items():
            if other in known:
                for each in available:
                    cost[each] += weight * max(0, separation - abs(each - known[other]))
        return min(available, key=cost.get)

    for who in left:
        known[who] = best(who)
    for _ in range(2):
        for who in left:
            known[who] = best(who)
    return known[transmitter]
