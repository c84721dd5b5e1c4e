"""What a command needs is looked for before anything is loaded; the command line itself loads no library of models."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import pytest
import yaml
from written_commands import commands_in, wrong_options

from lhs_hf.cli import COMMANDS, main

HIDE = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
if sys.argv[1]:
    sys.meta_path.insert(0, Hidden())
from lhs_hf.cli import main
status = main(sys.argv[2:])
print("torch" in sys.modules, file=sys.stderr)
sys.exit(status)
"""


def _without(module: str, arguments: list[str], folder) -> tuple[int, list[str]]:
    process = subprocess.run(
        [sys.executable, "-c", HIDE, module, *arguments], capture_output=True, text=True, cwd=folder, env=os.environ
    )
    return process.returncode, process.stderr.splitlines()


@pytest.mark.parametrize(
    ("module", "extra", "arguments"),
    [
        ("gradio", "space", ["space"]),
        ("peft", "adapters", ["export-adapter", "nowhere"]),
    ],
)
def test_a_missing_extra_is_named_before_anything_is_loaded(tmp_path, module, extra, arguments) -> None:
    status, (message, torch) = _without(module, arguments, tmp_path)
    assert status == 2
    assert message == f"error: this command needs {module}: pip install 'lhs-hf[{extra}]'"
    assert torch == "False"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--help"], ["tasks"], ["train", "--help"], ["search", "--help"]])
def test_looking_loads_no_torch(tmp_path, arguments) -> None:
    assert _without("", arguments, tmp_path) == (0, ["False"])


def test_help_needs_no_extra(tmp_path) -> None:
    for module, arguments in (("gradio", ["space", "-h"]), ("peft", ["export-adapter", "-h"])):
        assert _without(module, arguments, tmp_path)[0] == 0


def test_every_command_is_in_the_list_and_says_what_it_does(capsys) -> None:
    names = [command.name for command in COMMANDS]
    assert len(set(names)) == len(names)
    for name in names:
        *group, last = name.split()
        assert main([*group, "--help"]) == 0
        line = next(line for line in capsys.readouterr().out.splitlines() if line.split()[:1] == [last])
        assert len(line.split()) > 2, name


def test_a_corpus_is_built_where_the_person_is(tmp_path, monkeypatch, capsys) -> None:
    """Never in the package that is installed."""
    monkeypatch.chdir(tmp_path)
    folders = []

    def build_corpus(tasks, counts, seed, output, *_, **__):
        folders.append(output)
        return {}

    monkeypatch.setattr("lhs_hf.corpus.build.build_corpus", build_corpus)
    assert main(["corpus", "build", "--task", "knapsack_construct"]) == 0
    assert "written: corpus" in capsys.readouterr().out
    assert main(["corpus", "build", "--json", "--output", "there"]) == 0
    assert json.loads(capsys.readouterr().out) == {}
    assert [str(folder) for folder in folders] == ["corpus", "there"]
    (tmp_path / "corpus").write_text("")
    assert main(["corpus", "build"]) == 2


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_every_command_ends_with_an_example_that_it_understands(command, capsys) -> None:
    assert main([*command.name.split(), "--help"]) == 0
    *_, title, example = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert title.strip() == "Example:"
    words = shlex.split(example)
    assert words[0] == "lhs-hf"
    assert wrong_options(words[1:]) == []


def test_a_skill_is_written_once_and_replaced_on_request_only(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["skills", "install"]) == 0
    skill = tmp_path / ".agents" / "skills" / "lhs-hf" / "SKILL.md"
    front, text = skill.read_text(encoding="utf-8").split("---\n")[1:3]
    about = yaml.safe_load(front)
    assert about["name"] == skill.parent.name
    assert 0 < len(about["description"]) <= 1024
    assert commands_in(text)
    for words in commands_in(text):
        assert wrong_options(words) == [], words
    assert main(["skills", "install"]) == 0
    skill.write_text("mine")
    assert main(["skills", "install"]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert skill.read_text() == "mine"
    assert main(["skills", "install", "--overwrite"]) == 0
    assert skill.read_text(encoding="utf-8").startswith("---\nname: lhs-hf")
