"""Where things stand in a task file: the lines of its class, methods, attributes and of texts inside them."""

from __future__ import annotations

import ast
from pathlib import Path


class Places:
    """Lines of the task class of a file. `path` is the file's absolute path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text(encoding="utf-8-sig")
        self._lines = text.splitlines()
        tree = ast.parse(text)
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        tasks = [node for node in classes if any("Task" in ast.unparse(base) for base in node.bases)] or classes
        self._class = tasks[-1] if tasks else None
        self._module = _assignments(tree.body)
        self._members: dict[str, ast.stmt] = {}
        for node in self._class.body if self._class else []:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._members[node.name] = node
        self._members |= _assignments(self._class.body) if self._class else {}

    def line(self, name: str, default: str | None = None) -> int:
        """The line where a member is defined; of `default` if it is not; of the class if neither is."""
        for each in (name, default):
            if each in self._members:
                return self._members[each].lineno
        return self._class.lineno if self._class else 1

    def text_line(self, name: str, line: int | None) -> int:
        """The line of the file that holds line `line` of the text a member is set to; without one, its first line."""
        member = self._members.get(name)
        value = getattr(member, "value", None)
        if isinstance(value, ast.Name) and value.id in self._module:
            value = getattr(self._module[value.id], "value", None)
        if not isinstance(value, ast.Constant):
            return self.line(name)
        if line is None:
            return value.lineno
        escaped = self._lines[value.lineno - 1].rstrip().endswith("\\")
        return min(value.lineno + line - 1 + escaped, value.end_lineno or value.lineno)


def _assignments(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found.update({target.id: node for target in targets if isinstance(target, ast.Name)})
    return found
