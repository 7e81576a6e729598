"""Options of resampling, checked on construction."""

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
from thinktime.spec import is_number, one_of, suggestion

LOADS = (0.0, 1000.0)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `resample`; see there."""

    weeks: int | None = None  # None: the length of the longest log
    load: float | Sequence[float] = 1.0  # factor on the number of users; one number, or one per log
    long_term_weeks: float = LONG_TERM_WEEKS
    edge_weeks: float | str = "text"
    start: str = LOG  # start week of long-term users: of the log, or of their activity
    initial_long_term: float | None = None  # users in week 0; None: as in the log
    initial_temporary: float | None = None
    temporaries_per_week: float | None = None
    rare: Sequence[RareBehaviour | str] = ()
    rare_per_week: float = 0.0
    bias: Mapping[int, float] | str | None = None
    locality: float = 0.0  # −1: jobs of a user in random order; 1: sorted by similarity
    shake: str | None = None  # jobs, sessions or users
    amplitude_s: float | None = None  # None: AMPLITUDES_S[shake]
    piece: tuple[int, int] | None = None  # use only the weeks [first, end) of the log
    keep_ids: bool = False  # keep the user numbers of the log

    def __post_init__(self) -> None:
        if self.weeks is not None:
            checked_weeks(self.weeks)
        for name in ("initial_long_term", "initial_temporary", "temporaries_per_week", "rare_per_week", "amplitude_s"):
            _require_not_negative(name, getattr(self, name))
        if not is_number(self.locality) or not -1 <= self.locality <= 1:
            raise InputError(f"locality must be between -1 and 1; 0 keeps the order of jobs (got {self.locality!r})")
        one_of("start", self.start, STARTS)
        if isinstance(self.bias, str):
            parsed(self.bias)
        if self.shake is not None:
            one_of("shake", self.shake, AMPLITUDES_S)
        elif self.amplitude_s is not None:
            raise InputError(
                f"amplitude_s needs shake: choose jobs, sessions or users (got amplitude_s {self.amplitude_s})"
            )
        object.__setattr__(self, "edge_weeks", checked_edge(self.edge_weeks))
        object.__setattr__(self, "rare", tuple(self.rare))
        if self.piece is not None:
            object.__setattr__(self, "piece", checked_piece(self.piece))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Return the options of a mapping; raise InputError for an unknown name, with the closest one."""
        for name in given:
            if name not in cls.names():
                near = suggestion(name, cls.names())
                raise InputError(f"resample has no option {name!r}{near}: it takes {', '.join(cls.names())}")
        return cls(**given)

    @classmethod
    def names(cls) -> list[str]:
        return [each.name for each in fields(cls)]

    @property
    def shaking_s(self) -> float:
        """Return the amplitude; 0 without shaking."""
        if self.shake is None:
            return 0.0
        return float(AMPLITUDES_S[self.shake] if self.amplitude_s is None else self.amplitude_s)

    def loads(self, logs: int) -> list[float]:
        """Return one load per log; raise InputError if the counts differ."""
        given: Any = [self.load] * logs if is_number(self.load) else self.load
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != logs:
            raise InputError(f"load must be one number or one per log, here {logs} (got {self.load!r})")
        for load in given:
            if not is_number(load) or not LOADS[0] < load <= LOADS[1]:
                raise InputError(
                    f"load must be above {LOADS[0]:g} and at most {LOADS[1]:g}; 1 keeps the users (got {load!r})"
                )
        return [float(load) for load in given]

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults as JSON values, for provenance and hashes."""
        usual = Options()
        given = {name: getattr(self, name) for name in self.names() if getattr(self, name) != getattr(usual, name)}
        return {name: _json_value(value) for name, value in given.items()}


def checked_weeks(weeks: int, what: str = "weeks") -> int:
    try:
        number = operator.index(weeks)
    except TypeError:
        number = 0
    if not 1 <= number <= MOST_WEEKS or isinstance(weeks, bool):
        raise InputError(f"{what} must be a whole number between 1 and {MOST_WEEKS:,} (got {weeks!r})")
    return number


def checked_piece(piece: Any) -> tuple[int, int]:
    try:
        first, end = (operator.index(week) for week in piece)
    except (TypeError, ValueError):
        first, end = 0, 0
    if not 0 <= first < end:
        raise InputError(f"piece must be (first week, week after the last), for example (0, 26) (got {piece!r})")
    return first, end


def _require_not_negative(name: str, value: float | None) -> None:
    if value is not None and (not is_number(value) or not 0 <= value < np.inf):
        raise InputError(f"{name} must be a number of at least 0 (got {value!r})")


def _json_value(value: object) -> Any:
    if isinstance(value, RareBehaviour):
        return value.text()
    if isinstance(value, Mapping):
        return {str(key): _json_value(each) for key, each in sorted(value.items())}
    return [_json_value(each) for each in value] if isinstance(value, list | tuple) else value
