"""A program as a diff of the one it was made from."""

from __future__ import annotations

from lhs_hf.reporting.lineage import change_of, unified_diff
from lhs_hf.search.database import Candidate

BEFORE = "def f(a):\n    return a\n"
AFTER = "def f(a):\n    return 2 * a\n"
RUN = [
    Candidate(0, 0, "reference", BEFORE),
    Candidate(1, 0, "corpus", "def f(a):\n    return -a\n"),
    Candidate(2, 1, "edit", AFTER, parent=1, operator="literals"),
    Candidate(3, 1, "search", "def f(a):\n    return 3 * a\n"),
]


def test_the_diff_is_of_the_parent_or_of_the_reference() -> None:
    change = change_of(RUN, AFTER)
    assert change is not None
    assert (change.parent.id, change.child.id) == (1, 2)
    assert change.diff == (
        "--- candidate 1\n+++ candidate 2\n@@ -1,2 +1,2 @@\n def f(a):\n-    return -a\n+    return 2 * a\n"
    )
    orphan = change_of(RUN, RUN[3].program)
    assert orphan is not None
    assert orphan.parent.id == 0


def test_what_was_not_made_has_no_diff() -> None:
    assert change_of(RUN, BEFORE) is None
    assert change_of(RUN, RUN[1].program) is None
    assert change_of(RUN, "def f(a):\n    return 7\n") is None
    assert unified_diff(BEFORE, BEFORE.rstrip(), ("a", "b")) == ""
