"""Seed programs for `exam_timetable`: one complete program a cell, named after its idea."""


# %% cheapest_slot
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The slot that costs least with the exams placed so far."""
    costs = [40, 16, 8, 4, 2, 1]

    def cost(slot):
        total = 0
        for other, students in shared[exam].items():
            if other in timetable:
                gap = abs(slot - timetable[other])
                total += students * costs[gap] if gap < 6 else 0
        return total

    return min(open_slots, key=cost)


# %% cheapest_slot_near_the_border
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The slot that costs least, and of equal ones that nearest to the first or the last slot."""
    costs = [40, 16, 8, 4, 2, 1] + [0] * len(rooms_left)

    def cost(slot):
        paid = sum(number * costs[abs(slot - timetable[e])] for e, number in shared[exam].items() if e in timetable)
        return paid, min(slot, len(rooms_left) - 1 - slot), slot

    return min(open_slots, key=cost)


# %% last_open_slot
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The wrong way round: fills the slots from the end, whoever has exams there."""
    return open_slots[-1]


# %% most_rooms_left
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Spreads exams evenly over the slots and does not look at students."""
    return max(open_slots, key=lambda slot: rooms_left[slot])


# %% random_slot
import random


def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Any open slot, drawn by a generator seeded with the exam and the slots used so far."""
    return random.Random(1009 * exam + sum(timetable.values())).choice(open_slots)


# %% farthest_from_the_nearest
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The slot whose nearest exam with common students is as far away as possible, however many they are."""
    taken = [timetable[other] for other in shared[exam] if other in timetable]
    return max(open_slots, key=lambda slot: min((abs(slot - other) for other in taken), default=0))


# %% largest_mean_gap
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The largest sum of gaps, one for each common student."""
    pairs = [(timetable[other], count) for other, count in shared[exam].items() if other in timetable]
    return max(open_slots, key=lambda slot: sum(count * abs(slot - other) for other, count in pairs))


# %% fewest_clashes
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """As few students as possible with two exams at a time; then with exams in a row; then the emptiest slot."""

    def students(slot, gap):
        common = shared[exam].items()
        return sum(count for other, count in common if abs(timetable.get(other, -99) - slot) == gap)

    return min(open_slots, key=lambda slot: (students(slot, 0), students(slot, 1), -rooms_left[slot]))


# %% one_exam_after_another
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Puts exams of the same students next to each other, as though these would like it."""

    def students(slot):
        return sum(number for other, number in shared[exam].items() if abs(timetable.get(other, -99) - slot) == 1)

    return max(open_slots, key=students)


# %% cost_and_crowding
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Cost with the exams placed, and a charge for slots with many exams in and around them."""
    costs = [40, 16, 8, 4, 2, 1] + [0] * len(rooms_left)

    def cost(slot):
        paid = sum(number * costs[abs(slot - timetable[e])] for e, number in shared[exam].items() if e in timetable)
        return paid + 0.15 * sum(costs[abs(slot - other)] for other in timetable.values())

    return min(open_slots, key=cost)


# %% unplaced_exams_anywhere
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Cost with the exams placed, and the mean cost of the others if they get any free room alike."""
    costs = [40, 16, 8, 4, 2, 1] + [0] * len(rooms_left)
    free = sum(rooms_left) - 1
    waiting = sum(number for other, number in shared[exam].items() if other not in timetable)

    def cost(slot):
        paid = sum(number * costs[abs(slot - timetable[e])] for e, number in shared[exam].items() if e in timetable)
        mean = sum((rooms - (other == slot)) * costs[abs(slot - other)] for other, rooms in enumerate(rooms_left))
        return paid + waiting * mean / free

    return min(open_slots, key=cost)


# %% beside_its_twin
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Of the slots that cost little, the one with the exams whose students write the same other exams."""
    costs = [40, 16, 8, 4, 2, 1] + [0] * len(rooms_left)

    def cost(slot):
        return sum(number * costs[abs(slot - timetable[e])] for e, number in shared[exam].items() if e in timetable)

    def likeness(slot):
        here = [other for other, place in timetable.items() if place == slot]
        return sum(min(number, shared[other].get(third, 0)) for other in here for third, number in shared[exam].items())

    lowest = min(map(cost, open_slots))
    return max(
        (slot for slot in open_slots if cost(slot) <= lowest + 16), key=lambda slot: 3 * likeness(slot) - cost(slot)
    )


# %% harm_to_upcoming
import numpy as np


def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Own cost, and half of what the cheapest slots of upcoming exams become dearer."""
    size = len(rooms_left)
    gaps = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    costs = np.array([40, 16, 8, 4, 2, 1] + [0] * size)[gaps]
    prices = {each: np.zeros(size) for each in [exam, *upcoming]}
    for each, row in prices.items():
        for other, number in shared[each].items():
            if other in timetable:
                row += number * costs[timetable[other]]
    best, lowest = open_slots[0], float("inf")
    for slot in open_slots:
        places = [place for place in open_slots if place != slot or rooms_left[place] > 1] or open_slots
        harm = 0.0
        for other in upcoming:
            number = shared[exam].get(other, 0)
            if number:
                harm += (prices[other] + number * costs[slot])[places].min() - prices[other][places].min()
        if prices[exam][slot] + 0.5 * harm < lowest:
            best, lowest = slot, prices[exam][slot] + 0.5 * harm
    return best


# %% finish_greedily
import numpy as np


def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Try the four cheapest slots, give all upcoming exams their cheapest ones in order, and keep the smallest sum."""
    size = len(rooms_left)
    gaps = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    costs = np.array([40, 16, 8, 4, 2, 1] + [0] * size)[gaps]
    prices = {each: np.zeros(size) for each in [exam, *upcoming]}
    for each, row in prices.items():
        for other, number in shared[each].items():
            if other in timetable:
                row += number * costs[timetable[other]]
    best, lowest = open_slots[0], float("inf")
    for first in sorted(open_slots, key=lambda slot: prices[exam][slot])[:4]:
        left, total = np.array(rooms_left), 0.0
        price = {each: row.copy() for each, row in prices.items()}
        slot = first
        for each in [exam, *upcoming]:
            if each != exam:
                slot = int(np.where(left > 0, price[each], np.inf).argmin())
            total += price[each][slot]
            left[slot] -= 1
            for other, number in shared[each].items():
                if other in price:
                    price[other] += number * costs[slot]
        if total < lowest:
            best, lowest = first, total
    return best


# %% soft_timetable
import numpy as np


def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Shares of slots for all exams that are not placed, from the costs of the others' shares, ever harder."""
    size = len(rooms_left)
    gaps = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    costs = np.array([40.0, 16, 8, 4, 2, 1] + [0] * size)[gaps]
    links = np.zeros((len(shared), len(shared)))
    for one, row in shared.items():
        for other, number in row.items():
            links[one, other] = number
    free = np.array(rooms_left, dtype=float)
    parts = np.tile(free / free.sum(), (len(shared), 1))
    for other, slot in timetable.items():
        parts[other] = np.arange(size) == slot
    waiting = [exam, *upcoming]
    for step in range(15):
        price = (links @ parts @ costs)[waiting]
        force = np.exp(-(price - price.min(axis=1, keepdims=True)) * 0.015 * (1 + step)) * (free > 0)
        for _ in range(3):
            force /= force.sum(axis=1, keepdims=True)
            force /= np.maximum(1.0, force.sum(axis=0) / np.maximum(free, 0.1))
        parts[waiting] = 0.5 * parts[waiting] + 0.5 * force / force.sum(axis=1, keepdims=True)
    price = links[exam] @ parts @ costs
    return min(open_slots, key=lambda slot: price[slot])


# %% improved_rest
import numpy as np


def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Give all exams left their cheapest slots, move each to a cheaper one for two rounds; the slot of this one."""
    size = len(rooms_left)
    gaps = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    costs = np.array([40, 16, 8, 4, 2, 1] + [0] * size)[gaps]
    left, plan = np.array(rooms_left), dict(timetable)
    for _ in range(3):
        for each in [exam, *upcoming]:
            if each in plan:
                left[plan[each]] += 1
            price = np.zeros(size)
            for other, number in shared[each].items():
                if other in plan:
                    price += number * costs[plan[other]]
            plan[each] = int(np.where(left > 0, price, np.inf).argmin())
            left[plan[each]] -= 1
    return plan[exam]


# %% every_third_slot
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Slots in the order 0, 3, 6 ..., 1, 4 ...: the first one without a clash and with few students next to it."""
    order = sorted(open_slots, key=lambda slot: (slot % 3, slot))

    def students(slot, gap):
        return sum(number for other, number in shared[exam].items() if abs(timetable.get(other, -99) - slot) == gap)

    for limit in (1, 3, 6, 10):
        for slot in order:
            if students(slot, 0) == 0 and students(slot, 1) < limit:
                return slot
    return min(order, key=lambda slot: students(slot, 0))


# %% halves_for_hard_and_easy
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """Exams with many common students look in the even slots first, the others in the odd ones; the cheapest there."""
    costs = [40, 16, 8, 4, 2, 1] + [0] * len(rooms_left)
    load = {one: sum(row.values()) for one, row in shared.items()}
    parity = 2 * sum(other > load[exam] for other in load.values()) >= len(load)

    def cost(slot):
        paid = sum(number * costs[abs(slot - timetable[e])] for e, number in shared[exam].items() if e in timetable)
        return paid + 15 * (slot % 2 != parity)

    return min(open_slots, key=cost)


# %% worst_single_meeting
def choose_slot(exam, open_slots, rooms_left, timetable, shared, upcoming):
    """The slot in which the exam that is hit worst costs least; the sum decides ties."""
    costs = [40, 16, 8, 4, 2, 1] + [0] * len(rooms_left)

    def cost(slot):
        paid = [number * costs[abs(slot - timetable[e])] for e, number in shared[exam].items() if e in timetable]
        return max(paid, default=0), sum(paid), -rooms_left[slot]

    return min(open_slots, key=cost)
