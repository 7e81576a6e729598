"""Crude changes of the load: one attribute of every job is multiplied by a factor.

Papers compare with these manipulations, so they are here by name; Zakay and Feitelson 2013, section 6.3, list what each
of them breaks. `tt.resample(log, load=…)` changes the number of users instead and keeps the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.support.json_types import JsonDict

By: TypeAlias = Literal["arrivals", "run_times", "sizes"]
BY: tuple[By, ...] = get_args(By)
LEAST, MOST = 0.01, 100.0  # factors

#: attribute → what is done to it
WORDS: dict[str, str] = {
    "arrivals": "times between submissions divided by {}",
    "run_times": "run times and estimates multiplied by {}",
    "sizes": "sizes multiplied by {} and rounded",
}
#: attribute → what this breaks
BREAKS: dict[str, str] = {
    "arrivals": "days and weeks have another length, and pauses and think times do not fit the run times",
    "run_times": "response times grow with the load by construction, and long jobs reach into the next day",
    "sizes": "sizes are no longer powers of two, which changes how jobs pack, and small jobs cannot be scaled",
}
RUN_TIMES = ("run_s", "requested_time_s", "cpu_s")
SIZES = ("processors", "requested_processors", "allocated_processors")


@dataclass(frozen=True, kw_only=True)
class LoadScaling:
    """A factor for the load, and the attribute of jobs that is changed."""

    factor: float
    by: By = "arrivals"

    def __post_init__(self) -> None:
        one_of("by", self.by, BY)
        number = isinstance(self.factor, int | float) and not isinstance(self.factor, bool)
        if not (number and LEAST <= self.factor <= MOST):
            raise InputError(f"factor must be a number between {LEAST:g} and {MOST:g} (got {self.factor!r})")

    @classmethod
    def of(cls, given: LoadScaling | Mapping[str, Any] | str) -> LoadScaling:
        """Return the scaling of a table with `factor` and `by`, or of a text such as `1.2:arrivals`."""
        if isinstance(given, LoadScaling):
            return given
        if isinstance(given, Mapping) and set(given) <= {"factor", "by"} and "factor" in given:
            return cls(**dict(given))
        if isinstance(given, str):
            return _of_text(given)
        raise InputError(f"scale_load must be a table with factor and by, or a text like 1.2:arrivals (got {given!r})")

    def text(self) -> str:
        return f"{self.factor:g}:{self.by}"

    @property
    def words(self) -> str:
        """`times between submissions divided by 1.2`."""
        return WORDS[self.by].format(f"{self.factor:g}")

    def to_dict(self) -> JsonDict:
        return asdict(self)


def _of_text(text: str) -> LoadScaling:
    number, colon, by = text.partition(":")
    try:
        factor = float(number)
    except ValueError:
        factor = math.nan
    if not math.isfinite(factor):
        raise InputError(f"{text!r} does not begin with a number: write FACTOR:BY, for example 1.2:arrivals")
    return LoadScaling(factor=factor, by=by if colon else "arrivals")  # type: ignore[arg-type]


Columns = Mapping[str, np.ndarray]


def scaled_columns(
    columns: Columns, scaling: LoadScaling, first_s: float, most: int
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Return the columns that change, and counts of jobs for the account.

    `first_s` is the first submission of the log, `most` the size of the machine.
    """
    if scaling.by == "arrivals":
        return {"submit_s": first_s + (columns["submit_s"] - first_s) / scaling.factor}, {}
    if scaling.by == "run_times":
        return {name: columns[name] * scaling.factor for name in RUN_TIMES}, {}
    before = columns["processors"]
    changed = {name: _scaled_sizes(columns[name], scaling.factor, most) for name in SIZES}
    clamped = (before <= most) & (np.floor(before * scaling.factor + 0.5) > most)
    same = (changed["processors"] == before) & ~clamped
    return changed, {"clamped": int(np.count_nonzero(clamped)), "unchanged": int(np.count_nonzero(same))}


def _scaled_sizes(sizes: np.ndarray, factor: float, most: int) -> np.ndarray:
    """Whole sizes from 1 to the machine; a job that was larger than the machine stays so, and 0 stays 0."""
    scaled = np.clip(np.floor(sizes * factor + 0.5), 1.0, np.maximum(sizes, most))
    return np.where(sizes > 0, np.where(sizes > most, sizes, scaled), sizes)


def scaling_lines(steps: object) -> list[str]:
    """Return what each step does to the load, and what that breaks.

    Steps are `load_scaling` of an account or `scale_load` of a source; what a damaged file has in their place is left
    out.
    """
    listed = steps if isinstance(steps, list | tuple) else []
    return [f"{_step_in_words(step)}; {BREAKS[step['by']]}" for step in listed if _is_step(step)]


def _is_step(step: object) -> bool:
    known = isinstance(step, Mapping) and step.get("by") in BY and _is_number(step.get("factor"))
    return known and LEAST <= step["factor"] <= MOST  # type: ignore[index]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _step_in_words(step: Mapping[str, Any]) -> str:
    words = LoadScaling.of({key: step[key] for key in ("factor", "by")}).words
    reached = f", the load is {step['reached']:.4g} times as high" if _is_number(step.get("reached")) else ""
    counts = {"clamped": "clamped to the machine", "unchanged": "unchanged by rounding"}
    jobs = [f"{step[key]:,} jobs {said}" for key, said in counts.items() if _is_number(step.get(key)) and step[key]]
    return words + "".join([reached, *(f", {each}" for each in jobs)])
