"""Axial three-index assignment: workers, machines and days go together one to one to one at least total cost."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class ThreeIndexAssignment(SimpleTask):
    """Solution: the worker of day 0, its machine, the worker of day 1, its machine, and so on."""

    name = "three_index_assignment"
    title = "Three-index assignment, constructive"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the pair (worker, machine) for `day`, one of `pairs`: all pairs of a worker and a machine that are "
        "still free, in ascending order. `cost[worker, machine, day]` is an array of costs; the days are dealt with in "
        "ascending order. Each worker and each machine is used on one day only, and the total cost of all days is to "
        "be as small as possible."
    )
    template = '''\
def assign_day(day, pairs, cost):
    """The cheapest machine for the first free worker."""
    first = pairs[0][0]
    return min((pair for pair in pairs if pair[0] == first), key=lambda pair: cost[pair[0], pair[1], day])
'''
    alternatives = "pairs"
    splits = make_splits(
        search={"count": 16, "days": 10, "calls": 9},
        test={"count": 32, "days": 10, "calls": 9},
        holdout={"count": 32, "days": 14, "calls": 13},
    )
    probe_parameters = {"days": 4}  # noqa: RUF012

    def draw(self, random, days):
        """Costs of each two of the three, 1 to 30, and of all three, 1 to 40: int64 (workers, machines, days)."""
        pairs = random.randint(1, 31, (3, days, days))
        together = random.randint(1, 41, (days, days, days))
        return pairs[0][:, :, None] + pairs[1][:, None, :] + pairs[2][None, :, :] + together

    def construct(self, program, cost):
        """One call a day but for the last, which is forced; ids are numpy integers."""
        workers, machines, chosen = np.arange(len(cost)), np.arange(len(cost)), []
        for day in range(len(cost) - 1):
            pairs = [(worker, machine) for worker in workers for machine in machines]
            worker, machine = self.ask(program, day, pairs, cost.copy())
            workers, machines = workers[workers != worker], machines[machines != machine]
            chosen += [worker, machine]
        return [*chosen, *workers, *machines]

    def objective(self, cost, solution):
        """Total cost. Raises `Infeasible` if a worker or a machine has two days."""
        count = len(cost)
        entries = check_ids(solution, 2 * count, count)
        for kind, used in (("worker", entries[::2]), ("machine", entries[1::2])):
            if len(set(used)) < count:
                raise Infeasible(f"a {kind} is used on two days")
        return float(cost[entries[::2], entries[1::2], np.arange(count)].sum())

    def probe_features(self, choices, arguments):
        """Cost of the pair; means and least costs of its worker and of its machine on later days."""
        day, cost = arguments["day"], arguments["cost"]
        free_workers = sorted({worker for worker, _ in choices})
        free_machines = sorted({machine for _, machine in choices})
        rows = []
        for worker, machine in choices:
            of_worker = cost[worker, free_machines, day + 1 :]
            of_machine = cost[free_workers, machine, day + 1 :]
            same = cost[worker, machine, day + 1 :].min()
            ends = (of_worker.min(), of_machine.min())
            rows.append((cost[worker, machine, day], of_worker.mean(), of_machine.mean(), *ends, same))
        return np.array(rows, dtype=float)


TASK = ThreeIndexAssignment()
