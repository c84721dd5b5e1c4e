"""Seed programs for `ambulance_dispatch`: one complete program a cell, named after its idea."""


# %% last_id
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The free ambulance with the highest id."""
    return free_ambulances[-1]


# %% random_ambulance
import random


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """Any free ambulance, from a generator seeded with the scene, the urgency and those on duty."""
    seed = 1000 * int(scene) + 10 * int(urgency) + sum(int(wait) for wait, _ in on_duty)
    return free_ambulances[random.Random(seed).randrange(len(free_ambulances))]


# %% farthest
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The wrong way round: the ambulance that is there last."""
    return free_ambulances[int(np.argmax(minutes[base_of[free_ambulances], scene]))]


# %% nearest
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The free ambulance that is there first."""
    return min(free_ambulances, key=lambda ambulance: minutes[base_of[ambulance], scene])


# %% second_nearest_unless_urgent
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The nearest for urgent emergencies, the second nearest for the others."""
    ranked = sorted(free_ambulances, key=lambda ambulance: minutes[base_of[ambulance], scene])
    return ranked[0] if urgency > 1 else ranked[1]


# %% nearest_if_urgent_else_farthest
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The nearest for the most urgent emergencies; the farthest for the rest, so that the near ones stay."""
    best = free_ambulances[0]
    for ambulance in free_ambulances[1:]:
        nearer = minutes[base_of[ambulance], scene] < minutes[base_of[best], scene]
        if nearer == (urgency == 9):
            best = ambulance
    return best


# %% quietest_base
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The ambulance from the base whose district has the fewest emergencies, wherever the scene is."""
    return free_ambulances[int(np.argmin(district_share[base_of[free_ambulances]]))]


# %% most_remote_base
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The ambulance that is on average farthest from all emergencies; a central one stays."""
    return max(free_ambulances, key=lambda ambulance: float(minutes[base_of[ambulance]] @ district_share))


# %% near_for_its_place
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The ambulance for which the scene is nearest in comparison with its mean emergency."""

    def ratio(ambulance):
        row = minutes[base_of[ambulance]]
        return row[scene] / float(row @ district_share)

    return min(free_ambulances, key=ratio)


# %% spare_at_the_same_base
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The nearest, but up to five minutes more are accepted for one with another ambulance close to its base."""

    def cost(ambulance):
        near = [other for other in free_ambulances if minutes[base_of[ambulance], base_of[other]] <= 6]
        return minutes[base_of[ambulance], scene] + (5 if len(near) == 1 else 0)

    return min(free_ambulances, key=cost)


# %% owner_of_the_district
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """Districts belong to the nearest base; without its own ambulance one comes that owns the smallest share."""
    owner = minutes[base_of].argmin(axis=0)
    for ambulance in free_ambulances:
        if base_of[ambulance] == base_of[owner[scene]]:
            return ambulance
    limit = minutes[base_of[free_ambulances], scene].min() + 6
    near = [ambulance for ambulance in free_ambulances if minutes[base_of[ambulance], scene] <= limit]
    return min(near, key=lambda ambulance: district_share[owner == ambulance].sum())


# %% districts_in_reach
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The nearest if urgent; otherwise weigh it against the share of districts within ten minutes of the rest."""
    reach = minutes[base_of[free_ambulances]]
    if urgency == 9:
        return free_ambulances[int(reach[:, scene].argmin())]
    kept = [district_share @ (np.delete(reach, row, axis=0).min(axis=0) <= 10) for row in range(len(reach))]
    return free_ambulances[int(np.argmax(60 * np.array(kept) - urgency * reach[:, scene]))]


# %% next_emergency
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """This response and the expected one of the next emergency, which is of mean urgency, by those that stay."""
    reach = minutes[base_of[free_ambulances]]
    best, lowest = free_ambulances[0], float("inf")
    for row, ambulance in enumerate(free_ambulances):
        stay = np.delete(reach, row, axis=0).min(axis=0)
        cost = urgency * reach[row, scene] + 3.5 * float(stay @ district_share)
        if cost < lowest:
            best, lowest = ambulance, cost
    return best


# %% price_of_absence
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The coverage that is lost counts for the minutes of absence, and more the more ambulances are on duty."""
    reach = minutes[base_of[free_ambulances]]
    cost = []
    for row in range(len(reach)):
        lost = (np.delete(reach, row, axis=0).min(axis=0) - reach.min(axis=0)) @ district_share
        away = 2 * reach[row, scene] + 25
        cost.append(urgency * reach[row, scene] + 0.05 * (1 + len(on_duty)) * away * (0.4 * lost + 0.5))
    return free_ambulances[int(np.argmin(cost))]


# %% who_is_back_soon
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """This response and the expected one of the next emergency, to which those on duty come half their wait later."""
    waits = np.zeros(len(base_of))
    for wait, ambulance in on_duty:
        waits[ambulance] = wait / 2
    best, lowest = None, float("inf")
    for ambulance in free_ambulances:
        there = minutes[base_of[ambulance], scene]
        later = waits.copy()
        later[ambulance] = there + 12
        expected = (later[:, None] + minutes[base_of]).min(axis=0) @ district_share
        if urgency * there + 3 * expected < lowest:
            best, lowest = ambulance, urgency * there + 3 * expected
    return best


# %% sampled_futures
import numpy as np


def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """Play eight futures for each ambulance: emergencies come more often the more are on duty, the nearest goes."""
    rng = np.random.default_rng([int(scene), int(urgency), len(on_duty)])
    ends = np.zeros(len(base_of))
    for wait, ambulance in on_duty:
        ends[ambulance] = wait
    rides = minutes[base_of]
    totals = {int(ambulance): urgency * int(rides[ambulance, scene]) for ambulance in free_ambulances}
    for _ in range(8):
        gaps = rng.exponential(90 / (len(on_duty) + 3), 4).cumsum()
        places = rng.choice(len(district_share), 4, p=district_share)
        for ambulance in totals:
            free_at = ends.copy()
            free_at[ambulance] = 2 * rides[ambulance, scene] + 25
            for now, place in zip(gaps, places):
                there = np.maximum(free_at - now, 0) + rides[:, place]
                first = int(there.argmin())
                totals[ambulance] += 0.4 * there[first]
                free_at[first] = now + there[first] + rides[first, place] + 25
    return min(totals, key=totals.get)
