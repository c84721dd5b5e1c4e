"""Latent Heuristic Search for the Hugging Face ecosystem."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .integrations.registration import register

if TYPE_CHECKING:
    from .decoding.tokenization_lhs import ProgramTokenizer
    from .evaluation import Evaluator
    from .integrations.pipeline import LatentHeuristicPipeline
    from .models.configuration_lhs import LHSConfig, LHSFlowConfig, LHSMapperConfig, LHSSurrogateConfig
    from .models.modeling_flow import LHSFlow
    from .models.modeling_lhs import LHSModel
    from .models.modeling_mapper import LHSMapper
    from .models.modeling_surrogate import LHSSurrogate
    from .search.functions import search_for as search
    from .tasks import Infeasible, get_task, task_names
    from .tasks.simple import SimpleTask, make_splits

__version__ = "0.1.0"

_EXPORTS = {
    "Evaluator": "evaluation",
    "Infeasible": "tasks",
    "LHSConfig": "models.configuration_lhs",
    "LHSFlow": "models.modeling_flow",
    "LHSFlowConfig": "models.configuration_lhs",
    "LHSMapper": "models.modeling_mapper",
    "LHSMapperConfig": "models.configuration_lhs",
    "LHSModel": "models.modeling_lhs",
    "LHSSurrogate": "models.modeling_surrogate",
    "LHSSurrogateConfig": "models.configuration_lhs",
    "LatentHeuristicPipeline": "integrations.pipeline",
    "ProgramTokenizer": "decoding.tokenization_lhs",
    "SimpleTask": "tasks.simple",
    "get_task": "tasks",
    "make_splits": "tasks.simple",
    "task_names": "tasks",
}

__all__ = [
    "Evaluator",
    "Infeasible",
    "LHSConfig",
    "LHSFlow",
    "LHSFlowConfig",
    "LHSMapper",
    "LHSMapperConfig",
    "LHSModel",
    "LHSSurrogate",
    "LHSSurrogateConfig",
    "LatentHeuristicPipeline",
    "ProgramTokenizer",
    "SimpleTask",
    "get_task",
    "make_splits",
    "search",
    "task_names",
]


def __getattr__(name: str) -> Any:
    # Public names are imported on first use: importing torch takes seconds, scoring a program must not.
    if name == "search":
        return import_module(".search", __name__)
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has: {', '.join(__all__)}")
    value = getattr(import_module(f".{_EXPORTS[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


register()
