"""Seed programs for `shelf_packing`: one complete program a cell, named after its idea."""


# %% last_option
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The last option: a shelf of its own for every rectangle."""
    return options[-1]


# %% random_option
import random


def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """Any option at random, from a generator seeded with the number of options and shelves."""
    return random.Random(1000 * len(options) + len(shelf_room)).choice(options)


# %% lowest_first
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The lowest rectangle first, on an existing shelf where one can hold it."""
    lowest = min(heights[item] for item, _ in options)
    for item, shelf in options:
        if heights[item] == lowest:
            return item, shelf


# %% next_fit_decreasing_height
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The highest rectangle goes on the newest shelf or opens another; older shelves are never looked at again."""
    highest = max((item for item, _ in options), key=lambda item: (heights[item], -item))
    newest = len(shelf_room) - 1
    return (highest, newest) if (highest, newest) in options else (highest, -1)


# %% first_fit_decreasing_height
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The highest rectangle on the first shelf with room for it."""
    best = options[0]
    for option in options:
        if heights[option[0]] > heights[best[0]]:
            best = option
    return best


# %% best_fit_decreasing_height
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The highest rectangle on the shelf that is left with the least width."""

    def key(option):
        item, shelf = option
        left = shelf_room[shelf] - widths[item] if shelf >= 0 else 10**6
        return -heights[item], left

    return min(options, key=key)


# %% worst_fit_decreasing_height
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The highest rectangle on the shelf with the most free width, on a new one only if none can hold it."""
    return max(options, key=lambda o: (heights[o[0]], o[1] >= 0, shelf_room[o[1]] if o[1] >= 0 else 0))


# %% widest_first
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The widest rectangle, on the shelf whose height it uses best."""
    wide = max(widths[item] for item, _ in options)
    fitting = [(item, shelf) for item, shelf in options if widths[item] == wide]
    used = [(item, shelf) for item, shelf in fitting if shelf >= 0]
    if not used:
        return fitting[0]
    return min(used, key=lambda option: shelf_heights[option[1]] - heights[option[0]])


# %% largest_area_least_waste
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The rectangle of the largest area, on the shelf with the least height above it and little width beside it."""
    best, best_key = None, None
    for item, shelf in options:
        area = widths[item] * heights[item]
        if shelf >= 0:
            waste = widths[item] * (shelf_heights[shelf] - heights[item]) + (shelf_room[shelf] - widths[item])
        else:
            waste = float("inf")
        if best is None or (-area, waste) < best_key:
            best, best_key = (item, shelf), (-area, waste)
    return best


# %% tightest_pair_or_highest
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """While anything fits on a shelf, the pair that leaves the least width there; otherwise the highest one opens."""
    fits = [(item, shelf) for item, shelf in options if shelf >= 0]
    if fits:
        return min(fits, key=lambda each: (shelf_room[each[1]] - widths[each[0]], -heights[each[0]]))
    return max(options, key=lambda each: heights[each[0]])


# %% largest_area_in_shelves
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """Fill the shelves with as much area as possible a step; the highest rectangle opens a shelf once nothing fits."""
    best, value = None, -1
    for item, shelf in options:
        if shelf >= 0 and widths[item] * heights[item] > value:
            best, value = (item, shelf), widths[item] * heights[item]
    if best is not None:
        return best
    return max(options, key=lambda each: (heights[each[0]], widths[each[0]]))


# %% share_of_free_place
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The pair that uses the largest share of a shelf's free place; new shelves only for the highest rectangle."""
    top = max(heights[item] for item, _ in options)
    best, best_share = None, -1.0
    for item, shelf in options:
        if shelf < 0:
            share = 0.35 if heights[item] == top else -0.5
        else:
            share = widths[item] * heights[item] / (shelf_room[shelf] * shelf_heights[shelf])
        if share > best_share:
            best, best_share = (item, shelf), share
    return best


# %% fill_the_sheet_gap
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """Highest first on existing shelves; a new shelf is the one that fills the height left on a sheet best."""
    on_shelf = [(item, shelf) for item, shelf in options if shelf >= 0]
    if on_shelf:
        return max(on_shelf, key=lambda each: (heights[each[0]], -shelf_room[each[1]]))
    gaps = [room for room in sheet_room if any(heights[item] <= room for item, _ in options)]
    if not gaps:
        return max(options, key=lambda each: heights[each[0]])
    gap = min(gaps)
    return max((each for each in options if heights[each[0]] <= gap), key=lambda each: heights[each[0]])


# %% knapsack_fill
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """Fill a shelf with the set of rectangles whose area is largest, by dynamic programming over its free width."""
    for shelf in range(len(shelf_room)):
        table = {0: (0, None)}
        for item in [i for i, s in options if s == shelf]:
            for used, (value, first) in list(table.items()):
                reached = used + widths[item]
                gain = value + widths[item] * heights[item]
                if reached <= shelf_room[shelf] and gain > table.get(reached, (-1, None))[0]:
                    table[reached] = (gain, item if first is None else first)
        chosen = max(table.values(), key=lambda entry: entry[0])[1]
        if chosen is not None:
            return chosen, shelf
    return max(options, key=lambda each: heights[each[0]])


# %% weighted_waste
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """Weigh height lost above a rectangle, width left beside it and the price of a new shelf against its area."""
    waiting = {item for item, _ in options}
    narrowest = min(widths[item] for item in waiting)

    def cost(option):
        item, shelf = option
        size = widths[item] * heights[item]
        if shelf < 0:
            return 40 * max(heights[other] for other in waiting) - 30 * heights[item]
        above = (shelf_heights[shelf] - heights[item]) * widths[item]
        beside = shelf_room[shelf] - widths[item]
        return above + (shelf_heights[shelf] * beside if beside < narrowest else 0) - 0.9 * size

    return min(options, key=cost)


# %% rollout_of_best_fit
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """Try a few promising options, finish each by best fit decreasing height and keep the one that ends lowest."""

    def finish(option):
        room, levels, sheets = list(shelf_room), list(shelf_heights), list(sheet_room)
        rest = sorted({item for item, _ in options} - {option[0]}, key=lambda item: -heights[item])
        for item in [option[0], *rest]:
            fits = [s for s in range(len(room)) if levels[s] >= heights[item] and room[s] >= widths[item]]
            shelf = min(fits, key=lambda s: room[s]) if fits else -1
            if item == option[0]:
                shelf = option[1]
            if shelf < 0:
                shelf = len(room)
                room.append(sheet_size[0])
                levels.append(heights[item])
                place = next((k for k, left in enumerate(sheets) if left >= heights[item]), len(sheets))
                if place == len(sheets):
                    sheets.append(sheet_size[1])
                sheets[place] -= heights[item]
            room[shelf] -= widths[item]
        return len(sheets) * sheet_size[1] - max(sheets)

    highest = sorted({item for item, _ in options}, key=lambda item: -heights[item])[:4]
    tight = sorted((o for o in options if o[1] >= 0), key=lambda o: shelf_room[o[1]] - widths[o[0]])[:6]
    trials = [o for o in options if o[0] in highest] + tight
    return min(trials, key=lambda o: (finish(o), -heights[o[0]], o[1] < 0))
