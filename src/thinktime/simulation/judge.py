"""What is done about jobs that did not complete: a warning, or an error if the caller is strict."""

from __future__ import annotations

import warnings
from typing import Any

from thinktime.errors import OutcomeWarning, StrictError
from thinktime.metrics import Cautions


def judge(found: Cautions, strict: bool, result: Any = None, level: int = 3) -> None:
    """Warn of what no rule asked for; raise for any job that did not complete, if `strict`."""
    require_complete(found, strict, result)
    for each in found.warned():
        warnings.warn(each.sentence, OutcomeWarning, stacklevel=level)


def require_complete(found: Cautions, strict: bool, result: Any = None) -> None:
    """Raise StrictError if `strict` and a job did not complete, other than by a requested stop."""
    if strict and (bad := found.strict()):
        raise StrictError(
            f"{' '.join(bad.sentences())} A strict run accepts completed jobs only: leave out strict (--strict) to keep"
            " this one.",
            result,
        )
