"""What `runs` finds out and keeps in the findings, and how claims and figures look it up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from thinktime.bootstrapping import Bootstrap, LoadSweep
from thinktime.description import Description
from thinktime.resampling import Pools, RareBehaviour
from thinktime.workload import Workload
from thinktime_reproduce.reproduction import Findings
from thinktime_reproduce.zakay2013.values import FLURRY_USERS

# what is kept, by these and the log's label
LOG, POOLS, DESCRIBED, SPREAD = "log", "pools", "described", "spread"
BOOTSTRAP, SWEEP, LONGER_PARTS, BUSIER_LOGS = "bootstrap", "load sweep", "longer", "busier"
OFFERED, COUNTED, CLOSED = "offered load", "counted", "session replay"
ESTIMATED, ESTIMATED_SPREAD = "described, with estimates", "spread, with estimates"
FLURRIES, WITH_FLURRIES, RARE_RUNS = "flurries", "with flurries", "rare runs"


T = TypeVar("T")


@dataclass(frozen=True)
class Kept(Generic[T]):
    """What is kept of each log under one name: `log_of(findings, "KTH")`."""

    name: str

    def __call__(self, findings: Findings, label: str) -> T:
        found: T = findings.kept[self.name, label]
        return found


log_of: Kept[Workload] = Kept(LOG)
pools_of: Kept[Pools] = Kept(POOLS)
description_of: Kept[Description] = Kept(DESCRIBED)
spread_of: Kept[list[Description]] = Kept(SPREAD)
estimated_of: Kept[Description] = Kept(ESTIMATED)  # without jobs that have no estimate
estimated_spread_of: Kept[list[Description]] = Kept(ESTIMATED_SPREAD)
bootstrap_of: Kept[Bootstrap] = Kept(BOOTSTRAP)
sweep_of: Kept[LoadSweep] = Kept(SWEEP)


def rare_behaviours(findings: Findings, label: str) -> list[RareBehaviour]:
    """The flurries of the users that the paper names."""
    wanted = FLURRY_USERS[label]
    return [each.behaviour for each in findings.kept[FLURRIES, label] if each.behaviour.user in wanted]
