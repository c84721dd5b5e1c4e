"""Seed programs for `box_search`: one complete program a cell, named after its idea."""


# %% least_likely
def score_boxes(probability, overlook, look_cost, walk, here):
    """The box in which the object is least likely to be."""
    return [-p for p in probability]


# %% round_trip
def score_boxes(probability, overlook, look_cost, walk, here):
    """Boxes in the order of their numbers, round and round."""
    boxes = len(probability)
    return [-((box - here - 1) % boxes) for box in range(boxes)]


# %% random_box
import random


def score_boxes(probability, overlook, look_cost, walk, here):
    """Random scores, seeded by the present box and its probability."""
    rng = random.Random(1000 * here + int(1e6 * probability[here]))
    return [rng.random() for _ in probability]


# %% nearest_promising
import numpy as np


def score_boxes(probability, overlook, look_cost, walk, here):
    """The nearest box that is at least as likely as the average one."""
    return np.where(probability * len(probability) >= 1, 1000, 0) - walk[here]


# %% cheapest_look
def score_boxes(probability, overlook, look_cost, walk, here):
    """Cheap looks first, as long as there is still some chance of success."""
    chances = [p * (1 - miss) for p, miss in zip(probability, overlook)]
    return [-cost if chance > 0.3 / len(chances) else chance - 100 for chance, cost in zip(chances, look_cost)]


# %% likely_success
def score_boxes(probability, overlook, look_cost, walk, here):
    """The look that most likely succeeds, whatever it costs."""
    return probability * (1 - overlook)


# %% success_per_look_cost
def score_boxes(probability, overlook, look_cost, walk, here):
    """Chance of success per cost of the look: optimal if walking were free."""
    return [p * (1 - miss) / cost for p, miss, cost in zip(probability, overlook, look_cost)]


# %% success_per_total_cost
def score_boxes(probability, overlook, look_cost, walk, here):
    """Chance of success for each unit of cost, the walk included."""
    scores = []
    for box in range(len(probability)):
        chance = probability[box] * (1.0 - overlook[box])
        scores.append(chance / (look_cost[box] + walk[here][box]))
    return scores


# %% linear_cost
def score_boxes(probability, overlook, look_cost, walk, here):
    """Chance of success, worth four hundred, less the cost of look and walk."""
    return 400 * probability * (1 - overlook) - look_cost - walk[here]


# %% half_the_walk
import numpy as np


def score_boxes(probability, overlook, look_cost, walk, here):
    """Success per cost with half of the walk in it, since one has to be somewhere anyway."""
    return np.asarray(probability) * (1 - overlook) / (look_cost + 0.5 * walk[here])


# %% empty_the_box
def score_boxes(probability, overlook, look_cost, walk, here):
    """Stay until the present box holds little, then the most chance per total cost."""
    if probability[here] * (1 - overlook[here]) > 0.5 / len(probability):
        return [int(box == here) for box in range(len(probability))]
    return probability * (1 - overlook) / (look_cost + walk[here])


# %% good_neighbourhood
import numpy as np


def score_boxes(probability, overlook, look_cost, walk, here):
    """Chance per cost of a box, plus a fifth of that of the boxes around it, discounted by the distance."""
    chance = probability * (1 - overlook)
    around = np.exp(-walk / 6.0) @ (chance / (look_cost + 2))
    return chance / (look_cost + walk[here]) + 0.2 * around / (1 + walk[here] / 4)


# %% best_stay
def score_boxes(probability, overlook, look_cost, walk, here):
    """For each box the best ratio over one to four looks there in a row, the walk paid once."""
    scores = []
    for p, miss, cost, distance in zip(probability, overlook, look_cost, walk[here]):
        left, paid, found, best = p, distance, 0.0, 0.0
        for _ in range(4):
            paid += cost
            found += left * (1 - miss)
            left *= miss
            best = max(best, found / paid)
        scores.append(best)
    return scores


# %% two_looks_ahead
def score_boxes(probability, overlook, look_cost, walk, here):
    """The best ratio of found chance to expected cost over a look and the one after it."""
    boxes = range(len(probability))
    scores = []
    for first in boxes:
        found = probability[first] * (1 - overlook[first])
        cost = look_cost[first] + walk[here][first]
        best = found / cost
        for second in boxes:
            rest = probability[second] * (overlook[first] if second == first else 1)
            more = rest * (1 - overlook[second])
            best = max(best, (found + more) / (cost + (1 - found) * (look_cost[second] + walk[first][second])))
        scores.append(best)
    return scores


# %% three_looks_ahead
import numpy as np


def score_boxes(probability, overlook, look_cost, walk, here):
    """The best ratio of chance to cost over all courses of three looks."""
    step = walk + look_cost
    scores = np.zeros(len(probability))
    for first in range(len(probability)):
        left = np.array(probability, dtype=float)
        found_one = left[first] * (1 - overlook[first])
        left[first] *= overlook[first]
        scores[first] = found_one / step[here, first]
        for second in range(len(probability)):
            rest = left.copy()
            found = found_one + rest[second] * (1 - overlook[second])
            rest[second] *= overlook[second]
            cost = step[here, first] + (1 - found_one) * step[first, second]
            ratios = (found + rest * (1 - overlook)) / (cost + (1 - found) * step[second])
            scores[first] = max(scores[first], ratios.max(), found / cost)
    return scores


# %% greedy_rollout
def score_boxes(probability, overlook, look_cost, walk, here):
    """After each box go on greedily by chance per cost for 30 looks; the least expected cost wins."""
    start = [float(p) for p in probability]
    hit = [1 - float(miss) for miss in overlook]
    step = [[float(walk[i][j] + look_cost[j]) for j in range(len(start))] for i in range(len(start))]
    scores = []
    for first in range(len(start)):
        left, at, box, alive, cost = list(start), here, first, 1.0, 0.0
        for _ in range(30):
            cost += alive * step[at][box]
            found = left[box] * hit[box]
            left[box] -= found
            alive -= found
            at = box
            box = max(range(len(left)), key=lambda k: left[k] * hit[k] / step[at][k])
        scores.append(-cost - 300 * alive)
    return scores
