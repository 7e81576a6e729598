"""Log files: unpacking, headers, raw fields with −1 for unknown; finding and downloading logs.

Names load when they are used, so that the catalogue of logs works without numpy and the engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinktime.traces.find import find_log, log_name
    from thinktime.traces.header import Header
    from thinktime.traces.log import LogScan, RawLog, read_log
    from thinktime.traces.own import OwnReader
    from thinktime.traces.reader import Reader
    from thinktime.traces.spellings import Spellings
    from thinktime.traces.time_zone import TimeZone

__all__ = [
    "Header",
    "LogScan",
    "OwnReader",
    "RawLog",
    "Reader",
    "Spellings",
    "TimeZone",
    "find_log",
    "log_name",
    "read_log",
]

_HOMES = {
    "Header": "header",
    "LogScan": "log",
    "OwnReader": "own",
    "RawLog": "log",
    "Reader": "reader",
    "find_log": "find",
    "log_name": "find",
    "read_log": "log",
    "Spellings": "spellings",
    "TimeZone": "time_zone",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
