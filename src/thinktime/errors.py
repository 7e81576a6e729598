"""What goes wrong, said in one sentence: the value, the rule, the next step."""

from __future__ import annotations

from typing import Any


class InputError(ValueError):
    """The user's input breaks a rule. The command line prints it and exits with code 2."""


class StrictError(InputError):
    """Raised by `strict=True` if jobs did not complete. `result` is the run, None if it was streamed."""

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class OutcomeWarning(UserWarning):
    """Jobs of a simulation never ended, or were never submitted, although nothing asked for it."""
