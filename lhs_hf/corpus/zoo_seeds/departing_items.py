"""Seed programs for `departing_items`: one complete program a cell, named after its idea."""


# %% always_open
def priority(size, stay, room, sizes_inside, hours_left):
    """A new bin for every item."""
    return 0 if sizes_inside else 1


# %% random_bin
import random


def priority(size, stay, room, sizes_inside, hours_left):
    """Any bin, with a generator seeded from the item and the bin."""
    rng = random.Random(size + 101 * stay + 10007 * room + sum(hours_left))
    return rng.random()


# %% worst_fit
def priority(size, stay, room, sizes_inside, hours_left):
    """The bin in use with the most room; a new one if none has enough."""
    if not sizes_inside:
        return -1
    return room


# %% first_opened
def priority(size, stay, room, sizes_inside, hours_left):
    """Bins in use are all alike, so the one that was opened first is taken."""
    return 1 if len(sizes_inside) > 0 else 0


# %% most_items
def priority(size, stay, room, sizes_inside, hours_left):
    """The bin with the most items inside, however small they are."""
    return len(sizes_inside)


# %% stays_open_longest
def priority(size, stay, room, sizes_inside, hours_left):
    """The bin that will be open for the longest time anyway."""
    return max(hours_left, default=-1)


# %% empties_first
def priority(size, stay, room, sizes_inside, hours_left):
    """The bin in use that empties first: the opposite of keeping bins apart by their end."""
    return -max(hours_left) if hours_left else -1000


# %% least_extension
def priority(size, stay, room, sizes_inside, hours_left):
    """As few more hours as possible have to be paid; the fuller bin on ties."""
    end = max(hours_left, default=0)
    extension = max(0, stay - end)
    return -extension - 0.01 * room


# %% nearest_end
def priority(size, stay, room, sizes_inside, hours_left):
    """The bin that empties nearest to the hour when the item leaves."""
    if not hours_left:
        return -10000
    return -abs(stay - max(hours_left))


# %% nearest_departure_inside
def priority(size, stay, room, sizes_inside, hours_left):
    """The bin with an item that leaves at nearly the same hour."""
    gaps = [abs(stay - hours) for hours in hours_left]
    return -min(gaps) if gaps else -999


# %% mean_departure
def priority(size, stay, room, sizes_inside, hours_left):
    """The mean departure of a bin's items, weighted by size, is to be like the item's."""
    if not sizes_inside:
        return -500.0
    mean = sum(s * h for s, h in zip(sizes_inside, hours_left)) / sum(sizes_inside)
    return -abs(mean - stay)


# %% extension_then_waste
def priority(size, stay, room, sizes_inside, hours_left):
    """Few more hours to pay; among bins that end late enough the one that ends soonest."""
    end = max(hours_left, default=0)
    if end >= stay:
        return 1000 - (end - stay)
    return -2 * (stay - end) + end


# %% short_and_long_apart
def priority(size, stay, room, sizes_inside, hours_left):
    """Short stays go into the fullest bin, long ones into bins that hold another long one."""
    if not hours_left:
        return -200
    end = max(hours_left)
    if stay < 20:
        return -room - (100 if end < stay else 0)
    return end - (100 if end < 20 else 0)


# %% space_time_left_over
def priority(size, stay, room, sizes_inside, hours_left):
    """The room that stays unused until the bin empties, each hour counted, is to be small."""
    end = max([stay, *hours_left])
    used = size * stay + sum(s * h for s, h in zip(sizes_inside, hours_left))
    total = (room + sum(sizes_inside)) * end
    return -(total - used) - (0 if hours_left else 2000)


# %% share_of_space_time
def priority(size, stay, room, sizes_inside, hours_left):
    """The share of the bin's space and time that is in use from now on is to be large."""
    capacity = room + sum(sizes_inside)
    end = max([stay, *hours_left])
    used = size * stay + sum(s * h for s, h in zip(sizes_inside, hours_left))
    return used / (capacity * end) - (0.5 if not hours_left else 0.0)


# %% weighted_extension_and_room
def priority(size, stay, room, sizes_inside, hours_left):
    """Hours to pay more count most, then the distance of the ends, then the room left after."""
    capacity = room + sum(sizes_inside)
    end = max(hours_left, default=0)
    value = -1.0 * max(0, stay - end) - 0.2 * abs(stay - end)
    value -= 8.0 * (room - size) / capacity
    return value


# %% keep_dying_bins_empty
def priority(size, stay, room, sizes_inside, hours_left):
    """A bin that is nearly empty of long stays is left to die unless the item leaves before it does."""
    end = max(hours_left, default=0)
    extension = max(0, stay - end)
    fresh = 0 if hours_left else 1
    longer = sum(1 for hours in hours_left if hours >= stay)
    return 3 * longer - 0.6 * extension - 0.05 * (room - size) - 4 * fresh


# %% badly_filled_hours
def priority(size, stay, room, sizes_inside, hours_left):
    """Hours in which the bin is badly filled, those under half full most: what the item adds or saves decides."""
    capacity = room + sum(sizes_inside)

    def thin(sizes, hours):
        count = 0
        for hour in range(max(hours, default=0)):
            load = sum(s for s, h in zip(sizes, hours) if h > hour)
            count += 1.0 - load / capacity if load < 0.5 * capacity else 0.25 * (1.0 - load / capacity)
        return count

    before = thin(sizes_inside, hours_left)
    after = thin((*sizes_inside, size), (*hours_left, stay))
    end = max(hours_left, default=0)
    return before - after - 1.0 * max(0, stay - end) - (3 if not hours_left else 0)


# %% ratio_of_ends
import math


def priority(size, stay, room, sizes_inside, hours_left):
    """The ends are to be alike as a ratio, since an hour matters more for short stays; a little for a tight fit."""
    if not hours_left:
        return -2.0 * math.log(1 + stay)
    ratio = math.log((stay + 1) / (max(hours_left) + 1))
    return -abs(ratio) - 0.5 * (room - size) / (room + sum(sizes_inside))


# %% hours_per_unit_of_room
def priority(size, stay, room, sizes_inside, hours_left):
    """Hours to pay more, and the hours for which room in a bin that stays open is withheld from longer items."""
    end = max(hours_left, default=0)
    if not hours_left:
        return -1.2 * stay
    if stay > end:
        return -(stay - end) * (1.0 + (room - size) / (room + sum(sizes_inside)))
    return -0.5 * (end - stay) * (1 - room / (1 + room + sum(sizes_inside)))
