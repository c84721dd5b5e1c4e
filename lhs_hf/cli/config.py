"""Settings of a command in a file: YAML or JSON, one flat object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import CallError, unknown
from ..fields import Setting
from ..opening.files import parse_json, read_bytes
from ..opening.text import one_line

if TYPE_CHECKING:
    import yaml

_MOST_BYTES = 2**20
_JSON = (".json",)
_YAML = (".yaml", ".yml")


def read_config(path: Path, settings: Mapping[str, Setting]) -> dict[str, Any]:
    """The settings in a file by name, each of the kind that its setting has.

    Raises `CallError` for what is no such file, and for a key that names no setting, with those that exist.
    """
    _check_suffix(path)
    data = read_bytes(path, _MOST_BYTES)
    stored = parse_json(data, str(path)) if path.suffix in _JSON else _parse_yaml(data, path)
    values = {}
    for key, value in stored.items():
        if key not in settings:
            raise CallError(f"{path}: {unknown('key', one_line(key, 60), settings)}")
        try:
            values[key] = _of_kind(value, settings[key])
            settings[key].check_type(values[key])
        except CallError as error:
            raise CallError(f"{path}: {error}") from None
    return values


def write_config(path: Path, values: Mapping[str, Any]) -> None:
    """Write a file that `read_config` reads. Raises `CallError` for one that exists: it may be somebody's work."""
    _check_suffix(path)
    if path.exists():
        raise CallError(f"{path} exists already; choose another file for --save-config")
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}
    if path.suffix in _JSON:
        text = json.dumps(plain, indent=2) + "\n"
    else:
        import yaml

        text = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _check_suffix(path: Path) -> None:
    if path.suffix not in (*_YAML, *_JSON):
        raise CallError(f"{path} is no file of settings: expected a name that ends in {', '.join((*_YAML, *_JSON))}")


def _parse_yaml(data: bytes, path: Path) -> dict[Any, Any]:
    """One object of plain values. Raises `CallError` for a key that stands twice, and for lists and objects in it."""
    import yaml

    try:
        # Looked at before any object is made of it: a few lines of nested aliases are gigabytes.
        node = yaml.compose(data, yaml.SafeLoader)
        if node is None:
            return {}
        problem = _problem(node)
        if problem:
            raise CallError(f"{path}{problem}")
        return yaml.safe_load(data)
    except CallError:
        raise
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CallError(f"{path} is no valid YAML: {one_line(error)}") from None


def _problem(node: yaml.Node) -> str:
    """Why a YAML document is no flat object, as it follows the name of the file; empty if it is one."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return " holds no settings, expected one `name: value` a line"
    seen = set()
    for key, value in node.value:
        line = f", line {key.start_mark.line + 1}: "
        if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode):
            return f"{line}expected a name and one plain value"
        if key.value in seen:
            return f"{line}{one_line(key.value, 60)} stands twice"
        seen.add(key.value)
    return ""


def _of_kind(value: Any, setting: Setting) -> Any:
    """A value as its setting has it: paths, and what YAML takes for a text (1e-3) or for a number (digits)."""
    if setting.kind is Path and isinstance(value, str):
        return Path(value)
    if setting.kind is str and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if setting.kind is float and isinstance(value, str):
        if setting.optional and value.lower() == "none":
            return None
        with suppress(ValueError):
            return float(value)
    return value
