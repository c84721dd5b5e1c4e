"""`python -m lhs_hf` is `lhs-hf`."""

from .cli import run

run()
