"""What goes where: children, letters, turbines."""

import itertools
import random
from collections import Counter

import numpy as np

from .made import Made


def class_groups() -> Made:
    """A teacher of a primary school: groups of four with friends, mixed levels and few loud children."""

    def form(seed):
        rnd = random.Random(seed)
        names = [f"kid{k}" for k in range(28)]
        pupils = []
        for name in names:
            pupils.append(
                {
                    "name": name,
                    "level": rnd.randint(1, 9),
                    "loud": rnd.random() < 0.3,
                    "friends": set(rnd.sample([x for x in names if x != name], 4)),
                }
            )
        return pupils

    forms = [form(s) for s in range(60)]

    def objective(groups):
        points = 0.0
        for pupils in forms:
            answer = groups(pupils, 7)
            if set(answer) != {p["name"] for p in pupils} or any(v != 4 for v in Counter(answer.values()).values()):
                raise ValueError("seven groups of four!")
            mean = sum(p["level"] for p in pupils) / len(pupils)
            for g in set(answer.values()):
                table = [p for p in pupils if answer[p["name"]] == g]
                points += sum(3 for p in table for q in table if q["name"] in p["friends"])
                points -= abs(sum(p["level"] for p in table) / 4 - mean)
                points -= 4 * max(0, sum(p["loud"] for p in table) - 1)
        return points / len(forms)

    template = """
def groups(pupils, n_groups):
    size = len(pupils) // n_groups
    seats = {g: [] for g in range(n_groups)}
    answer = {}
    for pupil in pupils:
        open_groups = [g for g in seats if len(seats[g]) < size]
        g = min(open_groups, key=lambda g: sum(p["loud"] for p in seats[g]))
        seats[g].append(pupil)
        answer[pupil["name"]] = g
    return answer
"""
    return objective, template, "max"


def keyboard_layout() -> Made:
    """A keyboard enthusiast: a layout, as a string of 26 letters."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = []
    for seed in range(12):
        rnd = random.Random(seed)
        weights = [rnd.paretovariate(0.9) for _ in letters]
        follow = {a: [w * rnd.paretovariate(1.0) for w in weights] for a in letters}
        text = "e"
        while len(text) < 3000:
            text += rnd.choices(letters, follow[text[-1]])[0]
        texts.append(text)
    # three rows: 10 + 9 + 7 keys
    places = [(r, c) for r, n in enumerate((10, 9, 7)) for c in range(n)]
    effort = [[2.0, 1.0, 2.5][r] + [1.5, 0.6, 0.2, 0.0, 0.6, 0.6, 0.0, 0.2, 0.6, 1.5][c] for r, c in places]
    finger = [[0, 1, 2, 3, 3, 4, 4, 5, 6, 7][c] for r, c in places]
    pairs = [Counter(itertools.pairwise(t)) for t in texts]

    def objective(arrange):
        cost = 0.0
        for text, pair in zip(texts, pairs):
            layout = arrange(Counter(text), {a + b: n for (a, b), n in pair.items()}, list(effort), list(finger))
            if sorted(layout) != list(letters):
                raise ValueError("26 letters, each once")
            at = {letter: k for k, letter in enumerate(layout)}
            count = Counter(text)
            cost += sum(n * effort[at[a]] for a, n in count.items()) / len(text)
            cost += sum(
                n
                * (
                    2.5
                    if finger[at[a]] == finger[at[b]] and a != b
                    else 0.4
                    if (finger[at[a]] < 4) == (finger[at[b]] < 4)
                    else 0
                )
                for (a, b), n in pair.items()
            ) / len(text)
        return cost / len(texts)

    template = '''
def arrange(count, bigrams, effort, finger):
    """Common letters to the easy keys."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    layout = [""] * 26
    free = list(range(26))
    for letter in letters:
        key = min(free, key=lambda k: effort[k])
        layout[key] = letter
        free.remove(key)
    return "".join(layout)
'''
    return objective, template, "min"


def wind_farm() -> Made:
    """An engineer of renewable energy: the next turbine's cell, where others do not take its wind."""
    rng = np.random.default_rng(28)
    sites = []
    for _ in range(100):
        rough = rng.normal(0, 1, (10, 10))
        smooth = sum(np.roll(np.roll(rough, a, 0), b, 1) for a in (-1, 0, 1) for b in (-1, 0, 1)) / 3
        sites.append(7.5 + 0.7 * smooth)

    def energy(wind, placed):
        total = np.float64(0.0)
        for r, c in placed:
            speed = wind[r, c]
            for r2, c2 in placed:
                if r2 < r and abs(c2 - c) <= 1:
                    speed = speed * (1 - 0.28 / (r - r2) * (1.0 if c == c2 else 0.5))
            total += speed**3
        return total

    def objective(next_site):
        result = np.zeros(len(sites))
        for k, wind in enumerate(sites):
            placed, free = [], np.ones((10, 10), dtype=bool)
            for _ in range(14):
                r, c = next_site(wind.copy(), free.copy(), list(placed))
                if not free[r, c]:
                    raise ValueError("occupied")
                free[r, c] = False
                placed.append((int(r), int(c)))
            result[k] = energy(wind, placed)
        return result.mean()

    template = """
import numpy as np

def next_site(wind, free, placed):
    value = np.where(free, wind, -np.inf)
    return np.unravel_index(np.argmax(value), value.shape)
"""
    return objective, template, "max"
