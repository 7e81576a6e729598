"""Clusters that come with the package: one TOML file each, under its name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinktime.platforms.cluster import Cluster

FOLDER = Path(__file__).resolve().parent
NAMES = ("seth", "ricc", "ricc-1024", "metacentrum")

#: What may differ from a configuration that still goes by its name.
CHANGES = ("speed", "estimates", "memory", "title")


@cache
def configuration(name: str) -> Cluster:
    from thinktime.platforms.cluster import Cluster

    return Cluster.from_toml(FOLDER / f"{name}.toml")


def near(cluster: Cluster) -> tuple[str, dict[str, Any]] | None:
    """The name of the configuration that this is, and what differs from it; None if it is another cluster."""
    for name in NAMES:
        known = configuration(name)
        changes = {key: getattr(cluster, key) for key in CHANGES if getattr(cluster, key) != getattr(known, key)}
        if known.replace(**changes) == cluster:
            return name, changes
    return None
