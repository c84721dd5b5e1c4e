"""Life sciences: reads of a genome, probes, kidneys, blood."""

import math
import random
from collections import Counter

import numpy as np

from .made import Made


def genome_assembly() -> Made:
    """A biologist: the two contigs that are merged next; the shorter the end, the better."""

    def overlap(a, b):
        for k in range(min(len(a), len(b)) - 1, 0, -1):
            if a.endswith(b[:k]):
                return k
        return 0

    def sample(seed):
        rnd = random.Random(seed)
        genome = "".join(rnd.choice("ACGT") for _ in range(180))
        genome += genome[20:50] + "".join(rnd.choice("ACGT") for _ in range(60))
        reads = {genome[s : s + rnd.randint(18, 34)] for s in (rnd.randrange(len(genome) - 18) for _ in range(30))}
        reads = sorted(r for r in reads if not any(r != o and r in o for o in reads))
        rnd.shuffle(reads)
        return reads

    samples = [sample(s) for s in range(6)]

    def objective(choose_pair):
        length = 0
        for reads in samples:
            reads = list(reads)
            overlaps = {(i, j): overlap(a, b) for i, a in enumerate(reads) for j, b in enumerate(reads) if i != j}
            contigs = dict(enumerate(reads))
            fresh = len(reads)
            while len(contigs) > 1:
                pair = choose_pair(dict(contigs), dict(overlaps))
                if tuple(pair) not in overlaps:
                    raise ValueError("no such pair of contigs")
                i, j = pair
                merged = contigs[i] + contigs[j][overlaps[i, j] :]
                overlaps_next = {}
                for (a, b), v in overlaps.items():
                    if a in (i, j) and b in (i, j):
                        continue
                    if a == j:
                        overlaps_next[fresh, b] = v
                    elif b == i:
                        overlaps_next[a, fresh] = v
                    elif a != i and b != j:
                        overlaps_next[a, b] = v
                overlaps = overlaps_next
                del contigs[i], contigs[j]
                contigs[fresh] = merged
                fresh += 1
            length += len(next(iter(contigs.values())))
        return length / len(samples)

    template = """
def choose_pair(contigs, overlaps):
    for (i, j), shared in overlaps.items():
        if shared >= 4:
            return i, j
    return next(iter(overlaps))
"""
    return objective, template, "min"


def probe_panel() -> Made:
    """A microbiologist: a cheap set of probes that tells all species apart."""

    def lab(seed):
        rnd = random.Random(seed + 9)
        species = [f"sp{k}" for k in range(26)]
        hits = {f"p{k}": frozenset(s for s in species if rnd.random() < rnd.choice([0.1, 0.2, 0.5])) for k in range(45)}
        for k, s in enumerate(species):
            hits[f"q{k}"] = frozenset([s])
        return species, hits, {p: round(rnd.uniform(1, 6), 1) for p in hits}

    labs = [lab(s) for s in range(10)]

    def objective(choose_panel):
        money = 0.0
        for species, hits, price in labs:
            panel = choose_panel(list(species), dict(hits), dict(price))
            panel = set(panel)
            if not panel <= set(hits):
                raise ValueError("unknown probe")
            prints = {tuple(s in hits[p] for p in sorted(panel)) for s in species}
            if len(prints) < len(species):
                raise ValueError("two species look the same")
            money += sum(price[p] for p in sorted(panel))
        return money

    template = """
def choose_panel(species, hits, price):
    def classes(panel):
        return len({tuple(s in hits[p] for p in panel) for s in species})

    panel = []
    for probe in sorted(hits, key=lambda p: price[p]):
        if classes(panel) == len(species):
            break
        if classes(panel + [probe]) > classes(panel):
            panel.append(probe)
    return set(panel)
"""
    return objective, template, "min"


def kidney_pairs() -> Made:
    """A coordinator of transplants: the next exchange, a cell of a symmetric matrix with zeros."""

    def pool(seed):
        rng = np.random.default_rng(seed)
        n = 36
        hard = rng.random(n) < 0.5
        compatible = rng.random((n, n)) < np.where(hard[:, None] | hard[None, :], 0.09, 0.3)
        both = np.triu(compatible, 1)
        score = np.where(both, rng.integers(8, 13, (n, n)), 0)
        return (score + score.T).tolist()

    pools = [pool(s) for s in range(12)]

    def objective(next_exchange):
        total = 0
        for score in pools:
            score = [row[:] for row in score]
            n = len(score)
            while any(any(row) for row in score):
                i, j = next_exchange([row[:] for row in score])
                if not score[i][j]:
                    raise ValueError("these two pairs do not match")
                total += score[i][j]
                for k in range(n):
                    score[i][k] = score[k][i] = score[j][k] = score[k][j] = 0
        return total / len(pools)

    template = """
def next_exchange(score):
    best = (0, 0)
    for i, row in enumerate(score):
        for j, value in enumerate(row):
            if value > score[best[0]][best[1]]:
                best = (i, j)
    return best
"""
    return objective, template, "max"


def blood_bank() -> Made:
    """A blood bank: the type of blood that a patient gets, one of those that fit."""
    TYPES = ["O-", "O+", "A-", "A+", "B-", "B+", "AB-", "AB+"]
    SHARE = [7, 37, 6, 33, 2, 9, 1, 4]

    def fits(donor, patient):
        d, p = donor[:-1].replace("O", ""), patient[:-1].replace("O", "")
        return set(d) <= set(p) and not (donor[-1] == "+" and patient[-1] == "-")

    def month(seed):
        rnd = random.Random(seed)
        return [
            (
                Counter(rnd.choices(TYPES, SHARE, k=20)),
                [(rnd.choices(TYPES, SHARE)[0], rnd.choice([1, 1, 1, 3])) for _ in range(rnd.randint(16, 26))],
            )
            for _ in range(30)
        ]

    months = [month(s) for s in range(10)]

    def objective(issue):
        unmet = 0.0
        for days in months:
            stock = Counter(dict.fromkeys(TYPES, 4))
            for donated, patients in days:
                stock.update(donated)
                for patient, urgency in patients:
                    usable = [t for t in TYPES if stock[t] > 0 and fits(t, patient)]
                    if not usable:
                        unmet += urgency
                        continue
                    unit = issue(patient, Counter(stock), usable)
                    if unit not in usable:
                        return math.inf
                    stock[unit] -= 1
                for t in TYPES:
                    stock[t] = min(stock[t], 12)
        return unmet / len(months)

    template = """
from collections import Counter

def issue(patient: str, stock: Counter, usable: list) -> str:
    return max(usable, key=lambda kind: stock[kind])
"""
    return objective, template, "min"
