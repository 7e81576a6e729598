"""The plugins of a simulation: their inputs by job, their pools, what they add to the engine, and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.platforms.node_requests import numbers_by_job
from thinktime.plugins import Context, Plugin
from thinktime.plugins.context import Clock, StreamState
from thinktime.plugins.plugin import JobInput, registered
from thinktime.result import Attempts
from thinktime.simulation.requests import Requests
from thinktime.simulation.settings import Settings, engine_array
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.workload import Workload

if TYPE_CHECKING:
    from thinktime._engine import Run

Inputs = dict[str, np.ndarray]  # name → numbers by job
Tables = dict[str, dict[str, np.ndarray]]


def split_inputs(workload: Workload, amounts: JsonTable | None) -> tuple[JsonDict, Inputs]:
    """Split `requests` into amounts of the cluster's resources and inputs of plugins, such as watts."""
    if amounts is not None and not isinstance(amounts, Mapping):
        raise InputError(f'requests is {amounts!r}: give amounts by name, as in {{"gpu": 1}}, or the name of a file')
    known = registered("job_inputs")
    others = {name: values for name, values in (amounts or {}).items() if name not in known}
    given = {name: values for name, values in (amounts or {}).items() if name in known and values is not None}
    return others, {name: _checked_input(workload, name, given[name], known[name][1]) for name in sorted(given)}


def _checked_input(workload: Workload, name: str, given: Any, rule: JobInput) -> np.ndarray:
    values = numbers_by_job(workload, name, given)
    bad = np.flatnonzero(~(((values >= rule.lowest) & (values <= rule.highest)) | np.isnan(values)))
    if bad.size:
        raise InputError(
            f"{name} of the job in row {bad[0]} is {values[bad[0]]:g} {rule.unit}:"
            f" give every job from {rule.lowest:g} to {rule.highest:g}"
        )
    return np.ascontiguousarray(values)


class SimulationPlugins:
    """The plugins of one simulation. Jobs are loaded at once, or in blocks if there is a `stream`."""

    def __init__(self, settings: Settings, stream: StreamState | None = None) -> None:
        self.plugins: tuple[Plugin, ...] = settings.plugins
        self._settings, self._stream = settings, stream
        self._plans: list[tuple[Plugin, JsonDict]] = []
        self.context: Context | None = None  # of the last block

    def take(self, workload: Workload, requests: Requests, inputs: Inputs) -> Requests:
        """Take a block of jobs; return its requests with the pools of the plugins."""
        self._require_takers(inputs)
        if self.context is None:
            self.context = self._first_context(workload, requests)
        if self._stream is not None:
            self._stream.block.clear()
        self.context = replace(self.context, workload=workload, processors=requests.processors, inputs=inputs)
        for plugin in self.plugins:
            plugin.check(self.context)
        return self._with_pools(requests)

    def _first_context(self, workload: Workload, requests: Requests) -> Context:
        assert isinstance(self._settings.machine, Cluster)
        return Context(
            cluster=self._settings.machine,
            workload=workload,
            processors=requests.processors,
            seed=self._settings.seed,
            pools=len(requests.pools),
            times=Clock.of(workload),
            stream=self._stream,
        )

    def _require_takers(self, inputs: Inputs) -> None:
        for name in inputs:
            if not any(name in plugin.job_inputs for plugin in self.plugins):
                cls = registered("job_inputs")[name][0]
                raise InputError(f"requests has {name} but no plugin takes it: add tt.{cls.__name__}(…) to plugins")

    def _with_pools(self, requests: Requests) -> Requests:
        assert self.context is not None
        for plugin in self.plugins:
            own = plugin.pool(self.context)
            if own is not None and requests.nodes is not None:
                pools = requests.nodes.pools.with_pool(f"the budget of plugin {plugin.name}", *own)
                requests = replace(requests, nodes=replace(requests.nodes, pools=pools))
            self.context = replace(self.context, facts={**self.context.facts, **plugin.facts(self.context)})
        return requests

    def begin(self, engine: Run, jobs: Workload | None = None) -> None:
        """Add the closures, then the plugins in their order, after the first jobs; `jobs` is what plugins see."""
        assert self.context is not None
        context = self.context if jobs is None else replace(self.context, workload=jobs)
        for closures in filter(None, (plugin.closures(context) for plugin in self.plugins)):
            engine.add_closures(
                first=closures.first,
                nodes=closures.nodes,
                start=closures.start_s,
                end=closures.end_s,
                owner=closures.owner,
            )
        plans = [(plugin, plugin.plan(context)) for plugin in self.plugins]
        self._plans = [(plugin, plan) for plugin, plan in plans if plan is not None]
        arrays = [{name: engine_array(value) for name, value in plan.items()} for _, plan in self._plans]
        engine.add_plugins([(plugin.name, plan) for (plugin, _), plan in zip(self._plans, arrays, strict=True)])

    def load(self, engine: Run) -> None:
        """Give the engine the numbers by job of the block that it has loaded."""
        assert self.context is not None
        owners = self.context.owners.by_job(self.context.workload)
        if owners.any():
            rows = np.flatnonzero(owners)
            engine.set_owners(row=rows, owner=owners[rows])
        numbers = [plugin.by_job(self.context) for plugin, _ in self._plans]
        engine.load_plugins([{name: engine_array(each) for name, each in of.items()} for of in numbers])

    def tables(self, reports: Sequence[Mapping[str, np.ndarray]], *, last: bool = True) -> Tables:
        """Return the tables of all plugins by name, as columns, from what the engine's plugins report.

        A streamed run reports several times; `last` is the last time.
        """
        assert self.context is not None
        found: Tables = {}
        for (plugin, plan), report in zip(self._plans, reports, strict=True):
            more = plugin.tables(report, self.context, plan) if last or not plugin.reports_at_end else {}
            twice = [name for name in more if name in found]
            if twice:
                raise InputError(f"two plugins report a table {twice[0]!r}: give {plugin.name} another name=")
            found |= more
        return found


def attempts_of(found: dict[str, np.ndarray]) -> Attempts:
    """Return the runs of jobs that were aborted, from the columns of the engine."""
    spans = {"row": found.pop("attempt"), **{name: found.pop(name) for name in ("first", "nodes", "units")}}
    return Attempts(found, spans)
