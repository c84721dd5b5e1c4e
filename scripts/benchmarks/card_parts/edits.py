"""What a card says of edits: of the editor, and of all ways from a program to a child."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lhs_hf.reporting.run_report import markdown_table

WAYS = {
    "edit": "an edit of the tree",
    "screened": "the best of 4 such edits by the surrogate",
    "gradient": "a whole program, decoded where the gradient leads",
    "random": "a whole program, decoded as far away in a random direction",
    "editor_scored": "of what the editor writes, the best by the surrogate",
    "editor": "of what it writes, the farthest along the gradient",
    "editor_random": "of what it writes, the farthest along a random direction",
}
PAIRS = (
    ("gradient", "random"),
    ("editor", "editor_random"),
    ("editor_scored", "editor"),
    ("screened", "edit"),
    ("screened", "gradient"),
)


def editor_text(content: Mapping[str, Any]) -> str:
    """The likelihood of held-out edits, and how often the right child is written."""
    everything, short = content["nll"]["all"], content["nll"]["up to 24 actions, 256 tokens"]
    rows = [
        [
            what,
            str(figures["edits"]),
            *(f"{figures[target]:.1f}" for target in ("right", "none", "random")),
            f"{100 * figures['explained_of_none']:.0f} %",
        ]
        for what, figures in (("all", everything), ("as long as those trained on", short))
    ]
    header = ["held-out edits", "number", "right child", "no target", "another program", "explained"]
    children = content["children"]
    return (
        "Nats of an edit of a program of a validation family, told the latent of the child, nothing, or the latent of "
        "another program; *explained*: what the right latent saves of them.\n\n"
        f"{markdown_table(header, rows).rstrip()}\n\n"
        f"Told the latent of the right child, that child is among the five likeliest of {children['sampled']:.0f} "
        f"samples for {100 * children['top5_likely']:.0f} % of held-out edits."
    )


def ways_text(content: Mapping[str, Any]) -> str:
    """Shares of children that beat their parent, by the way they were made, and differences in pairs."""
    figures = content["all"]["proposers"]
    rows = [
        [
            what,
            *(_share(figures[way][key]) for key in ("valid", "beats", "new_of_improving")),
            str(figures[way]["beats"]["n"]),
        ]
        for way, what in WAYS.items()
        if way in figures
    ]
    header = ["the child is", "valid", "beats its parent", "of these new in what they decide", "parents"]
    differences = content["all"]["differences"]
    lines = []
    for one, two in PAIRS:
        found = differences.get(f"{one} - {two}")
        sign = 1
        if found is None:
            found, sign = differences.get(f"{two} - {one}"), -1
        if found is not None:
            beats = found["beats"]
            ends = sorted((sign * beats["low"], sign * beats["high"]))
            lines.append(
                [
                    WAYS[one],
                    WAYS[two],
                    f"{100 * sign * beats['mean']:+.1f} [{100 * ends[0]:+.1f}, {100 * ends[1]:+.1f}]",
                    f"{found['mcnemar']['p']:.2g}",
                ]
            )
    compared = markdown_table(["this way", "more often than", "points", "p (McNemar)"], lines) if lines else ""
    return "\n\n".join(filter(None, (markdown_table(header, rows).rstrip(), compared)))


def _share(found: Mapping[str, Any]) -> str:
    if found["mean"] is None:
        return "—"
    return f"{100 * found['mean']:.1f} % [{100 * found['low']:.1f}, {100 * found['high']:.1f}]"
