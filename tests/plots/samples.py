"""Small workloads and results to draw, whose numbers can be worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from thinktime.metrics.status import COMPLETED, REJECTED
from thinktime.result import Attempts
from thinktime.traces.column_names import COLUMNS
from thinktime.workload.workload import Workload


def workload(submit_s: Any, *, header: Any = None, source: Any = None, **columns: Any) -> Workload:
    """A workload with these columns; the others are missing."""
    submit_s = np.array(submit_s, dtype=float)
    filled = {name: np.full(len(submit_s), np.nan) for name in (*COLUMNS, "processors", "line")}
    filled |= {name: np.array(values, dtype=float) for name, values in columns.items()}
    filled["submit_s"] = submit_s
    return Workload(filled, name="sample", header=header, source=source or {})


def result(submit_s: Any, start_s: Any, run_s: Any, processors: Any, machine: int = 10) -> SimpleNamespace:
    """A result with its timeline; a NaN start is a rejected job."""
    submit, start, run, size = (np.array(v, dtype=float) for v in (submit_s, start_s, run_s, processors))
    columns = {"submit_s": submit, "start_s": start, "end_s": start + run, "run_s": run, "processors": size}
    columns |= {"job": 1.0 + np.arange(len(submit)), "user": 1.0 + np.arange(len(submit)) % 3}
    columns["status"] = np.where(np.isnan(start), REJECTED, COMPLETED).astype(np.uint8)
    spec = {
        "workload": {"name": "sample", "hash": "0"},
        "scheduler": {"name": "easy", "order": "sjf"},
        "users": {"name": "rigid"},
    }
    known = ~np.isnan(start)
    lines = timeline(submit[known], start[known], (start + run)[known], size[known])
    parts = {"columns": columns, "timeline_columns": lines, "report_columns": {}, "work_s": run, "has_nodes": False}
    return SimpleNamespace(**parts, processors=machine, spec=spec, attempts_made=Attempts.none())


def words(axes: Any) -> str:
    """All that is written inside an axes: texts, then the legend."""
    legend = axes.get_legend()
    labels = [text.get_text() for text in legend.get_texts()] if legend else []
    return " | ".join([text.get_text() for text in axes.texts] + labels)


def row_names(axes: Any) -> list[str]:
    return [tick.get_text() for tick in axes.get_yticklabels()]


def by_label(artists: Any, label: str) -> Any:
    """The first artist of that label."""
    return next(artist for artist in artists if artist.get_label() == label)


def timeline(submit: np.ndarray, start: np.ndarray, end: np.ndarray, size: np.ndarray) -> dict[str, np.ndarray]:
    time = np.unique(np.concatenate([submit, start, end]))
    after = time[:, None]
    queued, running = (submit <= after) & (start > after), (start <= after) & (end > after)
    return {
        "time_s": time,
        "queued_jobs": queued.sum(axis=1),
        "queued_processors": (queued @ size).astype(np.int64),
        "running_jobs": running.sum(axis=1),
        "used_processors": (running @ size).astype(np.int64),
    }
