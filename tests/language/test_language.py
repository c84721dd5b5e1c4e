"""Language models: every call counts once, is stored before it is used, and is not made again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import BUSY, DOWN, Answer, Server, reply
from text_models import save_pair

from lhs_hf.decoding.budget import Budget, BudgetExhausted
from lhs_hf.errors import CallError
from lhs_hf.language import (
    Calls,
    LocalModel,
    Message,
    Metered,
    ModelError,
    Reply,
    Request,
    Script,
    ServerModel,
    Transcript,
    write_transcript,
)
from lhs_hf.store import MEMORY

KEY = "sk-a-key-that-nobody-may-see"


def chat(text: str) -> list[Message]:
    return [{"role": "system", "content": "You write programs."}, {"role": "user", "content": text}]


def request(text: str = "Hello", **more: Any) -> Request:
    return Request(tuple(chat(text)), "sample", 3, **more)


def metered(
    calls: Calls, budget: int = 100, answer: Callable[[int, Request], str] | None = None, seed: int = 0
) -> Metered:
    return Metered(Script(answer or (lambda number, _: f"answer {number}")), calls, Budget(budget), seed)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def ask(server: Server, **options: Any) -> ServerModel:
    return ServerModel("stub", server.url, **{"attempts": 4, "timeout_s": 5.0, **options})


# -- budget and store --------------------------------------------------------------------------------------------------


def test_call_one_hundred_and_one_raises_before_it_is_made() -> None:
    with Calls(MEMORY) as calls:
        model = metered(calls)
        texts = [model.ask(chat(str(number)), "reflect" if number % 3 else "sample") for number in range(98)]
        texts += model.ask_many([chat("a"), chat("b")], "sample")
        assert texts == [f"answer {number}" for number in range(100)]
        assert (model.counts["sample"], model.counts["reflect"], model.budget.left) == (35, 65, 0)
        with pytest.raises(BudgetExhausted):
            model.ask(chat("one more"), "sample")
        assert len(model.model.requests) == len(list(calls)) == 100


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    def dies(number: int, _: Request) -> str:
        if number == 2:
            raise KeyboardInterrupt
        return f"answer {number}"

    with Calls(tmp_path / "calls.sqlite") as calls:
        model = metered(calls, answer=dies)
        for number in range(2):
            model.ask(chat(str(number)), "sample")
        with pytest.raises(KeyboardInterrupt):
            model.ask(chat("2"), "sample")
    with Calls(tmp_path / "calls.sqlite") as calls:
        assert [call.reply and call.reply.text for call in calls] == ["answer 0", "answer 1", None]
        model = metered(calls, answer=lambda number, _: f"later {number}")
        texts = [model.ask(chat(str(number)), "sample") for number in range(5)]
        assert texts == ["answer 0", "answer 1", "later 0", "later 1", "later 2"]
        assert model.budget.spent == 5


def test_a_batch_that_was_interrupted_is_asked_for_as_a_whole(tmp_path: Path) -> None:
    def dies(number: int, _: Request) -> str:
        if number == 1:
            raise KeyboardInterrupt
        return "half a batch"

    chats = [chat(str(number)) for number in range(3)]
    with Calls(tmp_path / "calls.sqlite") as calls, pytest.raises(KeyboardInterrupt):
        metered(calls, answer=dies).ask_many(chats, "sample")
    with Calls(tmp_path / "calls.sqlite") as calls:
        model = metered(calls)
        assert model.ask_many(chats, "sample") == ["answer 0", "answer 1", "answer 2"]
        assert len(list(calls)) == 3


def test_another_run_does_not_go_on_with_these_calls(tmp_path: Path) -> None:
    with Calls(tmp_path / "calls.sqlite") as calls:
        metered(calls).ask(chat("one"), "sample")
        with pytest.raises(CallError, match="begun differently"):
            metered(calls).ask(chat("two"), "sample")
        with pytest.raises(CallError, match="begun differently"):
            metered(calls, seed=1).ask(chat("one"), "sample")


def test_each_call_has_a_seed_of_its_own() -> None:
    with Calls(MEMORY) as calls, Calls(MEMORY) as others:
        for store, seed in ((calls, 0), (others, 1)):
            model = metered(store, seed=seed)
            model.ask_many([chat("a"), chat("a")], "sample")
            model.ask(chat("a"), "sample", temperature=1.0)
        seeds = [call.request["seed"] for store in (calls, others) for call in store]
        assert len(set(seeds)) == 6
        assert [call.request["temperature"] for call in calls] == [0.7, 0.7, 1.0]


def test_a_transcript_says_the_same_again(tmp_path: Path) -> None:
    with Calls(MEMORY) as calls:
        said = metered(calls).ask_many([chat("a"), chat("b"), chat("a")], "sample")
        assert write_transcript(calls, tmp_path / "transcript.jsonl") == 3
    with Calls(MEMORY) as calls:
        model = Metered(Transcript(tmp_path / "transcript.jsonl"), calls, Budget(9))
        assert model.ask_many([chat("a"), chat("b"), chat("a")], "sample") == said
        with pytest.raises(ModelError, match="no reply for this request"):
            model.ask(chat("c"), "sample")


@pytest.mark.parametrize("line", ["{", "[]", '{"request": {}}', '{"request": {}, "reply": {"texts": ""}}'])
def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "wrong.jsonl").write_text(line + "\n")
    with pytest.raises(CallError, match=r"wrong\.jsonl"):
        Transcript(tmp_path / "wrong.jsonl")
    with pytest.raises(CallError, match="no transcript"):
        Transcript(tmp_path / "missing.jsonl")


# -- a server ----------------------------------------------------------------------------------------------------------


def test_a_server_gets_what_is_asked_and_its_costs_are_known(server: Server) -> None:
    server.answers = [reply("def rule(): ...")]
    [answer] = ask(server).replies([request(max_tokens=77, temperature=0.3)])
    assert (answer.text, answer.truncated, answer.prompt_tokens, answer.tokens) == ("def rule(): ...", False, 1, 1)
    [sent] = server.requests
    assert sent["messages"] == chat("Hello")
    assert {name: sent[name] for name in ("model", "temperature", "top_p", "max_tokens", "seed", "stream")} == {
        "model": "stub",
        "temperature": 0.3,
        "top_p": 0.9,
        "max_tokens": 77,
        "seed": 3,
        "stream": False,
    }


@pytest.mark.parametrize("trouble", [BUSY, DOWN, (500, {}, {"error": "boom"}), (408, {}, {"error": "late"})])
def test_trouble_that_passes_is_waited_for_and_counts_once(server: Server, trouble: Answer) -> None:
    server.answers = [trouble, reply("after all")]
    with Calls(MEMORY) as calls:
        model = Metered(ask(server), calls, Budget(1))
        assert model.ask(chat("Hello"), "sample") == "after all"
        assert (model.budget.spent, len(list(calls)), len(server.requests)) == (1, 1, 2)


def test_a_server_that_takes_too_long_is_asked_again(server: Server) -> None:
    server.answers = [(200, {"Wait": "0.6"}, {}), reply("quick")]
    assert ask(server, timeout_s=0.3).replies([request()])[0].text == "quick"


def test_replies_that_are_cut_off_or_empty_are_replies(server: Server) -> None:
    nothing = reply("")[2] | {"choices": []}  # type: ignore[operator]
    server.answers = [reply("def rule(", "length"), reply(""), (200, {}, nothing)]
    found = ask(server).replies([request()] * 3)
    assert [(each.text, each.truncated) for each in found] == [("def rule(", True), ("", False), ("", False)]


def test_a_server_that_refuses_is_named_and_the_key_is_not(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.answers = [(401, {}, {"error": {"message": f"{KEY} is no key"}})]
    with pytest.raises(ModelError, match=r"stub does not answer \(AuthenticationError, status 401\)") as raised:
        ask(server).replies([request()])
    assert KEY not in str(raised.value)
    assert len(server.requests) == 1
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    with pytest.raises(ModelError, match="APIConnectionError"):
        ServerModel("stub", "http://127.0.0.1:9/v1", attempts=1).replies([request()])


def test_no_key_lies_beside_the_calls(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.answers = [reply("fine")]
    with Calls(tmp_path / "calls.sqlite") as calls:
        Metered(ask(server), calls, Budget(3)).ask_many([chat("a"), chat("b")], "sample")
        write_transcript(calls, tmp_path / "transcript.jsonl")
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes()


def test_what_a_server_needs_is_said_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(CallError, match="OPENAI_API_KEY"):
        ServerModel("gpt")
    with pytest.raises(CallError, match="at least 1"):
        ServerModel("gpt", "http://127.0.0.1:9/v1", per_minute=0)


def test_no_more_requests_a_minute_than_allowed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answers = [reply("fine")]
    clock, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr("lhs_hf.language.server.time.monotonic", lambda: clock[0])
    model = ask(server, per_minute=2)
    monkeypatch.setattr("lhs_hf.language.server.time.sleep", sleep)
    model.replies([request()] * 5)
    assert clock[0] == 120.0


# -- a model on this machine -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    _, decoder = save_pair(tmp_path_factory.mktemp("pair"))
    return LocalModel(str(decoder))


def test_a_local_model_repeats_itself_and_its_batches_do_not_matter_to_the_cost(local: LocalModel) -> None:
    requests = [request("Write a rule", max_tokens=12), request("Write", max_tokens=12)]
    first, again = local.replies(requests), local.replies(requests)
    assert [each.text for each in first] == [each.text for each in again]
    assert all(0 < (each.tokens or 0) <= 12 for each in first)
    assert (first[0].prompt_tokens or 0) > (first[1].prompt_tokens or 0)
    assert any(each.truncated for each in first)


def test_greedy_replies_do_not_depend_on_the_batch(local: LocalModel) -> None:
    requests = [
        request(text, max_tokens=6, temperature=0.0) for text in ("Write a rule", "Write", "Rule a rule a rule")
    ]
    together = local.replies(requests)
    alone = [local.replies([each])[0] for each in requests]
    assert [each.text for each in together] == [each.text for each in alone]


def test_requests_of_other_lengths_are_batches_of_their_own(local: LocalModel) -> None:
    found = local.replies([request(max_tokens=2), request(max_tokens=5), request(max_tokens=5)])
    assert [(each.tokens or 0) <= limit for each, limit in zip(found, (2, 5, 5))] == [True] * 3


def test_replies_are_plain_data() -> None:
    assert Reply(**json.loads(json.dumps(Reply("a", True, 1, 2, 0.5).as_dict()))) == Reply("a", True, 1, 2, 0.5)
