"""Write the table of SECURITY.md from `lhs_hf.threat_model`, the list that `lhs-hf doctor` prints too."""

from __future__ import annotations

import re
from pathlib import Path

from lhs_hf.threat_model import markdown

DOCUMENT = Path(__file__).resolve().parents[1] / "SECURITY.md"


def render(text: str) -> str:
    """The document with its table written anew."""
    table = f"<!-- threats:start -->\n\n{markdown()}\n<!-- threats:end -->"
    return re.sub(r"<!-- threats:start -->.*<!-- threats:end -->", lambda _: table, text, flags=re.DOTALL)


if __name__ == "__main__":
    DOCUMENT.write_text(render(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
