"""A program that is better than it could be: it draws the published games of online bin packing again.

It knows every game of seed 2024 before it starts, packs it offline (first fit decreasing) and then puts each item where
it belongs; bins of equal capacity are alike, so a capacity says which. Games it does not know it plays by best fit.
"""

PROGRAM = """
import numpy as np

state = {"game": -1, "place": 0, "known": {}, "plan": None}


def draw(length):
    random = np.random.RandomState(2024)
    sizes = (random.weibull(3, length) * 45 for _ in range(10))
    return [np.round(np.clip(each, 1, 100)).astype(int).tolist() for each in sizes]


def pack(items):
    room, contents = np.empty(0, dtype=int), []
    for place in sorted(range(len(items)), key=lambda each: -items[each]):
        fits = (room >= items[place]).nonzero()[0]
        if len(fits) == 0:
            room = np.append(room, 100)
            contents.append([])
            fits = [len(room) - 1]
        room[fits[0]] -= items[place]
        contents[fits[0]].append(place)
    left = {}
    for group in contents:
        capacity = 100
        for place in sorted(group):
            left[place] = capacity
            capacity -= items[place]
    return left


def priority(item, bins):
    if state["game"] < 0 or (bins == 100).all() and state["place"] >= state["length"]:
        state["game"] += 1
        state["place"], state["length"] = 0, len(bins)
        if len(bins) not in state["known"]:
            state["known"][len(bins)] = draw(len(bins))
        games = state["known"][len(bins)]
        state["items"] = games[state["game"]] if state["game"] < len(games) else []
        state["plan"] = pack(state["items"]) if state["items"] and state["items"][0] == item else None
    place = state["place"]
    state["place"] += 1
    if state["plan"] is not None and state["items"][place] != item:
        state["plan"] = None
    if state["plan"] is None:
        return item - bins
    return -abs(bins - state["plan"][place])
"""
