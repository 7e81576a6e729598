"""Where the jobs of `thinktime run --stream` come from: a log file, or a generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from thinktime.cli import log_argument
from thinktime.cli.commands.run.options import Request
from thinktime.cli.printing.progress import Stage, reading
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.workload import LogStream


class Source(Protocol):
    """Jobs that can be opened several times."""

    def name(self) -> str:
        """Return the name of the workload."""
        ...

    def open(self) -> LogStream: ...

    def machine_size(self) -> tuple[int, str]:
        """Return the processors of the machine, and where the number comes from."""
        ...

    def content(self) -> object:
        """Return what decides about the jobs, as plain data."""
        ...

    def stage(self) -> Stage:
        """Return the progress of reading."""
        ...


def source_of(request: Request) -> Source:
    """Return the log or generator of a request."""
    from thinktime.simulation.arguments import is_generator

    return GeneratedJobs(request) if is_generator(request.log) else LogFile(request)


class LogFile:
    """A log in a regular file or folder."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._path = path = log_argument.path_of(request.log, request.reading)
        if path.exists() and not (path.is_file() or path.is_dir()):  # the reader raises its own error for a folder
            raise InputError(f"--stream needs a regular file, because it reads the log twice (got {path})")

    def name(self) -> str:
        from thinktime.traces import log_name

        return log_name(self._path)

    def open(self) -> LogStream:
        from thinktime.workload import stream

        return stream(self._path, machine=self._request.platform.size, **self._request.reading.keywords())

    def machine_size(self) -> tuple[int, str]:
        from thinktime.workload import stream

        return stream(self._path, reader=self._request.reading.reader).machine_size()

    def content(self) -> object:
        from thinktime.result.canonical_json import digest_of_file

        return digest_of_file(self._path)

    def stage(self) -> Stage:
        return reading(self._path)


class GeneratedJobs:
    """A generator with its seed."""

    def __init__(self, request: Request) -> None:
        seed = request.simulation.seed
        self._generator = log_argument.generator_of(request.log, request.reading)
        self._seed = log_argument.DEFAULT_SEED if seed is None else seed

    def name(self) -> str:
        return str(self._generator.name)

    def open(self) -> LogStream:
        return self._generator.stream(seed=self._seed)

    def machine_size(self) -> tuple[int, str]:
        return self.open().machine_size()

    def content(self) -> object:
        return self._generator.source(self._seed)

    def stage(self) -> Stage:
        return Stage("simulating")
