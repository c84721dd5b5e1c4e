"""Shared by the routing tasks: distances, path lengths, route checks, layouts of probe instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._shared import solution_entries
from .base import Infeasible

CALLS_PER_CUSTOMER = 10
"""A program that visits the depot for ever ends after this many calls per customer to serve."""


def euclidean_distances(coordinates: np.ndarray) -> np.ndarray:
    """Pairwise distances, float64 (n, n), of points, float64 (n, 2)."""
    return np.linalg.norm(coordinates[:, None, :] - coordinates[None, :, :], axis=2)


def path_length(distances: np.ndarray, path: Sequence[int]) -> float:
    """Length of a path, legs added left to right (a cumulative sum fixes the order whatever the vectorisation)."""
    stops = np.asarray(path)
    return float(np.cumsum(distances[stops[:-1], stops[1:]])[-1]) if len(stops) > 1 else 0.0


def longest_route(customers: int) -> int:
    """Most entries of a recorded route: the start, one entry a call, one forced return per customer."""
    return 1 + (CALLS_PER_CUSTOMER + 1) * customers


def checked_route(solution: np.ndarray, customers: int, demands: np.ndarray, capacity: int) -> list[int]:
    """An untrusted recorded route (starts at the depot 0, visits customers 1..`customers`) as a list.

    Raises `Infeasible` for a wrong length or start, unknown, repeated or missing customers, or a trip over capacity.
    """
    route = solution_entries(solution, longest_route(customers))
    if route[0] != 0:
        raise Infeasible(f"the route starts at {route[0]}, expected the depot 0")
    needs = demands.tolist()
    seen = [False] * (customers + 1)
    load = 0
    for node in route[1:]:
        if node == 0:
            load = 0
            continue
        if not 0 < node <= customers:
            raise Infeasible(f"unknown node {node}; customers are 1 to {customers}")
        if seen[node]:
            raise Infeasible(f"customer {node} is visited twice")
        seen[node] = True
        load += needs[node]
        if load > capacity:
            raise Infeasible(f"load {load} at customer {node} exceeds the capacity {capacity}")
    missing = customers - sum(seen)
    if missing:
        raise Infeasible(f"{missing} of {customers} customers are not visited")
    return route


def draw_layout(generator: np.random.Generator, nodes: int) -> np.ndarray:
    """Coordinates of a probe instance, float64 (nodes, 2) in the unit square: uniform, clustered or mixed."""
    points = generator.random((nodes, 2))
    clustered = generator.random(nodes) < generator.choice([0.0, 0.5, 1.0])
    centres = generator.random((int(generator.integers(2, 5)), 2))
    near = centres[generator.integers(len(centres), size=nodes)] + generator.normal(0.0, 0.06, (nodes, 2))
    return np.clip(np.where(clustered[:, None], near, points), 0.0, 1.0) + generator.uniform(0.0, 1e-6, (nodes, 2))


def mean_and_nearest_other(distances: np.ndarray, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each of `nodes` (at least 2): mean and smallest distance to the others among them."""
    block = distances[np.ix_(nodes, nodes)].copy()
    means = block.sum(axis=1) / (len(nodes) - 1)
    np.fill_diagonal(block, np.inf)
    return means, block.min(axis=1)
