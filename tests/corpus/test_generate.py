"""Programs from a language model, against a local server that answers as models and services do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import huggingface_hub.constants
import pytest
from chat_server import BUSY, DOWN, Server, reply

from lhs_hf.cli import main
from lhs_hf.corpus.build import grammar_tokens
from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.corpus.generate import KINDS, generate, request_text
from lhs_hf.corpus.seeds_io import read_seeds
from lhs_hf.errors import CallError
from lhs_hf.language import HubModel, ModelError, Request, open_model
from lhs_hf.programs import program_hash
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
HEAD = "def select_next_item(remaining_capacity, remaining_items):\n"
GOOD = (
    "Here is a rule with a helper:\n\n```python\nimport math\n\n\n"
    + "def worth(item):\n    return math.sqrt(item[1]) / (item[0] + 1)\n\n\n"
    + HEAD
    + '    """Root of the value per weight plus one."""\n'
    + "    fitting = [item for item in remaining_items if item[0] <= remaining_capacity]\n"
    + "    return max(fitting, key=worth) if fitting else None\n```\nIt prefers light items.\n"
)
OTHER = "```\n" + HEAD + "    return remaining_items[-1] if remaining_items[-1][0] <= remaining_capacity else None\n```"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    # Offline, the Hub's client refuses every address, this machine's too.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    made = Server()
    yield made
    made.close()


@pytest.fixture(scope="module")
def count_tokens() -> Callable:
    return grammar_tokens([(seed.source, TASK) for seed in read_seeds(TASK.name)])


def model(server: Server, **options: object) -> HubModel:
    return HubModel(server.url, pause_s=0.01, **options)


def test_every_kind_of_answer_ends_where_it_should(server: Server, tmp_path: Path, count_tokens: Callable) -> None:
    server.answers = [
        reply("I am sorry, but I can not help with that."),
        reply("```python\n" + HEAD + "    best = None\n    for item in", "length"),
        BUSY,
        DOWN,
        reply(GOOD),
        reply(GOOD),
        reply("```python\n" + HEAD + "    return remaining_items[1000]\n```"),
        reply("```python\ndef other(a, b, c):\n    return a\n```"),
        reply("```python\nclass Rule:\n    pass\n\n" + HEAD + "    return None\n```"),
        reply(GOOD.replace("+ 1", "+ 2").replace("worth", "merit")),
        reply(OTHER),
    ]
    report = generate(TASK, model(server), "seed", 9, tmp_path, count_tokens=count_tokens)
    assert (report.asked, report.accepted) == (9, 2)
    assert dict(report.refused) == {
        "refusal": 1,
        "truncated": 1,
        "duplicate": 1,
        "exception": 1,
        "signature": 1,
        "unsupported": 1,
        "same idea": 1,
    }
    rows = load_corpus(TASK.name, folder=tmp_path)
    assert [row.tier for row in rows] == ["seed", "seed"]
    assert rows[0].program.startswith("import math")
    assert "worth" in rows[0].program
    assert {row.split for row in rows} == {"train"}
    assert all(row.family.startswith("llm_") and row.parents == () for row in rows)
    assert len(server.requests) == 11


def test_rewriting_keeps_the_family_and_tier_a_the_objective(server: Server, tmp_path: Path) -> None:
    parent = next(row for row in load_corpus(TASK.name) if row.split == "train" and row.tier == "seed")
    same = parent.program + "\n\n# the same again\n"
    renamed = parent.program.replace("remaining_items", "items_left")
    server.answers = [
        reply(f"```python\n{text}```") for text in (same, renamed, GOOD.split("```python\n")[1].split("```")[0])
    ]
    report = generate(TASK, model(server), "a", 3, tmp_path, corpus=[parent])
    assert dict(report.refused) == {"duplicate": 1, "changed": 1}
    [row] = report.rows
    assert (row.family, row.parents, row.objective) == (parent.family, (parent.hash,), parent.objective)
    assert row.hash == program_hash(renamed) != parent.hash
    assert parent.program.strip() in server.requests[0]["messages"][0]["content"]


@pytest.mark.integration
def test_an_interrupted_run_asks_for_nothing_twice(server: Server, tmp_path: Path) -> None:
    server.answers = [reply(GOOD), (400, {}, {"error": "bad request"})]
    with pytest.raises(ModelError, match="does not answer"):
        generate(TASK, model(server), "seed", 2, tmp_path)
    assert len(load_corpus(TASK.name, folder=tmp_path)) == 1
    server.requests.clear()
    server.answers = [reply(OTHER)]
    report = generate(TASK, model(server), "seed", 2, tmp_path)
    assert (report.accepted, len(server.requests)) == (2, 1)
    assert len(load_corpus(TASK.name, folder=tmp_path)) == 2
    with pytest.raises(CallError, match="begun differently"):
        generate(TASK, model(server), "b", 2, tmp_path)


def test_a_server_that_stays_down_is_given_up(server: Server) -> None:
    server.answers = [DOWN]
    with pytest.raises(ModelError):
        model(server, attempts=3).replies([Request(({"role": "user", "content": "hello"},), "sample", 0)])
    assert len(server.requests) == 3


def test_only_training_families_are_shown(server: Server, tmp_path: Path) -> None:
    server.answers = [reply("no")]
    generate(TASK, model(server), "seed", 4, tmp_path)
    shown = "".join(request["messages"][0]["content"] for request in server.requests)
    for row in load_corpus(TASK.name):
        if row.split != "train":
            assert row.program.strip() not in shown


def test_requests_name_the_interface() -> None:
    for kind, instruction in KINDS.items():
        text = request_text(TASK, kind, [TASK.template])
        assert instruction in text
        assert TASK.signature() in text
        assert TASK.template.strip() in text


def test_wrong_calls(server: Server, tmp_path: Path) -> None:
    with pytest.raises(CallError, match="no model"):
        open_model("")
    server.answers = [reply(GOOD)]
    for kind, count in (("d", 1), ("a", 0)):
        with pytest.raises(CallError):
            generate(TASK, model(server), kind, count, tmp_path)
    assert server.requests == []


def test_the_command_line(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.answers = [reply(GOOD), reply("no")]
    call = ["corpus", "generate", TASK.name, "--llm", server.url, "--count", "2", "--output", str(tmp_path), "--json"]
    assert main(call) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["asked"], printed["accepted"], printed["refused"]) == (2, 1, {"refusal": 1})
