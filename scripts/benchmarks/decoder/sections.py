"""The sections that decode: validity, running, faithfulness, the cycle through the encoder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from lhs_hf.corpus.dataset import CorpusRow, load_corpus
from lhs_hf.decoding.generation import GeneratedProgram
from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import ProgramError, canonical

from .programs import defines_function, parses, undefined_names
from .statistics import mean, share
from .subject import POINTS, Programs, Sample, generator_of

UNFINISHED = "unfinished"
TIMEOUTS = ("wall_timeout", "cpu_timeout")
SAME_OBJECTIVE = 1e-6
SAME_DECISIONS = 0.95
RIVALS = 49


def mode(guided: bool) -> str:
    """The name of decoding with or without guidance by execution."""
    return "guided" if guided else "free"


def valid(programs: Programs, evaluator: Evaluator) -> dict[str, Any]:
    """Programs of held-out latents that are programs of the task with no name undefined, guidance on and off."""
    record = {}
    for guided in (True, False):
        sample, decoded = programs.get(evaluator, ["held_out"], guided)["held_out"]
        sources = [program.source for program in decoded]
        checks = {
            "finished": [program.finished for program in decoded],
            "parses": [parses(source) for source in sources],
            "signature": [defines_function(source, evaluator.task) for source in sources],
            "names": [not undefined for undefined in undefined_names(sources)],
        }
        checks["valid"] = [all(outcomes) for outcomes in zip(*checks.values())]
        record[mode(guided)] = {name: share(outcomes, sample.families) for name, outcomes in checks.items()}
    return record


def runs(programs: Programs, evaluator: Evaluator) -> dict[str, Any]:
    """Programs that get a score on `search`, for each kind of point, guidance on and off."""
    record = {}
    for guided in (True, False):
        record[mode(guided)] = {
            point: _outcomes(sample, statuses(decoded, evaluator))
            for point, (sample, decoded) in programs.get(evaluator, POINTS, guided).items()
        }
    return record


def statuses(decoded: Sequence[GeneratedProgram], evaluator: Evaluator) -> list[str]:
    """How each program ends on `search`: a status of the evaluator, or "unfinished" for one that ran out of tokens."""
    results = iter(evaluator.evaluate_many([program.source for program in decoded if program.finished]))
    return [next(results).status if program.finished else UNFINISHED for program in decoded]


def _outcomes(sample: Sample, found: Sequence[str]) -> dict[str, Any]:
    failures = Counter(status for status in found if status != "ok")
    return {
        "ok": share([status == "ok" for status in found], sample.families),
        "timeout": share([status in TIMEOUTS for status in found], sample.families),
        "failures": dict(sorted(failures.items())),
    }


def faithful(programs: Programs, evaluator: Evaluator) -> dict[str, Any]:
    """Guided programs that are what their latent was made from: same objective, or nearly the same decisions."""
    return {
        point: _faithfulness(*programs.get(evaluator, [point], True)[point], evaluator)
        for point in ("train", "held_out")
    }


def _faithfulness(sample: Sample, decoded: Sequence[GeneratedProgram], evaluator: Evaluator) -> dict[str, Any]:
    finished = [program.source for program in decoded if program.finished]
    results = iter(list(evaluator.evaluate_many(finished)))
    probed = iter(evaluator.probe_many(finished))
    objective, agreement, exact = [], [], []
    for row, program in zip(sample.rows, decoded):
        result, behaviour = (next(results), next(probed)) if program.finished else (None, None)
        known = None if result is None else result.objective
        objective.append(known is not None and _close(known, row.objective))
        agreement.append(0.0 if behaviour is None else float((behaviour.decisions == row.decisions).mean()))
        exact.append(program.finished and _canonical(program.source) == row.canonical)
    decisions = [value >= SAME_DECISIONS for value in agreement]
    families = sample.families
    return {
        "faithful": share([first or second for first, second in zip(objective, decisions)], families),
        "same_objective": share(objective, families),
        "same_decisions": share(decisions, families),
        "exact": share(exact, families),
        "agreement": mean(agreement, families),
    }


def _close(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= SAME_OBJECTIVE * max(abs(wanted), 1e-12)


def _canonical(source: str) -> str | None:
    try:
        return canonical(source)
    except ProgramError:
        return None


def cycle(programs: Programs, evaluator: Evaluator) -> dict[str, Any]:
    """Guided programs whose encoding is nearest to the latent they came from, among 50 held-out latents of the task."""
    subject, settings, task = programs.subject, programs.settings, evaluator.task.name
    sample, decoded = programs.get(evaluator, ["held_out"], True)["held_out"]
    everyone = load_corpus(task, settings.split)
    latents = subject.encode_rows(everyone)
    points = subject.to_prior(latents)
    finished = [program.source for program in decoded if program.finished]
    encoded = iter(subject.encode_sources(finished, evaluator))
    generator = generator_of(settings, "rivals", task)
    hits: dict[str, list[bool]] = {"euclidean_u": [], "cosine_z": []}
    failed = []
    for row, program in zip(sample.rows, decoded):
        rivals = _rivals(row, everyone, generator)
        found = next(encoded) if program.finished else None
        failed.append(found is None)
        if found is None:
            outcomes = dict.fromkeys(hits, False)
        else:
            outcomes = {
                "euclidean_u": _first_is_nearest((points[rivals] - subject.to_prior(found[None])).norm(dim=1)),
                "cosine_z": _first_is_nearest(1 - torch.cosine_similarity(latents[rivals], found[None])),
            }
        for name, hit in outcomes.items():
            hits[name].append(hit)
    families = sample.families
    return {
        **{name: share(outcomes, families) for name, outcomes in hits.items()},
        "failed": share(failed, families),
    }


def _rivals(row: CorpusRow, everyone: Sequence[CorpusRow], generator: np.random.Generator) -> list[int]:
    """Positions of the row, first, and of up to 49 other programs."""
    others = [index for index, other in enumerate(everyone) if other.hash != row.hash]
    own = next(index for index, other in enumerate(everyone) if other.hash == row.hash)
    drawn = generator.permutation(len(others))[:RIVALS]
    return [own, *(others[int(index)] for index in drawn)]


def _first_is_nearest(distances: torch.Tensor) -> bool:
    return len(distances) == 1 or bool(distances[0] < distances[1:].min())
