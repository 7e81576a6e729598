"""Additional data around the schedule: failures, maintenance, reservations, power, temperatures, or your own."""

from thinktime.plugins.calendar import Maintenance, Reservations
from thinktime.plugins.failures import Failures
from thinktime.plugins.own import OwnPlugin
from thinktime.plugins.plugin import Context, Plugin
from thinktime.plugins.power import Power
from thinktime.plugins.thermal import Thermal

__all__ = ["Context", "Failures", "Maintenance", "OwnPlugin", "Plugin", "Power", "Reservations", "Thermal"]
