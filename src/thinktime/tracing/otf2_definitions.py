"""The global definitions of an OTF2 archive: clock, system tree, locations and regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from thinktime.tracing.events import TICKS_PER_S, Host

UNDEFINED = 2**32 - 1  # a reference to nothing
NO_DATE = 2**64 - 1  # simulated time has no calendar date


class Definitions:
    """Writes definitions, each string once."""

    def __init__(self, otf2: Any, archive: Any) -> None:
        self.otf2, self.archive = otf2, archive
        self.writer = otf2.Archive_GetGlobalDefWriter(archive)
        self._strings: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._string("")  # number 0, as in the library's own writer
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.otf2.Archive_CloseGlobalDefWriter(self.archive, self.writer)

    def _string(self, text: str) -> int:
        if text not in self._strings:
            self._strings[text] = len(self._strings)
            self.otf2.GlobalDefWriter_WriteString(self.writer, self._strings[text], text)
        return self._strings[text]

    def clock(self, first: int, last: int) -> None:
        """Define the clock by the ticks of the first and last event."""
        self.otf2.GlobalDefWriter_WriteClockProperties(self.writer, TICKS_PER_S, first, last - first, NO_DATE)

    def tree(self, name: str, hosts: Sequence[Host]) -> None:
        """Define the cluster as node 0, then its hosts, each with a location group."""
        from otf2.enums import LocationGroupType, SystemTreeDomain

        define = self.otf2
        define.GlobalDefWriter_WriteSystemTreeNode(
            self.writer, 0, self._string(name), self._string("cluster"), UNDEFINED
        )
        define.GlobalDefWriter_WriteSystemTreeNodeDomain(self.writer, 0, SystemTreeDomain.MACHINE)
        for place, host in enumerate(hosts):
            text = self._string(host.name)
            define.GlobalDefWriter_WriteSystemTreeNode(self.writer, place + 1, text, self._string("host"), 0)
            define.GlobalDefWriter_WriteSystemTreeNodeDomain(self.writer, place + 1, SystemTreeDomain.SHARED_MEMORY)
            kind = LocationGroupType.PROCESS
            define.GlobalDefWriter_WriteLocationGroup(self.writer, place, text, kind, place + 1, UNDEFINED)

    def locations(self, found: Mapping[int, tuple[str, int, int]]) -> None:
        """Define locations: number → (name, index of the host, events)."""
        from otf2.enums import LocationType

        for number, (name, host, events) in found.items():
            text = self._string(name)
            self.otf2.GlobalDefWriter_WriteLocation(self.writer, number, text, LocationType.CPU_THREAD, events, host)

    def regions(self, names: Sequence[str]) -> None:
        from otf2.enums import Paradigm, RegionFlag, RegionRole

        kind = (RegionRole.FUNCTION, Paradigm.USER, RegionFlag.NONE)
        for number, name in enumerate(names):
            text = self._string(name)
            self.otf2.GlobalDefWriter_WriteRegion(self.writer, number, text, text, 0, *kind, 0, 0, 0)
