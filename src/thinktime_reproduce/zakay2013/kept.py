"""What `runs` finds out and keeps in the findings, and how claims and figures look it up."""

from __future__ import annotations

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


def log_of(findings: Findings, label: str) -> Workload:
    found: Workload = findings.kept[LOG, label]
    return found


def estimated_of(findings: Findings, label: str) -> Description:
    """The log without jobs that have no estimate."""
    found: Description = findings.kept[ESTIMATED, label]
    return found


def estimated_spread_of(findings: Findings, label: str) -> list[Description]:
    found: list[Description] = findings.kept[ESTIMATED_SPREAD, label]
    return found


def pools_of(findings: Findings, label: str) -> Pools:
    found: Pools = findings.kept[POOLS, label]
    return found


def description_of(findings: Findings, label: str) -> Description:
    found: Description = findings.kept[DESCRIBED, label]
    return found


def spread_of(findings: Findings, label: str) -> list[Description]:
    found: list[Description] = findings.kept[SPREAD, label]
    return found


def bootstrap_of(findings: Findings, label: str) -> Bootstrap:
    found: Bootstrap = findings.kept[BOOTSTRAP, label]
    return found


def sweep_of(findings: Findings, label: str) -> LoadSweep:
    found: LoadSweep = findings.kept[SWEEP, label]
    return found


def rare_behaviours(findings: Findings, label: str) -> list[RareBehaviour]:
    """The flurries of the users that the paper names."""
    wanted = FLURRY_USERS[label]
    return [each.behaviour for each in findings.kept[FLURRIES, label] if each.behaviour.user in wanted]
