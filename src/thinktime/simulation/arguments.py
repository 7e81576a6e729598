"""What callers may give for a workload and a machine: objects, or the texts and numbers of the command line."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from thinktime.errors import InputError
from thinktime.platforms import AsLog, Cluster, Machine
from thinktime.schedulers import Scheduler
from thinktime.spec import as_spec
from thinktime.workload import LogStream, Workload
from thinktime.workload.reading.read import as_workload
from thinktime.workload.reading.stream import as_stream

#: A workload, the name or path of a log, or a generator such as `default` and `lublin:jobs=900`.
WorkloadLike: TypeAlias = Workload | str | PathLike[str]
#: A platform, a number of processors, or the name or file of a cluster; None for the machine of the log.
MachineLike: TypeAlias = Machine | Cluster | AsLog | int | str | PathLike[str] | None
#: A scheduler, or its text on the command line: `easy:order=sjf`.
SchedulerLike: TypeAlias = Scheduler | str

GENERATORS = ("default", "lublin")  # generators that need nothing but their options
SEED = 1  # of a generator that is given by its text, as on the command line


def workload_or_generated(workload: WorkloadLike) -> Workload:
    """Return the workload; read the log or run the generator that a text names."""
    if isinstance(workload, str) and is_generator(workload):
        from thinktime.generate import Generator

        return as_spec(Generator, workload, "workload").workload(seed=SEED)
    return as_workload(workload)


def stream_or_generated(log: LogStream | str | PathLike[str] | Iterable[object]) -> LogStream:
    """Return the stream; open the log or the generator that a text names."""
    if isinstance(log, str) and is_generator(log):
        from thinktime.generate import Generator

        return as_spec(Generator, log, "log").stream(seed=SEED)
    return as_stream(log)


def is_generator(text: str) -> bool:
    """Return whether the text is a generator that needs nothing but its options, and no file has this name."""
    return text.partition(":")[0] in GENERATORS and (text == GENERATORS[0] or not Path(text).exists())


def as_machine(machine: MachineLike, log: Workload | LogStream) -> Machine | Cluster:
    """Return the platform; by default a machine with as many processors as the log's."""
    if machine is None:
        return Machine(processors=log.machine_size()[0])
    found = as_spec("platform", machine, "machine")
    if isinstance(found, AsLog):
        return found.machine(log.machine_size()[0], log.name)
    if not isinstance(found, Machine | Cluster):
        raise InputError(f"machine is {machine!r}: give a tt.Machine, a tt.Cluster or a number of processors")
    return found
