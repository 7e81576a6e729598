"""Platforms: machines with counted processors, and clusters of nodes."""

from collections.abc import Callable
from functools import partial

from thinktime.platforms.cluster import Cluster, machine_or_file
from thinktime.platforms.configurations import NAMES
from thinktime.platforms.machine import AsLog, Machine
from thinktime.spec import NOTATIONS, SHORTHANDS, Spec

_NAMED: dict[str, Callable[[], Spec]] = {name: partial(Cluster.named, name) for name in NAMES}
SHORTHANDS["platform"] = _NAMED
NOTATIONS["platform"] = machine_or_file

__all__ = ["AsLog", "Cluster", "Machine"]
