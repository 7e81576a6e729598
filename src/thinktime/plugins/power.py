"""Power and energy of nodes and jobs, and power caps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.metric import Metric
from thinktime.plugins.calendar import horizon_s
from thinktime.plugins.context import Context, StreamState
from thinktime.plugins.node_names import group_begins
from thinktime.plugins.pairs import ByGroup, ByHour, as_pairs
from thinktime.plugins.plugin import Columns, JobInput, Plugin, Published, by_table
from thinktime.plugins.power_metrics import POWER_ROWS
from thinktime.spec import is_number, suggestion, typed
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.random_streams import stream
from thinktime.support.time_units import DAY_S, HOUR_S
from thinktime.workload.reading.implausible_times import suspect

MILLI = 1000  # the engine counts in whole milliwatts
MOST_W = 1e9
UNUSED_NODE_W = "unused_node_w"  # the fact for later plugins: the most that a node draws while no job uses it
STATES = ("off", "boot", "idle", "active", "down")
MOST_DAYS = 100_000  # of a cap that changes by the hour: 270 years


class Power(Plugin, name="power"):
    """Computes power and energy: a node is off, booting, idle, active or down, and draws the watts of its state.

    A number applies to every node; a table `{"g0": 90, "g1": 120}`, typed `g0*90+g1*120`, has one number per group. A
    node in use draws `active_w` (default: as when idle) plus `processor_w` per processor of a job on it;
    `requests={"watts": [...]}` of `simulate` gives the watts per processor by job, and `spread` multiplies them by a
    random factor from 1 - spread to 1 + spread. A broken node draws `down_w`. With `off_after_s` a node is switched off
    after that many idle seconds; a job placed on it waits `boot_s` for the boot.

    `cap_w` is a power cap. The budget of the jobs is the cap minus the power of the nodes without jobs; a job waits
    until its share fits. The cap is a number, or a table of (hour of the day, watts), `{6: 20000, 22: 30000}`, typed
    `6*20000+22*30000`.
    """

    publishes: ClassVar[Mapping[str, Published]] = {
        "power_w": Published("the power that all nodes draw now, in watts", "tt.Power()"),
        "power_budget_w": Published("the cap in force, in watts", "tt.Power(cap_w=…)"),
    }
    job_inputs: ClassVar[Mapping[str, JobInput]] = {"watts": JobInput("watts per processor", 0.0, MOST_W)}
    metrics: ClassVar[tuple[Metric, ...]] = POWER_ROWS

    idle_w: ByGroup = 100.0
    processor_w: ByGroup = 50.0
    active_w: ByGroup | None = None
    off_w: ByGroup = 0.0
    boot_w: ByGroup | None = None
    down_w: ByGroup = 0.0
    boot_s: ByGroup = 120.0
    off_after_s: float | None = None
    spread: float = 0.0
    cap_w: ByHour | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "spread", self.number("spread", self.spread))
        for option in (*(f"{state}_w" for state in STATES), "processor_w", "boot_s"):
            object.__setattr__(self, option, self._by_group(option, getattr(self, option)))
        if self.off_after_s is not None:
            object.__setattr__(self, "off_after_s", self.number("off_after_s", self.off_after_s))
        if self.spread > 1:
            raise InputError(f"spread of power is {self.spread:g}: choose a number from 0 to 1")
        object.__setattr__(self, "cap_w", self._cap(self.cap_w))

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Return whether runs differ by their seed."""
        return self.spread > 0

    def _by_group(self, option: str, value: object) -> float | tuple[tuple[str, float], ...] | None:
        if value is None and option in ("active_w", "boot_w"):
            return None
        pairs = as_pairs(value)
        if pairs:
            given = sorted((str(group), each) for group, each in dict(pairs).items())
            return tuple((group, self._watts(f"{option} of group {group}", each)) for group, each in given)
        return self._watts(option, value)

    def _watts(self, what: str, value: object) -> float:
        if not is_number(value) or not 0 <= value <= MOST_W:
            raise InputError(f"{what} of power is {value!r}: choose a number from 0 to {MOST_W:g}, or a table by group")
        return float(value)

    def _cap(self, value: object) -> float | tuple[tuple[float, float], ...] | None:
        """Return None, watts, or pairs (hour, watts) in ascending hours."""
        if value is None or is_number(value):
            return None if value is None else self._watts("cap_w", value)
        pairs = as_pairs(value)
        if not pairs:
            raise InputError(
                f"cap_w of power is {value!r}: give watts, or a table such as {{6: 20000, 22: 30000}},"
                " typed 6*20000+22*30000"
            )
        hours = [hour for hour, _ in pairs]
        if not all(is_number(hour) and 0 <= hour < 24 for hour in hours):
            raise InputError(f"cap_w of power is {value!r}: hours are numbers from 0 to below 24")
        if isinstance(value, Mapping):
            pairs, hours = sorted(pairs), sorted(hours)
        if hours != sorted(set(hours)):
            raise InputError(f"cap_w of power is {value!r}: hours ascend from 0 to below 24")
        return tuple((float(hour), self._watts("cap_w", watts)) for hour, watts in pairs)

    def canonical(self) -> JsonDict:
        """Return the options with tables as plain data."""
        plain = {k: dict(v) if isinstance(v, tuple) and k != "cap_w" else v for k, v in self.options().items()}
        cap = [list(pair) for pair in self.cap_w] if isinstance(self.cap_w, tuple) else self.cap_w
        return {**plain, "cap_w": cap}

    @classmethod
    def typed_option(cls, option: str, value: object) -> str:
        """Write tables as `8*6000+20*9000` and `g0*90+g1*120`."""
        pairs = as_pairs(value)
        if not pairs:
            return super().typed_option(option, value)
        return "+".join(f"{typed(key)}*{typed(watts)}" for key, watts in pairs)

    # --- in numbers of the engine ---------------------------------------------------------------------------

    def node_mw(self, context: Context) -> np.ndarray:
        """Return [node, state] in milliwatts."""
        return (
            np.stack([self._by_node(context, f"{state}_w") * MILLI for state in STATES], axis=1)
            .round()
            .astype(np.int64)
        )

    def unit_mw(self, context: Context) -> np.ndarray:
        """Return by node what a processor of a job draws on it."""
        return (self._by_node(context, "processor_w") * MILLI).round().astype(np.int64)

    def _by_node(self, context: Context, option: str) -> np.ndarray:
        value = getattr(self, option)
        if value is None:  # an active or booting node draws at least as much as an idle one
            return self._by_node(context, "idle_w")
        if not isinstance(value, tuple):
            return np.full(context.nodes, value)
        groups, given = group_begins(context.cluster), dict(value)
        for name in given:
            if name not in groups:
                near = suggestion(name, groups)
                raise InputError(
                    f"{option} of power names the group {name!r}{near}: the cluster has {', '.join(groups)}"
                )
        missing = [name for name in groups if name not in given]
        if missing:
            raise InputError(f"{option} of power lacks the group {missing[0]!r}: give watts for every group")
        return np.concatenate([np.full(count, given[name]) for name, (_, count) in groups.items()])

    def job_mw(self, context: Context) -> np.ndarray:
        """Return by job what each of its processors draws; -1 for the default of its nodes."""
        jobs = len(context.workload)
        given = context.inputs.get("watts")
        if given is None and not self.spread:
            return np.full(jobs, -1, np.int64)
        usual = float(self._by_node(context, "processor_w").max())
        watts = np.full(jobs, usual) if given is None else given
        known = np.where(np.isnan(watts), usual, watts)
        milliwatts: np.ndarray = (known * self._factors(context) * MILLI).round().astype(np.int64)
        return milliwatts if self.spread else np.where(np.isnan(watts), -1, milliwatts)

    def _factors(self, context: Context) -> float | np.ndarray:
        """Draw by job number, so that a job has the same factor in every simulation."""
        if not self.spread:
            return 1.0
        if context.stream is not None:
            return 1 + self.spread * (2 * _streamed_draws(context, context.stream) - 1)
        job = context.workload["job"]
        known, inverse = np.unique(np.nan_to_num(job, nan=-1.0), return_inverse=True)
        draws = stream(context.seed, "power").random(len(known))
        return 1 + self.spread * (2 * draws - 1)[inverse]

    def shares(self, context: Context) -> np.ndarray:
        """Return by job the most that it can add to the power of the nodes."""
        own, unit = self.node_mw(context), self.unit_mw(context)
        without = self._unused_mw(context).max(axis=1)
        extra = int(np.maximum(own[:, 3] - without, 0).max(initial=0))
        mine = self.job_mw(context)
        each = np.where(mine >= 0, mine, unit.max(initial=0)) + extra
        shares: np.ndarray = (context.processors.astype(np.int64) * each).astype(np.int64)
        return shares

    def levels(self, context: Context) -> tuple[np.ndarray, np.ndarray]:
        """Return seconds of the day, and the power budget of all jobs from then on."""
        rest = int(self._unused_mw(context).max(axis=1).sum())
        pairs = self._caps
        level = np.array([round(watts * MILLI) - rest for _, watts in pairs], dtype=np.int64)
        if level.min() < 0:
            low = min(watts for _, watts in pairs)
            raise InputError(
                f"cap_w of power is {low:g} but the nodes draw up to {rest / MILLI:g} W while no job runs:"
                " choose a higher cap, or nodes that draw less"
            )
        return np.array([hour * HOUR_S for hour, _ in pairs]), level

    @property
    def _caps(self) -> tuple[tuple[float, float], ...]:
        """The hours of the day and the cap from each on; one hour for a constant cap."""
        if isinstance(self.cap_w, tuple):
            return self.cap_w
        return ((0.0, float(self.cap_w)),) if is_number(self.cap_w) else ()

    def pool(self, context: Context) -> tuple[int, np.ndarray] | None:
        if self.cap_w is None:
            return None
        return int(self.levels(context)[1].max()), self.shares(context)

    def published(self) -> tuple[str, ...]:
        return tuple(name for name in self.publishes if name != "power_budget_w" or self.cap_w is not None)

    def facts(self, context: Context) -> Mapping[str, float]:
        return {UNUSED_NODE_W: float(self._unused_mw(context).max(initial=0) / MILLI)}

    def _unused_mw(self, context: Context) -> np.ndarray:
        """[node, state] in milliwatts, without the state in which jobs use the node."""
        return np.delete(self.node_mw(context), STATES.index("active"), axis=1)

    def plan(self, context: Context) -> JsonDict:
        plan = {
            "state_mw": self.node_mw(context).ravel(),
            "unit_mw": self.unit_mw(context),
            "boot_s": self._by_node(context, "boot_s"),
            "off_after_s": math.inf if self.off_after_s is None else self.off_after_s,
            "begin_s": context.begin_s,
        }
        return plan if self.cap_w is None else {**plan, **self._capped(context)}

    def by_job(self, context: Context) -> dict[str, np.ndarray]:
        return {"job_mw": self.job_mw(context)}

    @property
    def _repeats(self) -> bool:
        return len(self._caps) > 1

    def check(self, context: Context) -> None:
        """Raise InputError if a cap that changes by the hour would change too often."""
        days = (horizon_s(context) - context.begin_s) / DAY_S
        if self._repeats and days > MOST_DAYS:
            raise InputError(
                f"cap_w changes every day, and the workload lasts {days:,.0f} days: at most {MOST_DAYS:,} are simulated"
                f"{suspect(context.workload.account)}"
            )

    def _capped(self, context: Context) -> JsonDict:
        begin, level = self.levels(context)
        return {
            "capped": True,
            "pool": float(context.pools),
            "cap_from_s": begin,
            "cap_mw": level,
            "cap_every_s": DAY_S if self._repeats else 0.0,
            "cap_origin_s": -context.clock_s if self._repeats else 0.0,
        }

    def tables(self, report: Mapping[str, np.ndarray], context: Context, plan: JsonTable) -> dict[str, Columns]:
        """Return `power`: watts by state over time; `node_energy`: joules and seconds by state; and `job_energy`."""
        tables = by_table(report)
        if "node_energy" in tables:
            tables["node_energy"]["node"] = tables["node_energy"]["node"].astype(np.int64)
        names = ["time_s", *(f"{state}_w" for state in STATES)]
        tables["power"] = {name: tables.get("power", {}).get(name, np.empty(0)) for name in names}
        jobs = tables.get("job_energy", {})
        slots, energy = (jobs.get(name, np.empty(0)) for name in ("slot", "energy_j"))
        tables["job_energy"] = {"job": context.job_numbers(slots), "energy_j": energy}
        return tables


def _streamed_draws(context: Context, state: StreamState) -> np.ndarray:
    """Return the draws of a block: the same as of the whole workload, if job numbers ascend."""
    if "power" not in state.block:
        generator, last = state.kept.setdefault("power", (stream(context.seed, "power"), -math.inf))
        job = context.workload["job"]
        if not (np.diff(job, prepend=last) > 0).all():
            raise InputError(
                "spread of power draws a number per job in the order of job numbers, but the numbers of this stream do"
                " not ascend: leave out spread, or simulate without streaming"
            )
        state.block["power"] = generator.random(len(job))
        state.kept["power"] = generator, float(job[-1]) if len(job) else last
    return state.block["power"]
