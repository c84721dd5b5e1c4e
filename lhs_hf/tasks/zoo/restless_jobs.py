"""Restless bandits of machines that wear out: one is repaired each day, the others go on wearing."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class RestlessJobs(SimpleTask):
    """Solution: the machine repaired on each day. Which machine wears on which day is drawn before.

    Each day the chosen machine goes back to level 0, then machines wear by one level or not at all (the last level is
    never left by wear), then each machine costs what its level costs.
    """

    name = "restless_jobs"
    title = "Restless bandit: which machine to repair"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the machine to repair today, a key of `wear`, a dictionary from machine to its wear level. Repaired "
        "it is at level 0; then every machine rises by one level with the chance `wear_chance[machine]`, and costs "
        "`cost_by_level[machine][level]` for the day (a list; its end is the last level). `days_left` counts today. "
        "The cost of all machines over all days is to be small."
    )
    template = '''\
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """The machine at the highest level."""
    return max(wear, key=wear.get)
'''
    splits = make_splits(
        search={"count": 16, "machines": 8, "days": 50, "calls": 50},
        test={"count": 32, "machines": 8, "days": 50, "calls": 50},
        holdout={"count": 32, "machines": 12, "days": 60, "calls": 60},
    )
    probe_parameters = {"machines": 10, "days": 20}  # noqa: RUF012
    probe_feature_names = ("level", "chance", "cost", "next_cost", "saved_today", "saved_per_chance", "last_cost")

    def draw(self, random, machines, days, levels=7):
        """Chances in percent, levels at the start, costs rising with the level in different shapes, and all wear."""
        chance = random.randint(5, 91, machines)
        scale = random.randint(20, 201, (machines, 1))
        shape = random.choice([0.5, 1.0, 2.0, 5.0], (machines, 1))
        steps = np.arange(levels) / (levels - 1)
        # The last bit of a power, and so what is rounded to, would be that of the processor.
        curves = {0.5: np.sqrt(steps), 1.0: steps, 2.0: steps * steps, 5.0: steps * steps * steps * steps * steps}
        return {
            "chance_percent": chance,
            "start": random.randint(0, levels // 2 + 1, machines),
            "costs": np.rint(scale * np.stack([curves[each] for each in shape[:, 0]])).astype(np.int64),
            "wears": (random.randint(0, 100, (days, machines)) < chance).astype(np.int64),
        }

    def construct(self, program, instance):
        """One call a day; the program sees dictionaries of Python numbers."""
        chance = {machine: percent / 100 for machine, percent in enumerate(instance["chance_percent"].tolist())}
        costs, levels, solution = instance["costs"].tolist(), instance["start"], []
        for day, wears in enumerate(instance["wears"]):
            tables = {machine: list(table) for machine, table in enumerate(costs)}
            wear = dict(enumerate(levels.tolist()))
            machine = self.ask(program, wear, dict(chance), tables, len(instance["wears"]) - day)
            levels = _next_day(levels, machine, wears, len(costs[0]))
            solution.append(machine)
        return solution

    def alternatives(self, wear, wear_chance, cost_by_level, days_left):
        """All machines: the keys."""
        return range(len(wear_chance))

    def objective(self, instance, solution):
        """Cost of all machines over all days. Raises `Infeasible` unless there is one machine for each day."""
        costs, levels = instance["costs"], instance["start"]
        machines, total = np.arange(len(costs)), 0
        for machine, wears in zip(check_ids(solution, len(instance["wears"]), len(costs)), instance["wears"]):
            levels = _next_day(levels, machine, wears, costs.shape[1])
            total += int(costs[machines, levels].sum())
        return float(total)

    def probe_features(self, choices, arguments):
        """Level, chance, cost now and one level on, what a repair saves today and for how long."""
        rows = []
        for machine in choices:
            level, chance = arguments["wear"][machine], arguments["wear_chance"][machine]
            table = arguments["cost_by_level"][machine]
            after = table[min(level + 1, len(table) - 1)]
            saved = (1 - chance) * (table[level] - table[0]) + chance * (after - table[1])
            rows.append((level, chance, table[level], after, saved, saved / chance, table[-1]))
        return np.array(rows)


def _next_day(levels, repaired, wears, count):
    levels = levels.copy()
    levels[repaired] = 0
    return np.minimum(levels + wears, count - 1)


TASK = RestlessJobs()
