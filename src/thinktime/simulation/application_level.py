"""The application level of a simulation: its inputs for the engine, and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thinktime.applications import ApplicationContext
from thinktime.errors import InputError
from thinktime.platforms import Cluster, Machine
from thinktime.result.runs import ABORTED, ABORTED_CORES
from thinktime.simulation.settings import Settings, engine_array
from thinktime.support.json_types import JsonDict
from thinktime.workload import Workload

MOST_CORES = 2**31 - 1


def application_of(settings: Settings, workload: Workload | None) -> JsonDict | None:
    """Return the application level for the engine; None if jobs run as recorded."""
    application = settings.applications
    if not application.inside:
        return None
    if workload is not None and (absent := application.absent_in(workload)):
        raise InputError(absent[0])
    cores, resource = cores_of(settings.machine)
    groups = settings.cluster.group_cores if settings.cluster else ()
    context = ApplicationContext(
        workload, float(settings.machine.speed), int(cores.sum()), settings.seed, cores, groups
    )
    level = application.level(context)
    return {
        **{name: engine_array(value) for name, value in application.plan(context).items()},
        **({} if level is None else {"level": level}),
        "cores": cores,
        "core_resource": float(resource),
        "early": application.early,
    }


def cores_of(machine: Machine | Cluster) -> tuple[np.ndarray, int]:
    """Return the number of cores per node, and the resource that they are; a counted machine is one node."""
    if isinstance(machine, Machine):
        return np.array([machine.processors], dtype=np.int64), 0
    resource = machine.core_resource
    cores = np.ascontiguousarray(machine.capacity[:, resource], dtype=np.int64)
    if cores.sum() > MOST_CORES:
        raise InputError(f"the cluster has {cores.sum()} cores: applications are simulated on at most {MOST_CORES}")
    return cores, resource


def require_cores(units: np.ndarray, resource: int) -> None:
    """Raise InputError if a unit of a job on a cluster has no core."""
    if len(units) and units[:, resource].min() < 1:
        raise InputError(
            "a job requests units without a core, but tasks run on cores: request at least one core per unit"
        )


def inside_tables(found: Mapping[str, Any], job: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
    """Return the tables of the application level; empty if jobs run as recorded.

    `inside` has one row per job, over all its runs; `cores` has the spans of cores of the jobs. Aborted runs have the
    same two tables. `given_back` lists cores that were released before the end of their job.
    """
    if not found.get("inside"):
        return {}
    tables = {"inside": {"job": job, **found["inside"]}, "cores": found["cores"]}
    if "aborted" in found and len(found["aborted"]["begin_s"]):
        tables |= {ABORTED: found["aborted"], ABORTED_CORES: found["aborted_cores"]}
    if "given_back" in found and len(found["given_back"]["row"]):
        tables["given_back"] = found["given_back"]
    return tables
