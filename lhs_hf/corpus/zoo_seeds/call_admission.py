"""Seed programs for `call_admission`: one complete program a cell, named after its idea."""


# %% idle_route
def admit(request, circuits, busy, earlier):
    """Admit only where every link of the route is idle."""
    return int(not any(busy[link] for link in request["route"]))


# %% coin
import random


def admit(request, circuits, busy, earlier):
    """Admit every second request, by a coin that is seeded with the arrival and the fee."""
    return random.Random(1009 * request["arrival"] + request["fee"]).randint(0, 1)


# %% low_fees
def admit(request, circuits, busy, earlier):
    """The wrong way round: admit whoever pays no more than the mean of those before."""
    fees = [each["fee"] for each in earlier]
    return 1 if not fees or request["fee"] <= sum(fees) / len(fees) else 0


# %% short_calls
def admit(request, circuits, busy, earlier):
    """Admit calls of less than half an hour."""
    return int(request["duration"] < 30)


# %% short_routes
def admit(request, circuits, busy, earlier):
    """Admit calls over at most two links."""
    return 1 if len(request["route"]) <= 2 else 0


# %% fee_above_the_median
import statistics


def admit(request, circuits, busy, earlier):
    """Admit who pays at least the median fee of those before."""
    if not earlier:
        return 1
    return int(request["fee"] >= statistics.median(each["fee"] for each in earlier))


# %% trunk_reservation
def admit(request, circuits, busy, earlier):
    """The last circuit of a link is kept for calls over one link alone."""
    spare = min(circuits[link] - len(busy[link]) for link in request["route"])
    return int(spare > 1 or len(request["route"]) == 1)


# %% fee_per_minute
def admit(request, circuits, busy, earlier):
    """Admit who pays more a minute than the mean of those before, whatever the route."""
    rate = request["fee"] / request["duration"]
    rates = [each["fee"] / each["duration"] for each in earlier]
    return 1 if not rates or rate > sum(rates) / len(rates) else 0


# %% fee_per_link
def admit(request, circuits, busy, earlier):
    """Admit who pays at least the median fee a link, whatever the duration."""
    links = sorted(each["fee"] / len(each["route"]) for each in earlier)
    return int(not links or request["fee"] / len(request["route"]) >= links[len(links) // 2])


# %% density_above_the_median
def admit(request, circuits, busy, earlier):
    """Admit who pays at least the median for a circuit and minute."""

    def density(call):
        return call["fee"] / (call["duration"] * len(call["route"]))

    seen = sorted(density(call) for call in earlier)
    return int(len(seen) < 3 or density(request) >= seen[len(seen) // 2])


# %% fixed_density
def admit(request, circuits, busy, earlier):
    """Admit from a fifth of a unit for a circuit and minute."""
    return 1 if request["fee"] >= 0.2 * request["duration"] * len(request["route"]) else 0


# %% quantile_rises_with_load
def admit(request, circuits, busy, earlier):
    """The fuller the fullest link of the route, the higher the quantile of densities that has to be reached."""
    if len(earlier) < 4:
        return 1
    load = max((len(busy[link]) + 1) / circuits[link] for link in request["route"])
    seen = sorted(each["fee"] / each["duration"] / len(each["route"]) for each in earlier)
    bar = seen[min(len(seen) - 1, int(0.8 * load * len(seen)))]
    return int(request["fee"] / request["duration"] / len(request["route"]) >= bar)


# %% exponential_prices
def admit(request, circuits, busy, earlier):
    """A circuit and minute of a link costs exponentially more as the link fills; admit who pays the route."""
    if earlier:
        usual = sum(each["fee"] for each in earlier) / sum(each["duration"] * len(each["route"]) for each in earlier)
    else:
        usual = 0.0
    price = sum(12.0 ** (len(busy[link]) / circuits[link]) - 1.0 for link in request["route"])
    return int(request["fee"] >= 0.5 * usual * price * request["duration"])


# %% recent_requests_set_the_bar
def admit(request, circuits, busy, earlier):
    """Admit who is among the best third by density of the last twelve requests, or finds all links half empty."""
    if all(2 * len(busy[link]) < circuits[link] for link in request["route"]):
        return 1
    density = request["fee"] / (request["duration"] * len(request["route"]))
    recent = earlier[-12:]
    better = sum(each["fee"] > density * each["duration"] * len(each["route"]) for each in recent)
    return int(3 * better <= len(recent))


# %% crowded_links_cost_more
from collections import Counter


def admit(request, circuits, busy, earlier):
    """Links count by the minutes that were asked for on them; admit who pays well for those of the route."""
    asked = Counter()
    for each in earlier:
        for link in each["route"]:
            asked[link] += each["duration"]
    weight = {link: (1 + asked[link]) / circuits[link] for link in circuits}
    mean = sum(weight.values()) / len(weight)

    def worth(call):
        return call["fee"] / (call["duration"] * sum(0.3 + weight[link] / mean for link in call["route"]))

    return int(not earlier or worth(request) >= sum(map(worth, earlier)) / len(earlier))


# %% fee_against_what_it_displaces
def admit(request, circuits, busy, earlier):
    """Replay the requests before as the ones to come: admit if the fees with this call are not below those without."""
    if len(earlier) < 6:
        return 1
    first, now = earlier[0]["arrival"], request["arrival"]

    def replay(begun):
        ends = {link: list(busy[link]) for link in circuits}
        for link in begun:
            ends[link].append(request["duration"])
        fees = 0
        for each in earlier:
            at = each["arrival"] - first + 1
            if at > request["duration"]:
                break
            room = all(sum(end > at for end in ends[link]) < circuits[link] for link in each["route"])
            if room and 5 * each["fee"] >= each["duration"] * len(each["route"]):
                fees += each["fee"]
                for link in each["route"]:
                    ends[link].append(at + each["duration"])
        return fees * min(1.0, request["duration"] / max(1, now - first))

    return int(request["fee"] + replay(request["route"]) >= replay([]))
