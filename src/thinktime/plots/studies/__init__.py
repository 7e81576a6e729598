"""Figures of studies and bootstraps: intervals, differences, ranks, resamples."""
