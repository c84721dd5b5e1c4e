"""The report of a model: known numbers in its tables, what is missing by name, other models' figures refused."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from latents.moves import FIXED_MOVES, MOVES
from latents.statistics import summarize

from lhs_hf.cli import main
from lhs_hf.constants import embedded_model
from lhs_hf.errors import CallError
from lhs_hf.hub import reading
from lhs_hf.plots import ascent_alt_text, plot_ascent, plot_score_maps, plot_task_maps
from lhs_hf.reporting import latents as corpus
from lhs_hf.reporting.ascent_tables import interval, p_value, verdict
from lhs_hf.reporting.identity import model_digest, weights_fingerprint
from lhs_hf.reporting.model_report import default_output, report_model

TASKS = ("knapsack_construct", "tsp_construct")
PARENTS = 20
# Of 20 parents a task, how many each move beats, in both tasks and at every radius.
BEATS = {"gradient": 14, "none": 4, "random": 13, "random_latent": 5, "against": 1, "nearest_elite": 19, "prior": 3}


def record(task: str, radius: float, parent: int, move: str) -> dict:
    """One record as `measure_task` stores it, as far as the summary reads it."""
    beats = parent < BEATS[move]
    failed = move == "against" and parent == PARENTS - 1
    return {
        "task": task,
        "radius": 0.0 if move in FIXED_MOVES else radius,
        "parent": parent,
        "family": f"family {parent // 2}",
        "move": move,
        "length": 0.0 if move == "none" else 3.0,
        "status": "crash" if failed else "ok",
        "score": None if failed else float(parent % 7),
        "predicted_point": float(parent % 7) + (0.5 if parent % 3 else 0.0),
        "predicted_program": float(parent % 7),
        "quantile": 0.75 if beats else 0.25,
        "change": 0.25 if beats else -0.25,
        "beats": beats,
        "differs": True,
        "in_corpus": parent % 4 == 0,
        "new_behaviour": parent % 2 == 0,
        "chosen_by": [1],
    }


@pytest.fixture(scope="module")
def entries() -> list[dict]:
    """The summary of synthetic records at two radii; moves without a radius are recorded once, as measuring does."""
    records = [
        record(task, radius, parent, move)
        for task in TASKS
        for radius in (2.0, 8.0)
        for parent in range(PARENTS)
        for move in MOVES
        if move not in FIXED_MOVES or radius == 2.0
    ]
    # A second screening size that chooses the same programs gives the same figures.
    return [{**entry, "screening": size} for entry in summarize(records) for size in (1, 4)]


def surrogates() -> dict:
    each = {
        "programs": 40,
        "families": 8,
        "surrogate": {"spearman": 0.812, "better_half": 0.334},
        "tfidf_ridge": {"spearman": 0.701, "better_half": 0.2},
        "knn": None,
    }
    tasks = {"tsp_construct": each, "knapsack_construct": {**each, "surrogate": {"spearman": 0.5, "better_half": 0.1}}}
    mean = {"surrogate": {"spearman": 0.656, "better_half": 0.217}, "tfidf_ridge": each["tfidf_ridge"], "knn": {}}
    return {"tasks": tasks, "mean": mean}


def latents_file(entries: list[dict], split: str = "test", **changes: object) -> dict:
    """What measure_latents.py writes for the model that ships."""
    settings = {
        "model": "lhs-tiny",
        "weights": weights_fingerprint(embedded_model()),
        "split": split,
        "screening": [1, 4],
        "seed": 0,
        "space": "prior",
        "steps": 10,
        "uncertainty": 0.0,
        "guidance": True,
        "parents": PARENTS,
        "radius": [2.0, 8.0],
    }
    flow = {
        "programs": 321,
        "noise": 0.05,
        "bits_per_dimension": -0.504,
        "gaussian_bits_per_dimension": -0.702,
        "inverse_error_float32": 7.2e-7,
        "inverse_error_float64": 1.8e-15,
    }
    return {"settings": settings, "moves": entries, "surrogate": surrogates(), "flow": flow, **changes}


def decoder_file(digest: str) -> dict:
    """What measure_decoder.py writes after one task of one section."""
    share = {"share": 0.925, "n": 40, "count": 37, "interval": [0.801, 0.974]}
    found = {"guided": {"valid": share}}
    settings = {"split": "test", "latents": 40, "seed": 0, "temperature": 0.7, "top_p": 0.9, "model": digest}
    return {"settings": settings, "sections": {"valid": {"tasks": {"tsp_construct": found}, "pooled": found}}}


def write(folder: Path, name: str, content: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(content))
    return folder


def searches_file() -> dict:
    """What measure_search.py writes, of two searches of one task from each start."""
    entry = {"task": "tsp_construct", "reference": 6.8, "best_in_corpus": 5.8}
    task = {"mean_found": 5.85, "best_in_corpus": 5.8, "mean_better": False, "any_better": True, "success": 0.95}
    shares = {"share_beats_reference": 1.0, "share_beats_corpus": 0.5, "share_new": 0.25}
    means = {"searches": 2, "success_rate": 0.95, "distinct": 80.0, "new_texts": 70.0, "new_behaviours": 30.0}
    summary = {**means, **shares, "tasks": {"tsp_construct": task}}
    return {
        "settings": {"weights": weights_fingerprint(embedded_model()), "budget": 100, "seeds": [0, 1]},
        "summary": {"reference": summary, "corpus": summary},
        "searches": {name: [{**entry, "found": 5.75}, {**entry, "found": 5.95}] for name in ("reference", "corpus")},
    }


def splits_file() -> dict:
    """What measure_search.py --splits writes of two searches from the reference."""
    content = searches_file()
    counts = {"calls": 100, "evaluated": 100, "valid": 95, "new_behaviours": 30}
    splits = {name: {"search": 6.0, "test-50": 6.1} for name in ("splits", "splits_reference", "splits_corpus")}
    for seed, entry in enumerate(content["searches"]["reference"]):
        entry.update(**counts, **splits, seed=seed)
    return content


@pytest.fixture(scope="module")
def full(entries, tmp_path_factory) -> tuple[str, Path]:
    """Text and folder of a report with every file there is."""
    folder = tmp_path_factory.mktemp("full")
    results = write(folder / "results", "latents.json", latents_file(entries))
    write(results, "decoder.json", decoder_file(model_digest(embedded_model())))
    write(results, "searches.json", searches_file())
    write(results, "searches-splits.json", splits_file())
    write(results, "ablation.json", {"LHS": splits_file(), "No-Flow": splits_file()})
    text, written = report_model("lhs-tiny", results, folder / "report")
    assert sorted(path.name for path in written) == ["ascent.png", "report.md"]
    assert (folder / "report" / "report.md").read_text(encoding="utf-8") == text
    return text, folder / "report"


@pytest.mark.integration
def test_searches_stand_beside_the_best_of_the_corpus(full, tmp_path) -> None:
    cells = row(full[0].split("## Test splits")[0], "`tsp_construct`", -1)
    assert cells[1:5] == ["6.8", "5.8", "5.85 **(5.75)**", "95 %"]
    shares = row(full[0].split("## Test splits")[0], "from the reference program", -1)
    # The file is of a version that did not look at holdout.
    assert shares[-5:] == ["100 %", "25 %", "50 %", "—", "—"]
    content = searches_file()
    content["settings"]["weights"] = "f" * 64
    write(tmp_path / "results", "searches.json", content)
    text, _ = report_model("lhs-tiny", tmp_path / "results", tmp_path / "report")
    assert "searches: `results/searches.json` is of another model" in text
    assert "## Searches" not in text
    write(tmp_path / "results", "ablation.json", {"LHS": splits_file(), "No-Flow": content})
    assert (
        "ablation: `results/ablation.json` is of another model"
        in report_model("lhs-tiny", tmp_path / "results", tmp_path / "report")[0]
    )


def test_test_splits_and_ablation_stand_beside_the_paper(full) -> None:
    splits = full[0].split("## Test splits")[1].split("## Ablation")[0]
    assert row(splits, "`tsp_construct`", -1)[1:] == ["test-50", "6.1", "6.1", "6.1 ± 0", "6.46 (ReEvo)"]
    ablation = full[0].split("## Ablation")[1]
    assert row(ablation, "No-Flow")[-2:] == ["61 %", "6.65"]
    assert row(ablation, "LHS")[1] == "95.0 %"


def row(text: str, start: str, occurrence: int = 0) -> list[str]:
    """The cells of a table's row."""
    lines = [line for line in text.splitlines() if line.startswith(f"| {start} |")]
    return [cell.strip() for cell in lines[occurrence].strip("|").split("|")]


def test_the_moves_and_their_differences_are_the_numbers_of_the_records(full) -> None:
    text, folder = full
    assert text.count("### Radius ") == 4
    assert "### Radius 8, best of 4 by the surrogate" in text
    assert "2 tasks, 40 parents." in text
    # Of 40 programs 28 beat their parent; 30 of them have a new text, 20 a new behaviour.
    cells = row(text, "gradient")
    means = ["3.00", "100.0", "70.0", "+10.0", "75.0", "50.0", "50.0", "35.0"]
    assert [cell.split(" [")[0] for cell in cells] == ["gradient", *means]
    low, high = (float(value) for value in cells[3].split("[")[1].rstrip("]").split(", "))
    assert 40 < low < 70 < high < 95
    assert row(text, "against the gradient")[2].startswith("95.0 [")
    difference = row(text, "no step", 1)
    assert difference[1] == "40"
    assert difference[2].startswith("+50.0 [+")
    assert difference[3:6] == ["< 0.001", "20 : 0", "< 0.001"]
    assert row(text, "random direction", 1)[4:6] == ["2 : 0", "0.500"]
    elite = row(text, "nearest elite", 1)
    assert elite[2].startswith("-25.0 [-")
    assert elite[4] == "0 : 10"
    said = next(line for line in text.splitlines() if line.startswith("Share that beats"))
    assert "; below nearest elite." in said
    assert "above no step, random direction in z, against the gradient, sample of the prior" in said
    assert text.count("<details>") == text.count("</details>") == 8
    task = row(text, "`tsp_construct`")
    assert task[1].startswith("70.0 [")
    assert task[2].startswith("+50.0 [")
    assert task[2].endswith("p 0.002")
    assert (folder / "ascent.png").read_bytes().startswith(b"\x89PNG")
    assert "](ascent.png)" in text


def test_surrogates_flow_decoder_and_training_are_there(full) -> None:
    text, _ = full
    record = json.loads((embedded_model() / "training.json").read_text())
    held = text.split("### On test families (prior space)")[1]
    assert row(held, "`tsp_construct`")[1:] == ["40", "8", "0.81 / 0.33", "0.70 / 0.20"]
    assert row(held, "mean of the tasks")[3] == "0.66 / 0.22"
    assert "nearest neighbours" not in held  # nothing was measured with them
    after = text.split("### After decoding, test families")[1]
    point, program = row(after, "radius 8, one program a point")[1:]
    assert program == "+1.00"
    assert 0.5 < float(point) < 1
    assert row(after, "`knapsack_construct`")[3] == "+1.00 [+1.00, +1.00]"
    assert row(text, "test families (321 programs)")[1:] == ["0.05", "-0.504", "-0.702", "+0.198", "7.2e-07", "1.8e-15"]
    recorded = record["flow"]["test_bits_per_dimension"]
    assert row(text, "test families, at training")[2] == f"{recorded:.3f}"
    assert row(text, "valid: held-out latents")[-3:] == ["92.5 %", "80.1 % to 97.4 %", "92.5 % (`tsp_construct`)"]
    assert f"`{record['command']}`, commit `{record['commit']}`, seed {record['seed']}" in text
    assert row(text, "autoencoder")[1] == f"{record['stages']['autoencoder']['seconds']:.0f}"
    assert float(row(text, "all")[1]) == pytest.approx(sum(s["seconds"] for s in record["stages"].values()), abs=1)
    assert text.split("## Not measured")[1].strip().startswith("- maps of the latent space")


def test_several_files_are_several_sections(entries, tmp_path) -> None:
    one = [entry for entry in entries if (entry["radius"], entry["screening"]) == (8.0, 1)]
    results = write(tmp_path / "results", "latents.json", latents_file(one))
    write(results, "latents-validation.json", latents_file(entries, "validation"))
    text, written = report_model("lhs-tiny", results, tmp_path / "report")
    assert sorted(path.name for path in written) == ["ascent-validation.png", "ascent.png", "report.md"]
    for split in ("validation", "test"):
        assert f"## Ascent: the paired test on {split} families" in text
    assert text.count("### Radius 8, one program a point") == 2


def test_what_is_missing_is_named_and_left_out(entries, tmp_path) -> None:
    model = tmp_path / "some-model"
    write(model, "config.json", {})
    (model / "model.safetensors").write_bytes(b"weights")
    text, written = report_model(str(model), tmp_path / "results", tmp_path / "report")
    assert [path.name for path in written] == ["report.md"]
    missing = text.split("## Not measured")[1]
    for reason in (
        "has no training.json",
        "`results/latents.json` does not exist (`scripts/benchmarks/measure_latents.py` writes it)",
        "`results/decoder.json` does not exist (`scripts/benchmarks/measure_decoder.py` writes it)",
        "maps of the latent space: not drawn",
    ):
        assert reason in missing
    for heading in ("## Ascent", "## Surrogates", "## Flow", "## Decoder", "## How it was made"):
        assert heading not in text
    # A measurement of some sections only, and a decoder's of another model.
    settings = {"weights": weights_fingerprint(model), "split": "validation"}
    results = write(tmp_path / "results", "latents.json", {"settings": settings, "moves": entries[:1]})
    write(results, "decoder.json", decoder_file("0" * 16))
    write(model, "training.json", {"command": "lhs-hf train all --encoder --decoder", "recipe": {}})
    text, _ = report_model(str(model), results, tmp_path / "report")
    assert "## Ascent: the paired test on validation families" in text
    assert "`lhs-hf train all --encoder --decoder`." in text
    missing = text.split("## Not measured")[1]
    assert "surrogates: `results/latents.json` has none" in missing
    assert "flow: `results/latents.json` has no such section" in missing
    assert f"is of another model (0000000000000000, this one is {model_digest(model)})" in missing
    assert default_output(str(model)) == Path("reports/some-model")
    assert default_output("owner/name@v1") == Path("reports/name")


def test_figures_of_another_model_are_refused(entries, tmp_path) -> None:
    content = latents_file(entries[:1])
    content["settings"]["weights"] = "f" * 64
    results = write(tmp_path / "results", "latents.json", content)
    with pytest.raises(CallError, match=r"latents\.json is of another model.*ffffffffffffffff.*--results"):
        report_model("lhs-tiny", results, tmp_path / "report")
    write(results, "latents.json", {"moves": []})
    with pytest.raises(CallError, match="does not say which model"):
        report_model("lhs-tiny", results, tmp_path / "report")
    (results / "latents.json").write_text("{")
    with pytest.raises(CallError, match=r"can not read .*latents\.json"):
        report_model("lhs-tiny", results, tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_the_command_writes_the_files(entries, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "results", "latents.json", latents_file(entries[:1]))
    assert main(["report", "--model", "lhs-tiny", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == {"model": "lhs-tiny", "files": ["reports/lhs-tiny/report.md", "reports/lhs-tiny/ascent.png"]}
    assert all((tmp_path / name).is_file() for name in printed["files"])
    shutil.move(tmp_path / "results", tmp_path / "other")
    assert main(["report", "--model", "lhs-tiny", "--results", "other", "--output", "here"]) == 0
    assert "# Model report: lhs-tiny" in capsys.readouterr().out
    assert {path.name for path in (tmp_path / "here").iterdir()} == {"report.md", "ascent.png"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "lhs-hf report FOLDER, or lhs-hf report --model NAME"),
        (["run", "--model", "lhs-tiny"], "lhs-hf report FOLDER, or lhs-hf report --model NAME"),
        (["run", "--output", "there"], "go with --model"),
        (["run", "--maps"], "go with --model"),
        (["--model", "nonesuch"], "unknown model 'nonesuch'"),
        (["--model", "lhs-tiny", "--results", "nowhere"], "there is no folder nowhere"),
        (["--model", "lhs-tiny", "--output", "file"], "file is a file"),
    ],
)
def test_wrong_calls_say_what_is_right(arguments, said, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    assert main(["report", *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert said in line


def test_the_figure_shows_every_move_with_its_interval(entries) -> None:
    figure = plot_ascent(entries)
    panels = figure.axes
    assert [axes.get_title(loc="left") for axes in panels] == ["one program a point", "best of 4 by the surrogate"]
    for axes in panels:
        labels = [label.get_text().replace("\n", " ") for label in axes.get_xticklabels()]
        assert labels == ["2", "8", "no step", "nearest elite", "sample of the prior"]
        marks = {container.get_label(): container for container in axes.containers}
        line, _, (bars,) = marks["gradient"]
        np.testing.assert_allclose(line.get_ydata(), [70.0, 70.0])
        assert line.get_linestyle() == "-"
        found = next(entry for entry in entries if entry["radius"] == 2.0)["all"]["moves"]["gradient"]["beats"]
        np.testing.assert_allclose(bars.get_segments()[0][:, 1], [100 * found["low"], 100 * found["high"]])
    [alone] = plot_ascent([entry for entry in entries if (entry["radius"], entry["screening"]) == (8.0, 1)]).axes
    lines = [container[0] for container in alone.containers]
    assert len(lines) == len(MOVES)
    assert {line.get_linestyle() for line in lines} == {"None"}
    assert "radius 8, one program a point: no step 20.0, gradient 70.0" in ascent_alt_text(entries)
    fewer = copy.deepcopy(entries)
    for entry in fewer:
        entry["all"]["moves"].pop("against", None)
    named = {container.get_label() for container in plot_ascent(fewer).axes[0].containers}
    assert "gradient" in named
    assert "against the gradient" not in named
    with pytest.raises(CallError, match="no entry"):
        plot_ascent([])


def test_maps_show_every_program(monkeypatch, tmp_path) -> None:
    full = corpus.load_corpus(TASKS[0])
    monkeypatch.setattr(corpus, "corpus_tasks", lambda: TASKS[:1])
    monkeypatch.setattr(corpus, "load_corpus", lambda task: full[:24])
    text, written = report_model("lhs-tiny", tmp_path / "results", tmp_path / "report", maps=True)
    assert [path.name for path in written] == ["report.md", "map_tasks.png", "map_scores.png"]
    assert "All 24 programs of the corpus" in text
    latents, scores = corpus.corpus_latents(embedded_model())
    assert latents[TASKS[0]].shape == (24, 128)
    assert scores[TASKS[0]].tolist() == [row.score for row in full[:24]]
    latents["other"], scores["other"] = latents[TASKS[0]][:9] + 1.0, scores[TASKS[0]][:9]
    # Behind each task are all of them.
    drawn = [[len(marks.get_offsets()) for marks in axes.collections] for axes in plot_task_maps(latents).axes]
    assert drawn == [[33, 24], [33, 9]]
    panels = [axes for axes in plot_score_maps(latents, scores).axes if axes.collections and axes.get_title(loc="left")]
    colours = panels[0].collections[0].get_array()
    assert (len(colours), len(panels)) == (24, 2)
    assert (np.diff(colours) >= 0).all()  # the best are on top
    with pytest.raises(CallError, match="one score for each of 9 latents of other"):
        plot_score_maps(latents, {**scores, "other": scores["other"][:3]})


def test_a_model_of_the_hub_is_read_from_its_snapshot(monkeypatch, tmp_path) -> None:
    snapshot = tmp_path / "snapshot"
    write(snapshot, "training.json", {"command": "lhs-hf train all", "seed": 7})
    asked = []

    def download(name: str, patterns: tuple[str, ...], **options: object) -> Path:
        asked.append((name, options["revision"]))
        return snapshot

    monkeypatch.setattr(reading, "download", download)
    text, _ = report_model("owner/name@v1", tmp_path / "results", tmp_path / "report")
    assert asked == [("owner/name", "v1")]
    assert text.startswith("# Model report: owner/name@v1\n")
    assert "`lhs-hf train all`, seed 7." in text


def test_numbers_are_written_as_tables_read_them() -> None:
    assert interval({"mean": 0.1234, "low": 0.05, "high": 0.2}) == "12.3 [5.0, 20.0]"
    assert interval({"mean": -0.0001, "low": None, "high": None}, signed=True) == "+0.0"
    assert interval({"mean": None, "low": None, "high": None}) == "—"
    assert (p_value(0.0004), p_value(0.0411), p_value(1.0)) == ("< 0.001", "0.041", "1.000")
    unclear = {"none": {"beats": {"low": -0.1, "high": 0.2}}, "prior": {"beats": {"low": 0.01, "high": 0.2}}}
    assert verdict(unclear).endswith("controls: above sample of the prior; not told apart from no step.")
