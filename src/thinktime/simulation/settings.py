"""The settings of a simulation, checked once, and the engine made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from thinktime import __version__
from thinktime.allocators import Allocator
from thinktime.allocators.first_fit import FirstFit
from thinktime.applications import Application
from thinktime.applications.fixed import Fixed
from thinktime.errors import InputError
from thinktime.platforms import Cluster, Machine
from thinktime.plugins import Plugin
from thinktime.plugins.plugin import example, registered, require_compatible
from thinktime.schedulers import Scheduler
from thinktime.spec import as_spec, one_of, suggestion
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.random_streams import checked_seed
from thinktime.users import UserModel
from thinktime.users.rigid import Rigid
from thinktime.workload import Estimates

if TYPE_CHECKING:
    import numpy as np

    from thinktime._engine import Run

Overrun: TypeAlias = Literal["extend", "extend-blind", "kill"]
Oversized: TypeAlias = Literal["reject", "clip", "error"]
SameInstant: TypeAlias = Literal["batch", "each-submit-first", "each-end-first"]
Admission: TypeAlias = Literal["request", "total", "none"]

OVERRUN: tuple[Overrun, ...] = get_args(Overrun)
OVERSIZED: tuple[Oversized, ...] = get_args(Oversized)
SAME_INSTANT: tuple[SameInstant, ...] = get_args(SameInstant)
ADMISSION: tuple[Admission, ...] = get_args(Admission)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The platform, the policies and the rules of one simulation."""

    machine: Machine | Cluster
    scheduler: Scheduler
    allocator: Allocator | None = None  # of a cluster; None: first fit
    users: UserModel = field(default_factory=Rigid)
    applications: Application = field(default_factory=Fixed)
    estimates: Estimates = field(default_factory=Estimates.requested)
    overrun: Overrun = "extend"  # for jobs that run longer than their estimate
    oversized: Oversized = "reject"  # for jobs larger than the machine
    same_instant: SameInstant = "batch"  # when passes happen inside one instant
    admission: Admission | None = None  # of a cluster: which jobs are rejected on submission; None: request
    plugins: tuple[Plugin, ...] = ()  # of a cluster: additional data
    seed: int = 0

    @classmethod
    def of(cls, machine: Machine | Cluster, scheduler: Scheduler | str, rules: JsonTable) -> Settings:
        """Return the settings with rules by name; a spec may be its text."""
        known = [each.name for each in fields(cls)][2:]
        for rule in rules:
            if rule not in known:
                raise InputError(f"no rule is called {rule!r}{suggestion(rule, known)}: choose from {', '.join(known)}")
        return cls(machine=machine, scheduler=scheduler, **rules)  # type: ignore[arg-type] # as_spec reads texts

    def __post_init__(self) -> None:
        """Read texts as specs, fill in what depends on the machine, and check what belongs together."""
        for name, kind in _SPECS.items():
            object.__setattr__(self, name, as_spec(kind, getattr(self, name), name))
        if not isinstance(self.machine, Machine | Cluster):
            raise InputError(f"machine is {self.machine!r}: give a tt.Machine, a tt.Cluster or a number of processors")
        self._settle_estimates()
        one_of("overrun", self.overrun, OVERRUN)
        one_of("oversized", self.oversized, OVERSIZED)
        one_of("same_instant", self.same_instant, SAME_INSTANT)
        self._settle_plugins()
        self._settle_nodes() if isinstance(self.machine, Cluster) else self._require_no_nodes()
        if self.applications.inside:
            self._refuse_submit_first("does not work with application models, whose jobs hold cores until they end")
        object.__setattr__(self, "seed", checked_seed(self.seed))

    def _settle_estimates(self) -> None:
        """Give a machine that scales estimates the same settings as a policy that does: both are the same run."""
        if self.machine.estimates == "scaled":
            object.__setattr__(self, "estimates", self.estimates.divided())
            object.__setattr__(self, "machine", self.machine.replace(estimates="recorded"))

    def _settle_plugins(self) -> None:
        several = (self.plugins,) if isinstance(self.plugins, Plugin | str) else tuple(self.plugins or ())
        given = tuple(as_spec(Plugin, plugin, "plugins") for plugin in several)
        require_compatible(given)
        if given and not isinstance(self.machine, Cluster):
            raise InputError(
                f"plugin {given[0].name} acts on nodes but {self.machine!r} only counts processors: give a tt.Cluster,"
                f' such as tt.Cluster(groups=[{{"name": "g", "nodes": {self.machine.processors}, "core": 1}}])'
            )
        object.__setattr__(self, "plugins", given)
        require_published(self.scheduler, given)

    def _require_no_nodes(self) -> None:
        """Raise InputError if a counted machine has settings of a cluster."""
        for what in ("allocator", "admission"):
            if getattr(self, what) is not None:
                raise InputError(
                    f"{what} is {getattr(self, what)!r} but {self.machine!r} only counts processors and has no nodes:"
                    f" leave the {what} out, or give a tt.Cluster"
                )

    def _settle_nodes(self) -> None:
        """Set the defaults of a cluster, and check its settings."""
        for what, usual in (("allocator", FirstFit()), ("admission", "request")):
            if getattr(self, what) is None:
                object.__setattr__(self, what, usual)
        allocator = as_spec(Allocator, self.allocator, "allocator")
        object.__setattr__(self, "allocator", allocator)
        one_of("admission", self.admission, ADMISSION)
        needed = allocator.needs_plugin
        if needed and not any(plugin.name == needed for plugin in self.plugins):
            raise InputError(
                f"allocator {allocator.name} needs the plugin {needed}: add plugins=[{example(needed)}],"
                " or choose another allocator"
            )
        self._refuse_submit_first("needs a counted machine, and this is a cluster")

    def _refuse_submit_first(self, why: str) -> None:
        """Raise InputError if ends of this instant count as free processors before the jobs have released them."""
        if self.same_instant == "each-submit-first":
            raise InputError(f"same_instant='each-submit-first' {why}: choose batch or each-end-first")

    @property
    def cluster(self) -> Cluster | None:
        return self.machine if isinstance(self.machine, Cluster) else None

    @property
    def reading(self) -> tuple[Scheduler | Allocator, ...]:
        """The policies that may read columns of the workload through the engine."""
        return (self.scheduler, *([self.allocator] if self.allocator else []))

    def to_dict(self) -> JsonDict:
        specs = {k: getattr(self, k).to_dict() for k in _SPECS}
        rules = {k: getattr(self, k) for k in ("overrun", "oversized", "same_instant", "seed")}
        return {**specs, **self._on_nodes(), **rules, "version": __version__}

    def _on_nodes(self) -> JsonDict:
        """Return what only clusters have: digests of runs on machines do not contain it."""
        if self.allocator is None:
            return {}
        plugins = {"plugins": [plugin.to_dict() for plugin in self.plugins]} if self.plugins else {}
        return {"allocator": self.allocator.to_dict(), "admission": self.admission, **plugins}

    @property
    def reacting(self) -> bool:
        """Whether users decide during the simulation when they submit."""
        return not isinstance(self.users, Rigid)

    def engine(
        self,
        *,
        timeline: bool,
        keep_jobs: bool,
        decisions: bool = False,
        plan: JsonTable | None = None,
        pools: np.ndarray | tuple[()] = (),
        application: JsonTable | None = None,
    ) -> Run:
        """Return an engine without jobs.

        Made from the jobs: the plan of users who react, the sizes of pools, and the application level.
        """
        from thinktime import _engine
        from thinktime.simulation.read_columns import column_words

        return _engine.Run(
            processors=self.machine.processors,
            scheduler=self.scheduler.engine_name(),
            options={
                **self.scheduler.engine_options(),
                **self.scheduler.live_options(self.machine.processors, self.seed),
                "overrun": self._expected_overrun,
                "plugins": bool(self.plugins),
                "vetoes": any(plugin.vetoes for plugin in self.plugins),
            },
            same_instant=getattr(_engine.SameInstant, self.same_instant.replace("-", "_")),
            overrun=getattr(_engine.Overrun, self.overrun.replace("-", "_")),
            speed=float(self.machine.speed),
            keep_timeline=timeline,
            keep_jobs=keep_jobs,
            keep_decisions=decisions,
            columns=column_words(self.reading),
            users=self.users.name,
            plan={name: engine_array(value) for name, value in (plan or {}).items()},
            **({"platform": self._platform(self.cluster, pools)} if self.cluster else {}),
            **({"application": dict(application)} if application else {}),
        )

    @property
    def _expected_overrun(self) -> str:
        """Options for schedulers: with an application level, run times are known only at the end of a job."""
        return "extend-blind" if self.applications.inside and self.overrun == "extend" else self.overrun

    def _platform(self, cluster: Cluster, pools: np.ndarray | tuple[()]) -> JsonDict:
        import numpy as np

        from thinktime.platforms.node_layout import Layout

        layout = Layout(cluster)
        assert self.allocator is not None
        return {
            "resources": layout.resources,
            "capacity": np.ascontiguousarray(layout.capacity).ravel(),
            "pools": np.asarray(pools, dtype=np.int64),
            "allocator": self.allocator.engine_name(),
            **self.allocator.live_options(self.seed),
            "options": {**self.allocator.engine_options(self.seed), "ranked": float(layout.real)},
        }


def require_published(scheduler: Scheduler, plugins: Iterable[Plugin]) -> None:
    """Raise InputError if a key of the scheduler uses a value that no plugin of the run publishes."""
    published = sorted({name for plugin in plugins for name in plugin.published()})
    for name in sorted(scheduler.looks_at() - set(published)):
        known = registered("publishes")
        by = known[name][1].by if name in known else f'a plugin class Mine(tt.OwnPlugin, publishes=("{name}",))'
        raise InputError(
            f"scheduler {scheduler.name} uses the value {name!r}{suggestion(name, published)}, which no plugin of"
            f" this run publishes: add {by} to plugins, on a tt.Cluster, or remove it from the key"
        )


def engine_array(value: Any) -> Any:
    """Return an array in contiguous memory, as the engine takes it; anything else unchanged."""
    import numpy as np

    return np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value


#: Setting → kind of its spec.
_SPECS = {
    "machine": "platform",
    "scheduler": "scheduler",
    "users": "users",
    "applications": "application",
    "estimates": "estimates",
}
