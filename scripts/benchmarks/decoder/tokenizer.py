"""The tokenizer: programs in, the same programs out, and no mask in the way of any of them."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any

import numpy as np

from lhs_hf.corpus.augmentation import stream_variants
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.corpus.seeds_io import read_seeds
from lhs_hf.decoding.grammar import Signature, UnsupportedProgram
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.programs import ProgramError, canonical
from lhs_hf.tasks import get_task

from .statistics import share

CHUNK = 50
EXAMPLES = 5

_tokenizer: ProgramTokenizer | None = None


@dataclass(frozen=True)
class Check:
    """What the tokenizer makes of one program.

    `positions`: actions of the program. `violations`: 1 if a mask refuses one of them (what follows can not be checked
    then), for programs of any length; `violations_limited`: the same under the stricter masks of sampling, which close
    programs within `max_new_tokens`, for programs that fit. `fits`: at most `max_new_tokens` actions.
    """

    family: str
    round_trip: bool
    supported: bool
    fits: bool = False
    positions: int = 0
    violations: int = 0
    violations_limited: int = 0
    message: str = ""


def check(tokenizer: ProgramTokenizer, source: str, family: str, signature: Signature, limit: int) -> Check:
    """Round trip and teacher-forced masks of one program."""
    try:
        wanted = canonical(source)
        ids = tokenizer.encode_program(source, signature)
    except (UnsupportedProgram, ProgramError) as error:
        return Check(family, False, False, message=str(error))
    try:
        same = canonical(tokenizer.decode_program(ids, signature)) == wanted
        message = "" if same else "another program came back"
    except (ValueError, ProgramError) as error:
        same, message = False, str(error)
    fits = len(ids) <= limit
    free = refused(tokenizer, ids, signature, None)
    limited = refused(tokenizer, ids, signature, limit) if fits else 0
    return Check(family, same, True, fits, len(ids), free, limited, message)


def refused(tokenizer: ProgramTokenizer, ids: Sequence[int], signature: Signature, limit: int | None) -> int:
    """1 if the masks refuse an action of a program, which ends it there; else 0."""
    state = tokenizer.program_state(signature, limit)
    for token in ids:
        if not state.allowed()[token]:
            return 1
        state.advance(token)
    return 0 if state.finished else 1


def variants(task: str, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Source and family of streamed variants of all seeds of a task."""
    stream = stream_variants(read_seeds(task), np.random.default_rng(seed))
    return ((variant.source, variant.family) for variant in islice(stream, count))


def check_chunk(task: str, kind: str, first: int, count: int, seed: int, limit: int) -> list[Check]:
    """Check `count` programs of a task: rows of the corpus from `first` on, or variants streamed from a seed."""
    assert _tokenizer is not None
    known = get_task(task)
    signature = Signature(known.function_name, tuple(known.arguments))
    if kind == "corpus":
        rows = load_corpus(task)[first : first + count]
        programs: Iterator[tuple[str, str]] = iter([(row.program, row.family) for row in rows])
    else:
        programs = variants(task, count, seed)
    return [check(_tokenizer, source, family, signature, limit) for source, family in programs]


def start_worker(folder: str) -> None:
    """Load the tokenizer of a worker process."""
    global _tokenizer
    _tokenizer = ProgramTokenizer.from_pretrained(folder)


def open_pool(folder: str, processes: int) -> ProcessPoolExecutor:
    """Worker processes that hold the tokenizer of a decoder folder."""
    return ProcessPoolExecutor(processes, get_context("spawn"), start_worker, (folder,))


def measure(pool: ProcessPoolExecutor, task: str, streamed: int, seed: int, limit: int) -> dict[str, Any]:
    """The tokenizer on the whole corpus of a task and on `streamed` fresh variants."""
    sizes = {"corpus": len(load_corpus(task)), "variants": streamed}
    record = {}
    for kind, size in sizes.items():
        starts = range(0, size, CHUNK)
        base = np.random.SeedSequence([seed, zlib.crc32(task.encode())])
        seeds = [int(number) for number in base.generate_state(len(starts), np.uint64)]
        futures = [
            pool.submit(check_chunk, task, kind, start, min(CHUNK, size - start), chunk_seed, limit)
            for start, chunk_seed in zip(starts, seeds)
        ]
        if futures:
            record[kind] = summary([each for future in futures for each in future.result()])
    return record


def summary(checks: Sequence[Check]) -> dict[str, Any]:
    """Shares over programs and numbers of refused actions."""
    families = [each.family for each in checks]
    messages = Counter(each.message for each in checks if each.message)
    return {
        "round_trip": share([each.round_trip for each in checks], families),
        "supported": share([each.supported for each in checks], families),
        "fits": share([each.fits for each in checks], families),
        "positions": sum(each.positions for each in checks),
        "mask_violations": sum(each.violations for each in checks),
        "mask_violations_when_sampled": sum(each.violations_limited for each in checks),
        "failures": dict(messages.most_common(EXAMPLES)),
    }
