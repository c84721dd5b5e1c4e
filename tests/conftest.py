"""Tests run in several processes (pytest-xdist), a file's tests in one of them."""

from __future__ import annotations

import os

# Processes whose torch takes every processor wait for one another in its loops: two of them take longer than one alone.
# The variable is read when torch is imported, and is inherited by the commands that tests start.
if "PYTEST_XDIST_WORKER_COUNT" in os.environ:
    share = (os.cpu_count() or 1) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, share)))
