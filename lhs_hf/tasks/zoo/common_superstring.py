"""Shortest common superstring: merge two fragments, again and again, until one string is left that holds all."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class CommonSuperstring(SimpleTask):
    """Solution: the strings in the order in which they begin in the result.

    Each overlaps the one before it as far as their letters agree: no string lies within another.
    """

    name = "common_superstring"
    title = "Shortest common superstring, by merging"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the pair (i, j) of fragments to merge next, one of `pairs` (a list of tuples of ids): fragment j is "
        "put behind fragment i. `fragments` is the list of what there is now, `overlaps[i, j]` (an array) the number "
        "of letters that merging i and j saves. In the end one string is left; it is to be short."
    )
    template = '''\
def merge_pair(fragments, pairs, overlaps):
    """The first pair that overlaps at all."""
    return next((pair for pair in pairs if overlaps[pair] > 0), pairs[0])
'''
    alternatives = "pairs"
    splits = make_splits(
        search={"count": 16, "strings": 22, "letters": "01", "calls": 21},
        test={"count": 32, "strings": 22, "letters": "01", "calls": 21},
        holdout={"count": 32, "strings": 28, "letters": "abc", "calls": 27},
    )
    probe_parameters = {"strings": 6, "letters": "01"}  # noqa: RUF012
    probe_feature_names = ("overlap", "row_excess", "column_excess", "length_i", "length_j", "reverse", "i", "j")

    def draw(self, random, strings, letters):
        """A list of strings of 6 to 9 letters, none within another."""
        drawn = []
        while len(drawn) < strings:
            text = "".join(letters[letter] for letter in random.randint(0, len(letters), random.randint(6, 10)))
            if not any(text in other or other in text for other in drawn):
                drawn.append(text)
        return drawn

    def construct(self, program, strings):
        """One call a merge; the last one is forced but for its direction. The merged fragment takes the id of i."""
        overlaps, chains, fragments = _overlaps(strings), [[number] for number in range(len(strings))], list(strings)
        while len(chains) > 1:
            count = len(chains)
            saved = np.array([[overlaps[first[-1]][then[0]] for then in chains] for first in chains])
            np.fill_diagonal(saved, 0)
            pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
            i, j = self.ask(program, list(fragments), pairs, saved.copy())
            fragments[i] += fragments[j][saved[i, j] :]
            chains[i] += chains[j]
            del fragments[j], chains[j]
        return chains[0]

    def objective(self, strings, solution):
        """Length of the result. Raises `Infeasible` unless each string is in the order once."""
        order, overlaps = check_permutation(solution, len(strings)), _overlaps(strings)
        saved = sum(overlaps[order[place - 1]][order[place]] for place in range(1, len(order)))
        return float(sum(len(text) for text in strings) - saved)

    def probe_features(self, choices, arguments):
        """Overlap, how far it is above the best other one of row and column, lengths, the reverse overlap, ids."""
        fragments, overlaps = arguments["fragments"], arguments["overlaps"]
        rows = []
        for i, j in choices:
            row, column = np.delete(overlaps[i], [i, j]), np.delete(overlaps[:, j], [i, j])
            here = overlaps[i, j]
            excess = here - row.max(initial=0), here - column.max(initial=0)
            rows.append((here, *excess, len(fragments[i]), len(fragments[j]), overlaps[j, i], i, j))
        return np.array(rows, dtype=float)


def _overlaps(strings):
    return [[_overlap(first, then) for then in strings] for first in strings]


def _overlap(first, then):
    """Letters at the end of `first` that `then` begins with, fewer than either has."""
    longest = min(len(first), len(then)) - 1
    return next((size for size in range(longest, 0, -1) if first.endswith(then[:size])), 0)


TASK = CommonSuperstring()
