"""Check of own plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.plugins import Plugin
from thinktime.plugins.failures import Failures
from thinktime.result import Result, check
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation import Simulation
from thinktime.testing.policies import UNFINISHED, small_cluster
from thinktime.testing.user_models import difficult_workload, with_attributes
from thinktime.workload import Workload


def check_plugin(
    plugin: Plugin,
    cluster: Cluster | None = None,
    *,
    needed: Sequence[Plugin] = (),
    attributes: Mapping[str, Sequence[Any]] | None = None,
) -> None:
    """Check a plugin under several schedulers, alone and with failures; raise AssertionError with the first problem.

    Parameters
    ----------
    plugin
        An own or a built-in plugin.
    cluster
        The cluster (default: five small nodes of two kinds).
    needed
        Plugins that must come before it.
    attributes
        Attribute that the plugin reads → values that jobs may have, such as `{"colour": ["red", "blue", None]}`.

    Raises
    ------
    AssertionError
        A callback fails or returns a wrong value; jobs wait forever because of vetoes or closed nodes; a second run
        decides or reports differently; or an invariant of `tt.check` is violated.
    """
    nodes = small_cluster() if cluster is None else cluster
    jobs = with_attributes(difficult_workload(), attributes)
    others = [] if any(isinstance(each, Failures) for each in (plugin, *needed)) else [Failures(mtbf_h=2, mttr_h=0.1)]
    for scheduler in (FCFS(), Easy(), Conservative()):
        for plugins in ([*needed, plugin], [*needed, *others, plugin]):
            where = f"{plugin!r} under {scheduler!r}" + (" with failures" if len(plugins) > len(needed) + 1 else "")
            first = _simulate_plugins(jobs, nodes, scheduler, plugins, where)
            _require_sound(first, where)
            _require_same(first, _simulate_plugins(jobs, nodes, scheduler, plugins, where), where)


def _simulate_plugins(jobs: Workload, nodes: Cluster, scheduler: Any, plugins: list[Plugin], where: str) -> Result:
    try:
        return Simulation(jobs, nodes, scheduler, plugins=plugins, seed=1).run().result()
    except InputError as error:
        raise AssertionError(f"{where}: {error}") from error


def _require_sound(result: Result, where: str) -> None:
    waits = np.flatnonzero(result.columns["status"] == UNFINISHED)
    assert not waits.size, (
        f"{where} leaves the job in row {waits[0]} waiting forever ({waits.size} such jobs): allow its start, open"
        " nodes that were closed, or call system.wake for the time of either"
    )
    broken = check(result)
    assert not broken, f"{where}: {broken[0]}"


def _require_same(first: Result, again: Result, where: str) -> None:
    same = first == again and all(frame.equals(again.reports[name]) for name, frame in first.reports.items())
    assert same, (
        f"{where} decides or reports differently in a second run: draw from context.seed, and keep state in what"
        " start() returns"
    )
