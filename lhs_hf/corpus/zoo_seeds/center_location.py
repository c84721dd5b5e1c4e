"""Seed programs for `center_location`: one complete program a cell, named after its idea."""


# %% first_points
def score_points(candidates, distances, nearest, left):
    """Open the points in the order of their numbers."""
    return [-float(point) for point in candidates]


# %% noise
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Random scores from a generator seeded with the number of centres left."""
    return np.random.RandomState(7 * left + len(distances)).rand(len(candidates))


# %% next_to_a_center
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Anti-greedy: the point that is closest to a centre already."""
    return -np.asarray(nearest)[candidates]


# %% smallest_eccentricity
def score_points(candidates, distances, nearest, left):
    """The points whose farthest other point is nearest, one after the other."""
    return [-max(distances[point]) for point in candidates]


# %% farthest_first
def score_points(candidates, distances, nearest, left):
    """Gonzalez' rule: the point farthest from all centres; it begins with the first point."""
    return nearest[candidates]


# %% farthest_first_from_the_middle
def score_points(candidates, distances, nearest, left):
    """The 1-center of all points first, then always the farthest point."""
    if nearest.min() > 10**8:
        return -distances[candidates].max(axis=1)
    return nearest[candidates]


# %% smallest_radius_now
import numpy as np


def score_points(candidates, distances, nearest, left):
    """The point that makes the largest remaining distance smallest; the mean distance breaks ties."""
    after = np.minimum(distances[candidates], nearest)
    return -after.max(axis=1) - after.mean(axis=1) / 1e4


# %% smallest_mean_now
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Serve the average point: the smallest mean distance afterwards."""
    return [-np.minimum(distances[point], nearest).mean() for point in candidates]


# %% smallest_mean_of_powers
import numpy as np


def score_points(candidates, distances, nearest, left):
    """The fourth powers of the distances afterwards are added: far points count most, the others a little."""
    after = np.minimum(distances[candidates], nearest) / 1000.0
    return -(after**4).sum(axis=1)


# %% far_but_central
def score_points(candidates, distances, nearest, left):
    """Far from the centres, but not on the rim: distance to a centre minus half the mean distance to all points."""
    return [min(nearest[point], 1000) - 0.5 * distances[point].mean() for point in candidates]


# %% quantile_of_distances
import numpy as np


def score_points(candidates, distances, nearest, left):
    """One centre of several serves its share of the points: make that quantile of its open distances small."""
    scores = []
    open_points = np.argsort(-nearest)[: max(2, len(nearest) * left // (left + 1))]
    for point in candidates:
        row = np.sort(distances[point][open_points])
        scores.append(-float(row[len(row) // left - 1] if left > 1 else row[-1]))
    return scores


# %% cover_the_farthest
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Take the point farthest from all centres and serve it from where the guessed radius reaches most open points."""
    radius = np.sort(distances, axis=1)[:, len(distances) // (left + 2)].mean() * 1.2
    farthest = int(np.argmax(nearest))
    far = nearest > radius
    served = ((distances[candidates] <= radius) & far).sum(axis=1).astype(float)
    served[distances[candidates, farthest] > radius] -= 1000
    return served - distances[candidates, farthest] / 1e5


# %% densest_uncovered_disc
import numpy as np


def score_points(candidates, distances, nearest, left):
    """A radius that halves the square a few times; the disc with most points that no centre covers wins."""
    count = len(distances)
    radius = distances.max() / (2.0 * np.sqrt(left + (count - len(candidates))))
    uncovered = nearest > radius
    inside = (distances[candidates] <= radius) & uncovered
    return inside.sum(axis=1) - (distances[candidates] * uncovered).sum(axis=1) / (1e5 * count)


# %% best_pair
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Score a point by the smallest radius that it reaches together with one more centre."""
    rows = np.minimum(distances[candidates], nearest)
    if left == 1:
        return -rows.max(axis=1)
    scores = []
    for row in rows:
        together = np.minimum(rows, row)
        worst = together.max(axis=1) + together.mean(axis=1) / 100.0
        scores.append(-worst.min())
    return scores


# %% farthest_first_rollout
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Finish the choice by farthest-first after every candidate and score the radius that comes out."""
    scores = []
    for point in candidates:
        after = np.minimum(nearest, distances[point])
        for _ in range(left - 1):
            after = np.minimum(after, distances[after.argmax()])
        scores.append(-after.max() - after.mean() / 1e3)
    return scores


# %% smallest_feasible_radius
import numpy as np


def score_points(candidates, distances, nearest, left):
    """Search the smallest radius for which a greedy cover of the farthest points needs no more centres than are
    left, and open the first centre of that cover."""
    reach = distances[candidates]
    low, high = 0, int(distances.max())
    answer = 0
    while low < high:
        radius = (low + high) // 2
        open_points, first, used = nearest > radius, None, 0
        inside = reach <= radius
        while open_points.any() and used <= left:
            gain = (inside & open_points).sum(axis=1)
            hardest = np.where(open_points, inside.sum(axis=0), 10**6).argmin()
            pick = int(np.where(inside[:, hardest], gain, -1).argmax())
            first = pick if first is None else first
            open_points &= ~inside[pick]
            used += 1
        if used <= left and not open_points.any():
            high, answer = radius, answer if first is None else first
        else:
            low = radius + 1
    scores = [0.0] * len(candidates)
    scores[answer] = 1.0
    return scores
