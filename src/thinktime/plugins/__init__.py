"""Plugins add data and events to a run: failures, maintenance, reservations, power, temperatures, or your own.

The registry finds every file in this folder.
"""

from thinktime.plugins.context import Context
from thinktime.plugins.own import OwnPlugin
from thinktime.plugins.plugin import Plugin

__all__ = ["Context", "OwnPlugin", "Plugin"]
