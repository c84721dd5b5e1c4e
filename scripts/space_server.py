"""The Space as a process of its own, and a browser to look at it: what its tests, screenshots and soak share."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# A busy machine may need more than the minute that an idle one must not need.
START_S = 180.0
_INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class NotStarted(RuntimeError):
    """The server ended, or did not answer, within `START_S` seconds."""


@contextmanager
def served(options: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """Run `lhs-hf space` on a free port until the block ends: its address and process number."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "lhs_hf", "space", "--port", str(port), *options]
    known = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1", **(environment or {})}
    server = subprocess.Popen(command, env=known, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(server, port)
        yield f"http://127.0.0.1:{port}", server.pid
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if server.poll() is not None:
            raise NotStarted(f"lhs-hf space ended with status {server.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise NotStarted(f"lhs-hf space did not answer within {START_S:.0f} s")


class NoBrowser(RuntimeError):
    """There is no Chromium, or it does not start."""


def launch_chromium(playwright: Any) -> Any:
    """Playwright's own Chromium, else an installed one. Raises `NoBrowser`."""
    own = playwright.chromium.executable_path
    known = [own] if own and Path(own).exists() else []
    problem = "no Chromium is installed (playwright install chromium)"
    for path in [*known, *filter(None, map(shutil.which, _INSTALLED))]:
        try:
            return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Exception as error:
            problem = f"{path} does not start: {str(error).splitlines()[0]}"
    raise NoBrowser(problem)
