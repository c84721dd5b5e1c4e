"""What trained weights were made with: command, commit, seed, machine, and how each training ended."""

from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path
from typing import Any

import torch


def commit() -> str | None:
    """The commit of this package's source, None outside a repository."""
    result = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  (whichever git the person uses)
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout.strip() or None


def provenance(command: str, seed: int) -> dict[str, Any]:
    """What made a model, as plain data."""
    return {
        "command": command,
        "commit": commit(),
        "seed": seed,
        "machine": {"processor": platform.processor() or platform.machine(), "threads": torch.get_num_threads()},
        "torch": torch.__version__.split("+")[0],
    }


def stage_note(seconds: float) -> dict[str, Any]:
    """What is known about a stage that has taken so long."""
    return {"seconds": round(seconds, 1), "threads": torch.get_num_threads(), "commit": commit()}


def last_log(folder: Path) -> dict[str, Any] | None:
    """Which step of a training was kept, and how it was judged; None for a folder without a log."""
    path = folder / "training_log.json"
    if not path.exists():
        return None
    result = json.loads(path.read_text())["result"]
    kept = [entry for entry in result["history"] if entry.get("step") == result["kept_step"]]
    merged = {key: value for entry in kept for key, value in entry.items() if key.startswith("eval_")}
    return {"kept_step": result["kept_step"], "last_step": result["last_step"], **merged}
