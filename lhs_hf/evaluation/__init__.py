"""Program + task + split -> status, objective, score. Imports neither torch nor transformers."""

from .behaviour import Behaviour
from .evaluator import Evaluator
from .result import STATUSES, Evaluation
from .sandbox.limits import Limits

__all__ = ["STATUSES", "Behaviour", "Evaluation", "Evaluator", "Limits"]
