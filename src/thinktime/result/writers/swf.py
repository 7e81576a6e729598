"""The Standard Workload Format: numbers in the spelling of their source, no attributes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from thinktime.result.writer import Writer
from thinktime.traces.reader import Block
from thinktime.traces.written import Written
from thinktime.workload import Workload
from thinktime.workload.writing import write_swf, write_swf_blocks


class SwfWriter(Writer, name="swf"):
    """Writes the Standard Workload Format, which has no attributes: a note of the header names those left out."""

    endings: ClassVar[tuple[str, ...]] = (".swf",)

    def write_workload(self, workload: Workload, path: Path, notes: Sequence[str] = ()) -> None:
        lost = [f"attributes left out: {', '.join(workload.attributes)}"] if workload.attributes else []
        write_swf(workload, path, notes=[*notes, *lost])

    def write_blocks(self, blocks: Iterable[Block], path: Path, about: Written, without_jobs: Workload) -> int:
        return write_swf_blocks(blocks, path, about.header)
