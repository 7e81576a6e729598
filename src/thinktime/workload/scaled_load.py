"""Workloads and streams with a crudely scaled load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike
from typing import overload

import numpy as np

from thinktime.support.json_types import JsonDict
from thinktime.traces.attributes import ColumnType
from thinktime.traces.header import Header
from thinktime.workload.load_scaling import By, Columns, LoadScaling, scaled_columns
from thinktime.workload.reading.job_columns import Jobs
from thinktime.workload.reading.read import as_workload
from thinktime.workload.reading.stream import LogStream
from thinktime.workload.workload import Workload


@overload
def scale_load(log: LogStream, factor: float, *, by: By = ..., machine: int | None = ...) -> LogStream: ...
@overload
def scale_load(
    log: Workload | str | PathLike[str], factor: float, *, by: By = ..., machine: int | None = ...
) -> Workload: ...
def scale_load(
    log: Workload | LogStream | str | PathLike[str],
    factor: float,
    *,
    by: By = "arrivals",
    machine: int | None = None,
) -> Workload | LogStream:
    """Multiply the load of a log by a factor, crudely: by changing one column of every job.

    Results of such a workload carry a caution. `tt.resample(log, load=factor)` changes the number of users instead,
    which keeps daily cycles, sizes, run times and the dependencies between the jobs of a user.

    Parameters
    ----------
    log : Workload, LogStream, str or path
        The jobs, a stream of them, or the name or path of a log.
    factor : float
        Between 0.01 and 100; 1.2 is 20 % more load.
    by : {"arrivals", "run_times", "sizes"}
        `"arrivals"` (default) divides the times between submissions by the factor; the first submission stays.
        `"run_times"` multiplies run times, CPU times and requested times. `"sizes"` multiplies processors and rounds to
        whole numbers, at least 1 and at most the machine.
    machine : int, optional
        Processors of the machine, for `by="sizes"` (default: that of the log).

    Returns
    -------
    Workload or LogStream
        A stream for a stream, otherwise a workload. `account["load_scaling"]` has the factor that was reached and, for
        sizes, how many jobs were clamped to the machine or stayed as they were.

    Raises
    ------
    InputError
        If the factor or `by` is not allowed, or the size of the machine is unknown.

    Examples
    --------
    >>> import thinktime as tt
    >>> log = tt.default_workload(weeks=4)
    >>> busier = tt.scale_load(log, 1.2, by="sizes")
    >>> busier.name
    'default-load1.2-sizes'
    >>> round(busier.account["load_scaling"][0]["reached"], 3)
    1.168
    """
    scaling = LoadScaling(factor=factor, by=by)
    if isinstance(log, LogStream):
        return ScaledStream(log, scaling, machine)
    workload = as_workload(log)
    step = Step(scaling, _machine_size(workload, scaling, machine))
    made = replace(workload, columns={**workload.columns, **step.change(workload.columns)}, spellings=None)
    return replace(
        made,
        name=_scaled_name(workload.name, scaling),
        account={**workload.account, "load_scaling": [*workload.account.get("load_scaling", ()), step.account()]},
        source={**workload.source, "scale_load": [*workload.source.get("scale_load", ()), scaling.to_dict()]},
    )


def _scaled_name(name: str, scaling: LoadScaling) -> str:
    return f"{name}-load{scaling.factor:g}-{scaling.by}"


def _machine_size(log: Workload | LogStream, scaling: LoadScaling, given: int | None) -> int:
    """Return the size to which jobs are clamped; only sizes need it."""
    if given is not None or scaling.by != "sizes":
        return given or 0
    return log.machine_size()[0]


class Step:
    """One scaling of a log, block by block, and its account."""

    def __init__(self, scaling: LoadScaling, most: int) -> None:
        self._scaling, self._most = scaling, most
        self._first_s: float | None = None
        self._counts, self._loads = Counter[str](), (_Load(), _Load())  # before and after

    def change(self, columns: Columns) -> dict[str, np.ndarray]:
        """Return the columns of this block that change."""
        if self._first_s is None and len(columns["submit_s"]):
            self._first_s = float(columns["submit_s"][0])
        changed, counts = scaled_columns(columns, self._scaling, self._first_s or 0.0, self._most)
        self._counts.update(counts)
        for load, part in zip(self._loads, (columns, {**columns, **changed}), strict=True):
            load.add(part)
        return changed

    def account(self) -> JsonDict:
        """Return what was done so far, and the factor by which the offered load grew."""
        before, after = (load.value() for load in self._loads)
        counts = {name: self._counts[name] for name in ("clamped", "unchanged") if self._scaling.by == "sizes"}
        return {**self._scaling.to_dict(), "reached": after / before if before else None, **counts}


class _Load:
    """Processor-seconds per second from the first submission to the last."""

    def __init__(self) -> None:
        self._work, self._first_s, self._last_s = 0.0, 0.0, -np.inf

    def add(self, columns: Columns) -> None:
        submit_s = columns["submit_s"]
        if not len(submit_s):
            return
        self._first_s = float(submit_s[0]) if self._last_s == -np.inf else self._first_s
        self._last_s = float(submit_s[-1])
        self._work += float(np.nansum(columns["processors"] * columns["run_s"]))

    def value(self) -> float:
        span_s = self._last_s - self._first_s
        return self._work / span_s if span_s > 0 else 0.0


class ScaledStream(LogStream):
    """A stream whose blocks are scaled; its account has the factor that was reached so far."""

    def __init__(self, log: LogStream, scaling: LoadScaling, machine: int | None = None) -> None:
        self._log, self.name = log, _scaled_name(log.name, scaling)
        self._step = Step(scaling, _machine_size(log, scaling, machine))

    def __repr__(self) -> str:
        return f"{repr(self._log)[:-1]}, load scaled>"

    def __iter__(self) -> Iterator[Jobs]:
        for block in self._log:
            yield {**block, **self._step.change(block)}

    @property
    def header(self) -> Header:
        return self._log.header

    @property
    def types(self) -> Mapping[str, ColumnType]:
        return self._log.types

    def machine_size(self) -> tuple[int, str]:
        return self._log.machine_size()

    @property
    def source(self) -> JsonDict:
        return self._log.source

    @property
    def account(self) -> JsonDict:
        account = self._log.account
        return {**account, "load_scaling": [*account.get("load_scaling", ()), self._step.account()]}
