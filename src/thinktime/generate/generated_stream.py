"""The jobs of a generator as a stream, for simulations in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from thinktime.errors import InputError
from thinktime.generate.generated_account import GeneratedAccount
from thinktime.support.json_types import JsonDict
from thinktime.traces import Header
from thinktime.traces.attributes import ColumnType
from thinktime.workload.reading.stream import LogStream

if TYPE_CHECKING:
    from thinktime.generate.generator import Block, Generator

ROWS = 16_384  # jobs per block


class GeneratedStream(LogStream):
    """Blocks of jobs as they are generated. Iterate once; `account` grows with the blocks."""

    def __init__(self, generator: Generator, seed: int) -> None:
        self.name = generator.name
        self._generator, self._seed = generator, seed
        self._blocks_left: Iterator[Block] | None = generator.blocks(seed=seed, rows=ROWS)
        self._account = GeneratedAccount(generator.machine_processors)

    def __repr__(self) -> str:
        return f"<LogStream of {self.name}: {self._account.jobs:,} jobs generated>"

    def __iter__(self) -> Iterator[Block]:
        blocks, self._blocks_left = self._blocks_left, None
        if blocks is None:
            raise InputError(f"the jobs of {self.name} have already been generated: open another stream")
        for block in blocks:
            self._account.add(block)
            yield block

    @property
    def header(self) -> Header:
        return self._generator.header() or Header()

    @property
    def types(self) -> Mapping[str, ColumnType]:
        return {}

    @property
    def source(self) -> JsonDict:
        return self._generator.source(self._seed)

    @property
    def account(self) -> JsonDict:
        return self._account.to_dict()

    def machine_size(self) -> tuple[int, str]:
        return self._generator.machine_processors, "what the workload was generated for"
