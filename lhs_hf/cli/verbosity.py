"""How much the commands say on stderr: `-q`, nothing, `-v` or `-vv`, over the logger "lhs_hf"."""

from __future__ import annotations

import logging
import sys

_PACKAGE = logging.getLogger("lhs_hf")
_LEVELS = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO, 2: logging.DEBUG}


def set_verbosity(verbosity: int) -> None:
    """-1 silences progress, 0 is the default, 1 says what is opened and chosen, 2 also what the libraries say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.set_name(_PACKAGE.name)
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    root = logging.getLogger()
    for logger in (root, _PACKAGE):
        for other in [each for each in logger.handlers if each.name == handler.name]:
            logger.removeHandler(other)
    (root if verbosity > 1 else _PACKAGE).addHandler(handler)
    _PACKAGE.setLevel(_LEVELS[max(-1, min(2, verbosity))])


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
