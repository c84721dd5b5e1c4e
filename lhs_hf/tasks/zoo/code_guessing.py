"""Code guessing: find hidden codes of letters, guess by guess; each guess is answered as in Mastermind."""

from __future__ import annotations

from collections import Counter

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

MOST_GUESSES = 10
FAILURE = 5


class CodeGuessing(SimpleTask):
    """Solution: the guesses, by their numbers in the list of codes, for one hidden code after the other.

    The guesses for a hidden code end with that code itself, or else with the tenth.
    """

    name = "code_guessing"
    title = "Code guessing with a list of codes"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return the next guess, one of `codes` (a list of strings, all of one length: those not guessed yet). One of "
        "them is the hidden code, each with equal probability before the first guess; a code may have a letter more "
        "than once. `history` is the list of the guesses so far, in order, as tuples (guess, right, misplaced): "
        "`right` is the number of places where the guess has the same letter as the hidden code, `misplaced` the "
        "number of other letters that both have, but at different places, each occurrence counted at most once. The "
        "game ends with the hidden code or after ten guesses, and costs five more if it was not found. All guesses "
        "for several hidden codes, one game each, are to be few."
    )
    template = '''\
def next_guess(codes, history):
    """The first code that agrees with the number of right places of every guess; misplaced letters do not count."""
    for code in codes:
        if all(sum(one == other for one, other in zip(code, guess)) == right for guess, right, _ in history):
            return code
'''
    alternatives = "codes"
    splits = make_splits(
        search={"count": 16, "codes": 50, "length": 4, "letters": "abcdefghij", "hidden": 6, "calls": 28},
        test={"count": 32, "codes": 50, "length": 4, "letters": "abcdefghij", "hidden": 6, "calls": 28},
        holdout={"count": 32, "codes": 70, "length": 5, "letters": "abcdef", "hidden": 6, "calls": 28},
    )
    probe_parameters = {"codes": 26, "length": 4, "letters": "abcdef", "hidden": 3}  # noqa: RUF012
    probe_feature_names = ("agrees", "violations", "parts", "largest_part", "mean_part", "kinds", "new", "place")

    def draw(self, random, codes, length, letters, hidden):
        """Different strings, alike: each is one root in which every letter is drawn anew with a chance of 0.4."""
        size, drawn = len(letters), {}
        root = random.randint(0, size, length)
        while len(drawn) < codes:
            code = np.where(random.rand(length) < 0.4, random.randint(0, size, length), root)
            drawn["".join(letters[letter] for letter in code)] = None
        return {"codes": list(drawn), "hidden": random.randint(0, codes, hidden)}

    def construct(self, program, instance):
        """One call a guess; the program sees a list of strings and one of tuples."""
        codes, solution = instance["codes"], []
        for hidden in instance["hidden"].tolist():
            guesses = []
            while len(guesses) < MOST_GUESSES and hidden not in guesses:
                left = [code for number, code in enumerate(codes) if number not in guesses]
                history = [(codes[guess], *_answer(codes[guess], codes[hidden])) for guess in guesses]
                guesses.append(codes.index(self.ask(program, left, history)))
            solution += guesses
        return solution

    def objective(self, instance, solution):
        """Guesses, and 5 for each code not found. Raises `Infeasible` for repeated, missing or superfluous guesses."""
        left, total = check_ids(solution, len(solution), len(instance["codes"])), len(solution)
        for game, hidden in enumerate(instance["hidden"].tolist()):
            guesses = left[:MOST_GUESSES]
            found = hidden in guesses
            if found:
                guesses = guesses[: guesses.index(hidden) + 1]
            if len(set(guesses)) < len(guesses):
                raise Infeasible(f"a code is guessed twice in game {game}")
            if not found and len(guesses) < MOST_GUESSES:
                raise Infeasible(f"game {game} ends after {len(guesses)} guesses without the hidden code")
            left = left[len(guesses) :]
            total += 0 if found else FAILURE
        if left:
            raise Infeasible(f"{len(left)} guesses follow the last game")
        return float(total)

    def probe_features(self, choices, arguments):
        """Agreement with the answers, parts into which a guess splits what is possible, kinds of letters, new ones."""
        history = arguments["history"]
        violations = [sum(_answer(guess, code) != tuple(told) for guess, *told in history) for code in choices]
        possible = [code for code, wrong in zip(choices, violations) if not wrong]
        known = {letter for guess, _, _ in history for letter in guess}
        rows = []
        for place, (code, wrong) in enumerate(zip(choices, violations)):
            parts = Counter(_answer(code, other) for other in possible).values()
            mean = sum(part**2 for part in parts) / len(possible)
            rows.append((not wrong, wrong, len(parts), max(parts), mean, len({*code}), len({*code} - known), place))
        return np.array(rows, dtype=float)


def _answer(guess, code):
    """Letters in the right place, and letters in common beside these."""
    right = sum(one == other for one, other in zip(guess, code))
    return right, sum((Counter(guess) & Counter(code)).values()) - right


TASK = CodeGuessing()
