"""Ambulance dispatch: emergencies come one by one, and a free ambulance is sent to each at once."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class AmbulanceDispatch(SimpleTask):
    """Solution: the ambulance of each emergency. The objective adds up urgency times minutes until one is there.

    An ambulance drives from its base to the scene, takes care of the patient for some minutes and drives back; then it
    is free. If none is free, an emergency waits for the first that is, before all later ones.
    """

    name = "ambulance_dispatch"
    title = "Ambulance dispatch, online"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the ambulance to send to an emergency in the district `scene`, one of `free_ambulances` (an array of "
        "ids, ascending; each of them is at its base). `base_of[ambulance]` is the district of its base, "
        "`minutes[a, b]` the driving time from district a to b, `on_duty` the list of pairs (minutes until it is free, "
        "ambulance) of the others, ascending. `urgency` is 1, 3 or 9, high if pressing; an emergency is in district d "
        "with the chance `district_share[d]`. Care takes 10 to 40 minutes, then the ambulance drives back and is free; "
        "while none is, emergencies wait in order. The sum over all emergencies of urgency times minutes from the "
        "emergency until an ambulance is there is to be small."
    )
    template = '''\
def send_ambulance(free_ambulances, scene, urgency, base_of, minutes, on_duty, district_share):
    """The free ambulance with the lowest id."""
    return free_ambulances[0]
'''
    alternatives = "free_ambulances"
    splits = make_splits(
        search={"count": 16, "ambulances": 7, "districts": 16, "emergencies": 90, "calls": 50},
        test={"count": 32, "ambulances": 7, "districts": 16, "emergencies": 90, "calls": 50},
        holdout={"count": 32, "ambulances": 10, "districts": 24, "emergencies": 120, "calls": 60},
    )
    probe_parameters = {"ambulances": 8, "districts": 14, "emergencies": 30}  # noqa: RUF012

    def draw(self, random, ambulances, districts, emergencies):
        """Weights of districts, minutes between these points in a plane, bases, and emergencies: all int64.

        An emergency is a row: minute, district, urgency, minutes of care.
        """
        points = random.randint(0, 25, (districts, 2))
        share = random.randint(1, 10, districts) ** 2
        gaps = random.randint(1, 128 // ambulances, emergencies)
        columns = (
            np.cumsum(gaps),
            random.choice(districts, emergencies, p=share / share.sum()),
            random.choice([1, 3, 9], emergencies, p=[0.5, 0.25, 0.25]),
            random.randint(10, 41, emergencies),
        )
        return {
            "share": share,
            "minutes": 2 + np.abs(points[:, None] - points[None]).sum(axis=2),
            "bases": random.randint(0, districts, ambulances),
            "emergencies": np.stack(columns, axis=1),
        }

    def construct(self, program, instance):
        """One call an emergency for which several are free; the program sees copies of arrays, and numpy ids."""
        share, minutes, bases = (instance[name] for name in ("share", "minutes", "bases"))
        free_at, sent = np.zeros(len(bases), dtype=np.int64), []
        for minute, scene, urgency, care in instance["emergencies"].tolist():
            start = max(minute, int(free_at.min()))
            free = np.flatnonzero(free_at <= start)
            ambulance = free[0]
            if len(free) > 1:
                duty = sorted((end - start, each) for each, end in enumerate(free_at.tolist()) if end > start)
                shown = (bases.copy(), minutes.copy(), duty, share / share.sum())
                ambulance = self.ask(program, free.copy(), scene, urgency, *shown)
            free_at[ambulance] = start + 2 * minutes[bases[ambulance], scene] + care
            sent.append(ambulance)
        return sent

    def objective(self, instance, solution):
        """Weighted response time. Raises `Infeasible` where an ambulance is sent that is not free."""
        minutes, bases = instance["minutes"].tolist(), instance["bases"].tolist()
        free_at, total = [0] * len(bases), 0
        sent = check_ids(solution, len(instance["emergencies"]), len(bases))
        for number, (minute, scene, urgency, care) in enumerate(instance["emergencies"].tolist()):
            start, end = max(minute, min(free_at)), free_at[sent[number]]
            if end > start:
                raise Infeasible(
                    f"ambulance {sent[number]} is sent to emergency {number} at minute {start}, it is free at {end}"
                )
            there = start + minutes[bases[sent[number]]][scene]
            total += urgency * (there - minute)
            free_at[sent[number]] = there + care + minutes[scene][bases[sent[number]]]
        return float(total)

    def probe_features(self, choices, arguments):
        """Minutes to the scene, a mean emergency, the next base; coverage lost, its sum with minutes; own share, id."""
        bases, share = arguments["base_of"][choices], arguments["district_share"]
        reach, rows = arguments["minutes"][bases], []
        for place, ambulance in enumerate(choices):
            others = np.delete(reach, place, axis=0).min(axis=0)
            lost, there = np.maximum(0, others - reach[place]) @ share, reach[place, arguments["scene"]]
            cost = arguments["urgency"] * there + 4 * lost
            rows.append((there, reach[place] @ share, others[bases[place]], lost, cost, share[bases[place]], ambulance))
        return np.array(rows)


TASK = AmbulanceDispatch()
