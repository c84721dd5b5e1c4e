"""Seed programs for `reversal_sorting`: one complete program a cell, named after its idea."""


# %% longest_at_worse_end
def pick_segment(row, segments):
    """Reverse a longest segment, at the end of the row whose outer number is farther from its place."""
    longest = max(end - start for start, end in segments)
    long_ones = [pair for pair in segments if pair[1] - pair[0] == longest]
    return long_ones[0] if row[0] > len(row) - 1 - row[-1] else long_ones[-1]


# %% random_improving
import random


def pick_segment(row, segments):
    """Any segment whose first entry is larger than its last, at random."""
    rng = random.Random(int(sum(place * value for place, value in enumerate(row))))
    return rng.choice([(start, end) for start, end in segments if row[start] > row[end]] or segments)


# %% largest_neighbour_drop
def pick_segment(row, segments):
    """Swap the two neighbours that differ most in the wrong direction."""
    neighbours = [(start, end) for start, end in segments if end - start == 1]
    return max(neighbours, key=lambda pair: row[pair[0]] - row[pair[1]])


# %% smallest_to_front
def pick_segment(row, segments):
    """Selection: bring the smallest misplaced number towards its place, as far as one reversal reaches."""
    values = row.tolist()
    target = next(place for place, value in enumerate(values) if place != value)
    place = values.index(target)
    return min((pair for pair in segments if pair[1] == place and pair[0] >= target), key=lambda pair: pair[0])


# %% largest_to_back
def pick_segment(row, segments):
    """Selection from the end: carry the largest misplaced number to the right, as far as it may go at once."""
    target = max(place for place in range(len(row)) if row[place] != place)
    place = int((row == target).nonzero()[0][0])
    reach = [end for start, end in segments if start == place and end <= target]
    return place, max(reach)


# %% descending_runs
def pick_segment(row, segments):
    """Reverse the longest stretch that falls from left to right."""
    allowed = set(segments)
    best = None
    for start, end in segments:
        falls = all(row[i] > row[i + 1] for i in range(start, end))
        if falls and (best is None or end - start > best[1] - best[0]):
            best = (start, end)
    return best if best in allowed else segments[0]


# %% most_inversions_mended
import numpy as np


def pick_segment(row, segments):
    """The segment that puts most pairs in order, whatever its length."""

    def mended(pair):
        part = row[pair[0] : pair[1] + 1]
        wrong = np.triu(part[:, None] > part[None, :], 1).sum()
        return 2 * wrong - len(part) * (len(part) - 1) // 2

    return max(segments, key=mended)


# %% mended_per_cost
import numpy as np


def pick_segment(row, segments):
    """Pairs put in order for each unit of cost."""
    best, best_rate = segments[0], -np.inf
    for start, end in segments:
        part = row[start : end + 1]
        length = len(part)
        wrong = int(np.triu(part[:, None] > part[None, :], 1).sum())
        rate = (2 * wrong - length * (length - 1) / 2) / (3 + length)
        if rate > best_rate:
            best, best_rate = (start, end), rate
    return best


# %% displacement_per_cost
def pick_segment(row, segments):
    """How much nearer all numbers come to their places, for each unit of cost; a swap if none comes nearer."""
    best, best_rate = None, 0.0
    for start, end in segments:
        gain = 0
        for place in range(start, end + 1):
            gain += abs(row[place] - place) - abs(row[place] - (start + end - place))
        rate = gain / (4.0 + end - start)
        if rate > best_rate:
            best, best_rate = (start, end), rate
    if best is None:
        best = next((s, e) for s, e in segments if e == s + 1 and row[s] > row[e])
    return best


# %% squared_displacement
import numpy as np


def pick_segment(row, segments):
    """Least sum of squared distances from the places after the reversal, plus 1.5 for each unit of length."""
    places = np.arange(len(row))

    def value(pair):
        start, end = pair
        after = row.copy()
        after[start : end + 1] = row[start : end + 1][::-1]
        return int(((after - places) ** 2).sum()) + 1.5 * (end - start)

    return min(segments, key=value)


# %% halves_first
def pick_segment(row, segments):
    """Like quicksort: move numbers of the lower half into the lower half first, then set small things right."""
    middle = len(row) / 2
    high = [int(value >= middle) for value in row]
    best, best_value = None, 0.0
    for start, end in segments:
        inner = range(start, end + 1)
        crossed = sum((high[i] - high[start + end - i]) * (start + end - 2 * i) for i in inner) / 2
        if crossed / (4 + end - start) > best_value:
            best, best_value = (start, end), crossed / (4 + end - start)
    if best is not None:
        return best
    falls = [(s, e) for s, e in segments if all(row[i] > row[j] for i in range(s, e) for j in range(i + 1, e + 1))]
    return max(falls, key=lambda pair: pair[1] - pair[0])


# %% breakpoints_then_inversions
def pick_segment(row, segments):
    """Remove places where neighbours are no consecutive numbers; pairs put in order count a third as much."""
    full = [-1] + row.tolist() + [len(row)]
    best, best_value = segments[0], -1e9
    for start, end in segments:
        first, last = full[start + 1], full[end + 1]
        before, behind = full[start], full[end + 2]
        joined = (abs(before - last) == 1) + (abs(first - behind) == 1)
        joined -= (abs(before - first) == 1) + (abs(last - behind) == 1)
        part = full[start + 1 : end + 2]
        pairs = sum(1 if part[i] > part[j] else -1 for j in range(len(part)) for i in range(j))
        value = joined + pairs / 3.0 - 0.2 * (end - start)
        if value > best_value and pairs > 0:
            best, best_value = (start, end), value
    return best


# %% weighted_inversions
import numpy as np


def pick_segment(row, segments):
    """Pairs in the wrong order weigh as the square root of their difference; most weight mended per cost."""
    weight = np.sqrt(np.abs(row[:, None] - row[None, :])) * np.sign(row[:, None] - row[None, :])
    rates = []
    for start, end in segments:
        block = np.triu(weight[start : end + 1, start : end + 1], 1)
        rates.append(block.sum() / (4.0 + end - start))
    return segments[int(np.argmax(rates))]


# %% two_reversals_ahead
import numpy as np


def pick_segment(row, segments):
    """Pairs mended by a reversal and by the best one after it, for their cost; only six first ones are followed."""

    def rates(order):
        sign = np.triu(np.sign(order[:, None] - order[None, :]), 1)
        return [(int(sign[s : e + 1, s : e + 1].sum()), 4 + e - s) for s, e in segments]

    now = rates(row)
    ranked = sorted(range(len(segments)), key=lambda k: -now[k][0] / now[k][1])[:6]
    best, best_value = ranked[0], -1e9
    for k in ranked:
        start, end = segments[k]
        after = row.copy()
        after[start : end + 1] = row[start : end + 1][::-1]
        value = max((now[k][0] + gain) / (now[k][1] + cost) for gain, cost in rates(after))
        if value > best_value:
            best, best_value = k, value
    return segments[best]


# %% greedy_rollouts
import numpy as np


def pick_segment(row, segments):
    """Follow the five most promising reversals to the end by pairs mended per cost; the cheapest course decides."""

    def gains(order):
        sign = np.triu(np.sign(order[:, None] - order[None, :]), 1).cumsum(axis=0).cumsum(axis=1)
        table = np.zeros((len(order) + 1, len(order) + 1))
        table[1:, 1:] = sign
        s, e = np.array(segments).T
        inside = table[e + 1, e + 1] - table[s, e + 1] - table[e + 1, s] + table[s, s]
        return inside / (4 + e - s)

    def turned(order, k):
        start, end = segments[k]
        after = order.copy()
        after[start : end + 1] = order[start : end + 1][::-1]
        return after

    def course(k):
        order, cost = row, 0
        for _ in range(2 * len(row)):
            order = turned(order, k)
            cost += 4 + segments[k][1] - segments[k][0]
            rate = gains(order)
            k = int(np.argmax(rate))
            if rate[k] <= 0:
                break
        return cost

    promising = np.argsort(-gains(row), kind="stable")[:5]
    return segments[min(promising.tolist(), key=course)]
