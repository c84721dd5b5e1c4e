"""Plans of time: exams, shifts, furnaces, printers."""

import itertools
import math
import random
from collections import Counter, defaultdict, namedtuple

from .made import Made


def exam_timetable() -> Made:
    """A teacher: a slot for every exam, so that no pupil has two at once and few have two in a row."""

    def school(seed, n_exams, n_students):
        rnd = random.Random(seed)
        exams = [f"exam{k:02d}" for k in range(n_exams)]
        clashes = {e: {} for e in exams}
        for _ in range(n_students):
            centre = rnd.randrange(n_exams)
            mine = {exams[(centre + rnd.randrange(9)) % n_exams] for _ in range(4)} | {rnd.choice(exams)}
            for a, b in itertools.permutations(sorted(mine), 2):
                clashes[a][b] = clashes[a].get(b, 0) + 1
        order = exams[:]
        rnd.shuffle(order)
        return {e: clashes[e] for e in order}

    schools = [school(s, 24 + s, 60 + 2 * s) for s in range(60)]

    def objective(timetable):
        cost = 0
        for clashes in schools:
            slots = timetable({e: dict(c) for e, c in clashes.items()})
            if set(slots) != set(clashes):
                return math.inf
            for a in clashes:
                if not isinstance(slots[a], int) or slots[a] < 0:
                    return math.inf
                for b, pupils in clashes[a].items():
                    if slots[a] == slots[b]:
                        return math.inf
                    if slots[b] == slots[a] + 1:
                        cost += pupils
            cost += 40 * (max(slots.values()) + 1)
        return cost  # an int

    template = """
def first_free(taken):
    slot = 0
    while slot in taken:
        slot += 1
    return slot

def timetable(clashes):
    slots = {}
    for exam in clashes:
        taken = {slots[other] for other in clashes[exam] if other in slots}
        slots[exam] = first_free(taken)
    return slots
"""
    return objective, template, "min"


def nurse_roster() -> Made:
    """A hospital planner: a whole roster, as a list of nurse, day and shift."""

    def ward(seed):
        rnd = random.Random(seed * 31 + 5)
        nurses = []
        for k in range(14):
            nurses.append(
                {
                    "name": f"N{k}",
                    "max_shifts": rnd.choice([6, 8, 10]),
                    "senior": rnd.random() < 0.4,
                    "off": set(rnd.sample(range(14), 3)),
                    "prefers": rnd.choice(["early", "late", "night"]),
                }
            )
        demand = {
            (d, s): {"early": 3, "late": 3, "night": 2}[s] - (d % 7 > 4 and s != "night")
            for d in range(14)
            for s in ("early", "late", "night")
        }
        return nurses, demand

    wards = [ward(s) for s in range(70)]

    def objective(roster):
        cost = 0.0
        for nurses, demand in wards:
            by_name = {n["name"]: n for n in nurses}
            plan = roster([{**n, "off": set(n["off"])} for n in nurses], dict(demand))
            works, count, staff = {}, Counter(), defaultdict(list)
            for name, day, shift in plan:
                if (
                    name not in by_name
                    or (day, shift) not in demand
                    or (name, day) in works
                    or day in by_name[name]["off"]
                ):
                    raise ValueError(f"not possible: {name} {day} {shift}")
                works[name, day] = shift
                count[name] += 1
                staff[day, shift].append(name)
            for (name, day), shift in works.items():
                if shift == "night" and works.get((name, day + 1)) == "early":
                    raise ValueError("no early shift after a night")
                cost += by_name[name]["prefers"] != shift
            if any(count[n["name"]] > n["max_shifts"] for n in nurses):
                raise ValueError("too many shifts")
            for key, need in demand.items():
                cost += 10 * max(0, need - len(staff[key]))
                cost += 4 * (not any(by_name[n]["senior"] for n in staff[key]))
        return cost / len(wards)

    template = """
def roster(nurses, demand):
    plan, worked, where = [], {n["name"]: 0 for n in nurses}, {}
    for (day, shift), need in demand.items():
        for nurse in nurses:
            if need == 0:
                break
            name = nurse["name"]
            if day in nurse["off"] or worked[name] >= nurse["max_shifts"] or (name, day) in where:
                continue
            if shift == "early" and where.get((name, day - 1)) == "night":
                continue
            plan.append((name, day, shift))
            where[name, day] = shift
            worked[name] += 1
            need -= 1
    return plan
"""
    return objective, template, "min"


def foundry_slots() -> Made:
    """A process engineer in a foundry: the next casting with its furnace and hour, one of many options."""

    def week(seed):
        rnd = random.Random(seed)
        price = [40 + 25 * math.sin(h / 24 * 6.283) + rnd.uniform(-12, 12) for h in range(48)]
        hours = {f"cast{k}": rnd.randint(1, 7) for k in range(14)}
        power = {c: rnd.choice([1.0, 2.0, 5.0]) for c in hours}
        due = {c: rnd.randint(18, 48) for c in hours}
        return price, hours, power, due, {"F1": 1.0, "F2": 1.25}

    weeks = [week(s) for s in range(4)]

    def objective(choose):
        euros = 0.0
        for price, hours, power, due, factor in weeks:
            busy = {f: set() for f in factor}
            todo = dict(hours)
            while todo:
                options = [
                    (c, f, h)
                    for c in todo
                    for f in factor
                    for h in range(due[c] - todo[c] + 1)
                    if not any(x in busy[f] for x in range(h, h + todo[c]))
                ]
                if not options:
                    break
                answer = choose(options, price, hours, power, factor)
                if answer not in options:
                    raise ValueError(f"{answer} is not on offer")
                cast, furnace, hour = answer
                span = range(hour, hour + todo.pop(cast))
                busy[furnace].update(span)
                euros += power[cast] * factor[furnace] * sum(price[x] for x in span)
            euros += sum(90 * power[c] * h for c, h in todo.items())
        return euros

    template = """
def choose(options, price, hours, power, factor):
    best, best_cost = None, float("inf")
    for cast, furnace, hour in options:
        cost = factor[furnace] * sum(price[hour:hour + hours[cast]])
        if cost < best_cost:
            best, best_cost = (cast, furnace, hour), cost
    return best
"""
    return objective, template, "min"


Print = namedtuple("Print", "id minutes colour copies")


def print_farm() -> Made:
    """A shop with five 3d printers: printer and start of every job; a change of colour takes time."""

    def day(seed):
        rnd = random.Random(seed)
        return [
            Print(k, rnd.randint(5, 90), rnd.choice(["red", "blue", "black", "white", "green"]), rnd.randint(1, 6))
            for k in range(45)
        ]

    days = [day(s) for s in range(250)]

    def objective(schedule):
        total = 0.0
        for jobs in days:
            plan = schedule(jobs, 5)
            if sorted(j for _, j, _ in plan) != list(range(len(jobs))):
                raise ValueError("each job once")
            per = defaultdict(list)
            for printer, job, start in plan:
                if printer not in range(5):
                    raise ValueError("no such printer")
                per[printer].append((start, job))
            for queue in per.values():
                free, colour = 0.0, None
                for start, job in sorted(queue):
                    ready = free + (20 if colour not in (None, jobs[job].colour) else 0)
                    if start < ready - 1e-9:
                        raise ValueError("printer is busy or has the wrong colour")
                    free, colour = start + jobs[job].minutes, jobs[job].colour
                    total += free * jobs[job].copies / 100
        return total / len(days)

    template = """
import heapq

def schedule(jobs, n_printers):
    heap = [(0, p) for p in range(n_printers)]
    heapq.heapify(heap)
    loaded = {}
    plan = []
    for job in jobs:
        free, p = heapq.heappop(heap)
        start = free if loaded.get(p, job.colour) == job.colour else free + 20
        loaded[p] = job.colour
        plan.append((p, job.id, start))
        heapq.heappush(heap, (start + job.minutes, p))
    return plan
"""
    return objective, template, "min"
