"""Records of one block as jobs: when they ran, how large they were, and what else the fields say."""

from __future__ import annotations

import copy
import re
from keyword import iskeyword

import numpy as np
import polars as pl

from thinktime.traces.column_names import RESERVED, RESERVED_BEGINNINGS
from thinktime.traces.sacct import quantities
from thinktime.traces.sacct.dependencies import in_submit_lines, single_predecessor
from thinktime.traces.sacct.durations import duration_s, limit_s
from thinktime.traces.sacct.fields import LINE, field_of
from thinktime.traces.sacct.hostlist import NONE as NO_NODES
from thinktime.traces.sacct.job_table import JobTable
from thinktime.traces.sacct.states import RESIZING, STATUS, UNFINISHED, WITHOUT_RUN, parse_state
from thinktime.traces.sacct.steps import StepUse
from thinktime.traces.sacct.text_columns import TextColumns, numbers_of, whole_numbers

#: Array task without JobIDRaw: the number of the job is array × this + task.
TASKS_PER_ARRAY = 10_000_000
_LARGEST_NUMBER = 2**53


class JobRecords:
    """The records of one block while they are read."""

    def __init__(
        self,
        texts: TextColumns,
        use: StepUse,
        times: dict[str, np.ndarray],
        local: dict[str, np.ndarray],
    ) -> None:
        self.texts, self.use, self.times, self.local = texts, use, times, local
        self.states = _states(texts)
        self.elapsed_s = texts.numbers("ElapsedRaw", duration_s)
        self.elapsed_s = np.where(np.isnan(self.elapsed_s), texts.numbers("Elapsed", duration_s), self.elapsed_s)
        self.suspended_s = texts.numbers("Suspended", duration_s)
        self.hours_and_minutes = self._read_hours_and_minutes()
        ids = texts.get("JobID") if "JobID" in texts else texts.get("JobIDRaw")
        assert ids is not None
        self.ids, self.array_ids = ids, whole_numbers(ids)
        self.task_lists = ids.str.extract(r"_\[([^\]]*)").fill_null("").to_numpy()
        open_end = np.isnan(times["End"]) & ("End" in texts)
        named = self.states.is_in(list(UNFINISHED)).to_numpy()
        unsaid = (self.states == "").to_numpy()
        self.unfinished = open_end & (named | unsaid | np.isnan(self.elapsed_s)) | (named & ("End" not in texts))

    def _read_hours_and_minutes(self) -> bool:
        """Repair elapsed times of published tables without seconds: 08:27 is eight hours there, not minutes."""
        span = self.times["End"] - self.times["Start"]
        wrong = (np.abs(60 * self.elapsed_s - span) <= 60) & (span - self.elapsed_s > 60) & ~(self.suspended_s > 0)
        self.elapsed_s = np.where(wrong, span, self.elapsed_s)
        return bool(wrong.any())

    def filter(self, mask: np.ndarray) -> JobRecords:
        """Return some of the records, with what is known of them."""
        if mask.all():
            return self
        found = copy.copy(self)
        rows = pl.Series(mask)
        found.texts, found.states, found.ids = self.texts.filter(mask), self.states.filter(rows), self.ids.filter(rows)
        found.use = StepUse(self.use.largest_task_kb[mask], self.use.total_kb[mask], 0)
        found.times = {name: values[mask] for name, values in self.times.items()}
        found.local = {name: values[mask] for name, values in self.local.items()}
        for name in ("elapsed_s", "suspended_s", "array_ids", "task_lists", "unfinished"):
            setattr(found, name, getattr(self, name)[mask])
        return found

    def started(self) -> np.ndarray:
        """Return which jobs ran. Start = End and no nodes: cancelled while waiting."""
        has_start = ~np.isnan(self.times["Start"]) if "Start" in self.texts else np.ones(len(self.texts), bool)
        has_start |= self.elapsed_s > 0
        nothing = (self.elapsed_s == 0) | (np.isnan(self.elapsed_s) & (self.times["End"] == self.times["Start"]))
        ends_so = self.states.is_in(list(WITHOUT_RUN)).to_numpy() | (self.states == "").to_numpy()
        evidence = self._without_nodes()
        if evidence is None:
            evidence = self.states.is_in(["CANCELLED", "DEADLINE", "REVOKED"]).to_numpy()
        return has_start & ~(nothing & ends_so & evidence) & ~(nothing & (self.task_lists != ""))

    def _without_nodes(self) -> np.ndarray | None:
        """Return which jobs had no nodes; None if the file has no column that tells."""
        if "NodeList" in self.texts:
            return self.texts.is_one_of("NodeList", NO_NODES)
        if "AllocTRES" in self.texts:
            return self.texts.is_one_of("AllocTRES", frozenset({""}))
        for name in ("AllocCPUS", "AllocNodes"):
            if name in self.texts and np.any(counts := self.texts.numbers(name, quantities.count) == 0):
                return counts
        return None

    def length_s(self) -> np.ndarray:
        """Return End − Start as the elapsed and suspended times say."""
        return self.elapsed_s + np.nan_to_num(self.suspended_s)

    def limits_unknown(self) -> int:
        words = frozenset({"unlimited", "partition_limit"})
        name = "TimelimitRaw" if "TimelimitRaw" in self.texts else "Timelimit"
        return int(np.count_nonzero(self.texts.is_one_of(name, words)))

    def table(self) -> JobTable:
        numbers = {"line": self.texts.line, "job": self._numbers(), **self._when(), **self._sizes()}
        texts: dict[str, pl.Series] = {"job_id": self.ids}
        numbers["status"] = numbers_of(self.states, STATUS.get)
        numbers["resized"] = (self.states == RESIZING).to_numpy().astype(np.float64)
        if "State" in self.texts:
            texts["state"] = _nullable(self.states)
            numbers["cancelled_by"] = self.texts.numbers("State", _cancelled_by)
        self._add_names(numbers, texts)
        self._add_dependencies(numbers, texts)
        self._add_attributes(numbers, texts)
        return JobTable(numbers, texts)

    def _numbers(self) -> np.ndarray:
        """Return JobIDRaw; without it, JobID of plain jobs, and array × 10⁷ + task of tasks."""
        raw = self.texts.get("JobIDRaw")
        if raw is not None:
            return self._exact(whole_numbers(raw))
        part = self.ids.str.extract(r"^\d+[_+](\d{1,10})").cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        number = np.where(np.isnan(part), self.array_ids, self.array_ids * TASKS_PER_ARRAY + part)
        return self._exact(number)

    def _exact(self, number: np.ndarray) -> np.ndarray:
        """Return the numbers; the line where a number is too large."""
        return np.where(number >= _LARGEST_NUMBER, self.texts.line, number)

    def _when(self) -> dict[str, np.ndarray]:
        submit, eligible, end = self.times["Submit"], self.times["Eligible"], self.times["End"]
        start = np.where(np.isnan(self.times["Start"]), end - self.length_s(), self.times["Start"])
        run = np.where(np.isnan(self.elapsed_s), end - start - np.nan_to_num(self.suspended_s), self.elapsed_s)
        limit = self.texts.numbers("TimelimitRaw", limit_s)
        limit = np.where(np.isnan(limit), self._limit_text_s(), limit)
        return {
            "submit": submit,
            "eligible": eligible,
            "start": start,
            "run_s": run,
            "requested_time_s": np.where(limit > 0, limit, np.nan),
            "differs_s": np.abs(end - start - run - np.nan_to_num(self.suspended_s)),
        }

    def _limit_text_s(self) -> np.ndarray:
        """Return Timelimit; 08:00 is eight hours in a table whose elapsed times have no seconds."""
        limit, texts = self.texts.numbers("Timelimit", limit_s), self.texts.get("Timelimit")
        if texts is None or not self.hours_and_minutes:
            return limit
        return np.where(texts.str.contains(r"^\d+:\d\d$").to_numpy(), 60 * limit, limit)

    def _sizes(self) -> dict[str, np.ndarray]:
        texts, count = self.texts, quantities.count
        asked, got = _resources(texts, "ReqTRES"), _resources(texts, "AllocTRES")
        nodes = _known(texts.first_known(("AllocNodes", "NNodes"), count), got["nodes"], asked["nodes"])
        nodes = _known(nodes, texts.first_known(("ReqNodes",), count))
        requested = _positive(_known(texts.first_known(("ReqCPUS",), count), asked["cpus"]))
        given = texts.first_known(("AllocCPUS",), count)
        allocated = _known(given, _positive(got["cpus"]), texts.first_known(("NCPUS",), count), requested)
        nodes_only = np.isnan(allocated)
        allocated = np.where(nodes_only, _positive(nodes), allocated)
        gpus = _known(got["gpus"], texts.numbers("AllocGRES", quantities.gres_gpus))
        gpus = _known(gpus, asked["gpus"], texts.numbers("ReqGRES", quantities.gres_gpus) * _known(nodes, 1.0))
        return {
            "allocated_processors": allocated,
            "requested_processors": requested,
            "processors": allocated,
            "allocated_nodes": nodes,
            "gpus": gpus,
            "billing": _known(got["billing"], asked["billing"]),
            "requested_memory_kb": self._memory(nodes, requested, allocated, asked),
            "used_memory_kb": self.use.total_kb / allocated,
            "max_rss_kb": self.use.largest_task_kb,
            "cpu_s": texts.numbers("TotalCPU", duration_s) / allocated,
            "size_is_nodes": (nodes_only & ~np.isnan(allocated)).astype(np.float64),
        }

    def _memory(
        self, nodes: np.ndarray, requested: np.ndarray, allocated: np.ndarray, asked: dict[str, np.ndarray]
    ) -> np.ndarray:
        """Return the requested memory per processor in KiB."""
        cpus = _known(requested, allocated)
        amount = self.texts.numbers("ReqMem", _memory_kb)
        per = self.texts.numbers("ReqMem", _memory_per)
        of_job = np.select([per == 1, per == 2], [amount * _known(nodes, 1.0), amount * cpus], amount)
        return _known(of_job, asked["memory_kb"]) / cpus

    def _add_names(self, numbers: dict[str, np.ndarray], texts: dict[str, pl.Series]) -> None:
        """Add the names of users, groups, queues, partitions and executables."""
        for column, name in {"user": "User", "group": "Group", "queue": "QOS", "partition": "Partition"}.items():
            if (series := self.texts.get(name)) is not None:
                texts[column] = _nullable(series)
        for column, name in {"user": "UID", "group": "GID"}.items():
            if column not in texts and name in self.texts:
                numbers[column] = self.texts.numbers(name, quantities.count)
        if "group" not in {*texts, *numbers} and (account := self.texts.get("Account")) is not None:
            texts["group"] = _nullable(account)
        if (names := self.texts.get("JobName")) is not None:
            texts["executable"] = _nullable(names)

    def _add_dependencies(self, numbers: dict[str, np.ndarray], texts: dict[str, pl.Series]) -> None:
        """Add what a job waited for, from Dependency or from --dependency in SubmitLine."""
        given = self.texts.get("Dependency")
        if given is None and (lines := self.texts.get("SubmitLine")) is not None:
            given = in_submit_lines(lines)
        if given is not None:
            texts["dependency"] = _nullable(given)
            numbers["preceding_job"] = numbers_of(given, single_predecessor)

    def _add_attributes(self, numbers: dict[str, np.ndarray], texts: dict[str, pl.Series]) -> None:
        """Add every other field under its attribute name."""
        for name in self.texts.frame.columns:
            field = field_of(name)
            attribute = attribute_name(field.attribute)
            series = None if name == LINE or attribute in {**numbers, **texts} else self.texts.get(name)
            if series is None or not field.attribute:
                continue
            if field.kind in ("whole", "number"):
                numbers[attribute] = numbers_of(series, _number)
            elif field.kind == "duration":
                numbers[attribute] = numbers_of(series, duration_s)
            else:
                texts[attribute] = _nullable(series, _NOT_SAID.get(field.name, ("",)))


_NOT_SAID = {
    "NodeList": ("", "None assigned", "None", "Unknown"),
    "FailedNode": ("", "Unknown", "None"),
    "Reason": ("", "None"),
    "Flags": ("", "None"),
    "SLUID": ("", "0"),
}


def attribute_name(name: str) -> str:
    """Return the name, with `sacct_` before it if it has another meaning in workloads."""
    safe = re.sub(r"[^0-9A-Za-z_]", "_", name)
    taken = safe in RESERVED or iskeyword(safe) or safe.startswith(RESERVED_BEGINNINGS)
    return f"sacct_{safe}" if taken or not safe.isidentifier() else safe


def _states(texts: TextColumns) -> pl.Series:
    series = texts.get("State")
    if series is None:
        return pl.Series("State", [""] * len(texts), dtype=pl.String)
    distinct = series.unique()
    parsed = [found[0] if (found := parse_state(text)) else text.upper() for text in distinct]
    return series.replace_strict(distinct, parsed, return_dtype=pl.String)


def _cancelled_by(text: str) -> float | None:
    found = parse_state(text)
    return None if found is None else found[1]


def _resources(texts: TextColumns, name: str) -> dict[str, np.ndarray]:
    """Return the resources of a TRES field by name."""
    series = texts.get(name)
    empty = np.full(len(texts), np.nan)
    if series is None:
        return dict.fromkeys(quantities.Resources._fields, empty)
    distinct = series.unique()
    parsed = [quantities.resources(text) or quantities.Resources() for text in distinct]
    index = series.replace_strict(distinct, np.arange(len(distinct)), return_dtype=pl.Int64).to_numpy()
    table = np.array(parsed, np.float64).reshape(-1, len(quantities.Resources._fields))[index]
    return {field: table[:, k] for k, field in enumerate(quantities.Resources._fields)}


def _known(first: np.ndarray, *others: np.ndarray | float) -> np.ndarray:
    """Return the first that is known, element by element."""
    for other in others:
        first = np.where(np.isnan(first), other, first)
    return first


def _positive(values: np.ndarray) -> np.ndarray:
    return np.where(values > 0, values, np.nan)


def _memory_kb(text: str) -> float | None:
    found = quantities.memory(text)
    return None if found is None else found.kb


def _memory_per(text: str) -> float | None:
    found = quantities.memory(text)
    return None if found is None else {"job": 0.0, "node": 1.0, "cpu": 2.0}[found.per]


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return quantities.count(text)
    return number if abs(number) < _LARGEST_NUMBER else None


def _nullable(series: pl.Series, empty: tuple[str, ...] = ("",)) -> pl.Series:
    return series.replace(list(empty), [None] * len(empty)) if series.is_in(list(empty)).any() else series
