"""Executes one run of a study: a pure function from a task to its outcome, wherever it is called.

A failure is recorded in the outcome as one sentence; the other runs continue.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thinktime.errors import InputError
from thinktime.metrics.decisions import mean_by_queue
from thinktime.resampling import Resampled
from thinktime.result import Result
from thinktime.result.canonical_json import jsonable
from thinktime.spec import from_stored
from thinktime.study.dimensions import SPECS, plugins_of
from thinktime.study.sources import REQUEST_COLUMNS, REQUESTS, WORKLOADS, sha256_of
from thinktime.study.stored_distributions import stored_distributions
from thinktime.study.study import Task
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.workload import Workload
from thinktime.workload.workload import LOWER_BOUNDS

Outcome = JsonDict
OnProgress = Callable[[float], None]  # called with the share of the run that is done


def execute(task: Task, on_progress: OnProgress | None = None) -> Outcome:
    """Return the outcome: `summary` and `sketch`, or `error`; with `files` if the run directory is kept."""
    begin = time.perf_counter()
    try:
        found = _outcome(task, on_progress)
    except (InputError, MemoryError) as error:
        found = {"error": str(error) or type(error).__name__}
    except Exception as error:  # a bug: record where, and let the other runs continue
        where = traceback.extract_tb(error.__traceback__)[-1]
        found = {"error": f"{type(error).__name__} in {Path(where.filename).name} line {where.lineno}: {error}"}
    seconds = round(time.perf_counter() - begin, 6)
    return {"run": task.run, "cell": dict(task.cell), "error": None, **found, "seconds": seconds}


def _outcome(task: Task, on_progress: OnProgress | None) -> Outcome:
    workload = WORKLOADS.get(task.spec["workload"], task.spec["seed"])
    result = simulated(task.spec, workload, on_progress)
    summary = result.summary(**task.spec["summary"], **_without_rare(workload))
    found = {
        "summary": {name: jsonable(value) for name, value in summary.values.items()},
        "sketch": stored_distributions(result, workload, task.spec["summary"]),
        "cautions": summary.cautions.to_dict(),
    }
    if task.spec.get("decisions"):
        found["decision"] = decision_costs(result)
    return found | ({"files": _files(result, task)} if task.keep == "jobs" else {})


def simulated(spec: JsonTable, workload: Workload, on_progress: OnProgress | None = None) -> Result:
    """Simulate the run that the spec of a task describes."""
    from thinktime.simulation import Simulation

    made: JsonDict = {each.name: from_stored(each.kind, dict(spec[each.name])) for each in SPECS if each.name in spec}
    machine: Any = made.pop("platform")
    if hasattr(machine, "machine"):  # sized by the log
        machine = machine.machine(_known_size(workload), workload.name)
    more = {**_rules(spec["rules"]), **_decisions_option(spec), **_requested(spec.get("workload", {}))}
    run = Simulation(workload, machine, made.pop("scheduler"), **made, **more, seed=spec["seed"])
    run.run(progress=_share_of(workload, on_progress))
    return run.result()


def _requested(source: JsonTable) -> JsonDict:
    """Return the columns or the table of requests; raise InputError if the table has changed since it was read."""
    if columns := source.get(REQUEST_COLUMNS):
        return {"requests": columns}
    table = source.get(REQUESTS)
    if table is None:
        return {}
    if sha256_of(Path(table["path"]), "table of requests") != table["sha256"]:
        raise InputError(f"{table['path']} has changed since the study was read: run the study again")
    return {"requests": table["path"]}


def _rules(rules: JsonTable) -> JsonDict:
    return {**rules, "plugins": plugins_of(rules["plugins"])} if "plugins" in rules else dict(rules)


def _without_rare(workload: Workload) -> JsonDict:
    """Exclude rare behaviours of a resampled log: they are there for their effect on other jobs."""
    rare = workload.rare_users if isinstance(workload, Resampled) else ()
    return {"exclude_users": rare} if rare else {}


def _decisions_option(spec: JsonTable) -> JsonDict:
    return {"decisions": True} if spec.get("decisions") else {}


def decision_costs(result: Result) -> JsonDict:
    """Return mean seconds per instant, of scheduling and of the rest, and the mean pass by queue length."""
    points, decision_s = max(result.statistics["instants"], 1), result.statistics["decision_s"]
    rest_s = max(result.statistics["engine_s"] - decision_s, 0.0)
    queued, mean_s = mean_by_queue(result.decisions_columns["queued_jobs"], result.decisions_columns["decision_s"])
    curve = {"queued_jobs": queued.tolist(), "mean_s": mean_s.tolist()}
    return {"dispatch_s": decision_s / points, "rest_s": rest_s / points, **curve}


def _known_size(workload: Workload) -> int | None:
    """Return the processors of the log's machine; None if the log does not state them."""
    guessed = workload.account.get("machine_because") in LOWER_BOUNDS
    return None if guessed else workload.machine_processors


def _share_of(workload: Workload, on_progress: OnProgress | None) -> Callable[[float], None] | None:
    """Return a function from the clock to the share of the workload's span."""
    if on_progress is None or len(workload) == 0:
        return None
    first, last = float(workload["submit_s"][0]), float(workload["submit_s"][-1])
    return lambda clock_s: on_progress(min((clock_s - first) / max(last - first, 1.0), 1.0))


def _files(result: Result, task: Task) -> dict[str, bytes]:
    """Return the run directory as bytes; the process with the store writes them."""
    with TemporaryDirectory(prefix="thinktime-run-") as scratch:
        place = Path(scratch) / "run"
        result.save(place, **task.spec["summary"])
        return {path.name: path.read_bytes() for path in place.iterdir()}
