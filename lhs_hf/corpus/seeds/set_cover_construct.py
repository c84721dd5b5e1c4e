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
