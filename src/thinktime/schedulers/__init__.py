"""Schedulers decide when, and which job. One policy, one file; importing this package registers them all."""

from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.edf import EDF
from thinktime.schedulers.fcfs import FCFS
from thinktime.schedulers.keys import Key, exp, floor, key, log2, log10, maximum, minimum, sqrt, value, where
from thinktime.schedulers.ljf import LJF
from thinktime.schedulers.native import native
from thinktime.schedulers.orders import ORDERS
from thinktime.schedulers.own import OwnScheduler
from thinktime.schedulers.priority import Priority
from thinktime.schedulers.reject import Reject
from thinktime.schedulers.scheduler import Scheduler
from thinktime.schedulers.sjf import SJF

__all__ = [
    "EDF",
    "FCFS",
    "LJF",
    "ORDERS",
    "SJF",
    "Conservative",
    "Easy",
    "Key",
    "OwnScheduler",
    "Priority",
    "Reject",
    "Scheduler",
    "exp",
    "floor",
    "key",
    "log2",
    "log10",
    "maximum",
    "minimum",
    "native",
    "sqrt",
    "value",
    "where",
]
