"""The notebook for newcomers runs from its first cell to its last, and ends with what it promises."""

from __future__ import annotations

import ast
import importlib
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "first_heuristic.ipynb"


def _printed(cell: Any) -> str:
    return "".join(output.get("text", "") for output in cell.outputs if output.output_type == "stream")


def test_it_is_stored_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert not any(cell.outputs or cell.execution_count for cell in code)


def test_its_code_imports_what_exists() -> None:
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    tree = ast.parse("\n".join(cell.source for cell in cells if cell.cell_type == "code"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {"lhs_hf.integrations.adapters", "peft", "transformers"} <= {node.module for node in imports}
    for node in imports:
        module = importlib.import_module(node.module or "")
        for alias in node.names:
            assert hasattr(module, alias.name), f"{node.module} has no {alias.name}"


@pytest.mark.slow
def test_a_newcomer_gets_from_the_task_to_heuristic_picture_and_adapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    _, search, table, metrics, picture, files, peft = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "def select_next_node(" in _printed(search)
    assert "holdout" in _printed(table)
    assert "area under the curve" in _printed(metrics)
    assert any("image/png" in output.get("data", {}) for output in picture.outputs)
    assert "adapter_model.safetensors" in _printed(files)
    assert "def select_next_node(" in _printed(peft)
    assert list(tmp_path.glob("*/first-run/adapters/candidate-*/adapter_config.json"))
