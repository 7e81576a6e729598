"""From a workload to the arrays of the engine: submit, run, estimate and processors per job, without missing values.

On a cluster also the amounts that each unit of a job takes from a node, and the amounts from pools.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.platforms.machine import MOST_PROCESSORS
from thinktime.platforms.node_requests import NodeRequests, node_requests, rows_of
from thinktime.simulation.application_level import cores_of, require_cores
from thinktime.simulation.read_columns import meanings, read_columns
from thinktime.simulation.settings import Settings
from thinktime.support.equality import ByContent
from thinktime.support.json_types import JsonTable
from thinktime.support.time_units import LATEST_S
from thinktime.workload import Workload

if TYPE_CHECKING:
    from thinktime._engine import Run


@dataclass(frozen=True, eq=False, repr=False)
class Requests(ByContent):
    """Arrays of equal length, in the workload's order."""

    submit_s: np.ndarray
    run_s: np.ndarray
    estimate_s: np.ndarray
    processors: np.ndarray  # int32
    nodes: NodeRequests | None = None  # on a cluster
    without_estimate: int = 0  # jobs without an estimate in the log: their run time is used
    clipped: int = 0  # jobs that were cut to the size of the machine
    columns: Sequence[np.ndarray] = ()  # that policies read
    meanings: Mapping[str, np.ndarray] = field(default_factory=dict)  # what numbers of columns stand for
    variant: np.ndarray | None = None  # number of the application model, if jobs have different ones

    def remarks(self) -> dict[str, int]:
        """Return the counts for the statistics of a run, without zeros."""
        counts = {"without_estimate": self.without_estimate, "clipped": self.clipped}
        return {name: count for name, count in counts.items() if count}

    def by_job(self, cluster: Cluster | None) -> dict[str, np.ndarray]:
        """Return what the engine is given as columns of jobs, the same for blocks of jobs as for all at once."""
        found = {name: getattr(self, name) for name in ("submit_s", "run_s", "estimate_s", "processors")}
        if self.nodes is None or cluster is None:
            return found
        return {**found, **self.nodes.columns(cluster), "refused": self.nodes.shape < 0}

    def load(self, engine: Run, labels: Sequence[np.ndarray] = ()) -> None:
        for name, meaning in self.meanings.items():
            engine.set_meaning(name, meaning)
        engine.load(
            np.ascontiguousarray(self.submit_s),
            np.ascontiguousarray(self.run_s),
            np.ascontiguousarray(self.estimate_s),
            np.ascontiguousarray(self.processors),
            list(labels),
            list(self.columns),
            **({} if self.variant is None else {"variant": self.variant}),
            **self._on_nodes(),
        )

    def rows(self, rows: slice) -> Requests:
        """Return the requests of some of the jobs."""
        parts = {name: getattr(self, name)[rows] for name in ("submit_s", "run_s", "estimate_s", "processors")}
        columns = [np.ascontiguousarray(values[rows]) for values in self.columns]
        variant = None if self.variant is None else np.ascontiguousarray(self.variant[rows])
        nodes = rows_of(self.nodes, rows) if self.nodes else None
        return replace(self, **parts, columns=columns, nodes=nodes, variant=variant)

    @property
    def pools(self) -> np.ndarray:
        """The sizes of the pools."""
        return self.nodes.pools.sizes if self.nodes else np.empty(0, np.int64)

    def _on_nodes(self) -> dict[str, np.ndarray]:
        if self.nodes is None:
            return {}
        pools = self.nodes.pools
        arrays = {
            "shapes": self.nodes.units.ravel(),
            "shape": self.nodes.shape,
            "pool_start": pools.start,
            "pool": pools.pool,
            "pool_amount": pools.amount,
        }
        return {name: np.ascontiguousarray(values, dtype=np.int64) for name, values in arrays.items()}


def given_amounts(
    workload: Workload, settings: Settings, requests: JsonTable | str | PathLike[str] | None
) -> JsonTable | None:
    """Return the amounts by name, from the file if one is given."""
    if not isinstance(requests, str | PathLike):
        return requests
    from thinktime.platforms.request_files import named_requests, read_requests

    if named := named_requests(requests):
        return named
    return read_requests(Path(requests), workload, cluster_with_requests(requests, settings))


def cluster_with_requests(requests: str | PathLike[str], settings: Settings) -> Cluster:
    """Return the cluster that a file of amounts is for; raise InputError on a counted machine."""
    if settings.cluster is None:
        raise InputError(
            f"requests is {str(requests)!r} but {settings.machine!r} only counts processors: leave it out, or give a"
            " tt.Cluster"
        )
    return settings.cluster


def requests_of(workload: Workload, settings: Settings, amounts: JsonTable | None = None) -> Requests:
    """Return what the engine simulates; raise InputError with the first job that cannot be simulated.

    `amounts` are requests of a cluster's resources and pools by name.
    """
    submit, run = workload["submit_s"], workload["run_s"]
    _require(workload, "submit_s", np.isfinite(submit), "a submit time")
    _require(workload, "run_s", run >= 0, "a run time of 0 s or more")
    size = workload["processors"]
    _require(
        workload,
        "processors",
        (size >= 1) & (size == np.floor(size)),
        "a whole number of processors, 1 or more,",
    )
    _require_sorted(workload)
    _require_exact(workload, settings)
    estimate = np.ascontiguousarray(settings.estimates.of(workload, settings.machine.speed), dtype=np.float64)
    _require_estimates(workload, estimate)
    nodes = _on_nodes(workload, settings, estimate, amounts)
    processors = _sized(workload, settings) if nodes is None else nodes.processors
    return Requests(
        np.ascontiguousarray(submit),
        np.ascontiguousarray(run),
        estimate,
        processors,
        nodes,
        settings.estimates.missing(workload),
        int(np.count_nonzero(processors < np.minimum(size, MOST_PROCESSORS))),
        read_columns(workload, settings.reading),
        meanings(workload, settings.reading),
        settings.applications.variants(workload) if settings.applications.inside else None,
    )


def _on_nodes(
    workload: Workload, settings: Settings, estimate_s: np.ndarray, amounts: JsonTable | None
) -> NodeRequests | None:
    if settings.cluster is None:
        if amounts:
            raise InputError(
                f"requests has amounts of {', '.join(amounts)} but {settings.machine!r} only counts processors:"
                " leave them out, or give a tt.Cluster"
            )
        return None
    assert settings.admission is not None
    found = node_requests(
        workload,
        settings.cluster,
        estimate_s,
        admission=settings.admission,
        oversized=settings.oversized,
        requests=amounts,
    )
    if settings.applications.inside:
        require_cores(found.units, cores_of(settings.cluster)[1])
    return found


def _require(workload: Workload, column: str, good: np.ndarray, needs: str) -> None:
    bad = np.flatnonzero(~good)
    if bad.size:
        value = workload[column][bad[0]]
        has = "none" if np.isnan(value) else f"{value:g}"
        raise InputError(
            f"{_job(workload, bad[0])} needs {needs} but has {has}"
            f" ({bad.size} such jobs): read the log with a filter that drops them, or remove them"
        )


def _require_estimates(workload: Workload, estimate: np.ndarray) -> None:
    bad = np.flatnonzero(~((estimate >= 0) & (estimate <= LATEST_S)))
    if bad.size:
        raise InputError(
            f"{_job(workload, bad[0])} has an estimate of {estimate[bad[0]]:g} s:"
            " estimates lie between 0 and 2^53 s, choose others or remove the job"
        )


def _require_sorted(workload: Workload) -> None:
    back = np.flatnonzero(np.diff(workload["submit_s"]) < 0)
    if back.size:
        raise InputError(
            f"{_job(workload, back[0] + 1)} is submitted before the job above it: sort the workload by submit_s"
        )


def _require_exact(workload: Workload, settings: Settings) -> None:
    """Raise InputError if a schedule may reach times at which float64 does not hold whole seconds.

    No schedule lasts longer than until the last submission plus all jobs one after the other.
    """
    if len(workload) == 0:
        return
    duration = workload["run_s"] / settings.machine.speed
    latest = np.abs(workload["submit_s"]).max() + duration.sum()
    if latest > LATEST_S:
        worst = int(np.argmax(duration))
        raise InputError(
            f"the simulation may reach {latest:.3g} s, beyond 2^53 s where whole seconds are no longer exact"
            f" ({_job(workload, worst)} runs {duration[worst]:.3g} s): remove such jobs or raise the machine's speed"
        )


def _sized(workload: Workload, settings: Settings) -> np.ndarray:
    processors, most = workload["processors"], settings.machine.processors
    large = np.flatnonzero(processors > most)
    if large.size and settings.oversized == "error":
        raise InputError(
            f"{_job(workload, large[0])} needs {processors[large[0]]:g} processors but the machine has {most}:"
            " choose a larger --processors or --oversized=reject"
        )
    # Clamp to a size that no machine can hold.
    limit = most if settings.oversized == "clip" else MOST_PROCESSORS + 1
    return np.minimum(processors, limit).astype(np.int32)


def _job(workload: Workload, row: int) -> str:
    number = workload["job"][row]
    return f"the job in row {row}" if np.isnan(number) else f"job {number:.0f}"
