"""Metrics of the machine and, from the timeline, of the queue."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from thinktime.metrics import machine, timeline
from thinktime.metrics.metric import NO_TIMELINE, NO_WINDOW, ONE_SUBMISSION, SHARE, Metric
from thinktime.metrics.run_data import RunData
from thinktime.support.time_units import DAY_S, HOUR_S


def _utilisation(run: RunData, t1: float, t2: float) -> float:
    of = run.columns
    return machine.utilisation(of["start_s"], of["end_s"], of["processors"], run.processors, t1, t2)


def _offered_load(run: RunData) -> float:
    of = run.counted
    return machine.offered_load(of["submit_s"], of["run_s"], of["processors"], run.processors)


def _throughput(run: RunData) -> float:
    return machine.throughput(run.others["end_s"], *run.window)


def _makespan(run: RunData) -> float:
    return machine.makespan(run.counted["submit_s"], run.counted["end_s"])


_of_throughput = partial(
    Metric, group="throughput", formula="terminations in the window / (t2 − t1)", better=1, undefined=NO_WINDOW
)
_of_makespan = partial(Metric, group="makespan", formula="max f − min a")

MACHINE_ROWS = (
    Metric(
        name="utilisation",
        label="utilisation",
        formula="Σ r · overlap([s, f], [t1, t2]) / (P · (t2 − t1))",
        group="utilisation",
        in_window=_utilisation,
        streamed=lambda sums: sums.utilisation(),
        bounds=SHARE,
        better=1,
        main=True,
        default=True,
        undefined=NO_WINDOW,
    ),
    Metric(
        name="offered_load",
        label="offered load",
        formula="Σ r · d / (P · (max a − min a))",
        group="offered_load",
        value=_offered_load,
        streamed=lambda sums: sums.offered_load(),
        better=0,
        main=True,
        undefined=ONE_SUBMISSION,
    ),
    _of_throughput(
        name="throughput_per_hour",
        label="throughput",
        unit="jobs/h",
        value=lambda run: _throughput(run) * HOUR_S,
        streamed=lambda sums: sums.throughput() * HOUR_S,
    ),
    _of_throughput(
        name="throughput_per_day",
        label="throughput",
        unit="jobs/d",
        value=lambda run: _throughput(run) * DAY_S,
        streamed=lambda sums: sums.throughput() * DAY_S,
        main=True,
    ),
    _of_makespan(
        name="makespan_s",
        label="makespan",
        unit="s",
        value=_makespan,
        streamed=lambda sums: sums.makespan(),
        main=True,
    ),
    _of_makespan(
        name="makespan_days",
        label="makespan",
        unit="d",
        value=lambda run: _makespan(run) / DAY_S,
        streamed=lambda sums: sums.makespan() / DAY_S,
    ),
)


_of_timeline = partial(Metric, timeline=True, undefined=NO_TIMELINE)


def _queue_rows(column: str, label: str, unit: str, main: bool) -> Iterator[Metric]:
    """Over time: by how long a state lasts."""
    row = partial(_of_timeline, unit=unit, group="queue")
    yield row(
        name=f"{column}_mean",
        label=f"{label} over time, mean",
        formula="∫ q dt / (t2 − t1)",
        in_window=lambda run, t1, t2: run.lasting(t1, t2).mean(run.timeline[column]),
        streamed=lambda sums: sums.of_timeline(column).mean,
        main=main,
    )
    yield row(
        name=f"{column}_max",
        label=f"{label} over time, maximum",
        formula="largest q that lasted for some time",
        value=lambda run: run.lasting(*run.window).max(run.timeline[column]),
        streamed=lambda sums: sums.of_timeline(column).max,
        main=main,
    )


def _event_rows(column: str, label: str, unit: str) -> Iterator[Metric]:
    """Per event: every instant counts once, as AccaSim samples the queue."""
    row = partial(_of_timeline, unit=unit, group="queue")
    yield row(
        name=f"event_{column}_mean",
        label=f"{label} per event, mean",
        formula="mean of q over the instants t1 ≤ t ≤ t2",
        value=lambda run: timeline.event_mean(run.timeline[column], run.timeline["time_s"], *run.window),
        streamed=lambda sums: sums.of_timeline(column).event_mean,
    )
    yield row(
        name=f"event_{column}_max",
        label=f"{label} per event, maximum",
        formula="maximum of q over the instants t1 ≤ t ≤ t2",
        value=lambda run: timeline.event_max(run.timeline[column], run.timeline["time_s"], *run.window),
        streamed=lambda sums: sums.of_timeline(column).event_max,
    )


def _loss(run: RunData, t1: float, t2: float) -> float:
    lost = timeline.idle_while_any_waits(run.timeline["used_processors"], run.timeline["queued_jobs"], run.processors)
    return timeline.share(run.lasting(t1, t2).mean(lost), run.processors)


def _loss_bounded(run: RunData, t1: float, t2: float) -> float:
    used, queued = run.timeline["used_processors"], run.timeline["queued_processors"]
    lost = timeline.idle_as_far_as_queued(used, queued, run.processors)
    return timeline.share(run.lasting(t1, t2).mean(lost), run.processors)


QUEUE_ROWS = (
    *_queue_rows("queued_jobs", "queue length", "jobs", main=True),
    *_queue_rows("queued_processors", "queued processors", "processors", main=False),
    *_event_rows("queued_jobs", "queue length", "jobs"),
    *_event_rows("queued_processors", "queued processors", "processors"),
    _of_timeline(
        name="loss_of_capacity",
        label="loss of capacity (any job waits)",
        formula="Σ_i n_i · (t_{i+1} − t_i) · δ_i / (P · (t2 − t1)); n_i idle processors, δ_i = 1 if any job waits",
        group="loss_of_capacity",
        in_window=_loss,
        streamed=lambda sums: timeline.share(sums.of_timeline("idle_while_any_waits").mean, sums.processors),
        bounds=SHARE,
        main=True,
    ),
    _of_timeline(
        name="loss_of_capacity_bounded",
        label="loss of capacity (as far as queued)",
        formula="∫ min(P − used, queued processors) dt / (P · (t2 − t1))",
        group="loss_of_capacity",
        in_window=_loss_bounded,
        streamed=lambda sums: timeline.share(sums.of_timeline("idle_as_far_as_queued").mean, sums.processors),
        bounds=SHARE,
    ),
)
