"""What a resampled log depends on, besides the logs and the seed. Mistakes are told in one sentence."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.resampling.appearances import LOG, STARTS
from thinktime.resampling.perturb import AMPLITUDES_S
from thinktime.resampling.pools import LONG_TERM_WEEKS, MOST_WEEKS, checked_edge
from thinktime.resampling.rare_behaviours import RareBehaviour
from thinktime.resampling.user_classes import parsed
from thinktime.spec import is_number, one_of

LOADS = (0.0, 1000.0)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of `resample`, checked."""

    weeks: int | None = None  # of the result; None: as long as the log, the longest of several
    load: float | Sequence[float] = 1.0  # times as many users; one number, or one for each log
    long_term_weeks: float = LONG_TERM_WEEKS
    edge_weeks: float | str = "text"
    start: str = LOG  # long-term users begin at a random week of the log, or of their activity
    initial_long_term: float | None = None  # users in week 0; None: all, and so the next: what the log has
    initial_temporary: float | None = None
    temporaries_per_week: float | None = None
    rare: Sequence[RareBehaviour | str] = ()
    rare_per_week: float = 0.0
    bias: Mapping[int, float] | str | None = None
    locality: float = 0.0  # from −1, jobs of a user in random order, to 1, similar ones together
    shake: str | None = None  # jobs, sessions or users
    amplitude_s: float | None = None  # of shaking, either way
    piece: tuple[int, int] | None = None  # weeks [first, end) of the log that are used; None: all
    keep_ids: bool = False  # users keep the source's numbers

    def __post_init__(self) -> None:
        if self.weeks is not None:
            checked_weeks(self.weeks)
        for name in ("initial_long_term", "initial_temporary", "temporaries_per_week", "rare_per_week", "amplitude_s"):
            _require_not_negative(name, getattr(self, name))
        if not is_number(self.locality) or not -1 <= self.locality <= 1:
            raise InputError(f"locality is {self.locality!r}: choose a number from -1 (none) to 1, 0 leaves it alone")
        one_of("start", self.start, STARTS)
        if isinstance(self.bias, str):
            parsed(self.bias)
        if self.shake is not None:
            one_of("shake", self.shake, AMPLITUDES_S)
        elif self.amplitude_s is not None:
            raise InputError(f"amplitude_s is {self.amplitude_s} but nothing is shaken: name jobs, sessions or users")
        object.__setattr__(self, "edge_weeks", checked_edge(self.edge_weeks))
        object.__setattr__(self, "rare", tuple(self.rare))
        if self.piece is not None:
            object.__setattr__(self, "piece", checked_piece(self.piece))

    @classmethod
    def names(cls) -> list[str]:
        return [each.name for each in fields(cls)]

    @property
    def shaking_s(self) -> float:
        """The amplitude, 0 without shaking."""
        if self.shake is None:
            return 0.0
        return float(AMPLITUDES_S[self.shake] if self.amplitude_s is None else self.amplitude_s)

    def loads(self, logs: int) -> list[float]:
        """One for each log."""
        given: Any = [self.load] * logs if is_number(self.load) else self.load
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != logs:
            raise InputError(f"load is {self.load!r} for {logs} logs: give one number, or one for each log")
        for load in given:
            if not is_number(load) or not LOADS[0] < load <= LOADS[1]:
                raise InputError(
                    f"load is {load!r}: choose a number above {LOADS[0]:g} up to {LOADS[1]:g}, 1 keeps all users"
                )
        return [float(load) for load in given]

    def to_dict(self) -> dict[str, Any]:
        """What is not the default, JSON-able: for provenance and hashes."""
        usual = Options()
        given = {name: getattr(self, name) for name in self.names() if getattr(self, name) != getattr(usual, name)}
        return {name: _plain(value) for name, value in given.items()}


def checked_weeks(weeks: int, what: str = "weeks") -> int:
    try:
        number = operator.index(weeks)
    except TypeError:
        number = 0
    if not 1 <= number <= MOST_WEEKS or isinstance(weeks, bool):
        raise InputError(f"{what} is {weeks!r}: choose a whole number from 1 to {MOST_WEEKS:,}")
    return number


def checked_piece(piece: Any) -> tuple[int, int]:
    try:
        first, end = (operator.index(week) for week in piece)
    except (TypeError, ValueError):
        first, end = 0, 0
    if not 0 <= first < end:
        raise InputError(f"piece is {piece!r}: give its first week and the week after its last, as in (0, 26)")
    return first, end


def _require_not_negative(name: str, value: float | None) -> None:
    if value is not None and (not is_number(value) or not 0 <= value < np.inf):
        raise InputError(f"{name} is {value!r}: give a number, zero or more")


def _plain(value: Any) -> Any:
    if isinstance(value, RareBehaviour):
        return value.text()
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in sorted(value.items())}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
