"""Seed programs of `knapsack_construct`: one a cell, each named after its idea."""

# %% ratio_loop


def select_next_item(remaining_capacity, remaining_items):
    """Among the items that fit, take the one that earns most per unit of weight."""
    best = None
    best_ratio = -1.0
    for weight, value, index in remaining_items:
        if weight <= remaining_capacity and value / weight > best_ratio:
            best_ratio = value / weight
            best = (weight, value, index)
    return best


# %% lightest_fit


def select_next_item(remaining_capacity, remaining_items):
    """Pack the lightest items first so that as many as possible fit."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    return min(fitting, key=lambda item: item[0], default=None)


# %% heaviest_fit


def select_next_item(remaining_capacity, remaining_items):
    """Use up the capacity quickly: always the heaviest item that still fits."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(fitting, key=lambda item: item[0], default=None)


# %% richest_fit


def select_next_item(remaining_capacity, remaining_items):
    """Take the most valuable item that fits; of equally valuable ones the lighter."""
    best = None
    for item in remaining_items:
        if item[0] > remaining_capacity:
            continue
        if best is None or (item[1], -item[0]) > (best[1], -best[0]):
            best = item
    return best


# %% last_index


def select_next_item(remaining_capacity, remaining_items):
    """Walk through the list from its end and pack whatever fits."""
    for item in reversed(remaining_items):
        if item[0] <= remaining_capacity:
            return item
    return None


# %% first_with_merit


def select_next_item(remaining_capacity, remaining_items):
    """Take the first fitting item whose density is above the average; if there is none, the first that fits."""
    total_weight = sum(weight for weight, _, _ in remaining_items)
    total_value = sum(value for _, value, _ in remaining_items)
    fallback = None
    for item in remaining_items:
        weight, value, _ = item
        if weight <= remaining_capacity:
            if value * total_weight >= weight * total_value:
                return item
            if fallback is None:
                fallback = item
    return fallback


# %% random_fit

import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Draw uniformly among the fitting items, with a generator seeded by the state."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    rng = np.random.default_rng(1000 * len(remaining_items) + remaining_capacity)
    return fitting[int(rng.integers(len(fitting)))]


# %% density_roulette

import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Roulette wheel: an item is drawn with a probability that grows with the fourth power of its density."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if len(fitting) == 0:
        return None
    density = np.array([value / weight for weight, value, _ in fitting], dtype=float)
    chance = (density + 1e-9) ** 4
    chance = chance / chance.sum()
    rng = np.random.default_rng(remaining_capacity + 17)
    return fitting[int(rng.choice(len(fitting), p=chance))]


# %% surplus


def select_next_item(remaining_capacity, remaining_items):
    """Value minus weight: how much more an item earns than the room it takes."""
    chosen = None
    margin = 0
    for item in remaining_items:
        weight, value, index = item
        if weight <= remaining_capacity and (chosen is None or value - weight > margin):
            chosen = item
            margin = value - weight
    return chosen


# %% squared_value_density


def select_next_item(remaining_capacity, remaining_items):
    """Favour big earners: the square of the value divided by the weight."""

    def score(item):
        weight, value, _ = item
        return value * value / weight

    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(fitting, key=score) if fitting else None


# %% log_weight_density

import math


def select_next_item(remaining_capacity, remaining_items):
    """Value per logarithm of the weight, a mild preference for light items."""
    best, best_score = None, -math.inf
    for weight, value, index in remaining_items:
        if weight > remaining_capacity:
            continue
        score = value / math.log(weight + 2.0)
        if score > best_score:
            best, best_score = (weight, value, index), score
    return best


# %% worst_density


def select_next_item(remaining_capacity, remaining_items):
    """Deliberately weak: the fitting item with the lowest value per weight."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if fitting:
        return sorted(fitting, key=lambda item: item[1] / item[0])[0]
    return None


# %% rank_sum

import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Rank items by value and by lightness and take the smallest sum of the two ranks."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    weights = np.array([item[0] for item in fitting])
    values = np.array([item[1] for item in fitting])
    weight_rank = np.argsort(np.argsort(weights, kind="stable"), kind="stable")
    value_rank = np.argsort(np.argsort(-values, kind="stable"), kind="stable")
    return fitting[int(np.argmin(weight_rank + value_rank))]


# %% dominance_count


def dominates(a, b):
    return a[0] <= b[0] and a[1] >= b[1] and a[2] != b[2]


def select_next_item(remaining_capacity, remaining_items):
    """Take the item that is at once no heavier and no poorer than the largest number of other items."""
    best = None
    most = -1
    for item in remaining_items:
        if item[0] <= remaining_capacity:
            count = sum(1 for other in remaining_items if dominates(item, other))
            if count > most:
                best, most = item, count
    return best


# %% pareto_front


def select_next_item(remaining_capacity, remaining_items):
    """Keep only undominated items, walk along that front by weight, take the one after the steepest climb in value."""
    fitting = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: (i[0], -i[1]))
    chosen = None
    steepest = -1.0
    last_weight, last_value = 0, 0
    for item in fitting:
        weight, value, _ = item
        if value <= last_value:
            continue
        slope = (value - last_value) / max(1, weight - last_weight)
        if slope > steepest:
            chosen, steepest = item, slope
        last_weight, last_value = weight, value
    return chosen


# %% critical_density


def select_next_item(remaining_capacity, remaining_items):
    """Price capacity at four fifths of the greedy fill's breaking density; take the largest net profit."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    by_density = sorted(fitting, key=lambda item: item[1] / item[0], reverse=True)
    price = by_density[-1][1] / by_density[-1][0]
    room = remaining_capacity
    for weight, value, _ in by_density:
        if weight > room:
            price = value / weight
            break
        room -= weight
    return max(by_density, key=lambda item: item[1] - 0.8 * price * item[0])


# %% fractional_bound

import numpy as np


def relaxed_value(capacity, items):
    """Greedy fractional value of items that are sorted by density."""
    total = 0.0
    for weight, value, _ in items:
        if weight >= capacity:
            return total + value * capacity / weight
        total += value
        capacity -= weight
    return total


def select_next_item(remaining_capacity, remaining_items):
    """Take the item whose value plus the fractional bound of the rest is largest; density breaks ties."""
    ordered = sorted(remaining_items, key=lambda i: -i[1] / i[0])
    fitting = [i for i in ordered if i[0] <= remaining_capacity]
    if not fitting:
        return None
    bounds = []
    for item in fitting:
        rest = [i for i in ordered if i[2] != item[2] and i[0] <= remaining_capacity - item[0]]
        bounds.append(item[1] + relaxed_value(remaining_capacity - item[0], rest))
    return fitting[int(np.argmax(bounds))]


# %% exact_fill_first


def select_next_item(remaining_capacity, remaining_items):
    """If one item fills the knapsack exactly and is worth more than the greedy pick, take it; else go by density."""
    exact = [item for item in remaining_items if item[0] == remaining_capacity]
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    greedy = max(fitting, key=lambda item: item[1] / item[0])
    if exact:
        closing = max(exact, key=lambda item: item[1])
        if closing[1] > greedy[1]:
            return closing
    return greedy


# %% endgame_switch


def select_next_item(remaining_capacity, remaining_items):
    """Density while there is plenty of room; the most valuable item once little more than one average item fits."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    average = sum(item[0] for item in fitting) / len(fitting)
    if remaining_capacity < 1.5 * average:
        return max(fitting, key=lambda item: (item[1], -item[0]))
    return max(fitting, key=lambda item: (item[1] / item[0], item[1]))


# %% best_pair

from itertools import combinations


def select_next_item(remaining_capacity, remaining_items):
    """Find the pair that fits together and has the highest joint density; return its denser member."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    best = max(fitting, key=lambda item: item[1], default=None)
    best_density = 0.0
    for a, b in combinations(fitting, 2):
        weight = a[0] + b[0]
        if weight > remaining_capacity:
            continue
        density = (a[1] + b[1]) / (weight + 3)
        if density > best_density:
            best_density = density
            best = a if a[1] * b[0] >= b[1] * a[0] else b
    return best


# %% pair_completion


def select_next_item(remaining_capacity, remaining_items):
    """Finish with two: when two items can close the knapsack well, take that pair's richer half, else use density."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if len(fitting) <= 1:
        return fitting[0] if fitting else None
    greedy = max(fitting, key=lambda item: item[1] / item[0])
    if remaining_capacity > 40:
        return greedy
    best_total = 0
    choice = greedy
    for first in fitting:
        partner_value = 0
        for second in fitting:
            if second[2] != first[2] and first[0] + second[0] <= remaining_capacity:
                partner_value = max(partner_value, second[1])
        if first[1] + partner_value > best_total:
            best_total = first[1] + partner_value
            choice = first
    return choice


# %% triple_lookahead


def best_of(capacity, pool, depth):
    """The largest value of at most `depth` items of the pool."""
    if depth == 0:
        return 0
    best = 0
    for k, (weight, value, _) in enumerate(pool):
        if weight <= capacity:
            best = max(best, value + best_of(capacity - weight, pool[k + 1 :], depth - 1))
    return best


def select_next_item(remaining_capacity, remaining_items):
    """Look three items ahead among the ten densest ones and take the start of the richest triple per used capacity."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    fitting.sort(key=lambda item: item[1] / item[0], reverse=True)
    pool = fitting[:10]
    best, best_score = None, -1.0
    for item in pool[:4]:
        rest = [other for other in pool if other[2] != item[2]]
        score = item[1] + best_of(remaining_capacity - item[0], rest, 2) + 2 * item[1] / item[0]
        if score > best_score:
            best, best_score = item, score
    return best


# %% short_fill_lookahead


def fill(capacity, ordered, skip, steps):
    value = 0
    for item in ordered:
        if steps == 0:
            break
        if item[2] != skip and item[0] <= capacity:
            capacity -= item[0]
            value += item[1]
            steps -= 1
    return value, capacity


def select_next_item(remaining_capacity, remaining_items):
    """Try each item, add the next four by density, price the room left at an average rate and keep the best start."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    best = None
    best_score = -1.0
    for item in ordered[:12]:
        value, left = fill(remaining_capacity - item[0], ordered, item[2], 4)
        rate = ordered[len(ordered) // 3][1] / ordered[len(ordered) // 3][0]
        score = item[1] + value + rate * left
        if score > best_score:
            best, best_score = item, score
    return best


# %% stranded_room_penalty


def select_next_item(remaining_capacity, remaining_items):
    """Density, reduced by the share of the room after the choice that no single remaining item can use."""
    best = None
    best_score = float("-inf")
    for item in remaining_items:
        weight, value, index = item
        if weight > remaining_capacity:
            continue
        left = remaining_capacity - weight
        usable = max((w for w, _, i in remaining_items if i != index and w <= left), default=0)
        stranded = left - usable if left <= 60 else 0
        score = (value - 0.8 * stranded) / weight
        if score > best_score:
            best, best_score = item, score
    return best


# %% big_stones_first


def select_next_item(remaining_capacity, remaining_items):
    """Bisect for the price at which half as much again as fits is wanted, then pack the wanted items heaviest first."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    low, high = 0.0, 64.0
    for _ in range(30):
        price = 0.5 * (low + high)
        wanted_weight = sum(w for w, v, _ in fitting if v > price * w)
        if wanted_weight > 1.5 * remaining_capacity:
            low = price
        else:
            high = price
    wanted = [item for item in fitting if item[1] > high * item[0]]
    return max(wanted or fitting, key=lambda item: (item[0], item[1]))


# %% displaced_value


def select_next_item(remaining_capacity, remaining_items):
    """Opportunity cost: value less the most that one or two other items of no more weight together would bring."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    best, best_margin = None, float("-inf")
    for item in fitting:
        others = [o for o in fitting if o[2] != item[2] and o[0] <= item[0]]
        displaced = 0
        for k, first in enumerate(others):
            displaced = max(displaced, first[1])
            for second in others[k + 1 :]:
                if first[0] + second[0] <= item[0]:
                    displaced = max(displaced, first[1] + second[1])
        margin = item[1] - displaced
        if margin > best_margin:
            best, best_margin = item, margin
    return best


# %% target_weight


def select_next_item(remaining_capacity, remaining_items):
    """Guess how many more items will fit and look for a dense item near the matching share of the capacity."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    ordered = sorted(item[0] for item in fitting)
    count, used = 0, 0
    for weight in ordered:
        if used + weight <= remaining_capacity:
            used += weight
            count += 1
    target = remaining_capacity / max(1, 0.7 * count)
    return max(fitting, key=lambda item: item[1] / item[0] - abs(item[0] - target) / target)


# %% light_batch_then_rich


def select_next_item(remaining_capacity, remaining_items):
    """Two phases: first all items of at most a tenth of the room, by value; then the richest that fits."""
    small = [item for item in remaining_items if item[0] * 10 <= remaining_capacity]
    if small:
        return max(small, key=lambda item: item[1])
    medium = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(medium, key=lambda item: item[1]) if medium else None


# %% median_weight


def select_next_item(remaining_capacity, remaining_items):
    """Take the fitting item whose weight is nearest to the median weight, whatever it is worth."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    weights = sorted(weight for weight, _, _ in fitting)
    middle = weights[len(weights) // 2]
    return min(fitting, key=lambda item: (abs(item[0] - middle), -item[1]))


# %% alternate_rules


def select_next_item(remaining_capacity, remaining_items):
    """Alternate between two rules: the richest item on even turns, the densest one on odd turns."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if len(fitting) == 0:
        return None
    if len(remaining_items) % 2 == 0:
        return max(fitting, key=lambda item: item[1])
    return max(fitting, key=lambda item: item[1] / item[0])


# %% standard_scores

import numpy as np


def standardise(x):
    return (x - x.mean()) / (x.std() + 1e-9)


def select_next_item(remaining_capacity, remaining_items):
    """Standardised value minus a standardised weight that counts more while the knapsack is empty."""
    data = np.array(remaining_items)
    weights, values = data[:, 0], data[:, 1]
    if not np.any(weights <= remaining_capacity):
        return None
    emphasis = 0.6 + remaining_capacity / 100.0
    score = standardise(values) - emphasis * standardise(weights)
    score[weights > remaining_capacity] = -np.inf
    return remaining_items[int(np.argmax(score))]


# %% replace_by_two


def select_next_item(remaining_capacity, remaining_items):
    """Start from the richest item, but give way to two items that together weigh no more and are worth more."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    pick = max(fitting, key=lambda item: item[1])
    for _ in range(6):
        better = None
        record = pick[1]
        for a in fitting:
            for b in fitting:
                if a[2] < b[2] and a[0] + b[0] <= pick[0] and a[1] + b[1] > record:
                    record = a[1] + b[1]
                    better = a if a[1] >= b[1] else b
        if better is None:
            return pick
        pick = better
    return pick


# %% satisfied_early

import math


def select_next_item(remaining_capacity, remaining_items):
    """Densest first, but stop for good once nothing reaches a demanded density that rises as room runs out."""
    best = None
    best_density = -math.inf
    for item in remaining_items:
        density = item[1] / item[0]
        if item[0] <= remaining_capacity and density > best_density:
            best, best_density = item, density
    demanded = 1.2 + 0.6 * (1.0 - remaining_capacity / 100.0)
    return best if best_density >= demanded else None


# %% narrow_beam


def select_next_item(remaining_capacity, remaining_items):
    """A narrow beam: keep the five best partial fills for four steps and return the first item of the winner."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not ordered:
        return None
    rate = ordered[min(len(ordered) - 1, 6)][1] / ordered[min(len(ordered) - 1, 6)][0]
    beam = [(0.0, remaining_capacity, ())]
    for _ in range(4):
        grown = []
        for _, room, packed in beam:
            options = [i for i in ordered if i[0] <= room and i not in packed][:8]
            for item in options:
                value = sum(p[1] for p in packed) + item[1]
                left = room - item[0]
                grown.append((value + rate * left, left, (*packed, item)))
        if not grown:
            break
        grown.sort(key=lambda state: state[0], reverse=True)
        beam = grown[:5]
    return max(beam[0][2], key=lambda item: item[1] / item[0])


# %% growing_exponent


def select_next_item(remaining_capacity, remaining_items):
    """Value over weight to a power that shrinks with the room: weight matters early, value matters late."""
    exponent = min(1.0, 0.25 + remaining_capacity / 90.0)
    best = None
    best_score = -1.0
    for item in remaining_items:
        weight, value, _ = item
        if weight <= remaining_capacity:
            score = value / weight**exponent
            if score > best_score:
                best, best_score = item, score
    return best


# %% tight_close


def select_next_item(remaining_capacity, remaining_items):
    """Density times how well the item, alone or with one partner, closes the remaining room."""
    weights = {weight for weight, _, _ in remaining_items}

    def closeness(item):
        left = remaining_capacity - item[0]
        gap = min([left - w for w in weights if w <= left] + [left])
        return 1.0 / (1.0 + 0.05 * gap)

    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(fitting, key=lambda item: closeness(item) * item[1] / item[0]) if fitting else None


# %% drop_misfits_first


def select_next_item(remaining_capacity, remaining_items):
    """Weak on purpose: discards rich misfits first, then packs the item with most weight times value."""
    misfits = [item for item in remaining_items if item[0] > remaining_capacity]
    if misfits:
        return max(misfits, key=lambda item: item[1])
    return max(remaining_items, key=lambda item: item[0] * item[1], default=None)


# %% list_head


def select_next_item(remaining_capacity, remaining_items):
    """No thought at all: the first item of the list, fitting or not."""
    return remaining_items[0] if remaining_items else None
