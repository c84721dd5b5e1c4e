"""Rules say what an alternative is to where one is and to what there is already, however a task has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.words import vocabulary
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.parents import Parent
from lhs_hf.tasks.functions import task_of_function

RANDOM = np.random.default_rng(0)
GUESTS = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo"]
LIKES = {one: {two for two in GUESTS if two != one and RANDOM.random() < 0.35} for one in GUESTS}
CLASHES = {one: {two for two in GUESTS if two != one and (ord(one[0]) + ord(two[0])) % 3 == 0} for one in GUESTS}
POINTS = {f"n{number}": tuple(RANDOM.random(2).tolist()) for number in range(14)}
BOARD = RANDOM.integers(0, 4, (6, 6)).tolist()
DECK = [(suit, int(value)) for suit, value in zip(RANDOM.choice(list("HSDC"), 24), RANDOM.integers(1, 9, 24))]


WORKERS = [{"name": f"w{k}", "skills": set("abcd"[k % 3 : k % 3 + 2]), "wage": 8 + 3 * k % 7} for k in range(6)]
SHIFTS = [{"skill": "abcd"[5 * k % 4], "hours": 2 + k % 5} for k in range(14)]
SERVERS = [
    {"id": f"s{k}", "cpu": (8, 16, 32)[k % 3], "zone": "AB"[k % 2], "runs": ["web", "db"][: 1 + k % 2]}
    for k in range(5)
]
JOBS = [{"cpu": 1 + 3 * k % 5, "zone": "AB"[k % 3 % 2], "kind": ("web", "db")[k % 5 % 2]} for k in range(16)]


BOXES = [(f"b{k}", 1 + 7 * k % 11, k % 3 == 0) for k in range(12)]
SONGS = [{"title": f"t{k}", "bpm": 70 + 37 * k % 90, "key": "CDEF"[k % 4], "mood": k * 0.37 % 1} for k in range(12)]
WALLS = [[(3 * row + 5 * column) % 7 == 0 for column in range(7)] for row in range(7)]
QUESTIONS = {f"q{k}": {"topic": "mhg"[k % 3], "level": 1 + k * 5 % 4, "minutes": 2 + k % 4} for k in range(14)}


def checked(choice: Any, choices: Any) -> Any:
    if choice not in choices:
        raise ValueError(f"{choice} is not there")
    return choice


def row_of_guests(program: Callable[..., str]) -> float:
    """The first one has no neighbour."""
    left, before, friends = list(GUESTS), None, 0
    while left:
        guest = checked(program(before, list(left), LIKES), left)
        left.remove(guest)
        friends += before is not None and guest in LIKES[before]
        before = guest
    return -float(friends)


def rooms(program: Callable[..., int]) -> float:
    placed: dict[int, list[str]] = {room: [] for room in range(4)}
    clashes = 0
    for guest in GUESTS:
        room = checked(program(guest, {k: list(v) for k, v in placed.items()}, CLASHES), placed)
        clashes += sum(other in CLASHES[guest] for other in placed[room])
        placed[room].append(guest)
    return float(clashes)


def hops(program: Callable[..., str]) -> float:
    def way(one: str, two: str) -> float:
        return float(np.hypot(*np.subtract(POINTS[one], POINTS[two])))

    load: dict[tuple[str, str], int] = {}
    cost = 0.0
    for start, end in (("n0", "n7"), ("n3", "n9"), ("n12", "n1"), ("n5", "n11"), ("n8", "n2"), ("n13", "n4")):
        here, seen = start, {start}
        while here != end and len(seen) < len(POINTS):
            links = sorted((each for each in POINTS if each != here), key=lambda each: way(here, each))[:5]
            onward = checked(program(here, end, links, POINTS, dict(load), set(seen)), links)
            used = (min(here, onward), max(here, onward))
            load[used] = load.get(used, 0) + 1
            cost += 1 + load[used]
            if onward in seen:
                break
            here = onward
            seen.add(here)
        cost += 20 * (here != end)
    return cost


def cards(program: Callable[..., tuple[str, int]]) -> float:
    hand, top, apart = DECK[1:], DECK[0], 0
    while hand:
        card = checked(program(top, list(hand)), hand)
        apart += abs(card[1] - top[1]) * (card[0] != top[0])
        hand.remove(card)
        top = card
    return float(apart)


def colours(program: Callable[..., int]) -> float:
    board, left, missing = [list(row) for row in BOARD], {0, 1, 2, 3}, 0
    while left:
        edge = [(0, column) for column in range(len(board[0]))]
        colour = checked(program([list(row) for row in board], sorted(left), edge), left)
        missing += len(left) * sum(row.count(colour) for row in board[:2])
        left.remove(colour)
    return float(missing)


def roster(program: Callable[..., dict[str, Any]]) -> float:
    hours, cost = {each["name"]: 0 for each in WORKERS}, 0
    for shift in SHIFTS:
        worker = checked(program(dict(shift), [dict(each) for each in WORKERS], dict(hours)), WORKERS)
        able = shift["skill"] in worker["skills"]
        hours[worker["name"]] += shift["hours"]
        cost += shift["hours"] * worker["wage"] * (1 if able else 3) + 5 * (hours[worker["name"]] > 12)
    return float(cost)


def servers(program: Callable[..., str]) -> float:
    used, bad = {each["id"]: 0 for each in SERVERS}, 0
    for job in JOBS:
        name = checked(program(dict(job), [dict(each) for each in SERVERS], dict(used)), used)
        server = next(each for each in SERVERS if each["id"] == name)
        used[name] += job["cpu"]
        bad += max(0, used[name] - server["cpu"]) + 2 * (job["zone"] != server["zone"])
        bad += 3 * (job["kind"] not in server["runs"])
    return float(bad)


def tower(program: Callable[..., tuple[str, int, bool]]) -> float:
    left, placed, cost = list(BOXES), [], 0
    while left:
        box = checked(program(list(left), list(placed)), left)
        left.remove(box)
        if placed:
            cost += max(0, box[1] - placed[-1][1]) + 3 * placed[-1][2]
        placed.append(box)
    return float(cost)


def playlist(program: Callable[..., dict[str, Any]]) -> float:
    left, last, cost = list(SONGS), None, 0.0
    while left:
        song = checked(program(last, [dict(each) for each in left]), left)
        left.remove(song)
        if last is not None:
            cost += abs(song["bpm"] - last["bpm"]) + 9 * (song["key"] != last["key"])
        last = dict(song)
    return cost


def robot(program: Callable[..., str]) -> float:
    here, visited, steps = (0, 1), [(0, 1)], 0
    for _ in range(30):
        ways = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
        moves = {name: (here[0] + down, here[1] + across) for name, (down, across) in ways.items()}
        moves = {name: cell for name, cell in moves.items() if min(cell) >= 0 and max(cell) < 7}
        moves = {name: (row, column) for name, (row, column) in moves.items() if not WALLS[row][column]}
        here = moves[checked(program(here, (6, 6), dict(moves), list(visited)), moves)]
        visited.append(here)
        steps += 1
        if here == (6, 6):
            break
    return float(steps + 5 * (12 - sum(here)))


def quiz(program: Callable[..., str]) -> float:
    left, asked, time, cost = dict(QUESTIONS), {"m": 0, "h": 0, "g": 0}, 30, 0
    while time > 0 and left:
        question = left.pop(checked(program(dict(left), dict(asked), time), left))
        time -= question["minutes"]
        asked[question["topic"]] += 1
        cost -= question["level"]
    return cost + 4.0 * (max(asked.values()) - min(asked.values()))


def arms(program: Callable[..., int]) -> float:
    random, shares, lost = np.random.default_rng(1), (0.2, 0.5, 0.7, 0.3), 0.0
    rewards: dict[int, list[int]] = {arm: [] for arm in range(4)}
    for step in range(40):
        arm = checked(program({k: list(v) for k, v in rewards.items()}, step), rewards)
        rewards[arm].append(int(random.random() < shares[arm]))
        lost += max(shares) - shares[arm]
    return lost


TASKS: dict[str, tuple[Callable[..., float], str, set[str]]] = {
    "guests": (
        row_of_guests,
        "def seat(neighbour, guests, likes):\n    return guests[0]\n",
        {
            "(1 if {x} in {likes}.get({neighbour}, ()) else 0)",
            "len(set({likes}[{x}]) & set({likes}.get({neighbour}, ())))",
        },
    ),
    "rooms": (
        rooms,
        "def room(guest, placed, clashes):\n    return min(placed)\n",
        {"len(set({placed}[{x}]) & set({clashes}[{guest}]))"},
    ),
    "hops": (
        hops,
        "def hop(here, target, links, places, load, seen):\n    return links[0]\n",
        {"(1 if {x} in {seen} else 0)", "{load}.get((min({here}, {x}), max({here}, {x})), 0)"},
    ),
    "cards": (
        cards,
        "def play(top, hand):\n    return hand[0]\n",
        {"(1 if {part_0} == {top}[0] else 0)", "abs({part_1} - {top}[1])"},
    ),
    "roster": (
        roster,
        "def assign(shift, workers, hours):\n    return workers[0]\n",
        {'(1 if {shift}["skill"] in {x}["skills"] else 0)', "{hours}[{part_0}]"},
    ),
    "servers": (
        servers,
        'def place(job, servers, used):\n    return servers[0]["id"]\n',
        {
            'sum(j["cpu"] for j in {servers} if j["id"] == {x})',
            'sum(1 for j in {servers} if j["id"] == {x} and j["zone"] == {job}["zone"])',
            'sum(1 for j in {servers} if j["id"] == {x} and {job}["kind"] in j["runs"])',
        },
    ),
    "tower": (
        tower,
        "def next_box(boxes, placed):\n    return boxes[0]\n",
        {"(abs({part_1} - {placed}[-1][1]) if {placed} else 0)"},
    ),
    "playlist": (
        playlist,
        "def next_song(last, songs):\n    return songs[0]\n",
        {
            '(abs({part_1} - {last}["bpm"]) if {last} else 0)',
            '((1 if {part_2} == {last}["key"] else 0) if {last} else 0)',
        },
    ),
    "robot": (
        robot,
        "def move(here, goal, moves, visited):\n    return sorted(moves)[0]\n",
        {"sum(1 for k in {visited} if k == {moves}[{x}])"},
    ),
    "quiz": (
        quiz,
        "def ask(questions, asked, time):\n    return next(iter(questions))\n",
        {'{asked}[{questions}[{x}]["topic"]]'},
    ),
    "arms": (
        arms,
        "def pull(rewards, step):\n    return step % len(rewards)\n",
        {"((1 + sum({rewards}[{x}])) / (1 + len({rewards}[{x}])))", "len({rewards}[{x}])"},
    ),
    "colours": (
        colours,
        "def colour(board, left, edge):\n    return left[0]\n",
        {
            "sum(1 for j in {board} for k in j if k == {x})",
            "sum(1 for j in {edge} if {board}[j[0]][j[1]] == {x})",
        },
    ),
}


@pytest.mark.parametrize("name", TASKS)
def test_what_an_alternative_is_to_what_is_there_is_a_word(name: str, tmp_path: Path) -> None:
    objective, template, expected = TASKS[name]
    task = task_of_function(objective, template, tmp_path, name)
    assert expected <= set(vocabulary(task).terms)
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(24)]
    sources = [each.source for each in drawn if each is not None]
    with Evaluator(task) as evaluator:
        scores = [each.score for each in evaluator.evaluate_many(sources)]
    assert len(sources) > 20
    assert sum(score is not None for score in scores) >= 0.95 * len(scores)


def test_counts_and_amounts_are_no_ids(tmp_path: Path) -> None:
    """Numbers that happen to be keys: how many are left, how much an item weighs."""

    def covered(program: Callable[..., int]) -> float:
        reach = {site: {(site * step) % 11 for step in range(1, 4)} for site in range(11)}
        left, open_ = 4, set()
        while left:
            site = checked(program(left, [each for each in reach if each not in open_], reach), reach)
            open_.add(site)
            left -= 1
        return -float(len(set().union(*(reach[site] for site in open_))))

    template = "def open_site(left, sites, reach):\n    return sites[0]\n"
    terms = vocabulary(task_of_function(covered, template, tmp_path, "covered")).terms
    assert "len({reach}[{x}])" in terms or "len(set({reach}[{x}]) & set({sites}))" in terms
    assert not any("{left} in" in term or "[{left}]" in term for term in terms)


def rated_roster(program: Callable[..., float]) -> float:
    hours, cost = {each["name"]: 0 for each in WORKERS}, 0
    for shift in SHIFTS:
        worker = max(WORKERS, key=lambda each: program(dict(shift), dict(each), hours[each["name"]]))
        hours[worker["name"]] += shift["hours"]
        cost += shift["hours"] * worker["wage"] * (1 if shift["skill"] in worker["skills"] else 3)
    return float(cost)


def rated_rooms(program: Callable[..., float]) -> float:
    placed: dict[int, list[str]] = {room: [] for room in range(4)}
    clashes = 0
    for guest in GUESTS:
        room = max(placed, key=lambda each: program(guest, list(placed[each]), CLASHES))
        clashes += sum(other in CLASHES[guest] for other in placed[room])
        placed[room].append(guest)
    return float(clashes)


def rated_songs(program: Callable[..., float]) -> float:
    left, last, cost = list(SONGS), None, 0.0
    while left:
        song = max(left, key=lambda each: program(dict(each), last))
        left.remove(song)
        if last is not None:
            cost += abs(song["bpm"] - last["bpm"]) + 9 * (song["key"] != last["key"])
        last = dict(song)
    return cost


def rated_robot(program: Callable[..., float]) -> float:
    here, visited, steps = (0, 1), [(0, 1)], 0
    for _ in range(30):
        ways = ((-1, 0), (1, 0), (0, 1), (0, -1))
        cells = [(here[0] + down, here[1] + across) for down, across in ways]
        cells = [(row, column) for row, column in cells if min(row, column) >= 0 and max(row, column) < 7]
        cells = [(row, column) for row, column in cells if not WALLS[row][column]]
        here = max(cells, key=lambda each: program(each, (6, 6), list(visited)))
        visited.append(here)
        steps += 1
        if here == (6, 6):
            break
    return float(steps + 5 * (12 - sum(here)))


@pytest.mark.parametrize(
    ("objective", "arguments", "expected"),
    [
        (rated_roster, "shift, worker, hours", {'sum(1 for k in {worker}["skills"] if k == {shift}["skill"])'}),
        (rated_rooms, "guest, members, clashes", {"len(set({members}) & set({clashes}[{guest}]))"}),
        (
            rated_songs,
            "song, last",
            {
                '(abs({song}["bpm"] - {last}["bpm"]) if {last} else 0)',
                '((1 if {song}["key"] == {last}["key"] else 0) if {last} else 0)',
            },
        ),
        (rated_robot, "cell, goal, visited", {"sum(1 for k in {visited} if k == {cell})"}),
    ],
)
def test_what_is_rated_alone_is_told_apart_as_well(objective, arguments: str, expected, tmp_path: Path) -> None:
    task = task_of_function(objective, f"def rate({arguments}):\n    return 0.0\n", tmp_path, objective.__name__)
    assert expected <= set(vocabulary(task).terms)
