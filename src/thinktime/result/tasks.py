"""The tasks of a finished run, in blocks: which core ran which task when.

The tasks of a job depend only on the job, its start and its cores, so the engine computes them again when they are
needed, and cuts them where a run was aborted. A job without an application model is one task on each of its cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from thinktime import trust
from thinktime.applications import Application, ApplicationContext
from thinktime.errors import InputError
from thinktime.result.runs import ABORTED_CORES, Runs, all_runs, last_runs
from thinktime.spec import from_stored

if TYPE_CHECKING:
    from thinktime.result.arrays import ResultArrays

Block = dict[str, np.ndarray]  # job, row, run_start_s, task, chunk, core, start_s, end_s; one value per task
Window = tuple[float | None, float | None]  # [from, until) in seconds; None: open
BLOCK_CORES = 100_000  # approximate number of cores in a block


def core_names(result: ResultArrays) -> list[tuple[str, int, int]]:
    """Return the hosts in the order of their cores: name, first core, number of cores."""
    cluster = result.cluster
    if cluster is None:
        return [("machine", 0, result.processors)]
    counts = cluster.capacity[:, cluster.core_resource]
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return list(zip(cluster.node_names, firsts.tolist(), counts.tolist(), strict=True))


def check_window(window: Window | None) -> tuple[float, float]:
    """Return begin and end of the window; a missing side is infinite."""
    try:
        begin, end = window or (None, None)
        begin_s, end_s = -np.inf if begin is None else float(begin), np.inf if end is None else float(end)
    except (TypeError, ValueError):
        raise InputError(f"the window is {window!r}: give its begin and its end, as in (44017, 44150)") from None
    if not end_s > begin_s:
        raise InputError(f"the window is {begin_s:g} to {end_s:g} s: give its begin and a later end, as in 44017:44150")
    return begin_s, end_s


def tasks(result: ResultArrays, window: Window | None = None, jobs: Iterable[int] | None = None) -> Iterator[Block]:
    """Yield blocks of tasks by (start of the run, row), cut to the window, of all jobs or of these numbers."""
    begin, end = check_window(window)
    application = from_stored("application", dict(result.spec.get("applications") or {"name": "fixed"}))
    assert isinstance(application, Application)
    known = application.inside and "inside" in result.report_columns
    if known and application.starts and not result.trusted:
        raise trust.refusal(f"start {application.starts} to play the tasks of {application.name} again")
    runs = all_runs(result) if known else last_runs(result)
    runs = runs[_chosen(result, jobs)[runs.row] & (runs.start_s < end) & (runs.end_s > begin)]
    runs = runs[np.lexsort((runs.row, runs.start_s))]
    show = _player(result, application) if known else _whole_jobs
    cores = Cores(result)
    for part in _split_runs_by_cores(runs, result.columns["processors"]):
        yield _cut_block_to_window(show(part, cores), result, part, begin, end)


def _chosen(result: ResultArrays, jobs: Iterable[int] | None) -> np.ndarray:
    if jobs is None:
        return np.ones(len(result), bool)
    try:
        numbers = np.array(sorted(set(jobs)), dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"jobs is {jobs!r}: give numbers of jobs, as in [1542, 1600]") from None
    unknown = numbers[~np.isin(numbers, result.columns["job"])]
    if unknown.size:
        raise InputError(f"the run has no job {unknown[0]:.0f}: choose from its {len(result)} jobs")
    return np.isin(result.columns["job"], numbers)


def _split_runs_by_cores(runs: Runs, processors: np.ndarray) -> Iterator[Runs]:
    """Yield groups of runs with about BLOCK_CORES cores each."""
    if not len(runs):
        return
    group = np.cumsum(processors[runs.row]) // BLOCK_CORES
    for part in np.split(np.arange(len(runs)), np.flatnonzero(np.diff(group)) + 1):
        yield runs[part]


def _cut_block_to_window(block: Block, result: ResultArrays, runs: Runs, begin: float, end: float) -> Block:
    inside = (block["start_s"] < end) & (block["end_s"] > begin)
    run = block.pop("place")[inside]
    row = runs.row[run]
    kept = {name: values[inside] for name, values in block.items()}
    kept["start_s"], kept["end_s"] = np.maximum(kept["start_s"], begin), np.minimum(kept["end_s"], end)
    job = {"job": result.columns["job"][row].astype(np.int64), "row": row, "run_start_s": runs.start_s[run]}
    return {**job, **kept}


class Cores:
    """The cores of every job by row, then of every aborted run: one core per processor."""

    def __init__(self, result: ResultArrays) -> None:
        spans = spans_of_cores(result)
        numbers = np.arange(len(result) + len(result.attempts_made) + 1)
        every = listed(spans["first"], spans["cores"])
        owner = np.repeat(spans["row"], spans["cores"])
        first = np.searchsorted(owner, numbers)
        leads = (np.arange(len(owner)) - first[owner]) % np.repeat(spans["cores_per_unit"], spans["cores"]) == 0
        self._cores = every[leads]
        self._first = np.searchsorted(owner[leads], numbers)

    def of(self, whose: np.ndarray) -> np.ndarray:
        """Return the cores of these runs, one run after the other."""
        return self._cores[listed(self._first[whose], self.count(whose))]

    def count(self, whose: np.ndarray) -> np.ndarray:
        return self._first[whose + 1] - self._first[whose]


def spans_of_cores(result: ResultArrays) -> Mapping[str, np.ndarray]:
    """Return `row, first, cores, cores_per_unit` of every job by unit, then of every aborted run.

    The row of an aborted run is len(result) plus its number.
    """
    spans = result.report_columns.get("cores") or _placed_afterwards(result)
    if aborted := result.report_columns.get(ABORTED_CORES):
        moved = {**aborted, "row": aborted["row"] + len(result)}
        spans = {name: np.concatenate([spans[name], moved[name]]) for name in moved}
    return spans


def listed(first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return first[0], first[0] + 1, …, then the numbers from first[1] on."""
    ends = np.cumsum(count)
    if not len(ends) or ends[-1] == 0:
        return np.empty(0, np.int64)
    return np.arange(ends[-1]) + np.repeat(first - (ends - count), count)


def _placed_afterwards(result: ResultArrays) -> Block:
    """Return cores for a run that did not record them: the lowest free ones on the nodes of each job."""
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
    return {**found, "cores_per_unit": each[found["row"]]}


def _on_nodes(result: ResultArrays, ran: np.ndarray) -> tuple[Block, np.ndarray, np.ndarray]:
    from thinktime.result.placements import by_node

    cluster = result.cluster
    assert cluster is not None
    resource = cluster.core_resource
    each = np.maximum(1, result.columns[f"unit_{cluster.resources[resource]}"]).astype(np.int64)
    every = by_node(result.placement_columns)
    kept = np.isin(every.row, ran)
    row, node, units = every.row[kept], every.node[kept], every.units[kept]
    order = np.argsort(row, kind="stable")
    spans = {"row": row[order], "node": node[order], "cores": (units * each[row])[order].astype(np.int64)}
    return spans, each, np.ascontiguousarray(cluster.capacity[:, resource], dtype=np.int64)


def _whole_jobs(runs: Runs, cores: Cores) -> Block:
    place = np.repeat(np.arange(len(runs)), cores.count(runs.cores))
    numbers = np.zeros(len(place), np.int64)
    return {
        "place": place,
        "task": numbers,
        "chunk": numbers,
        "core": cores.of(runs.cores),
        "start_s": runs.start_s[place],
        "end_s": runs.end_s[place],
    }


def _player(result: ResultArrays, application: Application) -> Callable[[Runs, Cores], Block]:
    """Return a function from runs to a block of tasks with the position of each task's run."""
    inside, of = result.report_columns["inside"], result.columns
    row_in_workload = inside.get("row", np.arange(len(result)))  # a streamed run lists its jobs in another order
    hosts = core_names(result)
    on_node = np.array([cores for _, _, cores in hosts])
    speed, seed = float(result.spec["machine"].get("speed", 1.0)), int(result.spec.get("seed") or 0)
    groups = result.cluster.group_cores if result.cluster else ()
    loops = application.shown(ApplicationContext(None, speed, int(on_node.sum()), seed, on_node, groups, of["job"]))
    limit = of["estimate_s"] if result.spec.get("overrun") == "kill" else np.full(len(result), np.inf)

    def show(runs: Runs, cores: Cores) -> Block:
        played = loops.show(
            row=row_in_workload[runs.row],
            processors=cores.count(runs.cores),
            each_s=inside["each_s"][runs.row],
            start_s=runs.play_begin_s,
            limit_s=np.minimum(limit[runs.row], runs.until_s),
            core=cores.of(runs.play_cores),
            **({"variant": inside["variant"][runs.row].astype(np.int64)} if "variant" in inside else {}),
        )
        return _placed(played, runs, cores)

    return show


def _placed(played: Block, runs: Runs, cores: Cores) -> Block:
    """Return the tasks of runs from those of plays: a run has its own cores and may begin within its play."""
    from_s = runs.from_s[played["place"]]
    mine = (played["end_s"] > from_s) | (played["start_s"] >= from_s)
    kept = {name: values[mine] for name, values in played.items()}
    place, from_s = kept["place"], from_s[mine]
    count = cores.count(runs.cores)
    kept["core"] = cores.of(runs.cores)[(np.cumsum(count) - count)[place] + kept["core"]]
    for name in ("start_s", "end_s"):
        kept[name] = runs.begin_s[place] + (np.maximum(kept[name], from_s) - from_s)
    return kept
