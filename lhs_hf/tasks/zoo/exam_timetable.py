"""Exam timetable: give each exam a slot so that students with several exams have them far apart."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

GAP_COSTS = (40, 16, 8, 4, 2, 1)
"""What two exams of a student cost that are so many slots apart; nothing beyond."""


class ExamTimetable(SimpleTask):
    """Solution: the slot of each exam. A slot takes as many exams as there are rooms.

    Exams are placed in the order of their ids. Each student pays for each pair of exams by the gap between their slots.
    """

    name = "exam_timetable"
    title = "Exam timetable with gaps for students"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the slot for `exam`, one of `open_slots` (a list, ascending: those with a free room). "
        "`rooms_left[s]` is the number of exams that slot s still takes, for every slot, full ones included. "
        "`timetable` maps each exam that is placed to its slot, `upcoming` lists those placed later, in order. "
        "`shared[e]` maps each exam with which exam e has students in common to their number, for all exams, placed or "
        "not. Two exams of a student cost 40 in the same slot, 16, 8, 4, 2 or 1 if they are 1, 2, 3, 4 or 5 slots "
        "apart, and nothing beyond; the sum over all students and pairs of their exams is to be small."
    )
    template = '''\
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The first slot in which no student of this exam has another one; else the first that is open."""
    taken = {timetable[other] for other in shared[exam] if other in timetable}
    return next((slot for slot in open_slots if slot not in taken), open_slots[0])
'''
    alternatives = "open_slots"
    splits = make_splits(
        search={"count": 16, "exams": 30, "slots": 12, "rooms": 4, "calls": 30},
        test={"count": 32, "exams": 30, "slots": 12, "rooms": 4, "calls": 30},
        holdout={"count": 32, "exams": 45, "slots": 18, "rooms": 3, "calls": 45},
    )
    probe_parameters = {"exams": 15, "slots": 9, "rooms": 3}  # noqa: RUF012
    probe_feature_names = ("cost", "same", "next_to", "from_border", "rooms_left", "crowd", "slot")

    def draw(self, random, exams, slots, rooms):
        """Students in common int64 (exams, exams), symmetric, 0 on the diagonal; the numbers of slots and rooms.

        Twice as many students as exams, each with 2 to 5 exams, most of them within one of 4 programmes of study.
        """
        programme = random.randint(0, 4, exams)
        shared = np.zeros((exams, exams), dtype=np.int64)
        for _ in range(2 * exams):
            wish = np.where(programme == random.randint(4), 1.0, 0.15) * random.exponential(1.0, exams)
            own = np.argsort(-wish)[: random.randint(2, 6)]
            shared[np.ix_(own, own)] += 1
        np.fill_diagonal(shared, 0)
        return {"shared": shared, "slots": slots, "rooms": rooms}

    def construct(self, program, instance):
        """One call an exam that has a choice; the program sees dictionaries and lists of Python numbers."""
        shared = instance["shared"].tolist()
        left, timetable = [instance["rooms"]] * instance["slots"], {}
        for exam in range(len(shared)):
            places = [slot for slot, rooms in enumerate(left) if rooms]
            place = places[0]
            if len(places) > 1:
                common = {one: _positive(row) for one, row in enumerate(shared)}
                upcoming = list(range(exam + 1, len(shared)))
                place = self.ask(program, exam, places, list(left), dict(timetable), common, upcoming)
            timetable[exam] = place
            left[place] -= 1
        return list(timetable.values())

    def objective(self, instance, solution):
        """What all gaps cost. Raises `Infeasible` for a slot with more exams than rooms."""
        shared, rooms = instance["shared"], instance["rooms"]
        slots = np.array(check_ids(solution, len(shared), instance["slots"]))
        for slot, exams in enumerate(np.bincount(slots).tolist()):
            if exams > rooms:
                raise Infeasible(f"slot {slot} has {exams} exams for {rooms} rooms")
        gaps = np.abs(slots[:, None] - slots[None, :])
        costs = np.array([*GAP_COSTS, 0])[np.minimum(gaps, len(GAP_COSTS))]
        return float((shared * costs).sum() // 2)

    def probe_features(self, choices, arguments):
        """Cost now, students with an exam in the slot and next to it, distance to the border, rooms, near exams."""
        shared, timetable, rooms = (arguments[key] for key in ("shared", "timetable", "rooms_left"))
        near = dict.fromkeys(timetable.values(), 0)
        for other, count in shared[arguments["exam"]].items():
            if other in timetable:
                near[timetable[other]] += count
        prices, rows = dict(enumerate(GAP_COSTS)), []
        for slot in choices:
            cost = sum(count * prices.get(abs(slot - each), 0) for each, count in near.items())
            beside = near.get(slot - 1, 0) + near.get(slot + 1, 0)
            border = min(slot, len(rooms) - 1 - slot)
            crowd = sum(abs(slot - each) < 2 for each in timetable.values())
            rows.append((cost, near.get(slot, 0), beside, border, rooms[slot], crowd, slot))
        return np.array(rows, dtype=float)


def _positive(row):
    return {exam: students for exam, students in enumerate(row) if students}


TASK = ExamTimetable()
