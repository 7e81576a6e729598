"""Clusters: nodes with resources, allocators, and the policies that promise real nodes."""

from reference.nodes.cluster import Cluster
from reference.nodes.simulation import simulate

__all__ = ["Cluster", "simulate"]
