"""Consistency of a loaded run: every row, node and core that one table names exists in another.

A run directory may come from anywhere. These checks protect code that uses numbers as indices or passes them to the
engine; `check` verifies the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.result.actions import ACTION_TABLE, ACTIONS
from thinktime.result.attempts import OUTCOMES
from thinktime.result.runs import ABORTED, ABORTED_CORES
from thinktime.spec import from_stored
from thinktime.support.json_types import JsonTable
from thinktime.support.time_units import LATEST_S

if TYPE_CHECKING:
    from thinktime.platforms import Cluster
    from thinktime.result.attempts import Attempts

Columns = Mapping[str, np.ndarray]
MOST = 2**31 - 1  # processors of a machine or job
MOST_ENTRIES = 2**26  # nodes of all jobs together: what fits into memory

#: Table that the program reads → columns that it must have
TABLES: dict[str, tuple[str, ...]] = {
    "inside": ("each_s", "tasks", "chunks", "busy_s", "overhead_s"),
    "cores": ("row", "first", "cores", "cores_per_unit"),
    ABORTED: ("begin_s", "from_s"),
    ABORTED_CORES: ("row", "first", "cores", "cores_per_unit"),
    "given_back": ("row", "run", "time_s", "core"),
    ACTION_TABLE: ("row", "time_s"),
    "failures": ("node", "broken_s", "repaired_s"),
    "power": ("time_s", "off_w", "boot_w", "idle_w", "active_w", "down_w"),
    "node_energy": ("node", "idle_j"),
    "job_energy": ("job", "energy_j"),
    "temperatures": ("time_s", "node", "temperature_c"),
    "node_temperatures": ("node", "max_c"),
}
#: A table that is read together with others
TOGETHER = {
    "node_energy": ("job_energy", "power"),
    "temperatures": ("node_temperatures",),
    "inside": ("cores",),
    "cores": ("inside",),
    "given_back": ("cores",),
}
WHOLE = frozenset(("row", "first", "cores", "cores_per_unit", "run", "core", "node", "tasks", "chunks"))


def require_sound(parts: JsonTable) -> None:
    """Raise InputError, with the table and the value, unless the parts of a Result fit together."""
    _require_numbers(parts)
    cluster, jobs = _cluster(parts["spec"]), len(parts["columns"]["job"])
    _require_spans("placements", parts["placement_columns"], parts["columns"]["processors"], cluster)
    attempts = parts.get("attempts_made")
    if attempts is not None:
        _require_attempts(attempts, jobs, cluster)
    _require_tables(parts["report_columns"])
    _require_insides(parts, attempts, cluster)


def between(table: str, name: str, values: np.ndarray, low: float, high: float, *, missing: bool = False) -> None:
    """Raise unless every value lies between `low` and `high`; `missing` allows NaN."""
    bad = ~((values >= low) & (values <= high))
    if missing:
        bad &= ~np.isnan(values)
    if bad.any():
        raise InputError(
            f"{name} of {table} must be between {low:.15g} and {high:.15g} (got {values[bad][0]:.15g} in row"
            f" {int(np.argmax(bad))}): save the run again"
        )


def _require_numbers(parts: JsonTable) -> None:
    """Require exact times, and counts that are whole and not too large."""
    if not 1 <= parts["processors"] <= MOST:
        raise InputError(f"processors must be between 1 and {MOST} (got {parts['processors']}): save the run again")
    for name, values in parts["columns"].items():
        if name in parts["types"]:
            continue  # an attribute may hold anything
        low, most = (0, MOST) if name == "processors" else (-LATEST_S, LATEST_S)
        if name in ("run_s", "estimate_s", "overhead_s") or name.startswith(("unit_", "pool_")):
            low = 0
        if name == "estimate_s":
            most = np.inf
        between("jobs", name, values, low, most, missing=name not in ("job", "processors"))
    for table in ("timeline", "decisions"):
        for name, values in parts[f"{table}_columns"].items():
            between(table, name, values, 0 if not name.endswith("_s") else -LATEST_S, LATEST_S)


def _cluster(spec: JsonTable) -> Cluster | None:
    machine = spec.get("machine")
    if machine is None:
        return None
    if not isinstance(machine, Mapping):
        raise InputError(f"the machine in run.json is {machine!r:.40}: save the run again")
    if machine.get("name") != "cluster":
        return None
    return from_stored("platform", dict(machine))  # type: ignore[return-value]


def _require_spans(table: str, spans: Columns, most: np.ndarray, cluster: Cluster | None) -> None:
    """Require spans of existing nodes; a job has at most as many nodes as processors."""
    if not len(spans["row"]):
        return
    if cluster is None:
        raise InputError(f"{table} has nodes, but the machine in run.json has none: save the run again")
    between(table, "row", spans["row"], 0, len(most) - 1)
    between(table, "first", spans["first"], 0, cluster.nodes - 1)
    between(table, "nodes", spans["nodes"], 1, cluster.nodes)
    between(table, "first + nodes", spans["first"] + spans["nodes"], 1, cluster.nodes)
    between(table, "units", spans["units"], 1, MOST)
    nodes = np.bincount(spans["row"], spans["nodes"], minlength=len(most))
    between(table, "the number of nodes of a job less its processors", nodes - most, -MOST, 0)
    _require_possible(table, "nodes", int(spans["nodes"].sum()))


def _require_possible(table: str, what: str, count: int) -> None:
    if count > MOST_ENTRIES:
        raise InputError(f"{table} lists {count:,} {what} of jobs: at most {MOST_ENTRIES:,} can be read at once")


def _require_attempts(attempts: Attempts, jobs: int, cluster: Cluster | None) -> None:
    of = attempts.columns
    between("attempts", "row", of["row"], 0, jobs - 1)
    between("attempts", "processors", of["processors"], 1, MOST)
    between("attempts", "lost", of["lost"], 0, len(OUTCOMES) - 1)
    for name in ("start_s", "end_s", "saved_s"):
        between("attempts", name, of[name], 0 if name == "saved_s" else -LATEST_S, LATEST_S)
    _require_spans("attempt_nodes", attempts.spans, of["processors"], cluster)


def _require_tables(tables: Mapping[str, Columns]) -> None:
    """Require the columns, with numbers; tables with other names belong to plugins of the user."""
    for name, columns in tables.items():
        for column in _looked_into(name, columns):
            values = columns.get(column)
            if values is None or values.dtype.kind not in ("iu" if column in WHOLE else "iuf"):
                raise InputError(f"the table {name} has no numbers {column}: save the run again")
            if values.dtype.kind == "f":
                between(name, column, values, -LATEST_S, LATEST_S, missing=True)
        absent = [other for other in TOGETHER.get(name, ()) if other not in tables]
        if absent:
            raise InputError(f"the run has a table {name} and no table {absent[0]}: save the run again")


def _looked_into(name: str, columns: Columns) -> Iterable[str]:
    """Return the columns of a table that must be numbers."""
    more = [column for column in columns if column == "job" or (name in TABLES and column in WHOLE)]
    return dict.fromkeys((*TABLES.get(name, ()), *more))


def _require_insides(parts: JsonTable, attempts: Attempts | None, cluster: Cluster | None) -> None:
    """Require the application level: a row for every job, cores that the platform has, each job with its own number."""
    tables, jobs = parts["report_columns"], len(parts["columns"]["job"])
    runs = 0 if attempts is None else len(attempts)
    for name, rows in (("inside", jobs), (ABORTED, runs), ("job_energy", None)):
        if name in tables and rows is not None and len(tables[name][TABLES[name][0]]) != rows:
            raise InputError(f"the table {name} must have {rows:,} rows: save the run again")
    if cluster is not None:
        for name in ("failures", "node_energy", "temperatures", "node_temperatures"):
            between(name, "node", tables.get(name, {}).get("node", np.empty(0)), 0, cluster.nodes - 1)
    if "inside" in tables:
        _require_inside(tables["inside"], jobs)
    if ACTION_TABLE in tables:
        _require_actions(tables[ACTION_TABLE], jobs)
    sizes = (
        ("cores", parts["columns"]["processors"]),
        (ABORTED_CORES, attempts.columns["processors"] if attempts is not None else ()),
    )
    for name, processors in sizes:
        if name in tables:
            _require_cores(name, tables[name], np.asarray(processors), _cores_of_machine(parts, cluster))
    if "given_back" in tables:
        _require_given_back(tables["given_back"], parts, attempts, _cores_of_machine(parts, cluster))
    _require_grid(tables)


def _cores_of_machine(parts: JsonTable, cluster: Cluster | None) -> int:
    if cluster is None:
        return int(parts["processors"])
    if "core" not in cluster.resources:
        raise InputError("the run has cores of jobs, but the nodes in run.json have none: save the run again")
    return int(cluster.capacity[:, cluster.resources.index("core")].sum())


def _require_actions(table: Columns, jobs: int) -> None:
    between(ACTION_TABLE, "row", table["row"], 0, jobs - 1)
    unknown = set(np.asarray(table.get("action", ["none"])).tolist()) - set(ACTIONS)
    if unknown or "reason" not in table:
        raise InputError(f"the table {ACTION_TABLE} has actions other than {', '.join(ACTIONS)}: save the run again")


def _require_inside(table: Columns, jobs: int) -> None:
    between("inside", "each_s", table["each_s"], 0, LATEST_S)
    for name in ("busy_s", "overhead_s"):
        between("inside", name, table[name], -LATEST_S, LATEST_S)
    if "row" in table:
        between("inside", "row", table["row"], 0, MOST)


def _require_cores(name: str, spans: Columns, processors: np.ndarray, cores: int) -> None:
    """Require spans in the order of their rows; a job with cores has one unit of them per processor."""
    between(name, "row", spans["row"], 0, len(processors) - 1)
    between(name, "the step from row to row", np.diff(spans["row"]), 0, MOST)
    between(name, "first", spans["first"], 0, cores - 1)
    between(name, "cores", spans["cores"], 1, cores)
    between(name, "first + cores", spans["first"] + spans["cores"], 1, cores)
    between(name, "cores_per_unit", spans["cores_per_unit"], 1, cores)
    _require_possible(name, "cores", int(spans["cores"].sum()))
    units = np.bincount(spans["row"], spans["cores"] / spans["cores_per_unit"], minlength=len(processors))
    has = units > 0
    between(name, "cores of a job less its processors", units[has] - processors[has], 0, 0)


def _require_given_back(given: Columns, parts: JsonTable, attempts: Attempts | None, cores: int) -> None:
    jobs = len(parts["columns"]["job"])
    between("given_back", "row", given["row"], 0, jobs - 1)
    between("given_back", "core", given["core"], 0, cores - 1)
    between("given_back", "time_s", given["time_s"], -LATEST_S, LATEST_S)
    again = np.zeros(jobs, np.int64)
    if attempts is not None:
        again = np.bincount(attempts.columns["row"][attempts.columns["lost"] == 0], minlength=jobs)
    between("given_back", "run", given["run"], 0, MOST)
    between("given_back", "run less the runs of its job", given["run"] - again[given["row"]], -MOST, 0)


def _require_grid(tables: Mapping[str, Columns]) -> None:
    """Require temperatures of all nodes at each time."""
    if "temperatures" not in tables:
        return
    nodes, rows = len(tables["node_temperatures"]["node"]), len(tables["temperatures"]["time_s"])
    if rows and (nodes == 0 or rows % nodes):
        raise InputError(
            f"temperatures has {rows:,} rows, which is not a multiple of its {nodes:,} nodes: save it again"
        )


def require_names(spec: JsonTable, names: Iterable[str]) -> None:
    """Raise InputError unless these parts of the spec are tables with a name, where they exist."""
    for name in names:
        part = spec.get(name)
        if part is not None and not (isinstance(part, Mapping) and isinstance(part.get("name", ""), str)):
            raise InputError(f"the {name} in run.json is {part!r:.40}, but must be a table: save the run again")


#: Numbers of jobs and lines in the account of a log's reader, and tables of reasons with such numbers
COUNTS = ("jobs", "kept", "job_lines", "lines", "malformed_lines", "implausible_times", "repaired_jobs")
REASONS = ("repaired", "dropped")


def require_account(account: JsonTable) -> None:
    """Raise InputError unless the counts in a reader's account are counts."""
    counts = {name: account.get(name) for name in COUNTS}
    for table in REASONS:
        reasons = account.get(table)
        counts |= reasons if isinstance(reasons, Mapping) else {table: reasons}
    for name, count in counts.items():
        if count is not None and not (type(count) is int and count >= 0):
            raise InputError(
                f"{name} in the account of run.json is {count!r:.40}, but must be a count: save the run again"
            )
    _require_implausible(account.get("implausible"))


def _require_implausible(named: object) -> None:
    """Raise InputError unless the jobs with implausible times have a number, a line and a text."""
    listed = named if isinstance(named, list) else [named]
    if named is not None and not all(
        isinstance(each, Mapping) and {"job", "line", "text"} <= set(each) for each in listed
    ):
        raise InputError(
            f"implausible in the account of run.json is {named!r:.40}, but must list jobs: save the run again"
        )
