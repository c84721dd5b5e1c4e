"""The report of a model: what was measured of it, in tables and figures. Nothing is measured here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..constants import DEFAULT_MODEL, resolve_model
from ..errors import CallError
from ..hub import model_folder
from ..opening import files
from ..opening.folders import replacing, write_text
from ..opening.text import one_line, plain
from .ascent_tables import ascent_section, prediction_section
from .decoder_table import decoder_text
from .identity import model_digest, weights_fingerprint
from .run_report import markdown_table
from .search_tables import search_tables
from .split_tables import ablation_table, split_table
from .training_tables import making_section, recorded_surrogates

LATENTS, DECODER, SEARCHES, TRAINING = "latents.json", "decoder.json", "searches.json", "training.json"
SPLITS, ABLATION = "searches-splits.json", "ablation.json"
LATENTS_SCRIPT, DECODER_SCRIPT = "scripts/benchmarks/measure_latents.py", "scripts/benchmarks/measure_decoder.py"
SEARCHES_SCRIPT, ABLATION_SCRIPT = "scripts/benchmarks/measure_search.py", "scripts/benchmarks/measure_ablation.py"
_MOST_ENTRIES = 64
PREDICTORS = {
    "surrogate": "surrogate",
    "surrogate_latent": "surrogate in the latent space",
    "tfidf_ridge": "ridge on TF-IDF of the text",
    "knn": "nearest neighbours",
}


@dataclass
class _Draft:
    """A report as it grows: Markdown parts, files written, and what is missing with the reason."""

    output: Path
    parts: list[str] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def add(self, *parts: str) -> None:
        """Markdown parts that are not empty."""
        self.parts += [part for part in parts if part]

    def picture(self, figure: object, name: str, description: str) -> str:
        """Save a figure and return the Markdown that shows it."""
        from ..plots import save

        path = self.output / name
        with replacing(path) as temporary:
            save(figure, temporary)
        self.written.append(path)
        return f"![{description}]({name})"


def default_output(model: str) -> Path:
    """Where the report of a model goes: `reports/` and the last part of its name."""
    return Path("reports") / _title(model).partition("@")[0].rsplit("/", 1)[-1]


def report_model(
    model: str = DEFAULT_MODEL,
    results: Path = Path("results"),
    output: Path | None = None,
    *,
    maps: bool = False,
) -> tuple[str, list[Path]]:
    """Write `report.md` and its figures about a model from figures that were measured before.

    Args:
        model: "lhs-tiny", a folder, or owner/name[@revision] of the Hub. Its `training.json` says how it was made.
        results: folder of `latents.json` (further ones as `latents-*.json`), `searches.json`, `searches-splits.json`,
            `ablation.json` and `decoder.json`, as measure_latents.py, measure_search.py, measure_ablation.py and
            measure_decoder.py in scripts/benchmarks write them.
        output: folder of the report; None is `default_output`.
        maps: also draw the corpus in the latent space, which encodes every program (minutes).

    What does not exist is left out and named at the end. Returns the Markdown and the files written.

    Raises `CallError` for a model that can not be had, for a file that can not be read, and if `latents*.json` holds
    figures of another model.
    """
    root = model_folder(resolve_model(model))
    fingerprint = weights_fingerprint(root)
    measured = _latents_files(results, root, fingerprint)
    draft = _Draft(default_output(model) if output is None else output)
    _make_folder(draft.output)
    record = read_json(root / TRAINING, "lhs-hf train") if (root / TRAINING).is_file() else {}
    sources = [
        f"`{_shown(results, path.name)}` ({content['settings']['split']} families)" for path, content in measured
    ]
    draft.add(
        f"# Model report: {_title(model)}",
        f"Weights `{fingerprint[:16]}` (SHA-256, the first 16 digits). "
        + (f"Measured figures: {', '.join(sources)}." if sources else ""),
    )
    if record:
        with _written_by(root / TRAINING, "lhs-hf train"):
            draft.add(making_section(record))
    else:
        draft.missing.append(f"how it was made: the model folder has no {TRAINING} (`lhs-hf train all` writes it)")
    if not measured:
        draft.missing.append(
            f"ascent, surrogates and flow on held-out families: {_absent(results, LATENTS, LATENTS_SCRIPT)}"
        )
    _add_ascent(draft, results, measured)
    _add_surrogates(draft, results, root, measured, record)
    _add_flow(draft, results, root, measured, record)
    _add_searches(draft, results, fingerprint)
    _add_decoder(draft, results, root)
    _add_maps(draft, root, maps)
    if draft.missing:
        draft.add("## Not measured", "\n".join(f"- {reason}" for reason in draft.missing))
    text = "\n\n".join(draft.parts) + "\n"
    return text, [write_text(draft.output / "report.md", text), *draft.written]


def _title(model: str) -> str:
    """A model's name: of a folder the last part, of the Hub all of it."""
    root = Path(resolve_model(model))
    return root.resolve().name if root.is_dir() else model


def read_json(path: Path, writer: str) -> dict[str, Any]:
    """The object in a JSON file, its texts printable. Raises `CallError` naming what writes such a file otherwise."""
    try:
        # NaN stands in such files, though not in JSON, for a figure that does not exist.
        content = plain(json.loads(files.read_bytes(path, files.JSON_BYTES)))
    except (ValueError, RecursionError, MemoryError) as error:
        raise CallError(f"can not read {path}: {one_line(error)}; expected what {writer} writes") from None
    if not isinstance(content, dict):
        raise CallError(f"{path} holds a {type(content).__name__}; expected the object that {writer} writes")
    return content


@contextmanager
def _written_by(path: Path, writer: str) -> Iterator[None]:
    """Turn what goes wrong where the content of a file is not what its writer writes into one `CallError`.

    Such a file may come from anybody, and what it holds is deep and various: it is read as if it were right.
    """
    try:
        yield
    except CallError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {one_line(error, 80)}"
        raise CallError(f"{path} does not hold what {writer} writes ({reason})") from error


def _make_folder(output: Path) -> None:
    if output.exists() and not output.is_dir():
        raise CallError(f"{output} is a file, expected a folder for the report")
    output.mkdir(parents=True, exist_ok=True)


def _latents_files(results: Path, root: Path, fingerprint: str) -> list[tuple[Path, dict[str, Any]]]:
    """Each `latents*.json` of a folder, after checking that it is of this model."""
    found = []
    for path in sorted([*results.glob(LATENTS), *results.glob("latents-*.json")]):
        content = read_json(path, LATENTS_SCRIPT)
        settings = content.get("settings")
        if not isinstance(settings, dict) or not {"weights", "split"} <= settings.keys():
            raise CallError(
                f"{path} does not say which model and families it is of; expected what {LATENTS_SCRIPT} writes"
            )
        if settings["weights"] != fingerprint:
            raise CallError(
                f"{path} is of another model: it measured weights {str(settings['weights'])[:16]} "
                f"({settings.get('model', 'unnamed')}), but {root} has {fingerprint[:16]}; measure this model with "
                f"{LATENTS_SCRIPT}, or name a folder of its figures with --results"
            )
        found.append((path, content))
    return found


def _add_ascent(draft: _Draft, results: Path, measured: list[tuple[Path, dict[str, Any]]]) -> None:
    from ..plots import ascent_alt_text, plot_ascent

    for path, content in measured:
        with _written_by(path, LATENTS_SCRIPT):
            entries = content.get("moves")
            if not entries:
                draft.missing.append(f"ascent: `{_shown(results, path.name)}` has no moves")
                continue
            if len(entries) > _MOST_ENTRIES:
                raise CallError(f"{path} has {len(entries)} entries of moves; more than {_MOST_ENTRIES} are not drawn")
            name = path.stem.replace("latents", "ascent", 1) + ".png"
            split = content["settings"]["split"]
            title = f"Programs that beat their parent, {split} families"
            picture = draft.picture(plot_ascent(entries, title=title), name, ascent_alt_text(entries))
            draft.add(ascent_section(entries, content["settings"], picture))


def _add_surrogates(
    draft: _Draft, results: Path, root: Path, measured: list[tuple[Path, dict[str, Any]]], record: Mapping[str, Any]
) -> None:
    parts = []
    for path, content in measured:
        with _written_by(path, LATENTS_SCRIPT):
            split = content["settings"]["split"]
            if content.get("surrogate", {}).get("tasks"):
                space = content["settings"].get("space", "prior")
                parts += [f"### On {split} families ({space} space)", surrogate_table(content["surrogate"])]
            else:
                draft.missing.append(f"surrogates: `{_shown(results, path.name)}` has none")
            after = prediction_section(content.get("moves") or [])
            if after:
                parts += [f"### After decoding, {split} families", after]
    with _written_by(root / TRAINING, "lhs-hf train"):
        recorded = recorded_surrogates(record)
    if recorded:
        parts += ["### At training", recorded]
    if parts:
        draft.add("## Surrogates", *parts)


def surrogate_table(section: Mapping[str, Any]) -> str:
    """Spearman's correlations on held-out programs by task, beside those of simple models of the data."""
    names = [name for name in PREDICTORS if any(task.get(name) for task in section["tasks"].values())]
    rows = [
        [f"`{task}`", str(found["programs"]), str(found["families"]), *(_pair(found.get(name)) for name in names)]
        for task, found in section["tasks"].items()
    ]
    means = section.get("mean", {})
    if len(rows) > 1:
        rows.append(["mean of the tasks", "", "", *(_pair(means.get(name)) for name in names)])
    told = (
        "Spearman's correlation of predicted and true scores of held-out programs: all [95 % interval, bootstrap over "
        "families] / the better half of them."
    )
    return told + "\n\n" + markdown_table(["task", "programs", "families", *(PREDICTORS[name] for name in names)], rows)


def _pair(found: Mapping[str, Any] | None) -> str:
    if not found:
        return "—"
    low, high = found.get("interval", (None, None))
    about = "" if low is None else f" [{low:.2f}, {high:.2f}]"
    return f"{found['spearman']:.2f}{about} / {found['better_half']:.2f}"


def _add_flow(
    draft: _Draft, results: Path, root: Path, measured: list[tuple[Path, dict[str, Any]]], record: Mapping[str, Any]
) -> None:
    rows = []
    for path, content in measured:
        with _written_by(path, LATENTS_SCRIPT):
            found = content.get("flow")
            if found:
                label = f"{content['settings']['split']} families ({found['programs']} programs)"
                rows.append(_flow_row(label, found))
            else:
                draft.missing.append(f"flow: `{_shown(results, path.name)}` has no such section")
    with _written_by(root / TRAINING, "lhs-hf train"):
        recorded = record.get("flow", {})
        if "test_bits_per_dimension" in recorded:
            rows.append(_flow_row("test families, at training", recorded, "test_"))
    if not rows:
        return
    header = ["latents of", "noise", "flow", "Gaussian", "flow - Gaussian", "inverse error, float32", "float64"]
    draft.add(
        "## Flow",
        "Bits a dimension of held-out latents, lower is better, under the flow and under a Gaussian with the means and "
        "the full covariance of the training latents; both with the noise that the flow was trained with. The inverse "
        "error is the largest |F⁻¹(F(z)) - z|.",
        markdown_table(header, rows),
    )


def _flow_row(label: str, found: Mapping[str, float], prefix: str = "") -> list[str]:
    flow, gaussian = found[f"{prefix}bits_per_dimension"], found[f"{prefix}gaussian_bits_per_dimension"]
    errors = [found.get(f"inverse_error_{name}") for name in ("float32", "float64")]
    return [
        label,
        f"{found['noise']:g}",
        f"{flow:.3f}",
        f"{gaussian:.3f}",
        f"{flow - gaussian:+.3f}",
        *("—" if error is None else f"{error:.1e}" for error in errors),
    ]


def _add_searches(draft: _Draft, results: Path, fingerprint: str) -> None:
    sections: tuple[tuple[str, str, str, str, Callable[[Any], str]], ...] = (
        (SEARCHES, f"{SEARCHES_SCRIPT}", "searches", "## Searches", search_tables),
        (SPLITS, f"{SEARCHES_SCRIPT} --splits", "test splits", "## Test splits", split_table),
        (ABLATION, ABLATION_SCRIPT, "ablation", "## Ablation", ablation_table),
    )
    for name, script, what, heading, table in sections:
        with _written_by(results / name, script):
            content = _of_this_model(draft, results, name, script, what, fingerprint)
            if content is not None:
                draft.add(heading, table(content))


def _of_this_model(
    draft: _Draft, results: Path, name: str, script: str, what: str, fingerprint: str
) -> dict[str, Any] | None:
    """The content of a file of searches, None with the reason noted if it is missing or of another model."""
    if not (results / name).is_file():
        draft.missing.append(f"{what}: {_absent(results, name, script)}")
        return None
    content = read_json(results / name, script)
    # A file of several variants has settings in each of them.
    parts = [content] if "settings" in content else list(content.values())
    if any(part.get("settings", {}).get("weights") != fingerprint for part in parts):
        draft.missing.append(f"{what}: `{_shown(results, name)}` is of another model")
        return None
    return content


def _add_decoder(draft: _Draft, results: Path, root: Path) -> None:
    path = results / DECODER
    if not path.is_file():
        draft.missing.append(f"decoder: {_absent(results, DECODER, DECODER_SCRIPT)}")
        return
    content = read_json(path, DECODER_SCRIPT)
    with _written_by(path, DECODER_SCRIPT):
        measured, present = content.get("settings", {}).get("model"), model_digest(root)
        if measured != present:
            shown = _shown(results, DECODER)
            draft.missing.append(f"decoder: `{shown}` is of another model ({measured}, this one is {present})")
            return
        draft.add("## Decoder", decoder_text(content))


def _add_maps(draft: _Draft, root: Path, wanted: bool) -> None:
    if not wanted:
        draft.missing.append(
            "maps of the latent space: not drawn; `lhs-hf report --model NAME --maps` encodes the corpus"
        )
        return
    from ..plots import plot_score_maps, plot_task_maps
    from .latents import corpus_latents

    latents, scores = corpus_latents(root)
    programs = sum(map(len, latents.values()))
    draft.add(
        "## Latent maps",
        f"All {programs} programs of the corpus as latents z of this model's encoder, along the first two principal "
        "components; percentages are the share of the variance that these hold.",
        draft.picture(
            plot_task_maps(latents), "map_tasks.png", "Latents of the corpus in one plane, a panel for each task"
        ),
        draft.picture(
            plot_score_maps(latents, scores),
            "map_scores.png",
            "Latents of each task in its own plane, coloured by score",
        ),
    )


def _absent(results: Path, name: str, script: str) -> str:
    return f"`{_shown(results, name)}` does not exist (`{script}` writes it)"


def _shown(results: Path, name: str) -> str:
    """A file of the results without the folders above them: a report is read on other machines."""
    return one_line(f"{results.resolve().name}/{name}")
