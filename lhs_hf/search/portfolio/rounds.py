"""How many children a round has, and which share of the decoder calls goes where."""

ROUND, EXACT_ROUND = 8, 4
"""Children of a round; fewer where each costs a whole evaluation: a round begins with what the last one found."""
LATENTS_FIRST = 1.0
"""Share of the decoder calls that a search from the reference alone may spend before it edits what they bring, ..."""
LATENTS_BEFORE_PLAY = 0.6
"""... and where programs can play on: what these gain needs instance runs, too."""
LATENTS_ROUND = 20
"""Points of a round of latents alone, and the best programs that they start from: as many as differ in what they cost.

The pool of the race is narrower: who is worse than the incumbent beyond noise is not in it.
"""
STRANGERS_FIRST = 0.2
"""Share of the decoder calls where nothing is known of the task: what is decoded for it fails more often than not."""
STRANGERS_ROUND, EXACT_POINTS = 0.1, 0.05
"""Share of them for a round of such points, and where each program costs a whole evaluation."""
STARTS_DROP = 0.1
"""A program of one's own is out with one-sided p below this: of edits there are many, of these only a few."""
LATENTS_DROP = 0.02
"""A point of a round of latents alone is: the next ones start from the best, which only many instances tell."""


def latents_first(familiar: bool, plays: bool) -> float:
    """Share of the decoder calls for rounds of latents alone: of a familiar task or not, with programs that play on."""
    if not familiar:
        return STRANGERS_FIRST
    return LATENTS_BEFORE_PLAY if plays else LATENTS_FIRST
