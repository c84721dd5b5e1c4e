"""Seed programs for `admissible_set`: one complete program a cell, named after its idea."""


# %% lexicographic_last
def priority(el, n, w):
    """Read the word as a number in base three, so that the lexicographically last word comes first."""
    value = 0
    for digit in el:
        value = 3 * value + digit
    return value


# %% lexicographic_mirrored
def priority(el, n, w):
    """Read the word from right to left as a number in base three and prefer small numbers."""
    value = 0
    for digit in reversed(el):
        value = value * 3 + digit
    return -float(value)


# %% random_per_word
import random


def priority(el, n, w):
    """A seeded random number for each word."""
    seed = 0
    for digit in el:
        seed = seed * 3 + digit
    return random.Random(seed).random()


# %% multiplicative_hash
def priority(el, n, w):
    """A deterministic hash: multiply and add modulo a prime, digit after digit."""
    mix = 7
    for position, digit in enumerate(el):
        mix = (mix * 131 + digit * 29 + position) % 10007
    return mix / 10007.0


# %% many_ones
def priority(el, n, w):
    """Prefer words with many ones."""
    return el.count(1)


# %% many_twos_late
def priority(el, n, w):
    """Prefer twos, and later twos more than earlier ones."""
    return sum((i + 1) ** 0.5 for i, digit in enumerate(el) if digit == 2)


# %% balance_ones_and_twos
def priority(el, n, w):
    """Ones and twos should be equally frequent."""
    ones = sum(1 for d in el if d == 1)
    twos = sum(1 for d in el if d == 2)
    return -abs(ones - twos)


# %% zeros_to_the_left
def priority(el, n, w):
    """Prefer words whose zeros sit far to the left."""
    return -sum(i for i in range(n) if el[i] == 0)


# %% expanded_size
def priority(el, n, w):
    """Words stand for all rotations of their triples: prefer those whose triples are not constant, since they
    count more."""
    size = 1
    for i in range(0, n, 3):
        if not el[i] == el[i + 1] == el[i + 2]:
            size *= 3
    return size


# %% few_expansions
def priority(el, n, w):
    """The reverse of counting expansions: constant triples (000, 111, 222) first."""
    constant = [i for i in range(0, len(el), 3) if len(set(el[i : i + 3])) == 1]
    return len(constant)


# %% pattern_weights
def smallest_rotation(triple):
    a, b, c = triple
    return min((a, b, c), (b, c, a), (c, a, b))


def priority(el, n, w):
    """Each triple, recognised up to rotation, has its own weight; the weights are summed."""
    table = {(0, 0, 1): 0.4, (0, 0, 2): 1.1, (0, 1, 2): 2.0, (0, 2, 1): 2.6, (1, 1, 1): -0.7, (2, 2, 2): -1.3}
    return sum(table.get(smallest_rotation(el[i : i + 3]), 0.0) for i in range(0, n, 3))


# %% pattern_weights_by_place
def rotation_class(a, b, c):
    ones = (a == 1) + (b == 1) + (c == 1)
    twos = (a == 2) + (b == 2) + (c == 2)
    if ones == 1 and twos == 1:
        clockwise = (a, b, c) in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        return 5 if clockwise else 7
    return ones + 2 * twos if ones + twos < 3 else 9 + ones


def priority(el, n, w):
    """A triple counts its pattern's number times a place factor that decreases from left to right."""
    score = 0.0
    for k in range(n // 3):
        score += rotation_class(el[3 * k], el[3 * k + 1], el[3 * k + 2]) / (1.0 + 0.3 * k)
    return score


# %% orientation_surplus
def priority(el, n, w):
    """Count 012 triples minus 021 triples (up to rotation), that is the sense of turning."""
    turn = 0
    for i in range(0, n, 3):
        for j in range(3):
            step = (el[i + (j + 1) % 3] - el[i + j]) % 3
            turn += 1 if step == 1 else -1 if step == 2 else 0
    return turn


# %% same_orientation
def priority(el, n, w):
    """All full-support turns of the word should point the same way, whichever way that is."""
    left = right = 0
    for a, b, c in zip(el[0::3], el[1::3], el[2::3]):
        if (a, b, c) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)]:
            left += 1
        elif (a, b, c) in [(0, 2, 1), (2, 1, 0), (1, 0, 2)]:
            right += 1
    return abs(left - right) - 0.5 * min(left, right)


# %% uneven_weight_per_triple
import numpy as np


def priority(el, n, w):
    """Concentrate the weight: prefer a large spread of the triple weights, heavy triples to the right on ties."""
    weights = (np.array(el).reshape(-1, 3) != 0).sum(axis=1)
    return float(weights.var() + 0.01 * np.arange(len(weights)) @ weights)


# %% weight_code_modulo_seven
def priority(el, n, w):
    """Choose a residue class of the weighted sum of triple weights: words of one class differ in more than one
    step."""
    code = 0
    for k in range(n // 3):
        heavy = sum(1 for d in el[3 * k : 3 * k + 3] if d != 0)
        code += (2 * k + 1) * heavy
    return -float(code % 7)


# %% palindrome
def priority(el, n, w):
    """Symmetry: count the positions that agree with their mirror image."""
    return sum(a == b for a, b in zip(el, el[::-1])) / 2


# %% triple_palindrome
def priority(el, n, w):
    """Symmetry on the level of triples: mirrored triples with equal digit sums are rewarded, unequal ones pay
    the difference."""
    sums = [sum(el[i : i + 3]) for i in range(0, n, 3)]
    return -sum(abs(a - b) for a, b in zip(sums, sums[::-1])) + 0.1 * sums[0]


# %% longest_run
def priority(el, n, w):
    """Penalise the longest run of equal digits."""
    longest = run = 1
    for before, after in zip(el, el[1:]):
        run = run + 1 if before == after else 1
        longest = max(longest, run)
    return -longest


# %% alternating_sign
import math


def priority(el, n, w):
    """Ones pull up and twos pull down, with a sign that alternates from triple to triple."""
    total = 0.0
    for i, d in enumerate(el):
        sign = 1 if (i // 3) % 2 == 0 else -1
        total += sign * (d == 1) * 1.0 - sign * (d == 2) * math.sqrt(2.0)
    return total


# %% cosine_wave
import math


def priority(el, n, w):
    """Digits sample a slow cosine over the positions, like one coefficient of a Fourier transform."""
    return sum(d * math.cos(2.0 * math.pi * i / n + 0.5) for i, d in enumerate(el))


# %% cube_roots_of_unity
import numpy as np


def priority(el, n, w):
    """Digits as cube roots of unity: the length of their sum over the non-zero places, short sums first."""
    digits = np.array(el)
    roots = np.exp(2j * np.pi * digits / 3)
    return -float(abs(roots[digits > 0].sum())) + float(abs(roots[0::3].sum())) * 0.1


# %% repulsion_potential
def priority(el, n, w):
    """Equal non-zero digits repel each other like charges; low energy first."""
    places = [(i, d) for i, d in enumerate(el) if d]
    energy = 0.0
    for a in range(len(places)):
        for b in range(a + 1, len(places)):
            if places[a][1] == places[b][1]:
                energy += 1.0 / (places[b][0] - places[a][0])
    return -energy


# %% entropy_of_patterns
import math


def priority(el, n, w):
    """Variety: the entropy of the triples' digit sums, words with many different sums first."""
    sums = [sum(el[i : i + 3]) for i in range(0, n, 3)]
    entropy = 0.0
    for value in set(sums):
        share = sums.count(value) / len(sums)
        entropy -= share * math.log(share)
    return entropy


# %% uniform_patterns
def priority(el, n, w):
    """Monotony: the more triples share the most frequent sorted pattern, the better."""
    patterns = [tuple(sorted(el[i : i + 3])) for i in range(0, n, 3)]
    return max(patterns.count(p) for p in patterns)


# %% cyclic_difference_code
def priority(el, n, w):
    """Differences of neighbouring triple sums around a ring should be a fixed non-zero residue modulo three."""
    sums = [sum(el[i : i + 3]) for i in range(0, n, 3)]
    return sum(1 for k in range(len(sums)) if (sums[k] - sums[k - 1]) % 3 == 1)


# %% target_histogram
import numpy as np


def priority(el, n, w):
    """Distance of the counts of empty, light, mixed and full triples from a wished histogram (none, one, three,
    one)."""
    weights = (np.array(el).reshape(-1, 3) > 0).sum(axis=1)
    counts = np.bincount(weights, minlength=4)
    wish = np.array([0.0, 1.0, 3.0, 1.0])
    return -float(np.linalg.norm(counts - wish)) - 0.02 * float(counts[0])


# %% two_level_order
def priority(el, n, w):
    """First by expanded size, then by how many turns point left, then by the place of the heaviest triple."""
    size, left, heaviest, place = 0, 0, -1, 0
    for i in range(0, n, 3):
        a, b, c = el[i], el[i + 1], el[i + 2]
        size += len({a, b, c}) > 1
        left += (b - a) % 3 == 1 and (c - b) % 3 == 1 and (a, b, c).count(0) == 1
        if a + b + c > heaviest:
            heaviest, place = a + b + c, i // 3
    return 100.0 * size + 10.0 * left - place


# %% even_weight_in_the_middle
def priority(el, n, w):
    """Spread the weight over the triples: deviations from two non-zero digits cost their square, most in the
    middle of the word."""
    triples = n // 3
    cost = 0.0
    for k in range(triples):
        weight = 3 - el[3 * k : 3 * k + 3].count(0)
        centrality = min(k, triples - 1 - k)
        cost += (1.0 + 0.4 * centrality) * (weight - 2) ** 2
    return -cost


# %% running_weight_picks_orientation
def priority(el, n, w):
    """Expanded size first; then the running weight decides: below two a triple it should be 001 or 012, else
    002 or 021."""
    free, obey, running = 0, 0, 0
    for k in range(n // 3):
        a, b, c = el[3 * k : 3 * k + 3]
        if not a == b == c:
            free += 1
        second_kind = (a + b + c == 2 and 1 not in (a, b, c)) or (a, b, c) in ((0, 2, 1), (2, 1, 0), (1, 0, 2))
        if (a, b, c) == (2, 2, 2):
            second_kind = True
        if a + b + c > 0 and second_kind == (running < 2 * k):
            obey += 1
        running += (a > 0) + (b > 0) + (c > 0)
    return 100 * free + obey


# %% lighter_neighbour_picks_ones
def variant(triple):
    text = "".join(str(d) for d in triple)
    doubled = text + text
    if "012" in doubled or text == "111" or (text.count("0") == 2 and "1" in text):
        return 0
    return 1


def priority(el, n, w):
    """A triple heavier than its left neighbour takes the first variant of its weight (001, 012, 111), a lighter
    one the second."""
    triples = [el[i : i + 3] for i in range(0, n, 3)]
    weights = [3 - t.count(0) for t in triples]
    score = sum(1 for t in triples if len(set(t)) > 1)
    for k, t in enumerate(triples):
        if weights[k] > 0:
            score += variant(t) == (1 if weights[k - 1] > weights[k] else 0)
    return score


# %% light_ones_heavy_twos
def priority(el, n, w):
    """Single digits should be ones, pairs should turn right (021) and full triples should be twos; no place
    matters."""
    matches = 0
    for i in range(0, n, 3):
        triple = tuple(el[i : i + 3])
        if sum(triple) == 1:
            matches += 1
        elif triple in ((0, 2, 1), (2, 1, 0), (1, 0, 2)) or triple == (2, 2, 2):
            matches += 1
    return matches


# %% alternating_variants
import numpy as np


def priority(el, n, w):
    """Patterns come in two variants (001 or 002, 012 or 021, 111 or 222): even places take one, odd places the
    other."""
    x = np.array(el).reshape(-1, 3)
    weight = (x > 0).sum(axis=1)
    turning = ((np.roll(x, -1, axis=1) - x) % 3 == 2).all(axis=1)
    variant = np.where(weight == 2, turning, x.max(axis=1) == 2)
    wanted = np.arange(len(x)) % 2 == 1
    return int(((variant == wanted) & (weight > 0)).sum())


# %% size_then_syndrome
def priority(el, n, w):
    """Expanded size first; among equals the class zero of a linear code modulo three over the pattern numbers."""
    free = 0
    syndrome = 0
    for k in range(0, n, 3):
        triple = tuple(el[k : k + 3])
        if len(set(triple)) > 1:
            free += 1
        number = min(triple[r:] + triple[:r] for r in range(3))
        syndrome += (k // 3) * (number[1] + 2 * number[2])
    return 100 * free - syndrome % 3
