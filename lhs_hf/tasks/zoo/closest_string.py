"""Closest string: write a string, letter by letter, that differs from none of the given ones in many places."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class ClosestString(SimpleTask):
    """Solution: the letter at each place, as its number in the alphabet."""

    name = "closest_string"
    title = "Closest string, letter by letter"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return a list with one score for each of `letters`; the letter of the highest score is put at "
        "place `position`. `strings` are the given strings, all of one length, and `distances[k]` is the number of "
        "places before `position` at which string k differs from what is written. The largest distance of all strings "
        "at the end is to be small."
    )
    template = '''\
def score_letters(letters, position, strings, distances):
    """How many strings have the letter at this place."""
    return [sum(text[position] == letter for text in strings) for letter in letters]
'''
    answers = "scores"
    alternatives = "letters"
    splits = make_splits(
        search={"count": 24, "strings": 12, "length": 40, "alphabet": "acgt", "calls": 40},
        test={"count": 48, "strings": 12, "length": 40, "alphabet": "acgt", "calls": 40},
        holdout={"count": 48, "strings": 16, "length": 60, "alphabet": "abcdef", "calls": 60},
    )
    probe_parameters = {"strings": 9, "length": 24, "alphabet": "abcdefgh"}  # noqa: RUF012
    probe_feature_names = ("count", "count_at_worst", "distance_sum", "distance_squares", "count_later", "letter")

    def draw(self, random, strings, length, alphabet):
        """Random strings over the alphabet; at each place one letter is drawn with three times the weight of others."""
        size = len(alphabet)
        numbers = random.randint(0, size, (strings, length))
        common = random.randint(0, size, length)
        likely = random.rand(strings, length) < 2 / (size + 2)
        rows = np.where(likely, common, numbers).tolist()
        return {"alphabet": alphabet, "strings": ["".join(alphabet[number] for number in row) for row in rows]}

    def construct(self, program, instance):
        """One call a place."""
        alphabet, strings = instance["alphabet"], instance["strings"]
        distances, solution = [0] * len(strings), []
        for position in range(len(strings[0])):
            letter = self.ask(program, list(alphabet), position, list(strings), list(distances))
            distances = [far + (text[position] != letter) for far, text in zip(distances, strings)]
            solution.append(alphabet.index(letter))
        return solution

    def objective(self, instance, solution):
        """Largest Hamming distance. Raises `Infeasible` unless there is one letter of the alphabet for each place."""
        alphabet, strings = instance["alphabet"], instance["strings"]
        written = "".join(alphabet[number] for number in check_ids(solution, len(strings[0]), len(alphabet)))
        return float(max(sum(one != other for one, other in zip(text, written)) for text in strings))

    def probe_features(self, choices, arguments):
        """Strings with the letter here: all, the worst ones, by distance; how often it comes later."""
        position, strings = arguments["position"], arguments["strings"]
        distances = np.array(arguments["distances"])
        rows = []
        for number, letter in enumerate(choices):
            here = np.array([text[position] == letter for text in strings])
            worst = (here & (distances == distances.max())).sum()
            later = sum(text[position + 1 :].count(letter) for text in strings)
            rows.append((here.sum(), worst, distances[here].sum(), (distances[here] ** 2).sum(), later, number))
        return np.array(rows, dtype=float)


TASK = ClosestString()
