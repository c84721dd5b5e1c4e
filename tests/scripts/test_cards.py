"""Every card is what was measured, is accepted by the Hub, and says what a card has to say."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cards
import pytest
import yaml
from card_parts import edits
from card_parts.measured import Measured, read
from hub_cards import card_errors
from hub_server import HubServer
from huggingface_hub import (
    DatasetCard,
    ModelCard,
    RepoCard,
    SpaceCard,
    eval_result_entries_to_yaml,
    parse_eval_result_entries,
)
from measured_files import amortisation_file, decoder_file, latents_file, without_best_file

from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.tasks import task_names

ROOT = Path(__file__).parents[2]
MODEL_CARDS = sorted((ROOT / "model_cards").rglob("*.md"))
OTHER_CARDS = [cards.CORPUS_CARD, cards.SPACE_CARD]
LONELY = [path for path in MODEL_CARDS if path.stem not in ("lhs-tiny", *task_names()[1:])]
"""Cards of parts, one of a surrogate among them: their code loads a part and no search."""

VALIDATE = """
import json, sys
import yaml
from huggingface_hub import DatasetCard, ModelCard, SpaceCard
answers = []
for kind, path in json.loads(sys.argv[1]):
    try:
        {"model": ModelCard, "dataset": DatasetCard, "space": SpaceCard}[kind].load(path).validate()
    except (ValueError, yaml.YAMLError) as error:
        answers.append(str(error))
    else:
        answers.append("")
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def measured() -> Measured:
    return read()


def kind_of(path: Path) -> str:
    return {cards.CORPUS_CARD: "dataset", cards.SPACE_CARD: "space"}.get(path, "model")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def with_results(measured: Measured, tmp_path: Path) -> Measured:
    """The same model with a decoder and a latent measurement."""
    (tmp_path / "latents.json").write_text(json.dumps(latents_file(measured.root)))
    (tmp_path / "decoder.json").write_text(json.dumps(decoder_file(measured.root)))
    return read(results=tmp_path)


def test_every_card_is_what_the_script_writes(measured: Measured) -> None:
    wanted = cards.cards(measured)
    assert cards.different(wanted) == []
    assert {path for path in wanted if path.suffix == ".md" and kind_of(path) == "model"} == set(MODEL_CARDS)
    assert {path.stem for path in MODEL_CARDS if path.parent.name == "surrogates"} == set(task_names())


def test_the_check_names_what_differs(measured: Measured, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(cards, "ROOT", tmp_path)
    monkeypatch.setattr(cards, "CARDS", tmp_path / "model_cards")
    monkeypatch.setattr(cards, "CORPUS_CARD", tmp_path / "corpus" / "README.md")
    monkeypatch.setattr(cards, "SPACE_CARD", tmp_path / "space" / "README.md")
    monkeypatch.setattr(cards, "read", lambda: measured)
    monkeypatch.setattr(cards, "card_text", lambda folder: "the corpus\n")
    assert cards.main(["--check"]) == 1
    assert not list(tmp_path.iterdir())
    assert cards.main([]) == 0
    first = {path: path.read_bytes() for path in tmp_path.rglob("*.md")}
    assert len(first) == 5 + len(task_names())
    assert cards.main(["--check"]) == 0
    changed = tmp_path / "model_cards" / "lhs-tiny-encoder.md"
    changed.write_text(changed.read_text().replace("0", "1", 1))
    capsys.readouterr()
    assert cards.main(["--check"]) == 1
    assert re.findall(r"\S+\.md", capsys.readouterr().err) == ["model_cards/lhs-tiny-encoder.md"]
    assert cards.main([]) == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md")} == first


def test_the_hub_accepts_every_card_and_refuses_broken_ones(tmp_path: Path) -> None:
    good = [(kind_of(path), path) for path in (*MODEL_CARDS, *OTHER_CARDS)]
    model = (ROOT / "model_cards" / "lhs-tiny.md").read_text()
    space = cards.SPACE_CARD.read_text()
    broken = {
        "license": ("model", model.replace("license: apache-2.0", "license: mine", 1)),
        "no YAML": ("model", model.replace("license: apache-2.0", "license: [apache", 1)),
        "metric": ("model", re.sub(r"value: .*", "value: null", model, count=1)),
        "size category": ("dataset", cards.CORPUS_CARD.read_text().replace("1K<n<10K", "some", 1)),
        "sdk": ("space", space.replace("sdk: gradio", "sdk: mine", 1)),
        "colorFrom": ("space", space.replace("colorFrom: green", "colorFrom: teal", 1)),
    }
    for name, (_, text) in broken.items():
        (tmp_path / f"{name}.md").write_text(text)
    asked = [*good, *((kind, tmp_path / f"{name}.md") for name, (kind, _) in broken.items())]
    with HubServer() as hub:
        done = subprocess.run(
            [sys.executable, "-c", VALIDATE, json.dumps([(kind, str(path)) for kind, path in asked])],
            capture_output=True,
            text=True,
            env={**os.environ, **hub.environment(tmp_path / "home")},
        )
        assert done.returncode == 0, done.stderr
        assert hub.requests.count("POST /api/validate-yaml") >= len(good)
    answers = json.loads(done.stdout)
    assert answers[: len(good)] == [""] * len(good)
    for name, answer, (kind, text) in zip(broken, answers[len(good) :], broken.values()):
        assert name in card_errors(text, kind)[0]
        # What is no YAML the client refuses by itself.
        assert answer
        assert name == "no YAML" or name in json.loads(answer)["errors"][0]["message"]


@pytest.mark.parametrize("path", [*MODEL_CARDS, *OTHER_CARDS], ids=named)
def test_a_card_has_its_sections(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    headings = set(re.findall(r"^## (.+)$", text, flags=re.MULTILINE))
    needed = {"Intended use", "Limits", "Risks", "How to reproduce"}
    needed |= {"How it was made", "Cost of building it"} if kind_of(path) == "dataset" else set()
    needed |= {"Training data", "Cost of training"} if kind_of(path) != "dataset" else set()
    assert needed <= headings
    risks = text.split("## Risks\n", 1)[1].split("\n## ", 1)[0]
    assert "sandbox" in risks or "evaluator" in risks
    assert "scripts/benchmarks/cards.py" in text
    language, block = re.findall(r"^```(\w*)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)[0]
    assert language == "bash"
    assert block.startswith("pip install ")


def blocks(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", LONELY, ids=named)
def test_the_code_of_a_part_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert blocks(path)
    for block in blocks(path):
        exec(block, {})
    shown = {"decoder": "def select_next_node(", "encoder": "(1, 128)"}
    assert (
        next((text for part, text in shown.items() if path.stem.endswith(part)), "tensor(") in capsys.readouterr().out
    )


def results_of(card: RepoCard) -> dict[tuple[str | None, ...], Any]:
    return {
        (result.dataset_type, result.dataset_config, result.dataset_split, result.metric_name): result.metric_value
        for result in card.data.eval_results
    }


def test_the_metadata_holds_the_measured_figures(measured: Measured) -> None:
    for space, tasks in measured.training["surrogates"].items():
        for task, figures in tasks.items():
            shown = results_of(ModelCard.load(ROOT / "model_cards" / "surrogates" / f"{task}.md"))
            key = ("heuristic-programs", task, "validation", f"Spearman, {space} space, all programs")
            assert shown[key] == pytest.approx(figures["eval_spearman"], rel=1e-5)
    for name in ("lhs-tiny-decoder", "lhs-tiny-encoder"):
        card = ModelCard.load(ROOT / "model_cards" / f"{name}.md")
        assert card.data.model_name == name
        nll = measured.training["parts"]["autoencoder"]["eval_loss"]
        assert pytest.approx(nll, rel=1e-5) in results_of(card).values()
    assert DatasetCard.load(cards.CORPUS_CARD).data.license == "apache-2.0"
    assert SpaceCard.load(cards.SPACE_CARD).data.sdk == "gradio"


def test_the_evaluation_results_are_the_measured_figures_of_tasks_that_the_corpus_names(measured: Measured) -> None:
    """Both files are read by huggingface_hub's own functions, the first as the Hub shows it."""
    written = yaml.safe_load((ROOT / "model_cards" / "lhs-tiny.eval_results.yaml").read_text())
    entries = parse_eval_result_entries(written)
    assert eval_result_entries_to_yaml(entries) == written
    values = {entry.task_id: entry.value for entry in entries}
    assert len(values) == len(entries)
    for row in json.loads((ROOT / "results" / "ten_tasks.json").read_text())["tasks"]:
        for split, value in {"search": row["objective"], **row["test"]}.items():
            assert values[f"{row['task']}-{split}"] == pytest.approx(value, rel=1e-5)
        assert values[f"{row['task']}-valid"] == pytest.approx(row["success_rate"], rel=1e-5)
    for task, figures in measured.training["surrogates"]["prior"].items():
        assert values[f"{task}-ranking"] == pytest.approx(figures["eval_spearman"], rel=1e-5)
    benchmark = yaml.safe_load((cards.CORPUS_CARD.parent / "eval.yaml").read_text())
    ids = [task["id"] for task in benchmark["tasks"]]
    assert len(ids) == len(set(ids))
    assert {entry.dataset_id for entry in entries} == {"lhs-hf/heuristic-programs"}
    assert set(values) <= set(ids)
    configs = {each["config_name"] for each in DatasetCard.load(cards.CORPUS_CARD).data.configs}
    assert {task["config"] for task in benchmark["tasks"]} <= configs


def test_the_metadata_of_the_model_is_short() -> None:
    _, metadata, _ = (ROOT / "model_cards" / "lhs-tiny.md").read_text().split("---\n", 2)
    assert len(metadata.splitlines()) <= 130


def test_cards_follow_the_record_of_the_training(measured: Measured) -> None:
    training = copy.deepcopy(measured.training)
    training["stages"]["mapper"] = {"seconds": 4321.4, "note": "the machine was shared"}
    training["parts"]["autoencoder"] = {"eval_loss": 0.98765}
    training["surrogates"]["latent"]["tsp_construct"]["eval_spearman"] = 0.12345
    changed = replace(measured, training=training, same_corpus=True)
    text = cards.model_card(changed)
    assert "| mapper | 4321 (the machine was shared) | — |" in text
    assert "| autoencoder: NLL a token (nats) | 0.988 |" in text
    assert "child's behaviour | " not in text
    assert " / " in cards.surrogate_card(changed, "tsp_construct")
    assert "0.12 / " in cards.surrogate_card(changed, "tsp_construct")
    assert "0.12 / " in cards.encoder_card(changed)
    programs = sum(measured.programs[task, "train"] for task in task_names())
    assert f"{programs:,} of {sum(measured.programs.values()):,} programs" in text
    other = cards.model_card(replace(changed, same_corpus=False))
    assert "another state of the corpus" in other
    assert f"{programs:,}" not in other


def test_what_was_not_measured_is_left_out(measured: Measured, tmp_path: Path) -> None:
    files = ("searches", "decoder", "latents", "text_only", "amortisation", "without_best")
    bare = cards.model_card(replace(measured, **dict.fromkeys(files)))
    headings = (
        "Searches",
        "What its decoder does",
        "Ascent",
        "With the text alone",
        "A task that the shared parts",
        "Without the best programs",
    )
    for heading in headings:
        assert f"### {heading}" not in bare
    full = with_results(measured, tmp_path)
    model, decoder = cards.model_card(full), cards.decoder_card(full)
    for heading in ("### What its decoder does", "### Ascent: the paired test on test families"):
        assert heading in model
    assert "| valid: held-out latents | ≥ 99.0 % | 92.5 % | 80.1 % to 97.4 % | 92.5 % (`tsp_construct`) |" in decoder
    assert results_of(ModelCard(decoder))["heuristic-programs", "all", "test", "valid: held-out latents"] == 0.925
    assert "--split test --space prior --radius 2 --parents 4 --seed 0" in model
    name = "beats its parent: gradient, radius 2, best of 1"
    assert results_of(ModelCard(model))["heuristic-programs", "all", "test", name] == 0.75
    assert "### Searches" not in model  # nothing of the kind lies in that folder
    surrogate = cards.surrogate_card(full, "tsp_construct")
    assert "| surrogate | 0.81 | 0.33 |" in surrogate
    assert "| radius 2, one program a point | 8 | +1.00 [" in surrogate
    name = "Spearman, prior space, better half"
    assert results_of(ModelCard(surrogate))["heuristic-programs", "tsp_construct", "test", name] == 0.334
    assert "### On test families" not in cards.surrogate_card(full, "qap_construct")
    for text in (model, decoder, surrogate):
        assert card_errors(text, "model") == []


def test_a_task_that_was_left_out_stands_beside_the_model_that_ships(measured: Measured, tmp_path: Path) -> None:
    (tmp_path / "amortisation.json").write_text(json.dumps(amortisation_file(measured.root)))
    text = cards.model_card(read(results=tmp_path))
    unseen, seen = text.split("### A task that the shared parts have not seen")[1].split("## Limits")[0].split("|\n\n|")
    assert "without `tsp_construct`, from the other tasks alone and without the best 10 % of their families" in unseen
    assert "| `tsp_construct` | valid programs in searches | 50.0 [25.4, 74.6] | 50.0 [25.4, 74.6] |" in unseen
    assert "| `tsp_construct` | gradient step beats its parent | 75.0 [25.0, 100.0] |" in unseen
    # A tour is to be short: the longest one is the worst.
    assert "| found (reference 7, best in corpus 5.5) | 6 (6.5 to 5.5) | 6 (6.5 to 5.5)" in unseen
    assert "| `tsp_construct` | Spearman, test families | 0.81 [0.70, 0.90] |" in seen
    assert "searches" not in seen
    assert "found" not in seen
    assert "`python scripts/benchmarks/leave_out.py --without tsp_construct --best 0.1 --steps 7 --variants 5`" in text
    assert card_errors(text, "model") == []


def test_an_encoder_of_the_text_alone_stands_below_the_one_that_ships(measured: Measured, tmp_path: Path) -> None:
    content = {
        "settings": {"weights": weights_fingerprint(measured.root)},
        "training": {"steps": 7, "variants": 5},
        "surrogate": latents_file(measured.root)["surrogate"],
    }
    (tmp_path / "text_only.json").write_text(json.dumps(content))
    text = cards.model_card(read(results=tmp_path))
    section = text.split("### With the text alone")[1].split("## Limits")[0]
    assert "with 7 steps of the autoencoder and 5 variants a task" in section
    assert "| `tsp_construct` | 40 | 8 | 0.81 [0.70, 0.90] / 0.33 |" in section
    assert "`lhs-hf train all --preset text-only --steps 7 --variants 5`" in text


def test_searches_without_the_best_families_stand_beside_what_their_model_has_seen(
    measured: Measured, tmp_path: Path
) -> None:
    (tmp_path / "without_best.json").write_text(json.dumps(without_best_file(measured.root)))
    text = cards.model_card(read(results=tmp_path))
    [_, section] = text.split("### Without the best programs")
    section = section.split("## Limits")[0]
    assert "has not seen the best 10 % of each task's families" in section
    assert "have seen 1 of the tasks" in section
    # Tours are to be short, and profits are to be high.
    assert "| `tsp_construct`* | 5.5 | 5 | 5.65 (-2.73 % [-16.46, +11.01]) | 5 (+9.09 %) | 50 % |" in section
    assert "| `knapsack_construct` | 30 | 40 | 27 (-10.00 % [" in section
    assert "seen on 0 of 2 tasks from the corpus, and on 2 from the reference program alone" in section
    assert "scripts/benchmarks/measure_without_best.py" in text
    assert card_errors(text, "model") == []


def test_figures_of_another_model_are_refused(measured: Measured, tmp_path: Path) -> None:
    decoder = decoder_file(measured.root)
    decoder["settings"]["model"] = "0" * 16
    (tmp_path / "decoder.json").write_text(json.dumps(decoder))
    with pytest.raises(ValueError, match=r"0000000000000000.*measure_decoder"):
        read(results=tmp_path)
    (tmp_path / "decoder.json").unlink()
    latents = latents_file(measured.root)
    latents["settings"]["weights"] = "1" * 64
    (tmp_path / "latents.json").write_text(json.dumps(latents))
    with pytest.raises(ValueError, match=r"1111111111111111.*measure_latents"):
        read(results=tmp_path)


def test_a_model_knows_the_corpus_it_was_trained_on(tmp_path: Path) -> None:
    from card_parts.measured import trained_on

    folder = tmp_path / "surrogates" / "tsp_construct"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"score_mean": -2.0}))

    def row(score: float, split: str = "train") -> CorpusRow:
        fields = dict.fromkeys(CorpusRow.__dataclass_fields__)
        return CorpusRow(**{**fields, "task": "tsp_construct", "split": split, "score": score})

    rows = [row(-1.0), row(-3.0), row(-7.0, "test")]
    assert trained_on(tmp_path, ["tsp_construct"], rows)
    assert not trained_on(tmp_path, ["tsp_construct"], [*rows, row(-2.5)])
    assert not trained_on(tmp_path, ["tsp_construct"], [])


def share(mean: float, n: int = 10) -> dict[str, Any]:
    return {"mean": mean, "low": mean - 0.1, "high": mean + 0.1, "n": n}


def test_ways_to_a_better_program_are_compared_in_the_order_that_says_most() -> None:
    figures = {"valid": share(0.9), "beats": share(0.4), "new_of_improving": {"mean": None, "low": None, "high": None}}
    difference = {"beats": {"mean": -0.25, "low": -0.4, "high": -0.1}, "mcnemar": {"p": 0.0123}}
    content = {
        "all": {"proposers": {"edit": figures, "screened": figures}, "differences": {"edit - screened": difference}}
    }
    text = edits.ways_text(content)
    assert "| an edit of the tree | 90.0 % [80.0, 100.0] | 40.0 % [30.0, 50.0] | — | 10 |" in text
    assert "| the best of 4 such edits by the surrogate | an edit of the tree | +25.0 [+10.0, +40.0] | 0.012 |" in text


def test_the_editor_says_what_the_latent_explains() -> None:
    nats = {"edits": 7, "right": 5.0, "none": 20.0, "random": 60.0, "explained_of_none": 0.75}
    content = {
        "nll": {"all": nats, "up to 24 actions, 256 tokens": {**nats, "edits": 6}},
        "children": {"sampled": 32.0, "top5_likely": 0.455},
    }
    text = edits.editor_text(content)
    assert "| all | 7 | 5.0 | 20.0 | 60.0 | 75 % |" in text
    assert "of 32 samples for 46 % of held-out edits" in text


def test_figures_of_another_editor_are_refused(tmp_path) -> None:
    (tmp_path / "editor.json").write_text(json.dumps({"settings": {"weights": "0" * 64}}))
    with pytest.raises(ValueError, match="another editor"):
        read(results=tmp_path)
