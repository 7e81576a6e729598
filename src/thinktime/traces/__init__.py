"""Logs as found: archives, headers, raw fields with −1 for unknown, and where to get logs."""

from thinktime.traces.header import Header
from thinktime.traces.log import LogScan, RawLog, read_log
from thinktime.traces.spellings import Spellings
from thinktime.traces.time_zone import TimeZone

__all__ = ["Header", "LogScan", "RawLog", "Spellings", "TimeZone", "read_log"]
