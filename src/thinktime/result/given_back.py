"""Cores that jobs gave back before their end: runs as pieces, each of which holds what it holds from start to end.

A job that was aborted has several runs; each of them may have given cores back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thinktime.result.placements import ByNode, by_node

if TYPE_CHECKING:
    from thinktime.platforms import Cluster
    from thinktime.result.arrays import ResultArrays

Columns = Mapping[str, np.ndarray]


def given_back(result: ResultArrays) -> Columns:
    """`row, run, time_s, core`, one row a core; empty where cores are held to the end. `run` counts the runs of the job
    from 0: the last one is that of `jobs`, the others are its attempts, in their order."""
    number, time_s = np.empty(0, np.int64), np.empty(0)
    return result.report_columns.get("given_back", {"row": number, "run": number, "time_s": time_s, "core": number})


class Runs(NamedTuple):
    """Every run: the last ones of all jobs, row by row, and then those after which a job waited again."""

    row: np.ndarray  # of the job
    start_s: np.ndarray
    end_s: np.ndarray
    processors: np.ndarray


def runs_of(result: ResultArrays) -> Runs:
    of, again = result.columns, result.attempts_made.requeued().columns
    last = np.arange(len(result))
    times = (np.concatenate([of[name], again[name]]) for name in ("start_s", "end_s", "processors"))
    return Runs(np.concatenate([last, again["row"]]).astype(np.int64), *times)


def run_of_gift(result: ResultArrays) -> np.ndarray:
    """For each core that was given back, the place of its run among `runs_of`."""
    given, again = given_back(result), result.attempts_made.requeued().columns["row"]
    before = np.bincount(again, minlength=len(result)).astype(np.int64)
    order = np.argsort(again, kind="stable")
    first = np.concatenate([[0], np.cumsum(before)])[given["row"]]
    earlier = np.minimum(first + given["run"], max(len(again) - 1, 0))
    last = given["run"] == before[given["row"]]
    return np.where(last, given["row"], len(result) + order[earlier]) if len(again) else given["row"]


def held(result: ResultArrays) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Start, end and processors of every piece of every run, and whose it is: what runs held to their ends, and then
    every core that was given back."""
    runs, given, run = runs_of(result), given_back(result), run_of_gift(result)
    kept = runs.processors - np.bincount(run, minlength=len(runs.row))
    pieces = {
        "start_s": np.concatenate([runs.start_s, runs.start_s[run]]),
        "end_s": np.concatenate([runs.end_s, given["time_s"]]),
        "processors": np.concatenate([kept, np.ones(len(run))]),
    }
    return pieces, np.concatenate([runs.row, given["row"]])


def given_back_s(result: ResultArrays, whose: np.ndarray, core: np.ndarray) -> np.ndarray:
    """When the core was given back before the end of the run; infinity if it was not. A run is the last of a job, by
    its row, or an aborted one, whose number comes after those of the jobs."""
    given, found_s = given_back(result), np.full(len(whose), np.inf)
    if not len(given["row"]) or not len(whose):
        return found_s
    again = np.flatnonzero(result.attempts_made.columns["lost"] == 0)
    run = np.concatenate([np.arange(len(result)), len(result) + again])[run_of_gift(result)]
    width = int(max(core.max(), given["core"].max())) + 1
    keys, wanted = run * width + given["core"], whose * width + core
    order = np.argsort(keys, kind="stable")
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    same = keys[order][at] == wanted
    found_s[same] = given["time_s"][order][at[same]]
    return found_s


class OnNodes(NamedTuple):
    """Pieces of runs on nodes; `last` says of each whether it is of a last run."""

    entries: ByNode  # of which job, which node, how many units
    start_s: np.ndarray
    end_s: np.ndarray
    last: np.ndarray


def held_on_nodes(result: ResultArrays, cluster: Cluster) -> OnNodes:
    """What runs held on each node to their ends, and units that they gave back before; and until when each was held."""
    runs, given, run = runs_of(result), given_back(result), run_of_gift(result)
    last, again = by_node(result.placement_columns), by_node(result.attempts_made.requeued().spans)
    own = np.concatenate([last.row, len(result) + again.row]).astype(np.int64)
    node, units = (np.concatenate([getattr(last, name), getattr(again, name)]) for name in ("node", "units"))
    at = node_of_core(cluster, given["core"]) if len(run) else run
    rest = units - _gone(run * cluster.nodes + at, own * cluster.nodes + node)
    own, node, rest = (values[rest > 0] for values in (own, node, rest))
    every, one = np.concatenate([own, run]), np.ones(len(run), rest.dtype)
    pieces = ByNode(runs.row[every], np.concatenate([node, at]), np.concatenate([rest, one]))
    end_s = np.concatenate([runs.end_s[own], given["time_s"]])
    return OnNodes(pieces, runs.start_s[every], end_s, every < len(result))


def _gone(gifts: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """How often each of the wanted keys is among the gifts."""
    key, count = np.unique(gifts, return_counts=True)
    if not len(key):
        return np.zeros(len(wanted), np.int64)
    at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    return np.where(key[at] == wanted, count[at], 0)


def node_of_core(cluster: Cluster, core: np.ndarray) -> np.ndarray:
    """Cores are numbered node by node."""
    on_node = cluster.capacity[:, cluster.resources.index("core")]
    return np.searchsorted(np.cumsum(on_node), core, side="right")
