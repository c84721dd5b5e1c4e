"""Shelf packing: cut rectangles from sheets of bounded size, side by side on shelves; little height is to be used."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class ShelfPacking(SimpleTask):
    """Solution: the shelf of each rectangle. Shelves lie, in ascending order, on the first sheet with the height left.

    A shelf is as high as its highest rectangle; rectangles are not turned. A cut sheet counts with its whole height,
    but for the one with the least height in use: that one counts with the height of its shelves alone.
    """

    name = "shelf_packing"
    title = "Shelf packing on bounded sheets, constructive"
    sense = "min"
    problem_class = "packing"
    description = (
        "Return what to pack next, one of `options`: pairs (rectangle, shelf); shelf -1 is a new shelf as high as "
        "the rectangle, on the first sheet with that much height left. `widths` and `heights` are those of all "
        "rectangles, `shelf_room` and `shelf_heights` the free width and the height of each shelf, `sheet_room` the "
        "height left on each sheet of `sheet_size` (width, height). As few sheets as possible are to be cut, and of "
        "the one that is used least as little height as possible."
    )
    template = '''\
def pack_next(options, widths, heights, shelf_room, shelf_heights, sheet_room, sheet_size):
    """The first rectangle that waits, on the first shelf that can hold it."""
    return options[0]
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 16, "rectangles": 24, "width": 100, "height": 80, "calls": 24},
        test={"count": 32, "rectangles": 24, "width": 100, "height": 80, "calls": 24},
        holdout={"count": 32, "rectangles": 34, "width": 120, "height": 90, "calls": 34},
    )
    probe_parameters = {"rectangles": 14, "width": 60, "height": 50}  # noqa: RUF012

    def draw(self, random, rectangles, width, height):
        """Sides from an eighth to six tenths of the sheet's: widths and heights int64 (rectangles,), sheet's size."""
        return {
            "widths": random.randint(width // 8, 6 * width // 10 + 1, rectangles),
            "heights": random.randint(height // 8, 6 * height // 10 + 1, rectangles),
            "sheet": (width, height),
        }

    def construct(self, program, instance):
        """One call a rectangle; the program sees lists of Python ints."""
        widths, heights = instance["widths"].tolist(), instance["heights"].tolist()
        width, height = instance["sheet"]
        waiting, shelf_of = list(range(len(widths))), [-1] * len(widths)
        room, levels, sheets = [], [], []
        while waiting:
            options = []
            for item in waiting:
                fits = [s for s, high in enumerate(levels) if heights[item] <= high and widths[item] <= room[s]]
                options += [(item, shelf) for shelf in [*fits, -1]]
            state = [list(each) for each in (widths, heights, room, levels, sheets)]
            item, shelf = self.ask(program, options, *state, (width, height))
            if shelf < 0:
                shelf = len(room)
                room.append(width)
                levels.append(heights[item])
                _add_shelf(sheets, heights[item], height)
            room[shelf] -= widths[item]
            shelf_of[item] = shelf
            waiting.remove(item)
        return shelf_of

    def objective(self, instance, solution):
        """Height that counts. Raises `Infeasible` if the rectangles of a shelf are wider than the sheet."""
        count, (width, height) = len(instance["widths"]), instance["sheet"]
        shelf_of = np.array(check_ids(solution, count, count))
        sheets = []
        for shelf in np.unique(shelf_of):
            used = int(instance["widths"][shelf_of == shelf].sum())
            if used > width:
                raise Infeasible(f"shelf {shelf} is {used} wide, the sheet {width}")
            _add_shelf(sheets, int(instance["heights"][shelf_of == shelf].max()), height)
        return float(len(sheets) * height - max(sheets))

    def probe_features(self, choices, arguments):
        """Size, new shelf or not, width left on the shelf, height wasted above, height left on the fullest sheet."""
        widths, heights, (width, _) = arguments["widths"], arguments["heights"], arguments["sheet_size"]
        rows = []
        for item, shelf in choices:
            room = arguments["shelf_room"][shelf] if shelf >= 0 else width
            level = arguments["shelf_heights"][shelf] if shelf >= 0 else heights[item]
            gaps = [left - level for left in arguments["sheet_room"] if left >= level]
            left = gaps[0] if shelf < 0 and gaps else -1
            rows.append((widths[item], heights[item], shelf < 0, room - widths[item], level - heights[item], left))
        return np.array(rows, dtype=float)


def _add_shelf(sheets, level, height):
    """Take a shelf's height from the first sheet that has it left, or from a new one."""
    place = next((number for number, left in enumerate(sheets) if left >= level), len(sheets))
    if place == len(sheets):
        sheets.append(height)
    sheets[place] -= level


TASK = ShelfPacking()
