"""What lies around the package: the workflows name what exists, one address is used throughout, a wheel is whole."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import check_wheel
import pytest
import tomllib
import yaml

import lhs_hf

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GITHUB = ROOT / ".github"


def _runs(workflow: str) -> list[str]:
    jobs = yaml.safe_load((GITHUB / "workflows" / workflow).read_text(encoding="utf-8"))["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


def test_the_workflow_of_checks_is_the_script_that_everyone_runs() -> None:
    assert _runs("ci.yml") == ["bash .ci/run"]
    assert (ROOT / ".ci" / "run").is_file()


def test_a_release_is_checked_run_and_published_without_a_token() -> None:
    text = "\n".join(_runs("release.yml"))
    assert "scripts/check_wheel.py" in text
    assert "lhs-hf search" in text
    for script in re.findall(r"scripts/\w+\.py", text):
        assert (ROOT / script).is_file()
    release = yaml.safe_load((GITHUB / "workflows" / "release.yml").read_text(encoding="utf-8"))
    assert release["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in (GITHUB / "workflows" / "release.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.name)
def test_templates_of_issues_are_forms(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.name == "config.yml":
        assert all({"name", "url", "about"} <= link.keys() for link in form["contact_links"])
    else:
        assert form["name"]
        assert form["description"]
        assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_one_address_of_the_repository_is_used_throughout() -> None:
    address = PROJECT["urls"]["Repository"]
    pages = [
        ROOT / "mkdocs.yml",
        ROOT / "notebooks" / "first_heuristic.ipynb",
        GITHUB / "ISSUE_TEMPLATE" / "config.yml",
    ]
    for page in pages:
        text = page.read_text(encoding="utf-8").replace("colab.research.google.com/github/", "github.com/")
        found = re.findall(r"(?:https?://)?(github\.com/[\w.-]+/[\w.-]+)", text)
        assert found, page
        assert {f"https://{each}" for each in found} == {address}, page


def test_the_changelog_and_the_citation_know_the_version() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased" or lhs_hf.__version__ in headings[0]
    assert lhs_hf.__version__ in headings
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == lhs_hf.__version__


def _zipped(package: Path, wheel: Path, without: Callable[[str], bool] = lambda name: False, **changed: bytes) -> Path:
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("lhs_hf-1.0.dist-info/licenses/LICENSE", "")
        for path in package.rglob("*"):
            name = path.relative_to(package).as_posix()
            if path.is_file() and not without(name):
                archive.writestr(f"lhs_hf/{name}", changed.get(path.stem, path.read_bytes()))
    return wheel


def test_a_wheel_with_a_hole_is_seen(tmp_path, monkeypatch) -> None:
    package = tmp_path / "lhs_hf"
    monkeypatch.setattr(check_wheel, "NEEDED", {"weights": r"model\.safetensors"})
    monkeypatch.setattr(check_wheel, "LEAST", {})
    (package / "corpus" / "data" / "figures").mkdir(parents=True)
    for name in ("a.py", "model.safetensors", "corpus/data/README.md", "corpus/data/figures/map.png"):
        (package / name).write_text(name)
    wheel = tmp_path / "lhs_hf-1.0-py3-none-any.whl"
    picture = "corpus/data/figures/map.png".__eq__

    def found(version: str | None = None) -> list[str]:
        return list(check_wheel.problems(wheel, package, version))

    _zipped(package, wheel, picture)
    assert found("1.0") == []
    assert found("1.1") == ["the wheel is of version 1.0, expected 1.1"]
    _zipped(package, wheel, lambda name: picture(name) or name.endswith(".md"), a=b"other")
    assert found() == ["missing: corpus/data/README.md", "differs from the checkout: a.py"]
    _zipped(package, wheel)
    assert found() == ["not in the checkout: corpus/data/figures/map.png"]
    (package / "model.safetensors").unlink()
    _zipped(package, wheel, picture)
    assert found() == ["weights: 0 files, expected at least 1"]


@pytest.mark.slow
def test_the_wheel_of_this_checkout_is_whole(tmp_path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed (pip install 'lhs-hf[test]')")
    source = tmp_path / "source"
    left = shutil.ignore_patterns(".git", "runs", "site", "tests", "results")
    shutil.copytree(ROOT, source, ignore=left)
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(built, cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert list(check_wheel.problems(wheel, ROOT / "lhs_hf", lhs_hf.__version__)) == []
