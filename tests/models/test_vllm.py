"""Decoders that vLLM runs: the same programs as here, whatever happens on the way to the server."""

from __future__ import annotations

import itertools
import logging
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from embeds_server import BUSY, DOWN, EmbedsServer, Fault, body
from scripted_model import END, WIDTH, save_random, save_scripted
from small_decoders import seeded

from lhs_hf.decoding.budget import Budget
from lhs_hf.decoding.decoder import LatentDecoder, signature_of
from lhs_hf.decoding.generation import GeneratedProgram, Prompts, Sampling, generate_programs
from lhs_hf.decoding.served import ServedModel
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator, Stepper
from lhs_hf.language.model import ModelError
from lhs_hf.models import vllm_decoder
from lhs_hf.models.configuration_lhs import LHSMapperConfig
from lhs_hf.models.decoder import Decoder, load_decoder
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.models.vllm_names import split_adapter
from lhs_hf.models.vllm_server import KEY_VARIABLE, VLLMServer
from lhs_hf.tasks import get_task

pytest.importorskip("openai", reason="openai is not installed")

TASK = get_task("tsp_construct")
HEADER = TASK.signature() + "\n"
GOOD = "    return unvisited_nodes[0]\n"
BAD = "    x = unvisited_nodes[999]\n"
STARTS = ["<start 1>\n", "<start 2>\n", "<start 3>\n"]
KEY = "sk-secret-of-a-server"
FOLLOWS = {
    # A program between prose; a block of another language before it, and one that names none; one that is never closed.
    STARTS[0]: {"Here it is:\n": 1.0},
    "Here it is:\n": {"```python\n": 1.0},
    "```python\n": {HEADER: 1.0},
    HEADER: {"    # first\n": 1.0},
    "    # first\n": {BAD: 0.6, "    y = 1\n": 0.4},
    BAD: {GOOD: 1.0},
    "    y = 1\n": {GOOD: 1.0},
    GOOD: {"```\n": 1.0},
    "```\n": {"Prose that goes on and on.\n": 1.0},
    "Prose that goes on and on.\n": {"Prose that goes on and on.\n": 1.0},
    STARTS[1]: {"See:\n": 1.0},
    "See:\n": {"``` \n": 1.0},
    "``` \n": {HEADER: 1.0},
    STARTS[2]: {"def f(): pass\n": 1.0},
    "def f(): pass\n": {END: 1.0},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_scripted(tmp_path_factory.mktemp("scripted") / "decoder", FOLLOWS)


@pytest.fixture(scope="module")
def local(folder: Path) -> Decoder:
    return load_decoder(str(folder))


@pytest.fixture
def server(local: Decoder, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbedsServer]:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    made = EmbedsServer(*local, str(folder))
    yield made
    made.close()


@pytest.fixture
def served(server: EmbedsServer, folder: Path) -> Decoder:
    decoder = load_decoder(f"vllm:{folder}", url=server.url)
    server.requests.clear()
    return decoder


@pytest.fixture(scope="module")
def stepper() -> Iterator[Stepper]:
    with Evaluator(TASK) as evaluator, evaluator.stepping(probes=2, limit_s=10.0, whole_limit_s=30.0) as made:
        yield made


def prompts(decoder: Decoder, starts: list[str]) -> Prompts:
    """Each start as a soft prompt behind a token prompt; the prompts are of different lengths."""
    table, ids = decoder.model.get_input_embeddings().weight, decoder.tokenizer.get_vocab()
    soft = torch.stack([table[[ids[start]]] for start in starts]).detach()
    return Prompts([[1] * (1 + row % 3) for row in range(len(starts))], soft)


def written(
    decoder: Decoder,
    starts: list[str],
    guide: Stepper | None = None,
    *,
    temperature: float = 0.0,
    limit: int = 30,
    start: int = 0,
) -> list[GeneratedProgram]:
    return generate_programs(
        decoder.model,
        decoder.tokenizer,
        prompts(decoder, starts),
        [signature_of(TASK)] * len(starts),
        seeded(len(starts), start),
        Sampling(temperature, 1.0, limit, grammar=False),
        guide=guide,
    )


def same(one: list[GeneratedProgram], other: list[GeneratedProgram]) -> None:
    """Equal but for tokens that a server wrote in vain, and for rounding."""
    assert [replace(program, sampled=0, log_probability=0.0) for program in one] == [
        replace(program, sampled=0, log_probability=0.0) for program in other
    ]
    for a, b in zip(one, other):
        assert a.log_probability == pytest.approx(b.log_probability, abs=1e-3)


def test_greedy_programs_are_those_of_transformers(local: Decoder, served: Decoder, server: EmbedsServer) -> None:
    here, there = (written(decoder, STARTS) for decoder in (local, served))
    same(here, there)
    assert all(program.finished for program in there)
    assert there[0].source.endswith(GOOD + "```\n")
    assert "Prose" not in there[0].source
    assert there[1].source == there[0].source.replace("Here it is:\n```python\n", "See:\n``` \n")
    # One request a row, each with a seed of its own, and nothing but embeddings in it.
    assert len(server.requests) == 3
    assert len({request["seed"] for request in server.requests}) == 3
    assert all(request["prompt"] is None for request in server.requests)


def test_attention_and_positions_are_those_of_transformers(tmp_path: Path) -> None:
    folder = save_random(tmp_path / "random")
    local = load_decoder(str(folder))
    server = EmbedsServer(*local, str(folder))
    served = load_decoder(f"vllm:{folder}", url=server.url)
    batch = Prompts([[5], [7, 8, 9, 10], [3, 4]], torch.randn(3, 4, WIDTH, generator=torch.Generator().manual_seed(2)))
    sampling = Sampling(0.0, 1.0, 24, grammar=False)
    results = [
        generate_programs(*decoder, batch, [signature_of(TASK)] * 3, seeded(3), sampling) for decoder in (local, served)
    ]
    server.close()
    same(*results)
    assert len({tuple(program.token_ids) for program in results[1]}) == 3
    assert len(set(results[1][0].token_ids)) > 5


def test_a_block_that_names_no_language_is_gone_on_with(tmp_path: Path) -> None:
    follows = {STARTS[0]: {"See:\n": 1.0}, "See:\n": {"```\n": 1.0}, "```\n": {GOOD: 1.0}, GOOD: {"```": 1.0}}
    folder = save_scripted(tmp_path / "decoder", follows)
    local = load_decoder(str(folder))
    server = EmbedsServer(*local, str(folder))
    served = load_decoder(f"vllm:{folder}", url=server.url)
    del server.requests[:]
    here, there = (written(decoder, STARTS[:1]) for decoder in (local, served))
    server.close()
    same(here, there)
    assert there[0].source == f"See:\n```\n{GOOD}```"
    assert len(server.requests) == 2


def test_failing_statements_are_taken_back_and_written_again(
    local: Decoder, served: Decoder, server: EmbedsServer, stepper: Stepper
) -> None:
    starts = [STARTS[0]] * 6
    plain = written(served, starts, temperature=1.0)
    assert any(BAD in program.source for program in plain)
    assert any(BAD not in program.source for program in plain)
    del server.requests[:]
    guided = written(served, starts, stepper, temperature=1.0)
    assert {program.source for program in guided} == {HEADER + "    # first\n    y = 1\n" + GOOD}
    assert all(program.finished and program.answers for program in guided)
    rejections = sum(program.rejections for program in guided)
    assert rejections > 0
    # A whole reply a request: only what was taken back is asked for again, with another seed.
    assert len(server.requests) == len(starts) + rejections
    assert len({request["seed"] for request in server.requests}) == len(server.requests)
    # What was sampled behind a failing statement is counted although it is not read.
    assert all(program.sampled >= len(program.token_ids) + 2 * program.rejections for program in guided)


def test_guided_greedy_programs_are_those_of_transformers(local: Decoder, served: Decoder, stepper: Stepper) -> None:
    here, there = (written(decoder, STARTS[:2], stepper, limit=12) for decoder in (local, served))
    same(here, there)
    assert there[0].rejections > 0


def test_a_program_depends_on_its_generator_alone(served: Decoder, stepper: Stepper) -> None:
    starts = [STARTS[0]] * 4
    together, again = (written(served, starts, stepper, temperature=1.0) for _ in range(2))
    assert together == again
    alone = [written(served, starts[:1], stepper, temperature=1.0, start=row)[0] for row in range(4)]
    assert [(a.token_ids, a.rejections) for a in alone] == [(b.token_ids, b.rejections) for b in together]


def test_without_token_ids_programs_are_written_whole(
    local: Decoder, server: EmbedsServer, folder: Path, stepper: Stepper, caplog: pytest.LogCaptureFixture
) -> None:
    server.ids = False
    served = load_decoder(f"vllm:{folder}", url=server.url)
    with caplog.at_level(logging.WARNING, "lhs_hf"):
        there = written(served, STARTS, stepper)
    assert "gives no token ids" in caplog.text
    here = written(local, STARTS)
    assert [(a.source, a.token_ids, a.finished) for a in there] == [(b.source, b.token_ids, b.finished) for b in here]
    assert not any(program.rejections for program in there)


def cut(content: bytes) -> Fault:
    """An answer that ends before it says that it does."""
    return 200, {"Content-Length": str(len(content) + 10)}, content


@pytest.mark.parametrize(
    "faults",
    [[BUSY], [DOWN, BUSY], [(503, {"Retry-After": "0.01"}, b"")], [cut(body())], [(200, {}, b'{"choices": [{"te')]],
    ids=["429", "500", "503", "cut off", "no JSON"],
)
def test_what_fails_for_the_moment_is_asked_again_and_counts_once(
    local: Decoder, served: Decoder, server: EmbedsServer, faults: list[Fault]
) -> None:
    torch.manual_seed(0)
    mapper = LHSMapper(LHSMapperConfig(latent_size=8, hidden_size=16, output_size=WIDTH, num_soft_tokens=2))
    latents = torch.randn(3, 8, generator=torch.Generator().manual_seed(0))
    results, budgets, counts = [], [], []
    for decoder, failing in ((local, []), (served, []), (served, faults)):
        budget = Budget(5)
        server.faults = list(failing)
        del server.requests[:]
        made = LatentDecoder(*decoder, mapper, budget=budget).decode(
            latents, TASK, seeded(3), temperature=0.0, max_new_tokens=8
        )
        results.append([program.source for program in made])
        budgets.append((budget.spent, budget.tokens))
        counts.append(len(server.requests))
    assert results[0] == results[1] == results[2]
    assert budgets[0] == budgets[1] == budgets[2]
    assert budgets[0][0] == 3
    assert counts == [0, counts[1], counts[1] + len(faults)]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (DOWN, r"does not answer \(InternalServerError, status 500\)"),
        ((400, {}, f'{{"error": {{"message": "key {KEY} is odd"}}}}'.encode()), r"\(BadRequestError, status 400\)"),
        ((200, {}, b"<html>"), "does not answer"),
        ((200, {}, b'{"choices": []}'), r"no completion in 2 replies"),
        ((200, {}, body(finish_reason="abort")), "ended a reply for another reason .* 'abort'"),
        ((200, {}, body(finish_reason="length", token_ids=[3, 3])), "gave 2 of 30 tokens and ended there"),
        ((200, {}, body(finish_reason="length", token_ids=[])), "gave 0 of 30 tokens"),
    ],
    ids=["500", "400", "no JSON", "no choice", "aborted", "cut short", "empty"],
)
def test_a_server_that_gives_no_reply_is_one_line(
    server: EmbedsServer, folder: Path, local: Decoder, monkeypatch: pytest.MonkeyPatch, fault: Fault, message: str
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    engine = VLLMServer(str(folder), server.url, attempts=2)
    model = ServedModel(engine, local.model.get_input_embeddings(), local.tokenizer, local.model.config)
    server.faults = [fault] * 4
    with pytest.raises(ModelError, match=message) as caught:
        written(Decoder(model, local.tokenizer), STARTS[:1])
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_server_that_does_not_answer_in_time_is_one_line(server: EmbedsServer, folder: Path, local: Decoder) -> None:
    engine = VLLMServer(str(folder), server.url, attempts=2, timeout_s=0.05)
    model = ServedModel(engine, local.model.get_input_embeddings(), local.tokenizer, local.model.config)
    with server.silence(), pytest.raises(ModelError, match=r"does not answer \(APITimeoutError\)"):
        written(Decoder(model, local.tokenizer), STARTS[:1])


def refused(decoder: str, url: str | None) -> str:
    with pytest.raises(CallError) as caught:
        load_decoder(decoder, url=url)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)
    return str(caught.value)


def test_a_server_that_can_not_serve_is_named_before_anything_is_sampled(
    server: EmbedsServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"vllm:{folder}"
    server.embeds = False
    assert refused(name, server.url).endswith("takes no prompt embeddings; start it with --enable-prompt-embeds")
    server.embeds, server.key = True, KEY
    assert refused(name, server.url).endswith(f"wants a key in the environment variable {KEY_VARIABLE}")
    monkeypatch.setenv(KEY_VARIABLE, "another")
    assert refused(name, server.url).endswith(f"refuses the key in {KEY_VARIABLE}")
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    assert f"serves {folder}, not owner/other" in refused("vllm:owner/other", server.url)
    assert f"serves {folder}, not style, the adapter" in refused(f"{name}+style", server.url)
    server.faults = [(200, {}, body()[:-1] + b', "usage": {"prompt_tokens": 1}}')]
    assert "takes no prompt embeddings: it reads 1 tokens where 3 were sent" in refused(name, server.url)
    server.faults = [(422, {}, b"{}")]
    assert "refuses prompt embeddings (UnprocessableEntityError, status 422)" in refused(name, server.url)
    assert [request["max_tokens"] for request in server.requests] == [1, 1, 1]
    server.close()
    assert refused(name, server.url).startswith("no server answers at http://127.0.0.1")


def test_another_width_is_named(server: EmbedsServer, folder: Path) -> None:
    server.model = SimpleNamespace(config=SimpleNamespace(hidden_size=2 * WIDTH))
    assert f"of another width than the decoder here, which embeds tokens in {WIDTH} numbers" in refused(
        f"vllm:{folder}", server.url
    )


@pytest.mark.parametrize(
    ("decoder", "url", "message"),
    [
        ("vllm:", None, "names no decoder"),
        ("vllm:owner/name+", None, "names no decoder"),
        ("owner/name", "http://localhost:8000/v1", "--decoder-url is where vLLM serves a decoder"),
        ("vllm:owner/name", "localhost:8000", "is no address of a server"),
        ("vllm:owner/name", f"http://me:{KEY}@localhost/v1", "holds a name or a password"),
    ],
)
def test_names_and_addresses_are_checked(decoder: str, url: str | None, message: str) -> None:
    assert message in refused(decoder, url)


def test_an_adapter_is_named_behind_its_decoder(server: EmbedsServer, folder: Path, tmp_path: Path) -> None:
    assert split_adapter("vllm:Qwen/Qwen3-4B@main+me/style") == ("Qwen/Qwen3-4B@main", "me/style")
    (tmp_path / "a+b").mkdir()
    assert split_adapter(f"vllm:{tmp_path}/a+b") == (f"{tmp_path}/a+b", None)
    server.adapters = ("style",)
    served = load_decoder(f"vllm:{folder}+style", url=server.url)
    written(served, STARTS[:1])
    assert {request["model"] for request in server.requests} == {"style"}


def test_prompts_that_leave_no_room_are_refused(served: Decoder, server: EmbedsServer) -> None:
    with pytest.raises(CallError, match=r"reads 512 tokens; a prompt and 512 new tokens need 514"):
        written(served, STARTS[:1], limit=512)
    assert server.requests == []


def test_the_key_is_sent_and_stays_out_of_everything_else(
    server: EmbedsServer, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    server.key = KEY
    with caplog.at_level(logging.DEBUG, "lhs_hf"):
        served = load_decoder(f"vllm:{folder}", url=server.url)
        written(served, STARTS[:1])
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    assert KEY not in caplog.text + repr(vars(served.model)) + repr(vars(served.model.engine))
    looks = f"import os\n{HEADER}    return unvisited_nodes[{KEY_VARIABLE!r} in os.environ]\n"
    plain = f"{HEADER}    return unvisited_nodes[0]\n"
    with Evaluator(TASK) as evaluator:
        found, reference = (evaluator.evaluate(program, "search") for program in (looks, plain))
    assert found.status != "ok" or found.objectives == reference.objectives


class _Engine:
    """What `VLLMEngine` uses of vllm 0.32, with the server's model behind it."""

    def __init__(self, folder: str, **options: Any) -> None:
        self.options = options
        self.server = EmbedsServer(*load_decoder(folder), folder)
        self.server.close()

    def generate(self, prompts: list[dict[str, Any]], parameters: list[Any], **_: Any) -> list[Any]:
        from lhs_hf.models.vllm_server import encoded

        results = []
        for prompt, sampling in zip(prompts, parameters):
            asked = {"model": self.server.name, "prompt": None, "return_token_ids": True, **vars(sampling)}
            choice = self.server._completion({**asked, "prompt_embeds": encoded(prompt["prompt_embeds"])})["choices"][0]
            scores = choice["logprobs"]["token_logprobs"]
            logprobs = [{token: SimpleNamespace(logprob=s)} for token, s in zip(choice["token_ids"], scores)]
            results.append(SimpleNamespace(outputs=[SimpleNamespace(**{**choice, "logprobs": logprobs})]))
        return results


def test_the_engine_gets_what_a_server_gets(
    folder: Path, local: Decoder, stepper: Stepper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vllm", SimpleNamespace(LLM=_Engine, SamplingParams=SimpleNamespace))
    for variable in ("VLLM_NO_USAGE_STATS", "VLLM_LOGGING_STREAM", "VLLM_LOGGING_LEVEL"):
        monkeypatch.setenv(variable, os.environ.get(variable, ""))
    served = load_decoder(f"vllm:{folder}")
    options = served.model.engine._engine.options
    assert options["enable_prompt_embeds"] is True
    assert (options["trust_remote_code"], options["load_format"]) == (False, "safetensors")
    same(written(local, STARTS), written(served, STARTS))
    same(written(local, STARTS[:1], stepper, limit=12), written(served, STARTS[:1], stepper, limit=12))


def test_without_vllm_its_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    assert 'pip install "lhs-hf[vllm]"' in refused(f"vllm:{folder}", None)


def test_of_a_model_in_several_files_one_is_needed(
    folder: Path, server: EmbedsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = load_decoder(str(folder))
    local.model.save_pretrained(tmp_path / "parts", max_shard_size="40KB")
    local.tokenizer.save_pretrained(tmp_path / "parts")
    files = sorted(path.name for path in (tmp_path / "parts").glob("model-*"))
    assert len(files) > 2
    fetched: list[tuple[str, ...]] = []

    def fetch(name: str, revision: str | None, *, files: tuple[str, ...], **_: Any) -> Path:
        fetched.append(files)
        target = tmp_path / "cache"
        target.mkdir(exist_ok=True)
        for path in itertools.chain.from_iterable((tmp_path / "parts").glob(pattern) for pattern in files):
            (target / path.name).write_bytes(path.read_bytes())
        return target

    monkeypatch.setattr(vllm_decoder, "model_folder", fetch)
    server.name = "owner/name"
    served = load_decoder("vllm:owner/name", url=server.url)
    assert len(fetched[1]) == 1
    assert len(list((tmp_path / "cache").glob("model-*.safetensors"))) == 1
    assert torch.equal(served.model.get_input_embeddings().weight, local.model.get_input_embeddings().weight)
