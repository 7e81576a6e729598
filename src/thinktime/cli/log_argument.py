"""What LOG may be: a file, the name of a downloaded log, or a generator: `default`, `lublin:jobs=900`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.cli.options.shared import USUAL_READING, ReadingOptions
from thinktime.cli.printing.progress import Stage, reading
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.generate import Generator
    from thinktime.workload import Workload

DEFAULT = "default"
DEFAULT_SEED = 1  # of generated workloads


def read(
    log: str, how: ReadingOptions, *, seed: int | None = None, machine: int | None = None
) -> tuple[Workload, Stage]:
    """Return the workload, and the stage that measured how long reading took.

    `seed` is for generators. `machine` is the number of processors, to which some filters cap the sizes of jobs.
    """
    how.check()
    from thinktime.simulation.arguments import is_generator

    if is_generator(log):
        found, stage = _generated(log, how, DEFAULT_SEED if seed is None else seed)
    else:
        from thinktime import workload

        path = path_of(log, how)
        with reading(path) as stage:
            found = workload.read(path, machine=machine, **how.keywords())
    return how.scaled(found, machine), stage


def path_of(log: str, how: ReadingOptions) -> Path:
    """Return the file of a log; the text itself for a reader that opens no file."""
    from thinktime.traces import find_log

    return find_log(log) if how.reader is None or how.reader.opens_files else Path(log)


def generator_of(log: str, how: ReadingOptions) -> Generator:
    """Return the generator of a text; raise InputError for options of files."""
    from thinktime.generate import Generator
    from thinktime.spec import as_spec

    spec = as_spec(Generator, log)
    if replace(how, scale_load=()) != USUAL_READING:
        raise InputError(
            f"--reader, --filter, --processor-field and --remove do not apply to the generated workload {spec.name}:"
            " remove them"
        )
    return spec


def _generated(log: str, how: ReadingOptions, seed: int) -> tuple[Workload, Stage]:
    spec = generator_of(log, how)
    with Stage("generating") as stage:
        workload = spec.workload(seed=seed)
    return workload, stage


def require_log_name(out: Path) -> None:
    """Raise InputError unless the ending of `--out` is that of a format in which logs are written."""
    from thinktime.result.writer import writer_of

    try:
        writer_of(out)
    except InputError as error:
        raise InputError(f"--out: {error}") from None


def is_log_name(out: Path) -> bool:
    """Return whether a file of this name would be a log."""
    from thinktime.result.writer import endings
    from thinktime.traces.find import format_ending

    return format_ending(out) in endings()


def machine_size(workload: Workload, given: int | None, why: str = "--processors") -> tuple[int, str]:
    """Return the number of processors to simulate, and where it comes from."""
    if given is not None:
        return given, why
    return workload.machine_size()
