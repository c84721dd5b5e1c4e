"""The measured files that the cards quote. Nothing is measured here."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import safe_open

from lhs_hf.constants import EDITOR_FOLDER
from lhs_hf.corpus.dataset import CorpusRow, load_corpus
from lhs_hf.reporting.decoder_table import decoder_results
from lhs_hf.reporting.identity import weights_fingerprint

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
# Of this checkout, whichever copy of the package is installed.
MODEL = ROOT / "lhs_hf" / "pretrained" / "lhs-tiny"
CORPUS = ROOT / "lhs_hf" / "corpus" / "data"


@dataclass(frozen=True)
class Measured:
    """A model folder and everything that is known about it.

    `training`: its training.json. `searches`, `decoder`, `latents`, `amortisation`, `without_best`, `text_only`,
    `editor`: the files of that name under results/, `ascents` is true_ascent.json; None for one that does not exist.
    `programs` and `families` count the corpus by (task, split). `same_corpus`: whether the model was trained on this
    state of it. `parameters`: weights by part.
    """

    root: Path
    training: dict[str, Any]
    searches: dict[str, Any] | None
    decoder: dict[str, Any] | None
    latents: dict[str, Any] | None
    amortisation: dict[str, Any] | None
    without_best: dict[str, Any] | None
    text_only: dict[str, Any] | None
    editor: dict[str, Any] | None
    ascents: dict[str, Any] | None
    programs: Counter[tuple[str, str]]
    families: Counter[tuple[str, str]]
    same_corpus: bool
    parameters: dict[str, int]

    @property
    def name(self) -> str:
        """The model's name."""
        return self.root.name

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it has surrogates for."""
        return tuple(self.training["recipe"]["tasks"])

    def config(self, part: str = "", name: str = "config.json") -> dict[str, Any]:
        """The stored configuration of a part."""
        return json.loads((self.root / part / name).read_text(encoding="utf-8"))


def read(root: Path = MODEL, results: Path = RESULTS) -> Measured:
    """Everything known about a model folder.

    Raises `ValueError` if a file of `results` belongs to another model.
    """
    training = json.loads((root / "training.json").read_text(encoding="utf-8"))
    rows = load_corpus(folder=CORPUS)
    families = {(row.task, row.split, row.family) for row in rows}
    return Measured(
        root=root,
        training=training,
        searches=_json(results / "ten_tasks.json"),
        decoder=decoder_results(results / "decoder.json", root),
        latents=_of_weights(results / "latents.json", root, "scripts/benchmarks/measure_latents.py"),
        amortisation=_of_weights(results / "amortisation.json", root, "scripts/benchmarks/measure_amortisation.py"),
        without_best=_of_weights(results / "without_best.json", root, "scripts/benchmarks/measure_without_best.py"),
        text_only=_of_weights(results / "text_only.json", root, "scripts/benchmarks/measure_text_only.py"),
        editor=_of_editor(results / "editor.json", root),
        ascents=_of_weights(results / "true_ascent.json", root, "scripts/benchmarks/true_ascent.py"),
        programs=Counter((row.task, row.split) for row in rows),
        families=Counter((task, split) for task, split, _ in families),
        same_corpus=trained_on(root, training["recipe"]["tasks"], rows),
        parameters={part: parameters(root / part) for part in _parts(root)},
    )


def trained_on(root: Path, tasks: list[str], rows: list[CorpusRow]) -> bool:
    """Whether a model was trained on these rows: every surrogate keeps the mean of the scores it was trained on."""
    for task in tasks:
        scores = [row.score for row in rows if row.task == task and row.split == "train"]
        config = json.loads((root / "surrogates" / task / "config.json").read_text(encoding="utf-8"))
        if not scores or not math.isclose(config["score_mean"], math.fsum(scores) / len(scores), rel_tol=1e-9):
            return False
    return True


def parameters(folder: Path) -> int:
    """How many weights the safetensors file of a folder holds."""
    with safe_open(folder / "model.safetensors", "np") as tensors:
        return sum(math.prod(tensors.get_slice(name).get_shape()) for name in tensors.keys())  # noqa: SIM118


def _parts(root: Path) -> list[str]:
    own = [EDITOR_FOLDER] if (root / EDITOR_FOLDER).is_dir() else []
    return ["", "encoder", "decoder", *own, *_surrogates(root)]


def _surrogates(root: Path) -> list[str]:
    found = sorted(path.parent for path in root.glob("surrogates*/*/config.json"))
    return [path.relative_to(root).as_posix() for path in found]


def _json(path: Path) -> dict[str, Any] | None:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _of_editor(path: Path, root: Path) -> dict[str, Any] | None:
    content = _json(path)
    if content is not None and content["settings"]["weights"] != weights_fingerprint(root / EDITOR_FOLDER):
        raise ValueError(f"{path} is of another editor than that of {root}: run scripts/benchmarks/editor.py")
    return content


def _of_weights(path: Path, root: Path, script: str) -> dict[str, Any] | None:
    content = _json(path)
    if content is not None and content["settings"]["weights"] != weights_fingerprint(root):
        raise ValueError(
            f"{path} is of weights {content['settings']['weights'][:16]}, but {root} has "
            f"{weights_fingerprint(root)[:16]}: run {script}"
        )
    return content
