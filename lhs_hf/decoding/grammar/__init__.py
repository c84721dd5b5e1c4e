"""Programs as sequences of actions: one grammar that encodes, decodes, masks and keeps track of scope."""

from .spelling import UnsupportedProgram
from .state import ProgramState, decode, encode
from .vocabulary import Signature, Vocabulary

__all__ = ["ProgramState", "Signature", "UnsupportedProgram", "Vocabulary", "decode", "encode"]
