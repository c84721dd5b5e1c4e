"""The endpoints as tools for agents: a client of the protocol finds five of them, and the gate's limits hold."""

from __future__ import annotations

import ast
import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from lhs_hf.errors import CallError
from lhs_hf.space import mcp as tools

TASK = "knapsack_construct"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "evaluate", "arguments": {"task": TASK}}}
PATH = "/gradio_api/mcp/"
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def test_messages_are_those_of_the_protocol() -> None:
    assert tools.checked({**CALL, "other": 1}) == CALL
    assert tools.checked({"jsonrpc": "2.0", "method": "notifications/initialized"})["method"]
    for changes, says in (
        ({"method": "resources/read"}, "no method 'resources/read'"),
        ({"method": ["tools/call"]}, "no method"),
        ({"id": [1]}, "id must be"),
        ({"params": []}, "params must be"),
        ({"params": {"name": 3}}, "a tool is called with its name"),
        ({"params": {"name": "evaluate", "arguments": [1]}}, "a tool is called with its name"),
    ):
        with pytest.raises(CallError, match=says):
            tools.checked({**CALL, **changes})


def test_nobody_else_can_name_a_visitor() -> None:
    passport = tools.Passport()
    forged = [(b"X-LHS-Visitor", b"0 10.0.0.1"), (b"accept", b"*/*")]
    stamped = passport.stamp(forged, "127.0.0.7")
    assert [name for name, _ in stamped] == [b"accept", b"x-lhs-visitor"]
    headers = {name.decode(): value.decode() for name, value in stamped}
    assert passport.visitor(headers) == "127.0.0.7"
    assert passport.visitor({"x-lhs-visitor": "0 10.0.0.1"}) is None
    assert passport.visitor({}) is None
    assert tools.Passport().visitor(headers) is None


def test_tools_are_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(tools.VARIABLE, raising=False)
    assert not tools.wanted(None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert tools.wanted(True)
    monkeypatch.setenv(tools.VARIABLE, "True")
    assert tools.wanted(None)
    assert not tools.wanted(False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CallError, match=r"pip install 'lhs-hf\[mcp\]'"):
        tools.wanted(None)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server with tools."""
    pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[mcp]')")
    pytest.importorskip("mcp", reason="mcp is not installed (pip install 'lhs-hf[mcp]')")
    from space_server import served

    with served(["--mcp"]) as (url, _):
        yield url


def session(url: str, work: Any) -> Any:
    """What a coroutine function gives that is called with a session of the protocol's own client."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async def run() -> Any:
        async with streamablehttp_client(f"{url}{PATH}") as (read, write, _), ClientSession(read, write) as client:
            await client.initialize()
            return await work(client)

    return asyncio.run(run())


def value(answer: Any) -> Any:
    """What a tool gave: Gradio writes it as Python does."""
    return ast.literal_eval(answer.content[0].text)


def post(url: str, message: Any, number: int = 50, **headers: str) -> Any:
    from space_http import Visitor

    with Visitor(url, number) as visitor:
        return visitor.http.post(PATH, content=json.dumps(message), headers={**HEADERS, **headers})


@pytest.mark.slow
def test_an_agent_finds_the_endpoints_and_uses_them(server: str) -> None:
    async def work(client: Any) -> Any:
        listed = (await client.list_tools()).tools
        names = await client.call_tool("tasks", {})
        template = next(each["signature"] for each in value(names) if each["name"] == TASK)
        program = f"{template.strip().rstrip(':')}:\n    return remaining_items[0]\n"
        evaluated = await client.call_tool("evaluate", {"task": TASK, "program": program})
        searched = await client.call_tool("search", {"task": TASK, "budget": 2})
        wrong = await client.call_tool("evaluate", {"task": "no such task", "program": "x"})
        return listed, program, evaluated, searched, wrong

    listed, program, evaluated, searched, wrong = session(server, work)
    assert {tool.name for tool in listed} == {"tasks", "search", "evaluate", "corpus", "between"}
    schema = {tool.name: tool.inputSchema for tool in listed}["search"]
    assert schema["required"] == ["task"]
    assert schema["properties"]["budget"]["type"] in ("integer", "number")
    assert schema["properties"]["budget"]["description"].startswith("Programs to write")
    assert "request" not in schema["properties"]
    assert not evaluated.isError, (program, evaluated.content)
    assert value(evaluated)["status"] == "ok"
    result = value(searched)["result"]
    assert result["decoder_calls"] == 2
    assert result["conclusion"].startswith("Result: ")
    assert "output" not in result
    assert wrong.isError
    assert "no such task" in wrong.content[0].text


@pytest.mark.slow
def test_the_gate_stands_before_tools(server: str) -> None:
    from space_http import Visitor

    nested = {"name": "evaluate", "arguments": {"task": {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}}}
    assert post(server, {**CALL, "params": nested}).status_code == 400
    assert post(server, {**CALL, "method": "resources/read"}).status_code == 400
    assert post(server, [CALL]).status_code == 400
    assert post(server, CALL, host="evil.example").status_code == 421
    assert post(server, CALL, origin="http://evil.example").status_code == 403
    assert post(server, "x" * 2**20).status_code == 413
    with Visitor(server, 51) as visitor:
        assert visitor.http.get(PATH, headers=HEADERS).status_code == 405
        assert visitor.http.get(f"{PATH}schema").status_code == 200
        for path in ("sse", "messages/", "http"):
            assert visitor.http.get(f"{PATH}{path}").status_code == 404
            assert visitor.http.post(f"{PATH}{path}", content="{}").status_code == 404


@pytest.mark.slow
def test_each_visitor_has_its_own_share_of_searches(server: str) -> None:
    """A third search of one address is refused while another address still gets one."""
    from concurrent.futures import ThreadPoolExecutor

    arguments = {"task": TASK, "budget": 12}
    message = {**CALL, "params": {"name": "search", "arguments": arguments}}

    def text(number: int) -> str:
        return post(server, message, number).text

    with ThreadPoolExecutor(6) as pool:
        own = [pool.submit(text, 60) for _ in range(5)]
        other = pool.submit(text, 61)
        answers = [each.result() for each in own]
        assert "Result: " in other.result()
    refused = [answer for answer in answers if "searches waiting or running already" in answer]
    assert len(refused) == 3
    assert sum("Result: " in answer for answer in answers) == 2


@pytest.mark.slow
def test_without_the_flag_there_are_no_tools() -> None:
    pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[mcp]')")
    from space_server import served

    with served() as (url, _):
        assert post(url, CALL).status_code == 404
