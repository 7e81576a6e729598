"""Platforms: what jobs run on."""

from thinktime.platforms.as_log import AsLog
from thinktime.platforms.machine import Machine

__all__ = ["AsLog", "Machine"]
