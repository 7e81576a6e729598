"""The columns of the jobs of a result, the reasons of rejections, and the hash of the jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms.machine import MOST_PROCESSORS
from thinktime.simulation.read_columns import column_words, read_columns
from thinktime.simulation.settings import Settings
from thinktime.spec.own import OwnSpec
from thinktime.support.json_types import JsonDict
from thinktime.traces.attributes import ColumnType
from thinktime.traces.content_hash import ContentHash
from thinktime.workload import COLUMNS, Workload

#: Of a scheduler that rejects no job after it has waited.
NO_REASONS: Mapping[str, int] = {}


def refusals(
    rejected: np.ndarray, processors: np.ndarray, settings: Settings, reasons: Mapping[str, int] = NO_REASONS
) -> dict[str, dict[str, int]]:
    """Return reason → rejected jobs on a counted machine; empty if none was rejected. The scheduler has `reasons`."""
    large = int(np.count_nonzero(rejected & (processors > settings.machine.processors)))
    others = int(np.count_nonzero(rejected)) - large - sum(reasons.values())
    why = Counter({"larger than the machine": large, "by the scheduler": others}) + Counter(reasons)
    found = {reason: count for reason, count in why.items() if count > 0}
    return {"rejected": found} if found else {}


def with_others(known: Mapping[str, int], rejected: int, scheduler: str) -> dict[str, int]:
    """Return reason → rejected jobs; the engine rejected those that are not in `known`."""
    others = rejected - sum(known.values())
    usual = "no nodes that the allocator could choose"
    why = {"reject": "by the scheduler", "by a plugin": "by a plugin"}.get(scheduler, usual)
    return {**known, **({why: others} if others else {})}


def job_columns(
    recorded: Mapping[str, np.ndarray], simulated: dict[str, np.ndarray], session: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Return the columns of `Result.jobs` from the recorded and the simulated ones."""
    start = recorded["submit_s"] + recorded["wait_s"]
    cut = simulated["processors"] > MOST_PROCESSORS  # to what the engine can hold
    simulated["processors"] = np.where(cut, recorded["processors"], simulated["processors"])
    return {
        "job": recorded["job"],
        "user": recorded["user"],
        **{k: simulated[k] for k in ("submit_s", "start_s", "end_s", "processors", "run_s", "estimate_s", "status")},
        "recorded_submit_s": recorded["submit_s"],
        "recorded_start_s": start,
        "recorded_end_s": start + recorded["run_s"],
        "session": np.full(len(start), np.nan) if session is None else session.astype(np.float64),
        **({"overhead_s": simulated["overhead_s"]} if "overhead_s" in simulated else {}),
    }


#: Columns of the workload that are part of every result, and so of its hash.
_ALWAYS_HASHED = ("job", "user", "wait_s")


def workload_spec(workload: Workload, content: ContentHash) -> JsonDict:
    """Return the jobs of a run: their number and hash, which name the run, and their source, which does not."""
    return {"name": workload.name, "jobs": content.rows, "jobs_sha256": content.hexdigest(), **workload.source}


def hashed_columns(
    workload: Workload, simulated: Mapping[str, np.ndarray], read: Collection[str] = ()
) -> dict[str, np.ndarray]:
    """Return what decides about a run: what the engine is given, attributes, and the columns that policies read.

    `simulated` has the arrays of the engine by name, `read` the columns that policies read.
    """
    names = dict.fromkeys((*_ALWAYS_HASHED, *workload.attributes, *sorted(read)))
    return {**{name: workload[name] for name in names}, **{f"simulated {name}": a for name, a in simulated.items()}}


def hash_jobs(
    content: ContentHash, workload: Workload, simulated: Mapping[str, np.ndarray], settings: Settings
) -> None:
    """Add a block of jobs to the hash of a run with these settings."""
    found = {**simulated, **found_by_name(workload, settings)}
    named = _names_seen(workload, settings)
    types = {f"name of {column}": ColumnType("text", workload.types[column].labels) for column in named}
    names = {f"name of {column}": workload[column] for column in named}
    content.add({**hashed_columns(workload, found, columns_read(settings)), **names}, {**workload.types, **types})


def columns_read(settings: Settings) -> set[str]:
    """Return the columns of the workload that policies read; all if one is written in Python and sees the workload."""
    by_model = settings.applications.columns() & set(COLUMNS)  # attributes are hashed anyway
    by_policy = {use.column for policy in settings.reading for use in policy.columns()}
    return set(COLUMNS) if _sees_workload(settings) else by_policy | by_model


def _sees_workload(settings: Settings) -> bool:
    """Whether users, applications or plugins are written in Python: they get the whole workload."""
    return any(isinstance(each, OwnSpec) for each in (settings.users, settings.applications, *settings.plugins))


def _names_seen(workload: Workload, settings: Settings) -> list[str]:
    """Return the columns such as `user` whose names a policy in Python may read."""
    return [name for name in workload.types if name in COLUMNS] if _sees_workload(settings) else []


def found_by_name(workload: Workload, settings: Settings) -> dict[str, np.ndarray]:
    """Return what policies find by the names of users, queues and the like; their numbers alone do not tell.

    These are comparisons with a name in keys, and the models of jobs that are chosen by such a column.
    """
    uses = {use for policy in settings.reading for use in policy.columns()}
    compared = {use.word for use in uses if use.comparison and use.column in COLUMNS}
    values = zip(column_words(settings.reading), read_columns(workload, settings.reading), strict=True)
    found = {word: each for word, each in values if word in compared} if compared else {}
    if settings.applications.columns() & set(COLUMNS):
        found["model"] = np.asarray(settings.applications.variants(workload), dtype=np.float64)
    return found


def clock_spec(workload: Workload, settings: Settings) -> JsonDict:
    """Return the local time of the workload's time 0, if users or plugins may look at the clock; it is hashed."""
    if not settings.reacting and not settings.plugins:
        return {}
    if workload.source.get("clock") == "local":
        return {"clock": str(workload.source.get("starts"))}
    try:
        return {"clock": float(workload.local_s("submit_s")[0] - workload["submit_s"][0])} if len(workload) else {}
    except InputError:
        return {}
