"""Plugins of a simulation: what they add to the jobs' requests and to the engine, and what they found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms.node_requests import numbers_by_job
from thinktime.plugins import Context, Plugin
from thinktime.plugins.own import OwnPlugin
from thinktime.plugins.power import Power
from thinktime.result import Attempts
from thinktime.simulation.requests import Requests
from thinktime.simulation.settings import Settings, engine_array
from thinktime.workload import Workload

WATTS = "watts"


def split_watts(workload: Workload, amounts: Mapping[str, Any] | None) -> tuple[dict[str, Any], np.ndarray | None]:
    """Requests of the cluster's own resources, and what processors of each job draw."""
    if amounts is not None and not isinstance(amounts, Mapping):
        raise InputError(f'requests is {amounts!r}: give amounts by name, as in {{"gpu": 1}}, or the name of a file')
    others = {name: values for name, values in (amounts or {}).items() if name != WATTS}
    given = (amounts or {}).get(WATTS)
    if given is None:
        return others, None
    watts = numbers_by_job(workload, WATTS, given)
    bad = np.flatnonzero(~((watts >= 0) & (watts <= 1e9)))
    if bad.size:
        raise InputError(
            f"the job in row {bad[0]} has {watts[bad[0]]:g} watts a processor: give every job from 0 to 1e9"
        )
    return others, np.ascontiguousarray(watts)


class Additional:
    """The plugins of one simulation."""

    def __init__(self, settings: Settings, workload: Workload, requests: Requests, watts: np.ndarray | None) -> None:
        self.plugins: tuple[Plugin, ...] = settings.plugins
        if watts is not None and not any(isinstance(plugin, Power) for plugin in self.plugins):
            raise InputError("requests has watts but no plugin counts power: add tt.Power(…) to plugins")
        self.context = Context(
            cluster=settings.cluster,
            workload=workload,
            processors=requests.processors,
            seed=settings.seed,
            pools=len(requests.pools),
            watts=watts,
        )
        self.requests = self._with_pools(requests)
        self._plans: list[tuple[Plugin, dict[str, Any]]] = []

    def _with_pools(self, requests: Requests) -> Requests:
        for plugin in self.plugins:
            own = plugin.pool(self.context)
            if own is not None and requests.nodes is not None:
                pools = requests.nodes.pools.with_pool(f"the budget of plugin {plugin.name}", *own)
                requests = replace(requests, nodes=replace(requests.nodes, pools=pools))
            if isinstance(plugin, Power):
                rest = plugin.node_mw(self.context)[:, [0, 1, 2, 4]].max(initial=0) / 1000
                self.context = replace(self.context, rest_w=float(rest))
        return requests

    def add_to(self, engine: Any) -> None:
        """The calendar first, then the plugins, in their order."""
        for closures in filter(None, (plugin.closures(self.context) for plugin in self.plugins)):
            engine.add_closures(
                first=closures.first,
                nodes=closures.nodes,
                start=closures.start_s,
                end=closures.end_s,
                owner=closures.owner,
            )
            engine.set_owners(row=closures.rows, owner=closures.owner_of)
        plans = [(plugin, plugin.plan(self.context)) for plugin in self.plugins]
        self._plans = [(plugin, plan) for plugin, plan in plans if plan is not None]
        arrays = [{name: engine_array(value) for name, value in plan.items()} for _, plan in self._plans]
        engine.add_plugins([(plugin.name, plan) for (plugin, _), plan in zip(self._plans, arrays, strict=True)])

    def reports(self, engine: Any) -> dict[str, dict[str, np.ndarray]]:
        """Tables by name, as columns."""
        found: dict[str, dict[str, np.ndarray]] = {}
        for (plugin, plan), report in zip(self._plans, engine.reports(), strict=True):
            own = isinstance(plugin, OwnPlugin)
            more = plugin.own_tables(plan["behaviour"]) if own else plugin.tables(report, self.context)  # type: ignore[attr-defined]
            twice = [name for name in more if name in found]
            if twice:
                raise InputError(f"two plugins report a table {twice[0]!r}: give {plugin.name} another name=")
            found |= more
        return found


def attempts_of(engine: Any) -> Attempts:
    """Runs that were aborted."""
    found = engine.attempts()
    spans = {"row": found.pop("attempt"), **{name: found.pop(name) for name in ("first", "nodes", "units")}}
    return Attempts(found, spans)
