"""The tables of the cards, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lhs_hf.reporting.ascent_tables import differences_table, entry_title, interval, moves_table, verdict
from lhs_hf.reporting.model_report import PREDICTORS
from lhs_hf.reporting.run_report import markdown_table, number

from .measured import Measured

SPACES = {"prior": "prior space u", "latent": "latent space z"}


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def left(table: str, columns: int) -> str:
    """A table with as many columns after the first aligned left: they hold text."""
    return table.replace(" ---: ", " --- ", columns)


def parts_table(measured: Measured) -> str:
    """What a model consists of: folder, shape and number of weights of each part."""
    encoder, decoder = measured.config("encoder", "program_encoder_config.json"), measured.config("decoder")
    both = measured.config()
    flow, mapper = both["flow_config"], both["mapper_config"]
    surrogate = measured.config(f"surrogates/{measured.tasks[0]}")
    count = sum(size for part, size in measured.parameters.items() if part.startswith("surrogates"))
    rows = [
        [
            "encoder",
            "`encoder/`",
            f"transformer of {encoder['num_layers']} layers, width {encoder['hidden_size']}, over the syntax tree, "
            f"joined with the decisions on {encoder['num_probes']} probe states; d = {encoder['latent_size']}",
            measured.parameters["encoder"],
        ],
        [
            "decoder",
            "`decoder/`",
            f"{decoder['model_type'].capitalize()} of {decoder['num_hidden_layers']} layers, width "
            f"{decoder['hidden_size']}, over {decoder['vocab_size']} syntax-tree actions",
            measured.parameters["decoder"],
        ],
        [
            "flow and mapper",
            "`model.safetensors`",
            f"RealNVP of {flow['num_coupling_layers']} couplings; {mapper['num_soft_tokens']} soft tokens of width "
            f"{mapper['output_size']}",
            measured.parameters[""],
        ],
        [
            "surrogates",
            "`surrogates/`, `surrogates-latent/`",
            f"{len(measured.tasks)} in each of {len(SPACES)} spaces: RankNet, {surrogate['num_hidden_layers']} x "
            f"{surrogate['hidden_size']}",
            count,
        ],
    ]
    if "editor" in measured.parameters:
        editor = measured.config("editor")
        rows.append(
            [
                "editor",
                "`editor/`",
                f"reads a program with {editor['num_encoder_layers']} layers of width {editor['hidden_size']}, writes "
                f"edits of it towards a latent; {editor['sketch_size']} numbers of a sketch name what changes",
                measured.parameters["editor"],
            ]
        )
    shown = [[part, folder, what, f"{size:,}"] for part, folder, what, size in rows]
    shown.append(["all", "", "", f"{sum(measured.parameters.values()):,}"])
    return left(markdown_table(["part", "where", "what", "parameters"], shown), 2)


def stages_table(training: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Seconds of the stages of a training (of all, or of those named), with what is to be said about them."""
    stages = {name: stage for name, stage in training["stages"].items() if not names or name in names}
    rows = [
        [
            name,
            f"{stage['seconds']:.0f}" + (f" ({stage['note']})" if stage.get("note") else ""),
            f"`{stage['commit']}`" if stage.get("commit") else "—",
        ]
        for name, stage in stages.items()
    ]
    if len(rows) > 1:
        rows.append(["together", f"{stage_seconds(training, names):.0f}", ""])
    return markdown_table(["stage", "seconds", "commit"], rows)


def stage_seconds(training: Mapping[str, Any], names: Sequence[str] = ()) -> float:
    """Seconds of the stages of a training, of all or of those named."""
    return sum(stage["seconds"] for name, stage in training["stages"].items() if not names or name in names)


def parts_figures(training: Mapping[str, Any], parts: Sequence[str] = ()) -> str:
    """What training recorded of its parts (of all, or of those named); a figure that was not recorded is left out."""
    recorded, flow = training["parts"], training["flow"]
    noise = f"(noise {flow['noise']:g})"
    figures = (
        ("autoencoder", "autoencoder: NLL a token (nats)", recorded["autoencoder"], "eval_loss"),
        (
            "autoencoder",
            "autoencoder: NLL a token, text of a parent with the child's behaviour",
            recorded["autoencoder"],
            "eval_exchange",
        ),
        ("mapper", "mapper: mean NLL a token (nats), decoder frozen", recorded["mapper"], "eval_loss"),
        ("flow", f"flow: bits a dimension, test families {noise}", flow, "test_bits_per_dimension"),
        (
            "flow",
            f"full-covariance Gaussian: bits a dimension, same latents {noise}",
            flow,
            "test_gaussian_bits_per_dimension",
        ),
    )
    rows = [
        [label, f"{found[key]:.3f}"]
        for part, label, found, key in figures
        if (not parts or part in parts) and found and key in found
    ]
    return markdown_table(["part", "figure"], rows)


def recorded_surrogates(training: Mapping[str, Any], tasks: Sequence[str] = (), spaces: Sequence[str] = ()) -> str:
    """Spearman's correlations of training, all programs / the better half of them: a row a task, a column a space."""
    found = {space: tasks for space, tasks in training["surrogates"].items() if not spaces or space in spaces}
    names = tasks or list(next(iter(found.values())))
    rows = [[f"`{name}`", *(_pair(by_task.get(name)) for by_task in found.values())] for name in names]
    return markdown_table(["task", *(SPACES[space] for space in found)], rows)


def _pair(found: Mapping[str, float] | None) -> str:
    if not found:
        return "—"
    return " / ".join(f"{found[key]:.2f}" for key in ("eval_spearman", "eval_spearman_better_half"))


def searches_table(searches: Mapping[str, Any]) -> str:
    """One short search a task, beside the reference and the best program of the corpus."""
    rows = [
        [
            f"`{row['task']}`",
            "lower" if row["sense"] == "min" else "higher",
            f"{row['valid']}/{row['decoder_calls']}",
            *(number(row[key]) for key in ("reference_objective", "objective", "best_in_corpus")),
            number(row["bound"].get("search")),
        ]
        for row in searches["tasks"]
    ]
    return markdown_table(["task", "better is", "valid", "reference", "found", "best in corpus", "bound"], rows)


def wins(searches: Mapping[str, Any], other: str) -> int:
    """In how many tasks the found program is better than `reference_objective` or `best_in_corpus`."""
    sign = {"min": -1, "max": 1}
    return sum(sign[row["sense"]] * (row["objective"] - row[other]) > 0 for row in searches["tasks"])


def new(searches: Mapping[str, Any]) -> int | None:
    """In how many tasks the found program is no program of the corpus; None from a file that does not say."""
    levels = [row.get("novelty", {}).get("level") for row in searches["tasks"]]
    return None if None in levels else levels.count("new")


def held_out_table(measured: Mapping[str, Any], task: str) -> str:
    """A surrogate beside simple models of the same data, on the families of the measurement; empty without figures."""
    found = measured.get("surrogate", {}).get("tasks", {}).get(task)
    if not found:
        return ""
    rows = [
        [label, *(f"{found[name][key]:.2f}" for key in ("spearman", "better_half"))]
        for name, label in PREDICTORS.items()
        if found.get(name)
    ]
    return markdown_table(["predictor", "all programs", "better half"], rows)


def after_decoding_table(measured: Mapping[str, Any], task: str) -> str:
    """Predictions against the true scores of what was decoded, by radius and screening; empty without figures."""
    rows = []
    for entry in measured.get("moves") or []:
        found = entry["tasks"].get(task, {}).get("prediction", {})
        if any(figure["mean"] is not None for figure in found.values()):
            cells = [interval(found[name], scale=1.0, digits=2, signed=True) for name in ("point", "program")]
            rows.append([entry_title(entry), str(found["point"]["n"]), *cells])
    return markdown_table(["decoded at", "programs", "point", "program"], rows) if rows else ""


def ascent_tables(measured: Mapping[str, Any]) -> list[dict[str, str]]:
    """For each radius and screening size of the paired test: `title`, `moves`, `verdict` and `differences`."""
    found = []
    for entry in measured.get("moves") or []:
        together = entry["all"]
        differences = together["gradient_minus"]
        found.append(
            {
                "title": entry_title(entry),
                "moves": moves_table(together["moves"]),
                "verdict": verdict(differences) if differences else "",
                "differences": differences_table(differences) if differences else "",
            }
        )
    return found
