"""Seed programs for `code_guessing`: one complete program a cell, named after its idea."""


# %% first_code
def next_guess(codes, history):
    """The first code of the list, whatever the answers were."""
    return codes[0]


# %% random_code
import random


def next_guess(codes, history):
    """Any code, from a generator seeded with the number of guesses and their answers."""
    seed = sum(10**place * (7 * right + misplaced + 1) for place, (_, right, misplaced) in enumerate(history))
    return random.Random(seed).choice(codes)


# %% near_the_last_guess
def next_guess(codes, history):
    """The code that has most letters in the places of the last guess; at first the alphabetically first one."""
    if not history:
        return min(codes)
    return max(codes, key=lambda code: sum(one == other for one, other in zip(code, history[-1][0])))


# %% most_common_code
from collections import Counter


def next_guess(codes, history):
    """Letters that are frequent in their places among the codes not guessed yet, without a look at the answers."""
    count = Counter(each for code in codes for each in enumerate(code))
    return max(codes, key=lambda code: sum(count[each] for each in enumerate(code)))


# %% new_letters
def next_guess(codes, history):
    """As many letters as possible that no guess had; after three guesses the best sum of agreements instead."""
    known = {letter for guess, _, _ in history for letter in guess}
    if len(history) < 3:
        return max(codes, key=lambda code: (len(set(code) - known), len(set(code))))

    def errors(code):
        return sum(abs(sum(map(str.__eq__, code, guess)) - right) for guess, right, _ in history)

    return min(codes, key=errors)


# %% weighted_places
def next_guess(codes, history):
    """Letters earn right answers at the places where they were guessed, and misplaced ones at the other places."""
    earned = {}
    for guess, right, misplaced in history:
        for place, letter in enumerate(guess):
            earned.setdefault((place, letter), []).append((right - 1.5) / len(guess))
            for other in range(len(guess)):
                if other != place:
                    earned.setdefault((other, letter), []).append(misplaced / len(guess) ** 2 - 0.1)

    def value(code):
        return sum(sum(earned.get(each, (0,))) for each in enumerate(code))

    return max(codes, key=value)


# %% last_answer_only
def next_guess(codes, history):
    """The first code that has as many letters in the places of the last guess as were right there."""
    if not history:
        return codes[0]
    guess, right, _ = history[-1]
    return next((code for code in codes if sum(map(str.__eq__, code, guess)) == right), codes[0])


# %% letters_only
from collections import Counter


def next_guess(codes, history):
    """The last code with as many letters in common with every guess as it was told, wherever they are."""
    fitting = []
    for code in codes:
        common = [sum((Counter(code) & Counter(guess)).values()) for guess, _, _ in history]
        if common == [right + misplaced for _, right, misplaced in history]:
            fitting.append(code)
    return fitting[-1]


# %% first_possible
def next_guess(codes, history):
    """The first code that agrees with all answers."""

    def answer(guess, code):
        right = sum(one == other for one, other in zip(guess, code))
        return right, sum(min(guess.count(each), code.count(each)) for each in set(guess)) - right

    return next(code for code in codes if all(answer(guess, code) == (r, m) for guess, r, m in history))


# %% random_possible
import random
from collections import Counter


def next_guess(codes, history):
    """Any code that agrees with all answers, from a generator seeded with the number of these codes."""
    possible = codes
    for guess, right, misplaced in history:
        there = Counter(guess)
        possible = [
            code
            for code in possible
            if sum(map(str.__eq__, code, guess)) == right and sum((Counter(code) & there).values()) == right + misplaced
        ]
    return random.Random(len(possible)).choice(possible)


# %% possible_with_most_kinds
from collections import Counter


def next_guess(codes, history):
    """Of the codes that agree with all answers one with most different letters, then with frequent letters."""

    def agrees(code):
        for guess, right, misplaced in history:
            both = sum((Counter(code) & Counter(guess)).values())
            if both != right + misplaced or sum(map(str.__eq__, code, guess)) != right:
                return False
        return True

    possible = list(filter(agrees, codes))
    count = Counter(letter for code in possible for letter in set(code))
    return max(possible, key=lambda code: (len(set(code)), sum(count[letter] for letter in set(code))))


# %% central_possible
import numpy as np


def next_guess(codes, history):
    """Of the codes that agree with all answers the one that has most right places with the other ones."""
    possible = codes
    for guess, right, misplaced in history:
        fitting = []
        for code in possible:
            common = sum(min(guess.count(letter), code.count(letter)) for letter in set(guess))
            if common == right + misplaced and sum(map(str.__eq__, code, guess)) == right:
                fitting.append(code)
        possible = fitting
    letters = np.array([list(code) for code in possible])
    return possible[int((letters[:, None] == letters[None, :]).sum(axis=(1, 2)).argmax())]


# %% unlike_possible
import numpy as np


def next_guess(codes, history):
    """The code that has fewest letters in common with others, of those that agree with all answers."""
    letters = np.array([list(code) for code in codes])
    kinds = np.unique(letters)
    counts = (letters[:, :, None] == kinds).sum(axis=1)
    agrees = np.ones(len(codes), dtype=bool)
    for guess, right, misplaced in history:
        there = (np.array(list(guess))[:, None] == kinds).sum(axis=0)
        agrees &= (letters == np.array(list(guess))).sum(axis=1) == right
        agrees &= np.minimum(counts, there).sum(axis=1) == right + misplaced
    possible = np.flatnonzero(agrees)
    common = np.minimum(counts[possible, None], counts[None, possible]).sum(axis=(1, 2))
    return codes[possible[common.argmin()]]


# %% halve_by_letters
from collections import Counter


def next_guess(codes, history):
    """Each letter in its place asks a question: take the possible code whose questions halve what is possible best."""

    def answer(guess, code):
        right = sum(map(str.__eq__, guess, code))
        return right, sum(min(guess.count(each), code.count(each)) for each in set(guess)) - right

    possible = [code for code in codes if all(answer(guess, code) == tuple(told) for guess, *told in history)]
    count = Counter(each for code in possible for each in enumerate(code))
    return max(possible, key=lambda code: sum(count[each] * (len(possible) - count[each]) for each in enumerate(code)))


# %% smallest_largest_part
import numpy as np


def next_guess(codes, history):
    """Minimax: the guess whose worst answer leaves fewest codes; possible codes first on ties."""

    def table(guesses, hidden):
        one, other = np.array([list(code) for code in guesses]), np.array([list(code) for code in hidden])
        kinds = np.unique(other)
        counts = [(each[:, :, None] == kinds).sum(axis=1) for each in (one, other)]
        common = np.minimum(counts[0][:, None], counts[1][None, :]).sum(axis=2)
        return 10 * (one[:, None] == other[None, :]).sum(axis=2) + common

    possible = list(codes)
    for guess, right, misplaced in history:
        answers = table([guess], possible)[0]
        possible = [code for code, each in zip(possible, answers) if each == 11 * right + misplaced]
    answers = table(codes, possible)
    worst = [2 * np.bincount(row).max() + (code not in possible) for code, row in zip(codes, answers)]
    return codes[int(np.argmin(worst))]


# %% most_answers
import numpy as np


def next_guess(codes, history):
    """The guess with the largest number of different answers among what is possible, a possible one on ties."""

    def answers(guess, hidden):
        right = np.array([sum(map(str.__eq__, guess, code)) for code in hidden])
        common = [[min(guess.count(letter), code.count(letter)) for letter in set(guess)] for code in hidden]
        return 10 * right + np.array(common).sum(axis=1)

    possible = np.array(codes)
    for guess, right, misplaced in history:
        possible = possible[answers(guess, possible.tolist()) == 11 * right + misplaced]
    left = possible.tolist()
    if len(left) > 20:
        # Codes with all letters different split best: only these are tried.
        varied = max(len(set(code)) for code in codes)
        return max([c for c in codes if len(set(c)) == varied], key=lambda guess: len(set(answers(guess, left))))
    return max(codes, key=lambda guess: (len(set(answers(guess, left).tolist())), guess in left))


# %% largest_entropy
import numpy as np


def next_guess(codes, history):
    """The answer of which most is learned, in bits, with a bonus for a guess that may be the hidden code."""
    letters = np.array([list(code) for code in codes])
    kinds = np.unique(letters)
    counts = (letters[:, :, None] == kinds).sum(axis=1)
    inside = np.ones(len(codes), dtype=bool)
    for guess, right, misplaced in history:
        told = np.array(list(guess))
        inside &= (letters == told).sum(axis=1) == right
        inside &= np.minimum(counts, (told[:, None] == kinds).sum(axis=0)).sum(axis=1) == right + misplaced
    same = (letters[:, None] == letters[None, inside]).sum(axis=2)
    common = np.minimum(counts[:, None], counts[None, inside]).sum(axis=2)
    bits = []
    for row in 10 * same + common:
        share = np.unique(row, return_counts=True)[1] / inside.sum()
        bits.append(-(share * np.log2(share)).sum())
    return codes[int(np.argmax(np.array(bits) + inside / inside.sum()))]


# %% expected_rest_of_possible
from collections import Counter


def next_guess(codes, history):
    """Only codes that agree with all answers are guessed: the one that leaves fewest codes on average."""
    possible = []
    for code in codes:
        for guess, right, misplaced in history:
            same = sum(map(str.__eq__, code, guess))
            if same != right or sum(min(code.count(a), guess.count(a)) for a in set(code)) - same != misplaced:
                break
        else:
            possible.append(code)

    def squares(guess):
        parts = Counter()
        for code in possible:
            both = sum(min(code.count(letter), guess.count(letter)) for letter in set(guess))
            parts[sum(map(str.__eq__, code, guess)), both] += 1
        return sum(part**2 for part in parts.values())

    return min(possible, key=squares)


# %% simulate_all_games
from collections import defaultdict
from functools import cache


def next_guess(codes, history):
    """For each of ten good guesses play on for every possible code, each time with the code of most answers."""

    @cache
    def answer(guess, code):
        right = sum(map(str.__eq__, guess, code))
        return 10 * right + sum(min(guess.count(each), code.count(each)) for each in set(guess))

    possible = [code for code in codes if all(answer(g, code) == 11 * r + m for g, r, m in history)]
    if len(possible) < 3:
        return possible[0]
    tried = codes if len(possible) < 20 else codes[::4]
    ranked = sorted(tried, key=lambda guess: (-len({answer(guess, code) for code in possible}), guess not in possible))

    def guesses(guess, left):
        parts = defaultdict(list)
        for code in left:
            if code != guess:
                parts[answer(guess, code)].append(code)
        return len(left) + sum(map(further, parts.values()))

    def further(left):
        if len(left) < 3:
            return 2 * len(left) - 1
        if len(left) > 12:
            return 3 * len(left)
        return guesses(max(left, key=lambda guess: len({answer(guess, code) for code in left})), left)

    return min(ranked[:10], key=lambda guess: guesses(guess, possible))
