"""`lhs-hf search` with a decoder that a vLLM server runs: a server of this test's own stands for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from embeds_server import DOWN, EmbedsServer
from text_models import TASK, save_model, save_pair
from transformers import AutoModelForCausalLM

from lhs_hf.cli import main
from lhs_hf.models.decoder import Decoder, load_decoder
from lhs_hf.models.vllm_server import KEY_VARIABLE
from lhs_hf.search.database import RunDatabase

pytestmark = pytest.mark.integration

pytest.importorskip("openai", reason="openai is not installed")

KEY = "sk-secret-of-a-server"
SETTINGS = [
    *("--preset", "latent", "--budget", "6", "--population", "3", "--seeds", "2"),
    *("--max-new-tokens", "16", "--temperature", "0", "--workers", "1"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pair")
    _, decoder = save_pair(made)
    # Numbers of half precision differ between one row and a batch.
    AutoModelForCausalLM.from_pretrained(decoder).float().save_pretrained(decoder)
    return save_model(made)


@pytest.fixture(scope="module")
def decoder(folder: Path) -> Decoder:
    return load_decoder(str(folder / "decoder"))


@pytest.fixture
def server(decoder: Decoder, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbedsServer]:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    made = EmbedsServer(*decoder, str(folder / "decoder"), key=KEY)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def search(folder: Path, output: str, *options: str) -> int:
    return main(["search", TASK, "--model", str(folder), "--output", output, "--json", *options])


def programs(output: str) -> list[tuple[Any, ...]]:
    with RunDatabase(Path(output) / "run.sqlite") as database:
        return [(each.program, each.tokens, each.status) for each in database.candidates() if each.decoded]


def test_a_search_finds_what_it_finds_here_and_goes_on_where_a_server_failed(
    folder: Path, server: EmbedsServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = ["--decoder", f"vllm:{folder / 'decoder'}", "--decoder-url", server.url]
    assert search(folder, "here", *SETTINGS) == 0
    here = json.loads(capsys.readouterr().out)
    assert search(folder, "there", *SETTINGS, *there) == 0
    served = json.loads(capsys.readouterr().out)
    assert programs("there") == programs("here")
    assert len(programs("here")) == served["decoder_calls"] == here["decoder_calls"] == 6

    # The server breaks down after the first round, until the tries are used up.
    rounds = [request["seed"] for request in server.requests[1:]]
    del server.requests[:]
    original = server.post

    def post(path: str, request: dict[str, Any], headers: Any) -> Any:
        return DOWN if request["seed"] in rounds[3:] else original(path, request, headers)

    monkeypatch.setattr(server, "post", post)
    assert search(folder, "broken", *SETTINGS, *there) == 1
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert "does not answer (InternalServerError, status 500); every finished candidate is kept, go on with" in said
    assert programs("broken") == programs("here")[:3]
    monkeypatch.setattr(server, "post", original)
    assert search(folder, "broken", "--resume", *SETTINGS, *there) == 0
    assert json.loads(capsys.readouterr().out)["decoder_calls"] == 6
    assert programs("broken") == programs("here")

    # Another decoder would make other programs of the same seeds.
    assert search(folder, "broken", "--resume", *SETTINGS) == 2
    assert "decoder" in capsys.readouterr().err
    files = [path for name in ("there", "broken") for path in Path(name).rglob("*") if path.is_file()]
    assert len(files) > 3
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def test_a_wrong_call_ends_before_there_is_a_run(
    folder: Path, server: EmbedsServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for options, message in (
        (["--decoder-url", server.url], "--decoder-url is where vLLM serves a decoder"),
        (["--decoder", "vllm:owner/name", "--decoder-url", server.url], f"serves {folder / 'decoder'}, not owner/name"),
    ):
        assert search(folder, "run", *SETTINGS, *options) == 2
        said = capsys.readouterr().err.strip().splitlines()
        assert len(said) == 1
        assert message in said[0]
        assert not Path("run").exists()
