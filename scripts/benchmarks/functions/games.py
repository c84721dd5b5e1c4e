"""Two games for one player."""

import random
from collections import Counter

from .made import Made


def merge_game() -> Made:
    """A hobbyist's game of 2048: the next move, one of the legal words; the objective prints."""

    def slide(row):
        tiles = [v for v in row if v]
        out, gained, k = [], 0, 0
        while k < len(tiles):
            if k + 1 < len(tiles) and tiles[k] == tiles[k + 1]:
                out.append(2 * tiles[k])
                gained += 2 * tiles[k]
                k += 2
            else:
                out.append(tiles[k])
                k += 1
        return out + [0] * (len(row) - len(out)), gained

    def move(board, word):
        turned = [list(c) for c in zip(*board)] if word in ("up", "down") else [list(r) for r in board]
        if word in ("down", "right"):
            turned = [r[::-1] for r in turned]
        rows, gained = [], 0
        for row in turned:
            row, g = slide(row)
            rows.append(row)
            gained += g
        if word in ("down", "right"):
            rows = [r[::-1] for r in rows]
        if word in ("up", "down"):
            rows = [list(c) for c in zip(*rows)]
        return rows, gained

    def objective(play):
        scores = []
        for seed in range(12):
            rnd = random.Random(seed)
            board = [[0] * 4 for _ in range(4)]
            board[rnd.randrange(4)][rnd.randrange(4)] = 2
            score = 0
            for _ in range(250):
                legal = [w for w in ("left", "right", "up", "down") if move(board, w)[0] != board]
                if not legal:
                    break
                word = play([r[:] for r in board], legal)
                if word not in legal:
                    raise ValueError("illegal move " + str(word))
                board, gained = move(board, word)
                score += gained
                empty = [(r, c) for r in range(4) for c in range(4) if not board[r][c]]
                r, c = rnd.choice(empty)
                board[r][c] = 4 if rnd.random() < 0.1 else 2
            scores.append(score)
        print("games:", scores)
        return sum(scores) / len(scores)

    template = """
import random

def play(board, legal):
    if "up" in legal and board[0][0] == 0:
        return "up"
    for word in ("left", "right", "up", "down"):
        if word in legal:
            return word
"""
    return objective, template, "max"


def word_guess() -> Made:
    """A fan of word puzzles: the next guess, a word of those that are still possible."""
    rnd = random.Random(16)
    vocabulary = set()
    while len(vocabulary) < 350:
        vocabulary.add(
            "".join(
                rnd.choice("bcdfglmnprst" if c == "C" else "aeiou")
                for c in rnd.choice(["CVCVC", "CVCCV", "CCVCV", "VCCVC"])
            )
        )
    vocabulary = sorted(vocabulary)
    rnd.shuffle(vocabulary)
    secrets = vocabulary[::7]

    def colours(guess, secret):
        out, left = ["-"] * 5, Counter()
        for k in range(5):
            if guess[k] == secret[k]:
                out[k] = "G"
            else:
                left[secret[k]] += 1
        for k in range(5):
            if out[k] == "-" and left[guess[k]]:
                left[guess[k]] -= 1
                out[k] = "Y"
        return "".join(out)

    def objective(guess_word):
        guesses = 0
        for secret in secrets:
            possible, tried = list(vocabulary), []
            for _ in range(12):
                word = guess_word(list(possible), tuple(tried))
                if word not in vocabulary:
                    raise ValueError("not in the dictionary")
                guesses += 1
                if word == secret:
                    break
                seen = colours(word, secret)
                tried.append((word, seen))
                possible = [w for w in possible if w != word and colours(word, w) == seen]
            else:
                guesses += 5
        return guesses / len(secrets)

    template = """
def guess_word(possible, tried):
    return possible[0]
"""
    return objective, template, "min"
