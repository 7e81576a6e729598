"""What every plugin offers the engine: a plan made from the cluster and the workload, and tables of what it found."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.plugins.owners import Owners
from thinktime.spec import Spec
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from thinktime.workload import Workload

Columns = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Context(ByContent):
    """What a plugin's plan is made from."""

    cluster: Any  # a tt.Cluster
    workload: Workload
    processors: np.ndarray  # by job, as simulated
    seed: int
    pools: int = 0  # how many there are before the plugins' own
    watts: np.ndarray | None = None  # by job: what each of its processors draws, if it was given
    rest_w: float = 0.0  # the most that a node draws while no job uses it, if somebody knows

    @property
    def nodes(self) -> int:
        return int(self.cluster.nodes)

    @property
    def begin_s(self) -> float:
        """The first submission: from here on plugins count."""
        submit = self.workload["submit_s"]
        return float(submit.min()) if len(submit) else 0.0

    @cached_property
    def owners(self) -> Owners:
        """For whom nodes are reserved, by all plugins together."""
        return Owners(self.workload)

    @property
    def clock_s(self) -> float:
        """Seconds since midnight at the log's time 0; 0 where the log does not say what time that is."""
        if not len(self.workload):
            return 0.0
        try:
            ahead = self.workload.local_s("submit_s")[0] - self.workload["submit_s"][0]
        except InputError:
            return 0.0
        return float(ahead % 86400.0) if math.isfinite(ahead) else 0.0


@dataclass(frozen=True, eq=False)
class Closures(ByContent):
    """Nodes `first` to `first + nodes - 1` are closed from `start_s` until `end_s`, except for the owner's jobs."""

    first: np.ndarray
    nodes: np.ndarray
    start_s: np.ndarray
    end_s: np.ndarray
    owner: np.ndarray  # 0: nobody's
    rows: np.ndarray  # jobs that have an owner,
    owner_of: np.ndarray  # and who that is


class Plugin(Spec, kind="plugin"):
    """Base of the plugins. Numbers are checked against `lowest`, words against `words`, by the option's name."""

    opens: ClassVar[tuple[str, ...]] = ("file",)
    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    vetoes: ClassVar[bool] = False  # it may change its mind on who starts, when nothing else happens
    needs: ClassVar[str] = ""  # another plugin that must stand before it

    def plan(self, context: Context) -> dict[str, Any] | None:
        """What the engine's plugin is told: arrays and options by name. None: it needs none."""
        return None

    def published(self) -> tuple[str, ...]:
        """Names of the values that it publishes during a run, for keys of schedulers."""
        return ()

    def closures(self, context: Context) -> Closures | None:
        """What goes into the calendar before the first instant."""
        return None

    def pool(self, context: Context) -> tuple[int, np.ndarray] | None:
        """A pool of its own: its size, and what every job takes of it."""
        return None

    def tables(self, report: Mapping[str, np.ndarray], context: Context) -> dict[str, Columns]:
        """What the engine's plugin found: the columns of each table."""
        return by_table(report)

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self.canonical(), sort_keys=True)))


def by_table(report: Mapping[str, np.ndarray]) -> dict[str, Columns]:
    """`hits/row` is the column `row` of the table `hits`."""
    tables: dict[str, Columns] = {}
    for key, values in report.items():
        table, slash, column = key.partition("/")
        if slash:
            tables.setdefault(table, {})[column] = values
    return tables


def require_distinct(plugins: Iterable[Plugin]) -> None:
    """Plugins of one kind stand once in a list, after those that they need."""
    seen: list[str] = []
    for plugin in plugins:
        if plugin.name in seen and plugin.name not in ("maintenance", "reservations"):
            raise InputError(f"two plugins are called {plugin.name!r}: give one of them")
        if plugin.needs and plugin.needs not in seen:
            raise InputError(f"plugin {plugin.name} needs {plugin.needs}: put tt.{plugin.needs.title()}(…) before it")
        seen.append(plugin.name)
