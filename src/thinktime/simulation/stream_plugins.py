"""What own plugins see of a stream: the jobs that wait or run, by their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from thinktime.errors import InputError
from thinktime.traces import Header
from thinktime.traces.attributes import ColumnType

if TYPE_CHECKING:
    from thinktime._engine import Run

WHOLE = "reads a whole column of the workload, but a stream holds only jobs that wait or run"


class LiveJobs:
    """Stands for the workload of a streamed simulation: `jobs["user"][row]` for a job that waits or runs.

    `jobs.texts("colour")[row]` is a text; `types` returns the types of the attributes as far as the log was read.
    """

    def __init__(
        self,
        engine: Run,
        columns: Sequence[str],
        name: str,
        header: Header,
        types: Callable[[], Mapping[str, ColumnType]] = dict,
    ) -> None:
        self._engine, self._labels = engine, {column: k for k, column in enumerate(columns)}
        self.name, self.header, self._types = name, header, types

    def __getitem__(self, column: str) -> LiveColumn:
        if column not in self._labels:
            known = ", ".join(self._labels)
            raise InputError(f"a stream has no column {column!r} for plugins: it has {known}")
        return LiveColumn(self._engine, self._labels[column], column)

    def texts(self, column: str) -> LiveTexts:
        """Return a column of texts, indexed by row."""
        return LiveTexts(self[column], lambda: self._types()[column])

    def __len__(self) -> NoReturn:
        raise InputError(
            "a plugin asks for the number of jobs, which a stream does not know: simulate without streaming"
        )

    def __getattr__(self, name: str) -> NoReturn:
        raise InputError(f"a plugin reads workload.{name}, which a stream does not have: simulate without streaming")


class LiveTexts:
    """The texts of the jobs that wait or run, indexed by row."""

    def __init__(self, codes: LiveColumn, kind: Callable[[], ColumnType]) -> None:
        self._codes, self._kind = codes, kind

    def __getitem__(self, rows: Any) -> Any:
        found = self._kind().texts(np.atleast_1d(self._codes[rows]))
        return found[0] if np.ndim(rows) == 0 else found


class LiveColumn:
    """One column of the jobs that wait or run, indexed by row."""

    def __init__(self, engine: Run, label: int, name: str) -> None:
        self._engine, self._label, self._name = engine, label, name

    def __getitem__(self, rows: Any) -> Any:
        asked = np.asarray(rows)
        if asked.dtype.kind not in "iu" or asked.ndim > 1:
            self._refuse()
        slots = self._engine.slots_of(np.atleast_1d(asked).astype(np.int64))
        values = self._engine.carried(self._label, slots)
        return values[0] if asked.ndim == 0 else values

    def _refuse(self) -> NoReturn:
        raise InputError(f"a plugin {WHOLE}: read {self._name}[job], or simulate without streaming")

    def __len__(self) -> NoReturn:
        self._refuse()

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        self._refuse()

    def __iter__(self) -> NoReturn:
        self._refuse()
