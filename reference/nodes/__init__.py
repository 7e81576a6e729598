"""Clusters: nodes with resources, allocators, and the policies that promise real nodes."""

from reference.nodes.boots import Boots
from reference.nodes.cap import Cap
from reference.nodes.cluster import Closure, Cluster
from reference.nodes.failures import Failures
from reference.nodes.simulation import simulate
from reference.nodes.two_levels import simulate_two_levels

__all__ = ["Boots", "Cap", "Closure", "Cluster", "Failures", "simulate", "simulate_two_levels"]
