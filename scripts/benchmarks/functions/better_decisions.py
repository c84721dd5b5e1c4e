"""Better rules for the functions that ask for one decision at a time."""

import math
from collections import Counter

import numpy as np


def ambulance_dispatch(call, units):
    """The ambulance that arrives first."""
    return min(
        units, key=lambda u: max(u["free_at"], call["time"]) + 1.5 * (abs(u["x"] - call["x"]) + abs(u["y"] - call["y"]))
    )["id"]


def load_balancer(servers, size):
    """The server that has done the request first."""
    return min(range(len(servers)), key=lambda k: (servers[k].backlog + size) / servers[k].speed)


def callback_queue(waited, minutes, patience, revenue):
    """Revenue a minute."""
    return revenue / minutes


def traffic_light(queues, green, green_for, now):
    """By the queues: at once if nobody is here, late if many more wait there."""
    other = "EW" if green == "NS" else "NS"
    here, there = [len(queues[d]) for d in green], [len(queues[d]) for d in other]
    if sum(there) == 0:
        return False
    if sum(here) == 0:
        return True
    return green_for >= 16 and sum(there) > 2.0 * sum(here) + 4


def foundry_slots(options, price, hours, power, factor):
    """Each casting's cheapest slot; the dearest and least flexible casting first."""
    cheapest = {}
    for o in options:
        cost = power[o[0]] * factor[o[1]] * sum(price[o[2] : o[2] + hours[o[0]]])
        if o[0] not in cheapest or cost < cheapest[o[0]][0]:
            cheapest[o[0]] = cost, o
    count = Counter(o[0] for o in options)
    first = max(cheapest, key=lambda c: power[c] * hours[c] * 90 / (8 + count[c]))
    return cheapest[first][1]


def register_spilling(live, position):
    """The interval with the fewest uses, inner loops counted more, for what is left of it."""
    return min(live, key=lambda i: i.uses * 3**i.depth / (i.end - position + 3))


def instruction_scheduling(latency, is_memory, successors, tail):
    """The longest path to the end of the block first."""
    return tail + 0.2 * successors + 0.5 * is_memory


def gpu_placement(nodes, need):
    """The tightest gap, on the fullest node."""
    best = None
    for n, node in enumerate(nodes):
        for s in range(len(node) - need + 1):
            if any(node[s : s + need]):
                continue
            a, b = s, s + need
            while a > 0 and not node[a - 1]:
                a -= 1
            while b < len(node) and not node[b]:
                b += 1
            key = (b - a - need, -sum(node), min(s - a, b - s - need))
            if best is None or key < best[0]:
                best = key, (n, s)
    return best[1]


def battery_trading(price, forecast, soc, capacity):
    """Buys and sells only near the fourth lowest and the fourth highest price of the forecast."""
    hours = np.sort(forecast)
    low, high = hours[3], hours[-4]
    if price < low + 1 and high * 0.96 * 0.92 - price > 4:
        return 1.0
    if price > high - 1 or (soc > 2 and price > hours[-5] and price > hours.mean() * 1.1):
        return -1.0
    return 0.0


def ad_bidding(value, budget_left, auctions_left=1):
    """The value, less when little of the budget is left for each auction."""
    pace = budget_left / auctions_left
    return value * min(1.0, 0.32 + 0.6 * pace)


def hotel_booking(rate, group_size, rooms_left, capacity, days_left):
    """A rate that is higher the fewer rooms are left for those who are still expected."""
    expected = 2.5 * (1.2 * days_left + 1.2 * min(days_left, 20))
    base = 70 + (60 - days_left * 0.5) * 1.1
    share = min(1.0, rooms_left / expected)
    z = (0.75 - 1.6 * share) * 1.25
    return rate >= base * math.exp(0.35 * z) or share >= 1


def asking_price(day, days_left, past_offers, estimate):
    """Optimal stopping, computed backwards from the last day."""
    mean = (5 * estimate * 1.03 + sum(past_offers)) / (5 + len(past_offers)) if past_offers else estimate * 1.03
    value = mean
    for _ in range(days_left - 1):
        spread = 0.22 * mean
        z = (value - mean) / spread
        pdf, cdf = math.exp(-z * z / 2) / math.sqrt(2 * math.pi), 0.5 * (1 + math.erf(z / math.sqrt(2)))
        value = value + spread * (pdf - z * (1 - cdf)) - 60
    return value - 60


def spare_parts(part):
    """A reorder point by the demand of the lead time, a batch by the economic order quantity."""
    m, lead = part["mean"], part["lead_time"]
    batch = math.sqrt(2 * m * part["fixed"] / part["holding"])
    reorder = m * (lead + 1) + 1.3 * math.sqrt(m * (lead + 1))
    position = part["stock"] + part["on_order"]
    return round(max(batch, reorder + m - position)) if position < reorder else 0


def genome_assembly(contigs, overlaps):
    """The largest overlap."""
    return max(overlaps, key=overlaps.get)


def kidney_pairs(score):
    """The pairs that match the fewest others first."""
    degree = [sum(v > 0 for v in row) for row in score]
    cells = ((i, j) for i, row in enumerate(score) for j, v in enumerate(row) if v)
    return min(
        cells,
        key=lambda c: (
            min(degree[c[0]], degree[c[1]]) * 1.0 + 0.2 * max(degree[c[0]], degree[c[1]]) - 0.3 * score[c[0]][c[1]]
        ),
    )


def blood_bank(patient, stock, usable):
    """The type that the fewest patients could use."""
    serves = {"O-": 8, "O+": 4, "A-": 4, "A+": 2, "B-": 4, "B+": 2, "AB-": 2, "AB+": 1}
    return min(usable, key=lambda t: (serves[t], -stock[t]))


def container_yard(leave, stacks, free):
    """The stack whose earliest departure is the closest one after this container's."""

    def key(k):
        first = min(stacks[k], default=1e3)
        return (0, first - leave) if first >= leave else (1, leave - first)

    return min(free, key=key)


def merge_game(board, legal):
    """One move ahead: empty cells, equal neighbours, large tiles along a snake."""

    def slide(row):
        t = [v for v in row if v]
        out, k, g = [], 0, 0
        while k < len(t):
            if k + 1 < len(t) and t[k] == t[k + 1]:
                out.append(2 * t[k])
                g += 2 * t[k]
                k += 2
            else:
                out.append(t[k])
                k += 1
        return out + [0] * (4 - len(out)), g

    def after(word):
        t = [list(c) for c in zip(*board)] if word in ("up", "down") else board
        flip = word in ("down", "right")
        rows, g = [], 0
        for r in t:
            r, x = slide(r[::-1] if flip else r)
            rows.append(r[::-1] if flip else r)
            g += x
        return ([list(c) for c in zip(*rows)] if word in ("up", "down") else rows), g

    snake = [[16, 15, 14, 13], [9, 10, 11, 12], [8, 7, 6, 5], [1, 2, 3, 4]]

    def value(word):
        b, g = after(word)
        empty = sum(v == 0 for r in b for v in r)
        same = sum(b[r][c] == b[r][c + 1] != 0 for r in range(4) for c in range(3)) + sum(
            b[r][c] == b[r + 1][c] != 0 for r in range(3) for c in range(4)
        )
        return (
            30 * empty
            + 20 * same
            + g
            + 0.6 * sum(1.35 ** snake[r][c] * b[r][c] for r in range(4) for c in range(4)) / 10
        )

    return max(legal, key=value)


def word_guess(possible, tried):
    """The word whose letters are frequent among what is possible."""
    place = Counter((k, c) for w in possible for k, c in enumerate(w))
    inside = Counter(c for w in possible for c in set(w))
    return max(possible, key=lambda w: sum(inside[c] for c in set(w)) + 0.6 * sum(place[k, c] for k, c in enumerate(w)))


def wind_farm(wind, free, placed):
    """The cell that adds the most power, wakes counted."""

    def power(sites):
        total = 0.0
        for r, c in sites:
            v = wind[r, c]
            for r2, c2 in sites:
                if r2 < r and abs(c2 - c) <= 1:
                    v *= 1 - 0.28 / (r - r2) * (1.0 if c == c2 else 0.5)
            total += v**3
        return total

    return max(((int(r), int(c)) for r, c in zip(*np.nonzero(free))), key=lambda s: power([*placed, s]))
