"""Sharing on the Hub, with the real clients against a Hub on this machine: round trips, refusals, nothing harmed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_clients import COMMANDS, LOAD
from hub_server import OWNER_TOKEN, STRANGER_TOKEN, WRONG_TOKEN, HubServer

from lhs_hf.constants import embedded_model
from lhs_hf.corpus.dataset import DATA_FOLDER
from lhs_hf.tasks import task_names

ROOT = Path(__file__).parents[2]
TASK = "knapsack_construct"
MODEL, CORPUS, SPACE = "lhs-hf/shared", "lhs-hf/programs", "lhs-hf/space"
PICKLE_SUFFIXES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".npy", ".npz"}


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with HubServer() as server:
        yield server


def client(
    hub: HubServer, home: Path, code: str, *arguments: str, token: str | None = OWNER_TOKEN, offline=False
) -> str:
    environment = {**os.environ, **hub.environment(home, token, offline), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def commands(hub: HubServer, home: Path, *calls: list) -> list[tuple[int, str, list[str]]]:
    """Exit status, output and error lines of each call: [command, ...], or [{variable: value}, command, ...]."""
    listed = [call if isinstance(call[0], dict) else [{}, *call] for call in calls]
    return [tuple(answer) for answer in json.loads(client(hub, home, COMMANDS, json.dumps(listed)))]


def load(hub: HubServer, home: Path, *roots: list, compared: str = "", saved: str = "", offline=False) -> list[dict]:
    """What all parts of models answer, each given as [folder or repository, arguments of from_pretrained].

    Every model but `compared` also searches; the last that did is saved to `saved`.
    """
    return json.loads(client(hub, home, LOAD, json.dumps([TASK, roots, compared, saved]), offline=offline))


def state(folder: Path) -> dict[str, str]:
    """What every file of a folder holds."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def copy_model(folder: Path) -> Path:
    return Path(shutil.copytree(embedded_model(), folder))


def holds_pickle(path: Path) -> bool:
    """By its name or by its first bytes."""
    if path.suffix in PICKLE_SUFFIXES:
        return True
    with path.open("rb") as file:
        start = file.read(4)
    if start == b"PK\x03\x04":
        return any(name.endswith(".pkl") for name in zipfile.ZipFile(path).namelist())
    return start[:1] == b"\x80" and start[1:2] in b"\x02\x03\x04\x05" and path.suffix != ".safetensors"


@pytest.fixture(scope="module")
def pushed(hub, tmp_path_factory) -> Path:
    """Default model, corpus and Space on the Hub; then another surrogate of one task, from the folder returned."""
    home, variant = tmp_path_factory.mktemp("pusher"), tmp_path_factory.mktemp("models") / "variant"
    before = state(embedded_model())
    # The wrong task's weights are another surrogate as good as any.
    for folder in ("surrogates", "surrogates-latent"):
        source = (copy_model(variant) if folder == "surrogates" else variant) / folder
        shutil.copy(source / "qap_construct" / "model.safetensors", source / TASK / "model.safetensors")
    space = tmp_path_factory.mktemp("space")
    (space / "README.md").write_text("---\nsdk: gradio\napp_file: app.py\n---\n")
    (space / "app.py").write_text("print('hello')\n")
    answers = commands(
        hub,
        home,
        ["push", "models", MODEL, "--private"],
        ["push", "corpus", CORPUS],
        ["push", "space", SPACE, "--folder", str(space)],
    )
    for status, out, errors in answers:
        assert (status, errors) == (0, []), errors
        assert hub.endpoint in out
    repository = hub.repositories["models", MODEL]
    assert repository.private
    repository.tags["v1"] = repository.branches["main"]
    [(status, out, _)] = commands(hub, home, ["push", "surrogate", TASK, MODEL, "--model", str(variant)])
    assert status == 0
    assert state(embedded_model()) == before
    return variant


@pytest.mark.integration
def test_a_pushed_model_is_the_folder_and_its_card(hub, pushed) -> None:
    files = hub.repositories["models", MODEL].files("v1")
    folder = embedded_model()
    for path in folder.rglob("*"):
        if path.is_file():
            assert files[path.relative_to(folder).as_posix()] == path.read_bytes()
    cards = {path: data for path, data in files.items() if path.endswith("README.md")}
    folder = ROOT / "model_cards"
    expected = {"README.md": "lhs-tiny.md", "encoder/README.md": "lhs-tiny-encoder.md"}
    expected |= {"decoder/README.md": "lhs-tiny-decoder.md"}
    expected |= {f"surrogates/{task}/README.md": f"surrogates/{task}.md" for task in task_names()}
    assert cards == {path: (folder / name).read_bytes() for path, name in expected.items()}


def test_a_pushed_surrogate_touches_nothing_else(hub, pushed) -> None:
    repository = hub.repositories["models", MODEL]
    old, new = repository.files("v1"), repository.files("main")
    # The card was about other weights: it goes with them.
    assert old.keys() - new.keys() == {f"surrogates/{TASK}/README.md"}
    assert new.keys() <= old.keys()
    changed = {path for path in new if new[path] != old[path]}
    assert changed == {f"{folder}/{TASK}/model.safetensors" for folder in ("surrogates", "surrogates-latent")}
    assert len(repository.commits) == 3


def test_a_surrogate_takes_its_card_along(hub, tmp_path) -> None:
    [(status, _, errors)] = commands(hub, tmp_path, ["push", "surrogate", TASK, "lhs-hf/one-surrogate"])
    assert (status, errors) == (0, [])
    files = hub.repositories["models", "lhs-hf/one-surrogate"].files()
    card = f"surrogates/{TASK}/README.md"
    folders = [f"{folder}/{TASK}" for folder in ("surrogates", "surrogates-latent")]
    weights = {f"{folder}/{name}" for folder in folders for name in ("config.json", "model.safetensors")}
    assert files.keys() - {".gitattributes"} == {card, *weights}
    assert files[card] == (ROOT / "model_cards" / "surrogates" / f"{TASK}.md").read_bytes()


def test_a_card_that_the_hub_refuses_is_not_pushed(hub, tmp_path) -> None:
    card = tmp_path / "card.md"
    card.write_text("---\nlicense: apache-2.0\ntags: heuristics\n---\n# Mine\n")
    [(status, _, lines)] = commands(hub, tmp_path, ["push", "models", "lhs-hf/carded", "--card", str(card)])
    assert (status, len(lines)) == (2, 1)
    assert "refuses the card" in lines[0]
    assert "tags is not a list" in lines[0]
    assert "README.md" not in hub.repositories["models", "lhs-hf/carded"].files()


@pytest.mark.integration
def test_the_round_trip_is_exact_by_revision_and_offline(hub, pushed, tmp_path) -> None:
    cache = tmp_path / "cache"
    shared = [MODEL, {"revision": "v1", "cache_dir": str(cache)}]
    [online] = load(hub, tmp_path / "home", shared, saved=str(tmp_path / "saved"))
    # Nothing went past the cache that was named, and nothing but what the model needs came into it.
    past = [path for path in (tmp_path / "home" / "hub").rglob("*") if path.suffix == ".safetensors"]
    assert past == []
    assert not [path for path in cache.rglob("*") if path.is_file() and holds_pickle(path)]
    asked = len(hub.requests)
    shared[1]["local_files_only"] = True
    local = str(embedded_model())
    offline, here = load(hub, tmp_path / "other", shared, [local, {}], compared=local, offline=True)
    assert online == offline
    assert len(online["pipeline"]) == 2
    assert {name: online[name] for name in here} == here
    assert len(here) == len(online) - 1
    assert len(hub.requests) == asked
    saved, shipped = (
        {name: text for name, text in state(folder).items() if name.endswith(".safetensors")}
        for folder in (tmp_path / "saved", embedded_model())
    )
    assert saved == shipped


LOAD_CORPUS = """
import json, sys
from datasets import load_dataset
data = load_dataset(sys.argv[1], sys.argv[2])
print(json.dumps({split: [list(rows["program"]), list(rows["objective"])] for split, rows in data.items()}))
"""


@pytest.mark.integration
def test_the_corpus_loads_as_a_dataset_and_again_offline(hub, pushed, tmp_path) -> None:
    from lhs_hf.corpus.dataset import load_corpus

    online = json.loads(client(hub, tmp_path, LOAD_CORPUS, CORPUS, TASK))
    assert set(online) == {"train", "validation", "test"}
    for split, (programs, objectives) in online.items():
        rows = load_corpus(TASK, split)
        assert programs == [row.program for row in rows]
        assert objectives == [row.objective for row in rows]
    asked = len(hub.requests)
    assert json.loads(client(hub, tmp_path, LOAD_CORPUS, CORPUS, TASK, offline=True)) == online
    assert len(hub.requests) == asked


def test_the_card_of_a_corpus_shows_the_pictures_that_are_there(hub, pushed, tmp_path) -> None:
    """The wheel leaves them out."""
    shutil.copytree(DATA_FOLDER, tmp_path / "corpus", ignore=shutil.ignore_patterns("figures"))
    command = ["push", "corpus", "lhs-hf/no-pictures", "--corpus", str(tmp_path / "corpus")]
    [(status, _, errors)] = commands(hub, tmp_path, command)
    assert (status, errors) == (0, [])
    whole, bare = (hub.repositories["datasets", name].files() for name in (CORPUS, "lhs-hf/no-pictures"))
    assert {path for path in whole if path.startswith("figures/")}
    assert whole["README.md"] == (DATA_FOLDER / "README.md").read_bytes()
    lines = whole["README.md"].decode().splitlines()
    assert bare["README.md"].decode().splitlines() == [line for line in lines if not line.startswith("![")]
    assert not any(path.startswith("figures/") for path in bare)


def test_the_space_is_what_its_folder_holds(hub, pushed) -> None:
    files = hub.repositories["spaces", SPACE].files()
    assert {"README.md", "app.py"} <= set(files)


def search_with(name: str, token: str = OWNER_TOKEN, **variables: str) -> list:
    return [{"HF_TOKEN": token, **variables}, "search", TASK, "--model", name, "--budget", "1", "--output", "run"]


@pytest.mark.integration
def test_loading_errors_are_one_sentence_and_leave_the_cache_alone(hub, pushed, tmp_path, monkeypatch) -> None:
    home = tmp_path / "home"
    good = hub.repositories["models", MODEL].files("v1")
    config = json.loads(good["config.json"])
    small = {path: data for path, data in good.items() if "/" not in path}
    weights = good["model.safetensors"]

    def changed(**changes) -> dict[str, bytes]:
        return {**small, "config.json": json.dumps({**config, **changes}).encode()}

    hub.add("lhs-hf/gated", small, gated=True)
    hub.add("lhs-hf/truncated", {**small, "model.safetensors": weights[: len(weights) // 2]})
    longer = weights + b"\0"
    hub.cut_downloads.add(hashlib.sha256(longer).hexdigest())
    hub.add("lhs-hf/breaks-off", {**small, "model.safetensors": longer})
    hub.add("lhs-hf/newer", changed(lhs_version="9.1.0", latent_normalized="perhaps"))
    hub.add("lhs-hf/bert", {"config.json": b'{"model_type": "bert"}', "model.safetensors": weights})
    hub.add("lhs-hf/empty", {"README.md": b"nothing yet"})
    pickled = {path: data for path, data in small.items() if path != "model.safetensors"}
    hub.add("lhs-hf/pickled", {**pickled, "pytorch_model.bin": b"\x80\x04."})
    monkeypatch.chdir(ROOT)
    # A whole copy first: what fails afterwards must not harm it.
    fetch = "from lhs_hf.hub import model_folder; print(model_folder('lhs-hf/shared', revision='v1'))"
    snapshot = client(hub, home, fetch)
    before = state(home / "hub" / "models--lhs-hf--shared")
    expected = {
        "lhs-hf/nothing": (search_with("lhs-hf/nothing"), ["no model repository lhs-hf/nothing", "owner/name"]),
        "revision": (search_with(f"{MODEL}@v7"), ["no revision 'v7'", "main", "v1"]),
        "token": (search_with(MODEL, WRONG_TOKEN), ["refused the token", "hf auth login"]),
        "gated": (search_with("lhs-hf/gated", STRANGER_TOKEN), ["gated", "ask for access"]),
        "truncated": (search_with("lhs-hf/truncated"), ["safetensors file of lhs-hf/truncated is broken"]),
        "newer": (search_with("lhs-hf/newer"), ["lhs-hf 9.1.0", "newer than the installed", "upgrade"]),
        "bert": (search_with("lhs-hf/bert"), ["'bert'", "expected 'lhs'"]),
        "empty": (search_with("lhs-hf/empty"), ["lhs-hf/empty", "config.json"]),
        "pickled": (search_with("lhs-hf/pickled"), ["model.safetensors"]),
        "breaks off": (search_with("lhs-hf/breaks-off"), ["connection", "was lost"]),
        "no name": (search_with("no such name"), ["unknown model", "owner/name"]),
    }
    answers = dict(zip(expected, commands(hub, home, *(call for call, _ in expected.values()))))
    for name, (status, _, lines) in answers.items():
        assert (status, len(lines)) == (2, 1), (name, status, lines)
        for words in expected[name][1]:
            assert words in lines[0], (name, lines[0])
    assert "GET /lhs-hf/pickled/resolve/main/pytorch_model.bin" not in hub.requests
    assert not (ROOT / "run").exists()
    assert state(home / "hub" / "models--lhs-hf--shared") == before
    assert client(hub, home, fetch, offline=True) == snapshot


@pytest.mark.integration
def test_pushing_errors_are_one_sentence_and_change_nothing(hub, pushed, tmp_path) -> None:
    folder = copy_model(tmp_path / "model")
    push = ["push", "models", MODEL, "--model", str(folder)]
    hub.add("lhs-hf/bert", {"config.json": b'{"model_type": "bert"}'})
    broken = copy_model(tmp_path / "broken")
    os.truncate(broken / "decoder" / "model.safetensors", 10_000)
    pickled = copy_model(tmp_path / "pickled")
    (pickled / "encoder" / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    (tmp_path / "empty").mkdir()
    before, commits = state(folder), dict(hub.repositories["models", MODEL].branches)
    expected = [
        ([*push, "--token", WRONG_TOKEN], ["refused the token", "hf auth login"]),
        ([{"HF_TOKEN": ""}, *push], ["no token", "--token"]),
        ([*push, "--token", STRANGER_TOKEN], ["lhs-hf/shared"]),
        (["push", "models", "lhs-hf/bert", "--token", OWNER_TOKEN], ["'bert'", "expected 'lhs'"]),
        (["push", "models", "shared"], ["owner/name"]),
        (["push", "models", MODEL, "--model", str(broken)], ["decoder/model.safetensors is broken"]),
        (["push", "models", MODEL, "--model", str(pickled)], ["pytorch_model.bin", "safetensors only"]),
        (["push", "models", MODEL, "--model", str(tmp_path / "empty")], ["config.json"]),
        (["push", "surrogate", "no_task", MODEL], ["no_task", *task_names()]),
        (["push", "corpus", CORPUS, "--corpus", str(tmp_path / "empty")], ["holds no corpus"]),
        (["push", "space", SPACE, "--folder", str(tmp_path / "empty")], ["holds no Space"]),
    ]
    for (call, words), (status, _, lines) in zip(expected, commands(hub, tmp_path, *(call for call, _ in expected))):
        assert (status, len(lines)) == (2, 1), (call, lines)
        for word in words:
            assert word in lines[0], (call, lines[0])
    assert hub.repositories["models", MODEL].branches == commits
    assert hub.repositories["models", "lhs-hf/bert"].files() == {"config.json": b'{"model_type": "bert"}'}
    assert state(folder) == before


@pytest.mark.integration
def test_an_interrupted_upload_changes_nothing_and_can_be_repeated(hub, tmp_path) -> None:
    folder = copy_model(tmp_path / "model")
    # Content of its own: what the Hub already has is not sent again.
    import safetensors.numpy as safetensors

    path = folder / "surrogates" / TASK / "model.safetensors"
    tensors = safetensors.load_file(path)
    safetensors.save_file({name: value + 1 for name, value in tensors.items()}, path)
    hub.add("lhs-hf/interrupted", {"README.md": b"before"})
    before = state(folder)
    push = ["push", "models", "lhs-hf/interrupted", "--model", str(folder), "--revision", "next"]
    hub.cut_uploads_after = 1000
    [(status, _, lines)] = commands(hub, tmp_path, push)
    hub.cut_uploads_after = None
    assert (status, len(lines)) == (2, 1)
    assert "connection" in lines[0]
    assert "was lost" in lines[0]
    repository = hub.repositories["models", "lhs-hf/interrupted"]
    assert repository.files("next") == repository.files("main") == {"README.md": b"before"}
    assert state(folder) == before
    [(status, _, lines)] = commands(hub, tmp_path, push)
    assert (status, lines) == (0, [])
    assert repository.files("next")[f"surrogates/{TASK}/model.safetensors"] == path.read_bytes()
    assert repository.files("main") == {"README.md": b"before"}


def test_a_push_drops_surrogates_that_no_longer_exist(hub, tmp_path) -> None:
    folder = copy_model(tmp_path / "model")
    hub.add(
        "lhs-hf/older",
        {"surrogates/tsp_old/config.json": b"{}", "notes.md": b"kept", "config.json": b'{"model_type": "lhs"}'},
    )
    [(status, _, lines)] = commands(hub, tmp_path, ["push", "models", "lhs-hf/older", "--model", str(folder)])
    assert (status, lines) == (0, [])
    files = hub.repositories["models", "lhs-hf/older"].files()
    assert "surrogates/tsp_old/config.json" not in files
    assert files["notes.md"] == b"kept"


def test_no_pickle_is_shipped_or_produced(hub, pushed) -> None:
    shipped = [
        path for folder in ("lhs_hf", "spaces", "model_cards", "results", "docs") for path in (ROOT / folder).rglob("*")
    ]
    shipped = [path for path in shipped if path.is_file() and "__pycache__" not in path.parts]
    assert len(shipped) > 100
    assert [path for path in shipped if holds_pickle(path)] == []
    for repository in hub.repositories.values():
        for commit in repository.commits.values():
            if any(name.startswith("pytorch_model") for name in commit.files):
                continue  # made by a test, to be refused
            assert not [name for name in commit.files if Path(name).suffix in PICKLE_SUFFIXES]


def test_the_pickle_check_finds_pickles(tmp_path) -> None:
    import pickle

    (tmp_path / "weights").write_bytes(pickle.dumps({"a": 1}))
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps([1]))
    (tmp_path / "model.pt").write_bytes(b"")
    assert all(holds_pickle(path) for path in tmp_path.iterdir())
    assert not holds_pickle(DATA_FOLDER / "README.md")
