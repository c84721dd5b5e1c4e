"""Better rules for the functions that ask for a whole solution."""

import itertools
import math
from collections import Counter

import numpy as np


def exam_timetable(clashes):
    """The exam with the fewest free slots first; then the slots in an order with few shared pupils."""
    slots, left, n = {}, set(clashes), 0

    def key(e):
        return (len({slots[o] for o in clashes[e] if o in slots}), len(clashes[e]), e)

    while left:
        e = max(left, key=key)
        taken = {slots[o] for o in clashes[e] if o in slots}
        free = [s for s in range(n) if s not in taken]
        if free:
            near = {s: sum(v for o, v in clashes[e].items() if o in slots and abs(slots[o] - s) == 1) for s in free}
            slots[e] = min(free, key=near.get)
        else:
            slots[e] = n
            n += 1
        left.remove(e)
    # The slots then follow one another by shared pupils, from every one of them as the first.
    w = np.zeros((n, n))
    for a in clashes:
        for b, v in clashes[a].items():
            w[slots[a], slots[b]] += v / 2
    best = None
    for first in range(n):
        order = [first]
        while len(order) < n:
            order.append(min((s for s in range(n) if s not in order), key=lambda s: w[order[-1], s]))
        cost = sum(w[a, b] for a, b in itertools.pairwise(order))
        if best is None or cost < best[0]:
            best = cost, order
    at = {s: k for k, s in enumerate(best[1])}
    return {e: at[s] for e, s in slots.items()}


def nurse_roster(nurses, demand):
    """Day by day: shifts that a nurse has left, preferences, one senior a shift."""
    plan, worked, where, has_senior = [], Counter(), {}, set()
    total = max(d for d, _ in demand) + 1

    def key(n, day, shift):
        spare = (n["max_shifts"] - worked[n["name"]]) / max(1, total - day) * 3
        wanted = 1 if (day, shift) not in has_senior else -1
        return spare + 1.0 * (n["prefers"] == shift) + (1.5 if n["senior"] else 0) * wanted

    for day in range(total):
        for turn in range(3):
            for shift in ("night", "early", "late"):
                if turn >= demand[day, shift]:
                    continue
                able = [
                    n
                    for n in nurses
                    if day not in n["off"]
                    and worked[n["name"]] < n["max_shifts"]
                    and (n["name"], day) not in where
                    and not (shift == "early" and where.get((n["name"], day - 1)) == "night")
                ]
                if not able:
                    continue
                n = max(able, key=lambda n: key(n, day, shift))
                plan.append((n["name"], day, shift))
                where[n["name"], day] = shift
                worked[n["name"]] += 1
                if n["senior"]:
                    has_senior.add((day, shift))
    return plan


def print_farm(jobs, n_printers):
    """Minutes and change of colour for each copy."""
    free, colour, plan, left = [0.0] * n_printers, [None] * n_printers, [], list(jobs)

    def setup(p, j):
        return 20 if colour[p] not in (None, j.colour) else 0

    while left:
        p = min(range(n_printers), key=lambda p: free[p])
        j = min(left, key=lambda j: (j.minutes + setup(p, j)) / j.copies)
        left.remove(j)
        start = free[p] + setup(p, j)
        plan.append((p, j.id, start))
        free[p], colour[p] = start + j.minutes, j.colour
    return plan


def join_order(tables, rows, selectivity):
    """The smallest intermediate result next, from every table as the first."""

    def after(t, order):
        return rows[t] * math.prod(selectivity.get((j, t), 1.0) for j in order)

    best = None
    for first in tables:
        order, size, cost = [first], rows[first], 0.0
        rest = [t for t in tables if t != first]
        while rest:
            t = min(rest, key=lambda t: after(t, order))
            size *= after(t, order)
            cost += size
            order.append(t)
            rest.remove(t)
        if best is None or cost < best[0]:
            best = cost, order
    return best[1]


def probe_panel(species, hits, price):
    """The most separated pairs for the price; what is not needed is taken out, the dearest first."""
    panel, classes = [], [frozenset(species)]
    while any(len(c) > 1 for c in classes):
        p = max(hits, key=lambda p: sum(len(c & hits[p]) * len(c - hits[p]) for c in classes) / price[p])
        panel.append(p)
        classes = [x for c in classes for x in (c & hits[p], c - hits[p]) if x]
    for p in sorted(panel, key=lambda p: -price[p]):
        rest = [q for q in panel if q != p]
        if len({tuple(s in hits[q] for q in rest) for s in species}) == len(species):
            panel = rest
    return set(panel)


def picking_route(picks, aisle_length):
    """Aisle by aisle, up and down, then 2-opt."""

    def d(a, b):
        if a[0] == b[0]:
            return abs(a[1] - b[1])
        return 3 * abs(a[0] - b[0]) + min(a[1] + b[1], 2 * aisle_length - a[1] - b[1])

    order, up, aisles = [], True, sorted({p[0] for p in picks})
    for a in aisles:
        order += sorted(
            (k for k in range(len(picks)) if picks[k][0] == a), key=lambda k: picks[k][1] * (1 if up else -1)
        )
        up = not up
    better = True
    while better:
        better = False
        pts = [(0, 0)] + [picks[k] for k in order] + [(0, 0)]
        for i in range(len(order)):
            for j in range(i + 1, len(order)):
                if d(pts[i], pts[j + 1]) + d(pts[i + 1], pts[j + 2]) < d(pts[i], pts[i + 1]) + d(
                    pts[j + 1], pts[j + 2]
                ):
                    order[i : j + 1] = order[i : j + 1][::-1]
                    pts = [(0, 0)] + [picks[k] for k in order] + [(0, 0)]
                    better = True
    return order


def order_batching(orders, capacity):
    """The order with most aisles first, then those that add the fewest aisles."""
    batches = []
    while orders:
        seed = max(orders, key=lambda o: (len(orders[o][0]), orders[o][1]))
        aisles, room = orders.pop(seed)
        aisles, batch, room = set(aisles), [seed], capacity - room
        while True:
            fit = [o for o in orders if orders[o][1] <= room]
            if not fit:
                break
            o = min(
                fit, key=lambda o: len(orders[o][0] - aisles) * 3 - len(orders[o][0] & aisles) - 0.12 * orders[o][1]
            )
            a, w = orders.pop(o)
            aisles |= a
            room -= w
            batch.append(o)
        batches.append(batch)
    return batches


def van_routes(stops, capacity):
    """Savings (Clarke and Wright)."""
    n = len(stops)
    home = [math.hypot(s.x, s.y) for s in stops]
    routes = {k: [k] for k in range(n)}
    where, load = list(range(n)), [s.parcels for s in stops]
    saving = sorted(
        (
            (home[a] + home[b] - math.dist(stops[a][:2], stops[b][:2]), a, b)
            for a, b in itertools.combinations(range(n), 2)
        ),
        reverse=True,
    )
    for s, a, b in saving:
        ra, rb = where[a], where[b]
        if ra == rb or s <= 0 or load[ra] + load[rb] > capacity:
            continue
        x, y = routes[ra], routes[rb]
        if a not in (x[0], x[-1]) or b not in (y[0], y[-1]):
            continue
        x = x if x[-1] == a else x[::-1]
        y = y if y[0] == b else y[::-1]
        routes[ra] = x + y
        load[ra] += load[rb]
        del routes[rb]
        for k in y:
            where[k] = ra
    return list(routes.values())


def class_groups(pupils, n_groups):
    """Swaps between groups until none gains."""
    size = len(pupils) // n_groups
    mean = sum(p["level"] for p in pupils) / len(pupils)
    order = sorted(range(len(pupils)), key=lambda k: pupils[k]["loud"])
    tables = [[] for _ in range(n_groups)]
    for rank, k in enumerate(order):
        tables[rank % n_groups].append(k)
    like = [[3 * ((q["name"] in p["friends"]) + (p["name"] in q["friends"])) for q in pupils] for p in pupils]

    def worth(t):
        v = sum(like[a][b] for a, b in itertools.combinations(t, 2))
        return (
            v
            - abs(sum(pupils[k]["level"] for k in t) / size - mean)
            - 4 * max(0, sum(pupils[k]["loud"] for k in t) - 1)
        )

    moved = True
    while moved:
        moved = False
        for a, b in itertools.combinations(range(n_groups), 2):
            for i in range(size):
                for j in range(size):
                    x, y = tables[a][:], tables[b][:]
                    x[i], y[j] = y[j], x[i]
                    if worth(x) + worth(y) > worth(tables[a]) + worth(tables[b]) + 1e-9:
                        tables[a], tables[b] = x, y
                        moved = True
    return {pupils[k]["name"]: g for g, t in enumerate(tables) for k in t}


def keyboard_layout(count, bigrams, effort, finger):
    """Common letters to easy keys, then swaps of two."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    keys = sorted(range(26), key=lambda k: effort[k])
    at = dict(zip(sorted(letters, key=lambda a: -count[a]), keys))
    near = {a: [(b, bigrams.get(a + b, 0) + bigrams.get(b + a, 0)) for b in letters if b != a] for a in letters}

    def pair(i, j):
        return 2.5 if finger[i] == finger[j] else 0.4 if (finger[i] < 4) == (finger[j] < 4) else 0

    def cost(a):
        return count[a] * effort[at[a]] + sum(v * pair(at[a], at[b]) for b, v in near[a] if v)

    for _ in range(2):
        for a, b in itertools.combinations(letters, 2):
            old = cost(a) + cost(b)
            at[a], at[b] = at[b], at[a]
            if cost(a) + cost(b) >= old:
                at[a], at[b] = at[b], at[a]
    out = [""] * 26
    for a, k in at.items():
        out[k] = a
    return "".join(out)
