"""Opening runs and corpora that others made runs nothing, follows no link, and refuses what is no run in one line."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from search_doubles import Parts

from lhs_hf.cli import main
from lhs_hf.corpus.dataset import DATA_FOLDER, load_corpus
from lhs_hf.corpus.exclusions import Exclusions
from lhs_hf.corpus.generate import generate
from lhs_hf.errors import CallError
from lhs_hf.evaluation import SandboxError
from lhs_hf.integrations.adapters import export_adapter
from lhs_hf.language import Reply
from lhs_hf.reporting.run_report import report_run
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.stored import open_run
from lhs_hf.tasks import get_task

TASK = "knapsack_construct"
OWN = Path(__file__).parents[2] / "examples" / "max_cut.py"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "run"
    run_search(
        get_task(TASK), SearchSettings.from_preset("latent", budget=6), components=Parts(), output=folder, workers=1
    )
    return folder


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """A run folder to change; its report is without the picture of the solutions, which takes a second."""

    def no_picture(*_):
        raise SandboxError("not drawn")

    monkeypatch.setattr("lhs_hf.reporting.run_report.draw_solutions", no_picture)
    return Path(shutil.copytree(made, tmp_path / "run"))


@pytest.fixture
def canary(tmp_path):
    """A Python file that leaves a mark where it is run, and the mark."""
    mark = tmp_path / "mark"
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(mark)!r}, 'w').close()\n{OWN.read_text()}")
    return file, mark


def change(run: Path, *statements: str) -> None:
    with closing(sqlite3.connect(run / "run.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            connection.execute(statement)


def put(run: Path, key: str, value: object) -> None:
    with closing(sqlite3.connect(run / "run.sqlite", isolation_level=None)) as connection:
        connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value)))


def identity(run: Path, **changes: object) -> None:
    with RunDatabase(run / "run.sqlite") as database:
        put(run, "identity", {**database.get("identity"), **changes})


def one_line_error(capsys, status: int) -> str:
    assert status == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    return error


@pytest.mark.integration
@pytest.mark.parametrize("command", ["report", "export-adapter"])
@pytest.mark.parametrize("where", ["task_locator", "identity", "both"])
def test_a_file_that_a_run_names_is_not_run(run, canary, capsys, monkeypatch, command, where) -> None:
    file, mark = canary
    monkeypatch.chdir(file.parent)
    if where != "identity":
        put(run, "task_locator", str(file))
    if where != "task_locator":
        identity(run, task=file.name if where == "both" else str(file))
    status = main([command, str(run)])
    assert not mark.exists()
    if where == "task_locator" and command == "report":
        assert status == 0  # the run is of a built-in task: where its file was is nobody's business
    elif where != "task_locator":
        assert "is a run of a task of one's own" in one_line_error(capsys, status)


@pytest.mark.parametrize("name", ["", 7, ["a.py"], None, "no_such_task", "x" * 5000, "\x1b[2J"])
def test_what_is_no_name_of_a_task_is_one_line(run, capsys, name) -> None:
    identity(run, task=name)
    assert "\x1b" not in one_line_error(capsys, main(["report", str(run)]))


@pytest.fixture(scope="module")
def own_run(tmp_path_factory):
    """A run of a task from a file, as far as a report needs it."""
    folder = tmp_path_factory.mktemp("own") / "run"
    folder.mkdir()
    task = get_task(str(OWN))
    with RunDatabase(folder / "run.sqlite") as database:
        made_by = {**SearchSettings.from_preset("latent", budget=1).as_dict(), "method": "lhs", "model": "lhs-tiny"}
        database.set("identity", {"task": task.name, "task_digest": task.digest, **made_by})
        database.set("task_locator", f"/home/other/\x1b[31m{OWN.name}")
        database.add(Candidate(0, 0, "reference", task.template, status="ok", score=1.0, objective=1.0))
    return folder


def test_a_task_of_ones_own_is_loaded_when_the_person_names_it(own_run, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("lhs_hf.reporting.run_report.draw_solutions", lambda *_: "drawn")
    error = one_line_error(capsys, main(["report", str(own_run)]))
    digest = get_task(str(OWN)).digest
    assert f"(digest {digest}): give its file with --task FILE; it was made with /home/other/" in error
    assert "\x1b" not in error
    assert main(["report", str(own_run), "--task", str(OWN)]) == 0
    assert f"SHA-256 `{digest}`" in capsys.readouterr().out
    assert report_run(own_run, get_task(str(OWN)))[0].startswith("# ")
    other = tmp_path / "other.py"
    other.write_text(OWN.read_text() + "\n")
    error = one_line_error(capsys, main(["report", str(own_run), "--task", str(other)]))
    assert f"the digest was {digest}, now it is {get_task(str(other)).digest}" in error
    with pytest.raises(CallError, match=r"is a run of task .* not of 'tsp_construct'"):
        report_run(own_run, "tsp_construct")


def test_a_model_folder_that_a_run_names_is_not_loaded(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "config.json").write_text("{}")
    for name in (str(tmp_path / "theirs"), "theirs", "../theirs", "run/../theirs"):
        identity(run, model=name)
        with pytest.raises(CallError, match=r"names the folder .* as its model; .* --model"):
            export_adapter(run)
        identity(run, model="lhs-tiny", decoder=name)
        with pytest.raises(CallError, match=r"names the folder .* as its decoder; .* --decoder"):
            export_adapter(run)
        identity(run, decoder=None)


def test_a_point_that_the_model_can_not_read_is_one_line(run) -> None:
    with pytest.raises(CallError, match="from a point of size 4; expected 128"):
        export_adapter(run, 1)


@pytest.mark.parametrize("name", ["report.md", "convergence.png"])
def test_a_report_does_not_write_through_a_link(run, tmp_path, name) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(mine)
    report_run(run)
    assert mine.read_text() == "mine"
    assert not (run / name).is_symlink()
    assert stat.S_IMODE((run / name).stat().st_mode) & 0o044  # readable as any new file is
    assert not [path for path in run.iterdir() if path.name.startswith(".")]


@pytest.mark.integration
def test_the_best_program_of_a_search_is_not_written_through_a_link(run, tmp_path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (run / "best.py").unlink()
    (run / "best.py").symlink_to(mine)
    settings = SearchSettings.from_preset("latent", budget=8)
    run_search(get_task(TASK), settings, components=Parts(), output=run, workers=1, resume=True)
    assert mine.read_text() == "mine"


def test_an_adapter_does_not_leave_the_run_folder(run, tmp_path) -> None:
    (tmp_path / "mine").mkdir()
    (run / "adapters").symlink_to(tmp_path / "mine")
    with pytest.raises(CallError, match="is a link that leaves the folder"):
        export_adapter(run, 1)
    assert list((tmp_path / "mine").iterdir()) == []


def test_reading_a_run_writes_nothing_into_its_folder(run, tmp_path) -> None:
    # What an interrupted search leaves: the last rows are in the log alone.
    live = RunDatabase(run / "run.sqlite")
    with closing(sqlite3.connect(run / "run.sqlite", isolation_level=None)) as connection:
        connection.execute("UPDATE candidates SET message='in the log' WHERE id=1")
        left = Path(shutil.copytree(run, tmp_path / "left"))
    live.close()
    (left / "run.sqlite-shm").unlink()
    before = {path.name: path.read_bytes() for path in left.iterdir()}
    assert (left / "run.sqlite-wal").stat().st_size > 0
    os.chmod(left, 0o500)
    try:
        assert open_run(left).candidates[1].message == "in the log"
    finally:
        os.chmod(left, 0o700)
    assert {path.name: path.read_bytes() for path in left.iterdir()} == before


def test_a_run_that_this_process_is_still_searching_can_be_read(run) -> None:
    with RunDatabase(run / "run.sqlite") as database:
        count = len(open_run(run).candidates)
        candidate = database.candidates()[-1]
        candidate.message = "later"
        database.update(candidate)
        assert open_run(run).candidates[-1].message == "later"
    assert count == 7


def test_a_run_that_another_process_writes_all_the_time_can_be_read(run, monkeypatch) -> None:
    # As many transactions as there are copies, none of them big enough to be moved from the log into the database.
    writer = sqlite3.connect(run / "run.sqlite", isolation_level=None)
    copyfile = shutil.copyfile

    def copied(source: Path, target: Path) -> None:
        writer.execute("UPDATE candidates SET message = message || 'm' WHERE id = 1")
        copyfile(source, target)
        writer.execute("UPDATE candidates SET message = message || 'm' WHERE id = 1")

    with closing(writer):
        monkeypatch.setattr(shutil, "copyfile", copied)
        messages = [open_run(run).candidates[1].message for _ in range(3)]
    assert messages == ["mmm", "mmmmmmm", "mmmmmmmmmmm"]


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal", ""])
def test_a_database_is_not_written_through_a_link(run, tmp_path, end) -> None:
    mine = tmp_path / "mine"
    if end == "":
        (run / "run.sqlite").rename(mine)
    else:
        mine.write_bytes(b"mine" * 2000)
    before = mine.read_bytes()
    Path(f"{run / 'run.sqlite'}{end}").unlink(missing_ok=True)
    Path(f"{run / 'run.sqlite'}{end}").symlink_to(mine)
    settings = SearchSettings.from_preset("latent", budget=8)
    with pytest.raises(CallError, match="is a link"):
        run_search(get_task(TASK), settings, components=Parts(), output=run, workers=1, resume=True)
    assert mine.read_bytes() == before


def test_a_journal_that_names_a_file_to_delete_is_refused(run, tmp_path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    name = str(mine).encode()
    magic = bytes.fromhex("d9d505f920a163d7")
    header = magic + (1).to_bytes(4, "big") * 4 + (4096).to_bytes(4, "big")
    page = (2**30 // 4096 + 1).to_bytes(4, "big") + name
    tail = len(name).to_bytes(4, "big") + (sum(name) % 2**32).to_bytes(4, "big") + magic
    (run / "run.sqlite-journal").write_bytes(header.ljust(512, b"\0") + page + tail)
    with pytest.raises(CallError, match="names another file to delete"):
        report_run(run)
    with pytest.raises(CallError, match="names another file to delete"):
        RunDatabase(run / "run.sqlite")
    assert mine.read_text() == "mine"


SCHEMAS = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM candidates; END",
    "a view": "CREATE VIEW v AS SELECT * FROM candidates",
    "another table": "CREATE TABLE other (x)",
    "an index": "CREATE INDEX i ON candidates (hex(program))",
    "a view for a table": "DROP TABLE run; CREATE VIEW run AS SELECT 'identity' AS key, '{}' AS value",
    "a computed column": "ALTER TABLE candidates ADD COLUMN x TEXT AS (printf('%.*c', 900000000, 'x'))",
    "a check": "DROP TABLE run; CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (length(value) > 0))",
    "a dropped table": "DROP TABLE candidates",
    "a dropped column": "ALTER TABLE candidates DROP COLUMN objective",
    "another type": "DROP TABLE run; CREATE TABLE run (key TEXT PRIMARY KEY, value BLOB NOT NULL)",
}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_tables_that_are_not_those_of_a_run_are_refused(run, capsys, kind) -> None:
    change(run, *SCHEMAS[kind].split("; ") if "TRIGGER" not in SCHEMAS[kind] else [SCHEMAS[kind]])
    error = one_line_error(capsys, main(["report", str(run)]))
    assert "run.sqlite" in error or "holds no run" in error
    assert "/tmp/lhs-run-" not in error


VALUES = {
    "objective": ("'many'", "1e999", "x'00'"),
    "score": ("'much'", "-1e999"),
    "program": ("x'ff'", "CAST(x'ff' AS TEXT)", "printf('%.*c', 2000000, 'x')"),
    "status": ("'ok | <b>'", "x'00'", "char(27)"),
    "role": ("'king'",),
    "after": ("x'0000'", "zeroblob(8)", "'text'", "zeroblob(4000000)"),
    "parent": ("99", "'one'", "-1"),
    "objectives": ("'[1, \"two\"]'", "'{'", "'[1e999]'", "'[NaN]'", "printf('%.*c', 100000, '[')"),
    "round": ("'first'", "1.5", "-1"),
    "tokens": ("'few'", "9223372036854775807"),
    "message": ("x'ff'",),
}


@pytest.mark.parametrize(("column", "value"), [(column, value) for column in VALUES for value in VALUES[column]])
def test_a_value_that_no_run_has_is_one_line_that_names_it(run, capsys, column, value) -> None:
    change(run, f"UPDATE candidates SET {column}={value} WHERE id=3")
    error = one_line_error(capsys, main(["report", str(run)]))
    assert len(error) < 600
    if value != "CAST(x'ff' AS TEXT)" and "zeroblob(8)" not in value:
        assert f"column {column} of candidate 3 in table candidates" in error


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("identity", 3),
        ("identity", []),
        ("identity", {}),
        ("identity", {"task": TASK}),
        ("result", []),
        ("result", {}),
        ("result", {"found": 3}),
    ],
)
def test_a_stored_record_of_another_form_is_one_line(run, capsys, key, value) -> None:
    put(run, key, value)
    one_line_error(capsys, main(["report", str(run)]))
    one_line_error(capsys, main(["export-adapter", str(run)]))


def test_settings_of_another_type_and_deep_json_are_one_line(run, capsys) -> None:
    for changes in ({"seed": "0"}, {"budget": None}, {"optimizer": 3}, {"radius": "far"}, {"guidance": 1}):
        identity(run, **changes)
        assert f"{next(iter(changes))} of identity" in one_line_error(capsys, main(["report", str(run)]))
        identity(run, seed=0, budget=6, optimizer="gradient", radius=8.0, guidance=True)
    change(run, "UPDATE run SET value = printf('%.*c', 100000, '[') WHERE key='result'")
    assert "result in table run" in one_line_error(capsys, main(["report", str(run)]))


def test_a_run_whose_points_do_not_fit_is_not_gone_on_with(run) -> None:
    settings = SearchSettings.from_preset("latent", budget=8)
    with pytest.raises(CallError, match="points of size 4; those of this model have 5"):
        run_search(get_task(TASK), settings, components=Parts(width=5), output=run, workers=1, resume=True)
    put(run, "identity", [])
    with pytest.raises(CallError, match="identity holds a list"):
        run_search(get_task(TASK), settings, components=Parts(), output=run, workers=1, resume=True)


def test_what_a_run_holds_stays_text_in_its_report(run, capsys) -> None:
    nasty = "def f():\n    '''\n```\n# not a heading <script>\n````\x1b[2J\u202e'''\n"
    with RunDatabase(run / "run.sqlite") as database:
        put(run, "result", {**database.get("result"), "program": nasty})
    identity(run, method="lhs](http://x) <img> `a` |\x1b[2J")
    assert main(["report", str(run)]) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"lhs\](http://x) \<img>" in text
    fence = text[: text.index("python\ndef f()")].rsplit("\n", 1)[1]
    assert fence == "`````"
    assert text.count(f"\n{fence}\n") == 1


def test_a_run_of_an_earlier_version_is_read_without_its_later_columns(run) -> None:
    change(run, *(f"ALTER TABLE candidates DROP COLUMN {name}" for name in ("predicted_program", "program_distance")))
    before = (run / "run.sqlite").read_bytes()
    assert report_run(run)[0].startswith("# ")
    assert (run / "run.sqlite").read_bytes() == before


# Corpora


@pytest.fixture
def corpus(tmp_path):
    shutil.copytree(DATA_FOLDER / TASK, tmp_path / "corpus" / TASK)
    return tmp_path / "corpus"


def table(corpus: Path) -> pa.Table:
    return parquet.read_table(corpus / TASK / "test-00000.parquet")


def store(corpus: Path, content: pa.Table, **options) -> Path:
    path = corpus / TASK / "test-00000.parquet"
    parquet.write_table(content, path, **options)
    return path


def test_a_corpus_of_others_is_read_as_the_one_that_ships(corpus) -> None:
    ours, theirs = load_corpus(TASK, "test"), load_corpus(TASK, "test", corpus)
    assert len(ours) == len(theirs) > 0
    for one, other in zip(ours, theirs):
        assert (one.program, one.objectives, one.parents) == (other.program, other.objectives, other.parents)
        np.testing.assert_array_equal(one.behaviour, other.behaviour)


def set_column(content: pa.Table, name: str, values: pa.Array) -> pa.Table:
    return content.set_column(content.schema.get_field_index(name), name, values)


@pytest.mark.integration
def test_a_small_file_that_asks_for_gigabytes_is_refused(corpus) -> None:
    rows = 50_000
    content = table(corpus).slice(0, 1).take(pa.array([0] * rows))
    long = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * 100_000])
    content = set_column(content, "program", long)
    bare = pa.table({name: content[name] for name in content.schema.names})
    path = store(corpus, bare.replace_schema_metadata(None), compression="zstd", store_schema=False)
    assert path.stat().st_size < 2**20
    with pytest.raises(CallError, match=r"test-00000\.parquet .* once unpacked|more than \d+ bytes of memory"):
        load_corpus(TASK, folder=corpus)


@pytest.mark.integration
def test_a_text_or_a_list_that_unpacks_to_gigabytes_is_refused(corpus) -> None:
    one = table(corpus).slice(0, 1)
    store(corpus, set_column(one, "program", pa.array(["x" * 2**29])), compression="zstd")
    with pytest.raises(CallError, match="bytes"):
        load_corpus(TASK, folder=corpus)
    store(corpus, set_column(one, "objectives", pa.array([np.zeros(2**26)])), compression="zstd")
    with pytest.raises(CallError, match="bytes"):
        load_corpus(TASK, folder=corpus)


WRONG = {
    "a score that is no number": ("score", lambda n: pa.array([float("nan")] * n), "no finite number"),
    "texts for scores": ("score", lambda n: pa.array(["high"] * n), "column 'score' holds string, expected double"),
    "numbers for programs": ("program", lambda n: pa.array([1] * n), "column 'program' holds int64"),
    "no program": ("program", lambda n: pa.array([None] * n, pa.string()), "has no program"),
    "a long program": ("program", lambda n: pa.array(["x" * 300_000] * n), "300000 characters"),
    "few decisions": ("decisions", lambda n: pa.array([[1]] * n, pa.list_(pa.int16())), "1 decisions"),
    "large decisions": ("decisions", lambda n: pa.array([[2**20] * 64] * n), "no whole Parquet file"),
    "an unknown split": ("split", lambda n: pa.array(["\x1b[2J"] * n), "belongs to the split"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_column_is_one_line(corpus, kind) -> None:
    name, values, said = WRONG[kind]
    content = table(corpus)
    store(corpus, set_column(content, name, values(content.num_rows)))
    with pytest.raises(CallError, match=said) as raised:
        load_corpus(TASK, folder=corpus)
    assert "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_a_missing_column_and_a_broken_file_are_one_line(corpus) -> None:
    path = store(corpus, table(corpus).drop_columns(["hash"]))
    with pytest.raises(CallError, match="0 columns 'hash'"):
        load_corpus(TASK, folder=corpus)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CallError, match="no whole Parquet file"):
        load_corpus(TASK, folder=corpus)
    assert main(["corpus", "verify", "--corpus", str(corpus), "--task", TASK]) == 2


def test_wider_types_of_other_writers_are_read(corpus) -> None:
    content = table(corpus)
    wide = set_column(content, "program", content["program"].cast(pa.large_string()))
    wide = set_column(wide, "tokens", wide["tokens"].cast(pa.int64()))
    wide = set_column(wide, "decisions", wide["decisions"].cast(pa.large_list(pa.int64())))
    store(corpus, wide)
    rows = load_corpus(TASK, "test", corpus)
    assert [row.program for row in rows] == content["program"].to_pylist()
    assert rows[0].decisions.dtype == np.int64


@pytest.mark.parametrize("text", ["[]", "{", '{"x": 3}', '{"x": {"inputs": "a", "programs": []}}'])
def test_a_list_of_exclusions_of_another_form_is_one_line(tmp_path, text) -> None:
    (tmp_path / "excluded.json").write_text(text)
    with pytest.raises(CallError, match=r"excluded\.json"):
        Exclusions(tmp_path, "x", [])


@pytest.mark.parametrize("reply", ["'{'", "'[]'", "x'00'", "'{\"text\": 3}'", '\'{"text": "a", "more": 1}\'', None])
def test_replies_of_another_form_are_one_line(tmp_path, reply) -> None:
    class Silent:
        name = "silent"

        def replies(self, requests):
            return [Reply("no program")] * len(requests)

    task = get_task(TASK)
    generate(task, Silent(), "seed", 1, tmp_path)
    assert generate(task, Silent(), "seed", 1, tmp_path).refused == {"refusal": 1}
    with closing(sqlite3.connect(tmp_path / "calls.sqlite", isolation_level=None)) as connection:
        connection.execute(f"UPDATE calls SET reply={reply}" if reply else "CREATE VIEW v AS SELECT 1")
    with pytest.raises(CallError, match=r"calls\.sqlite"):
        generate(task, Silent(), "seed", 1, tmp_path)
