"""Cutting stock: ordered pieces are sawn, cut by cut, from bars of several lengths; little of them is to be wasted."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, make_splits


class CuttingStock(SimpleTask):
    """Solution: a row for each bar, namely its stock length (by number) and how often each ordered length is cut.

    Every cut loses the width of the saw blade, but for a last piece that is as long as what is left of the bar, or
    shorter by less than this width.
    """

    name = "cutting_stock"
    title = "Cutting stock with several bar lengths, cut by cut"
    sense = "min"
    problem_class = "packing"
    description = (
        "Return the cut to make next, one of `cuts`: pairs (piece, bar) of the length of a piece and the length of the "
        "bar it is cut from, in ascending order. A bar is one of `offcuts` (a list of what is left of bars in use, "
        "where some piece fits) or a new one of a length in `stock_lengths` (a list, ascending; each holds any piece, "
        "there are always enough of them); if both have this length, the offcut is taken. `missing` maps each length "
        "of a piece to the number still to be cut. A cut leaves bar - piece - `saw_width` of the bar, at least 0. The "
        "total length of all bars in use, less that of the pieces, is to be small when nothing is missing."
    )
    template = '''\
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The shortest piece, from the shortest bar that is long enough."""
    return cuts[0]
'''
    alternatives = "cuts"
    splits = make_splits(
        search={"count": 16, "lengths": 8, "pieces": 36, "kinds": 3, "calls": 36},
        test={"count": 32, "lengths": 8, "pieces": 36, "kinds": 3, "calls": 36},
        holdout={"count": 32, "lengths": 12, "pieces": 54, "kinds": 2, "calls": 54},
    )
    probe_parameters = {"lengths": 6, "pieces": 14, "kinds": 3}  # noqa: RUF012
    probe_feature_names = ("piece", "bar", "rest", "new_bar", "filled_share", "missing", "rest_after_next", "exact")

    def draw(self, random, lengths, pieces, kinds):
        """Pieces of 40 to 250, each length at least once; bars of 300 to 700: int64, ascending; saw width 2 to 6."""
        return {
            "lengths": np.sort(random.choice(np.arange(40, 251), lengths, replace=False)),
            "counts": 1 + random.multinomial(pieces - lengths, np.full(lengths, 1 / lengths)),
            "stock": np.sort(random.choice(np.arange(300, 701), kinds, replace=False)),
            "saw": random.randint(2, 7),
        }

    def construct(self, program, instance):
        """One call a piece; the program sees lists and dictionaries of Python ints."""
        lengths, stock, saw = instance["lengths"].tolist(), instance["stock"].tolist(), instance["saw"]
        left, rests, rows = dict(zip(lengths, instance["counts"].tolist())), [], []
        while any(left.values()):
            missing = {piece: number for piece, number in left.items() if number}
            offcuts = sorted(rest for rest in rests if rest >= min(missing))
            bars = sorted({*offcuts, *stock})
            cuts = [(piece, bar) for piece in missing for bar in bars if bar >= piece]
            piece, bar = self.ask(program, cuts, missing, offcuts, list(stock), saw)
            if bar not in rests:
                rests.append(bar)
                rows.append([stock.index(bar), *[0] * len(lengths)])
            place = rests.index(bar)
            rests[place] = max(0, bar - piece - saw)
            rows[place][1 + lengths.index(piece)] += 1
            left[piece] -= 1
        return [entry for row in rows for entry in row]

    def objective(self, instance, solution):
        """Length wasted. Raises `Infeasible` for a bar that is too short and for pieces too few or too many."""
        lengths, stock, width = instance["lengths"].tolist(), instance["stock"].tolist(), 1 + len(instance["lengths"])
        if len(solution) % width:
            raise Infeasible(f"{len(solution)} entries are no rows of {width}")
        made, waste = [0] * len(lengths), 0
        for bar, (kind, *counts) in enumerate(solution.reshape(-1, width).tolist()):
            if not 0 <= kind < len(stock):
                raise Infeasible(f"bar {bar} is of the stock length {kind}, expected 0 to {len(stock) - 1}")
            if min(counts) < 0 or max(counts) == 0:
                raise Infeasible(f"bar {bar} has a negative number of pieces or none at all")
            used = sum(count * length for count, length in zip(counts, lengths))
            sawn = used + instance["saw"] * (sum(counts) - 1)
            if sawn > stock[kind]:
                raise Infeasible(f"bar {bar} needs a length of {sawn}, it has {stock[kind]}")
            made = [before + count for before, count in zip(made, counts)]
            waste += stock[kind] - used
        for length, count, ordered in zip(lengths, made, instance["counts"].tolist()):
            if count != ordered:
                raise Infeasible(f"length {length} is cut {count} times, ordered {ordered} times")
        return float(waste)

    def probe_features(self, choices, arguments):
        """Lengths, what is left and its share, new bar or not, pieces missing, what the best next piece would leave."""
        saw, missing = arguments["saw_width"], arguments["missing"]
        rows = []
        for piece, bar in choices:
            rest = max(0, bar - piece - saw)
            after = min([rest - other for other in missing if other <= rest], default=rest)
            new = bar not in arguments["offcuts"]
            rows.append((piece, bar, rest, new, piece / bar, missing[piece], after, bar - piece <= saw))
        return np.array(rows, dtype=float)


TASK = CuttingStock()
