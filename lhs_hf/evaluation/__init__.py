"""Program + task + split -> status, objective, score. Imports neither torch nor transformers."""

from .behaviour import Behaviour
from .evaluator import Evaluator
from .pool import NodesLost
from .result import STATUSES, Evaluation, Solution, Unsolved
from .sandbox.isolation import LEVELS
from .sandbox.limits import Limits
from .sandbox.spawner import IsolationError, SandboxError
from .stepping import Stepper, StepResult, StepSession

__all__ = [
    "LEVELS",
    "STATUSES",
    "Behaviour",
    "Evaluation",
    "Evaluator",
    "IsolationError",
    "Limits",
    "NodesLost",
    "SandboxError",
    "Solution",
    "StepResult",
    "StepSession",
    "Stepper",
    "Unsolved",
]
