"""Pictures of every state of the Space: narrow and wide, light and dark.

    python scripts/screenshots.py FOLDER [--task "Traveling salesman"] [--budget 20]

Needs `lhs-hf[space,browser]` and a Chromium. One search is made; the other windows find it as a page does after a
reload. `--readme` also writes the four pictures of docs/space.md, compressed, to docs/figures.
"""

from __future__ import annotations

import argparse
import io
import itertools
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright
from space_server import launch_chromium, served

WIDTHS, THEMES = (1600, 360), ("light", "dark")
HEIGHTS = {1600: 1000, 360: 780}
WAIT_MS = 600_000
FIGURES = Path(__file__).parents[1] / "docs" / "figures"
# State, width and theme of the pictures of docs/space.md.
CHOSEN = (
    ("finished", 1600, "light"),
    ("corpus", 1600, "dark"),
    ("running-map", 360, "dark"),
    ("solution", 360, "light"),
)
COLOURS = 128


class Visitor:
    """A window of one width and theme."""

    def __init__(self, browser: Any, url: str, width: int, theme: str, state: Any, folder: Path) -> None:
        self.name, self.folder = f"{width}-{theme}", folder
        size = {"width": width, "height": HEIGHTS[width]}
        self.context = browser.new_context(viewport=size, color_scheme=theme, storage_state=state)
        self.context.set_default_timeout(WAIT_MS)
        self.page = self.context.new_page()
        self.page.goto(f"{url}/?__theme={theme}")
        self.page.wait_for_selector("#lhs-run")

    def shoot(self, state: str, whole: bool = False, at: str | None = None) -> None:
        """Save what is seen, the whole page, or one part of it with what is around."""
        self.page.wait_for_timeout(400)
        if at is not None:
            self.page.locator(at).first.evaluate("part => part.scrollIntoView({block: 'start'})")
            self.page.evaluate("scrollBy(0, -60)")
            self.page.wait_for_timeout(200)
        elif not whole:
            self.page.evaluate("scrollTo(0, 0)")
        self.page.screenshot(path=self.folder / f"{state}-{self.name}.png", full_page=whole)

    def tab(self, name: str) -> None:
        """Open a tab."""
        found = self.page.get_by_role("tab", name=name, exact=True).first
        if not found.is_visible():
            self.page.locator(".overflow-menu > button").last.click()
            found = self.page.locator(".overflow-dropdown button", has_text=name).first
        found.click()

    def choose(self, name: str, text: str) -> None:
        """Choose in a drop-down list."""
        self.page.locator(f"#{name} input").click()
        self.page.get_by_role("option", name=re.compile(text)).first.click()


def start(visitor: Visitor, task: str, budget: int) -> None:
    """Begin the search that all windows show."""
    visitor.page.wait_for_selector("#lhs-map .lhs-child")
    visitor.choose("lhs-task", task)
    visitor.page.wait_for_selector(f"#lhs-status-box h2:has-text('{task}')")
    field = visitor.page.locator("#lhs-budget input[type=number]")
    field.fill(str(budget))
    field.press("Enter")
    visitor.page.click("#lhs-run")
    visitor.page.wait_for_selector("[data-state=waiting], [data-state=running]")


def finished(visitor: Visitor) -> None:
    """The end of a search and its parts."""
    page = visitor.page
    page.wait_for_selector("[data-state=finished]")
    page.wait_for_selector("#lhs-solution img", state="attached")
    page.wait_for_selector("#lhs-map .lhs-child")
    visitor.shoot("finished")
    visitor.shoot("page", whole=True)
    visitor.shoot("solution", at="#lhs-solution")
    visitor.shoot("program", at="#lhs-program")
    visitor.shoot("comparison", at="#lhs-comparison")
    visitor.tab("Candidates")
    page.locator("#lhs-candidates [role=gridcell]").first.click()
    page.wait_for_selector("#lhs-opened .lhs-opened")
    visitor.shoot("candidates", at="#lhs-candidates")
    visitor.shoot("opened", at="#lhs-opened")
    visitor.tab("Edit")
    page.get_by_role("button", name="Take the best program").click()
    for state, mark in (("edited", "good"), ("broken", "bad")):
        page.click("#lhs-evaluate")
        page.wait_for_selector(f"#lhs-verdict .lhs-badge.lhs-{mark}")
        visitor.shoot(state, at="#lhs-edit")
        page.locator("#lhs-edit .cm-content").click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text("def select_next_node(a, b, c, d):\n    return open('/etc/passwd').read()\n")


def corpus(visitor: Visitor, task: str) -> None:
    """The second tab, empty and with what lies between two programs."""
    page = visitor.page
    visitor.tab("Corpus")
    visitor.choose("lhs-corpus-task", task)
    page.wait_for_selector("#lhs-corpus-map [data-row]")
    visitor.shoot("corpus-first")
    for key, letter in (("Home", "A"), ("End", "B")):
        page.locator("#lhs-corpus-map svg").focus()
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.wait_for_selector("#lhs-facts .lhs-tile")
        page.wait_for_timeout(800)
        page.click(f"#lhs-set-{letter.lower()}")
        page.wait_for_selector(f"#lhs-corpus-map .lhs-letter:has-text('{letter}')")
    page.click("#lhs-between")
    page.wait_for_selector("#lhs-way details")
    visitor.shoot("corpus")
    page.locator("#lhs-way summary").nth(2).click()
    visitor.shoot("corpus-page", whole=True)


@contextmanager
def windows(browser: Any, url: str, state: Any, folder: Path) -> Iterator[Callable[..., None]]:
    """Calls a function with a window of each width and theme, in turn."""

    def each(act: Callable[..., None], *arguments: Any) -> None:
        for width, theme in itertools.product(WIDTHS, THEMES):
            visitor = Visitor(browser, url, width, theme, state, folder)
            act(visitor, *arguments)
            visitor.context.close()

    yield each


def running(visitor: Visitor) -> None:
    """A search on its way."""
    visitor.page.wait_for_selector("[data-state=running], [data-state=finished]")
    visitor.page.wait_for_selector("#lhs-map .lhs-child")
    visitor.shoot("running")
    visitor.shoot("running-map", at="#lhs-map")


def first_page(visitor: Visitor) -> None:
    """Before anything has happened, with the settings open."""
    visitor.page.wait_for_selector("#lhs-map .lhs-child")
    visitor.shoot("idle")
    visitor.page.locator("#lhs-settings button").first.click()
    visitor.shoot("settings", whole=True)


def compress(folder: Path) -> list[Path]:
    """The pictures of docs/space.md with a palette of their own."""
    written = []
    for state, width, theme in CHOSEN:
        picture = Image.open(folder / f"{state}-{width}-{theme}.png").convert("RGB")
        buffer = io.BytesIO()
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(buffer, format="png", optimize=True)
        written.append(FIGURES / f"space_{state.replace('-', '_')}.png")
        written[-1].write_bytes(buffer.getvalue())
    return written


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--task", default="Vehicle routing with time windows")
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--readme", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    with served() as (url, _), sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        with windows(browser, url, None, folder) as each:
            each(first_page)
        owner = Visitor(browser, url, 1600, "light", None, folder)
        start(owner, arguments.task, arguments.budget)
        with windows(browser, url, owner.context.storage_state(), folder) as each:
            each(running)
            each(finished)
            each(corpus, arguments.task)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}, {time.monotonic() - begun:.0f} s")
    if arguments.readme:
        for path in compress(folder):
            print(f"{path}: {path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
