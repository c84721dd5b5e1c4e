"""Inside computers: registers, instructions, joins, GPUs."""

import heapq
import math
import random
from collections import namedtuple

import numpy as np

from .made import Made

Interval = namedtuple("Interval", "name start end uses depth")


def register_spilling() -> Made:
    """A compiler engineer: the live interval that goes to memory when registers run out."""

    def program(seed):
        rnd = random.Random(seed)
        out = []
        for k in range(160):
            start = rnd.randrange(400)
            length = int(rnd.expovariate(1 / 25)) + 2
            out.append(
                Interval(f"%{k}", start, start + length, rnd.randint(1, 2 + length // 4), rnd.choice([0, 0, 1, 2]))
            )
        return sorted(out, key=lambda i: i.start)

    programs = [program(s) for s in range(100)]

    def objective(pick_spill):
        cost = 0.0
        for intervals in programs:
            active = []
            for cur in intervals:
                active = [i for i in active if i.end > cur.start]
                active.append(cur)
                if len(active) > 7:
                    victim = pick_spill(tuple(active), cur.start)
                    if victim not in active:
                        raise ValueError("can only spill what is live")
                    active.remove(victim)
                    cost += victim.uses * 3.0**victim.depth
        return cost / len(programs)

    template = """
def pick_spill(live, position):
    # Poletto & Sarkar: the one that ends last
    furthest = live[0]
    for interval in live[1:]:
        if interval.end > furthest.end:
            furthest = interval
    return furthest
"""
    return objective, template, "min"


def instruction_scheduling() -> Made:
    """Another compiler engineer: a vector of priorities for the instructions that are ready."""

    def block(seed):
        rng = np.random.default_rng(seed)
        n = 70
        latency = rng.choice([1, 1, 2, 4, 8], n)
        memory = rng.random(n) < 0.35
        preds = [
            sorted({int(rng.integers(max(0, k - 25), k)) for _ in range(int(rng.integers(0, 3)))}) if k else []
            for k in range(n)
        ]
        tail = np.zeros(n)
        succs = np.zeros(n, dtype=int)
        for k in reversed(range(n)):
            tail[k] += latency[k]
            for p in preds[k]:
                tail[p] = max(tail[p], tail[k])
                succs[p] += 1
        return latency, memory, preds, tail, succs

    blocks = [block(s) for s in range(10)]

    def objective(priorities):
        cycles = 0
        for latency, memory, preds, tail, succs in blocks:
            n, done, cycle = len(latency), {}, 0
            while len(done) < n:
                ready = np.array(
                    [k for k in range(n) if k not in done and all(p in done and done[p] <= cycle for p in preds[k])],
                    dtype=int,
                )
                slots, port = 2, 1
                if len(ready):
                    score = np.asarray(
                        priorities(latency[ready], memory[ready], succs[ready], tail[ready]), dtype=float
                    )
                    if score.shape != ready.shape or np.isnan(score).any():
                        raise ValueError("one score for each ready instruction")
                    for k in ready[np.argsort(-score, kind="stable")]:
                        if not slots:
                            break
                        if memory[k] and not port:
                            continue
                        port -= int(memory[k])
                        slots -= 1
                        done[int(k)] = cycle + latency[k]
                cycle += 1
            cycles += max(done.values())
        return cycles / len(blocks)

    template = """
import numpy as np

def priorities(latency, is_memory, successors, tail):
    score = np.zeros(len(latency))
    score[is_memory] += 1.0
    return score + 0.1 * successors
"""
    return objective, template, "min"


def join_order() -> Made:
    """A database developer: the order in which a query joins its tables."""

    def query(seed):
        rnd = random.Random(seed)
        n = rnd.randint(7, 12)
        tables = [f"t{k}" for k in range(n)]
        rows = {t: int(10 ** rnd.uniform(1, 6)) for t in tables}
        sel = {}
        for k in range(1, n):
            other = tables[k - 1] if seed % 3 == 0 else tables[0] if seed % 3 == 1 else rnd.choice(tables[:k])
            s = rnd.choice([1, 1, 5]) / max(rows[tables[k]], rows[other])
            sel[tables[k], other] = sel[other, tables[k]] = s
        for _ in range(2):
            a, b = rnd.sample(tables, 2)
            if (a, b) not in sel:
                sel[a, b] = sel[b, a] = 10 ** rnd.uniform(-3, 0)
        return tables, rows, sel

    queries = [query(s) for s in range(150)]

    def objective(plan):
        total = 0.0
        for tables, rows, sel in queries:
            order = plan(tuple(tables), dict(rows), dict(sel))
            if sorted(order) != sorted(tables):
                raise ValueError("plan has to join every table once")
            size, cost = float(rows[order[0]]), 0.0
            for k in range(1, len(order)):
                size *= rows[order[k]]
                for before in order[:k]:
                    size *= sel.get((before, order[k]), 1.0)
                cost += size
            total += math.log10(1 + cost)
        return total / len(queries)

    template = """
def plan(tables, rows, selectivity):
    joined = (min(tables, key=rows.get),)
    rest = [t for t in tables if t not in joined]
    while rest:
        linked = [t for t in rest if any((t, j) in selectivity for j in joined)]
        best = min(linked or rest, key=lambda t: rows[t])
        joined += (best,)
        rest.remove(best)
    return joined
"""
    return objective, template, "min"


def gpu_placement() -> Made:
    """The administrator of a cluster: node and first GPU for a job that needs neighbouring ones."""

    def trace(seed):
        rnd = random.Random(seed)
        t, out = 0.0, []
        for _ in range(260):
            t += rnd.expovariate(1.0)
            out.append((t, rnd.choice([1, 1, 2, 2, 3, 4, 6, 8]), rnd.expovariate(1 / 18) + 1))
        return out

    traces = [trace(s) for s in range(5)]

    def objective(place):
        lost = 0.0
        for jobs in traces:
            nodes = [[0] * 8 for _ in range(8)]
            ends = []
            for t, need, time in jobs:
                while ends and ends[0][0] <= t:
                    _, node, start, size = heapq.heappop(ends)
                    nodes[node][start : start + size] = [0] * size
                choices = [
                    (n, s) for n, node in enumerate(nodes) for s in range(9 - need) if not any(node[s : s + need])
                ]
                if not choices:
                    lost += need * time
                    continue
                n, s = place([list(x) for x in nodes], need)
                if (n, s) not in choices:
                    raise ValueError(f"GPUs {s}.. of node {n} are taken")
                nodes[n][s : s + need] = [1] * need
                heapq.heappush(ends, (t + time, n, s, need))
        return lost / len(traces)

    template = """
def place(nodes, need):
    order = sorted(range(len(nodes)), key=lambda n: sum(nodes[n]))     # spread: emptiest first
    for n in order:
        for s in range(len(nodes[n]) - need + 1):
            if sum(nodes[n][s:s + need]) == 0:
                return n, s
"""
    return objective, template, "min"
