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


# %% middle_of_list
def select_next_item(remaining_capacity, remaining_items):
    """The fitting item in the middle of the list, whatever it weighs or earns."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    return fitting[len(fitting) // 2]


# %% scrambled_numbers
def select_next_item(remaining_capacity, remaining_items):
    """A fixed scrambling of the item numbers decides: order without meaning."""
    chosen, lowest = None, 1000
    for entry in remaining_items:
        mixed = (entry[2] * 37 + 11) % 101
        if entry[0] <= remaining_capacity and mixed < lowest:
            chosen, lowest = entry, mixed
    return chosen


# %% divisor_weights
def select_next_item(remaining_capacity, remaining_items):
    """Like weights that divide the room: the smallest remainder of room by weight, then the heavier."""
    fitting = filter(lambda entry: entry[0] <= remaining_capacity, remaining_items)
    return min(fitting, key=lambda entry: (remaining_capacity % entry[0], -entry[0]), default=None)


# %% even_weights_first
def select_next_item(remaining_capacity, remaining_items):
    """Even weights before odd ones, each group by value."""
    groups = {0: [], 1: []}
    for weight, value, index in remaining_items:
        if weight <= remaining_capacity:
            groups[weight % 2].append((value, -weight, index))
    pool = groups[0] or groups[1]
    if not pool:
        return None
    value, weight, index = max(pool)
    return (-weight, value, index)


# %% poorest_light_half
def select_next_item(remaining_capacity, remaining_items):
    """Anti-greedy: of the lighter half of the fitting items the one of least value."""
    ordered = sorted(item for item in remaining_items if item[0] <= remaining_capacity)
    if not ordered:
        return None
    lighter = ordered[: (len(ordered) + 1) // 2]
    return min(lighter, key=lambda item: item[1])


# %% half_of_the_room
def select_next_item(remaining_capacity, remaining_items):
    """Halve the room every time: the weight nearest to half of what is left."""
    pick = None
    distance = float("inf")
    for item in remaining_items:
        off = abs(2 * item[0] - remaining_capacity)
        if item[0] <= remaining_capacity and off < distance:
            distance = off
            pick = item
    return pick


# %% second_heaviest
def select_next_item(remaining_capacity, remaining_items):
    """Modest appetite: the second heaviest item that fits."""
    stack = sorted([item for item in remaining_items if item[0] <= remaining_capacity], reverse=True)
    if len(stack) > 1:
        return stack[1]
    return stack[0] if stack else None


# %% two_tickets
import random


def select_next_item(remaining_capacity, remaining_items):
    """Draw two fitting items at random and keep the one that earns more per weight."""
    source = random.Random(91 + 7 * remaining_capacity + len(remaining_items))
    bowl = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not bowl:
        return None
    left, right = source.choice(bowl), source.choice(bowl)
    return left if left[1] * right[0] >= right[1] * left[0] else right


# %% secretary_rule
def select_next_item(remaining_capacity, remaining_items):
    """Secretary rule: a first third of the list sets the bar, then the first to beat it is taken."""
    applicants = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not applicants:
        return None
    trial = len(applicants) // 3
    bar = max([value / weight for weight, value, _ in applicants[:trial]], default=0.0)
    for item in applicants[trial:]:
        if item[1] / item[0] > bar:
            return item
    return applicants[-1]


# %% next_to_largest_hole
def select_next_item(remaining_capacity, remaining_items):
    """Take the fitting item whose number follows the largest hole in the numbering."""
    before = -1
    pick, hole = None, 0
    for item in remaining_items:
        if item[0] <= remaining_capacity:
            if item[2] - before > hole:
                pick, hole = item, item[2] - before
            before = item[2]
    return pick


# %% digit_sum
def select_next_item(remaining_capacity, remaining_items):
    """Numerology: large digits in the value and small ones in the weight."""

    def digits(number):
        return number // 10 + number % 10

    options = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(options, key=lambda item: digits(item[1]) - digits(item[0])) if options else None


# %% median_density
def select_next_item(remaining_capacity, remaining_items):
    """Neither best nor worst: the item in the middle of the order by density."""
    queue = sorted(
        [item for item in remaining_items if item[0] <= remaining_capacity],
        key=lambda item: (item[1] / item[0], item[2]),
    )
    while len(queue) > 2:
        queue = queue[1:-1]
    return queue[-1] if queue else None


# %% runner_up_density
import heapq


def select_next_item(remaining_capacity, remaining_items):
    """Leave the densest item for later and take the runner-up."""
    fitting = (item for item in remaining_items if item[0] <= remaining_capacity)
    leaders = heapq.nlargest(2, fitting, key=lambda item: item[1] / item[0])
    return leaders[-1] if leaders else None


# %% fixed_handling_cost
def select_next_item(remaining_capacity, remaining_items):
    """Every item carries a handling cost: value per weight plus a share of the room."""
    handling = 1.0 + 0.12 * remaining_capacity
    candidates = [(item[1] / (item[0] + handling), item) for item in remaining_items if item[0] <= remaining_capacity]
    return max(candidates)[1] if candidates else None


# %% ideal_point
import math


def select_next_item(remaining_capacity, remaining_items):
    """Nearest in the plane to an ideal item, as light as the lightest and as rich as the richest."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    lightest = min(item[0] for item in fitting)
    richest = max(item[1] for item in fitting)
    return min(fitting, key=lambda item: math.hypot(item[0] - lightest, item[1] - richest))


# %% harmonic_shares
def select_next_item(remaining_capacity, remaining_items):
    """Harmonic mean of the share of the top value and the share of room that stays free."""
    top = max([value for _, value, _ in remaining_items], default=1)
    best, mean = None, -1.0
    for item in remaining_items:
        if item[0] > remaining_capacity:
            continue
        gain = item[1] / top
        spare = (remaining_capacity - item[0] + 1) / (remaining_capacity + 1)
        score = 2 * gain * spare / (gain + spare)
        if score > mean:
            best, mean = item, score
    return best


# %% weakest_link
def select_next_item(remaining_capacity, remaining_items):
    """Maximin: judge each item by the worse of its relative value and its relative lightness."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    heaviest = max(fitting)[0]
    values = [item[1] for item in fitting]
    low, high = min(values), max(values)

    def link(item):
        rich = (item[1] - low) / (high - low + 1)
        light = 1 - item[0] / (heaviest + 1)
        return min(rich, light), rich + light

    return max(fitting, key=link)


# %% three_juries
def select_next_item(remaining_capacity, remaining_items):
    """Three juries (density, surplus, exactness of fit) give points by place, density's points doubled."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    points = {item: 0 for item in fitting}
    juries = [
        (2, lambda item: item[1] / item[0]),
        (1, lambda item: item[1] - item[0]),
        (1, lambda item: item[0]),
    ]
    for voice, criterion in juries:
        for place, item in enumerate(sorted(fitting, key=criterion)):
            points[item] += voice * place
    return max(points, key=points.get) if points else None


# %% density_classes
def select_next_item(remaining_capacity, remaining_items):
    """Round densities into coarse classes; in the best class the heaviest item goes first."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    return max(fitting, key=lambda item: (int(3 * item[1] / item[0]), item[0]))


# %% weight_class_rotation
def select_next_item(remaining_capacity, remaining_items):
    """Rotate through three weight classes with the number of items left; the best of the class by density."""
    classes = [[], [], []]
    for item in remaining_items:
        if item[0] <= remaining_capacity:
            classes[min(2, item[0] // 12)].append(item)
    turn = len(remaining_items) % 3
    for shift in range(3):
        group = classes[(turn + shift) % 3]
        if group:
            return max(group, key=lambda item: item[1] / item[0])
    return None


# %% line_residual
import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Fit a straight line of value over weight and take the item farthest above it."""
    table = np.array(remaining_items, dtype=float)
    ok = table[:, 0] <= remaining_capacity
    if not ok.any():
        return None
    x, y = table[ok, 0], table[ok, 1]
    spread = ((x - x.mean()) ** 2).sum()
    slope = ((x - x.mean()) * (y - y.mean())).sum() / spread if spread > 0 else 0.0
    residual = y - y.mean() - slope * (x - x.mean())
    return remaining_items[int(np.flatnonzero(ok)[residual.argmax()])]


# %% neighbours_in_weight
import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Bell-shaped average value around each weight: relative excess of an item over its like."""
    weights = np.array([item[0] for item in remaining_items], dtype=float)
    values = np.array([item[1] for item in remaining_items], dtype=float)
    if weights.size == 0 or weights.min() > remaining_capacity:
        return None
    bell = np.exp(-(((weights[:, None] - weights[None, :]) / 12.0) ** 2))
    usual = bell @ values / bell.sum(axis=1)
    score = np.where(weights <= remaining_capacity, (values - 0.5 * usual) / weights, -1e9)
    return remaining_items[int(score.argmax())]


# %% price_ballot
def select_next_item(remaining_capacity, remaining_items):
    """Put capacity up at many prices; the item that has the largest net gain at most prices wins."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    top = max(value / weight for weight, value, _ in fitting)
    votes = {}
    for step in range(1, 24):
        price = top * step / 24
        winner = max(fitting, key=lambda item: item[1] - price * item[0])
        votes[winner] = votes.get(winner, 0) + 1
    return max(votes, key=lambda item: (votes[item], item[1] / item[0]))


# %% upper_hull_corner
def select_next_item(remaining_capacity, remaining_items):
    """Climb the concave hull of the weight-value cloud as far as the slope stays above a mean density."""
    hull = [(0, 0, -1)]
    cloud = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not cloud:
        return None
    floor = 0.8 * sum(item[1] for item in cloud) / sum(item[0] for item in cloud)
    for item in sorted(cloud, key=lambda i: (i[0], -i[1])):
        if item[1] <= hull[-1][1]:
            continue
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            if (b[1] - a[1]) * (item[0] - b[0]) > (item[1] - b[1]) * (b[0] - a[0]):
                break
            hull.pop()
        hull.append(item)
    corner = 1
    while corner + 1 < len(hull):
        rise, run = hull[corner + 1][1] - hull[corner][1], hull[corner + 1][0] - hull[corner][0]
        if rise < floor * run or hull[corner + 1][0] > 0.6 * remaining_capacity:
            break
        corner += 1
    return hull[corner]


# %% beaten_count
def select_next_item(remaining_capacity, remaining_items):
    """Of the items with no other both lighter and richer, the heaviest within half the room."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None

    def beaten(item):
        return len([o for o in fitting if o[0] < item[0] and o[1] > item[1]])

    return min(fitting, key=lambda item: (beaten(item), 2 * item[0] > remaining_capacity, -item[0]))


# %% density_rival_gap
def select_next_item(remaining_capacity, remaining_items):
    """Most value above the best rival that weighs no more than this item: irreplaceable things first."""
    pick, lead = None, None
    champion = 0
    for item in sorted(remaining_items, key=lambda entry: (entry[0], -entry[1])):
        if item[0] > remaining_capacity:
            break
        margin = (item[1] - champion) / (item[0] ** 0.5)
        if lead is None or margin > lead:
            pick, lead = item, margin
        champion = max(champion, item[1])
    return pick


# %% keep_options_open
def select_next_item(remaining_capacity, remaining_items):
    """Density plus a bonus for the share of items that would still fit afterwards."""
    ranked = []
    for item in remaining_items:
        if item[0] <= remaining_capacity:
            left = remaining_capacity - item[0]
            alive = sum(1 for other in remaining_items if other[0] <= left)
            ranked.append((item[1] / item[0] + 1.5 * alive / len(remaining_items), item[1], item))
    ranked.sort()
    return ranked[-1][2] if ranked else None


# %% lost_treasure
def select_next_item(remaining_capacity, remaining_items):
    """Charge an item a part of the most valuable thing that no longer fits once it is packed."""
    pick, top = None, float("-inf")
    for item in remaining_items:
        if item[0] > remaining_capacity:
            continue
        left = remaining_capacity - item[0]
        lost = [o[1] for o in remaining_items if left < o[0] <= remaining_capacity and o[2] != item[2]]
        kept = [o[1] for o in remaining_items if o[0] <= left and o[2] != item[2]]
        score = item[1] + 0.9 * max(kept, default=0) - 0.6 * max(lost, default=0) - 0.5 * item[0]
        if score > top:
            pick, top = item, score
    return pick


# %% light_cohort
def select_next_item(remaining_capacity, remaining_items):
    """Count how many lightest items fit; the richest item that still lets one fewer of them come along."""
    fitting = sorted((item for item in remaining_items if item[0] <= remaining_capacity), key=lambda i: i[0])
    if not fitting:
        return None
    count, used = 0, 0
    for weight, _, _ in fitting:
        if used + weight > remaining_capacity:
            break
        used += weight
        count += 1
    allowed = []
    for item in fitting:
        company = [other[0] for other in fitting if other != item][: count - 1]
        if sum(company) + item[0] <= remaining_capacity:
            allowed.append(item)
    return max(allowed, key=lambda item: (item[1], item[0]))


# %% dense_cohort_upgrade
def select_next_item(remaining_capacity, remaining_items):
    """Spend the slack of the density filling on the richest item that lets the rest of it stay."""
    ordered = sorted(
        [item for item in remaining_items if item[0] <= remaining_capacity],
        key=lambda item: -item[1] / item[0],
    )
    inside, slack = [], remaining_capacity
    for item in ordered:
        if item[0] <= slack:
            inside.append(item)
            slack -= item[0]
    best, gain = None, -1
    for item in ordered:
        for member in inside:
            if item[0] - member[0] <= slack and (item == member or item not in inside):
                if item[1] - member[1] > gain:
                    best, gain = item, item[1] - member[1]
    return best


# %% one_step_refill
def complete(room, ordered, banned):
    total = 0
    for weight, value, index in ordered:
        if weight <= room and index != banned:
            total += value
            room -= weight
    return total


def select_next_item(remaining_capacity, remaining_items):
    """Try every item first, finish by density, and take the start of the richest filling."""
    ordered = sorted(remaining_items, key=lambda item: item[1] / item[0], reverse=True)
    best, best_total = None, -1
    for item in ordered:
        if item[0] <= remaining_capacity:
            total = item[1] + complete(remaining_capacity - item[0], ordered, item[2])
            if total > best_total:
                best, best_total = item, total
    return best


# %% heavy_start_refill
def select_next_item(remaining_capacity, remaining_items):
    """Rollouts by density from each start; among equally good starts the heaviest is packed first."""
    queue = sorted(remaining_items, key=lambda item: item[0] / item[1])

    def outcome(start):
        room, total = remaining_capacity - start[0], start[1]
        for item in queue:
            if item != start and item[0] <= room:
                room, total = room - item[0], total + item[1]
        return total, start[0], -start[2]

    starts = [item for item in remaining_items if item[0] <= remaining_capacity]
    return max(starts, key=outcome, default=None)


# %% two_fold_refill
from itertools import combinations


def select_next_item(remaining_capacity, remaining_items):
    """Fix every pair of the fourteen densest items, finish by density, return the denser of the best pair."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not ordered:
        return None
    best = max(ordered[:14], key=lambda i: i[1])
    record = best[1]
    for first, second in combinations(ordered[:14], 2):
        room = remaining_capacity - first[0] - second[0]
        if room < 0:
            continue
        total = first[1] + second[1]
        for item in ordered:
            if item[0] <= room and item is not first and item is not second:
                room -= item[0]
                total += item[1]
        if total > record:
            best, record = first, total
    return best


# %% leave_one_out
def select_next_item(remaining_capacity, remaining_items):
    """Density filling with one of the first eight items forbidden; richest item of the best filling."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    best_total, best_first = -1, None
    for banned in [None, *ordered[:8]]:
        room, total, first = remaining_capacity, 0, None
        for item in ordered:
            if item is banned or item[0] > room:
                continue
            room -= item[0]
            total += item[1]
            if first is None or item[1] > first[1]:
                first = item
        if total > best_total:
            best_total, best_first = total, first
    return best_first


# %% exclusion_hurts
def bound(room, ordered, skipped):
    total = 0.0
    for weight, value, index in ordered:
        if index == skipped:
            continue
        if weight >= room:
            return total + value * room / weight
        room -= weight
        total += value
    return total


def select_next_item(remaining_capacity, remaining_items):
    """Pick the item whose absence would lower the fractional bound most, per root of its weight."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not ordered:
        return None
    full = bound(remaining_capacity, ordered, -1)
    return max(ordered, key=lambda i: (full - bound(remaining_capacity, ordered, i[2])) / i[0] ** 0.5)


# %% bound_average
def both_bounds(room, ordered, start):
    lower, upper, free, open_bound = start[1], float(start[1]), room - start[0], True
    for item in ordered:
        if item is start:
            continue
        if item[0] <= free:
            free -= item[0]
            lower += item[1]
            if open_bound:
                upper += item[1]
        elif open_bound:
            upper += item[1] * free / item[0]
            open_bound = False
    return lower, upper


def select_next_item(remaining_capacity, remaining_items):
    """Hurwicz: weigh what density filling surely reaches after a start against the fractional hope."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    fitting.sort(key=lambda item: item[1] / item[0], reverse=True)
    best, score = None, -1.0
    for start in fitting:
        sure, hope = both_bounds(remaining_capacity, fitting, start)
        mark = 0.75 * sure + 0.25 * hope + 0.01 * start[0]
        if mark > score:
            best, score = start, mark
    return best


# %% worst_of_two_finishes
def finish(room, queue, start):
    room, total = room - start[0], start[1]
    for item in queue:
        if item[0] <= room and item[2] != start[2]:
            room -= item[0]
            total += item[1]
    return total


def select_next_item(remaining_capacity, remaining_items):
    """Cautious: the poorer of a finish by density and one by surplus, plus half the better."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    queues = (
        sorted(fitting, key=lambda item: item[0] / item[1]),
        sorted(fitting, key=lambda item: (item[0] - item[1], item[0])),
    )

    def caution(start):
        ends = [finish(remaining_capacity, queue, start) for queue in queues]
        return 0.5 * max(ends) + min(ends)

    return max(fitting, key=caution, default=None)


# %% four_rules_parliament
def select_next_item(remaining_capacity, remaining_items):
    """Four greedy rules each fill the knapsack; start with the densest item of the richest filling."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    rules = {
        "density": lambda w, v: v / w,
        "square": lambda w, v: v * v / w,
        "root": lambda w, v: v / w**0.5,
        "light": lambda w, v: -w,
    }
    richest, filling = -1, []
    for rule in rules.values():
        room, packed = remaining_capacity, []
        for item in sorted(fitting, key=lambda item: -rule(item[0], item[1])):
            if item[0] <= room:
                packed.append(item)
                room -= item[0]
        worth = sum(value for _, value, _ in packed)
        if worth > richest:
            richest, filling = worth, packed
    return max(filling, key=lambda item: item[1] / item[0], default=None)


# %% shared_fillings
def select_next_item(remaining_capacity, remaining_items):
    """Fill by value over weight to seven powers; the item of most weighted appearances wins."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    credit = dict.fromkeys(fitting, 0.0)
    for power in (0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0):
        free, inside = remaining_capacity, []
        for item in sorted(fitting, key=lambda entry: entry[1] / entry[0] ** power, reverse=True):
            if item[0] <= free:
                free -= item[0]
                inside.append(item)
        worth = sum(item[1] for item in inside)
        for item in inside:
            credit[item] += (worth / 50.0) ** 8
    return max(credit, key=lambda item: (credit[item], item[1])) if credit else None


# %% shaken_densities
import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Shake the densities ten times, fill each time, pack the heaviest item of the best filling."""
    rng = np.random.default_rng(5 + 13 * len(remaining_items) + remaining_capacity)
    weights = np.array([item[0] for item in remaining_items])
    values = np.array([item[1] for item in remaining_items])
    record, pick = -1, None
    for shake in range(10):
        noise = rng.normal(0.0, 0.03 * shake, len(weights))
        room, worth, heaviest = remaining_capacity, 0, None
        for k in np.argsort(-values / weights * np.exp(noise)):
            if weights[k] <= room:
                room -= weights[k]
                worth += values[k]
                if heaviest is None or weights[k] > weights[heaviest]:
                    heaviest = k
        if heaviest is not None and worth > record:
            record, pick = worth, remaining_items[int(heaviest)]
    return pick


# %% sampled_completions
import random


def select_next_item(remaining_capacity, remaining_items):
    """Average of a few random completions, biased to density, for each of the eight densest starts."""
    rng = random.Random(len(remaining_items) * 211 + remaining_capacity)
    fitting = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not fitting:
        return None
    averages = []
    for start in fitting[:8]:
        total = 0.0
        for _ in range(6):
            room = remaining_capacity - start[0]
            total += start[1]
            for item in fitting[:20]:
                if item is not start and item[0] <= room and rng.random() < 0.8:
                    room -= item[0]
                    total += item[1]
        averages.append(total)
    return fitting[averages.index(max(averages))]


# %% luckiest_completion
import random


def select_next_item(remaining_capacity, remaining_items):
    """Every fitting start gets the same five lucky dips; the best dip counts, not the average."""
    pool = [item for item in remaining_items if item[0] <= remaining_capacity]
    pool.sort(key=lambda item: item[1] / (item[0] + 1), reverse=True)
    best, luck = None, -1.0
    for start in pool[:15]:
        for ticket in range(5):
            dice = random.Random(ticket)
            free, worth = remaining_capacity - start[0], start[1]
            for item in pool:
                if item == start or item[0] > free:
                    continue
                if dice.random() < 0.25 * min(ticket, 1):
                    continue
                free -= item[0]
                worth += item[1]
            worth += 0.001 * start[1] / start[0]
            if worth > luck:
                best, luck = start, worth
    return best


# %% duels
def after(first, second, ordered, room):
    room -= first[0]
    worth = first[1]
    for item in ordered:
        if item not in (first, second) and item[0] <= room:
            room -= item[0]
            worth += item[1]
    return worth


def select_next_item(remaining_capacity, remaining_items):
    """The twelve densest meet in duels: a filling with the one and without the other, and vice versa."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    entrants = ordered[:12]
    wins = [0] * len(entrants)
    for a, one in enumerate(entrants):
        for b in range(a):
            difference = after(one, entrants[b], ordered, remaining_capacity) - after(
                entrants[b], one, ordered, remaining_capacity
            )
            wins[a] += difference
            wins[b] -= difference
    return entrants[wins.index(max(wins))] if entrants else None


# %% king_of_the_hill
def select_next_item(remaining_capacity, remaining_items):
    """A throne: a challenger must fill the room better, with two helpers, than the king does."""

    def court(ruler):
        free = remaining_capacity - ruler[0]
        worth = ruler[1]
        for _ in range(2):
            helper = max(
                [i for i in remaining_items if i[0] <= free and i != ruler],
                key=lambda i: (i[1] - 1.1 * i[0], i[1]),
                default=None,
            )
            if helper is None:
                break
            free -= helper[0]
            worth += helper[1]
        return worth + 1.2 * free

    challengers = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1])
    king, strength = None, -1.0
    for challenger in challengers[:25]:
        power = court(challenger)
        if power > strength:
            king, strength = challenger, power
    return king


# %% pair_table
import numpy as np


def select_next_item(remaining_capacity, remaining_items):
    """Value plus the best further pair from a table, all net of a price near the break density."""
    items = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])[:26]
    if len(items) < 3:
        return max(items, key=lambda i: i[1], default=None)
    w = np.array([i[0] for i in items])
    v = np.array([i[1] for i in items])
    edge = min(len(items) - 1, int((np.cumsum(w) <= remaining_capacity).sum()))
    price = 0.75 * v[edge] / w[edge]
    # the diagonal stands for a single further item
    pair_w = np.where(np.eye(len(w), dtype=bool), w, w[:, None] + w)
    pair_v = np.where(np.eye(len(w), dtype=bool), v, v[:, None] + v) - price * pair_w
    best, score = items[0], -1.0
    for k, item in enumerate(items):
        allowed = pair_w <= remaining_capacity - w[k]
        allowed[k, :] = False
        allowed[:, k] = False
        worth = v[k] - price * w[k] + np.where(allowed, pair_v, 0.0).max()
        if worth > score:
            best, score = item, worth
    return best


# %% sure_things_then_core
from itertools import combinations


def select_next_item(remaining_capacity, remaining_items):
    """Pack what is far denser than the break; then try triples of the items around the break."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not ordered:
        return None
    room, break_at = remaining_capacity, 0
    while break_at < len(ordered) - 1 and ordered[break_at][0] <= room:
        room -= ordered[break_at][0]
        break_at += 1
    price = ordered[break_at][1] / ordered[break_at][0]
    if ordered[0][1] > 1.6 * price * ordered[0][0]:
        return ordered[0]
    core = ordered[: break_at + 7][:14]
    best, record = (ordered[0],), -1.0
    for size in (1, 2, 3):
        for group in combinations(core, size):
            left = remaining_capacity - sum(i[0] for i in group)
            if left >= 0 and sum(i[1] for i in group) + 0.8 * price * left > record:
                best, record = group, sum(i[1] for i in group) + 0.8 * price * left
    return max(best, key=lambda i: i[0])


# %% refill_with_slack_price
def select_next_item(remaining_capacity, remaining_items):
    """Rollouts by density in which leftover room is worth a little and each packed item costs a little."""
    ordered = sorted(remaining_items, key=lambda i: (-i[1] / i[0], i[0]))
    scores = {}
    for start in ordered:
        if start[0] > remaining_capacity:
            continue
        worth, room, count = start[1], remaining_capacity - start[0], 1
        for item in ordered:
            if item[0] <= room and item != start:
                worth, room, count = worth + item[1], room - item[0], count + 1
        scores[start] = (worth - 0.02 * count + 0.05 * room, start[1])
    return max(scores, key=scores.get, default=None)


# %% closer_first
def select_next_item(remaining_capacity, remaining_items):
    """Density filling without its last two items; the heavier of the pair that closes it best."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: i[0] / i[1])
    room, body = remaining_capacity, []
    for item in ordered:
        if item[0] <= room:
            body.append(item)
            room -= item[0]
    for item in body[-2:]:
        room += item[0]
    outside = [i for i in ordered if i not in body[:-2]]
    best, record = None, -1
    for item in outside:
        if item[0] > room:
            continue
        mate = max([o[1] for o in outside if o != item and o[0] <= room - item[0]], default=0)
        if (item[1] + mate, item[0]) > (record, 0):
            best, record = item, item[1] + mate
    return best


# %% swap_one_or_two
def select_next_item(remaining_capacity, remaining_items):
    """Density filling after its best exchange of one for one or two; its heaviest item."""
    ordered = sorted(remaining_items, key=lambda item: item[1] / item[0], reverse=True)
    slack, inside, outside = remaining_capacity, [], []
    for item in ordered:
        if item[0] <= slack:
            slack -= item[0]
            inside.append(item)
        elif item[0] <= remaining_capacity:
            outside.append(item)
    gain, swap = 0, None
    for leaver in inside:
        room = leaver[0] + slack
        comers = [item for item in outside if item[0] <= room]
        for k, comer in enumerate(comers):
            for extra in [(0, 0, -1), *comers[:k]]:
                if comer[0] + extra[0] <= room and comer[1] + extra[1] - leaver[1] > gain:
                    gain, swap = comer[1] + extra[1] - leaver[1], (leaver, comer)
    if swap is not None:
        inside = [item for item in inside if item != swap[0]] + [swap[1]]
    return max(inside, default=None)


# %% drop_the_worst
def select_next_item(remaining_capacity, remaining_items):
    """Throw out the worst by loss per excess weight until all fits; pack the heaviest survivor."""
    crowd = [item for item in remaining_items if item[0] <= remaining_capacity]
    load = sum(item[0] for item in crowd)
    while load > remaining_capacity:
        excess = load - remaining_capacity
        out = min(crowd, key=lambda item: item[1] / min(item[0], excess))
        crowd.remove(out)
        load -= out[0]
    return max(crowd, key=lambda item: item[0], default=None)


# %% family_by_correlation
def select_next_item(remaining_capacity, remaining_items):
    """Recognise constant surplus and then pack many items; otherwise compare density fillings."""
    fitting = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not fitting:
        return None
    surplus = {item[1] - item[0] for item in remaining_items}
    alike = max(surplus) - min(surplus) <= 2
    best, record = None, (-1000, 0)
    for head in fitting[: 40 if alike else 10]:
        room, total, count = remaining_capacity - head[0], head[1], 1
        for item in fitting:
            if item is not head and item[0] <= room:
                room, total, count = room - item[0], total + item[1], count + 1
        rank = (count - 0.2 * room, head[0]) if alike else (total, head[1] / head[0])
        if rank > record:
            best, record = head, rank
    return best


# %% closing_pair_by_room
def select_next_item(remaining_capacity, remaining_items):
    """Density while the four lightest fit together, then the best pair, heavier part first."""
    fitting = sorted(item for item in remaining_items if item[0] <= remaining_capacity)
    if not fitting:
        return None
    if sum(item[0] for item in fitting[:4]) <= remaining_capacity:
        return max(fitting, key=lambda item: (item[1] / item[0], item[0]))
    best, record = fitting[0], -1
    for k, big in enumerate(fitting):
        partner = 0
        for small in fitting[:k]:
            if small[0] + big[0] > remaining_capacity:
                break
            partner = max(partner, small[1])
        if big[1] + partner > record:
            best, record = big, big[1] + partner
    return best


# %% triple_closure
def select_next_item(remaining_capacity, remaining_items):
    """When the lightest five no longer fit together, look through all short triples; before that, density."""
    pool = sorted(item for item in remaining_items if item[0] <= remaining_capacity)
    if sum(item[0] for item in pool[:5]) <= remaining_capacity and len(pool) > 5:
        return max(pool, key=lambda item: item[1] / item[0])
    pool = sorted(pool, key=lambda item: -item[1] / item[0])[:16]
    best, record = None, -1
    for a, x in enumerate(pool):
        for b, y in enumerate(pool[: a + 1]):
            two = x[0] + y[0] if b < a else x[0]
            if two > remaining_capacity:
                continue
            worth = x[1] + y[1] if b < a else x[1]
            third = max([z[1] for z in pool[:b] if z[0] <= remaining_capacity - two], default=0)
            if worth + third > record:
                best, record = x, worth + third
    return best


# %% greedy_except_at_break
def select_next_item(remaining_capacity, remaining_items):
    """Densest first; near the end compare every start with the best two items to follow."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    prefix = 0
    room = remaining_capacity
    while prefix < len(ordered) and ordered[prefix][0] <= room:
        room -= ordered[prefix][0]
        prefix += 1
    if prefix > 3:
        return ordered[0]
    best, best_key = None, None
    for item in ordered:
        left = remaining_capacity - item[0]
        values = []
        for other in ordered:
            if other is not item and other[0] <= left:
                more = [o[1] for o in ordered if o[0] <= left - other[0] and o not in (item, other)]
                values.append(other[1] + max(more, default=0))
        key = (item[1] + max(values, default=0), item[1] / item[0])
        if best_key is None or key > best_key:
            best, best_key = item, key
    return best


# %% unreachable_room
def select_next_item(remaining_capacity, remaining_items):
    """Density less a charge for room that no item and no pair of the others can close."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    weights = sorted(item[0] for item in fitting)
    sums = set(weights)
    for k, low in enumerate(weights):
        for high in weights[k + 1 :]:
            if low + high > remaining_capacity:
                break
            sums.add(low + high)
    sums.add(0)

    def net(item):
        left = remaining_capacity - item[0]
        waste = min(left - total for total in sums if total <= left)
        return (item[1] - 1.4 * min(waste, 12)) / (item[0] + 2)

    return max(fitting, key=net) if fitting else None


# %% exact_pair_bonus
def select_next_item(remaining_capacity, remaining_items):
    """Half of a rich pair that closes the room exactly; else the best value over nearly the weight."""
    by_weight = {}
    for item in remaining_items:
        if item[0] not in by_weight or item[1] > by_weight[item[0]][1]:
            by_weight[item[0]] = item
    rates = sorted(item[1] / item[0] for item in remaining_items)
    hurdle = rates[(3 * len(rates)) // 5] * remaining_capacity
    best, worth = None, hurdle
    for weight, item in by_weight.items():
        mate = by_weight.get(remaining_capacity - weight)
        total = item[1] if weight == remaining_capacity else 0
        if mate is not None and weight < remaining_capacity - weight:
            total = item[1] + mate[1]
        if total > worth:
            best, worth = item, total
    if best is not None:
        return best
    fitting = [item for item in by_weight.values() if item[0] <= remaining_capacity]
    return max(fitting, key=lambda item: item[1] / item[0] ** 0.9, default=None)


# %% price_from_leftover
import bisect


def select_next_item(remaining_capacity, remaining_items):
    """Price the room by the density filling of twice the room; best net value, light ones favoured."""
    ordered = sorted(remaining_items, key=lambda item: item[0] / item[1])
    ordered = [item for item in ordered if item[0] <= remaining_capacity]
    if not ordered:
        return None
    sums, total = [], 0
    for item in ordered:
        total += item[0]
        sums.append(total)
    edge = ordered[min(len(ordered) - 1, bisect.bisect_left(sums, 2 * remaining_capacity))]
    price = edge[1] / edge[0]
    return max(ordered, key=lambda item: (item[1] - price * item[0]) / (item[0] + 4))


# %% pacing_budget
def select_next_item(remaining_capacity, remaining_items):
    """A spending plan: room divided by the number of dense items due; too heavy items pay extra."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    rates = sorted((item[1] / item[0] for item in fitting), reverse=True)
    bar = rates[len(rates) // 4]
    due = [item for item in fitting if item[1] / item[0] >= bar]
    budget = max(1.0, remaining_capacity / len(due))

    def appeal(item):
        over = max(0.0, item[0] - budget)
        return (item[1] - 0.3 * over) / max(item[0], 0.5 * budget)

    return max(due, key=appeal)


# %% iterative_deepening
from itertools import combinations


def select_next_item(remaining_capacity, remaining_items):
    """One item if it earns nearly what the room could, else a pair, else a triple, else density."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    room, hope = remaining_capacity, 0.0
    for item in ordered:
        share = min(1.0, room / item[0])
        hope += share * item[1]
        room -= share * item[0]
    for size in (1, 2, 3):
        record, start = 0, None
        for group in combinations(ordered[:18], size):
            worth = sum(item[1] for item in group)
            if worth > record and sum(item[0] for item in group) <= remaining_capacity:
                record, start = worth, group[-1]
        if start is not None and record >= 0.97 * hope:
            return start
    return ordered[0] if ordered else None


# %% surplus_per_slot
def select_next_item(remaining_capacity, remaining_items):
    """Finish each start by surplus and rank by the total surplus plus the weight used up."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    best, top = None, float("-inf")
    for item in fitting:
        left, slots, extra = remaining_capacity - item[0], 1, item[1] - item[0]
        for other in sorted(fitting, key=lambda o: (o[0] - o[1], o[0])):
            if other[2] != item[2] and other[0] <= left:
                left -= other[0]
                slots += 1
                extra += other[1] - other[0]
        score = extra + remaining_capacity - left
        if score > top or (score == top and item[0] < best[0]):
            best, top = item, score
    return best


# %% bundle_of_lights
def select_next_item(remaining_capacity, remaining_items):
    """Compare one star item with a bundle of light items of the same weight; start with the winner."""
    fitting = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: (i[0], -i[1]))
    if not fitting:
        return None
    star = max(fitting, key=lambda i: i[1] ** 2 / i[0])
    bundle, space = [], star[0] + min(3, remaining_capacity - star[0])
    for item in fitting:
        if item[0] <= space and item is not star:
            bundle.append(item)
            space -= item[0]
    if sum(item[1] for item in bundle) > star[1]:
        return bundle[-1]
    return star


# %% tidy_list_rollout
def select_next_item(remaining_capacity, remaining_items):
    """Discard misfits as soon as they appear; among the rest take the start of the best filling."""
    ordered = []
    for item in remaining_items:
        if item[0] > remaining_capacity:
            return item
        ordered.append(item)
    ordered.sort(key=lambda item: (item[1] + 1) / (item[0] + 1), reverse=True)
    best, record = None, -1
    for start in ordered:
        space, earned = remaining_capacity, 0
        for item in [start, *ordered]:
            if item[0] <= space and (item is not start or earned == 0):
                space -= item[0]
                earned += item[1]
        if earned > record:
            best, record = start, earned
    return best


# %% sacrifice_dominated
def select_next_item(remaining_capacity, remaining_items):
    """Discard misfits while an item is dominated by three others; then value over shifted weight."""
    misfit = None
    for item in remaining_items:
        if item[0] > remaining_capacity and (misfit is None or item[0] > misfit[0]):
            misfit = item
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return misfit
    for item in fitting:
        better = [o for o in fitting if o[0] <= item[0] and o[1] > item[1]]
        if len(better) >= 3 and misfit is not None:
            return misfit
    return max(fitting, key=lambda item: item[1] / (item[0] + 0.1 * remaining_capacity))


# %% small_change_last
def select_next_item(remaining_capacity, remaining_items):
    """Keep light items as change: density among the heavier ones first, fillings at the end."""
    fitting = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    change = [item for item in fitting if item[0] <= 6]
    notes = [item for item in fitting if item[0] > 6]
    reserve = sum(item[0] for item in change)
    affordable = [item for item in notes if item[0] + reserve <= remaining_capacity]
    if affordable:
        return affordable[0]
    best, record = None, -1
    for start in fitting:
        left, worth = remaining_capacity - start[0], start[1]
        for item in fitting:
            if item is not start and item[0] <= left:
                left -= item[0]
                worth += item[1]
        if worth > record:
            best, record = start, worth
    return best


# %% two_level_refill
def greedy_fill(room, queue, taken):
    worth = 0
    for item in queue:
        if item[0] <= room and item not in taken:
            room -= item[0]
            worth += item[1]
    return worth


def select_next_item(remaining_capacity, remaining_items):
    """Fix each start and one of twelve second items before density fills; richest start on ties."""
    queue = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    best, record = None, (-1, 0)
    for start in queue[:20]:
        left = remaining_capacity - start[0]
        worth = start[1] + greedy_fill(left, queue, (start,))
        seconds = [item for item in queue if item is not start and item[0] <= left]
        for second in seconds[:12]:
            total = start[1] + second[1] + greedy_fill(left - second[0], queue, (start, second))
            worth = max(worth, total)
        if (worth, start[1]) > record:
            best, record = start, (worth, start[1])
    return best


# %% room_potential
def select_next_item(remaining_capacity, remaining_items):
    """Value plus what density earns in the room left, averaged with a little less and more room."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])

    def earn(space, start):
        total = 0
        for item in ordered:
            if item[0] <= space and item is not start:
                space -= item[0]
                total += item[1]
        return total

    best, top = None, -1.0
    for start in ordered:
        left = remaining_capacity - start[0]
        score = start[1] + 0.8 * earn(left, start)
        score += 0.1 * earn(max(0, left - 2), start) + 0.1 * earn(left + 2, start)
        if score > top:
            best, top = start, score
    return best


# %% plan_then_lightest
def select_next_item(remaining_capacity, remaining_items):
    """Fillings from ten rotated density orders; pack the lightest member of the best one."""
    ranked = sorted(remaining_items, key=lambda item: item[1] / (item[0] + 0.5), reverse=True)
    fillings = []
    for skip in range(min(10, len(ranked))):
        room, packed = remaining_capacity, []
        for item in ranked[skip:] + ranked[:skip]:
            if item[0] <= room:
                packed.append(item)
                room -= item[0]
        if packed:
            fillings.append((sum(item[1] for item in packed), -len(packed), packed))
    if not fillings:
        return None
    return min(max(fillings)[2])


# %% mixed_criteria_by_progress
def select_next_item(remaining_capacity, remaining_items):
    """Density, value and fit with weights that move from density to value and fit as the room shrinks."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    if not fitting:
        return None
    late = min(1.0, 14.0 / remaining_capacity)
    top_value = max(item[1] for item in fitting)
    top_density = max(item[1] / item[0] for item in fitting)
    weights = [item[0] for item in fitting]

    def blend(item):
        left = remaining_capacity - item[0]
        gap = left - max([weight for weight in weights if weight <= left], default=0)
        dense, rich = item[1] / item[0] / top_density, item[1] / top_value
        return (1.2 - late) * dense + 0.9 * late * rich - 0.01 * min(gap, 20)

    return max(fitting, key=blend)


# %% two_prices
def select_next_item(remaining_capacity, remaining_items):
    """Two prices bracket the break: the lightest wanted at the high one, then net value at the low one."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    if not ordered:
        return None
    room, place = remaining_capacity, 0
    while place < len(ordered) - 1 and room >= ordered[place][0]:
        room -= ordered[place][0]
        place += 1
    low = ordered[place][1] / ordered[place][0]
    high = 1.5 * low
    wanted = [item for item in ordered if item[1] > high * item[0]]
    if wanted:
        return min(wanted, key=lambda item: item[0])
    closing = remaining_capacity - room
    return max(ordered, key=lambda item: (item[1] - 0.7 * low * item[0] - 0.05 * abs(item[0] - closing), item[1]))


# %% empty_when_slim
def select_next_item(remaining_capacity, remaining_items):
    """Largest net gain over the mean density, and a stop when that gain is negative."""
    load = sum(weight for weight, _, _ in remaining_items)
    worth = sum(value for _, value, _ in remaining_items)
    net = {item: item[1] - worth / load * item[0] for item in remaining_items if item[0] <= remaining_capacity}
    leader = max(net, key=net.get, default=None)
    if leader is None or net[leader] < 0:
        return None
    return leader


# %% slack_chain
def select_next_item(remaining_capacity, remaining_items):
    """From each start chain four partners that use room well; room left at the marginal density."""
    fitting = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    load, margin = 0, 0.0
    for item in fitting:
        load += item[0]
        margin = item[1] / item[0]
        if load > remaining_capacity:
            break
    best, top = None, float("-inf")
    for start in fitting[:18]:
        chain, left = [start], remaining_capacity - start[0]
        while len(chain) < 5:
            links = [item for item in fitting if item[0] <= left and item not in chain]
            if not links:
                break
            link = max(links, key=lambda item: (item[1] + 1) / (item[0] + 0.02 * left + 1))
            chain.append(link)
            left -= link[0]
        score = sum(item[1] for item in chain) + 0.9 * margin * left
        if score > top:
            best, top = start, score
    return best


# %% regret_of_postponing
def select_next_item(remaining_capacity, remaining_items):
    """Regret of postponing: density filling with the item forced in against the same filling without it."""
    queue = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: i[0] / i[1])

    def earned(forced, forbidden):
        room, total = remaining_capacity, 0
        if forced:
            room, total = room - forced[0], forced[1]
        for item in queue:
            if item not in (forced, forbidden) and item[0] <= room:
                room -= item[0]
                total += item[1]
        return total

    def regret(item):
        with_it = earned(item, None)
        return 2 * with_it - earned(None, item), with_it, -item[0]

    return max(queue[:25], key=regret, default=None)


# %% dense_then_rich_rollout
import heapq


def select_next_item(remaining_capacity, remaining_items):
    """Fillings by density from each start, closed by the richest item once room is short."""
    dense = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    scores = []
    for rank, start in enumerate(dense):
        room, worth, packed = remaining_capacity - start[0], start[1], {start}
        while True:
            choice = [item for item in dense if item[0] <= room and item not in packed]
            if not choice:
                break
            item = max(choice, key=lambda o: (o[1], -o[0])) if room < 25 else choice[0]
            packed.add(item)
            room -= item[0]
            worth += item[1]
        scores.append((worth, rank, start))
    return heapq.nlargest(1, scores)[0][2] if scores else None


# %% reserved_closer
def select_next_item(remaining_capacity, remaining_items):
    """Density prefixes of every length, each closed by the best pair; start with the closer if short."""
    ordered = sorted((i for i in remaining_items if i[0] <= remaining_capacity), key=lambda i: -i[1] / i[0])
    pick, record, room, earned = None, -1, remaining_capacity, 0
    for length in range(min(len(ordered), 12)):
        rest = ordered[length : length + 22]
        for k, closer in enumerate(rest):
            for helper in [(0, 0, -1), *rest[:k]]:
                total = earned + closer[1] + helper[1]
                if closer[0] + helper[0] <= room and total > record:
                    pick, record = closer if length < 3 else ordered[0], total
        room -= ordered[length][0]
        earned += ordered[length][1]
        if room <= 0:
            break
    return pick


# %% four_orders_starts
def select_next_item(remaining_capacity, remaining_items):
    """Each start is finished in four orders of weight against value; the best finish counts."""
    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]
    orders = [sorted(fitting, key=lambda i: i[1] / i[0] ** power, reverse=True) for power in (0.5, 0.8, 1, 1.25)]
    best, record = None, (-1, 0)
    for start in fitting:
        finishes = []
        for order in orders:
            room, total = remaining_capacity - start[0], start[1]
            for item in order:
                if item[0] <= room and item is not start:
                    room -= item[0]
                    total += item[1]
            finishes.append(total)
        rank = (max(finishes) + 0.01 * sum(finishes), -start[0])
        if rank > record:
            best, record = start, rank
    return best
