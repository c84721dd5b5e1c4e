"""The Space over plain HTTP: no file is run, read or stored for a visitor, and foreign pages get nothing."""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[space]')")
httpx = pytest.importorskip("httpx", reason="httpx comes with gradio")

from space_http import API, Visitor  # noqa: E402
from space_server import served  # noqa: E402

pytestmark = pytest.mark.integration

TASK = "knapsack_construct"
PROGRAM = "def select_next_item(a, b):\n    return b[0]\n"
SECRET = f"canary-{secrets.token_hex(12)}"
EXAMPLE = Path(__file__).parents[2] / "examples" / "max_cut.py"
ADDRESSES = count(2)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task file that leaves `ran` beside it when it is run, a text with the secret, and a folder tmp."""
    folder = tmp_path_factory.mktemp("place")
    trap = f"\nopen({str(folder / 'ran')!r}, 'a').write('{SECRET}')\n"
    (folder / "trap.py").write_text(EXAMPLE.read_text().replace('"max_cut"', '"trap"') + trap)
    (folder / "secret.txt").write_text(SECRET)
    (folder / "tmp").mkdir()
    return folder


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[tuple[str, int]]:
    """A server that offers one task file, `max_cut`."""
    environment = {"TMPDIR": str(place / "tmp"), "GRADIO_TEMP_DIR": str(place / "gradio")}
    with served(["--task", str(EXAMPLE)], environment) as found:
        yield found


@pytest.fixture
def visitor(server: tuple[str, int]) -> Iterator[Visitor]:
    """A visitor of its own for each test."""
    with Visitor(server[0], next(ADDRESSES)) as found:
        yield found


@pytest.fixture(autouse=True)
def _nothing_ran(place: Path) -> Iterator[None]:
    yield
    assert not (place / "ran").exists(), "the task file was run"


def names_of(file: Path) -> list[str]:
    """Ways to name a file that lies on the server's disk."""
    relative = os.path.relpath(file)
    return [
        str(file),
        relative,
        f"./{relative}",
        f"file://{file}",
        f"{file.parent}/tmp/../{file.name}",
        f"{TASK}/../../../../../../..{file}",
        str(file.with_suffix("")),
    ]


def endpoint_calls(task: Any) -> dict[str, list[Any]]:
    """Arguments of each endpoint that takes a task."""
    return {
        "evaluate": [task, PROGRAM, "search"],
        "search": [task, 5, 0, "gradient", "prior", 8.0, "reference"],
        "corpus": [task, 0, 100],
        "between": [task, 0, 1, 0],
    }


@pytest.mark.parametrize("endpoint", ["evaluate", "search", "corpus", "between"])
def test_no_endpoint_runs_a_file(visitor: Visitor, place: Path, endpoint: str) -> None:
    for name in names_of(place / "trap.py"):
        answer = visitor.call(endpoint, endpoint_calls(name)[endpoint])
        assert not answer["success"], name
        assert answer["output"]["error"].startswith("unknown task "), name
        assert "\n" not in answer["output"]["error"], name


def called(visitor: Visitor, endpoint: str, data: list[Any]) -> str:
    """What a short route streams for a call until it ends, well or not.

    A stream whose event was over before it was read may beat for ever, or have nothing left: a new call is made then.
    """
    streams = []
    for _ in range(6):
        event = visitor.http.post(f"{API}/call/{endpoint}", json={"data": data}).json()["event_id"]
        lines, ended, until = [], False, time.monotonic() + 20
        with visitor.http.stream("GET", f"{API}/call/{endpoint}/{event}") as stream:
            for line in stream.iter_lines():
                lines.append(line)
                ended = ended or line in ("event: complete", "event: error")
                if (ended and line.startswith("data:")) or time.monotonic() > until:
                    break
        if ended:
            return "\n".join(lines)
        streams.append(lines)
    pytest.fail(f"{endpoint} ends none of six streams: {streams}")


@pytest.mark.parametrize("endpoint", ["evaluate", "search", "corpus", "between"])
def test_the_short_routes_run_no_file_either(visitor: Visitor, place: Path, endpoint: str) -> None:
    data = endpoint_calls(str(place / "trap.py"))[endpoint]
    assert "unknown task" in called(visitor, endpoint, data)
    for route in ("run", "api"):
        assert visitor.http.post(f"{API}/{route}/{endpoint}", json={"data": data}).status_code == 404


def test_no_event_of_the_page_runs_a_file(visitor: Visitor, place: Path) -> None:
    config = visitor.config
    components = {each["id"]: each["props"] for each in config["components"]}
    tried = 0
    for event in config["dependencies"]:
        values = [components.get(number, {}).get("value") for number in event["inputs"]]
        values = [value if isinstance(value, (str, int, float, bool)) else None for value in values]
        tasks = [
            place_in_list
            for place_in_list, number in enumerate(event["inputs"])
            if str(components.get(number, {}).get("elem_id")) in ("lhs-task", "lhs-corpus-task")
        ]
        for position in tasks:
            values[position] = str(place / "trap.py")
        if tasks and event["backend_fn"]:
            tried += 1
            assert not visitor.call(event["id"], values, event_data={"row": 0})["success"], event
    assert tried >= 8


def test_uploads_are_refused_and_nothing_is_stored(visitor: Visitor, place: Path) -> None:
    before = sorted(place.rglob("*.py"))
    for route in ("upload", "upload?upload_id=x", "upload/", "component_server", "process_recording", "stream/x"):
        answer = visitor.http.post(f"{API}/{route}", files={"files": ("trap.py", (place / "trap.py").read_bytes())})
        assert answer.status_code == 404, route
    assert visitor.http.get(f"{API}/upload_progress?upload_id=x").status_code == 404
    assert sorted(place.rglob("*.py")) == before


def test_a_large_body_is_refused_with_and_without_its_length(visitor: Visitor) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"data": ["'
        for _ in range(64):
            yield b"x" * 65536
        yield b'"]}'

    for body in (b"".join(pieces()), pieces()):
        answer = visitor.http.post(f"{API}/call/evaluate", content=body)
        assert answer.status_code == 413
        assert "bytes" in answer.json()["detail"]


def test_no_file_of_the_server_is_read(visitor: Visitor, place: Path) -> None:
    secret = place / "secret.txt"
    for path in names_of(secret):
        for route in (f"{API}/file={path}", f"{API}/file/{path}", f"/file={path}", f"{API}/proxy=file://{path}"):
            answer = visitor.http.get(route)
            assert answer.status_code >= 400, route
            assert SECRET not in answer.text, route
    file = {"path": str(secret), "meta": {"_type": "gradio.FileData"}}
    for event in visitor.config["dependencies"]:
        if event["backend_fn"] and event["inputs"]:
            answer = visitor.join(event["id"], [file] * len(event["inputs"]))
            assert answer.status_code == 400, event
    for endpoint, data in endpoint_calls(file).items():
        assert visitor.http.post(f"{API}/call/{endpoint}", json={"data": data}).status_code == 400
        assert visitor.http.post(f"{API}/call/v2/{endpoint}", json={"task": file}).status_code == 400
    assert not any(SECRET in each.read_text(errors="replace") for each in (place / "tmp").rglob("*") if each.is_file())


@pytest.mark.parametrize(
    ("endpoint", "data", "message"),
    [
        ("evaluate", [None, PROGRAM], "task must be a name"),
        ("evaluate", [TASK, None], "program must be a text"),
        ("evaluate", [TASK, PROGRAM, "nowhere"], "unknown split"),
        ("evaluate", [TASK, PROGRAM, 3], "split of knapsack_construct must be a name"),
        ("evaluate", ["x" * 100_000, PROGRAM], "unknown task"),
        ("search", [TASK, float("nan")], "budget must be a whole number"),
        ("search", [TASK, 10**30], "budget must be at most"),
        ("search", [TASK, 5, -1], "seed must be at least 0"),
        ("search", [TASK, 5, 2**64], "seed must be at most"),
        ("search", [TASK, 5, 0, "../cma"], "unknown optimizer"),
        ("search", [TASK, 5, 0, "gradient", True], "space must be a name"),
        ("search", [TASK, 5, 0, "gradient", "prior", float("inf")], "radius must be a number"),
        ("search", [TASK, 5, 0, "gradient", "prior", 1e308], "radius must lie between"),
        ("search", [TASK, 5, 0, "gradient", "prior", 8.0, "/etc/passwd"], "unknown init"),
        ("corpus", [TASK, float("nan"), 100], "least must be a number"),
        ("corpus", [TASK, 0, 1e9], "most must lie between 0 and 100"),
        ("corpus", ["max_cut"], "the corpus has no programs of max_cut"),
        ("between", [TASK, 0.5, 1], "must be a whole number"),
        ("between", [TASK, 0, 10**9], "must be at most"),
        ("between", [TASK, 0, 1, "seed"], "seed must be a whole number"),
    ],
)
def test_a_wrong_value_is_named_in_one_line(visitor: Visitor, endpoint: str, data: list[Any], message: str) -> None:
    answer = visitor.call(endpoint, data + endpoint_calls(TASK)[endpoint][len(data) :])
    assert not answer["success"]
    assert message in answer["output"]["error"]
    assert "\n" not in answer["output"]["error"]


@pytest.mark.parametrize(
    "body",
    [b"", b"no json", b"[]", b"[" * 50_000, b'{"data": "text"}', b'{"data": [[1]]}', b'{"data": ["\\ud800"]}'],
)
def test_what_is_no_call_is_refused(visitor: Visitor, body: bytes) -> None:
    assert visitor.http.post(f"{API}/call/evaluate", content=body).status_code == 400


def test_a_task_that_the_owner_named_is_asked_for_by_its_name(visitor: Visitor) -> None:
    names = {task["name"] for task in visitor.call("tasks", [])["output"]["data"][0]}
    assert {TASK, "max_cut"} <= names
    source = "def select_next_node(unplaced_nodes, side_weights, weight_matrix):\n    return unplaced_nodes[0]\n"
    answer = visitor.call("evaluate", ["max_cut", source, "search"])
    assert answer["output"]["data"][0]["status"] == "ok"
    assert "unknown task" in visitor.call("evaluate", [str(EXAMPLE), source, "search"])["output"]["error"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:7860", "127.0.0.1.evil.example", "10.1.2.3", "", "a b"])
def test_a_foreign_host_is_refused(visitor: Visitor, host: str) -> None:
    for path in ("/", "/config", f"{API}/info", f"{API}/queue/data?session_hash=x"):
        assert visitor.http.get(path, headers={"host": host}).status_code == 421
    assert visitor.http.post(f"{API}/call/tasks", json={"data": []}, headers={"host": host}).status_code == 421


def test_only_the_page_itself_may_send(visitor: Visitor, server: tuple[str, int]) -> None:
    url = server[0]
    port = url.rsplit(":", 1)[1]

    def status(origin: str, path: str = f"{API}/call/tasks") -> int:
        return visitor.http.post(path, json={"data": []}, headers={"origin": origin}).status_code

    assert status(url) == 200
    for foreign in ("https://evil.example", "null", f"http://evil.example:{port}", "http://127.0.0.1:1", "file://"):
        assert status(foreign) == 403, foreign
        assert visitor.http.get(f"{API}/queue/data?session_hash=x", headers={"origin": foreign}).status_code == 403
    answer = visitor.http.get(f"{API}/info", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    # Somebody follows a link to the page.
    assert visitor.http.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_calls_above_the_rate_are_refused_and_others_are_served(visitor: Visitor, server: tuple[str, int]) -> None:
    assert visitor.join("tasks", []).status_code == 200
    assert any(visitor.join("tasks", []).status_code == 429 for _ in range(200))
    with Visitor(server[0], next(ADDRESSES)) as other:
        assert other.call("tasks", [])["success"]


def test_terminated_it_leaves_no_folder(server: tuple[str, int], place: Path) -> None:
    # The last test of this file: the server ends here.
    assert list((place / "tmp").glob("lhs-space-*"))
    os.kill(server[1], signal.SIGTERM)
    end = time.monotonic() + 30
    while list((place / "tmp").glob("lhs-space-*")) and time.monotonic() < end:
        time.sleep(0.1)
    assert not list((place / "tmp").glob("lhs-space-*"))
