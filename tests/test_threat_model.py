"""SECURITY.md and `lhs-hf doctor` say the same of what is protected, and the machine's level decides what holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lhs_hf.cli import main
from lhs_hf.threat_model import AREAS, SANDBOX, THREAT_MODEL, holds, markdown

DOCUMENT = (Path(__file__).parents[1] / "SECURITY.md").read_text(encoding="utf-8")


def test_the_document_holds_the_whole_list() -> None:
    assert markdown() in DOCUMENT, "run: python scripts/security_table.py"
    assert "## Reporting" in DOCUMENT
    for promise in THREAT_MODEL:
        assert promise.area in AREAS
        assert promise.covered or promise.not_covered


@pytest.mark.parametrize(
    ("isolation", "lost"), [("seccomp+landlock", 0), ("seccomp", 1), ("development", 4), ("none", 4)]
)
def test_less_isolation_keeps_fewer_promises(isolation: str, lost: int) -> None:
    broken = [promise for promise in THREAT_MODEL if not holds(promise, isolation)]
    assert len(broken) == lost
    assert all(promise.area == SANDBOX for promise in broken)


def test_doctor_prints_every_line(capsys) -> None:
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    for promise in THREAT_MODEL:
        assert promise.threat in text
        assert promise.covered.replace("`", "") in text
        assert promise.not_covered.replace("`", "") in text
    assert main(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [each["holds"] for each in facts["protections"]] == [
        holds(promise, facts["isolation"]) for promise in THREAT_MODEL
    ]
