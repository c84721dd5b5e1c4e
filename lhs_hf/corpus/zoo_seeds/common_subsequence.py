"""Seed programs for `common_subsequence`: one complete program a cell, named after its idea."""

# %% random_letter
import random


def rate_letter(letter, passed, suffixes, written):
    """A random number from a generator seeded with the letter and what is left."""
    return random.Random(ord(letter) + 131 * sum(len(suffix) for suffix in suffixes)).random()


# %% alphabetical
def rate_letter(letter, passed, suffixes, written):
    """The first letter of the alphabet as long as it is possible."""
    return -ord(letter)


# %% farthest_letter
def rate_letter(letter, passed, suffixes, written):
    """The wrong way round: the most letters passed over."""
    return sum(passed)


# %% fewest_passed_over
def rate_letter(letter, passed, suffixes, written):
    """The fewest letters passed over in all strings together."""
    return -sum(passed)


# %% longest_shortest_suffix
def rate_letter(letter, passed, suffixes, written):
    """The shortest suffix is to be long, as it bounds what can still be written."""
    return min(len(suffix) for suffix in suffixes)


# %% worst_string_passed
def rate_letter(letter, passed, suffixes, written):
    """The most letters passed over in any string are to be few; the sum on ties."""
    return -max(passed) - 0.001 * sum(passed)


# %% squares_of_passed
def rate_letter(letter, passed, suffixes, written):
    """Strings in which many letters are passed over count by the square."""
    return -sum(count**2 for count in passed)


# %% next_in_most_strings
def rate_letter(letter, passed, suffixes, written):
    """The letter that comes next, without passing over any, in the most strings."""
    return sum(count == 0 for count in passed) - 0.01 * max(passed)


# %% share_of_rest_lost
def rate_letter(letter, passed, suffixes, written):
    """The sum over strings of the share of what is left that is lost by the letter."""
    return -sum((count + 1) / (count + 1 + len(suffix)) for count, suffix in zip(passed, suffixes))


# %% soonest_used_up
def rate_letter(letter, passed, suffixes, written):
    """The letter that is used up soonest: the fewest further ones in any suffix."""
    return -min(suffix.count(letter) for suffix in suffixes)


# %% bound_by_counts
def rate_letter(letter, passed, suffixes, written):
    """Upper bound for what follows: for each letter the least number of times it is in a suffix, added up."""
    bound = 0
    for other in sorted(set(suffixes[0])):
        bound += min(suffix.count(other) for suffix in suffixes)
    return bound


# %% bound_and_passed
def rate_letter(letter, passed, suffixes, written):
    """The bound by counts of letters, less a part of the mean number of letters passed over."""
    bound = sum(min(suffix.count(other) for suffix in suffixes) for other in set(suffixes[0]))
    return bound - 0.5 * sum(passed) / len(passed)


# %% expected_length_left
import math


def rate_letter(letter, passed, suffixes, written):
    """The harmonic mean of the lengths of the suffixes: short ones matter most."""
    return -math.fsum(1 / (1 + len(suffix)) for suffix in suffixes)


# %% chance_of_random_text
import numpy as np


def rate_letter(letter, passed, suffixes, written):
    """The chance that a random text, a third as long as the shortest string is now, is in all suffixes."""
    lengths = [len(suffix) for suffix in suffixes]
    # The same for all letters: from the lengths before one is taken.
    wanted, letters = 1 + min(map(sum, zip(passed, lengths))) // 3, 4
    row = np.zeros((wanted + 1, max(lengths) + 1))
    row[0] = 1.0
    for k in range(1, wanted + 1):
        for length in range(k, max(lengths) + 1):
            row[k, length] = row[k - 1, length - 1] / letters + (1 - 1 / letters) * row[k, length - 1]
    return float(np.log(row[wanted, lengths] + 1e-12).sum())


# %% alternate_letters
def rate_letter(letter, passed, suffixes, written):
    """Few letters passed over, and a letter other than the last ones written."""
    recent = written[-2:]
    return -sum(passed) / len(passed) - 2.5 * recent.count(letter)


# %% two_letters_ahead
def rate_letter(letter, passed, suffixes, written):
    """The fewest letters passed over for this letter and the best one after it."""
    best = 1000
    for other in sorted(set(suffixes[0])):
        places = [suffix.find(other) for suffix in suffixes]
        if min(places) >= 0:
            best = min(best, sum(places))
    return -sum(passed) - best


# %% pairwise_subsequences
import numpy as np


def rate_letter(letter, passed, suffixes, written):
    """The mean length of the longest common subsequences of the suffix of the first string and each other one."""
    first = np.array(list(suffixes[0]))
    total = 0
    for suffix in suffixes[1:]:
        row = np.zeros(len(first) + 1, dtype=np.int64)
        for symbol in suffix:
            # A row of the table of lengths: what a match adds, then the running maximum.
            matched = row[:-1] + (first == symbol)
            row[1:] = np.maximum.accumulate(np.maximum(row[1:], matched))
        total += row[-1]
    return total / max(1, len(suffixes) - 1)


# %% least_pairwise_subsequence
def rate_letter(letter, passed, suffixes, written):
    """An upper bound: the least length of the common subsequences of neighboring suffixes; few passed over on ties."""

    def length(one, other):
        # Bits of `row` that are 0 mark the letters of `one` at which the length grows: a row of the table at once.
        places = {}
        for bit, symbol in enumerate(one):
            places[symbol] = places.get(symbol, 0) | 1 << bit
        row = full = (1 << len(one)) - 1
        for symbol in other:
            matched = row & places.get(symbol, 0)
            row = (row + matched) | (row - matched)
        return len(one) - (row & full).bit_count()

    if len(suffixes) == 1:
        return len(suffixes[0])
    return min(map(length, suffixes, suffixes[1:])) - 0.01 * sum(passed)


# %% finish_greedily
def rate_letter(letter, passed, suffixes, written):
    """Go on to the end with the letter that passes over the fewest, and count what gets written."""
    rests, count = list(suffixes), 0
    while True:
        best, lowest = None, 10**9
        for other in sorted(set(rests[0])):
            places = [rest.find(other) for rest in rests]
            if min(places) >= 0 and sum(places) < lowest:
                best, lowest = places, sum(places)
        if best is None:
            return count - 0.001 * sum(passed)
        rests = [rest[place + 1 :] for rest, place in zip(rests, best)]
        count += 1


# %% beam_of_suffixes
def rate_letter(letter, passed, suffixes, written):
    """Keep the eight states with the least left behind for six more letters; how far they get and what they keep."""
    beam, reached = [tuple(suffixes)], 0
    for _ in range(6):
        states = set()
        for rests in beam:
            for other in sorted(set(rests[0])):
                places = [rest.find(other) for rest in rests]
                if min(places) >= 0:
                    states.add(tuple(rest[place + 1 :] for rest, place in zip(rests, places)))
        if not states:
            break
        ranked = sorted(states, key=lambda rests: (-sum(map(len, rests)) - 3 * min(map(len, rests)), rests))
        beam, reached = ranked[:8], reached + 1
    return 1000 * reached + sum(map(len, beam[0])) + 3 * min(map(len, beam[0]))
