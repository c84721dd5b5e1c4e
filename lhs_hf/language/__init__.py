"""Language models behind one interface: a request is messages with a role and a seed, a reply is text with its cost.

Five kinds: any causal model of `transformers` on this machine, any server that speaks OpenAI's protocol, the Hub's
inference providers, a transcript that was recorded, a script. `Metered` counts their calls and keeps every request and
reply in a run's database.
"""

from __future__ import annotations

from .calls import Call, Calls, write_transcript
from .hub import HubModel, open_model
from .local import LocalModel
from .metered import Metered
from .model import LanguageModel, Message, ModelError, Reply, Request
from .recorded import Transcript
from .scripted import Script
from .server import ServerModel

__all__ = [
    "Call",
    "Calls",
    "HubModel",
    "LanguageModel",
    "LocalModel",
    "Message",
    "Metered",
    "ModelError",
    "Reply",
    "Request",
    "Script",
    "ServerModel",
    "Transcript",
    "open_model",
    "write_transcript",
]
