"""Whether code that a file names may be imported or started.

Run directories, stores and study files come from anywhere. Reading one never imports an own module and never starts a
process: the two places that could do so call `require` first. Python allows it by default, because the caller made the
objects; the command line allows it only for commands that simulate. SECURITY.md has the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from thinktime.errors import InputError

HOW = "add --trust (in Python trust=True) if you trust where it comes from"

_process = True  # for threads without a value of their own
_here: ContextVar[bool | None] = ContextVar("whether code may be imported or started", default=None)


class TrustError(InputError):
    """Reading a file would import a module or start a process."""


def trusts() -> bool:
    """Return whether code may be imported or started here."""
    here = _here.get()
    return _process if here is None else here


@contextmanager
def reading(trust: bool = False) -> Iterator[None]:
    """Forbid imports and processes inside the block, unless `trust`; threads started inside are not covered."""
    token = _here.set(None if trust else False)
    try:
        yield
    finally:
        _here.reset(token)


@contextmanager
def typed() -> Iterator[None]:
    """Allow inside the block, for a module that the user has typed on the command line."""
    token = _here.set(True)
    try:
        yield
    finally:
        _here.reset(token)


@contextmanager
def process(trust: bool) -> Iterator[None]:
    """Allow or forbid for the whole process, its threads included, until the block ends."""
    global _process
    before, _process = _process, trust
    try:
        yield
    finally:
        _process = before


def require(what: str) -> None:
    """Raise TrustError unless allowed here; `what` is what would be done: `start sh -c …`, `import my_policies`."""
    if not trusts():
        raise refusal(what)


def refusal(what: str) -> TrustError:
    """Return the error that names what would happen."""
    return TrustError(f"this would {what}, which reading never does: {HOW}")
