"""Seed programs for `repairman`: one complete program a cell, named after its idea."""


# %% farthest
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Anti-greedy: the longest way first."""
    return travel


# %% dice
import random


def priority(here, site, travel, repair, onward, crowd, waiting):
    """A random number that depends on the site and on how many are waiting."""
    return random.Random(site[0] + 1000 * site[1] + 1000000 * waiting).random()


# %% from_left_to_right
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Sweep the square from left to right, from bottom to top where sites share a column."""
    x, y = site
    return -1000 * x - y


# %% nearest_site
def priority(here, site, travel, repair, onward, crowd, waiting):
    """The nearest site; the shorter work on ties."""
    return -travel - 0.001 * repair


# %% travel_and_repair
def priority(here, site, travel, repair, onward, crowd, waiting):
    """The site that is done first: way plus work."""
    return -(travel + repair)


# %% most_crowded
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Sites with most others around them first; way and work decide among equals."""
    return crowd - (travel + repair) / 1000.0


# %% next_two_arrivals
def priority(here, site, travel, repair, onward, crowd, waiting):
    """What the next two arrivals cost: everybody waits for the way, all but one for work and the way onward."""
    return -(travel * waiting + (repair + onward) * (waiting - 1))


# %% way_and_half_the_work
def priority(here, site, travel, repair, onward, crowd, waiting):
    """The way counts fully, the work by half."""
    return -travel - 0.5 * repair


# %% rate_of_relief
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Sites relieved for each minute: this one and those around it over the time they need."""
    minutes = travel + repair
    if crowd > 0:
        minutes += crowd * (repair + onward) / 2
    return (1 + crowd) / max(1.0, minutes)


# %% way_less_crowd
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Nearest site, where each neighbour makes the way look two minutes shorter and work half as long counts."""
    return 2 * crowd - travel - repair / 2


# %% leave_no_one_behind
def priority(here, site, travel, repair, onward, crowd, waiting):
    """A site with a long way onward is a detour whenever it is made: take it when it is close, else keep away."""
    if travel <= onward:
        return 1000 - travel - 0.3 * repair
    return -travel - 0.3 * repair


# %% lonely_sites_last
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Way and a third of the work, with a charge for sites far from all others that fades at the end."""
    loneliness = onward * (waiting - 1) / (waiting + 5)
    return -(travel + repair / 3 + 0.5 * loneliness)


# %% geometric_mean
import math


def priority(here, site, travel, repair, onward, crowd, waiting):
    """The product of way and work, tempered by a root, with five minutes added to each."""
    return -math.sqrt((travel + 5) * (repair + 25))


# %% nearest_in_rings
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Ways are compared in steps of 12 minutes; within a step the shortest work wins."""
    ring = travel // 12
    return -(100 * ring + repair)


# %% stay_in_direction
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Way plus 0.4 of the work; sites that lie farther out than the repairer are postponed a little."""
    outward = abs(site[0] - 50) + abs(site[1] - 50) - abs(here[0] - 50) - abs(here[1] - 50)
    return -(travel + 0.4 * repair + 0.15 * max(0, outward))


# %% outskirts_while_near
def priority(here, site, travel, repair, onward, crowd, waiting):
    """Way and a little of the work and of the way onward, less the crowd; going outward from the middle is rewarded,
    since coming back for those sites would be dear."""
    outward = abs(site[0] - 50) + abs(site[1] - 50) - abs(here[0] - 50) - abs(here[1] - 50)
    value = travel + 0.15 * repair - 0.5 * crowd
    value += 0.35 * onward * (waiting - 1) / (waiting + 5)
    value -= 0.4 * outward if outward < 0 else 0.28 * outward
    return -value
