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


# %% widest_gap_between_zeros
def priority(el, n, w):
    """Zeros close a ring of gaps: the largest gap should be small and the smallest large."""
    holes = [i for i in range(n) if el[i] == 0]
    if len(holes) < 2:
        return -float(n)
    gaps = [(b - a) % n for a, b in zip(holes, holes[1:] + holes[:1])]
    return min(gaps) - 0.5 * max(gaps)


# %% digit_inversions
def priority(el, n, w):
    """Count the pairs of digits that stand in the wrong order."""
    seen = [0, 0, 0]
    inversions = 0
    for d in el:
        inversions += sum(seen[d + 1 :])
        seen[d] += 1
    return inversions


# %% ballot_walk_minimum
from itertools import accumulate


def priority(el, n, w):
    """Ones step up and twos step down: walks whose lowest point is high come first."""
    steps = (0 if d == 0 else 3 - 2 * d for d in el)
    heights = list(accumulate(steps))
    return min(heights) + 0.01 * heights[-1]


# %% hamming_to_periodic_word
def priority(el, n, w):
    """Stay near the periodic word 0 1 2 0 0 2, digit by digit."""
    period = (0, 1, 2, 0, 0, 2)
    return -sum(1 for i, d in enumerate(el) if d != period[i % 6])


# %% far_from_three_centres
def priority(el, n, w):
    """Keep away from three fixed centres: the distance to the nearest of them counts."""
    nearest = n
    for shift in range(3):
        centre = [(i * i + shift * i + shift) % 3 for i in range(n)]
        nearest = min(nearest, sum(a != b for a, b in zip(el, centre)))
    return nearest


# %% fibonacci_weights
def priority(el, n, w):
    """Digits weighted by the Fibonacci numbers, the total folded to a fixed modulus."""
    older, newer, total = 1, 1, 0
    for d in el:
        total += d * newer
        older, newer = newer, older + newer
    return -(total % 21)


# %% golden_ratio_sequence
def priority(el, n, w):
    """A low-discrepancy order: the fractional part of the word's number times the golden ratio."""
    number = 0
    for d in el:
        number = (number * 3 + d) % 65521
    return (number * 0.6180339887498949) % 1.0


# %% ternary_gray_rank
def priority(el, n, w):
    """Rank of the word in a reflected ternary Gray code, folded so that the middle of the code leads."""
    rank, flip = 0, False
    for digit in el:
        place = 2 - digit if flip else digit
        rank = rank * 3 + place
        if place % 2 == 1:
            flip = not flip
    return -abs(rank / 3.0**n - 0.5)


# %% run_count_and_spread
import itertools
import statistics


def priority(el, n, w):
    """Break the word into runs of equal digits: many runs of nearly the same length."""
    lengths = [len(list(block)) for _, block in itertools.groupby(el)]
    return len(lengths) - 2.0 * statistics.pstdev(lengths)


# %% subword_complexity
def priority(el, n, w):
    """The number of different windows of two, three and four digits that the word shows."""
    variety = 0
    for size in (2, 3, 4):
        variety += len({el[i : i + size] for i in range(n - size + 1)}) * size
    return variety


# %% autocorrelation_lag_three
import numpy as np


def priority(el, n, w):
    """Neighbouring triples should agree in the same column as rarely as possible, zeros aside."""
    x = np.array(el)
    ahead = np.roll(x, -3)
    same = (x == ahead) & (x > 0)
    opposite = (x + ahead == 3) & (x > 0)
    return float(opposite.sum()) - 1.5 * float(same.sum())


# %% dictionary_phrases
def priority(el, n, w):
    """Cut the word greedily into phrases not seen before; words that compress badly are preferred."""
    phrases = set()
    current = ""
    for d in el:
        current += str(d)
        if current not in phrases:
            phrases.add(current)
            current = ""
    return len(phrases) + 0.1 * len(current)


# %% gram_determinant
import numpy as np


def priority(el, n, w):
    """The volume that the three columns of digits span when the triples are stacked as rows."""
    rows = np.array(el, dtype=float).reshape(-1, 3) - 0.7
    volume = np.linalg.det(rows.T @ rows)
    return float(np.sqrt(max(volume, 0.0)))


# %% column_loads
def priority(el, n, w):
    """First, second and third digits of the triples form columns; their loads should be level."""
    loads = [sum(el[c::3]) for c in range(3)]
    return min(loads) - max(loads) + 0.1 * loads[1]


# %% polynomial_value
def priority(el, n, w):
    """Evaluate the digits as a polynomial at three points modulo seven and count the roots."""
    roots = 0
    for point in (2, 3, 5):
        value = 0
        for coefficient in el:
            value = (value * point + coefficient) % 7
        roots += value == 0
        roots -= 0.1 * value
    return roots


# %% nim_sum_of_positions
from functools import reduce


def priority(el, n, w):
    """Positions of ones and of twos as heaps of a game: a zero nim sum wins, the larger sum loses."""
    ones = reduce(lambda acc, i: acc ^ (i + 1), [i for i, d in enumerate(el) if d == 1], 0)
    twos = reduce(lambda acc, i: acc ^ (i + 1), [i for i, d in enumerate(el) if d == 2], 0)
    return -(ones ^ (2 * twos)) - 0.1 * max(ones, twos)


# %% necklace_representative
def priority(el, n, w):
    """Turn the ring of triples: a word that is its own least rotation leads, others by their offset."""
    blocks = [el[i : i + 3] for i in range(0, n, 3)]
    turns = [blocks[r:] + blocks[:r] for r in range(len(blocks))]
    best = min(range(len(turns)), key=lambda r: turns[r])
    return -best + (0.5 if turns[best] == turns[-1] else 0.0)


# %% separated_centres
import statistics


def priority(el, n, w):
    """The mean place of the ones and that of the twos should lie far apart, ones in front."""
    front = [i for i, d in enumerate(el) if d == 1]
    back = [i for i, d in enumerate(el) if d == 2]
    if not front or not back:
        return 0.0
    return statistics.fmean(back) - statistics.fmean(front)


# %% moment_of_inertia
def priority(el, n, w):
    """Mass near the middle: the moment of inertia of the non-zero digits about their centre, small first."""
    masses = [(i, 1.0 if d == 1 else 1.6) for i, d in enumerate(el) if d]
    total = sum(m for _, m in masses)
    if total == 0:
        return 0.0
    centre = sum(i * m for i, m in masses) / total
    return -sum(m * (i - centre) ** 2 for i, m in masses)


# %% median_of_the_twos
def priority(el, n, w):
    """The middle two of the word should sit at two thirds of the length."""
    places = sorted(i for i, d in enumerate(el) if d == 2)
    if len(places) == 0:
        return -n
    return -abs(places[len(places) // 2] - 2 * n / 3) + 0.2 * len(places)


# %% kendall_trend
def priority(el, n, w):
    """Triple weights should rise from left to right: concordant minus discordant pairs."""
    loads = []
    for i in range(0, n, 3):
        loads.append(sum(1 for d in el[i : i + 3] if d))
    trend = 0
    for a in range(len(loads)):
        for b in range(a + 1, len(loads)):
            trend += (loads[b] > loads[a]) - (loads[b] < loads[a])
    return trend


# %% spectral_flatness
import numpy as np


def priority(el, n, w):
    """A flat spectrum of the centred digits: geometric over arithmetic mean of the power."""
    signal = np.asarray(el, dtype=float)
    power = np.abs(np.fft.rfft(signal - signal.mean()))[1:] ** 2 + 1e-6
    return float(np.exp(np.log(power).mean()) / power.mean())


# %% haar_detail
def priority(el, n, w):
    """Halve the word again and again and sum the differences between the halves."""
    detail, level = 0.0, [float(d) for d in el]
    while len(level) > 1:
        if len(level) % 2:
            level = level + [0.0]
        detail += sum(abs(a - b) for a, b in zip(level[::2], level[1::2])) / len(level)
        level = [(a + b) / 2 for a, b in zip(level[::2], level[1::2])]
    return -detail


# %% rare_transitions
from collections import Counter


def priority(el, n, w):
    """Digit transitions that occur once in the word are worth more than those repeated."""
    transitions = Counter(zip(el, el[1:]))
    return sum(1 if many == 1 else -many for many in transitions.values())


# %% bracket_matching
def priority(el, n, w):
    """Ones open and twos close a bracket: prefer many matched pairs, then short ones."""
    stack = []
    matched = span = 0
    for i, d in enumerate(el):
        if d == 1:
            stack.append(i)
        elif d == 2 and stack:
            span += i - stack.pop()
            matched += 1
    return matched - 0.03 * span


# %% difference_triangle
def priority(el, n, w):
    """Iterate differences modulo three down to a point and count the zeros of the triangle."""
    row = list(el)
    zeros = 0
    while len(row) > 1:
        row = [(b - a) % 3 for a, b in zip(row, row[1:])]
        zeros += row.count(0)
    return -zeros


# %% luhn_checksum
def priority(el, n, w):
    """A checksum that doubles every other digit: words with a zero check come first."""
    check = 0
    for i, d in enumerate(el):
        doubled = d * (2 if i % 2 else 1)
        check += doubled // 3 + doubled % 3
    return -((check + n) % 5) - 0.01 * el.index(max(el))


# %% recursive_balance
def imbalance(part):
    if len(part) < 2:
        return 0.0
    middle = len(part) // 2
    left, right = part[:middle], part[middle:]
    tilt = abs(sum(left) / len(left) - sum(right) / len(right))
    return tilt + 0.6 * max(imbalance(left), imbalance(right))


def priority(el, n, w):
    """Split the word in two, and each half again: the worst tilt on the way down should be small."""
    return -imbalance(el)


# %% random_quadratic_form
import numpy as np


def priority(el, n, w):
    """A seeded random quadratic form in the indicator vectors of ones and twos."""
    draw = np.random.default_rng(17 + n)
    form = draw.normal(size=(2 * n, 2 * n))
    x = np.array(el)
    flags = np.concatenate((x == 1, x == 2)).astype(float)
    return float(flags @ form @ flags)


# %% random_linear_model
import random


def priority(el, n, w):
    """Each digit at each position has its own seeded Gaussian weight; nothing interacts."""
    dice = random.Random(1000 * n + w)
    gains = [[dice.gauss(0, 1) for _ in range(3)] for _ in range(n)]
    return sum(gains[i][d] for i, d in enumerate(el))


# %% longest_rising_subsequence
def priority(el, n, w):
    """The longest non-decreasing subsequence of the triples' digit sums should be short."""
    tails = []
    for i in range(0, n, 3):
        total = el[i] + el[i + 1] + el[i + 2]
        spot = sum(tail <= total for tail in tails)
        tails[spot : spot + 1] = [total]
    return -len(tails) + 0.05 * (tails[-1] if tails else 0)


# %% turtle_walk
import math


def priority(el, n, w):
    """Zero walks on, one turns left and two turns right: how far from home does the path end."""
    x = y = 0.0
    heading = 0
    for d in el:
        heading += (d == 1) - (d == 2)
        x += math.cos(heading * math.pi / 3)
        y += math.sin(heading * math.pi / 3)
    return math.hypot(x, y)


# %% bit_mixing
def priority(el, n, w):
    """Shift and exclusive-or mixing of the digits into thirty-two bits."""
    state = 0x9E3779B9
    for d in el:
        state ^= (d + 1) * 0x85EBCA6B & 0xFFFFFFFF
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
    return state / 4294967296.0


# %% crossed_pairs
from itertools import combinations


def priority(el, n, w):
    """All ordered pairs of triples, near or far, add a fixed gain that depends on the two patterns."""
    names = "000 001 002 012 021 111 222".split()
    gains = "0222121 1202202 0002221 2220221 1220122 1010110 1121212".split()
    word = [names.index("".join(str(d) for d in el[i : i + 3])) for i in range(0, n, 3)]
    bonus = sum(int(gains[a][b]) for a, b in combinations(word, 2))
    return bonus + 100 * sum(a in (1, 2, 3, 4) for a in word)


# %% pair_gains_without_order
from itertools import combinations


def priority(el, n, w):
    """Each unordered pair of non-empty triples adds a gain by the two patterns, wherever they stand."""
    rank = {(0, 0, 1): 1, (0, 0, 2): 2, (0, 1, 2): 3, (0, 2, 1): 4, (1, 1, 1): 5, (2, 2, 2): 6}
    gains = {
        (1, 1): 3,
        (1, 2): 2,
        (1, 3): 3,
        (1, 4): 1,
        (1, 5): 1,
        (1, 6): 2,
        (2, 3): 2,
        (2, 4): 3,
        (2, 5): 3,
    }
    gains.update({(2, 6): 2, (3, 3): 1, (3, 5): 3, (3, 6): 1, (4, 4): 1, (4, 5): 3, (4, 6): 2, (6, 6): 3})
    kinds = sorted(rank.get(tuple(el[i : i + 3]), 0) for i in range(0, n, 3))
    alone = (0, 1, 1, 1, 3, 0, 2)
    total = 0
    for a, b in combinations(kinds, 2):
        total += gains.get((a, b), 0) if a else alone[b]
    return total + 100 * sum(0 < k < 5 for k in kinds)


# %% place_by_pattern_table
import numpy as np


def priority(el, n, w):
    """Every place has its own price list for the seven patterns, ahead of it only the expanded size."""
    prices = np.array([list(map(int, row)) for row in ("4673513", "3641050", "6341616", "4550172", "2775545")])
    triples = np.array(el).reshape(-1, 3)
    weight = (triples > 0).sum(axis=1)
    twice = np.where(weight == 2, triples[:, 1] == 2, triples.max(axis=1) == 2)
    kind = np.where(weight > 0, 2 * weight - 1 + twice, 0)
    places = np.arange(len(kind)) % 5
    return float(prices[places, kind].sum() + 100 * ((weight == 1) | (weight == 2)).sum())


# %% pattern_prices
from collections import Counter


def priority(el, n, w):
    """Price each pattern once: light triples dear, full ones cheap, and 222 worth nothing."""
    price = {(0, 0, 1): 9, (0, 0, 2): 8, (0, 1, 2): 8, (0, 2, 1): 7, (1, 1, 1): 3, (0, 0, 0): 2}
    count = Counter(zip(el[::3], el[1::3], el[2::3]))
    return sum(price.get(kind, 0) * many for kind, many in count.items())


# %% utility_of_counts
def priority(el, n, w):
    """The number of times each pattern occurs has a utility that is neither linear nor monotone."""
    utility = {"000": (4, 3), "001": (1, 3, 5), "002": (2, 4, 7), "012": (0, 3, 8, 4, 1, 0)}
    utility["021"] = (3, 7, 8, 7, 3, 1)
    utility["111"] = (4, 6, 7, 7)
    utility["222"] = (5, 2, 2, 0)
    text = "".join(str(d) for d in el)
    parts = [text[i : i + 3] for i in range(0, n, 3)]
    total = 0
    for name, values in utility.items():
        total += values[min(parts.count(name), len(values) - 1)]
    return total


# %% contingency_of_variants
def priority(el, n, w):
    """How many 001 against 002, and how many 012 against 021: the two count pairs are looked up."""
    parts = [tuple(el[i : i + 3]) for i in range(0, n, 3)]
    light = (parts.count((0, 0, 1)), parts.count((0, 0, 2)))
    turned = (parts.count((0, 1, 2)), parts.count((0, 2, 1)))
    light_value = {(0, 0): 9, (0, 1): 6}
    turned_value = {(0, 0): 9, (0, 1): 3, (0, 2): 8, (0, 3): 8, (0, 5): 3, (1, 0): 5, (1, 1): 1, (1, 2): 3}
    turned_value.update({(1, 4): 2, (2, 1): 4, (2, 3): 9, (3, 0): 7, (3, 2): 5, (5, 0): 2})
    free = sum(light) + sum(turned)
    return 100 * free + light_value.get(light, 0) + turned_value.get(turned, 0)


# %% twins_left_and_right
def priority(el, n, w):
    """A triple's variant is judged by how many triples of its weight stand before and after it."""
    first = {1: {(0, 1): 0, (1, 0): 0}, 2: {(0, 0): 1, (0, 1): 2, (0, 2): 2, (0, 4): 2, (1, 2): 0, (2, 1): 1}}
    triples = [el[i : i + 3] for i in range(0, n, 3)]
    weights = [sum(d > 0 for d in t) for t in triples]
    score = 0.0
    for k, t in enumerate(triples):
        before, after = weights[:k].count(weights[k]), weights[k + 1 :].count(weights[k])
        value = first.get(weights[k], {}).get((before, after), 2 if (before, after) == (0, 0) else 0)
        turned = t[1] == 2 or (t[1] == 0 and t[2] == 2)
        score += (2 - value if turned else value) + 100.0 * (0 < weights[k] < 3)
    return score


# %% excess_of_the_prefix
def priority(el, n, w):
    """The weight seen so far, above or below two a triple, picks a row of pattern gains."""
    rows = {
        -3: "0000020",
        -2: "0200111",
        -1: "1001201",
        0: "2010102",
        1: "1002002",
        2: "1111101",
        3: "2020000",
    }
    names = ("000", "001", "002", "012", "021", "111", "222")
    seen = free = gain = 0
    for k in range(n // 3):
        triple = el[3 * k : 3 * k + 3]
        kind = names.index("".join(str(d) for d in triple))
        gain += int(rows[max(-3, min(3, seen - 2 * k))][kind])
        free += 1 <= kind <= 4
        seen += 3 - triple.count(0)
    return 100 * free + gain


# %% moment_picks_the_row
import numpy as np


def priority(el, n, w):
    """The first moment of the triple weights modulo five chooses which pattern gains apply to the word."""
    tables = ("0220011", "2002110", "1021100", "0211120", "1002220")
    triples = np.asarray(el).reshape(-1, 3)
    heavy = np.count_nonzero(triples, axis=1)
    row = tables[int(heavy @ np.arange(len(heavy))) % 5]
    free = 0
    for a, b, c in triples.tolist():
        kind = {0: 0, 1: 1, 2: 2, 5: 3, 7: 4, 13: 5}.get(9 * a + 3 * b + c, 6)
        free += 100 * (0 < kind < 5) + int(row[kind])
    return free


# %% square_moment_class
def priority(el, n, w):
    """Second moment of the weights modulo seven: each class of words plays by its own gains."""
    loads = []
    for i in range(0, n, 3):
        loads.append((el[i] > 0) + (el[i + 1] > 0) + (el[i + 2] > 0))
    moment = sum(k * k * load for k, load in enumerate(loads)) % 7
    gains = "2202000 1120121 0122210 2202101 0102211 2121200 1100020".split()[moment]
    score = 0
    for k, load in enumerate(loads):
        b, c = el[3 * k + 1], el[3 * k + 2]
        variant = 1 if b == 2 or (b, c) == (0, 2) else 0
        score += int(gains[2 * load - 1 + variant]) if load else int(gains[0])
        score += 100 if load in (1, 2) else 0
    return score


# %% neighbours_hashed_modulo_five
def priority(el, n, w):
    """The weights left and right of a triple, mixed modulo five, decide what its pattern is worth."""
    worth = ["2001120", "2202110", "1202211", "0212020", "2011010"]
    code = {0: 0, 1: 1, 2: 2, 5: 3, 7: 4, 13: 5, 26: 6}
    kinds = [code[9 * a + 3 * b + c] for a, b, c in zip(el[::3], el[1::3], el[2::3])]
    weights = [(kind + 1) // 2 for kind in kinds]
    size, total = len(kinds), 0
    for k in range(size):
        mixed = (weights[k - 1] + 2 * weights[(k + 1) % size]) % 5
        total += int(worth[mixed][kinds[k]])
    return total + 100 * sum(weight in (1, 2) for weight in weights)


# %% read_from_the_heaviest
def priority(el, n, w):
    """Start reading at the first heaviest triple; the steps after it have their own pattern gains."""
    triples = [tuple(el[i : i + 3]) for i in range(0, n, 3)]
    weights = [3 - t.count(0) for t in triples]
    head = weights.index(max(weights))
    turned = triples[head:] + triples[:head]
    alphabet = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 2), (0, 2, 1), (1, 1, 1), (2, 2, 2)]
    steps = [[0, 0, 0, 2, 0, 0, 0], [1, 0, 0, 2, 1, 1, 1], [2, 2, 1, 2, 1, 2, 1], [2, 1, 2, 1, 0, 1, 0]]
    steps.append([1, 1, 1, 0, 0, 2, 0])
    gains = (steps[min(k, 4)][alphabet.index(t)] for k, t in enumerate(turned))
    return sum(gains) + 40 * sum(weight in (1, 2) for weight in weights)


# %% read_from_the_emptiest
def priority(el, n, w):
    """The first lightest triple is the origin: variants are wanted by the distance travelled from it."""
    m = n // 3
    loads = [3 - el[3 * k : 3 * k + 3].count(0) for k in range(m)]
    origin = min(range(m), key=lambda k: loads[k])
    second = {0: (1, 0, 0), 1: (0, 0, 0), 2: (1, 1, 1), 3: (1, 0, 0), 4: (1, 1, 0)}
    hits = 0.0
    for step in range(m):
        k = (origin + step) % m
        if loads[k] == 0:
            continue
        a, b, c = el[3 * k : 3 * k + 3]
        kind = 1 if b == 2 or (b == 0 and c == 2) else 0
        hits += 1.0 if kind == second[step % 5][loads[k] - 1] else -0.5
        hits += 30.0 if loads[k] < 3 else 0.0
    return hits


# %% hills_and_valleys
import math


def priority(el, n, w):
    """Is a triple a hill, a valley or a slope among its ring neighbours? That picks its variant."""
    m = n // 3
    loads = [sum(d != 0 for d in el[3 * k : 3 * k + 3]) for k in range(m)]
    wish = {
        (-1, -1): "...1000",
        (-1, 0): "..01000",
        (-1, 1): ".0110..",
        (0, -1): "...0011",
        (0, 1): ".0111..",
    }
    score = 0.0
    for k in range(m):
        before, after = loads[k - 1] - loads[k], loads[(k + 1) % m] - loads[k]
        slope = tuple(0 if x == 0 else int(math.copysign(1, x)) for x in (before, after))
        b, c = el[3 * k + 1], el[3 * k + 2]
        kind = 2 * loads[k] - 1 + (b == 2 or (b == 0 and c == 2)) if loads[k] else 0
        row = wish.get(slope, "0110000" if slope == (0, 0) else "0110011")
        score += 10.0 * (0 < kind < 5) + (row[kind] == "1")
    return score


# %% pull_of_full_triples
def priority(el, n, w):
    """The ring distance to the nearest full triple sets the value of each light or empty one."""
    m = n // 3
    kinds = []
    for k in range(m):
        kinds.append([0, 1, 2, 5, 7, 13, 26].index(9 * el[3 * k] + 3 * el[3 * k + 1] + el[3 * k + 2]))
    full = [k for k, kind in enumerate(kinds) if kind > 4]
    rows = {1: (0, 0, 2, 1, 1, 2, 1), 2: (0, 1, 1, 2, 2, 1, 0), 3: (0, 0, 0, 1, 1, 2, 0)}
    score = 0
    for k, kind in enumerate(kinds):
        away = [min((k - j) % m, (j - k) % m) for j in full if j != k]
        score += rows[min(min(away), 3) if away else 3][kind] + 100 * (0 < kind < 5)
    return score


# %% heavier_before_minus_after
def priority(el, n, w):
    """Heavier triples before minus heavier ones after: the sign of that lead tells 012 from 021."""
    triples = [el[i : i + 3] for i in range(0, n, 3)]
    weight = [3 - t.count(0) for t in triples]
    score = 0
    for k, t in enumerate(triples):
        lead = sum(x > weight[k] for x in weight[:k]) - sum(x > weight[k] for x in weight[k + 1 :])
        turned = t[1] == 2 or (t[1] == 0 and t[2] == 2)
        if weight[k] in (1, 2):
            score += 20
        if weight[k] == 2:
            score += (lead >= 0) == turned
            score += 2 * (lead == 2)
        elif weight[k] == 1:
            score += turned == (lead in (-2, 1))
    return score


# %% alternate_within_a_weight
def priority(el, n, w):
    """Successive triples of equal weight compare variants: a few repeats and changes are rewarded."""
    reward = {
        (1, 1, 0): 1,
        (1, 1, 1): 4,
        (1, 2, 0): 3,
        (1, 2, 1): 2,
        (2, 0, 0): 1,
        (2, 0, 1): 1,
        (2, 1, 0): 1,
    }
    reward.update({(2, 1, 1): 1, (2, 2, 0): 2, (3, 0, 0): 1, (3, 0, 1): 2, (3, 1, 0): 4, (3, 1, 1): 3, (3, 2, 0): 4})
    latest = {1: 2, 2: 2, 3: 2}
    free = gain = 0
    for i in range(0, n, 3):
        weight = sum(1 for d in el[i : i + 3] if d)
        if weight == 0:
            continue
        variant = int(el[i + 1] == 2 or (el[i + 1] == 0 and el[i + 2] == 2))
        gain += reward.get((weight, latest[weight], variant), 0)
        latest[weight] = variant
        free += weight < 3
    return 100 * free + gain


# %% open_chain_with_ends
def priority(el, n, w):
    """Non-empty triples as a chain with two ends; links and ends have gains of their own."""
    chain = [0]
    names = {"001": 1, "002": 2, "012": 3, "021": 4, "111": 5, "222": 6}
    for i in range(0, n, 3):
        name = str(el[i]) + str(el[i + 1]) + str(el[i + 2])
        if name in names:
            chain.append(names[name])
    chain.append(0)
    link = ("0011001", "0001210", "0001102", "2002010", "2011122", "1020012", "1002012")
    gain = sum(int(link[a][b]) for a, b in zip(chain, chain[1:]))
    return gain + 100 * sum(0 < kind < 5 for kind in chain)


# %% five_state_automaton
def priority(el, n, w):
    """A small automaton reads the triples; its state is updated modulo five and rates each symbol."""
    rating = [(0, 2, 3, 3, 0, 3, 0), (0, 1, 2, 3, 3, 1, 0), (1, 1, 3, 0, 0, 3, 1), (0, 2, 2, 3, 0, 2, 2)]
    rating.append((2, 3, 0, 3, 0, 3, 2))
    state, value, i = 0, 0.0, 0
    while i < n:
        code = 9 * el[i] + 3 * el[i + 1] + el[i + 2]
        symbol = 0
        for k, known in enumerate((0, 1, 2, 5, 7, 13, 26)):
            if code == known:
                symbol = k
        value += rating[state][symbol] + (100 if symbol in (1, 2, 3, 4) else 0)
        state = (2 * state + symbol) % 5
        i += 3
    return value


# %% four_state_registers
from functools import reduce


def advance(register, symbol):
    table = ("2230303", "1012010", "1020213", "3320022")
    state, score = register
    step = 10 * (0 < symbol < 5) + int(table[state][symbol])
    return (2 * state + symbol) % 4, score + step


def priority(el, n, w):
    """Fold the word through a register that remembers the last two symbols modulo four."""
    code = {1: 1, 2: 2, 5: 3, 7: 4, 13: 5, 26: 6}
    symbols = [code.get(9 * a + 3 * b + c, 0) for a, b, c in zip(el[::3], el[1::3], el[2::3])]
    return reduce(advance, symbols, (0, 0))[1]


# %% mirrored_partners
def priority(el, n, w):
    """The first triple faces the last, the second the one before it; facing pairs have fixed values."""
    code = {0: 0, 1: 1, 2: 2, 5: 3, 7: 4, 13: 5, 26: 6}
    kinds = [code[9 * el[i] + 3 * el[i + 1] + el[i + 2]] for i in range(0, n, 3)]
    face = ["0415502", "0324403", "0025213", "0001201", "0000124", "0000031", "0000000"]
    lone = (2, 5, 4, 5, 3, 0, 1)
    total = 100 * sum(0 < kind < 5 for kind in kinds)
    for a, b in zip(kinds[: len(kinds) // 2], reversed(kinds)):
        total += int(face[min(a, b)][max(a, b)])
    return total + (lone[kinds[len(kinds) // 2]] if len(kinds) % 2 else 0)


# %% weights_around_the_window
def priority(el, n, w):
    """A window of three triples on the ring: the outer weights say which variant the middle should take."""
    wish = ("0000", "0000", "0011", "0001", "0110", "0110", "0101", "1011", "0000", "0111")
    m = n // 3
    heavy = [3 - el[3 * k : 3 * k + 3].count(0) for k in range(m)]
    score = 0
    for k in range(m):
        if heavy[k] == 0:
            continue
        left, right = heavy[k - 1], heavy[(k + 1) % m]
        b, c = el[3 * k + 1], el[3 * k + 2]
        second = b == 2 or (b == 0 and c == 2)
        score += (wish[(left + 3 * heavy[k]) % 10][right] == "1") == second
        score += 20 * (heavy[k] < 3)
    return score


# %% two_behind_against_two_ahead
import numpy as np


def priority(el, n, w):
    """Compare the weight two triples back with that two ahead; the heavier side sets the pattern gains."""
    grid = np.array(el).reshape(-1, 3)
    heavy = (grid > 0).sum(axis=1)
    lead = np.roll(heavy, 1) + np.roll(heavy, 2) - np.roll(heavy, -1) - np.roll(heavy, -2)
    gains = np.array([[1, 0, 0, 3, 2, 0, 0], [0, 2, 3, 2, 0, 3, 0], [2, 1, 0, 2, 0, 2, 1]])
    kinds = np.where(heavy > 0, 2 * heavy - 1 + ((grid[:, 1] == 2) | ((grid[:, 1] == 0) & (grid[:, 2] == 2))), 0)
    return float(gains[np.sign(lead), kinds].sum() + 100.0 * np.isin(heavy, (1, 2)).sum())


# %% parity_of_second_variants
def priority(el, n, w):
    """The parities of 002, 021 and 222 triples before and after a triple choose its gain."""
    flags, kinds = [], []
    for i in range(0, n, 3):
        flag = el[i + 1] == 2 or (el[i + 1] == 0 and el[i + 2] == 2)
        weight = 3 - el[i : i + 3].count(0)
        flags.append(int(flag))
        kinds.append(2 * weight - (0 if flag else 1) if weight else 0)
    rows = (("0210121", "1102020"), ("1000111", "0211112"))
    score = 0
    for k, kind in enumerate(kinds):
        row = rows[sum(flags[:k]) % 2][sum(flags[k + 1 :]) % 2]
        score += int(row[kind]) + (100 if 0 < kind < 5 else 0)
    return score


# %% next_two_weights
def priority(el, n, w):
    """Each triple looks at the two weights that follow on the ring; a bit mask tells its variant."""
    m = n // 3
    loads = [sum(1 for d in el[3 * k : 3 * k + 3] if d) for k in range(m)]
    masks = {
        (1, 1): 4,
        (1, 2): 1,
        (1, 3): 0,
        (2, 1): 1,
        (2, 2): 7,
        (2, 3): 6,
        (3, 2): 5,
        (3, 3): 2,
        (0, 3): 6,
    }
    score = 0.0
    for k, load in enumerate(loads):
        if load == 0:
            continue
        mask = masks.get((loads[(k + 1) % m], loads[(k + 2) % m]), 2)
        wanted = mask // 2 ** (load - 1) % 2
        b, c = el[3 * k + 1], el[3 * k + 2]
        score += (wanted == int(b == 2 or (b == 0 and c == 2))) / (1.0 + 0.1 * k)
        score += 7.0 if load < 3 else 0.0
    return score


# %% regret_of_the_twin
def swapped(word):
    return [0 if d == 0 else 3 - d for d in word]


def base(word):
    gain = 0.0
    for i in range(0, len(word), 3):
        here, ahead = word[i : i + 3], word[i + 3 : i + 6] or word[:3]
        gain += sum((i % 5 + 1) * a * b for a, b in zip(here, ahead)) + 2.0 * (here[1] > here[2])
    return gain


def priority(el, n, w):
    """One step of look-ahead: the score minus the best score with a single triple swapped to its twin."""
    word = list(el)
    rivals = [word[:i] + swapped(word[i : i + 3]) + word[i + 3 :] for i in range(0, n, 3)]
    mixed = sum(len(set(el[i : i + 3])) > 1 for i in range(0, n, 3))
    return 100.0 * mixed + base(word) - max(base(rival) for rival in rivals)


# %% sampled_conflicts
import random


def clash(a, b, c):
    for s in range(3):
        for t in range(3):
            columns = [sorted((a[i], b[(i + s) % 3], c[(i + t) % 3])) for i in range(3)]
            if not any(col[0] == 0 and col[2] > 0 and col != [0, col[2], col[2]] for col in columns):
                return True
    return False


def priority(el, n, w):
    """A bounded rollout: draw random partner pairs and count the places that clash with the word."""
    dice = random.Random(31 + n)
    parts = [(0, 0, 1), (0, 0, 2), (0, 1, 2), (0, 2, 1), (1, 1, 1), (2, 2, 2)]
    clashes, free = 0, 0
    for i in range(0, n, 3):
        free += len(set(el[i : i + 3])) > 1
        for _ in range(3):
            clashes += clash(el[i : i + 3], dice.choice(parts), dice.choice(parts))
    return 100 * free - clashes


# %% conflict_odds
import math


def priority(el, n, w):
    """Estimated chance that two other words ruin this one: the odds of the triples are multiplied."""
    odds = {0: 0.55, 1: 0.35, 2: 0.38, 3: 0.30, 4: 0.33, 5: 0.45, 6: 0.60}
    log_odds, free = 0.0, 0
    for k in range(n // 3):
        kind = [0, 1, 2, 5, 7, 13, 26].index(9 * el[3 * k] + 3 * el[3 * k + 1] + el[3 * k + 2])
        free += 0 < kind < 5
        log_odds += math.log(odds[kind] + 0.04 * ((kind + k) % 3))
    return free - math.exp(log_odds) * 20.0


# %% weakest_link
def priority(el, n, w):
    """Only the worst neighbouring pair of triples counts, in a clash measure of shared digits."""
    triples = [el[i : i + 3] for i in range(0, n, 3)]
    links = []
    for before, after in zip(triples, triples[1:] + triples[:1]):
        same = sum(a == b and a > 0 for a, b in zip(before, after))
        links.append(2.0 - same + abs(sum(before) - sum(after)) / 3.0)
    return min(links) + 0.001 * sum(links)


# %% three_judges
def priority(el, n, w):
    """Three judges give grades for size, order and balance; the middle grade decides."""
    triples = [el[i : i + 3] for i in range(0, n, 3)]
    size = sum(len(set(t)) > 1 for t in triples) / len(triples)
    order = sum(a <= b for a, b in zip(triples, triples[1:])) / max(1, len(triples) - 1)
    balance = 1.0 - abs(el.count(1) - el.count(2)) / max(1, w)
    low, middle, high = sorted((size, order, balance))
    return middle + 0.1 * low + 0.01 * high


# %% phase_by_empty_triples
def priority(el, n, w):
    """Words with an empty triple follow mirrored order after it; all the others want late 021 patterns."""
    triples = [tuple(el[i : i + 3]) for i in range(0, n, 3)]
    mixed = sum(len(set(t)) > 1 for t in triples)
    if (0, 0, 0) in triples:
        hole = triples.index((0, 0, 0))
        tail = triples[hole + 1 :] + triples[:hole]
        return 10.0 * mixed - sum(sum(t) * 0.7**k for k, t in enumerate(tail))
    late = sum(k * (t == (0, 2, 1)) - k * (t == (0, 1, 2)) for k, t in enumerate(triples))
    return 10.0 * mixed + 0.5 * late


# %% one_variant_per_weight
def priority(el, n, w):
    """A word should commit: triples of one weight take one variant, and the three commitments differ."""
    votes = {1: 0, 2: 0, 3: 0}
    mixed = 0
    for i in range(0, n, 3):
        load = 3 - el[i : i + 3].count(0)
        if load:
            second = el[i + 1] == 2 or (el[i + 1] == 0 and el[i + 2] == 2)
            votes[load] += 1 if second else -1
            mixed += load < 3
    differ = votes[1] * votes[2] < 0, votes[2] * votes[3] < 0
    return 20.0 * mixed + sum(abs(v) for v in votes.values()) + 1.5 * sum(differ) + 0.1 * votes[2]


# %% differences_of_symbols
def priority(el, n, w):
    """Number the patterns; the differences modulo seven to the last and the last but one triple are rated."""
    near = (5, 3, 0, 2, 1, 5, 3)
    far = (5, 2, 5, 5, 0, 3, 2)
    code = {1: 1, 2: 2, 5: 3, 7: 4, 13: 5, 26: 6}
    word = [code.get(a * 9 + b * 3 + c, 0) for a, b, c in zip(el[0::3], el[1::3], el[2::3])]
    rated = [near[(s - word[k - 1]) % 7] + far[(s - word[k - 2]) % 7] for k, s in enumerate(word)]
    return sum(rated) + 100 * sum(0 < s < 5 for s in word)
