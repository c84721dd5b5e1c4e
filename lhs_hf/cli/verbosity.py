"""How much the commands say on stderr: `-q`, nothing, `-v` or `-vv`, over the logger "lhs_hf"."""

from __future__ import annotations

import logging
import sys

_PACKAGE = logging.getLogger("lhs_hf")
_LEVELS = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO, 2: logging.DEBUG}


def set_verbosity(verbosity: int) -> None:
    """-1 silences progress, 0 is the default, 1 says what is opened and chosen, 2 also what the libraries say."""
    _PACKAGE.setLevel(_LEVELS[max(-1, min(2, verbosity))])
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.DEBUG if verbosity > 1 else logging.WARNING, force=True)


def shows_progress() -> bool:
    """Whether tables and bars are drawn."""
    return _PACKAGE.isEnabledFor(logging.WARNING)


def quiet_libraries() -> None:
    """Loading bars and hints of the libraries do not belong into a command's output."""
    if _PACKAGE.isEnabledFor(logging.DEBUG):
        return
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
