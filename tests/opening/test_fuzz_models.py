"""Damaged models: every file kind cut, flipped and rewritten ends in `CallError` or in a model that works."""

from __future__ import annotations

import resource
import shutil
import signal
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from model_damage import TASK, damaged, save_tiny_model

from lhs_hf.errors import CallError
from lhs_hf.search.components import Components, load_components
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration

SECONDS, BYTES = 5.0, 2**30
SAMPLE, WHOLE = 120, 1_400


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("tiny") / "model")


def use(components: Components) -> torch.Tensor:
    """Encode a program, score it, and write the beginning of one with it."""
    task = get_task(TASK)
    points = components.to_space(components.encode([task.template], task, behaviours=[np.zeros((64, 8))]))
    scores = components.score(points)
    components.decoder.budget.limit = 1
    generators = [torch.Generator().manual_seed(0)]
    components.decode(points, task, generators, SearchSettings(max_new_tokens=6))
    return torch.cat([points.flatten(), scores])


def outcome(folder: Path) -> str:
    """How opening and using a model ends: "works", "refused", or the traceback of what it must not raise."""
    try:
        components = load_components(str(folder), get_task(TASK))
    except CallError as error:
        return "refused" if "\n" not in str(error) else f"several lines: {error}"
    except BaseException:
        return traceback.format_exc()
    try:
        use(components)
    except CallError:
        return "refused"
    except BaseException:
        return traceback.format_exc()
    return "works"


class TooSlow(BaseException):
    """Raised by an alarm in a case that hangs."""


def stop(*_: Any) -> None:
    raise TooSlow


def run_cases(whole: Path, place: Path, cases: list[tuple[str, int]]) -> Counter[str]:
    """Damage one file of a copy for each case, and open it. Fails with all cases that end badly."""
    ends: Counter[str] = Counter()
    bad = []
    folder = Path(shutil.copytree(whole, place / "model"))
    use(load_components(str(folder), get_task(TASK)))
    signal.signal(signal.SIGALRM, stop)
    for name, seed in cases:
        original = (whole / name).read_bytes()
        (folder / name).write_bytes(damaged(original, name, seed))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.process_time()
        signal.alarm(90)
        end = outcome(folder)
        signal.alarm(0)
        seconds = time.process_time() - start
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        (folder / name).write_bytes(original)
        if seconds > SECONDS or grown > BYTES or end not in ("works", "refused"):
            bad.append(f"{name} {seed}: {seconds:.1f} s, {grown / 2**20:.0f} MiB, {end}")
        ends[end if end in ("works", "refused") else "bad"] += 1
    print(dict(ends))
    assert not bad, f"{len(bad)} of {len(cases)}\n" + "\n".join(bad)
    return ends


def all_cases(whole: Path, number: int) -> list[tuple[str, int]]:
    """The same cases on every machine; each file in turn."""
    names = sorted(path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_file())
    names = [name for name in names if not name.startswith("surrogates-latent")]
    return [(names[seed % len(names)], seed) for seed in range(number)]


def test_a_sample_of_damaged_models_is_refused_or_works(whole: Path, tmp_path: Path) -> None:
    ends = run_cases(whole, tmp_path, all_cases(whole, SAMPLE))
    assert min(ends["works"], ends["refused"]) > SAMPLE / 10


@pytest.mark.slow
def test_every_damaged_model_is_refused_or_works(whole: Path, tmp_path: Path) -> None:
    ends = run_cases(whole, tmp_path, all_cases(whole, WHOLE)[SAMPLE:])
    assert min(ends["works"], ends["refused"]) > WHOLE / 10
