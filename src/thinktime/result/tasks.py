"""The tasks of a finished run, in blocks: which core did which task when.

What happens inside a job is a function of the job, its start and its cores, so it is not kept but played again for the
jobs that are asked for. A job that was not looked into, or was aborted, is one task on each of its cores, as long as
it has the core.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.applications import Application, Beneath
from thinktime.errors import InputError
from thinktime.result.given_back import given_back_s
from thinktime.spec import from_dict

if TYPE_CHECKING:
    from thinktime.result.result import Result

Block = dict[str, np.ndarray]  # job, row, task, chunk, core, start_s, end_s; one row a task
BLOCK_CORES = 100_000  # cores of the jobs of a block, about


def core_names(result: Result) -> list[tuple[str, int, int]]:
    """The hosts of the platform in the order of their cores: name, first core, number of cores."""
    cluster = result.cluster
    if cluster is None:
        return [("machine", 0, result.processors)]
    counts = cluster.capacity[:, _core_resource(result)]
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return list(zip(cluster.node_names, firsts.tolist(), counts.tolist(), strict=True))


def _core_resource(result: Result) -> int:
    cluster = result.cluster
    assert cluster is not None
    if "core" not in cluster.resources:
        raise InputError(f"the cluster's nodes have {', '.join(cluster.resources)} and no cores: tasks run on cores")
    return cluster.resources.index("core")


def tasks(
    result: Result, window: tuple[float, float] | None = None, jobs: Iterable[int] | None = None
) -> Iterator[Block]:
    """Blocks of tasks by (start of the job, row), cut to the window, of all jobs that ran or of those whose numbers are
    given."""
    begin, end = (-np.inf, np.inf) if window is None else window
    of = result.columns
    wanted = _chosen(result, jobs) & (of["start_s"] < end) & (of["end_s"] > begin)
    rows = np.flatnonzero(wanted)
    rows = rows[np.lexsort((rows, of["start_s"][rows]))]
    show = _shower(result)
    cores = Cores(result)
    for part in _parts(rows, of["processors"]):
        yield _cut(show(part, cores), result, part, begin, end)


def _chosen(result: Result, jobs: Iterable[int] | None) -> np.ndarray:
    ran = ~np.isnan(result.columns["start_s"]) & ~np.isnan(result.columns["end_s"])
    if jobs is None:
        return ran
    numbers = np.array(sorted(set(jobs)), dtype=np.float64)
    unknown = numbers[~np.isin(numbers, result.columns["job"])]
    if unknown.size:
        raise InputError(f"the run has no job {unknown[0]:.0f}: choose from its {len(result)} jobs")
    return ran & np.isin(result.columns["job"], numbers)


def _parts(rows: np.ndarray, processors: np.ndarray) -> Iterator[np.ndarray]:
    """Rows in groups of about as many cores each."""
    if not len(rows):
        return
    group = np.cumsum(processors[rows]) // BLOCK_CORES
    yield from np.split(rows, np.flatnonzero(np.diff(group)) + 1)


def _cut(block: Block, result: Result, rows: np.ndarray, begin: float, end: float) -> Block:
    inside = (block["start_s"] < end) & (block["end_s"] > begin)
    row = rows[block.pop("place")[inside]]
    kept = {name: values[inside] for name, values in block.items()}
    kept["start_s"], kept["end_s"] = np.maximum(kept["start_s"], begin), np.minimum(kept["end_s"], end)
    return {"job": result.columns["job"][row].astype(np.int64), "row": row, **kept}


class Cores:
    """The cores of every job: the one that does the tasks, for each of its processors."""

    def __init__(self, result: Result) -> None:
        spans = result.report_columns.get("cores") or _placed_afterwards(result)
        self._cores = _listed(spans["first"], spans["cores"])
        each = spans["cores_a_unit"]
        owner = np.repeat(spans["row"], spans["cores"])
        first = np.searchsorted(owner, np.arange(len(result) + 1))
        leads = (np.arange(len(owner)) - first[owner]) % np.repeat(each, spans["cores"]) == 0
        self._cores, owner = self._cores[leads], owner[leads]
        self._first = np.searchsorted(owner, np.arange(len(result) + 1))

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Those of these jobs, one job after the other."""
        return self._cores[_listed(self._first[rows], self._first[rows + 1] - self._first[rows])]

    def count(self, rows: np.ndarray) -> np.ndarray:
        return self._first[rows + 1] - self._first[rows]


def _listed(first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """first[0], first[0] + 1, …, then from first[1] on."""
    ends = np.cumsum(count)
    if not len(ends) or ends[-1] == 0:
        return np.empty(0, np.int64)
    return np.arange(ends[-1]) + np.repeat(first - (ends - count), count)


def _placed_afterwards(result: Result) -> Block:
    """Cores for a run that did not keep them: every job gets the lowest that are free on its nodes."""
    from thinktime import _engine

    of = result.columns
    ran = np.flatnonzero(~np.isnan(of["start_s"]) & (of["end_s"] > of["start_s"]))
    if result.cluster is None:
        spans = {"row": ran, "node": np.zeros(len(ran), np.int64), "cores": of["processors"][ran].astype(np.int64)}
        each = np.ones(len(result), np.int64)
        on_node = np.array([result.processors], dtype=np.int64)
    else:
        spans, each, on_node = _on_nodes(result, ran)
    found = _engine.place_cores(
        row=spans["row"],
        node=spans["node"],
        cores=spans["cores"],
        start_s=np.ascontiguousarray(of["start_s"]),
        end_s=np.ascontiguousarray(of["end_s"]),
        on_node=on_node,
    )
    return {**found, "cores_a_unit": each[found["row"]]}


def _on_nodes(result: Result, ran: np.ndarray) -> tuple[Block, np.ndarray, np.ndarray]:
    from thinktime.result.placements import by_node

    cluster = result.cluster
    assert cluster is not None
    resource = _core_resource(result)
    each = np.maximum(1, result.columns[f"unit_{cluster.resources[resource]}"]).astype(np.int64)
    every = by_node(result.placement_columns)
    kept = np.isin(every.row, ran)
    row, node, units = every.row[kept], every.node[kept], every.units[kept]
    order = np.argsort(row, kind="stable")
    spans = {"row": row[order], "node": node[order], "cores": (units * each[row])[order].astype(np.int64)}
    return spans, each, np.ascontiguousarray(cluster.capacity[:, resource], dtype=np.int64)


def _shower(result: Result) -> Any:
    """A function from rows and cores to a block with the place of each task's job among the rows."""
    application = from_dict("application", dict(result.spec.get("applications") or {"name": "fixed"}))
    assert isinstance(application, Application)
    if not application.inside or "inside" not in result.report_columns:
        return lambda rows, cores: _whole_jobs(result, rows, cores)
    play, aborted = _player(result, application), np.zeros(len(result), bool)
    aborted[result.attempts_made.columns["row"]] = True  # of their last run only what was left is known

    def show(rows: np.ndarray, cores: Cores) -> Block:
        known = np.flatnonzero(~aborted[rows])
        if len(known) == len(rows):
            return play(rows, cores)
        others = np.flatnonzero(aborted[rows])
        parts = [_renumbered(play(rows[known], cores), known)]
        parts.append(_renumbered(_whole_jobs(result, rows[others], cores), others))
        joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        order = np.argsort(joined["place"], kind="stable")
        return {name: values[order] for name, values in joined.items()}

    return show


def _renumbered(block: Block, places: np.ndarray) -> Block:
    return {**block, "place": places[block["place"]]}


def _whole_jobs(result: Result, rows: np.ndarray, cores: Cores) -> Block:
    place = np.repeat(np.arange(len(rows)), cores.count(rows))
    numbers = np.zeros(len(place), np.int64)
    of, core = result.columns, cores.of(rows)
    return {
        "place": place,
        "task": numbers,
        "chunk": numbers,
        "core": core,
        "start_s": of["start_s"][rows][place],
        "end_s": np.minimum(of["end_s"][rows][place], given_back_s(result, rows[place], core)),
    }


def _player(result: Result, application: Application) -> Any:
    inside, of = result.report_columns["inside"], result.columns
    hosts = core_names(result)
    on_node = np.array([cores for _, _, cores in hosts])
    speed, seed = float(result.spec["machine"].get("speed", 1.0)), int(result.spec.get("seed") or 0)
    loops = application.shown(Beneath(None, speed, int(on_node.sum()), seed, on_node, of["job"]))
    begin_s = of["start_s"] + of.get("overhead_s", np.zeros(len(result)))  # when its nodes have booted
    limit = of["estimate_s"] if result.spec.get("overrun") == "kill" else np.full(len(result), np.inf)

    def show(rows: np.ndarray, cores: Cores) -> Block:
        return loops.show(
            row=rows,
            processors=of["processors"][rows].astype(np.int64),
            each_s=inside["each_s"][rows],
            start_s=begin_s[rows],
            limit_s=limit[rows],
            core=cores.of(rows),
        )

    return show
