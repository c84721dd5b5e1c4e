"""The measurement of the decoder: shares with intervals, sections that are never measured twice, a table to quote."""

from __future__ import annotations

import json
from pathlib import Path

import measure_decoder
import numpy as np
import pytest
from decoder import tokenizer
from decoder.programs import defines_function, parses, undefined_names
from decoder.statistics import bootstrap, mean, pool, share, wilson

from lhs_hf.constants import embedded_model
from lhs_hf.decoding.decoder import signature_of
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.reporting.decoder_table import decoder_section, decoder_table
from lhs_hf.reporting.identity import model_digest
from lhs_hf.tasks import get_task

TASKS = "tsp_construct,knapsack_construct"
SMALL = ["--latents", "3", "--variants", "20", "--batches", "2", "--guided-batches", "2"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The JSON of a small measurement, made in two parts."""
    folder = tmp_path_factory.mktemp("decoder")
    out = folder / "decoder.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LHS_HF_CACHE", str(folder / "cache"))
        patch.setattr(tokenizer, "open_pool", lambda folder, processes: _InProcess(folder))
        patch.setattr(tokenizer, "load_corpus", lambda task: measure_decoder.sections.load_corpus(task, "validation"))
        arguments = ["--out", str(out), *SMALL]
        measure_decoder.main([*arguments, "--tasks", TASKS, "--sections", "valid,faithful,cycle"])
        measure_decoder.main([*arguments, "--tasks", "knapsack_construct"])
    return out


class _InProcess:
    """A pool of no processes: starting two costs more than this small measurement."""

    def __init__(self, folder: str) -> None:
        tokenizer.start_worker(folder)

    def __enter__(self) -> _InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, function, *arguments):
        value = function(*arguments)
        return type("Done", (), {"result": lambda self: value})()


def _records(tree: object) -> list[dict]:
    if not isinstance(tree, dict):
        return []
    if "interval" in tree:
        return [tree]
    return [record for value in tree.values() for record in _records(value)]


def _tasks(content: dict, section: str) -> dict[str, dict]:
    return content["sections"][section]["tasks"]


@pytest.mark.slow
def test_every_section_is_there_and_every_interval_holds_its_figure(run: Path) -> None:
    sections = json.loads(run.read_text())["sections"]
    assert set(sections) == set(measure_decoder.SECTIONS)
    assert set(sections["valid"]["tasks"]) == set(TASKS.split(","))
    records = _records(sections)
    assert len(records) > 100
    for record in records:
        value = record.get("share", record.get("mean"))
        low, high = record["interval"]
        assert 0 <= low <= value <= high <= 1
        assert "share" not in record or record["count"] == round(value * record["n"])


@pytest.mark.slow
def test_the_pooled_figures_are_those_of_all_tasks(run: Path) -> None:
    sections = json.loads(run.read_text())["sections"]
    for section in ("valid", "faithful", "cycle"):
        each = [_records(entry) for entry in sections[section]["tasks"].values()]
        for together, *parts in zip(_records(sections[section]["pooled"]), *each, strict=True):
            assert together["n"] == sum(part["n"] for part in parts) == 6
    counts = sections["runs"]["pooled"]["guided"]
    assert set(counts) == {"held_out", "midpoint_z", "midpoint_u", "step_1", "step_sqrt_d"}
    for found in counts.values():
        assert found["ok"]["count"] + sum(found["failures"].values()) == found["ok"]["n"] == 3


@pytest.mark.slow
def test_the_grammar_lets_every_program_through(run: Path) -> None:
    found = json.loads(run.read_text())["sections"]["tokenizer"]["pooled"]
    assert (found["corpus"]["round_trip"]["n"], found["variants"]["round_trip"]["n"]) == (43, 2)
    assert found["corpus"]["round_trip"]["share"] == found["corpus"]["supported"]["share"] == 1.0
    assert found["corpus"]["mask_violations"] == found["corpus"]["mask_violations_when_sampled"] == 0
    assert found["corpus"]["positions"] > 43 * 30


@pytest.mark.slow
def test_speed_and_size_are_positive_and_add_up(run: Path) -> None:
    sections = json.loads(run.read_text())["sections"]
    speeds = sections["speed"]["pooled"]["free"]["batch 2"]
    ratio = speeds["this"]["tokens_per_s"] / speeds["generate_masked"]["tokens_per_s"]
    assert speeds["ratio_masked"] == pytest.approx(ratio, rel=1e-4)
    guided = sections["speed"]["pooled"]["guided"]["batch 2"]
    assert guided["programs"] == 2
    assert guided["sampled"] >= guided["tokens"] - 2  # the end tokens are certain and not sampled
    totals = sections["totals"]["pooled"]
    assert totals["weight_bytes"] == sum(totals["weight_bytes_of"].values()) <= totals["bytes"]
    assert totals["parameters"] == sum(totals["parameters_of"].values())
    assert totals["weight_bytes"] >= 2 * totals["parameters"]


@pytest.mark.slow
def test_a_second_run_measures_nothing_again(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run.read_bytes()

    def refuse(*_: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(measure_decoder.Measurement, "_measure", refuse)
    measure_decoder.main(["--out", str(run), *SMALL, "--tasks", "knapsack_construct"])
    assert run.read_bytes() == before
    with pytest.raises(AssertionError, match="measured again"):
        measure_decoder.main(["--out", str(run), *SMALL, "--tasks", "tsp_construct", "--sections", "runs"])


@pytest.mark.slow
def test_results_of_other_settings_are_not_mixed(run: Path) -> None:
    with pytest.raises(SystemExit, match="latents 3, now 4"):
        measure_decoder.main(["--out", str(run), *SMALL, "--latents", "4"])


@pytest.mark.slow
def test_what_was_decoded_is_kept_with_its_latent(run: Path) -> None:
    lines = [json.loads(line) for line in run.with_suffix(".programs.jsonl").read_text().splitlines()]
    keys = {(entry["task"], entry["point"], entry["guided"]) for entry in lines[1:]}
    assert len(keys) == len(lines) - 1  # sections that need the same programs share them
    assert all(len(entry["programs"]) == 3 for entry in lines[1:])


@pytest.mark.slow
def test_the_table_quotes_the_results_of_this_model_only(run: Path, tmp_path: Path) -> None:
    text = decoder_section(run, embedded_model())
    content = json.loads(run.read_text())
    found = content["sections"]["faithful"]["pooled"]["held_out"]["faithful"]
    [line] = [line for line in text.splitlines() if line.startswith("| faithful: held-out")]
    assert f"| {100 * found['share']:.1f} % |" in line
    shares = {name: each["held_out"]["faithful"]["share"] for name, each in _tasks(content, "faithful").items()}
    lowest = min(shares, key=lambda name: shares[name])
    assert line.endswith(f"| {100 * shares[lowest]:.1f} % (`{lowest}`) |")
    assert "≥ 100.0 %" in next(line for line in text.splitlines() if "fresh variants that come back" in line)
    del content["sections"]["faithful"]
    assert "faithful: held-out" not in decoder_table(content)
    content["settings"]["model"] = "0" * 16
    (tmp_path / "other.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="0000000000000000"):
        decoder_section(tmp_path / "other.json", embedded_model())
    assert decoder_section(tmp_path / "none.json", embedded_model()) == ""
    assert model_digest(embedded_model()) == json.loads(run.read_text())["settings"]["model"]


def test_a_tokenizer_that_loses_something_is_noticed() -> None:
    found = ProgramTokenizer.from_pretrained(embedded_model() / "decoder")
    task = get_task("tsp_construct")
    signature = signature_of(task)
    good = tokenizer.check(found, task.template, "a", signature, 512)
    assert (good.round_trip, good.supported, good.fits, good.violations) == (True, True, True, 0)
    unsupported = task.template + "\nasync def other():\n    pass\n"
    assert not tokenizer.check(found, unsupported, "a", signature, 512).supported
    assert not tokenizer.check(found, task.template, "a", signature, good.positions - 1).fits
    ids = found.encode_program(task.template, signature)
    assert tokenizer.refused(found, ids, signature, 512) == 0
    assert tokenizer.refused(found, [*ids[:3], found.vocabulary.eos], signature, None) == 1
    assert tokenizer.refused(found, ids[:-1], signature, None) == 1


def test_checks_of_a_text() -> None:
    task = get_task("knapsack_construct")
    good = "def select_next_item(capacity, items):\n    return items[0] if items else None\n"
    other_name = good.replace("select_next_item", "choose")
    wrong_arity = good.replace("capacity, items", "items")
    assert [parses(text) for text in (good, "def f(:\n")] == [True, False]
    assert [defines_function(text, task) for text in (good, other_name, wrong_arity, "x = (")] == [True, *[False] * 3]
    assert undefined_names([good, good.replace("items[0]", "nowhere"), other_name]) == [False, True, False]
    assert undefined_names([]) == []


def test_wilson_is_the_known_interval() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert wilson(7, 10) == pytest.approx((0.39677, 0.89220), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_programs_of_one_family_do_not_count_as_many() -> None:
    generator = np.random.default_rng(0)
    outcomes = np.repeat(generator.random(20) < 0.5, 10)  # whole families succeed or fail
    alone = share(outcomes, range(200))
    together = share(outcomes, np.repeat(np.arange(20), 10))
    assert alone["by_family"] is None
    assert np.ptp(together["interval"]) > 2.5 * np.ptp(alone["interval"])
    certain = share([True] * 20, ["a"] * 10 + ["b"] * 10)
    assert certain["interval"] == [pytest.approx(wilson(20, 20)[0]), 1.0]


def test_pooling_keeps_families_of_tasks_apart() -> None:
    first, second = share([True, False, True], "aab"), share([False, False], "aa")
    pooled = pool([{"x": first, "kinds": {"crash": 1}}, {"x": second, "kinds": {"exited": 2, "crash": 1}}])
    assert (pooled["x"]["count"], pooled["x"]["n"]) == (2, 5)
    assert pooled["kinds"] == {"crash": 2, "exited": 2}
    values = pool([mean([0.5, 1.0], "ab"), mean([0.25], "a")])
    assert values["mean"] == pytest.approx(1.75 / 3)
    assert bootstrap([[(1.0, 2)], [(0.0, 2)]]) == (0.25, 0.25)  # one family a task: nothing to draw
    with pytest.raises(TypeError, match="list"):
        pool([[1], [2]])
