"""What the Hub refuses in the metadata of a card, as far as its documentation says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

# The block as huggingface_hub and the Hub find it.
_BLOCK = re.compile(r"^(\s*---(?:\r\n|\r|\n))([\S\s]*?)((?:\r\n|\r|\n)---[ \t]*(\r\n|\n|$))")
_LICENSES = {"apache-2.0", "mit", "bsd-3-clause", "cc-by-4.0", "other", "unknown"}
_COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
_SDKS = {"gradio", "docker", "static"}
_SIZES = re.compile(r"n<1K|1K<n<10K|10K<n<100K|100K<n<1M|1M<n<10M|n>1T")
_PIPELINES = {"text-generation", "feature-extraction", "sentence-similarity", "tabular-regression"}
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def card_errors(content: str, kind: str) -> list[str]:
    """What is wrong with a card's metadata; `kind` is "model", "dataset" or "space". A card without any is allowed."""
    block = _BLOCK.search(content)
    if block is None:
        return ["a Space needs a metadata block"] if kind == "space" else []
    try:
        data = yaml.safe_load(block[2])
    except yaml.YAMLError as error:
        return [f"metadata is no YAML: {error}"]
    if not isinstance(data, dict):
        return [f"metadata is a {type(data).__name__}, expected a mapping"]
    return [*_common(data), *{"model": _model, "dataset": _dataset, "space": _space}[kind](data)]


def _common(data: Mapping[str, Any]) -> list[str]:
    errors = []
    if "license" in data and data["license"] not in _LICENSES:
        errors.append(f"license {data['license']!r} is none of: {', '.join(sorted(_LICENSES))}")
    for key in ("tags", "models", "datasets"):
        values = data.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
            errors.append(f"{key} is not a list of texts")
        elif key != "tags" and not all(_NAME.fullmatch(value) for value in values):
            errors.append(f"{key} is not a list of owner/name")
    return errors


def _model(data: Mapping[str, Any]) -> list[str]:
    errors = []
    if "pipeline_tag" in data and data["pipeline_tag"] not in _PIPELINES:
        errors.append(f"unknown pipeline_tag {data['pipeline_tag']!r}")
    for model in data.get("model-index", []):
        if not isinstance(model.get("name"), str) or not isinstance(model.get("results"), list):
            errors.append("an entry of model-index needs a name and results")
            continue
        for result in model["results"]:
            wanted = {"task": ("type",), "dataset": ("type", "name")}
            errors += [
                f"model-index: {part}.{key} is missing"
                for part, keys in wanted.items()
                for key in keys
                if not isinstance(result.get(part, {}).get(key), str)
            ]
            if not result.get("metrics"):
                errors.append("model-index: a result without metrics")
            for metric in result.get("metrics", []):
                if not isinstance(metric.get("type"), str) or not isinstance(metric.get("value"), (int, float, str)):
                    errors.append(f"model-index: a metric needs type and value, got {metric}")
    return errors


def _dataset(data: Mapping[str, Any]) -> list[str]:
    errors = [f"unknown size category {size!r}" for size in data.get("size_categories", []) if not _SIZES.match(size)]
    for config in data.get("configs", []):
        files = config.get("data_files", [])
        if not isinstance(config.get("config_name"), str) or not files or any("split" not in each for each in files):
            errors.append(f"a configuration needs config_name and data_files with splits, got {config}")
    return errors


def _space(data: Mapping[str, Any]) -> list[str]:
    errors = []
    if data.get("sdk") not in _SDKS:
        errors.append(f"sdk {data.get('sdk')!r} is none of: {', '.join(sorted(_SDKS))}")
    for key in ("colorFrom", "colorTo"):
        if key in data and data[key] not in _COLOURS:
            errors.append(f"{key} {data[key]!r} is none of: {', '.join(sorted(_COLOURS))}")
    if len(data.get("short_description", "")) > 60:
        errors.append("short_description is longer than 60 characters")
    for key in ("sdk_version", "python_version"):
        if key in data and not isinstance(data[key], str):
            errors.append(f"{key} is no text: {data[key]!r}")
    return errors
