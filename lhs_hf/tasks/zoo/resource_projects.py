"""Resource-constrained project scheduling by serial schedule generation; a short project is better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class ResourceProjects(SimpleTask):
    """Solution: the activities in the order in which they get the earliest start that those before them leave."""

    name = "resource_projects"
    title = "Project scheduling with limited resources"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the activity to schedule next, one of `eligible` (a list, ascending; all predecessors are scheduled). "
        "It starts at `earliest[activity]`, the first time that its predecessors and the resources allow. `durations`, "
        "`demands` (a tuple, one number a resource) and `successors` (direct ones) are dictionaries of all activities, "
        "`ends` of the scheduled ones, `capacities` are the limits of the resources. The last end is to be early."
    )
    template = '''\
def next_activity(eligible, earliest, durations, demands, successors, capacities, ends):
    """The shortest activity."""
    return min(eligible, key=lambda activity: durations[activity])
'''
    alternatives = "eligible"
    splits = make_splits(
        search={"count": 16, "activities": 24, "calls": 24},
        test={"count": 32, "activities": 24, "calls": 24},
        holdout={"count": 32, "activities": 36, "calls": 36},
    )
    probe_parameters = {"activities": 14}  # noqa: RUF012
    probe_feature_names = ("start", "end", "duration", "demand", "successors", "tail", "activity")

    def draw(self, random, activities):
        """Durations 1 to 12, one or two resources of 10 units with demands 1 to 7, up to 2 predecessors; all int64."""
        arcs = []
        for activity in range(2, activities):
            found = np.unique(random.randint(max(0, activity - 10), activity, random.randint(0, 3)))
            arcs += [(before, activity) for before in found]
        resources = random.randint(1, 3)
        durations, demands = random.randint(1, 13, activities), random.randint(1, 8, (activities, resources))
        limits, arcs = np.full(resources, 10), np.array(arcs, dtype=np.int64).reshape(-1, 2)
        return {"durations": durations, "demands": demands, "capacities": limits, "precedences": arcs}

    def construct(self, program, instance):
        """One call an activity; the program sees dictionaries, tuples and lists of Python ints."""
        project = _Project(instance)
        while len(project.ends) < project.count:
            done, durations, demands = dict(project.ends), dict(project.durations), dict(project.demands)
            eligible = [each for each in durations if each not in done and project.before[each] <= set(done)]
            earliest = {activity: project.earliest(activity) for activity in eligible}
            after = {activity: list(others) for activity, others in project.after.items()}
            project.add(self.ask(program, eligible, earliest, durations, demands, after, project.limits, done))
        return list(project.ends)

    def objective(self, instance, solution):
        """Length of the project. Raises `Infeasible` unless each activity is there once, after its predecessors."""
        project = _Project(instance)
        for activity in check_permutation(solution, project.count):
            if not project.before[activity] <= set(project.ends):
                raise Infeasible(f"activity {activity} comes before one of its predecessors")
            project.add(activity)
        return float(max(project.ends.values()))

    def probe_features(self, choices, arguments):
        """Start, end, duration, demand for all resources, direct successors, longest path to the end, id."""
        durations, successors = arguments["durations"], arguments["successors"]
        tails = {}
        for activity in sorted(durations, reverse=True):
            tails[activity] = durations[activity] + max((tails[other] for other in successors[activity]), default=0)
        rows = []
        for each in choices:
            start, length, need = arguments["earliest"][each], durations[each], sum(arguments["demands"][each])
            rows.append((start, start + length, length, need, len(successors[each]), tails[each], each))
        return np.array(rows)


class _Project:
    """A partial schedule: `ends` in the order of scheduling, `free` the units of each resource at each time."""

    def __init__(self, instance):
        self.count, self.ends = len(instance["durations"]), {}
        self.durations = dict(enumerate(instance["durations"].tolist()))
        self.demands = {activity: tuple(row) for activity, row in enumerate(instance["demands"].tolist())}
        self.limits = tuple(instance["capacities"].tolist())
        arcs, activities = instance["precedences"].tolist(), range(self.count)
        self.before = {activity: {one for one, other in arcs if other == activity} for activity in activities}
        self.after = {activity: [other for one, other in arcs if one == activity] for activity in activities}
        self.free = np.tile(instance["capacities"], (sum(self.durations.values()), 1))

    def earliest(self, activity):
        """The first start that scheduled predecessors and resources allow."""
        start = max((self.ends[other] for other in self.before[activity]), default=0)
        fits = (self.free >= self.demands[activity]).all(axis=1)
        while not fits[start : start + self.durations[activity]].all():
            start += 1
        return start

    def add(self, activity):
        """Schedule an activity at its earliest start."""
        start = self.earliest(activity)
        self.ends[activity] = start + self.durations[activity]
        self.free[start : self.ends[activity]] -= np.array(self.demands[activity])


TASK = ResourceProjects()
