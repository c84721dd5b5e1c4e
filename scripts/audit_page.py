"""Accessibility, layout shift and waiting times of the Space, in every state, theme and size.

    python scripts/audit_page.py [--output results/page.json] [--budget 15] [--url http://127.0.0.1:7860]

Needs `lhs-hf[space,browser]` and a Chromium. For each theme at 1280x800 and 390x844 it opens the page, presses Run with
the task that the page proposes, and waits for the end. axe-core looks at the page when it is idle, while the search
runs and when it is finished; layout shifts are those that the browser itself counts, without the ones that follow a
click. Times are wall seconds of this machine, with everything else that it does.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from space_server import launch_chromium, served

SIZES = {"1280x800": (1280, 800), "390x844": (390, 844)}
THEMES = ("light", "dark")
GRAVE = ("serious", "critical")
WAIT_MS = 900_000
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(entry => {
  if (!entry.hadRecentInput) window.shifts.push({
    value: entry.value, at: entry.startTime,
    parts: entry.sources.map(source => source.node?.closest?.('[id]')?.id || source.node?.nodeName || '?'),
  });
})).observe({type: 'layout-shift', buffered: true});
"""


def grave(page: Any) -> list[dict[str, Any]]:
    """The serious and critical violations that axe-core finds on the page as it is."""
    found = Axe().run(page).response["violations"]
    return [
        {"rule": each["id"], "impact": each["impact"], "nodes": [node["target"] for node in each["nodes"]]}
        for each in found
        if each["impact"] in GRAVE
    ]


def shift(page: Any) -> float:
    """The sum of the layout shifts so far."""
    return round(sum(each["value"] for each in page.evaluate("window.shifts")), 4)


def audit(page: Any, url: str, theme: str, budget: int, task: str | None) -> dict[str, Any]:
    """One visit: from opening the page to the end of a search."""
    begun = time.monotonic()
    page.goto(f"{url}/?__theme={theme}")
    page.wait_for_selector("#lhs-run")
    ready = time.monotonic() - begun
    page.wait_for_selector("#lhs-map svg")
    page.wait_for_timeout(1500)
    states = {"idle": grave(page)}
    if task is not None:
        page.locator("#lhs-task input").click()
        page.get_by_role("option", name=re.compile(task)).first.click()
        page.wait_for_selector(f"#lhs-status-box h2:has-text('{task}')")
    field = page.locator("#lhs-budget input[type=number]")
    field.fill(str(budget))
    field.press("Enter")
    shifts = {"idle": shift(page)}
    begun = time.monotonic()
    page.click("#lhs-run")
    page.wait_for_selector("[data-state=running]")
    page.wait_for_selector("#lhs-curve .lhs-incumbent", state="attached")
    first = time.monotonic() - begun
    states["running"] = grave(page)
    page.wait_for_selector("[data-state=finished]")
    ended = time.monotonic() - begun
    page.wait_for_selector("#lhs-solution img", state="attached")
    page.wait_for_timeout(1500)
    states["finished"] = grave(page)
    shifts["finished"] = shift(page)
    return {
        "ready_s": round(ready, 1),
        "first_candidate_s": round(first, 1),
        "finished_s": round(ended, 1),
        "shift": shifts,
        "largest_shifts": sorted(page.evaluate("window.shifts"), key=lambda each: -each["value"])[:6],
        "violations": states,
    }


def main() -> None:
    """Visit the page in each theme and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--task", help="title of another task than the page proposes")
    parser.add_argument("--url", help="of a server that runs already")
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each finished page")
    arguments = parser.parse_args()
    results = {}
    with ExitStack() as stack:
        url = arguments.url or stack.enter_context(served())[0]
        browser = launch_chromium(stack.enter_context(sync_playwright()))
        for theme in THEMES:
            for name, (width, height) in SIZES.items():
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
                context.set_default_timeout(WAIT_MS)
                page = context.new_page()
                page.add_init_script(SHIFTS)
                found = results[f"{name} {theme}"] = audit(page, url, theme, arguments.budget, arguments.task)
                if arguments.output:
                    arguments.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
                if arguments.pictures:
                    arguments.pictures.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=arguments.pictures / f"finished-{name}-{theme}.png", full_page=True)
                context.close()
                counts = {
                    state: sum(len(each["nodes"]) for each in rules) for state, rules in found["violations"].items()
                }
                print(f"{name} {theme}: serious or critical nodes {counts}, shift {found['shift']}, ", end="")
                print(f"first candidate {found['first_candidate_s']} s, finished {found['finished_s']} s", flush=True)


if __name__ == "__main__":
    main()
