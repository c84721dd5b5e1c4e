"""Check a built docs site: every link, picture and script within it leads to a file, and every anchor to a place in it.

    mkdocs build --strict --site-dir site && python scripts/check_links.py site

MkDocs itself checks the links of Markdown; this reads what it wrote, with what comes from docstrings and from HTML.
Links to other sites are not followed. Prints the broken ones; exit status 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """The targets of a page, and the names of places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "base":
                self.targets.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def broken(site: Path) -> list[str]:
    """The links of a site that lead nowhere, each with its page."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, links in pages.items():
        # Served for any address, it links from the root of wherever the site is.
        if path.name == "404.html":
            continue
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            goal = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            goal = goal / "index.html" if goal.is_dir() else goal
            page = pages.get(goal)
            if not goal.is_file():
                found.append(f"{path.relative_to(site)}: {target} is not there")
            elif parts.fragment and page is not None and unquote(parts.fragment) not in page.places:
                found.append(f"{path.relative_to(site)}: {target} names no place of that page")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, help="folder of the built site")
    site = parser.parse_args().site.resolve()
    if not (site / "index.html").is_file():
        sys.exit(f"{site} holds no site: expected index.html in it")
    problems = broken(site)
    print("\n".join(problems) or "every link leads somewhere")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
