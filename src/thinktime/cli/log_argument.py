"""What LOG may be: a file, the name of a log in the logs folder, or a generator: `default`, `lublin:jobs=900`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.cli.printing.progress import Stage, reading
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.workload import Workload

DEFAULT = "default"
LOG_ENDINGS = (".swf", ".gz", ".xz", ".bz2")  # of logs that are written


@dataclass(frozen=True)
class Reading:
    """How a log is to be read: the options that `run` and `inspect` share."""

    filter: str = "base"
    processor_field: str | None = None
    remove: tuple[str, ...] = ()
    seed: int | None = None  # of a generator

    def check(self) -> None:
        """A mistake in the options is told before a long log is read."""
        from thinktime.workload.reading.read import Reading as Checked

        Checked(self.filter, self.processor_field, self.remove, None)

    def options(self) -> dict[str, object]:
        """As read_swf and stream_swf take them."""
        return {"filter": self.filter, "processors": self.processor_field, "remove": list(self.remove)}


def read(log: str, how: Reading, machine: int | None = None) -> tuple[Workload, Stage]:
    """The workload, and the stage that says how long reading took; some filters cap jobs at the machine's size."""
    how.check()
    from thinktime.simulation.arguments import is_generator

    if is_generator(log):
        return _generated(log, how)
    from thinktime.traces import find_log
    from thinktime.workload import read_swf

    path = find_log(log)
    with reading(path) as stage:
        workload = read_swf(path, machine=machine, **how.options())  # type: ignore[arg-type]
    return workload, stage


def _generated(log: str, how: Reading) -> tuple[Workload, Stage]:
    from thinktime.generate import Generator
    from thinktime.spec import parse

    spec = parse("generator", log)
    assert isinstance(spec, Generator)
    if how != Reading(seed=how.seed):
        raise InputError(
            f"the {spec.name} workload has nothing to filter: leave out --filter, --processor-field and --remove"
        )
    with Stage("generating") as stage:
        workload = spec.workload(seed=1 if how.seed is None else how.seed)
    return workload, stage


def require_log_name(out: Path, *others: str) -> None:
    """What a log is written to says by its ending how: SWF, packed or not, or one of the other formats."""
    endings = (*LOG_ENDINGS, *others)
    if out.suffix.lower() not in endings:
        known = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise InputError(f"--out is {str(out)!r}: give the name of a log, which ends in {known}")


def machine_size(workload: Workload, given: int | None, why: str = "--processors") -> tuple[int, str]:
    """Processors of the machine to simulate, and why so many."""
    if given is not None:
        return given, why
    return workload.machine_size()
