"""Seed programs for `common_superstring`: one complete program a cell, named after its idea."""


# %% smallest_overlap
def merge_pair(fragments, pairs, overlaps):
    """Anti-greedy: the pair that saves least."""
    return min(pairs, key=lambda pair: overlaps[pair])


# %% random_pair
import random


def merge_pair(fragments, pairs, overlaps):
    """Any pair, from a generator seeded with the number of fragments and their length."""
    return random.Random(97 * len(fragments) + sum(map(len, fragments))).choice(pairs)


# %% alphabetical
def merge_pair(fragments, pairs, overlaps):
    """Join the alphabetically first fragment to the one that comes next, whatever they share."""
    order = sorted(range(len(fragments)), key=lambda k: fragments[k])
    return order[0], order[1]


# %% grow_the_longest
def merge_pair(fragments, pairs, overlaps):
    """Extend the longest fragment at its end by whatever overlaps most."""
    longest = max(range(len(fragments)), key=lambda k: len(fragments[k]))
    return max((pair for pair in pairs if pair[0] == longest), key=lambda pair: overlaps[pair])


# %% grow_at_both_ends
def merge_pair(fragments, pairs, overlaps):
    """Extend the longest fragment at either end, where the overlap is larger."""
    longest = max(range(len(fragments)), key=lambda k: (len(fragments[k]), -k))
    return max((pair for pair in pairs if longest in pair), key=lambda pair: overlaps[pair])


# %% largest_overlap
def merge_pair(fragments, pairs, overlaps):
    """Greedy: the first pair with the largest overlap."""
    best = pairs[0]
    for pair in pairs:
        if overlaps[pair] > overlaps[best]:
            best = pair
    return best


# %% largest_overlap_short_result
def merge_pair(fragments, pairs, overlaps):
    """The largest overlap; among equals the two fragments that are shortest together."""
    return max(pairs, key=lambda p: (overlaps[p], -len(fragments[p[0]]) - len(fragments[p[1]])))


# %% shortest_merged_text
def merge_pair(fragments, pairs, overlaps):
    """The merge with the shortest result."""
    return min(pairs, key=lambda p: len(fragments[p[0]]) + len(fragments[p[1]]) - overlaps[p])


# %% share_of_the_shorter
def merge_pair(fragments, pairs, overlaps):
    """Overlap as a share of the length of the shorter fragment."""
    best, best_share = pairs[0], -1.0
    for i, j in pairs:
        share = overlaps[i, j] / min(len(fragments[i]), len(fragments[j]))
        if share > best_share:
            best, best_share = (i, j), share
    return best


# %% regret
import numpy as np


def merge_pair(fragments, pairs, overlaps):
    """How much would be lost in row and column if the pair could not be merged: largest regret first."""
    best, best_regret = pairs[0], -1e9
    for i, j in pairs:
        row = [overlaps[i, k] for k in range(len(fragments)) if k not in (i, j)]
        column = [overlaps[k, j] for k in range(len(fragments)) if k not in (i, j)]
        regret = 2 * overlaps[i, j] - max(row, default=0) - max(column, default=0)
        if regret > best_regret:
            best, best_regret = (i, j), regret
    return best


# %% overlap_plus_regret
def merge_pair(fragments, pairs, overlaps):
    """The overlap, and three tenths of what the second best of row and column lack of it."""

    def value(pair):
        i, j = pair
        row = max((overlaps[i, k] for k in range(len(fragments)) if k != j), default=0)
        column = max((overlaps[k, j] for k in range(len(fragments)) if k != i), default=0)
        return overlaps[pair] + 0.3 * (2 * overlaps[pair] - row - column)

    return max(pairs, key=value)


# %% above_average
import numpy as np


def merge_pair(fragments, pairs, overlaps):
    """The overlap less the mean overlaps of its row and column."""
    value = overlaps - overlaps.mean(axis=1, keepdims=True) - overlaps.mean(axis=0, keepdims=True)
    np.fill_diagonal(value, -np.inf)
    i, j = np.unravel_index(value.argmax(), value.shape)
    return int(i), int(j)


# %% least_blocked
def merge_pair(fragments, pairs, overlaps):
    """Largest overlap; among equals the one that takes the fewest other pairs of that size away."""
    largest = overlaps.max()
    equal = [pair for pair in pairs if overlaps[pair] == largest]

    def blocked(pair):
        same = sum(1 for i, j in equal if i == pair[0] or j == pair[1])
        return same + (overlaps[pair[1], pair[0]] == largest)

    return min(equal, key=blocked)


# %% mutual_favourites
def merge_pair(fragments, pairs, overlaps):
    """A pair in which each is the other's favourite; the weakest such pair first, as it is easily spoilt."""
    count = len(fragments)
    best_after = [max((overlaps[i, j] for j in range(count) if j != i), default=0) for i in range(count)]
    best_before = [max((overlaps[i, j] for i in range(count) if j != i), default=0) for j in range(count)]
    mutual = [p for p in pairs if overlaps[p] == best_after[p[0]] == best_before[p[1]]]
    return min(mutual, key=lambda p: overlaps[p]) if mutual else max(pairs, key=lambda p: overlaps[p])


# %% two_merges_ahead
import numpy as np


def merge_pair(fragments, pairs, overlaps):
    """Overlap plus the mean of the best overlaps that all rows and columns keep after the merge."""
    best, best_value = pairs[0], -1.0
    largest = overlaps.max()
    for i, j in pairs:
        if overlaps[i, j] < largest - 1:
            continue
        after = overlaps.copy()
        after[i], after[:, j], after[j, i] = -1, -1, -1
        value = 2 * overlaps[i, j] + np.clip(after.max(axis=0), 0, None).sum()
        value += np.clip(after.max(axis=1), 0, None).sum()
        if value > best_value:
            best, best_value = (i, j), value
    return best


# %% greedy_rollouts
def merge_pair(fragments, pairs, overlaps):
    """Finish greedily after each of the eight largest overlaps; the largest total overlap wins."""
    table = overlaps.tolist()
    size = len(table)
    ranked = sorted(pairs, key=lambda p: -table[p[0]][p[1]])

    def total(first):
        end = list(range(size))
        used_left, used_right = set(), set()
        saved = 0
        for i, j in [first] + ranked:
            if i in used_left or j in used_right or end[i] == j:
                continue
            used_left.add(i)
            used_right.add(j)
            saved += table[i][j]
            head, tail = end[i], end[j]
            end[head], end[tail] = tail, head
        return saved

    return max(ranked[:8], key=total)


# %% perturbed_greedy
import random


def merge_pair(fragments, pairs, overlaps):
    """Thirty greedy courses with slightly shaken overlaps; the largest overlap of the best course is merged."""
    table = overlaps.tolist()
    size = len(table)
    rng = random.Random(size)
    best_saved, answer = -1, pairs[0]
    for trial in range(30):
        shake = 0.0 if trial == 0 else 1.5
        ranked = sorted(pairs, key=lambda p: -table[p[0]][p[1]] - shake * rng.random())
        end, left, right, saved, course = list(range(size)), set(), set(), 0, []
        for i, j in ranked:
            if i in left or j in right or end[i] == j:
                continue
            left.add(i)
            right.add(j)
            saved += table[i][j]
            course.append((i, j))
            head, tail = end[i], end[j]
            end[head], end[tail] = tail, head
            if len(course) == size - 1:
                break
        if saved > best_saved:
            best_saved, answer = saved, max(course, key=lambda p: table[p[0]][p[1]])
    return answer
