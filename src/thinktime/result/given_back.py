"""Cores that were released before the end of their job: runs are cut into pieces of constant size.

An aborted job has several runs, and each may have released cores early.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thinktime.result.placements import ByNode, by_node

if TYPE_CHECKING:
    from thinktime.platforms import Cluster
    from thinktime.result.arrays import ResultArrays
    from thinktime.result.runs import JobRuns

Columns = Mapping[str, np.ndarray]


def given_back(result: JobRuns) -> Columns:
    """Return `row, run, time_s, core`, one row per released core; empty if all were held to the end.

    `run` counts the runs of the job from 0: first its attempts in their order, last the run in `jobs`.
    """
    number, time_s = np.empty(0, np.int64), np.empty(0)
    return result.report_columns.get("given_back", {"row": number, "run": number, "time_s": time_s, "core": number})


class RunTimes(NamedTuple):
    """All runs: the last run of every job by row, then the runs after which a job waited again."""

    row: np.ndarray  # of the job
    start_s: np.ndarray
    end_s: np.ndarray
    processors: np.ndarray


def runs_of(result: JobRuns) -> RunTimes:
    of, again = result.columns, result.attempts_made.requeued().columns
    last = np.arange(len(result))
    times = (np.concatenate([of[name], again[name]]) for name in ("start_s", "end_s", "processors"))
    return RunTimes(np.concatenate([last, again["row"]]).astype(np.int64), *times)


def run_giving_back(result: JobRuns) -> np.ndarray:
    """Return, for each released core, the position of its run in `runs_of`."""
    given, again = given_back(result), result.attempts_made.requeued().columns["row"]
    before = np.bincount(again, minlength=len(result)).astype(np.int64)
    order = np.argsort(again, kind="stable")
    first = np.concatenate([[0], np.cumsum(before)])[given["row"]]
    earlier = np.minimum(first + given["run"], max(len(again) - 1, 0))
    last = given["run"] == before[given["row"]]
    return np.where(last, given["row"], len(result) + order[earlier]) if len(again) else given["row"]


def held(result: ResultArrays) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return start, end and processors of every piece of every run, and the row of its job.

    First the processors that were held to the end, then every core that was released early.
    """
    runs, given, run = runs_of(result), given_back(result), run_giving_back(result)
    kept = runs.processors - np.bincount(run, minlength=len(runs.row))
    pieces = {
        "start_s": np.concatenate([runs.start_s, runs.start_s[run]]),
        "end_s": np.concatenate([runs.end_s, given["time_s"]]),
        "processors": np.concatenate([kept, np.ones(len(run))]),
    }
    return pieces, np.concatenate([runs.row, given["row"]])


def given_back_s(result: ResultArrays, whose: np.ndarray, core: np.ndarray) -> np.ndarray:
    """Return when each core was released before the end of its run; infinity if it was not.

    `whose` is the row of a job for its last run, or len(result) plus the number of an aborted run.
    """
    given, found_s = given_back(result), np.full(len(whose), np.inf)
    if not len(given["row"]) or not len(whose):
        return found_s
    again = np.flatnonzero(result.attempts_made.columns["lost"] == 0)
    run = np.concatenate([np.arange(len(result)), len(result) + again])[run_giving_back(result)]
    width = int(max(core.max(), given["core"].max())) + 1
    keys, wanted = run * width + given["core"], whose * width + core
    order = np.argsort(keys, kind="stable")
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    same = keys[order][at] == wanted
    found_s[same] = given["time_s"][order][at[same]]
    return found_s


class PiecesOnNodes(NamedTuple):
    """Pieces of runs on nodes; `last` marks the pieces of last runs."""

    entries: ByNode  # job, node and units
    start_s: np.ndarray
    end_s: np.ndarray
    last: np.ndarray


def held_on_nodes(result: ResultArrays, cluster: Cluster) -> PiecesOnNodes:
    """Return the units that runs held on each node, from when until when; units released early are separate pieces."""
    runs, given, run = runs_of(result), given_back(result), run_giving_back(result)
    last, again = by_node(result.placement_columns), by_node(result.attempts_made.requeued().spans)
    own = np.concatenate([last.row, len(result) + again.row]).astype(np.int64)
    node, units = (np.concatenate([getattr(last, name), getattr(again, name)]) for name in ("node", "units"))
    at = node_of_core(cluster, given["core"]) if len(run) else run
    rest = units - _gone(run * cluster.nodes + at, own * cluster.nodes + node)
    own, node, rest = (values[rest > 0] for values in (own, node, rest))
    every, one = np.concatenate([own, run]), np.ones(len(run), rest.dtype)
    pieces = ByNode(runs.row[every], np.concatenate([node, at]), np.concatenate([rest, one]))
    end_s = np.concatenate([runs.end_s[own], given["time_s"]])
    return PiecesOnNodes(pieces, runs.start_s[every], end_s, every < len(result))


def _gone(given: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return how often each wanted key is among the released cores."""
    key, count = np.unique(given, return_counts=True)
    if not len(key):
        return np.zeros(len(wanted), np.int64)
    at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    return np.where(key[at] == wanted, count[at], 0)


def node_of_core(cluster: Cluster, core: np.ndarray) -> np.ndarray:
    """Return the nodes of cores; cores are numbered node by node."""
    on_node = cluster.capacity[:, cluster.core_resource]
    return np.searchsorted(np.cumsum(on_node), core, side="right")
