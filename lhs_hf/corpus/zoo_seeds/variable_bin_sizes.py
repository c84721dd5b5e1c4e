"""Seed programs for `variable_bin_sizes`: one complete program a cell, named after its idea."""


# %% always_new_and_dear
def choose_place(item_size, places, room, price, later_sizes):
    """The most expensive place there is: always a bin of its own."""
    return max(places, key=lambda place: price[place])


# %% random_place
import random


def choose_place(item_size, places, room, price, later_sizes):
    """Any place, from a generator seeded with the item and the number of items to come."""
    rng = random.Random(97 * item_size + len(later_sizes))
    return rng.choice(places)


# %% worst_fit
def choose_place(item_size, places, room, price, later_sizes):
    """The place with the most room, open or not, and among equals the cheaper one."""
    return max(places, key=lambda place: (room[place], -price[place]))


# %% smallest_bin_best_fit
def choose_place(item_size, places, room, price, later_sizes):
    """The open bin with the least room; where none fits, the smallest new bin that holds the item."""
    best = None
    for place in places:
        if best is None or (place < 0, room[place]) < (best < 0, room[best]):
            best = place
    return best


# %% largest_bin_best_fit
def choose_place(item_size, places, room, price, later_sizes):
    """The open bin with the least room; where none fits, the largest new bin."""
    opened = [place for place in places if place >= 0]
    if opened:
        return min(opened, key=lambda place: room[place])
    return max(places, key=lambda place: room[place])


# %% cheapest_unit_first_fit
def choose_place(item_size, places, room, price, later_sizes):
    """The first open bin; where none fits, the new bin with the lowest price for a unit of space."""
    if places[0] >= 0:
        return places[0]
    return min(places, key=lambda place: price[place] / room[place])


# %% cheapest_unit_best_fit
def choose_place(item_size, places, room, price, later_sizes):
    """The open bin with the least room; where none fits, the new bin with the lowest price for a unit of space."""

    def key(place):
        return (0, room[place]) if place >= 0 else (1, price[place] / room[place])

    return min(places, key=key)


# %% newest_bin
def choose_place(item_size, places, room, price, later_sizes):
    """Only the bin opened last is used again; new bins have the lowest price for a unit of space."""
    opened = [place for place in places if place >= 0]
    if opened:
        return opened[-1]
    best, best_rate = places[0], float("inf")
    for place in places:
        if price[place] / room[place] < best_rate:
            best, best_rate = place, price[place] / room[place]
    return best


# %% leave_none_or_much
def choose_place(item_size, places, room, price, later_sizes):
    """An open bin that is filled to the last bits, or else the one with most room; new bins by price a unit."""
    opened = [place for place in places if place >= 0]
    full = [place for place in opened if room[place] - item_size <= 3]
    if full:
        return full[0]
    if opened:
        return max(opened, key=lambda place: room[place])
    return min(places, key=lambda place: price[place] / room[place])


# %% average_size_remainder
def choose_place(item_size, places, room, price, later_sizes):
    """Of open bins the one that is left nearest to a multiple of the mean size to come."""
    mean = sum(later_sizes) / len(later_sizes) if later_sizes else 1.0

    def waste(place):
        left = room[place] - item_size
        return left - mean * int(left / mean)

    opened = [place for place in places if place >= 0]
    if opened:
        return min(opened, key=waste)
    return min(places, key=lambda place: price[place] / room[place])


# %% fits_what_is_left
def choose_place(item_size, places, room, price, later_sizes):
    """Best fit; a new bin is the cheapest that holds everything to come, or the best value if none does."""
    opened = [place for place in places if place >= 0]
    if opened:
        return min(opened, key=lambda place: room[place])
    total = item_size + sum(later_sizes)
    enough = [place for place in places if room[place] >= total]
    if enough:
        return min(enough, key=lambda place: price[place])
    return min(places, key=lambda place: price[place] / room[place])


# %% price_of_used_space
def choose_place(item_size, places, room, price, later_sizes):
    """A new bin's price is shared by what it will likely hold: the next items as far as they fit."""

    def rate(place):
        used = item_size
        for size in later_sizes:
            if used + size <= room[place]:
                used += size
        return price[place] / used

    opened = [place for place in places if place >= 0]
    return min(opened, key=lambda place: room[place]) if opened else min(places, key=rate)


# %% subset_sum_with_later
def choose_place(item_size, places, room, price, later_sizes):
    """Open bins that the next items can fill to the brim are kept for them; new bins by price a unit."""
    best, best_waste = None, float("inf")
    for place in places:
        if place < 0:
            continue
        left = room[place] - item_size
        sums = {0}
        for size in later_sizes[:8]:
            sums |= {total + size for total in sums if total + size <= left}
        waste = left - max(sums)
        if waste < best_waste:
            best, best_waste = place, waste
    return min(places, key=lambda place: price[place] / room[place]) if best is None else best


# %% space_has_a_price
def choose_place(item_size, places, room, price, later_sizes):
    """The price less what the space left is worth; an open bin's space counts as lost where no item to come fits."""
    rate = min(price[place] / room[place] for place in room if place < 0)
    smallest, total = min(later_sizes, default=10**9), sum(later_sizes)

    def cost(place):
        left = min(room[place] - item_size, total)
        worth = rate * left if left >= smallest else 0.0
        lost = rate * min(room[place], total + item_size) if place >= 0 else 3.0
        return price[place] + lost - worth

    return min(places, key=cost)


# %% rollout_best_fit
def choose_place(item_size, places, room, price, later_sizes):
    """Finish each place by best fit with new bins by price a unit, and keep the cheapest end."""
    kinds = [(room[place], price[place]) for place in room if place < 0]

    def finish(place):
        free = [room[other] for other in room if other >= 0 and other != place] + [room[place] - item_size]
        paid = price[place]
        for position, size in enumerate(later_sizes):
            fits = [k for k, left in enumerate(free) if left >= size]
            if fits:
                free[min(fits, key=lambda k: free[k])] -= size
                continue
            total = sum(later_sizes[position:])
            enough = [kind for kind in kinds if kind[0] >= total]
            capacity, cost = min(enough or kinds, key=lambda kind: kind[1] if enough else kind[1] / kind[0])
            free.append(capacity - size)
            paid += cost
        return paid

    return min(places, key=lambda place: (finish(place), room[place]))


# %% rollout_decreasing
def choose_place(item_size, places, room, price, later_sizes):
    """Finish each place with the items to come in descending order; the cheapest end wins, then the tightest fit."""
    rest = sorted(later_sizes, reverse=True)
    kinds = [(room[place], price[place]) for place in room if place < 0]

    def finish(place):
        free = {other: room[other] for other in room if other >= 0}
        free[place] = room[place] - item_size
        paid, left = price[place], sum(rest)
        for size in rest:
            fits = [each for each in free if free[each] >= size]
            if fits:
                free[min(fits, key=free.get)] -= size
            else:
                capacity, cost = min(kinds, key=lambda kind: kind[1] / min(kind[0], left))
                free[len(free) + 1000] = capacity - size
                paid += cost
            left -= size
        return paid

    return min(places, key=lambda place: (finish(place), room[place] - item_size))


# %% cover_the_rest
def choose_place(item_size, places, room, price, later_sizes):
    """Best fit; new bins come from the cheapest set of kinds that has space for all that no open bin has space for."""
    opened = [place for place in places if place >= 0]
    if opened:
        return min(opened, key=lambda place: room[place])
    free = sum(0.8 * room[place] for place in room if place >= 0)
    need = int(max(item_size, 1.02 * (item_size + sum(later_sizes)) - free))
    best = [(0, None)]
    for amount in range(1, need + 1):
        best.append(min((best[max(0, amount - room[kind])][0] + price[kind], kind) for kind in room if kind < 0))
    amount, chosen = need, []
    while amount > 0:
        kind = best[amount][1]
        chosen.append(kind)
        amount = max(0, amount - room[kind])
    holding = [kind for kind in chosen if kind in places]
    return max(holding, key=lambda kind: room[kind]) if holding else min(places, key=lambda kind: price[kind])
