"""Workloads that are made rather than recorded."""

from thinktime.generate.default import default_blocks, default_workload

__all__ = ["default_blocks", "default_workload"]
