"""CSV: the header in comments (#), the types of columns in one more, then the names of the columns and the jobs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from thinktime.result.writer import Writer, jobs_table
from thinktime.result.written_series import written_series
from thinktime.traces.reader import Block
from thinktime.traces.written import MARK, Written
from thinktime.workload import Workload
from thinktime.workload.compressed_file import packed_file


class CsvWriter(Writer, name="csv"):
    """Writes CSV with commas, one line per job; missing values are empty."""

    endings: ClassVar[tuple[str, ...]] = (".csv",)

    def write_blocks(self, blocks: Iterable[Block], path: Path, about: Written, without_jobs: Workload) -> int:
        import polars as pl

        jobs = 0
        with packed_file(path) as file:
            file.writelines(f"#{line}\n".encode() for line in about.header)
            if about.kinds:
                file.write(f"#{MARK}{json.dumps(about.to_dict(header=False))}\n".encode())
            for block in blocks:
                columns = jobs_table(block)
                series = [written_series(name, values, without_jobs.types) for name, values in columns.items()]
                table = pl.DataFrame(series)
                file.write(table.write_csv(include_header=jobs == 0).encode())
                jobs += table.height
        return jobs
