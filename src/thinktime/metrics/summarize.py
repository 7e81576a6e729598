"""From the columns of a run to its metrics: all of them, as a summary, or some."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.catalogue import CATALOGUE
from thinktime.metrics.count_cautions import Context, find_cautions
from thinktime.metrics.jobs import TAU_S
from thinktime.metrics.metric import NO_JOBS, NO_SUBMISSIONS, NO_TIMELINE, NO_WINDOW, Metric
from thinktime.metrics.run_data import NO_ATTEMPTS, NO_TABLES, Columns, RunData
from thinktime.metrics.summary import Summary
from thinktime.metrics.window import Window, check_exclude, check_tau, of_users, submitted_in
from thinktime.spec import suggestion

Values = dict[str, float | int | None]

NO_QUANTILES = "quantiles were not asked for"


def summarize(
    columns: Columns,
    timeline_columns: Columns,
    processors: int,
    *,
    window: Window | None = None,
    warmup_s: float = 0.0,
    cooldown_s: float = 0.0,
    exclude: Sequence[str] = ("rejected",),
    exclude_users: Sequence[float] = (),
    tau_s: float = TAU_S,
    quantiles: bool = True,
    stopped_s: float | None = None,
    context: Context | None = None,
    tables: Mapping[str, Columns] = NO_TABLES,
    attempts: Columns = NO_ATTEMPTS,
    span_s: tuple[float, float] | None = None,
) -> Summary:
    """Compute all metrics of a run over a window.

    Job metrics are over the jobs submitted in the window that ended. Utilisation is by overlap with the window and
    throughput by terminations in it, both of all jobs. The makespan is that of the counted jobs.

    Parameters
    ----------
    columns, timeline_columns
        The columns of the jobs and of the timeline, as a `Result` has them.
    processors
        Processors of the machine.
    window
        (t1, t2) in seconds; None for the first submission or the last end of the run.
    warmup_s, cooldown_s
        Cut from the beginning and from the end of the window.
    exclude
        Statuses that are not counted.
    exclude_users
        Users whose jobs are not counted, such as rare behaviours of a resampled log. Their jobs still use the machine:
        they are part of utilisation and queue.
    tau_s
        Bound of the bounded slowdown.
    quantiles
        Whether to compute medians and percentiles.
    stopped_s
        When the simulation was stopped, if it was.
    context
        What the columns do not state, for the cautions of the summary.
    tables, attempts, span_s
        Tables of plugins and application models, aborted runs, and the time from the first submission to the last end.

    Returns
    -------
    Summary
        The values with the window, the cuts, the jobs that are not counted, and the cautions.
    """
    check_tau(tau_s)
    names = check_exclude(exclude)
    run = RunData(
        columns,
        timeline_columns,
        processors,
        window=window,
        warmup_s=warmup_s,
        cooldown_s=cooldown_s,
        exclude=names,
        exclude_users=exclude_users,
        tau_s=tau_s,
        stopped_s=stopped_s,
        tables=tables,
        attempts=attempts,
        span_s=span_s,
    )
    known = CATALOGUE.of_run(run)
    values: Values = {name: None if row.is_quantile and not quantiles else row.of(run) for name, row in known.items()}
    settings: dict[str, Any] = {"window_s": run.window, "warmup_s": float(warmup_s), "cooldown_s": float(cooldown_s)}
    settings |= {"tau_s": float(tau_s), "exclude": names}
    settings |= {"excluded_users": len(exclude_users)} if len(exclude_users) else {}
    found = find_cautions(
        columns, context if context is not None else Context(stopped_s=stopped_s), _submitted_by_others(run)
    )
    return Summary(values, settings, run.excluded, notes(values, *run.window), found)


def _submitted_by_others(run: RunData) -> np.ndarray:
    """bool[jobs]: submitted in the window, by users that are not excluded."""
    inside = submitted_in(run.columns["submit_s"], run.window[0], run.latest_submit_s)
    return inside & ~of_users(run.columns, run.exclude_users)


def notes(values: Mapping[str, float | int | None], t1: float, t2: float) -> dict[str, str]:
    """Return why a value is missing, for each that is."""
    missing = [name for name, value in values.items() if value is None or math.isnan(value)]
    counted = bool(values["jobs_counted"])
    return {
        name: NO_QUANTILES if values[name] is None else _reason_undefined(CATALOGUE[name], counted, t2 > t1)
        for name in missing
    }


def _reason_undefined(row: Metric, counted: bool, window: bool) -> str:
    if row.undefined == NO_TIMELINE:
        return NO_TIMELINE if window else NO_WINDOW
    if row.undefined in (NO_WINDOW, NO_SUBMISSIONS):
        return row.undefined
    return row.undefined if counted else NO_JOBS


# --- some metrics -------------------------------------------------------------------------------------------


def checked_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; raise InputError for a name that every run does not have, and for a name given twice."""
    given, known = (names,) if isinstance(names, str) else tuple(names), CATALOGUE.every_run()
    for name in given:
        if name not in known:
            near = suggestion(str(name), known)
            raise InputError(f"unknown metric {name!r}{near}: choose from {', '.join(known)}")
    if not given or len(set(given)) < len(given):
        raise InputError(f"metrics must be one or more different names (got {list(given)})")
    return given


def need_timeline(names: Sequence[str]) -> bool:
    """Whether a run must keep its timeline for these metrics."""
    return any(CATALOGUE[name].timeline for name in names)


def selected(
    columns: Columns, timeline: Columns, processors: int, names: Sequence[str], exclude_users: Sequence[float] = ()
) -> dict[str, float]:
    """Compute some metrics over the whole run, and nothing else; the values equal those of `summarize` bit for bit."""
    run = RunData(columns, timeline, processors, exclude_users=exclude_users)
    return {name: float(CATALOGUE[name].of(run)) for name in names}
