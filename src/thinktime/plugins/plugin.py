"""The base class of plugins: what a plugin declares, plans and reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.metric import Metric
from thinktime.plugins.context import Closures, Context
from thinktime.spec import REGISTRY, Spec
from thinktime.support.json_types import JsonDict, JsonTable

Columns = dict[str, np.ndarray]


class Published(NamedTuple):
    """A value of the whole cluster that keys of schedulers may use."""

    meaning: str
    by: str  # the plugin that publishes it, as one writes it: tt.Power(cap_w=…)


class JobInput(NamedTuple):
    """Numbers by job that a plugin takes from `requests` of `simulate`."""

    unit: str  # for errors: watts per processor
    lowest: float
    highest: float


class Plugin(Spec, kind="plugin"):
    """Base of the plugins of a cluster.

    A built-in plugin is a spec here and a file of the same name in engine/plugins/. Its options are class attributes;
    it declares what concerns other parts in the class attributes below, and overrides the methods that it needs. A
    plugin in Python derives from `tt.OwnPlugin`.
    """

    opens: ClassVar[tuple[str, ...]] = ("file",)
    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    vetoes: ClassVar[bool] = False  # a start that it refuses may be possible later, although no job has ended
    needs: ClassVar[str] = ""  # the name of a plugin that must come before it
    repeatable: ClassVar[bool] = False  # a run may have several of it
    acts: ClassVar[bool] = True  # it has a part in the engine that acts during the simulation
    reports_at_end: ClassVar[bool] = False  # its tables are complete at the end of a streamed run only
    publishes: ClassVar[Mapping[str, Published]] = {}  # values for keys of schedulers
    job_inputs: ClassVar[Mapping[str, JobInput]] = {}  # what it takes from `requests`, by name
    metrics: ClassVar[tuple[Metric, ...]] = ()  # that its tables add to summaries, for the catalogue of metrics

    def plan(self, context: Context) -> JsonDict | None:
        """Return the arrays and options of the engine's plugin; None if it has none."""
        return None

    def by_job(self, context: Context) -> dict[str, np.ndarray]:
        """Return the numbers of each job that the engine's plugin reads; in a stream, of the jobs of a block."""
        return {}

    def check(self, context: Context) -> None:
        """Raise InputError for jobs that it cannot simulate; in a stream, called for every block."""

    def published(self) -> tuple[str, ...]:
        """Return the names of the values that it publishes with these options."""
        return tuple(self.publishes)

    def closures(self, context: Context) -> Closures | None:
        """Return the closures of nodes that are known before the first instant."""
        return None

    def pool(self, context: Context) -> tuple[int, np.ndarray] | None:
        """Return the size of a pool, and the amount that each job takes of it while it runs."""
        return None

    def facts(self, context: Context) -> Mapping[str, float]:
        """Return numbers for the plans of later plugins."""
        return {}

    def tables(self, report: Mapping[str, np.ndarray], context: Context, plan: JsonTable) -> dict[str, Columns]:
        """Return tables, as columns, from what the engine's plugin reports.

        A streamed run reports several times: rows of tables that grow with the run as they become known, the other
        tables at the end.
        """
        return by_table(report)

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self.canonical(), sort_keys=True)))


def by_table(report: Mapping[str, np.ndarray]) -> dict[str, Columns]:
    """Sort columns into tables: `hits/row` is the column `row` of the table `hits`."""
    tables: dict[str, Columns] = {}
    for key, values in report.items():
        table, slash, column = key.partition("/")
        if slash:
            tables.setdefault(table, {})[column] = values
    return tables


def require_compatible(plugins: Iterable[Plugin]) -> None:
    """Raise InputError for a plugin that is given twice, or without the plugin that it needs before it."""
    seen: list[str] = []
    for plugin in plugins:
        if plugin.name in seen and not plugin.repeatable:
            raise InputError(f"two plugins are called {plugin.name!r}: give one of them")
        if plugin.needs and plugin.needs not in seen:
            raise InputError(f"plugin {plugin.name} needs {plugin.needs}: put {example(plugin.needs)} before it")
        seen.append(plugin.name)


def example(name: str) -> str:
    """Return a plugin as one writes it, after those that it needs: `tt.Power(…), tt.Thermal(…)`."""
    cls = REGISTRY["plugin"][name]
    needed = getattr(cls, "needs", "")
    return (f"{example(needed)}, " if needed else "") + f"tt.{cls.__name__}(…)"


def registered(table: str) -> dict[str, tuple[type[Spec], Any]]:
    """Return name → (class, entry) for `publishes` or `job_inputs` of all registered plugins."""
    classes = REGISTRY["plugin"].values()
    return {name: (cls, entry) for cls in classes for name, entry in getattr(cls, table, {}).items()}
