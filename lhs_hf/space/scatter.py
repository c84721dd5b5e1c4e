"""Predicted against true ranks of a search's programs, as a picture of which each mark can be opened."""

from __future__ import annotations

import html

from .candidates import correlation, standings
from .drawing import number
from .run import Run

SIZE, LEFT, TOP, RIGHT, BOTTOM = 340, 46, 12, 14, 44


def ranks(run: Run | None) -> str:
    """Each program at its predicted rank (across) and its true rank (down, 1 on top), with the rank correlation."""
    places = standings(run) if run is not None else {}
    agreed = correlation(run)
    if run is None or agreed is None:
        return '<p class="lhs-box lhs-note">Ranks are compared once three programs have a predicted and a true one.</p>'
    spearman, count = agreed
    what = "of the programs, encoded again" if run.raced else "of the points that were decoded"
    label = (
        f"Predicted rank {what} against the true rank of {count} programs: rank correlation {spearman:+.2f}. "
        "Arrow keys go from program to program, Enter opens one."
    )
    last = max(2, count)

    def place(rank: int, start: float, end: float) -> float:
        return start + (end - start) * (rank - 1) / (last - 1)

    right, low = SIZE - RIGHT, SIZE - BOTTOM
    parts = [
        f'<svg class="lhs-svg lhs-square" viewBox="0 0 {SIZE} {SIZE}" role="application" tabindex="0" '
        f'aria-label="{html.escape(label, quote=True)}">',
        f'<line class="lhs-axis" x1="{LEFT}" y1="{low}" x2="{right}" y2="{low}"/>',
        f'<line class="lhs-axis" x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{low}"/>',
        f'<line class="lhs-line lhs-reference" x1="{LEFT}" y1="{TOP}" x2="{right}" y2="{low}"/>',
        f'<text class="lhs-quiet" x="{(LEFT + right) / 2}" y="{SIZE - 6}" text-anchor="middle">predicted rank</text>',
        f'<text class="lhs-quiet" transform="translate(12 {(TOP + low) / 2}) rotate(-90)" text-anchor="middle">'
        "true rank</text>",
    ]
    for rank in (1, last):
        parts.append(
            f'<text x="{place(rank, LEFT, right):.1f}" y="{low + 16}" text-anchor="middle">{rank}</text>'
            f'<text x="{LEFT - 6}" y="{place(rank, TOP, low) + 4:.1f}" text-anchor="end">{rank}</text>'
        )
    for candidate in sorted(places, key=lambda each: places[each].true, reverse=True):
        standing = places[candidate]
        note = f"candidate {candidate}: predicted {standing.predicted}, true {standing.true}, "
        note += f"objective {number(run.candidates[candidate].objective)}"
        parts.append(
            f'<circle class="lhs-mark" data-row="{candidate}" data-says="{html.escape(note, quote=True)}" '
            f'cx="{place(standing.predicted, LEFT, right):.1f}" cy="{place(standing.true, TOP, low):.1f}" r="5">'
            f"<title>{html.escape(note)}</title></circle>"
        )
    return (
        f'<figure class="lhs-ranks">{"".join(parts)}</svg><figcaption>Rank correlation <b>{spearman:+.2f}</b> over '
        f"{count} programs: the order that the surrogate predicts {what} against the one that the instances give. "
        "On the dashed line both agree.</figcaption></figure>"
    )
