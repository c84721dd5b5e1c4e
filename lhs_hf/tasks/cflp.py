"""Capacitated facility location, single source: each customer is served by one facility with enough capacity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, as_index, percentiles

_TEMPLATE = '''\
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Cheapest facility: serve the first waiting customer from its cheapest facility that has room."""
    customer = remaining_customers[0]
    best_facility = None
    for facility, capacity in enumerate(remaining_capacities):
        if capacity < customer_demands[customer]:
            continue
        cost = assignment_costs[facility][customer]
        if best_facility is None or cost < assignment_costs[best_facility][customer]:
            best_facility = facility
    return customer, best_facility
'''


class CflpInstance(NamedTuple):
    """int64 arrays: `capacities` (facilities,), `demands` (customers,), `costs` (facilities, customers)."""

    capacities: np.ndarray
    demands: np.ndarray
    costs: np.ndarray


class CapacitatedFacilityLocation(Task):
    """Assign every customer to a facility within capacities; objective: total assignment cost (no opening cost).

    A solution holds the pairs (customer, facility) in order of assignment, flattened: int64 (2 * customers,).
    """

    name = "cflp_construct"
    title = "Capacitated facility location"
    sense = "min"
    problem_class = "assignment"
    function_name = "select_next_assignment"
    arguments = (
        "assignments",
        "remaining_customers",
        "remaining_capacities",
        "customer_demands",
        "assignment_costs",
    )
    description = (
        "Return (customer, facility): the next customer, from `remaining_customers`, and a facility whose remaining "
        "capacity covers the customer's demand. `assignments` lists the customers of each facility; the cost of the "
        "pair is `assignment_costs[facility][customer]`, and every customer must be assigned."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 800, {"facilities": 50, "customers": 50}),
        "test": Split("test", 100, 2024, 5000, {"facilities": 50, "customers": 50}),
        "holdout": Split("holdout", 100, 2025, 5000, {"facilities": 50, "customers": 50}),
    }
    practice = Split("practice", 2, 7001, 100, {"facilities": 50, "customers": 50})
    time_limit_s = 60.0
    bounds: Mapping[str, float] = {"search": 277.125, "test": 279.47, "holdout": 279.0}
    bound_kind = "optimum"
    probe_feature_names = (
        "cost",
        "excess_over_cheapest",
        "regret",
        "demand",
        "remaining_capacity",
        "slack_after",
        "customer_index",
        "facility_index",
    )

    def generate(self, split: Split) -> Iterator[CflpInstance]:
        """Capacities 5..100, demands 5..20, costs 5..50, drawn in this order."""
        random = np.random.RandomState(split.seed)
        facilities, customers = split.parameters["facilities"], split.parameters["customers"]
        for _ in range(split.count):
            capacities = random.randint(5, 101, facilities)
            demands = random.randint(5, 21, customers)
            yield CflpInstance(capacities, demands, random.randint(5, 51, (facilities, customers)))

    def rollout(self, program: Program, instance: CflpInstance) -> np.ndarray:
        """Assign one customer a call until none is left. The same five lists are passed on from call to call.

        Raises `IllegalAnswer` for an early stop, an unknown or repeated customer, an unknown facility or no room.
        """
        assignments: list[list[int]] = [[] for _ in instance.capacities]
        remaining_customers = list(range(len(instance.demands)))
        remaining_capacities = instance.capacities.tolist()
        demands, costs = instance.demands.tolist(), instance.costs.tolist()
        # The program may edit every list above; legality is judged on these copies.
        waiting, room, demand_of = set(remaining_customers), remaining_capacities.copy(), demands.copy()
        chosen: list[int] = []
        while waiting:
            answer = program(assignments, remaining_customers, remaining_capacities, demands, costs)
            customer, facility = _pair(answer)
            if customer not in waiting:
                raise IllegalAnswer(f"customer {customer} is not waiting")
            if not 0 <= facility < len(room):
                raise IllegalAnswer(f"facility {facility} does not exist; facilities are 0 to {len(room) - 1}")
            if demand_of[customer] > room[facility]:
                demand = demand_of[customer]
                raise IllegalAnswer(
                    f"facility {facility} has room for {room[facility]}, customer {customer} needs {demand}"
                )
            waiting.remove(customer)
            room[facility] -= demand_of[customer]
            chosen += (customer, facility)
            try:
                assignments[facility].append(customer)
                remaining_capacities[facility] -= demands[customer]
                remaining_customers.remove(customer)
            except (AttributeError, IndexError, TypeError, ValueError) as error:
                raise IllegalAnswer(f"the program broke a list it was given: {error}") from None
        return np.array(chosen, dtype=np.int64)

    def objective(self, instance: CflpInstance, solution: np.ndarray) -> float:
        """Total assignment cost. Raises `Infeasible` unless each customer has one facility, within capacities."""
        facilities, customers = instance.costs.shape
        if solution.shape != (2 * customers,):
            raise Infeasible(f"expected {customers} pairs (customer, facility), got an array of shape {solution.shape}")
        customer, facility = solution[0::2], solution[1::2]
        if not np.array_equal(np.sort(customer), np.arange(customers)):
            raise Infeasible(f"not every customer of 0 to {customers - 1} is assigned exactly once")
        unknown = (facility < 0) | (facility >= facilities)
        if unknown.any():
            raise Infeasible(
                f"facility {facility[unknown.argmax()]} does not exist; facilities are 0 to {facilities - 1}"
            )
        loads = np.bincount(facility, weights=instance.demands[customer], minlength=facilities)
        over = loads > instance.capacities
        if over.any():
            worst = int(over.argmax())
            raise Infeasible(
                f"facility {worst} serves a demand of {loads[worst]:.0f}, more than {instance.capacities[worst]}"
            )
        return float(instance.costs[facility, customer].sum())

    def max_solution_length(self, instance: CflpInstance) -> int:
        """A pair for each customer."""
        return 2 * len(instance.demands)

    def probe_states(self, generator: np.random.Generator, count: int) -> list[ProbeState]:
        """Partial assignments of 8 to 12 customers to 5 to 8 facilities.

        Candidates are the pairs (waiting customer, facility with room), ascending; every waiting customer has one.
        """
        states: list[ProbeState] = []
        while len(states) < count:
            facilities, customers = int(generator.integers(5, 9)), int(generator.integers(8, 13))
            capacities = generator.integers(5, (61, 101)[len(states) % 2], facilities).tolist()
            demands = generator.integers(5, 21, customers).tolist()
            costs = generator.integers(5, 51, (facilities, customers)).tolist()
            placed = int(customers * (0.0, 0.3, 0.55, 0.8)[len(states) % 4])
            assignments: list[list[int]] = [[] for _ in range(facilities)]
            waiting = list(range(customers))
            for _ in range(placed):
                pairs = _roomy_pairs(waiting, capacities, demands)
                if not pairs:
                    break
                if len(states) % 3:
                    customer, facility = min(pairs, key=lambda pair: costs[pair[1]][pair[0]])
                else:
                    customer, facility = pairs[generator.integers(len(pairs))]
                assignments[facility].append(customer)
                capacities[facility] -= demands[customer]
                waiting.remove(customer)
            pairs = _roomy_pairs(waiting, capacities, demands)
            if len(pairs) > 1 and {customer for customer, _ in pairs} == set(waiting):
                features = percentiles(_pair_features(pairs, capacities, demands, costs))
                call = (assignments, waiting, capacities, demands, costs)
                states.append(ProbeState((call,), features, tuple(pairs)))
        return states

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The pair that was returned."""
        pair = _pair(answers[0])
        if pair not in state.context:
            raise IllegalAnswer(f"{pair} is no pair of a waiting customer and a facility with room")
        return state.context.index(pair)


def _pair(answer: Any) -> tuple[int, int]:
    """The answer as (customer, facility). Raises `IllegalAnswer`, also for None, which stops too early."""
    try:
        customer, facility = answer
    except (TypeError, ValueError):
        raise IllegalAnswer(f"expected a pair (customer, facility), got {type(answer).__name__}") from None
    if facility is None:
        raise IllegalAnswer("the program stopped while customers are waiting")
    return as_index(customer), as_index(facility)


def _roomy_pairs(waiting: Sequence[int], capacities: Sequence[int], demands: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of a waiting customer and a facility with room for it, in list order."""
    return [(c, f) for c in waiting for f in range(len(capacities)) if capacities[f] >= demands[c]]


def _pair_features(
    pairs: Sequence[tuple[int, int]],
    capacities: Sequence[int],
    demands: Sequence[int],
    costs: Sequence[Sequence[int]],
) -> np.ndarray:
    """Raw probe features, float64 (pairs, 8), in the order of `probe_feature_names`."""
    rows = []
    for customer, facility in pairs:
        cost = costs[facility][customer]
        options = sorted(costs[f][customer] for c, f in pairs if c == customer)
        regret = options[1] - options[0] if len(options) > 1 else 100
        demand, capacity = demands[customer], capacities[facility]
        rows.append([cost, cost - options[0], regret, demand, capacity, capacity - demand, customer, facility])
    return np.array(rows, dtype=np.float64)


TASK = CapacitatedFacilityLocation()
