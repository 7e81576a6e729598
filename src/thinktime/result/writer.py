"""Writers: a class per format of logs, found by the registry by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.result.directory.staging import staged_file
from thinktime.spec import REGISTRY, Spec, as_spec
from thinktime.spec.own import OwnSpec, one_line
from thinktime.traces.column_names import COLUMNS
from thinktime.traces.find import PACKINGS, format_ending
from thinktime.traces.header import Header
from thinktime.traces.reader import Block, joined
from thinktime.traces.typed_blocks import NEEDED
from thinktime.traces.written import Written
from thinktime.workload import Workload
from thinktime.workload.compressed_file import require_path
from thinktime.workload.writing import header_lines

#: Packings in which texts are written; .zip is only read.
PACKED = tuple(packing for packing in PACKINGS if packing != ".zip")


class Writer(Spec, kind="writer"):
    """Base of writers: `class SwfWriter(Writer, name="swf")` writes files that end in `endings`, packed if `packs`."""

    endings: ClassVar[tuple[str, ...]] = ()
    packs: ClassVar[bool] = True

    def write_workload(self, workload: Workload, path: Path, notes: Sequence[str] = ()) -> None:
        """Write a workload; the whole file or nothing."""
        self.write_blocks([known_columns(workload)], path, written_of(workload, notes), workload)

    def write_blocks(self, blocks: Iterable[Block], path: Path, about: Written, without_jobs: Workload) -> int:
        """Write blocks of columns as they come, and return the number of jobs.

        `without_jobs` has the name, types and provenance of the workload.
        """
        raise NotImplementedError


class OwnWriter(OwnSpec, Writer):
    """Base of writers in Python: define `write(workload, path)`, which writes one file.

    `class Mine(OwnWriter, endings=(".mine",))` writes all files with that ending, from Python and from the commands
    that write logs. The path is a temporary one: the file gets its name when it is complete.

    Examples
    --------
    >>> import thinktime as tt
    >>> class Sizes(tt.OwnWriter, endings=(".sizes",)):
    ...     def write(self, workload, path):
    ...         path.write_text("\\n".join(f"{size:.0f}" for size in workload["processors"]))
    >>> tt.write(tt.Workload.from_columns(submit_s=[0, 5], run_s=[9, 9], processors=[2, 4]), "log.sizes")
    >>> open("log.sizes").read()
    '2\\n4'
    """

    def __init_subclass__(cls, name: str | None = None, endings: Iterable[str] | None = None) -> None:
        if endings is not None:
            cls.endings = tuple(each.lower() for each in endings)
        if any(not each.startswith(".") for each in cls.endings):
            raise InputError(f'{cls.__name__} has the endings {cls.endings}: write them with their dots, as in ".mine"')
        super().__init_subclass__(name=cls.take_name(name))

    def write(self, workload: Workload, path: Path) -> None:
        """Write the workload to this path."""
        raise NotImplementedError(f"{type(self).__name__} needs a method write(workload, path)")

    def write_workload(self, workload: Workload, path: Path, notes: Sequence[str] = ()) -> None:
        with staged_file(path) as temporary:
            try:
                self.write(workload, temporary)
            except (InputError, OSError):
                raise
            except Exception as error:
                raise InputError(f"writer {self.name} failed on {path} with {one_line(error)}") from error
            if not temporary.exists():
                raise InputError(f"writer {self.name} wrote no file: write to the path that `write` gets")

    def write_blocks(self, blocks: Iterable[Block], path: Path, about: Written, without_jobs: Workload) -> int:
        """Collect the blocks in memory and write them."""
        columns = joined(list(blocks))
        whole = Workload(columns, without_jobs.name, Header.parse(about.header), without_jobs.account)
        self.write_workload(whole, path)
        return len(whole)


def write(
    workload: Workload,
    path: str | PathLike[str],
    *,
    writer: Writer | str | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Write a workload as a log in the format that the ending of the name says; the whole file or nothing.

    `tt.read` reads the file again: the header, the size of the machine, time zone and start, and in all formats but SWF
    the attributes and the names of users survive.

    Parameters
    ----------
    workload : Workload
        The jobs, written in their order.
    path : str or path
        The file: .swf, .csv, .parquet, .json (Batsim), or the ending of your own writer. All but Parquet are packed if
        .gz, .xz or .bz2 follows.
    writer : Writer or str, optional
        The format, such as `"csv"` (default: by the ending).
    notes : sequence of str
        Lines to add to the header as `Note`.

    Raises
    ------
    InputError
        If no writer has this ending, a value cannot be written in the format, or the file cannot be written.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write(tt.default_workload(jobs=20), "log.parquet")
    >>> tt.read("log.parquet")
    <Workload log: 20 jobs, 4 users>
    """
    if not isinstance(workload, Workload):
        raise InputError(f"workload must be a Workload (got {type(workload).__name__}): read or generate one first")
    chosen = writer_of(path, writer)
    chosen.write_workload(workload, Path(path), notes)


def writer_of(path: str | PathLike[str], writer: Writer | str | None = None) -> Writer:
    """Return the writer by name or by the ending of the path; raise InputError with all endings."""
    require_path(path)
    ending, packing = format_ending(path), packing_of(path)
    found = as_spec(Writer, writer) if writer is not None else _by_ending(ending, packing, fspath(path))
    if packing and (packing not in PACKED or not found.packs):
        kinds = f"{', '.join(PACKED)} are" if found.packs else f"{found.name} packs its content itself, no packing is"
        raise InputError(f"{fspath(path)!r} ends in {packing}, but {kinds} written: choose another name")
    return found


def packing_of(path: str | PathLike[str]) -> str:
    """Return `.gz` for `log.swf.gz`; an empty text for a file that is not packed."""
    suffix = Path(path).suffix.lower()
    return suffix if suffix in PACKINGS else ""


def endings() -> list[str]:
    """Return the endings of all writers."""
    return sorted(
        {ending for cls in writers().values() for ending in cls.endings}, key=lambda end: (end != ".swf", end)
    )


def writers() -> dict[str, type[Writer]]:
    """Return name → class of all registered writers."""
    return {name: cls for name, cls in REGISTRY["writer"].items() if issubclass(cls, Writer)}


def _by_ending(ending: str, packing: str, path: str) -> Writer:
    known = sorted(writers().values(), key=lambda cls: not issubclass(cls, OwnSpec))  # own ones first
    for cls in known:
        if ending in cls.endings:
            return cls()
    if not ending and packing in PACKED:
        return next(cls for cls in known if cls.name == "swf")()  # log.gz has always been SWF
    every = endings()
    raise InputError(f"a log must end in {', '.join(every[:-1])} or {every[-1]}, packed or not (got {path!r})")


def written_of(workload: Workload, notes: Sequence[str] = ()) -> Written:
    return Written.of(header_lines(workload, notes), workload.types)


def jobs_table(block: Block) -> dict[str, np.ndarray]:
    """Return the columns of a block that a file has: SWF's, processors, then attributes; not `line`."""
    further = [name for name in block if name not in (*COLUMNS, "processors", "line")]
    return {name: block[name] for name in (*COLUMNS, "processors", *further) if name in block}


def known_columns(workload: Workload) -> dict[str, np.ndarray]:
    """Return the columns of a workload that have a value; attributes and what a log needs stay without one."""
    kept = (*NEEDED, "processors", *workload.attributes)
    columns = jobs_table(workload.columns)
    return {name: values for name, values in columns.items() if name in kept or not np.isnan(values).all()}
