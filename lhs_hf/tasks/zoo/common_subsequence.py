"""Longest common subsequence of several strings, written letter by letter from the front."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class CommonSubsequence(SimpleTask):
    """Solution: the letters written, as their numbers in the alphabet."""

    name = "common_subsequence"
    title = "Longest common subsequence of several strings"
    sense = "max"
    problem_class = "packing"
    description = (
        "Return the priority of `letter` as the next one of a common subsequence of some strings; of the letters that "
        "all of them still have the one of the highest priority is written. `passed[k]` is how many letters of string "
        "k are passed over to get to its next `letter`, `suffixes[k]` what string k then still has behind it, and "
        "`written` all that is written so far. In the end the subsequence is to be long."
    )
    template = '''\
def rate_letter(letter, passed, suffixes, written):
    """The next letter of the first string."""
    return -passed[0]
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "strings": 6, "length": 50, "alphabet": "acgt", "calls": 50},
        test={"count": 32, "strings": 6, "length": 50, "alphabet": "acgt", "calls": 50},
        holdout={"count": 32, "strings": 10, "length": 80, "alphabet": "abcdef", "calls": 65},
    )
    probe_parameters = {"strings": 5, "length": 36, "alphabet": "abcdefg"}  # noqa: RUF012
    probe_feature_names = ("passed_sum", "passed_most", "shortest", "squares", "least_variety", "least_again", "first")

    def draw(self, random, strings, length, alphabet):
        """Strings of `length` letters: each some letters of a hidden one, in order, among as many random ones.

        The hidden string has half as many letters again as a string takes from it.
        """
        size, kept = len(alphabet), length // 2
        hidden = random.randint(0, size, 3 * kept // 2)
        texts = []
        for _ in range(strings):
            numbers = random.randint(0, size, length)
            places = np.sort(random.permutation(length)[:kept])
            numbers[places] = hidden[np.sort(random.permutation(len(hidden))[:kept])]
            texts.append("".join(alphabet[number] for number in numbers.tolist()))
        return {"alphabet": alphabet, "strings": texts}

    def construct(self, program, instance):
        """One decision a letter wherever several are possible, one call for each; the program sees lists of its own."""
        alphabet, rests, written = instance["alphabet"], instance["strings"], ""
        while True:
            calls = []
            for letter in alphabet:
                passed = [rest.find(letter) for rest in rests]
                if min(passed) >= 0:
                    calls.append((letter, passed, [rest[at + 1 :] for rest, at in zip(rests, passed)], written))
            if not calls:
                return [alphabet.index(letter) for letter in written]
            given = [(letter, list(passed), list(suffixes), written) for letter, passed, suffixes, _ in calls]
            letter, _, rests, _ = calls[self.ask_each(program, given) if len(calls) > 1 else 0]
            written += letter

    def objective(self, instance, solution):
        """Number of letters. Raises `Infeasible` unless they are, in this order, in every string."""
        alphabet, strings = instance["alphabet"], instance["strings"]
        shortest = min(len(text) for text in strings)
        if len(solution) > shortest:
            raise Infeasible(f"{len(solution)} letters are written, the shortest string has {shortest}")
        letters = [alphabet[number] for number in check_ids(solution, len(solution), len(alphabet))]
        for number, text in enumerate(strings):
            rest = text
            for place, letter in enumerate(letters):
                if letter not in rest:
                    raise Infeasible(f"string {number} lacks letter {place}, {letter}, behind those before it")
                rest = rest[rest.index(letter) + 1 :]
        return float(len(letters))

    def probe_features(self, choices, arguments):
        """Letters passed over, length and variety of suffixes, how often the letter comes again, first string."""
        rows = []
        for letter, passed, suffixes, _ in choices:
            squares = sum(count * count for count in passed)
            variety = min(len(set(suffix)) for suffix in suffixes)
            again = min(suffix.count(letter) for suffix in suffixes)
            shortest = min(len(suffix) for suffix in suffixes)
            rows.append((sum(passed), max(passed), shortest, squares, variety, again, passed[0]))
        return np.array(rows, dtype=float)


TASK = CommonSubsequence()
