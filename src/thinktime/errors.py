"""Exceptions and warnings. Messages say what was given, what is allowed and what to do."""

from __future__ import annotations


class InputError(ValueError):
    """Invalid input. The command line prints the message and exits with code 2."""


class StrictError(InputError):
    """Raised by `strict=True` if jobs did not complete. `result` is the run, None if it was streamed."""

    def __init__(self, message: str, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class OutcomeWarning(UserWarning):
    """Jobs of a simulation never ended or were never submitted, although no option asked for it."""
