"""Guided text: the code block of a reply is run line by line, and what fails is taken back and written again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from small_decoders import seeded

from lhs_hf.decoding.budget import Budget
from lhs_hf.decoding.decoder import LatentDecoder, signature_of
from lhs_hf.decoding.generation import GeneratedProgram, Prompts, Sampling, generate_programs
from lhs_hf.decoding.guidance import GUIDED_STEPS
from lhs_hf.decoding.partial_text import partial_program, whole_program
from lhs_hf.decoding.text_guidance import code_start
from lhs_hf.evaluation import Evaluator, Stepper
from lhs_hf.models.configuration_lhs import LHSMapperConfig
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.programs import ProgramError
from lhs_hf.tasks import get_task

TASK = get_task("tsp_construct")
HEADER = TASK.signature() + "\n"
GOOD = "    return unvisited_nodes[0]\n"
END = "<end>"
LIMIT = 40


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(TASK) as made:
        yield made


@pytest.fixture
def stepper(evaluator: Evaluator) -> Iterator[Stepper]:
    with evaluator.stepping(probes=2, limit_s=0.3) as made:
        yield made


class _Cache:
    def __init__(self, ids: torch.Tensor) -> None:
        self.ids = ids

    def batch_select_indices(self, rows: torch.Tensor) -> None:
        self.ids = self.ids[rows]


class Script(torch.nn.Module):
    """A language model over pieces of text: `follows` says with what odds which piece comes after which.

    It sees what its attention mask shows, so a piece that was taken back counts only if forgetting it failed.
    """

    def __init__(self, follows: dict[str, dict[str, float]]) -> None:
        super().__init__()
        self.follows = follows
        self.pieces = [END, *dict.fromkeys(piece for options in follows.values() for piece in options if piece != END)]
        self.embedding = torch.nn.Embedding(len(self.pieces), 4)
        self.config = self.generation_config = SimpleNamespace(eos_token_id=0)
        self.device, self.dtype = torch.device("cpu"), torch.float32
        self.eos_token_id = 0
        self.seen: list[list[str]] = []

    def get_input_embeddings(self) -> torch.nn.Embedding:
        return self.embedding

    def decode(self, ids: list[int], skip_special_tokens: bool = False) -> str:
        return "".join(self.pieces[token] for token in ids if not (skip_special_tokens and token == 0))

    def __call__(self, **inputs: Any) -> Any:
        cache, mask = inputs["past_key_values"], inputs["attention_mask"]
        if cache is None:
            cache = _Cache(torch.full(mask.shape, -1))
        else:
            cache.ids = torch.cat([cache.ids, inputs["input_ids"]], dim=1)
        logits = torch.full((len(mask), 1, len(self.pieces)), -1e4)
        for row, (ids, shown) in enumerate(zip(cache.ids, mask)):
            written = [self.pieces[token] for token in ids[shown.bool()] if token >= 0]
            self.seen.append(written)
            for piece, odds in self.follows.get(written[-1] if written else "", {END: 1.0}).items():
                logits[row, 0, self.pieces.index(piece)] = torch.tensor(odds).log()
        return SimpleNamespace(logits=logits, past_key_values=cache)


def reply(*lines: dict[str, float]) -> dict[str, dict[str, float]]:
    """Chat, then a code block: each line is drawn from its options."""
    stages: list[dict[str, float]] = [{"Here it is:\n": 1.0}, {"```python\n": 1.0}, {HEADER: 1.0}, *lines]
    stages += [{"```": 1.0}, {END: 1.0}]
    follows: dict[str, dict[str, float]] = {"": stages[0]}
    for options, after in pairwise(stages):
        for piece in options:
            follows[piece] = after
    return follows


def sampled(
    follows: dict[str, dict[str, float]], guide: Stepper | None, seeds: range = range(8), limit: int = LIMIT
) -> tuple[Script, list[GeneratedProgram]]:
    script = Script(follows)
    made = generate_programs(
        script,
        script,
        Prompts([[0]] * len(seeds)),
        [signature_of(TASK)] * len(seeds),
        seeded(len(seeds), seeds.start),
        Sampling(1.0, 1.0, limit, grammar=False),
        guide=guide,
    )
    return script, made


@pytest.mark.parametrize(
    "bad",
    [
        "    x = unvisited_nodes[999]\n",
        "    x = undefined_name\n",
        "    x = = 1\n",
        "    x = 'open\n",
        "  x = 1\n    y = 2\n",
        "    for node in unvisited_nodes: node.missing\n",
        "    open('/etc/passwd').read()\n",
        "    import os; os.kill(os.getppid(), 9)\n",
        "    raise SystemExit\n",
        "    while True: pass\n",
    ],
)
def test_a_failing_line_is_taken_back_and_written_again(stepper: Stepper, bad: str) -> None:
    follows = reply({bad: 0.5, "    y = 1\n": 0.5}, {GOOD: 1.0})
    _, plain = sampled(follows, None)
    script, guided = sampled(follows, stepper)
    assert any(bad in program.source for program in plain)
    assert {program.source for program in guided} == {HEADER + "    y = 1\n" + GOOD}
    assert all(program.finished for program in guided)
    assert sum(program.rejections for program in guided) > 0
    for program in guided:
        assert program.sampled == len(program.token_ids) + program.rejections
    # Nothing was ever written behind a line that failed.
    assert not any(bad in written[:-1] for written in script.seen)


def test_a_line_in_several_tokens_is_taken_back_whole(stepper: Stepper) -> None:
    follows = reply({"    x": 1.0}, {" = unvisited": 1.0}, {"_nodes[9": 0.7, "_nodes[0]": 0.3}, {"99]": 1.0})
    follows |= {"_nodes[9": {"99]": 1.0}, "99]": {"\n": 1.0}, "_nodes[0]": {"\n": 1.0}, "\n": {GOOD: 1.0}}
    follows[GOOD] = {"```": 1.0}
    _, guided = sampled(follows, stepper)
    assert {program.source for program in guided} == {HEADER + "    x = unvisited_nodes[0]\n" + GOOD}
    assert sum(program.rejections for program in guided) > 3


def test_statements_over_several_lines_are_run_when_they_are_complete(stepper: Stepper) -> None:
    follows = reply(
        {"    x = max(\n": 1.0}, {"        unvisited_nodes[999],\n": 0.6, "        1,\n": 0.4}, {"    2)\n": 1.0}
    )
    follows["    2)\n"] = {GOOD: 1.0}
    follows[GOOD] = {"```": 1.0}
    _, guided = sampled(follows, stepper)
    assert {program.source for program in guided} == {HEADER + "    x = max(\n        1,\n    2)\n" + GOOD}


def test_when_nothing_fits_behind_a_line_that_line_goes_too(stepper: Stepper) -> None:
    dead_end = "    empty = []\n"
    follows = reply({dead_end: 0.7, GOOD: 0.3})
    follows[dead_end] = {"    return empty[0]\n": 1.0}
    follows["    return empty[0]\n"] = {"```": 1.0}
    _, guided = sampled(follows, stepper)
    assert {program.source for program in guided} == {HEADER + GOOD}
    assert max(program.rejections for program in guided) >= 6


def test_a_hopeless_beginning_is_dropped(stepper: Stepper) -> None:
    lines = ["    empty = []\n", *(f"    a{number} = {number}\n" for number in range(6)), "    return empty[0]\n"]
    follows = reply({lines[0]: 0.7, GOOD: 0.3})
    follows |= {line: {following: 1.0} for line, following in pairwise(lines)}
    follows |= {lines[-1]: {"```": 1.0}, GOOD: {"```": 1.0}}
    _, guided = sampled(follows, stepper, limit=300)
    assert {program.source for program in guided} == {HEADER + GOOD}


def test_a_block_that_ends_without_an_answer_goes_on(stepper: Stepper) -> None:
    follows = reply({"    y = 1\n": 1.0})
    follows["    y = 1\n"] = {"```": 0.6, END: 0.2, GOOD: 0.2}
    follows[GOOD] = {END: 1.0}
    _, guided = sampled(follows, stepper)
    assert {program.source for program in guided} == {HEADER + "    y = 1\n" + GOOD}


def test_what_can_not_be_mended_ends_all_the_same(stepper: Stepper) -> None:
    script, guided = sampled(reply({"    return nothing\n": 1.0}), stepper, range(2))
    for program in guided:
        assert program.source == HEADER + "    return nothing\n"
        assert program.rejections > 0
        assert program.sampled <= GUIDED_STEPS * LIMIT
    assert all(written[:2] == ["Here it is:\n", "```python\n"] for written in script.seen if len(written) > 1)


def test_text_without_a_code_block_comes_as_it_is(stepper: Stepper) -> None:
    follows = {"": {"x = = (": 0.5, "def ": 0.5}, "x = = (": {"\n": 1.0}, "def ": {"\n": 1.0}}
    follows["\n"] = {"x = = (": 0.4, "def ": 0.4, END: 0.2}
    _, plain = sampled(follows, None)
    _, guided = sampled(follows, stepper)
    assert [(p.source, p.token_ids, p.finished) for p in guided] == [(p.source, p.token_ids, p.finished) for p in plain]
    assert {program.finished for program in guided} == {True}
    assert stepper.executions == 0
    _, cut = sampled({"": {"a\n": 1.0}, "a\n": {"a\n": 1.0}}, stepper, range(1), limit=5)
    assert (cut[0].source, cut[0].finished) == ("a\n" * 5, False)


def test_a_program_depends_on_its_generator_alone(evaluator: Evaluator) -> None:
    options = {"    x = missing\n": 0.4, "    a = 1\n": 0.2, "    b = 1\n": 0.2, GOOD: 0.2}
    follows = reply(options)
    follows |= {"    a = 1\n": options, "    b = 1\n": options, GOOD: {"```": 1.0}}
    results = []
    for batches in ([range(6)], [range(6)], [range(row, row + 1) for row in range(6)]):
        with evaluator.stepping(probes=2, limit_s=0.3) as stepper:
            results.append([program for batch in batches for program in sampled(follows, stepper, batch)[1]])
    assert results[0] == results[1]
    for one, other in zip(results[0], results[2]):
        assert (one.source, one.token_ids, one.rejections) == (other.source, other.token_ids, other.rejections)
    assert len({program.source for program in results[0]}) > 1
    assert sum(program.rejections for program in results[0]) > 0


def test_the_decoder_keeps_the_counts_of_guided_text(stepper: Stepper) -> None:
    script = Script(reply({"    x = missing\n": 0.6, "    y = 1\n": 0.4}, {GOOD: 1.0}))

    class ChatTokenizer:
        chat_template = "set"
        eos_token_id = 0
        decode = staticmethod(script.decode)

        def apply_chat_template(self, messages: list[dict[str, str]], **_: Any) -> str:
            return messages[0]["content"]

        def __call__(self, text: str, **_: Any) -> Any:
            assert TASK.signature() in text
            return SimpleNamespace(input_ids=[0])

    mapper = LHSMapper(LHSMapperConfig(latent_size=8, hidden_size=16, output_size=4, num_soft_tokens=2))
    budget = Budget(4)
    decoder = LatentDecoder(script, ChatTokenizer(), mapper, budget=budget)
    made = decoder.decode(torch.randn(4, 8), TASK, seeded(4), max_new_tokens=LIMIT, temperature=1.0, guide=stepper)
    assert {program.source for program in made} == {HEADER + "    y = 1\n" + GOOD}
    assert budget.left == 0
    assert budget.tokens == sum(program.sampled for program in made) > sum(len(p.token_ids) for p in made)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("no code", None),
        ("```python", None),
        ("```python\nx", "x"),
        ("a\n```\nx", "x"),
        ("```text\nx\n```\n```py\ny", "y"),
        ("```text\nx\n", None),
        ("<think>```python\nx\n", None),
        ("<think>```python\nx\n```</think>\n```python\ny", "y"),
        ("use `x` and ``y``\n", None),
    ],
)
def test_where_the_code_begins(text: str, rest: str | None) -> None:
    start = code_start(text)
    assert (None if start is None else text[start:]) == rest


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("import numpy as np\n", ["import numpy as np", "..."]),
        ("def f(a):\n", ["def f(a):", "    ..."]),
        ("def f(\n        a,\n        b):\n", ["def f(a, b):", "    ..."]),
        ("def f(a):\n\tif a:\n\t\tx=1\n\telif b: # why\n", ["    elif b:", "        ..."]),
        ("def f(a):\n  for i in a:\n    y = 1\n\n", ["        y = 1", "        ..."]),
        ("def f(a):\n    if a: return 1\n", ["        return 1", "    ..."]),
        ("def f(a):\n  try:\n", ["    try:", "        ..."]),
        ("def f(a):\n  try:\n    x = 1\n    for i in a:\n", ["        for i in a:", "            ..."]),
        ("def f(a):\n  try:\n    x = 1\n  except E:\n    y = 2\n", ["        y = 2", "        ..."]),
        ("def g(a): ...\n", ["    pass", "..."]),
        ("def f(a):\n    'text'\n", ["    pass", "    ..."]),
    ],
)
def test_where_a_text_goes_on(text: str, lines: list[str]) -> None:
    source = partial_program(text)
    assert source is not None
    assert source.splitlines()[-2:] == lines
    assert source.count("...") == 1


@pytest.mark.parametrize(
    "text", ["x = (1,\n", "def f(\n", "def f():\n    '''text\n", "@cache\n", "x = \\\n", "match a:\n"]
)
def test_a_statement_that_goes_on_is_waited_for(text: str) -> None:
    assert partial_program(text) is None


@pytest.mark.parametrize(
    "text", ["x = = 1\n", "x = (1]\n", "f(x):\n", "x = 'abc\n", "if a:\nb\n", "def f(x\n  return\n"]
)
def test_what_no_line_can_mend_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        partial_program(text)
    assert caught.value.kind == "syntax"
    with pytest.raises(ProgramError):
        whole_program(text)
