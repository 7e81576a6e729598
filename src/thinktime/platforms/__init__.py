"""Platforms: what the jobs run on."""

from thinktime.platforms.machine import Machine

__all__ = ["Machine"]
