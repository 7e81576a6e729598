"""Blocks of one log: from runs of the same jobs to a table of a metric by week, day, batch or user.

Jobs are paired by their row. A job belongs to the block of its recorded submission, which is the same in every run
even if simulated users submit at other times; it counts if it ended in every run. Blocks are weighted by their jobs,
so that the estimate of a mean is that of the summary; a quantile is taken in each block and averaged over the blocks.
Users have equal weights. Metrics over time (utilisation, queue, loss of capacity) weight blocks by their length, from
the first to the last submission. For totals of plugins (energy, aborted runs) the value of a block is its rate times
the whole span, so that the estimate is the total of the span.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE, COMPLETED, KILLED, RunData
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.window import check_cut
from thinktime.plugins.plugin import example
from thinktime.result import Result
from thinktime.spec import one_of, suggestion, text_of
from thinktime.study.comparison.block_table import Table
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.time_units import DAY_S, WEEK_S

SPAN_S = {"day": DAY_S, "week": WEEK_S}
By: TypeAlias = Literal["auto", "week", "day", "batch", "user"]
BY: tuple[By, ...] = get_args(By)
BATCHES = 20  # Schmeiser recommends 10 to 30
ENOUGH_WEEKS = 10
MOST_BLOCKS = 20_000  # 55 years of days, 380 of weeks


def tables(
    results: Sequence[Result],
    metrics: Sequence[str],
    names: Sequence[str] | None,
    by: str,
    warmup_s: float,
    cooldown_s: float,
) -> list[Table]:
    """Return one table per metric."""
    one_of("by", by, BY)
    for metric in metrics:
        _check_metric(metric, by)
    runs = _same_jobs(list(results))
    kept = _jobs_counted_in_every_run(runs, warmup_s, cooldown_s)
    labels = _names_of_runs(runs, names)
    for metric in metrics:
        _require_plugin(metric, runs, labels)
    return [_table_of_runs(runs, labels, kept, metric, by) for metric in dict.fromkeys(metrics)]


def _check_metric(metric: str, by: str) -> None:
    known = [name for name, row in CATALOGUE.items() if row.by_jobs or (row.over_time and by != "user")]
    if metric not in known:
        raise InputError(
            f"{metric!r}{suggestion(metric, known)} has no value by {'block' if by == 'auto' else by} of a run:"
            f" choose from {', '.join(known)}, or compare many runs in a study (tt.Study.of, `thinktime study`)"
        )


def _require_plugin(metric: str, runs: list[Result], names: Sequence[str]) -> None:
    row = CATALOGUE[metric]
    for run, name in zip(runs, names, strict=True):
        if not row.runs.has(_data(run)):
            raise InputError(
                f"{name} has no value of {metric}, which the plugin {row.runs.plugin} measures: simulate it with"
                f" plugins=[{example(row.runs.plugin)}], or compare another metric"
            )


def _data(run: Result) -> RunData:
    return RunData(
        run.columns,
        run.timeline_columns,
        run.processors,
        tables=run.report_columns,
        attempts=run.attempts_made.columns,
    )


def _same_jobs(runs: list[Result]) -> list[Result]:
    for run in runs:
        if not isinstance(run, Result):
            raise InputError(
                f"results must be simulated runs (got {type(run).__name__}): tt.Result.load reads a saved run"
            )
    if len(runs) < 2:
        raise InputError(f"a comparison needs two or more results (got {len(runs)}): give a list, [first, second]")
    for run in runs[1:]:
        for column in ("job", "recorded_submit_s"):
            if not np.array_equal(run.columns[column], runs[0].columns[column], equal_nan=True):
                raise InputError(
                    "the results are of different jobs, so they cannot be paired:"
                    " simulate the same workload, or compare several logs in a study (tt.Study.of, `thinktime study`)"
                )
    return runs


def _jobs_counted_in_every_run(runs: Sequence[Result], warmup_s: float, cooldown_s: float) -> np.ndarray:
    """Return a mask of the jobs that ended in every run and were submitted within the cuts, as recorded."""
    check_cut("warmup_s", warmup_s)
    check_cut("cooldown_s", cooldown_s)
    ended = np.logical_and.reduce([np.isin(run.columns["status"], (COMPLETED, KILLED)) for run in runs])
    submit = runs[0].columns["recorded_submit_s"]
    if ended.any():
        ended &= (submit >= submit[0] + warmup_s) & (submit <= submit[-1] - cooldown_s)
    if not ended.any():
        raise InputError("no job within the cuts ended in every run: choose smaller cuts, or runs that end")
    return ended


def _table_of_runs(runs: list[Result], names: tuple[str, ...], kept: np.ndarray, metric: str, by: str) -> Table:
    source = runs[0].spec.get("workload", {})
    workloads = (str(source.get("name", "workload")),)
    left_out = int(np.count_nonzero(~kept))
    notes = (f"{left_out} of {len(kept)} jobs are not counted: outside the cuts, or not ended in every run.",)
    common: JsonDict = {"notes": notes if left_out else (), "workloads": workloads}
    if by == "user":
        return _of_jobs(runs, names, metric, _user_index(runs[0], kept), "user", common)
    kind, edges = _edges(runs[0].columns["recorded_submit_s"][kept], by)
    if CATALOGUE[metric].over_time:
        return _over_time(runs, names, metric, edges, kind, common)
    index = np.searchsorted(edges[:-1], runs[0].columns["recorded_submit_s"], side="right") - 1
    return _of_jobs(runs, names, metric, np.where(kept, index, -1), kind, common)


def _edges(submit_s: np.ndarray, by: str) -> tuple[str, np.ndarray]:
    """Return the kind of blocks and their edges, from the first to the last submission."""
    first, last = submit_s[0], submit_s[-1]
    if by == "auto":
        by = "week" if ENOUGH_WEEKS <= (last - first) / SPAN_S["week"] <= MOST_BLOCKS else "batch"
    if by == "batch":
        begins = np.unique(submit_s[np.arange(BATCHES) * len(submit_s) // BATCHES])
    else:
        _require_blocks(float(last - first), by)
        begins = np.arange(first, last, SPAN_S[by]) if last > first else np.array([first])
    return by, np.append(begins, max(last, begins[-1]))


def _require_blocks(span_s: float, by: str) -> None:
    count = span_s / SPAN_S[by]
    if count > MOST_BLOCKS:
        raise InputError(
            f"the submissions span {count:,.0f} {by}s, and at most {MOST_BLOCKS:,} are compared:"
            " compare by batch or user, or leave out jobs whose submit time is wrong"
        )


def _user_index(run: Result, kept: np.ndarray) -> np.ndarray:
    """Return the index of each job's user; −1 for a job that does not count or has no user."""
    user = run.columns["user"]
    users = np.unique(user[kept & ~np.isnan(user)])
    if not len(users):
        raise InputError("no counted job has a user: compare by week or batch")
    return np.where(kept & ~np.isnan(user), np.searchsorted(users, user), -1)


def _of_jobs(
    runs: list[Result],
    names: tuple[str, ...],
    metric: str,
    index: np.ndarray,
    kind: str,
    common: JsonTable,
) -> Table:
    """Return the table by blocks of jobs; `index` is each job's block, −1 for none."""
    row = CATALOGUE[metric]
    assert row.per_job is not None  # checked by _check_metric
    blocks, rows = _rows_by_block(index)
    values = [row.per_job(run.columns, TAU_S) for run in runs]
    cells = np.array([[float(row.reduce.over(of[block])) for of in values] for block in rows])
    jobs = np.array([len(block) for block in rows], dtype=np.float64)
    weights = np.ones(len(rows)) if kind == "user" else jobs
    return Table(metric, names, tuple(blocks.tolist()), cells, weights, kind, ordered=kind != "user", **common)


def _rows_by_block(index: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the blocks that have jobs, and the rows of each."""
    order = np.argsort(index, kind="stable")
    order = order[index[order] >= 0]
    blocks, begins = np.unique(index[order], return_index=True)
    return blocks, np.split(order, begins[1:])


def _over_time(
    runs: list[Result],
    names: tuple[str, ...],
    metric: str,
    edges: np.ndarray,
    kind: str,
    common: JsonTable,
) -> Table:
    lengths = np.diff(edges)
    windows = [(float(edges[k]), float(edges[k + 1])) for k in np.flatnonzero(lengths > 0)]
    if not windows:
        raise InputError(
            f"all jobs were submitted at one instant, so {metric} has no span of time: compare job metrics"
        )
    row, every = CATALOGUE[metric], [_data(run) for run in runs]
    value = row.in_window or row.rate
    assert value is not None  # checked by _check_metric
    cells = np.array([[value(run, t1, t2) for run in every] for t1, t2 in windows])
    if row.runs.plugin:
        note = f"{metric} is counted from the first to the last submission."
        common = {**common, "notes": (*common["notes"], note)}
    if row.in_window is None:
        cells = cells * lengths.sum()
    if not np.isfinite(cells).all():
        raise InputError(f"a run has no timeline, which {metric} needs: simulate with timeline=True")
    weights = lengths[lengths > 0]
    return Table(metric, names, tuple(range(len(windows))), cells, weights, kind, ordered=True, **common)


def _names_of_runs(runs: Sequence[Result], names: Sequence[str] | None) -> tuple[str, ...]:
    given = tuple(names) if names is not None else _from_specs([run.spec for run in runs])
    if len(given) != len(runs) or len(set(given)) < len(given):
        raise InputError(f"names must be {len(runs)} different names (got {', '.join(given)})")
    return given


def _from_specs(specs: Sequence[JsonTable]) -> tuple[str, ...]:
    """What differs between the runs, such as `easy` and `fcfs`, or `easy:order=sjf`; numbers if nothing does."""
    parts = [key for key in KINDS if len({repr(spec.get(key)) for spec in specs}) > 1]
    words = [" ".join(_short_spec_part(key, spec.get(key)) for key in parts) for spec in specs]
    return tuple(words) if len(set(words)) == len(words) else tuple(f"run {k + 1}" for k in range(len(specs)))


#: part of a run's spec → kind in the registry; rules are of no kind
KINDS = {"scheduler": "scheduler", "machine": "platform", "users": "users", "applications": "application"}
KINDS |= {"estimates": "estimates", "overrun": "", "oversized": "", "same_instant": "", "seed": ""}


def _short_spec_part(key: str, part: object) -> str:
    """Return the text of a spec, or a rule with its value."""
    return text_of(KINDS[key], part) if isinstance(part, Mapping) else f"{key}={part}"
