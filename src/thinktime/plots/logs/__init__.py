"""Figures of workloads and of their descriptions."""
