"""Seed programs for `set_cover_construct`: one complete program a cell, named after its idea."""


# %% first_useful
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Take the first subset that covers anything new."""
    missing = set(remaining_elements)
    for subset in remaining_subsets:
        if missing.intersection(subset):
            return subset
    return None


# %% last_useful
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Walk the list backwards and take the last subset with at least one missing element."""
    position = len(remaining_subsets) - 1
    while position >= 0:
        if any(e in remaining_elements for e in remaining_subsets[position]):
            return remaining_subsets[position]
        position -= 1
    return None


# %% random_useful
import random


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Any useful subset at random, from a generator seeded with the number of choices made."""
    rng = random.Random(4 + 31 * len(selected_subsets))
    useful = [s for s in remaining_subsets if set(s) & set(remaining_elements)]
    return rng.choice(useful) if useful else None


# %% smallest_gain
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Anti-greedy: the subset that adds the fewest new elements, though at least one."""
    target = set(remaining_elements)
    choice, lowest = None, float("inf")
    for s in remaining_subsets:
        gain = len(target.intersection(s))
        if 0 < gain < lowest:
            choice, lowest = s, gain
    return choice


# %% most_new_least_waste
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Most new elements; among equals the subset with the fewest elements that are covered already."""
    open_elements = set(remaining_elements)

    def value(s):
        new = len(open_elements & set(s))
        return new, new - len(s)

    useful = [s for s in remaining_subsets if open_elements & set(s)]
    return max(useful, key=value, default=None)


# %% inverse_frequency
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Weigh every missing element by one over the number of remaining subsets that hold it."""
    count = {e: 0 for e in remaining_elements}
    for s in remaining_subsets:
        for e in s:
            if e in count:
                count[e] += 1
    best, best_weight = None, 0.0
    for s in remaining_subsets:
        weight = sum(1.0 / count[e] for e in s if e in count)
        if weight > best_weight:
            best, best_weight = s, weight
    return best


# %% sole_owner_first
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """A subset that alone holds some missing element is needed anyway, so take it now; otherwise the largest gain."""
    for e in remaining_elements:
        owners = [s for s in remaining_subsets if e in s]
        if len(owners) == 1:
            return owners[0]
    best, gain = None, 0
    for s in remaining_subsets:
        new = sum(1 for e in s if e in remaining_elements)
        if new > gain:
            best, gain = s, new
    return best


# %% overlap_penalty
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """New elements minus six tenths of the elements that are covered a second time."""
    missing = set(remaining_elements)
    best = None
    best_score = -1e9
    for s in remaining_subsets:
        new = len(missing.intersection(s))
        repeated = len(s) - new
        if new > 0 and new - 0.6 * repeated > best_score:
            best = s
            best_score = new - 0.6 * repeated
    return best


# %% useful_share
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """The largest share of useful elements wins, the larger subset among equal shares."""
    missing = set(remaining_elements)
    shares = [(len(missing & set(s)) / max(1, len(s)), len(s), -i) for i, s in enumerate(remaining_subsets)]
    shares = [entry for entry in shares if entry[0] > 0]
    if not shares:
        return None
    return remaining_subsets[-max(shares)[2]]


# %% gain_squared_over_size
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """A compromise between absolute and relative gain: squared gain over subset size."""
    if not remaining_subsets:
        return None
    wanted = np.array(remaining_elements)
    gain = np.array([np.isin(s, wanted).sum() for s in remaining_subsets], dtype=float)
    size = np.array([len(s) for s in remaining_subsets], dtype=float)
    score = gain**2 / np.maximum(size, 1.0)
    index = int(np.argmax(score))
    return remaining_subsets[index] if gain[index] > 0 else None


# %% best_pair
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Look two choices ahead: find the pair of subsets with the largest joint gain and take its larger half."""
    missing = set(remaining_elements)
    parts = [missing.intersection(s) for s in remaining_subsets]
    best, answer = (0, 0), None
    for i in range(len(parts)):
        if not parts[i]:
            continue
        for j in range(len(parts)):
            joint = (len(parts[i] | parts[j]), len(parts[i]))
            if joint > best:
                best, answer = joint, remaining_subsets[i]
    return answer


# %% rarest_element_largest_gain
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Settle the element with the fewest holders, by the holder that covers most new elements."""
    missing = set(remaining_elements)
    holders = {e: [s for s in remaining_subsets if e in s] for e in remaining_elements}
    coverable = [e for e in remaining_elements if holders[e]]
    if not coverable:
        return None
    rarest = min(coverable, key=lambda e: len(holders[e]))
    return max(holders[rarest], key=lambda s: len(missing.intersection(s)))


# %% drop_dominated_subsets
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Forget subsets whose useful part lies inside another's; then the element with fewest holders left decides."""
    missing = set(remaining_elements)
    useful = [(missing & set(s), s) for s in remaining_subsets]
    useful.sort(key=lambda pair: -len(pair[0]))
    kept = []
    for part, s in useful:
        if part and not any(part <= other for other, _ in kept):
            kept.append((part, s))
    best_key, answer = (float("inf"), 0), None
    for e in remaining_elements:
        owners = [pair for pair in kept if e in pair[0]]
        if owners:
            largest = max(owners, key=lambda pair: len(pair[0]))
            key = (len(owners), -len(largest[0]))
            if key < best_key:
                best_key, answer = key, largest[1]
    return answer


# %% implied_elements
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Ignore elements that come for free with another one (its holders all hold them), then count the rest,
    rare ones more."""
    holders = {e: {i for i, s in enumerate(remaining_subsets) if e in s} for e in remaining_elements}
    live = [e for e in remaining_elements if holders[e]]
    if not live:
        return None
    essential = []
    for e in live:
        implied = any(
            holders[other] < holders[e] or (holders[other] == holders[e] and other < e) for other in live if other != e
        )
        if not implied:
            essential.append(e)
    scores = [0.0] * len(remaining_subsets)
    for e in essential:
        for i in holders[e]:
            scores[i] += 1.0 / len(holders[e])
    return remaining_subsets[max(range(len(scores)), key=lambda i: scores[i])]


# %% multiplicative_weights
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Twelve rounds of multiplicative weights make elements heavy that tempting subsets keep missing; the
    heaviest subset wins."""
    if not remaining_subsets or not remaining_elements:
        return None
    table = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    table = table[:, table.any(axis=0)]
    if table.shape[1] == 0:
        return None
    weights = np.ones(table.shape[1])
    for _ in range(12):
        tempting = table[int(np.argmax(table @ weights))]
        weights = weights * np.where(tempting > 0, 0.6, 1.0)
        weights = weights / weights.sum()
    return remaining_subsets[int(np.argmax(table @ weights + 0.01 * table.sum(axis=1)))]


# %% lagrangian_prices
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Element prices from a short subgradient run on the covering relaxation; the subset of largest priced
    value is taken."""
    matrix = np.zeros((len(remaining_subsets), len(remaining_elements)))
    column = {e: k for k, e in enumerate(remaining_elements)}
    for i, s in enumerate(remaining_subsets):
        for e in s:
            if e in column:
                matrix[i, column[e]] = 1.0
    matrix = matrix[:, matrix.sum(axis=0) > 0]
    if matrix.size == 0:
        return None
    prices = 1.0 / matrix.sum(axis=0)
    for step in range(8):
        chosen = matrix @ prices > 1.0
        slack = 1.0 - matrix[chosen].sum(axis=0)
        prices = np.maximum(0.0, prices + 0.1 / (1.0 + 0.3 * step) * slack)
    value = matrix @ prices + 1e-6 * matrix.sum(axis=1)
    return remaining_subsets[int(np.argmax(value))]


# %% hard_to_replace
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """An element counts one over the best gain that any other subset holding it could offer."""
    missing = set(remaining_elements)
    gains = [len(missing.intersection(s)) for s in remaining_subsets]
    best, best_score = None, 0.0
    for i, s in enumerate(remaining_subsets):
        score = 0.0
        for e in missing.intersection(s):
            rivals = [gains[j] for j, t in enumerate(remaining_subsets) if j != i and e in t]
            score += 1.0 / max(rivals) if rivals else 2.0
        if score > best_score:
            best, best_score = s, score
    return best


# %% spare_the_rivals
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Gain minus a little of what the choice takes away from the gains of all other subsets."""
    missing = set(remaining_elements)
    parts = [missing & set(s) for s in remaining_subsets]
    answer, top = None, -float("inf")
    for i, part in enumerate(parts):
        if not part:
            continue
        stolen = sum(len(part & other) for j, other in enumerate(parts) if j != i)
        score = len(part) - 0.12 * stolen
        if score > top:
            top, answer = score, remaining_subsets[i]
    return answer


# %% largest_element_sum
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Treat element numbers as values: the largest sum of missing numbers wins."""
    totals = [sum(e for e in s if e in remaining_elements) for s in remaining_subsets]
    if not totals or max(totals) == 0:
        return None
    return remaining_subsets[totals.index(max(totals))]


# %% highest_number_first
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Cover the numbers from the top down, each by the first subset that holds it."""
    for element in sorted(remaining_elements, reverse=True):
        for s in remaining_subsets:
            if element in s:
                return s
    return None


# %% lowest_number_smallest_subset
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Cover the numbers from the bottom up, each by the smallest subset that holds it."""
    for element in remaining_elements:
        holders = [s for s in remaining_subsets if element in s]
        if holders:
            return min(holders, key=len)
    return None


# %% lowest_number_widest_gain
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Cover the numbers from the bottom up, each by the holder that adds most."""
    missing = set(remaining_elements)
    for element in remaining_elements:
        best, gain = None, 0
        for s in remaining_subsets:
            new = len(missing.intersection(s))
            if element in s and new > gain:
                best, gain = s, new
        if best is not None:
            return best
    return None


# %% biggest_subset
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Raw size decides, no matter how much is covered already, as long as anything is new."""
    for s in sorted(remaining_subsets, key=len, reverse=True):
        if any(e in remaining_elements for e in s):
            return s
    return None


# %% median_gain
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Neither best nor worst: the useful subset of median gain."""
    missing = set(remaining_elements)
    useful = [s for s in remaining_subsets if missing.intersection(s)]
    if not useful:
        return None
    useful.sort(key=lambda s: len(missing.intersection(s)))
    return useful[len(useful) // 2]


# %% random_among_top_three
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Draw one of the three subsets of largest gain with a seeded generator."""
    gains = np.array([len(set(s) & set(remaining_elements)) for s in remaining_subsets])
    if gains.size == 0 or gains.max() == 0:
        return None
    order = np.argsort(-gains, kind="stable")[:3]
    order = order[gains[order] > 0]
    generator = np.random.default_rng(len(remaining_elements))
    return remaining_subsets[int(generator.choice(order))]


# %% softmax_gain
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Sample a subset with probability growing exponentially in its gain, from a seeded generator."""
    missing = set(remaining_elements)
    useful = [s for s in remaining_subsets if not missing.isdisjoint(s)]
    if not useful:
        return None
    gains = np.array([len(missing & set(s)) for s in useful], dtype=float)
    odds = np.exp(gains - gains.max())
    generator = np.random.default_rng(17 * len(useful) + 5)
    return useful[int(generator.choice(len(useful), p=odds / odds.sum()))]


# %% widest_span
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Geometry on the number line: the useful part that stretches furthest from its lowest to its highest number."""
    answer, span = None, -1
    for s in remaining_subsets:
        part = [e for e in s if e in remaining_elements]
        if part and max(part) - min(part) > span:
            answer, span = s, max(part) - min(part)
    return answer


# %% beam_of_three
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """A beam of four partial choices, three deep; take the first step of the line that covers most rarity."""
    count = {e: sum(e in s for s in remaining_subsets) for e in remaining_elements}
    parts = [frozenset(e for e in s if e in count) for s in remaining_subsets]

    def weight(elements):
        return sum(1.0 + 1.0 / count[e] for e in elements)

    beam = [(0.0, -1, frozenset())]
    for _ in range(3):
        grown = []
        for _, first, covered in beam:
            for i, part in enumerate(parts):
                if part - covered:
                    union = covered | part
                    grown.append((weight(union), i if first < 0 else first, union))
        if not grown:
            break
        grown.sort(key=lambda line: -line[0])
        beam = grown[:4]
    return remaining_subsets[beam[0][1]] if beam[0][1] >= 0 else None


# %% two_phases
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Big bites while more than half of fifty elements are missing, afterwards the rarest element leads."""
    missing = set(remaining_elements)
    useful = [s for s in remaining_subsets if missing & set(s)]
    if not useful:
        return None
    if len(missing) > 25:
        return max(useful, key=lambda s: len(missing & set(s)))
    frequency = {e: sum(1 for s in useful if e in s) for e in missing}
    return min(useful, key=lambda s: (min(frequency[e] for e in s if e in missing), -len(missing & set(s))))


# %% leftover_estimate
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Choose what leaves the smallest estimate of further choices: each leftover element costs one over the
    best gain that reaches it."""
    missing = set(remaining_elements)
    parts = [missing.intersection(s) for s in remaining_subsets]
    best, lowest = None, float("inf")
    for i, part in enumerate(parts):
        if not part:
            continue
        rest = missing - part
        reach = dict.fromkeys(rest, 0)
        for j, other in enumerate(parts):
            left = other & rest
            if j != i:
                for e in left:
                    reach[e] = max(reach[e], len(left))
        estimate = sum(1.0 / g for g in reach.values() if g > 0)
        if estimate < lowest:
            best, lowest = remaining_subsets[i], estimate
    return best


# %% weakest_best_offer
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """The element whose best holder is the poorest gets that holder now, since waiting only makes it poorer."""
    missing = set(remaining_elements)
    key, answer = None, None
    for e in remaining_elements:
        holders = [s for s in remaining_subsets if e in s]
        if holders:
            best = max(holders, key=lambda s: len(missing.intersection(s)))
            offer = (len(missing.intersection(best)), len(holders))
            if key is None or offer < key:
                key, answer = offer, best
    return answer


# %% first_above_half_of_best
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """The first subset whose gain exceeds half of the best one."""
    gains = [len(set(remaining_elements).intersection(s)) for s in remaining_subsets]
    bar = max(gains, default=0) / 2
    for subset, gain in zip(remaining_subsets, gains):
        if gain > bar:
            return subset
    return None


# %% eigenvector_outsiders
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Power iteration finds central elements (often together with others); outsiders weigh more in the sum."""
    rows = [[1.0 if e in s else 0.0 for e in remaining_elements] for s in remaining_subsets]
    if not rows or not remaining_elements:
        return None
    a = np.array(rows)
    links = a.T @ a
    centre = np.ones(len(remaining_elements))
    for _ in range(10):
        centre = links @ centre
        centre = centre / max(centre.max(), 1e-12)
    worth = a @ (1.0 / (0.3 + centre))
    pick = int(worth.argmax())
    return remaining_subsets[pick] if worth[pick] > 0 else None


# %% even_numbers_first
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """An arbitrary order: subsets with more missing even than odd numbers come first."""

    def tilt(s):
        new = [e for e in s if e in remaining_elements]
        return sum(1 if e % 2 == 0 else -1 for e in new)

    useful = [s for s in remaining_subsets if any(e in remaining_elements for e in s)]
    return max(useful, key=tilt) if useful else None


# %% alphabetical_order
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Sort the missing parts like words in a dictionary and take the first word."""
    words = []
    for place, subset in enumerate(remaining_subsets):
        word = sorted(e for e in subset if e in remaining_elements)
        if word:
            words.append((word, place))
    if not words:
        return None
    return remaining_subsets[min(words)[1]]


# %% prime_collector
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Missing prime numbers count double, all other missing numbers count once."""

    def is_prime(n):
        return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))

    value = {e: 2 if is_prime(e) else 1 for e in remaining_elements}
    totals = [sum(value.get(e, 0) for e in subset) for subset in remaining_subsets]
    best = max(totals, default=0)
    return remaining_subsets[totals.index(best)] if best else None


# %% random_element_weights
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Give every number a fixed pseudo-random weight and take the heaviest missing part."""
    weights = np.random.default_rng(17).random(64)
    open_now = set(remaining_elements)
    best, heaviest = None, 0.0
    for subset in remaining_subsets:
        load = sum(0.2 + weights[e % 64] for e in open_now.intersection(subset))
        if load > heaviest:
            best, heaviest = subset, load
    return best


# %% cling_to_covered
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Contrary rule: among useful subsets prefer the one that repeats most of what is covered."""
    covered = {e for subset in selected_subsets for e in subset}
    useful = [t for t in remaining_subsets if not set(remaining_elements).isdisjoint(t)]
    if not useful:
        return None
    return max(useful, key=lambda t: (len(covered.intersection(t)), len(t)))


# %% smallest_useful_subset
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Short lists first, and among lists of one length the one with more missing numbers."""
    need = frozenset(remaining_elements)
    ranked = sorted(remaining_subsets, key=lambda s: (len(s), -len(need.intersection(s))))
    return next((s for s in ranked if need.intersection(s)), None)


# %% seeded_tournament
import random


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Draw six entrants with a seeded generator and let the largest gain among them win."""
    need = set(remaining_elements)
    pool = [s for s in remaining_subsets if need & set(s)]
    if not pool:
        return None
    dice = random.Random(101 + len(pool) * 7 + len(need))
    entrants = dice.sample(pool, min(6, len(pool)))
    winner = entrants[0]
    for rival in entrants[1:]:
        if len(need & set(rival)) > len(need & set(winner)):
            winner = rival
    return winner


# %% odd_gains_first
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Only subsets with an odd number of missing elements compete unless all useful numbers are even."""
    graded = {1: [], 0: []}
    for s in remaining_subsets:
        gain = sum(e in remaining_elements for e in s)
        if gain:
            graded[gain % 2].append((gain, s))
    group = graded[1] or graded[0]
    if not group:
        return None
    return max(group, key=lambda pair: pair[0])[1]


# %% rotating_scan
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Scan the list as a ring from a start that jumps by eleven with every choice made."""
    total = len(remaining_subsets)
    lookup = set(remaining_elements)
    for offset in range(total):
        here = remaining_subsets[(11 * len(selected_subsets) + offset) % total]
        if len(lookup.intersection(here)) * 2 > len(here):
            return here
    for here in remaining_subsets:
        if lookup.intersection(here):
            return here
    return None


# %% longest_fresh_prefix
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Read every list from its head and prefer the longest run of numbers that are all missing."""
    best_run, best_total, answer = -1, 0, None
    for s in remaining_subsets:
        flags = [e in remaining_elements for e in s]
        if not any(flags):
            continue
        run = 0
        while run < len(flags) and flags[run]:
            run += 1
        if (run, sum(flags)) > (best_run, best_total):
            best_run, best_total, answer = run, sum(flags), s
    return answer


# %% popular_elements_first
from collections import Counter


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Anti-rarity: add up how often the missing elements occur in the remaining lists."""
    popularity = Counter(e for s in remaining_subsets for e in s if e in remaining_elements)
    scored = [(sum(popularity[e] for e in set(s)), -k) for k, s in enumerate(remaining_subsets)]
    if not scored or max(scored)[0] == 0:
        return None
    return remaining_subsets[-max(scored)[1]]


# %% decade_spread
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Count the different tens the missing part touches before counting its elements."""
    lacking = set(remaining_elements)
    chosen, record = None, (0, 0)
    for s in remaining_subsets:
        fresh = [e for e in s if e in lacking]
        mark = (len({(e - 1) // 10 for e in fresh}), len(fresh))
        if mark > record:
            chosen, record = s, mark
    return chosen


# %% second_largest_gain
import heapq


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Be modest: take the runner-up in gain, and the winner only when it stands alone."""
    lacking = set(remaining_elements)
    useful = [s for s in remaining_subsets if lacking.intersection(s)]
    podium = heapq.nlargest(2, useful, key=lambda s: len(lacking.intersection(s)))
    return podium[-1] if podium else None


# %% unlike_the_last_pick
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Gain minus everything shared with the previous pick, so relatives of that pick come late."""
    previous = set(selected_subsets[-1]) if selected_subsets else set()
    goal = set(remaining_elements)

    def freshness(s):
        gain = len(goal.intersection(s))
        return gain - len(previous.intersection(s)), gain, len(s)

    useful = [s for s in remaining_subsets if goal.intersection(s)]
    return max(useful, key=freshness, default=None)


# %% squared_scarcity
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Scarcity counts by its square: a number with two holders weighs four times one with four."""
    if not remaining_subsets or not remaining_elements:
        return None
    incidence = np.array([[float(e in s) for e in remaining_elements] for s in remaining_subsets])
    frequency = incidence.sum(axis=0)
    pull = incidence @ np.where(frequency > 0, 1.0 / np.maximum(frequency, 1.0) ** 2, 0.0)
    k = int(pull.argmax())
    return remaining_subsets[k] if pull[k] > 0 else None


# %% two_best_surprises
import math


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Information content of the two most surprising new elements only; the others merely break ties."""
    goal = set(remaining_elements)
    useful = [s for s in remaining_subsets if goal.intersection(s)]
    best, most = None, (-1.0, 0)
    for s in useful:
        bits = []
        for e in goal.intersection(s):
            holders = sum(1 for t in useful if e in t)
            bits.append(math.log2((len(useful) + 1) / holders))
        bits.sort(reverse=True)
        mark = (round(sum(bits[:2]), 6), len(bits))
        if mark > most:
            best, most = s, mark
    return best


# %% rarity_profile
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Compare the sorted lists of holder counts like words, so the rarest members decide in turn."""
    holders = {}
    for s in remaining_subsets:
        for e in s:
            holders[e] = holders.get(e, 0) + 1
    top, answer = [], None
    for s in remaining_subsets:
        profile = sorted((-((holders[e] + 1) // 2) for e in s if e in remaining_elements), reverse=True)
        if profile > top or (profile and answer is None):
            top, answer = profile, s
    return answer


# %% regret_of_losing_best
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Serve the element that loses most when its best holder is replaced by its second best."""
    goal = set(remaining_elements)
    sized = sorted(((len(goal.intersection(s)), -k) for k, s in enumerate(remaining_subsets)), reverse=True)
    sharpest, answer = (-1, -999), None
    for e in remaining_elements:
        offers = [(gain, -k) for gain, k in sized if e in remaining_subsets[-k]]
        if not offers:
            continue
        second = offers[1][0] if len(offers) > 1 else 0
        regret = (offers[0][0] - second, -len(offers))
        if regret > sharpest:
            sharpest, answer = regret, remaining_subsets[offers[0][1]]
    return answer


# %% survival_chance
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """An element is worth the chance that nobody else picks it up, gainful lists being likelier."""
    goal = set(remaining_elements)
    gains = [len(goal.intersection(s)) for s in remaining_subsets]
    ceiling = max(gains, default=0)
    if ceiling == 0:
        return None
    alone = {e: 1.0 for e in remaining_elements}
    for s, gain in zip(remaining_subsets, gains):
        for e in goal.intersection(s):
            alone[e] *= 1.0 - 0.75 * (gain / ceiling) ** 2
    worth = [sum(alone[e] for e in goal.intersection(s)) for s in remaining_subsets]
    return remaining_subsets[max(range(len(worth)), key=worth.__getitem__)]


# %% votes_by_gain
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Each element splits one vote over its holders by the fifth power of their gain."""
    goal = set(remaining_elements)
    parts = [goal.intersection(s) for s in remaining_subsets]
    votes = [0.0] * len(parts)
    for e in remaining_elements:
        holders = [k for k, part in enumerate(parts) if e in part]
        shares = [len(parts[k]) ** 5 for k in holders]
        for k, share in zip(holders, shares):
            votes[k] += share / sum(shares)
    if not votes or max(votes) <= 0:
        return None
    return remaining_subsets[votes.index(max(votes))]


# %% self_reinforcing_shares
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Elements pour their unit into holders by current fill, repeatedly, so that a few lists get rich."""
    if not remaining_subsets or not remaining_elements:
        return None
    grid = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    fill = grid.sum(axis=1)
    if fill.max() == 0:
        return None
    for _ in range(15):
        reach = fill @ grid
        fill = fill * (grid @ (1.0 / np.maximum(reach, 1e-9)))
    return remaining_subsets[int(np.argmax(fill))]


# %% rising_duals
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Element prices rise together and freeze when a list is paid; the list paid last is taken."""
    rising = set(remaining_elements)
    parts = [rising.intersection(s) for s in remaining_subsets]
    rising = {e for part in parts for e in part}
    paid = [0.0 for part in parts]
    last = None
    while rising:
        waits = [(1.0 - paid[k]) / len(part & rising) if part & rising else 9.0 for k, part in enumerate(parts)]
        step = min(waits)
        last = max((k for k in range(len(parts)) if waits[k] <= step + 1e-9), key=lambda k: len(parts[k]))
        for k, part in enumerate(parts):
            paid[k] += step * len(part & rising)
        rising = rising - parts[last]
    return None if last is None else remaining_subsets[last]


# %% independent_elements
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Elements no two of which share a list need a list each; take the best list for any of them."""
    goal = set(remaining_elements)
    parts = [goal.intersection(s) for s in remaining_subsets]
    company = {e: set().union(*[p for p in parts if e in p]) for e in remaining_elements}
    witnesses, blocked = [], set()
    for e in sorted(remaining_elements, key=lambda e: len(company[e])):
        if company[e] and e not in blocked:
            witnesses.append(e)
            blocked |= company[e]
    best, score = None, 0.0
    for s, part in zip(remaining_subsets, parts):
        if any(w in part for w in witnesses):
            weight = sum(1.0 / len(company[e]) for e in part)
            if weight > score:
                best, score = s, weight
    return best


# %% loneliest_company
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """The element that meets the fewest different companions goes first, with its most sociable holder."""
    goal = set(remaining_elements)
    meets = {}
    for s in remaining_subsets:
        part = goal.intersection(s)
        for e in part:
            meets.setdefault(e, set()).update(part)
    if not meets:
        return None
    lonely = min(sorted(meets), key=lambda e: len(meets[e]))
    holders = [s for s in remaining_subsets if lonely in s]
    return max(holders, key=lambda s: (len(goal.intersection(s)), -sum(len(meets[e]) for e in goal.intersection(s))))


# %% reverse_elimination
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Discard the poorest list until some element has one holder left, and take that holder."""
    goal = set(remaining_elements)
    parts = {k: goal.intersection(s) for k, s in enumerate(remaining_subsets) if goal.intersection(s)}
    while parts:
        owners = {}
        for k, part in parts.items():
            for e in part:
                owners.setdefault(e, []).append(k)
        forced = [names[0] for names in owners.values() if len(names) == 1]
        if forced:
            return remaining_subsets[max(forced, key=lambda k: len(parts[k]))]
        worth = {k: sum(1.0 / len(owners[e]) for e in part) for k, part in parts.items()}
        parts.pop(min(parts, key=lambda k: worth[k]))
    return None


# %% smallest_component
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Split the missing elements into linked groups and finish the smallest group, rarest sum first."""
    goal = set(remaining_elements)
    parts = [goal.intersection(s) for s in remaining_subsets]
    groups = []
    for part in parts:
        if part:
            touching = [g for g in groups if g & part]
            groups = [g for g in groups if not g & part] + [part.union(*touching)]
    if not groups:
        return None
    home = min(groups, key=lambda g: (len(g), min(g)))
    count = {e: sum(e in part for part in parts) for e in home}
    return max(remaining_subsets, key=lambda s: sum(1.0 / count[e] ** 1.5 for e in home.intersection(s)))


# %% exponential_scarcity
import math


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Element values fall exponentially with the number of holders; repeated elements cost a bit."""
    holders = dict.fromkeys(remaining_elements, 0)
    for s in remaining_subsets:
        for e in s:
            if e in holders:
                holders[e] += 1
    answer, top = None, 0.0
    for s in reversed(remaining_subsets):
        value = sum(math.exp(-0.7 * holders[e]) for e in s if e in holders)
        if value > 0:
            value = max(value - 0.002 * sum(e not in holders for e in s), 1e-9)
        if value > top:
            answer, top = s, value
    return answer


# %% mean_rarity_times_gain
from statistics import mean


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """The average rarity of the new elements times a slowly growing power of their number."""
    counts = {e: sum(1 for s in remaining_subsets if e in s) for e in remaining_elements}

    def merit(s):
        new = [counts[e] for e in s if e in counts]
        return mean(1.0 / c for c in new) * len(new) ** 0.45 if new else 0.0

    champion = max(remaining_subsets, key=merit, default=None)
    if champion is None or merit(champion) <= 0:
        return None
    return champion


# %% sharpening_exponent
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Inverse frequency to a power that grows from plain towards steep as the cover fills up."""
    progress = 1.0 - len(remaining_elements) / 50.0
    power = 0.8 + 1.6 * progress
    tally = {}
    for s in remaining_subsets:
        for e in s:
            tally[e] = tally.get(e, 0) + 1
    need = set(remaining_elements)
    ranking = [(sum(tally[e] ** -power for e in need.intersection(s)), len(s)) for s in remaining_subsets]
    if not ranking or max(ranking)[0] == 0:
        return None
    return remaining_subsets[ranking.index(max(ranking))]


# %% borda_of_three
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Add the ranks of a list under three orders: gain, rarity of its rarest new element, and waste."""
    need = set(remaining_elements)
    useful = [s for s in remaining_subsets if need & set(s)]
    if not useful:
        return None
    rare = {e: sum(e in s for s in useful) for e in need}
    by_gain = sorted(len(need & set(s)) for s in useful)
    by_rare = sorted(-min(rare[e] for e in need & set(s)) for s in useful)
    by_waste = sorted(-len(set(s) - need) for s in useful)

    def points(s):
        new = need & set(s)
        first = by_gain.index(len(new))
        second = by_rare.index(-min(rare[e] for e in new))
        return 1.2 * first + 1.5 * second + 0.2 * by_waste.index(-len(set(s) - need))

    return max(useful, key=points)


# %% majority_of_committee
from collections import Counter


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Four small rules vote for a list; ties go to the bold rule that looks at gain alone."""
    need = set(remaining_elements)
    useful = [k for k, s in enumerate(remaining_subsets) if need.intersection(s)]
    if not useful:
        return None
    part = {k: need.intersection(remaining_subsets[k]) for k in useful}
    freq = Counter(e for k in useful for e in part[k])
    ballots = Counter()
    ballots[max(useful, key=lambda k: len(part[k]))] += 1.1
    ballots[max(useful, key=lambda k: sum(1 / freq[e] for e in part[k]))] += 1
    ballots[min(useful, key=lambda k: (min(freq[e] for e in part[k]), -len(part[k])))] += 1
    ballots[max(useful, key=lambda k: len(part[k]) / (1 + len(remaining_subsets[k])))] += 0.9
    return remaining_subsets[ballots.most_common(1)[0][0]]


# %% unique_pairs
from itertools import combinations


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """A pair of missing elements that few lists hold together is precious; add up the pairs."""
    wanted = set(remaining_elements)
    together = {}
    single = {}
    for s in remaining_subsets:
        fresh = sorted(wanted.intersection(s))
        for e in fresh:
            single[e] = single.get(e, 0) + 1
        for pair in combinations(fresh, 2):
            together[pair] = together.get(pair, 0) + 1
    best, peak = None, 0.0
    for s in remaining_subsets:
        fresh = sorted(wanted.intersection(s))
        score = sum(0.3 / single[e] ** 2 for e in fresh)
        for a, b in combinations(fresh, 2):
            score += 6.0 / (together[a, b] * single[a] * single[b])
        if score > peak:
            best, peak = s, score
    return best


# %% pseudo_inverse_cover
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Least squares: in the ridge solution of covering all once, the largest coefficient wins."""
    if not remaining_subsets or not remaining_elements:
        return None
    rows = np.array([[1.0 if e in s else 0.0 for s in remaining_subsets] for e in remaining_elements])
    rows = rows[rows.sum(axis=1) > 0]
    if len(rows) == 0:
        return None
    gram = rows @ rows.T + 0.3 * np.eye(len(rows))
    share = rows.T @ np.linalg.solve(gram, np.ones(len(rows)))
    share = np.where(rows.any(axis=0), share, -9.0)
    return remaining_subsets[int(np.argmax(np.round(share, 9)))]


# %% leverage_scores
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Leverage: how far the missing part points into directions that other lists leave empty."""
    if not remaining_subsets or not remaining_elements:
        return None
    design = np.zeros((len(remaining_subsets), len(remaining_elements)))
    for row, s in enumerate(remaining_subsets):
        for col, e in enumerate(remaining_elements):
            design[row, col] = e in s
    hat = design @ np.linalg.inv(design.T @ design + 0.4 * np.eye(design.shape[1])) @ design.T
    score = np.round(np.diag(hat) * np.sqrt(design.sum(axis=1)), 9)
    best = int(score.argmax())
    return remaining_subsets[best] if score[best] > 0 else None


# %% balanced_scaling
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Scale rows and columns in turn until even; the row factor that stayed large marks the list."""
    need = set(remaining_elements)
    useful = [s for s in remaining_subsets if not need.isdisjoint(s)]
    if not useful:
        return None
    columns = sorted({e for s in useful for e in s if e in need})
    table = np.array([[0.02 + (e in s) for e in columns] for s in useful])
    rows = np.ones(len(useful))
    target = len(columns) / len(useful)
    for _ in range(4):
        cols = 1.0 / (rows @ table)
        rows = rows * (table @ cols / target) ** 2.5
    return useful[int(np.argmax(rows))]


# %% average_rival_price
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """An element costs one over the mean gain of its holders, damped by their number."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    price = {}
    for e in remaining_elements:
        offers = [len(p) for p in parts if e in p]
        if offers:
            price[e] = (len(offers) / sum(offers)) ** 1.2 / len(offers) ** 0.8
    totals = [sum(price[e] for e in p) for p in parts]
    if not totals or max(totals) <= 0:
        return None
    return remaining_subsets[max(range(len(totals)), key=lambda i: (totals[i], -len(remaining_subsets[i])))]


# %% fewest_orphans_left
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Avoid stranding leftovers that afterwards only a list of gain one or two could fetch."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    best, answer = None, None
    for i, part in enumerate(parts):
        if not part:
            continue
        rest = [p - part for j, p in enumerate(parts) if j != i]
        stranded = 0.0
        for e in need - part:
            reach = max((len(p) for p in rest if e in p), default=0)
            stranded += {0: 0.0, 1: 1.0, 2: 0.5, 3: 0.2}.get(reach, 0.0)
        verdict = (len(part) - 1.2 * stranded, sum(len(p) for p in rest))
        if best is None or verdict > best:
            best, answer = verdict, remaining_subsets[i]
    return answer


# %% halving_potential
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Potential of missing elements: each holder that keeps three or more new elements halves the worry."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]

    def worry(open_set, skip):
        sizes = [len(p & open_set) if k != skip else 0 for k, p in enumerate(parts)]
        total = 0.0
        for e in open_set:
            strength = sum(sizes[k] for k, p in enumerate(parts) if k != skip and e in p)
            total += 0.2 + 0.85**strength
        return total

    useful = [k for k, p in enumerate(parts) if p]
    if not useful:
        return None
    useful.sort(key=lambda k: -len(parts[k]))
    return remaining_subsets[min(useful[:16], key=lambda k: worry(need - parts[k], k))]


# %% loneliest_among_large
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Among lists with two thirds of the best gain take the one with the most lonely elements."""
    need = set(remaining_elements)
    gains = [(len(need.intersection(s)), s) for s in remaining_subsets]
    limit = 0.66 * max((g for g, _ in gains), default=0)
    if limit == 0:
        return None
    short = [s for g, s in gains if g >= limit]
    seen = {e: sum(e in s for _, s in gains) for e in need}
    return max(short, key=lambda s: (sum(seen[e] <= 3 for e in s if e in seen), -sum(seen.get(e, 4) for e in s)))


# %% three_step_greedy_reach
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Rarity of a list plus a discounted share of what the next two greedy steps would still collect."""
    need = frozenset(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    value = {e: 1.0 / max(1, sum(e in p for p in parts)) for e in need}

    def worth(elements):
        return sum(value[e] for e in elements)

    best, answer = 0.0, None
    for s, part in zip(remaining_subsets, parts):
        if part:
            left, total = need - part, worth(part)
            for _ in range(2):
                follower = max(parts, key=lambda p: len(p & left))
                total += 0.75 * worth(follower & left)
                left = left - follower
            if total > best + 1e-9:
                best, answer = total, s
    return answer


# %% random_rival_order
import random


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Shuffle the elements nine times and credit, for each, the largest holder; most credits win."""
    need = set(remaining_elements)
    gain = [len(need.intersection(s)) for s in remaining_subsets]
    credit = [0.0] * len(gain)
    dice = random.Random(900 + len(remaining_elements))
    for _ in range(9):
        order = list(remaining_elements)
        dice.shuffle(order)
        left = set(order)
        for e in order:
            if e in left:
                holders = [k for k, s in enumerate(remaining_subsets) if e in s]
                if holders:
                    lead = max(holders, key=lambda k: len(left.intersection(remaining_subsets[k])))
                    credit[lead] += len(left.intersection(remaining_subsets[lead])) ** 0.5
                    left -= set(remaining_subsets[lead])
    if not credit or max(credit) == 0:
        return None
    return remaining_subsets[max(range(len(credit)), key=lambda k: (credit[k], gain[k]))]


# %% escape_from_crowd
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Jaccard distance: gain times the average unlikeness to the other useful parts."""
    wanted = np.array(sorted(remaining_elements))
    if wanted.size == 0 or not remaining_subsets:
        return None
    hits = np.array([np.isin(wanted, s) for s in remaining_subsets]).astype(float)
    size = hits.sum(axis=1)
    common = hits @ hits.T
    union = np.maximum(size[:, None] + size[None, :] - common, 1.0)
    likeness = (common / union) @ (size > 0) - (size > 0)
    score = size / (1.0 + 1.5 * likeness)
    k = int(np.argmax(score))
    return remaining_subsets[k] if size[k] > 0 else None


# %% step_parity_switch
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Alternate between two habits: on even steps the widest list, on odd steps the neediest element."""
    need = set(remaining_elements)
    useful = [s for s in remaining_subsets if need.intersection(s)]
    if not useful:
        return None
    if len(selected_subsets) % 2 == 0:
        return max(useful, key=lambda s: (len(need.intersection(s)), -len(s)))
    hold = {e: [s for s in useful if e in s] for e in need}
    neediest = min((e for e in need if hold[e]), key=lambda e: (len(hold[e]), -e))
    return max(hold[neediest], key=lambda s: sum(1.0 / len(hold[e]) for e in need.intersection(s)))


# %% stop_loss_on_singles
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Forced lists come last; plan the rest as if their elements were covered already."""
    need = set(remaining_elements)
    owners = {e: [k for k, s in enumerate(remaining_subsets) if e in s] for e in need}
    forced = sorted({owners[e][0] for e in need if len(owners[e]) == 1})
    for k in forced:
        need -= set(remaining_subsets[k])
    gains = [len(need.intersection(s)) for s in remaining_subsets]
    if gains and max(gains) > 0:
        weight = [sum(1.0 / len(owners[e]) for e in need.intersection(s)) for s in remaining_subsets]
        return remaining_subsets[weight.index(max(weight))]
    return remaining_subsets[forced[0]] if forced else None


# %% effective_holders
import math


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Entropy of the holders' gains measures real alternatives; the poorest element goes first."""
    need = set(remaining_elements)
    gain = {k: len(need.intersection(s)) for k, s in enumerate(remaining_subsets)}
    weight = {}
    for e in need:
        shares = [gain[k] ** 2 for k, s in enumerate(remaining_subsets) if e in s]
        total = sum(shares)
        entropy = -sum(x / total * math.log(x / total) for x in shares) if shares else 0.0
        weight[e] = math.exp(-1.3 * entropy)
    useful = [k for k in gain if gain[k] > 0]
    if not useful:
        return None
    scarce = max((e for e in need if any(e in remaining_subsets[k] for k in useful)), key=lambda e: (weight[e], e))
    circle = [k for k in useful if scarce in remaining_subsets[k]]
    return remaining_subsets[max(circle, key=lambda k: sum(weight[e] for e in need.intersection(remaining_subsets[k])))]


# %% kill_useless_lists
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Gain first, then how many other lists become pointless because nothing new is left in them."""
    need = set(remaining_elements)
    fresh = [need.intersection(s) for s in remaining_subsets]
    top = max((len(p) for p in fresh), default=0)
    if top == 0:
        return None
    answer, record = None, -1.0
    for s, part in zip(remaining_subsets, fresh):
        if len(part) >= max(1, top - 1):
            swallowed = sum(1 for p in fresh if p and p <= part)
            crippled = sum(1 for p in fresh if len(p - part) == 1 and len(p) > 1)
            score = 2.0 * len(part) + swallowed - 0.5 * crippled
            if score > record:
                answer, record = s, score
    return answer


# %% hub_avoidance
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """A random walk finds busy elements; the list richest in quiet ones is taken."""
    if not remaining_subsets or not remaining_elements:
        return None
    member = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    size, degree = member.sum(axis=1), member.sum(axis=0)
    visit = degree / max(degree.sum(), 1.0)
    for _ in range(6):
        on_list = member @ (visit / np.maximum(degree, 1.0)) / np.maximum(size, 1.0) ** 1.5
        visit = 0.85 * (on_list @ member) + 0.15 / len(visit)
        visit = visit / visit.sum()
    quiet = np.where(degree > 0, 1.0 / (visit + 1e-3) / np.maximum(degree, 1.0), 0.0)
    score = member @ quiet
    return remaining_subsets[int(score.argmax())] if score.max() > 0 else None


# %% branch_rarest_and_roll
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Try every holder of the rarest element, finish by rarity greedy, keep the shortest finish."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    count = {e: sum(e in p for p in parts) for e in remaining_elements}
    reachable = [e for e in remaining_elements if count[e] > 0]
    if not reachable:
        return None

    def finish(first):
        left, steps = set(reachable) - parts[first], 1
        while left:
            pick = max(parts, key=lambda p: sum(1.0 / (count[e] - 0.5) for e in p & left))
            left = left - pick
            steps += 1
        return steps

    tight = min(reachable, key=lambda e: (count[e], -max(len(p) for p in parts if e in p)))
    holders = [k for k, p in enumerate(parts) if tight in p]
    return remaining_subsets[min(holders, key=lambda k: (finish(k), len(remaining_subsets[k]) - 1.5 * len(parts[k])))]


# %% roll_out_top_six
import heapq


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """The six lists richest in rarity are each played to the end by gain; the fewest steps win."""
    bit = {e: 1 << k for k, e in enumerate(remaining_elements)}
    masks = [sum(bit.get(e, 0) for e in set(s)) for s in remaining_subsets]
    everything = 0
    for m in masks:
        everything |= m
    if everything == 0:
        return None
    rarity = {b: 1.0 / max(1, sum(m & b > 0 for m in masks)) for b in bit.values()}
    richness = [sum(w for b, w in rarity.items() if m & b) for m in masks]
    best, answer = (999, 0.0), None
    for k in heapq.nlargest(6, range(len(masks)), key=lambda i: richness[i]):
        left, steps = everything & ~masks[k], 1
        while left:
            left &= ~max(masks, key=lambda m: (m & left).bit_count())
            steps += 1
        lonely = max((w for b, w in rarity.items() if masks[k] & b), default=-999.0)
        if (steps, -lonely) < best:
            best, answer = (steps, -lonely), remaining_subsets[k]
    return answer


# %% two_policies_agree
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Judge ten lists by the sum of two finishes: by gain, and led by the rarest element."""
    need = set(remaining_elements)
    parts = [frozenset(need.intersection(s)) for s in remaining_subsets]
    holders = {e: [p for p in parts if e in p] for e in remaining_elements}
    live = {e for e in remaining_elements if holders[e]}
    if not live:
        return None

    def cost(left, by_gain):
        steps = 0
        while left:
            pool = parts if by_gain else holders[min(left, key=lambda e: (len(holders[e]), e))]
            left = left - max(pool, key=lambda p: len(p & left))
            steps += 1
        return steps

    value = [sum(1.0 / len(holders[e]) for e in p) for p in parts]
    order = sorted(range(len(parts)), key=lambda k: -value[k])[:10]
    order = [k for k in order if parts[k]]
    trial = {k: cost(live - parts[k], True) + cost(live - parts[k], False) for k in order}
    return remaining_subsets[min(order, key=lambda k: (trial[k], -len(parts[k]), len(remaining_subsets[k])))]


# %% mean_field_choice
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Mean field: lists switch on softly where others leave gaps; temperature falls slowly."""
    if not remaining_subsets or not remaining_elements:
        return None
    a = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    size = a.sum(axis=1)
    if size.max() == 0:
        return None
    on = 0.5 * size / size.max()
    for sweep in range(12):
        silence = np.prod(1.0 - a * np.minimum(on, 0.99)[:, None], axis=0)
        field = np.sum(a * silence / (1.0 - a * np.minimum(on, 0.99)[:, None]), axis=1) - 0.9
        target = 1.0 / (1.0 + np.exp(-np.clip((1.0 + 0.4 * sweep) * field, -30, 30)))
        on = 0.6 * on + 0.4 * target * (size > 0)
    return remaining_subsets[int(np.argmax(on + 0.02 * size / size.max() - (size == 0)))]


# %% fictitious_play
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Demand attacks the least served element, a buyer answers with a list; the most played wins."""
    if not remaining_subsets or not remaining_elements:
        return None
    table = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] == 0:
        return None
    demand = 1.0 / table.sum(axis=0) ** 1.5
    demand = demand * 2.0 / demand.sum()
    served = np.zeros(table.shape[1])
    plays = 0.001 * table.sum(axis=1)
    for _ in range(120):
        reply = int(np.argmax(table @ demand))
        plays[reply] += 1.0
        served = served + table[reply]
        demand[int(np.argmin(served - 1e-3 * demand))] += 1.0
    return remaining_subsets[int(np.argmax(plays))]


# %% dual_bound_of_leftover
import heapq


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Raise feasible prices on what eight good lists would leave; the lowest bound wins."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    holders = {e: [k for k, p in enumerate(parts) if e in p] for e in need}

    def bound(left):
        size = [len(p & left) for p in parts]
        slack = [1.0] * len(parts)
        total = 0.0
        for e in left:
            price = 1.0 / max(size[k] for k in holders[e])
            total += price
            for k in holders[e]:
                slack[k] -= price
        for e in sorted(left, key=lambda e: (len(holders[e]), e)):
            raise_by = max(0.0, min(slack[k] for k in holders[e]))
            total += raise_by
            for k in holders[e]:
                slack[k] -= raise_by
        return total

    live = {e for e in need if holders[e]}
    if not live:
        return None
    worth = [sum(1.0 / len(holders[e]) for e in p) for p in parts]
    good = [k for k in heapq.nlargest(8, range(len(parts)), key=lambda k: worth[k]) if parts[k]]
    return remaining_subsets[min(good, key=lambda k: bound(live - parts[k]) - 0.15 * worth[k])]


# %% witnesses_after_choice
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """After each choice count leftover elements no two of which share a list: each still costs one step."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    degree = {e: sum(e in p for p in parts) for e in remaining_elements}

    def witnesses(left):
        near = {e: set() for e in left}
        for p in parts:
            for e in p & left:
                near[e] |= p & left
        number = 0
        while near:
            seed = min(near, key=lambda e: (len(near[e]), degree[e], e))
            number += len(near[seed]) > 0
            for e in near[seed] | {seed}:
                near.pop(e, None)
        return number

    gain = [sum(1.0 / degree[e] for e in p) for p in parts]
    shortlist = sorted((k for k in range(len(parts)) if parts[k]), key=lambda k: -gain[k])[:9]
    if not shortlist:
        return None
    return remaining_subsets[min(shortlist, key=lambda k: witnesses(need - parts[k]) - 0.12 * len(parts[k]))]


# %% two_tight_elements
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Pair the holders of the two tightest elements; the pair leaving the cheapest rest leads."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    supply = {e: sum(len(p) for p in parts if e in p) for e in remaining_elements}
    tight = sorted((e for e in remaining_elements if supply[e] > 0), key=lambda e: supply[e])
    if not tight:
        return None
    first, answer = float("inf"), None
    one = [k for k, p in enumerate(parts) if tight[0] in p]
    two = [k for k, p in enumerate(parts) if tight[-1:] != tight[:1] and tight[min(1, len(tight) - 1)] in p]
    for i in one:
        for j in two or one:
            both = parts[i] | parts[j]
            steps = 1 if i == j or parts[j] <= parts[i] else 2
            rest = sum(0.08 + 1.0 / (1.0 + supply[e]) for e in need - both if supply[e])
            price = rest + 0.55 * steps - 0.03 * len(remaining_subsets[i])
            if price < first:
                first, answer = price, remaining_subsets[i]
    return answer


# %% tight_tree_four_deep
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """A tree over tightest elements, three holders wide, four deep, with a price for the rest."""
    need = frozenset(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    held = {e: [k for k, p in enumerate(parts) if e in p] for e in need}
    live = frozenset(e for e in need if held[e])
    price = {e: 0.09 + 0.35 / len(held[e]) for e in live}

    def cost(left, depth):
        if not left or depth == 0:
            return sum(price[e] for e in left), -1
        tight = min(left, key=lambda e: (sum(len(parts[k] & left) for k in held[e]), e))
        wide = sorted(held[tight], key=lambda k: -sum(price[e] for e in parts[k] & left))[:3]
        return min((1.0 + cost(left - parts[k], depth - 1)[0], -k) for k in wide)

    if not live:
        return None
    return remaining_subsets[-cost(live, 4)[1]]


# %% reduce_then_regret
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Drop dominated lists and implied elements; on the core add up rarity and regret."""
    need = set(remaining_elements)
    parts = {k: need.intersection(s) for k, s in enumerate(remaining_subsets)}
    core = {}
    for k in sorted(parts, key=lambda k: (-len(parts[k]), k)):
        if parts[k] and not any(parts[k] <= p for p in core.values()):
            core[k] = parts[k]
    if not core:
        return None
    held = {e: frozenset(k for k, p in core.items() if e in p) for e in set().union(*core.values())}
    hard = [e for e in sorted(held) if not any(held[o] < held[e] or (held[o] == held[e] and o < e) for o in held)]
    left = {k: [e for e in hard if e in p] for k, p in core.items()}
    score = dict.fromkeys(core, 0.0)
    for e in hard:
        offers = sorted((len(left[k]) for k in held[e]), reverse=True) + [0]
        for k in held[e]:
            score[k] += 1.0 / len(held[e]) ** 1.5 + 0.05 * max(0, len(left[k]) - offers[1])
    return remaining_subsets[max(score, key=lambda k: (round(score[k], 6), len(core[k])))]


# %% finish_soon_else_supply
from itertools import combinations


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """If one or two lists can finish, start that finish; before that, buy elements whose supply is thin."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    live = {e for p in parts for e in p}
    if not live:
        return None
    for k, p in enumerate(parts):
        if p == live:
            return remaining_subsets[k]
    big = sorted(range(len(parts)), key=lambda k: -len(parts[k]))
    if len(live) <= 2 * len(parts[big[0]]):
        for i, j in combinations(big, 2):
            if parts[i] | parts[j] == live:
                return remaining_subsets[i]
    supply = {e: sum(len(p) ** 1.5 for p in parts if e in p) for e in live}
    return remaining_subsets[max(big, key=lambda k: sum(supply[e] ** -1.2 for e in parts[k]))]


# %% survival_look_ahead
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Choose, then sum the chances that no other list picks up a leftover element by the way."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    ceiling = max((len(p) for p in parts), default=0)
    if ceiling == 0:
        return None
    best, answer = float("inf"), None
    for k in sorted(range(len(parts)), key=lambda k: -len(parts[k]))[:18]:
        if not parts[k]:
            break
        alone = dict.fromkeys(need - parts[k], 1.0)
        for j, p in enumerate(parts):
            fresh = p - parts[k]
            if j != k:
                for e in fresh:
                    alone[e] *= 1.0 - 0.8 * (len(fresh) / (ceiling + 0.5)) ** 2
        worry = sum(alone.values()) + 0.4 * len(alone)
        if worry < best - 1e-9:
            best, answer = worry, remaining_subsets[k]
    return answer


# %% dropout_votes
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Hide lists at random twenty times; a list scores where its elements lose other holders."""
    if not remaining_subsets or not remaining_elements:
        return None
    grid = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    if grid.max() == 0:
        return None
    size = grid.sum(axis=1)
    generator = np.random.default_rng(50 + len(remaining_elements))
    votes = np.zeros(len(grid))
    for _ in range(20):
        odds = 0.15 + 0.55 * size / size.max()
        shown = generator.random(len(grid)) < odds
        others = shown.astype(float) @ grid
        spare = others[None, :] - shown[:, None] * grid
        votes = votes + (grid * (spare < 0.5)).sum(axis=1) + 0.15 * (grid * (spare < 1.5)).sum(axis=1)
    return remaining_subsets[int(np.argmax(votes + 0.01 * size))]


# %% thin_supply_after_choice
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Sum one over the supply of every leftover element, supply being what its holders would still gain."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    lowest, answer = float("inf"), None
    for k, chosen in enumerate(parts):
        if not chosen:
            continue
        supply = dict.fromkeys(need - chosen, 0.0)
        for j, p in enumerate(parts):
            fresh = p - chosen
            if j == k or not fresh:
                continue
            amount = len(fresh) ** 1.7
            for e in fresh:
                supply[e] += amount
        pain = sum((amount + 1.5) ** -0.75 for amount in supply.values() if amount) + 0.1 * len(supply)
        if pain < lowest:
            lowest, answer = pain, remaining_subsets[k]
    return answer


# %% opening_middle_endgame
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Opening: steep scarcity; middle: thin supply; endgame: the pair of lists that leaves the least."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    useful = [k for k, p in enumerate(parts) if p]
    if not useful:
        return None
    count = {e: sum(e in parts[k] for k in useful) for e in need}
    if len(need) > 32:
        return remaining_subsets[max(useful, key=lambda k: sum(count[e] ** -1.4 for e in parts[k]))]
    if len(need) > 13:
        supply = {e: sum(len(parts[k]) ** 2 for k in useful if e in parts[k]) for e in need}
        return remaining_subsets[max(useful, key=lambda k: sum(supply[e] ** -1.0 for e in parts[k]))]
    tight = min((e for e in need if count[e]), key=lambda e: (count[e], e))

    def rest_of_pair(k):
        left = need - parts[k]
        return min(sum(1.0 / max(1, count[e]) for e in left - parts[j]) for j in useful)

    return remaining_subsets[min((k for k in useful if tight in parts[k]), key=rest_of_pair)]


# %% noisy_playouts
import random


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Five candidates, eight seeded noisy playouts each: best mean plus shortest length wins."""
    bit = {e: 1 << k for k, e in enumerate(remaining_elements)}
    masks = [sum(bit.get(e, 0) for e in set(s)) for s in remaining_subsets]
    weight = {b: 1.0 / max(1, sum(m & b > 0 for m in masks)) for b in bit.values()}
    total = sum(b for b in weight if any(m & b for m in masks))
    if total == 0:
        return None
    value = [sum(w for b, w in weight.items() if m & b) for m in masks]
    front = sorted((k for k in range(len(masks)) if masks[k]), key=lambda k: -value[k])[:5]
    results = {}
    for k in front:
        lengths = []
        for game in range(8):
            dice = random.Random(game * 1000 + len(bit))
            bias = [v * dice.uniform(0.0, 0.5) for v in value]
            left, steps = total & ~masks[k], 1
            while left:
                scores = [(m & left).bit_count() + x if m & left else -1.0 for m, x in zip(masks, bias)]
                left &= ~masks[scores.index(max(scores))]
                steps += 1
            lengths.append(steps)
        results[k] = min(lengths) + sum(lengths) / len(lengths) - 0.05 * masks[k].bit_count()
    return remaining_subsets[min(front, key=lambda k: results[k])]


# %% beam_with_supply_price
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Five lines, four deep, branching at the element of thinnest supply; cheapest leftover leads."""
    need = frozenset(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    supply = {e: sum(len(p) ** 0.7 for p in parts if e in p) for e in remaining_elements}
    price = {e: 0.12 + 1.6 / (3.0 + supply[e]) ** 2 for e in need if supply[e] > 0}
    lines = [(0.0, -1, frozenset(price))]
    for depth in range(4):
        grown = {}
        for cost, first, left in lines:
            if not left:
                return remaining_subsets[first] if first >= 0 else None
            thin = min(left, key=lambda e: (supply[e], e))
            for k, p in enumerate(parts):
                if thin in p:
                    rest = left - p
                    entry = (sum(price[e] for e in rest), k if first < 0 else first, rest)
                    if rest not in grown or entry[0] < grown[rest][0]:
                        grown[rest] = entry
        lines = sorted(grown.values(), key=lambda line: (line[0], -line[1]))[:5]
    return remaining_subsets[lines[0][1]]


# %% cavity_messages
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """An element warns each list how likely all its other holders stay away; messages iterate."""
    if not remaining_subsets or not remaining_elements:
        return None
    a = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    if a.sum() == 0:
        return None
    size = a.sum(axis=1, keepdims=True)
    away = np.where(a > 0, 1.0 - 0.5 * size / size.max(), 1.0)
    warning = a
    for _ in range(8):
        log_away = np.log(np.clip(away, 1e-6, 1.0)) * a
        warning = a * np.exp(log_away.sum(axis=0, keepdims=True) - log_away)
        push = warning.sum(axis=1, keepdims=True) - warning
        away = 0.5 * away + 0.5 / (1.0 + np.exp(np.clip(4.0 * (push - 0.7), -20, 20)))
        away = np.where(a > 0, away, 1.0)
    belief = np.round(warning.sum(axis=1), 7) + 1e-3 * size[:, 0]
    return remaining_subsets[int(np.argmax(belief))]


# %% exclusive_replacement
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Cost of doing without a list: each element asks its best holder, ignoring shared gains."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    best, answer = (0.0, 0), None
    for k, own in enumerate(parts):
        substitutes = {}
        for e in own:
            rivals = [(len(p - own) + 0.1 * len(p & own), -j) for j, p in enumerate(parts) if j != k and e in p]
            gain, j = max(rivals, default=(0.0, -k))
            substitutes.setdefault(j, []).append(gain)
        cost = 0.0
        for gains in substitutes.values():
            cost += len(gains) ** 0.5 / (0.6 + max(gains))
        mark = (round(cost, 6), len(own))
        if own and mark > best:
            best, answer = mark, remaining_subsets[k]
    return answer


# %% damage_to_rival_plans
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Priced gain less the price lost by lists that are the best offer of another element."""
    need = set(remaining_elements)
    parts = [need.intersection(s) for s in remaining_subsets]
    favourite, price = {}, {}
    for e in sorted(need):
        holders = sorted((k for k, p in enumerate(parts) if e in p), key=lambda k: -len(parts[k]))
        if holders:
            favourite[e] = holders[0]
            price[e] = 1.0 / (len(holders) * len(parts[holders[0]])) ** 0.8
    best, answer = -float("inf"), None
    for k, own in enumerate(parts):
        if own:
            hurt = {favourite[e] for e in favourite if favourite[e] != k and e not in own}
            loss = sum(price[e] / len(parts[j]) for j in hurt for e in parts[j] & own)
            score = sum(price[e] for e in own) - 0.5 * loss
            if score > best:
                best, answer = score, remaining_subsets[k]
    return answer


# %% cost_of_waiting
def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Worth now plus the worth that would be lost if any one of the six strongest rivals moved first."""
    need = set(remaining_elements)
    tally = {}
    for s in remaining_subsets:
        for e in need.intersection(s):
            tally[e] = tally.get(e, 0) + 1
    if not tally:
        return None

    def worth(elements):
        return sum(tally[e] ** -1.4 for e in elements)

    parts = [need.intersection(s) for s in remaining_subsets]
    strong = sorted((k for k, p in enumerate(parts) if p), key=lambda k: -worth(parts[k]))[:7]
    outlook = []
    for k in strong:
        kept = [worth(parts[k] - parts[j]) for j in strong if j != k]
        after = max((worth(parts[j] - parts[k]) for j in strong if j != k), default=0.0)
        outlook.append(worth(parts[k]) + 0.8 * after - 0.05 * min(kept, default=0.0))
    return remaining_subsets[strong[outlook.index(max(outlook))]]


# %% standard_scores
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Standardised gain, rarity, thin supply, last-chance elements and waste, with fixed weights."""
    need = set(remaining_elements)
    useful = [s for s in remaining_subsets if need.intersection(s)]
    if not useful:
        return None
    grid = np.array([[e in s for e in remaining_elements] for s in useful], dtype=float)
    gain = grid.sum(axis=1)
    holders = np.maximum(grid.sum(axis=0), 1.0)
    supply = np.maximum(gain**1.5 @ grid, 1.0)
    waste = np.array([len(s) for s in useful]) - gain
    table = np.stack([gain, grid @ holders**-2.0, grid @ (1.0 / supply), grid @ (holders <= 2), -waste], axis=1)
    spread = table.std(axis=0)
    scaled = (table - table.mean(axis=0)) / np.where(spread > 1e-9, spread, 1.0)
    total = scaled @ np.array([0.1, 0.2, 1.0, -0.2, 0.05])
    return useful[int(np.argmax(np.round(total, 9)))]


# %% priced_playout
import numpy as np


def select_next_subset(selected_subsets, remaining_subsets, remaining_elements):
    """Prices grow on elements covered late in five greedy playouts; the dearest list is taken."""
    if not remaining_subsets or not remaining_elements:
        return None
    grid = np.array([[e in s for e in remaining_elements] for s in remaining_subsets], dtype=float)
    grid = grid[:, grid.any(axis=0)]
    if grid.shape[1] == 0:
        return None
    price = grid.sum(axis=0) ** -1.0
    for _ in range(5):
        left = np.ones(grid.shape[1])
        late = np.zeros(grid.shape[1])
        while left.any():
            value = grid @ (left * price)
            k = int(np.argmax(value))
            fresh = left * grid[k]
            late = late + fresh / fresh.sum()
            left = left - fresh
        price = price * (0.6 + late) / (0.6 + late).mean()
    return remaining_subsets[int(np.argmax(grid @ price))]
