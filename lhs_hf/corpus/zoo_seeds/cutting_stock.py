"""Seed programs for `cutting_stock`: one complete program a cell, named after its idea."""

# %% random_cut
import random


def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Any cut, from a generator seeded with what is missing and what is left of bars."""
    return random.Random(31 * sum(missing.values()) + 7 * sum(missing) + sum(offcuts)).choice(cuts)


# %% longest_bar_shortest_piece
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The wrong way round: the longest bar there is, a new one as a rule, is spoiled by the shortest piece."""
    return max(cuts, key=lambda cut: (cut[1], -cut[0]))


# %% longest_piece_shortest_bar
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The longest piece, from the shortest bar in which it fits."""
    return max(cuts, key=lambda cut: (cut[0], -cut[1]))


# %% longest_piece_offcut_first
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The longest piece from the shortest offcut in which it fits; only without one from the longest new bar."""
    piece = max(missing)
    fitting = [bar for bar in offcuts if bar >= piece]
    return piece, fitting[0] if fitting else stock_lengths[-1]


# %% longest_piece_from_worst_fit
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The longest piece from the longest offcut, so that what is left stays useful; new bars are the shortest."""
    piece = max(missing)
    if offcuts and offcuts[-1] >= piece:
        return piece, offcuts[-1]
    return piece, next(bar for bar in stock_lengths if bar >= piece)


# %% least_rest
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The cut that leaves least of an offcut; without offcuts the cut that leaves most of a new bar."""
    if offcuts:
        return min((cut for cut in cuts if cut[1] in offcuts), key=lambda cut: cut[1] - cut[0])
    return max(cuts, key=lambda cut: cut[1] - cut[0])


# %% long_pieces_on_new_bars
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """A new bar begins with the longest piece; an offcut is filled by what completes it, or the shortest."""
    if not offcuts:
        return max(missing), stock_lengths[-1]
    bar = offcuts[-1]
    fitting = [piece for piece in missing if piece <= bar]
    complete = [piece for piece in fitting if bar - piece - saw_width < min(missing)]
    return max(complete, default=min(fitting)), bar


# %% bar_filled_best_by_decreasing_lengths
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Fill each bar by decreasing lengths: the offcut, or else the new bar, with the smallest share left begins."""

    def share_left(bar):
        rest = bar
        for piece in sorted(missing, reverse=True):
            number = min(missing[piece], (rest + saw_width) // (piece + saw_width))
            rest = max(0, rest - number * (piece + saw_width))
        return rest / bar

    bar = min(offcuts or stock_lengths, key=share_left)
    return max(piece for piece in missing if piece <= bar), bar


# %% most_wanted_piece
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The length of which most pieces are missing, from the bar in which it fits most tightly."""
    piece = max(missing, key=lambda length: (missing[length], length))
    return min((cut for cut in cuts if cut[0] == piece), key=lambda cut: cut[1])


# %% most_material_missing
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The length with the most material missing, number times length, from an offcut or else the longest bar."""
    piece = max(missing, key=lambda length: missing[length] * length)
    bars = [bar for bar in offcuts if bar >= piece]
    return piece, min(bars) if bars else max(stock_lengths)


# %% bar_of_equal_pieces
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Divide a bar into equal pieces: the cut whose piece, repeated while it is missing, leaves the smallest share."""

    def share_left(cut):
        piece, bar = cut
        number = min(missing[piece], (bar + saw_width) // (piece + saw_width))
        return (bar - number * piece) / bar, -piece

    return min(cuts, key=share_left)


# %% two_cuts_ahead
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The least left of an offcut, or else of a new bar, after this cut and the best next one from it."""

    def left(cut):
        piece, bar = cut
        rest = max(0, bar - piece - saw_width)
        seconds = [other for other in missing if other <= rest and missing[other] > (other == piece)]
        return rest - max(seconds, default=0), -piece

    return min((cut for cut in cuts if cut[1] in (offcuts or stock_lengths)), key=left)


# %% exact_rests
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """The longest piece that leaves nothing, or room for one or two further pieces with less than five to spare."""
    ends = [0, *missing, *(one + other + saw_width for one in missing for other in missing)]
    exact = []
    for piece, bar in cuts:
        rest = max(0, bar - piece - saw_width)
        if any(0 <= rest - end < 5 for end in ends):
            exact.append((bar in offcuts, piece, -bar))
    if exact:
        _, piece, bar = max(exact)
        return piece, -bar
    return max(cuts, key=lambda cut: (cut[0], cut[1] in offcuts, cut[1]))


# %% fullest_bar
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Subset sums say how full each bar gets: a piece of the least waste, from an offcut rather than a new bar."""
    longest = max(bar for _, bar in cuts) + saw_width
    reached = {0: ()}
    for piece in sorted(missing, reverse=True):
        for _ in range(missing[piece]):
            for length, pattern in list(reached.items()):
                if length + piece + saw_width <= longest:
                    reached.setdefault(length + piece + saw_width, (*pattern, piece))
    best, least = None, (longest, True)
    for bar in (*offcuts, *stock_lengths):
        used = max(length for length in reached if length <= bar + saw_width)
        waste = (bar + saw_width - used, bar not in offcuts)
        if used and waste < least:
            best, least = (reached[used][0], bar), waste
    return best


# %% offcut_patterns_then_best_new_bar
from itertools import combinations_with_replacement


def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Finish the shortest offcut by the fullest pattern of up to four pieces; if there is none, the fullest new bar."""
    lengths = sorted(missing, reverse=True)
    best, least = None, 10**9
    for bar in offcuts[:1] or stock_lengths:
        for number in range(1, 5):
            for pattern in combinations_with_replacement(lengths, number):
                rest = bar - sum(pattern) - saw_width * (number - 1)
                if 0 <= rest < least and all(pattern.count(piece) <= missing[piece] for piece in pattern):
                    best, least = (pattern[0], bar), rest
    return best or cuts[0]


# %% priced_patterns
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Knapsacks at prices that favour long and often missing pieces; the bar with the best price for its length."""
    price = {piece: piece * (1 + piece / 2500 + missing[piece] / 150) for piece in missing}
    longest = max(bar for _, bar in cuts) + saw_width
    value, pattern = [0.0] * (longest + 1), [()] * (longest + 1)
    for piece, number in sorted(missing.items(), reverse=True):
        size = piece + saw_width
        for _ in range(number):
            for room in range(longest, size - 1, -1):
                if value[room - size] + price[piece] > value[room]:
                    value[room] = value[room - size] + price[piece]
                    pattern[room] = (*pattern[room - size], piece)
    # Offcuts are paid already.
    bars = [(bar, 0.9) for bar in offcuts] + [(bar, 1.0) for bar in stock_lengths]
    bar, _ = max(bars, key=lambda each: value[each[0] + saw_width] / (each[0] * each[1]))
    return max(pattern[bar + saw_width]), bar


# %% finish_by_decreasing_lengths
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """Try the cuts of the longest four pieces, finish each by longest piece and shortest bar; the least new length."""

    def new_length(cut):
        counts, rests, total = dict(missing), list(offcuts), 0
        plan = [length for length in sorted(counts, reverse=True) for _ in range(counts[length])]
        plan.remove(cut[0])
        for step, piece in enumerate([cut[0], *plan]):
            bar = cut[1] if step == 0 else min(b for b in (*rests, *stock_lengths) if b >= piece)
            if bar in rests:
                rests.remove(bar)
            else:
                total += bar
            rests.append(max(0, bar - piece - saw_width))
        return total, -cut[0], cut[1]

    longest = sorted(missing)[-4:]
    return min((cut for cut in cuts if cut[0] in longest), key=new_length)


# %% finish_by_fullest_bars
def choose_cut(cuts, missing, offcuts, stock_lengths, saw_width):
    """A piece of the fullest pattern in an offcut; a new bar is of the length that would be best for all pieces."""

    def fullest(bar, counts):
        reached = {-saw_width: ()}
        for piece in sorted(counts, reverse=True):
            for used, pattern in list(reached.items()):
                for number in range(1, counts[piece] + 1):
                    total = used + number * (piece + saw_width)
                    if total > bar:
                        break
                    reached.setdefault(total, (*pattern, *[piece] * number))
        return reached[max(reached)]

    def total_length(bar):
        counts, total = dict(missing), 0
        while any(counts.values()):
            for piece in fullest(bar, counts):
                counts[piece] -= 1
            total += bar
        return total

    bar = offcuts[0] if offcuts else min(stock_lengths, key=total_length)
    return fullest(bar, missing)[0], bar
