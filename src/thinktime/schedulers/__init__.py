"""Schedulers decide which job starts, and when. One policy per file; the registry finds every file in this folder."""

from thinktime.schedulers.keys import Key, key
from thinktime.schedulers.native import native
from thinktime.schedulers.orders import ORDERS
from thinktime.schedulers.own import OwnScheduler
from thinktime.schedulers.scheduler import Scheduler

__all__ = ["ORDERS", "Key", "OwnScheduler", "Scheduler", "key", "native"]
