"""Seed programs for `open_stacks`: one complete program a cell, named after its idea."""


# %% in_order_of_numbers
def rate_products(unmade, wanted, opened, minutes):
    """The product with the lowest number."""
    return -unmade


# %% random_product
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """Any product, drawn by a generator that is seeded with the products left."""
    return np.random.RandomState(int((unmade * unmade).sum()) % 2**31).rand(len(unmade))


# %% slowest_first
def rate_products(unmade, wanted, opened, minutes):
    """The product that takes longest."""
    return minutes[unmade]


# %% most_customers
def rate_products(unmade, wanted, opened, minutes):
    """The product that most customers want, the quicker one on ties."""
    return wanted[:, unmade].sum(axis=0) - 0.001 * minutes[unmade]


# %% fewest_customers
def rate_products(unmade, wanted, opened, minutes):
    """The product that the fewest customers want, whether their orders are open or not."""
    return [-sum(bool(row[product]) for row in wanted) for product in unmade]


# %% opens_most
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """The wrong way round: the product that opens the most orders."""
    return np.array([(wanted[:, p] & ~opened).sum() for p in unmade])


# %% opens_fewest
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """The product that opens the fewest orders, first by number."""
    return -(wanted[~opened][:, unmade]).sum(axis=0)


# %% closes_most
def rate_products(unmade, wanted, opened, minutes):
    """The product that closes the most orders, then the one that advances most open ones."""
    missing = wanted[:, unmade]
    closes = (missing & (missing.sum(axis=1, keepdims=True) == 1)).sum(axis=0)
    return closes + 0.01 * missing[opened].sum(axis=0)


# %% closes_less_opens
def rate_products(unmade, wanted, opened, minutes):
    """Orders that it closes, less those that it opens and keeps open."""
    missing = wanted[:, unmade]
    last = missing.sum(axis=1) == 1
    closes = missing[last].sum(axis=0)
    opens = missing[~opened & ~last].sum(axis=0)
    return closes - opens - 0.01 * minutes[unmade]


# %% share_of_open_customers
def rate_products(unmade, wanted, opened, minutes):
    """The largest share of customers, among those who want it, whose orders are open already."""
    scores = []
    for product in unmade:
        who = [c for c in range(len(opened)) if wanted[c, product]]
        scores.append(sum(bool(opened[c]) for c in who) / len(who))
    return scores


# %% shares_of_orders
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """Open orders count with one over the products that they miss, new ones against it with a part of the rest."""
    missing = wanted[:, unmade].astype(float)
    left = np.maximum(1, missing.sum(axis=1, keepdims=True))
    gain = (missing / left)[opened].sum(axis=0)
    loss = (missing * (1 - 1 / left))[~opened].sum(axis=0)
    return gain - 0.7 * loss


# %% one_over_missing_minutes
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """Open orders that want it count with one over their missing minutes; orders that it opens cost a third of that."""
    missing = wanted[:, unmade]
    work = np.maximum(1, missing @ minutes[unmade])
    value = np.where(opened, 1.0, -0.3)[:, None] * missing / work[:, None]
    return value.sum(axis=0)


# %% finish_one_order
def rate_products(unmade, wanted, opened, minutes):
    """The order with the fewest minutes to go, open ones first, is finished; its product that opens least is next."""
    left = set(unmade.tolist())
    todo = {c: [p for p in sorted(left) if row[p]] for c, row in enumerate(wanted)}
    todo = {c: products for c, products in todo.items() if products}
    order = min(todo, key=lambda c: (not opened[c], sum(minutes[p] for p in todo[c])))
    goal = min(todo[order], key=lambda p: sum(bool(wanted[c, p]) and not opened[c] for c in todo))
    return [float(product == goal) for product in unmade]


# %% cheapest_order_to_close
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """The order whose missing products take the fewest minutes and open the fewest others is closed next."""
    missing = wanted[:, unmade]
    best, goal = float("inf"), None
    for row in np.flatnonzero(missing.any(axis=1)):
        touched = missing[:, missing[row]].any(axis=1) & ~opened
        cost = (minutes[unmade] * missing[row]).sum() * (opened.sum() + touched.sum())
        if cost < best:
            best, goal = cost, row
    opens = missing[~opened].sum(axis=0)
    return np.where(missing[goal], 100 - opens + missing[opened].sum(axis=0) / 50, 0)


# %% minutes_of_open_orders
def rate_products(unmade, wanted, opened, minutes):
    """Minutes times orders that are open meanwhile but do not want the product, and all minutes of orders it opens."""
    missing = wanted[:, unmade]
    idle = (opened[:, None] & ~missing).sum(axis=0)
    work = missing @ minutes[unmade]
    opening = (missing * work[:, None])[~opened].sum(axis=0)
    return -(minutes[unmade] * idle) - 0.5 * opening


# %% two_products_ahead
def rate_products(unmade, wanted, opened, minutes):
    """Time that orders are open during the product and the best one after it, and openings of both."""
    left = unmade.tolist()
    rows = [set(c for c in range(len(wanted)) if wanted[c, p]) for p in range(len(minutes))]
    missing = [sum(bool(wanted[c, p]) for p in left) for c in range(len(wanted))]
    now = {c for c in range(len(wanted)) if opened[c]}

    def step(open_orders, product, done):
        during = open_orders | rows[product]
        closed = {c for c in rows[product] if missing[c] == 1 + (c in done)}
        value = len(during) * minutes[product] / 15 - 2.5 * len(closed) + 2 * len(rows[product] - open_orders)
        return value - 1.5 * len(rows[product] & open_orders), during - closed

    scores = []
    for product in left:
        value, then = step(now, product, set())
        follow = [step(then, other, rows[product])[0] for other in left if other != product]
        scores.append(-value - min(follow))
    return scores


# %% spectral_line
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """Products on a line by the second eigenvector of those that share customers; from one end to the other."""
    links = wanted.T.astype(float) @ wanted + 0.01
    np.fill_diagonal(links, 0)
    laplacian = np.diag(links.sum(axis=1)) - links
    place = np.linalg.eigh(laplacian)[1][:, 1]
    place = place * (1 if place[np.abs(place).argmax()] > 0 else -1)
    return -place[unmade]


# %% spectral_line_and_openings
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """The place on the line by shared customers, corrected by open orders that it advances and others that it opens."""
    weight = wanted / wanted.sum(axis=1, keepdims=True)
    links = weight.T @ weight + 0.001
    np.fill_diagonal(links, 0)
    place = np.linalg.eigh(np.diag(links.sum(axis=1)) - links)[1][:, 1]
    rank = place.argsort().argsort() * (1 if place[np.abs(place).argmax()] > 0 else -1)
    missing = wanted[:, unmade]
    closes = (missing & (missing.sum(axis=1, keepdims=True) == 1)).sum(axis=0)
    return -rank[unmade] - 1.0 * missing[~opened].sum(axis=0) + missing[opened].sum(axis=0) + 2 * closes


# %% finish_in_trial
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """Finish in trial after each of five likely products, by shares of orders; the least time that orders are open."""
    table, times = wanted[:, unmade], minutes[unmade]

    def values(left, now):
        share = left / np.maximum(1, left.sum(axis=1))[:, None]
        return np.where(now[:, None], share, 0.7 * (share - left)).sum(axis=0)

    def total(first):
        left, now, cost = table.copy(), opened, 0
        alive = np.ones(len(times), dtype=bool)
        choice = first
        for _ in times:
            during = now | left[:, choice]
            cost += during.sum() * times[choice]
            left[:, choice] = False
            alive[choice] = False
            now = during & left.any(axis=1)
            choice = int(np.where(alive, values(left, now), -np.inf).argmax())
        return cost

    scores = np.full(len(unmade), -np.inf)
    for place in np.argsort(-values(table, opened), kind="stable")[:5]:
        scores[place] = -total(place)
    return scores


# %% move_products
import numpy as np


def rate_products(unmade, wanted, opened, minutes):
    """An order of all that is left, by shares of orders, with early products moved a few places; its first one."""
    table, times = wanted[:, unmade].astype(int), minutes[unmade]

    def cost(order):
        rows = table[:, order]
        started = np.maximum.accumulate(rows, axis=1) | opened[:, None]
        unfinished = np.maximum.accumulate(rows[:, ::-1], axis=1)[:, ::-1]
        return (started * unfinished).sum(axis=0) @ times[order]

    order, left, now = [], table.copy(), opened
    while len(order) < len(times):
        share = left / np.maximum(1, left.sum(axis=1))[:, None]
        value = np.where(now[:, None], share, 0.7 * (share - left)).sum(axis=0)
        value[order] = -np.inf
        order.append(int(value.argmax()))
        left[:, order[-1]] = 0
        now = (now | (table[:, order[-1]] > 0)) & left.any(axis=1)
    lowest = cost(order)
    for product in order[:10]:
        at = order.index(product)
        rest = order[:at] + order[at + 1 :]
        for place in range(max(0, at - 4), min(len(rest), at + 4) + 1):
            trial = [*rest[:place], product, *rest[place:]]
            value = cost(trial)
            if value < lowest:
                order, lowest = trial, value
    return [float(k == order[0]) for k in range(len(times))]
