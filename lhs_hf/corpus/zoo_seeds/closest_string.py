"""Seed programs for `closest_string`: one complete program a cell, named after its idea."""


# %% rarest_letter
def score_letters(letters, position, strings, distances):
    """The letter that the fewest strings have here."""
    return [-sum(text[position] == letter for text in strings) for letter in letters]


# %% first_letter_always
def score_letters(letters, position, strings, distances):
    """The same letter everywhere."""
    return list(range(len(letters), 0, -1))


# %% random_string_copied
import random


def score_letters(letters, position, strings, distances):
    """Copy the letter of a string drawn anew at each place."""
    text = random.Random(position).choice(strings)
    return [1 if letter == text[position] else 0 for letter in letters]


# %% copy_the_first_string
def score_letters(letters, position, strings, distances):
    """Write the first string once more."""
    return [int(letter == strings[0][position]) for letter in letters]


# %% please_the_farthest
def score_letters(letters, position, strings, distances):
    """The letter of the farthest string, nothing else."""
    farthest = distances.index(max(distances))
    return [float(strings[farthest][position] == letter) for letter in letters]


# %% nearest_strings_vote
def score_letters(letters, position, strings, distances):
    """Strings that are near already keep the say: votes weighted by one over the distance."""
    return [sum(1 / (1 + far) for text, far in zip(strings, distances) if text[position] == x) for x in letters]


# %% distance_weighted_votes
def score_letters(letters, position, strings, distances):
    """Each string votes for its letter with its distance so far, plus one."""
    votes = dict.fromkeys(letters, 0)
    for text, far in zip(strings, distances):
        votes[text[position]] += far + 1
    return [votes[letter] for letter in letters]


# %% squared_votes_above_least
import numpy as np


def score_letters(letters, position, strings, distances):
    """Votes with the squared lead over the nearest string."""
    lead = np.array(distances) - min(distances) + 0.5
    column = np.array([text[position] for text in strings])
    return np.array([(lead[column == letter] ** 2).sum() for letter in letters])


# %% exponential_votes
import math


def score_letters(letters, position, strings, distances):
    """Votes that double with each unit of distance."""
    top = max(distances)
    scores = []
    for letter in letters:
        voters = [far for text, far in zip(strings, distances) if text[position] == letter]
        scores.append(math.fsum(2.0 ** (far - top) for far in voters))
    return scores


# %% sharper_towards_the_end
import math


def score_letters(letters, position, strings, distances):
    """A majority at first; the nearer the end, the more votes depend on the distance."""
    length = len(strings[0])
    base = 0.15 + 1.2 * (position / length) ** 2
    top = max(distances)
    return [
        sum(math.exp(base * (far - top)) for text, far in zip(strings, distances) if text[position] == letter)
        for letter in letters
    ]


# %% least_maximum_then_ties
def score_letters(letters, position, strings, distances):
    """Smallest largest distance after this place; among equals as few strings there as possible, then majority."""
    scores = []
    for letter in letters:
        after = [far + (text[position] != letter) for text, far in zip(strings, distances)]
        worst = max(after)
        scores.append(-10000 * worst - 100 * after.count(worst) - sum(after))
    return scores


# %% top_three_and_majority
def score_letters(letters, position, strings, distances):
    """The three farthest strings count three votes each, all others one."""
    order = sorted(range(len(strings)), key=lambda k: -distances[k])
    scores = [0] * len(letters)
    for rank, k in enumerate(order):
        scores[letters.index(strings[k][position])] += 3 if rank < 3 else 1
    return scores


# %% expected_agreement_to_come
import math


def score_letters(letters, position, strings, distances):
    """Distances are extended by what a majority would add later; strings then vote exponentially."""
    length = len(strings[0])
    outlook = list(map(float, distances))
    for place in range(position + 1, length):
        column = [text[place] for text in strings]
        for k, letter in enumerate(column):
            share = column.count(letter) / len(column)
            outlook[k] += 1 - min(1.0, 1.6 * share)
    top = max(outlook)
    scores = [0.0] * len(letters)
    for text, far in zip(strings, outlook):
        scores[letters.index(text[position])] += math.exp(0.5 * (far - top))
    return scores


# %% multiplicative_weights_of_the_rest
import numpy as np


def score_letters(letters, position, strings, distances):
    """Sixty rounds of weights on strings against fractional letters at all places left; the shares here decide."""
    table = np.array([[letters.index(x) for x in text[position:]] for text in strings])
    agree = table[None] == np.arange(len(letters))[:, None, None]
    weights = np.exp(0.3 * (np.array(distances) - max(distances)))
    shares = np.zeros(len(letters))
    far = np.array(distances, dtype=float)
    for turn in range(60):
        votes = np.einsum("k,xkp->xp", weights, agree)
        chosen = votes.argmax(axis=0)
        shares[chosen[0]] += 1
        away = far + (table != chosen).sum(axis=1)
        weights = weights * np.exp(0.08 * (away - away.max()))
        weights = weights / weights.sum()
    return shares + votes[:, 0]


# %% rollout_exponential
import numpy as np


def score_letters(letters, position, strings, distances):
    """Put each letter, finish with exponential votes, and compare the sorted distances at the end."""
    table = np.array([[letters.index(x) for x in text[position:]] for text in strings])
    scores = []
    for number in range(len(letters)):
        best = None
        for base in (0.3, 0.7):
            far = np.array(distances) + (table[:, 0] != number)
            for column in table[:, 1:].T:
                votes = np.bincount(column, np.exp(base * (far - far.max())), len(letters))
                far = far + (column != votes.argmax())
            value = -float(far.max()) - 0.02 * float(((far - far.min()) ** 2).mean())
            best = value if best is None else max(best, value)
        scores.append(best)
    return scores
