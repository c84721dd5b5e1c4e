"""Write every card from what was measured: model_cards/, the corpus's and the Space's README.md.

Beside the model's card stands what goes into its `.eval_results`, beside the corpus's card its `eval.yaml`.

    python scripts/benchmarks/cards.py          writes them all
    python scripts/benchmarks/cards.py --check  writes nothing; exits 1 and names the cards that differ

Figures come from the model's training.json, results/ten_tasks.json, results/decoder.json, results/latents.json,
results/amortisation.json, results/without_best.json, results/text_only.json, results/editor.json,
results/true_ascent.json, the corpus and the configurations of the parts; texts from card_templates/ and
lhs_hf/corpus/dataset_card.md. What was not measured is left out; figures of another model raise `ValueError`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from card_parts import edits, evaluations, tables, texts
from card_parts.measured import CORPUS, ROOT, Measured, read
from huggingface_hub import EvalResult, ModelCardData, eval_result_entries_to_yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from searches.amortisation import amortisation_text
from searches.without_best import without_best_text

from lhs_hf.constants import DEFAULT_MODEL
from lhs_hf.corpus.card import card_text
from lhs_hf.reporting.ascent_tables import WORDS
from lhs_hf.reporting.decoder_table import DECODING, ROWS, TOKENIZER, decoder_text
from lhs_hf.reporting.model_report import surrogate_table
from lhs_hf.space.limits import VisitorLimits
from lhs_hf.tasks import get_task

CARDS = ROOT / "model_cards"
CORPUS_CARD = CORPUS / "README.md"
SPACE_CARD = ROOT / "spaces" / "lhs" / "README.md"
TEMPLATES = Path(__file__).with_name("card_templates")
TAGS = ("latent-heuristic-search", "heuristic-search", "program-synthesis", "combinatorial-optimization")
CYCLE = tuple(row for row in ROWS if row.path[0] == "cycle")
JOINT = ("variants", "tokenizer", "autoencoder")
"""The stages that give encoder and decoder."""


def cards(measured: Measured) -> dict[Path, str]:
    """The text of every card, by the file it belongs in."""
    name = measured.name
    found = {
        CARDS / f"{name}.md": model_card(measured),
        CARDS / f"{name}-decoder.md": decoder_card(measured),
        CARDS / f"{name}-encoder.md": encoder_card(measured),
    }
    found |= {CARDS / "surrogates" / f"{task}.md": surrogate_card(measured, task) for task in measured.tasks}
    return {
        **found,
        CARDS / f"{name}.eval_results.yaml": _yaml(eval_result_entries_to_yaml(evaluations.results(measured))),
        CORPUS_CARD: card_text(CORPUS),
        CORPUS_CARD.with_name("eval.yaml"): _yaml(evaluations.benchmark(measured.tasks)),
        SPACE_CARD: space_card(measured),
    }


def _yaml(content: Any) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)


def model_card(measured: Measured) -> str:
    """The card of the whole model."""
    data = _metadata(
        measured.name,
        "lhs_hf",
        "text-generation",
        evaluations.training(measured, ("autoencoder", "mapper", "flow"))
        + evaluations.decoder(measured, DECODING)
        + evaluations.ascent(measured),
    )
    searches, latents = measured.searches, measured.latents
    files = ("searches", "decoder", "latents", "editor", "ascents", "text_only", "amortisation", "without_best")
    return _card(
        "model.md",
        data,
        **_common(measured, files),
        name=measured.name,
        parameters=f"{sum(measured.parameters.values()):,}",
        parts=tables.parts_table(measured),
        figures=tables.parts_figures(measured.training),
        surrogates=tables.recorded_surrogates(measured.training),
        searches=searches
        and {
            "budget": searches["budget"],
            "count": len(searches["tasks"]),
            "over_reference": tables.wins(searches, "reference_objective"),
            "over_corpus": tables.wins(searches, "best_in_corpus"),
            "new": tables.new(searches),
            "table": tables.searches_table(searches),
        },
        decoder=measured.decoder and decoder_text(measured.decoder),
        ascent=latents
        and latents.get("moves")
        and {"split": latents["settings"]["split"], "words": WORDS, "entries": tables.ascent_tables(latents)},
        held_out=latents
        and latents.get("surrogate")
        and {**latents["settings"], "table": surrogate_table(latents["surrogate"])},
        editor=measured.editor and edits.editor_text(measured.editor),
        ways=measured.ascents
        and {"split": measured.ascents["settings"]["split"], "text": edits.ways_text(measured.ascents)},
        amortisation=measured.amortisation and amortisation_text(measured.amortisation),
        text_only=measured.text_only and text_only_text(measured.text_only),
        without_best=measured.without_best and without_best_text(measured.without_best),
    )


def text_only_text(content: dict[str, Any]) -> str:
    """Surrogates over an encoder that reads no behaviour, and how its model was trained."""
    made = content["training"]
    intro = (
        "What the programs' behaviour is worth: the same for a model whose encoder reads their text alone (recipe "
        f"`text-only`, with {made['steps']} steps of the autoencoder and {made['variants']} variants a task)."
    )
    return f"{intro} {surrogate_table(content['surrogate'])}"


def decoder_card(measured: Measured) -> str:
    """The card of the decoder."""
    name = f"{measured.name}-decoder"
    rows = (*TOKENIZER, *DECODING)
    parts = ("autoencoder", "mapper")
    results = evaluations.training(measured, parts) + evaluations.decoder(measured, rows)
    return _card(
        "decoder.md",
        _metadata(name, "transformers", "text-generation", results),
        **_common(measured, ("decoder",), JOINT),
        name=measured.name,
        shape=measured.config("decoder"),
        parameters=f"{measured.parameters['decoder']:,}",
        figures=tables.parts_figures(measured.training, parts),
        decoder=measured.decoder and decoder_text(measured.decoder),
    )


def encoder_card(measured: Measured) -> str:
    """The card of the encoder."""
    name, kind = f"{measured.name}-encoder", evaluations.VECTORS
    results = evaluations.training(measured, ("autoencoder",), kind) + evaluations.decoder(measured, CYCLE, kind)
    cycle = measured.decoder and "cycle" in measured.decoder["sections"]
    return _card(
        "encoder.md",
        _metadata(name, "sentence-transformers", kind, results),
        **_common(measured, ("decoder",) if cycle else (), JOINT),
        name=measured.name,
        shape=measured.config("encoder", "program_encoder_config.json"),
        parameters=f"{measured.parameters['encoder']:,}",
        figures=tables.parts_figures(measured.training, ("autoencoder",)),
        surrogates=tables.recorded_surrogates(measured.training, spaces=("latent",)),
        decoder=cycle and decoder_text(measured.decoder, CYCLE),
    )


def surrogate_card(measured: Measured, task: str) -> str:
    """The card of one task's surrogates, in both spaces."""
    latents = measured.latents or {}
    held_out = latents.get("surrogate", {}).get("tasks", {}).get(task)
    return _card(
        "surrogate.md",
        _metadata(f"{measured.name}-{task}", "lhs_hf", None, evaluations.surrogate(measured, task)),
        **_common(measured, ("latents",), (*JOINT, "latents", "flow", "surrogates"), [task]),
        task=get_task(task),
        shape=measured.config(f"surrogates/{task}"),
        parameters=f"{measured.parameters[f'surrogates/{task}']:,}",
        surrogates=tables.recorded_surrogates(measured.training, [task]),
        held_out=held_out and {**latents["settings"], **held_out, "table": tables.held_out_table(latents, task)},
        after_decoding=tables.after_decoding_table(latents, task),
    )


def space_card(measured: Measured) -> str:
    """The Space's README.md, front matter included."""
    limits = VisitorLimits()
    return _render(
        "space.md",
        **_common(measured, ()),
        repository=DEFAULT_MODEL,
        limits={
            "searches": limits.searches,
            "waiting": limits.waiting,
            "each": limits.each,
            "budget": limits.budget,
            "edit_mb": limits.edit_mb,
            "calls_per_s": f"{limits.calls_per_s:g}",
            "body": f"{limits.body_bytes // 1024} KiB",
            **{name: tables.duration(getattr(limits, f"{name}_s")) for name in ("run", "unwatched", "keep", "edit")},
        },
    )


def _common(
    measured: Measured, files: Sequence[str], stages: Sequence[str] = (), tasks: Sequence[str] = ()
) -> dict[str, Any]:
    """What several templates ask for; `files` are those of results/ that the card quotes."""
    training, names = measured.training, tasks or measured.tasks
    machine = training["machine"]
    some = bool(stages) and len(stages) < len(training["stages"])
    return {
        "model": measured.name,
        "tasks": measured.tasks,
        "example": measured.tasks[0],
        "max_tokens": training["recipe"]["max_tokens"],
        "corpus": texts.corpus_sentences(measured, tasks),
        "families": {
            "same": measured.same_corpus,
            **{
                split: texts.count_range([measured.families[name, split] for name in names])
                for split in ("validation", "test")
            },
        },
        "cost": {
            "total": tables.duration(tables.stage_seconds(training, stages)),
            "threads": machine["threads"],
            "processor": machine["processor"],
            "torch": training["torch"],
            "remark": " Only the stages that these parts come from are counted." if some else "",
            "table": tables.stages_table(training, stages),
        },
        "sources": texts.sources_table(measured, files),
    }


def _metadata(name: str, library: str, pipeline_tag: str | None, results: list[EvalResult]) -> ModelCardData:
    return ModelCardData(
        language="code",
        license="apache-2.0",
        library_name=library,
        pipeline_tag=pipeline_tag,
        tags=list(TAGS),
        model_name=name,
        eval_results=results,
    )


def _card(template: str, data: ModelCardData, **values: Any) -> str:
    return f"---\n{data.to_yaml()}\n---\n\n{_render(template, **values)}"


def _render(template: str, **values: Any) -> str:
    # `ModelCard.from_template` would leave a name without a value empty; here it is an error.
    environment = Environment(  # noqa: S701  (Markdown, of our own templates)
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    text = environment.get_template(template).render(**values)
    return text if text.endswith("\n") else text + "\n"


def different(wanted: dict[Path, str]) -> list[Path]:
    """The cards that are missing, or hold something else than they should."""
    return [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the cards; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare, and exit 1 if a card differs")
    check = parser.parse_args(arguments).check
    wanted = cards(read())
    found = different(wanted)
    for path in found:
        shown = path.relative_to(ROOT)
        if check:
            print(f"{shown} differs from what scripts/benchmarks/cards.py writes", file=sys.stderr)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
        print(f"wrote {shown}")
    return int(check and bool(found))


if __name__ == "__main__":
    sys.exit(main())
