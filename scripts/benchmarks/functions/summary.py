"""What the searches of all functions come to, beside the templates and the better rules."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean, median
from typing import Any

LEAST_GAIN = 0.001
"""The share of the template's value by which a program is better than it, if it is called better."""
ROUNDING = 1e-9


def row(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """One function: means over its seeds, and the share of the way from the reference to the better rule."""
    sense, reference, better = (cells[0][name] for name in ("sense", "reference", "better"))
    found = fmean(cell["found"] for cell in cells)
    sign = 1.0 if sense == "max" else -1.0
    return {
        "sense": sense,
        "seeds": len(cells),
        "reference": reference,
        "found": found,
        "better": better,
        # The sum makes zero of minus zero, which is what no way down is.
        "way_percent": 100 * (found - reference) / (better - reference) + 0.0,
        "improved": sign * (found - reference) > LEAST_GAIN * abs(reference),
        "reached": sign * (found - better) >= -ROUNDING * abs(better),
        "seconds": fmean(cell["seconds"] for cell in cells),
        "valid": fmean(cell["valid"] for cell in cells),
    }


def summary(cells: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """By function, and together: how many are better than their template, how many reach the better rule."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for cell in cells:
        by_name.setdefault(cell["name"], []).append(cell)
    rows = {name: row(own) for name, own in sorted(by_name.items())}
    ways = [each["way_percent"] for each in rows.values()]
    together = {
        "functions": len(rows),
        "improved": sum(each["improved"] for each in rows.values()),
        "reached": sum(each["reached"] for each in rows.values()),
        "way_percent": {"mean": fmean(ways), "median": median(ways)} if ways else None,
    }
    return {"together": together, "functions": rows}


def table(content: dict[str, Any]) -> str:
    """The summary as text: a line a function, the last one of all together."""
    head = ("function", "sense", "seeds", "reference", "found", "better rule", "way", "seconds", "valid")
    lines = [head]
    for name, each in content["functions"].items():
        values = (f"{each[column]:.6g}" for column in ("reference", "found", "better"))
        share = (f"{each['way_percent']:.0f} %", f"{each['seconds']:.0f}", f"{100 * each['valid']:.0f} %")
        lines.append((name, each["sense"], str(each["seeds"]), *values, *share))
    widths = [max(map(len, column)) for column in zip(*lines)]
    shown = [
        "  ".join(
            text.rjust(width) if place else text.ljust(width) for place, (text, width) in enumerate(zip(line, widths))
        )
        for line in lines
    ]
    together = content["together"]
    ways = together["way_percent"]
    of = together["functions"]
    end = f"better than the template: {together['improved']} of {of}; as good as the better rule: {together['reached']}"
    if ways:
        end += f"; way to it: {ways['mean']:.0f} % on average, {ways['median']:.0f} % in the median"
    return "\n".join([*shown, "", end])
